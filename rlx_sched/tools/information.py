"""What `rlx-opt` prints about itself instead of processing anything: its help, and the names of what it has.

This is asked for and answered before anything that reads or prints IR is imported.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable

from rlx_sched.passes import PASSES
from rlx_sched.tools.command_line import CommandLine
from rlx_sched.tools.registry import new_context, xdsl_passes


def information(options: Namespace, command_line: CommandLine) -> str | None:
    """What `options`, read by `command_line`, ask to be told, if anything."""
    for asked, tell in _INFORMATION.items():
        if getattr(options, asked):
            return tell(options, command_line)
    return None


def _help(options: Namespace, command_line: CommandLine) -> str:
    from rlx_sched.tools.help_text import describe_others, describe_own

    command_line.describe(describe_own(), describe_others(with_options=options.help_all))
    return "".join(f"{line.rstrip()}\n" for line in command_line.format_help().splitlines())


def _passes(options: Namespace, command_line: CommandLine) -> str:
    return "".join(f"{name}\n" for name in [*sorted(PASSES), *sorted(xdsl_passes())])


def _dialects(options: Namespace, command_line: CommandLine) -> str:
    return f"Available Dialects: {','.join(sorted(new_context().registered_dialect_names))}\n"


def _completion(options: Namespace, command_line: CommandLine) -> str:
    from rlx_sched.tools.completion import completion_script

    return completion_script(options.print_completion)


_INFORMATION: dict[str, Callable[[Namespace, CommandLine], str]] = {
    "help_all": _help,
    "help": _help,
    "list_passes": _passes,
    "show_dialects": _dialects,
    "print_completion": _completion,
}
"""What to print, by the option that asks for it."""
