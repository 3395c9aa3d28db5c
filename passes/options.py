"""Options that several passes share."""

from dataclasses import dataclass, field
from typing import Any

from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from rlx_sched.assessment import Assessor
from rlx_sched.diagnostics import Diagnostic, Severity, emit
from rlx_sched.occupancy import CalibrationError, load_calibration
from rlx_sched.sources.schedule import Schedule


def option(default: Any, help: str) -> Any:
    """A pass option: a dataclass field with the text that `rlx-opt --help` and the reference show for it."""
    return field(default=default, metadata={"help": help})


@dataclass(frozen=True)
class OccupancyPass(ModulePass):
    """What the passes that ask the occupancy model have in common: for which GPU, and by which calibration."""

    target: str | None = option(None, "GPU to judge for where the IR names none, as its driver names it")
    override_target: bool = option(False, "use target even where the IR names another GPU")
    calibration: str | None = option(None, "calibration file to use in place of those that ship")
    explain: bool = option(False, "say how each footprint and verdict comes about, and what would change it")

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            ValueError: when they make no sense.
        """
        if self.override_target and self.target is None:
            raise ValueError(f"the option 'override-target' of '{self.name}' needs the option 'target'")

    def assessor(self) -> Assessor:
        """The judge that the options describe.

        Raises:
            PassFailedException: after a diagnostic, when the calibration cannot be read.
        """
        try:
            loaded = None if self.calibration is None else load_calibration(self.calibration)
        except (CalibrationError, OSError) as error:
            message = f"cannot use the calibration '{self.calibration}': {error}"
            emit(Diagnostic(Severity.ERROR, message))
            raise PassFailedException(message) from error
        return Assessor(self.target, override_target=self.override_target, calibration=loaded)

    def explained(self, schedule: Schedule, assessor: Assessor) -> None:
        """Explain `schedule` as it stands in a note, if the option `explain` is set."""
        if self.explain:
            from rlx_sched.report.explain import explain_schedule

            emit(Diagnostic(Severity.NOTE, explain_schedule(schedule, assessor), schedule.op))
