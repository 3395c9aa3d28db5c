"""Kernels of the Triton compiler.

In TTGIR every tile in shared memory is a `ttg.local_alloc`. Pipelining has given those that rotate a leading dimension
of slots by then, and the loop loads into one slot while it reads another: that cannot be undone here, only in the
launch option `num_stages`. In TTIR (and in TTGIR before pipelining) a loop of `tl.range(num_stages=n)` carries
`tt.num_stages`, and changing it changes what pipelining will do.

Before allocation the bytes are not the sum of the allocations. Tiles that are not live at once share memory, and some
operations need scratch memory of their own. `triton_allocation` has the first exactly. The second depends on layouts
in ways that change from version to version, so scratch memory is bounded: where no size within the bounds changes the
sum, the footprint is exact, and otherwise it is `about`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import prod

from xdsl.ir import Block, Operation, SSAValue

from rlx_sched.dialect.attributes import Bound, Bytes
from rlx_sched.dialect.layout import MAX_BYTES, NoFootprint
from rlx_sched.dialect.type_sizes import scalar_bits, spelled_type
from rlx_sched.ir.access import attribute, integer, op_name, symbol_name, symbol_ref, text
from rlx_sched.sources.schedule import CannotRestage, Schedule, Source
from rlx_sched.sources.triton_allocation import LiveBuffer, pack
from rlx_sched.sources.triton_layouts import scratch
from rlx_sched.sources.triton_loops import STAGES, LoopSchedule, setting

_MEMDESC = re.compile(r"!ttg\.memdesc<((?:\d{1,18}x)+)([\w.]+), (.*)>")
_PADDED = re.compile(r"#ttg\.padded_shared<\[([^\]]*)\]")
_PADDING = re.compile(r"(\d+):\+(\d+)")
_SWIZZLING = re.compile(r"#ttg\.nvmma_shared<\{swizzlingByteWidth = (\d+)")

_ALIGNMENT = 16
"""Alignment of a tile in bytes, unless it or its layout says otherwise."""

_SWIZZLED_ROWS = 8
"""Rows after which the pattern of `nvmma_shared` repeats; its tiles are aligned to that."""

_SCRATCH_ALIGNMENT = 128
"""Alignment of scratch memory, in bytes."""

_SCRATCH_HALVINGS = 12
"""How often the bounds of scratch memory are halved to see whether something between them changes the sum."""

_MOST_BUFFERS = 256
"""Triton's method takes cubic time. Kernels have a dozen buffers; this many take a second."""

SHARED = "ttg.shared"
"""The attribute in which Triton notes on a module how many bytes of shared memory its kernels take, once it knows."""

_LOOP_BOUNDS = 3
"""Operands of `scf.for` before the ones it carries."""

_ADVICE = "compile the kernel with num_stages=1, or its loop with tl.range(..., num_stages=1)"


