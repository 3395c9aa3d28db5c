"""`filter_candidates` and `rank_candidates` on configurations of every kind."""

import itertools
import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import IntAttr, MemRefType, ModuleOp, f32
from xdsl.passes import ModulePass

from rlx_sched.diagnostics import handled_by
from rlx_sched.dialect.dtype_names import dtype_bytes, tile
from rlx_sched.dialect.layout import NoFootprint
from rlx_sched.dialect.sched import BufferOp, CandidatesOp, KernelOp
from rlx_sched.integrations import Buffer, Candidate, Decision, filter_candidates, filter_sequence, rank_candidates
from rlx_sched.integrations.candidates import all_but
from rlx_sched.integrations.tilelang import worth_measuring
from rlx_sched.integrations.triton import EarlyConfigPrune
from rlx_sched.occupancy import AppleGpuFamily, Slower, assess, calibrations
from rlx_sched.passes.occupancy_filter import OccupancyFilter
from rlx_sched.passes.sched_rank import SchedRank

M4 = "Apple M4 Pro"


class Config(NamedTuple):
    """A user's own configuration: two square f32 tiles of `edge`, kept `stages` times."""

    edge: int
    stages: int
    threads: int = 256


def describe(config: Config) -> Candidate:
    buffer = Buffer(config.edge**2 * 4, 4, rotating=True)
    return Candidate((buffer, buffer), config.stages, config.threads)


def kept(configs: list[Config], chip: str = M4) -> list[Config]:
    return filter_sequence(configs, describe=describe, chip=chip)


def test_drops_the_rotations_that_lose() -> None:
    assert kept([Config(16, stages) for stages in (3, 1, 2, 4)]) == [Config(16, 1)]


@pytest.mark.parametrize("chip", ["Apple M1", "Apple M3 Max", "Apple M5 Max", "NVIDIA H200", ""])
def test_drops_nothing_for_speed_where_nothing_was_measured(chip: str) -> None:
    configs = [Config(16, stages) for stages in (1, 2, 3, 4)]
    assert kept(configs, chip) == configs


def test_stages_are_free_as_long_as_the_kernel_takes_as_much_elsewhere() -> None:
    def describe_with(elsewhere: int) -> Callable[[int], Candidate]:
        return lambda stages: Candidate((Buffer(1024, rotating=True),), stages, elsewhere_bytes=elsewhere)

    for elsewhere, expected in ((0, [1]), (1024, [1]), (2048, [1, 2]), (4096, [1, 2, 4])):
        assert filter_sequence([1, 2, 4], describe=describe_with(elsewhere), chip=M4) == expected
    told: list[Decision[int]] = []
    kept = filter_sequence(
        [1, 2, 4], describe=describe_with(4096), chip=M4, max_threadgroup_bytes=2048, report=told.append
    )
    assert kept == [1, 2], "what is taken elsewhere is not certain to be too much"
    assert [decision.reason for decision in told] == [
        "it takes 4096 bytes of threadgroup memory, more than the 2048 of Apple M4 Pro"
    ]
    with pytest.raises(TypeError, match=r"elsewhere_bytes must be an integer number of bytes, got float"):
        Candidate((), 1, elsewhere_bytes=1.5)  # pyright: ignore[reportArgumentType]


def test_never_drops_a_tile_for_another_tile() -> None:
    configs = [Config(edge, 1) for edge in (8, 16, 32, 64)]
    assert kept(configs) == configs


def test_never_drops_threads_for_other_threads() -> None:
    configs = [Config(16, 1, 64), Config(16, 2, 128)]
    assert kept(configs) == configs


def test_drops_what_does_not_fit_on_any_chip_with_a_limit() -> None:
    assert kept([Config(32, 1), Config(32, 8)], "Apple M1") == [Config(32, 1)]
    assert kept([Config(64, 1), Config(64, 2)], "Apple M1") == [Config(64, 1)]


def test_keeps_the_best_of_a_schedule_of_which_all_are_slower_and_says_why() -> None:
    told: list[Decision[Config]] = []
    configs = [Config(16, 4), Config(16, 2), Config(16, 3), Config(8, 1)]
    found = list(filter_candidates(configs, describe=describe, chip=M4, report=told.append))
    assert found == [Config(8, 1), Config(16, 2)]
    assert [(decision.config.stages, decision.kept) for decision in told] == [(4, False), (3, False), (2, True)]
    assert told[-1].reason == (
        "predicted at 0.905 of its throughput with one stage (2048 -> 4096 bytes of threadgroup memory), "
        "but no other rotation of its schedule is better: add it with one stage"
    )
    assert "extrapolated" in told[0].reason


