"""`rlx-opt`: read MLIR, run passes, print it; `mlir-opt` for schedules.

This module turns whatever can happen into messages and exit codes. It imports nothing that takes time before it is
ready for signals.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Self

from rlx_sched.tools import errors
from rlx_sched.tools.errors import Failed, FileError, UsageError

RECURSION_LIMIT = 5000
"""How deep Python may recurse: enough for 400 regions inside one another, and safe with a stack of 8 MB."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run `rlx-opt` with the arguments `argv`, by default those of the process; returns the exit code."""
    with _Signals(last=argv is None) as signals, _without_collector(), _deep_recursion():
        try:
            code = _run(sys.argv[1:] if argv is None else argv)
        except BaseException as error:
            code = signals.exit_code or _explain(error)
        if signals.exit_code is not None:
            _abandon_output()
            return signals.exit_code
        return code


def _run(argv: Sequence[str]) -> int:
    if "--version" in argv:
        from rlx_sched.tools.files import STDOUT, write_text
        from rlx_sched.tools.internal_error import versions

        write_text(STDOUT, f"{versions()}\n")
        return 0
    from rlx_sched.tools.invocation import run

    return run(argv)


def _explain(error: BaseException) -> int:
    """Say what ended the run; returns the exit code for it."""
    match error:
        case UsageError():
            _say(f"rlx-opt: error: {error}\nrlx-opt: `rlx-opt --help` shows passes and options\n")
            return errors.EXIT_USAGE
        case Failed():
            return errors.EXIT_ERROR
        case BrokenPipeError():
            _abandon_output()
            return errors.EXIT_BROKEN_PIPE
        case MemoryError():
            _say("rlx-opt: error: out of memory; --max-ops=N refuses large modules\n")
            return errors.EXIT_ERROR
        case FileError() | OSError():
            _say(f"rlx-opt: error: {error}\n")
            return errors.EXIT_ERROR
        case SystemExit() | KeyboardInterrupt():
            raise error
        case _:
            from rlx_sched.tools.internal_error import describe

            _say(describe(error))
            return errors.EXIT_INTERNAL


class _Stopped(BaseException):
    """A signal asked the process to stop."""


class _Signals:
    """Has SIGINT and SIGTERM unwind the stack, so that temporary files go, unless they are ignored (`nohup`).

    `last`: the process ends after this, and a signal while it does may simply end it.
    """

    def __init__(self, *, last: bool):
        self.exit_code: int | None = None
        self._last = last
        self._previous = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def __enter__(self) -> Self:
        self._handle(self._stop)
        return self

    def __exit__(self, *exception: object) -> None:
        self._handle(signal.SIG_DFL if self._last else None)

    def _handle(self, handler: Callable[[int, FrameType | None], None] | signal.Handlers | None) -> None:
        """Install `handler`, or what was there before. Only in the main thread: no other may, nor needs to."""
        for number, previous in self._previous.items():
            if previous is not signal.SIG_IGN:
                with suppress(ValueError):
                    signal.signal(number, previous if handler is None else handler)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        # Python may turn the exception into another (in `__set_name__`) or lose it (in `__del__`): the code stays, and
        # the next signal ends the process.
        self.exit_code = errors.EXIT_TERMINATED if number == signal.SIGTERM else errors.EXIT_INTERRUPTED
        self._handle(signal.SIG_DFL)
        raise _Stopped


@contextmanager
def _without_collector() -> Generator[None]:
    """Turn the garbage collector off: IR is kept until the end, and looking at it again and again finds nothing."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def _deep_recursion() -> Generator[None]:
    """Allow for IR nested deeper than in 1000 calls, Python's usual limit; on Windows the stack is too small for it."""
    usual = sys.getrecursionlimit()
    if os.name == "posix":
        sys.setrecursionlimit(max(usual, RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)


def _say(text: str) -> None:
    """Write to standard error, if there is anybody to read it."""
    with suppress(OSError, AttributeError):
        sys.stderr.write(text)
        sys.stderr.flush()


def _abandon_output() -> None:
    """Keep the interpreter from writing, when it exits, what is still buffered."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main())
