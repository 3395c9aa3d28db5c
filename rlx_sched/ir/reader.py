"""Read MLIR text without losing anything.

Operations in generic form, `"dialect.op"(...)`, are carried opaquely, whatever xDSL's own definition of them is; the
exceptions are `builtin.module` and the `sched` dialect. Operations in custom form are read by xDSL's dialects.
"""

from __future__ import annotations

import codecs
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, NoReturn, TypeAlias, TypeVar, cast

from xdsl.context import Context
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import Builtin, LocationAttr, ModuleOp, UnitAttr, UnknownLoc, UnregisteredOp
from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    Operation,
    Region,
    RegionBlocks,
    SSAValue,
    SSAValues,
    TypeAttribute,
    Use,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.parser.core import ForwardDeclaredValue
from xdsl.parser.generic_parser import ParserState
from xdsl.utils.exceptions import DiagnosticException, ParseError
from xdsl.utils.lexer import Input, Span
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRTokenKind

from rlx_sched import fast_path
from rlx_sched.ir import scanner
from rlx_sched.ir.custom_forms import is_proven, mend
from rlx_sched.ir.scanner import ScanError
from rlx_sched.ir.source_map import WRITTEN_UNKNOWN, SourceMap
from rlx_sched.ir.values import Values, is_huge, string_bytes, tokens
from rlx_sched.ir.verbatim import VerbatimAttr
from rlx_sched.spelling import did_you_mean

if TYPE_CHECKING:
    from rlx_sched.ir.plain_kernels import PlainKernels

_T = TypeVar("_T")
_A = TypeVar("_A", bound=Attribute)

OWN_DIALECT = "sched"
_OTHER_TOOLS = {
    "tt": "triton-opt",
    "ttg": "triton-opt",
    **dict.fromkeys(("flow", "hal", "iree_codegen", "iree_gpu", "iree_tensor_ext", "stream", "util"), "iree-opt"),
}
"""What reads the dialects that `mlir-opt` does not know."""
_NEVER_GENERIC = (f"{OWN_DIALECT}.", "module", "builtin.module")

_AFFINE_MAP = "affine_map<"

OP_NAME = "op_name__"
"""The attribute in which xDSL keeps the name of an operation of an unknown dialect."""

_PLAIN_STARTS = (f"{OWN_DIALECT}.", f'"{OWN_DIALECT}.')
FILE_METADATA = "{-#"
"""The attribute of a module, refused in a file, that holds the text of its `{-# ... #-}` sections."""

_DIALECT = re.compile(r"(\w+)\.")
_LONG_NUMBER = re.compile(rf"[0-9]{{{sys.int_info.default_max_str_digits + 1},}}")
"""What Python refuses to take for a number, lest that take long."""

_RESULT = rf"%[\w$.-]+(?:{scanner.BLANK.pattern}:{scanner.BLANK.pattern}[0-9]+)?{scanner.BLANK.pattern}"
_RESULTS = re.compile(rf"(?:{_RESULT}(?:,{scanner.BLANK.pattern}{_RESULT})*={scanner.BLANK.pattern})?", re.ASCII)


_VALUE_NAME = r"%(?:[0-9]+|[A-Za-z_$.-][\w$.-]*)"
_LINE = re.compile(
    rf"""\s*(?:({_VALUE_NAME}(?:,[ ]{_VALUE_NAME})*|{_VALUE_NAME}:[0-9]+)[ ]=[ ])?   # results
         "([\w$.-]+)"                                                  # name
         \(((?:%[\w$.#-]+(?:,[ ]%[\w$.#-]+)*)?)\)                      # operands
         ([^\n]{{0,4096}}+)\n                                          # the rest
         (?=\s*[%"}}^])                                                # which cannot go on: something else starts""",
    re.ASCII | re.VERBOSE,
)
"""An operation in generic form on a line of its own, printed as MLIR does.

Longer lines are read like any other text: looking for the end of one that holds many operations, from each of them,
takes time with the square of their number.
"""

_Rest: TypeAlias = tuple[
    dict[str, Attribute], dict[str, Attribute], Sequence[Attribute], Sequence[Attribute], LocationAttr | None
]
"""What follows the operands of an operation: properties, attributes, types of operands and results, location."""


def decode(data: bytes, name: str) -> str:
    """The text of a file, without a byte order mark and with newlines as line ends.

    Raises:
        ParseError: at the first byte that is not valid UTF-8.
    """
    data = data.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        text = data.decode(errors="replace")
        start = len(data[: error.start].decode())
        found = f"expected UTF-8, found the byte 0x{data[error.start]:02X}"
        raise ParseError(Span(start, start + 1, Input(text, name)), found) from None


