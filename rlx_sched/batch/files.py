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

from rlx_sched.batch.columns import WORD_COLUMNS, is_text
from rlx_sched.batch.dictionaries import plain, with_room, without_views
from rlx_sched.batch.errors import RunError, TableError, require
from rlx_sched.batch.parquet import encode_parquet, open_parquet
from rlx_sched.batch.pieces import ROW_GROUP_PIECES, Append, Input, Problems, Scored, even, rows_of_pieces
from rlx_sched.batch.text_tables import encode_csv, encode_jsonl, open_csv, open_jsonl, read_csv, read_jsonl
from rlx_sched.tools.files import standard_input, standard_output

Format: TypeAlias = Literal["parquet", "csv", "jsonl", "arrow"]
"""`arrow` is Arrow IPC: read as file or stream, written as a file, or as a stream to standard output."""

FORMATS: tuple[Format, ...] = get_args(Format)

STANDARD = "-"
"""What standard input and output are called."""

_BUFFER_BYTES = 2**20
"""Bytes of a column of a Parquet file that are read at a time, so that no row group has to fit in memory."""

_SAMPLE_BATCHES = 2**10
"""Batches of an Arrow file that tell which chips are in it."""

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
            try:
                opened.schema.names  # noqa: B018 (decoded here and not before)
            except UnicodeDecodeError as error:
                raise TableError(f"the name of a column is not UTF-8: {error.object!r}") from None
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


def _roomy(batches: Iterable[Any]) -> Iterator[Any]:
    """`batches` whose dictionaries may differ, so that they can be put together."""
    for batch in batches:
        schema = batch.schema
        roomy = with_room(schema)
        yield batch if roomy is schema else batch.cast(roomy)


def _read_parquet(stream: Any) -> Input:
    pa, parquet = require("pyarrow"), require("pyarrow.parquet")
    plain = parquet.ParquetFile(stream, buffer_size=_BUFFER_BYTES)
    schema = plain.schema_arrow
    words = [name for name in WORD_COLUMNS if name in schema.names and schema.field(name).type == pa.string()]
    file = parquet.ParquetFile(stream, read_dictionary=words, buffer_size=_BUFFER_BYTES)
    groups = [file.metadata.row_group(number) for number in range(file.num_row_groups)]
    rows = [rows_of_pieces(ROW_GROUP_PIECES, group.total_byte_size, group.num_rows) for group in groups]
    # Row group by row group: in one go, pyarrow holds on to something of each to the end.
    batches = (batch for number, most in enumerate(rows) for batch in _row_group(file, plain, number, most))
    schema = with_room(schema)
    pieces = even(_readable(_roomy(batches)), ROW_GROUP_PIECES)
    return Input(schema, pieces, file.metadata.num_rows, dictionaries_change=True)


def _row_group(file: Any, plain: Any, number: int, most_rows: int) -> Iterator[Any]:
    """The batches of a row group of `file`, which reads words as dictionaries, or of `plain` where it cannot: pyarrow
    makes none of some encodings, which another writer may take to in the midst of a column.
    """
    rows = 0
    try:
        for batch in file.iter_batches(most_rows, row_groups=[number]):
            yield batch
            rows += batch.num_rows
    except OSError as error:
        if "Not yet implemented" not in str(error):
            raise
        for batch in plain.iter_batches(most_rows, row_groups=[number]):
            rest = batch.slice(min(rows, batch.num_rows))
            rows -= batch.num_rows - rest.num_rows
            if rest.num_rows:
                yield rest.cast(file.schema_arrow)


def _read_arrow(stream: Any) -> Input:
    pa = require("pyarrow")
    ipc = pa.ipc
    if not _is_read_from_its_end(stream, "arrow"):
        reader = ipc.open_stream(stream)
        pieces_of_stream = even(_readable(_roomy(reader)))
        return Input(with_room(reader.schema), pieces_of_stream, None, dictionaries_change=True)
    mapped = _mapped(stream)
    file = ipc.open_file(stream if mapped is None else pa.BufferReader(pa.py_buffer(mapped)))
    batches = _readable(file.get_batch(number) for number in range(file.num_record_batches))

    def pieces() -> Iterator[tuple[Any, Problems]]:
        for piece in even(batches):
            yield piece
            if mapped is not None:
                # The pages that were read would count as this process's memory up to the end.
                mapped.madvise(mmap.MADV_DONTNEED)

    names: list[str] = []
    if mapped is not None:
        names = _some_chips(file, pa.py_buffer(mapped))
    return Input(file.schema, pieces(), file.count_rows(), names)


