"""Columns of Parquet, encoded from the few values there are in them and an index for each row where they repeat.

Where rows repeat, every column that follows from them repeats with them, and one index does for all. pyarrow would look
for the values of each column anew and write index by index, which takes several times as long as scoring does.

- https://parquet.apache.org/docs/file-format/data-pages/encodings/
- https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

from rlx_sched.batch.columns import as_numpy
from rlx_sched.batch.errors import require
from rlx_sched.batch.pieces import Repeated
from rlx_sched.batch.thrift import BINARY, I32, I64, LIST, STRUCT, Struct, varint, write_struct


class ColumnMetaData(IntEnum):
    """Fields of what the table of contents says of a column in a row group."""

    TYPE = 1
    ENCODINGS = 2
    PATH_IN_SCHEMA = 3
    CODEC = 4
    NUM_VALUES = 5
    TOTAL_UNCOMPRESSED_SIZE = 6
    TOTAL_COMPRESSED_SIZE = 7
    DATA_PAGE_OFFSET = 9
    INDEX_PAGE_OFFSET = 10
    DICTIONARY_PAGE_OFFSET = 11
    STATISTICS = 12


class _Statistics(IntEnum):
    NULL_COUNT = 3
    MAX_VALUE = 5
    MIN_VALUE = 6


class _PageHeader(IntEnum):
    TYPE = 1
    UNCOMPRESSED_PAGE_SIZE = 2
    COMPRESSED_PAGE_SIZE = 3
    DATA_PAGE_HEADER = 5
    DICTIONARY_PAGE_HEADER = 7


class _DataPageHeader(IntEnum):
    NUM_VALUES = 1
    ENCODING = 2
    DEFINITION_LEVEL_ENCODING = 3
    REPETITION_LEVEL_ENCODING = 4


class _DictionaryPageHeader(IntEnum):
    NUM_VALUES = 1
    ENCODING = 2


_BOOLEAN, _INT64, _DOUBLE, _BYTE_ARRAY = 0, 2, 5, 6
"""Physical types."""

_PLAIN, _RLE, _RLE_DICTIONARY = 0, 3, 8
"""Encodings."""

_DATA_PAGE, _DICTIONARY_PAGE = 0, 2
"""Types of pages."""

_UNCOMPRESSED, _SNAPPY = 0, 1
"""Codecs."""

_MOST_VALUES = 2**16
"""Distinct values of a column that fit the 16 bits of an index."""


class Chunk(NamedTuple):
    """A column of a row group."""

    body: list[bytes]
    metadata: Struct
    """`ColumnMetaData`."""


class _Page(NamedTuple):
    type: int
    header_field: int
    header: Struct
    body: bytes
    compressed: bytes

    def encode(self, codec: int) -> list[bytes]:
        """The page as it stands in the file."""
        body = self.compressed if codec == _SNAPPY else self.body
        fields: Struct = {
            _PageHeader.TYPE: (I32, self.type),
            _PageHeader.UNCOMPRESSED_PAGE_SIZE: (I32, len(self.body)),
            _PageHeader.COMPRESSED_PAGE_SIZE: (I32, len(body)),
            self.header_field: (STRUCT, self.header),
        }
        return [write_struct(fields), body]


class ColumnEncoder:
    """Encodes columns of one row group; those that repeat alike, as a ratio and its bounds do, share the work."""

    def __init__(self) -> None:
        self._pages: dict[tuple[Any, ...], tuple[Any, _Page, int]] = {}
        """By what is in them, with how many nulls; the index is kept, lest another one gets its identity."""

    def encode(self, field: Any, column: Repeated, place: int) -> Chunk | None:
        """The column `field`, an Arrow field, at a place of the file.

        None comes back where its values are none that are written in this way.
        """
        values, which = column
        physical = _physical_type(field, values)
        if physical is None:
            return None
        values, codes = _distinct(values)
        if len(values) > _MOST_VALUES:
            return None
        valid = as_numpy(codes.is_valid()) if codes.null_count else None
        codes = as_numpy(codes)
        dictionary = None
        if not len(values) or physical == _BOOLEAN:  # which are written as they are
            codes = as_numpy(values).take(codes) if len(values) else codes.astype("?")
        else:
            dictionary = _dictionary_page(values)

        key = (id(which), field.nullable, codes.dtype, codes.tobytes(), None if valid is None else valid.tobytes())
        if key not in self._pages:
            self._pages[key] = which, *_indexed_page(codes, valid, which, field.nullable)
        _, page, nulls = self._pages[key]
        statistics = None if physical == _BYTE_ARRAY else _statistics(as_numpy(values), nulls)
        return _chunk(field, physical, len(which), dictionary, page, statistics, place)

    def encode_plain(self, field: Any, values: Any, place: int) -> Chunk | None:
        """The column `field`, whose numbers or booleans hardly repeat; None as in `encode`."""
        physical = _physical_type(field, values)
        if physical is None or physical == _BYTE_ARRAY:
            return None
        present = as_numpy(values.is_valid()) if values.null_count else None
        numbers = as_numpy(values)
        if present is not None:
            numbers = numbers[present]
        data = _data_page(len(values), _levels(len(values), present, field.nullable), _PLAIN, [_plain(numbers)])
        return _chunk(field, physical, len(values), None, data, _statistics(numbers, values.null_count), place)


def _chunk(
    field: Any, physical: int, rows: int, dictionary: _Page | None, data: _Page, statistics: Struct | None, place: int
) -> Chunk:
    pages = [data] if dictionary is None else [dictionary, data]
    saved = sum(len(page.body) - len(page.compressed) for page in pages)
    codec = _SNAPPY if saved > 0 else _UNCOMPRESSED
    encoded = [page.encode(codec) for page in pages]
    size = sum(len(part) for page in encoded for part in page)
    metadata: Struct = {
        ColumnMetaData.TYPE: (I32, physical),
        ColumnMetaData.ENCODINGS: (LIST, (I32, [_PLAIN, _RLE, *([] if dictionary is None else [_RLE_DICTIONARY])])),
        ColumnMetaData.PATH_IN_SCHEMA: (LIST, (BINARY, [field.name.encode()])),
        ColumnMetaData.CODEC: (I32, codec),
        ColumnMetaData.NUM_VALUES: (I64, rows),
        ColumnMetaData.TOTAL_UNCOMPRESSED_SIZE: (I64, size + (saved if codec == _SNAPPY else 0)),
        ColumnMetaData.TOTAL_COMPRESSED_SIZE: (I64, size),
        ColumnMetaData.DATA_PAGE_OFFSET: (I64, place + sum(map(len, encoded[0])) if len(pages) > 1 else place),
    }
    if dictionary is not None:
        metadata[ColumnMetaData.DICTIONARY_PAGE_OFFSET] = I64, place
    if statistics is not None:
        metadata[ColumnMetaData.STATISTICS] = STRUCT, statistics
    return Chunk([part for page in encoded for part in page], metadata)


def _physical_type(field: Any, values: Any) -> int | None:
    """The type that `values` have in the file; None where it is another one, or the field has no room for nulls."""
    if values.null_count and not field.nullable:
        return None
    pa, type = require("pyarrow"), values.type
    physical = {
        pa.bool_(): _BOOLEAN,
        pa.int64(): _INT64,
        pa.uint64(): _INT64,
        pa.float64(): _DOUBLE,
        pa.string(): _BYTE_ARRAY,
    }
    return physical.get(type.value_type if pa.types.is_dictionary(type) else type)


def _distinct(values: Any) -> tuple[Any, Any]:
    """The distinct values of an array, and which of them each element is, or null."""
    if not require("pyarrow").types.is_dictionary(values.type):
        encoded = values.dictionary_encode()
        return encoded.dictionary, encoded.indices
    if values.dictionary.null_count:
        return _distinct(values.dictionary_decode())
    # Only those that are used.
    used = values.indices.dictionary_encode()
    return values.dictionary.take(used.dictionary), used.indices


def _statistics(numbers: Any, nulls: int) -> Struct:
    """What a reader may skip a row group for: the least and the greatest of numbers."""
    statistics: Struct = {_Statistics.NULL_COUNT: (I64, nulls)}
    if not len(numbers) or (numbers != numbers).any():  # a NaN, which has no place in an order
        return statistics
    least, most = numbers.min(), numbers.max()
    if numbers.dtype.kind == "f":
        # Readers may tell the two zeros apart: these bounds hold for either.
        least, most = least if least else -abs(least), most if most else abs(most)
    statistics[_Statistics.MAX_VALUE] = BINARY, most.tobytes()
    statistics[_Statistics.MIN_VALUE] = BINARY, least.tobytes()
    return statistics


def _dictionary_page(values: Any) -> _Page:
    if require("pyarrow").types.is_string(values.type):
        words = [word.encode() for word in values.to_pylist()]
        body = b"".join(len(word).to_bytes(4, "little") + word for word in words)
    else:
        body = _plain(as_numpy(values))
    header: Struct = {
        _DictionaryPageHeader.NUM_VALUES: (I32, len(values)),
        _DictionaryPageHeader.ENCODING: (I32, _PLAIN),
    }
    return _page(_DICTIONARY_PAGE, _PageHeader.DICTIONARY_PAGE_HEADER, header, [body])


def _indexed_page(codes: Any, valid: Any, which: Any, nullable: bool) -> tuple[_Page, int]:
    """The data page of a column: row n is `codes[which[n]]`, a place in the dictionary page or a boolean, or null where
    `valid[which[n]]` is not true. Also how many nulls there are.
    """
    present = None if valid is None else _by_row(valid, which)
    is_boolean = codes.dtype.kind == "b"
    by_row = _by_row(codes if is_boolean else codes.astype("<u2"), which)
    if present is not None:
        by_row = by_row[present]
    nulls = len(which) - len(by_row)
    levels = _levels(len(which), present, nullable)
    if is_boolean:
        return _data_page(len(which), levels, _PLAIN, [_plain(by_row)]), nulls
    width = _bit_width(int(codes.max(initial=0)))
    return _data_page(len(which), levels, _RLE_DICTIONARY, [bytes([width]), *_hybrid(by_row, width)]), nulls


def _levels(rows: int, present: Any, nullable: bool) -> list[bytes]:
    """The definition levels of a column: which of its rows are null; `present` is None where none is."""
    if not nullable:
        return []
    levels = [_run(1, rows, 1)] if present is None else _hybrid(present.astype("<u2"), 1)
    return [sum(map(len, levels)).to_bytes(4, "little"), *levels]


def _plain(values: Any) -> bytes:
    is_boolean = values.dtype.kind == "b"
    return (require("numpy").packbits(values, bitorder="little") if is_boolean else values).tobytes()


def _data_page(rows: int, levels: list[bytes], encoding: int, values: list[bytes]) -> _Page:
    header: Struct = {
        _DataPageHeader.NUM_VALUES: (I32, rows),
        _DataPageHeader.ENCODING: (I32, encoding),
        _DataPageHeader.DEFINITION_LEVEL_ENCODING: (I32, _RLE),
        _DataPageHeader.REPETITION_LEVEL_ENCODING: (I32, _RLE),
    }
    return _page(_DATA_PAGE, _PageHeader.DATA_PAGE_HEADER, header, [*levels, *values])


def _by_row(values: Any, which: Any) -> Any:
    if len(values) and (values == values[0]).all():
        return require("numpy").broadcast_to(values[0], len(which))
    return values.take(which)


def _page(type: int, header_field: int, header: Struct, parts: list[bytes]) -> _Page:
    body = b"".join(parts)
    return _Page(type, header_field, header, body, require("pyarrow").compress(body, codec="snappy", asbytes=True))


def _bit_width(largest: int) -> int:
    """Bits to write integers up to `largest` in: one, or an even number, which `_packed` is made for."""
    bits = max(1, largest.bit_length())
    return bits if bits == 1 else bits + bits % 2


def _hybrid(codes: Any, width: int) -> list[bytes]:
    """Integers of 16 bits in `width` bits each: one run, of packed ones or of the same one again and again."""
    count = len(codes)
    if not count:
        return []
    if codes[0] == codes[-1] and (codes == codes[0]).all():
        return [_run(int(codes[0]), count, width)]
    groups = -(-count // 8)
    return [varint(groups << 1 | 1), _packed(codes, width, groups)]


def _run(value: int, count: int, width: int) -> bytes:
    return varint(count << 1) + value.to_bytes(-(-width // 8), "little")


def _packed(codes: Any, width: int, groups: int) -> bytes:
    """Groups of eight integers, the first in the lowest bits."""
    np = require("numpy")
    if len(codes) < 8 * groups:
        codes = np.concatenate([codes, np.zeros(8 * groups - len(codes), codes.dtype)])
    if width == 1:
        return np.packbits(codes.astype("?"), bitorder="little").tobytes()
    # Four integers are a word of 64 bits: they move together in pairs, and the pairs then.
    words = codes.view("<u8")
    lower = np.uint64(0x0000FFFF0000FFFF)
    pairs = (words & lower) | (words & ~lower) >> np.uint64(16 - width)
    fours = (pairs & np.uint64(0xFFFFFFFF)) | (pairs >> np.uint64(32)) << np.uint64(2 * width)
    return fours.view("u1").reshape(-1, 8)[:, : width // 2].tobytes()
