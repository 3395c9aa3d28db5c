"""What the passes write on a kernel: `footprint`, `verdict` and `stripped`.

On a `sched.kernel` they are properties; on operations of other dialects they are attributes with the dialect's prefix.
"""

from collections.abc import MutableMapping

from xdsl.ir import Attribute, Operation

from rlx_sched.assessment import Assessment
from rlx_sched.dialect.attributes import StrippedAttr
from rlx_sched.dialect.sched import KernelOp

PREFIX = "sched."


def _place(op: Operation, name: str) -> tuple[MutableMapping[str, Attribute], str]:
    """The dictionary that holds the annotation `name` of `op`, and its key there."""
    return (op.properties, name) if isinstance(op, KernelOp) else (op.attributes, PREFIX + name)


def annotation(op: Operation, name: str) -> Attribute | None:
    """The annotation `name` (`footprint`, `verdict` or `stripped`) of `op`, if it has one."""
    dictionary, key = _place(op, name)
    return dictionary.get(key)


def _set(op: Operation, name: str, value: Attribute | None) -> None:
    dictionary, key = _place(op, name)
    if value is not None:
        dictionary[key] = value
    else:
        dictionary.pop(key, None)


def annotate(op: Operation, assessment: Assessment) -> None:
    """Write footprint and verdict on `op`, over what was there; a footprint that cannot be known is removed."""
    _set(op, "footprint", assessment.footprint)
    _set(op, "verdict", assessment.verdict_attribute)


def mark_stripped(op: Operation, stripped: StrippedAttr) -> None:
    """Record on `op` which rotation was taken out of it and why.

    Footprint and verdict described the schedule as it was; they go.
    """
    _set(op, "stripped", stripped)
    _set(op, "footprint", None)
    _set(op, "verdict", None)


def erase_written(op: Operation) -> None:
    """Remove what the passes wrote on `op`."""
    for name in ("stripped", "footprint", "verdict"):
        _set(op, name, None)


def erase_annotations(op: Operation) -> None:
    """Remove what the passes wrote on `op`, and every other attribute of the `sched` dialect."""
    erase_written(op)
    for name in [name for name in op.attributes if name.startswith(PREFIX)]:
        del op.attributes[name]
