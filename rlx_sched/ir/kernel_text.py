"""A fast way to print kernels that have nothing unusual about them.

xDSL's printer makes some thirty calls for a line. Here a kernel is one string, put together from the texts of its
parts: 0.02 ms instead of 0.11 ms for a kernel of three buffers, annotated.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import cast

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation

from rlx_sched.dialect.attributes import SlotsAttr
from rlx_sched.dialect.sched import BufferOp, KernelOp

_PLAIN_NAME = re.compile(r"[A-Za-z_][\w$.]*", re.ASCII)

TextOf = Callable[[Attribute], str]


def kernel_text(kernel: Operation, text_of: TextOf, pad: str) -> str | None:
    """The custom form of `kernel`, its inner lines after `pad`; None if the ordinary printer is to print it.

    `text_of` gives the text of an attribute.
    """
    properties = kernel.properties
    name = _plain_name(properties)
    region = kernel.regions[0]
    body = region.first_block
    if kernel.attributes or name is None or body is None or body is not region.last_block or body.args:
        return None
    stages = cast("IntegerAttr", properties["stages"]).value.data
    head = f"sched.kernel @{name}"
    if stages != 1 or "stripped" in properties:
        head += f" stages {stages}"
    for annotation in KernelOp.ANNOTATIONS:
        value = properties.get(annotation)
        if value is not None:
            head += f" {annotation} {text_of(value).removeprefix(f'#sched.{annotation}')}"
    lines = [head + " {"]
    op = body.first_op
    while op is not None:
        line = _buffer_text(op, text_of) if isinstance(op, BufferOp) else None
        if line is None:
            return None
        lines.append(f"{pad}  {line}")
        op = op.next_op
    lines.append(pad + "}")
    return "\n".join(lines)


def _buffer_text(buffer: BufferOp, text_of: TextOf) -> str | None:
    properties = buffer.properties
    name = _plain_name(properties)
    if buffer.attributes or name is None:
        return None
    words = f"sched.buffer @{name}"
    if "rotating" in properties:
        words += " rotating"
    if (slots := properties.get("slots")) is not None:
        words += f" slots({cast('SlotsAttr', slots).formula})"
    if "dynamic" in properties:
        words += " dynamic"
    if (alignment := properties.get("alignment")) is not None:
        words += f" alignment {cast('IntegerAttr', alignment).value.data}"
    return f"{words} : {text_of(properties['type'])}"


def _plain_name(properties: dict[str, Attribute]) -> str | None:
    """The symbol's name, if it needs no quotes."""
    name = cast("StringAttr", properties["sym_name"]).data
    return name if _PLAIN_NAME.fullmatch(name) else None
