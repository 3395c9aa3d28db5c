"""Schedules written in the `sched` dialect.

Changing the stages of a `sched.kernel` changes a decision about a schedule; there is no program to be kept right.
"""

from collections.abc import Iterator
from functools import cached_property

from xdsl.dialects.builtin import IntegerAttr, MemRefType, i64
from xdsl.ir import Attribute, Operation

from rlx_sched.dialect.attributes import Bytes
from rlx_sched.dialect.data_layout import index_bits
from rlx_sched.dialect.layout import Buffer, Placement, footprint, place
from rlx_sched.dialect.sched import BufferOp, KernelOp
from rlx_sched.dialect.type_sizes import TypeSize, memref_size
from rlx_sched.sources.schedule import Schedule, Source


class TypeSizes:
    """Sizes of buffer types, worked out once for each: the kernels of a module share their types."""

    def __init__(self) -> None:
        # Comparing types costs more than sizing them, so they are told apart by identity, and kept alive for it.
        self._known: dict[tuple[int, int], tuple[Attribute, TypeSize]] = {}

    def of(self, type: MemRefType[Attribute], bits: int) -> TypeSize:
        """Size and alignment of `type` where `index` has `bits` bits.

        Raises:
            NoFootprint: when they are not known.
        """
        found = self._known.get((id(type), bits))
        if found is None:
            found = self._known[id(type), bits] = (type, memref_size(type, bits))
        return found[1]


def _sized(buffer: BufferOp, phase: int | None, sizes: TypeSizes, bits: int) -> Buffer:
    size, alignment = sizes.of(buffer.type, bits)
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

    def __init__(self, op: KernelOp, sizes: TypeSizes | None = None):
        self.op = self.kernel = op
        self.name = op.sym_name.data
        self.stages = op.stage_count
        self._sizes = sizes or TypeSizes()
        self._footprints: dict[int, Bytes] = {}

    @cached_property
    def buffers(self) -> list[Buffer]:
        """The threadgroup allocations, sized.

        Raises:
            NoFootprint: when the size of one is not known.
        """
        bits = index_bits(self.kernel)
        return [_sized(buffer, phase, self._sizes, bits) for buffer, phase in self.kernel.buffers()]

    def footprint(self, stages: int) -> Bytes:
        """The end of the last buffer, by the dialect's layout rules."""
        if stages not in self._footprints:
            self._footprints[stages] = Bytes(footprint(self.buffers, stages))
        return self._footprints[stages]

    def placements(self, stages: int) -> list[Placement]:
        """The buffers by the dialect's layout rules."""
        return place(self.buffers, stages)

    def restage(self, stages: int) -> None:
        """Set `stages`."""
        self.kernel.stages = IntegerAttr(stages, i64)
        self.stages = stages


class SchedSource(Source):
    """Every `sched.kernel`, wherever it is."""

    name = "sched"

    def schedules(self, module: Operation) -> Iterator[Schedule]:
        """All kernels of the module, those in search spaces too."""
        return self._schedules(module, TypeSizes())

    def _schedules(self, module: Operation, sizes: TypeSizes) -> Iterator[Schedule]:
        for region in module.regions:
            for block in region.blocks:
                for op in block.ops:
                    if isinstance(op, KernelOp):
                        yield KernelSchedule(op, sizes)
                    elif op.regions:
                        yield from self._schedules(op, sizes)
