"""What makes a shell complete the command line of `rlx-opt`."""

from __future__ import annotations

from argparse import Action

from rlx_sched.tools.command_line import CommandLine, PassFlag
from rlx_sched.tools.errors import UsageError


def completion_script(shell: str) -> str:
    """The script for `shell`, one of `bash`, `zsh` and `fish`.

    Raises:
        UsageError: when the library that writes it is not installed.
    """
    try:
        import shtab
    except ModuleNotFoundError:
        raise UsageError("--print-completion needs: pip install 'rlx-sched[completion]'") from None
    parser = CommandLine()
    for action in parser.actions:
        if isinstance(action, PassFlag):
            action.help = f"run the pass {action.option_strings[0].removeprefix('--')}"
        elif action.metavar in ("FILE", "PATH"):
            _complete_files(action)
    _complete_files(parser.add_argument("inputs", nargs="*", metavar="FILE", help="MLIR to read"))
    return shtab.complete(parser, shell)


def _complete_files(action: Action) -> None:
    """Mark `action` for shtab as one whose values are files."""
    action.complete = {"bash": "_shtab_compgen_files", "zsh": "_files", "tcsh": "f"}  # pyright: ignore[reportAttributeAccessIssue]
