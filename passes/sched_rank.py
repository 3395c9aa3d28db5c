"""The pass `sched-rank`."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from rlx_sched.assessment import Assessor
from rlx_sched.diagnostics import Diagnostic, Severity, emit
from rlx_sched.dialect.sched import CandidatesOp, KernelOp
from rlx_sched.occupancy import TILE_EDGE_EVIDENCE, TileEdgeMeasurement, Unknown
from rlx_sched.occupancy.selection import rank
from rlx_sched.passes.options import OccupancyPass
from rlx_sched.search_space import groups
from rlx_sched.sources.sched import KernelSchedule


@dataclass(frozen=True)
class SchedRank(OccupancyPass):
    """Order the candidates of every search space, best first, as far as the model can tell.

    Only rotations of one schedule are compared. The faster ones come first, by falling ratio; then what is too close
    to call and what has one stage, in source order; then the slower ones, by falling ratio; last what does not fit in
    threadgroup memory. If the model knows nothing of one of them, they keep their order. The places that the rotations
    of one schedule have in the space stay theirs: schedules with other tiles are never compared, and a warning says so.
    """

    name = "sched-rank"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Reorder the kernels in every `sched.candidates` of `op`."""
        assessor = self.assessor()
        for space in [inner for inner in op.walk() if isinstance(inner, CandidatesOp)]:
            members = groups(space)
            for kernel in space.kernels():
                self.explained(KernelSchedule(kernel), assessor)
            if len(members) > 1:
                _warn_about_tiles(space, len(members))
            ranked = {
                kernel: better
                for group in members
                for kernel, better in zip(group, _rank(group, assessor), strict=True)
            }
            order = [ranked[kernel] for kernel in space.kernels()]
            block = space.body.block
            for kernel in order:
                kernel.detach()
            block.add_ops(order)


def _rank(group: list[KernelOp], assessor: Assessor) -> list[KernelOp]:
    """The kernels of one group, best first."""
    judged = [(kernel, assessor.assess(KernelSchedule(kernel))) for kernel in group]
    if any(isinstance(assessment.verdict, Unknown) for _, assessment in judged):
        return group
    # `sorted` is stable: equal keys stay in source order.
    ranked = sorted(judged, key=lambda pair: rank(pair[1].verdict, pair[1].bytes_over_limit))
    return [kernel for kernel, _ in ranked]


def _warn_about_tiles(space: CandidatesOp, count: int) -> None:
    """Say that schedules with other buffers are not compared, and show what happens where they are."""
    emit(
        Diagnostic(
            Severity.WARNING,
            f"the candidates of '@{space.sym_name.data}' are rotations of {count} different schedules; the model "
            "prices threadgroup memory alone, so only rotations of one schedule are ranked against each other",
            space,
            tuple(_describe(row) for row in TILE_EDGE_EVIDENCE),
        )
    )


def _describe(row: TileEdgeMeasurement) -> str:
    """One measured tile edge in a sentence: what the bytes alone would predict, and what was measured."""
    (small_low, small_high), (large_low, large_high) = row.small_m, row.large_m
    return (
        f"on {row.chip} a tile edge of {row.tile} ({row.baseline_bytes} -> {row.bytes} bytes) would be predicted at "
        f"{row.predicted:.3f} and measured {row.relative:.3f}: {small_low:.2f} to {small_high:.2f} for m < 32, "
        f"{large_low:.2f} to {large_high:.2f} for larger m"
    )