def test_keeps_the_smallest_where_nothing_fits_and_says_why() -> None:
    told: list[Decision[Config]] = []
    configs = [Config(128, 2), Config(128, 1), Config(256, 1)]
    assert filter_sequence(configs, describe=describe, chip=M4, report=told.append) == [Config(128, 1)]
    assert [(decision.config, decision.kept) for decision in told][-1] == (Config(128, 1), True)
    assert "it takes 131072 bytes of threadgroup memory, more than the 32768 of Apple M4 Pro" in told[-1].reason


def test_is_lazy() -> None:
    endless = (Config(edge, stages) for edge in itertools.count(1) for stages in (1, 2))
    found = filter_candidates(endless, describe=describe, chip=M4)
    assert list(itertools.islice(found, 3)) == [Config(1, 1), Config(2, 1), Config(3, 1)]


def test_extrapolated_rotations_can_be_kept() -> None:
    configs = [Config(16, 1), Config(16, 2), Config(16, 4)]
    found = filter_sequence(configs, describe=describe, chip=M4, extrapolated="keep")
    assert found == [Config(16, 1), Config(16, 4)]
    with pytest.raises(ValueError, match="extrapolated must be 'strip' or 'keep', got 'maybe'"):
        filter_candidates(configs, describe=describe, chip=M4, extrapolated="maybe")  # pyright: ignore[reportArgumentType]


def test_a_configuration_without_a_footprint_stays_and_the_reason_is_told_once() -> None:
    def refuse(config: Config) -> Candidate:
        raise NoFootprint("its tiles are not known")

    told: list[Decision[Config]] = []
    configs = [Config(16, 2), Config(16, 3)]
    assert filter_sequence(configs, describe=refuse, chip=M4, report=told.append) == configs
    assert [decision.reason for decision in told] == ["its tiles are not known"]


@pytest.mark.parametrize("wrong", [None, (describe(Config(16, 2)).buffers, 2)])
@pytest.mark.parametrize("search", [filter_candidates, filter_sequence, rank_candidates])
def test_what_describe_must_return_is_told(search: Callable[..., Iterable[Config]], wrong: object) -> None:
    def describe_wrongly(config: Config) -> object:
        return wrong

    with pytest.raises(TypeError, match=r"describe must return a Candidate, got (None|\(\(Buffer)"):
        list(search([Config(16, 2)], describe=describe_wrongly, chip=M4))


