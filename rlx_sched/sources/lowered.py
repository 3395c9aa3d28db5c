"""Kernels after lowering to LLVM (NVVM, ROCDL) or SPIR-V.

Threadgroup memory is variables there: `llvm.mlir.global` in address space 3, `spirv.GlobalVariable` in storage class
`Workgroup`. A buffer of three 32x16 tiles has become an array of 1536 elements: the bytes survive, the stages do not,
so there is no verdict.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from xdsl.ir import Attribute, Operation

from rlx_sched.dialect.attributes import Bound, Bytes
from rlx_sched.dialect.layout import Buffer, NoFootprint, Placement, footprint, place, round_up
from rlx_sched.dialect.type_sizes import TypeSize, element_size, spelled_type
from rlx_sched.ir.access import attribute, integer, op_name, symbol_name, symbol_ref, text
from rlx_sched.sources.schedule import CannotRestage, Schedule, Source

_WORKGROUP_ADDRESS_SPACE = 3
"""The number of threadgroup memory's address space in NVVM and ROCDL."""

_TRITON_SHARED = "ttg.shared"

_SPIRV_LIMIT = re.compile(r"\bmax_compute_shared_memory_size = (\d{1,18})\b")
_SPIRV_WORKGROUP = re.compile(r"!spirv\.ptr<(.*), Workgroup>")

_ARRAY = re.compile(r"(?:!(?:llvm|spirv)\.)?array<(\d{1,18}) x (.*)>")
_STRIDE = re.compile(r"(.*), stride=(\d{1,18})")
_STRUCT = re.compile(r"(?:!(?:llvm|spirv)\.)?struct<(packed )?\((.*)\)>")

_FUNCTIONS = {"llvm.func": "LLVM", "spirv.func": "SPIR-V"}
_VARIABLES = ("llvm.mlir.global", "spirv.GlobalVariable")
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


class _Variable(NamedTuple):
    """A variable in threadgroup memory."""

    name: str
    type: str
    alignment: int | None

    @property
    def dynamic(self) -> bool:
        """Whether its size is set at launch: it is declared as an array of no elements."""
        match = _ARRAY.fullmatch(self.type)
        return match is not None and int(match[1]) == 0

    @property
    def buffer(self) -> Buffer:
        """The buffer that it is.

        Raises:
            NoFootprint: when the size of its type is not known.
        """
        size, alignment = lowered_size(self.type)
        return Buffer(size, self.alignment or alignment, name=self.name)


class LoweredSchedule(Schedule):
    """A kernel of which only the bytes are known."""

    stages = 1

    def __init__(self, op: Operation, variables: list[_Variable]):
        self.op = op
        self.name = symbol_name(op) or ""
        self.variables = variables
        self.unknown = f"the number of stages does not survive lowering to {_FUNCTIONS[op_name(op)]}"
        self.limit = _limit(op)

    def footprint(self, stages: int) -> Bytes:
        """The bytes of all variables that the kernel reaches; the least there are where one is sized at launch.

        Triton declares a single variable of no size, and notes the bytes on the module.
        """
        noted = _enclosing(self.op, _TRITON_SHARED)
        if noted is not None and (count := integer(noted)) is not None:
            return Bytes(count)
        static = [variable.buffer for variable in self.variables if not variable.dynamic]
        if not static:
            raise NoFootprint("the size of its threadgroup memory is set at launch")
        return Bytes(footprint(static, 1), Bound.EXACT if len(static) == len(self.variables) else Bound.AT_LEAST)

    def placements(self, stages: int) -> list[Placement] | None:
        """The variables in the order in which they are declared; None where one is sized at launch."""
        if any(variable.dynamic for variable in self.variables):
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


def _limit(op: Operation) -> int | None:
    """What a SPIR-V target environment around `op` allows, in bytes."""
    environment = _enclosing(op, "spirv.target_env")
    match = None if environment is None else _SPIRV_LIMIT.search(text(environment))
    return int(match[1]) if match else None


def _enclosing(op: Operation, name: str) -> Attribute | None:
    """The attribute `name` of the nearest operation around `op` that has it."""
    scope: Operation | None = op
    while scope is not None:
        if name in scope.attributes:
            return scope.attributes[name]
        scope = scope.parent_op()
    return None


class LoweredSource(Source):
    """Functions of the `llvm` and `spirv` dialects that use threadgroup variables."""

    name = "lowered"

    def schedules(self, module: Operation) -> Iterator[Schedule]:
        """The kernels: functions that reach such a variable and that no other function calls."""
        variables: dict[str, _Variable] = {}
        functions: dict[str, Operation] = {}
        for op in (op for region in module.regions for block in region.blocks for op in block.ops):
            name = op_name(op)
            if name in _VARIABLES:
                variable = _variable(op)
                if variable is not None:
                    variables[symbol_name(op) or ""] = variable
            elif name in _FUNCTIONS:
                functions[symbol_name(op) or ""] = op
            elif name in _TABLES or name.startswith("hal.executable"):
                yield from self.schedules(op)
        if not variables:
            return
        mentions = {name: list(_mentions(function)) for name, function in functions.items()}
        called = {mention for mentioned in mentions.values() for mention in mentioned if mention in functions}
        declared = {name: position for position, name in enumerate(variables)}
        for name in (name for name in functions if name not in called):
            used = sorted(declared.keys() & _reachable(name, mentions), key=declared.__getitem__)
            if used:
                yield LoweredSchedule(functions[name], [variables[variable] for variable in used])


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


def _mentions(function: Operation) -> Iterator[str]:
    """The symbols that `function` takes the address of or calls."""
    for op in function.walk():
        name = op_name(op)
        key = _REFERENCES.get(name) or _CALLS.get(name)
        path = symbol_ref(attribute(op, key)) if key else None
        if path is not None:
            yield path[-1]


def _reachable(name: str, mentions: dict[str, list[str]]) -> set[str]:
    """The symbols that the function `name` mentions, itself or through what it calls."""
    reached: set[str] = set()
    pending = [name]
    while pending:
        for mention in mentions.get(pending.pop(), ()):
            if mention not in reached:
                reached.add(mention)
                pending.append(mention)
    return reached
