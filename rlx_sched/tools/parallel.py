"""Process parts of the input in several processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from multiprocessing.connection import Connection
from typing import TextIO

from rlx_sched.tools.driver import Outcome, Part, Settings, process
from rlx_sched.tools.guard import STOPPING


def process_in_parallel(parts: Sequence[Part], settings: Settings, jobs: int, stderr: TextIO) -> Iterator[Outcome]:
    """`process` for every part, in at most `jobs` processes; outcomes and diagnostics keep the order of the parts.

    Each process has every `jobs`-th part and a pipe of its own. (The pools of the standard library hang when a process
    is killed, or when their own is to stop.)

    Raises:
        RuntimeError: when a process has failed; its own exception is the text.
    """
    jobs = min(jobs, len(parts))
    workers = [_Worker(parts[index::jobs], settings) for index in range(jobs)]
    try:
        for index in range(len(parts)):
            outcome, diagnostics = workers[index % jobs].receive()
            stderr.write(diagnostics)
            yield outcome
    finally:
        for worker in workers:
            worker.stop()


class _Worker:
    """A process that works on `parts`."""

    def __init__(self, parts: Sequence[Part], settings: Settings):
        self._receiver, sender = multiprocessing.Pipe(duplex=False)
        self._process = multiprocessing.Process(target=_work, args=(parts, settings, sender), daemon=True)
        with _signals_held_back():
            self._process.start()
        sender.close()

    def receive(self) -> tuple[Outcome, str]:
        """The outcome of the next part, and the diagnostics for it."""
        try:
            received = self._receiver.recv()
        except EOFError:
            raise RuntimeError("a process of -j was killed") from None
        if isinstance(received, str):
            raise RuntimeError(received)
        return received

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        self._receiver.close()
        self._process.terminate()
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


def _work(parts: Sequence[Part], settings: Settings, sender: Connection) -> None:
    """What a process does: send, for each part, its outcome and diagnostics, or the text of an exception."""
    for number in STOPPING:
        # A terminal sends them to all its processes; this one ends when the first says so.
        signal.signal(number, signal.SIG_DFL if number == signal.SIGTERM else signal.SIG_IGN)
    _mask(signal.SIG_UNBLOCK)
    try:
        for part in parts:
            stderr = StringIO()
            outcome = process(part, settings, stderr)
            sender.send((outcome, stderr.getvalue()))
    except Exception as error:
        notes = "".join(f" {note}" for note in getattr(error, "__notes__", ()))
        sender.send(f"{type(error).__name__}{notes}: {error}")
