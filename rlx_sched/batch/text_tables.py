"""CSV and JSON lines: tables of text, which say nothing of their types."""

from __future__ import annotations

import codecs
import datetime
import decimal
import json
import re
import sys
import uuid
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import Any, cast

from rlx_sched.batch import json_values
from rlx_sched.batch.columns import BYTE_COLUMNS, WORD_COLUMNS, as_arrow, is_whole, no_rows, validity
from rlx_sched.batch.dictionaries import plain, without_views
from rlx_sched.batch.errors import TableError, by_column, in_column, require
from rlx_sched.batch.pieces import Append, Input, Problems, even

_JSON_ROWS = 2**16
"""Rows of JSON lines that are read in one go: as Python's objects they take more room."""

_CSV_BLOCK_BYTES = 2**22
"""Bytes of CSV that are parsed at a time."""

_SHORT_BYTES = 2**12
"""Where it takes longer to ask numpy than to count."""

_NO_ROW = -1

_CAREFUL_ROWS = 2**16
"""Rows that are gone through one by one before those that follow are tried as a whole again."""

ROW_BYTES = 2**24
"""What no row reaches: where one does, a quote was not closed or the file is no table, and memory is not for that."""

_COUNT_COLUMNS = ("stages", "slots_offset")

_JSON_LEVELS = 200
"""Lists and objects in each other that Python can walk through, from wherever it is called."""

_SHOWN_CHARACTERS = 80
"""Characters of a broken line that messages quote."""

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
"""What JSON may hold half of, which is no character."""


def read_csv(stream: Any) -> Input:
    """A CSV file as text, so that no value is changed by a guess at its type; scoring reads what it needs."""
    reader = _CsvReader(stream)
    names = reader.header()
    return Input(_text_columns(names), even(reader.batches(names)), None)


def _text_columns(names: list[str]) -> Any:
    pa = require("pyarrow")
    return pa.schema([(name, pa.string()) for name in names])


_FIELD = rb'(?:"[^"]*+(?:""[^"]*+)*+"[^,\r\n]*+|(?!")[^,\r\n]*+)'
"""A field as pyarrow reads it: quotes mean something at its beginning only."""

_CSV_ROW = re.compile(rb"%b(?:,%b)*+(?:\r\n?|\n)" % (_FIELD, _FIELD))
_CSV_FIELD = re.compile(_FIELD + rb"(?:,|\r\n?|\n)")
_LINE = re.compile(rb"[^\r\n]*+(?:\r\n?|\n)")


