"""`predict`, `assess` and `explain`: the arithmetic, its edges, and what is refused."""

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal, localcontext
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlx_sched import (
    DEAD_BAND,
    LOSS_PER_DOUBLING,
    AppleGpuFamily,
    Calibration,
    Faster,
    Slower,
    TooCloseToCall,
    Unknown,
    calibrations,
    explain,
    predict,
)
from rlx_sched.occupancy import assess

M4 = AppleGpuFamily.M4
MAX_BYTES = 2**64 - 1
footprints = st.integers(1, MAX_BYTES)


def calibrated(**changes: Any) -> Calibration:
    """The M4's calibration with some values changed."""
    return replace(calibrations()[0], **changes)


def modeled(baseline: int, candidate: int) -> float:
    ratio = assess(M4, baseline, candidate).ratio
    assert ratio is not None
    return ratio


def test_growing_costs_and_shrinking_gains() -> None:
    assert predict("Apple M4 Pro", 2048, 6144) == Slower(1 - 0.095 * math.log2(3))
    assert predict("Apple M4 Pro", 2048, 1024) == Faster(1.095)
    assert predict("Apple M4 Pro", 2048, 2048) == TooCloseToCall()


def test_a_family_and_each_of_its_names_agree() -> None:
    for chip in ("Apple M4", "Apple M4 Pro", "apple-m4 max"):
        assert predict(chip, 2048, 4096) == predict(M4, 2048, 4096) == Slower(0.905)


def test_nothing_is_slower_than_standing_still() -> None:
    assert predict(M4, 1, MAX_BYTES) == Slower(0.0)


def test_the_largest_gain_that_bytes_can_have() -> None:
    assert predict(M4, MAX_BYTES, 1) == Faster(1 + 0.095 * 64)


@given(footprints)
def test_equal_footprints_are_too_close_to_call(count: int) -> None:
    assert predict(M4, count, count) == TooCloseToCall()


@pytest.mark.parametrize(
    ("baseline", "candidate", "which"), [(0, 1, "baseline"), (1, 0, "candidate"), (0, 0, "baseline")]
)
def test_a_zero_footprint_is_unknown(baseline: int, candidate: int, which: str) -> None:
    assert predict(M4, baseline, candidate) == Unknown(f"the {which} footprint is zero bytes")


def test_the_chip_is_checked_before_a_zero_footprint() -> None:
    assert predict("llvmpipe", 0, 1) == Unknown("no calibration for llvmpipe")


@pytest.mark.parametrize("baseline", [1000, 2048, 2**20, 2**40 + 1])
@pytest.mark.parametrize(("edge", "outside"), [(1.0 - DEAD_BAND, Slower), (1.0 + DEAD_BAND, Faster)])
def test_neighboring_byte_counts_fall_on_either_side_of_an_edge(baseline: int, edge: float, outside: type) -> None:
    """One byte decides: the last count inside the dead band and the first outside are neighbors."""
    step = 1 if outside is Slower else -1
    count = round(baseline * 2 ** ((1 - edge) / LOSS_PER_DOUBLING)) - 4 * step
    kinds = [type(predict(M4, baseline, count + step * i)) for i in range(9)]
    assert kinds[0] is TooCloseToCall
    assert kinds[-1] is outside
    first = kinds.index(outside)
    assert kinds == [TooCloseToCall] * first + [outside] * (9 - first)
    assert (modeled(baseline, count + step * first) < edge) == (outside is Slower)


@pytest.mark.parametrize("dead_band", [0.05, 0.1, 0.07, 0.3, 0.015])
def test_the_edges_belong_to_the_dead_band(dead_band: float) -> None:
    """With a loss as large as the dead band, twice and half the bytes land exactly on the edges."""
    on_edge = calibrated(loss_per_doubling=dead_band, dead_band=dead_band)
    assert predict(M4, 2048, 4096, calibration=on_edge) == TooCloseToCall()
    assert predict(M4, 4096, 2048, calibration=on_edge) == TooCloseToCall()
    steeper = calibrated(loss_per_doubling=dead_band * (1 + 1e-14), dead_band=dead_band)
    assert isinstance(predict(M4, 2048, 4096, calibration=steeper), Slower)
    assert isinstance(predict(M4, 4096, 2048, calibration=steeper), Faster)


def test_byte_counts_become_doubles_before_they_are_divided() -> None:
    assert predict(M4, 2**53, 2**53 + 1) == TooCloseToCall()
    assert modeled(2**53, 2**53 + 1) == 1.0
    assert modeled(3, 2**64 - 1) == max(1 - 0.095 * math.log2(2.0**64 / 3.0), 0.0)


