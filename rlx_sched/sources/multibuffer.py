"""Taking slots out of rotating buffers.

With one slot the leading dimension and the slot index go, and the buffer is what it was before `memref.multibuffer`:

```text
%a = memref.alloc() : memref<3x32x16xf32, 3>
scf.for %i = %lb to %ub step %c16 {
  %slot = affine.apply affine_map<(d0) -> ((d0 floordiv 16) mod 3)>(%i)
  %tile = memref.subview %a[%slot, 0, 0] [1, 32, 16] [1, 1, 1] : ... to memref<32x16xf32, strided<[16, 1], offset: ?>>
  linalg.copy ins(%source : ...) outs(%tile : ...)
}
// becomes
%a = memref.alloc() : memref<32x16xf32, 3>
scf.for %i = %lb to %ub step %c16 {
  linalg.copy ins(%source : ...) outs(%a : ...)
}
```

With more slots, the leading dimension and the modulus become their number. When that is safe says
`rlx_sched.sources.rotation_safety`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    UnregisteredOp,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue, Use
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from rlx_sched.ir.access import affine_map, attribute, dense_array, dense_i64_array, op_name, set_attribute
from rlx_sched.sources.rotation import memref_type, set_modulus, steps, with_slots
from rlx_sched.sources.rotation_safety import PURE, Rotation, check_indices, find_rotations, missing_barriers


def take_out_slots(kernel: Operation, buffers: Sequence[tuple[SSAValue, int]], stages: int) -> list[SSAValue]:
    """Leave `stages` slots of each of `buffers`, which come with the more that they have; returns the changed buffers.

    Raises:
        CannotRestage: when the kernel might compute something else. Nothing was changed then.
    """
    rotations = find_rotations(buffers, kernel)
    check_indices(rotations)
    for op in missing_barriers(rotations, stages, kernel):
        Rewriter.insert_op(_barrier(kernel, op), InsertPoint.after(op))
    plain = [stages == 1 and all(map(_drops_the_slot, rotation.uses)) for rotation in rotations]
    for modulus in {
        modulus.op: modulus
        for rotation, without_slots in zip(rotations, plain, strict=True)
        for modulus in rotation.indices.values()
        if not without_slots
    }.values():
        set_modulus(modulus, stages)
    return [
        _without_slots(rotation) if without_slots else _retype(rotation.value, with_slots(rotation.type, stages))
        for rotation, without_slots in zip(rotations, plain, strict=True)
    ]


def _barrier(kernel: Operation, after: Operation) -> Operation:
    """A barrier, of the class that the other operations of the kernel's dialect have here."""
    barrier_class = UnregisteredOp.with_name("gpu.barrier")
    if not isinstance(kernel, UnregisteredOp) and op_name(kernel).startswith("gpu."):
        from xdsl.dialects.gpu import BarrierOp as barrier_class
    barrier = barrier_class.create()
    barrier.location = after.location
    return barrier


def _drops_the_slot(use: Use) -> bool:
    """Whether `use` can do without the dimension of the slots: what it makes of the buffer has none."""
    op = use.operation
    name = op_name(op)
    source = memref_type(op.operands[use.index].type)
    if source is None:
        return False
    rank = source.get_num_dims() - 1
    if name == "memref.subview":
        result = memref_type(op.results[0].type)
        sizes, factors = (dense_i64_array(attribute(op, key)) for key in ("static_sizes", "static_strides"))
        strides = None if result is None else result.get_strides()
        if result is None or strides is None or sizes is None or factors is None:
            return False
        # Dimensions of size 1 may be left out of the result; which ones, only the strides tell.
        others = iter(zip(sizes[1:], steps(source, factors)[1:], strict=True))
        return all(dimension in others for dimension in zip(result.get_shape(), strides, strict=True))
    if name.startswith("vector.transfer"):
        map = affine_map(attribute(op, "permutation_map"))
        return map is not None and not any(0 in result.used_dims() for result in map.results)
    if name.startswith("vector."):
        vector = (op.results or op.operands)[0].type
        return isinstance(vector, VectorType) and vector.get_num_dims() <= rank
    return True


