"""Parquet files put together from parts, so that threads or machines can encode one table between them.

A part is some row groups: the bytes of their columns, and what the table of contents says of them. To join parts is to
write their bytes one after the other, and at the end one table of contents, with the places where they are now.

https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from typing import Any, NamedTuple

from rlx_sched.batch.errors import by_column, require
from rlx_sched.batch.parquet_pages import ColumnEncoder, ColumnMetaData
from rlx_sched.batch.pieces import Append, Scored
from rlx_sched.batch.thrift import I64, LIST, STRUCT, Struct, read_struct, write_struct

_MAGIC = b"PAR1"
_TAIL_BYTES = 4 + len(_MAGIC)
"""The length of the table of contents, and the magic again."""


class _FileMetaData(IntEnum):
    NUM_ROWS = 3
    ROW_GROUPS = 4


class _RowGroup(IntEnum):
    COLUMNS = 1
    TOTAL_BYTE_SIZE = 2
    NUM_ROWS = 3
    FILE_OFFSET = 5
    TOTAL_COMPRESSED_SIZE = 6
    ORDINAL = 7
    """Optional, and ends at 32767."""


class _ColumnChunk(IntEnum):
    FILE_OFFSET = 2
    META_DATA = 3


_PLACES = (ColumnMetaData.DATA_PAGE_OFFSET, ColumnMetaData.INDEX_PAGE_OFFSET, ColumnMetaData.DICTIONARY_PAGE_OFFSET)
"""Fields that count bytes from the start of the file. Those of page indexes and Bloom filters are none of them: parts
are written without."""

_SAMPLE_ROWS = 2**12
"""Rows of a row group that tell whether the values of a column repeat."""

_DICTIONARY_BYTES = 2**18
"""Where more distinct values than fit turn up in a row group all the same, the rest is written without a dictionary."""


class Part(NamedTuple):
    """Row groups of a table."""

    body: list[Any]
    """Bytes of columns, in order."""
    row_groups: list[Struct]
    """Their places count as in a file of this part alone."""


def part_of(file: Any) -> Part:
    """The row groups of a whole Parquet file, in a buffer."""
    data = memoryview(file)
    row_groups = _contents(data)[_FileMetaData.ROW_GROUPS][1][1]
    return Part([file[len(_MAGIC) : _contents_start(data)]], row_groups)


def _contents_start(file: memoryview) -> int:
    return len(file) - _TAIL_BYTES - int.from_bytes(file[-_TAIL_BYTES : -len(_MAGIC)], "little")


def _contents(file: memoryview) -> Struct:
    """`FileMetaData`, the table of contents."""
    return read_struct(file[_contents_start(file) : -_TAIL_BYTES])


class Joined:
    """A Parquet file that is written to `stream` part by part; `empty` is a file of the same schema without rows."""

    def __init__(self, stream: Any, empty: Any) -> None:
        self._stream = stream
        self._contents = _contents(memoryview(empty))
        self._rows = 0
        self._row_groups: list[bytes] = []
        self._size = len(_MAGIC)
        stream.write(_MAGIC)

    def append(self, part: Part) -> None:
        """Write the row groups of `part`, which is of the same schema."""
        for group in part.row_groups:
            self._rows += group[_RowGroup.NUM_ROWS][1]
            self._row_groups.append(write_struct(_moved(group, self._size - len(_MAGIC))))
        for data in part.body:
            self._stream.write(data)
            self._size += len(data)

    def close(self) -> None:
        """Write the table of contents, without which there is no file."""
        self._contents[_FileMetaData.NUM_ROWS] = I64, self._rows
        self._contents[_FileMetaData.ROW_GROUPS] = LIST, (STRUCT, self._row_groups)
        contents = write_struct(self._contents)
        self._stream.write(contents + len(contents).to_bytes(4, "little") + _MAGIC)


def _moved(group: Struct, by: int) -> Struct:
    """A row group whose columns are so many bytes further on in the file."""
    type, columns = group[_RowGroup.COLUMNS][1]
    columns = [
        _shifted(column, [_ColumnChunk.FILE_OFFSET], by)
        | {_ColumnChunk.META_DATA: (STRUCT, _shifted(_metadata(column), _PLACES, by))}
        for column in columns
    ]
    moved = _shifted(group, [_RowGroup.FILE_OFFSET], by) | {_RowGroup.COLUMNS: (LIST, (type, columns))}
    moved.pop(_RowGroup.ORDINAL, None)
    return moved


def _metadata(column: Struct) -> Struct:
    return column[_ColumnChunk.META_DATA][1]


def _shifted(fields: Struct, places: Sequence[int], by: int) -> Struct:
    """`fields` with more in those that are `places`; 0 stands for none."""
    return fields | {place: (I64, fields[place][1] + by) for place in places if place in fields and fields[place][1]}


def encode_parquet(scored: list[Scored], empty: Any) -> Part:
    """Scored batches as row groups.

    Raises:
        TableError: naming the column, where it has a value that Parquet cannot hold.
    """
    if len(scored) == 1:
        try:
            return _encode(scored[0], empty.schema)
        except require("pyarrow").ArrowException:
            pass  # whole columns tell which it is
    return part_of(_named([one.rows() for one in scored], empty.schema))


def _encode(scored: Scored, schema: Any) -> Part:
    """A row group of which pyarrow writes what `ColumnEncoder` does not."""
    encoder = ColumnEncoder()
    body: list[Any] = []
    end = len(_MAGIC)
    size = 0
    chunks: dict[str, list[Struct]] = {}
    for field in schema:
        repeated = scored.repeated(field.name)
        if repeated is not None:
            chunk = encoder.encode(field, repeated, end)
        elif field.name in scored.results.schema.names and not _repeats(scored.results.column(field.name)):
            chunk = encoder.encode_plain(field, scored.results.column(field.name), end)
        else:
            chunk = None
        if chunk is not None:
            chunks[field.name] = [
                {_ColumnChunk.FILE_OFFSET: (I64, 0), _ColumnChunk.META_DATA: (STRUCT, chunk.metadata)}
            ]
            body += chunk.body
            end += sum(map(len, chunk.body))
            size += chunk.metadata[ColumnMetaData.TOTAL_UNCOMPRESSED_SIZE][1]
    if others := [name for name in schema.names if name not in chunks]:
        part = part_of(_write_parquet([scored.rows(others)]))
        (group,) = part.row_groups
        for column in _moved(group, end - len(_MAGIC))[_RowGroup.COLUMNS][1][1]:
            # A column in columns has a path, and the field of the table is where it starts.
            name = _metadata(column)[ColumnMetaData.PATH_IN_SCHEMA][1][1][0].decode()
            chunks.setdefault(name, []).append(column)
        body += part.body
        size += group[_RowGroup.TOTAL_BYTE_SIZE][1]
    columns = [column for name in schema.names for column in chunks[name]]
    row_group: Struct = {
        _RowGroup.COLUMNS: (LIST, (STRUCT, columns)),
        _RowGroup.TOTAL_BYTE_SIZE: (I64, size),
        _RowGroup.NUM_ROWS: (I64, scored.batch.num_rows),
        _RowGroup.TOTAL_COMPRESSED_SIZE: (I64, sum(map(len, body))),
    }
    return Part(body, [row_group])


def _named(batches: list[Any], schema: Any) -> Any:
    """`_write_parquet`, whose errors name the column."""
    return by_column(lambda some, _: _write_parquet(some), batches, schema, "Parquet")


def _write_parquet(batches: list[Any]) -> Any:
    """A Parquet file of one row group, or of none where there are no rows, in a buffer."""
    pa, parquet = require("pyarrow"), require("pyarrow.parquet")
    table = pa.Table.from_batches(batches).unify_dictionaries()
    # Statistics of words cost as much as writing them, and tell a reader nothing that their dictionary does not.
    numbers = [field.name for field in table.schema if not pa.types.is_dictionary(field.type)]
    sink = pa.BufferOutputStream()
    with parquet.ParquetWriter(
        sink,
        table.schema,
        use_dictionary=_dictionaries(table),
        write_statistics=numbers or False,
        dictionary_pagesize_limit=_DICTIONARY_BYTES,
    ) as writer:
        if table.num_rows:
            writer.write_table(table)
    return sink.getvalue()


def _dictionaries(table: Any) -> list[str] | bool:
    """The columns to write with Parquet's dictionary of values."""
    if any(require("pyarrow").types.is_nested(field.type) for field in table.schema):
        return True  # their columns in the file have other names
    return [name for name in table.schema.names if _repeats(table.column(name))] or False


def _repeats(column: Any) -> bool:
    """Whether a dictionary of its values pays: not where numbers hardly repeat, which is where it costs most."""
    types = require("pyarrow").types
    sample = column.slice(0, _SAMPLE_ROWS)
    number = types.is_integer(column.type) or types.is_floating(column.type)
    return not number or 2 * len(sample.unique()) <= len(sample) - sample.null_count


@contextmanager
def open_parquet(stream: Any, empty: Any, as_stream: bool) -> Generator[Append]:
    """A Parquet file for the parts of a table.

    Raises:
        TableError: naming the column, where its type is none that Parquet can hold.
    """
    file = Joined(stream, _named([empty], empty.schema))
    yield file.append
    file.close()
