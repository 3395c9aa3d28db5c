"""Attributes and types carried as the text they were written in.

xDSL's own object for a value cannot always be printed back to the same value (`docs/upstream.md` lists the cases).
Where it cannot, the reader keeps the text instead, and any printer gives it back unchanged.
"""

from __future__ import annotations

from xdsl.ir import BuiltinAttribute, Data, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer


class _Verbatim(Data[str], BuiltinAttribute):
    """What `VerbatimAttr` and `VerbatimType` share: printing, and no syntax of their own."""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        """Refuse: verbatim text has no name by which it could be written."""
        parser.raise_error(f"'{cls.name}' cannot be written in a file")

    def print_parameter(self, printer: Printer) -> None:
        """Print the text."""
        printer.print_string(self.data)

    def print_builtin(self, printer: Printer) -> None:
        """Print the text, without the `#` or `!` of other dialects' attributes."""
        printer.print_string(self.data)


@irdl_attr_definition
class VerbatimAttr(_Verbatim):
    """An attribute as its source text, aliases expanded: `VerbatimAttr("dense<0xFF800000> : vector<2xf32>")`."""

    name = "builtin.verbatim_attr"


@irdl_attr_definition
class VerbatimType(_Verbatim, TypeAttribute):
    """A type as its source text, aliases expanded: `VerbatimType("memref<4xf8E4M3FN, 3>")`."""

    name = "builtin.verbatim_type"
