"""Optimization remarks about schedules: what was done to each kernel, or not done, and the numbers behind it."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from rlx_sched.assessment import Assessment
from rlx_sched.diagnostics import Remark, RemarkKind, Severity, emit, remarks_wanted
from rlx_sched.dialect.attributes import Bound, Stripped, format_ratio
from rlx_sched.occupancy import Unknown
from rlx_sched.sources.schedule import CannotRestage, Schedule


def summary(assessment: Assessment) -> str:
    """The verdict in half a sentence, with its interval and what it rests on."""
    prediction = assessment.prediction
    verdict = prediction.verdict
    text = verdict.words
    if isinstance(verdict, Unknown):
        text += f": {verdict.reason}"
    elif prediction.ratio is not None and prediction.interval is not None:
        low, high = prediction.interval
        text += f", predicted {prediction.ratio:.3f} of the throughput with one stage ({low:.3f} to {high:.3f}"
        text += ", extrapolated)" if prediction.extrapolated else ")"
    if assessment.over_limit:
        text += f"; over the limit of {assessment.limit} bytes"
    scheduled = assessment.scheduled
    if assessment.stages > 1 and scheduled == assessment.baseline and scheduled and scheduled.bound is Bound.EXACT:
        text += f"; {assessment.stages} stages take no more memory than one"
    return text


def _arguments(assessment: Assessment) -> tuple[tuple[str, str | int | float], ...]:
    """The numbers of an assessment under stable names."""
    prediction = assessment.prediction
    arguments: list[tuple[str, str | int | float]] = [("Stages", assessment.stages)]
    if assessment.chip is not None:
        arguments.append(("Target", assessment.chip))
    if assessment.baseline is not None and assessment.scheduled is not None:
        arguments += [("BaselineBytes", str(assessment.baseline)), ("Bytes", str(assessment.scheduled))]
    if assessment.limit is not None:
        arguments.append(("LimitBytes", assessment.limit))
    if assessment.over_limit:
        arguments.append(("OverLimit", "true"))
    arguments.append(("Verdict", prediction.verdict.kind))
    if prediction.ratio is not None:
        arguments.append(("Ratio", format_ratio(prediction.ratio)))
    if prediction.interval is not None:
        arguments.append(("Interval", " to ".join(f"{end:.3f}" for end in prediction.interval)))
        arguments.append(("Extrapolated", "true" if prediction.extrapolated else "false"))
    if prediction.calibration is not None:
        arguments.append(("Calibration", prediction.calibration.name))
    return tuple(arguments)


def _emit(
    kind: RemarkKind,
    pass_name: str,
    name: str,
    schedule: Schedule,
    assessment: Assessment,
    message: str,
    *arguments: tuple[str, str],
) -> None:
    emit(
        Remark(
            Severity.REMARK,
            message,
            schedule.op,
            kind=kind,
            pass_name=pass_name,
            name=name,
            function=schedule.name,
            arguments=(*arguments, *_arguments(assessment)),
        )
    )


_P = ParamSpec("_P")


def _if_wanted(remark: Callable[_P, None]) -> Callable[_P, None]:
    """Put a remark together only if somebody looks at it."""

    @wraps(remark)
    def wrapped(*args: _P.args, **kwargs: _P.kwargs) -> None:
        if remarks_wanted():
            remark(*args, **kwargs)

    return wrapped


@_if_wanted
def remark_analysis(pass_name: str, schedule: Schedule, assessment: Assessment) -> None:
    """Say what the model thinks of a schedule that stays as it is."""
    _emit("Analysis", pass_name, "Kept", schedule, assessment, f"{_bytes(assessment)}{summary(assessment)}")


@_if_wanted
def remark_stripped(pass_name: str, schedule: Schedule, before: Assessment, stripped: Stripped) -> None:
    """Say that a rotation was taken out, and why; `before` is the schedule as it was."""
    why = "over the limit" if stripped.over_limit is not None else "slower"
    message = f"took {stripped.stages} stages down to {schedule.stages} ({why}): {_bytes(before)}{summary(before)}"
    _emit("Passed", pass_name, "RotationTakenOut", schedule, before, message)


@_if_wanted
def remark_missed(pass_name: str, schedule: Schedule, assessment: Assessment, error: CannotRestage) -> None:
    """Say that a rotation should go but cannot, which condition failed, and what can be done instead."""
    message = f"rotation left in ({error.condition}): {error.explanation}; {_bytes(assessment)}{summary(assessment)}"
    _emit("Missed", pass_name, "RotationKept", schedule, assessment, message, ("Condition", error.condition))


@_if_wanted
def remark_erased(pass_name: str, schedule: Schedule, assessment: Assessment, kept: str) -> None:
    """Say that a candidate was erased from its search space, in which `kept` stays.

    What does not fit may go for another tile, and of two tiles the model cannot say which is better.
    """
    why = "fits" if assessment.over_limit else "is better"
    message = f"candidate erased, '@{kept}' {why}: {_bytes(assessment)}{summary(assessment)}"
    _emit("Passed", pass_name, "CandidateErased", schedule, assessment, message)


def _bytes(assessment: Assessment) -> str:
    footprint = assessment.footprint
    return "" if footprint is None else f"{footprint.data.baseline} -> {footprint.data.scheduled} bytes, "
