"""What a table is while it is read and written: pieces that fit in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

from rlx_sched.batch.errors import require

PIECE_ROWS = 2**17
"""Rows that are read, scored and encoded in one go, some 12 MB; a row group of a Parquet file."""

Problems: TypeAlias = dict[int, tuple[str, str]]
"""Values that the reader could not give their column's type: by row of the batch, the column and what is wrong."""


class Input(NamedTuple):
    """A table being read."""

    schema: Any
    pieces: Iterator[tuple[Any, Problems]]
    """Tables of at most `PIECE_ROWS` rows. Words that repeat may be dictionaries in them where `schema` has strings."""
    rows: int | None
    """How many rows there are, where that is known beforehand."""


def even(batches: Iterable[Any]) -> Iterator[tuple[Any, Problems]]:
    """`batches` of any length as tables of `PIECE_ROWS` rows or somewhat fewer."""
    pa = require("pyarrow")
    piece: list[Any] = []
    rows = 0
    for batch in batches:
        for start in range(0, batch.num_rows, PIECE_ROWS):
            part = batch.slice(start, PIECE_ROWS)
            if rows + part.num_rows > PIECE_ROWS:
                yield pa.Table.from_batches(piece), {}
                piece, rows = [], 0
            piece.append(part)
            rows += part.num_rows
    if piece:
        yield pa.Table.from_batches(piece), {}


Append: TypeAlias = Callable[[Any], None]
"""Writes what is encoded."""
