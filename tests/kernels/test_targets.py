"""From a `sched.kernel` to source: what is derived from the buffers, and what is refused."""

import re
from collections.abc import Callable
from io import StringIO
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import MemRefType, ModuleOp, f16, f32, f64
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError
from xdsl.utils.target import Target

from rlx_sched.diagnostics import Diagnostic, handled_by
from rlx_sched.dialect.sched import BufferOp, KernelOp, PhaseOp
from rlx_sched.dialect.sgemm import SGEMM, Sgemm, SgemmAttr
from rlx_sched.kernels.loops import Block, For, If, Statement
from rlx_sched.kernels.model import SgemmSchedule, from_kernel, sgemm
from rlx_sched.kernels.targets import MslTarget, WgslTarget
from rlx_sched.kernels.wgsl import print_wgsl
from rlx_sched.measure.device import Program, Shape
from rlx_sched.tools.registry import TARGETS, new_context

TILES = ((16, 8), (8, 16))


def buffers(element: Attribute = f32, *, shapes: tuple[tuple[int, ...], ...] = TILES, **options: Any) -> list[BufferOp]:
    options.setdefault("rotating", True)
    return [BufferOp(name, MemRefType(element, shape), **options) for name, shape in zip("ab", shapes, strict=True)]


def kernel(
    *body: Any, threads: tuple[int, int] = (8, 8), outputs: tuple[int, int] = (2, 2), stages: int = 1, name: str = "k"
) -> KernelOp:
    return KernelOp(name, [*(body or buffers())], stages=stages, attributes={SGEMM: SgemmAttr(Sgemm(threads, outputs))})


def emit(target: type[Target], *kernels: KernelOp) -> tuple[str, list[str]]:
    """The source, and what was said."""
    output, said = StringIO(), list[Diagnostic]()
    with handled_by(said.append):
        target().emit(new_context(), ModuleOp([*kernels]), output)
    return output.getvalue(), [diagnostic.message for diagnostic in said]


