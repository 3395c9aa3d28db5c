"""What `dlti` attributes say of the data layout and of the target's devices.

The attributes may be xDSL's own or text that was carried opaquely, depending on how the file was read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects import builtin
from xdsl.ir import Attribute, Operation

from rlx_sched.dialect.type_sizes import DEFAULT_INDEX_BITS

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
    # The dialect is imported only where the IR has such an attribute: start-up is dear.
    from xdsl.dialects.dlti import DLTIEntryMap

    attribute = spec.attribute
    found = attribute if isinstance(attribute, DLTIEntryMap) else _reread(str(attribute))
    return None if found is None else {_spelling(entry.key): entry.value for entry in reversed(found.entries.data)}


def _reread(text: str) -> DLTIEntryMap | None:
    """Read a map of entries from its text."""
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


def index_bits(op: Operation) -> int | None:
    """The width of `index` at `op` in bits: the nearest enclosing data layout's, else MLIR's default of 64.

    None where a data layout cannot be read, or gives no width above zero.
    """
    scope: Operation | None = op
    while scope is not None:
        spec = scope.attributes.get(DATA_LAYOUT)
        if spec is not None:
            if _entries(_Same(spec)) is None:
                return None
            width = dlti_entry(spec, "index")
            if width is not None:
                bits = width.value.data if isinstance(width, builtin.IntegerAttr) else 0
                return bits if bits > 0 else None
        scope = scope.parent_op()
    return DEFAULT_INDEX_BITS