ROTATING = Buffer(2048, rotating=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([ROTATING], 1.5), "stages must be an integer, got 1.5"),
        (([ROTATING], True), "stages must be an integer, got True"),
        (([ROTATING], None), "stages must be an integer, got None"),
        ((5, 2), "buffers must be Buffers, got 5"),
        (([ROTATING, 5], 2), "buffers[1] must be a Buffer, got 5"),
        (([ROTATING], 2, [128]), "schedule must be hashable, got [128]"),
    ],
)
def test_fields_of_a_candidate_of_another_type_are_named(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        Candidate(*arguments)


def test_a_buffer_of_negative_size_is_named() -> None:
    with pytest.raises(ValueError, match=r"^buffers\[0\].size must be from 0 to 2\^64 - 1 bytes, got -1$"):
        Candidate((Buffer(-1),), 2)


@pytest.mark.parametrize("name", ["int16", "uint16", "int32", "uint32", "int64", "uint64"])
@pytest.mark.parametrize("chip", [M4, "Apple M1"])
def test_numbers_of_numpy_decide_like_those_of_python(name: str, chip: str) -> None:
    """With three stages the bytes are more than 16 bits hold; with two more than the chip has."""
    integers: dict[str, Callable[[int], Any]] = {"python": int, "numpy": getattr(numpy, name)}
    found: dict[str, list[object]] = {}
    for kind, of in integers.items():

        def describe_with(stages: int, of: Callable[[int], Any] = of) -> Candidate:
            buffer = Buffer(of(20000), of(4), rotating=True, slots_offset=of(0), phase=of(0))
            return Candidate((buffer,), of(stages), elsewhere_bytes=of(30000))

        told: list[Decision[int]] = []
        search: dict[str, Any] = {"describe": describe_with, "chip": chip, "max_threadgroup_bytes": of(32000)}
        kept = list(filter_candidates([1, 2, 3], **search, report=told.append))
        found[kind] = [kept, [(decision.reason, decision.prediction) for decision in told]]
        found[kind].append(list(rank_candidates([3, 2, 1], **search)))
        assert kept == [1]
    assert found["python"] == found["numpy"]


@pytest.mark.parametrize("search", [filter_candidates, rank_candidates])
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"chip": [M4]}, "chip must be an AppleGpuFamily or a device name, got list"),
        ({"calibration": "m4.toml"}, "calibration must be a Calibration, got str"),
        ({"max_threadgroup_bytes": "32768"}, "max_threadgroup_bytes must be an integer number of bytes, got str"),
    ],
)
def test_arguments_of_another_type_are_named(
    search: Callable[..., Iterable[Config]], wrong: dict[str, Any], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        list(search([Config(16, 2)], **{"describe": describe, "chip": M4, **wrong}))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"target": 80}, "target must be an architecture like 'sm_80', got 80"),
        ({"tiles": {"a_ptr": "BLOCK_M"}}, "tiles['a_ptr'] must be a sequence of block sizes, got 'BLOCK_M'"),
        ({"tiles": ["a_ptr"]}, "tiles must be the names of block sizes by argument, got ['a_ptr']"),
        ({"slots": 2}, "slots must be a function of num_stages, got 2"),
    ],
)
def test_fields_of_the_triton_hook_of_another_type_are_named(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        EarlyConfigPrune(**wrong)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"dtype": 16}, "dtype must be a name, got 16"),
        ({"dtype": ["float16", 16]}, "dtype must be a name, got 16"),
        ({"stages": 2}, "stages must be a name, got 2"),
        ({"tiles": "block_M"}, "tiles must be a sequence of block sizes, got 'block_M'"),
        ({"tiles": ["block_M"]}, "tiles[0] must be a sequence of block sizes, got 'block_M'"),
    ],
)
def test_arguments_of_the_tilelang_filter_of_another_type_are_named(wrong: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"chip": M4, "dtype": "float16", **wrong}
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        worth_measuring([], **arguments)


NO_CONFIGS: Any = [{"block_M": [32, 64], "num_stages": [1, 2]}, "block_M", b"block_M", 5, None]


@pytest.mark.parametrize("wrong", NO_CONFIGS)
@pytest.mark.parametrize("search", [filter_candidates, filter_sequence, rank_candidates])
def test_what_is_no_list_of_configurations_is_told(search: Callable[..., Iterable[Config]], wrong: object) -> None:
    message = f"configs must be a list, or another iterable, of configurations, got {wrong!r}"
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        list(search(wrong, describe=describe, chip=M4))
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        worth_measuring(wrong, chip=M4, dtype="float16")  # pyright: ignore[reportArgumentType, reportCallIssue]
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        worth_measuring(lambda: wrong, chip=M4, dtype="float16")()  # pyright: ignore[reportArgumentType, reportCallIssue]


def test_tilelang_configurations_that_are_no_dictionaries_are_told() -> None:
    wrong: Any = [64, 32]
    with pytest.raises(TypeError, match=r"^a configuration must be a dictionary of arguments by name, got 64$"):
        worth_measuring(wrong, chip=M4, dtype="float16")


