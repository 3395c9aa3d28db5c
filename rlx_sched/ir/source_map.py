"""Where operations stand in the file they were read from."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, LocationAttr, StringAttr, UnknownLoc
from xdsl.ir import BlockArgument, Operation

_FILE_LINE_COLUMN = re.compile(r'"((?:[^"\\\n]++|\\.)*+)":([0-9]+):([0-9]+)')
_NEWLINE = re.compile("\n")

WRITTEN_UNKNOWN = UnknownLoc()
"""The location of what has a `loc(unknown)` in the text: this object itself tells it from what has no `loc` at all."""


@dataclass(frozen=True)
class Place:
    """A line and column (from 1, in characters) of a file. `line_text` is empty where the file is not the one read."""

    file: str
    line: int
    column: int
    line_text: str = ""

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
        self.record = self._recorded.append

    def offset(self, op: Operation | BlockArgument) -> int | None:
        """Where `op` starts in the text; None if it was not read from it."""
        if self._recorded:
            self._offsets.update(self._recorded)
            self._recorded.clear()
        return self._offsets.get(op)

    def at(self, offset: int) -> Place:
        """The place of the character at `offset`."""
        if not self._line_starts:
            self._line_starts = [0, *(match.end() for match in _NEWLINE.finditer(self.text))]
        line = bisect_right(self._line_starts, offset)
        start = self._line_starts[line - 1]
        end = self._line_starts[line] if line < len(self._line_starts) else len(self.text)
        return Place(self.name, line + self.line_offset, offset - start + 1, self.text[start:end].rstrip("\r\n"))

    def place(self, op: Operation) -> Place | None:
        """Where `op` is: what its `loc(...)` says, else where it was read, else the place of what encloses it."""
        scope: Operation | None = op
        while scope is not None:
            if (place := self._own_place(scope)) is not None:
                return place
            scope = scope.parent_op()
        return None

    def _own_place(self, op: Operation) -> Place | None:
        if not isinstance(op.location, UnknownLoc) and (found := _FILE_LINE_COLUMN.search(str(op.location))):
            return Place(found[1], int(found[2]), int(found[3]))
        offset = self.offset(op)
        return None if offset is None else self.at(offset)

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
            place = self.at(offset)
            op.location = cast(
                LocationAttr, FileLineColLoc(StringAttr(place.file), IntAttr(place.line), IntAttr(place.column))
            )
