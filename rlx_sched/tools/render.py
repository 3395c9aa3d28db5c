"""Diagnostics as text: `file:line:column: error: message`, the source line, and a caret under the column."""

from __future__ import annotations

import os
import unicodedata
from typing import NamedTuple, TextIO

from rlx_sched.diagnostics import Severity
from rlx_sched.ir.source_map import Place
from rlx_sched.tools.visible import visible, visible_line

SHOWN_COLUMNS = 160
"""The most columns of a source line that are shown; longer ones are cut around the caret."""

_COLORS = {Severity.ERROR: "31", Severity.WARNING: "35", Severity.REMARK: "34", Severity.NOTE: "36"}
"""The colors in which clang shows them, as SGR parameters of ECMA-48."""


class Message(NamedTuple):
    """One line for the user about one place. `width` is the number of characters to underline."""

    severity: Severity
    text: str
    place: Place | None = None
    width: int = 1


def wants_color(stream: TextIO) -> bool:
    """Whether `stream` is a terminal, and the user has not opted out (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def render(message: Message, unlocated: str = "<unknown>", *, color: bool = False) -> str:
    """The lines for `message`, with a newline at the end; `unlocated` stands where there is no place."""
    place = message.place
    where = visible(str(place) if place is not None else unlocated)
    severity = f"{message.severity}:"
    text = "\n".join(map(visible_line, message.text.rstrip().split("\n")))
    if color:
        where = f"\x1b[1m{where}:\x1b[0m"
        severity = f"\x1b[1;{_COLORS[message.severity]}m{severity}\x1b[0m"
        text = f"\x1b[1m{text}\x1b[0m"
    else:
        where += ":"
    lines = [f"{where} {severity} {text}"]
    if place is not None and place.line_text:
        source, caret = _excerpt(place, message.width)
        lines += [source, f"\x1b[1;32m{caret}\x1b[0m" if color else caret]
    return "\n".join(lines) + "\n"


def _excerpt(place: Place, width: int) -> tuple[str, str]:
    """The source line as shown, and the line with the caret under it."""
    line = place.line_text
    column = min(place.column - 1 - place.left_out, len(line))
    first = max(0, column - SHOWN_COLUMNS // 2) if len(line) > SHOWN_COLUMNS else 0
    last = first + SHOWN_COLUMNS
    lead = "..." if first or place.left_out else ""
    trail = "..." if last < len(line) else ""
    before, marked, after = line[first:column], line[column : min(column + width, last)], line[column + width : last]
    source = lead + "".join(_shown(part) for part in (before, marked, after)) + trail
    underline = "^" + "~" * (_columns(_shown(marked)) - 1)
    return source.rstrip(), " " * _columns(lead + _shown(before)) + underline


def _shown(text: str) -> str:
    return visible(text.replace("\t", " "))


def _columns(text: str) -> int:
    """How many columns of a terminal `text` takes."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)
