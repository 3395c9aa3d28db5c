"""Triton's loops before pipelining, and the tiles that it will stage for them.

A loop of `tl.range(num_stages=n)` carries `tt.num_stages`. Pipelining gives the tiles that it loads for a dot slots in
shared memory, as many as the target's rule says, and leaves out a tile that it cannot copy in words of four bytes.

That is claimed in bounds. With one stage the kernel takes *at most* its tiles, or what anything outside of the loops
may take to move a tensor from one layout to another, if that is more: the two are never live at once. With several it
takes *at least* the slots of the tiles that are certain to be staged. Either is exact where nothing is left open. So
much is claimed of loops that only load tiles of `f16`, `bf16` or `f32` and multiply them; of others the number is
`about`. The rules were checked against what Triton 3.9 allocates (`tests/sources/test_triton_loops.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    IntegerAttr,
    IntegerType,
    TensorType,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from rlx_sched.dialect.attributes import Bound, Bytes
from rlx_sched.dialect.layout import NoFootprint
from rlx_sched.ir.access import attribute, integer, op_name, set_attribute, string, symbol_name, text
from rlx_sched.sources.schedule import Schedule
from rlx_sched.sources.slots import WARP_GROUP_ROWS, WARP_GROUP_WARPS, triton_slots
from rlx_sched.sources.triton_contiguity import COPY_BYTES, Pairs, come_in_pairs, pairs
from rlx_sched.sources.triton_layouts import scratch, tensor_bytes
from rlx_sched.target import target_in_ir

STAGES = "tt.num_stages"
_MOST_STAGES = 2**31 - 1
"""What it can say, an `i32`."""

_TARGET = "ttg.target"
_WARPS = "ttg.num-warps"

_LOADS = ("tt.load", "tt.descriptor_load")
_DOTS = ("tt.dot", "tt.dot_scaled", "ttng.warp_group_dot")
_PASS_THROUGH = ("tt.trans", "tt.reshape", "ttg.convert_layout", "ttg.local_alloc", "arith.extf", "arith.truncf")
"""What moves or converts the elements of a tensor on their way to a dot."""

_INTEGERS = frozenset(
    f"arith.{name}"
    for name in (
        *("addi", "andi", "ceildivsi", "cmpi", "constant", "divsi", "divui", "extsi", "extui", "floordivsi", "maxsi"),
        *("maxui", "minsi", "minui", "muli", "ori", "remsi", "remui", "select", "shli", "shrsi", "subi", "trunci"),
    )
)
_ADDRESSES = frozenset(
    f"tt.{name}"
    for name in ("addptr", "broadcast", "expand_dims", "get_num_programs", "get_program_id", "make_range", "splat")
)
"""With `_INTEGERS`, what addresses and masks are computed by. Triton repeats that in any layout, at no memory."""

_INDEX_OPS = _INTEGERS | _ADDRESSES
_DIALECTS = ("arith", "math", "scf", "tt")
_MORE_MEMORY = ("tt.dot", "tt.dot_scaled", "tt.print")
"""What may keep more than one tensor at a time in shared memory, outside of the loops."""

_OTHER_OPTIONS = ("tt.flatten", "tt.warp_specialize", "tt.loop_unroll_factor")
"""Options of a loop that make it another one before it is pipelined."""

_ELEMENTS = (BFloat16Type, Float16Type, Float32Type)
"""What the dots of all targets take as it is. Other elements may be converted first, in more memory."""

_OPERANDS = 2
"""Operands of a dot that are tiles; the third is what it adds to."""

_PRECISION = "inputPrecision"
_TF32 = 0
_IN_PARTS = 1
"""Precisions of a dot of `f32`: rounded, and in several parts that are (`tf32x3`), which takes more memory."""

_LOOP_BOUNDS = 3
"""Operands of `scf.for` before the ones it carries."""

_MOST_THREADS = 1024
_MOST_LANES = 64
"""The most threads of a threadgroup, and of a warp, on any target."""

_KNOWN_TARGETS = "name it with ttg.target or sched.target as sm_80, sm_90, gfx942, gfx950 or gfx1100, say"


class LoopSchedule(Schedule):
    """A kernel with loops that are still to be pipelined, each with a stage setting of its own."""

    def __init__(self, op: Operation, loops: Sequence[Operation], module: Operation):
        self.op = op
        self.name = symbol_name(op) or ""
        self.loops = loops
        self.target = string(module.attributes.get(_TARGET))
        self.warps = max(integer(module.attributes.get(_WARPS)) or 0, 0)
        self.stages = max(map(setting, loops))

    def footprint(self, stages: int) -> Bytes:
        """The slots of the tiles that the loops load: within bounds where those are certain, else about.

        Raises:
            NoFootprint: without a target whose rule is known, and where no loop loads a tile for a dot.
        """
        target = self.target or _target_in_ir(self.op)
        if target is None or triton_slots(target, 1) is None:
            raise NoFootprint(f"how many slots Triton keeps for {STAGES} depends on its target: {_KNOWN_TARGETS}")
        bounds = None if self._kernel is None else self._kernel.bounds(target, stages, self.warps)
        found = bounds or Bytes(max(_slots(target, loop, stages) * _loaded(loop) for loop in self.loops), Bound.ABOUT)
        if not found.count:
            raise NoFootprint("its loops load no tile for a dot, so what Triton will stage is not known")
        return found

    def restage(self, stages: int) -> None:
        """Set `tt.num_stages` of every loop that has more to `stages`."""
        for loop in self.loops:
            if setting(loop) > stages:
                set_attribute(loop, STAGES, IntegerAttr(stages, i32))
        self.stages = stages

    @cached_property
    def _kernel(self) -> _Kernel | None:
        """What there is besides the loops' settings; None where it is more than bounds are known for."""
        threads = min((self.warps or _MOST_THREADS) * _MOST_LANES, _MOST_THREADS)
        try:
            return _kernel(self.op, self.loops, threads)
        except (IndexError, NoFootprint, ValueError):
            # Nobody has checked that operands, regions and attributes go together.
            return None


