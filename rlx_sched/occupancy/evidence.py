"""The measurements behind the shipped calibration, and those that show where the model must not be used."""

from __future__ import annotations

from dataclasses import dataclass

from rlx_sched.occupancy.calibration import calibrations
from rlx_sched.occupancy.family import AppleGpuFamily

_M4 = next(calibration for calibration in calibrations() if AppleGpuFamily.M4 in calibration.families)

LOSS_PER_DOUBLING = _M4.loss_per_doubling
"""Throughput lost per doubling of the footprint on an Apple M4, as a part of the baseline's."""

DEAD_BAND = _M4.dead_band
"""A change of the predicted ratio up to this, either way, is too close to call on an Apple M4."""

EVIDENCE = _M4.evidence
"""What was measured on an Apple M4 Pro: the points of the fit, and those held out to check it."""


@dataclass(frozen=True, slots=True)
class TileEdgeMeasurement:
    """A kernel with another tile, measured against the one with a tile edge of 16 on an Apple M4 Pro.

    Throughputs are relative to that baseline. `small_m` and `large_m` are the lowest and highest reading over the
    shapes with m below 32, and over the others.
    """

    chip: str
    tile: int
    baseline_bytes: int
    bytes: int
    predicted: float
    """What the model would say of the bytes alone: recorded to show that it is wrong here."""
    relative: float
    """The geometric mean over all shapes."""
    small_m: tuple[float, float]
    large_m: tuple[float, float]
    source: str


_SWEEP = "sweep of sgemm tile edges, part of the work behind the M4 constants"

TILE_EDGE_EVIDENCE = (
    TileEdgeMeasurement("Apple M4 Pro", 8, 2048, 512, 1.190, 1.118, (1.55, 1.82), (0.96, 0.99), _SWEEP),
    TileEdgeMeasurement("Apple M4 Pro", 32, 2048, 8192, 0.810, 0.910, (0.52, 0.57), (1.08, 1.10), _SWEEP),
)
"""Why tiles must not be priced: the edge changes data reuse as well as bytes; even the sign depends on the shape."""