def read_module(ctx: Context, text: str, name: str, *, line_offset: int = 0) -> tuple[ModuleOp, SourceMap]:
    """Read a module from `text`, which was found in the file `name` after `line_offset` lines.

    Raises:
        ParseError: with the place, and what was expected there.
    """
    reader = Reader(ctx, text, name, line_offset=line_offset)
    return reader.read(), reader.source_map


class _Lexer(MLIRLexer):
    """xDSL's lexer, without its exponential time on a string that does not end, nor its memory for long comments."""

    _whitespace_regex = scanner.BLANK
    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')


class WrittenProperties(dict[str, Attribute]):
    """The properties of an operation that has none but says so: MLIR tells `<{}>` from nothing."""


class _CountedBlocks(RegionBlocks):
    """The blocks of a region of which somebody has counted `count`."""

    def __init__(self, region: Region, count: int):
        super().__init__(region)
        self._count = count

    def __len__(self) -> int:
        return self._count


class _Region(Region):
    """A region that is verified in time with the number of its blocks.

    xDSL asks for that number at each of them, and counts anew each time.
    """

    _count: int | None = None
    """The number of blocks while nothing changes it."""

    @property
    def blocks(self) -> RegionBlocks:
        """The blocks, in their order."""
        return super().blocks if self._count is None else _CountedBlocks(self, self._count)

    def verify(self) -> None:
        """Check all that is in the region."""
        self._count = len(super().blocks)
        try:
            super().verify()
        finally:
            self._count = None


class _Parser(Parser):
    """xDSL's parser, without the memory of all resources that it ever read in the process."""

    def _parse_dialect_resource_handle(self, dialect_name: str, interface: OpAsmDialectInterface) -> str:
        """Parse the name of a resource, which xDSL would change if another file has it."""
        return self.parse_identifier(context_msg=" for resource handle")


