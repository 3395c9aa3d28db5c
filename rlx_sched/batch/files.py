"""Tables in files and pipes, read and written in record batches so that no table has to fit in memory."""

from __future__ import annotations

import mmap
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import PurePath
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from rlx_sched.batch.columns import WORD_COLUMNS, no_rows
from rlx_sched.batch.errors import RunError, TableError, require
from rlx_sched.batch.parquet import Joined
from rlx_sched.batch.pieces import PIECE_ROWS, Append, Input, Problems, even
from rlx_sched.batch.text_tables import encode_csv, encode_jsonl, open_csv, open_jsonl, read_csv, read_jsonl
from rlx_sched.tools.files import standard_input, standard_output

Format: TypeAlias = Literal["parquet", "csv", "jsonl", "arrow"]
"""`arrow` is Arrow IPC: read as file or stream, written as a file, or as a stream to standard output."""

FORMATS: tuple[Format, ...] = get_args(Format)

STANDARD = "-"
"""What standard input and output are called."""

_BUFFER_BYTES = 2**20
"""Bytes of a column of a Parquet file that are read at a time, so that no row group has to fit in memory."""

_SAMPLE_ROWS = 2**12
"""Rows of a row group that tell whether the values of a column repeat."""

_DICTIONARY_BYTES = 2**18
"""Where more distinct values than fit turn up in a row group all the same, the rest is written without a dictionary."""

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
            stream: Any = standard_input() if path == STANDARD else stack.enter_context(open(path, "rb"))
            if _is_read_from_its_end(stream, format) and not stream.seekable():
                piped, stream = stream, stack.enter_context(tempfile.TemporaryFile())
                shutil.copyfileobj(piped, stream)
                stream.seek(0)
            opened = _READERS[format](stream)
        yield opened._replace(pieces=_checked(opened.pieces))


def _is_read_from_its_end(stream: Any, format: Format) -> bool:
    """Whether the table of contents is there."""
    return format == "parquet" or (format == "arrow" and stream.peek(1).startswith(_ARROW_FILE_MAGIC))


@contextmanager
def _errors_as(kind: type[TableError], prefix: str) -> Generator[None]:
    """Turn what pyarrow, the system and the formats raise into errors for the user."""
    pa = require("pyarrow")
    try:
        yield
    except (BrokenPipeError, RunError):
        raise
    except (TableError, pa.ArrowException, OSError, UnicodeDecodeError) as error:
        # Some of pyarrow's messages have several lines.
        raise kind(prefix + (getattr(error, "strerror", None) or " ".join(str(error).split()))) from error


def _checked(pieces: Iterator[tuple[Any, Problems]]) -> Iterator[tuple[Any, Problems]]:
    with _errors_as(TableError, ""):
        yield from pieces


def _readable(batches: Iterable[Any]) -> Iterator[tuple[Any, Problems]]:
    """`batches` of a format in which every row is one."""
    return ((batch, {}) for batch in batches)


def _read_parquet(stream: Any) -> Input:
    pa, parquet = require("pyarrow"), require("pyarrow.parquet")
    schema = parquet.ParquetFile(stream).schema_arrow
    words = [name for name in WORD_COLUMNS if name in schema.names and schema.field(name).type == pa.string()]
    file = parquet.ParquetFile(stream, read_dictionary=words, buffer_size=_BUFFER_BYTES)
    return Input(schema, even(_readable(file.iter_batches(PIECE_ROWS))), file.metadata.num_rows)


def _read_arrow(stream: Any) -> Input:
    pa = require("pyarrow")
    ipc = pa.ipc
    if not _is_read_from_its_end(stream, "arrow"):
        reader = ipc.open_stream(stream)
        return Input(reader.schema, even(_readable(reader)), None)
    mapped = _mapped(stream)
    file = ipc.open_file(stream if mapped is None else pa.BufferReader(pa.py_buffer(mapped)))
    batches = _readable(file.get_batch(number) for number in range(file.num_record_batches))

    def pieces() -> Iterator[tuple[Any, Problems]]:
        for piece in even(batches):
            yield piece
            if mapped is not None:
                # The pages that were read would count as this process's memory up to the end.
                mapped.madvise(mmap.MADV_DONTNEED)

    return Input(file.schema, pieces(), file.count_rows())


def _mapped(stream: Any) -> mmap.mmap | None:
    """The file of `stream` as memory, which takes none; None where that cannot be."""
    if hasattr(mmap, "MADV_DONTNEED") and stat.S_ISREG(os.fstat(stream.fileno()).st_mode) and not stream.tell():
        with suppress(OSError, ValueError):
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    return None


_READERS: dict[Format, Callable[[Any], Input]] = {
    "parquet": _read_parquet,
    "arrow": _read_arrow,
    "csv": read_csv,
    "jsonl": read_jsonl,
}


