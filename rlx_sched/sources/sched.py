"""Schedules written in the `sched` dialect.

Changing the stages of a `sched.kernel` changes a decision about a schedule; there is no program to be kept right.
"""

from collections.abc import Iterator

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Operation

from rlx_sched.dialect.attributes import Bytes
from rlx_sched.dialect.data_layout import index_bits
from rlx_sched.dialect.layout import Buffer, Placement, footprint, place
from rlx_sched.dialect.sched import BufferOp, KernelOp
from rlx_sched.dialect.type_sizes import memref_size
from rlx_sched.sources.schedule import Schedule, Source


def kernel_buffers(kernel: KernelOp) -> list[Buffer]:
    """The threadgroup allocations of `kernel`, sized.

    Raises:
        NoFootprint: when the size of one is not known.
    """
    bits = index_bits(kernel)
    return [_sized(buffer, phase, bits) for buffer, phase in kernel.buffers()]


def _sized(buffer: BufferOp, phase: int | None, bits: int) -> Buffer:
    size, alignment = memref_size(buffer.type, bits)
    return Buffer(
        size,
        alignment if buffer.alignment is None else buffer.alignment.value.data,
        rotating=buffer.rotating is not None,
        slots_offset=0 if buffer.slots is None else buffer.slots.data,
        dynamic=buffer.dynamic is not None,
        phase=phase,
        name=buffer.sym_name.data,
    )


class KernelSchedule(Schedule):
    """The schedule that a `sched.kernel` is."""

    def __init__(self, op: KernelOp):
        self.op = self.kernel = op
        self.name = op.sym_name.data
        self.stages = op.stage_count

    def footprint(self, stages: int) -> Bytes:
        """The end of the last buffer, by the dialect's layout rules."""
        return Bytes(footprint(kernel_buffers(self.kernel), stages))

    def placements(self, stages: int) -> list[Placement]:
        """The buffers by the dialect's layout rules."""
        return place(kernel_buffers(self.kernel), stages)

    def restage(self, stages: int) -> None:
        """Set `stages`."""
        self.kernel.stages = IntegerAttr(stages, i64)
        self.stages = stages


class SchedSource(Source):
    """Every `sched.kernel`, wherever it is."""

    name = "sched"

    def schedules(self, module: Operation) -> Iterator[Schedule]:
        """All kernels of the module, those in search spaces too."""
        for region in module.regions:
            for block in region.blocks:
                for op in block.ops:
                    if isinstance(op, KernelOp):
                        yield KernelSchedule(op)
                    elif op.regions:
                        yield from self.schedules(op)