class Reader(_Parser):
    """xDSL's parser, with a way of its own for everything in generic form.

    The methods that it overrides, and the private ones it calls, are those of xDSL 0.75 (`docs/upstream.md` says why).
    """

    def __init__(self, ctx: Context, text: str, name: str = "<unknown>", *, line_offset: int = 0):
        self._fast_path = fast_path.enabled()
        self.source_map = SourceMap(text, name, line_offset)
        self._text = text
        self._foreign_ops: dict[str, type[Operation]] = {}
        self._values: Values | None = None
        self._definitions: Sequence[re.Match[str]] = ()
        self._rests: dict[str, _Rest] = {}
        self._plain_kernels: PlainKernels | None = None
        # The operation being read, and whether it is in custom form: what an error is about.
        self._operation_start = 0
        self._is_custom = False
        # What an operation in custom form had in braces, one by one.
        self._dictionaries: list[dict[str, Attribute]] = []
        self._location_end = 0
        self._inside_attribute = False
        self._custom_aliases_known = False
        self._faithful: set[str] = set()
        self._metadata: list[str] = []
        # The names that the current region has given, each with what it hides of the regions around.
        self._hidden: dict[str, tuple[SSAValue, ...] | None] = {}
        self._region_start = 0
        self._forward_places: dict[str, Span] = {}
        # For regions that gave a value's name again, the last one last: the first use outside, and where it started.
        self._outside: defaultdict[SSAValue, list[tuple[Use, int]]] = defaultdict(list)
        # The operands that are others when the current region ends, all of operations in it.
        self._replaced: defaultdict[Operation, dict[SSAValue, SSAValue]] = defaultdict(dict)
        super().__init__(ctx, "", name)
        try:
            self._parser_state = ParserState(_Lexer(Input(text, name)))
        except ParseError as error:
            raise self._placed(error) from None

    def read(self) -> ModuleOp:
        """Read the whole text.

        Raises:
            ParseError: with the place, and what was expected there.
        """
        try:
            return self.parse_module()
        except ParseError as error:
            raise self._placed(error) from error.__cause__
        except RecursionError:
            raise self._failed("operations, attributes or types are nested too deeply") from None
        except DiagnosticException as error:
            raise self._failed(str(error)) from error
        except (MemoryError, OSError, ImportError):
            # The input is not at fault: dialects are loaded when their first operation is read.
            raise
        except Exception as error:
            number = _LONG_NUMBER.search(self._text, self._text.rfind("\n", 0, self._operation_start) + 1)
            if isinstance(error, ValueError) and number is not None:
                digits = number.end() - number.start()
                span = Span(*number.span(), self.lexer.input)
                raise self._placed(
                    ParseError(span, f"a number of {digits} digits is more than any type holds")
                ) from None
            # xDSL's dialects let ValueError, NotImplementedError, AssertionError and more escape on input they refuse.
            raise self._failed(f"xDSL cannot read this operation: {str(error) or type(error).__name__}") from error

    def _failed(self, message: str) -> ParseError:
        span = Span(self._operation_start, self._operation_start, self.lexer.input)
        return self._placed(ParseError(span, message))

    def _placed(self, error: ParseError) -> ParseError:
        """`error` with its place in the file and, if an operation in custom form is to blame, what to do about it."""
        span = cast("Span[str]", error.span)
        start = min(span.start, len(self._text))
        end = min(max(span.end, start), len(self._text))
        message = error.msg
        if self._is_custom and not self._text.startswith(_NEVER_GENERIC, self._operation_start):
            message = f"{message.rstrip('.')}; {self._generic_form_advice()}"
        return ParseError(
            Span(start, end, Input(self._text, self.source_map.name), self.source_map.line_offset), message
        )

    def _generic_form_advice(self) -> str:
        dialect = _DIALECT.match(self._text, self._operation_start)
        tool = _OTHER_TOOLS.get(dialect[1], "mlir-opt") if dialect is not None else "mlir-opt"
        program = "" if tool == "mlir-opt" else f"={tool}"
        return (
            "xDSL reads only part of MLIR's custom syntax: get the generic form with "
            f"`{tool} --mlir-print-op-generic`, "
            f"or read it through one first: `rlx-opt --via-mlir-opt{program} FILE -o read.mlir`"
        )

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        """Parse the operations of the file; a module goes around them unless one is all there is."""
        ops: list[Operation] = []
        while (kind := self._current_token.kind) != MLIRTokenKind.EOF:
            if kind in (MLIRTokenKind.HASH_IDENT, MLIRTokenKind.EXCLAMATION_IDENT):
                self._parse_alias_def()
            elif kind == MLIRTokenKind.FILE_METADATA_BEGIN:
                self._parse_file_metadata_dictionary()
            elif (op := self.parse_optional_operation()) is not None:
                ops.append(op)
            else:
                self.raise_error(f"expected an operation, {self._found()}")
        for name in self.forward_ssa_references:
            self.raise_error(f"value %{name} is used but not defined", self._forward_places[name])
        self._refuse_undefined_blocks()
        self._settle_operands()
        module = ops[0] if len(ops) == 1 and isinstance(ops[0], ModuleOp) else ModuleOp(ops)
        if self._metadata:
            module.attributes[FILE_METADATA] = VerbatimAttr("\n".join(self._metadata))
        return module

    def _found(self) -> str:
        return f"found '{self._current_token.text}'" if self._current_token.text else "found the end of the file"

    def _refuse_undefined_blocks(self) -> None:
        for name, spans in self.forward_block_references.items():
            self.raise_error(f"block ^{name} is used but not defined in this region", spans[0])

    @property
    def values(self) -> Values:
        """The attributes and types of this file."""
        if self._values is None:
            self._values = Values(self._foreign_context(), self._find_aliases())
        return self._values

    def _foreign_context(self) -> Context:
        """The dialects whose attributes are more than text in generic form."""
        context = Context(allow_unregistered=True)
        context.load_dialect(Builtin)
        if (own := self.ctx.get_optional_dialect(OWN_DIALECT)) is not None:
            context.load_dialect(own)
        return context

    def _find_aliases(self) -> dict[str, str]:
        """The text of every alias. MLIR prints those of locations last, after their uses."""
        aliases: dict[str, str] = {}
        self._definitions = scanner.definitions(self._text)
        for match in self._definitions:
            start = scanner.skip_blank(self._text, match.end())
            end = self._scan(scanner.value_end, start)
            if match[1] in aliases:
                self.raise_error(f"alias '{match[1]}' is defined twice", match.start(1), match.end(1))
            aliases[match[1]] = self._text[start:end]
        return aliases

    def _parse_alias_def(self) -> None:
        """Step over the definition of an alias: all were found before."""
        start = self.pos
        while self._text[start - 1 : start] in (" ", "\t"):
            start -= 1
        match = scanner.DEFINITION.match(self._text, start)
        if match is None or match.start(1) != self.pos:
            self.raise_error("expected an operation, or the definition of an alias on a line of its own")
        end = self._scan(scanner.value_end, scanner.skip_blank(self._text, match.end()))
        self._value(self.values.attribute, self.pos, match.end(1))
        self._resume_from(end)

    def _define_aliases_for_custom_form(self) -> None:
        """Have xDSL's own parser know the aliases that it can hold; those it cannot stay undefined there."""
        values = self.values
        for match in self._definitions:
            text = self._value(values.expand, match.start(1), match.end(1))
            try:
                value = _Parser(self.ctx, text).parse_attribute()
            except MemoryError:
                raise
            except Exception:
                # The whole of what xDSL raises on attributes it cannot hold, as in `Values`.
                continue
            if tokens(_without_maps(str(value))) == tokens(_without_maps(text)):
                self.attribute_aliases[match[1]] = value

    def _parse_file_metadata_dictionary(self) -> None:
        """Keep the text of `{-# ... #-}`: resources are nothing to compute with here."""
        section = scanner.METADATA.match(self._text, self.pos)
        if section is None:
            self.raise_error("expected '#-}' that closes this '{-#'")
        self._metadata.append(section.group())
        self._resume_from(section.end())

    def _scan(self, scan: Callable[[str, int], int], position: int) -> int:
        """Call a function of the scanner; its errors become errors at a place of the file."""
        try:
            return scan(self._text, position)
        except ScanError as error:
            self._fail(error, 0)

    def _value(self, make: Callable[[str], _T], start: int, end: int) -> _T:
        """What `make` makes of the text from `start` to `end`; its errors become errors at a place of the file."""
        try:
            return make(self._text[start:end])
        except ScanError as error:
            self._fail(error, start)

    def _fail(self, error: ScanError, offset: int) -> NoReturn:
        position = error.position + offset
        raise ParseError(Span(position, position + 1, self.lexer.input), error.message) from error

    def parse_optional_operation(self) -> Operation | None:
        """Parse an operation if there is one, also one whose name xDSL takes for bytes."""
        if self._current_token.kind == MLIRTokenKind.BYTES_LIT:
            return self.parse_operation()
        return super().parse_optional_operation()

    def parse_operation(self) -> Operation:
        """Parse an operation in either form."""
        start = self.pos
        outer = self._operation_start, self._is_custom, self._dictionaries
        results = _RESULTS.match(self._text, start)
        # As in MLIR, an operation is where its name is.
        self._operation_start = name = start if results is None else results.end()
        self._is_custom = not self._text.startswith('"', name)
        if self._is_custom:
            self._dictionaries = []
            op = super().parse_operation()
            mend(op, self._dictionaries)
        else:
            op = self._parse_foreign(start)
        if FILE_METADATA in op.attributes and isinstance(op, ModuleOp):
            self.raise_error(f"a module cannot have an attribute named '{FILE_METADATA}'", name, name)
        self._operation_start, self._is_custom, self._dictionaries = outer
        self.source_map.record((op, name))
        return op

    def _parse_foreign(self, start: int) -> Operation:
        """Parse an operation in generic form."""
        bound = self._parse_op_result_list()
        name = self.parse_optional_str_literal()
        if name is None:
            self.raise_error("the name of an operation is not valid UTF-8")
        operands = self.parse_op_args_list()
        successors = self.parse_optional_successors() or []
        properties: dict[str, Attribute] = {}
        if self.parse_optional_punctuation("<") is not None:
            properties = self._parse_dictionary() or WrittenProperties()
            self.parse_punctuation(">")
        regions = self.parse_region_list()
        attributes = self._parse_dictionary() if self._current_token.kind == MLIRTokenKind.L_BRACE else {}
        self.parse_punctuation(":", " before the type of the operation")
        signature = self.pos
        if not self._text.startswith("(", signature):
            self.raise_error("function type expected")
        end = self._scan(scanner.type_end, signature)
        inputs, outputs = self._value(self.values.signature, signature, end)
        self._resume_from(end)
        if self._current_token.text == "loc":
            end = self._scan(scanner.value_end, self.pos)
        location = self.parse_optional_location()
        if len(operands) != len(inputs):
            self.raise_error(f"expected {len(operands)} operand types, found {len(inputs)}", signature, end)
        kind = self._foreign_ops.get(name)
        if kind is None:
            kind = self._foreign_ops[name] = self._operation_class(name)
        if OP_NAME in attributes:
            self.raise_error(f"an attribute named '{OP_NAME}' cannot be kept: xDSL uses that name itself", start)
        if kind is ModuleOp:
            if len(regions) != 1:
                self.raise_error(f"expected one region of a module, found {len(regions)}", start)
            _adapt_module(properties, attributes, regions[0])
        op = kind.create(
            operands=[self.resolve_operand(operand, type) for operand, type in zip(operands, inputs, strict=True)],
            result_types=outputs,
            properties=properties,
            attributes=attributes,
            successors=successors,
            location=location,
        )
        # xDSL's own way to add regions copies those that are there for each of them.
        op.regions = tuple(regions)
        for region in regions:
            region.parent = op
        if isinstance(properties, WrittenProperties):
            op.properties = properties
        elif isinstance(op, UnregisteredOp) and not regions and not successors:
            self._remember_line(start, end, (properties, op.attributes.copy(), inputs, outputs, location))
        self._bind(start, bound, op)
        return op

    def _remember_line(self, start: int, end: int, rest: _Rest) -> None:
        """Remember what the rest of a line says, if the operation from `start` to `end` is on one line."""
        line = _LINE.match(self._text, start)
        if line is not None and line.end(4) == end:
            self._rests[f"{line[2]} {line[4]}"] = rest

    def _parse_block_body(self, block: Block) -> None:
        """Parse the operations of a block and add them to it."""
        while True:
            self._parse_known_lines(block)
            self._parse_plain_kernels(block)
            op = self.parse_optional_operation()
            if op is None:
                return
            block.add_op(op)

    def _parse_plain_kernels(self, block: Block) -> None:
        """Parse the kernels of the `sched` dialect that are spelled as the printer spells them."""
        if not self._fast_path or not self._text.startswith(_PLAIN_STARTS, self.pos):
            return
        if self._plain_kernels is None:
            # Not imported before there is a kernel: the dialect is not free to import.
            from rlx_sched.ir.plain_kernels import PlainKernels

            self._plain_kernels = PlainKernels(self._text, self._parse_fragment, self.source_map.record)
        end = self._plain_kernels.read(self.pos, block)
        if end != self.pos:
            self._resume_from(end)

    def _parse_fragment(self, text: str) -> Operation:
        """Parse an operation that is no part of the file, and all there is in `text`, with the aliases of the file."""
        reader = Reader(self.ctx, text)
        reader._values = self.values
        reader._fast_path = False
        op = reader.parse_operation()
        if reader._current_token.kind != MLIRTokenKind.EOF:
            reader.raise_error(f"expected nothing more, {reader._found()}")
        return op

    def _parse_known_lines(self, block: Block) -> None:
        """Parse the operations that differ only in the names of values from one that was parsed before.

        This is what makes reading fast: compilers print few different lines. Whatever is unusual (a value not defined
        yet, another type) is left to `_parse_foreign`, which says what is wrong with it, if anything is.
        """
        if not self._fast_path:
            return
        text, match, rests, known, record = (
            self._text,
            _LINE.match,
            self._rests,
            self.ssa_values,
            self.source_map.record,
        )
        start = position = self.pos
        while (line := match(text, position)) is not None:
            results, name, operands, rest = line.groups()
            found = rests.get(f"{name} {rest}")
            if found is None:
                break
            properties, attributes, inputs, outputs, location = found
            values = [named[0] for operand in operands.split(", ") if len(named := known.get(operand[1:], ())) == 1]
            if (
                len(values) != len(inputs)
                or operands.count("%") != len(inputs)
                or not all(
                    value.type is type or _same(value.type, type) for value, type in zip(values, inputs, strict=True)
                )
            ):
                break
            names = results.split(", ") if results else ()
            if names and (
                len(names) != len(outputs) or any(map(self._is_special, names)) or len({*names}) != len(names)
            ):
                break
            op = self._foreign_ops[name].__new__(self._foreign_ops[name])
            Operation.__init__(
                op,
                operands=values,
                result_types=outputs,
                properties=properties,
                attributes=attributes,
                location=location,
            )
            for result, value_name in zip(op.results, names, strict=False):
                self._hidden[value_name[1:]] = None
                known[value_name[1:]] = (result,)
                if not value_name[1].isdigit() and SSAValue.is_valid_name(value_name[1:]):
                    result.name_hint = value_name[1:]
            block.add_op(op)
            record((op, line.start(2) - 1))
            position = line.end()
        if position != start:
            self._resume_from(position)

    def _is_special(self, name: str) -> bool:
        """Whether giving `name`, which has its `%`, to a value is more than writing it down."""
        return name[1:] in self.ssa_values or name[1:] in self.forward_ssa_references or ":" in name

    def _operation_class(self, name: str) -> type[Operation]:
        if name == ModuleOp.name:
            return ModuleOp
        if name.startswith(f"{OWN_DIALECT}."):
            return self._get_op_by_name(name)
        return _opaque(name)

    def _get_op_by_name(self, name: str) -> type[Operation]:
        """The class of an operation in custom form."""
        kind = super()._get_op_by_name(name)
        if issubclass(kind, UnregisteredOp):
            self.raise_error(f"unknown operation '{name}'{self._similar_operation(name)}", self._operation_start)
        # xDSL itself refuses what has no custom form in it, with a better place.
        has_custom_form = kind.parse.__func__ is not Operation.parse.__func__
        if self._is_custom and has_custom_form and not is_proven(kind.name):
            self.raise_error(f"'{kind.name}' is read in generic form only", self._operation_start)
        return kind

    def _similar_operation(self, name: str) -> str:
        """Which operation of the same dialect `name` probably is meant to be, as the end of a message."""
        dialect = self.ctx.get_optional_dialect(name.partition(".")[0])
        names = [operation.name for operation in dialect.operations] if dialect else []
        return did_you_mean(name, names)

    def _bind(self, start: int, bound: Sequence[tuple[Span, int]], op: Operation) -> None:
        """Give the results of `op` the names that are written before it."""
        count = sum(size for _, size in bound)
        if bound and count != len(op.results):
            self.raise_error(f"expected names for {len(op.results)} results, found {count}", start, start)
        index = 0
        for span, size in bound:
            self._register_ssa_definition(span.text[1:], op.results[index : index + size], span)
            index += size

    def _parse_dictionary(self) -> dict[str, Attribute]:
        start = self.pos
        if not self._text.startswith("{", start):
            self.raise_error("expected '{'")
        end = self._scan(scanner.group_end, start)
        try:
            entries = self.values.dictionary(self._text, start, end)
        except ScanError as error:
            self._fail(error, 0)
        self._resume_from(end)
        return entries

    def parse_optional_location(self) -> LocationAttr | None:
        """Parse a trailing `loc(...)`, of any kind."""
        if self._current_token.text != "loc":
            return None
        start = self.pos
        end = self._scan(scanner.value_end, start)
        location = self._value(self.values.attribute, start, end)
        self._resume_from(end)
        self._location_end = self.pos
        return WRITTEN_UNKNOWN if isinstance(location, UnknownLoc) else cast(LocationAttr, location)

    def parse_optional_dictionary_attr_dict(self) -> dict[str, Attribute]:
        """Parse `{...}`; xDSL asks for one after each argument of a function, and once more after a location."""
        is_next = not self._inside_attribute and self.pos != self._location_end
        dictionary = super().parse_optional_dictionary_attr_dict()
        if is_next:
            self._dictionaries.append(dictionary)
        return dictionary

    def parse_optional_attribute(self) -> Attribute | None:
        """Parse an attribute: opaquely in generic form; in custom form an xDSL object that is the same value."""
        if not self._is_custom:
            return self._parse_value(scanner.value_end, self.values.attribute)
        return self._parse_faithfully(super().parse_optional_attribute)

    def parse_optional_type(self) -> TypeAttribute | None:
        """Parse a type: opaquely in generic form; in custom form an xDSL object that is the same type."""
        if not self._is_custom:
            return cast(TypeAttribute, self._parse_value(scanner.type_end, self.values.type))
        self._scan(scanner.check_shape, self._current_token.span.end)
        return self._parse_faithfully(super().parse_optional_type)

    def _parse_value(self, scan: Callable[[str, int], int], make: Callable[[str], Attribute]) -> Attribute:
        start = self.pos
        end = self._scan(scan, start)
        value = self._value(make, start, end)
        self._resume_from(end)
        return value

    def _parse_faithfully(self, parse: Callable[[], _A | None]) -> _A | None:
        """What xDSL's `parse` gives, if it would be printed as the text it was parsed from."""
        if self._inside_attribute:
            return parse()
        if not self._custom_aliases_known:
            self._custom_aliases_known = True
            self._define_aliases_for_custom_form()
        start = self.pos
        self._inside_attribute = True
        try:
            value = parse()
        finally:
            self._inside_attribute = False
        text = self._text[start : self.pos].rstrip()
        if value is None or text in self._faithful:
            return value
        # No deeper than in generic form, or what is printed could not be read.
        self._scan(scanner.value_end, start)
        expanded = self._value(self.values.expand, start, start + len(text))
        if tokens(_without_maps(str(value))) != tokens(_without_maps(expanded)):
            self.raise_error(f"xDSL would turn `{text}` into `{value}`", start, start + len(text))
        self._faithful.add(text)
        return value

    def parse_optional_str_literal(self) -> str | None:
        """Parse a string literal, also one with escapes outside of ASCII, which xDSL takes for bytes."""
        if self._current_token.kind == MLIRTokenKind.BYTES_LIT:
            with suppress(UnicodeDecodeError):
                text = string_bytes(self._current_token.text).decode()
                self._consume_token()
                return text
        return super().parse_optional_str_literal()

    def _parse_attribute_entry(self) -> tuple[str, Attribute]:
        """Parse `name = attribute` in custom form. What xDSL cannot hold is kept as text, as in generic form."""
        name = self.parse_optional_identifier_or_str_literal()
        if name is None:
            self.raise_error("attribute name expected")
        if self.parse_optional_punctuation("=") is None:
            return name, UnitAttr()
        start = self.pos
        end = self._scan(scanner.value_end, start)
        try:
            if is_huge(scanner.without_comments(self._text[start:end])):
                raise ValueError
            value = self.parse_attribute()
            # Nobody computes with the attributes of other dialects, so those may as well be kept to the letter.
            is_kept = "." not in name or tokens(str(value)) == tokens(self.values.expand(self._text[start:end]))
            if is_kept and self.pos == scanner.skip_blank(self._text, end):
                return name, value
        except MemoryError:
            raise
        except Exception:
            # The whole of what xDSL raises on attributes it cannot hold, as in `Values`.
            self._inside_attribute = False
        value = self._value(self.values.attribute, start, end)
        self._resume_from(end)
        return name, value

    def resolve_operand(self, operand: UnresolvedOperand, type: Attribute) -> SSAValue:
        """The value of that name; a placeholder if it is defined later on."""
        name = operand.operand_name
        values = self.ssa_values.get(name)
        if values is None:
            references = self.forward_ssa_references.setdefault(name, {})
            self._forward_places.setdefault(name, operand.span)
            value = references.get(operand.index)
            if value is None:
                value = references[operand.index] = ForwardDeclaredValue(type)
        elif operand.index < len(values):
            value = values[operand.index]
        else:
            self.raise_error(f"%{name} has {len(values)} results, found index {operand.index}", operand.span)
        if not _same(value.type, type):
            self.raise_error(f"%{name} has type {value.type}, used as {type}", operand.span)
        return value

    def _register_ssa_definition(self, name: str, values: Sequence[SSAValue], span: Span) -> None:
        """Give `values` their name in the current region."""
        outer = self.ssa_values.get(name)
        if name in self._hidden:
            self.raise_error(f"value %{name} is already defined", span)
        self._hidden[name] = outer
        self.ssa_values[name] = tuple(values)
        for index, forward in self.forward_ssa_references.pop(name, {}).items():
            if index >= len(values):
                self.raise_error(f"%{name} has {len(values)} results, but #{index} is used", span)
            if not _same(forward.type, values[index].type):
                self.raise_error(f"%{name} has type {values[index].type}, but is used as {forward.type}", span)
            self._replace_uses(forward.uses, forward, values[index])
        if outer is not None:
            self._take_uses(outer, values)
        if not name[0].isdigit() and SSAValue.is_valid_name(name):
            for value in values:
                value.name_hint = name

    def _take_uses(self, outer: Sequence[SSAValue], values: Sequence[SSAValue]) -> None:
        """Make the uses of a name in this region, before its definition here, uses of this definition.

        A name can be given again only inside an operation that is isolated from what is around it. Nothing else tells
        that an unknown operation is: until then, its uses of a name seemed to be of the value outside.
        """
        for old, new in zip(outer, values, strict=False):
            # New uses come first, so what was outside of an earlier region and all after it is outside of this one.
            outside = self._outside[old]
            while outside and outside[-1][1] > self._region_start:
                outside.pop()
            known = outside[-1][0] if outside else None
            first_outside: Use | None = None
            inside: list[Use] = []
            for use in old.uses:
                if use is known:
                    break
                offset = self.source_map.offset(use.operation)
                # One without a place is still being read.
                if offset is None or offset >= self._region_start:
                    inside.append(use)
                else:
                    first_outside = first_outside or use
            if first_outside is not None:
                outside.append((first_outside, self._region_start))
            self._replace_uses(inside, old, new)

    def _replace_uses(self, uses: Iterable[Use], old: SSAValue, new: SSAValue) -> None:
        """Make `uses` of `old` uses of `new` when the region ends."""
        if old is not new:
            for use in uses:
                self._replaced[use.operation][old] = new

    def _settle_operands(self) -> None:
        """Do what was put off: xDSL copies the operands of an operation for each that is replaced.

        The other operands are not touched, for `_take_uses` relies on the order of their uses.
        """
        for op, values in self._replaced.items():
            operands = list(op._operands)  # pyright: ignore[reportPrivateUsage]
            for index, use in enumerate(op._operand_uses):  # pyright: ignore[reportPrivateUsage]
                old = operands[index]
                if (new := values.get(old)) is not None:
                    old.remove_use(use)
                    new.add_use(use)
                    operands[index] = new
            op._operands = SSAValues(operands)  # pyright: ignore[reportPrivateUsage]

    def parse_optional_region(self, arguments: Sequence[Parser.Argument] | None = None) -> Region | None:
        """Parse a region. Its names end with it."""
        start = self.pos
        if self.parse_optional_punctuation("{") is None:
            return None
        outer = (
            self._hidden,
            self._region_start,
            self.forward_ssa_references,
            self.blocks,
            self.forward_block_references,
        )
        outer_replaced = self._replaced
        self._hidden, self._region_start, self.forward_ssa_references = {}, start, {}
        self._replaced = defaultdict(dict)
        self.blocks, self.forward_block_references = {}, defaultdict(list)
        region = _Region()
        if arguments is not None:
            if self._current_token.kind == MLIRTokenKind.CARET_IDENT:
                self.raise_error("expected no label: the region's arguments are named before it")
            self._parse_entry_block(region, arguments)
        elif self._current_token.kind not in (MLIRTokenKind.CARET_IDENT, MLIRTokenKind.R_BRACE):
            self._parse_entry_block(region, ())
        while self.parse_optional_punctuation("}") is None:
            if self._current_token.kind != MLIRTokenKind.CARET_IDENT:
                self.raise_error(f"expected an operation or '}}', {self._found()}")
            region.add_block(self._parse_block())
        self._refuse_undefined_blocks()
        inner = self.forward_ssa_references
        for name, hidden in self._hidden.items():
            if hidden is None:
                del self.ssa_values[name]
            else:
                self.ssa_values[name] = hidden
        self._hidden, self._region_start, self.forward_ssa_references, self.blocks, self.forward_block_references = (
            outer
        )
        self._hand_outwards(inner)
        self._settle_operands()
        self._replaced = outer_replaced
        return region

    def _parse_block(self) -> Block:
        """Parse a labeled block."""
        label = self._parse_token(MLIRTokenKind.CARET_IDENT, "block label expected")
        block, earlier = self.blocks.get(label.text[1:], (None, None))
        if earlier is not None:
            self.raise_error(f"block {label.text} is already defined", label.span)
        block = _new_block(label.text[1:]) if block is None else block
        self.blocks[label.text[1:]] = block, label.span
        self.forward_block_references.pop(label.text[1:], None)
        self._parse_optional_block_arg_list(block)
        self.parse_punctuation(":", " after the label of a block")
        self._parse_block_body(block)
        return block

    def parse_optional_successor(self) -> Block | None:
        """Parse the label of a block, which may be defined later on."""
        label = self._parse_optional_token(MLIRTokenKind.CARET_IDENT)
        if label is None:
            return None
        name = label.text[1:]
        if name not in self.blocks:
            self.forward_block_references[name].append(label.span)
            self.blocks[name] = _new_block(name), None
        return self.blocks[name][0]

    def _parse_optional_block_arg_list(self, block: Block) -> Block | None:
        """Parse `(%a: type loc(...), ...)`."""
        if self._current_token.kind != MLIRTokenKind.L_PAREN:
            return None

        arguments: list[BlockArgument] = []

        def parse_argument() -> None:
            name = self._parse_token(MLIRTokenKind.PERCENT_IDENT, "name of a block argument expected")
            self.parse_punctuation(":", " after the name of a block argument")
            argument = BlockArgument(self.parse_type(), block, len(arguments))
            argument.location = self.parse_optional_location() or argument.location
            arguments.append(argument)
            self._register_ssa_definition(name.text[1:], (argument,), name.span)
            self.source_map.record((argument, name.span.start))

        self.parse_comma_separated_list(self.Delimiter.PAREN, parse_argument)
        # All at once: to insert one copies those that are there.
        block._args = tuple(arguments)  # pyright: ignore[reportPrivateUsage]
        return block

    def _parse_entry_block(self, region: Region, arguments: Sequence[Parser.Argument]) -> None:
        block = Block(arg_types=[argument.type for argument in arguments])
        for value, argument in zip(block.args, arguments, strict=True):
            self._register_ssa_definition(argument.name.text[1:], (value,), argument.name)
            if argument.location is not None:
                value.location = argument.location
            self.source_map.record((value, argument.name.start))
        self._parse_block_body(block)
        region.add_block(block)

    def _hand_outwards(self, inner: dict[str, dict[int, ForwardDeclaredValue[Attribute]]]) -> None:
        """Let the region around define the values that a region used but did not define."""
        for name, references in inner.items():
            known = self.forward_ssa_references.setdefault(name, {})
            for index, forward in references.items():
                first = known.setdefault(index, forward)
                if not _same(first.type, forward.type):
                    self.raise_error(
                        f"%{name} is used as {first.type} and as {forward.type}", self._forward_places[name]
                    )
                self._replace_uses(forward.uses, forward, first)