class Output(NamedTuple):
    """A table being written: `append` takes what `encode` returns, in order."""

    encode: Encode
    append: Append


class Encode(NamedTuple):
    """Turns record batches into a part of a table, in any thread or process."""

    format: Format
    schema: Any
    prefix: str
    """What errors begin with."""

    def __call__(self, batches: list[Any]) -> Any:
        """The part of a table that `batches` are.

        Raises:
            RunError: where the format cannot hold them.
        """
        with _errors_as(RunError, self.prefix):
            return _WRITERS[self.format].encode(batches, self.schema)


@contextmanager
def create_table(path: str, format: Format, schema: Any) -> Generator[Output]:
    """Create the file `path` with a table in it, or write it to standard output for `-`.

    A file appears, or replaces the one there was, when all of the table is written and not before.

    Raises:
        RunError: where it cannot be written.
    """
    prefix = "cannot write to standard output: " if path == STANDARD else f"cannot write '{path}': "
    as_stream = path == STANDARD or path.endswith(".arrows")
    failure: RunError | None = None

    def checked_append(part: Any) -> None:
        nonlocal failure
        try:
            with _errors_as(RunError, prefix):
                append(part)
        except RunError as error:
            failure = error
            raise

    try:
        with ExitStack() as stack:
            with _errors_as(RunError, prefix):
                stream = stack.enter_context(_sink(path))
                append = stack.enter_context(_WRITERS[format].open(stream, schema, as_stream))
            yield Output(Encode(format, schema, prefix), checked_append)
            with _errors_as(RunError, prefix):
                stack.close()
    except Exception as error:
        # What could not be written fails again, in other words, when the stream is closed.
        raise failure or error from None


@contextmanager
def _sink(path: str) -> Generator[Any]:
    if path == STANDARD:
        stream = standard_output()
        yield stream
        stream.flush()
        return
    target = os.path.realpath(path)
    mode = os.stat(target).st_mode if os.path.exists(target) else None
    if mode is not None and not stat.S_ISREG(mode):
        with open(target, "wb") as stream:
            yield stream
        return
    temporary = os.path.join(os.path.dirname(target), f".rlx-score-{secrets.token_hex(8)}.tmp")
    try:
        open(temporary, "xb").close()
        # Written without the interpreter, which scoring needs meanwhile.
        with require("pyarrow").OSFile(temporary, "wb") as stream:
            yield stream
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
        os.replace(temporary, target)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def _encode_parquet(batches: list[Any], schema: Any) -> Any:
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
    """The columns to write with Parquet's dictionary of values: not numbers that hardly repeat, where it costs most."""
    types = require("pyarrow").types
    if any(types.is_nested(field.type) for field in table.schema):
        return True  # their columns in the file have other names

    def repeats(column: Any) -> bool:
        number = types.is_integer(column.type) or types.is_floating(column.type)
        return not number or 2 * len(column.unique()) <= len(column) - column.null_count

    sample = table.slice(0, _SAMPLE_ROWS)
    return [name for name in table.schema.names if repeats(sample.column(name))] or False


@contextmanager
def _open_parquet(stream: Any, schema: Any, as_stream: bool) -> Generator[Append]:
    file = Joined(stream, memoryview(_encode_parquet([no_rows(schema)], schema)))
    yield lambda part: file.append(memoryview(part))
    file.close()


def _encode_arrow(batches: list[Any], schema: Any) -> Any:
    return [batch if batch.schema.equals(schema) else batch.cast(schema) for batch in batches]


@contextmanager
def _open_arrow(stream: Any, schema: Any, as_stream: bool) -> Generator[Append]:
    """Arrow IPC. In a file a dictionary may grow but not change, so all batches get the same one."""
    ipc = require("pyarrow").ipc
    dictionaries = None if as_stream else _Dictionaries()
    opened = (
        ipc.new_stream(stream, schema)
        if as_stream
        else ipc.new_file(stream, schema, options=ipc.IpcWriteOptions(emit_dictionary_deltas=True))
    )
    with opened as writer:

        def append(batches: list[Any]) -> None:
            for batch in batches:
                writer.write_batch(batch if dictionaries is None else dictionaries.recode(batch))

        yield append


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


class _Writer(NamedTuple):
    """How a format is written: `encode(batches, schema)` in parallel, then `append` of `open(stream, schema, ...)`."""

    encode: Callable[[list[Any], Any], Any]
    open: Callable[[Any, Any, bool], Any]


_WRITERS: dict[Format, _Writer] = {
    "parquet": _Writer(_encode_parquet, _open_parquet),
    "arrow": _Writer(_encode_arrow, _open_arrow),
    "csv": _Writer(encode_csv, open_csv),
    "jsonl": _Writer(encode_jsonl, open_jsonl),
}
