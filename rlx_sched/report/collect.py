"""What `occupancy-filter` makes of a module, kernel by kernel, as data for pages, tables and programs.

Nothing here parses printed text: the numbers come from assessments, what was done from the filter's remarks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from io import StringIO
from itertools import groupby, takewhile
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from rlx_sched.assessment import Assessment
from rlx_sched.diagnostics import Diagnostic, Handler, Remark, Severity, handled_by
from rlx_sched.dialect.attributes import Bound
from rlx_sched.dialect.sched import CandidatesOp
from rlx_sched.ir.access import op_name
from rlx_sched.ir.source_map import Place, SourceMap
from rlx_sched.ir.writer import Writer
from rlx_sched.occupancy import Calibration, Slower
from rlx_sched.passes.occupancy_filter import OccupancyFilter
from rlx_sched.remarks import summary
from rlx_sched.sources import find_schedules
from rlx_sched.sources.schedule import Schedule

CONTEXT_LINES = 8
"""Unchanged lines of IR shown around each change: a `sched.kernel` is usually shorter than that."""


COMPARED_LINES = 2000
"""The most lines that are compared each with each, which takes time that grows with their square. Longer texts are
compared from one line to the next that is there once, before and after."""


class Action(StrEnum):
    """What the filter did to a kernel."""

    KEPT = "kept"
    STRIPPED = "stripped"
    ERASED = "erased"
    LEFT_IN = "left_in"
    """It should have gone, but taking it out could not be proved safe."""
    DOES_NOT_FIT = "does_not_fit"
    """Not even one stage fits."""


_ACTIONS = {
    "Kept": Action.KEPT,
    "RotationTakenOut": Action.STRIPPED,
    "CandidateErased": Action.ERASED,
    "RotationKept": Action.LEFT_IN,
}
"""Actions by the names of the filter's remarks."""


@dataclass(frozen=True)
class KernelReport:
    """One kernel, as it was written and as the filter left it.

    `after` is None for an erased candidate. `message` is the filter's remark or error about the kernel. `condition` is
    the short name of what kept a rotation in, else empty. `diff` is its IR before and after, for a stripped or erased
    one: lines that start with `-`, `+`, a blank, or `@` where unchanged lines were left out.
    """

    name: str
    operation: str
    search_space: str | None
    place: Place | None
    before: Assessment
    after: Assessment | None
    action: Action
    message: str
    condition: str
    diff: tuple[str, ...]

    @property
    def bytes_saved(self) -> int | None:
        """Threadgroup memory that stripping saved, in bytes; None where that is not known exactly."""
        if self.after is None or self.before.scheduled is None or self.after.scheduled is None:
            return None
        if not self.before.scheduled.bound is self.after.scheduled.bound is Bound.EXACT:
            return None
        return self.before.scheduled.count - self.after.scheduled.count


@dataclass(frozen=True)
class Totals:
    """A module in numbers. `over_limit` counts kernels as written; `bytes_saved` sums over the stripped ones that are
    known exactly, `bytes_unknown` counts the other stripped ones."""

    kernels: int
    over_limit: int
    extrapolated: int
    bytes_saved: int
    bytes_unknown: int
    verdicts: dict[str, int]
    actions: dict[str, int]


@dataclass(frozen=True)
class Report:
    """All kernels of a module in the order in which the sources find them; `failed` if the filter reported errors."""

    file: str
    kernels: tuple[KernelReport, ...]
    failed: bool

    @property
    def calibrations(self) -> tuple[Calibration, ...]:
        """The calibrations that verdicts of this module come from, in order of appearance."""
        found = (kernel.before.prediction.calibration for kernel in self.kernels)
        return tuple({calibration.name: calibration for calibration in found if calibration is not None}.values())

    @property
    def totals(self) -> Totals:
        """The sums over all kernels; every verdict and action is there, with 0 if there is none."""
        verdicts = Counter(kernel.before.verdict.kind for kernel in self.kernels)
        actions = Counter(kernel.action.value for kernel in self.kernels)
        saved = [kernel.bytes_saved for kernel in self.kernels if kernel.action is Action.STRIPPED]
        return Totals(
            kernels=len(self.kernels),
            over_limit=sum(kernel.before.over_limit for kernel in self.kernels),
            extrapolated=sum(kernel.before.prediction.extrapolated for kernel in self.kernels),
            bytes_saved=sum(count for count in saved if count is not None),
            bytes_unknown=saved.count(None),
            verdicts={kind: verdicts[kind] for kind in ("faster", "slower", "too_close_to_call", "unknown")},
            actions={action.value: actions[action.value] for action in Action},
        )


