"""Process parts of the input in several processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from multiprocessing.connection import Connection
from types import FrameType
from typing import NamedTuple, NoReturn, TextIO

from rlx_sched.tools.driver import Outcome, Part, Settings, process
from rlx_sched.tools.errors import Failed
from rlx_sched.tools.guard import STOPPING, room_for_ir

_SECONDS_TO_END = 5.0
"""How long a process may take to end its own when it is told to."""

_Failures = MemoryError, OSError, RuntimeError
"""What an exception of a process becomes here: the last where it is none of the others."""


class _Failure(NamedTuple):
    """An exception that ended the work of a process."""

    kind: type[Exception]
    text: str


def process_in_parallel(parts: Sequence[Part], settings: Settings, jobs: int, stderr: TextIO) -> Iterator[Outcome]:
    """`process` for every part, in at most `jobs` processes; outcomes and diagnostics keep the order of the parts.

    Each process has every `jobs`-th part and a pipe of its own. (The pools of the standard library hang when a process
    is killed, or when their own is to stop.)

    Raises:
        MemoryError, OSError: what a process has raised.
        RuntimeError: when a process has raised anything else, which is the text.
        Failed: when a process was killed.
    """
    jobs = min(jobs, len(parts))
    workers: list[_Worker] = []
    try:
        for index in range(jobs):
            workers.append(_Worker(parts[index::jobs], settings, workers))
        for index in range(len(parts)):
            outcome, diagnostics = workers[index % jobs].receive()
            stderr.write(diagnostics)
            yield outcome
    finally:
        for worker in workers:
            worker.stop()


class _Worker:
    """A process that works on `parts`."""

    def __init__(self, parts: Sequence[Part], settings: Settings, earlier: Sequence[_Worker]):
        self._receiver, sender = multiprocessing.Pipe(duplex=False)
        is_forked = multiprocessing.get_start_method() == "fork"
        inherited = [self._receiver, *(worker._receiver for worker in earlier)] if is_forked else []
        self._process = multiprocessing.Process(target=_work, args=(parts, settings, sender, inherited), daemon=True)
        with _signals_held_back():
            self._process.start()
        sender.close()

    def receive(self) -> tuple[Outcome, str]:
        """The outcome of the next part, and the diagnostics for it."""
        try:
            received = self._receiver.recv()
        except EOFError:
            raise Failed("a process of -j was killed") from None
        if isinstance(received, _Failure):
            raise received.kind(received.text)
        return received

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        self._receiver.close()
        self._process.terminate()
        self._process.join(_SECONDS_TO_END)
        self._process.kill()
        self._process.join()


@contextmanager
def _signals_held_back() -> Generator[None]:
    """Keep signals from a new process while it has the handlers of this one, which would unwind a copy of its stack."""
    _mask(signal.SIG_BLOCK)
    try:
        yield
    finally:
        _mask(signal.SIG_UNBLOCK)


def _mask(how: int) -> None:
    if os.name == "posix":
        signal.pthread_sigmask(how, STOPPING)


def _work(parts: Sequence[Part], settings: Settings, sender: Connection, inherited: Sequence[Connection]) -> None:
    """What a process does: send, for each part, its outcome and diagnostics, or what went wrong.

    `inherited` are the ends of pipes that only the first process is to have: as long as another has one, nobody is told
    when that is gone.
    """
    for receiver in inherited:
        receiver.close()
    for number in STOPPING:
        # A terminal sends them to all its processes; this one ends when the first says so. What was not ignored before
        # is not now, for then a program that is run here would ignore it too.
        if number == signal.SIGTERM:
            signal.signal(number, _end)
        elif signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _carry_on)
    _mask(signal.SIG_UNBLOCK)
    with room_for_ir(last=True):
        for part in parts:
            stderr = StringIO()
            answer: tuple[Outcome, str] | _Failure
            try:
                answer = process(part, settings, stderr), stderr.getvalue()
            except Exception as error:
                answer = _failure(error)
            try:
                sender.send(answer)
            except OSError:
                # The first process is gone.
                return
            if isinstance(answer, _Failure):
                return


def _failure(error: Exception) -> _Failure:
    kind = next(kind for kind in _Failures if isinstance(error, kind) or kind is RuntimeError)
    if kind is not RuntimeError:
        return _Failure(kind, str(error))
    notes = "".join(f" {note}" for note in getattr(error, "__notes__", ()))
    return _Failure(kind, f"{type(error).__name__}{notes}: {error}")


def _end(number: int, frame: FrameType | None) -> NoReturn:
    """Unwind the stack, so that `subprocess` ends a program that it runs; the next signal ends the process."""
    signal.signal(number, signal.SIG_DFL)
    raise SystemExit


def _carry_on(number: int, frame: FrameType | None) -> None:
    pass
