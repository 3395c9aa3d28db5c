"""Look at operations without caring whether xDSL knows their dialect.

IR in generic form is carried by `UnregisteredOp`s, IR in custom form by xDSL's classes; what is an attribute in one may
be a property in the other. These functions read and write both alike. Those that read a value give None where the
attribute is absent or is something else.
"""

from functools import lru_cache
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    UnregisteredOp,
    i64,
)
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineMap
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException

from rlx_sched.ir.verbatim import VerbatimAttr, VerbatimType


def op_name(op: Operation) -> str:
    """The name of `op` in the IR: `memref.alloc`, whether or not that dialect is known."""
    return op.op_name.data if isinstance(op, UnregisteredOp) else op.name


def attribute(op: Operation, name: str) -> Attribute | None:
    """The property `name` of `op`, else its attribute of that name."""
    value = op.properties.get(name)
    return op.attributes.get(name) if value is None else value


def set_attribute(op: Operation, name: str, value: Attribute) -> None:
    """Set `name` where `op` has it; if it has none, as an attribute when it is `dialect.name`, else as a property."""
    if name in op.properties:
        op.properties[name] = value
    elif name in op.attributes or "." in name:
        op.attributes[name] = value
    else:
        op.properties[name] = value


def integer(attr: Attribute | None) -> int | None:
    """The value of an integer attribute such as `3 : i64` or `3 : index`."""
    return attr.value.data if isinstance(attr, IntegerAttr) else None


def string(attr: Attribute | None) -> str | None:
    """The value of a string attribute."""
    return attr.data if isinstance(attr, StringAttr) else None


def elements(attr: Attribute | None) -> tuple[Attribute, ...] | None:
    """The elements of an array attribute `[a, b]`."""
    return cast(ArrayAttr[Attribute], attr).data if isinstance(attr, ArrayAttr) else None


def dense_array(attr: Attribute | None) -> tuple[int, ...] | None:
    """The values of an integer array such as `array<i32: 1, 2>`, of any width."""
    if not isinstance(attr, DenseArrayBase):
        return None
    array = cast(DenseArrayBase[IntegerType], attr)
    return tuple(array.get_values()) if isinstance(cast(Attribute, array.elt_type), IntegerType) else None


def dense_i64_array(attr: Attribute | None) -> tuple[int, ...] | None:
    """The values of an `array<i64: 1, 2>`."""
    if not isinstance(attr, DenseArrayBase):
        return None
    return dense_array(cast(Attribute, attr)) if cast(DenseArrayBase[IntegerType], attr).elt_type == i64 else None


def symbol_name(op: Operation) -> str | None:
    """The name of the symbol that `op` defines, without `@`."""
    return string(attribute(op, "sym_name"))


def symbol_ref(attr: Attribute | None) -> tuple[str, ...] | None:
    """The parts of a reference: `("m", "f")` for `@m::@f`."""
    if not isinstance(attr, SymbolRefAttr):
        return None
    return (attr.root_reference.data, *(part.data for part in attr.nested_references))


def affine_map(attr: Attribute | None) -> AffineMap | None:
    """The map of an `affine_map<...>`. None also for a map that xDSL cannot represent: a semi-affine one."""
    if isinstance(attr, AffineMapAttr):
        return attr.data
    return _affine_map(attr.data) if isinstance(attr, VerbatimAttr) else None


@lru_cache(maxsize=1024)
def _affine_map(text: str) -> AffineMap | None:
    """The map that `text` spells. Its spelling is all that xDSL loses of a map, so it may be read, if not printed."""
    if not text.startswith("affine_map<"):
        return None
    try:
        attr = Parser(Context(), text).parse_attribute()
    except (ParseError, VerifyException, NotImplementedError, ValueError, RecursionError):
        return None
    return attr.data if isinstance(attr, AffineMapAttr) else None


def text(attr: Attribute) -> str:
    """How `attr` is written in a file."""
    return attr.data if isinstance(attr, VerbatimAttr | VerbatimType) else str(attr)