def _is_nvidia(target: str) -> bool:
    return target.startswith(("cuda", "sm"))


def setting(loop: Operation) -> int:
    """The stages that a loop asks for; 1 if it does not."""
    return min(max(integer(attribute(loop, STAGES)) or 1, 1), _MOST_STAGES)


def _slots(target: str, loop: Operation, stages: int, *, small_dot: bool = False) -> int:
    """The slots of a tile of `loop` with at most `stages`; 1 for a target whose rule is not known."""
    return triton_slots(target, min(setting(loop), stages), small_dot=small_dot) or 1


def _target_in_ir(op: Operation) -> str | None:
    target = target_in_ir(op)
    return None if target is None else target.chip


class _Tile(NamedTuple):
    """A tensor that a loop loads for a dot."""

    bytes: int
    wide: bool
    """Whether its loads are certain to be wide enough to copy it while the loop computes."""
    transposed: bool

    def is_staged(self, target: str) -> bool:
        """Whether it is certain to have slots: a transposed tile stays in registers on some of AMD's."""
        return self.wide and not (self.transposed and not _is_nvidia(target))


class _Loop(NamedTuple):
    """A loop that does nothing but load tiles and multiply them."""

    op: Operation
    tiles: Sequence[_Tile]
    rows: int
    """Those of its smallest dot, as far as warp groups can compute it."""


