"""JSON values as Arrow's: never changed, so that a value is of its column's type or the column cannot hold it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any, cast

from rlx_sched.batch.errors import require

_ARROW_LEVELS = 32
"""Lists and objects in each other that become Arrow's: files of Arrow have 64 levels at most, and rows are one."""

_WHOLE_DOUBLES = 2**53
"""Up to here every integer is a double."""


@dataclass(frozen=True, slots=True)
class NotFinite:
    """What Python reads, or rounds, to infinity or no number: `NaN`, `1e400`. JSON and tables have no such values."""

    text: str

    def __str__(self) -> str:
        return self.text


def number(text: str) -> float | NotFinite:
    """A JSON number with a fraction or an exponent."""
    value = float(text)
    return value if math.isfinite(value) else NotFinite(text)


def levels(value: object) -> int:
    """How many lists and objects are in each other in a JSON value."""
    found, inner = 0, [value]
    while inner := [part for part in inner if type(part) in (list, dict)]:
        found += 1
        inner = list(chain.from_iterable(map(_parts, inner)))
    return found


def _parts(value: Any) -> Iterable[Any]:
    return cast("dict[str, Any]", value).values() if isinstance(value, dict) else value


def is_finite(value: object) -> bool:
    """Whether there is no `NotFinite` in a JSON value."""
    if type(value) in (list, dict):
        return all(map(is_finite, _parts(value)))
    return type(value) is not NotFinite


def arrow_type(values: list[Any]) -> Any:
    """The type of a column of JSON values: what the first that is there has, made to hold all others of its kind.

    Where no type of all formats holds the first (`[1, "x"]`, `{}`), it is `arrow.json`, text that holds any JSON value.
    """
    pa = require("pyarrow")
    values = [value for value in values if value is not None and is_finite(value)]
    found = _inferred(values, 0)
    if pa.types.is_nested(found) and not (_is_for_all_formats(found) and holds(found, values[:1])):
        return pa.json_(pa.string())
    return pa.string() if pa.types.is_null(found) else found


def _is_for_all_formats(type_: Any) -> bool:
    """Whether no object in it has no keys, which Parquet cannot hold."""
    parts = [type_.field(number).type for number in range(type_.num_fields)]
    return bool(parts or not require("pyarrow").types.is_struct(type_)) and all(map(_is_for_all_formats, parts))


def _inferred(values: list[Any], level: int) -> Any:
    pa = require("pyarrow")
    values = [value for value in values if value is not None]
    if not values or level > _ARROW_LEVELS:
        return pa.null()
    first = values[0]
    if isinstance(first, (int, float)) and not isinstance(first, bool):
        return _inferred_number(values)
    if isinstance(first, list):
        lists = cast("list[list[Any]]", [value for value in values if type(value) is list])
        return pa.list_(_inferred(list(chain.from_iterable(lists)), level + 1))
    if isinstance(first, dict):
        members = _members([value for value in values if type(value) is dict])
        return pa.struct([(name, _inferred(parts, level + 1)) for name, parts in members.items()])
    return pa.bool_() if isinstance(first, bool) else pa.string()


def _inferred_number(values: list[Any]) -> Any:
    pa = require("pyarrow")
    numbers = [value for value in values if type(value) is float or (type(value) is int and -(2**63) <= value < 2**64)]
    if not numbers:
        return pa.uint64()
    if type(numbers[0]) is float or (float in set(map(type, numbers)) and holds(pa.float64(), numbers)):
        return pa.float64()
    whole = [value for value in numbers if type(value) is int]
    if max(whole) < 2**63 or (min(whole) < 0 and numbers[0] < 2**63):
        return pa.int64()
    return pa.uint64()


def _members(objects: list[Any]) -> dict[str, list[Any]]:
    """The values of each key."""
    found: dict[str, list[Any]] = {}
    for one in cast("list[dict[str, Any]]", objects):
        for name, value in one.items():
            found.setdefault(name, []).append(value)
    return found


def holds(type_: Any, values: list[Any]) -> bool:
    """Whether an Arrow type holds all of JSON `values` as they are, and no null where there is something."""
    pa = require("pyarrow")
    types = pa.types
    values = [value for value in values if value is not None]
    found = set(map(type, values))
    if isinstance(type_, pa.JsonType):
        return all(map(is_finite, values))
    if not found:
        return True
    if types.is_boolean(type_):
        return found == {bool}
    if types.is_string(type_):
        return found == {str}
    if types.is_integer(type_):
        low, high = (0, 2**64) if types.is_uint64(type_) else (-(2**63), 2**63)
        return found == {int} and low <= min(values) and max(values) < high
    if types.is_floating(type_):
        whole = [value for value in values if type(value) is int]
        return found <= {int, float} and all(abs(value) <= _WHOLE_DOUBLES for value in whole)
    if types.is_list(type_):
        return found == {list} and holds(type_.value_type, list(chain.from_iterable(values)))
    if types.is_struct(type_) and found == {dict}:
        members = _members(values)
        fields = {field.name: field.type for field in type_}
        return members.keys() <= fields.keys() and all(holds(fields[name], parts) for name, parts in members.items())
    return False


def as_array(type_: Any, values: list[Any]) -> Any:
    """JSON values as an Arrow array of a type that holds them."""
    pa = require("pyarrow")
    if not isinstance(type_, pa.JsonType):
        return pa.array(values, type_)
    texts = [None if value is None else json.dumps(value, ensure_ascii=False) for value in values]
    return pa.ExtensionArray.from_storage(type_, pa.array(texts, pa.string()))
