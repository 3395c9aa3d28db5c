"""What `dlti` attributes say of the data layout and of the target's devices.

The attributes may be xDSL's own or text that was carried opaquely, depending on how the file was read.
"""

from xdsl.context import Context
from xdsl.dialects import builtin
from xdsl.ir import Attribute, Dialect, Operation

from rlx_sched.dialect.type_sizes import DEFAULT_INDEX_BITS

DATA_LAYOUT = "dlti.dl_spec"
TARGET_SYSTEM = "dlti.target_system_spec"


def dlti_entry(spec: Attribute, *keys: str) -> Attribute | None:
    """The value under `keys`, followed from one `dlti` map into the next; None where there is none.

    A key is the name of an entry, or the spelling of a type (`index`).
    """
    # The dialect is imported only where the IR has such an attribute: start-up is dear.
    from xdsl.dialects.dlti import DLTI, DLTIEntryMap

    value: Attribute | None = spec
    for key in keys:
        if isinstance(value, builtin.UnregisteredAttr):
            value = _reread(value, DLTI)
        if not isinstance(value, DLTIEntryMap):
            return None
        value = next((entry.value for entry in value.entries if _spelling(entry.key) == key), None)
    return value


def _spelling(key: Attribute) -> str:
    return key.data if isinstance(key, builtin.StringAttr) else str(key)


def _reread(attribute: Attribute, dialect: Dialect) -> Attribute | None:
    """Read an opaque attribute with its dialect; None where xDSL cannot."""
    from xdsl.parser import Parser
    from xdsl.utils.exceptions import ParseError, VerifyException

    context = Context(allow_unregistered=True)
    context.load_dialect(builtin.Builtin)
    context.load_dialect(dialect)
    try:
        return Parser(context, str(attribute)).parse_attribute()
    except (ParseError, VerifyException):
        return None


def index_bits(op: Operation) -> int:
    """The width of `index` at `op` in bits: the nearest enclosing data layout's, else MLIR's default of 64."""
    scope: Operation | None = op
    while scope is not None:
        spec = scope.attributes.get(DATA_LAYOUT)
        if spec is not None:
            width = dlti_entry(spec, "index")
            if isinstance(width, builtin.IntegerAttr):
                return width.value.data
        scope = scope.parent_op()
    return DEFAULT_INDEX_BITS