class _CsvReader:
    """CSV, cut into whole rows here: pyarrow does not tell where in the file a row is that it cannot read."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.text = b""
        """What was read and not parsed yet."""
        self.line = 1
        """The line that `text` begins with."""
        self.ended = False

    def header(self) -> list[str]:
        """The names of the columns."""
        self._read()
        _check_encoding(self.text)
        self.text = self.text.removeprefix(codecs.BOM_UTF8)
        while True:
            row = _CSV_ROW.match(self.text)
            if row is not None and row[0].strip(b"\r\n"):
                break
            if row is not None:
                self._drop(row.end())
            elif not self.text and self.ended:
                raise TableError("found no row, expected a header with the names of the columns")
            elif self.ended or len(self.text) > ROW_BYTES:
                raise TableError(f"line {self.line}, the header: {self._broken_line(0)[1]}")
            else:
                self._read()
        self._drop(row.end())
        if b"\0" in row[0]:
            raise TableError(f"line {self.line - 1}, the header: found NUL in {_shown(row[0])}; expected text in UTF-8")
        try:
            return _parsed(row[0], row.end() - row.start(), None).schema.names
        except UnicodeDecodeError as error:
            raise TableError(f"the name of a column is not UTF-8: {error.object!r}") from None

    def batches(self, names: list[str]) -> Iterator[tuple[Any, Problems]]:
        """Record batches of the rows; where one is none, its values are null."""
        end = 0
        while self.text or not self.ended:
            if not self.ended and (end == 0 or len(self.text) < _CSV_BLOCK_BYTES):
                self._read()
            end = _likely_end(self.text)
            table = _whole_rows(self.text, end, names) if end else None
            problems: Problems = {}
            if table is None:
                table, problems, end = self._row_by_row(names)
            self._drop(end)
            for batch in table.combine_chunks().to_batches():
                yield batch, problems

    def _read(self) -> None:
        block = self.stream.read(_CSV_BLOCK_BYTES)
        self.text += block
        if not block:
            self.ended = True
            if self.text and not self.text.endswith((b"\r", b"\n")):
                self.text += b"\n"

    def _drop(self, end: int) -> None:
        self.line += _lines(self.text, 0, end)
        self.text = self.text[end:]

    def _row_by_row(self, names: list[str]) -> tuple[Any, Problems, int]:
        """The first rows of `text` as a table, what is wrong with those that are none, and where they end."""
        np = require("numpy")
        good: list[bytes] = []
        order: list[int] = []  # the number of each row among the good ones, or _NO_ROW
        problems: Problems = {}
        line, counted, end = self.line, 0, 0
        while end < len(self.text) and len(order) < _CAREFUL_ROWS:
            start = end
            row = _CSV_ROW.match(self.text, start)
            if row is not None:
                end = row.end()
                if end == len(self.text) and not self.ended and self.text.endswith(b"\r"):
                    end = start  # the line feed may follow
                    break
                text = row[0]
                if not text.strip(b"\r\n"):
                    continue
                problem = _csv_problem(text, len(names))
            elif self.ended or len(self.text) - start > ROW_BYTES:
                text, problem = self._broken_line(start)
                end = start + len(text)
            else:
                break
            if problem is None:
                order.append(len(good))
                good.append(text)
            else:
                line, counted = line + _lines(self.text, counted, start), start
                problems[len(order)] = None, f"line {line}: {problem}"
                order.append(_NO_ROW)
        rows = b"".join(good)
        table = _parsed(rows, len(rows), names)
        if problems:
            places = np.array(order, np.int64)
            table = table.take(as_arrow(places, validity(places == _NO_ROW)))
        return table, problems, end

    def _broken_line(self, start: int) -> tuple[bytes, str]:
        """The line at `start`, where no row begins, or as much of it as is worth keeping; and what is wrong with it."""
        line = self._line(start)
        if line is not None:
            return line, f"found a quote that is not closed in {_shown(line)}; expected '\"' after the value"
        problem = f"found more than {ROW_BYTES} bytes in {_shown(self.text[start:])}; expected fewer in a row"
        while line is None:
            self.text = self.text[: start + _SHOWN_CHARACTERS]
            self._read()
            line = self._line(start)
        return line, problem

    def _line(self, start: int) -> bytes | None:
        """The line at `start`, if it ends in `text`."""
        if self.text.endswith(b"\r") and not self.ended:
            self._read()  # the line feed may follow
        line = _LINE.match(self.text, start)
        return None if line is None else line[0]


def _parsed(text: bytes, end: int, names: list[str] | None) -> Any:
    """The table that pyarrow reads in rows of CSV up to `end`; the first are its names where there are none yet."""
    pa, arrow_csv = require("pyarrow"), require("pyarrow.csv")
    if not end:
        return pa.Table.from_batches([no_rows(_text_columns(names or []))])
    if text.startswith(codecs.BOM_UTF8):
        text, end = b"\n" + text, end + 1  # an empty line is skipped, and the character is not
    return arrow_csv.read_csv(
        pa.BufferReader(pa.py_buffer(text).slice(0, end)),
        read_options=arrow_csv.ReadOptions(column_names=names, block_size=end + 1, use_threads=False),
        convert_options=arrow_csv.ConvertOptions(default_column_type=pa.string(), check_utf8=not text.isascii()),
    )


def _likely_end(text: bytes) -> int:
    """Where the last whole row of `text` ends, if all quotes are in pairs."""
    end = text.rfind(b"\n") + 1
    inside = _count(text, b'"', 0, end) % 2
    while inside and end:
        previous = text.rfind(b"\n", 0, end - 1) + 1
        inside ^= text.count(b'"', previous, end) % 2
        end = previous
    return end


def _whole_rows(text: bytes, end: int, names: list[str]) -> Any:
    """The table of `text` up to `end`, where a line ends; None where a row does not, or one is none."""
    try:
        table = _parsed(text, end, names)
    except require("pyarrow").ArrowInvalid:
        return None
    # A value that is cut off has the end of the line in it.
    cut_off = table.num_rows and table.column(len(names) - 1)[-1].as_py().endswith("\n")
    return None if cut_off else table


def _csv_problem(row: bytes, columns: int) -> str | None:
    """What is wrong with a row of a table with so many columns."""
    fields = len(_CSV_FIELD.findall(row)) if b'"' in row else row.count(b",") + 1
    if fields != columns:
        found = "1 field" if fields == 1 else f"{fields} fields"
        return f"found {found} in {_shown(row)}; expected {columns}, as the header has"
    try:
        row.decode()
    except UnicodeDecodeError:
        return f"found bytes that are not UTF-8 in {_shown(row)}; expected UTF-8"
    return None


def _shown(line: bytes) -> str:
    """A line as messages quote it."""
    # A character has four bytes at most.
    text = line[: 4 * _SHOWN_CHARACTERS + 4].decode(errors="backslashreplace").strip("\r\n")
    return repr(text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "...")


def _count(text: bytes, byte: bytes, start: int, end: int) -> int:
    """`text.count(byte, start, end)`, several times faster where there are many."""
    if end - start < _SHORT_BYTES:
        return text.count(byte, start, end)
    np = require("numpy")
    return int(np.count_nonzero(np.frombuffer(text, np.uint8, end - start, start) == ord(byte)))


def _lines(text: bytes, start: int, end: int) -> int:
    """How many lines end between `start` and `end` of `text`."""
    feeds = _count(text, b"\n", start, end)
    if text.find(b"\r", start, end) < 0:
        return feeds
    return feeds + text.count(b"\r", start, end) - text.count(b"\r\n", start, end)


def _check_encoding(text: bytes) -> None:
    if text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise TableError("found UTF-16, expected UTF-8")


def read_jsonl(stream: Any) -> Input:
    """JSON lines; the first rows decide the types of the columns that scoring does not know."""
    pa = require("pyarrow")
    lines = _json_rows(stream)
    first = list(islice(lines, _JSON_ROWS))
    if first and all(problem for _, problem in first):
        raise TableError(f"row 1, {first[0][1]}")
    names = list(dict.fromkeys(name for row, _ in first for name in row))
    schema = pa.schema([(name, _json_type(name, [row.get(name) for row, _ in first])) for name in names])

    def pieces() -> Iterator[tuple[Any, Problems]]:
        found = first
        while found:
            yield _json_table(found, schema)
            found = list(islice(lines, _JSON_ROWS))

    return Input(schema, pieces(), None)


def _json_rows(stream: Any) -> Iterator[tuple[dict[str, Any], str | None]]:
    """The objects of JSON lines; an empty one and what is wrong where a line is none."""
    number = 0
    while line := stream.readline(ROW_BYTES):
        number += 1
        whole = len(line) < ROW_BYTES or line.endswith(b"\n")
        while not whole:
            more = stream.readline(ROW_BYTES)
            whole = len(more) < ROW_BYTES or more.endswith(b"\n")
        if number == 1:
            _check_encoding(line)
        if line.strip():
            yield _json_object(line, number)


class _KeyTwiceError(Exception):
    """A key that an object has more than once, of whose values all but one would be lost."""


def _json_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        raise _KeyTwiceError(next(name for name in names if names.count(name) > 1))
    return members


_JSON = json.JSONDecoder(
    object_pairs_hook=_json_members, parse_float=json_values.number, parse_constant=json_values.NotFinite
)


def _json_object(line: bytes, number: int) -> tuple[dict[str, Any], str | None]:
    place = f"line {number}"
    if len(line) == ROW_BYTES:
        return {}, f"{place}: found {ROW_BYTES} bytes or more in {_shown(line)}; expected fewer in a row"
    bom = codecs.BOM_UTF8 if line.startswith(codecs.BOM_UTF8) else b""
    text = line[len(bom) :].rstrip(b"\r\n")
    try:
        row: object = _JSON.decode(text.decode())
        if json_values.levels(row) > _JSON_LEVELS:
            raise RecursionError
        if _SURROGATE.search(line) is not None:
            json.dumps(row, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        place += f", column {len(bom) + len(error.doc[: error.pos].encode()) + 1}"
        problem = f"not JSON: {error.msg}"
    except UnicodeDecodeError as error:
        place += f", column {len(bom) + error.start + 1}"
        problem = "not UTF-8"
    except UnicodeEncodeError:
        problem = "a surrogate without the other"
    except _KeyTwiceError as error:
        problem = f"the key {json.dumps(str(error))} twice"
    except ValueError:
        problem = f"a number of more than {sys.get_int_max_str_digits()} digits"
    except RecursionError:
        problem = "too many levels of nesting"
    else:
        if isinstance(row, dict):
            return cast("dict[str, Any]", row), None
        problem = "no object"
    return {}, f"{place}: found {_shown(line)} ({problem}); expected a JSON object with the columns"


def _json_type(name: str, values: list[Any]) -> Any:
    pa = require("pyarrow")
    if name in WORD_COLUMNS:
        return pa.string()
    if name not in BYTE_COLUMNS and name not in _COUNT_COLUMNS:
        return json_values.arrow_type(values)
    if {str} == {type(value) for value in values if value is not None}:
        return pa.string()  # of a table that came from CSV
    return pa.uint64() if name in BYTE_COLUMNS else pa.int64()


def _json_table(rows: list[tuple[dict[str, Any], str | None]], schema: Any) -> tuple[Any, Problems]:
    pa = require("pyarrow")
    problems: Problems = {number: (None, problem) for number, (_, problem) in enumerate(rows) if problem}

    def lost(number: int, name: str, value: object, expected: str) -> None:
        """Keep a value that the table cannot hold in its row's error."""
        found = str(value) if isinstance(value, json_values.NotFinite) else json.dumps(value, default=str)
        problem = f"found {found}, expected {expected}"
        if number in problems:
            first, before = problems[number]
            problems[number] = first, f"{before}; {in_column(name, problem)}"
        else:
            problems[number] = name, problem

    known = set(schema.names)
    for number, (row, _) in enumerate(rows):
        if not row.keys() <= known:
            for name, value in row.items():
                if name not in known:
                    lost(number, name, value, "no such key: none of the first rows has it")
    columns: list[Any] = []
    for field in schema:
        values = [row.get(field.name) for row, _ in rows]
        if field.name in BYTE_COLUMNS or field.name in _COUNT_COLUMNS:
            values = [_whole(value) for value in values]
        if not json_values.holds(field.type, values):
            for number, value in enumerate(values):
                if not json_values.holds(field.type, [value]):
                    finite = json_values.is_finite(value)
                    lost(number, field.name, value, f"a value of type {field.type}" if finite else "finite numbers")
                    values[number] = None
        columns.append(json_values.as_array(field.type, values))
    return pa.Table.from_arrays(columns, schema=schema), problems