def same_text(text: str) -> Any:
    """An object of a class of its own that shows as `text`."""
    return type("Other", (), {"__repr__": lambda self: text})()  # pyright: ignore[reportUnknownLambdaType]


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (64, 64, True),
        ([64, {"a": [1]}], [64, {"a": [1]}], True),
        ((64, "a"), (64, "a"), True),
        (64, 32, False),
        (1, True, False),
        (1, 1.0, False),
        ([64], (64,), False),
        ([1, [2]], [1, [3]], False),
        ({"a": 1}, {"a": 2}, False),
        (same_text("x"), same_text("x"), False),
        (0.0, 0.0, True),
        (0.0, -0.0, False),
        ([0.0], [-0.0], False),
        ({"a": (0.0,)}, {"a": (-0.0,)}, False),
        ({0.0: 1}, {-0.0: 1}, False),
        (frozenset({0.0}), frozenset({-0.0}), False),
        (frozenset({1}), frozenset({True}), False),
        (frozenset({1, "a"}), frozenset({"a", 1}), True),
        ({1, 2}, {2, 1}, True),
        ({0.0}, {-0.0}, False),
        (complex(0, 0.0), complex(0, -0.0), False),
        (numpy.float32(0.0), numpy.float32(-0.0), False),
        (numpy.float16(0.5), numpy.float32(0.5), False),
        (numpy.float64(0.5), 0.5, False),
        (Decimal("1.0"), Decimal("1.00"), False),
        (Decimal("1.0"), Decimal("1.0"), True),
        (float("nan"), float("nan"), False),
    ],
)
def test_only_what_is_equal_in_all_but_the_stages_is_compared(one: Any, other: Any, equal: bool) -> None:
    """Two rotations that lose: of one schedule the better one stays, of two schedules both."""
    base = {"block_M": 64, "block_N": 64, "block_K": 32}
    configs = [{**base, "num_stages": 2, "more": one}, {**base, "num_stages": 3, "more": other}]
    kept = worth_measuring(configs, chip=M4, dtype="float16")
    assert [config["num_stages"] for config in kept] == ([2] if equal else [2, 3])


def test_numbers_too_long_to_be_written_are_compared() -> None:
    long = 10**5000
    assert all_but("", {"a": long, "b": Fraction(1, long)}) == all_but("", {"a": long, "b": Fraction(1, long)})
    assert all_but("", {"a": long}) != all_but("", {"a": long + 1})


@pytest.mark.parametrize("kind", [numpy.int64, numpy.uint8, numpy.int32])
def test_tilelang_sizes_may_be_integers_of_numpy(kind: Callable[[int], Any]) -> None:
    sizes = {"block_M": kind(64), "block_N": kind(64), "block_K": kind(128)}
    configs = [{**sizes, "num_stages": kind(stages)} for stages in (1, 2)]
    assert worth_measuring(configs, chip=M4, dtype="float16") == configs[:1]


@pytest.mark.parametrize("wrong", [True, 64.0, "64", None])
def test_tilelang_sizes_that_are_no_integers_keep_a_configuration(wrong: object) -> None:
    configs = [{"block_M": wrong, "block_N": 64, "block_K": 32, "num_stages": stages} for stages in (1, 2)]
    assert worth_measuring(configs, chip=M4, dtype="float16") == configs


def test_buffers_may_be_a_list() -> None:
    def listed(config: Config) -> Candidate:
        candidate = describe(config)
        return Candidate(list(candidate.buffers), candidate.stages)  # pyright: ignore[reportArgumentType]

    assert filter_sequence([Config(16, 1), Config(16, 3)], describe=listed, chip=M4) == [Config(16, 1)]


def test_a_limit_and_a_calibration_of_the_users_own() -> None:
    (shipped,) = calibrations()
    configs = [Config(16, 1), Config(16, 2), Config(16, 3)]
    found = filter_sequence(
        configs, describe=describe, chip=AppleGpuFamily.M3, calibration=shipped, max_threadgroup_bytes=5000
    )
    assert found == [Config(16, 1), Config(16, 2)], "the calibration is not for an M3, the limit is the user's word"


BEYOND = 2**63 - 1
"""Stages of which no two bytes fit into 64 bits."""

SPACES = st.lists(
    st.builds(
        Config,
        st.sampled_from([1, 8, 16, 32, 64, 96]),
        st.integers(1, 5) | st.just(BEYOND),
        st.sampled_from([64, 256]),
    )
)


@given(SPACES, st.sampled_from([M4, "Apple M1", "NVIDIA H200"]))
def test_what_stays_is_never_empty_and_in_order(configs: list[Config], chip: str) -> None:
    found = kept(configs, chip)
    assert bool(found) == bool(configs)
    places = iter(configs)
    assert all(config in places for config in found), "a subsequence"


def may_fit(config: Config) -> bool:
    """Whether nothing says that `config` does not fit into 32 KB, though one stage of it would have to."""
    return 2 * config.edge**2 * 4 * (1 if config.stages == BEYOND else config.stages) <= 32768


