"""`predict` and `assess` over arrays: the model as a few passes over memory."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from rlx_sched.occupancy.calibration import Calibration
from rlx_sched.occupancy.model import Chip, find_calibration, judge, relative_throughput
from rlx_sched.occupancy.verdict import Unknown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers: TypeAlias = NDArray[np.integer[Any]]

KIND_NAMES = ("slower", "too_close_to_call", "faster", "unknown")
"""`Predictions.kind` is an index into this: `KIND_NAMES[kind]` is `Verdict.kind`."""

_UNKNOWN = KIND_NAMES.index("unknown")

CHUNK = 16384
"""Elements worked on at a time: the scratch arrays, 288 KiB, stay in a core's second-level cache."""

EDGE_WIDTH = 1e-12
"""How close to an edge of the dead band a ratio is left to `predict`'s own arithmetic.

numpy's log2 may differ from the C library's in the last bits. Footprints of 64 bits and a loss of at most 1 per
doubling keep that below 1e-13 in the ratio.
"""


class Predictions(NamedTuple):
    """Verdicts over arrays, element by element."""

    kind: NDArray[np.int8]
    """Index into `KIND_NAMES`."""
    ratio: NDArray[np.float64]
    """Modeled throughput relative to the baseline, inside the dead band too; NaN where the kind is unknown.

    The number that `predict` computes but for numpy's log2, which may differ in the last bits: within 1e-13 of it.
    """


class Assessments(NamedTuple):
    """What `assess` says over arrays, element by element."""

    kind: NDArray[np.int8]
    """As `Predictions.kind`."""
    ratio: NDArray[np.float64]
    """As `Predictions.ratio`."""
    low: NDArray[np.float64]
    """`ratio` less the calibration's slack, and never below 0; NaN where the kind is unknown."""
    high: NDArray[np.float64]
    """`ratio` and the calibration's slack; NaN where the kind is unknown."""
    extrapolated: NDArray[np.bool_]
    """Whether the two footprints leave the range that was measured; False where the kind is unknown."""


class _Scratch(NamedTuple):
    """Room for the intermediate results of a chunk."""

    growth: NDArray[np.float64]
    divisor: NDArray[np.float64]
    not_slower: NDArray[np.bool_]
    faster: NDArray[np.bool_]


def predict_many(
    chip: Chip,
    baseline: Integers,
    candidate: Integers,
    *,
    calibration: Calibration | None = None,
    out: Predictions | None = None,
) -> Predictions:
    """Predict as `predict` does for every pair of footprints; the kinds are the same on every element.

    `baseline` and `candidate` are arrays of integers, in bytes, of one shape or broadcast to it. Beyond the result, the
    memory taken does not grow with them; `out`, a pair of C-contiguous arrays (int8 and float64) that do not overlap
    the inputs, takes the result where even that is too much.

    Raises:
        ImportError: without numpy.
        TypeError: if an array does not hold integers (a bool is not one) or is masked, or `out` arrays of another type.
        ValueError: if a footprint is negative (the first is named), or the shapes do not agree.
    """
    base, cand, shape = _footprints("predict_many", baseline, candidate)
    out = _output(shape, out)
    found = _calibration(chip, calibration, base, cand)
    kind, ratio = out.kind.reshape(-1), out.ratio.reshape(-1)
    if isinstance(found, Unknown):
        kind.fill(_UNKNOWN)
        ratio.fill(math.nan)
        return out
    for part, base_part, cand_part, scratch in _chunks(base, cand, shape, kind.size):
        _predict_chunk(base_part, cand_part, found, kind[part], ratio[part], scratch)
    return out


def assess_many(
    chip: Chip, baseline: Integers, candidate: Integers, *, calibration: Calibration | None = None
) -> Assessments:
    """Assess as `assess` does every pair of footprints; `kind` and `ratio` are what `predict_many` gives.

    Raises:
        ImportError, TypeError, ValueError: as `predict_many` does.
    """
    base, cand, shape = _footprints("assess_many", baseline, candidate)
    found = _calibration(chip, calibration, base, cand)
    import numpy as np

    out = Assessments(
        np.empty(shape, np.int8), np.empty(shape), np.empty(shape), np.empty(shape), np.empty(shape, np.bool_)
    )
    kind, extrapolated = out.kind.reshape(-1), out.extrapolated.reshape(-1)
    ratio, low, high = out.ratio.reshape(-1), out.low.reshape(-1), out.high.reshape(-1)
    if isinstance(found, Unknown):
        kind.fill(_UNKNOWN)
        for numbers in (ratio, low, high):
            numbers.fill(math.nan)
        extrapolated.fill(False)
        return out
    limit = _largest_growth(found.max_doublings)
    for part, base_part, cand_part, scratch in _chunks(base, cand, shape, kind.size):
        _predict_chunk(base_part, cand_part, found, kind[part], ratio[part], scratch)
        np.subtract(ratio[part], found.slack, out=low[part])
        np.maximum(low[part], 0.0, out=low[part])
        np.add(ratio[part], found.slack, out=high[part])
        _extrapolated(base_part, cand_part, found, limit, extrapolated[part], scratch)
        if kind[part].max() == _UNKNOWN:
            extrapolated[part][kind[part] == _UNKNOWN] = False
    return out


