"""Where operations stand in the file they were read from."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, LocationAttr, StringAttr, UnknownLoc
from xdsl.ir import Attribute, BlockArgument, Operation

from rlx_sched.ir.verbatim import VerbatimAttr

_FILE_LINE_COLUMN = re.compile(r'"((?:[^"\\\n]++|\\.)*+)":([0-9]{1,18}):([0-9]{1,18})(?![0-9])')
_NEWLINE = re.compile("\n")
_NOT_PLAIN = re.compile(rb'[^ -~]|"')

KEPT_OF_LINE = 1000
"""The most characters of a line that are kept with a place before it, and after it; nobody shows as many."""

WRITTEN_UNKNOWN = UnknownLoc()
"""The location of what has a `loc(unknown)` in the text: this object itself tells it from what has no `loc` at all."""


@dataclass(frozen=True)
class Place:
    """A line and column (from 1, in characters) of a file.

    `line_text` is the line, of a long one what is around the column, after the first `left_out` characters. It is empty
    where the file is not the one read.
    """

    file: str
    line: int
    column: int
    line_text: str = ""
    left_out: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class SourceMap:
    """The positions of what was read from one text.

    `line_offset` is the number of lines of the file before the text, when it is one part of a split file.
    """

    def __init__(self, text: str, name: str, line_offset: int = 0):
        self.text = text
        self.name = name
        self.line_offset = line_offset
        # Recording has to be cheap, it happens for every operation; looking up happens for the few with a diagnostic.
        self._recorded: list[tuple[Operation | BlockArgument, int]] = []
        self._offsets: dict[Operation | BlockArgument, int] = {}
        self._line_starts: list[int] = []
        self._written: dict[int, tuple[LocationAttr, Place | None]] = {}
        self.record = self._recorded.append

    def offset(self, op: Operation | BlockArgument) -> int | None:
        """Where `op` starts in the text; None if it was not read from it."""
        if self._recorded:
            self._offsets.update(self._recorded)
            self._recorded.clear()
        return self._offsets.get(op)

    def at(self, offset: int) -> Place:
        """The place of the character at `offset`."""
        line = bisect_right(self._starts(), offset)
        return self.at_column(line + self.line_offset, offset - self._starts()[line - 1] + 1)

    def at_column(self, line: int, column: int) -> Place:
        """The place at that line and column of the file, which need not be there."""
        starts, index = self._starts(), line - self.line_offset - 1
        if not 0 <= index < len(starts):
            return Place(self.name, line, column)
        end = starts[index + 1] if index + 1 < len(starts) else len(self.text)
        left_out = max(column - 1 - KEPT_OF_LINE, 0)
        first = min(starts[index] + left_out, end)
        text = self.text[first : min(end, first + 2 * KEPT_OF_LINE)].rstrip("\r\n")
        return Place(self.name, line, column, text, left_out)

    def at_byte(self, line: int, column: int) -> Place:
        """The place at that line and column of the file as MLIR gives it: in bytes, and 0 for the line as a whole."""
        starts, index = self._starts(), line - self.line_offset - 1
        column = max(column, 1)
        if 0 <= index < len(starts):
            end = starts[index + 1] if index + 1 < len(starts) else len(self.text)
            before = self.text[starts[index] : min(end, starts[index] + column - 1)].encode("utf-8", "replace")
            before = before[: column - 1]
            column += len(before.decode("utf-8", "ignore")) - len(before)
        return self.at_column(line, column)

    def _starts(self) -> list[int]:
        """The offsets at which lines start."""
        if not self._line_starts:
            self._line_starts = [0, *(match.end() for match in _NEWLINE.finditer(self.text))]
        return self._line_starts

    def place(self, op: Operation) -> Place | None:
        """Where `op` is: what its `loc(...)` says, else where it was read, else the place of what encloses it."""
        scope: Operation | None = op
        while scope is not None:
            if (place := self._own_place(scope)) is not None:
                return place
            scope = scope.parent_op()
        return None

    def _own_place(self, op: Operation) -> Place | None:
        if (written := self._written_place(op.location)) is not None:
            return written
        offset = self.offset(op)
        return None if offset is None else self.at(offset)

    def _written_place(self, location: LocationAttr) -> Place | None:
        """The first place that a `loc(...)` names. Operations share locations, which may be long."""
        if isinstance(location, UnknownLoc):
            return None
        known = self._written.get(id(location))
        if known is None:
            found = _FILE_LINE_COLUMN.search(str(location))
            place = None if found is None else Place(found[1], int(found[2]), int(found[3]))
            # The location is kept with its place, so that its id stays its own.
            known = self._written[id(location)] = (location, place)
        return known[1]

    def materialize(self, module: Operation) -> None:
        """Give every operation and block argument without a `loc(...)` the one where it was read, as mlir-opt does."""
        for op in module.walk():
            self._locate(op)
            for region in op.regions:
                for block in region.blocks:
                    for argument in block.args:
                        self._locate(argument)

    def _locate(self, op: Operation | BlockArgument) -> None:
        if op.location is WRITTEN_UNKNOWN or not isinstance(op.location, UnknownLoc):
            return
        if (offset := self.offset(op)) is not None:
            op.location = cast(LocationAttr, _location(self.at(offset)))


def _location(place: Place) -> Attribute:
    """The `loc(...)` of a place."""
    try:
        place.file.encode()
    except UnicodeEncodeError:
        # A file may be called by any bytes, which xDSL's strings may not be.
        plain = os.fsencode(place.file).replace(b"\\", b"\\\\")
        name = _NOT_PLAIN.sub(lambda byte: b"\\%02X" % ord(byte[0]), plain).decode()
        return VerbatimAttr(f'loc("{name}":{place.line}:{place.column})')
    return FileLineColLoc(StringAttr(place.file), IntAttr(place.line), IntAttr(place.column))
