"""Directives that make the reference of what the code says about itself, and the colors of MLIR."""

from __future__ import annotations

import dataclasses
import inspect
import os
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from importlib.metadata import entry_points
from io import BytesIO, TextIOWrapper
from typing import ClassVar
from unittest.mock import patch

from docutils import nodes
from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from xdsl.irdl import IRDLOperation, OptPropertyDef, PropertyDef
from xdsl.passes import ModulePass

from rlx_sched.dialect import sched
from rlx_sched.passes import PASSES
from rlx_sched.tools.pipeline import describe_options


class MlirLexer(RegexLexer):
    """Enough of MLIR's syntax to read it in color."""

    name = "MLIR"
    aliases = ("mlir",)
    tokens: ClassVar = {
        "root": [
            (r"//.*$", Comment.Single),
            (r'"(?:[^"\\\n]|\\.)*"', String),
            (r"@[\w$.-]+", Name.Function),
            (r"[%^][\w$.-]+(?:#\d+)?", Name.Variable),
            (r"[#!][\w$.-]+", Name.Attribute),
            (r"\b[a-z_]\w*(?:\.\w+)+", Keyword),
            (r"\b(?:memref|vector|tensor|tuple|complex)\b", Keyword.Type),
            (r"(?:[\d?]+x)+[!a-z]\w*", Keyword.Type),
            (r"\b(?:i\d+|[fu]\d+|bf16|index)\b", Keyword.Type),
            (r"-?\b\d+(?:\.\d*)?(?:[eE][+-]?\d+)?", Number),
            (r"->|[-+*=:]", Operator),
            (r"[<>\[\]{}(),?]", Punctuation),
            (r"\w+", Name),
            (r"\s+", Text),
            (r".", Text),
        ]
    }


class _Generated(SphinxDirective):
    """A directive that is replaced by Markdown."""

    def markdown(self) -> Iterator[str]:
        """The lines that take its place."""
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        """The nodes that take its place."""
        return self.parse_text_to_nodes("\n".join(self.markdown()), allow_section_headings=True)


class Dialect(_Generated):
    """The operations and the attributes of the dialect, with their docstrings."""

    def markdown(self) -> Iterator[str]:
        """A heading and a docstring each; for operations the syntax and the properties too."""
        yield from (_doc(sched), "")
        yield "## Operations"
        for op in sorted(sched.Sched.operations, key=lambda op: op.name):
            if issubclass(op, IRDLOperation):
                yield from _operation(op)
        yield "## Attributes"
        for attribute in sorted(sched.Sched.attributes, key=lambda attribute: attribute.name):
            yield from (f"### `#{attribute.name}`", _doc(attribute), "")


def _operation(op: type[IRDLOperation]) -> Iterator[str]:
    syntax = _doc(op.parse).removeprefix("Parse ")
    yield from (f"### `{op.name}`", _doc(op), "", f"Syntax: {syntax}", "")
    properties = op.get_irdl_definition().properties
    for what, wanted in (("Properties", False), ("Optional properties", True)):
        names = [f"`{name}`" for name, one in properties.items() if _is_optional(one) is wanted]
        if names:
            yield from (f"{what}: {', '.join(names)}.", "")


def _is_optional(definition: PropertyDef) -> bool:
    return isinstance(definition, OptPropertyDef) or definition.default_value is not None


class Passes(_Generated):
    """Our passes with their docstrings and options."""

    def markdown(self) -> Iterator[str]:
        """A heading, a docstring and a table of options each."""
        for name in sorted(PASSES):
            kind = PASSES[name]()
            yield from (f"## `{name}`", _doc(kind), "")
            yield from _options(kind)


def _options(kind: type[ModulePass]) -> Iterator[str]:
    described = describe_options(kind)
    if not described:
        yield "It has no options.\n"
        return
    helps = {field.name.replace("_", "-"): field.metadata["help"] for field in dataclasses.fields(kind) if field.init}
    yield from ("| option | default | meaning |", "|---|---|---|")
    for name, _, default in described:
        yield f"| `{name}` | {f'`{default}`' if default is not None else ''} | {helps[name]} |"
    yield ""


class Help(_Generated):
    """What a tool prints for `--help`."""

    required_arguments = 1
    final_argument_whitespace = True

    def markdown(self) -> Iterator[str]:
        """The text as it is, in a block."""
        name, *command = self.arguments[0].split()
        (tool,) = entry_points(group="console_scripts", name=name)
        printed = TextIOWrapper(BytesIO(), "utf-8")
        with patch.dict(os.environ, COLUMNS="80", NO_COLOR="1"), redirect_stdout(printed):
            code = tool.load()([*command, "--help"])
        if code:
            raise ValueError(f"{self.arguments[0]} --help ended with {code}")
        printed.seek(0)
        yield from ("```text", printed.read().rstrip(), "```")


def _doc(thing: object) -> str:
    text = inspect.getdoc(thing)
    if text is None:
        raise ValueError(f"{thing} has no docstring")
    return text


def _mark_exceptions(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Turn `Raises:` and what is indented below it into Sphinx's fields.

    Sphinx's own napoleon would do it, but takes whatever is before a colon in the docstring of a field for a type.
    """
    if "Raises:" in lines:
        start = lines.index("Raises:")
        lines[start:] = [re.sub(r"^    (?=\w+: )", ":raises ", line) for line in lines[start + 1 :]]


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the directives known."""
    app.connect("autodoc-process-docstring", _mark_exceptions)
    app.add_lexer("mlir", MlirLexer)
    app.add_directive("rlx-dialect", Dialect)
    app.add_directive("rlx-passes", Passes)
    app.add_directive("rlx-help", Help)
    return {"parallel_read_safe": True}
