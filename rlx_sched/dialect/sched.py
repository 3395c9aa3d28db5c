"""The `sched` dialect: multi-buffered kernel schedules and their threadgroup memory.

A `sched.kernel` is a schedule, not a program: it says which tiles a kernel stages in threadgroup memory, how many
copies of each it rotates through, and which of them live at the same time. From that follows the footprint; what the
footprint costs is for the passes to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import ClassVar, cast

from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute, Block, Dialect, Operation, Region
from xdsl.irdl import (
    AtLeast,
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsolatedFromAbove, NoTerminator, SymbolOpInterface, SymbolTable
from xdsl.utils.exceptions import VerifyException

from rlx_sched import fast_path
from rlx_sched.dialect.attributes import FootprintAttr, SlotsAttr, StrippedAttr, TargetAttr, VerdictAttr
from rlx_sched.dialect.layout import MOST_STAGES
from rlx_sched.dialect.sgemm import SgemmAttr
from rlx_sched.spelling import did_you_mean

_ALIGNMENT_BITS = 63
"""Of a positive i64: what has more would be another number in it."""

_WORD = re.compile(r"[A-Za-z_]\w*")


def _parse_body(parser: Parser, *clauses: str) -> Region:
    """Parse a region of one block, before which `clauses` could stand; `{ }` is a block without operations."""
    region = parser.parse_optional_region()
    if region is None:
        parser.raise_error(_expected(parser, *clauses, "attributes", "{"))
    if not region.blocks:
        region.add_block(Block())
    return region


def _expected(parser: Parser, *words: str) -> str:
    """What to say where none of `words` is next, that may follow each other in this order."""
    *most, last = (f"'{word}'" for word in words)
    expected = f"expected {', '.join(most)} or {last}, in this order"
    found = _WORD.match(str(parser.lexer.input.content), parser.pos)
    if found is None:
        return expected
    return f"{expected}, found '{found[0]}'{'' if found[0] in words else did_you_mean(found[0], words)}"


def _print_body(printer: Printer, body: Region) -> None:
    printer.print_string(" ")
    printer.print_region(body, print_empty_block=False)


def _verify_body(op: Operation, *allowed: type[Operation]) -> None:
    """Check that every operation directly inside `op` is one of `allowed`."""
    for inner in op.regions[0].block.ops:
        if not isinstance(inner, allowed):
            expected = " and ".join(f"'{kind.name}'" for kind in allowed)
            raise VerifyException(f"'{op.name}' holds {expected} only, got '{_name(inner)}'")


def _name(op: Operation) -> str:
    """The operation's name, also of one that is not registered."""
    opaque_name = op.attributes.get("op_name__")
    return opaque_name.data if isinstance(opaque_name, StringAttr) else op.name


