"""Command lines as all of our tools read them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from rlx_sched.spelling import did_you_mean
from rlx_sched.tools.errors import UsageError
from rlx_sched.tools.files import STDOUT, write_text

HELP_WIDTH = 80
"""Columns of help texts."""

BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
"""How true and false are written, here as in LLVM's tools."""


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help texts of 80 columns on any terminal; descriptions and epilogs stand as they are written."""

    def __init__(self, prog: str):
        super().__init__(prog, width=HELP_WIDTH)


class Parser(argparse.ArgumentParser):
    """Raises UsageError where argparse would end the process, and takes options by their full names only."""

    def __init__(self, prog: str, **settings: Any):
        super().__init__(prog, formatter_class=HelpFormatter, allow_abbrev=False, **settings)

    def parse(self, argv: Sequence[str]) -> argparse.Namespace:
        """The options in `argv`; an unknown one is reported with the one that it is nearest to."""
        options, rest = self.parse_known_args(argv)
        for one in rest:
            command = self._command(options)
            if not one.startswith("-"):
                command.error(f"unexpected argument '{one}'")
            name = one.partition("=")[0]
            flags = [*command._option_string_actions, *self._option_string_actions]
            command.error(f"unknown option '{name}'{did_you_mean(name, flags)}")
        return options

    def _command(self, options: argparse.Namespace) -> Parser:
        """The parser of the command that was given, or this one where there are no commands."""
        for action in self._actions:
            commands: Any = action.choices
            if hasattr(commands, "values"):
                return commands[getattr(options, action.dest)]
        return self

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print the help or the version; argparse would not say if nobody can read it."""
        write_text(STDOUT, message)

    def error(self, message: str) -> NoReturn:
        """Report a usage error."""
        raise UsageError(message, self.prog)
