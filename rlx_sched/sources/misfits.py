"""Operations of other dialects whose parts do not fit each other.

What is read in generic form is carried as it is, and nobody has verified it. The sources look into some operations:
they take the third operand of an `scf.for` for its step, and expect as many strides of a `memref.subview` as its source
has dimensions. What they rely on is checked here, and no more. MLIR's own verifier refuses all that is refused here but
a wrong number of workgroup attributions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, FunctionType, IndexType, StridedLayoutAttr, TensorType, VectorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from rlx_sched.ir.access import affine_map, attribute, dense_array, dense_i64_array, elements, integer, op_name, text
from rlx_sched.sources.rotation import memref_type, steps
from rlx_sched.sources.upstream import attribution_arguments

_Fits = Callable[[Operation], bool]


def first_misfit(module: Operation) -> Operation | None:
    """The first operation in `module` whose parts do not fit each other, of those that sources look into."""
    for op in module.walk():
        fits = FITS.get(op_name(op))
        if fits is not None and not fits(op):
            return op
    return None


def _has(operands: int, results: int) -> _Fits:
    """Whether there are so many operands and results."""
    return lambda op: operands == len(op.operands) and results == len(op.results)


def _body(op: Operation) -> Block | None:
    """The first block of the only region."""
    return op.regions[0].first_block if len(op.regions) == 1 else None


def _groups(op: Operation, *default: int) -> Sequence[int] | None:
    """The sizes of the groups of operands, `default` where it has none; None where they are not those of `op`."""
    attr = attribute(op, "operandSegmentSizes")
    sizes = default if attr is None else dense_array(attr)
    if sizes is None or len(sizes) < len(default) or min(sizes, default=0) < 0 or sum(sizes) != len(op.operands):
        return None
    return sizes


def _rank(value: SSAValue) -> int | None:
    """The dimensions of a memref; None for any other value."""
    type = memref_type(value.type)
    return None if type is None else type.get_num_dims()


def _same(one: Attribute, other: Attribute) -> bool:
    """Whether two attributes are the same one; what is read in custom form is another class than in generic form."""
    return one == other or text(one) == text(other)


def _alike(some: Sequence[SSAValue], others: Sequence[SSAValue]) -> bool:
    """Whether `some` and `others` have the same types."""
    return len(some) == len(others) and all(
        _same(one.type, other.type) for one, other in zip(some, others, strict=True)
    )


def _allocation(op: Operation) -> bool:
    groups = _groups(op, len(op.operands), 0)
    if groups is None or len(op.results) != 1:
        return False
    type = memref_type(op.results[0].type)
    if type is None:
        return text(op.results[0].type).startswith("memref<")
    return groups[0] == list(type.get_shape()).count(DYNAMIC_INDEX)


def _subview(op: Operation) -> bool:
    """A part of its source, whose dimensions of size 1 it may leave out."""
    groups = _groups(op, 1, len(op.operands) - 1, 0, 0)
    if groups is None or groups[0] != 1 or len(op.results) != 1:
        return False
    if not all(isinstance(operand.type, IndexType) for operand in op.operands[1:]):
        return False
    source, result = memref_type(op.operands[0].type), memref_type(op.results[0].type)
    if source is None or result is None:
        return True
    parts = [dense_i64_array(attribute(op, f"static_{name}")) for name in ("offsets", "sizes", "strides")]
    for values, dynamic in zip(parts, groups[1:4], strict=True):
        if values is None or len(values) != source.get_num_dims() or values.count(DYNAMIC_INDEX) != dynamic:
            return False
    dimensions = iter(zip(parts[1] or (), steps(source, parts[2] or ()), strict=True))
    # xDSL takes a result without a layout whatever its strides would be.
    strides = result.layout.get_strides() if isinstance(result.layout, StridedLayoutAttr) else None
    return (
        all(
            any(size == other and stride in (None, step) for other, step in dimensions)
            for size, stride in zip(result.get_shape(), strides or [None] * result.get_num_dims(), strict=True)
        )
        and _same(result.element_type, source.element_type)
        and _same(result.memory_space, source.memory_space)
    )


def _cast(op: Operation) -> bool:
    if not _has(1, 1)(op):
        return False
    source, result = memref_type(op.operands[0].type), memref_type(op.results[0].type)
    if source is None or result is None:
        return True
    return source.get_num_dims() == result.get_num_dims() and _same(source.element_type, result.element_type)


def _indexed(buffer: int, results: int) -> _Fits:
    """Whether the operand number `buffer` is followed by one index for each of its dimensions, and nothing else."""

    def fits(op: Operation) -> bool:
        if len(op.results) != results or len(op.operands) <= buffer:
            return False
        return _rank(op.operands[buffer]) in (None, len(op.operands) - buffer - 1)

    return fits


def _dimensions(type: Attribute) -> int:
    return type.get_num_dims() if isinstance(type, VectorType) else 0


def _transfer(op: Operation) -> bool:
    """A vector and a part of a memref, whose dimensions a map says."""
    is_read = op_name(op) == "vector.transfer_read"
    indices = len(op.operands) - 2
    groups = _groups(op, *((1, indices, 1, 0) if is_read else (1, 1, indices, 0)))
    if groups is None or indices < 0 or (is_read and len(op.results) != 1):
        return False
    buffer, vector = (op.operands[0], op.results[0]) if is_read else (op.operands[1], op.operands[0])
    type = memref_type(buffer.type)
    if type is None:
        return True
    rank, map = type.get_num_dims(), affine_map(attribute(op, "permutation_map"))
    if map is not None:
        dimensions = _dimensions(vector.type) - _dimensions(type.element_type)
        if (map.num_dims, map.num_symbols, len(map.results)) != (rank, 0, dimensions):
            return False
    return tuple(groups[:3]) == ((1, rank, 1) if is_read else (1, 1, rank))


def _apply(op: Operation) -> bool:
    attr = attribute(op, "map")
    map = affine_map(attr)
    if attr is None or len(op.results) != 1 or not text(attr).startswith("affine_map<"):
        return False
    # A semi-affine map is text alone.
    return map is None or (len(map.results) == 1 and map.num_dims + map.num_symbols == len(op.operands))


def _yields(block: Block, values: Sequence[SSAValue]) -> bool:
    """Whether the block ends by handing on as many values as `values`, of the same types."""
    last = block.last_op
    return _alike(last.operands, values) if last is not None and op_name(last) == "scf.yield" else not values


def _for(op: Operation) -> bool:
    body = _body(op)
    if body is None or body.next_block is not None or len(op.operands) < 3:
        return False
    start, stop, step, *carried = op.operands
    same = _alike([start, *carried], body.args) and _alike([start, start], [stop, step])
    return same and _alike(carried, op.results) and _yields(body, carried)


def _affine_for(op: Operation) -> bool:
    body = _body(op)
    return body is not None and len(body.args) == 1 + len(op.results) and _groups(op, len(op.operands)) is not None


def _if(op: Operation) -> bool:
    blocks = [block for region in op.regions for block in region.blocks]
    both = not op.results or len(blocks) == 2
    return len(op.operands) == 1 and both and all(_yields(block, op.results) for block in blocks)


def _linalg(op: Operation) -> bool:
    body = _body(op)
    maps = elements(attribute(op, "indexing_maps"))
    return (
        _groups(op, len(op.operands), 0) is not None
        and len(op.regions) <= 1
        and (body is None or len(body.args) == len(op.operands))
        and (maps is None or len(maps) == len(op.operands))
    )


def _shape(value: SSAValue) -> tuple[int, ...] | None:
    """The sizes of a tensor; None for any other value."""
    return value.type.get_shape() if isa(value.type, TensorType[Attribute]) else None


def _moved(op: Operation) -> bool:
    """A tensor in another layout."""
    return _has(1, 1)(op) and _shape(op.operands[0]) == _shape(op.results[0])


def _reduction(op: Operation) -> bool:
    """Tensors of one shape, each of which loses a dimension."""
    shapes = {_shape(operand) for operand in op.operands}
    return len(shapes) == 1 and len(op.operands) == len(op.results) and len(op.regions) == 1


def _dot(op: Operation) -> bool:
    """The product of two matrices, added to a third."""
    if len(op.operands) < 3 or not _alike(op.operands[2:3], op.results):
        return False
    one, other, sums = (list(_shape(operand) or ()) for operand in op.operands[:3])
    if min(len(one), len(other)) < 2:
        return False
    return one[-1] == other[-2] and sums[-2:] == [one[-2], other[-1]]


def _load(op: Operation) -> bool:
    """A tensor from addresses in a tensor of the same shape, or anything from a single address."""
    if not op.operands or len(op.results) != 1:
        return False
    return _shape(op.operands[0]) in (None, _shape(op.results[0]))


def _tile(op: Operation) -> bool:
    """Shared memory, with something in it or not."""
    return len(op.operands) <= 1 and len(op.results) == 1


def _function(op: Operation) -> bool:
    """A kernel, whose arguments are those of its type, and then its attributions."""
    type, body = attribute(op, "function_type"), _body(op)
    if not isinstance(type, FunctionType) or body is None:
        return False
    inputs = type.inputs.data
    arguments = body.args[: len(inputs)]
    same = all(_same(argument.type, type) for argument, type in zip(arguments, inputs, strict=False))
    return len(arguments) == len(inputs) and same and _attributions(op)


def _launch(op: Operation) -> bool:
    return _body(op) is not None and _groups(op, len(op.operands)) is not None and _attributions(op)


def _launch_func(op: Operation) -> bool:
    return _groups(op, len(op.operands)) is not None


def _attributions(op: Operation) -> bool:
    count = integer(attribute(op, "workgroup_attributions")) or 0
    return count == len(attribution_arguments(op))


FITS: Mapping[str, _Fits] = {
    "arith.constant": _has(0, 1),
    "index.constant": _has(0, 1),
    "arith.index_cast": _has(1, 1),
    "arith.index_castui": _has(1, 1),
    "index.casts": _has(1, 1),
    "index.castu": _has(1, 1),
    "arith.addi": _has(2, 1),
    "arith.remsi": _has(2, 1),
    "arith.remui": _has(2, 1),
    "arith.subi": _has(2, 1),
    "arith.muli": _has(2, 1),
    "arith.divsi": _has(2, 1),
    "arith.divui": _has(2, 1),
    "index.mul": _has(2, 1),
    "index.divs": _has(2, 1),
    "index.divu": _has(2, 1),
    "index.add": _has(2, 1),
    "index.rems": _has(2, 1),
    "index.remu": _has(2, 1),
    "index.sub": _has(2, 1),
    "arith.cmpi": _has(2, 1),
    "arith.select": _has(3, 1),
    "affine.apply": _apply,
    "affine.for": _affine_for,
    "scf.for": _for,
    "scf.if": _if,
    "gpu.func": _function,
    "gpu.launch": _launch,
    "gpu.launch_func": _launch_func,
    "gpu.dynamic_shared_memory": _has(0, 1),
    "gpu.subgroup_mma_load_matrix": _indexed(0, 1),
    "gpu.subgroup_mma_store_matrix": _indexed(1, 0),
    "linalg.copy": _linalg,
    "linalg.fill": _linalg,
    "linalg.generic": _linalg,
    "linalg.transpose": _linalg,
    "memref.alloc": _allocation,
    "memref.alloca": _allocation,
    "memref.cast": _cast,
    "memref.copy": _has(2, 0),
    "memref.get_global": _has(0, 1),
    "memref.load": _indexed(0, 1),
    "memref.store": _indexed(1, 0),
    "memref.subview": _subview,
    "nvgpu.ldmatrix": _indexed(0, 1),
    "vector.load": _indexed(0, 1),
    "vector.store": _indexed(1, 0),
    "vector.transfer_read": _transfer,
    "vector.transfer_write": _transfer,
    "tt.dot": _dot,
    "tt.load": _load,
    "tt.reduce": _reduction,
    "tt.trans": _has(1, 1),
    "ttg.convert_layout": _moved,
    "ttg.local_alloc": _tile,
}