def collect(module: ModuleOp, source: SourceMap, filter: OccupancyFilter, context: Context, handler: Handler) -> Report:
    """Run `filter` on `module`, which it changes, and report on every kernel; `handler` receives the diagnostics.

    Raises:
        PassFailedException: after a diagnostic, when the options of `filter` make no sense.
    """
    with handled_by(handler):
        assessor = filter.assessor()
    # The filter judges again, and says then what there is to say.
    with handled_by(lambda _: None):
        written = [_Written(schedule, assessor.assess(schedule), source) for schedule in find_schedules(module)]
    said: dict[Operation, _Said] = {}

    failed = False

    def listen(diagnostic: Diagnostic) -> None:
        nonlocal failed
        failed = failed or diagnostic.severity is Severity.ERROR
        op = diagnostic.op
        if isinstance(diagnostic, Remark) and op is not None:
            condition = dict(diagnostic.arguments).get("Condition", "")
            said[op] = _Said(_ACTIONS[diagnostic.name], diagnostic.message, str(condition))
        elif diagnostic.severity is Severity.ERROR and op is not None:
            said[op] = _Said(Action.DOES_NOT_FIT, diagnostic.message)
        handler(diagnostic)

    # That it failed it has said.
    with handled_by(listen), suppress(PassFailedException):
        filter.apply(context, module)
    stripped = {op for op, one in said.items() if one.action is Action.STRIPPED}
    with handled_by(lambda _: None):
        left = {
            schedule.op: assessor.assess(schedule) for schedule in find_schedules(module) if schedule.op in stripped
        }
    return Report(source.name, tuple(_report(kernel, said, left) for kernel in written), failed)


class _Said(NamedTuple):
    """What the filter said of a kernel."""

    action: Action
    message: str
    condition: str = ""


class _Written:
    """A schedule as it stands before the filter runs."""

    def __init__(self, schedule: Schedule, before: Assessment, source: SourceMap):
        self.op = schedule.op
        self.name = schedule.name
        self.operation = op_name(schedule.op)
        self.before = before
        self.place = source.place(schedule.op)
        space = schedule.op.parent_op()
        self.space = space.sym_name.data if isinstance(space, CandidatesOp) else None
        # Printing costs more than judging, so only what the filter may change is printed. The same printer prints it
        # again afterwards, so that every value keeps its name.
        self.printer = Writer(StringIO()) if before.over_limit or isinstance(before.verdict, Slower) else None
        self.lines = self.print()

    def print(self) -> list[str]:
        """The kernel's IR as it stands, line by line."""
        if self.printer is None:
            return []
        stream = self.printer.stream = StringIO()
        self.printer.print_op(self.op)
        return stream.getvalue().split("\n")


def _report(kernel: _Written, said: dict[Operation, _Said], left: dict[Operation, Assessment]) -> KernelReport:
    # The filter reports a search space in which nothing fits at its first kernel only.
    action, message, condition = said.get(kernel.op) or _Said(Action.DOES_NOT_FIT, summary(kernel.before))
    match action:
        case Action.STRIPPED:
            after = left[kernel.op]
            diff = _diff(kernel.lines, kernel.print())
        case Action.ERASED:
            after = None
            diff = _diff(kernel.lines, [])
        case _:
            after = kernel.before
            diff = ()
    return KernelReport(
        kernel.name,
        kernel.operation,
        kernel.space,
        kernel.place,
        kernel.before,
        after,
        action,
        message,
        condition,
        tuple(diff),
    )


def _diff(before: list[str], after: list[str]) -> Iterator[str]:
    """The lines of both texts, marked as in a unified diff."""
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    lines = [f" {line}" for line in before[:head]]
    start, new_start = 0, 0
    for end, new_end in [*_landmarks(old, new), (len(old), len(new))]:
        lines += _changes(old[start:end], new[new_start:new_end])
        start, new_start = end, new_end
    lines += [f" {line}" for line in before[len(before) - tail :]]
    done = 0
    for is_unchanged, run in groupby(lines, lambda line: line[0] == " "):
        found = list(run)
        # Nothing has changed before the first line, nor after the last.
        above = CONTEXT_LINES if done else 0
        below = CONTEXT_LINES if done + len(found) < len(lines) else 0
        left_out = len(found) - above - below
        if is_unchanged and left_out > 0:
            found[above : above + left_out] = [f"@ {left_out} unchanged lines"]
            done += left_out - 1
        done += len(found)
        yield from found


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines are the same at the start of both."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _landmarks(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where both texts, if they are long, have lines in the same order that each has once."""
    if max(len(old), len(new)) <= COMPARED_LINES:
        return
    times, new_times = Counter(old), Counter(new)
    places = {line: index for index, line in enumerate(new)}
    last = -1
    for index, line in enumerate(old):
        if times[line] == new_times[line] == 1 and places[line] > last:
            last = places[line]
            yield index, last


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    codes = [("equal" if old == new else "replace", 0, len(old), 0, len(new))]
    if old != new and max(len(old), len(new)) <= COMPARED_LINES:
        codes = SequenceMatcher(None, old, new).get_opcodes()
    for tag, start, end, new_start, new_end in codes:
        if tag == "equal":
            yield from (f" {line}" for line in old[start:end])
        else:
            yield from (f"-{line}" for line in old[start:end])
            yield from (f"+{line}" for line in new[new_start:new_end])
