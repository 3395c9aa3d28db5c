"""What `dlti` attributes say of the data layout and of the target's devices.

The attributes may be xDSL's own or text that was carried opaquely, depending on how the file was read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from xdsl.context import Context
from xdsl.dialects import builtin
from xdsl.ir import Attribute, Operation, TypeAttribute

from rlx_sched.dialect.type_sizes import DEFAULT_INDEX_BITS, DEFAULT_LAYOUT, Alignments, DataLayout

if TYPE_CHECKING:
    from xdsl.dialects.dlti import DLTIEntryMap

DATA_LAYOUT = "dlti.dl_spec"
TARGET_SYSTEM = "dlti.target_system_spec"

_DL_ENTRY = re.compile(
    r"""\#dlti\.dl_entry<((?:"[^"\n]*"|<[^<>]*>|[^<>,"])+),\s*   # key
        ((?:"[^"\n]*"|<[^<>]*>|[^<>"])+)>                        # value""",
    re.VERBOSE,
)
"""An entry as older versions of MLIR print it; `#dlti.dl_entry<index, 32>` is `index = 32`."""

_LARGE = re.compile(r">\s*:\s*\w+<[\dx]{5}")
"""The type of a list of a thousand numbers or more, which xDSL would write out."""

_SCALAR = re.compile(r"\b(?:[su]?i(\d{1,8})|b?f\d\w*)\b")
"""A scalar type that text names."""

_MOST_ALIGNMENTS = 4
"""Numbers in the entry of a type: required and preferred alignment in bits, and of pointers two more."""


def dlti_entry(spec: Attribute, *keys: str) -> Attribute | None:
    """The value under `keys`, followed from one `dlti` map into the next; None where there is none.

    A key is the name of an entry, or the spelling of a type (`index`).
    """
    value: Attribute | None = spec
    for key in keys:
        entries = None if value is None else _entries(_Same(value))
        if entries is None:
            return None
        value = entries.get(key)
    return value


def _spelling(key: Attribute) -> str:
    return key.data if isinstance(key, builtin.StringAttr) else str(key)


class _Same:
    """An attribute that is equal to itself alone: to compare or to hash it takes time with its size."""

    def __init__(self, attribute: Attribute):
        self.attribute = attribute

    def __hash__(self) -> int:
        return id(self.attribute)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.attribute is self.attribute


@lru_cache(maxsize=64)
def _entries(spec: _Same) -> Mapping[str, Attribute] | None:
    """The values of a map by the spellings of their keys, the first of each; None where xDSL cannot read it.

    The kernels of a module all ask for the same few.
    """
    found = _map(spec)
    return None if found is None else {_spelling(entry.key): entry.value for entry in reversed(found.entries.data)}


@lru_cache(maxsize=64)
def _map(spec: _Same) -> DLTIEntryMap | None:
    """The map that an attribute is; None where xDSL cannot read it."""
    # The dialect is imported only where the IR has such an attribute: start-up is dear.
    from xdsl.dialects.dlti import DLTIEntryMap

    attribute = spec.attribute
    return attribute if isinstance(attribute, DLTIEntryMap) else _reread(str(attribute))


def _reread(text: str) -> DLTIEntryMap | None:
    """Read a map of entries from its text."""
    if _LARGE.search(text):
        return None
    from xdsl.dialects.dlti import DLTI, DLTIEntryMap
    from xdsl.parser import Parser

    context = Context(allow_unregistered=True)
    context.load_dialect(builtin.Builtin)
    context.load_dialect(DLTI)
    try:
        attribute = Parser(context, _DL_ENTRY.sub(r"\1 = \2", text)).parse_attribute()
    except MemoryError:
        raise
    except Exception:
        # The parsers and verifiers of xDSL's dialects raise ValueError and more on what they refuse.
        return None
    return attribute if isinstance(attribute, DLTIEntryMap) else None


def data_layout(op: Operation) -> DataLayout:
    """What the IR around `op` says of sizes and alignments; what is nearer goes first."""
    specs: list[_Same] = []
    scope: Operation | None = op
    while scope is not None:
        spec = scope.attributes.get(DATA_LAYOUT)
        if spec is not None:
            specs.append(_Same(spec))
        scope = scope.parent_op()
    return _combined(tuple(specs)) if specs else DEFAULT_LAYOUT


@lru_cache(maxsize=64)
def _combined(specs: tuple[_Same, ...]) -> DataLayout:
    """The layout of nested specifications, from the innermost outwards."""
    return DataLayout(_index_bits(specs), tuple(map(_alignments, specs)))


@lru_cache(maxsize=64)
def _alignments(spec: _Same) -> Alignments:
    """The alignments in a specification; of one that cannot be read those of the types that it names are not known."""
    found = _map(spec)
    bits: dict[str, int | None] = {}
    widths: set[int] = set()
    if found is None:
        for name in _SCALAR.finditer(str(spec.attribute)):
            if name[1]:
                widths.add(int(name[1]))
            else:
                bits[name[0]] = None
        bits.update((f"i{width}", None) for width in widths)
    for entry in reversed(found.entries.data if found is not None else ()):
        key: Attribute = entry.key
        if isinstance(key, builtin.IntegerType):
            width = cast("builtin.IntegerType", key).width.data
            bits[f"i{width}"] = _alignment(entry.value)
            widths.add(width)
        elif isinstance(key, TypeAttribute) and not isinstance(key, builtin.IndexType):
            bits[str(key)] = _alignment(entry.value)
    return Alignments(bits, sorted(widths))


def _alignment(value: Attribute) -> int | None:
    """The alignment in bits that the entry of a type requires; None where it cannot be read."""
    if isinstance(value, builtin.DenseIntOrFPElementsAttr):
        numbers = cast("builtin.DenseIntOrFPElementsAttr", value).get_values()
        if 0 < len(numbers) <= _MOST_ALIGNMENTS and isinstance(numbers[0], int):
            return numbers[0]
    return None


def _index_bits(specs: Sequence[_Same]) -> int | None:
    """The width of `index` in bits: that of the innermost specification that has one, else MLIR's default of 64.

    None where a specification cannot be read, or gives no width above zero.
    """
    for spec in specs:
        if _map(spec) is None:
            return None
        width = dlti_entry(spec.attribute, "index")
        if width is not None:
            bits = width.value.data if isinstance(width, builtin.IntegerAttr) else 0
            return bits if bits > 0 else None
    return DEFAULT_INDEX_BITS
