"""What the model and the target's limit say of a schedule, at any number of stages.

All passes and reports ask here, so that they agree.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property

from xdsl.ir import Operation

from rlx_sched.diagnostics import Diagnostic, Severity, emit
from rlx_sched.dialect.attributes import Bound, Bytes, Footprint, FootprintAttr, Target, VerdictAttr
from rlx_sched.dialect.layout import MAX_BYTES, NoFootprint
from rlx_sched.occupancy import Calibration, Prediction, Unknown, Verdict, assess, find_calibration
from rlx_sched.occupancy.family import similar_name
from rlx_sched.occupancy.limits import threadgroup_limit
from rlx_sched.sources.schedule import Schedule
from rlx_sched.target import target_in_ir


@dataclass(frozen=True)
class Assessment:
    """One schedule, judged.

    `baseline` and `scheduled` are None where the footprint cannot be known; `prediction.verdict` then says why. `limit`
    is what the target allows one threadgroup in bytes, None where nobody says.
    """

    stages: int
    chip: str | None
    baseline: Bytes | None
    scheduled: Bytes | None
    limit: int | None
    prediction: Prediction

    @property
    def verdict(self) -> Verdict:
        """The model's answer."""
        return self.prediction.verdict

    @property
    def bytes_over_limit(self) -> int:
        """How many bytes the schedule certainly takes beyond what the target allows."""
        if self.limit is None or self.scheduled is None:
            return 0
        return max(self.scheduled.lower - self.limit, 0)

    @property
    def over_limit(self) -> bool:
        """Whether the schedule certainly takes more than the target allows."""
        return self.bytes_over_limit > 0

    @property
    def within_limit(self) -> bool:
        """Whether the schedule certainly fits; True where no limit is known."""
        if self.limit is None:
            return True
        return self.scheduled is not None and self.scheduled.upper is not None and self.scheduled.upper <= self.limit

    @cached_property
    def footprint(self) -> FootprintAttr | None:
        """The footprint as the IR shows it."""
        if self.baseline is None or self.scheduled is None:
            return None
        return FootprintAttr(Footprint(self.baseline, self.scheduled, self.limit if self.over_limit else None))

    @cached_property
    def verdict_attribute(self) -> VerdictAttr:
        """The verdict as the IR shows it."""
        return VerdictAttr(self.verdict)


def predict_within_bounds(chip: str, baseline: Bytes, scheduled: Bytes, calibration: Calibration | None) -> Prediction:
    """Predict from footprints of which only bounds may be known.

    The model is monotone in scheduled / baseline. Where that quotient lies between two numbers and both give the same
    kind of verdict, so does everything between; the ratio reported is then the weakest claim of the two, the one nearer
    to 1. Otherwise the verdict is Unknown.
    """
    if baseline.bound is scheduled.bound is Bound.EXACT:
        return assess(chip, baseline.count, scheduled.count, calibration=calibration)
    unknown = Unknown(f"the footprint is known only as {baseline} -> {scheduled} bytes")
    if baseline.upper is None or not scheduled.lower:
        known = assess(chip, 1, 1, calibration=calibration)
        return replace(known, verdict=known.verdict if isinstance(known.verdict, Unknown) else unknown, ratio=None)
    near = assess(chip, baseline.upper, scheduled.lower, calibration=calibration)
    # A rotation never takes less memory than one stage, so the far end lies beyond the near one, however far.
    far_end = (max(baseline.lower, 1), scheduled.upper if scheduled.upper is not None else 2**64 - 1)
    far = assess(chip, *far_end, calibration=calibration)
    if isinstance(near.verdict, Unknown):
        return near
    if near.verdict.kind != far.verdict.kind:
        return replace(near, verdict=unknown, ratio=None, interval=None)
    return replace(near, extrapolated=near.extrapolated or far.extrapolated)


NAME_THE_TARGET = "name the GPU with sched.target in the IR or with the option target"


