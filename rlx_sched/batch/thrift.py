"""Thrift's compact protocol, in which Parquet files describe themselves.

A struct is a dictionary from the number of each field to its type and value; what a number means is for the reader of
the struct to know, so that fields nobody here has heard of are kept.

https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
"""

from __future__ import annotations

from typing import Any, TypeAlias

TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)
"""Types of fields. The type of a boolean is its value."""

Struct: TypeAlias = dict[int, tuple[int, Any]]
"""Fields by number: the type, and the value: an integer, bytes (of doubles the eight), `(type of the elements,
elements)` of a list or set, or a `Struct`. What is to be written may hold structs that are encoded already."""

_INTEGERS = (I16, I32, I64)


def read_struct(data: bytes | memoryview) -> Struct:
    """The struct at the start of `data`.

    Raises:
        IndexError, ValueError: where there is none.
    """
    return _Reader(bytes(data)).struct()


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def struct(self) -> Struct:
        fields: Struct = {}
        number = 0
        while header := self._byte():
            number = number + (header >> 4) if header >> 4 else self._integer()
            fields[number] = header & 0xF, self._value(header & 0xF)
        return fields

    def _value(self, type: int) -> Any:
        if type in _INTEGERS:
            return self._integer()
        if type == BINARY:
            return self._bytes(self._varint())
        if type == STRUCT:
            return self.struct()
        if type in (LIST, SET):
            header = self._byte()
            count, element = header >> 4, header & 0xF
            if count == 0xF:
                count = self._varint()
            if element in (TRUE, FALSE):
                element = BYTE  # which is how they are written, for want of a type each
            return element, [self._value(element) for _ in range(count)]
        if type in (BYTE, DOUBLE):
            return self._bytes(1 if type == BYTE else 8)
        if type in (TRUE, FALSE):
            return None
        raise ValueError(f"type {type} in a struct of Thrift")

    def _bytes(self, length: int) -> bytes:
        self._at += length
        return self._data[self._at - length : self._at]

    def _integer(self) -> int:
        value = self._varint()
        return value >> 1 ^ -(value & 1)

    def _varint(self) -> int:
        value = shift = 0
        while (byte := self._byte()) & 0x80:
            value |= (byte & 0x7F) << shift
            shift += 7
        return value | byte << shift

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]


def write_struct(fields: Struct) -> bytes:
    """The encoding of a struct."""
    encoded = bytearray()
    _write_struct(encoded, fields)
    return bytes(encoded)


def _write_struct(encoded: bytearray, fields: Struct) -> None:
    last = 0
    for number, (type, value) in sorted(fields.items()):
        if number - last <= 0xF:
            encoded.append(number - last << 4 | type)
        else:
            encoded.append(type)
            _write_integer(encoded, number)
        _write_value(encoded, type, value)
        last = number
    encoded.append(0)


def _write_value(encoded: bytearray, type: int, value: Any) -> None:
    if type in _INTEGERS:
        _write_integer(encoded, value)
    elif type == BINARY:
        encoded += varint(len(value))
        encoded += value
    elif type == STRUCT and isinstance(value, bytes):
        encoded += value
    elif type == STRUCT:
        _write_struct(encoded, value)
    elif type in (LIST, SET):
        element, values = value
        encoded += bytes([len(values) << 4 | element]) if len(values) < 0xF else bytes([0xF0 | element])
        if len(values) >= 0xF:
            encoded += varint(len(values))
        for one in values:
            _write_value(encoded, element, one)
    elif type in (BYTE, DOUBLE):
        encoded += value


def _write_integer(encoded: bytearray, value: int) -> None:
    encoded += varint(value << 1 if value >= 0 else ~value << 1 | 1)


def varint(value: int) -> bytes:
    """An integer that is not negative, seven bits a byte."""
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)
