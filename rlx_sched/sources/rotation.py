"""Recognizing the rotation of a buffer through its slots.

`memref.multibuffer` gives a buffer a leading dimension of N slots and indexes it by `((iv - lb) floordiv step) mod N`.
Later passes spell that index in other ways, carry it from one iteration to the next, or fold it into each access; what
stays is that the leading dimension is indexed by something that a loop counts, taken modulo that dimension.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, IndexType, IntegerAttr, MemRefType, VectorType
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue, Use
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)
from xdsl.rewriter import InsertPoint, Rewriter

from rlx_sched.ir.access import (
    affine_map,
    attribute,
    dense_array,
    dense_i64_array,
    elements,
    integer,
    op_name,
    set_attribute,
    text,
)
from rlx_sched.ir.verbatim import VerbatimAttr

_SEMI_AFFINE = re.compile(r"(affine_map<\([^()]*\)(?:\[[^]]*\])? -> \()(.*)( mod )(\d{1,18})(\)>)")
"""A map that xDSL cannot represent and that may end in a modulus: `(d0)[s0] -> ((d0 floordiv s0) mod 3)`."""

PARALLEL_LOOPS = ("scf.forall", "scf.parallel", "affine.parallel")

PER_THREAD = re.compile(
    r"gpu\.(global_id|lane_id|subgroup_id|thread_id)|nvvm\.read\.ptx\.sreg\.(tid\..|laneid|warpid)"
    r"|rocdl\.workitem\.id\.."
)
"""Operations whose result differs between the threads of a threadgroup."""

LAUNCH_THREAD_IDS = range(3, 6)
"""Which arguments of the body of a `gpu.launch` are the ids of the thread."""

_COUNTING_LOOPS = ("scf.for", "affine.for")
_SIGNED_LESS = 2
"""The predicate `slt` of `arith.cmpi`."""

_ELEMENTS = ("affine.load", "affine.store", "memref.load", "memref.store")
"""Operations that access one element."""

_VECTORS = re.compile(r"affine\.vector_(load|store)|vector\.(load|store|masked(load|store)|expandload|compressstore)")
"""Operations that access a vector which lies along the last dimensions."""

_VECTOR_LAST = ("vector.maskedstore", "vector.compressstore")
"""Those of them that have the vector as their last operand; other stores have it as their first."""

_MATRIX = re.compile(r"!gpu\.mma_matrix<(\d{1,9})x(\d{1,9})x.*>")

_LDMATRIX_LANES = 4
"""Lanes of `nvgpu.ldmatrix` that share out a row, 32 bits for each: PTX ISA, ldmatrix."""

_THREADS = re.compile(r"#gpu\.(thread|lane|warp|warpgroup)<")
"""How the mapping of an `scf.forall` to the threads of a threadgroup begins."""

_CONSTANTS = ("arith.constant", "index.constant")
_CASTS = ("arith.index_cast", "arith.index_castui", "index.castu", "index.casts")
_DIVISIONS = re.compile(r"(arith|index)\.(ceil|floor)?(div[su]i?|shr(si|ui|s|u))")


@dataclass(frozen=True, slots=True)
class Modulus:
    """Where an index is taken modulo the number of slots.

    `op` computes the index, with the help of `parts`; `uses` are the operands that hold the modulus as a constant, none
    where it is in an affine map.
    """

    value: int
    op: Operation
    uses: tuple[Use, ...] = ()
    parts: tuple[Operation, ...] = ()


def memref_type(type: Attribute) -> MemRefType[Attribute] | None:
    """`type` as a memref, if it is one that xDSL knows, with as many strides as dimensions."""
    if not isinstance(type, MemRefType):
        return None
    memref = cast("MemRefType[Attribute]", type)
    return memref if len(memref.get_strides() or memref.get_shape()) == memref.get_num_dims() else None


def steps(source: MemRefType[Attribute], factors: Sequence[int]) -> list[int | None]:
    """The strides of a `memref.subview` of `source` by `factors`, one for each dimension; None for an unknown one."""
    strides = source.get_strides() or [None] * source.get_num_dims()
    return [
        None if stride is None or factor == DYNAMIC_INDEX else stride * factor
        for stride, factor in zip(strides, factors, strict=True)
    ]


def with_slots(type: MemRefType[Attribute], slots: int | None) -> MemRefType[Attribute]:
    """The type of a buffer with another number of slots; None leaves the leading dimension out."""
    leading = () if slots is None else (slots,)
    return MemRefType(type.element_type, (*leading, *type.get_shape()[1:]), type.layout, type.memory_space)


def constant(value: SSAValue) -> int | None:
    """The integer that `value` is known to be."""
    owner = value.owner
    if isinstance(owner, Operation) and op_name(owner) in _CONSTANTS:
        return integer(attribute(owner, "value"))
    return None


def modulus(index: SSAValue) -> Modulus | None:
    """The modulus of `index`, where it is computed as a remainder that is never negative.

    Either an `affine.apply` whose outermost operation is `mod`, or an unsigned remainder, or the signed one with its
    correction, as `lower-affine` writes it: `select(rem < 0, rem + N, rem)`.
    """
    owner = index.owner
    if not isinstance(owner, Operation):
        return None
    name = op_name(owner)
    if name == "affine.apply":
        return _map_modulus(owner)
    if name in ("arith.remui", "index.remu"):
        divisor = constant(owner.operands[1])
        return None if divisor is None else Modulus(divisor, owner, (Use(owner, 1),))
    if name == "arith.select":
        return _corrected_remainder(owner)
    return None


def _map_modulus(apply: Operation) -> Modulus | None:
    """The modulus in the map of an `affine.apply`."""
    attr = attribute(apply, "map")
    map = affine_map(attr)
    if map is not None:
        match map.results:
            case (AffineBinaryOpExpr(AffineBinaryOpKind.Mod, _, AffineConstantExpr(value)),):
                return Modulus(value, apply)
            case _:
                return None
    found = None if attr is None else _SEMI_AFFINE.fullmatch(text(attr))
    return Modulus(int(found[4]), apply) if found and _is_one_operand(found[2]) else None


def _is_one_operand(expression: str) -> bool:
    """Whether an affine expression is one name or all in one pair of parentheses, so that `mod` takes all of it."""
    depth = 0
    for position, character in enumerate(expression):
        depth += (character == "(") - (character == ")")
        if depth == 0 and position < len(expression) - 1 and not (expression.isalnum()):
            return False
    return True


def set_modulus(modulus: Modulus, slots: int) -> None:
    """Let the index run through `slots` slots."""
    attr = attribute(modulus.op, "map")
    map = affine_map(attr)
    if map is not None:
        (old,) = map.results
        new: AffineExpr = AffineConstantExpr(0)
        if slots > 1 and isinstance(old, AffineBinaryOpExpr):
            new = AffineBinaryOpExpr(AffineBinaryOpKind.Mod, old.lhs, AffineConstantExpr(slots))
        set_attribute(modulus.op, "map", AffineMapAttr(AffineMap(map.num_dims, map.num_symbols, (new,))))
    elif attr is not None:
        map_text = _SEMI_AFFINE.sub(rf"\g<1>\g<2>\g<3>{slots}\g<5>", text(attr))
        set_attribute(modulus.op, "map", VerbatimAttr(map_text))
    for use in modulus.uses:
        old_constant = use.operation.operands[use.index].owner
        if isinstance(old_constant, Operation):
            new_constant = old_constant.clone()
            set_attribute(new_constant, "value", IntegerAttr(slots, IndexType()))
            Rewriter.insert_op(new_constant, InsertPoint.before(use.operation))
            use.operation.operands[use.index] = new_constant.results[0]


def _corrected_remainder(select: Operation) -> Modulus | None:
    """The modulus of `select(rem < 0, rem + N, rem)`."""
    condition, corrected, remainder = (operand.owner for operand in select.operands)
    if not (
        isinstance(condition, Operation)
        and isinstance(corrected, Operation)
        and isinstance(remainder, Operation)
        and op_name(condition) == "arith.cmpi"
        and op_name(corrected) == "arith.addi"
        and op_name(remainder) == "arith.remsi"
        and integer(attribute(condition, "predicate")) == _SIGNED_LESS
        and constant(condition.operands[1]) == 0
        and condition.operands[0] is corrected.operands[0] is select.operands[2]
        and corrected.operands[1] is remainder.operands[1]
    ):
        return None
    divisor = constant(remainder.operands[1])
    uses = (Use(corrected, 1), Use(remainder, 1))
    return None if divisor is None else Modulus(divisor, select, uses, (condition, corrected, remainder))


def leading_index(use: Use) -> SSAValue | int | None:
    """What `use` of a buffer indexes its leading dimension with; None where it does not.

    Every operation that indexes a memref takes the indices right after it; `memref.subview` has constants apart.
    """
    op = use.operation
    if op_name(op) == "memref.subview":
        offsets = dense_i64_array(attribute(op, "static_offsets"))
        if not offsets:
            return None
        if offsets[0] != DYNAMIC_INDEX:
            return offsets[0]
    position = use.index + 1
    return op.operands[position] if position < len(op.operands) else None


def reach(use: Use) -> list[int | None] | None:
    """How many elements `use` of a memref touches along each dimension, from the first to the last.

    None for one that is not known, and for all where what the operation touches is not known.
    """
    op = use.operation
    name = op_name(op)
    type = memref_type(op.operands[use.index].type)
    if type is None:
        return None
    rank = type.get_num_dims()
    last: Sequence[int] | None = None
    if name in _ELEMENTS:
        last = ()
    elif name == "memref.subview":
        return _subview_reach(op, rank)
    elif name in ("vector.transfer_read", "vector.transfer_write"):
        return _transfer_reach(op, type)
    elif _VECTORS.fullmatch(name):
        values = op.results or (op.operands[-1:] if name in _VECTOR_LAST else op.operands[:1])
        last = _vector_shape(values[0].type, type) if values else None
    elif name.startswith("gpu.subgroup_mma_"):
        last = _matrix_shape(op, type)
    elif name == "nvgpu.ldmatrix":
        fragment = op.results[0].type if op.results else None
        last = (_LDMATRIX_LANES * fragment.get_shape()[-1],) if isinstance(fragment, VectorType) else None
    elif name == "nvgpu.device_async_copy":
        count = integer(attribute(op, "dstElements"))
        last = None if count is None else (count,)
    return None if last is None or len(last) > rank else [*[1] * (rank - len(last)), *last]


def _subview_reach(subview: Operation, rank: int) -> list[int | None] | None:
    sizes, factors = (dense_i64_array(attribute(subview, key)) for key in ("static_sizes", "static_strides"))
    if sizes is None or factors is None or not len(sizes) == len(factors) == rank:
        return None
    return [
        None if DYNAMIC_INDEX in (size, factor) else (size - 1) * abs(factor) + 1
        for size, factor in zip(sizes, factors, strict=True)
    ]


def _transfer_reach(transfer: Operation, type: MemRefType[Attribute]) -> list[int | None] | None:
    """What a transfer touches: along a dimension that is not said to be in bounds, no more than there is."""
    map = affine_map(attribute(transfer, "permutation_map"))
    vectors = transfer.results or transfer.operands[:1]
    shape = _vector_shape(vectors[0].type, type) if vectors else None
    if map is None or shape is None or not (len(map.results) == len(shape) and map.num_dims == type.get_num_dims()):
        return None
    in_bounds = elements(attribute(transfer, "in_bounds")) or ()
    reached: list[int | None] = [1] * map.num_dims
    for position, (result, size) in enumerate(zip(map.results, shape, strict=True)):
        if isinstance(result, AffineDimExpr):
            masked = result.position > 0 and not (position < len(in_bounds) and integer(in_bounds[position]))
            reached[result.position] = None if masked else size
        elif not isinstance(result, AffineConstantExpr):
            return None
    return reached


def _vector_shape(type: Attribute, memref: MemRefType[Attribute]) -> Sequence[int] | None:
    """The shape of a vector of elements of `memref`; none is known of a scalable one."""
    if type == memref.element_type:
        return ()
    if not isinstance(type, VectorType):
        return None
    vector = cast("VectorType[Attribute]", type)
    if vector.element_type != memref.element_type or vector.get_num_scalable_dims():
        return None
    return vector.get_shape()


def _matrix_shape(access: Operation, memref: MemRefType[Attribute]) -> Sequence[int] | None:
    """The rows and columns that a matrix takes of `memref`; None where its rows are not rows of that."""
    matrices = access.results or access.operands[:1]
    found = _MATRIX.fullmatch(text(matrices[0].type)) if matrices else None
    strides = memref.get_strides() or ()
    row = integer(attribute(access, "leadDimension")) or 0
    if found is None or row <= 0 or tuple(strides[-2:]) != (row, 1) or isinstance(memref.element_type, VectorType):
        return None
    rows, columns = int(found[1]), int(found[2])
    return (rows, columns) if attribute(access, "transpose") is None else (columns, rows)


class SlotCounter:
    """Counts the slots of the buffers of a module that does not change meanwhile: many may be indexed alike."""

    def __init__(self) -> None:
        self._modulo: dict[tuple[SSAValue, int], bool] = {}
        self._quotients: dict[SSAValue, set[SSAValue]] = {}
        self._quotients_of: dict[frozenset[SSAValue], set[SSAValue]] = {}

    def count(self, type: Attribute, values: Iterable[SSAValue]) -> int | None:
        """How many slots the buffer of `type` that is used through `values` rotates through; 1 if it does not.

        None where a loop runs through it several rows at a time: those may be a slot, or a part of a tile.
        """
        memref = memref_type(type)
        if memref is None or memref.get_num_dims() == 0:
            return 1
        leading = memref.get_shape()[0]
        if leading <= 1:
            return 1
        found: int | None = 1
        for value in values:
            for use in value.uses:
                index = leading_index(use)
                if isinstance(index, SSAValue) and self._is_modulo(index, leading) and not self._is_split(index, use):
                    touched = reach(use)
                    if touched is None or touched[0] == 1:
                        return leading
                    found = None
        return found

    def _is_modulo(self, index: SSAValue, slots: int) -> bool:
        if (index, slots) not in self._modulo:
            self._modulo[index, slots] = _is_modulo(index, slots)
        return self._modulo[index, slots]

    def _is_split(self, index: SSAValue, use: Use) -> bool:
        """Whether `use` of a buffer takes the quotient of what a loop counts next to its remainder `index`.

        `tile[i mod 16][i / 16]` goes through one tile column by column: its rows are no slots.
        """
        if index not in self._quotients:
            counters = frozenset(_counters(index))
            if counters not in self._quotients_of:
                self._quotients_of[counters] = set(_quotients(counters))
            self._quotients[index] = self._quotients_of[counters]
        return not self._quotients[index].isdisjoint(use.operation.operands[use.index + 2 :])


def _is_modulo(index: SSAValue, slots: int) -> bool:
    """Whether `index` is taken modulo `slots`, in this iteration of a loop or in an earlier one."""
    seen: set[SSAValue] = set()
    pending = [index]
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        found = modulus(value)
        if found is not None:
            if found.value == slots and _is_counted(found.op):
                return True
            continue
        pending += _earlier(value)
    return False


def _is_counted(index: Operation) -> bool:
    """Whether what `index` computes follows a loop, and is the same for all threads.

    Threads that take different rows, `tile[thread mod 32]`, share out one tile: its rows are no slots.
    """
    counted = False
    seen: set[SSAValue] = set()
    pending = list(index.operands)
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        if isinstance(value, OpResult):
            if PER_THREAD.fullmatch(op_name(value.op)):
                return False
            pending += value.op.operands
        elif isinstance(value, BlockArgument):
            loop = value.block.parent_op()
            name = "" if loop is None else op_name(loop)
            if loop is None or (name == "gpu.launch" and value.index in LAUNCH_THREAD_IDS):
                return False
            if name in PARALLEL_LOOPS and not is_over_blocks(loop):
                return False
            if name in _COUNTING_LOOPS:
                counted = True
                pending += _earlier(value) if value.index else _start_and_step(loop)
            elif name == "scf.while" or value.block.prev_block is not None:
                # What it counts from is not followed: after lowering to branches anything may count.
                counted = True
    return counted


def _is_counter(argument: BlockArgument) -> bool:
    """Whether `argument` changes from one iteration of a loop to the next."""
    loop = argument.block.parent_op()
    name = "" if loop is None else op_name(loop)
    return name in (*_COUNTING_LOOPS, "scf.while") or argument.block.prev_block is not None


def _counters(index: SSAValue) -> Iterator[BlockArgument]:
    """What loops count of which `index` is computed within an iteration."""
    seen: set[SSAValue] = set()
    pending = [index]
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        if isinstance(value, OpResult):
            pending += value.op.operands
        elif isinstance(value, BlockArgument) and _is_counter(value):
            yield value


def _quotients(counters: Iterable[SSAValue]) -> Iterator[SSAValue]:
    """What is computed of `counters` within an iteration, and divided on the way."""
    seen: set[tuple[SSAValue, bool]] = set()
    pending = [(counter, False) for counter in counters]
    while pending:
        value, divided = found = pending.pop()
        if found in seen:
            continue
        seen.add(found)
        if divided:
            yield value
        for use in value.uses:
            is_divided = divided or _is_division(use.operation)
            pending += ((result, is_divided) for result in use.operation.results)


def _is_division(op: Operation) -> bool:
    if op_name(op) == "affine.apply":
        map = attribute(op, "map")
        return map is not None and "div" in text(map)
    return _DIVISIONS.fullmatch(op_name(op)) is not None


def _start_and_step(loop: Operation) -> Sequence[SSAValue]:
    """The operands of a loop that decide which values its counter takes; where it ends is not one."""
    if op_name(loop) == "scf.for":
        return loop.operands[0], loop.operands[2]
    bounds = dense_array(attribute(loop, "operandSegmentSizes")) or (0,)
    return loop.operands[: bounds[0]]


def is_over_blocks(loop: Operation) -> bool:
    """Whether the iterations of a parallel loop are mapped to threadgroups, not to the threads of one."""
    return any("#gpu.block<" in text(value) for value in elements(attribute(loop, "mapping")) or ())


def is_over_threads(op: Operation) -> bool:
    """Whether `op` is a loop whose iterations are mapped to the threads of a threadgroup, one by one or in groups."""
    mapping = elements(attribute(op, "mapping")) if op_name(op) == "scf.forall" else None
    return any(_THREADS.match(text(value)) for value in mapping or ())


def _earlier(value: SSAValue) -> Iterator[SSAValue]:
    """What `value` may be a copy of: a value carried by a loop, either arm of a choice, the operand of a cast."""
    if isinstance(value, BlockArgument):
        loop = value.block.parent_op()
        position = value.index - 1
        if loop is not None and op_name(loop) == "scf.for" and position >= 0:
            yield loop.operands[3 + position]
            last = value.block.last_op
            if last is not None and position < len(last.operands):
                yield last.operands[position]
    elif isinstance(value, OpResult):
        name = op_name(value.op)
        if name == "arith.select":
            yield from value.op.operands[1:]
        elif name in _CASTS:
            yield value.op.operands[0]