def _without_slots(rotation: Rotation) -> SSAValue:
    """Take the dimension of the slots and its index out of a buffer and of what uses it."""
    buffer = _retype(rotation.value, with_slots(rotation.type, None))
    sizes = list(buffer.owner.operands) if isinstance(buffer.owner, Operation) else []
    for use in rotation.uses:
        op = use.operation
        position = use.index + 1
        op.operands = [*op.operands[:position], *op.operands[position + 1 :]]
        segments = list(dense_array(attribute(op, "operandSegmentSizes")) or ())
        if segments:
            # The indices are the group of operands after the buffer.
            segments[position] -= 1
            set_attribute(op, "operandSegmentSizes", DenseArrayBase.from_list(i32, segments))
        for name in ("static_offsets", "static_sizes", "static_strides"):
            values = dense_i64_array(attribute(op, name))
            if values is not None:
                set_attribute(op, name, DenseArrayBase.from_list(i64, values[1:]))
        map = affine_map(attribute(op, "permutation_map"))
        if map is not None:
            dims = [AffineConstantExpr(0), *(AffineDimExpr(i) for i in range(map.num_dims - 1))]
            results = tuple(result.replace_dims_and_symbols(dims, ()) for result in map.results)
            set_attribute(op, "permutation_map", AffineMapAttr(AffineMap(map.num_dims - 1, 0, results)))
        if op_name(op) == "memref.subview" and _is_whole(op, sizes):
            op.results[0].replace_all_uses_with(buffer)
            op.detach()
            op.erase()
    _update_views(buffer)
    for index in rotation.indices:
        _erase_unused(index)
    return buffer


def _retype(value: SSAValue, type: Attribute) -> SSAValue:
    """Give a buffer another type."""
    new = Rewriter.replace_value_with_new_type(value, type)
    if isinstance(value, BlockArgument) and isinstance(new, BlockArgument):
        new.location = value.location
    return new


def _is_whole(subview: Operation, sizes: Sequence[SSAValue]) -> bool:
    """Whether `subview` is all of its source, whose dynamic sizes are `sizes`."""
    source = memref_type(subview.operands[0].type)
    return (
        source is not None
        and not any(dense_i64_array(attribute(subview, "static_offsets")) or ())
        and all(stride == 1 for stride in dense_i64_array(attribute(subview, "static_strides")) or ())
        and dense_i64_array(attribute(subview, "static_sizes")) == tuple(source.get_shape())
        and list(subview.operands[1:]) == list(sizes)
    )


def _update_views(value: SSAValue) -> None:
    """Give the views of `value` the offsets that they have now that it starts at a known one."""
    for use in tuple(value.uses):
        if op_name(use.operation) == "memref.subview":
            view = use.operation.results[0]
            type = memref_type(view.type)
            source = memref_type(value.type)
            if type is None or source is None or not isinstance(type.layout, StridedLayoutAttr):
                continue
            layout = StridedLayoutAttr(type.layout.strides, _offset(use.operation, source))
            if layout != type.layout:
                type = MemRefType(type.element_type, type.get_shape(), layout, type.memory_space)
                _update_views(_retype(view, type))


def _offset(subview: Operation, source: MemRefType[Attribute]) -> int | None:
    """Where `subview` starts, in elements of what its source is a view of; None where that is dynamic."""
    start = 0 if isinstance(source.layout, NoneAttr) else source.layout.get_offset()
    offsets = dense_i64_array(attribute(subview, "static_offsets"))
    strides = source.get_strides()
    if start is None or offsets is None or strides is None:
        return None
    for offset, stride in zip(offsets, strides, strict=True):
        if offset == DYNAMIC_INDEX or (stride is None and offset):
            return None
        start += offset * (stride or 0)
    return start


def _erase_unused(value: SSAValue) -> None:
    """Erase what computes `value`, as far as nothing uses it."""
    pending = [value.owner]
    while pending:
        op = pending.pop()
        if not isinstance(op, Operation) or op.parent is None or any(result.uses for result in op.results):
            continue
        if PURE.fullmatch(op_name(op)):
            pending += (operand.owner for operand in op.operands)
            op.detach()
            op.erase()
