"""Kernels after lowering to LLVM (NVVM, ROCDL) or SPIR-V.

Threadgroup memory is variables there: `llvm.mlir.global` in address space 3, `spirv.GlobalVariable` in storage class
`Workgroup`. A buffer of three 32x16 tiles has become an array of 1536 elements: the bytes survive, the stages do not,
so there is no verdict.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from xdsl.ir import Operation

from rlx_sched.dialect.attributes import Bound, Bytes
from rlx_sched.dialect.layout import Buffer, NoFootprint, Placement, footprint, place, round_up
from rlx_sched.dialect.type_sizes import TypeSize, element_size, spelled_type
from rlx_sched.ir.access import attribute, integer, op_name, symbol_name, symbol_ref, text
from rlx_sched.sources.reached import MOST_REACHED, reached
from rlx_sched.sources.schedule import CannotRestage, Schedule, Source
from rlx_sched.sources.triton import SHARED, allocated_bytes

_WORKGROUP_ADDRESS_SPACE = 3
"""The number of threadgroup memory's address space in NVVM and ROCDL."""

_SPIRV_LIMIT = re.compile(r"\bmax_compute_shared_memory_size = (\d{1,18})\b(?!\.)")
_ENVIRONMENT = "spirv.target_env"
_SPIRV_WORKGROUP = re.compile(r"!spirv\.ptr<(.*), Workgroup>")

_ARRAY = re.compile(r"(?:!(?:llvm|spirv)\.)?array<(\d{1,18}) x (.*)>")
_STRIDE = re.compile(r"(.*), stride=(\d{1,18})")
_STRUCT = re.compile(r"(?:!(?:llvm|spirv)\.)?struct<(packed )?\((.*)\)>")

_FUNCTIONS = {"llvm.func": "LLVM", "spirv.func": "SPIR-V"}
_VARIABLES = ("llvm.mlir.global", "spirv.GlobalVariable")
_ALIAS = "llvm.mlir.alias"
_TABLES = ("builtin.module", "gpu.module", "spirv.module")

_REFERENCES = {"llvm.mlir.addressof": "global_name", "spirv.mlir.addressof": "variable"}
_CALLS = {"llvm.call": "callee", "spirv.FunctionCall": "callee"}


def lowered_size(type: str) -> TypeSize:
    """Size and alignment of an LLVM or SPIR-V type: arrays and structs of the scalars and vectors of MLIR.

    Raises:
        NoFootprint: for any other type.
    """
    if match := _ARRAY.fullmatch(type):
        element = match[2]
        stride = _STRIDE.fullmatch(element)
        size, alignment = lowered_size(stride[1] if stride else element)
        return TypeSize(int(match[1]) * (int(stride[2]) if stride else round_up(size, alignment)), alignment)
    if match := _STRUCT.fullmatch(type):
        end, strictest = 0, 1
        for member in _split(match[2]):
            size, alignment = lowered_size(member)
            alignment = 1 if match[1] else alignment
            end, strictest = round_up(end, alignment) + size, max(strictest, alignment)
        return TypeSize(round_up(end, strictest), strictest)
    return element_size(spelled_type(type))


def _split(types: str) -> Iterator[str]:
    """The types of a list, which are separated by commas outside all brackets."""
    depth, start = 0, 0
    for position, char in enumerate(types):
        depth += (char in "<([") - (char in ">)]")
        if char == "," and depth == 0:
            yield types[start:position].strip()
            start = position + 1
    if types[start:].strip():
        yield types[start:].strip()


@lru_cache(maxsize=1024)
def _size(type: str) -> TypeSize | str:
    """The size of a type, worked out once for all kernels that reach a variable of it; else why there is none."""
    try:
        return lowered_size(type)
    except NoFootprint as error:
        return str(error)


class _Variable:
    """A variable in threadgroup memory."""

    def __init__(self, name: str, type: str, alignment: int | None):
        self.name = name
        self.type = type
        self.alignment = alignment

    @cached_property
    def dynamic(self) -> bool:
        """Whether its size is set at launch: it is declared as an array of no elements."""
        match = _ARRAY.fullmatch(self.type)
        return match is not None and int(match[1]) == 0

    @cached_property
    def buffer(self) -> Buffer:
        """The buffer that it is.

        Raises:
            NoFootprint: when the size of its type is not known.
        """
        found = _size(self.type)
        if isinstance(found, str):
            raise NoFootprint(found)
        return Buffer(found.size, self.alignment or found.alignment, name=self.name)


