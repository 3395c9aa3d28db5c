"""CSV and JSON lines: tables of text, which say nothing of their types."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, cast

from rlx_sched.batch.columns import BYTE_COLUMNS, WORD_COLUMNS
from rlx_sched.batch.errors import TableError, require
from rlx_sched.batch.pieces import Append, Input, Problems, even

_JSON_ROWS = 2**16
"""Rows of JSON lines that are read in one go: as Python's objects they take more room."""

_CSV_BLOCK_BYTES = 2**22
"""Bytes of CSV that are parsed at a time."""

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
"""What JSON may hold half of, which is no character."""


def read_csv(stream: Any) -> Input:
    """A CSV file as text, so that no value is changed by a guess at its type; scoring reads what it needs."""
    pa, arrow_csv = require("pyarrow"), require("pyarrow.csv")
    reader = arrow_csv.open_csv(
        stream,
        read_options=arrow_csv.ReadOptions(block_size=_CSV_BLOCK_BYTES, use_threads=False),
        parse_options=arrow_csv.ParseOptions(newlines_in_values=True),
        convert_options=arrow_csv.ConvertOptions(default_column_type=pa.string()),
    )
    try:
        _ = reader.schema.names
    except UnicodeDecodeError as error:
        raise TableError(f"the name of a column is not UTF-8: {error.object!r}") from None
    return Input(reader.schema, even(reader), None)


def read_jsonl(stream: Any) -> Input:
    """JSON lines; the first rows decides the types of the columns that scoring does not know."""
    pa = require("pyarrow")
    lines = enumerate(stream, 1)
    rows = _json_objects(islice(lines, _JSON_ROWS))
    names = list(dict.fromkeys(name for row in rows for name in row))
    schema = pa.schema([(name, _json_type(name, [row.get(name) for row in rows])) for name in names])

    def pieces() -> Iterator[tuple[Any, Problems]]:
        found = rows
        while found:
            yield _json_table(found, schema)
            found = _json_objects(islice(lines, _JSON_ROWS))

    return Input(schema, pieces(), None)


def _json_objects(lines: Iterable[tuple[int, bytes]]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for number, line in lines:
        if not line.strip():
            continue
        try:
            row: object = json.loads(line.decode("utf-8-sig"))
            if _SURROGATE.search(line) is not None:
                json.dumps(row, ensure_ascii=False).encode()
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
    if name in WORD_COLUMNS:
        return pa.string()
    try:
        found = pa.array(values).type
    except pa.ArrowException:
        found = pa.scalar(next(value for value in values if value is not None)).type
    return pa.string() if pa.types.is_null(found) else found


def _json_table(rows: list[dict[str, Any]], schema: Any) -> tuple[Any, Problems]:
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
    return pa.Table.from_arrays(columns, schema=schema), problems


def encode_csv(batches: list[Any], schema: Any, header: bool = False) -> Any:
    """Record batches as rows of CSV."""
    pa, arrow_csv = require("pyarrow"), require("pyarrow.csv")
    plain = pa.schema([(field.name, _plain_type(field.type)) for field in schema])
    sink = pa.BufferOutputStream()
    with arrow_csv.CSVWriter(sink, plain, write_options=arrow_csv.WriteOptions(include_header=header)) as writer:
        for batch in batches:
            writer.write_batch(batch.cast(plain))
    return sink.getvalue()


def _plain_type(type: Any) -> Any:
    return type.value_type if require("pyarrow").types.is_dictionary(type) else type


@contextmanager
def open_csv(stream: Any, schema: Any, as_stream: bool) -> Generator[Append]:
    """Begin a CSV file with its header."""
    stream.write(encode_csv([], schema, header=True))
    yield stream.write


def encode_jsonl(batches: list[Any], schema: Any) -> bytes:
    """Record batches as JSON objects, one a line.

    Raises:
        TableError: where a number is none that JSON has.
    """
    try:
        return "".join(
            json.dumps(row, ensure_ascii=False, allow_nan=False, default=str) + "\n"
            for batch in batches
            for row in batch.to_pylist()
        ).encode()
    except ValueError as error:
        raise TableError(f"JSON cannot hold a value of the table: {error}") from error


@contextmanager
def open_jsonl(stream: Any, schema: Any, as_stream: bool) -> Generator[Append]:
    """Begin a file of JSON lines, with nothing."""
    yield stream.write