@lru_cache(maxsize=4096)
def _opaque(name: str) -> type[Operation]:
    """The class of the operations of that name, which is dear to make; the parts of a split file share them."""
    return UnregisteredOp.with_name(name)


def _new_block(label: str) -> Block:
    """A block that keeps its label if xDSL can: `^0` cannot be kept, and `^bb0` is for the printer to number."""
    block = Block()
    if Block.is_valid_name(label) and not Block.is_default_block_name(label):
        block.name_hint = label
    return block


def _without_maps(text: str) -> str:
    """`text` with its affine maps emptied. xDSL spells them in its own way, but they stay the same functions."""
    pieces: list[str] = []
    position = 0
    while (start := text.find(_AFFINE_MAP, position)) >= 0:
        start += len(_AFFINE_MAP)
        pieces.append(text[position:start])
        position = scanner.group_end(text, start - 1) - 1
    return "".join((*pieces, text[position:]))


def _same(one: Attribute, other: Attribute) -> bool:
    """Whether two types are the same: objects made in custom and in generic form may differ, their text does not."""
    return one is other or one == other or str(one) == str(other)


def _adapt_module(properties: dict[str, Attribute], attributes: dict[str, Attribute], body: Region) -> None:
    """Make a module that MLIR takes one that xDSL takes: it knows one property, and wants a block."""
    for name in [name for name in properties if name != "sym_name"]:
        attributes[name] = properties.pop(name)
    if not body.blocks:
        body.add_block(Block())
