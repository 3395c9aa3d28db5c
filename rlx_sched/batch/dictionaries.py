"""Columns of Arrow that are, or hold, dictionaries: of those of several batches, not all can be put together.

Arrow does not unify dictionaries with a null in them, nor those of lists and structs, and has no larger index for one
that is inside another column.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rlx_sched.batch.errors import TableError, require

_INDEX_BITS = 32
"""Bits of an index into a dictionary that is put together from several."""


def as_one(table: Any) -> list[Any]:
    """The record batches of `table`, put together where Arrow can do it; each row stays as it is."""
    pa = require("pyarrow")
    columns = [
        pa.chunked_array([_without_nulls(chunk) for chunk in column.chunks], column.type)
        if pa.types.is_dictionary(column.type)
        else column
        for column in table.columns
    ]
    table = pa.Table.from_arrays(columns, schema=table.schema)
    try:
        return table.combine_chunks().to_batches()
    except pa.ArrowException:
        return table.to_batches()


def _without_nulls(column: Any) -> Any:
    """A dictionary array whose nulls are among its indices, and not in its dictionary, unless that is of columns."""
    pa, compute = require("pyarrow"), require("pyarrow.compute")
    values = column.dictionary
    if not values.null_count or pa.types.is_nested(values.type):
        return column
    valid = values.is_valid()
    places = compute.if_else(valid, compute.cumulative_sum(valid.cast(pa.int64())), None)
    indices = compute.subtract(places, 1).take(column.indices).cast(column.type.index_type)
    # In two steps: Arrow picks nothing out of views.
    kept = values.cast(without_views(values.type)).filter(valid).cast(values.type)
    return pa.DictionaryArray.from_arrays(indices, kept, ordered=column.type.ordered)


def with_room(schema: Any) -> Any:
    """`schema` with indices that have room for the dictionaries of several batches together."""
    pa = require("pyarrow")
    for place, field in enumerate(schema):
        type = field.type
        if pa.types.is_dictionary(type) and type.index_type.bit_width < _INDEX_BITS:
            schema = schema.set(place, field.with_type(pa.dictionary(pa.int32(), type.value_type, type.ordered)))
    return schema


def plain(type: Any) -> Any:
    """What `decode` makes of an array of `type`: the type itself where there are no dictionaries in it, or they are in
    something that Arrow does not take apart.
    """

    def leaf(type: Any) -> Any:
        return plain(type.value_type) if require("pyarrow").types.is_dictionary(type) else type

    found = _rebuilt(type, leaf)
    return type if found == type else without_views(found)


def without_views(type: Any) -> Any:
    """`type` with strings for views of strings."""
    pa = require("pyarrow")

    def leaf(type: Any) -> Any:
        if pa.types.is_dictionary(type):
            return pa.dictionary(type.index_type, without_views(type.value_type), type.ordered)
        return pa.string() if pa.types.is_string_view(type) else pa.binary() if pa.types.is_binary_view(type) else type

    return _rebuilt(type, leaf)


def _rebuilt(type: Any, leaf: Callable[[Any], Any]) -> Any:
    """`type` with `leaf` of what is not a column in columns, wherever it is in it."""
    pa = require("pyarrow")

    def inner(field: Any) -> Any:
        return field.with_type(_rebuilt(field.type, leaf))

    if pa.types.is_struct(type):
        return pa.struct([inner(field) for field in type])
    if pa.types.is_map(type):
        return pa.map_(inner(type.key_field), inner(type.item_field), type.keys_sorted)
    if pa.types.is_list(type):
        return pa.list_(inner(type.value_field))
    if pa.types.is_large_list(type):
        return pa.large_list(inner(type.value_field))
    if pa.types.is_fixed_size_list(type):
        return pa.list_(inner(type.value_field), type.list_size)
    return leaf(type)


def decode(column: Any) -> Any:
    """An array with plain values for its dictionaries."""
    pa = require("pyarrow")
    type = plain(column.type)
    if pa.types.is_dictionary(column.type):
        if not pa.types.is_nested(column.type.value_type):
            column = column.cast(without_views(column.type))  # Arrow does not take views out of a dictionary
        column = column.dictionary_decode()
    return column.cast(without_views(column.type)).cast(type) if column.type != type else column


def with_plain(schema: Any, names: frozenset[str]) -> Any:
    """`schema` with plain values in the columns of `names`."""
    for place, field in enumerate(schema):
        if field.name in names:
            schema = schema.set(place, field.with_type(plain(field.type)))
    return schema


def decoded(table: Any, names: frozenset[str]) -> Any:
    """`table` with plain values in the columns of `names`.

    Raises:
        TableError: naming a column whose values cannot be taken out.
    """
    pa = require("pyarrow")
    schema = with_plain(table.schema, names)
    columns: list[Any] = []
    for field, column in zip(schema, table.columns, strict=True):
        try:
            columns.append(pa.chunked_array(map(decode, column.chunks), field.type) if field.name in names else column)
        except pa.ArrowException as error:
            message = f"column '{field.name}' of type {column.type} cannot be taken out of its dictionary ({error})"
            raise TableError(f"{message}; leave it out, or write plain values") from None
    return pa.Table.from_arrays(columns, schema=schema)
