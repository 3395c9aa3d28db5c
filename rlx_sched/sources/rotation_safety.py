"""When a rotation can be taken out of a kernel without changing what it computes.

`memref.multibuffer` lets iteration i of a loop work in slot `i mod N` of a buffer. With fewer slots, iterations that
had one each share one; nothing else changes. So these conditions are enough, and each is checked:

1. *Whatever is read was written in the same iteration.* All accesses of one iteration are to one slot, and all of its
   writes come before all of its reads. Which elements are written is the same in every iteration: the writes run
   unconditionally, and neither their indices nor the loops around them depend on anything that changes while the memory
   lives. So an element that is read was either written in this iteration, and what others left behind does not matter;
   or no iteration ever writes it, and it is undefined with any number of slots. That the writes cover the whole slot
   need not be known. That an access stays in one slot follows from its type: along the leading dimension it touches
   one element, and along each other one no more than a slot has, from where it starts if that is a constant. Where it
   starts is in bounds, as MLIR has it.
2. *Nothing else reaches the memory.* It is used in that one loop only, through views that are followed to their last
   use.
3. *The slot index is nothing else*, since it changes.
4. *No thread still reads a slot when another one writes it for a later iteration.* In a kernel that is written per
   thread, each iteration needs a barrier after its last read or before its first write. Then a barrier lies between any
   access of one iteration and any write of a later one, also where an outer loop enters the loop again. One between the
   writes and the reads is not enough for one slot: from the reads of an iteration to the writes of the next there is
   none. It is enough for two slots or more if each iteration takes the next slot, since a whole iteration then lies
   between two that share one. Where a barrier is missing it is added after the last read, if all threads get there.
   In block-level IR a read needs none if it is distributed to threads later, since a barrier then follows it, unless
   `transform.gpu.map_nested_forall_to_threads` is told otherwise: in an `scf.forall` that is mapped to threads, warps
   or lanes, or as a structured operation that is still whole. Any other read there is left to all threads as it is,
   and no barrier comes after it by itself.

That a thread sees in time what another wrote in the same iteration is for the kernel to see to, with any number of
slots; its own barriers are never touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile, zip_longest

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue, Use
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineMap,
    AffineSymExpr,
)

from rlx_sched.ir.access import affine_map, attribute, dense_array, dense_i64_array, elements, integer, op_name, text
from rlx_sched.sources.rotation import (
    LAUNCH_THREAD_IDS,
    PARALLEL_LOOPS,
    PER_THREAD,
    Modulus,
    constant,
    is_over_blocks,
    is_over_threads,
    leading_index,
    memref_type,
    modulus,
    reach,
)
from rlx_sched.sources.schedule import CannotRestage

_LOOPS = ("scf.for", "affine.for")
_SEQUENTIAL = (*_LOOPS, "affine.if", "scf.if")

_AFFINE_READS = ("affine.load", "affine.vector_load")
_AFFINE_WRITES = ("affine.store", "affine.vector_store")
_INDEXED_READS = (
    "gpu.subgroup_mma_load_matrix",
    "memref.load",
    "nvgpu.ldmatrix",
    "vector.load",
    "vector.transfer_read",
)
_INDEXED_WRITES = ("gpu.subgroup_mma_store_matrix", "memref.store", "vector.store", "vector.transfer_write")
_INDEXED = frozenset(
    (
        ("memref.subview", 0),
        *((name, 0) for name in _INDEXED_READS),
        *((name, 1) for name in _INDEXED_WRITES),
    )
)
"""Operations that may index the slots, with the operand that the buffer is: `reach` says what each of them touches."""

_READS = frozenset(_AFFINE_READS + _INDEXED_READS)
"""Operations that read their first operand, a memref, where the others say, and do nothing else with it."""

_WRITES = frozenset(_AFFINE_WRITES + _INDEXED_WRITES)
"""Operations that write their first operand to their second, a memref, where the others say."""

_OVERWRITES = frozenset(("linalg.copy", "linalg.fill", "linalg.transpose"))
"""Operations that write every element of their output."""

_ASYNCHRONOUS_COPIES = ("nvgpu.device_async_copy", "nvgpu.tma.async.load", "memref.dma_start", "amdgpu.gather_to_lds")

_HANDS_ON = re.compile(
    r"builtin\.unrealized_conversion_cast|memref\.(cast|extract_.*)|.*\.(call|launch_func|return|yield|for|while|store)"
)
"""Operations that hand a memref on to where it is not followed."""

PURE = re.compile(
    r"(arith|index|math)\..*|affine\.(apply|min|max)|memref\.dim|vector\.(broadcast|constant_mask|create_mask|step)"
    r"|gpu\.(block_dim|block_id|cluster_id|global_id|grid_dim|lane_id|num_subgroups|subgroup_id|subgroup_size|thread_id)"
)
"""Operations whose result depends on nothing but their operands and the thread."""

_WRITTEN_PER_THREAD = re.compile(
    rf"{PER_THREAD.pattern}|gpu\.(barrier|shuffle|subgroup.*)|(amdgpu|llvm|nvgpu|nvvm|rocdl|spirv|xegpu)\..*"
)
"""Operations that are found only in IR that says what one thread does."""

_BARRIERS = ("gpu.barrier", "nvvm.barrier0", "nvvm.barrier")

_PIPELINE_LATER = "filter before the pass that makes loads run ahead, or ask it for fewer stages"


class Iterations:
    """The iterations of a loop with the body `body`, for memory that begins to live in the block `scope`.

    `position` is where each operation stands in the body, `barriers` where those are at which all threads wait, and
    `later_barriers` where those are after which all threads will wait once they have been distributed.
    """

    def __init__(self, body: Block, scope: Block):
        self.body = body
        self.scope = scope
        self.position = {op: position for position, op in enumerate(body.ops)}
        self.barriers = [position for op, position in self.position.items() if _is_barrier(op)]
        self.later_barriers = [position for op, position in self.position.items() if is_over_threads(op)]
        self._around = set(_around(body))
        outside = (op.parent_block() for op in _around(scope))
        self._outside = {scope, *(block for block in outside if block is not None)}
        self._fixed: dict[SSAValue, bool] = {}
        self._runs_alike: dict[Operation, bool] = {}

    @property
    def loop(self) -> Operation:
        """The loop."""
        return _parent(self.body)

    def are_fixed(self, values: Iterable[SSAValue]) -> bool:
        """Whether each of `values` takes the same value, or runs through the same ones, in every iteration.

        That is so outside of the loops, for the counters of inner loops whose bounds are fixed, and for what is
        computed of fixed values.
        """
        return all(map(self._is_fixed, values))

    def runs_alike(self, op: Operation) -> bool:
        """Whether the body of `op`, a loop or a condition, runs as often in every iteration."""
        if op not in self._runs_alike:
            values = _deciding(op)
            self._runs_alike[op] = values is not None and self.are_fixed(values)
        return self._runs_alike[op]

    def _is_fixed(self, value: SSAValue) -> bool:
        pending = [(value, False)]
        while pending:
            current, are_operands_known = pending.pop()
            if not are_operands_known and current in self._fixed:
                continue
            operands = self._depends_on(current)
            if are_operands_known or not operands:
                self._fixed[current] = operands is not None and all(self._fixed[operand] for operand in operands)
            else:
                # Until its operands are known, and if it is one of them.
                self._fixed[current] = False
                pending += [(current, True), *((operand, False) for operand in operands)]
        return self._fixed[value]

    def _depends_on(self, value: SSAValue) -> Sequence[SSAValue] | None:
        """What has to be fixed for `value` to be fixed; None where nothing would do."""
        block = _block_of(value)
        if block in self._outside:
            return ()
        if isinstance(value, OpResult):
            return value.op.operands if PURE.fullmatch(op_name(value.op)) else None
        loop = block.parent_op()
        if loop is None or loop in self._around or not isinstance(value, BlockArgument):
            return None
        counts = op_name(loop) in PARALLEL_LOOPS or (op_name(loop) in _LOOPS and value.index == 0)
        return _deciding(loop) if counts else None


@dataclass(slots=True)
class Rotation:
    """A buffer that rotates through its slots in a loop.

    `uses` are those that index a slot; `first_write` and `last_read` are positions in the body of the loop.
    """

    value: SSAValue
    type: MemRefType[Attribute]
    iterations: Iterations
    uses: tuple[Use, ...]
    indices: dict[SSAValue, Modulus]
    first_write: int = -1
    last_read: int = -1
    last_bare_read: int = -1
    """The last read that stays without a barrier after it when block-level IR is distributed to threads."""


def find_rotations(buffers: Iterable[tuple[SSAValue, int]], kernel: Operation) -> list[Rotation]:
    """Prove conditions 1 and 2 for these buffers of `kernel`, which come with the slots that they have.

    Raises:
        CannotRestage: for a condition that could not be proved.
    """
    known: dict[tuple[Block, Block], Iterations] = {}
    rotations: list[Rotation] = []
    for value, slots in buffers:
        type = memref_type(value.type)
        if type is None or not isinstance(type.layout, NoneAttr):
            raise CannotRestage(
                "unsupported-layout", f"the slots of {text(value.type)} do not simply follow each other"
            )
        scope = _scope(value, kernel)
        uses = tuple(use for use in value.uses if op_name(use.operation) != "memref.dealloc")
        indices = dict(_slot_index(use, type, slots) for use in uses)
        body = _common_body(indices)
        if (body, scope) not in known:
            _check_nesting(body, scope)
            known[body, scope] = Iterations(body, scope)
        rotation = Rotation(value, type, known[body, scope], uses, indices)
        _Accesses(rotation).check()
        rotations.append(rotation)
    return rotations


def check_indices(rotations: Sequence[Rotation]) -> None:
    """Prove condition 3: the slot indices of these buffers index their slots and do nothing else.

    Raises:
        CannotRestage: when one does.
    """
    allowed = {(use.operation, use.index + 1) for rotation in rotations for use in rotation.uses}
    indices = {index: found for rotation in rotations for index, found in rotation.indices.items()}
    for index, found in indices.items():
        others = [use.operation for use in index.uses if (use.operation, use.index) not in allowed]
        for part in found.parts:
            users = (use.operation for result in part.results for use in result.uses)
            others += [user for user in users if user is not found.op and user not in found.parts]
        if others:
            name = op_name(others[0])
            raise CannotRestage("slot-index-used-elsewhere", f"{name} uses the slot index for something else")


def missing_barriers(rotations: Sequence[Rotation], stages: int, kernel: Operation) -> list[Operation]:
    """Where condition 4 needs further barriers for `stages` slots: the operations that they are to follow.

    Raises:
        CannotRestage: when a barrier is needed where not all threads of the threadgroup may come.
    """
    is_per_thread = _is_per_thread(kernel)
    last_reads: dict[Block, tuple[Iterations, int]] = {}
    for rotation in rotations:
        iterations = rotation.iterations
        if any(map(is_over_threads, _parallel_loops_around(iterations.loop, kernel))):
            raise CannotRestage("no-barrier-place", "its loop is run by some of the threads of a threadgroup")
        last = rotation.last_read if is_per_thread else rotation.last_bare_read
        # Those of loops that are distributed later come after them, so they cover what is read there.
        barriers = iterations.barriers if is_per_thread else iterations.later_barriers
        if last < 0 or (barriers and (barriers[0] < rotation.first_write or barriers[-1] > last)):
            continue
        if barriers and stages > 1 and _takes_slots_in_turn(rotation, kernel):
            continue
        _, last_read = last_reads.get(iterations.body, (iterations, -1))
        last_reads[iterations.body] = iterations, max(last_read, last)
    for iterations, _ in last_reads.values():
        if not all(map(is_over_blocks, _parallel_loops_around(iterations.loop, kernel))) or (
            is_per_thread and not iterations.barriers and not _is_uniform(iterations.loop, kernel)
        ):
            raise CannotRestage("no-barrier-place", "not all threads of a threadgroup may run the same iterations")
    return [list(iterations.position)[last] for iterations, last in last_reads.values()]


def _parent(block: Block) -> Operation:
    op = block.parent_op()
    if op is None:
        raise CannotRestage("unsupported-control-flow", "its loop is not inside an operation")
    return op


def _block_of(value: SSAValue) -> Block:
    """The block in which `value` is defined."""
    block = value.block if isinstance(value, BlockArgument) else value.owner.parent_block()
    if block is None:
        raise CannotRestage("unsupported-control-flow", "its loop is not inside an operation")
    return block


def _around(block: Block | None) -> Iterator[Operation]:
    """The operations around `block`, inside out."""
    op = None if block is None else block.parent_op()
    while op is not None:
        yield op
        op = op.parent_op()


def _scope(value: SSAValue, kernel: Operation) -> Block:
    """The block in which the memory of `value` begins to live, as one threadgroup sees it."""
    block = _block_of(value)
    if kernel in _around(block):
        return block
    body = kernel.regions[0].first_block
    if op_name(kernel) != "gpu.launch" or body is None:
        raise CannotRestage("allocated-elsewhere", "it is allocated in a function that the kernel calls")
    return body


def _slot_index(use: Use, type: MemRefType[Attribute], slots: int) -> tuple[SSAValue, Modulus]:
    """The index of the slot that `use` of the buffer takes."""
    op = use.operation
    name = op_name(op)
    if name in _ASYNCHRONOUS_COPIES:
        raise CannotRestage("loads-run-ahead", f"{name} may still be writing in a later iteration", _PIPELINE_LATER)
    if (name, use.index) not in _INDEXED:
        raise _not_followed(op)
    touched = _touched(use, type.get_shape())
    if touched[0] != 1:
        raise CannotRestage("unsupported-user", f"a {name} of it spans several slots")
    index = leading_index(use)
    if isinstance(index, int) or (index is not None and constant(index) is not None):
        raise CannotRestage("loads-run-ahead", f"{name} takes one slot in all iterations", _PIPELINE_LATER)
    if isinstance(index, BlockArgument):
        raise CannotRestage("loads-run-ahead", "its slot is carried from iteration to iteration", _PIPELINE_LATER)
    found = None if index is None else modulus(index)
    if index is None or found is None or found.value != slots:
        raise CannotRestage("unknown-slot-index", f"what {name} takes for the slot is not an index modulo {slots}")
    return index, found


def _touched(use: Use, shape: Sequence[int]) -> list[int | None]:
    """What `use` of a memref of `shape` touches along each dimension, no more than there is.

    Raises:
        CannotRestage: when that is not known, or it is more.
    """
    op = use.operation
    touched = reach(use)
    if touched is None or len(touched) != len(shape):
        raise _not_followed(op)
    if op_name(op) == "memref.subview":
        starts = dense_i64_array(attribute(op, "static_offsets")) or ()
    elif op_name(op).startswith("affine."):
        starts = _results(affine_map(attribute(op, "map")), op.operands[use.index + 1 :])
    else:
        starts = [_known(index) for index in op.operands[use.index + 1 : use.index + 1 + len(shape)]]
    for start, count, size in zip_longest(starts, touched, shape):
        first = 0 if start in (None, DYNAMIC_INDEX) else start
        if first < 0 or (count is not None and size != DYNAMIC_INDEX and first + count > size):
            raise CannotRestage("unsupported-user", f"a {op_name(op)} of it goes beyond the end of a slot")
    return touched


def _known(index: SSAValue) -> int | None:
    """The integer that `index` is known to be, also where an `affine.apply` computes it of constants."""
    owner = index.owner
    if isinstance(owner, Operation) and op_name(owner) == "affine.apply":
        results = _results(affine_map(attribute(owner, "map")), owner.operands)
        return results[0] if len(results) == 1 else None
    return constant(index)


def _results(map: AffineMap | None, operands: Sequence[SSAValue]) -> list[int | None]:
    """The integers that the results of `map` are known to be; none where the map is not known."""
    if map is None or len(operands) != map.num_dims + map.num_symbols:
        return []
    values = [constant(operand) for operand in operands]
    dims = [
        AffineDimExpr(position) if value is None else AffineConstantExpr(value)
        for position, value in enumerate(values[: map.num_dims])
    ]
    symbols = [
        AffineSymExpr(position) if value is None else AffineConstantExpr(value)
        for position, value in enumerate(values[map.num_dims :])
    ]
    try:
        results = [result.replace_dims_and_symbols(dims, symbols) for result in map.results]
    except ZeroDivisionError:
        return []
    return [result.value if isinstance(result, AffineConstantExpr) else None for result in results]


def _not_followed(op: Operation) -> CannotRestage:
    name = op_name(op)
    if _HANDS_ON.fullmatch(name):
        return CannotRestage("memref-escapes", f"{name} hands it on to where its uses are not known")
    return CannotRestage("unsupported-user", f"what {name} does with it is not known")


def _common_body(indices: dict[SSAValue, Modulus]) -> Block:
    """The body of the loop whose every iteration takes one slot."""
    if not indices:
        raise CannotRestage("unknown-slot-index", "nothing indexes its slots")
    found, *others = indices.values()
    for other in others:
        if not (
            op_name(found.op) == op_name(other.op) == "affine.apply"
            and attribute(found.op, "map") == attribute(other.op, "map")
            and tuple(found.op.operands) == tuple(other.op.operands)
        ):
            raise CannotRestage("loads-run-ahead", "an iteration uses more slots than one", _PIPELINE_LATER)
    # An affine.apply may have been moved inwards to where it is used, and copied; what it computes changes with its
    # operands.
    operands = found.op.operands if op_name(found.op) == "affine.apply" else (found.op.results[0],)
    body = max(map(_block_of, operands), key=lambda block: len(list(_around(block))), default=None)
    if body is None or op_name(_parent(body)) not in _LOOPS:
        raise CannotRestage("unknown-slot-index", "its slot is not computed of what a loop counts")
    return body


def _check_nesting(body: Block, scope: Block) -> None:
    """Between the loop and where the memory is allocated there are only loops that run in order, and conditions."""
    block: Block | None = body
    while block is not scope:
        op = None if block is None else block.parent_op()
        if op is None:
            raise CannotRestage("unsupported-control-flow", "its loop is around the kernel")
        if op_name(op) in PARALLEL_LOOPS:
            raise CannotRestage("parallel-iterations", "it is shared by the iterations of a parallel loop")
        if op_name(op) not in _SEQUENTIAL:
            raise CannotRestage("unsupported-control-flow", f"its loop is in {op_name(op)}")
        block = op.parent_block()
    region = scope.parent
    if region is None or region.first_block is not region.last_block:
        raise CannotRestage("unsupported-control-flow", "it is allocated among blocks that branch to each other")


class _Accesses:
    """Every access to a buffer in one iteration of its loop."""

    def __init__(self, rotation: Rotation):
        self.rotation = rotation
        self.iterations = rotation.iterations
        self.reads: list[int] = []
        self.bare_reads: list[int] = []
        self.writes: list[int] = []

    def check(self) -> None:
        """Prove condition 1."""
        for use in self.rotation.uses:
            self._use(use)
        if not self.writes or (self.reads and max(self.writes) >= min(self.reads)):
            raise CannotRestage("slot-not-written-first", "not every iteration writes its slot before it reads it")
        self.rotation.first_write = min(self.writes)
        self.rotation.last_read = max(self.reads, default=-1)
        self.rotation.last_bare_read = max(self.bare_reads, default=-1)

    def _use(self, first: Use) -> None:
        """Follow a use of the buffer.

        With each view of it goes whether that is at the same place in every iteration, and its shape, as far as known.
        """
        pending = [(first, True, self.rotation.type.get_shape())]
        while pending:
            use, same_place, shape = pending.pop()
            op = use.operation
            name = op_name(op)
            view = memref_type(op.results[0].type) if name in ("memref.subview", "memref.cast") else None
            if view is not None:
                if name == "memref.subview":
                    _touched(use, shape)
                    shape = view.get_shape()
                    same_place = same_place and self.iterations.are_fixed(self._indices(use))
                pending += ((inner, same_place, shape) for inner in op.results[0].uses)
            elif name in _READS and use.index == 0:
                _touched(use, shape)
                self._read(op)
            elif name in _WRITES and use.index == 1:
                _touched(use, shape)
                self._write(op, same_place and self.iterations.are_fixed(self._indices(use)))
            elif name == "memref.copy":
                self._read(op) if use.index == 0 else self._write(op, same_place)
            elif name.startswith("linalg."):
                self._linalg(use, same_place)
            elif name != "memref.dim":
                raise _not_followed(op)

    def _indices(self, use: Use) -> tuple[SSAValue, ...]:
        """The operands that say what part of the memref is used, without the index of the slot."""
        is_direct = use.operation.operands[use.index] is self.rotation.value
        first = use.index + (2 if is_direct else 1)
        return tuple(use.operation.operands[first:])

    def _linalg(self, use: Use, same_place: bool) -> None:
        """An operand of a structured operation: an input is read; an output is written, and read unless overwritten."""
        op = use.operation
        segments = dense_array(attribute(op, "operandSegmentSizes"))
        if segments is None or len(segments) != 2:
            raise _not_followed(op)
        is_output = use.index >= segments[0]
        if not is_output or not _overwrites(op, use.index):
            self._read(op)
        if is_output:
            self._write(op, same_place)

    def _read(self, op: Operation) -> None:
        """Note a read; whether it runs does not matter."""
        path = self._up_to_body(op)
        for parent in path[1:]:
            if op_name(parent) not in (*_SEQUENTIAL, *PARALLEL_LOOPS):
                raise CannotRestage("unsupported-control-flow", f"{op_name(op)} reads it in {op_name(parent)}")
        position = self.iterations.position[path[-1]]
        self.reads.append(position)
        is_whole = op_name(op).startswith("linalg.") and not any(op_name(parent) in PARALLEL_LOOPS for parent in path)
        if not is_whole and not any(map(is_over_threads, path)):
            self.bare_reads.append(position)

    def _write(self, op: Operation, same_place: bool) -> None:
        """Note a write, which must happen in every iteration, and at the same place."""
        path = self._up_to_body(op)
        if not (same_place and all(map(self.iterations.runs_alike, path[1:]))):
            raise CannotRestage(
                "slot-not-written-first",
                f"what {op_name(op)} writes differs between iterations, so one may read what another left",
            )
        self.writes.append(self.iterations.position[path[-1]])

    def _up_to_body(self, op: Operation) -> list[Operation]:
        """`op` and the operations around it, up to the one in the body of the loop."""
        path = [op]
        while path[-1] not in self.iterations.position:
            parent = path[-1].parent_op()
            if parent is None:
                raise CannotRestage("memref-escapes", f"{op_name(op)} uses it outside of its loop")
            path.append(parent)
        return path


def _overwrites(op: Operation, position: int) -> bool:
    """Whether a structured operation writes all elements of its output number `position` without reading any."""
    block = op.regions[0].first_block if op.regions else None
    if block is None or position >= len(block.args) or block.args[position].uses:
        return False
    if op_name(op) != "linalg.generic":
        return op_name(op) in _OVERWRITES
    maps = elements(attribute(op, "indexing_maps"))
    map = None if maps is None else affine_map(maps[position])
    return (
        map is not None
        and len(set(map.results)) == map.num_dims
        and all(isinstance(result, AffineDimExpr) for result in map.results)
    )


def _is_per_thread(kernel: Operation) -> bool:
    """Whether the kernel says what one thread does; else it says what a threadgroup does, to be distributed later."""
    if op_name(kernel) in ("gpu.func", "gpu.launch"):
        return True
    return any(_WRITTEN_PER_THREAD.fullmatch(op_name(op)) for op in kernel.walk())


def _parallel_loops_around(loop: Operation, kernel: Operation) -> list[Operation]:
    """The parallel loops of `kernel` that are around `loop`."""
    around = takewhile(lambda op: op is not kernel, _around(loop.parent_block()))
    return [op for op in around if op_name(op) in PARALLEL_LOOPS]


def _is_barrier(op: Operation) -> bool:
    """Whether all threads wait at `op` and then see what the others wrote to threadgroup memory."""
    spaces = attribute(op, "address_spaces")
    return op_name(op) in _BARRIERS and not op.operands and (spaces is None or "workgroup" in text(spaces))


def _takes_slots_in_turn(rotation: Rotation, kernel: Operation) -> bool:
    """Whether each iteration takes the slot after that of the iteration before it: the loop runs once, and the index is
    `((iv + C) floordiv step) mod N`.
    """
    loop = rotation.iterations.loop
    for op in _around(loop.parent_block()):
        if op is kernel:
            break
        if op_name(op) in _LOOPS:
            return False
    step = constant(loop.operands[2]) if op_name(loop) == "scf.for" else integer(attribute(loop, "step"))
    for found in rotation.indices.values():
        map = affine_map(attribute(found.op, "map")) if op_name(found.op) == "affine.apply" else None
        if map is None or tuple(found.op.operands) != (rotation.iterations.body.args[0],):
            return False
        match map.results[0]:
            case AffineBinaryOpExpr(
                AffineBinaryOpKind.Mod,
                AffineBinaryOpExpr(AffineBinaryOpKind.FloorDiv, counter, AffineConstantExpr(divisor)),
                _,
            ):
                pass
            case AffineBinaryOpExpr(AffineBinaryOpKind.Mod, counter, _):
                divisor = 1
            case _:
                return False
        match counter:
            case AffineDimExpr() | AffineBinaryOpExpr(AffineBinaryOpKind.Add, AffineDimExpr(), AffineConstantExpr()):
                pass
            case _:
                return False
        if divisor != step:
            return False
    return True


def _is_uniform(loop: Operation, kernel: Operation) -> bool:
    """Whether all threads of a threadgroup run the same iterations of `loop`, and of all that is around it."""
    pending: list[SSAValue] = []
    for op in (loop, *_around(loop.parent_block())):
        if op is kernel:
            break
        pending += _deciding(op) or ()
    seen: set[SSAValue] = set()
    while pending:
        value = pending.pop()
        if value in seen or kernel not in _around(_block_of(value)):
            continue
        seen.add(value)
        if isinstance(value, OpResult):
            name = op_name(value.op)
            if PURE.fullmatch(name) is None or PER_THREAD.fullmatch(name) is not None:
                return False
            pending += value.op.operands
        elif isinstance(value, BlockArgument):
            owner = _parent(value.block)
            if owner is not kernel:
                if op_name(owner) not in _LOOPS or value.index != 0:
                    return False
                pending += _deciding(owner) or ()
            elif op_name(kernel) == "gpu.launch" and value.index in LAUNCH_THREAD_IDS:
                return False
    return True


def _deciding(op: Operation) -> Sequence[SSAValue] | None:
    """What decides whether, or how often, the body of `op` runs; None if `op` is no loop and no condition."""
    name = op_name(op)
    if name == "scf.if":
        return op.operands[:1]
    if name == "scf.for":
        return op.operands[:3]
    return op.operands if name in (*_SEQUENTIAL, *PARALLEL_LOOPS) else None