class _Tile:
    """A `ttg.local_alloc`: what it takes and when it is live.

    Raises:
        NoFootprint: when the size of its type is not known.
    """

    def __init__(self, op: Operation, lifetimes: _Lifetimes):
        value = op.results[0]
        match = _MEMDESC.fullmatch(text(value.type))
        if match is None:
            raise NoFootprint(f"the size of {text(value.type)} is not known")
        self.shape = tuple(int(size) for size in match[1].split("x")[:-1])
        self.element_bits = max(scalar_bits(spelled_type(match[2])), 8)
        self.encoding = match[3]
        swizzling = _SWIZZLING.match(self.encoding)
        by_layout = max(_SWIZZLED_ROWS * int(swizzling[1]), _SCRATCH_ALIGNMENT) if swizzling else _ALIGNMENT
        self.alignment = integer(attribute(op, "alignment")) or by_layout
        if self.alignment < 1 or self.alignment & (self.alignment - 1):
            raise NoFootprint(f"a tile has the alignment {self.alignment}, expected a power of two")
        self.slots = _slots(op)
        self.start, self.end = lifetimes.of(value)

    def live_buffer(self, stages: int) -> LiveBuffer:
        """The tile with at most `stages` slots."""
        elements = prod(self.shape) // self.slots * min(self.slots, stages)
        padded = _PADDED.match(self.encoding)
        count = elements
        for interval, padding in _PADDING.findall(padded[1]) if padded else ():
            # Nothing follows the last element, so nothing is put there.
            count += (elements - 1) // int(interval) * int(padding)
        return LiveBuffer(count * self.element_bits // 8, self.alignment, self.start, self.end)


class _Lifetimes:
    """When the operations of a function run, in Triton's own numbering: inner operations before the one around them."""

    def __init__(self, function: Operation):
        self.numbers: dict[Operation, int] = {}
        self._number(function)

    def _number(self, op: Operation) -> None:
        for region in op.regions:
            for block in region.blocks:
                for inner in block.ops:
                    self._number(inner)
        self.numbers[op] = len(self.numbers)

    def of(self, value: SSAValue) -> tuple[int, int]:
        """From when to just before when the memory behind `value` is in use, under any name."""
        spans = [self._of_name(name) for name in _aliases(value)]
        return min(start for start, _ in spans), max(end for _, end in spans)

    def _of_name(self, value: SSAValue) -> tuple[int, int]:
        owner = value.owner
        block = owner if isinstance(owner, Block) else owner.parent
        first = owner.first_op if isinstance(owner, Block) else owner
        if first is None or block is None:
            raise NoFootprint("how long its tiles are live is not known")
        start = self.numbers[first]
        uses = [block.find_ancestor_op_in_block(use.operation) for use in value.uses]
        if None in uses:
            raise NoFootprint("how long its tiles are live is not known: it branches between blocks")
        return start, 1 + max([start, *(self.numbers[use] for use in uses if use is not None)])


def _aliases(value: SSAValue) -> list[SSAValue]:
    """`value` and everything that names the same memory: views of it, and what loops and conditions make of it.

    Raises:
        NoFootprint: where it is handed to an operation whose regions are not understood.
    """
    found, seen = [value], {value}
    for name in found:
        for use in name.uses:
            op, index = use.operation, use.index
            others: Sequence[SSAValue] = [result for result in op.results if _is_memory(result)]
            if op_name(op) == "scf.for":
                others = _carried(op, index - _LOOP_BOUNDS)
            elif op_name(op) == "scf.yield" and (around := op.parent_op()) is not None:
                others = _carried(around, index) if op_name(around) == "scf.for" else [around.results[index]]
                if op_name(around) not in ("scf.for", "scf.if"):
                    raise NoFootprint(f"how long its tiles are live is not known: they pass through {op_name(around)}")
            elif op.regions:
                raise NoFootprint(f"how long its tiles are live is not known: they pass through {op_name(op)}")
            found += [other for other in others if other not in seen]
            seen.update(others)
    return found


def _carried(loop: Operation, index: int) -> Sequence[SSAValue]:
    """The argument and the result of `scf.for` for the value that it carries at `index`."""
    return loop.regions[0].blocks[0].args[1 + index], loop.results[index]


def _is_memory(value: SSAValue) -> bool:
    return text(value.type).startswith("!ttg.memdesc<")


class AllocatedSchedule(Schedule):
    """A kernel in TTGIR with its tiles in shared memory."""

    def __init__(self, op: Operation, allocations: Sequence[Operation], module: Operation, *, alone: bool = True):
        self.op = op
        self.name = symbol_name(op) or ""
        self.allocations = allocations
        self.stages = max(map(_slots, allocations))
        self.module = module
        self.alone = alone
        self.clusters = (integer(module.attributes.get("ttg.num-ctas")) or 1) > 1

    def footprint(self, stages: int) -> Bytes:
        """What Triton allocates: the number that it noted, if it did already; else what its method gives.

        The number is that of the largest kernel of the module: `at_most`, unless it is the only one.

        It is `about` where the size of scratch memory matters and is known only between bounds.
        """
        if SHARED in self.module.attributes and stages == self.stages:
            return Bytes(allocated_bytes(self.module), Bound.EXACT if self.alone else Bound.AT_MOST)
        if len(self.allocations) > _MOST_BUFFERS:
            raise NoFootprint(_too_many(len(self.allocations)))
        lifetimes = _Lifetimes(self.op)
        try:
            tiles = [_Tile(op, lifetimes).live_buffer(stages) for op in self.allocations]
            needed = [(scratch(op), number) for op, number in lifetimes.numbers.items()]
        except (IndexError, ValueError, ZeroDivisionError) as error:
            # Layouts are text to xDSL, and nobody has checked that their ranks and numbers go together.
            raise NoFootprint("it has a layout that Triton would refuse") from error
        most = [LiveBuffer(size.most, _SCRATCH_ALIGNMENT, at, at + 1) for size, at in needed if size and size.most]
        likely = [LiveBuffer(size.likely, _SCRATCH_ALIGNMENT, at, at + 1) for size, at in needed if size]
        if (buffers := len(tiles) + len(most)) > _MOST_BUFFERS:
            raise NoFootprint(_too_many(buffers))
        total = _pack(tiles, likely)
        if self.clusters or any(size is None for size, _ in needed):
            return Bytes(total, Bound.ABOUT)
        others = {_pack(tiles, most, halved) for halved in range(_SCRATCH_HALVINGS)} | {pack(tiles)}
        return Bytes(total, Bound.EXACT if others == {total} else Bound.ABOUT)

    def restage(self, stages: int) -> None:
        """Refuse: the loop loads into one slot while it reads another.

        Raises:
            CannotRestage: always.
        """
        raise CannotRestage("loads-run-ahead", "its loop already loads tiles ahead of their use", _ADVICE)


def allocated_bytes(module: Operation) -> int:
    """What Triton noted of `module`, which has the attribute.

    Raises:
        NoFootprint: where that is no number of bytes.
    """
    count = integer(module.attributes[SHARED])
    if count is None or not 0 <= count <= MAX_BYTES:
        raise NoFootprint(f"{SHARED} is not a number of bytes")
    return count


def _too_many(buffers: int) -> str:
    return f"it has {buffers} buffers, more than the {_MOST_BUFFERS} that are laid out"


def _slots(allocation: Operation) -> int:
    """The slots of a tile: its leading dimension, where that is indexed."""
    value = allocation.results[0]
    match = _MEMDESC.fullmatch(text(value.type))
    shape = match[1].split("x")[:-1] if match else []
    indexed = any(op_name(use.operation) == "ttg.memdesc_index" for use in value.uses)
    return int(shape[0]) if indexed and len(shape) > 1 else 1


def _pack(tiles: Sequence[LiveBuffer], scratch: Sequence[LiveBuffer], halved: int = 0) -> int:
    """What Triton makes of `tiles` together with `scratch` memory, whose sizes are `halved` so many times."""
    sizes = [LiveBuffer(b.size >> halved, b.alignment, b.start, b.end) for b in scratch if b.size >> halved]
    return pack([*tiles, *sizes])


class TritonSource(Source):
    """Kernels of Triton, in TTIR and TTGIR."""

    name = "triton"

    def schedules(self, module: Operation) -> Iterator[Schedule]:
        """The kernels that stage tiles in shared memory or have loops with a stage setting."""
        functions = [op for region in module.regions for block in region.blocks for op in block.ops]
        called: set[str] = set()
        for function in (op for op in functions if op_name(op) == "tt.func"):
            called |= {
                path[-1]
                for op in function.walk()
                if op_name(op) == "tt.call" and (path := symbol_ref(attribute(op, "callee"))) is not None
            } - {symbol_name(function)}
        kernels = {op for op in functions if op_name(op) == "tt.func" and symbol_name(op) not in called}
        for function in functions:
            if op_name(function) == "builtin.module":
                yield from self.schedules(function)
            if function not in kernels:
                continue
            by_name: dict[str, list[Operation]] = {}
            for op in function.walk():
                by_name.setdefault(op_name(op), []).append(op)
            loops = [loop for loop in by_name.get("scf.for", ()) if attribute(loop, STAGES) is not None]
            allocations = by_name.get("ttg.local_alloc", [])
            pipelined = "ttg.memdesc_index" in by_name
            if loops and not pipelined and (not allocations or max(map(setting, loops)) > 1):
                yield LoopSchedule(function, loops, module)
            elif allocations:
                yield AllocatedSchedule(function, allocations, module, alone=len(kernels) == 1)
