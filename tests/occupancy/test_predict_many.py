"""`predict_many` and `assess_many` are `predict` and `assess` over arrays of any dtype, shape and memory order."""

import math
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rlx_sched import DEAD_BAND, LOSS_PER_DOUBLING, AppleGpuFamily, Calibration, calibrations, predict, predict_many
from rlx_sched.occupancy import KIND_NAMES, Predictions, assess, assess_many
from rlx_sched.occupancy.bulk import CHUNK

M4 = AppleGpuFamily.M4
RATIO_TOLERANCE = 1e-13
"""What the docstring of `Predictions` promises."""


def assert_same_as_predict(
    baseline: Any, candidate: Any, chip: AppleGpuFamily | str = M4, calibration: Calibration | None = None
) -> None:
    """Compare every element of `predict_many` and `assess_many` with `assess`."""
    found = predict_many(chip, baseline, candidate, calibration=calibration)
    one, other = np.broadcast_arrays(baseline, candidate)
    assert found.kind.shape == found.ratio.shape == one.shape
    assert (found.kind.dtype, found.ratio.dtype) == (np.int8, np.float64)
    for kind, ratio, base, cand in zip(
        found.kind.flat, found.ratio.flat, one.ravel().tolist(), other.ravel().tolist(), strict=True
    ):
        expected = assess(chip, base, cand, calibration=calibration)
        assert KIND_NAMES[kind] == expected.verdict.kind, (base, cand)
        if expected.ratio is None:
            assert np.isnan(ratio), (base, cand)
        else:
            assert abs(ratio - expected.ratio) <= RATIO_TOLERANCE, (base, cand)
    assessed = assess_many(chip, baseline, candidate, calibration=calibration)
    np.testing.assert_array_equal(assessed.kind, found.kind)
    np.testing.assert_array_equal(assessed.ratio, found.ratio)
    assert {array.shape for array in assessed} == {one.shape}
    for low, high, extrapolated, base, cand in zip(
        assessed.low.flat,
        assessed.high.flat,
        assessed.extrapolated.flat,
        one.ravel().tolist(),
        other.ravel().tolist(),
        strict=True,
    ):
        expected = assess(chip, base, cand, calibration=calibration)
        assert extrapolated == expected.extrapolated, (base, cand)
        if expected.interval is None:
            assert np.isnan([low, high]).all(), (base, cand)
        else:
            assert (low, high) == pytest.approx(expected.interval, abs=RATIO_TOLERANCE, rel=0), (base, cand)


def test_the_evidence_in_one_call() -> None:
    found = predict_many("Apple M4 Pro", np.array([2048]), np.array([1024, 2048, 4096, 6144, 0]))
    assert [KIND_NAMES[kind] for kind in found.kind] == [
        "faster",
        "too_close_to_call",
        "slower",
        "slower",
        "unknown",
    ]
    assert found.ratio[:4].round(3).tolist() == [1.095, 1.0, 0.905, 0.849]
    assert np.isnan(found.ratio[4])


integer_dtypes = st.sampled_from(["u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", ">u4", ">i8"])


@st.composite
def footprint_arrays(draw: st.DrawFn) -> Any:
    dtype = np.dtype(draw(integer_dtypes))
    values = st.integers(0, int(np.iinfo(dtype).max)) | st.integers(0, 3)
    return draw(arrays(dtype, 12, elements=values))


@given(footprint_arrays(), footprint_arrays())
def test_kinds_are_those_of_predict_for_every_integer_dtype(baseline: Any, candidate: Any) -> None:
    assert_same_as_predict(baseline, candidate)


def test_kinds_are_those_of_predict_around_both_edges() -> None:
    """The neighbors of each edge, at every magnitude, where the last bit of the logarithm decides."""
    random = np.random.default_rng(95)
    baseline = np.exp2(random.uniform(0, 63, 20_000)).astype(np.uint64)
    edge = np.exp2(random.choice([-1, 1], baseline.size) * DEAD_BAND / LOSS_PER_DOUBLING)
    offset = random.integers(-3, 4, baseline.size).astype(np.float64)
    candidate = np.maximum(np.rint(baseline.astype(np.float64) * edge) + offset, 1).astype(np.uint64)
    assert_same_as_predict(baseline, candidate)


@pytest.mark.parametrize("dead_band", [0.05, 0.1, 0.07, 0.3])
def test_ratios_on_the_very_edge_are_decided_as_predict_decides_them(dead_band: float) -> None:
    """With a loss equal to the dead band or a hair off, every doubling lands on an edge or next to it."""
    counts = np.array([1, 2, 4, 3, 6, 12, 5, 10, 20, 2**62, 2**63], np.uint64)
    for loss in (dead_band, np.nextafter(dead_band, 1), np.nextafter(dead_band, 0), -dead_band, dead_band / 2):
        on_edge = replace(calibrations()[0], loss_per_doubling=float(loss), dead_band=dead_band)
        assert_same_as_predict(counts[:, None], counts[None, :], calibration=on_edge)


