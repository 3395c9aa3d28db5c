"""Tables in files and pipes, read and written in record batches so that no table has to fit in memory."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import PurePath
from typing import Any, Literal, NamedTuple, TypeAlias, cast, get_args

from rlx_sched.batch.columns import BYTE_COLUMNS
from rlx_sched.batch.errors import RunError, TableError, require

Format: TypeAlias = Literal["parquet", "csv", "jsonl", "arrow"]
"""`arrow` is Arrow IPC: read as file or stream, written as a file, or as a stream to standard output."""

FORMATS: tuple[Format, ...] = get_args(Format)

STANDARD = "-"
"""What standard input and output are called."""

BATCH_ROWS = 2**16
"""Rows that are scored at a time: half a megabyte a column, which stays in a core's cache, and the fixed cost of a call
is lost among them."""

_ROW_GROUP_ROWS = 2**20
"""Rows of a row group of a parquet file, some 80 MB while it is gathered."""

_CSV_BLOCK_BYTES = 2**24
"""Bytes of CSV that are parsed at a time."""

_SUFFIXES: dict[str, Format] = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".arrow": "arrow",
    ".arrows": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}
_ARROW_FILE_MAGIC = b"ARROW1"


Problems: TypeAlias = dict[int, tuple[str, str]]
"""Values that the reader could not give their column's type: by row of the batch, the column and what is wrong."""


class Input(NamedTuple):
    """A table being read."""

    schema: Any
    batches: Iterator[tuple[Any, Problems]]
    rows: int | None
    """How many rows there are, where that is known beforehand."""


def format_of(path: str) -> Format | None:
    """The format that the name of a file tells."""
    return _SUFFIXES.get(PurePath(path).suffix.lower())


@contextmanager
def open_table(path: str, format: Format) -> Generator[Input]:
    """Open the table in the file `path`, or in standard input for `-`.

    Raises:
        TableError: where there is none.
    """
    with ExitStack() as stack:
        with _errors_as(TableError, ""):
            if path == STANDARD:
                stream: Any = sys.stdin.buffer
                if format == "parquet":  # its table of contents is at the end
                    stream = stack.enter_context(tempfile.TemporaryFile())
                    shutil.copyfileobj(sys.stdin.buffer, stream)
                    stream.seek(0)
            else:
                stream = stack.enter_context(open(path, "rb"))
            opened = _READERS[format](stream)
        yield opened._replace(batches=_checked(opened.batches))


@contextmanager
def _errors_as(kind: type[TableError], prefix: str) -> Generator[None]:
    """Turn what pyarrow and the system raise into errors for the user."""
    pa = require("pyarrow")
    try:
        yield
    except BrokenPipeError:
        raise
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise kind(prefix + (getattr(error, "strerror", None) or str(error))) from error


def _checked(batches: Iterator[tuple[Any, Problems]]) -> Iterator[tuple[Any, Problems]]:
    with _errors_as(TableError, ""):
        yield from batches


def _short(batches: Iterable[Any]) -> Iterator[tuple[Any, Problems]]:
    """`batches` of any length as batches of at most `BATCH_ROWS` rows."""
    for batch in batches:
        for start in range(0, batch.num_rows, BATCH_ROWS):
            yield batch.slice(start, BATCH_ROWS), {}


def _read_parquet(stream: Any) -> Input:
    file = require("pyarrow.parquet").ParquetFile(stream)
    return Input(file.schema_arrow, _short(file.iter_batches(BATCH_ROWS)), file.metadata.num_rows)


def _read_arrow(stream: Any) -> Input:
    pa = require("pyarrow")
    ipc = pa.ipc
    if stream.peek(len(_ARROW_FILE_MAGIC))[: len(_ARROW_FILE_MAGIC)] != _ARROW_FILE_MAGIC:
        reader = ipc.open_stream(stream)
        return Input(reader.schema, _short(reader), None)
    # Not through Python where it can be: its own files are read without the interpreter.
    file = ipc.open_file(pa.OSFile(stream.name) if os.path.isfile(stream.name) else stream)
    batches = (file.get_batch(number) for number in range(file.num_record_batches))
    return Input(file.schema, _short(batches), file.count_rows())


