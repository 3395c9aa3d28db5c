"""Which GPU a schedule is for."""

from collections.abc import Iterator

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation

from rlx_sched.diagnostics import Diagnostic, Severity, emit_once
from rlx_sched.dialect.attributes import Target, TargetAttr
from rlx_sched.dialect.data_layout import TARGET_SYSTEM, dlti_entry
from rlx_sched.dialect.layout import MAX_BYTES

TARGET = "sched.target"
"""The attribute that names the GPU, on any operation but `sched.kernel`, which has a property for it."""


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
    if attribute is None or isinstance(attribute, TargetAttr):
        return attribute and attribute.data
    message = f"'{TARGET}' must be a target, as in #sched.target<\"Apple M4 Pro\">, got {attribute}"
    emit_once(Diagnostic(Severity.ERROR, message, op))
    return None


def _dlti_target(op: Operation) -> Target | None:
    """The device `"GPU"` of a `dlti.target_system_spec` on `op`."""
    spec = op.attributes.get(TARGET_SYSTEM)
    if spec is None:
        return None
    name = dlti_entry(spec, "GPU", "name")
    limit = dlti_entry(spec, "GPU", "max_threadgroup_bytes")
    if not isinstance(name, StringAttr):
        return None
    most = limit.value.data if isinstance(limit, IntegerAttr) else None
    if limit is not None and (most is None or not 1 <= most <= MAX_BYTES):
        message = f"'max_threadgroup_bytes' of the device \"GPU\" must be from 1 to 2^64 - 1 bytes, got {limit}"
        emit_once(Diagnostic(Severity.ERROR, message, op))
        most = None
    return Target(name.data, most)


def target_in_ir(op: Operation) -> Target | None:
    """The target that the IR gives `op`: `sched.target`, from the inside out, then `dlti.target_system_spec`."""
    for lookup in (_own_target, _dlti_target):
        for scope in _enclosing(op):
            if (target := lookup(scope)) is not None:
                return target
    return None