def test_a_dead_band_of_nothing() -> None:
    sharp = replace(calibrations()[0], dead_band=0.0)
    counts = np.array([1, 2, 3, 2**53, 2**53 + 1, 2**53 + 2], np.uint64)
    assert_same_as_predict(counts[:, None], counts[None, :], calibration=sharp)


def test_a_loss_of_nothing() -> None:
    flat = replace(calibrations()[0], loss_per_doubling=0.0)
    assert_same_as_predict(np.array([0, 1, 2]), np.array([[0], [3], [4]]), calibration=flat)


@pytest.mark.parametrize("doublings", [0.5, 1.0, 1.584962500721156, 2.0])
@pytest.mark.parametrize("others", [[], [(0, 0)], [(0, 2048)], [(2048, 0)]])
def test_extrapolation_is_that_of_assess_in_both_directions(doublings: float, others: list[tuple[int, int]]) -> None:
    calibration = replace(calibrations()[0], max_doublings=doublings, min_bytes=1024, max_bytes=8192)
    sizes = [1023, 1024, 1025, 1448, 1449, 2047, 2048, 2049, 3071, 3072, 3073, 4095, 4096, 4097, 8191, 8192, 8193]
    pairs = np.array([*others, *((one, other) for one in sizes for other in sizes)])
    assert_same_as_predict(*pairs.T, calibration=calibration)


COUNTS = st.integers(1, 2**64 - 1)


@given(COUNTS, COUNTS)
@example(2**53 + 3, 2**53 + 5)
@example(32222774725342870, 34419882828604706)
@example(34419882828604706, 32222774725342870)
@example(10542605065689557052, 13166441269608022426)
def test_extrapolation_of_large_counts_is_that_of_assess(baseline: int, candidate: int) -> None:
    smaller, larger = sorted((baseline, candidate))
    for growth in (larger / smaller, float(larger) / float(smaller)):
        for doublings in {np.nextafter(math.log2(growth), side) for side in (0.0, math.log2(growth), 65.0)}:
            calibration = replace(
                calibrations()[0], min_bytes=1, max_bytes=2**64 - 1, max_doublings=min(float(doublings), 64.0)
            )
            assert_same_as_predict(
                np.array([baseline], np.uint64), np.array([candidate], np.uint64), calibration=calibration
            )


def test_large_counts_round_to_doubles_as_in_predict() -> None:
    counts = np.array([2**53 - 1, 2**53, 2**53 + 1, 2**53 + 3, 2**63 - 1, 2**63, 2**64 - 1], np.uint64)
    assert_same_as_predict(counts[:, None], counts[None, :])


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 5])
def test_chunks_meet_without_a_seam(size: int) -> None:
    candidate = np.arange(1, size + 1, dtype=np.uint32)
    found = predict_many(M4, np.array(4096), candidate)
    expected = [KIND_NAMES.index(predict(M4, 4096, count).kind) for count in candidate.tolist()]
    assert found.kind.tolist() == expected


def test_shapes_broadcast_and_any_memory_order_will_do() -> None:
    table = np.arange(24, dtype=np.int64).reshape(4, 6) * 512
    assert_same_as_predict(table.T, np.int64(2048))
    assert_same_as_predict(table[::-1, ::2], table[:, ::2])
    assert_same_as_predict(np.asfortranarray(table), table)
    assert_same_as_predict(np.array(2048), np.array(4096))
    with pytest.raises(ValueError, match=r"^baseline has the shape \(3,\) and candidate \(4,\); expected one shape"):
        predict_many(M4, np.arange(3), np.arange(4))


def test_an_unmeasured_chip_is_unknown_everywhere() -> None:
    assert_same_as_predict(np.array([0, 1, 2048]), np.array([1, 2, 4096]), chip="NVIDIA H200")


def test_a_calibration_is_used_where_it_matches() -> None:
    h200 = replace(calibrations()[0], name="h200", families=(), devices=("NVIDIA H200",), loss_per_doubling=-0.08)
    for chip in ("NVIDIA H200", "Apple M4"):
        assert_same_as_predict(np.array([2048]), np.array([4096, 1024]), chip=chip, calibration=h200)