def _whole(value: Any) -> Any:
    """An integer where a column of them was written as doubles, for want of a value in another row."""
    return int(value) if type(value) is float and is_whole(value) else value


def encode_csv(batches: list[Any], empty: Any) -> Any:
    """Record batches as rows of CSV.

    Raises:
        TableError: naming the column, where it is none that CSV can hold.
    """
    return by_column(_csv_rows, batches, empty.schema, "CSV")


def _csv_rows(batches: list[Any], schema: Any, header: bool = False) -> Any:
    pa, arrow_csv = require("pyarrow"), require("pyarrow.csv")
    # In two steps: Arrow does not take views out of a dictionary.
    no_views = pa.schema([(field.name, without_views(_stored(field.type))) for field in schema])
    no_dictionaries = pa.schema([(field.name, plain(field.type)) for field in no_views])
    sink, options = pa.BufferOutputStream(), arrow_csv.WriteOptions(include_header=header)
    with arrow_csv.CSVWriter(sink, no_dictionaries, write_options=options) as writer:
        for batch in batches:
            writer.write_batch(batch.cast(no_views).cast(no_dictionaries))
    return sink.getvalue()


def _stored(type: Any) -> Any:
    return type.storage_type if isinstance(type, require("pyarrow").JsonType) else type


@contextmanager
def open_csv(stream: Any, empty: Any, as_stream: bool) -> Generator[Append]:
    """Begin a CSV file with its header.

    Raises:
        TableError: naming the column, where its name or type is none that CSV can hold.
    """
    for name in empty.schema.names:
        if "\0" in name:
            raise TableError(
                f"CSV cannot hold the NUL in the name of column '{name}'; rename it, or write another format"
            )
    stream.write(by_column(partial(_csv_rows, header=True), [], empty.schema, "CSV"))
    yield stream.write


