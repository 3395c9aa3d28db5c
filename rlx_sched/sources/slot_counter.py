"""Counting the slots that a kernel's buffers rotate through.

A buffer rotates if its leading dimension is indexed by what a loop counts, made to wrap around after as many steps as
that dimension has rows. Passes spell the wrapping in many ways; only some of them can be rewritten, see
`rlx_sched.sources.rotation`, but all that are known here count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, i1
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue, Use
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from rlx_sched.ir.access import affine_map, attribute, dense_array, dense_i64_array, elements, integer, op_name, text
from rlx_sched.sources.rotation import (
    LAUNCH_THREAD_IDS,
    PARALLEL_LOOPS,
    PER_THREAD,
    constant,
    is_over_blocks,
    memref_type,
    modulus,
    reach,
)

_SEVERAL = 0
"""Stands for a value that wraps around after different numbers of steps, or more counters than are told apart."""

_MOST_COUNTERS = 64
"""Counters of loops that are told apart in one function. Kernels have a dozen; without a limit, N indices of N counters
would take N times N."""

_OTHER_COUNTERS = 1 << _MOST_COUNTERS

_COUNTING_LOOPS = ("scf.for", "affine.for")
_CASTS = re.compile(r"(arith|index)\.(index_cast|index_castui|castu|casts|ext[su]i|trunci)")
_SHIFTED = re.compile(r"(arith|index)\.(addi?|subi?|xori?|ori?|max[su]i?|min[su]i?)")
"""Operations that move a value by a constant, or stop it there."""

_WRAPPING = frozenset(
    (
        *("affine.apply", "affine.delinearize_index", "arith.select", "scf.if"),
        *("arith.andi", "arith.remsi", "arith.remui", "arith.subi", "arith.xori"),
        *("index.and", "index.rems", "index.remu", "index.sub", "index.xor"),
        *("arith.extsi", "arith.extui", "arith.index_cast", "arith.index_castui", "index.castu"),
    )
)
"""Operations whose results may wrap around where their operands do not."""

_DIVISIONS = re.compile(r"(arith|index)\.(ceil|floor)?(div[su]i?|shr(si|ui|s|u))")

_ROUNDING_DOWN = ("arith.divsi", "arith.divui", "index.divs", "index.divu")
"""Those of them that round positive quotients down, where not by shifting."""

_SAME_SHAPE = ("memref.cast", "memref.assume_alignment", "memref.memory_space_cast")
_OTHER_SHAPE = ("memref.reinterpret_cast", "memref.reshape", "memref.view", "builtin.unrealized_conversion_cast")
_EXCHANGES = re.compile(r"arith\.select|affine\.yield|scf\.(yield|while|condition)|cf\.(br|cond_br|switch)")
"""Operations after which a buffer may be one of several, as where two take turns."""

_EQUALITIES = (0, 1)
_BELOW_THE_REST = (2, 5, 6, 9)
"""Predicates of `arith.cmpi`: eq, ne; slt, sge, ult, uge, which part what is below a number from the rest."""


class _Index(NamedTuple):
    """What a dimension is indexed by: one of `values` as it is, else what an affine map computes of them.

    The map may take that `modulo` a number in the end, or divide on the way.
    """

    values: tuple[SSAValue, ...] = ()
    is_mapped: bool = False
    modulo: int | None = None
    is_divided: bool = False


@dataclass(frozen=True, slots=True)
class _View:
    """A view of a buffer, with the dimensions among which the leading one of the buffer is.

    Where it is `whole`, that is the only one of them, and all of it.
    """

    value: SSAValue
    dimensions: tuple[int, ...] = (0,)
    whole: bool = True


class SlotCounter:
    """Counts the slots of the buffers of a module that does not change meanwhile: many may be indexed alike."""

    def __init__(self) -> None:
        self._flows: dict[Block, _Flow] = {}

    def count(self, type: Attribute, values: Iterable[SSAValue]) -> int | None:
        """How many slots the buffer of `type` that is used through `values` rotates through; 1 if it does not.

        None where that is not seen: a loop runs through it several rows at a time, which may be a slot or a part of a
        tile, or through views in which the rows are not seen, or it takes turns with other buffers.
        """
        memref = memref_type(type)
        leading = memref.get_shape()[0] if memref is not None and memref.get_num_dims() else 1
        found: int | None = 1
        pending = [_View(value, (0,) if leading > 1 else ()) for value in values]
        seen: set[SSAValue] = set()
        while pending:
            view = pending.pop()
            if view.value in seen:
                continue
            seen.add(view.value)
            for use in view.value.uses:
                if _takes_turns(use):
                    return None
                slots = self._slots(use, view, leading)
                if slots is not None and slots > 1:
                    return slots
                found = found if slots else None
                pending += _views(use, view, leading)
        return found

    def _slots(self, use: Use, view: _View, leading: int) -> int | None:
        """The slots among which `use` of a buffer, or of a view of it, takes one; as `count` has it."""
        slots: int | None = 1
        for dimension in view.dimensions:
            index, *others = _indices(use, dimension)
            if not index.values:
                continue
            flow = self._flow(use.operation)
            steps = flow.wraps(index)
            if view.whole and steps is not None and steps not in (leading, _SEVERAL):
                continue
            if steps is None and not flow.follows_wrapping(index):
                continue
            is_split = flow.is_split(index, others)
            if is_split:
                continue
            touched = reach(use)
            is_one = touched is None or touched[dimension] == 1
            if view.whole and steps == leading and is_one and is_split is False:
                return leading
            slots = None
        return slots

    def _flow(self, op: Operation) -> _Flow:
        block = op.parent_block()
        if block is None or block not in self._flows:
            function = op
            while (parent := function.parent_op()) is not None and attribute(function, "function_type") is None:
                function = parent
            flow = _Flow(function)
            self._flows |= dict.fromkeys(flow.blocks, flow)
            return flow
        return self._flows[block]


class _Flow:
    """What is computed of what in a function: what its loops count, and where that is made to wrap around."""

    def __init__(self, function: Operation):
        self.blocks: list[Block] = []
        self._counters: dict[SSAValue, int] = {}
        self._quotients: dict[SSAValue, int] = {}
        counters: list[SSAValue] = []
        per_thread: list[SSAValue] = []
        wrapping: list[tuple[SSAValue, int]] = []
        for op in function.walk():
            name = op_name(op)
            for block in (block for region in op.regions for block in region.blocks):
                self.blocks.append(block)
                for argument in block.args:
                    if _differs_between_threads(argument):
                        per_thread.append(argument)
                    elif _is_counter(argument):
                        self._counters[argument] = 1 << min(len(counters), _MOST_COUNTERS)
                        counters.append(argument)
            if not op.results:
                continue
            if op.operands:
                self._compute(op)
            if name in _WRAPPING and op.operands:
                wrapping += ((result, found) for result, found in _wrapping(op) if found is not None)
            elif PER_THREAD.fullmatch(name):
                per_thread += op.results
        self._per_thread = _closure(per_thread)
        self._counted = _closure(counters)
        self._wraps: dict[SSAValue, int] = {}
        pending = [(value, steps) for value, steps in wrapping if self._is_counted(value)]
        while pending:
            value, steps = pending.pop()
            known = self._wraps.get(value, steps)
            if value not in self._wraps or known not in (steps, _SEVERAL):
                self._wraps[value] = steps = steps if known == steps else _SEVERAL
                pending += ((copy, steps) for copy in _copies(value))

    @cached_property
    def _follow_wrapping(self) -> set[SSAValue]:
        return _closure(self._wraps)

    def _compute(self, op: Operation) -> None:
        """Note of which counters the results of `op` are computed within an iteration."""
        counters = quotients = 0
        for operand in op.operands:
            counters |= self._counters.get(operand, 0)
            quotients |= self._quotients.get(operand, 0)
        if counters:
            quotients |= counters if _is_division(op) else 0
            self._counters |= dict.fromkeys(op.results, counters)
            self._quotients |= dict.fromkeys(op.results if quotients else (), quotients)

    def _is_counted(self, *values: SSAValue) -> bool:
        """Whether what is computed of `values` follows a loop, and is the same for all threads.

        Threads that take different rows, `tile[thread mod 32]`, share out one tile: its rows are no slots.
        """
        return not self._counted.isdisjoint(values) and self._per_thread.isdisjoint(values)

    def wraps(self, index: _Index) -> int | None:
        """After how many steps of a loop `index` wraps around; `_SEVERAL` for different numbers, None for never."""
        if index.modulo is not None:
            return index.modulo if self._is_counted(*index.values) else None
        return None if index.is_mapped else self._wraps.get(index.values[0])

    def follows_wrapping(self, index: _Index) -> bool:
        """Whether `index` is computed of anything that wraps around while a loop runs, for all threads alike."""
        return not self._follow_wrapping.isdisjoint(index.values) or self.wraps(index) is not None

    def is_split(self, index: _Index, others: Iterable[_Index]) -> bool | None:
        """Whether one of `others` is a quotient of what a loop counts next to its remainder `index`; None if unknown.

        `tile[i mod 16][i / 16]` goes through one tile column by column: its rows are no slots.
        """
        counters = self._of(index.values, self._counters)
        quotients = 0
        for other in others:
            quotients |= self._of(other.values, self._counters if other.is_divided else self._quotients)
        common = counters & quotients
        return None if common == _OTHER_COUNTERS else common != 0

    def _of(self, values: Iterable[SSAValue], known: dict[SSAValue, int]) -> int:
        found = 0
        for value in values:
            found |= known.get(value, 0)
        return found


def _closure(values: Iterable[SSAValue]) -> set[SSAValue]:
    """`values`, and everything that is computed of them, in this iteration of a loop or in a later one."""
    found = set(values)
    pending = list(found)
    done: set[Operation] = set()
    while pending:
        for use in pending.pop().uses:
            op = use.operation
            if op in done:
                continue
            if op.regions and op_name(op) in _COUNTING_LOOPS:
                new = [*_carried(use), *_counter_of(use)]
            elif op.results:
                new = op.results
                done.add(op)
            else:
                new = _carried(use) if op.next_op is None else ()
            new = [value for value in new if value not in found]
            found.update(new)
            pending += new
    return found


def _copies(value: SSAValue) -> Iterator[SSAValue]:
    """What may be a copy of `value`: carried by a loop, chosen, cast, or moved by a constant."""
    for use in value.uses:
        op = use.operation
        name = op_name(op)
        if name in _COUNTING_LOOPS or name.endswith(".yield"):
            yield from _carried(use)
        elif (
            _CASTS.fullmatch(name) is not None
            or (name == "arith.select" and use.index > 0)
            or (_SHIFTED.fullmatch(name) and any(constant(operand) is not None for operand in op.operands))
        ):
            yield from op.results


def _carried(use: Use) -> list[SSAValue]:
    """The argument and the result of a loop, or the result of a condition, that takes the value of an operand."""
    op = use.operation
    position = use.index
    if op_name(op) in _COUNTING_LOOPS:
        bounds = dense_array(attribute(op, "operandSegmentSizes")) or ()
        position -= 3 if op_name(op) == "scf.for" else sum(bounds[:2])
    elif op_name(op).endswith(".yield"):
        parent = op.parent_op()
        if parent is None or op_name(parent) not in (*_COUNTING_LOOPS, "scf.if", "affine.if"):
            return []
        op = parent
    else:
        return []
    arguments = _body_arguments(op) if op_name(op) in _COUNTING_LOOPS else ()
    return [*arguments[position + 1 : position + 2], *op.results[position : position + 1]] if position >= 0 else []


def _counter_of(use: Use) -> Sequence[SSAValue]:
    """The counter of a loop, if `use` is by an operand that decides which values it takes; where it ends is not one."""
    loop = use.operation
    if op_name(loop) == "scf.for":
        decides = use.index in (0, 2)
    else:
        decides = use.index < (dense_array(attribute(loop, "operandSegmentSizes")) or (0,))[0]
    return _body_arguments(loop)[:1] if decides else ()


def _body_arguments(loop: Operation) -> Sequence[BlockArgument]:
    block = loop.regions[0].first_block if loop.regions else None
    return () if block is None else block.args


def _differs_between_threads(argument: BlockArgument) -> bool:
    """Whether `argument` is the id of a thread, or the counter of a loop whose iterations threads share out."""
    owner = argument.block.parent_op()
    name = "" if owner is None else op_name(owner)
    if name == "gpu.launch":
        return argument.block.prev_block is None and argument.index in LAUNCH_THREAD_IDS
    return owner is not None and name in PARALLEL_LOOPS and not is_over_blocks(owner)


def _is_counter(argument: BlockArgument) -> bool:
    """Whether `argument` may change from one iteration of a loop to the next.

    After lowering to branches, any argument of a later block may: what it counts from is not followed.
    """
    owner = argument.block.parent_op()
    name = "" if owner is None else op_name(owner)
    return name in (*_COUNTING_LOOPS, "scf.while") or argument.block.prev_block is not None


def _is_division(op: Operation) -> bool:
    if op_name(op) == "affine.apply":
        map = attribute(op, "map")
        return map is not None and "div" in text(map)
    if op_name(op) == "affine.delinearize_index":
        return True
    return _DIVISIONS.fullmatch(op_name(op)) is not None


def _wrapping(op: Operation) -> Iterator[tuple[SSAValue, int | None]]:
    """The results of `op` that may wrap around, and after how many steps they do."""
    name = op_name(op)
    if name == "scf.if":
        last = [region.first_block.last_op for region in op.regions if region.first_block is not None]
        yields = [end.operands for end in last if end is not None]
        if len(yields) == 2:
            for result, *choices in zip(op.results, *yields, strict=False):
                yield result, _chosen(op.operands[0], choices)
    elif name == "affine.delinearize_index":
        # The first result is a quotient, and may have no number in the basis.
        basis = dense_i64_array(attribute(op, "static_basis")) or ()
        yield from zip(op.results[1:], basis[len(basis) - len(op.results) + 1 :], strict=False)
    else:
        yield op.results[0], _wraps_after(op)


def _wraps_after(op: Operation) -> int | None:
    """After how many steps the result of `op` wraps around, if it does: a modulus, however it is spelled."""
    name = op_name(op)
    found = modulus(op.results[0])
    if found is not None:
        return found.value
    operands = op.operands
    if name == "arith.select" and len(operands) == 3:
        return _chosen(operands[0], operands[1:])
    if _CASTS.fullmatch(name) and operands[0].type == i1:
        return 2
    if len(operands) != 2:
        return None
    if name in ("arith.andi", "index.and"):
        masks = [mask for mask in map(constant, operands) if mask is not None and mask > 0 and not mask & (mask + 1)]
        return masks[0] + 1 if masks else None
    # What turns a carried 0 to 1 and 1 to 0.
    turned = None
    if name in ("arith.xori", "index.xor"):
        turned = next((a for a, b in (operands, reversed(operands)) if constant(b) == 1), None)
    elif name in ("arith.subi", "index.sub"):
        by_hand = _multiple_of_quotient(operands[1])
        if by_hand is not None and by_hand[0] is operands[0]:
            return by_hand[1]
        turned = operands[1] if constant(operands[0]) == 1 else None
    return 2 if isinstance(turned, BlockArgument) and turned.index > 0 and _is_counter(turned) else None


def _chosen(condition: SSAValue, choices: Sequence[SSAValue]) -> int | None:
    """After how many steps a choice wraps around.

    One of two constants; or a value, or the same less the number of steps; or a value that starts again at a constant
    when it has come to another one, but does not just stop there or below it.
    """
    starts = [constant(choice) for choice in choices]
    if starts[0] is not None and starts[1] is not None:
        return max(starts[0], starts[1]) + 1
    for one, other in (choices, reversed(choices)):
        moved = _moved(one)
        if moved is not None and moved[0] is other:
            return abs(moved[1])
    compare = condition.owner
    start = starts[1] if starts[0] is None else starts[0]
    if start is None or not isinstance(compare, Operation) or op_name(compare) != "arith.cmpi":
        return None
    value = choices[0] if starts[0] is None else choices[1]
    limit = constant(compare.operands[1])
    predicate = integer(attribute(compare, "predicate"))
    if limit is None or predicate is None:
        return None
    is_of_value = compare.operands[0] is value
    if is_of_value and start == limit and predicate not in _EQUALITIES:
        return None
    limit += not is_of_value
    limit += predicate not in (*_EQUALITIES, *_BELOW_THE_REST)
    return None if start == limit - 1 else max(limit, start + 1)


def _multiple_of_quotient(value: SSAValue) -> tuple[SSAValue, int] | None:
    """What `value` is the largest multiple of a constant in: a value and the constant, for `value / N * N`."""
    product = value.owner
    if not isinstance(product, Operation) or op_name(product) not in ("arith.muli", "index.mul"):
        return None
    quotient, steps = product.operands[0].owner, constant(product.operands[1])
    if not isinstance(quotient, Operation) or op_name(quotient) not in _ROUNDING_DOWN:
        return None
    return (quotient.operands[0], steps) if steps and constant(quotient.operands[1]) == steps else None


def _moved(value: SSAValue) -> tuple[SSAValue, int] | None:
    """What `value` is the sum of: another value and a constant."""
    owner = value.owner
    if not isinstance(owner, Operation) or op_name(owner) not in ("arith.addi", "arith.subi", "index.add", "index.sub"):
        return None
    added = constant(owner.operands[1])
    return None if added is None else (owner.operands[0], added)


def _indices(use: Use, dimension: int) -> list[_Index]:
    """What `use` of a memref indexes `dimension` with, then what the others.

    Every operation that indexes a memref takes the indices right after it; affine ones compute them by a map of these,
    and `memref.subview` has constants apart.
    """
    op = use.operation
    type = memref_type(op.operands[use.index].type)
    first = use.index + 1
    rank = 0 if type is None else type.get_num_dims()
    name = op_name(op)
    if name == "memref.subview":
        offsets = dense_i64_array(attribute(op, "static_offsets")) or ()
        dynamic = iter(op.operands[first : first + len(offsets)])
        found = [_Index((next(dynamic),) if offset == DYNAMIC_INDEX else ()) for offset in offsets]
    elif name.startswith("affine.") and attribute(op, "map") is not None:
        map = affine_map(attribute(op, "map"))
        operands = () if map is None else op.operands[first : first + map.num_dims + map.num_symbols]
        found = [] if map is None else [_mapped(result, map.num_dims, operands) for result in map.results]
    else:
        found = [_Index((operand,)) for operand in op.operands[first : first + rank]]
    if dimension >= len(found):
        return [_Index()]
    return [found[dimension], *found[:dimension], *found[dimension + 1 :]]


def _mapped(result: AffineExpr, dims: int, operands: Sequence[SSAValue]) -> _Index:
    """One result of the map of an affine access."""
    parts = list(result.dfs())
    values: list[SSAValue] = []
    for part in parts:
        if isinstance(part, AffineDimExpr | AffineSymExpr):
            position = part.position + (dims if isinstance(part, AffineSymExpr) else 0)
            values += operands[position : position + 1]
    divisions = (AffineBinaryOpKind.FloorDiv, AffineBinaryOpKind.CeilDiv)
    is_divided = any(isinstance(part, AffineBinaryOpExpr) and part.kind in divisions for part in parts)
    match result:
        case AffineBinaryOpExpr(AffineBinaryOpKind.Mod, _, AffineConstantExpr(value)):
            modulo = value
        case _:
            modulo = None
    return _Index(tuple(values), len(parts) > 1, modulo, is_divided)


def _takes_turns(use: Use) -> bool:
    """Whether `use` of a buffer lets it take turns with others: it is chosen, or carried on in the place of another."""
    op = use.operation
    if op_name(op) in _COUNTING_LOOPS:
        carried = next(iter(_carried(use)), None)
        last = carried.block.last_op if isinstance(carried, BlockArgument) else None
        return carried is not None and last is not None and all(next.operation is not last for next in carried.uses)
    return _EXCHANGES.fullmatch(op_name(op)) is not None and op.operands[use.index] not in _carried(use)


def _views(use: Use, view: _View, leading: int) -> list[_View]:
    """What of a buffer `use` of a view of it hands on to the results of the operation, or to the body of a loop."""
    op = use.operation
    name = op_name(op)
    if name in _COUNTING_LOOPS:
        return [_View(value, view.dimensions, view.whole) for value in _carried(use)]
    result = memref_type(op.results[0].type) if op.results and use.index == 0 else None
    if result is None:
        return []
    rank = result.get_num_dims()
    dimensions: Sequence[int] = ()
    whole = view.whole
    if name in _SAME_SHAPE:
        dimensions = view.dimensions
    elif name in _OTHER_SHAPE:
        dimensions, whole = (range(rank), False) if view.dimensions else ((), whole)
    elif name == "memref.subview":
        offsets, sizes = (dense_i64_array(attribute(op, key)) or () for key in ("static_offsets", "static_sizes"))
        seen = [i for i in view.dimensions if i < min(len(offsets), len(sizes)) and sizes[i] != 1]
        if any(offsets[i] == DYNAMIC_INDEX for i in seen):
            return []
        whole = whole and rank == len(sizes) and all(sizes[i] == leading for i in seen)
        dimensions = seen if whole or rank == len(sizes) else range(rank if seen else 0)
    elif name == "memref.transpose":
        permutation = attribute(op, "permutation")
        if isinstance(permutation, AffineMapAttr):
            results = permutation.data.results
            sources = [result.position if isinstance(result, AffineDimExpr) else None for result in results]
            dimensions = [i for i, source in enumerate(sources) if source in view.dimensions]
    elif name in ("memref.collapse_shape", "memref.expand_shape"):
        groups = [
            [integer(position) or 0 for position in elements(group) or ()]
            for group in elements(attribute(op, "reassociation")) or ()
        ]
        if name == "memref.collapse_shape":
            dimensions = [i for i, group in enumerate(groups) if not set(group).isdisjoint(view.dimensions)]
            whole = whole and all(len(groups[i]) == 1 for i in dimensions)
        else:
            grouped = [i for d in view.dimensions if d < len(groups) for i in groups[d]]
            dimensions = [i for i in grouped if 0 <= i < rank and result.get_shape()[i] != 1]
            whole = whole and len(dimensions) <= 1
    else:
        return []
    return [_View(op.results[0], tuple(dimensions), whole)]
