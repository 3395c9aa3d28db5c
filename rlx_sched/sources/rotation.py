"""Recognizing the rotation of a buffer through its slots.

`memref.multibuffer` gives a buffer a leading dimension of N slots and indexes it by `((iv - lb) floordiv step) mod N`.
Later passes spell that index in other ways, carry it from one iteration to the next, or fold it into each access; what
stays is that the leading dimension is indexed by something that a loop counts, taken modulo that dimension.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    UnregisteredOp,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue, Use
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
_UNSIGNED = {"arith.remsi": "arith.remui", "index.rems": "index.remu"}
"""Remainders that may be negative, and what they are where they are not."""


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
    """The modulus of `index`, where it is computed as a remainder.

    Either an `affine.apply` whose outermost operation is `mod`, or an unsigned remainder, or the signed one with its
    correction, as `lower-affine` writes it: `select(rem < 0, rem + N, rem)`; or without, as is left of that where the
    counter is seen not to be negative. No index that is used can be negative: it would be out of bounds.
    """
    owner = index.owner
    if not isinstance(owner, Operation):
        return None
    name = op_name(owner)
    if name == "affine.apply":
        return _map_modulus(owner)
    if name in _UNSIGNED or name in _UNSIGNED.values():
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
    unsigned = _UNSIGNED.get(op_name(modulus.op))
    if unsigned is not None:
        # The counter may be a negative multiple of the old number, whose remainder is 0; that by the new number may be
        # negative.
        Rewriter.replace_op(modulus.op, _with_name(modulus.op, unsigned))


def _with_name(op: Operation, name: str) -> Operation:
    """The remainder `name` of the operands of the remainder `op`, of the class that this has."""
    remainder_class = UnregisteredOp.with_name(name)
    if not isinstance(op, UnregisteredOp) and name.startswith("arith."):
        from xdsl.dialects.arith import RemUIOp as remainder_class
    new = remainder_class.create(operands=op.operands, result_types=[result.type for result in op.results])
    new.location = op.location
    return new


def _corrected_remainder(select: Operation) -> Modulus | None:
    """The modulus of `select(rem < 0, rem + N, rem)`."""
    condition, corrected, remainder = (operand.owner for operand in select.operands)
    if not (
        isinstance(condition, Operation)
        and isinstance(corrected, Operation)
        and isinstance(remainder, Operation)
        and op_name(condition) == "arith.cmpi"
        and op_name(corrected) == "arith.addi"
        and op_name(remainder) in ("arith.remsi", "arith.remui")
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


def is_over_blocks(loop: Operation) -> bool:
    """Whether the iterations of a parallel loop are mapped to threadgroups, not to the threads of one."""
    return any("#gpu.block<" in text(value) for value in elements(attribute(loop, "mapping")) or ())


def is_over_threads(op: Operation) -> bool:
    """Whether `op` is a loop whose iterations are mapped to the threads of a threadgroup, one by one or in groups."""
    mapping = elements(attribute(op, "mapping")) if op_name(op) == "scf.forall" else None
    return any(_THREADS.match(text(value)) for value in mapping or ())
