"""What to say when a tool itself is at fault."""

from __future__ import annotations

import os
import platform
import sys
import traceback
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rlx_sched import __version__


def versions(tool: str) -> str:
    """The versions that a report about a defect has to name."""
    try:
        xdsl = version("xdsl")
    except PackageNotFoundError:  # It is on the path without having been installed.
        xdsl = "of unknown version"
    return f"{tool} {__version__}, xDSL {xdsl}, Python {platform.python_version()}, {sys.platform}"


def describe(tool: str, error: BaseException) -> str:
    """The message for an exception that should not have happened; with its traceback if `RLX_DEBUG` is set."""
    debug = "".join(traceback.format_exception(error)) if os.environ.get("RLX_DEBUG") else ""
    what = str(error).strip().split("\n")[0]
    doing = "".join(f" {note.split(chr(10))[0]}" for note in getattr(error, "__notes__", ())[:1])
    return (
        f"{debug}{tool}: internal error{doing}: {type(error).__name__}{': ' if what else ''}{what}{_where(error)}\n"
        f"This is a defect of {tool}, not of its input. Please report it with the input, the command line, and\n"
        f"  {versions(tool)}\n"
        "RLX_DEBUG=1 in the environment shows the Python traceback.\n"
    )


def _where(error: BaseException) -> str:
    """The line that raised `error`, with as much of its path as identifies the module."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return ""
    path = Path(frames[-1].filename)
    return f" (at {'/'.join(path.parts[-3:])}:{frames[-1].lineno})"