def _extrapolated(
    baseline: Integers,
    candidate: Integers,
    calibration: Calibration,
    limit: float,
    out: NDArray[np.bool_],
    scratch: _Scratch,
) -> None:
    """Fill `out` with what `is_extrapolated` says of a chunk, whose growth and divisors `scratch` holds."""
    import numpy as np

    growth, divisor, side = scratch.growth[: out.size], scratch.divisor[: out.size], scratch.faster[: out.size]
    np.greater(growth, limit, out=out)
    if not growth.min() >= 1.0:  # nor a NaN, of two zeros
        # Larger over smaller, as `is_extrapolated` divides.
        np.copyto(growth, candidate, casting="unsafe")
        with np.errstate(divide="ignore", invalid="ignore"):
            np.divide(divisor, growth, out=growth)
        np.greater(growth, limit, out=side)
        np.logical_or(out, side, out=out)
    for count in (baseline, candidate):
        for outside, end, bound in (
            (np.less, count.min(), calibration.min_bytes),
            (np.greater, count.max(), calibration.max_bytes),
        ):
            if outside(end, bound):
                outside(count, bound, out=side)
                np.logical_or(out, side, out=out)
    np.not_equal(candidate, baseline, out=side)
    np.logical_and(out, side, out=out)


def _largest_growth(doublings: float) -> float:
    """The largest double whose log2 is not above `doublings`: a comparison with it needs no logarithm."""
    growth = 2.0**doublings
    while math.log2(math.nextafter(growth, math.inf)) <= doublings:
        growth = math.nextafter(growth, math.inf)
    while math.log2(growth) > doublings:
        growth = math.nextafter(growth, 0.0)
    return growth


def _footprints(function: str, baseline: Integers, candidate: Integers) -> tuple[Integers, Integers, tuple[int, ...]]:
    """Both footprints as arrays of integers, and the shape of the result."""
    try:
        import numpy as np
    except ImportError as error:
        raise ImportError(f"{function} needs numpy: pip install 'rlx-sched[batch]'") from error

    base = _integers("baseline", baseline)
    cand = _integers("candidate", candidate)
    try:
        return base, cand, np.broadcast_shapes(base.shape, cand.shape)
    except ValueError:
        shapes = f"baseline has the shape {base.shape} and candidate {cand.shape}"
        raise ValueError(f"{shapes}; expected one shape, or shapes that broadcast to one") from None


def _calibration(
    chip: Chip, calibration: Calibration | None, baseline: Integers, candidate: Integers
) -> Calibration | Unknown:
    """The calibration for footprints that are checked."""
    found = find_calibration(chip, calibration)
    _check_not_negative("baseline", baseline)
    _check_not_negative("candidate", candidate)
    return found


def _chunks(
    baseline: Integers, candidate: Integers, shape: tuple[int, ...], size: int
) -> Iterator[tuple[slice, Integers, Integers, _Scratch]]:
    """Parts of `size` elements in C order, with the footprints of each and room to work."""
    import numpy as np

    baseline, candidate = np.broadcast_to(baseline, shape), np.broadcast_to(candidate, shape)
    room = min(CHUNK, size)
    scratch = _Scratch(np.empty(room), np.empty(room), np.empty(room, np.bool_), np.empty(room, np.bool_))
    for start in range(0, size, CHUNK):
        part = slice(start, min(start + CHUNK, size))
        yield part, _piece(baseline, part), _piece(candidate, part), scratch


