"""rlx-sched: does the extra threadgroup memory of a multi-buffered GPU schedule pay?

This package is the occupancy model; `import rlx_sched` loads neither xDSL nor numpy, so an autotuner can ask for free:

    >>> import rlx_sched
    >>> rlx_sched.predict("Apple M4 Pro", 2048, 4096)
    Slower(0.905)

The IR side is in `rlx_sched.dialect`, `rlx_sched.sources`, `rlx_sched.passes` and the `rlx-opt` tool.
"""

from __future__ import annotations

from rlx_sched import occupancy
from rlx_sched.occupancy import AppleGpuFamily, Faster, Slower, TooCloseToCall, Unknown, Verdict, predict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rlx_sched.occupancy import (
        DEAD_BAND,
        EVIDENCE,
        LOSS_PER_DOUBLING,
        TILE_EDGE_EVIDENCE,
        Calibration,
        CalibrationError,
        Prediction,
        assess,
        calibrations,
        explain,
        load_calibration,
        predict_many,
    )

__version__ = "0.1.0"

__all__ = [
    "DEAD_BAND",
    "EVIDENCE",
    "LOSS_PER_DOUBLING",
    "TILE_EDGE_EVIDENCE",
    "AppleGpuFamily",
    "Calibration",
    "CalibrationError",
    "Faster",
    "Prediction",
    "Slower",
    "TooCloseToCall",
    "Unknown",
    "Verdict",
    "__version__",
    "assess",
    "calibrations",
    "explain",
    "load_calibration",
    "predict",
    "predict_many",
]


def __getattr__(name: str) -> object:
    """Fetch from `rlx_sched.occupancy` what that imports at first use."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(occupancy, name)


def __dir__() -> list[str]:
    return __all__