class _Kernel(NamedTuple):
    """Such loops, and the most bytes that anything outside of them takes."""

    loops: Sequence[_Loop]
    elsewhere: int

    def bounds(self, target: str, stages: int, warps: int) -> Bytes | None:
        """What is certain of the footprint; None if nothing is. Zero `warps` are not known."""
        if stages == 1:
            return self._one_stage(target)
        least = most = 0
        for loop in self.loops:
            small = loop.rows < WARP_GROUP_ROWS or warps < WARP_GROUP_WARPS
            certain = sum(tile.bytes for tile in loop.tiles if tile.is_staged(target)) if setting(loop.op) > 1 else 0
            least = max(least, certain * _slots(target, loop.op, stages, small_dot=small))
            most = max(most, sum(tile.bytes for tile in loop.tiles) * _slots(target, loop.op, stages))
        # gfx950 pads what it stages.
        exact = least == most >= self.elsewhere and "gfx950" not in target
        return Bytes(least, Bound.EXACT if exact else Bound.AT_LEAST) if least else None

    def _one_stage(self, target: str) -> Bytes:
        """Both operands of a dot are there at once, except on AMD; a transposed tile may get by with less."""
        tiles = max(sum(tile.bytes for tile in loop.tiles) for loop in self.loops)
        at_once = all(len(loop.tiles) <= _OPERANDS for loop in self.loops)
        transposed = any(tile.transposed for loop in self.loops for tile in loop.tiles)
        exact = _is_nvidia(target) and at_once and not transposed and tiles >= self.elsewhere
        return Bytes(max(tiles, self.elsewhere), Bound.EXACT if exact else Bound.AT_MOST)


def _kernel(function: Operation, loops: Sequence[Operation], threads: int) -> _Kernel | None:
    """What `function`, run by at most so many `threads`, does; None if nothing bounds it."""
    data, known = _data(function), pairs(function)
    found = [_loop(loop, data, known, threads) for loop in loops]
    plain = [loop for loop in found if loop is not None]
    inside = {op for loop in loops for region in loop.regions for op in region.walk()}
    outside = [op for op in function.walk(reverse=True) if op not in inside and op is not function]
    sizes: list[int] = []
    narrowed: set[SSAValue] = set()
    for op in outside:
        needed = scratch(op)
        if needed is None or not _is_understood(op):
            return None
        sizes.append(needed.most)
        for result in data.intersection(op.results):
            if _is_narrowed(result, data, narrowed):
                narrowed.add(result)
            elif isa(type := result.type, TensorType[Attribute]):
                sizes.append(tensor_bytes(type))
    return _Kernel(plain, max(sizes, default=0)) if len(plain) == len(found) else None


def _is_understood(op: Operation) -> bool:
    """Whether all that `op` may take, outside of the loops, is scratch memory and the space to move one tensor."""
    name = op_name(op)
    known = name.split(".")[0] in _DIALECTS and name not in _MORE_MEMORY and "descriptor" not in name
    return known and not any(option in op.attributes for option in _OTHER_OPTIONS)


def _is_narrowed(value: SSAValue, data: AbstractSet[SSAValue], narrowed: AbstractSet[SSAValue]) -> bool:
    """Whether `value` is only computed with, element by element, until it is truncated: Triton moves it after that."""
    ends = False
    for use in value.uses:
        op = use.operation
        ends = True
        elementwise = op_name(op).startswith(("arith.", "math.")) and data.isdisjoint({*op.operands} - {value})
        if op_name(op) != "arith.truncf" and not (elementwise and op.results[0] in narrowed):
            return False
    return ends


def _data(function: Operation) -> set[SSAValue]:
    """The tensors in `function` that depend on memory. All others are addresses and masks, computed in any layout."""
    data: set[SSAValue] = set()
    for op in function.walk():
        if op_name(op) == "scf.for":
            carried = zip(op.operands[_LOOP_BOUNDS:], op.regions[0].blocks[0].args[1:], op.results, strict=True)
            for initial, argument, result in carried:
                if initial in data or _is_floating(argument):
                    data |= {argument, result}
        elif op_name(op) not in _INDEX_OPS or not data.isdisjoint(op.operands):
            data.update(result for result in op.results if isa(result.type, TensorType[Attribute]))
    return data


def _is_floating(value: SSAValue) -> bool:
    if not isa(value.type, TensorType[Attribute]):
        return False
    element = value.type.element_type
    return not isinstance(element, IntegerType) and not text(element).startswith("!")


