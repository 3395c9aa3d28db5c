"""The pass `occupancy-annotate`."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from rlx_sched.annotations import annotate
from rlx_sched.passes.options import OccupancyPass
from rlx_sched.remarks import remark_analysis
from rlx_sched.sources import find_schedules


@dataclass(frozen=True)
class OccupancyAnnotate(OccupancyPass):
    """Write footprint and verdict on every schedule.

    What was there is computed anew; `stripped` is left alone, and so is everything else. A schedule whose footprint
    cannot be known gets the verdict unknown, with the reason. An illegal schedule, one over the target's limit, is
    annotated like any other; its footprint then shows the limit.

    ```mlir
    sched.kernel @sgemm stages 3 {
      sched.buffer @tile rotating : memref<32x16xf32>
    }
    // becomes, with target='Apple M4 Pro'
    sched.kernel @sgemm stages 3 footprint <2048 -> 6144> verdict <slower 0.8494285624314901> {
      sched.buffer @tile rotating : memref<32x16xf32>
    }
    ```
    """

    name = "occupancy-annotate"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Annotate every schedule in `op`."""
        assessor = self.assessor()
        for schedule in find_schedules(op):
            self.explained(schedule, assessor)
            assessment = assessor.assess(schedule)
            annotate(schedule.op, assessment)
            remark_analysis(self.name, schedule, assessment)