def encode_jsonl(batches: list[Any], empty: Any) -> bytes:
    """Record batches as JSON objects, one a line.

    Raises:
        TableError: naming the column, where a value is none that JSON can hold.
    """
    return by_column(_json_lines, batches, empty.schema, "JSON")


def _json_lines(batches: list[Any], schema: Any) -> bytes:
    pa = require("pyarrow")
    of_json = [field.name for field in schema if isinstance(field.type, pa.JsonType)]
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=_json_text).encode
    lines: list[str] = []
    for batch in batches:
        for row in batch.to_pylist():
            for name in of_json:
                row[name] = None if row[name] is None else json.loads(row[name])
            lines.append(encode(row) + "\n")
    return "".join(lines).encode()


def _json_text(value: object) -> str:
    """What JSON has no type for, as the text that everyone writes it as."""
    if isinstance(value, (decimal.Decimal, uuid.UUID)):
        return str(value)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        microseconds = value // datetime.timedelta(microseconds=1)
        return f"PT{decimal.Decimal(microseconds).scaleb(-6).normalize():f}S"  # ISO 8601
    raise ValueError(f"found {value!r}")


@contextmanager
def open_jsonl(stream: Any, empty: Any, as_stream: bool) -> Generator[Append]:
    """Begin a file of JSON lines, with nothing."""
    yield stream.write
