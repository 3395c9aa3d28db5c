"""Reading inputs whole, and writing outputs whole or not at all."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import BinaryIO, NamedTuple, Self, TextIO

from rlx_sched.tools.errors import FileError

STDIN = "-"
STDOUT = "-"
STDIN_NAME = "<stdin>"
"""What standard input is called in diagnostics and locations, here and in mlir-opt."""

_STREAMS = {"stdin": 0, "stdout": 1, "stderr": 2}
_DESCRIPTOR = re.compile(rf"/dev/({'|'.join(_STREAMS)})|(?:/dev|/proc/(?:self|thread-self))/fd/([0-9]{{1,9}})")
"""The names that Linux and macOS give to what the process has open."""

_MOST_LINKS = 40
"""That Linux follows for one path: path_resolution(7)."""


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


class Output(NamedTuple):
    """What is to be written: `data`, to the file `path` or for `-` to standard output. Messages call it `what`."""

    path: str
    data: bytes
    what: str = "output file"

    @classmethod
    def of(cls, path: str, text: str, what: str = "output file") -> Self:
        """The output that is `text` in UTF-8."""
        return cls(path, text.encode("utf-8", "surrogateescape"), what)


def write_text(path: str, text: str) -> None:
    """Write `text` in UTF-8 to `path`, as `write` does."""
    write(Output.of(path, text))


def write_bytes(path: str, data: bytes) -> None:
    """Write `data` to `path`, as `write` does."""
    write(Output(path, data))


def write(*outputs: Output) -> None:
    """Write `outputs`, and replace no file before all of them are written.

    Whoever reads a file sees the old content or the new. The new file has the permissions of the old one; a symbolic
    link to it stays one, a hard link keeps the old content. What is no regular file (`/dev/null`, a pipe) is written
    directly, and so is what the process has open (`/dev/stdout`), after what was written there before.

    Raises:
        FileError: saying which file cannot be written, and why.
        BrokenPipeError: when nobody reads standard output any more.
    """
    temporaries: dict[str, tuple[str, Output]] = {}
    try:
        directly: list[Output] = []
        for output in outputs:
            with _reported(output):
                is_open = _descriptor(output.path) is not None
                mode = None if is_open else _mode(output.path)
                if not is_open and (mode is None or stat.S_ISREG(mode)):
                    target = os.path.realpath(output.path)
                    temporary = os.path.join(os.path.dirname(target), f".rlx-{os.urandom(8).hex()}.tmp")
                    # Noted before it is there, for a signal may come while it is made.
                    temporaries[temporary] = (target, output)
                    _prepare(temporary, target, output.data, mode)
                else:
                    directly.append(output)
        for output in directly:
            with _reported(output):
                _write_directly(output)
        for temporary, (target, output) in temporaries.items():
            with _reported(output):
                os.replace(temporary, target)
    finally:
        for temporary in temporaries:
            with suppress(OSError, ValueError):
                os.unlink(temporary)


def is_same_file(one: str, other: str) -> bool:
    """Whether two paths name one regular file that is there or is to be, of which only what is written last is left."""
    if STDOUT in (one, other):
        return False
    # What is no path, or is relative to a folder that is gone, is for whoever opens it to report.
    with suppress(OSError, ValueError):
        try:
            return os.path.samefile(one, other) and os.path.isfile(one)
        except OSError:
            return os.path.realpath(one) == os.path.realpath(other)
    return False


@contextmanager
def _reported(output: Output) -> Generator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        if isinstance(error, BrokenPipeError) and _descriptor(output.path) == _STREAMS["stdout"]:
            raise
        name = "to standard output" if output.path == STDOUT else f"{output.what} '{output.path}'"
        raise FileError(f"cannot write {name}: {_reason(error)}") from None


def _write_directly(output: Output) -> None:
    descriptor = _descriptor(output.path)
    if descriptor == _STREAMS["stdout"]:
        stream = standard_output()
        sys.stdout.flush()
        stream.write(output.data)
        stream.flush()
        return
    if descriptor == _STREAMS["stderr"] and sys.stderr is not None:
        sys.stderr.flush()
    with open(output.path if descriptor is None else os.dup(descriptor), "wb") as file:
        file.write(output.data)


def _descriptor(path: str) -> int | None:
    """The number of what is open already, if `path` says so, or is a symbolic link to what does.

    The file behind it is not to be replaced: whoever opened it, a shell, would go on writing to the old one.
    """
    if path == STDOUT:
        return _STREAMS["stdout"]
    for _ in range(_MOST_LINKS):
        found = _DESCRIPTOR.fullmatch(os.path.abspath(path))
        if found is not None:
            return _STREAMS[found[1]] if found[1] else int(found[2])
        try:
            path = os.path.join(os.path.dirname(path), os.readlink(path))
        except (OSError, ValueError):
            break
    return None


def _mode(path: str) -> int | None:
    """The mode of a file, if it exists."""
    if path.endswith(os.sep):
        raise IsADirectoryError(None, "the name of a file is missing after the folder")
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _prepare(temporary: str, target: str, data: bytes, mode: int | None) -> None:
    """Make the file `temporary` that is to take the place of `target`, whose mode was `mode` if it exists."""
    if mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(None, "Permission denied")
    access = 0o666 if mode is None else stat.S_IMODE(mode) & 0o777
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), access)
    except PermissionError:
        folder = os.path.dirname(target)
        raise PermissionError(None, f"no permission to make files in its folder '{folder}'") from None
    with open(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        # Some file systems say only now that they are full.
        os.fsync(descriptor)
    if mode is not None:
        os.chmod(temporary, stat.S_IMODE(mode))


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
