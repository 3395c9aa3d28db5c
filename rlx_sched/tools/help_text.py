"""What `--help` says about passes: their docstrings and options."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from rlx_sched.passes import CLASSES
from rlx_sched.tools.parser import HELP_WIDTH
from rlx_sched.tools.pass_text import PassText, format_value, imported_text, read_pass
from rlx_sched.tools.registry import xdsl_passes

_OPTION_COLUMNS = 28
"""Columns of an option and its default, before its description."""


def describe_own() -> str:
    """Our passes with their options."""
    return f"""\
They run in the order given, any number of times. Options follow an equals
sign, here with their defaults:
--occupancy-filter="target='Apple M4 Pro' extrapolated=keep"

{_describe((name, read_pass(name)) for name in CLASSES)}"""


def describe_others(*, with_options: bool) -> str:
    """xDSL's passes: their names, or all about them."""
    if with_options:
        return _describe((name, imported_text(kind())) for name, kind in xdsl_passes().items())
    return f"--help-all has their options.\n\n{_fill(', '.join(sorted(xdsl_passes())), 0)}"


def _describe(passes: Iterable[tuple[str, PassText]]) -> str:
    return "\n".join(_describe_pass(name, text) for name, text in sorted(passes))


def _describe_pass(name: str, text: PassText) -> str:
    """The name of a pass, the first sentence about it, and a line or more for each option."""
    lines = [f"--{name}", _fill(text.doc.split("\n\n")[0], 4)]
    for option in text.options:
        default = format_value(option.default)
        head = f"    {option.name}" + (f"={default}" if default is not None else "")
        help = _fill(option.help, _OPTION_COLUMNS)
        fits = len(head) < _OPTION_COLUMNS
        lines.append(head + help[len(head) :] if fits else f"{head}\n{help}")
    return "\n".join(line.rstrip() for line in lines if line.strip()) + "\n"


def _fill(text: str, indent: int) -> str:
    blanks = " " * indent
    return textwrap.fill(text, HELP_WIDTH - 3, initial_indent=blanks, subsequent_indent=blanks, break_on_hyphens=False)
