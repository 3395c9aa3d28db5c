"""What a table is while it is read and written: pieces that fit in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

from rlx_sched.batch.errors import Problem, require

PIECE_ROWS = 2**17
"""Rows that are read, scored and encoded in one go, some 12 MB; a row group of a Parquet file."""

Problems: TypeAlias = dict[int, Problem]
"""What the reader found wrong: by row of the batch."""


class Input(NamedTuple):
    """A table being read."""

    schema: Any
    pieces: Iterator[tuple[Any, Problems]]
    """Tables of at most `PIECE_ROWS` rows. Words that repeat may be dictionaries in them where `schema` has strings."""
    rows: int | None
    """How many rows there are, where that is known beforehand."""


def even(batches: Iterable[tuple[Any, Problems]]) -> Iterator[tuple[Any, Problems]]:
    """Record batches of any length, and what is wrong in them, as tables of `PIECE_ROWS` rows or somewhat fewer."""
    pa = require("pyarrow")
    piece: list[Any] = []
    problems: Problems = {}
    rows = 0
    for batch, found in batches:
        for start in range(0, batch.num_rows, PIECE_ROWS):
            part = batch.slice(start, PIECE_ROWS)
            if rows + part.num_rows > PIECE_ROWS:
                yield pa.Table.from_batches(piece), problems
                piece, problems, rows = [], {}, 0
            piece.append(part)
            problems.update((rows + row - start, found[row]) for row in found if 0 <= row - start < part.num_rows)
            rows += part.num_rows
    if piece:
        yield pa.Table.from_batches(piece), problems


Append: TypeAlias = Callable[[Any], None]
"""Writes what is encoded."""
