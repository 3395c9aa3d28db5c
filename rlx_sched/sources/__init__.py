"""The kinds of IR that carry a schedule, one module each."""

from collections.abc import Iterator, Sequence

from xdsl.ir import Operation

from rlx_sched.dialect.sched import CandidatesOp, KernelOp
from rlx_sched.sources.iree import IreeSource
from rlx_sched.sources.lowered import LoweredSource
from rlx_sched.sources.sched import SchedSource
from rlx_sched.sources.schedule import Schedule, Source
from rlx_sched.sources.triton import TritonSource
from rlx_sched.sources.upstream import UpstreamSource

SOURCES: Sequence[Source] = (
    SchedSource(),
    IreeSource(),
    TritonSource(),
    LoweredSource(),
    UpstreamSource(),
)
"""Every source. Where two recognize the same operation the first one has it, so the most particular come first."""


def find_schedules(module: Operation, sources: Sequence[Source] = SOURCES) -> Iterator[Schedule]:
    """The schedules of every kind in `module`, each operation once."""
    claimed: set[Operation] = set()
    if all(isinstance(op, KernelOp | CandidatesOp) for region in module.regions for op in region.block.ops):
        # Nothing here is of another kind, so no other source has to look for it.
        sources = [source for source in sources if isinstance(source, SchedSource)]
    for source in sources:
        for schedule in list(source.schedules(module)):
            if schedule.op not in claimed:
                claimed.add(schedule.op)
                yield schedule
