"""From the text of an attribute or a type to an object that prints as the same value.

The one rule that protects everything: xDSL's object is used only where what it prints is the text it was made from.
Anything else is kept as text (`rlx_sched.ir.verbatim`). The rule is applied once per distinct text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import prod
from typing import TypeAlias

from immutabledict import immutabledict
from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, BytesAttr, DictionaryAttr, FunctionType, StringAttr, UnitAttr
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from rlx_sched.ir import scanner
from rlx_sched.ir.scanner import ScanError
from rlx_sched.ir.verbatim import VerbatimAttr, VerbatimType

MAX_EXPANDED = 1 << 22
"""Most characters that one value may have once its aliases are expanded: aliases of aliases grow exponentially."""

MAX_ALL_EXPANDED = 1 << 25
"""Most characters that aliases may stand for in all the different values of a file, and `EXPANSION` times what their
definitions have: locations are aliases of aliases, in files of any size."""

EXPANSION = 64

MAX_REMEMBERED = 256
"""Most characters of an array or dictionary inside another for which it is remembered: with all the longer ones, one
around another, the text of what is in them would be kept 128 times."""

Signature: TypeAlias = tuple[tuple[Attribute, ...], tuple[Attribute, ...]]
"""Operand types and result types."""

_TOKEN = re.compile(
    rf"""(?P<blank>\s+|{scanner.COMMENT})
      | (?P<string>"(?:[^"\\\n]++|\\.)*+")
      | (?P<hex>0x[0-9a-fA-F]+)
      | (?P<float>[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?)
      | (?P<word>[#!@%^]?[\w$.]+)
      | (?P<mark>->|[<>=]=|.)""",
    re.VERBOSE | re.ASCII | re.DOTALL,
)
_LOCATION = re.compile(r"loc\s*\(", re.ASCII)
_ALIAS_STRING_OR_LOCATION = re.compile(
    rf"""{scanner.STRING.pattern}
      | (?:(?<![\w$.])|(?<=[0-9?*\]\s]x)(?=!)){scanner.EXTENDED.pattern}
      | (?<![\w$.])(?:{_LOCATION.pattern}|fused\s*<)""",
    re.ASCII | re.VERBOSE,
)
"""Right after a word there is no alias, but that of the type of elements after a dimension: `tensor<4x!t>`."""

_ESCAPE = re.compile(rb'\\([0-9A-Fa-f]{2}|["\\nt])')
_PLAIN_ESCAPES = {b"n": b"\n", b"t": b"\t", b'"': b'"', b"\\": b"\\"}
_DEFAULT_TYPES = {"i64": re.compile("[0-9]+"), "f64": re.compile("float .*")}
"""The types of numbers for which none is written, `3` is `3 : i64`, and those numbers' tokens."""

_OWN_ATTRIBUTES = ("#sched.", "#sched<")
"""What our own attributes start with: they are right, or an error, but never text that nobody understands."""

_TYPE_NAMES = re.compile(
    r"(?:[su]?i[0-9]+|index|none|b?f[0-9]+\w*|tf32|memref|tensor|vector|complex|tuple|graph)\b", re.ASCII
)
_ATTRIBUTE_NAMES = re.compile(
    r"(?:dense|dense_resource|sparse|array|affine_map|affine_set|distinct|loc|opaque|strided|unit|true|false)\b",
    re.ASCII,
)


_SHAPE = re.compile(r":\s*(?:tensor|vector)<((?:[0-9]++x)++)")
_MOST_ELEMENTS = 1 << 20
"""Most elements of a `dense` that xDSL may write out: it does so also for one number for all of them."""


def is_huge(text: str) -> bool:
    """Whether a `dense` in `text` has far more elements than are written there."""
    return "dense<" in text and any(
        prod(int(size[-20:]) for size in found[1].split("x")[:-1]) > max(_MOST_ELEMENTS, len(text))
        for found in _SHAPE.finditer(text)
    )


def string_bytes(literal: str) -> bytes:
    """The bytes that the string literal `literal`, quotes included, stands for."""
    return _ESCAPE.sub(_unescape, literal[1:-1].encode("utf-8", "surrogatepass"))


def _unescape(match: re.Match[bytes]) -> bytes:
    code = match.group(1)
    return _PLAIN_ESCAPES[code] if code in _PLAIN_ESCAPES else bytes.fromhex(code.decode())


def tokens(text: str) -> list[str]:
    """The tokens of `text`, spelled so that two texts which MLIR cannot tell apart have equal ones."""
    from decimal import Decimal  # Not before there is a number: it is not free to import.

    result: list[str] = []
    for match in _TOKEN.finditer(text):
        kind, token = match.lastgroup, match.group()
        if kind == "blank":
            continue
        if kind == "string":
            token = f"string {string_bytes(token)!r}"
        elif kind == "hex":
            token = token.lower()
        elif kind == "float":
            token = f"float {Decimal(token).normalize()}"
        elif (
            token in _DEFAULT_TYPES and result[-1:] == [":"] and _DEFAULT_TYPES[token].fullmatch("".join(result[-2:-1]))
        ):
            result.pop()
            continue
        result.append(token)
    return result


class Values:
    """The attributes and types of one file.

    `foreign` is the context for the text of generic-form operations: there, other dialects are opaque. `aliases` maps
    `#name` and `!name` to the text they stand for.
    """

    def __init__(self, foreign: Context, aliases: dict[str, str]):
        self._context = foreign
        self._aliases = aliases
        self._expanded: dict[str, str] = {}
        self._most_grown = MAX_ALL_EXPANDED + EXPANSION * sum(map(len, aliases.values()))
        self._grown = 0
        self._attributes: dict[str, Attribute] = {}
        self._types: dict[str, Attribute] = {}
        self._signatures: dict[str, Signature] = {}

    def attribute(self, text: str) -> Attribute:
        """The attribute (or type) that `text` spells.

        Raises:
            ScanError: when it spells none; the position is in `text`.
        """
        found = self._attributes.get(text)
        if found is None:
            found = self._attributes[text] = self._read_expanded(text, is_type=False)
        return found

    def type(self, text: str) -> Attribute:
        """The type that `text` spells.

        Raises:
            ScanError: when it spells none; the position is in `text`.
        """
        found = self._types.get(text)
        if found is None:
            found = self._types[text] = self._read_expanded(text, is_type=True)
        return found

    def signature(self, text: str) -> Signature:
        """The types of the operands and of the results in `(a, b) -> c`.

        Raises:
            ScanError: when it is not that; the position is in `text`.
        """
        found = self._signatures.get(text)
        if found is None:
            found = self._signatures[text] = self._signature(text)
        return found

    def _signature(self, text: str) -> Signature:
        end = scanner.group_end(text, 0)
        inputs = tuple(self.type(text[start:stop]) for start, stop in scanner.split_group(text, 0, end))
        result = scanner.skip_blank(text, scanner.skip_blank(text, end) + len("->"))
        if not text.startswith("(", result):
            return inputs, (self.type(text[result:]),)
        return inputs, tuple(self.type(text[a:b]) for a, b in scanner.split_group(text, result, len(text)))

    def dictionary(self, text: str, start: int, end: int, *, nested: bool = False) -> dict[str, Attribute]:
        """The entries of the group `text[start:end]`: `{a = 1, "b c" = 2, unit_c}`.

        `nested`: it is inside an attribute, in which no alias is left.

        Raises:
            ScanError: when it is no dictionary; the position is in `text`.
        """
        entries: dict[str, Attribute] = {}
        position = scanner.skip_blank(text, start + 1)
        while position < end - 1:
            position = self._entry(text, position, entries, self._nested if nested else self._part)
            if position == end - 1:
                break
            if text[position] != ",":
                raise ScanError(f"expected ',' or '}}', found '{text[position]}'", position)
            position = scanner.skip_blank(text, position + 1)
            if position == end - 1:
                raise ScanError("attribute name expected", position)
        return entries

    def _entry(
        self,
        text: str,
        position: int,
        entries: dict[str, Attribute],
        read: Callable[[str, int, int], Attribute],
    ) -> int:
        match = scanner.IDENTIFIER.match(text, position) or scanner.STRING.match(text, position)
        if match is None:
            raise ScanError("attribute name expected", position)
        name = match.group()
        if name[0] == '"':
            name = _decode_name(name, position)
        if name in entries:
            raise ScanError(f"attribute '{name}' is given twice", position)
        position = scanner.skip_blank(text, match.end())
        if not text.startswith("=", position):
            entries[name] = UnitAttr()
            return position
        position = scanner.skip_blank(text, position + 1)
        end = scanner.value_end(text, position)
        entries[name] = read(text, position, end)
        return scanner.skip_blank(text, end)

    def _part(self, text: str, start: int, end: int) -> Attribute:
        """The attribute that `text[start:end]` spells; the positions of errors are in `text`."""
        try:
            return self.attribute(text[start:end])
        except ScanError as error:
            raise ScanError(error.message, error.position + start) from error

    def _nested(self, text: str, start: int, end: int) -> Attribute:
        """The same, inside of another attribute."""
        if end - start > MAX_REMEMBERED and text[start] in "[{":
            return self._container(text, start, end)
        return self._part(text, start, end)

    def _container(self, text: str, start: int, end: int) -> Attribute:
        """The array or dictionary `text[start:end]`."""
        if text[start] == "{":
            return DictionaryAttr(immutabledict(self.dictionary(text, start, end, nested=True)))
        return ArrayAttr([self._nested(text, a, b) for a, b in scanner.split_group(text, start, end)])

    def expand(self, text: str) -> str:
        """`text` with every alias replaced by what it stands for.

        One that is not defined is left where only its dialect can tell whether it is one: mlir-opt prints what it holds
        of dialects unknown to it as it was written, without the aliases of which it saw no use.

        Raises:
            ScanError: for an alias that is not defined elsewhere, that stands for itself, or that grows without bounds.
        """
        text = scanner.without_comments(text)
        if "#" not in text and "!" not in text:
            return text
        return self._expand(text, ())

    def _expand(self, text: str, within: tuple[str, ...]) -> str:
        pieces: list[str] = []
        done = length = opaque_end = 0
        opaque: list[int] = []
        locations = _Locations(text)
        for match in _ALIAS_STRING_OR_LOCATION.finditer(text):
            name, start = match.group(), match.start()
            if name[0] == '"':
                continue
            if name[0] not in "#!":
                locations.opened.append(match.end() - 1)
                continue
            if text.startswith("<", match.end()):
                if scanner.is_opaque(text, match.end()):
                    opaque.append(match.end())
                continue
            if "." in name:
                continue
            if name not in self._expanded:
                if name not in self._aliases:
                    for opening in opaque:
                        if opening >= opaque_end:
                            opaque_end = scanner.group_end(text, opening)
                    opaque.clear()
                    if start < opaque_end:
                        continue
                    raise ScanError(f"undefined alias '{name}'", start)
                if name in within:
                    raise ScanError(f"alias '{name}' is defined by itself", start)
                try:
                    definition = scanner.without_comments(self._aliases[name])
                    self._expanded[name] = self._expand(definition, (*within, name))
                except ScanError as error:
                    raise ScanError(error.message, start) from error
            meaning = self._expanded[name]
            if (location := _LOCATION.match(meaning)) is not None and locations.is_part(start):
                meaning = meaning[location.end() : -1]
            pieces += text[done:start], meaning
            length += start - done + len(meaning)
            self._grown += len(meaning)
            done = match.end()
            if length > MAX_EXPANDED:
                raise ScanError(f"alias '{name}' expands to more than {MAX_EXPANDED} characters", start)
            if self._grown > self._most_grown:
                raise ScanError(f"the aliases of the file expand to more than {self._most_grown} characters", start)
        pieces.append(text[done:])
        return "".join(pieces)

    def _read_expanded(self, text: str, *, is_type: bool) -> Attribute:
        text = scanner.without_comments(text)
        expanded = self.expand(text)
        try:
            return self._read(expanded, is_type=is_type)
        except ScanError as error:
            # A position in what an alias stands for is none in `text`.
            raise ScanError(error.message, error.position if expanded == text else 0) from error

    def _read(self, text: str, *, is_type: bool) -> Attribute:
        """The object for `text`, in which no alias is left. Arrays, dictionaries and function types are taken apart."""
        if text[:1] in ("[", "{") and not is_type:
            return self._container(text, 0, len(text))
        if text[:1] == "(":
            inputs, outputs = self.signature(text)
            return FunctionType.from_lists(inputs, outputs)
        return self._leaf(text, is_type)

    def _leaf(self, text: str, is_type: bool) -> Attribute:
        """Our own attribute, or xDSL's object for `text` if it prints the same, else the text."""
        scanner.check_shapes(text)
        complaint: Exception = ScanError(f"{'type' if is_type else 'attribute'} expected", 0)
        if text.startswith("dense<") and is_huge(text):
            return VerbatimAttr(text)
        try:
            parser = Parser(self._context, text)
            value = parser.parse_type() if is_type else parser.parse_attribute()
            if isinstance(value, BytesAttr):
                # xDSL takes a string with an escape outside of ASCII for bytes; it is a string if it is UTF-8.
                value = StringAttr(value.data.decode())
            whole = parser.pos == len(text)
            if whole and (text.startswith(_OWN_ATTRIBUTES) or tokens(str(value)) == tokens(text)):
                return value
        except ParseError as error:
            complaint = ScanError(error.msg, error.span.start)
        except RecursionError as error:
            # Brackets are never too deep here, but an affine map of 2000 terms is.
            complaint = error
        except MemoryError:
            raise
        except Exception:
            # Whatever else xDSL's parsers, verifiers and printers raise (NotImplementedError for a semi-affine map,
            # ValueError for a number of 10,000 digits, bare assertions): it cannot hold this value.
            pass
        if text.startswith(_OWN_ATTRIBUTES):
            raise complaint
        if text[0] == "!" or _TYPE_NAMES.match(text):
            return VerbatimType(text)
        if not is_type and (text[0] in '#@"-' or text[0].isdigit() or _ATTRIBUTE_NAMES.match(text)):
            return VerbatimAttr(text)
        raise complaint


class _Locations:
    """Where in `text` locations are parts of others: inside of `loc(...)`, but for the metadata of `fused<...>`.

    There they are written without their own `loc(...)`. `opened` are the openings of those brackets found so far.
    """

    def __init__(self, text: str):
        self._text = text
        self._around: list[tuple[int, bool]] = []
        self.opened: list[int] = []

    def is_part(self, position: int) -> bool:
        """Whether a location at `position`, which is behind all openings, is part of another."""
        around = self._around
        for opening in self.opened:
            while around and around[-1][0] <= opening:
                around.pop()
            around.append((scanner.group_end(self._text, opening), self._text[opening] == "("))
        self.opened.clear()
        while around and around[-1][0] <= position:
            around.pop()
        return bool(around) and around[-1][1]


def _decode_name(literal: str, position: int) -> str:
    try:
        return string_bytes(literal).decode()
    except UnicodeDecodeError:
        raise ScanError("attribute name is not valid UTF-8", position) from None
