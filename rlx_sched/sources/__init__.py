"""The kinds of IR that carry a schedule, one module each."""

from collections.abc import Iterator, Sequence

from xdsl.ir import Operation

from rlx_sched.diagnostics import Diagnostic, Severity, emit_once
from rlx_sched.dialect.sched import CandidatesOp, KernelOp
from rlx_sched.ir.access import op_name
from rlx_sched.sources.iree import IreeSource
from rlx_sched.sources.lowered import LoweredSource
from rlx_sched.sources.misfits import first_misfit
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

_MISFIT = (
    "'{}' has operands, results, regions or attributes that do not fit each other, so kernels outside of the sched "
    "dialect are left alone in this module; `mlir-opt --verify-each` says what is wrong"
)


def find_schedules(module: Operation, sources: Sequence[Source] = SOURCES) -> Iterator[Schedule]:
    """The schedules of every kind in `module`, each operation once.

    Where an operation of another dialect has parts that do not fit each other there is a warning, and only the
    kernels of the `sched` dialect are looked at: the others are not understood.
    """
    claimed: set[Operation] = set()
    # Where nothing is of another kind, no other source has to look for it.
    only_ours = all(isinstance(op, KernelOp | CandidatesOp) for region in module.regions for op in region.block.ops)
    misfit = None if only_ours else first_misfit(module)
    if misfit is not None:
        emit_once(Diagnostic(Severity.WARNING, _MISFIT.format(op_name(misfit)), misfit))
    if only_ours or misfit is not None:
        sources = [source for source in sources if isinstance(source, SchedSource)]
    for source in sources:
        for schedule in list(source.schedules(module)):
            if schedule.op not in claimed:
                claimed.add(schedule.op)
                yield schedule
