"""What holds for every command line of ours: whatever can happen ends in a message and an exit code.

Nothing here imports what takes time before the tool is ready for signals.
"""

from __future__ import annotations

import errno
import gc
import os
import signal
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, redirect_stderr, suppress
from types import FrameType
from typing import TYPE_CHECKING, TextIO

from rlx_sched.tools import errors
from rlx_sched.tools.errors import Failed, FileError, UsageError
from rlx_sched.tools.visible import visible_line

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

RECURSION_LIMIT = 5000
"""How deep Python may recurse: enough for 400 regions inside one another, and safe with a stack of 8 MB."""


STOPPING: Mapping[int, int] = {
    signal.SIGINT: errors.EXIT_INTERRUPTED,
    signal.SIGTERM: errors.EXIT_TERMINATED,
    # Windows has none.
    **({signal.SIGHUP: errors.EXIT_HANGUP} if os.name == "posix" else {}),
}
"""The signals that stop a tool, and the exit code of each."""


_SPARE_BYTES = 2**20
"""Set aside for saying that there is no more memory; Python takes as much at a time."""

_MOMENT = 0.001
"""Seconds until an exception is raised again where it was lost: when Python does something else."""


def guarded(
    tool: str, run: Callable[[Sequence[str]], int], argv: Sequence[str] | None, *, reads_ir: bool = False
) -> int:
    """Call `run` with the arguments `argv`, by default those of the process; returns the exit code.

    `tool` is the name of the program in messages. The signals of `STOPPING` raise a KeyboardInterrupt in `run`, and
    nowhere else. With `reads_ir` Python treats IR well: no garbage collector, and calls as deep as regions in one
    another take.
    """
    last = argv is None
    signals = _Signals(last=last)
    try:
        signals.note()
        with _some_stderr(), room_for_ir(last) if reads_ir else nullcontext():
            outcome = _outcome(signals, run, sys.argv[1:] if argv is None else argv)
            if last:
                # There is nothing left to be undone, but what is written now may wait for a reader.
                signals.end()
            if isinstance(outcome, int):
                code = outcome
            elif signals.exit_code is not None:
                code = signals.exit_code
            else:
                code = _explain_somehow(tool, outcome)
            del outcome
            if signals.exit_code is None:
                _settle(sys.stdout, sys.stderr)
    finally:
        signals.forget()
    if signals.exit_code is not None:
        _abandon_output(sys.stdout, sys.stderr)
        return signals.exit_code
    if last:
        # Python looks for garbage once more when it ends: 20 ms for what goes with the process anyway.
        gc.freeze()
    return code


def _outcome(signals: _Signals, run: Callable[[Sequence[str]], int], argv: Sequence[str]) -> int | BaseException:
    """What comes of `run`: its exit code, or what it raised. Here a signal raises too, at most once."""
    outcome: int | BaseException
    spare: list[bytearray] = []
    try:
        signals.raises()
        try:
            spare.append(bytearray(_SPARE_BYTES))
            outcome = _run(run, argv)
        except BaseException as error:
            outcome = error
        spare.clear()
        signals.raises_no_more()
    except BaseException as error:
        # A signal that came when `run` was done.
        signals.raises_no_more()
        return error
    return outcome


def _run(run: Callable[[Sequence[str]], int], argv: Sequence[str]) -> int:
    try:
        code = run(argv)
    except SystemExit as done:
        # From argparse, when it has printed what was asked for.
        code = 0 if done.code is None else int(done.code)
    _flush_stdout()
    return code


