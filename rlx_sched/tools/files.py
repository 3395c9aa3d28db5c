"""Reading inputs whole, and writing outputs whole or not at all."""

from __future__ import annotations

import os
import stat
import sys
from typing import BinaryIO, TextIO

from rlx_sched.tools.errors import FileError

STDIN = "-"
STDOUT = "-"
STDIN_NAME = "<stdin>"
"""What standard input is called in diagnostics and locations, here and in mlir-opt."""


def standard_input() -> BinaryIO:
    """Standard input.

    Raises:
        FileError: when the process was started without.
    """
    return _opened(sys.stdin, "cannot read standard input")


def standard_output() -> BinaryIO:
    """Standard output.

    Raises:
        FileError: when the process was started without.
    """
    return _opened(sys.stdout, "cannot write to standard output")


def _opened(stream: TextIO | None, failure: str) -> BinaryIO:
    if stream is None:
        raise FileError(f"{failure}: it is closed")
    return stream.buffer


def read_bytes(path: str) -> bytes:
    """The content of the file `path`, or of standard input for `-`.

    Raises:
        FileError: saying which file cannot be read, and why.
    """
    try:
        if path == STDIN:
            return standard_input().read()
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError) as error:
        name = "standard input" if path == STDIN else f"input file '{path}'"
        raise FileError(f"cannot open {name}: {_reason(error)}") from None


def write_text(path: str, text: str, *, what: str = "output file") -> None:
    """Write `text` in UTF-8, as `write_bytes` does."""
    write_bytes(path, text.encode("utf-8", "surrogateescape"), what=what)


def write_bytes(path: str, data: bytes, *, what: str = "output file") -> None:
    """Write `data` to the file `path`, which is called `what` in messages, or to standard output for `-`.

    A file is replaced only when all of it is written: whoever reads it sees the old content or the new. It keeps its
    permissions, and a link to it stays one. What is no regular file (`/dev/null`, a pipe) is written directly.

    Raises:
        FileError: saying which file cannot be written, and why.
        BrokenPipeError: when nobody reads standard output any more.
    """
    if path == STDOUT:
        _write_stdout(data)
        return
    try:
        if path.endswith(os.sep):
            raise IsADirectoryError(None, "the name of a file is missing after the folder")
        mode = _mode(path)
        if mode is None or stat.S_ISREG(mode):
            _replace(os.path.realpath(path), data, mode)
        else:
            with open(path, "wb") as file:
                file.write(data)
    except (OSError, ValueError) as error:
        raise FileError(f"cannot write {what} '{path}': {_reason(error)}") from None


def _write_stdout(data: bytes) -> None:
    stream = standard_output()
    try:
        sys.stdout.flush()
        stream.write(data)
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise FileError(f"cannot write to standard output: {_reason(error)}") from None


def _mode(path: str) -> int | None:
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _replace(target: str, data: bytes, mode: int | None) -> None:
    """Put a new file in the place of `target`, whose mode was `mode` if it exists."""
    if mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(None, "Permission denied")
    temporary = os.path.join(os.path.dirname(target), f".rlx-{os.urandom(8).hex()}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            # Some file systems say only now that they are full.
            os.fsync(descriptor)
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
