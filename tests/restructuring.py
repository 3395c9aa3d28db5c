"""IR that no verifier would take: operations whose parts do not fit each other, made of the project's own files."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from round_trip import printed_again, write
from xdsl.dialects.builtin import ModuleOp, StringAttr, UnregisteredOp
from xdsl.ir import Attribute, Operation, OpResult, SSAValue, SSAValues
from xdsl.rewriter import InsertPoint, Rewriter

from rlx_sched.ir.access import text
from rlx_sched.ir.reader import OP_NAME, read_module
from rlx_sched.ir.verbatim import VerbatimAttr, VerbatimType
from rlx_sched.tools.registry import new_context

_INTEGERS = ("0", "1", "-1", "2", "3", "16", "9223372036854775807", "-9223372036854775808")
_ALTERATIONS = (
    # A number; a size of a shape, there as many dimensions as before or not; a type of elements; a member of a list.
    (re.compile(r"(?<![\w.%#!])-?\d+\b"), _INTEGERS),
    (re.compile(r"(?<=[<x])(?:\d+|\?)x"), ("", r"\g<0>\g<0>", "0x", "1x", "3x", "?x", "9223372036854775807x")),
    (re.compile(r"(?<![\w.])[fi]\d+\b|(?<=\dx)[fi]\d+\b|index\b"), ("f32", "f16", "bf16", "i1", "i64", "index", "f80")),
    (re.compile(r"(?<=[\[({<:,])[^][(){}<>,:]+,?"), ("", r"\g<0>, \g<0>", "0, ", r"\g<0>,")),
)


def altered(spelling: str, random: Random) -> str:
    """How an attribute or a type is written, with one thing in it changed."""
    pattern, replacements = random.choice(_ALTERATIONS)
    found = list(pattern.finditer(spelling))
    if not found:
        return spelling
    match = random.choice(found)
    return spelling[: match.start()] + match.expand(random.choice(replacements)) + spelling[match.end() :]


@lru_cache(maxsize=256)
def _opaque(spelling: str) -> ModuleOp | None:
    """A module with nothing known of other dialects' operations; None if it has none or is not read."""
    try:
        module, _ = read_module(new_context(), printed_again(spelling, generic=True), "test.mlir")
    except Exception:
        # Whatever is wrong with the text or with the reader: it is for the tools to say, and for what watches them.
        return None
    return module if any(isinstance(op, UnregisteredOp) for op in module.walk()) else None


class _Parts(NamedTuple):
    """What a module is made of; changes put one where another was."""

    operations: Sequence[UnregisteredOp]
    attributes: Sequence[Attribute]
    types: Sequence[Attribute]


def restructured(spelling: str, random: Random) -> str | None:
    """`spelling` in generic form with one to three of its operations changed; None where that has no such operations.

    Whatever comes of it is read, unless an attribute is none any more or a value is used where it is not known.
    """
    original = _opaque(spelling)
    if original is None:
        return None
    module = original.clone()
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        operations = [op for op in module.walk() if isinstance(op, UnregisteredOp)]
        if operations:
            attributes = [value for op in operations for value in (*op.properties.values(), *op.attributes.values())]
            types = [value.type for op in operations for value in (*op.results, *op.operands)]
            parts = _Parts(operations, attributes, types)
            name = random.choice(sorted({op.op_name.data for op in operations}))
            op = random.choice([op for op in operations if op.op_name.data == name])
            random.choice(_CHANGES)(op, random, parts)
    return write(module)


def _change_attribute(op: UnregisteredOp, random: Random, parts: _Parts) -> None:
    places = [(group, name) for group in (op.properties, op.attributes) for name in group if name != OP_NAME]
    if places:
        group, name = random.choice(places)
        match random.randrange(6):
            case 0:
                del group[name]
            case 1:
                group[name] = random.choice(parts.attributes)
            case _:
                group[name] = VerbatimAttr(altered(text(group[name]), random))


def _change_operands(op: UnregisteredOp, random: Random, parts: _Parts) -> None:
    operands = list(op.operands)
    index = random.randrange(len(operands) + 1)
    match random.randrange(4):
        case 0:
            del operands[index : index + 1]
        case 1:
            operands[index:index] = operands[index : index + 1]
        case 2:
            operands[index : index + 2] = reversed(operands[index : index + 2])
        case _:
            operands[index : index + 1] = [random.choice(_known(op) or operands)] if operands else []
    op.operands = operands


def _known(op: Operation) -> Sequence[SSAValue]:
    """The values that `op` may use, and `op`'s own."""
    values: list[SSAValue] = [*op.results]
    block = op.parent
    while block is not None:
        values += [*block.args, *(result for other in block.ops for result in other.results)]
        block = block.parent_block()
    return values


def _change_type(op: UnregisteredOp, random: Random, parts: _Parts) -> None:
    values = [*op.results, *(argument for region in op.regions for block in region.blocks for argument in block.args)]
    if values:
        value = random.choice(values)
        type = VerbatimType(altered(text(value.type), random))
        Rewriter.replace_value_with_new_type(value, random.choice((type, type, random.choice(parts.types))))


def _change_results(op: UnregisteredOp, random: Random, parts: _Parts) -> None:
    others = [value for value in _known(op) if value not in op.results]
    if op.results and others and random.random() < 0.5:
        op.results[-1].replace_all_uses_with(random.choice(others))
        op.results = SSAValues(op.results[:-1])
    elif parts.types:
        op.results = SSAValues([*op.results, OpResult(random.choice(parts.types), op, len(op.results))])


def _change_regions(op: UnregisteredOp, random: Random, parts: _Parts) -> None:
    for region in op.regions[:1]:
        match random.randrange(4):
            case 0:
                op.detach_region(region)
            case 1:
                op.add_region(region.clone())
            case 2:
                region.clone().move_blocks(region)
            case _ if region.first_block is not None:
                region.detach_block(region.first_block)
            case _:
                pass


def _rename(op: UnregisteredOp, random: Random, parts: _Parts) -> None:
    op.attributes[OP_NAME] = StringAttr(random.choice(parts.operations).op_name.data)


def _erase_or_repeat(op: UnregisteredOp, random: Random, parts: _Parts) -> None:
    if random.random() < 0.5:
        Rewriter.insert_op(op.clone(), InsertPoint.after(op))
    elif not any(result.uses for result in op.results):
        op.detach()


_CHANGES: tuple[Callable[[UnregisteredOp, Random, _Parts], None], ...] = (
    _change_attribute,
    _change_attribute,
    _change_attribute,
    _change_operands,
    _change_operands,
    _change_type,
    _change_type,
    _change_results,
    _change_regions,
    _rename,
    _erase_or_repeat,
)