@irdl_op_definition
class BufferOp(IRDLOperation):
    """One threadgroup allocation.

    Any memory space will do: it *is* threadgroup memory. A `rotating` buffer has one slot per stage, or as many as
    `slots` says; any other has one. `dynamic` memory is bound at dispatch. `alignment` (bytes, a power of two) replaces
    the alignment of the element.

    ```mlir
    sched.buffer @a rotating : memref<16x16xf32>
    sched.buffer @b rotating slots(stages - 1) dynamic alignment 64 : memref<16x16xf32>
    ```
    """

    name = "sched.buffer"

    sym_name = prop_def(StringAttr)
    rotating = opt_prop_def(UnitAttr)
    slots = opt_prop_def(SlotsAttr)
    dynamic = opt_prop_def(UnitAttr)
    alignment = opt_prop_def(IntegerAttr.constr(type=i64, value=AtLeast(1)))
    type = prop_def(MemRefType)

    traits = lazy_traits_def(lambda: (SymbolOpInterface(), HasParent(KernelOp, PhaseOp)))

    def __init__(
        self,
        sym_name: str,
        type: MemRefType[Attribute],
        *,
        rotating: bool = False,
        slots: int | None = None,
        dynamic: bool = False,
        alignment: int | None = None,
        attributes: dict[str, Attribute] | None = None,
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(sym_name),
                "rotating": UnitAttr() if rotating else None,
                "slots": None if slots is None else SlotsAttr(slots),
                "dynamic": UnitAttr() if dynamic else None,
                "alignment": None if alignment is None else IntegerAttr(alignment, i64),
                "type": type,
            },
            attributes=attributes or {},
        )

    @classmethod
    def parse(cls, parser: Parser) -> BufferOp:
        """Parse `@name rotating? (slots(FORMULA))? dynamic? (alignment N)? attr-dict? : type`."""
        sym_name = parser.parse_symbol_name().data
        rotating = parser.parse_optional_keyword("rotating") is not None
        slots = None
        if parser.parse_optional_keyword("slots") is not None:
            with parser.in_parens():
                slots = SlotsAttr.parse_formula(parser)
        dynamic = parser.parse_optional_keyword("dynamic") is not None
        alignment = None
        if parser.parse_optional_keyword("alignment") is not None:
            start = parser.pos
            alignment = parser.parse_integer(allow_boolean=False, context_msg=" for the alignment")
            if alignment.bit_length() > _ALIGNMENT_BITS:
                parser.raise_error(
                    f"expected an alignment below 2^{_ALIGNMENT_BITS}, got {alignment}", start, parser.pos
                )
        attributes = parser.parse_optional_attr_dict_with_keyword()
        if parser.parse_optional_punctuation(":") is None:
            parser.raise_error(_expected(parser, "rotating", "slots", "dynamic", "alignment", "attributes", ":"))
        start = parser.pos
        type = parser.parse_type()
        if not isinstance(type, MemRefType):
            parser.raise_error(f"expected a memref type, got {type}", start, parser.pos)
        return cls(
            sym_name,
            cast("MemRefType[Attribute]", type),
            rotating=rotating,
            slots=slots,
            dynamic=dynamic,
            alignment=alignment,
            attributes=dict(attributes.data) if attributes else None,
        )

    def print(self, printer: Printer) -> None:
        """Print the custom form."""
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name)
        if self.rotating is not None:
            printer.print_string(" rotating")
        if self.slots is not None:
            printer.print_string(f" slots({self.slots.formula})")
        if self.dynamic is not None:
            printer.print_string(" dynamic")
        if self.alignment is not None:
            printer.print_string(f" alignment {self.alignment.value.data}")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" : ")
        printer.print_attribute(self.type)

    def verify_(self) -> None:
        """Check the alignment, and that only a rotating buffer counts slots."""
        if self.alignment is not None and self.alignment.value.data.bit_count() != 1:
            raise VerifyException(f"'alignment' must be a power of two, got {self.alignment.value.data}")
        if self.slots is not None and self.rotating is None:
            raise VerifyException("'slots' needs 'rotating': a resident buffer has one slot")


@irdl_op_definition
class PhaseOp(IRDLOperation):
    """A span of the kernel's time with buffers that live only there.

    Sibling phases share their memory: each starts at the end of the buffers that are always live.

    ```mlir
    sched.phase {
      sched.buffer @out : memref<16x16xf32>
    }
    ```
    """

    name = "sched.phase"

    body = region_def("single_block")

    traits = lazy_traits_def(lambda: (NoTerminator(), HasParent(KernelOp)))

    def __init__(self, body: Region | Sequence[Operation], attributes: dict[str, Attribute] | None = None):
        super().__init__(
            regions=[body if isinstance(body, Region) else Region(Block(body))], attributes=attributes or {}
        )

    @classmethod
    def parse(cls, parser: Parser) -> PhaseOp:
        """Parse `attr-dict? { buffers }`."""
        attributes = parser.parse_optional_attr_dict_with_keyword()
        return cls(_parse_body(parser), dict(attributes.data) if attributes else None)

    def print(self, printer: Printer) -> None:
        """Print the custom form."""
        printer.print_op_attributes(self.attributes, print_keyword=True)
        _print_body(printer, self.body)

    def verify_(self) -> None:
        """Check that there is nothing but buffers in it."""
        _verify_body(self, BufferOp)


_BUFFER_PROPERTIES: dict[str, type] = {
    "sym_name": StringAttr,
    "rotating": UnitAttr,
    "slots": SlotsAttr,
    "dynamic": UnitAttr,
    "alignment": IntegerAttr,
    "type": MemRefType,
}
_KERNEL_PROPERTIES: dict[str, type] = {
    "sym_name": StringAttr,
    "stages": IntegerAttr,
    "target": TargetAttr,
    "stripped": StrippedAttr,
    "footprint": FootprintAttr,
    "verdict": VerdictAttr,
}


@cache
def _are_exactly(of_kernel: bool, names: tuple[str, ...], types: tuple[type, ...]) -> bool:
    """Whether properties of these names and types are those of a kernel or a buffer, and none is missing.

    There are few combinations in a module, and as many calls as operations.
    """
    allowed = _KERNEL_PROPERTIES if of_kernel else _BUFFER_PROPERTIES
    required = ("sym_name", "stages") if of_kernel else ("sym_name", "type")
    return all(name in names for name in required) and all(
        type is allowed.get(name) for name, type in zip(names, types, strict=True)
    )