def _loop(loop: Operation, data: AbstractSet[SSAValue], known: Mapping[SSAValue, Pairs], threads: int) -> _Loop | None:
    """What `loop` does, if that is to load tiles and multiply them, and nothing else."""
    block = loop.regions[0].block
    dots = [op for op in block.ops if op_name(op) == "tt.dot" and integer(attribute(op, _PRECISION)) != _IN_PARTS]
    paths = [_path(operand, block) for dot in dots for operand in dot.operands[:_OPERANDS]]
    tiles = [tile for path in paths if path is not None and (tile := _tile(path, known, threads)) is not None]
    understood = {*dots, block.last_op, *(op for path in paths if path is not None for op in path)}
    others = [op for op in block.ops if op not in understood]
    plain = all(op_name(op) in _INDEX_OPS and data.isdisjoint(op.operands) for op in others)
    return _Loop(loop, tiles, min(map(_rows, dots), default=0)) if plain and len(tiles) == len(paths) else None


def _rows(dot: Operation) -> int:
    """The rows of a dot that the warp groups of sm_90 may compute; 0 in full precision, which they do not have."""
    operand = dot.operands[0].type
    narrow = isa(operand, TensorType[Attribute]) and not isinstance(operand.element_type, Float32Type)
    return _shape(dot.results[0])[0] if narrow or integer(attribute(dot, _PRECISION)) == _TF32 else 0


def _path(operand: SSAValue, block: Block) -> Sequence[Operation] | None:
    """The load behind the operand of a dot, and its transposition if there is one; None if it gets there otherwise."""
    path = [operand.owner]
    if isinstance(operand.owner, Operation) and op_name(operand.owner) == "tt.trans":
        path.insert(0, operand.owner.operands[0].owner)
    steps = [op for op in path if isinstance(op, Operation) and op.parent is block and op.results[0].has_one_use()]
    return steps if len(steps) == len(path) and op_name(steps[0]) == "tt.load" else None


def _tile(path: Sequence[Operation], known: Mapping[SSAValue, Pairs], threads: int) -> _Tile | None:
    """The tile that is loaded for a dot; None for one that other rules may hold for."""
    load = path[0]
    type = load.results[0].type
    if not isa(type, TensorType[Attribute]) or type.get_num_dims() != 2 or not isinstance(type.element_type, _ELEMENTS):
        return None
    size = tensor_bytes(type)
    address, mask, instead = (*load.operands, None, None)[:3]
    if address is None or not (instead is None or _is_zero(instead)):
        return None
    in_pairs = come_in_pairs(address, mask, known) and size >= threads * COPY_BYTES
    return _Tile(size, isinstance(type.element_type, Float32Type) or in_pairs, len(path) > 1)


def _is_zero(value: SSAValue) -> bool:
    """Whether `value` is a tensor of zeros, which is what a copy leaves where it is masked."""
    constant = attribute(value.owner, "value") if isinstance(value.owner, Operation) else None
    return isa(constant, DenseIntOrFPElementsAttr) and constant.is_splat() and constant.get_values()[0] == 0


def _shape(value: SSAValue) -> Sequence[int]:
    return value.type.get_shape() if isa(value.type, TensorType[Attribute]) else ()


def _loaded(loop: Operation) -> int:
    """The bytes of all tensors that are loaded in `loop` and reach a dot there."""
    results = [result for op in loop.walk() if op_name(op) in _LOADS for result in op.results]
    types = [result.type for result in results if _reaches_dot(result)]
    return sum(tensor_bytes(type) for type in types if isa(type, TensorType[Attribute]))


def _reaches_dot(value: SSAValue) -> bool:
    """Whether a dot uses `value`, directly or with its elements moved or converted."""
    pending, seen = [value], {value}
    for reached in pending:
        for op in (use.operation for use in reached.uses):
            if op_name(op) in _DOTS:
                return True
            if op_name(op) in _PASS_THROUGH:
                pending += [result for result in op.results if result not in seen]
                seen.update(op.results)
    return False
