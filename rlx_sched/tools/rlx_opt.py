"""`rlx-opt`: read MLIR, run passes, print it; `mlir-opt` for schedules.

This module turns whatever can happen into messages and exit codes. It imports nothing that takes time before it is
ready for signals.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

from rlx_sched.tools import errors
from rlx_sched.tools.errors import Failed, FileError, UsageError


def main(argv: Sequence[str] | None = None) -> int:
    """Run `rlx-opt` with the arguments `argv`, by default those of the process; returns the exit code."""
    try:
        with _signals_raise(), _without_collector():
            from rlx_sched.tools.invocation import run

            return run(sys.argv[1:] if argv is None else argv)
    except UsageError as error:
        _say(f"rlx-opt: error: {error}\nrlx-opt: `rlx-opt --help` shows passes and options\n")
        return errors.EXIT_USAGE
    except Failed:
        return errors.EXIT_ERROR
    except FileError as error:
        _say(f"rlx-opt: error: {error}\n")
        return errors.EXIT_ERROR
    except MemoryError:
        _say("rlx-opt: error: out of memory; --max-ops=N refuses large modules\n")
        return errors.EXIT_ERROR
    except BrokenPipeError:
        _abandon_output()
        return errors.EXIT_BROKEN_PIPE
    except _Stopped as stopped:
        _abandon_output()
        return stopped.exit_code
    except Exception as error:
        from rlx_sched.tools.internal_error import describe

        _say(describe(error))
        return errors.EXIT_INTERNAL


class _Stopped(BaseException):
    """A signal asked the process to stop."""

    def __init__(self, exit_code: int):
        super().__init__(exit_code)
        self.exit_code = exit_code


@contextmanager
def _signals_raise() -> Generator[None]:
    """Have SIGINT and SIGTERM unwind the stack, so that temporary files go, unless they are ignored (`nohup`)."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise _Stopped(errors.EXIT_TERMINATED if number == signal.SIGTERM else errors.EXIT_INTERRUPTED)

    previous = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    # Only the main thread may set handlers; in any other, whoever has the main one deals with signals.
    with suppress(ValueError):
        for number, handler in previous.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, stop)
    try:
        yield
    finally:
        with suppress(ValueError):
            for number, handler in previous.items():
                signal.signal(number, handler)


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
