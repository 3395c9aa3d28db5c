"""Whether Triton can copy a tile of two-byte elements to shared memory while a loop computes.

Such a copy moves at least four bytes, so the addresses of neighbors have to follow each other in pairs that begin at a
multiple of four bytes, and no mask may part a pair. Triton finds that out by analyzing the integers that addresses are
made of. What is here is the part of its analysis that ordinary kernels need, with the same answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, DictionaryAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from rlx_sched.ir.access import attribute, elements, integer, op_name

COPY_BYTES = 4
"""The fewest bytes that a thread copies at once: `cp.async` has no smaller copy, and AMD's pipeliner wants as many."""

_PASSES = 8
"""Passes over a function until nothing changes; kernels take two or three. Where it takes more, nothing is claimed."""

_ORDERINGS = (2, 5, 6, 9)
"""Predicates of `arith.cmpi` that an even number and the next one meet alike, compared with an even one: slt to uge."""


class Pair(Enum):
    """How two neighbors along a dimension are related, wherever the first of them has an even index."""

    OTHER = "in no way that is known"
    SAME = "they are equal"
    EVEN = "they are equal, and an even number or an address that is a multiple of four"
    NEXT = "the first is such a number, and the second follows it"


_UNIFORM = (Pair.SAME, Pair.EVEN)

Pairs = tuple[Pair, ...]
"""One for each dimension; a scalar has one, for any dimension that it is spread along."""


def pairs(function: Operation) -> Mapping[SSAValue, Pairs]:
    """What is known of the integers and addresses in `function`; what is not in it is not known."""
    known: dict[SSAValue, Pairs] = dict(_arguments(function))
    for _ in range(_PASSES):
        before = dict(known)
        for op in function.walk():
            known |= _loop_arguments(op, known) if op_name(op) == "scf.for" else {}
            found = _result(op, [_known(operand, known) for operand in op.operands])
            known |= {result: found or _nothing(result) for result in op.results}
        if known == before:
            return known
    return {}


def come_in_pairs(address: SSAValue, mask: SSAValue | None, known: Mapping[SSAValue, Pairs]) -> bool:
    """Whether what is loaded from `address`, where `mask` is set, can be copied in whole pairs along a dimension."""
    addresses = known.get(address, ())
    masks = (Pair.SAME,) * len(addresses) if mask is None else known.get(mask, ())
    return any(one is Pair.NEXT and other in _UNIFORM for one, other in zip(addresses, masks, strict=False))


def _known(value: SSAValue, known: Mapping[SSAValue, Pairs]) -> Pairs:
    return known.get(value) or _nothing(value)


def _nothing(value: SSAValue) -> Pairs:
    return (Pair.OTHER,) * max(len(_shape(value)), 1)


def _arguments(function: Operation) -> Iterator[tuple[SSAValue, Pairs]]:
    """The arguments of a kernel; the launch knows of some that they are divisible."""
    attributes = elements(attribute(function, "arg_attrs")) or ()
    for argument in function.regions[0].block.args:
        given = attributes[argument.index] if argument.index < len(attributes) else None
        divisor = given.data.get("tt.divisibility") if isinstance(given, DictionaryAttr) else None
        yield argument, (Pair.SAME if (integer(divisor) or 1) % COPY_BYTES else Pair.EVEN,)


def _loop_arguments(loop: Operation, known: Mapping[SSAValue, Pairs]) -> dict[SSAValue, Pairs]:
    """The counter of a loop, and what it carries: what holds of it at first and after an iteration."""
    block = loop.regions[0].blocks[0]
    counter = _sum(*(_known(loop.operands[i], known) for i in (0, 2)))
    found: dict[SSAValue, Pairs] = {block.args[0]: counter}
    last = block.last_op
    for argument, initial in zip(block.args[1:], loop.operands[3:], strict=True):
        first = _known(initial, known)
        # The first pass has not seen what is yielded; a later one sees whether it changes anything.
        later = first if last is None else known.get(last.operands[argument.index - 1], first)
        found[argument] = tuple(_either(*both) for both in zip(first, later, strict=True))
    return found


def _either(one: Pair, other: Pair) -> Pair:
    if one is other:
        return one
    return Pair.SAME if one in _UNIFORM and other in _UNIFORM else Pair.OTHER


def _result(op: Operation, of: Sequence[Pairs]) -> Pairs | None:
    """What is known of the result of `op`, from what is known `of` its operands."""
    match op_name(op):
        case "arith.constant":
            return _constant(attribute(op, "value"))
        case "tt.get_program_id" | "tt.get_num_programs":
            return (Pair.SAME,)
        case "tt.make_range":
            return (Pair.OTHER if (integer(attribute(op, "start")) or 0) % 2 else Pair.NEXT,)
        case "tt.splat":
            return of[0] * len(_shape(op.results[0]))
        case "tt.expand_dims":
            axis = integer(attribute(op, "axis")) or 0
            return (*of[0][:axis], Pair.SAME, *of[0][axis:])
        case "tt.broadcast":
            sizes = zip(of[0], _shape(op.operands[0]), _shape(op.results[0]), strict=True)
            return tuple(pair if before == after or pair is Pair.EVEN else Pair.SAME for pair, before, after in sizes)
        case "arith.extsi" | "arith.extui" | "arith.trunci":
            return of[0]
        case "arith.addi" | "tt.addptr":
            return _sum(*of)
        case "arith.subi" | "arith.remsi" | "arith.remui":
            return tuple(_add(*both) if both[1] is not Pair.NEXT else Pair.OTHER for both in zip(*of, strict=True))
        case "arith.muli":
            return tuple(_multiply(*both) for both in zip(*of, strict=True))
        case "arith.cmpi":
            ordering = integer(attribute(op, "predicate")) in _ORDERINGS
            return tuple(_compare(*both, ordering=ordering) for both in zip(*of, strict=True))
        case "arith.divsi" | "arith.divui" | "arith.andi" | "arith.ori":
            return tuple(_compare(*both, ordering=False) for both in zip(*of, strict=True))
        case _:
            return None


def _constant(value: Attribute | None) -> Pairs:
    """A number, or a tensor of one number."""
    if isa(value, DenseIntOrFPElementsAttr) and value.is_splat():
        number = value.get_values()[0]
        even = isinstance(number, int) and number % 2 == 0
        return (Pair.EVEN if even else Pair.SAME,) * len(value.get_shape())
    number = integer(value)
    return (Pair.OTHER if number is None else Pair.SAME if number % 2 else Pair.EVEN,)


def _shape(value: SSAValue) -> Sequence[int]:
    return value.type.get_shape() if isa(value.type, TensorType[Attribute]) else ()


def _sum(one: Pairs, other: Pairs) -> Pairs:
    return tuple(_add(*both) for both in zip(one, other, strict=True))


def _add(one: Pair, other: Pair) -> Pair:
    if one is Pair.EVEN or other is Pair.EVEN:
        return other if one is Pair.EVEN else one
    return Pair.SAME if one is other is Pair.SAME else Pair.OTHER


def _multiply(one: Pair, other: Pair) -> Pair:
    if one not in _UNIFORM or other not in _UNIFORM:
        return Pair.OTHER
    return Pair.EVEN if Pair.EVEN in (one, other) else Pair.SAME


def _compare(one: Pair, other: Pair, *, ordering: bool) -> Pair:
    """What comparing, or anything else that is the same for equal operands, makes of them."""
    alike = (one in _UNIFORM and other in _UNIFORM) or (ordering and one is Pair.NEXT and other is Pair.EVEN)
    return Pair.SAME if alike else Pair.OTHER