def test_a_kernel_is_read_as_a_schedule() -> None:
    assert from_kernel(kernel(stages=3)) == SgemmSchedule(16, 16, 8, 8, 8, 2, 2, stages=3)
    assert from_kernel(kernel(*buffers(f16))).element == "f16"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (lambda: buffers()[:1], "got no buffer '@b'"),
        (lambda: [PhaseOp(buffers())], "got buffer '@a' in a phase"),
        (lambda: [*buffers(), BufferOp("c", MemRefType(f32, (4, 4)))], "got buffer '@c'"),
        (lambda: buffers(f64), "got buffer '@a' of type memref<16x8xf64>"),
        (lambda: buffers(shapes=((16, 8), (8,))), "got buffer '@b' of type memref<8xf32>"),
        (lambda: buffers(shapes=((16, -1), (8, 16))), "got buffer '@a' of type memref<16x"),
        (lambda: buffers(shapes=((16, 8), (4, 16))), "'@a' is 8 deep and '@b' 4"),
        (lambda: buffers(shapes=((16, 8), (8, 32))), r"compute a tile of 16x16, the buffers hold one of 16x32"),
        (lambda: [buffers(f16)[0], buffers(f32)[1]], "'@a' holds f16 and '@b' f32"),
        (lambda: buffers(rotating=False), "buffer '@a' must be 'rotating', static, and have one slot a stage"),
        (lambda: buffers(dynamic=True), "buffer '@a' must be 'rotating', static, and have one slot a stage"),
        (lambda: buffers(slots=-1), "buffer '@a' must be 'rotating', static, and have one slot a stage"),
        (lambda: buffers(alignment=64), "buffer '@a' has an alignment"),
    ],
)
def test_what_is_no_sgemm_is_refused(body: Callable[[], list[Any]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_kernel(kernel(*body()))
    source, said = emit(WgslTarget, kernel(*body()))
    assert not source
    assert len(said) == 1
    assert said[0].startswith("no code for kernel '@k': ")


def of(
    stages: int = 1, threads: tuple[int, int] = (4, 4), outputs: tuple[int, int] = (1, 1), depth: int = 4, **more: Any
) -> KernelOp:
    """A kernel whose buffers agree with its attribute."""
    (x, y), (rows, columns) = threads, outputs
    tiles = buffers(more.pop("element", f32), shapes=((y * rows, depth), (depth, x * columns)))
    return kernel(*tiles, threads=threads, outputs=outputs, stages=stages, **more)


@pytest.mark.parametrize("target", [WgslTarget, MslTarget])
@pytest.mark.parametrize(
    ("one", "message"),
    [
        (lambda: of(3 * 10**9), "its slots take 384000000000 bytes of threadgroup memory; at most 2147483648"),
        (lambda: of(10**7), "it would have 150000032 statements; at most 100000 are printed"),
        (lambda: of(2**63 - 1), "a number in it takes 63 bits; kernels count in 32"),
        (lambda: of(depth=9 * 10**8), "its slots take 28800000000 bytes of threadgroup memory; at most 2147483648"),
        (lambda: of(threads=(1, 1), depth=2 * 10**6), "it would have 34000021 statements; at most 100000"),
        (lambda: of(outputs=(30000, 30000)), "it would have 8100660016 statements; at most 100000 are printed"),
        (lambda: of(threads=(2**32, 4)), "a number in it takes 33 bits; kernels count in 32"),
        (lambda: of(threads=(4, 10**4000)), "a number in it takes 13288 bits; kernels count in 32"),
        (lambda: of(outputs=(10**4000, 10**4000)), "a number in it takes 13290 bits; kernels count in 32"),
        (lambda: of(depth=10**4000), "a number in it takes 13288 bits; kernels count in 32"),
        (lambda: of(threads=(64, 64)), "threads [64, 64] are 4096; a threadgroup has at most 1024"),
        (lambda: of(threads=(1025, 1)), "threads [1025, 1] are 1025; a threadgroup has at most 1024"),
        (lambda: of(threads=(2**16, 2**16)), "threads [65536, 65536] are 4294967296; a threadgroup has at most 1024"),
    ],
)
def test_what_is_printed_has_bounds(target: type[Target], one: Callable[[], KernelOp], message: str) -> None:
    """The time that it takes goes by them, not by the numbers in the IR."""
    source, said = emit(target, one())
    assert not source
    assert len(said) == 1
    assert said[0].startswith(f"no code for kernel '@k': {message}")
    assert len(said[0]) < 200


@pytest.mark.parametrize(
    ("one", "beyond"),
    [
        (lambda: of(threads=(32, 32), depth=32), lambda: of(threads=(32, 33), depth=32)),
        (lambda: of(6664), lambda: of(6665)),
        (lambda: of(outputs=(50, 50), depth=30), lambda: of(outputs=(50, 50), depth=35)),
    ],
)
def test_up_to_the_bounds_kernels_are_printed(one: Callable[[], KernelOp], beyond: Callable[[], KernelOp]) -> None:
    source, said = emit(WgslTarget, one())
    assert source
    assert not said
    with pytest.raises(ValueError, match="at most"):
        from_kernel(beyond())


def test_a_module_has_a_bound_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rlx_sched.kernels.targets._MOST_STATEMENTS", 10**4)
    large = [of(200, name=f"k{number}") for number in range(4)]
    source, said = emit(WgslTarget, *large, of(name="small"))
    assert re.findall(r"fn (\w+)\(", source) == ["k0_kernel", "k1_kernel", "k2_kernel", "small_kernel"]
    assert said == [
        "no code for kernel '@k3': it would have 3032 statements, after 9096 of the kernels before it; at most 10000 "
        "of one module are printed"
    ]


@settings(max_examples=40, deadline=None)
@given(
    threads=st.tuples(*[st.integers(1, 5)] * 2),
    outputs=st.tuples(*[st.integers(1, 4)] * 2),
    depth=st.integers(1, 20),
    stages=st.integers(1, 5),
)
def test_statements_are_counted(threads: tuple[int, int], outputs: tuple[int, int], depth: int, stages: int) -> None:
    schedule = from_kernel(of(stages, threads, outputs, depth))
    counted = count(sgemm(schedule).body)
    assert counted <= schedule.most_statements <= 2 * counted


def count(body: tuple[Statement, ...]) -> int:
    return len(body) + sum(count(one.body) for one in body if isinstance(one, Block | If | For))


def test_long_names_are_cut_and_differ() -> None:
    names = ["x" * 10**6 + str(number) for number in range(3)]
    source, said = emit(WgslTarget, *(of(100, name=name) for name in names))
    assert not said
    assert len(source) < 10**6
    assert len(set(re.findall(r"fn (\w+)\(", source))) == 3


def test_many_kernels_of_one_name_take_time_by_their_number() -> None:
    """Names that are all spelled alike."""
    names = [f"k{'.' * number}" for number in range(2, 400)]
    source, said = emit(MslTarget, *(of(name=name) for name in [*names, "k_2"]))
    assert not said
    entries = re.findall(r"kernel void (\w+)\(", source)
    assert len(set(entries)) == len(entries) == len(names) + 1


def test_a_kernel_without_the_attribute_is_no_sgemm() -> None:
    with pytest.raises(ValueError, match=r"expected a 'sched\.kernel' with a 'sched\.sgemm' attribute"):
        from_kernel(KernelOp("k", [*buffers()]))
    assert emit(MslTarget, KernelOp("k", [*buffers()])) == (
        "",
        ["no 'sched.kernel' in the module has a 'sched.sgemm' attribute: nothing to print"],
    )


def test_kernels_of_two_types_need_two_modules() -> None:
    source, said = emit(WgslTarget, kernel(name="x"), kernel(*buffers(f16), name="y"))
    assert "fn x_kernel" in source
    assert "y_kernel" not in source
    assert said == [
        "no code for kernel '@y': it holds f16, the kernels before it f32; one module of source holds one type"
    ]


def test_names_are_identifiers_and_differ() -> None:
    names = ["kernel", "a.b", "a-b", "16x16", "…"]
    source, said = emit(MslTarget, *(kernel(name=name) for name in names))
    assert not said
    for entry in ("kernel_kernel", "a_b_kernel", "a_b_2_kernel", "k16x16_kernel", "unnamed_kernel"):
        assert source.count(f"kernel void {entry}(") == 1


def test_all_kernels_of_a_module_run_from_one_source(webgpu_device: Any) -> None:
    source, said = emit(WgslTarget, *(kernel(stages=s, name=f"sgemm_s{s}") for s in (1, 2, 3)))
    assert not said
    shape = Shape(17, 9, 33)
    a = np.random.default_rng(0).uniform(-1, 1, (shape.m, shape.k)).astype(np.float32)
    b = np.random.default_rng(1).uniform(-1, 1, (shape.k, shape.n)).astype(np.float32)
    problem = webgpu_device.upload(shape, a, b)
    programs = [Program(f"sgemm_s{s}_kernel", source, "", "f32", (8, 8), (16, 16), s * 1024) for s in (1, 2, 3)]
    results = {webgpu_device.run(webgpu_device.compile(program), problem) for program in programs}
    assert len(results) == 1
    assert np.allclose(np.frombuffer(results.pop(), np.float32).reshape(shape.m, shape.n), a @ b, atol=1e-5)


def test_the_target_prints_what_the_harness_measures() -> None:
    source, _ = emit(WgslTarget, kernel(stages=2))
    assert source == print_wgsl([sgemm(SgemmSchedule(16, 16, 8, 8, 8, 2, 2, stages=2), name="k_kernel")])


def test_numbers_of_numpy_make_the_same_kernel() -> None:
    narrow: Any = np.uint8
    plain = SgemmSchedule(16, 16, 16, 16, 16, stages=200)
    given = SgemmSchedule(*map(narrow, (16, 16, 16, 16, 16)), stages=narrow(200))
    assert (given, given.threads, given.threadgroup_bytes) == (plain, 256, 200 * 2048)
    assert print_wgsl([sgemm(given, idle_bytes=narrow(8))]) == print_wgsl([sgemm(plain, idle_bytes=8)])
    assert "np." not in str(sgemm(given, idle_bytes=narrow(8)))
    wrong: Any = 16.0
    with pytest.raises(TypeError, match=r"^tile_m must be an integer, got 16\.0$"):
        SgemmSchedule(wrong, 16, 16, 16, 16)
    with pytest.raises(TypeError, match=r"^idle_bytes must be an integer, got 16\.0$"):
        sgemm(plain, idle_bytes=wrong)


def test_the_targets_are_known_by_name() -> None:
    assert {name: factory().name for name, factory in TARGETS.items()} == {
        "rlx-wgsl": "rlx-wgsl",
        "rlx-msl": "rlx-msl",
    }


def test_the_attribute_reads_what_it_prints() -> None:
    text = "#sched.sgemm<threads = [16, 8], outputs = [1, 2]>"
    attribute = Parser(new_context(), text).parse_attribute()
    assert attribute == SgemmAttr(Sgemm((16, 8), (1, 2)))
    assert str(attribute) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<threads = [16], outputs = [1, 1]>", r"expected two integers of at least 1 for 'threads', got \[16\]"),
        ("<threads = [16, 0], outputs = [1, 1]>", r"expected two integers of at least 1 for 'threads', got \[16, 0\]"),
        ("<threads = [16, -1], outputs = [1, 1]>", "for 'threads'"),
        ("<outputs = [1, 1]>", "threads"),
    ],
)
def test_a_wrong_attribute_is_refused_where_it_stands(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        Parser(new_context(), f"#sched.sgemm{text}").parse_attribute()