class Assessor:
    """Judges schedules for one run of a pass.

    `target` is the device name to use where the IR names none; with `override_target` it is used everywhere.
    `calibration` replaces the shipped ones.
    """

    def __init__(
        self, target: str | None = None, *, override_target: bool = False, calibration: Calibration | None = None
    ):
        self.target = target
        self.override_target = override_target
        self.calibration = calibration
        self._warned: set[str] = set()
        self._chips: set[str] = set()
        self._targets: dict[Operation, Target | None] = {}
        self._assessments: dict[tuple[Hashable, ...], Assessment] = {}

    def resolve_target(self, op: Operation) -> Target | None:
        """The target that `op` is judged for.

        The IR's own word wins over the option, with a warning where they differ, unless the option overrides it.
        """
        option = Target(self.target) if self.target is not None else None
        in_ir = None if option is not None and self.override_target else self._target_in_ir(op)
        target = in_ir or option
        if target is None:
            self._warn(f"no verdict can be given without a target; {NAME_THE_TARGET}", op)
        elif target.chip not in self._chips:
            self._chips.add(target.chip)
            if in_ir is None or similar_name(target.chip):
                self._warn_if_unknown(target.chip, op)
        if in_ir and option and in_ir.chip.casefold() != option.chip.casefold():
            unused = f"the IR is for '{in_ir.chip}', so the option target='{option.chip}' is not used here"
            self._warn(f"{unused}; set override-target to use it everywhere", op)
        return target

    def _warn_if_unknown(self, chip: str, op: Operation) -> None:
        """Warn if there is no calibration for a chip that the user has just named, or misspelled in the IR."""
        found = find_calibration(chip, self.calibration)
        if isinstance(found, Unknown):
            meant = similar_name(chip)
            advice = f"did you mean '{meant}'?" if meant else "`rlx-calibrate list` shows what is calibrated"
            self._warn(f"{found.reason}, so no verdict can be given; {advice}", op)

    def _warn(self, message: str, op: Operation) -> None:
        """Warn of something, once in a run."""
        if message not in self._warned:
            self._warned.add(message)
            emit(Diagnostic(Severity.WARNING, message, op))

    def _target_in_ir(self, op: Operation) -> Target | None:
        """What the IR says of the target of `op`, looked up once for all kernels that say nothing themselves."""
        scope = op if op.attributes or "target" in op.properties else op.parent_op() or op
        if scope not in self._targets:
            self._targets[scope] = target_in_ir(scope)
        return self._targets[scope]

    def assess(self, schedule: Schedule, stages: int | None = None) -> Assessment:
        """Judge `schedule` at `stages` stages, at its own by default, against the same schedule with one."""
        stages = schedule.stages if stages is None else stages
        target = self.resolve_target(schedule.op)
        chip = target.chip if target else None
        limit = _strictest(threadgroup_limit(chip), target.max_threadgroup_bytes if target else None, schedule.limit)
        try:
            scheduled = _in_range(schedule.footprint(stages))
            baseline = _in_range(schedule.baseline())
        except NoFootprint as error:
            return Assessment(stages, chip, None, None, limit, Prediction(Unknown(str(error)), 0, 0))
        # The kernels of a module share their footprints, more often than not.
        key = (stages, chip, baseline, scheduled, limit, schedule.unknown)
        known = self._assessments.get(key)
        if known is None:
            prediction = self._predict(chip, schedule.unknown, stages, baseline, scheduled)
            known = self._assessments[key] = Assessment(stages, chip, baseline, scheduled, limit, prediction)
        return known

    def _predict(
        self, chip: str | None, unknown: str | None, stages: int, baseline: Bytes, scheduled: Bytes
    ) -> Prediction:
        if unknown is not None:
            return Prediction(Unknown(unknown), baseline.count, scheduled.count)
        if chip is None:
            return Prediction(Unknown(f"no target: {NAME_THE_TARGET}"), baseline.count, scheduled.count)
        if stages == 1:
            # One stage against itself is the same number twice, whatever that number is.
            baseline = scheduled = Bytes(scheduled.count)
        return predict_within_bounds(chip, baseline, scheduled, self.calibration)


def _in_range(footprint: Bytes) -> Bytes:
    """`footprint`, which a source may have added up from sizes that each fit, or read where nobody has verified it.

    Raises:
        NoFootprint: where it is less than nothing, or more than the IR can say.
    """
    if footprint.count < 0:
        raise NoFootprint("its footprint is negative in this IR")
    if footprint.count > MAX_BYTES:
        raise NoFootprint("its footprint does not fit in 64 bits")
    return footprint


def _strictest(*limits: int | None) -> int | None:
    known = [limit for limit in limits if limit is not None]
    return min(known) if known else None