def test_a_calibration_where_staging_wins() -> None:
    wins = calibrated(loss_per_doubling=-0.08)
    assert predict(M4, 2048, 4096, calibration=wins) == Faster(1.08)
    assert predict(M4, 4096, 2048, calibration=wins) == Slower(0.92)


def test_a_calibration_for_another_device_is_not_used() -> None:
    h200 = calibrated(name="h200", families=(), devices=("NVIDIA H200",))
    assert predict("NVIDIA H200", 2048, 4096, calibration=h200) == Slower(0.905)
    assert predict("nvidia h200", 2048, 4096, calibration=h200) == Slower(0.905)
    assert predict("NVIDIA H200 NVL", 2048, 4096, calibration=h200) == Unknown(
        "calibration h200 is for NVIDIA H200, not for NVIDIA H200 NVL"
    )
    assert predict(M4, 2048, 4096, calibration=h200) == Unknown("calibration h200 is for NVIDIA H200, not for Apple M4")


class Index:
    """An integer to Python, as numpy's scalars are."""

    def __index__(self) -> int:
        return 4096


def test_anything_with_an_index_is_a_byte_count() -> None:
    assert predict(M4, 2048, Index()) == Slower(0.905)


@pytest.mark.parametrize("value", [True, False, 2048.0, None, "2048", [2048]])
@pytest.mark.parametrize("function", [predict, explain, assess])
def test_what_is_not_an_integer_is_refused_by_name(function: Callable[..., object], value: object) -> None:
    found = type(value).__name__
    with pytest.raises(TypeError, match=f"baseline_bytes must be an integer number of bytes, got {found}"):
        function(M4, value, 1)
    with pytest.raises(TypeError, match=f"candidate_bytes must be an integer number of bytes, got {found}"):
        function("llvmpipe", 1, value)


@pytest.mark.parametrize("value", [-1, 2**64, -(2**64), 10**10_000], ids=["-1", "2^64", "-2^64", "10^10000"])
def test_what_is_no_byte_count_is_refused_by_name(value: int) -> None:
    with pytest.raises(ValueError, match=r"^baseline_bytes must be from 0 to 2\^64 - 1 bytes, got .{1,40}$"):
        predict(M4, value, 1)
    with pytest.raises(ValueError, match=r"^candidate_bytes must be from 0 to 2\^64 - 1 bytes, got .{1,40}$"):
        predict("llvmpipe", 1, value)


@pytest.mark.parametrize("chip", [None, 4, b"Apple M4"])
def test_a_chip_is_a_family_or_a_name(chip: Any) -> None:
    with pytest.raises(TypeError, match="chip must be an AppleGpuFamily or a device name, got"):
        predict(chip, 1, 1)


@pytest.mark.parametrize("calibration", ["apple-m4", 0.095, {}])
def test_a_calibration_is_one(calibration: Any) -> None:
    with pytest.raises(TypeError, match=r"^calibration must be a Calibration, got (str|float|dict)$"):
        predict("Apple M4 Pro", 1, 1, calibration=calibration)


@given(footprints, footprints, footprints)
def test_more_bytes_never_run_faster(baseline: int, one: int, other: int) -> None:
    fewer, more = sorted((one, other))
    assert modeled(baseline, fewer) >= modeled(baseline, more)
    order = ["faster", "too_close_to_call", "slower"]
    kinds = [predict(M4, baseline, count).kind for count in (fewer, more)]
    assert order.index(kinds[0]) <= order.index(kinds[1])


@given(st.integers(1, 2**33), st.integers(1, 2**33), st.integers(0, 20))
def test_scaling_both_footprints_by_a_power_of_two_changes_nothing(baseline: int, candidate: int, power: int) -> None:
    """Up to 2^53, where every byte count is a double."""
    assert predict(M4, baseline << power, candidate << power) == predict(M4, baseline, candidate)


def pairs_near_the_edges(count: int) -> Iterator[tuple[int, int]]:
    """Footprints of all magnitudes; three of four pairs are within a few bytes of an edge of the dead band."""
    source = random.Random(2048)
    for i in range(count):
        baseline = source.getrandbits(source.randrange(1, 65)) or 1
        candidate = source.getrandbits(source.randrange(1, 65)) or 1
        if i % 4:
            edge = 2 ** (source.choice((-1, 1)) * DEAD_BAND / LOSS_PER_DOUBLING)
            candidate = min(max(round(baseline * edge) + source.randrange(-3, 4), 1), MAX_BYTES)
        yield baseline, candidate


LOSS, BAND = Decimal("0.095"), Decimal("0.05")


