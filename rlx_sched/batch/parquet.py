"""Parquet files put together from parts, so that threads or machines can encode one table between them.

A part is a Parquet file of its own. To join parts is to write their row groups one after the other, and at the end one
table of contents with the places where they are now: Thrift in its compact protocol.

- https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
- https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
"""

from __future__ import annotations

from typing import Any, TypeAlias

_MAGIC = b"PAR1"
_TAIL_BYTES = 4 + len(_MAGIC)
"""The length of the table of contents, and the magic again."""

_Fields: TypeAlias = dict[int, tuple[int, bytes]]
"""Fields of a struct by their number: the type and the encoded value."""

_ROWS, _ROW_GROUPS = 3, 4
"""Fields of FileMetaData."""

_ORDINAL = (4, 7)
"""The number of a row group, which is optional and ends at 32767."""

_PLACES = frozenset({(4, 5), (4, 1, 2), (4, 1, 3, 9), (4, 1, 3, 10), (4, 1, 3, 11)})
"""Fields that count bytes from the start of the file, by their path: of FileMetaData, RowGroup, ColumnChunk and
ColumnMetaData. Those of page indexes and Bloom filters are none of them: parts are written without."""

_TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _, _STRUCT = range(1, 13)
"""Types of the compact protocol."""


class Joined:
    """A Parquet file that is written to `stream` part by part; `empty` is a file of the same schema without rows."""

    def __init__(self, stream: Any, empty: memoryview) -> None:
        self._stream = stream
        self._contents = _contents(empty, 0)
        self._rows = self._count = 0
        self._row_groups = bytearray()
        self._size = len(_MAGIC)
        stream.write(_MAGIC)

    def append(self, part: memoryview) -> None:
        """Write the row groups of `part`, a whole Parquet file of the same schema."""
        contents = _contents(part, self._size - len(_MAGIC))
        rows, row_groups = _Reader(contents[_ROWS][1]), _Reader(contents[_ROW_GROUPS][1])
        self._rows += rows.varint() // 2
        self._count += row_groups.list_header()[0]
        self._row_groups += row_groups.rest()
        body = part[len(_MAGIC) : _contents_start(part)]
        self._stream.write(body)
        self._size += len(body)

    def close(self) -> None:
        """Write the table of contents, without which there is no file."""
        self._contents[_ROWS] = _I64, _varint(2 * self._rows)
        header = bytes([0xF0 | _STRUCT]) + _varint(self._count)
        self._contents[_ROW_GROUPS] = _LIST, header + self._row_groups
        contents = _struct(self._contents)
        self._stream.write(contents + len(contents).to_bytes(4, "little") + _MAGIC)


def _contents_start(file: memoryview) -> int:
    return len(file) - _TAIL_BYTES - int.from_bytes(file[-_TAIL_BYTES : -len(_MAGIC)], "little")


def _contents(file: memoryview, moved: int) -> _Fields:
    """The table of contents of a file that is moved by so many bytes."""
    return _Reader(bytes(file[_contents_start(file) : -_TAIL_BYTES]), moved).fields(())


class _Reader:
    """Reads Thrift and gives it back, with the places of a file that is moved by `moved` bytes."""

    def __init__(self, data: bytes, moved: int = 0) -> None:
        self._data = data
        self._at = 0
        self._moved = moved

    def fields(self, path: tuple[int, ...]) -> _Fields:
        """The struct at `path`."""
        found: _Fields = {}
        number = 0
        while header := self._byte():
            # An integer n that is not negative is encoded as 2 n.
            number = number + (header >> 4) if header >> 4 else self.varint() // 2
            value = self._value(header & 0xF, (*path, number))
            if (*path, number) != _ORDINAL:
                found[number] = header & 0xF, value
        return found

    def _value(self, kind: int, path: tuple[int, ...]) -> bytes:
        start = self._at
        if kind in (_I16, _I32, _I64):
            value = self.varint()
            if value and path in _PLACES:  # 0 stands for none
                return _varint(value + 2 * self._moved)
        elif kind == _STRUCT:
            return _struct(self.fields(path))
        elif kind in (_LIST, _SET):
            count, element = self.list_header()
            header = self._data[start : self._at]
            return header + b"".join([self._value(element, path) for _ in range(count)])
        elif kind == _BINARY:
            length = self.varint()
            self._at += length
        elif kind in (_BYTE, _DOUBLE):
            self._at += 1 if kind == _BYTE else 8
        elif kind not in (_TRUE, _FALSE):  # whose value is the type
            raise ValueError(f"type {kind} in a Parquet table of contents")
        return self._data[start : self._at]

    def list_header(self) -> tuple[int, int]:
        """The length of a list, and the type of its elements."""
        header = self._byte()
        return (self.varint() if header >> 4 == 0xF else header >> 4), header & 0xF

    def rest(self) -> bytes:
        """What was not read yet."""
        return self._data[self._at :]

    def varint(self) -> int:
        """An integer, seven bits a byte."""
        value = shift = 0
        while (byte := self._byte()) & 0x80:
            value |= (byte & 0x7F) << shift
            shift += 7
        return value | byte << shift

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]


def _struct(fields: _Fields) -> bytes:
    encoded = bytearray()
    last = 0
    for number, (kind, value) in fields.items():
        step = number - last
        encoded += bytes([step << 4 | kind]) if 0 < step <= 0xF else bytes([kind]) + _varint(2 * number)
        encoded += value
        last = number
    return bytes(encoded) + b"\0"


def _varint(value: int) -> bytes:
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)
