"""The model's answer with everything that has to be shown next to it: interval, measured range, what to do."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import SupportsIndex

from rlx_sched.occupancy.calibration import Calibration
from rlx_sched.occupancy.model import (
    Chip,
    byte_count,
    describe_chip,
    find_calibration,
    predict_by,
    relative_throughput,
)
from rlx_sched.occupancy.verdict import Unknown, Verdict

_ADVICE = {
    "faster": "worth it; measure to confirm",
    "slower": "not worth measuring, keep the baseline",
    "too_close_to_call": "measure both",
    "unknown": "measure both",
}


@dataclass(frozen=True, slots=True)
class Prediction:
    """A verdict with what stands behind it. The numbers are None for `Unknown`."""

    verdict: Verdict
    baseline_bytes: int
    candidate_bytes: int
    calibration: Calibration | None = None
    ratio: float | None = None
    """Modeled throughput relative to the baseline, inside the dead band too."""
    interval: tuple[float, float] | None = None
    """The ratio minus and plus the calibration's slack, not below zero."""
    extrapolated: bool = False
    """Whether a footprint, or the growth from one to the other, lies outside what was measured."""


def assess(
    chip: Chip,
    baseline_bytes: SupportsIndex,
    candidate_bytes: SupportsIndex,
    *,
    calibration: Calibration | None = None,
) -> Prediction:
    """Predict as `predict` does, and say how far the answer can be trusted.

    Raises:
        TypeError: as `predict` does.
        ValueError: as `predict` does.
    """
    baseline = byte_count("baseline_bytes", baseline_bytes)
    candidate = byte_count("candidate_bytes", candidate_bytes)
    found = find_calibration(chip, calibration)
    verdict = found if isinstance(found, Unknown) else predict_by(found, baseline, candidate)
    if isinstance(found, Unknown) or isinstance(verdict, Unknown):
        return Prediction(verdict, baseline, candidate)
    ratio = relative_throughput(float(candidate) / float(baseline), found.loss_per_doubling)
    return Prediction(
        verdict,
        baseline,
        candidate,
        found,
        ratio,
        (max(ratio - found.slack, 0.0), ratio + found.slack),
        is_extrapolated(found, baseline, candidate),
    )


def is_extrapolated(calibration: Calibration, baseline_bytes: int, candidate_bytes: int) -> bool:
    """Whether the two footprints, both above zero, leave the range that `calibration` was measured in.

    Equal footprints never do: that they run alike is no extrapolation.
    """
    if baseline_bytes == candidate_bytes:
        return False
    smaller, larger = sorted((baseline_bytes, candidate_bytes))
    if smaller < calibration.min_bytes or larger > calibration.max_bytes:
        return True
    # Larger over smaller, so that growing to 3 times and shrinking to a third are the same distance in floating point;
    # and doubles, as the ratio is made of.
    return math.log2(float(larger) / float(smaller)) > calibration.max_doublings


def explain(
    chip: Chip,
    baseline_bytes: SupportsIndex,
    candidate_bytes: SupportsIndex,
    *,
    calibration: Calibration | None = None,
) -> str:
    """Explain a prediction in one line: both footprints, the ratio with its interval, what to do; or why it is unknown.

    Raises:
        TypeError: as `predict` does.
        ValueError: as `predict` does.
    """
    found = assess(chip, baseline_bytes, candidate_bytes, calibration=calibration)
    what = f"{describe_chip(chip)}, {found.baseline_bytes} -> {found.candidate_bytes} bytes of threadgroup memory"
    advice = _ADVICE[found.verdict.kind]
    if isinstance(found.verdict, Unknown) or found.interval is None:
        reason = found.verdict.reason if isinstance(found.verdict, Unknown) else found.verdict.kind
        return f"{what}: unknown, {reason}: {advice}"
    low, high = found.interval
    extrapolated = ", extrapolated" if found.extrapolated else ""
    return f"{what}: {found.verdict.words}, ratio {found.ratio:.3f} ({low:.3f} to {high:.3f}{extrapolated}): {advice}"
