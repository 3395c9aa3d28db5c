"""The generator of modules reaches the whole dialect, or the properties would say less than they seem to."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, cast, get_args, get_type_hints

from hypothesis import HealthCheck, Phase, given, seed, settings
from strategies import modules
from xdsl.dialects.builtin import ModuleOp, UnregisteredOp
from xdsl.ir import Data, Operation
from xdsl.irdl import IRDLOperation, OptPropertyDef

from rlx_sched.dialect.attributes import SlotsAttr
from rlx_sched.dialect.sched import BufferOp, CandidatesOp, KernelOp, PhaseOp, Sched

SOME = settings(
    max_examples=80,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
ROUNDS = 6
"""Of these, where one does not do; two mostly do."""

PLACES = {
    KernelOp: (ModuleOp, CandidatesOp, UnregisteredOp),
    CandidatesOp: (ModuleOp, UnregisteredOp),
    PhaseOp: (KernelOp,),
    BufferOp: (KernelOp, PhaseOp),
}
"""What each operation may stand in."""

OTHER = "something"


def everything() -> Iterator[object]:
    """What there is in the dialect: operations with and without each optional part, attributes with all they can be."""
    for op in map(_definition, Sched.operations):
        for name, property in op.properties.items():
            yield op.name, name, True
            if isinstance(property, OptPropertyDef):
                yield op.name, name, False
        yield from ((op.name, "attributes", present) for present in (True, False))
    for op, places in PLACES.items():
        yield from ((op.name, "in", place.name) for place in places)
    yield from ((KernelOp.name, "one stage", is_one) for is_one in (True, False))
    yield from ((SlotsAttr.name, "sign", sign) for sign in (-1, 0, 1))
    for attribute in Sched.attributes:
        yield from ((attribute.name, *rest) for rest in _of_type(_payload(attribute)))


def found_in(module: ModuleOp) -> Iterator[object]:
    """What of that there is in `module`."""
    for op in module.walk():
        for attribute in (*op.properties.values(), *op.attributes.values()):
            if attribute.name.startswith("sched."):
                data = cast("Data[Any]", attribute).data
                yield from ((attribute.name, *rest) for rest in _of_value(data))
                if isinstance(attribute, SlotsAttr):
                    yield attribute.name, "sign", (attribute.data > 0) - (attribute.data < 0)
        if not op.name.startswith("sched."):
            continue
        for name in _definition(type(op)).properties:
            yield op.name, name, name in op.properties
        yield op.name, "attributes", bool(op.attributes)
        yield op.name, "in", getattr(op.parent_op(), "name", None)
        if isinstance(op, KernelOp):
            yield op.name, "one stage", op.stage_count == 1


def _definition(op: type[Operation]) -> Any:
    return cast("type[IRDLOperation]", op).get_irdl_definition()


def _payload(attribute: type) -> Any:
    """The type of the Python value that an attribute of the dialect holds."""
    bases = [base for kind in attribute.__mro__ for base in getattr(kind, "__orig_bases__", ())]
    return get_args(next(base for base in bases if getattr(base, "__origin__", None) is Data))[0]


def _of_type(kind: Any) -> Iterator[tuple[object, ...]]:
    """The values of a type that are told apart: nothing or something, yes or no, every word, each of its kinds."""
    if isinstance(kind, UnionType):
        for option in get_args(kind):
            yield from _of_type(option)
    elif kind is NoneType:
        yield (None,)
    elif kind is bool:
        yield from ((True,), (False,))
    elif not _is_ours(kind):
        yield (OTHER,)
    elif issubclass(kind, Enum):
        yield from ((member,) for member in kind)
    elif kinds := kind.__subclasses__():
        for one in kinds:
            yield from _of_type(one)
    else:
        yield (kind.__name__,)
        for name, inner in _fields(kind):
            yield from ((kind.__name__, name, *rest) for rest in _of_type(inner))


def _of_value(value: object) -> Iterator[tuple[object, ...]]:
    kind = type(value)
    if value is None or isinstance(value, bool | Enum):
        yield (value,)
    elif not _is_ours(kind):
        yield (OTHER,)
    else:
        yield (kind.__name__,)
        for name, _ in _fields(kind):
            yield from ((kind.__name__, name, *rest) for rest in _of_value(getattr(value, name)))


def _is_ours(kind: Any) -> bool:
    return isinstance(kind, type) and kind.__module__.startswith("rlx_sched.")


def _fields(kind: Any) -> Iterator[tuple[str, Any]]:
    if is_dataclass(kind):
        types = get_type_hints(kind)
        yield from ((field.name, types[field.name]) for field in fields(kind))


def test_the_generator_reaches_the_whole_dialect() -> None:
    left = {*everything()}
    assert len(left) > 75

    @SOME
    @given(modules())
    def look(module: ModuleOp) -> None:
        left.difference_update(found_in(module))

    for number in range(ROUNDS):
        if left:
            seed(number)(look)()
    assert not left
