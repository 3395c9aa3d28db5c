"""Process parts of the input in several processes."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from io import StringIO
from typing import TextIO

from rlx_sched.tools.driver import Outcome, Part, Settings, process

_BATCHES_A_PROCESS = 4
"""How many batches each process gets, so that one with slow parts does not keep the others waiting for long."""


def process_in_parallel(parts: Sequence[Part], settings: Settings, jobs: int, stderr: TextIO) -> Iterator[Outcome]:
    """`process` for every part, in at most `jobs` processes; outcomes and diagnostics keep the order of the parts."""
    jobs = min(jobs, len(parts))
    batch = max(1, len(parts) // (jobs * _BATCHES_A_PROCESS))
    with ProcessPoolExecutor(jobs, initializer=_leave_signals_to_parent) as pool:
        try:
            for outcome, diagnostics in pool.map(partial(_process, settings), parts, chunksize=batch):
                stderr.write(diagnostics)
                yield outcome
        except BaseException:
            for child in multiprocessing.active_children():
                child.terminate()
            raise


def _process(settings: Settings, part: Part) -> tuple[Outcome, str]:
    stderr = StringIO()
    return process(part, settings, stderr), stderr.getvalue()


def _leave_signals_to_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