@pytest.mark.parametrize("given", [[4096, True], [[4096], [False]], (np.True_, 1), [np.int64(1), np.False_], True])
@pytest.mark.parametrize("function", [predict_many, assess_many])
def test_a_bool_among_integers_is_refused(function: Any, given: Any) -> None:
    with pytest.raises(TypeError, match=r"^candidate must be an array of integers, in bytes, got a bool in it$"):
        function(M4, [2048], given)
    with pytest.raises(TypeError, match=r"^baseline must be an array of integers, in bytes, got a bool in it$"):
        function(M4, given, [2048])


@pytest.mark.parametrize("mask", [False, [False, True]])
@pytest.mark.parametrize("function", [predict_many, assess_many])
def test_a_masked_array_is_refused(function: Any, mask: Any) -> None:
    ma: Any = np.ma
    masked = ma.array([2048, 4096], mask=mask)
    for arguments in ((masked, [2048]), ([2048], masked)):
        with pytest.raises(TypeError, match=r"must be an array of integers, in bytes, got a masked array; fill it"):
            function(M4, *arguments)


@pytest.mark.parametrize("given", [[], (), [[], []]])
@pytest.mark.parametrize("function", [predict_many, assess_many])
def test_nothing_makes_nothing(function: Any, given: Any) -> None:
    for found in function(M4, given, given), function(M4, [2048], given), function(M4, given, 2048):
        assert {array.shape for array in found} == {np.shape(given)}
        assert found.kind.dtype == np.int8


@pytest.mark.parametrize("dtype", ["f8", "f2", "?", "O", "U4", "m8[s]", "c16"])
def test_only_arrays_of_integers_are_taken(dtype: str) -> None:
    wrong, right = np.zeros(2, dtype), np.ones(2, np.uint64)
    with pytest.raises(TypeError) as caught:
        predict_many(M4, wrong, right)
    assert str(caught.value) == f"baseline must be an array of integers, in bytes, got an array of {wrong.dtype}"
    with pytest.raises(TypeError, match=r"^candidate must be an array of integers"):
        predict_many("llvmpipe", right, wrong)


@pytest.mark.parametrize("chip", [M4, "llvmpipe"])
def test_a_negative_footprint_is_named(chip: AppleGpuFamily | str) -> None:
    right, wrong = np.full((2, 3), 2048), np.array([[1, 2, 3], [4, -5, -6]])
    with pytest.raises(ValueError, match=r"^baseline\[1, 1\] must not be negative, got -5$"):
        predict_many(chip, wrong, right)
    with pytest.raises(ValueError, match=r"^candidate must not be negative, got -1$"):
        predict_many(chip, right, np.array(-1))


def test_the_result_can_go_where_the_caller_says() -> None:
    out = Predictions(np.empty(3, np.int8), np.empty(3, np.float64))
    found = predict_many(M4, np.array([2048]), np.array([1024, 2048, 4096]), out=out)
    assert found.kind is out.kind
    assert found.ratio is out.ratio
    assert out.kind.tolist() == [2, 1, 0]


@pytest.mark.parametrize(
    ("kind", "ratio", "error", "message"),
    [
        (np.empty(2, np.int16), np.empty(2), TypeError, "out.kind must be an array of int8, got dtype('int16')"),
        (np.empty(2, np.int8), [0.0, 0.0], TypeError, "out.ratio must be an array of float64, got [0.0, 0.0]"),
        (np.empty(3, np.int8), np.empty(2), ValueError, "out.kind must have the shape (2,), got (3,)"),
        (np.empty(2, np.int8), np.empty(4)[::2], ValueError, "out.ratio must be writable and C-contiguous"),
    ],
)
def test_an_unfit_output_is_refused(kind: Any, ratio: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        predict_many(M4, np.array([1, 2]), np.array([3, 4]), out=Predictions(kind, ratio))
    assert str(caught.value) == message


def test_extra_memory_does_not_grow_with_the_arrays() -> None:
    def extra_bytes(count: int) -> int:
        table = np.full((count, 2), 2048, np.uint64)
        out = Predictions(np.empty(count, np.int8), np.empty(count, np.float64))
        tracemalloc.start()
        predict_many(M4, table[:, 0], table[:, 1], out=out)  # strided, so that pieces have to be copied
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    extra_bytes(CHUNK)
    assert extra_bytes(64 * CHUNK) < extra_bytes(2 * CHUNK) + CHUNK


def test_without_numpy_the_extra_is_named() -> None:
    script = (
        "import sys; sys.modules['numpy'] = None\n"
        "import rlx_sched\n"
        "try: rlx_sched.predict_many('Apple M4', [1], [2])\n"
        "except ImportError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "predict_many needs numpy: pip install 'rlx-sched[batch]'\n"