def _predict_chunk(
    baseline: Integers,
    candidate: Integers,
    calibration: Calibration,
    kind: NDArray[np.int8],
    ratio: NDArray[np.float64],
    scratch: _Scratch,
) -> None:
    """Fill `kind` and `ratio`, in the order of operations of `predict`."""
    import numpy as np

    growth, divisor = scratch.growth[: kind.size], scratch.divisor[: kind.size]
    not_slower, faster = scratch.not_slower[: kind.size], scratch.faster[: kind.size]
    np.copyto(growth, candidate, casting="unsafe")
    np.copyto(divisor, baseline, casting="unsafe")
    has_zero = not (candidate.min() and baseline.min())
    with np.errstate(divide="ignore", invalid="ignore"):  # a zero footprint, overwritten below
        np.divide(growth, divisor, out=growth)
        np.log2(growth, out=ratio)
        np.multiply(ratio, -calibration.loss_per_doubling, out=ratio)
    np.add(ratio, 1.0, out=ratio)
    np.maximum(ratio, 0.0, out=ratio)

    # Each edge of the dead band is compared from both sides; only where a ratio lies between them does its side depend
    # on the last bits, and `judge` decides.
    low, high = 1.0 - calibration.dead_band, 1.0 + calibration.dead_band
    near = 0
    for edge, side in ((low, not_slower), (high, faster)):
        np.greater(ratio, edge - EDGE_WIDTH, out=side)
        near += int(np.count_nonzero(side))
        np.greater(ratio, edge + EDGE_WIDTH, out=side)
        near -= int(np.count_nonzero(side))
    np.add(not_slower.view(np.int8), faster.view(np.int8), out=kind)
    if near:
        indices = np.flatnonzero((np.abs(ratio - low) <= 2 * EDGE_WIDTH) | (np.abs(ratio - high) <= 2 * EDGE_WIDTH))
        distinct, which = np.unique(growth[indices], return_inverse=True)
        exact = [relative_throughput(value, calibration.loss_per_doubling) for value in distinct.tolist()]
        codes = [KIND_NAMES.index(judge(value, calibration.dead_band).kind) for value in exact]
        ratio[indices] = np.array(exact)[which]
        kind[indices] = np.array(codes, np.int8)[which]
    if has_zero:
        unknown = (baseline == 0) | (candidate == 0)
        kind[unknown] = _UNKNOWN
        ratio[unknown] = math.nan


def _integers(argument: str, values: Integers) -> Integers:
    import numpy as np

    if np.ma.isMaskedArray(values):
        raise TypeError(
            f"{argument} must be an array of integers, in bytes, got a masked array; fill it, or compress it"
        )
    array = np.asarray(values)
    if not hasattr(values, "dtype"):
        # numpy has doubles for nothing at all, and takes a bool among integers for one.
        if not array.size:
            return array.astype(np.int64)
        if any(isinstance(value, bool | np.bool_) for value in np.asarray(values, dtype=object).flat):
            raise TypeError(f"{argument} must be an array of integers, in bytes, got a bool in it")
    if array.dtype.kind not in "iu":
        raise TypeError(f"{argument} must be an array of integers, in bytes, got an array of {array.dtype}")
    return array


def _check_not_negative(argument: str, array: Integers) -> None:
    import numpy as np

    if array.dtype.kind == "i" and array.size and array.min() < 0:
        index = tuple(int(i) for i in np.unravel_index(np.argmax(array < 0), array.shape))
        where = f"[{', '.join(map(str, index))}]" if index else ""
        raise ValueError(f"{argument}{where} must not be negative, got {array[index]}")


def _piece(array: Integers, part: slice) -> Integers:
    """The elements `part` of `array` in C order: a view where memory is in that order, else a copy of these alone."""
    return array.reshape(-1)[part] if array.flags.c_contiguous else array.flat[part]


def _output(shape: tuple[int, ...], out: Predictions | None) -> Predictions:
    import numpy as np

    if out is None:
        return Predictions(np.empty(shape, np.int8), np.empty(shape, np.float64))
    kind, ratio = out
    for name, array, dtype in (("kind", kind, np.int8), ("ratio", ratio, np.float64)):
        if not isinstance(array, np.ndarray) or array.dtype != dtype:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"out.{name} must be an array of {np.dtype(dtype)}, got {getattr(array, 'dtype', array)!r}")
        if array.shape != shape:
            raise ValueError(f"out.{name} must have the shape {shape}, got {array.shape}")
        if not (array.flags.c_contiguous and array.flags.writeable):
            raise ValueError(f"out.{name} must be writable and C-contiguous")
    return Predictions(kind, ratio)
