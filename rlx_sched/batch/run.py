"""Scoring a file: pieces of it go through threads or the workers of a Dask cluster, and come out in order."""

from __future__ import annotations

import os
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from rlx_sched.batch.columns import check_whole
from rlx_sched.batch.dictionaries import as_one, decoded, with_plain
from rlx_sched.batch.errors import RunError, require
from rlx_sched.batch.files import Encode, Format, columns_to_decode, create_table, open_table
from rlx_sched.batch.pieces import Problems, Scored
from rlx_sched.batch.score import Scoring, nothing_scored, score_batch
from rlx_sched.cluster import ClusterError, connect

T = TypeVar("T")
R = TypeVar("R", covariant=True)


_PIECES_PER_WORKER = 2
"""Pieces on their way to each worker thread: one to work on, and one that travels meanwhile."""


class Future(Protocol[R]):
    """A result to come: a thread's or a cluster's."""

    def result(self) -> R:
        """Wait for it, and return it or raise what the work raised."""
        ...


Submit: TypeAlias = Callable[..., Future[Any]]


class Summary(NamedTuple):
    """What a run did."""

    rows: int
    rows_with_errors: int


def score_file(
    source: tuple[str, Format],
    output: tuple[str, Format],
    scoring: Scoring,
    *,
    scheduler: str | None = None,
    progress: Callable[[int, int | None], None] = lambda done, total: None,
) -> Summary:
    """Score the table in one file into another; both are a path (`-` for the standard streams) and a format.

    With `scheduler` the address of a Dask scheduler, its workers score; a batch whose worker is lost is scored again by
    another, and each is written once. `progress(rows done, rows in all if known)` is called all along.

    Raises:
        TableError: where there is nothing to score, or it cannot be read, written or scored; RowError is one.
    """
    with open_table(*source) as table, _threads() if scheduler is None else _cluster(scheduler) as (submit, depth):
        to_decode = columns_to_decode(table, *output)
        scoring.check(table.schema.names)
        schema = with_plain(table.schema, to_decode)
        empty = nothing_scored(schema, scoring, table.chips)
        rows = rows_with_errors = 0
        with create_table(*output, empty) as (encode, append):
            for part in _in_order(_tasks(table.pieces, to_decode, scoring, encode), submit, depth):
                append(part.encoded)
                rows += part.rows
                rows_with_errors += part.rows_with_errors
                progress(rows, table.rows)
    return Summary(rows, rows_with_errors)


class _Part(NamedTuple):
    """A piece of the table, scored and encoded."""

    encoded: Any
    rows: int
    rows_with_errors: int


def _score_piece(
    piece: Any, problems: Problems, first_row: int, to_decode: frozenset[str], scoring: Scoring, encode: Encode
) -> _Part:
    check_whole(piece)
    scored: list[Scored] = []
    start = rows_with_errors = 0
    for batch in as_one(decoded(piece, to_decode)):
        here = {row - start: problem for row, problem in problems.items() if 0 <= row - start < batch.num_rows}
        scored.append(score_batch(batch, scoring, first_row + start, here, once=encode.by_index))
        start += batch.num_rows
        rows_with_errors += scored[-1].rows_with_errors
    return _Part(encode(scored), start, rows_with_errors)


def _tasks(
    pieces: Iterable[tuple[Any, Problems]], to_decode: frozenset[str], scoring: Scoring, encode: Encode
) -> Iterator[tuple[Any, Problems, int, frozenset[str], Scoring, Encode]]:
    first_row = 0
    for piece, problems in pieces:
        yield piece, problems, first_row, to_decode, scoring, encode
        first_row += piece.num_rows


def _in_order(tasks: Iterable[tuple[Any, ...]], submit: Submit, depth: int) -> Iterator[_Part]:
    """The results of `_score_piece` over `tasks`, in order, with no more than `depth` tasks on their way."""
    pending: deque[Future[_Part]] = deque()
    for task in tasks:
        pending.append(submit(_score_piece, *task))
        if len(pending) >= depth:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()


@contextmanager
def _threads() -> Generator[tuple[Submit, int]]:
    """Threads of this process: numpy and pyarrow let go of the interpreter while they work."""
    _keep_freed_memory()
    workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with ThreadPoolExecutor(workers) as pool:
        try:
            yield pool.submit, workers + 1
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _keep_freed_memory() -> None:
    """Have the arrays of a batch take the room of the last one's: to have memory mapped anew, page by page, takes a
    quarter of the time of scoring, and pyarrow's own allocator keeps less of it than the system's.

    At first glibc's malloc gives large blocks back when they are freed. Where one of this size, the largest that
    counts, was freed it keeps them (see M_MMAP_THRESHOLD in mallopt(3)); other systems are not harmed.
    """
    pa = require("pyarrow")
    pa.set_memory_pool(pa.system_memory_pool())
    require("numpy").empty(2**25 - 2**13, "u1")


@contextmanager
def _cluster(address: str) -> Generator[tuple[Submit, int]]:
    """The workers of the Dask cluster whose scheduler is at `address`."""
    try:
        client = connect(address)
    except ClusterError as error:
        raise RunError(str(error)) from error
    with client:
        workers = sum(client.nthreads().values())
        if not workers:
            raise RunError(f"the Dask scheduler at {address} has no workers; start one with: dask worker {address}")

        def submit(function: Callable[..., Any], piece: Any, *arguments: Any) -> Future[Any]:
            check_whole(piece)  # before it is taken apart to travel
            # Equal batches are not the same batch: no two tasks may share a key.
            return client.submit(function, piece, *arguments, pure=False)

        with warnings.catch_warnings():
            # A piece of a table is what it is, and nothing that was sent by mistake.
            warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
            yield submit, _PIECES_PER_WORKER * workers
