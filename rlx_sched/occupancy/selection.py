"""Which rotations of one schedule lose, and in which order to measure them: the rules of every filter and ranking."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from rlx_sched.occupancy.prediction import Prediction
from rlx_sched.occupancy.verdict import Faster, Slower, Verdict

Extrapolated: TypeAlias = Literal["strip", "keep"]
"""What becomes of schedules that are slower outside the measured range: `strip` treats them as slower."""


def check_extrapolated(value: object) -> None:
    """Check a choice that is not known to be one.

    Raises:
        ValueError: when it is none.
    """
    if value not in get_args(Extrapolated):
        raise ValueError(f"extrapolated must be 'strip' or 'keep', got {value!r}")


def loses(prediction: Prediction, extrapolated: Extrapolated) -> bool:
    """Whether a schedule is to go for being slower than the same one with one stage."""
    return isinstance(prediction.verdict, Slower) and not (prediction.extrapolated and extrapolated == "keep")


def rank(verdict: Verdict, bytes_over_limit: int) -> tuple[int, float]:
    """The key that sorts the rotations of one schedule, best first.

    Faster ones by falling ratio, then what is too close to call, then slower ones by falling ratio, last what does not
    fit in threadgroup memory, by what it takes too much. Where one of them is unknown there is no order.
    """
    if bytes_over_limit:
        return (3, float(bytes_over_limit))
    match verdict:
        case Faster(ratio):
            return (0, -ratio)
        case Slower(ratio):
            return (2, -ratio)
        case _:
            return (1, 0.0)
