"""The occupancy model: what the threadgroup memory of a schedule costs in throughput.

    ratio = max(1 - loss_per_doubling * log2(candidate_bytes / baseline_bytes), 0)

A straight line in doublings of the footprint, fitted to measurements of one chip (see `Calibration`). It prices
threadgroup memory and nothing else: not the tile's shape, not data reuse, not FLOPs.
"""

from __future__ import annotations

import math
import operator
from functools import lru_cache

from rlx_sched.occupancy.family import AppleGpuFamily
from rlx_sched.occupancy.verdict import Faster, Slower, TooCloseToCall, Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import SupportsIndex, TypeAlias

    from rlx_sched.occupancy.calibration import Calibration
    from rlx_sched.occupancy.verdict import Verdict

Chip: TypeAlias = AppleGpuFamily | str
"""What names a GPU: a family, or the device name that a driver reports."""

MAX_BYTES = 2**64 - 1
"""The largest footprint in bytes: what fits the 64 bits of an address."""


def predict(
    chip: Chip,
    baseline_bytes: SupportsIndex,
    candidate_bytes: SupportsIndex,
    *,
    calibration: Calibration | None = None,
) -> Verdict:
    """Predict how a schedule of `candidate_bytes` of threadgroup memory runs against one of `baseline_bytes`.

    `chip` is a family or a device name. Without `calibration` the shipped one for the chip is used; one that does not
    match the chip is not. `Unknown` says that there is no calibration for the chip, or that a footprint is zero.
    Footprints outside the measured range are answered too; `assess` tells whether they were.

    Raises:
        TypeError: if `chip` is neither a family nor a string, `calibration` not a calibration, or a footprint not an
            integer (a bool is not).
        ValueError: if a footprint is negative or above 2^64 - 1.
    """
    baseline = byte_count("baseline_bytes", baseline_bytes)
    candidate = byte_count("candidate_bytes", candidate_bytes)
    found = find_calibration(chip, calibration)
    return found if isinstance(found, Unknown) else predict_by(found, baseline, candidate)


def predict_by(calibration: Calibration, baseline: int, candidate: int) -> Verdict:
    """Predict by a calibration that is known to hold, for footprints that are known to be byte counts."""
    if baseline == 0 or candidate == 0:
        return Unknown(f"the {'baseline' if baseline == 0 else 'candidate'} footprint is zero bytes")
    ratio = relative_throughput(float(candidate) / float(baseline), calibration.loss_per_doubling)
    return judge(ratio, calibration.dead_band)


def find_calibration(chip: Chip, calibration: Calibration | None = None) -> Calibration | Unknown:
    """Return the calibration that holds for `chip`: `calibration` if it matches, or the shipped one if that is None.

    Where there is none, `Unknown` says why. Among the shipped ones, a calibration for the very device goes before one
    for its family.

    Raises:
        TypeError: if `chip` is neither a family nor a string, or `calibration` not a calibration.
    """
    if not isinstance(chip, AppleGpuFamily | str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"chip must be an AppleGpuFamily or a device name, got {type(chip).__name__}")
    if calibration is not None:
        from rlx_sched.occupancy.calibration import Calibration

        if not isinstance(calibration, Calibration):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"calibration must be a Calibration, got {type(calibration).__name__}")
        if calibration.matches(chip):
            return calibration
        return Unknown(f"calibration {calibration.name} is for {calibration.matched}, not for {describe_chip(chip)}")
    return _find_shipped(chip)


@lru_cache(maxsize=64)
def _find_shipped(chip: Chip) -> Calibration | Unknown:
    from rlx_sched.occupancy.calibration import calibrations

    matching = [shipped for shipped in calibrations() if shipped.matches(chip)]
    if not matching:
        return Unknown(f"no calibration for {describe_chip(chip)}")
    return next((shipped for shipped in matching if shipped.matches_device(chip)), matching[0])


def describe_chip(chip: Chip) -> str:
    """What messages call `chip`; control characters in a device name are escaped."""
    if isinstance(chip, AppleGpuFamily):
        return chip.value
    if not chip:
        return "a GPU without a name"
    return chip if chip.isprintable() else ascii(chip)[1:-1]


def byte_count(argument: str, value: SupportsIndex) -> int:
    """Return `value` as a number of bytes; errors name the `argument`.

    Raises:
        TypeError: if `value` is not an integer. A bool is not one.
        ValueError: if `value` is negative or above 2^64 - 1.
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{argument} must be an integer number of bytes, got {type(value).__name__}")
    try:
        count = operator.index(value)
    except TypeError:  # numpy arrays and booleans have an `__index__` that refuses
        raise TypeError(f"{argument} must be an integer number of bytes, got {type(value).__name__}") from None
    if not 0 <= count <= MAX_BYTES:
        shown = count if abs(count) <= MAX_BYTES * 10 else f"an integer of {count.bit_length()} bits"
        raise ValueError(f"{argument} must be from 0 to 2^64 - 1 bytes, got {shown}")
    return count


def relative_throughput(growth: float, loss_per_doubling: float) -> float:
    """Return the modeled throughput, relative to the baseline, of a footprint `growth` times the baseline's."""
    return max(1.0 - loss_per_doubling * math.log2(growth), 0.0)


def judge(ratio: float, dead_band: float) -> Verdict:
    """Turn a relative throughput into a verdict; the edges of the dead band are too close to call.

    The edges are the doubles `1 - dead_band` and `1 + dead_band`. Comparing `abs(ratio - 1)` with `dead_band` would put
    a ratio of exactly 0.95 outside a band of 0.05, because `1 - 0.95` is 0.050000000000000044 in IEEE arithmetic.
    """
    if ratio > 1.0 + dead_band:
        return Faster(ratio)
    if ratio < 1.0 - dead_band:
        return Slower(ratio)
    return TooCloseToCall()
