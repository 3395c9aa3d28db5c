"""Kernels of MLIR's own `gpu`, `memref` and `scf` dialects.

A kernel is the `gpu.func`, else the `gpu.launch`, else the function around block-level IR. Its threadgroup memory is
everything in the workgroup address space that it allocates or reaches: `memref.alloc` and `memref.alloca`, workgroup
attributions, `memref.global`, what the functions that it calls or names allocate, what is made around a launch and gets
to it (`around`), and the dynamic memory of its launches.

Every allocation is live throughout the kernel, as it is where upstream lowers it to globals of the workgroup address
space. `memref.dealloc` ends nothing there, and no two allocations are ever laid over each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from xdsl.dialects.builtin import DYNAMIC_INDEX, DictionaryAttr, FunctionType, IntegerAttr, MemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from rlx_sched.dialect.attributes import Bound, Bytes
from rlx_sched.dialect.data_layout import data_layout
from rlx_sched.dialect.layout import Buffer, NoFootprint, Placement, footprint, place
from rlx_sched.dialect.type_sizes import DataLayout, memref_size
from rlx_sched.ir.access import (
    attribute,
    dense_array,
    dense_i64_array,
    elements,
    integer,
    op_name,
    symbol_name,
    symbol_ref,
    text,
)
from rlx_sched.ir.verbatim import VerbatimType
from rlx_sched.sources.around import HANDED, KERNELS, Around, holder
from rlx_sched.sources.multibuffer import take_out_slots
from rlx_sched.sources.reached import MOST_REACHED, reached
from rlx_sched.sources.rotation import constant, memref_type, with_slots
from rlx_sched.sources.schedule import CannotRestage, Schedule, Source
from rlx_sched.sources.slot_counter import SlotCounter

WORKGROUP_SPACES = ("#gpu.address_space<workgroup>", "#spirv.storage_class<Workgroup>")
"""How dialects spell the workgroup address space in a memref type."""

WORKGROUP_SPACE_NUMBER = 3
"""The number of that address space in NVVM, ROCDL and SPIR-V."""

_VERBATIM_WORKGROUP = re.compile(
    rf", *({'|'.join(map(re.escape, WORKGROUP_SPACES))}|{WORKGROUP_SPACE_NUMBER}( : i\d+)?)>$"
)

LAUNCH_ARGUMENTS = 12
"""Arguments of a `gpu.launch` body before its attributions: block and thread ids, grid and block sizes, by axis."""

CLUSTER_ARGUMENTS = 6
"""The further ones of a launch with clusters: cluster ids and sizes."""

_DYNAMIC_SIZE_SEGMENT = 10
"""Which group of operands of `gpu.launch` and `gpu.launch_func` is the size of dynamic memory."""

_CLUSTER_SEGMENT = 7
"""The first group of operands that is there only in launches with clusters."""

_SYMBOLS = ("func.func", "gpu.func", "gpu.module", "memref.global")
_ALLOCATIONS = ("memref.alloc", "memref.alloca")
_DYNAMIC = "gpu.dynamic_shared_memory"
_GLOBAL = "memref.get_global"
_ADDRESS = "func.constant"
_MADE = (*_ALLOCATIONS, _DYNAMIC, _GLOBAL, _ADDRESS)
"""What gives threadgroup memory, or the function that has it, to those who use its result."""

_COLLECTED = frozenset((*KERNELS, *_SYMBOLS, *_MADE, "func.call", "gpu.launch_func"))


def in_workgroup_memory(type: Attribute) -> bool:
    """Whether `type` is a memref in the workgroup address space."""
    if isinstance(type, MemRefType):
        space = type.memory_space
        if isinstance(space, IntegerAttr):
            return space.value.data == WORKGROUP_SPACE_NUMBER
        return str(space) in WORKGROUP_SPACES
    return isinstance(type, VerbatimType) and _VERBATIM_WORKGROUP.search(type.data) is not None


@dataclass(slots=True)
class Allocation:
    """A piece of threadgroup memory.

    `op` makes it: an allocation, a `memref.global`, or the kernel whose attribution it is. It is reached through
    `values`. `slots` is how many slots it rotates through; None where that is not seen.
    """

    op: Operation
    type: Attribute
    values: tuple[SSAValue, ...]
    alignment: int | None = None
    slots: int | None = 1
    is_addressed: bool = False
    """Whether it is used by address: its slots can then not be seen."""

    users: int = 0
    """How many kernels use it."""

    def buffer(self, stages: int, layout: DataLayout) -> Buffer:
        """Size and alignment with at most `stages` slots, in IR of this data `layout`.

        Raises:
            NoFootprint: when the size of its type is not known.
        """
        type = memref_type(self.type)
        if type is None:
            raise NoFootprint(f"the size of {text(self.type)} is not known")
        if (self.slots or 1) > stages:
            type = with_slots(type, stages)
        size, alignment = memref_size(type, layout)
        return Buffer(size, alignment if self.alignment is None else self.alignment)


@dataclass(slots=True)
class _Kernel:
    """A kernel while its memory is gathered."""

    op: Operation
    allocations: list[Allocation] = field(default_factory=list[Allocation])
    launches: list[Operation] = field(default_factory=list[Operation])
    uses_dynamic_memory: bool = False
    unknown: str | None = None
    uncounted: str | None = None


class KernelSchedule(Schedule):
    """A kernel of upstream MLIR, and how its buffers rotate."""

    def __init__(self, kernel: _Kernel, name: str):
        allocations = kernel.allocations
        self.op = kernel.op
        self.name = name
        self.allocations = allocations
        self.dynamic = _dynamic_memory(kernel)
        self.uncounted = kernel.uncounted
        self.stages = max((allocation.slots or 1 for allocation in allocations), default=1)
        self.unknown = kernel.unknown
        if any(allocation.slots is None for allocation in allocations):
            self.unknown = "a loop goes through a buffer in a way that does not show its slots"
        if any(allocation.is_addressed for allocation in allocations):
            self.unknown = "its threadgroup memory is reached by computed addresses, which do not show its slots"

    def footprint(self, stages: int) -> Bytes:
        """The end of the last buffer, each in the order in which it is declared and aligned as its type or itself says.

        Of a kernel whose dynamic memory differs from launch to launch it is a bound.
        """
        buffers = self._buffers(stages)
        if not buffers and self.dynamic.bound is not Bound.EXACT:
            raise NoFootprint("the size of its dynamic threadgroup memory is not known")
        return Bytes(footprint(buffers, 1), self.dynamic.bound)

    def baseline(self) -> Bytes:
        """The footprint with one stage; of a buffer whose slots are not seen one may be a part only."""
        found = self.footprint(1)
        unseen = any(allocation.slots is None for allocation in self.allocations)
        return Bytes(found.count, Bound.AT_MOST) if unseen and found.bound is Bound.EXACT else found

    def placements(self, stages: int) -> list[Placement] | None:
        """The buffers in declaration order, dynamic memory last; None where that differs from launch to launch."""
        if self.dynamic.bound is not Bound.EXACT:
            return None
        # All slots of a buffer were laid out as one; here it says how many there are.
        slots = [allocation.slots or 1 for allocation in self.allocations] + [1] * bool(self.dynamic.count)
        return [
            placed._replace(buffer=replace(placed.buffer, rotating=count > 1, slots_offset=min(count, stages) - stages))
            for placed, count in zip(place(self._buffers(stages), 1), slots, strict=True)
        ]

    def _buffers(self, stages: int) -> list[Buffer]:
        if self.uncounted is not None:
            raise NoFootprint(self.uncounted)
        layout = data_layout(self.op)
        buffers = [allocation.buffer(stages, layout) for allocation in self.allocations]
        if self.dynamic.count:
            buffers.append(Buffer(self.dynamic.count, dynamic=True))
        return buffers

    def restage(self, stages: int) -> None:
        """Take slots out of every buffer that has more than `stages`; `rotation_safety` says when that is safe."""
        rotating = [(allocation, slots) for allocation in self.allocations if (slots := allocation.slots or 1) > stages]
        for allocation, _ in rotating:
            if allocation.users > 1:
                raise CannotRestage("shared-by-kernels", "other kernels use one of its buffers too")
            if op_name(allocation.op) == "memref.global":
                raise CannotRestage("unsupported-allocation", "one of its buffers is a memref.global")
        buffers = [(allocation.values[0], slots) for allocation, slots in rotating]
        for (allocation, _), value in zip(rotating, take_out_slots(self.op, buffers, stages), strict=True):
            allocation.values = (value,)
            allocation.type = value.type
            allocation.slots = stages
        self.stages = stages


class UpstreamSource(Source):
    """Kernels in the `gpu`, `memref` and `scf` dialects, before and after outlining."""

    name = "upstream"

    def schedules(self, module: Operation) -> Iterator[Schedule]:
        """The kernels with threadgroup memory."""
        scan = _Scan(module)
        for kernel in scan.kernels():
            yield KernelSchedule(kernel, scan.name(kernel.op))


class _Scan:
    """The kernels of a module and what they allocate, found in one walk."""

    def __init__(self, module: Operation):
        self.ops: dict[str, list[Operation]] = {name: [] for name in _COLLECTED}
        self.symbols: dict[tuple[Operation | None, str | None], Operation] = {}
        self.order: dict[Operation, int] = {}
        self.found: dict[Operation, _Kernel] = {}
        self.slots = SlotCounter()
        # The launches of each function, numbered from 1 in source order.
        self.launches: dict[Operation | None, dict[Operation, int]] = {}
        for op in module.walk():
            name = op_name(op)
            # Nothing has verified opaque operations: one without its region or result is passed over.
            collected = name in _COLLECTED and not (
                (name in KERNELS and not op.regions) or (name in _MADE and not op.results)
            )
            if op.regions or collected:
                self.order[op] = len(self.order)
            if collected:
                self.ops[name].append(op)
                if name in _SYMBOLS:
                    self.symbols[op.parent_op(), symbol_name(op)] = op

    def kernels(self) -> list[_Kernel]:
        """The kernels with threadgroup memory, in source order."""
        for op in (*self.ops["gpu.func"], *self.ops["gpu.launch"]):
            self._add(op, _attributions(op, self.slots))
        for op in self.ops["gpu.launch"]:
            launches = self.launches.setdefault(holder(op.parent_op()), {})
            launches[op] = len(launches) + 1
        self.around = Around(self._made_around(), self._arguments(), self._symbol, self.launches)
        for op, reason in self.around.uncounted.items():
            self._kernel(op).uncounted = reason
        for op in (op for name in _ALLOCATIONS for op in self.ops[name]):
            self._allocation(op)
        self._globals()
        self._dynamic_memory()
        self._calls()
        self._launches()
        for kernel in self.found.values():
            if op_name(kernel.op) == "gpu.func" and any(map(in_workgroup_memory, _inputs(kernel.op))):
                kernel.uncounted = kernel.uncounted or HANDED
            # A global is that of each function which names it, and a kernel has what the functions have that it calls.
            allocations = {id(allocation): allocation for allocation in kernel.allocations}.values()
            kernel.allocations = sorted(allocations, key=lambda allocation: self.order[allocation.op])
            for allocation in kernel.allocations:
                allocation.users += 1
        return sorted(self.found.values(), key=lambda kernel: self.order[kernel.op])

    def name(self, kernel: Operation) -> str:
        """The symbol of the kernel; of a launch, that of the function around it, numbered where that has several."""
        if op_name(kernel) != "gpu.launch":
            return symbol_name(kernel) or ""
        function = holder(kernel.parent_op())
        name = (function and symbol_name(function)) or "launch"
        launches = self.launches.get(function, {})
        return name if len(launches) <= 1 else f"{name} (launch {launches[kernel]})"

    def _add(self, kernel: Operation, allocations: Sequence[Allocation]) -> None:
        if allocations:
            self._kernel(kernel).allocations.extend(allocations)

    def _kernel(self, op: Operation) -> _Kernel:
        return self.found.setdefault(op, _Kernel(op))

    def _symbol(self, op: Operation, reference: Attribute | None) -> Operation | None:
        """What `reference` means at `op`, if it is of a collected kind."""
        path = symbol_ref(reference)
        if path is None:
            return None
        table = op.parent_op()
        while table is not None and (table, path[0]) not in self.symbols:
            table = table.parent_op()
        for name in path:
            table = self.symbols.get((table, name))
        return table

    def _made_around(self) -> Iterator[Operation]:
        """What makes memory, or names functions, outside of kernels."""
        if not self.ops["gpu.launch"] and not self.ops["gpu.launch_func"]:
            return
        for op in (op for name in _MADE for op in self.ops[name]):
            around = holder(op)
            followed = op_name(op) in (_ADDRESS, _DYNAMIC) or in_workgroup_memory(op.results[0].type)
            if followed and around is not None and op_name(around) not in KERNELS:
                yield op

    def _arguments(self) -> Iterator[SSAValue]:
        """The threadgroup memory that functions with launches are handed."""
        for function in self.launches:
            body = function.regions[0].first_block if function is not None and function.regions else None
            yield from () if body is None else (value for value in body.args if in_workgroup_memory(value.type))

    def _users(self, op: Operation) -> Sequence[Operation]:
        """The kernels that use what `op` makes, else the kernel or the function around it."""
        if self.around.leads_to_a_kernel(op):
            return self.around.kernels.get(op, ())
        return _around(op)

    def _allocation(self, op: Operation) -> None:
        """Give what `op` allocates to the kernels that use it."""
        value = op.results[0]
        users = self._users(op) if in_workgroup_memory(value.type) else ()
        if users:
            allocation = _found(op, value.type, (value,), attribute(op, "alignment"), self.slots)
            for kernel in users:
                self._add(kernel, (allocation,))

    def _globals(self) -> None:
        """Give each workgroup global to the kernels that name it, or use what names it around them."""
        named: dict[Operation, list[Operation]] = {}
        for op in self.ops[_GLOBAL]:
            if in_workgroup_memory(op.results[0].type):
                declaration = self._symbol(op, attribute(op, "name"))
                if declaration is not None and op_name(declaration) == "memref.global":
                    named.setdefault(declaration, []).append(op)
        for declaration, ops in named.items():
            values = tuple(op.results[0] for op in ops)
            type = attribute(declaration, "type") or values[0].type
            allocation = _found(declaration, type, values, attribute(declaration, "alignment"), self.slots)
            for kernel in dict.fromkeys(user for op in ops for user in self._users(op)):
                self._add(kernel, (allocation,))

    def _calls(self) -> None:
        """Give what a device function allocates to the kernels that call it; it is then no kernel itself."""
        callees: dict[Operation, dict[Operation, None]] = {}
        callers: dict[Operation, dict[Operation, None]] = {}
        calls = [(call, "callee", _around(call)) for call in self.ops["func.call"]]
        # Whoever has the address of a function may call it.
        calls += [(op, "value", self._users(op)) for op in self.ops[_ADDRESS]]
        for call, key, users in calls:
            callee = self._symbol(call, attribute(call, key))
            if callee is None:
                continue
            for caller in users:
                callees.setdefault(caller, {})[callee] = None
                callers.setdefault(callee, {})[caller] = None
        kernels = (*self.ops["gpu.func"], *self.ops["gpu.launch"])
        called = {callee: None for kernel in kernels for callee in callees.get(kernel, ()) if callee is not kernel}
        pending = list(called)
        for function in pending:
            new = [callee for callee in callees.get(function, ()) if callee not in called]
            called.update(dict.fromkeys(new))
            pending += new
        functions = {function: self.found[function] for function in called if function in self.found}
        for function in functions:
            del self.found[function]
        by_calls = reached(
            ((function, caller) for function in functions for caller in callers.get(function, ())),
            lambda function: callers.get(function, ()),
        )
        for kernel in kernels:
            if kernel in by_calls and kernel not in called:
                self._call(self._kernel(kernel), [functions[function] for function in by_calls[kernel]])

    def _call(self, kernel: _Kernel, functions: Sequence[_Kernel]) -> None:
        """Give `kernel` what the functions have that it calls."""
        if max(len(functions), sum(len(function.allocations) for function in functions)) > MOST_REACHED:
            kernel.uncounted = f"it calls functions with more than {MOST_REACHED} buffers in threadgroup memory"
            return
        for function in functions:
            kernel.allocations += function.allocations
            kernel.uses_dynamic_memory |= function.uses_dynamic_memory
            kernel.unknown = kernel.unknown or function.unknown

    def _dynamic_memory(self) -> None:
        """Note which kernels use dynamic memory, and whether they rotate through slots in it."""
        for op in self.ops[_DYNAMIC]:
            views = [view for use in op.results[0].uses for view in use.operation.results]
            rotates = any(self.slots.count(view.type, (view,)) != 1 for view in views)
            for kernel in map(self._kernel, self._users(op)):
                kernel.uses_dynamic_memory = True
                if rotates:
                    kernel.unknown = "it rotates through slots in dynamic threadgroup memory, sized at its launch"

    def _launches(self) -> None:
        """Give kernels their launches, which may add dynamic memory."""
        for launch in (*self.ops["gpu.launch"], *self.ops["gpu.launch_func"]):
            op = launch if op_name(launch) == "gpu.launch" else self._symbol(launch, attribute(launch, "kernel"))
            if op is not None and (op in self.found or _dynamic_size(launch) is not None):
                self._kernel(op).launches.append(launch)


def _around(op: Operation) -> Sequence[Operation]:
    """The kernel or function around `op`, if there is one."""
    around = holder(op)
    return () if around is None else (around,)


def _found(
    op: Operation, type: Attribute, values: tuple[SSAValue, ...], alignment: Attribute | None, slots: SlotCounter
) -> Allocation:
    """The allocation of `type` that `op` makes, with what its uses say of it."""
    is_addressed = any(map(_is_addressed, values))
    return Allocation(op, type, values, integer(alignment), slots.count(type, values), is_addressed)


def _is_addressed(buffer: SSAValue) -> bool:
    """Whether `buffer` is used by address, as `expand-strided-metadata` leaves it."""
    for use in buffer.uses:
        op = use.operation
        name = op_name(op)
        if name in ("memref.extract_strided_metadata", "memref.extract_aligned_pointer_as_index"):
            return True
        if name == "memref.reinterpret_cast":
            offsets = dense_i64_array(attribute(op, "static_offsets"))
            if offsets is None or DYNAMIC_INDEX in offsets:
                return True
    return False


def _inputs(kernel: Operation) -> Sequence[Attribute]:
    """The types of the arguments of a `gpu.func`, without its attributions."""
    type = attribute(kernel, "function_type")
    return type.inputs.data if isinstance(type, FunctionType) else ()


def attribution_arguments(kernel: Operation) -> Sequence[SSAValue]:
    """The arguments of the body of a `gpu.func` or `gpu.launch` that are workgroup attributions, after all others."""
    count = integer(attribute(kernel, "workgroup_attributions")) or 0
    block = kernel.regions[0].first_block
    if count <= 0 or block is None:
        return ()
    if op_name(kernel) == "gpu.func":
        first = len(_inputs(kernel))
    else:
        segments = dense_array(attribute(kernel, "operandSegmentSizes"))
        clusters = segments is not None and len(segments) > _CLUSTER_SEGMENT and segments[_CLUSTER_SEGMENT] > 0
        first = LAUNCH_ARGUMENTS + (CLUSTER_ARGUMENTS if clusters else 0)
    return block.args[first : first + count]


def _attributions(kernel: Operation, slots: SlotCounter) -> list[Allocation]:
    """The workgroup attributions of a `gpu.func` or `gpu.launch`."""
    alignments = elements(attribute(kernel, "workgroup_attrib_attrs")) or ()
    allocations: list[Allocation] = []
    for position, value in enumerate(attribution_arguments(kernel)):
        attributes = alignments[position] if position < len(alignments) else None
        alignment = attributes.data.get("llvm.align") if isinstance(attributes, DictionaryAttr) else None
        allocations.append(_found(kernel, value.type, (value,), alignment, slots))
    return allocations


def _dynamic_size(launch: Operation) -> SSAValue | None:
    """The operand that gives the bytes of dynamic threadgroup memory of a launch, if it has one."""
    segments = dense_array(attribute(launch, "operandSegmentSizes"))
    if segments is None or len(segments) <= _DYNAMIC_SIZE_SEGMENT or not segments[_DYNAMIC_SIZE_SEGMENT]:
        return None
    return launch.operands[sum(segments[:_DYNAMIC_SIZE_SEGMENT])]


def _dynamic_memory(kernel: _Kernel) -> Bytes:
    """The dynamic threadgroup memory of a kernel: exact if all its launches agree, else what bounds them.

    A negative number is kept, for which no layout is found.
    """
    operands = [_dynamic_size(launch) for launch in kernel.launches]
    sizes = [0 if operand is None else constant(operand) for operand in operands]
    known = [size for size in sizes if size is not None]
    if not sizes:
        return Bytes(0, Bound.AT_LEAST if kernel.uses_dynamic_memory else Bound.EXACT)
    if min(known, default=0) < 0:
        return Bytes(min(known))
    if len(known) < len(sizes):
        return Bytes(0, Bound.AT_LEAST)
    return Bytes(max(known), Bound.EXACT if min(known) == max(known) else Bound.AT_MOST)
