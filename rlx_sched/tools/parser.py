"""Command lines as all of our tools read them."""

from __future__ import annotations

import argparse
import sys
from typing import Any, NoReturn

from rlx_sched.tools.errors import UsageError

HELP_WIDTH = 80
"""Columns of help texts."""


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help texts of 80 columns on any terminal; descriptions and epilogs stand as they are written."""

    def __init__(self, prog: str):
        super().__init__(prog, width=HELP_WIDTH)


class Parser(argparse.ArgumentParser):
    """Raises UsageError where argparse would end the process, and takes options by their full names only."""

    def __init__(self, prog: str, **settings: Any):
        super().__init__(prog, formatter_class=HelpFormatter, allow_abbrev=False, **settings)

    def print_help(self, file: Any = None) -> None:
        """Print the help; argparse would not say if nobody can read it."""
        (file or sys.stdout).write(self.format_help())

    def error(self, message: str) -> NoReturn:
        """Report a usage error."""
        raise UsageError(message, self.prog)
