"""The pass `occupancy-filter`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from rlx_sched.annotations import annotate, mark_stripped
from rlx_sched.assessment import Assessment, Assessor
from rlx_sched.diagnostics import Diagnostic, Severity, emit
from rlx_sched.dialect.attributes import Stripped, StrippedAttr
from rlx_sched.dialect.sched import CandidatesOp
from rlx_sched.occupancy import Slower
from rlx_sched.occupancy.selection import Extrapolated, check_extrapolated, loses
from rlx_sched.passes.options import OccupancyPass, option
from rlx_sched.remarks import remark_analysis, remark_erased, remark_missed, remark_stripped
from rlx_sched.search_space import groups
from rlx_sched.sources import find_schedules
from rlx_sched.sources.schedule import CannotRestage, Schedule


@dataclass(frozen=True)
class OccupancyFilter(OccupancyPass):
    """Take out the rotations that lose.

    Annotates every schedule as `occupancy-annotate` does. Then a schedule that the model calls slower than the same
    one with one stage goes to one stage, and one over the target's limit goes to the most stages that fit and are not
    slower; `stripped` records what was taken out and why. Everything else stays as it was: a schedule that fits and is
    faster, too close to call or unknown is never touched. Where the program cannot safely be changed it is left alone,
    and a remark says why.

    In a search space the pass compares rotations of one schedule only. A slower or illegal candidate is erased if
    another of its group remains; otherwise the best of the group is stripped in place. No group is ever erased for
    being slower. What refers to an erased candidate by its symbol is not looked for.

    If not even one stage fits, that is an error.

    ```mlir
    sched.kernel @sgemm stages 3 {
      sched.buffer @tile rotating : memref<32x16xf32>
    }
    // becomes, with target='Apple M4 Pro'
    sched.kernel @sgemm stages 1 stripped <3, slower 0.8494285624314901> footprint <2048 -> 2048>
        verdict <too_close_to_call> {
      sched.buffer @tile rotating : memref<32x16xf32>
    }
    ```
    """

    name = "occupancy-filter"

    extrapolated: Extrapolated = option(  # noqa: RUF009
        "strip", "what to do with slower schedules outside the measured range: strip or keep them"
    )
    annotate: bool = option(True, "write footprint and verdict on every schedule; stripped is written all the same")

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            ValueError: when they make no sense.
        """
        super().__post_init__()
        check_extrapolated(self.extrapolated)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Filter every schedule in `op`.

        Raises:
            PassFailedException: after the whole module was processed, when a kernel does not fit with one stage.
        """
        run = _Run(self, self.assessor())
        schedules = [(schedule, schedule.op.parent_op()) for schedule in find_schedules(op)]
        for schedule, _ in schedules:
            self.explained(schedule, run.assessor)
        by_op = {schedule.op: schedule for schedule, _ in schedules}
        filtered: set[CandidatesOp] = set()
        for schedule, parent in schedules:
            if not isinstance(parent, CandidatesOp):
                run.filter(schedule)
            elif parent not in filtered:
                filtered.add(parent)
                run.filter_space([[by_op[kernel] for kernel in group] for group in groups(parent)])
        if run.failed:
            raise PassFailedException(f"{self.name}: kernels that do not fit in threadgroup memory: {run.failed}")


class _Run:
    """One run of the filter over a module."""

    def __init__(self, options: OccupancyFilter, assessor: Assessor):
        self.options = options
        self.assessor = assessor
        self.failed = 0
        self._records: dict[Stripped, StrippedAttr] = {}

    def filter(self, schedule: Schedule) -> None:
        """Filter a schedule outside of any search space."""
        before = self.assessor.assess(schedule)
        if self._goes(before):
            self._strip(schedule, before)
        else:
            self._keep(schedule, before)

    def filter_space(self, space: Sequence[Sequence[Schedule]]) -> None:
        """Filter one search space, given as groups of rotations of one schedule."""
        judged = [[_Candidate(schedule, self.assessor.assess(schedule)) for schedule in group] for group in space]
        fitting: list[list[_Candidate]] = []
        others: list[list[_Candidate]] = []
        for group in judged:
            (others if self.assessor.assess(group[0].schedule, 1).over_limit else fitting).append(group)
        left = [self._filter_group(group) for group in fitting]
        for group in others:
            if left:
                self._erase(group, left[0])
            else:
                for member in group:
                    self._annotate(member.schedule.op, member.before)
                self._does_not_fit(group[0].schedule, group[0].before)

    def _filter_group(self, group: list[_Candidate]) -> _Candidate:
        """Leave the rotations of one schedule that are worth having, and at least one of them, which is returned."""
        losers: list[_Candidate] = []
        survivors: list[_Candidate] = []
        for member in group:
            (losers if self._goes(member.before) else survivors).append(member)
        for member in survivors:
            self._keep(member.schedule, member.before)
        # Of bytes that nobody can tell it is not known that they fit.
        winner = next((one for one in survivors if one.has_bytes and not isinstance(one.before.verdict, Slower)), None)
        if winner is None and losers:
            winner = max(losers, key=lambda member: member.before.prediction.ratio or 0.0)
            losers.remove(winner)
            self._strip(winner.schedule, winner.before)
        if winner is None:
            return survivors[0]
        self._erase(losers, winner)
        return winner

    def _goes(self, assessment: Assessment) -> bool:
        """Whether the schedule is to go, for being slower or for not fitting."""
        return assessment.over_limit or loses(assessment.prediction, self.options.extrapolated)

    def _strip(self, schedule: Schedule, before: Assessment) -> None:
        """Take the rotation out as far as it has to go; `before` is over the limit or loses."""
        stripped = _why(schedule.stages, before)
        try:
            # A schedule whose stages are not known cannot be restaged either, and says why.
            search = before.over_limit and schedule.unknown is None
            stages = self._stages_that_fit(schedule) if search else 1
            if stages is not None:
                schedule.restage(stages)
        except CannotRestage as error:
            self._annotate(schedule.op, before)
            remark_missed(self.options.name, schedule, before, error)
            if before.over_limit:
                self._warn_left_over_limit(schedule, before, error)
            return
        if stages is None:
            self._annotate(schedule.op, before)
            self._does_not_fit(schedule, before)
            return
        mark_stripped(schedule.op, self._record(stripped))
        self._annotate(schedule.op, self.assessor.assess(schedule))
        remark_stripped(self.options.name, schedule, before, stripped)

    def _stages_that_fit(self, schedule: Schedule) -> int | None:
        """The most stages, fewer than scheduled, that fit and are not slower; None if not even one stage fits.

        More stages never take less memory, and never turn a slower schedule into one that is not: whether a number of
        stages will do is monotone, so the largest that does is found by bisection.
        """
        single = self.assessor.assess(schedule, 1)
        if single.over_limit:
            return None
        if not single.within_limit:
            raise CannotRestage(
                "footprint-not-exact", f"its footprint with one stage is known only as {single.scheduled} bytes"
            )
        good, bad = 1, schedule.stages
        while bad - good > 1:
            middle = (good + bad) // 2
            found = self.assessor.assess(schedule, middle)
            if found.within_limit and not isinstance(found.verdict, Slower):
                good = middle
            else:
                bad = middle
        return good

    def _does_not_fit(self, schedule: Schedule, assessment: Assessment) -> None:
        self.failed += 1
        single = self.assessor.assess(schedule, 1).scheduled
        emit(
            Diagnostic(
                Severity.ERROR,
                f"kernel '@{schedule.name}' takes {single} bytes of threadgroup memory with one stage, more than the "
                f"limit of {assessment.limit} bytes: it takes smaller tiles or narrower elements to fit",
                schedule.op,
            )
        )

    def _warn_left_over_limit(self, schedule: Schedule, assessment: Assessment, error: CannotRestage) -> None:
        emit(
            Diagnostic(
                Severity.WARNING,
                f"kernel '@{schedule.name}' takes {assessment.scheduled} bytes of threadgroup memory, more than the "
                f"limit of {assessment.limit} bytes, and is left as it is: {error.explanation}",
                schedule.op,
            )
        )

    def _record(self, stripped: Stripped) -> StrippedAttr:
        """The attribute for `stripped`, one for all kernels that were stripped alike."""
        return self._records.setdefault(stripped, StrippedAttr(stripped))

    def _keep(self, schedule: Schedule, assessment: Assessment) -> None:
        self._annotate(schedule.op, assessment)
        remark_analysis(self.options.name, schedule, assessment)

    def _erase(self, members: list[_Candidate], kept: _Candidate) -> None:
        for member in members:
            remark_erased(self.options.name, member.schedule, member.before, kept.schedule.name)
            member.schedule.op.detach()
            member.schedule.op.erase()

    def _annotate(self, op: Operation, assessment: Assessment) -> None:
        if self.options.annotate:
            annotate(op, assessment)


class _Candidate(NamedTuple):
    """A member of a search space, judged as it stands in the source."""

    schedule: Schedule
    before: Assessment

    @property
    def has_bytes(self) -> bool:
        """Whether anything is known of how many bytes it takes."""
        return self.before.scheduled is not None


def _why(stages: int, before: Assessment) -> Stripped:
    """The record of a rotation of `stages` stages that goes because of `before`."""
    if before.over_limit and before.scheduled is not None:
        return Stripped(stages, over_limit=before.scheduled.count)
    return Stripped(stages, before.prediction.ratio, extrapolated=before.prediction.extrapolated)