def _is_i64(attribute: Attribute, *, least: int) -> bool:
    value = cast("IntegerAttr", attribute)
    return value.type == i64 and value.value.data >= least


def _is_plain_buffer(op: Operation) -> bool:
    """Whether IRDL's verifier would have nothing to say of `op`, a buffer in a kernel."""
    properties = op.properties
    if (
        op.__class__ is not BufferOp
        or op.operands
        or op.results
        or op.successors
        or op.regions
        or not _are_exactly(False, tuple(properties), tuple(map(type, properties.values())))
        or ("slots" in properties and "rotating" not in properties)
    ):
        return False
    alignment = properties.get("alignment")
    return alignment is None or (
        _is_i64(alignment, least=1) and cast("IntegerAttr", alignment).value.data.bit_count() == 1
    )


@irdl_op_definition
class KernelOp(IRDLOperation):
    """A kernel's schedule: the buffers that it stages in threadgroup memory, and through how many stages it rotates.

    `target` names the GPU where it differs from the enclosing operations'. The passes write `footprint` and `verdict`,
    and `stripped` where they took a rotation out.

    ```mlir
    sched.kernel @sgemm stages 3 {
      sched.buffer @a rotating : memref<16x16xf32>
      sched.buffer @b rotating : memref<16x16xf32>
    }
    ```
    """

    name = "sched.kernel"

    sym_name = prop_def(StringAttr)
    stages = prop_def(IntegerAttr.constr(type=i64, value=AtLeast(1)), default_value=IntegerAttr(1, i64))
    target = opt_prop_def(TargetAttr)
    stripped = opt_prop_def(StrippedAttr)
    footprint = opt_prop_def(FootprintAttr)
    verdict = opt_prop_def(VerdictAttr)

    body = region_def("single_block")

    traits = lazy_traits_def(lambda: (IsolatedFromAbove(), NoTerminator(), SymbolOpInterface(), SymbolTable()))

    ANNOTATIONS: ClassVar = {
        "target": TargetAttr,
        "stripped": StrippedAttr,
        "footprint": FootprintAttr,
        "verdict": VerdictAttr,
    }
    """The optional properties and their attributes, in the order of the custom form."""

    def __init__(
        self,
        sym_name: str,
        body: Region | Sequence[Operation],
        *,
        stages: int = 1,
        properties: dict[str, Attribute] | None = None,
        attributes: dict[str, Attribute] | None = None,
    ):
        super().__init__(
            properties={"sym_name": StringAttr(sym_name), "stages": IntegerAttr(stages, i64), **(properties or {})},
            attributes=attributes or {},
            regions=[body if isinstance(body, Region) else Region(Block(body))],
        )

    @property
    def stage_count(self) -> int:
        """How many stages the kernel rotates through."""
        return self.stages.value.data

    def buffers(self) -> Iterator[tuple[BufferOp, int | None]]:
        """The buffers in declaration order, each with the number of its phase (None: always live)."""
        phase = 0
        for op in self.body.block.ops:
            if isinstance(op, BufferOp):
                yield op, None
            elif isinstance(op, PhaseOp):
                yield from ((buffer, phase) for buffer in op.body.block.ops if isinstance(buffer, BufferOp))
                phase += 1

    @classmethod
    def parse(cls, parser: Parser) -> KernelOp:
        """Parse `@name (stages N)? (target <>)? (stripped <>)? (footprint <>)? (verdict <>)? attr-dict? { body }`."""
        sym_name = parser.parse_symbol_name().data
        stages = 1
        if parser.parse_optional_keyword("stages") is not None:
            start = parser.pos
            stages = parser.parse_integer(allow_boolean=False, context_msg=" for the number of stages")
            if not 1 <= stages <= MOST_STAGES:
                parser.raise_error(f"expected at least 1 stage and fewer than 2^63, got {stages}", start, parser.pos)
        properties: dict[str, Attribute] = {}
        for name, attribute in cls.ANNOTATIONS.items():
            if parser.parse_optional_keyword(name) is not None:
                properties[name] = attribute.new(attribute.parse_parameter(parser))
        attributes = parser.parse_optional_attr_dict_with_keyword()
        body = _parse_body(parser, "stages", *cls.ANNOTATIONS)
        return cls(
            sym_name,
            body,
            stages=stages,
            properties=properties,
            attributes=dict(attributes.data) if attributes else None,
        )

    def print(self, printer: Printer) -> None:
        """Print the custom form; one stage goes without saying, unless a rotation was taken out."""
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name)
        if self.stage_count != 1 or self.stripped is not None:
            printer.print_string(f" stages {self.stage_count}")
        for name, attribute in self.ANNOTATIONS.items():
            value = self.properties.get(name)
            if isinstance(value, attribute):
                printer.print_string(f" {name} ")
                value.print_parameter(printer)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        _print_body(printer, self.body)

    def verify(self, verify_nested_ops: bool = True) -> None:
        """Check the kernel, and what is in it.

        IRDL's verifier takes 120 microseconds for a kernel of three buffers. Nearly all kernels are valid in the same
        plain way, which takes 10 to see; any other goes to IRDL's verifier, which says what is wrong, if anything is.
        """
        if not (fast_path.enabled() and self._is_plainly_valid()):
            super().verify(verify_nested_ops)

    def _is_plainly_valid(self) -> bool:
        """Whether the kernel is of nothing but the usual parts, each of exactly the type that it must have."""
        properties = self.properties
        region = self.parent_region()
        if (
            region is None
            or not isinstance(region.parent, ModuleOp | CandidatesOp)
            or region.first_block is not region.last_block
            or self.operands
            or self.results
            or self.successors
            or len(self.regions) != 1
            or not _are_exactly(True, tuple(properties), tuple(map(type, properties.values())))
            or not _is_i64(properties["stages"], least=1)
        ):
            return False
        body = self.regions[0].first_block
        if body is None or body is not self.regions[0].last_block or body.args:
            return False
        names: set[str] = set()
        op = body.first_op
        while op is not None:
            if not _is_plain_buffer(op):
                return False
            name = cast("BufferOp", op).sym_name.data
            if name in names:
                return False
            names.add(name)
            op = op.next_op
        return True

    def verify_(self) -> None:
        """Check that only buffers and phases are inside, each buffer with a name of its own."""
        _verify_body(self, BufferOp, PhaseOp)
        seen: set[str] = set()
        for buffer, _ in self.buffers():
            name = buffer.sym_name.data
            if name in seen:
                raise VerifyException(f"buffer '@{name}' is declared twice in kernel '@{self.sym_name.data}'")
            seen.add(name)


