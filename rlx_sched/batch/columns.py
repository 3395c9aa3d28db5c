"""The columns of a table that say what is to be scored, as arrays of bytes.

A table gives its footprints (`baseline_bytes`, `candidate_bytes`) or the tiles behind them (`tiles`, `stages`, and
where needed `dtype`, `resident`, `slots_offset`). A value that makes no sense is noted in `Problems`, never guessed.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from rlx_sched.batch.dictionaries import decode
from rlx_sched.batch.errors import Problem, TableError, require
from rlx_sched.dialect.dtype_names import tile
from rlx_sched.dialect.layout import Buffer, NoFootprint, footprint

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BYTE_COLUMNS = ("baseline_bytes", "candidate_bytes")
TILE_COLUMNS = ("tiles", "stages")
WORD_COLUMNS = ("chip", "tiles", "dtype", "resident")

_TILE = re.compile(r"([0-9]+(?:x[0-9]+)*)(?:x([A-Za-z_]\w*))?")
_INTEGER = re.compile(r"([+-]?)([0-9]+)|0[xX]([0-9a-fA-F]{1,16})")
"""An integer as Arrow reads it."""

_MOST_DIGITS = 20
"""What 2^64 - 1 has."""

_SEPARATOR = re.compile(r"[;,\s]+")

_BYTES = "a number of bytes from 0 to 2^64 - 1"
_STAGES = "a number of stages from 1 to 2^31 - 1"
_OFFSET = "a number of slots from -2^31 to 2^31 - 1"
_TILES = "tiles like '64x32xf16;32x64xf16'"

_EXACT_DOUBLES = 2**53
"""Below, no two integers are the same double."""

PLACEHOLDER = 1
"""What a footprint that cannot be read counts as, so that the arithmetic goes through; nobody sees the result."""


class Problems:
    """Values of one batch that cannot be scored, the first of each row."""

    def __init__(self, by_row: Mapping[int, Problem] | None = None) -> None:
        self.by_row = dict(by_row or {})

    def add(self, row: int, column: str, problem: str) -> None:
        """Note a problem of `row`, counted from 0 within the batch."""
        self.by_row.setdefault(row, (column, problem))


class Footprints(NamedTuple):
    """Footprints in bytes, row by row."""

    baseline: NDArray[np.uint64]
    candidate: NDArray[np.uint64]


def check_columns(names: Sequence[str]) -> None:
    """Check that a table with columns `names` can be scored.

    Raises:
        TableError: saying which column is missing, or there twice.
    """
    for name, count in Counter(names).items():
        if count > 1:
            raise TableError(f"column '{name}' is there {count} times; expected it once")
    has_bytes, has_tiles = (any(name in names for name in columns) for columns in (BYTE_COLUMNS, TILE_COLUMNS))
    if has_bytes and has_tiles:
        raise TableError("the table has both footprints and tiles; expected either (baseline_bytes, tiles)")
    wanted = TILE_COLUMNS if has_tiles else BYTE_COLUMNS
    missing = [name for name in wanted if name not in names]
    if missing:
        other = "" if has_bytes or has_tiles else f", or of {' and '.join(TILE_COLUMNS)}"
        found = ", ".join(names) or "none"
        raise TableError(f"column '{missing[0]}' is missing (columns: {found}); expected {' and '.join(wanted)}{other}")


def read_footprints(batch: Any, problems: Problems) -> Footprints:
    """Return the footprints that a record batch of either kind gives.

    Raises:
        TableError: where a column holds values of a type that cannot be meant.
    """
    names = batch.schema.names
    if BYTE_COLUMNS[0] in names:
        np = require("numpy")
        columns = [_integers(batch, name, 0, 2**64 - 1, _BYTES, problems) for name in BYTE_COLUMNS]
        # Not negative, so that int64 is uint64 already.
        return Footprints(*(c.view(np.uint64) if c.dtype == np.int64 else c.astype(np.uint64) for c in columns))
    return _lay_out(batch, problems)


def check_whole(table: Any) -> None:
    """Check that offsets, indices and characters are in order: in a broken file they lead anywhere in memory.

    Raises:
        TableError: saying which column is broken.
    """
    for name, column in zip(table.schema.names, table.columns, strict=True):
        try:
            column.validate(full=True)
        except require("pyarrow").ArrowInvalid as error:
            raise TableError(f"column '{name}' is broken: {error}; expected a file as it was written") from None


def _integers(batch: Any, name: str, low: int, high: int, expected: str, problems: Problems) -> Any:
    """The integers of a column as a numpy array; `PLACEHOLDER` where there is none, or one that is out of range."""
    pa, np = require("pyarrow"), require("numpy")
    column = batch.column(name)
    with suppress(pa.ArrowException):  # of a type that is none of integers
        column = decode(column)
    cells = column
    if is_text(column.type):
        try:
            if low < 0 and _has_hexadecimal(column):
                # Arrow takes 0xFFFFFFFFFFFFFFFF for -1 there.
                return _parsed(column.to_pylist(), name, low, high, expected, problems)
            column = column.cast(pa.int64() if low < 0 else pa.uint64())
        except pa.ArrowInvalid:
            return _parsed(column.to_pylist(), name, low, high, expected, problems)
    elif pa.types.is_null(column.type):
        column = column.cast(pa.uint64())
    elif pa.types.is_floating(column.type):
        return _whole(column.cast(pa.float64()), name, low, high, expected, problems)
    elif not pa.types.is_integer(column.type):
        raise TableError(f"column '{name}' holds values of type {column.type}; expected integers: {expected}")
    if column.null_count:
        for row in np.flatnonzero(as_numpy(column.is_null())).tolist():
            problems.add(row, name, f"found nothing, expected {expected}")
    values = as_numpy(column, PLACEHOLDER)
    limits = np.iinfo(values.dtype)
    too_low = limits.min < low and values.size > 0 and values.min() < low
    too_high = limits.max > high and values.size > 0 and values.max() > high
    if too_low or too_high:
        bad = np.zeros(values.size, np.bool_)
        if too_low:
            bad |= values < low
        if too_high:
            bad |= values > high
        for row in np.flatnonzero(bad).tolist():
            problems.add(row, name, f"found {cells[row].as_py()!r}, expected {expected}")
        values = np.where(bad, np.array(PLACEHOLDER, values.dtype), values)
    return values


def _parsed(texts: list[str | None], name: str, low: int, high: int, expected: str, problems: Problems) -> Any:
    """Text that is not all integers, value by value."""
    np = require("numpy")
    values = np.full(len(texts), PLACEHOLDER, np.int64 if low < 0 else np.uint64)
    for row, text in enumerate(texts):
        value = _integer((text or "").strip())
        if value is not None and low <= value <= high:
            values[row] = value
        else:
            found = "nothing" if text is None else repr(text)
            problems.add(row, name, f"found {found}, expected {expected}")
    return values


def _integer(text: str) -> int | None:
    """The integer that `text` is; None where it is none, or one that no column holds."""
    match = _INTEGER.fullmatch(text)
    if match is None:
        return None
    sign, decimal, hexadecimal = match.groups()
    if hexadecimal:
        return int(hexadecimal, 16)
    magnitude = _natural(decimal)
    return -magnitude if magnitude and sign == "-" else magnitude


def _natural(digits: str) -> int | None:
    """The number that decimal digits spell; None where it is too long for 64 bits: Python refuses to read very long
    ones.
    """
    digits = digits.lstrip("0")
    return int(digits or "0") if len(digits) <= _MOST_DIGITS else None


def _has_hexadecimal(column: Any) -> bool:
    pa, compute = require("pyarrow"), require("pyarrow.compute")
    found = compute.match_substring(column.cast(pa.large_string()), "0x", ignore_case=True)
    return bool(compute.any(found).as_py())


def is_whole(value: float) -> bool:
    """Whether a double is the integer that was meant: from 2^53 on that may have been a neighbor."""
    return value.is_integer() and abs(value) < _EXACT_DOUBLES


def _whole(column: Any, name: str, low: int, high: int, expected: str, problems: Problems) -> Any:
    """Integers as doubles, which pandas makes of them where one is missing."""
    np = require("numpy")
    values = as_numpy(column, math.nan)
    good = (np.abs(values) < _EXACT_DOUBLES) & (np.trunc(values) == values) & (values >= low) & (values <= high)
    for row in np.flatnonzero(~good).tolist():
        value = float(values[row])
        found = "nothing" if math.isnan(value) else repr(value)
        problems.add(row, name, f"found {found}, expected {expected}")
    return np.where(good, values, PLACEHOLDER).astype(np.int64)


def is_text(type: Any) -> bool:
    """Whether an Arrow type is one of text, not in a dictionary."""
    types = require("pyarrow").types
    return types.is_string(type) or types.is_large_string(type) or types.is_string_view(type)


def texts(batch: Any, name: str, expected: str) -> Any:
    """A column of text as an Arrow dictionary array.

    Raises:
        TableError: where the column holds something else.
    """
    pa = require("pyarrow")
    column = batch.column(name)
    if pa.types.is_dictionary(column.type) and is_text(column.type.value_type):
        if not column.dictionary.null_count:
            return column.cast(pa.dictionary(pa.int32(), pa.string()))
        column = decode(column)  # so that nothing is always a null of the column
    if pa.types.is_null(column.type):
        column = column.cast(pa.string())
    if not is_text(column.type):
        raise TableError(f"column '{name}' holds values of type {column.type}; expected {expected}")
    return column.cast(pa.string()).dictionary_encode()


def as_arrow(values: Any, valid: Any = None) -> Any:
    """A numpy array of numbers or booleans as an Arrow array with the buffer `valid`; numbers are not copied.

    `pyarrow.array` does it too, but is slower at nulls and imports pandas, which takes a second, wherever it is there.
    """
    pa, np = require("pyarrow"), require("numpy")
    data = np.packbits(values, bitorder="little") if values.dtype == np.bool_ else values
    type = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(type, values.size, [valid, pa.py_buffer(np.ascontiguousarray(data))])


def validity(null: Any) -> Any:
    """The buffer that says which values of an Arrow array are there: those where `null` is false."""
    pa, np = require("pyarrow"), require("numpy")
    return None if null is None or not null.any() else pa.py_buffer(np.packbits(~null, bitorder="little"))


def as_numpy(column: Any, missing: float = 0) -> Any:
    """An Arrow array of numbers or booleans as a numpy array, with `missing` for nulls.

    Numbers without nulls are not copied. pyarrow's `to_numpy` and `fill_null` do it too, but import pandas.
    """
    np = require("numpy")
    dtype = np.dtype(str(column.type))
    data = column.buffers()[1]
    if not len(column) or data is None:
        return np.empty(0, dtype)
    if dtype == np.bool_:
        bits = np.unpackbits(np.frombuffer(data, np.uint8), count=column.offset + len(column), bitorder="little")
        values = bits[column.offset :].view(np.bool_)
    else:
        values = np.frombuffer(data, dtype, len(column), column.offset * dtype.itemsize)
    return np.where(as_numpy(column.is_valid()), values, dtype.type(missing)) if column.null_count else values


def strings(values: Sequence[str | None]) -> Any:
    """Strings as an Arrow array, without `pyarrow.array` for the same reason."""
    pa, np = require("pyarrow"), require("numpy")
    encoded = [(value or "").encode() for value in values]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    null = np.array([value is None for value in values], np.bool_)
    buffers = [validity(null), pa.py_buffer(ends), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(pa.string(), len(encoded), buffers)


def no_rows(schema: Any) -> Any:
    """A record batch of `schema` without rows."""
    pa = require("pyarrow")
    return pa.RecordBatch.from_arrays([pa.nulls(0, field.type) for field in schema], schema=schema)


def _lay_out(batch: Any, problems: Problems) -> Footprints:
    """Footprints from tiles: each distinct combination is laid out once."""
    np = require("numpy")
    names = batch.schema.names
    rows = batch.num_rows
    parts: dict[str, tuple[list[Any], Any]] = {}
    for name, expected in (("tiles", _TILES), ("dtype", "element types like f16"), ("resident", _TILES)):
        if name in names:
            column = texts(batch, name, expected)
            parts[name] = column.dictionary.to_pylist(), as_numpy(column.indices, -1)
    stages = _integers(batch, "stages", 1, 2**31 - 1, _STAGES, problems)
    parts["stages"] = _distinct(stages)
    if "slots_offset" in names:
        parts["slots_offset"] = _distinct(_integers(batch, "slots_offset", -(2**31), 2**31 - 1, _OFFSET, problems))

    combined = np.zeros(rows, np.int64)
    for values, codes in parts.values():
        # Recoded each time, so that the product cannot leave 64 bits.
        combined = _distinct(combined * (len(values) + 1) + codes + 1)[1].astype(np.int64)
    count = int(combined.max()) + 1 if rows else 0
    first = np.zeros(count, np.int64)
    first[combined[::-1]] = np.arange(rows)[::-1]
    baseline, candidate = np.empty(count, np.uint64), np.empty(count, np.uint64)
    bad: dict[int, tuple[str, str]] = {}
    for code, row in enumerate(first.tolist()):
        cell: dict[str, Any] = {
            name: values[codes[row]] if codes[row] >= 0 else None for name, (values, codes) in parts.items()
        }
        try:
            buffers = _buffers(cell.get("tiles"), cell.get("dtype"), cell.get("resident"), cell.get("slots_offset", 0))
            baseline[code], candidate[code] = footprint(buffers, 1), footprint(buffers, cell["stages"])
        except NoFootprint as error:
            baseline[code] = candidate[code] = PLACEHOLDER
            bad[code] = error.column if isinstance(error, _BadCell) else "tiles", str(error)
    if bad:
        is_bad = np.zeros(count, np.bool_)
        is_bad[list(bad)] = True
        for row in np.flatnonzero(is_bad[combined]).tolist():
            problems.add(row, *bad[int(combined[row])])
    return Footprints(baseline[combined], candidate[combined])


def _distinct(values: Any) -> tuple[list[Any], Any]:
    """The distinct values of an array, and which of them each element is."""
    encoded = as_arrow(values).dictionary_encode()
    return encoded.dictionary.to_pylist(), as_numpy(encoded.indices)


class _BadCell(NoFootprint):
    """A cell that cannot be read, and its column."""

    def __init__(self, column: str, message: str) -> None:
        super().__init__(message)
        self.column = column


def _buffers(tiles: str | None, dtype: str | None, resident: str | None, slots_offset: int) -> list[Buffer]:
    buffers = _parse_tiles("tiles", tiles, dtype, slots_offset)
    if not buffers:
        raise _BadCell("tiles", f"found {'nothing' if tiles is None else repr(tiles)}, expected {_TILES}")
    return buffers + _parse_tiles("resident", resident, dtype, None)


def _parse_tiles(column: str, text: str | None, dtype: str | None, slots_offset: int | None) -> list[Buffer]:
    """The buffers of a cell of tiles; resident ones where `slots_offset` is None."""
    buffers: list[Buffer] = []
    for word in filter(None, _SEPARATOR.split(text or "")):
        match = _TILE.fullmatch(word)
        if match is None:
            raise _BadCell(column, f"found {word!r}, expected {_TILES}")
        element = match[2] or dtype
        if not element:
            raise _BadCell(column, f"{word!r} has no element type; expected {_TILES}, or a column 'dtype'")
        shape: list[int] = []
        for digits in match[1].split("x"):
            size = _natural(digits)
            if size is None:
                found = f"a size of {len(digits.lstrip('0'))} digits"
                raise _BadCell(column, f"its footprint does not fit in 64 bits ({found})")
            shape.append(size)
        try:
            buffers.append(tile(shape, element, rotating=slots_offset is not None, slots_offset=slots_offset or 0))
        except NoFootprint as error:
            raise _BadCell(column if match[2] or min(shape) < 1 else "dtype", str(error)) from error
    return buffers