def _read_csv(stream: Any) -> Input:
    """A CSV file as text, so that no value is changed by a guess at its type; scoring reads what it needs."""
    pa, arrow_csv = require("pyarrow"), require("pyarrow.csv")
    reader = arrow_csv.open_csv(
        stream,
        read_options=arrow_csv.ReadOptions(block_size=_CSV_BLOCK_BYTES, use_threads=False),
        parse_options=arrow_csv.ParseOptions(newlines_in_values=True),
        convert_options=arrow_csv.ConvertOptions(default_column_type=pa.string()),
    )
    return Input(reader.schema, _short(reader), None)


def _read_jsonl(stream: Any) -> Input:
    """JSON lines; the first batch decides the types of columns that scoring does not know."""
    pa = require("pyarrow")
    lines = enumerate(stream, 1)
    rows = _json_objects(islice(lines, BATCH_ROWS))
    names = list(dict.fromkeys(name for row in rows for name in row))
    schema = pa.schema([(name, _json_type(name, [row.get(name) for row in rows])) for name in names])

    def batches() -> Iterator[tuple[Any, Problems]]:
        found = rows
        while found:
            yield _json_batch(found, schema)
            found = _json_objects(islice(lines, BATCH_ROWS))

    return Input(schema, batches(), None)


def _json_objects(lines: Iterable[tuple[int, bytes]]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for number, line in lines:
        if not line.strip():
            continue
        try:
            row: object = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise TableError(f"line {number}: not JSON: {error}") from None
        if not isinstance(row, dict):
            raise TableError(f"line {number}: found a {type(row).__name__}, expected an object with the columns")
        rows.append(cast("dict[str, Any]", row))
    return rows


def _json_type(name: str, values: list[Any]) -> Any:
    pa = require("pyarrow")
    if name in BYTE_COLUMNS:
        return pa.uint64()
    if name in ("stages", "slots_offset"):
        return pa.int64()
    if name in ("chip", "tiles", "dtype", "resident"):
        return pa.string()
    try:
        found = pa.array(values).type
    except pa.ArrowException:
        found = pa.scalar(next(value for value in values if value is not None)).type
    return pa.string() if pa.types.is_null(found) else found


def _json_batch(rows: list[dict[str, Any]], schema: Any) -> tuple[Any, Problems]:
    pa = require("pyarrow")
    problems: Problems = {}
    known = set(schema.names)
    for number, row in enumerate(rows):
        if not row.keys() <= known:
            name = next(name for name in row if name not in known)
            problems[number] = (
                name,
                f"found {json.dumps(row[name])}, expected no such key: none of the first rows has it",
            )
    columns: list[Any] = []
    for field in schema:
        values = [row.get(field.name) for row in rows]
        whole = pa.types.is_integer(field.type)
        try:
            # pyarrow would cut the fraction off.
            if whole and any(type(value) is float for value in values):
                raise pa.ArrowInvalid
            columns.append(pa.array(values, field.type))
        except (pa.ArrowException, OverflowError):
            for number, value in enumerate(values):
                try:
                    if whole and type(value) is float:
                        raise pa.ArrowInvalid
                    pa.scalar(value, field.type)
                except (pa.ArrowException, OverflowError):
                    found = f"found {json.dumps(value)}, expected a value of type {field.type}"
                    problems.setdefault(number, (field.name, found))
                    values[number] = None
            columns.append(pa.array(values, field.type))
    return pa.RecordBatch.from_arrays(columns, schema=schema), problems


_READERS: dict[Format, Callable[[Any], Input]] = {
    "parquet": _read_parquet,
    "arrow": _read_arrow,
    "csv": _read_csv,
    "jsonl": _read_jsonl,
}


Write: TypeAlias = Callable[[Any], None]
"""Writes one record batch."""


@contextmanager
def create_table(path: str, format: Format, schema: Any) -> Generator[Write]:
    """Create the file `path` with a table in it, or write it to standard output for `-`.

    A file appears, or replaces the one there was, when all of the table is written and not before.

    Raises:
        RunError: where it cannot be written.
    """
    prefix = "cannot write to standard output: " if path == STANDARD else f"cannot write '{path}': "
    as_stream = path == STANDARD or path.endswith(".arrows")
    with ExitStack() as stack:
        with _errors_as(RunError, prefix):
            stream = stack.enter_context(_sink(path))
            write = stack.enter_context(_WRITERS[format](stream, schema, as_stream))

        def checked_write(batch: Any) -> None:
            with _errors_as(RunError, prefix):
                write(batch)

        yield checked_write
        with _errors_as(RunError, prefix):
            stack.close()


@contextmanager
def _sink(path: str) -> Generator[Any]:
    if path == STANDARD:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = os.path.realpath(path)
    mode = os.stat(target).st_mode if os.path.exists(target) else None
    if mode is not None and not stat.S_ISREG(mode):
        with open(target, "wb") as stream:
            yield stream
        return
    temporary = os.path.join(os.path.dirname(target), f".rlx-score-{secrets.token_hex(8)}.tmp")
    try:
        with open(temporary, "xb") as stream:
            yield stream
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
        os.replace(temporary, target)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


@contextmanager
def _write_parquet(stream: Any, schema: Any, as_stream: bool) -> Generator[Write]:
    pa, parquet = require("pyarrow"), require("pyarrow.parquet")
    # Statistics of words cost as much as writing them, and tell a reader nothing that their dictionary does not.
    numbers = [field.name for field in schema if not pa.types.is_dictionary(field.type)]
    with parquet.ParquetWriter(stream, schema, write_statistics=numbers or False) as writer:
        group: list[Any] = []

        def flush() -> None:
            writer.write_table(pa.Table.from_batches(group, schema=schema), row_group_size=_ROW_GROUP_ROWS)
            group.clear()

        def write(batch: Any) -> None:
            group.append(batch)
            if sum(batch.num_rows for batch in group) >= _ROW_GROUP_ROWS:
                flush()

        yield write
        flush()


@contextmanager
def _write_arrow(stream: Any, schema: Any, as_stream: bool) -> Generator[Write]:
    """Arrow IPC. In a file a dictionary may grow but not change, so all batches get the same one."""
    ipc = require("pyarrow").ipc
    if as_stream:
        with ipc.new_stream(stream, schema) as writer:
            yield writer.write_batch
        return
    dictionaries = _Dictionaries()
    options = ipc.IpcWriteOptions(emit_dictionary_deltas=True)
    with ipc.new_file(stream, schema, options=options) as writer:
        yield lambda batch: writer.write_batch(dictionaries.recode(batch))


class _Dictionaries:
    """The dictionaries of a file's columns, growing with each batch."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def recode(self, batch: Any) -> Any:
        """`batch` with its dictionary columns in terms of these."""
        pa = require("pyarrow")
        columns = [self._recode(field, batch.column(field.name)) for field in batch.schema]
        return pa.RecordBatch.from_arrays(columns, schema=batch.schema)

    def _recode(self, field: Any, column: Any) -> Any:
        pa, compute = require("pyarrow"), require("pyarrow.compute")
        if not pa.types.is_dictionary(field.type):
            return column
        values = self.values.setdefault(field.name, column.dictionary)
        if values.equals(column.dictionary):
            return column
        fresh = compute.invert(compute.is_in(column.dictionary, value_set=values))
        values = self.values[field.name] = pa.concat_arrays([values, column.dictionary.filter(fresh)])
        places = compute.index_in(column.dictionary, value_set=values)
        return pa.DictionaryArray.from_arrays(places.take(column.indices).cast(field.type.index_type), values)


@contextmanager
def _write_csv(stream: Any, schema: Any, as_stream: bool) -> Generator[Write]:
    pa, arrow_csv = require("pyarrow"), require("pyarrow.csv")
    plain = pa.schema([(field.name, _plain_type(field.type)) for field in schema])
    with arrow_csv.CSVWriter(stream, plain) as writer:
        yield lambda batch: writer.write_batch(batch.cast(plain))


def _plain_type(type: Any) -> Any:
    return type.value_type if require("pyarrow").types.is_dictionary(type) else type


@contextmanager
def _write_jsonl(stream: Any, schema: Any, as_stream: bool) -> Generator[Write]:
    def write(batch: Any) -> None:
        try:
            text = "".join(
                json.dumps(row, ensure_ascii=False, allow_nan=False, default=str) + "\n" for row in batch.to_pylist()
            )
        except ValueError as error:
            raise TableError(f"JSON cannot hold a value of the table: {error}") from error
        stream.write(text.encode())

    yield write


_WRITERS: dict[Format, Callable[[Any, Any, bool], Any]] = {
    "parquet": _write_parquet,
    "arrow": _write_arrow,
    "csv": _write_csv,
    "jsonl": _write_jsonl,
}
