"""What `--help` says about passes: their docstrings and options."""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Callable, Mapping

from xdsl.passes import ModulePass

from rlx_sched.passes import PASSES
from rlx_sched.tools.parser import HELP_WIDTH
from rlx_sched.tools.pipeline import describe_options
from rlx_sched.tools.registry import xdsl_passes

_OPTION_COLUMNS = 28
"""Columns of an option and its default, before its description."""


def describe_own() -> str:
    """Our passes with their options."""
    return f"""\
They run in the order given, any number of times. Options follow an equals
sign, here with their defaults:
--occupancy-filter="target='Apple M4 Pro' extrapolated=keep"

{_describe(PASSES)}"""


def describe_others(*, with_options: bool) -> str:
    """xDSL's passes: their names, or all about them."""
    if with_options:
        return _describe(xdsl_passes())
    return f"--help-all has their options.\n\n{_fill(', '.join(sorted(xdsl_passes())), 0)}"


def _describe(passes: Mapping[str, Callable[[], type[ModulePass]]]) -> str:
    return "\n".join(_describe_pass(name, passes[name]()) for name in sorted(passes))


def _describe_pass(name: str, kind: type[ModulePass]) -> str:
    """The name of a pass, the first sentence about it, and a line or more for each option."""
    summary = textwrap.dedent(kind.__doc__ or "").strip().split("\n\n")[0]
    # A dataclass without a docstring gets its signature for one.
    summary = "" if summary.startswith(f"{kind.__name__}(") else summary
    lines = [f"--{name}", _fill(summary, 4)]
    helps = {field.name.replace("_", "-"): field.metadata.get("help", "") for field in dataclasses.fields(kind)}
    for option, _, default in describe_options(kind):
        head = f"    {option}" + (f"={default}" if default is not None else "")
        text = _fill(str(helps[option]), _OPTION_COLUMNS)
        fits = len(head) < _OPTION_COLUMNS
        lines.append(head + text[len(head) :] if fits else f"{head}\n{text}")
    return "\n".join(line.rstrip() for line in lines if line.strip()) + "\n"


def _fill(text: str, indent: int) -> str:
    blanks = " " * indent
    return textwrap.fill(text, HELP_WIDTH - 3, initial_indent=blanks, subsequent_indent=blanks, break_on_hyphens=False)
