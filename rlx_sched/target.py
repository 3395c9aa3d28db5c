"""Which GPU a schedule is for, and how much threadgroup memory that allows."""

import re
from collections.abc import Iterator

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation

from rlx_sched.dialect.attributes import Target, TargetAttr
from rlx_sched.dialect.data_layout import TARGET_SYSTEM, dlti_entry
from rlx_sched.occupancy import AppleGpuFamily

TARGET = "sched.target"
"""The attribute that names the GPU, on any operation but `sched.kernel`, which has a property for it."""

APPLE_THREADGROUP_BYTES = 32768
"""The most threadgroup memory of one threadgroup in bytes, inclusive, on GPU families Apple4 to Apple9 (A11 to A18, M1
to M4). Source: Apple, Metal feature set tables, "maximum total threadgroup memory allocation"."""

_APPLE_A_SERIES = re.compile(r"apple[ -]a1[1-8][xz]?( pro| bionic)?( gpu)?", re.IGNORECASE)
"""Names of the GPUs of families Apple4 to Apple9 that are not in a Mac: `Apple A14 GPU`, `Apple A18 Pro GPU`."""


def threadgroup_limit(chip: str | None) -> int | None:
    """The most threadgroup bytes that `chip` gives one threadgroup, inclusive; None where that is not known."""
    if chip is None:
        return None
    if AppleGpuFamily.from_name(chip) is not AppleGpuFamily.UNKNOWN or _APPLE_A_SERIES.fullmatch(chip):
        return APPLE_THREADGROUP_BYTES
    return None


def _enclosing(op: Operation) -> Iterator[Operation]:
    """`op` and the operations around it, inside out."""
    scope: Operation | None = op
    while scope is not None:
        yield scope
        scope = scope.parent_op()


def _own_target(op: Operation) -> Target | None:
    """What `op` itself says of the target, in the `sched` dialect."""
    attribute: Attribute | None = op.properties.get("target") if op.name == "sched.kernel" else None
    attribute = attribute or op.attributes.get(TARGET)
    return attribute.data if isinstance(attribute, TargetAttr) else None


def _dlti_target(op: Operation) -> Target | None:
    """The device `"GPU"` of a `dlti.target_system_spec` on `op`."""
    spec = op.attributes.get(TARGET_SYSTEM)
    if spec is None:
        return None
    name = dlti_entry(spec, "GPU", "name")
    limit = dlti_entry(spec, "GPU", "max_threadgroup_bytes")
    if not isinstance(name, StringAttr):
        return None
    return Target(name.data, limit.value.data if isinstance(limit, IntegerAttr) else None)


def target_in_ir(op: Operation) -> Target | None:
    """The target that the IR gives `op`: `sched.target`, from the inside out, then `dlti.target_system_spec`."""
    for lookup in (_own_target, _dlti_target):
        for scope in _enclosing(op):
            if (target := lookup(scope)) is not None:
                return target
    return None
