"""What a table is while it is read and written: pieces that fit in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from rlx_sched.batch.errors import Problem, require

PIECE_ROWS = 2**17
"""Rows that are read, scored and encoded in one go, some 12 MB; a row group of a Parquet file."""

PIECE_BYTES = 2**26
"""What a piece takes at most, unless a row alone takes more."""

Problems: TypeAlias = dict[int, Problem]
"""What the reader found wrong: by row of the batch."""


class Input(NamedTuple):
    """A table being read."""

    schema: Any
    pieces: Iterator[tuple[Any, Problems]]
    """Tables of at most `PIECE_ROWS` rows. Words that repeat may be dictionaries in them where `schema` has strings."""
    rows: int | None
    """How many rows there are, where that is known beforehand."""
    chips: Sequence[str] = ()
    """Some of the chips in it, where they are known beforehand."""
    dictionaries_change: bool = False
    """Whether a column may have another dictionary in another piece."""


def rows_of_a_piece(size: int, rows: int) -> int:
    """How many rows a piece has of a table in which `rows` take `size` bytes."""
    return max(1, min(PIECE_ROWS, PIECE_BYTES * rows // max(size, 1)))


def _parts(batch: Any, rows: int) -> Iterator[Any]:
    """`batch` in parts of `rows` rows, or of fewer where those take too much."""
    for start in range(0, batch.num_rows, rows):
        part = batch.slice(start, rows)
        if part.num_rows > 1 and part.nbytes > PIECE_BYTES:
            yield from _parts(part, -(-part.num_rows // 2))
        else:
            yield part


def even(batches: Iterable[tuple[Any, Problems]]) -> Iterator[tuple[Any, Problems]]:
    """Record batches of any length, and what is wrong in them, as tables of `PIECE_ROWS` rows or somewhat fewer."""
    pa = require("pyarrow")
    piece: list[Any] = []
    problems: Problems = {}
    rows = size = 0
    for batch, found in batches:
        start = 0
        for part in _parts(batch, PIECE_ROWS):
            if piece and (rows + part.num_rows > PIECE_ROWS or size + part.nbytes > PIECE_BYTES):
                yield pa.Table.from_batches(piece), problems
                piece, problems, rows, size = [], {}, 0, 0
            piece.append(part)
            problems.update((rows + row - start, found[row]) for row in found if 0 <= row - start < part.num_rows)
            start += part.num_rows
            rows += part.num_rows
            size += part.nbytes
    if piece:
        yield pa.Table.from_batches(piece), problems


Append: TypeAlias = Callable[[Any], None]
"""Writes what is encoded."""