def test_ratios_agree_with_fifty_decimal_digits() -> None:
    with localcontext() as context:
        context.prec = 50
        for baseline, candidate in pairs_near_the_edges(20_000):
            growth = Decimal(float(candidate)) / Decimal(float(baseline))
            ratio = max(1 - LOSS * growth.ln() / Decimal(2).ln(), Decimal(0))
            assert abs(Decimal(modeled(baseline, candidate)) - ratio) < Decimal("3e-15"), (baseline, candidate)


def test_a_million_kinds_agree_with_fifty_decimal_digits() -> None:
    """The edges of the dead band as growths of the footprint; within 1e-15 of an edge either kind will do."""
    kinds: Counter[str] = Counter()
    with localcontext() as context:
        context.prec = 50
        slower_above, faster_below = 2 ** (BAND / LOSS), 2 ** (-BAND / LOSS)
        doubt = Decimal("1e-15") * Decimal(2).ln() / LOSS
        for baseline, candidate in pairs_near_the_edges(1_000_000):
            growth = Decimal(float(candidate)) / Decimal(float(baseline))
            kind = "slower" if growth > slower_above else "faster" if growth < faster_below else "too_close_to_call"
            if predict(M4, baseline, candidate).kind != kind:
                assert min(abs(growth / edge - 1) for edge in (slower_above, faster_below)) < doubt, (
                    baseline,
                    candidate,
                )
            kinds[kind] += 1
    assert min(kinds[kind] for kind in ("slower", "faster", "too_close_to_call")) > 200_000


@pytest.mark.parametrize(
    ("baseline", "candidate", "extrapolated"),
    [
        (2048, 6144, False),
        (4096, 12288, False),
        (12288, 4096, False),
        (2047, 4096, True),  # smaller than any measured
        (8192, 12289, True),  # larger than any measured
        (2048, 6145, True),  # grown by more than any measured
        (6145, 2048, True),
        (65536, 65536, False),  # nothing changes, so nothing is extrapolated
    ],
)
def test_answers_outside_the_measured_range_say_so(baseline: int, candidate: int, extrapolated: bool) -> None:
    prediction = assess(M4, baseline, candidate)
    assert prediction.extrapolated is extrapolated
    assert prediction.verdict == predict(M4, baseline, candidate)
    assert ("extrapolated" in explain(M4, baseline, candidate)) is extrapolated


def test_the_interval_is_the_slack_either_way_and_not_below_zero() -> None:
    assert assess(M4, 2048, 4096).interval == pytest.approx((0.855, 0.955))
    assert assess(M4, 1, MAX_BYTES).interval == (0.0, 0.05)


def test_an_unknown_prediction_has_no_numbers() -> None:
    prediction = assess("llvmpipe", 2048, 4096)
    assert (prediction.ratio, prediction.interval, prediction.calibration) == (None, None, None)
    assert not prediction.extrapolated


@pytest.mark.parametrize(
    ("chip", "baseline", "candidate", "line"),
    [
        (
            "Apple M4 Pro",
            2048,
            6144,
            "Apple M4 Pro, 2048 -> 6144 bytes of threadgroup memory: slower, ratio 0.849 (0.799 to 0.899): "
            "not worth measuring, keep the baseline",
        ),
        (
            M4,
            16384,
            32768,
            "Apple M4, 16384 -> 32768 bytes of threadgroup memory: slower, ratio 0.905 (0.855 to 0.955, extrapolated): "
            "not worth measuring, keep the baseline",
        ),
        (
            M4,
            4096,
            2048,
            "Apple M4, 4096 -> 2048 bytes of threadgroup memory: faster, ratio 1.095 (1.045 to 1.145): "
            "worth it; measure to confirm",
        ),
        (
            M4,
            2048,
            2048,
            "Apple M4, 2048 -> 2048 bytes of threadgroup memory: too close to call, ratio 1.000 (0.950 to 1.050): "
            "measure both",
        ),
        (
            "Apple M5\nMax",
            2048,
            4096,
            "Apple M5\\nMax, 2048 -> 4096 bytes of threadgroup memory: unknown, no calibration for Apple M5\\nMax: "
            "measure both",
        ),
        (M4, 0, 4, "Apple M4, 0 -> 4 bytes of threadgroup memory: unknown, the baseline footprint is zero bytes: "
            "measure both"),
        ("", 1, 1, "a GPU without a name, 1 -> 1 bytes of threadgroup memory: unknown, no calibration for "
            "a GPU without a name: measure both"),
    ],
)  # fmt: skip
def test_explain_says_it_in_one_line(chip: AppleGpuFamily | str, baseline: int, candidate: int, line: str) -> None:
    assert explain(chip, baseline, candidate) == line