def _flush_stdout() -> None:
    """Have all that was printed written now, when it can still be reported if it cannot be."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _abandon_output(sys.stdout)
        raise FileError(f"cannot write to standard output: {error.strerror}") from None


def _explain_somehow(tool: str, error: BaseException) -> int:
    """Say what ended the run, as far as there is memory for it; returns the exit code."""
    if _is_want_of_memory(error):
        # It holds what the memory is full of.
        error.__traceback__ = None
    try:
        return _explain(tool, error)
    except BaseException as another:
        error.__traceback__ = another.__traceback__ = None
        # CPython forgets a MemoryError now and then, and complains of that: once may be a defect of ours.
        are_forgotten = isinstance(error, SystemError) and isinstance(another, SystemError)
        no_memory = are_forgotten or _is_want_of_memory(error) or _is_want_of_memory(another)
        what = "out of memory" if no_memory else f"{type(error).__name__}, and {type(another).__name__} while saying so"
        with suppress(MemoryError):
            _say(f"{tool}: error: {what}\n")
        return errors.EXIT_ERROR if no_memory else errors.EXIT_INTERNAL


def _is_want_of_memory(error: BaseException) -> bool:
    """Whether `error` is a MemoryError, or something could not be loaded for the same reason."""
    if isinstance(error, OSError):
        return error.errno == errno.ENOMEM
    if isinstance(error, ImportError):
        # What the dynamic linker of glibc says, and the system.
        return any(sign in str(error) for sign in ("failed to map segment", "annot allocate memory"))
    return isinstance(error, MemoryError)


def _explain(tool: str, error: BaseException) -> int:
    """Say what ended the run; returns the exit code for it."""
    match error:
        case UsageError():
            hint = f"{tool}: `{error.command or tool} --help` shows the options\n" if error.see_help else ""
            _say(f"{tool}: error: {error}\n{hint}")
            return errors.EXIT_USAGE
        case Failed():
            if str(error):
                _say(f"{tool}: error: {error}\n")
            return errors.EXIT_ERROR
        case BrokenPipeError():
            _abandon_output(sys.stdout, sys.stderr)
            return errors.EXIT_BROKEN_PIPE
        case _ if _is_want_of_memory(error):
            _say(f"{tool}: error: out of memory\n")
            return errors.EXIT_ERROR
        case FileError() | OSError():
            _say(f"{tool}: error: {error}\n")
            return errors.EXIT_ERROR
        case KeyboardInterrupt():
            return errors.EXIT_INTERRUPTED
        case _:
            from rlx_sched.tools.internal_error import describe

            _say(describe(tool, error))
            return errors.EXIT_INTERNAL


class _Stopped(KeyboardInterrupt):
    """A signal asked the process to stop."""


class _Signals:
    """Has the signals of `STOPPING` unwind the stack, so that temporary files go, unless they are ignored (`nohup`).

    `last`: the process ends after this, and a signal while it does may simply end it.
    """

    def __init__(self, *, last: bool):
        self.exit_code: int | None = None
        """Of the signal that came, if one has."""
        self._last = last
        self._raises = False
        self._previous = {number: signal.getsignal(number) for number in STOPPING}
        self._previous_hook = sys.unraisablehook
        self._previous_alarm: Callable[[int, FrameType | None], object] | int | None = None

    def note(self) -> None:
        """Note signals from now on."""
        sys.unraisablehook = self._lost
        self._handle(self._stop)

    def raises(self) -> None:
        """From now on have the first signal raise, or right now if it has come."""
        self._raises = True
        if self.exit_code is not None:
            self.raises_no_more()
            raise _Stopped

    def raises_no_more(self) -> None:
        """Only note signals again."""
        self._raises = False

    def end(self) -> None:
        """Let a signal end the process."""
        self._handle(signal.SIG_DFL)

    def forget(self) -> None:
        """Put back what was there before."""
        if self._previous_alarm is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._previous_alarm)
        self._handle(signal.SIG_DFL if self._last else None)
        sys.unraisablehook = self._previous_hook

    def _handle(self, handler: Callable[[int, FrameType | None], None] | signal.Handlers | None) -> None:
        """Install `handler`, or what was there before. Only in the main thread: no other may, nor needs to."""
        for number, previous in self._previous.items():
            if previous is not signal.SIG_IGN:
                with suppress(ValueError):
                    signal.signal(number, previous if handler is None else handler)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        # Python may turn the exception into another (in `__set_name__`): the code stays, and the next signal ends the
        # process.
        raises, self._raises = self._raises, False
        self.exit_code = STOPPING[number]
        self._handle(signal.SIG_DFL)
        if self.exit_code == errors.EXIT_HANGUP:
            # The kernel and the shell send one each, and neither is in more of a hurry for it.
            signal.signal(number, signal.SIG_IGN)
        if raises:
            raise _Stopped

    def _lost(self, unraisable: UnraisableHookArgs) -> None:
        """Raise again, a moment later, what Python could not raise: in `__del__`, or when it frees what it imported."""
        if not isinstance(unraisable.exc_value, _Stopped):
            self._previous_hook(unraisable)
        elif hasattr(signal, "setitimer"):
            self._raises = True
            if self._previous_alarm is None:
                self._previous_alarm = signal.getsignal(signal.SIGALRM)
            signal.signal(signal.SIGALRM, self._raise_again)
            signal.setitimer(signal.ITIMER_REAL, _MOMENT)

    def _raise_again(self, number: int, frame: FrameType | None) -> None:
        raises, self._raises = self._raises, False
        if raises:
            raise _Stopped


@contextmanager
def _some_stderr() -> Generator[None]:
    """Let what is written to a closed standard error be lost, as elsewhere; Python has None for it."""
    if sys.stderr is not None:
        yield
        return
    with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stderr(nowhere):
        yield


@contextmanager
def room_for_ir(last: bool) -> Generator[None]:
    """Turn the garbage collector off and allow for deeper recursion; `last` says that the process ends afterwards.

    IR is kept until the end, so that to look through it again and again finds nothing. Python's usual limit of 1000
    calls is too low for IR that is deeply nested; on Windows the stack is too small for more.
    """
    collects, limit = gc.isenabled(), sys.getrecursionlimit()
    gc.disable()
    if os.name == "posix":
        sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        if collects and not last:
            gc.enable()


def _say(text: str) -> None:
    """Write to standard error, if anybody reads it. What files are called or hold does not act on a terminal."""
    with suppress(OSError, AttributeError):
        sys.stderr.write("\n".join(map(visible_line, text.split("\n"))))
        sys.stderr.flush()


def _settle(*streams: TextIO | None) -> None:
    """Have `streams` written, or forgotten: what cannot be written now, the interpreter would fail to when it exits."""
    for stream in filter(None, streams):
        try:
            stream.flush()
        except (OSError, ValueError):
            _abandon_output(stream)


def _abandon_output(*streams: TextIO | None) -> None:
    """Keep the interpreter from writing to `streams`, when it exits, what is still buffered."""
    for stream in filter(None, streams):
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)
