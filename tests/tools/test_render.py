"""Diagnostics as text."""

from io import StringIO

import pytest

from rlx_sched.diagnostics import Severity
from rlx_sched.ir.source_map import Place
from rlx_sched.tools.render import SHOWN_COLUMNS, Message, render, wants_color
from rlx_sched.tools.visible import SHOWN_OF_MESSAGE, visible


def rendered(line: str, column: int, width: int = 1) -> list[str]:
    return render(Message(Severity.ERROR, "text", Place("f", 1, column, line), width)).split("\n")[1:3]


def test_the_caret_is_under_the_column():
    message = Message(Severity.WARNING, "some text", Place("dir/f.mlir", 3, 5, "    abc def"), width=3)
    assert render(message) == "dir/f.mlir:3:5: warning: some text\n    abc def\n    ^~~\n"


def test_without_a_place():
    assert render(Message(Severity.NOTE, "some text")) == "<unknown>: note: some text\n"
    assert render(Message(Severity.NOTE, "some text"), "f.mlir") == "f.mlir: note: some text\n"
    assert render(Message(Severity.NOTE, "some text", Place("other.py", 1, 2))) == "other.py:1:2: note: some text\n"


@pytest.mark.parametrize(
    ("line", "column", "width", "expected"),
    [
        ("\t\tabc", 3, 1, ["  abc", "  ^"]),
        ("\u7f16\u8bd1 x", 4, 1, ["\u7f16\u8bd1 x", "     ^"]),
        ("e\u0301 x", 4, 1, ["e\u0301 x", "  ^"]),
        ("a\u202eb", 3, 1, ["a<U+202E>b", "         ^"]),
        ("a\0b", 2, 1, ["a<U+0000>b", " ^~~~~~~~"]),
        ("abc", 4, 1, ["abc", "   ^"]),
        ("abc", 9, 1, ["abc", "   ^"]),
        ("abc", 2, 99, ["abc", " ^~"]),
    ],
)
def test_the_caret_counts_columns_of_the_terminal(line: str, column: int, width: int, expected: list[str]):
    assert rendered(line, column, width) == expected


@pytest.mark.parametrize("column", [1, 79, 80, 81, 5000, 999_999, 1_000_000])
def test_long_lines_are_cut_around_the_caret(column: int):
    line = "".join(chr(ord("a") + index % 26) for index in range(1_000_000))
    source, caret = rendered(line, column)
    assert len(source) <= SHOWN_COLUMNS + 6
    assert source[caret.index("^")] == line[column - 1]


def test_long_messages_lose_their_middle():
    name = "x" * SHOWN_OF_MESSAGE
    assert render(Message(Severity.ERROR, name)) == f"<unknown>: error: {name}\n"
    shown = render(Message(Severity.ERROR, f"unknown operation '{name}'\nsecond line"))
    assert shown.startswith("<unknown>: error: unknown operation 'xxx")
    assert shown.endswith("xxx'\nsecond line\n")
    assert " ... " in shown
    assert len(shown) < SHOWN_OF_MESSAGE + 100


def test_nothing_invisible_is_shown():
    assert visible("plain \u00e9\u7f16") == "plain \u00e9\u7f16"
    assert visible("\u202a\u2066\x1b\x7f\r\u200b\U000e0041") == (
        "<U+202A><U+2066><U+001B><U+007F><U+000D><U+200B><U+E0041>"
    )
    message = Message(Severity.ERROR, "one\u202e\ntwo\x1b", Place("f\u2066", 1, 1, ""))
    assert render(message) == "f<U+2066>:1:1: error: one<U+202E>\ntwo<U+001B>\n"


def test_colors():
    text = render(Message(Severity.ERROR, "text", Place("f", 1, 1, "abc")), color=True)
    assert text == "\x1b[1mf:1:1:\x1b[0m \x1b[1;31merror:\x1b[0m \x1b[1mtext\x1b[0m\nabc\n\x1b[1;32m^\x1b[0m\n"


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_colors_are_for_terminals_of_those_who_want_them(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert wants_color(Terminal())
    assert not wants_color(StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert not wants_color(Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_color(Terminal())