@irdl_op_definition
class CandidatesOp(IRDLOperation):
    """A search space: schedules of which one is to be chosen.

    Candidates that differ in nothing but `stages` and the names of their buffers are rotations of one schedule, and
    only those are ever compared.

    ```mlir
    sched.candidates @sgemm {
      sched.kernel @sgemm_s1 {
        sched.buffer @tile rotating : memref<32x16xf32>
      }
      sched.kernel @sgemm_s2 stages 2 {
        sched.buffer @tile rotating : memref<32x16xf32>
      }
    }
    ```
    """

    name = "sched.candidates"

    sym_name = prop_def(StringAttr)

    body = region_def("single_block")

    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface(), SymbolTable())

    def __init__(
        self, sym_name: str, body: Region | Sequence[Operation], attributes: dict[str, Attribute] | None = None
    ):
        super().__init__(
            properties={"sym_name": StringAttr(sym_name)},
            regions=[body if isinstance(body, Region) else Region(Block(body))],
            attributes=attributes or {},
        )

    def kernels(self) -> list[KernelOp]:
        """The candidates, in source order."""
        return [op for op in self.body.block.ops if isinstance(op, KernelOp)]

    @classmethod
    def parse(cls, parser: Parser) -> CandidatesOp:
        """Parse `@name attr-dict? { kernels }`."""
        sym_name = parser.parse_symbol_name().data
        attributes = parser.parse_optional_attr_dict_with_keyword()
        return cls(sym_name, _parse_body(parser), dict(attributes.data) if attributes else None)

    def print(self, printer: Printer) -> None:
        """Print the custom form."""
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        _print_body(printer, self.body)

    def verify_(self) -> None:
        """Check that there is nothing but kernels in it."""
        _verify_body(self, KernelOp)


Sched = Dialect(
    "sched",
    [
        BufferOp,
        CandidatesOp,
        KernelOp,
        PhaseOp,
    ],
    [
        FootprintAttr,
        SgemmAttr,
        SlotsAttr,
        StrippedAttr,
        TargetAttr,
        VerdictAttr,
    ],
)
