"""Schedules written in the `sched` dialect.

Changing the stages of a `sched.kernel` changes a decision about a schedule; there is no program to be kept right.
"""

from collections.abc import Iterator
from functools import cache, cached_property

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Attribute, Operation

from rlx_sched.dialect.attributes import Bytes
from rlx_sched.dialect.data_layout import data_layout
from rlx_sched.dialect.layout import Buffer, Placement, footprint, place
from rlx_sched.dialect.sched import BufferOp, KernelOp
from rlx_sched.dialect.type_sizes import DataLayout, memref_size
from rlx_sched.sources.schedule import Schedule, Source


class _Layouts:
    """Sizes of buffer types and footprints of buffer lists, each worked out once: kernels share them."""

    def __init__(self) -> None:
        # Comparing attributes costs more than sizing buffers: they go by their identity, and are kept alive for it.
        self._buffers: dict[tuple[object, ...], tuple[Buffer, tuple[Attribute, ...]]] = {}
        self._footprints: dict[tuple[int, tuple[Buffer, ...]], Bytes] = {}

    def buffer(self, op: BufferOp, phase: int | None, layout: DataLayout) -> Buffer:
        """The buffer that `op` declares in IR of this data `layout`.

        Raises:
            NoFootprint: when the size of its type is not known.
        """
        properties = op.properties
        key = (phase, layout, *properties, *map(id, properties.values()))
        known = self._buffers.get(key)
        if known is None:
            known = self._buffers[key] = (_buffer(op, phase, layout), tuple(properties.values()))
        return known[0]

    def footprint(self, buffers: tuple[Buffer, ...], stages: int) -> Bytes:
        """The bytes that `buffers` take with `stages` stages.

        Raises:
            NoFootprint: when there is no such number.
        """
        known = self._footprints.get((stages, buffers))
        if known is None:
            known = self._footprints[stages, buffers] = Bytes(footprint(buffers, stages))
        return known


def _buffer(op: BufferOp, phase: int | None, layout: DataLayout) -> Buffer:
    size, alignment = memref_size(op.type, layout)
    return Buffer(
        size,
        alignment if op.alignment is None else op.alignment.value.data,
        rotating=op.rotating is not None,
        slots_offset=0 if op.slots is None else op.slots.data,
        dynamic=op.dynamic is not None,
        phase=phase,
        name=op.sym_name.data,
    )


@cache
def _stages(count: int) -> IntegerAttr:
    """The property `stages`; the kernels of a module share it."""
    return IntegerAttr(count, i64)


class KernelSchedule(Schedule):
    """The schedule that a `sched.kernel` is."""

    def __init__(self, op: KernelOp, layouts: _Layouts | None = None):
        self.op = self.kernel = op
        self.name = op.sym_name.data
        self.stages = op.stage_count
        self._layouts = layouts or _Layouts()

    @cached_property
    def buffers(self) -> tuple[Buffer, ...]:
        """The threadgroup allocations, sized.

        Raises:
            NoFootprint: when the size of one is not known.
        """
        layout = data_layout(self.kernel)
        return tuple([self._layouts.buffer(buffer, phase, layout) for buffer, phase in self.kernel.buffers()])

    def footprint(self, stages: int) -> Bytes:
        """The end of the last buffer, by the dialect's layout rules."""
        return self._layouts.footprint(self.buffers, stages)

    def placements(self, stages: int) -> list[Placement]:
        """The buffers by the dialect's layout rules."""
        return place(self.buffers, stages)

    def restage(self, stages: int) -> None:
        """Set `stages`."""
        self.kernel.stages = _stages(stages)
        self.stages = stages


class SchedSource(Source):
    """Every `sched.kernel`, wherever it is."""

    name = "sched"

    def schedules(self, module: Operation) -> Iterator[Schedule]:
        """All kernels of the module, those in search spaces too."""
        return self._schedules(module, _Layouts())

    def _schedules(self, module: Operation, layouts: _Layouts) -> Iterator[Schedule]:
        for region in module.regions:
            for block in region.blocks:
                for op in block.ops:
                    if isinstance(op, KernelOp):
                        yield KernelSchedule(op, layouts)
                    elif op.regions:
                        yield from self._schedules(op, layouts)