@given(SPACES)
def test_no_schedule_is_lost_for_being_slower(configs: list[Config]) -> None:
    fitting = [config for config in configs if may_fit(config)]
    left = {(config.edge, config.threads) for config in kept(fitting)}
    assert left == {(config.edge, config.threads) for config in fitting}


@given(SPACES)
def test_twice_is_once(configs: list[Config]) -> None:
    assert kept(kept(configs)) == kept(configs)


def test_ranks_the_rotations_of_a_schedule_and_leaves_the_schedules_their_places() -> None:
    configs = [Config(16, 4), Config(32, 3), Config(16, 2), Config(16, 1), Config(32, 1), Config(64, 1), Config(64, 2)]
    assert list(rank_candidates(configs, describe=describe, chip=M4)) == [
        Config(16, 1),
        Config(32, 1),
        Config(16, 2),
        Config(16, 4),
        Config(32, 3),
        Config(64, 1),
        Config(64, 2),
    ]
    assert list(rank_candidates(configs, describe=describe, chip="Apple M3")) == configs


@given(SPACES)
def test_ranking_permutes_within_schedules(configs: list[Config]) -> None:
    ranked = list(rank_candidates(configs, describe=describe, chip=M4))
    assert sorted(ranked) == sorted(configs)
    assert [(c.edge, c.threads) for c in ranked] == [(c.edge, c.threads) for c in configs]


def through_ir(configs: list[Config], one: ModulePass) -> list[Config]:
    """What a pass leaves of `configs` as kernels of a search space, in its order."""
    buffers = [[("a", config.edge), ("b", config.edge)] for config in configs]
    kernels = [
        KernelOp(
            str(number),
            [BufferOp(name, MemRefType(f32, (edge, edge)), rotating=True) for name, edge in buffers[number]],
            stages=config.stages,
            attributes={"threads": IntAttr(config.threads)},
        )
        for number, config in enumerate(configs)
    ]
    space = CandidatesOp("space", kernels)
    with handled_by(lambda diagnostic: None):
        one.apply(Context(), ModuleOp([space]))
    return [configs[int(kernel.sym_name.data)] for kernel in space.kernels()]


@settings(deadline=None)
@given(SPACES, st.sampled_from([M4, "Apple M1"]))
def test_the_passes_go_by_the_same_rules(configs: list[Config], chip: str) -> None:
    assert through_ir(configs, SchedRank(target=chip)) == list(rank_candidates(configs, describe=describe, chip=chip))
    # What does not fit has a place in IR only, where it is changed until it does.
    fitting = [config for config in configs if may_fit(config)]
    assert through_ir(fitting, OccupancyFilter(target=chip)) == kept(fitting, chip)


@given(SPACES)
def test_nothing_but_slower_or_illegal_is_dropped(configs: list[Config]) -> None:
    told: list[Decision[Config]] = []
    filter_sequence(configs, describe=describe, chip=M4, report=told.append)
    for decision in told:
        size = 2 * decision.config.edge**2 * 4
        scheduled = size * decision.config.stages
        assert scheduled > 32768 or isinstance(assess(M4, size, scheduled).verdict, Slower)


@pytest.mark.parametrize(
    ("names", "size"),
    [
        ("f16 torch.float16 bf16 bfloat16 tl.float16 int16", 2),
        ("fp32 float32 uint32 i24", 4),
        ("float64 index i64", 8),
        ("int8 i1 bool torch.bool i4 fp8e4nv fp8e5 float8_e4m3fn f8E5M2 e4m3_float8 float4_e2m1fn", 1),
    ],
)
def test_dtype_names(names: str, size: int) -> None:
    assert {name: dtype_bytes(name) for name in names.split()} == dict.fromkeys(names.split(), size)


@pytest.mark.parametrize("name", ["", "tf32", "f80", "float", "complex64", "float33", "half?", "i0"])
def test_unknown_dtypes_have_no_size(name: str) -> None:
    with pytest.raises(NoFootprint, match="the size of the element type"):
        dtype_bytes(name)


def test_a_tile_without_elements_has_no_size() -> None:
    with pytest.raises(NoFootprint, match="a tile of shape 16x0 has no size"):
        tile((16, 0), "f32")