def _some_chips(file: Any, mapped: Any) -> list[str]:
    """Chips that an Arrow file names, those of the first and the last row of some of its batches."""
    pa = require("pyarrow")
    place = file.schema.get_field_index("chip")
    if place < 0 or not is_text(file.schema.types[place]):
        return []
    found: set[str] = set()
    for number in range(0, file.num_record_batches, file.num_record_batches // _SAMPLE_BATCHES + 1):
        column = file.get_batch(number).column(place)
        data = column.buffers()[-1]
        if data is None or not mapped.address <= data.address < mapped.address + mapped.size:
            break  # compressed, so that to look at two rows takes as long as to read all
        for name in (column.slice(0, 1), column.slice(max(len(column) - 1, 0), 1)):
            try:
                name.validate(full=True)
            except pa.ArrowInvalid:
                continue  # whoever comes to the row says so
            found.update(one for one in name.to_pylist() if one is not None)
    return sorted(found)


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
    """Turns scored batches into a part of a table, in any thread or process."""

    format: Format
    empty: Any
    """As `create_table` was given it."""
    prefix: str
    """What errors begin with."""

    @property
    def by_index(self) -> bool:
        """Whether the format holds results that repeat once, and an index for each row."""
        return _WRITERS[self.format].by_index

    def __call__(self, scored: list[Scored]) -> Any:
        """The part of a table that batches are.

        Raises:
            RunError: where the format cannot hold them.
        """
        with _errors_as(RunError, self.prefix):
            return _WRITERS[self.format].encode(scored, self.empty)


@contextmanager
def create_table(path: str, format: Format, empty: Any) -> Generator[Output]:
    """Create the file `path` with a table in it, or write it to standard output for `-`.

    `empty` is a record batch of its schema without rows, whose dictionaries have the values that are known to come.
    A file appears, or replaces the one there was, when all of the table is written and not before.

    Raises:
        RunError: where it cannot be written.
    """
    prefix = "cannot write to standard output: " if path == STANDARD else f"cannot write '{path}': "
    as_stream = _is_stream(path)
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
                writer = _WRITERS[format]
                stream = stack.enter_context(_sink(path, writer.settle))
                append = stack.enter_context(writer.open(stream, empty, as_stream))
            yield Output(Encode(format, empty, prefix), checked_append)
            with _errors_as(RunError, prefix):
                stack.close()
    except Exception as error:
        # What could not be written fails again, in other words, when the stream is closed.
        raise failure or error from None


def _is_stream(path: str) -> bool:
    """Whether Arrow is written as a stream."""
    return path == STANDARD or path.endswith(".arrows")


def columns_to_decode(table: Input, path: str, format: Format) -> frozenset[str]:
    """The columns of `table` whose dictionaries the output cannot have.

    An Arrow file has one for each column, and one that grew with every piece would have to be kept, and searched, to
    the end. Parquet has none of columns, in columns or of views.
    """
    if format == "parquet":
        return frozenset(field.name for field in table.schema if not _is_for_parquet(field.type))
    if format == "arrow" and table.dictionaries_change and not _is_stream(path):
        return frozenset(field.name for field in table.schema if plain(field.type) != field.type)
    return frozenset()


def _is_for_parquet(type: Any) -> bool:
    types = require("pyarrow").types
    values = type.value_type if types.is_dictionary(type) else type
    return plain(type) == type or not (types.is_nested(values) or without_views(values) != values)


@contextmanager
def _sink(path: str, settle: Callable[[str, str], bool]) -> Generator[Any]:
    """Where a table is written; `settle` may replace a file that is whole by a better one."""
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
    with _temporary_file(target) as written:
        # Written without the interpreter, which scoring needs meanwhile.
        with require("pyarrow").OSFile(written, "wb") as stream:
            yield stream
        with _temporary_file(target) as settled:
            best = settled if settle(written, settled) else written
            if mode is not None:
                os.chmod(best, stat.S_IMODE(mode))
            os.replace(best, target)


@contextmanager
def _temporary_file(target: str) -> Generator[str]:
    """The path of a file beside `target` that is gone afterwards, unless it was moved there."""
    path = os.path.join(os.path.dirname(target), f".rlx-score-{secrets.token_hex(8)}.tmp")
    try:
        open(path, "xb").close()
        yield path
    finally:
        if os.path.exists(path):
            os.unlink(path)


def _in_rows(encode: Callable[[list[Any], Any], Any]) -> Callable[[list[Scored], Any], Any]:
    """How to encode scored batches in a format in which results that repeat are written again and again."""
    return lambda scored, empty: encode([one.rows() for one in scored], empty)


def _encode_arrow(batches: list[Any], empty: Any) -> Any:
    dictionaries, schema = _Dictionaries(empty), empty.schema
    return [dictionaries.recode(batch if batch.schema.equals(schema) else batch.cast(schema)) for batch in batches]


@contextmanager
def _open_arrow(stream: Any, empty: Any, as_stream: bool) -> Generator[Append]:
    """Arrow IPC. In a file a dictionary may grow but not change, so all batches get the same one."""
    ipc = require("pyarrow").ipc
    dictionaries = None if as_stream else _Dictionaries(empty)
    opened = (
        ipc.new_stream(stream, empty.schema)
        if as_stream
        else ipc.new_file(stream, empty.schema, options=ipc.IpcWriteOptions(emit_dictionary_deltas=True))
    )
    with opened as writer:

        def append(batches: list[Any]) -> None:
            for batch in batches:
                writer.write_batch(batch if dictionaries is None else dictionaries.recode(batch))

        yield append


def _settle_arrow(written: str, settled: str) -> bool:
    """Copy an Arrow file whose dictionaries have grown, which many readers refuse, to one that has them whole."""
    pa = require("pyarrow")
    with open(written, "rb") as file:
        if file.read(len(_ARROW_FILE_MAGIC)) != _ARROW_FILE_MAGIC:
            return False
    # Not mapped: its pages would count as this process's memory up to the end.
    with pa.OSFile(written) as source:
        reader = pa.ipc.open_file(source)
        if not reader.num_record_batches:
            return False
        reader.get_batch(0)  # and all dictionaries with it
        if not reader.stats.num_dictionary_deltas:
            return False
        with pa.OSFile(settled, "wb") as stream, pa.ipc.new_file(stream, reader.schema) as writer:
            for number in range(reader.num_record_batches):
                writer.write_batch(reader.get_batch(number))
    return True


class _Dictionaries:
    """The dictionaries of a file's columns, growing with each batch."""

    def __init__(self, empty: Any) -> None:
        types = require("pyarrow").types
        self.values = {
            field.name: column.dictionary
            for field, column in zip(empty.schema, empty.columns, strict=True)
            if types.is_dictionary(field.type) and len(column.dictionary)
        }

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
        try:
            fresh = compute.invert(compute.is_in(column.dictionary, value_set=values))
        except pa.ArrowNotImplementedError:
            return column  # of columns, say; a stream may have another dictionary
        values = self.values[field.name] = pa.concat_arrays([values, column.dictionary.filter(fresh)])
        places = compute.index_in(column.dictionary, value_set=values)
        return pa.DictionaryArray.from_arrays(places.take(column.indices).cast(field.type.index_type), values)


class _Writer(NamedTuple):
    """How a format is written: `encode(scored, empty)` in parallel, then `append` of `open(stream, empty, ...)`."""

    encode: Callable[[list[Scored], Any], Any]
    open: Callable[[Any, Any, bool], Any]
    settle: Callable[[str, str], bool] = lambda written, settled: False
    """Whether there is something better at its second argument now than what was written to its first."""
    by_index: bool = False
    """Whether results that repeat are written once, and an index for each row."""


_WRITERS: dict[Format, _Writer] = {
    "parquet": _Writer(encode_parquet, open_parquet, by_index=True),
    "arrow": _Writer(_in_rows(_encode_arrow), _open_arrow, _settle_arrow),
    "csv": _Writer(_in_rows(encode_csv), open_csv),
    "jsonl": _Writer(_in_rows(encode_jsonl), open_jsonl),
}
