"""What a table is while it is read and written: pieces that fit in memory."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from rlx_sched.batch.columns import as_arrow, as_numpy
from rlx_sched.batch.errors import Problem, require

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PIECE_ROWS = 2**17
"""Rows that are read, scored and encoded in one go, some 12 MB."""

ROW_GROUP_PIECES = 4
"""How many pieces a row group of a Parquet file has: where rows repeat they are small there, and each is work by
itself."""

PIECE_BYTES = 2**26
"""What a piece takes at most, unless a row alone takes more."""

Problems: TypeAlias = dict[int, Problem]
"""What the reader found wrong: by row of the batch."""


class Input(NamedTuple):
    """A table being read."""

    schema: Any
    pieces: Iterator[tuple[Any, Problems]]
    """Tables to score in one go. Words that repeat may be dictionaries in them where `schema` has strings."""
    rows: int | None
    """How many rows there are, where that is known beforehand."""
    chips: Sequence[str] = ()
    """Some of the chips in it, where they are known beforehand."""
    dictionaries_change: bool = False
    """Whether a column may have another dictionary in another piece."""


def rows_of_pieces(count: int, size: int, rows: int) -> int:
    """How many rows `count` pieces have of a table in which `rows` take `size` bytes; together they are kept small."""
    return max(1, min(count * PIECE_ROWS, PIECE_BYTES * rows // max(size, 1)))


def _parts(batch: Any, rows: int) -> Iterator[Any]:
    """`batch` in parts of `rows` rows, or of fewer where those take too much."""
    for start in range(0, batch.num_rows, rows):
        part = batch.slice(start, rows)
        if part.num_rows > 1 and part.nbytes > PIECE_BYTES:
            yield from _parts(part, -(-part.num_rows // 2))
        else:
            yield part


def even(batches: Iterable[tuple[Any, Problems]], count: int = 1) -> Iterator[tuple[Any, Problems]]:
    """Record batches of any length, and what is wrong in them, as tables of `count` pieces or somewhat less."""
    most_rows = count * PIECE_ROWS
    pa = require("pyarrow")
    piece: list[Any] = []
    problems: Problems = {}
    rows = size = 0
    for batch, found in batches:
        start = 0
        for part in _parts(batch, most_rows):
            if piece and (rows + part.num_rows > most_rows or size + part.nbytes > PIECE_BYTES):
                yield pa.Table.from_batches(piece), problems
                piece, problems, rows, size = [], {}, 0, 0
            piece.append(part)
            problems.update((rows + row - start, found[row]) for row in found if 0 <= row - start < part.num_rows)
            start += part.num_rows
            rows += part.num_rows
            size += part.nbytes
    if piece:
        yield pa.Table.from_batches(piece), problems


class Repeated(NamedTuple):
    """A column by what is in it: row n holds `values[which[n]]`."""

    values: Any
    """An Arrow array, or a dictionary one. A value may stand in it twice; a number that stands in it is in a row."""
    which: NDArray[np.integer[Any]]


class Scored(NamedTuple):
    """A batch with what scoring adds to it, which stands there once where rows repeat."""

    batch: Any
    """The record batch that was scored, without columns that are replaced."""
    results: Any
    """A record batch of the columns that are added."""
    which: NDArray[np.integer[Any]] | None
    """For each row, which of `results` is its own; None where row n has result n."""
    inputs: Mapping[str, Any]
    """Columns of `batch` that follow from `which` as the results do."""

    @property
    def rows_with_errors(self) -> int:
        """How many rows could not be scored."""
        has_errors = "error" in self.results.schema.names
        return self.results.num_rows - self.results.column("error").null_count if has_errors else 0

    def rows(self, names: Container[str] | None = None) -> Any:
        """The record batch with all columns, or those of `names`, row by row."""
        batch, results = (
            part if names is None else part.select([name for name in part.schema.names if name in names])
            for part in (self.batch, self.results)
        )
        if self.which is not None:
            results = results.take(as_arrow(self.which))
        pa = require("pyarrow")
        schema = pa.schema([*batch.schema, *results.schema], batch.schema.metadata)
        return pa.RecordBatch.from_arrays([*batch.columns, *results.columns], schema=schema)

    def repeated(self, name: str) -> Repeated | None:
        """A column by what is in it, where that is known."""
        if self.which is not None and name in self.inputs:
            return Repeated(self.inputs[name], self.which)
        is_result = name in self.results.schema.names
        column = (self.results if is_result else self.batch).column(name)
        if self.which is not None and is_result:
            return Repeated(column, self.which)
        pa = require("pyarrow")
        if not pa.types.is_dictionary(column.type) or not pa.types.is_string(column.type.value_type):
            return None
        values = pa.concat_arrays([column.dictionary, pa.nulls(1, pa.string())])
        return Repeated(values, as_numpy(column.indices.cast(pa.int64()), len(values) - 1))


Append: TypeAlias = Callable[[Any], None]
"""Writes what is encoded."""
