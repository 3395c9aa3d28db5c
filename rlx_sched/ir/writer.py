"""Print a module, with everything that the reader kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import IO

from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, UnitAttr, UnregisteredOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove

from rlx_sched import fast_path
from rlx_sched.ir.custom_forms import generic_entries, is_printable, printed_properties
from rlx_sched.ir.reader import FILE_METADATA, OP_NAME, WrittenProperties
from rlx_sched.ir.scanner import IDENTIFIER


def write_module(module: ModuleOp, stream: IO[str], *, generic: bool = False, debuginfo: bool = False) -> None:
    """Print `module` on `stream`, with a newline at the end.

    `generic`: all in generic form. Operations of unknown dialects always are. `debuginfo`: with locations.
    """
    metadata = module.attributes.pop(FILE_METADATA, None)
    try:
        Writer(stream, print_generic_format=generic, print_debuginfo=debuginfo).print_op(module)
        stream.write(f"\n\n{metadata}\n" if metadata is not None else "\n")
    finally:
        if metadata is not None:
            module.attributes[FILE_METADATA] = metadata


class Writer(Printer):
    """xDSL's printer, with a way of its own for the generic form.

    Values and blocks keep the names that they had, made unique in the module; the others get numbers.
    """

    def __init__(self, stream: IO[str], *, print_generic_format: bool = False, print_debuginfo: bool = False):
        super().__init__(stream, print_generic_format=print_generic_format, print_debuginfo=print_debuginfo)
        self._names: dict[SSAValue, str] = {}
        self._taken: dict[str, int] = {}
        self._next_number = 0
        self._texts: dict[int, tuple[Attribute, str]] = {}
        self._prints_kernels = fast_path.enabled() and not (print_generic_format or print_debuginfo)

    def name_of(self, value: SSAValue) -> str:
        """The name of `value`, with its `%`."""
        name = self._names.get(value)
        if name is None:
            if value.name_hint is None:
                name = f"%{self._next_number}"
                self._next_number += 1
            else:
                name = self._unique(f"%{value.name_hint}")
            self._names[value] = name
        return name

    def _unique(self, hint: str) -> str:
        """`hint`, with a number after it if it is taken; xDSL would give an `a_1` the name of the second `a`."""
        name = hint
        while name in self._taken:
            name = f"{hint}_{self._taken[hint]}"
            self._taken[hint] += 1
        self._taken[name] = 1
        return name

    def print_ssa_value(self, value: SSAValue) -> str:
        """Print the name of `value`; returns it without the `%`."""
        name = self.name_of(value)
        self.print_string(name)
        return name[1:]

    def _populate_block_name(self, block: Block, block_index: int | None = None) -> None:
        if block.name_hint is None:
            super()._populate_block_name(block, block_index)
        else:
            self._blocks[block] = self._unique(f"^{block.name_hint}")[1:]

    def text_of(self, attribute: Attribute) -> str:
        """How `attribute` is printed. The reader shares attributes, so this is worked out once for each."""
        known = self._texts.get(id(attribute))
        if known is None:
            # The attribute is kept with its text, so that its id stays its own.
            known = self._texts[id(attribute)] = (attribute, str(attribute))
        return known[1]

    def print_attribute(self, attribute: Attribute) -> None:
        """Print an attribute or type."""
        self.print_string(self.text_of(attribute), indent=0)

    def print_op(self, op: Operation) -> None:
        """Print an operation."""
        if isinstance(op, UnregisteredOp):
            attributes = op.attributes if len(op.attributes) > 1 else {}
            attributes = {name: value for name, value in attributes.items() if name != OP_NAME}
            self._print_generic(op, op.op_name.data, op.properties, attributes)
        elif self.print_generic_format or not is_printable(op):
            self._print_known(op)
        elif not (self._prints_kernels and op.name == "sched.kernel" and self._print_kernel(op)):
            kept = op.properties
            op.properties = printed_properties(op)
            super().print_op(op)
            op.properties = kept

    def _print_known(self, op: Operation) -> None:
        """Print an operation of xDSL's in generic form, as MLIR has it, and all that is in it.

        xDSL's operations may want to be in others of xDSL's, and what is in generic form is read as none of these.
        """
        outer = self.print_generic_format
        self.print_generic_format = True
        isolated = op.has_trait(IsolatedFromAbove)
        if isolated:
            self.enter_scope()
        self._print_generic(op, op.name, *generic_entries(op))
        if isolated:
            self.exit_scope()
        self.print_generic_format = outer

    def _print_kernel(self, kernel: Operation) -> bool:
        """Print `kernel` if there is nothing unusual about it."""
        from rlx_sched.ir.kernel_text import kernel_text

        text = kernel_text(kernel, self.text_of, " " * (self._indent * self.indent_num_spaces))
        if text is not None:
            self.print_string(text, indent=0)
        return text is not None

    def print_block(self, block: Block, print_block_args: bool = True, print_block_terminator: bool = True) -> None:
        """Print a block. A terminator that has attributes is not left out."""
        last = block.last_op
        super().print_block(
            block, print_block_args, print_block_terminator or (last is not None and bool(last.attributes))
        )

    def _print_generic(
        self, op: Operation, op_name: str, properties: Mapping[str, Attribute], attributes: Mapping[str, Attribute]
    ) -> None:
        name_of = self.name_of
        results = ", ".join(map(name_of, op.results))
        head = f"{results} = " if results else ""
        operands = ", ".join(map(name_of, op.operands))
        head = f"{head}{_quoted(op_name)}({operands})"
        if op.successors:
            head += f" [{', '.join(f'^{self._get_block_name(block)}' for block in op.successors)}]"
        if properties or isinstance(properties, WrittenProperties):
            head += f" <{{{self._entries(properties)}}}>"
        if op.regions:
            self.print_string(head, indent=0)
            self.print_regions(op.regions)
            head = ""
        if attributes:
            head += f" {{{self._entries(attributes)}}}"
        self.print_string(f"{head} : {self._signature(op)}", indent=0)
        if self.print_debuginfo:
            self.print_string(f" {self.text_of(op.location)}", indent=0)

    def _entries(self, attributes: Mapping[str, Attribute]) -> str:
        return ", ".join(
            _key(name) if isinstance(value, UnitAttr) else f"{_key(name)} = {self.text_of(value)}"
            for name, value in attributes.items()
        )

    def _signature(self, op: Operation) -> str:
        inputs = ", ".join([self.text_of(operand.type) for operand in op.operands])
        if len(op.results) == 1:
            output = op.results[0].type
            text = self.text_of(output)
            return f"({inputs}) -> ({text})" if isinstance(output, FunctionType) else f"({inputs}) -> {text}"
        return f"({inputs}) -> ({', '.join([self.text_of(result.type) for result in op.results])})"


def _quoted(name: str) -> str:
    """`name` as a string literal."""
    return f'"{name}"' if _PLAIN.fullmatch(name) else str(StringAttr(name))


def _key(name: str) -> str:
    return name if IDENTIFIER.fullmatch(name) else _quoted(name)


_PLAIN = re.compile(r"[ !#-\[\]-~]*")
