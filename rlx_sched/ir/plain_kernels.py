"""A fast way to read kernels that are written as the printer writes them.

A tuning run has 10^4 to 10^6 schedules, and xDSL's parser spends some 200 microseconds on each operation, most of it in
the lexer. Nearly all kernels of such a file are spelled alike: one line for the kernel, one for each buffer, the same
few buffers over and over. Here one pattern takes a whole kernel, and what it found is looked up by its text. The text is
given to the ordinary parser the first time it is seen, so there is no second grammar: whatever is spelled otherwise, or
wrong, is not touched here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.utils.exceptions import ParseError

from rlx_sched.dialect.sched import BufferOp, KernelOp

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_KERNEL = re.compile(
    rf"""\s*(sched\.kernel\ @([A-Za-z_][\w$.]*)
         (?:\ stages\ ([1-9][0-9]{{0,8}}))?
         ((?:\ (?:target|stripped|footprint|verdict)\ <(?:->|[^<>"\n]|{_STRING})*>)*)
         \ \{{\n)
         ((?:\ *sched\.buffer\ @[^\n"{{}}/]*\n)*)
         \ *\}}(?=\n)""",
    re.VERBOSE | re.ASCII,
)
"""A kernel on lines of its own: what stands before the body, name, stages, what passes wrote, and the body."""

_BUFFER = re.compile(r"( *)sched\.buffer @([A-Za-z_][\w$.]*)([^\n]*)\n", re.ASCII)

_Properties = dict[str, Attribute]


class _BufferLine(NamedTuple):
    """A buffer of a body: where it starts in it, and its properties."""

    offset: int
    properties: _Properties


class PlainKernels:
    """Reads plainly spelled kernels out of one text.

    `parse` is the ordinary parser: it makes an operation of a text, or raises `ParseError`.
    """

    def __init__(self, text: str, parse: Callable[[str], Operation], record: Callable[[tuple[Operation, int]], None]):
        self._text = text
        self._parse = parse
        self._record = record
        self._annotations: dict[str, _Properties | None] = {"": {}}
        self._buffers: dict[str, _Properties | None] = {}
        self._bodies: dict[str, list[_BufferLine] | None] = {}
        self._names: dict[str, StringAttr] = {}
        self._stages: dict[str | None, IntegerAttr] = {}

    def read(self, position: int, block: Block) -> int:
        """Add the kernels that follow `position` to `block`, as many as are spelled plainly; returns their end."""
        match, text, record = _KERNEL.match, self._text, self._record
        while (found := match(text, position)) is not None:
            head, name, stages, written, body = found.groups()
            annotations = self._annotations_of(written)
            buffers = self._buffers_of(body)
            if annotations is None or buffers is None:
                break
            start = found.start(5)
            inner = Block()
            for offset, properties in buffers:
                buffer = _create(BufferOp, properties.copy(), ())
                inner.add_op(buffer)
                record((buffer, start + offset))
            kernel = _create(
                KernelOp,
                {"sym_name": StringAttr(name), "stages": self._stages_of(stages), **annotations},
                (Region(inner),),
            )
            block.add_op(kernel)
            record((kernel, start - len(head)))
            position = found.end()
        return position

    def _stages_of(self, digits: str | None) -> IntegerAttr:
        found = self._stages.get(digits)
        if found is None:
            found = self._stages[digits] = IntegerAttr(int(digits or "1"), i64)
        return found

    def _annotations_of(self, text: str) -> _Properties | None:
        """The properties that passes wrote, from between name and body; None where they are not right."""
        if text not in self._annotations:
            kernel = self._ordinary(f"sched.kernel @k{text} {{\n}}\n")
            own = ("sym_name", "stages")
            self._annotations[text] = kernel and {
                name: value for name, value in kernel.properties.items() if name not in own
            }
        return self._annotations[text]

    def _buffers_of(self, body: str) -> list[_BufferLine] | None:
        """The buffers of a body; None where one of them is not right."""
        if body not in self._bodies:
            self._bodies[body] = self._read_body(body)
        return self._bodies[body]

    def _read_body(self, body: str) -> list[_BufferLine] | None:
        lines: list[_BufferLine] = []
        names: set[str] = set()
        for found in _BUFFER.finditer(body):
            blank, name, rest = found.groups()
            if rest not in self._buffers:
                buffer = self._ordinary(f"sched.buffer @b{rest}\n")
                self._buffers[rest] = buffer and buffer.properties if buffer and not buffer.attributes else None
            properties = self._buffers[rest]
            if properties is None or name in names:
                return None
            names.add(name)
            lines.append(_BufferLine(found.start() + len(blank), {**properties, "sym_name": self._name(name)}))
        return lines if len(lines) == body.count("\n") else None

    def _name(self, name: str) -> StringAttr:
        found = self._names.get(name)
        if found is None:
            found = self._names[name] = StringAttr(name)
        return found

    def _ordinary(self, text: str) -> Operation | None:
        """What the ordinary parser makes of `text`; None if that is an error, which it will report at its place."""
        try:
            op = self._parse(text)
            op.verify()
        except Exception:  # noqa: BLE001
            return None
        return op


def _create(kind: type[Operation], properties: _Properties, regions: tuple[Region, ...]) -> Operation:
    """An operation without operands or results. `create` and the constructors of IRDL take ten times as long."""
    op = kind.__new__(kind)
    Operation.__init__(op, properties=properties, regions=regions)
    return op
