"""The occupancy model: what the threadgroup memory of a schedule costs on a measured chip.

Free to import: neither xDSL nor numpy is loaded, and what reads files waits for its first use.
"""

from __future__ import annotations

from importlib import import_module

from rlx_sched.occupancy.family import AppleGpuFamily
from rlx_sched.occupancy.model import MAX_BYTES, Chip, describe_chip, find_calibration, predict
from rlx_sched.occupancy.verdict import Faster, Slower, TooCloseToCall, Unknown, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rlx_sched.occupancy.bulk import KIND_NAMES, Assessments, Predictions, assess_many, predict_many
    from rlx_sched.occupancy.calibration import (
        Calibration,
        CalibrationError,
        Measurement,
        calibrations,
        load_calibration,
    )
    from rlx_sched.occupancy.evidence import (
        DEAD_BAND,
        EVIDENCE,
        LOSS_PER_DOUBLING,
        TILE_EDGE_EVIDENCE,
        TileEdgeMeasurement,
    )
    from rlx_sched.occupancy.prediction import Prediction, assess, explain, is_extrapolated

__all__ = [
    "DEAD_BAND",
    "EVIDENCE",
    "KIND_NAMES",
    "LOSS_PER_DOUBLING",
    "MAX_BYTES",
    "TILE_EDGE_EVIDENCE",
    "AppleGpuFamily",
    "Assessments",
    "Calibration",
    "CalibrationError",
    "Chip",
    "Faster",
    "Measurement",
    "Prediction",
    "Predictions",
    "Slower",
    "TileEdgeMeasurement",
    "TooCloseToCall",
    "Unknown",
    "Verdict",
    "assess",
    "assess_many",
    "calibrations",
    "describe_chip",
    "explain",
    "find_calibration",
    "is_extrapolated",
    "load_calibration",
    "predict",
    "predict_many",
]

_LAZY_MODULES = {
    "prediction": ("Prediction", "assess", "explain", "is_extrapolated"),
    "calibration": ("Calibration", "CalibrationError", "Measurement", "calibrations", "load_calibration"),
    "bulk": ("KIND_NAMES", "Assessments", "Predictions", "assess_many", "predict_many"),
    "evidence": ("DEAD_BAND", "EVIDENCE", "LOSS_PER_DOUBLING", "TILE_EDGE_EVIDENCE", "TileEdgeMeasurement"),
}
_HOME = {name: module for module, names in _LAZY_MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import what `dataclasses`, `tomllib` and the like would slow down only when it is asked for (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
