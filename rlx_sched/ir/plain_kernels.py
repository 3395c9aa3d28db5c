"""A fast way to read kernels that are written as a printer writes them, in custom or generic form.

A tuning run has 10^4 to 10^6 schedules, and xDSL's parser spends some 200 microseconds on each operation, most of it in
the lexer. Nearly all kernels of such a file are spelled alike: one line for the kernel, one for each buffer, the same
few buffers over and over. Here one pattern takes a whole kernel, and what it found is looked up by its text. That text
is given to the ordinary parser the first time it is seen, so there is no second grammar: whatever is spelled otherwise,
or wrong, is not touched here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from xdsl.dialects.builtin import StringAttr, UnknownLoc
from xdsl.ir import Attribute, Block, Operation, Region

_NAME = r"[A-Za-z_][\w$.]*"
_STRING = r'"(?:[^"\\\n]++|\\.)*+"'


class _Form(NamedTuple):
    """How one of the two forms spells things.

    The pattern of a kernel has four groups: what stands before the name, the name, what stands between it and the body,
    and the lines of the body. That of a buffer has three: the same without the body. `end` closes an empty one.
    """

    kernel: re.Pattern[str]
    buffer: re.Pattern[str]
    end: str


_CUSTOM = _Form(
    re.compile(
        rf"""\s*(sched\.kernel\ @)({_NAME})
             ((?:\ stages\ [0-9]+)?(?:\ (?:target|stripped|footprint|verdict)\ <(?:->|[^<>"\n]|{_STRING})*>)*\ \{{)\n
             ((?:\ *sched\.buffer\ @[^\n"{{}}/]*\n)*)
             \ *\}}(?=\n)(?!\s*loc\b)""",
        re.VERBOSE | re.ASCII,
    ),
    re.compile(rf" *(sched\.buffer @)({_NAME})([^\n]*)\n", re.ASCII),
    "}",
)
_GENERIC = _Form(
    re.compile(
        rf"""\s*("sched\.kernel"\(\)\ <\{{[^\n]*?sym_name\ =\ ")({_NAME})("[^\n]*\}}>\ \(\{{)\n
             ((?:\ *"sched\.buffer"\(\)\ <\{{[^\n]*\n)*)
             \ *\}}\)\ :\ \(\)\ ->\ \(\)(?=\n)(?!\s*loc\b)""",
        re.VERBOSE | re.ASCII,
    ),
    re.compile(rf' *("sched\.buffer"\(\) <\{{[^\n]*?sym_name = ")({_NAME})("[^\n]*)\n', re.ASCII),
    "^body:\n}) : () -> ()",
)

_PLACEHOLDER = "rlx_sched_placeholder"
"""A name to try a text with. That the operation is then called so shows that it was the right name in the text."""

_Properties = dict[str, Attribute]


class _BufferLine(NamedTuple):
    """A buffer of a body: where it starts in it, an operation like it, and its properties."""

    offset: int
    model: Operation
    properties: _Properties


class PlainKernels:
    """Reads plainly spelled kernels out of one text.

    `parse` is the ordinary parser: it makes an operation of a text, or raises `ParseError`.
    """

    def __init__(self, text: str, parse: Callable[[str], Operation], record: Callable[[tuple[Operation, int]], None]):
        self._text = text
        self._parse = parse
        self._record = record
        self._models: dict[tuple[str, str], Operation | None] = {}
        self._bodies: dict[str, list[_BufferLine] | None] = {}
        self._names: dict[str, StringAttr] = {}

    def read(self, position: int, block: Block) -> int:
        """Add the kernels that follow `position` to `block`, as many as are spelled plainly; returns their end."""
        form = _GENERIC if self._text.startswith('"', position) else _CUSTOM
        match, text, record = form.kernel.match, self._text, self._record
        while (found := match(text, position)) is not None:
            before, name, after, body = found.groups()
            model = self._model(before, after, f"\n{form.end}\n")
            buffers = self._body(body, form)
            if model is None or buffers is None:
                break
            inner = Block()
            start = found.start(4)
            for offset, buffer_model, properties in buffers:
                buffer = _like(buffer_model, properties.copy())
                inner.add_op(buffer)
                record((buffer, start + offset))
            kernel = _like(model, {**model.properties, "sym_name": StringAttr(name)})
            kernel.add_region(Region(inner))
            block.add_op(kernel)
            record((kernel, found.start(1)))
            position = found.end()
        return position

    def _model(self, before: str, after: str, end: str) -> Operation | None:
        """The operation that the text makes with some name; None where it is not right or has more than properties."""
        if (before, after) not in self._models:
            op = self._ordinary(f"{before}{_PLACEHOLDER}{after}{end}")
            self._models[before, after] = op if op is not None and _is_plain(op) else None
        return self._models[before, after]

    def _body(self, body: str, form: _Form) -> list[_BufferLine] | None:
        """The buffers of a body; None where one of them is not right."""
        if body not in self._bodies:
            self._bodies[body] = self._read_body(body, form)
        return self._bodies[body]

    def _read_body(self, body: str, form: _Form) -> list[_BufferLine] | None:
        lines: list[_BufferLine] = []
        names: set[str] = set()
        for found in form.buffer.finditer(body):
            before, name, after = found.groups()
            model = self._model(before, after, "\n")
            if model is None or name in names:
                return None
            names.add(name)
            sym_name = self._names.setdefault(name, StringAttr(name))
            lines.append(_BufferLine(found.start(1), model, {**model.properties, "sym_name": sym_name}))
        return lines if len(lines) == body.count("\n") else None

    def _ordinary(self, text: str) -> Operation | None:
        """What the ordinary parser makes of `text`; None if that is an error, which it will report at its place."""
        try:
            op = self._parse(text)
            op.verify()
        except MemoryError:
            raise
        except Exception:  # Whatever it is, it is the ordinary parser's to report.
            return None
        return op


def _is_plain(op: Operation) -> bool:
    """Whether `op` has nothing but properties, and is called as it was meant to be."""
    named = op.properties.get("sym_name") == StringAttr(_PLACEHOLDER)
    return named and not op.attributes and isinstance(op.location, UnknownLoc)


def _like(model: Operation, properties: _Properties) -> Operation:
    """An operation that differs from `model`, which is in no block, in its properties, and has no regions.

    All else of it is taken over as it is: xDSL's constructors take ten times as long to come to the same.
    """
    op = model.__class__.__new__(model.__class__)
    vars(op).update(vars(model))
    op.properties = properties
    op.attributes = {}
    op.regions = ()
    return op