class LoweredSchedule(Schedule):
    """A kernel of which only the bytes are known."""

    stages = 1

    def __init__(self, op: Operation, variables: Sequence[_Variable], limit: int | None):
        self.op = op
        self.name = symbol_name(op) or ""
        self.variables = variables
        self.unknown = f"the number of stages does not survive lowering to {_FUNCTIONS[op_name(op)]}"
        self.limit = limit
        self.noted_on = _enclosing(op, SHARED)
        self.alone = True
        """Whether what Triton noted is for no other kernel."""

    def footprint(self, stages: int) -> Bytes:
        """The bytes of all variables that the kernel reaches; the least there are where one is sized at launch.

        Triton declares a single variable of no size, and notes the bytes of the largest kernel on the module.
        """
        if self.noted_on is not None:
            return Bytes(allocated_bytes(self.noted_on), Bound.EXACT if self.alone else Bound.AT_MOST)
        if len(self.variables) > MOST_REACHED:
            raise NoFootprint(f"it reaches more than {MOST_REACHED} variables in threadgroup memory")
        static = [variable.buffer for variable in self.variables if not variable.dynamic]
        if not static:
            raise NoFootprint("the size of its threadgroup memory is set at launch")
        return Bytes(footprint(static, 1), Bound.EXACT if len(static) == len(self.variables) else Bound.AT_LEAST)

    def placements(self, stages: int) -> list[Placement] | None:
        """The variables in the order in which they are declared; None where the size of one is not there."""
        if self.noted_on is not None or any(variable.dynamic for variable in self.variables):
            return None
        return place([variable.buffer for variable in self.variables], 1)

    def baseline(self) -> Bytes:
        """At most what it takes now: how much of that are further slots is not known."""
        scheduled = self.footprint(1)
        return Bytes(scheduled.count, Bound.AT_MOST if scheduled.bound is Bound.EXACT else Bound.ABOUT)

    def restage(self, stages: int) -> None:
        """Refuse.

        Raises:
            CannotRestage: always.
        """
        raise CannotRestage("lowered", self.unknown or "", "filter the kernel before it is lowered")


def _limit(scope: Operation | None) -> int | None:
    """What the SPIR-V target environment of `scope`, or of the nearest operation around it, allows, in bytes."""
    scope = None if scope is None else _enclosing(scope, _ENVIRONMENT)
    match = None if scope is None else _SPIRV_LIMIT.search(text(scope.attributes[_ENVIRONMENT]))
    return int(match[1]) if match else None


def _enclosing(op: Operation, name: str) -> Operation | None:
    """The nearest of `op` and the operations around it that has the attribute `name`."""
    scope: Operation | None = op
    while scope is not None and name not in scope.attributes:
        scope = scope.parent_op()
    return scope


class LoweredSource(Source):
    """Functions of the `llvm` and `spirv` dialects that use threadgroup variables."""

    name = "lowered"

    def schedules(self, module: Operation) -> Iterator[Schedule]:
        """The kernels: functions that reach such a variable and that no other function calls."""
        found = list(_schedules(module))
        kernels = Counter(kernel.noted_on for kernel in found)
        for kernel in found:
            kernel.alone = kernels[kernel.noted_on] == 1
        yield from found


def _schedules(module: Operation) -> Iterator[LoweredSchedule]:
    """The kernels of `module` and of the modules and executables nested in it."""
    variables: dict[str, _Variable] = {}
    functions: dict[str, Operation] = {}
    mentions: dict[str, Sequence[str]] = {}
    for op in (op for region in module.regions for block in region.blocks for op in block.ops):
        name, symbol = op_name(op), symbol_name(op) or ""
        if name in _TABLES or name.startswith("hal.executable"):
            yield from _schedules(op)
        elif name in _FUNCTIONS:
            functions[symbol] = op
        elif name in _VARIABLES and (variable := _variable(op)) is not None:
            variables[symbol] = variable
        if name in _FUNCTIONS or name in _VARIABLES or name == _ALIAS:
            mentions[symbol] = list(dict.fromkeys(_mentions(op)))
    if not variables:
        return
    limit = _limit(module)
    called = _called(functions, mentions)
    mentioning: dict[str, list[str]] = {}
    for symbol, mentioned in mentions.items():
        for mention in mentioned:
            mentioning.setdefault(mention, []).append(symbol)
    used = reached(((name, name) for name in variables), lambda name: mentioning.get(name, ()))
    declared = {name: position for position, name in enumerate(variables)}
    for name, function in functions.items():
        if name not in called and name in used:
            own = _limit(function) if _ENVIRONMENT in function.attributes else limit
            names = sorted(used[name], key=declared.__getitem__)
            yield LoweredSchedule(function, [variables[name] for name in names], own)


def _called(functions: Mapping[str, Operation], mentions: Mapping[str, Sequence[str]]) -> set[str]:
    """The functions that other functions mention: by name, or by way of aliases and tables of addresses.

    A list of functions that none of them mentions, such as that of what the linker has to keep, says nothing of calls.
    """
    pending = list(dict.fromkeys(mention for name in functions for mention in mentions[name] if mention != name))
    seen = set(pending)
    for name in pending:
        if name not in functions:
            new = [mention for mention in mentions.get(name, ()) if mention not in seen]
            seen.update(new)
            pending += new
    return seen & functions.keys()


def _variable(op: Operation) -> _Variable | None:
    """The threadgroup variable that `op` declares; None if it is in another memory."""
    name, alignment = symbol_name(op) or "", integer(attribute(op, "alignment"))
    if op_name(op) == "llvm.mlir.global":
        type = attribute(op, "global_type")
        if integer(attribute(op, "addr_space")) != _WORKGROUP_ADDRESS_SPACE or type is None:
            return None
        return _Variable(name, text(type), alignment)
    type = attribute(op, "type")
    match = None if type is None else _SPIRV_WORKGROUP.fullmatch(text(type))
    return _Variable(name, match[1], alignment) if match else None


def _mentions(symbol: Operation) -> Iterator[str]:
    """The symbols that a function, or what initializes `symbol`, takes the address of or calls."""
    for op in symbol.walk():
        name = op_name(op)
        key = _REFERENCES.get(name) or _CALLS.get(name)
        path = symbol_ref(attribute(op, key)) if key else None
        if path is not None:
            yield path[-1]
