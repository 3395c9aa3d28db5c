"""The private names of xDSL that we use, and the version in which each was seen to be what we take it for."""

import ast
import inspect
import re
from importlib.metadata import version
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.mlir_lexer import MLIRLexer

import rlx_sched

SEEN_IN = "0.75"
"""When xDSL gets newer: read each of these names there, and go through `docs/upstream.md` for what is mended."""

PARSER = {
    "_consume_token": "(self, expected_kind)",
    "_get_op_by_name": "(self, name)",
    "_parse_alias_def": "(self)",
    "_parse_attribute_entry": "(self)",
    "_parse_block": "(self)",
    "_parse_block_body": "(self, block)",
    "_parse_dialect_resource_handle": "(self, dialect_name, interface)",
    "_parse_file_metadata_dictionary": "(self)",
    "_parse_op_result_list": "(self)",
    "_parse_optional_block_arg_list": "(self, block)",
    "_parse_optional_token": "(self, expected_kind)",
    "_parse_token": "(self, expected_kind, error_msg)",
    "_register_ssa_definition": "(self, name, values, span)",
    "_resume_from": "(self, pos)",
}
PARSER_STATE = {"_current_token", "_parser_state"}
PRINTER = {"_get_block_name": "(self, block)", "_populate_block_name": "(self, block, block_index)"}
PRINTER_STATE = {"_blocks", "_indent"}
LEXER_STATE = {"_unescaped_characters_regex", "_whitespace_regex"}
BLOCK_STATE = {"_args"}
OPERATION_STATE = {"_operand_uses", "_operands"}


def test_the_version_is_the_one_that_was_looked_at():
    assert version("xdsl").startswith(f"{SEEN_IN}."), f"the private names below were seen in xDSL {SEEN_IN}"


@pytest.mark.parametrize(
    ("owner", "name", "signature"),
    [*((Parser, *entry) for entry in PARSER.items()), *((Printer, *entry) for entry in PRINTER.items())],
)
def test_private_methods_take_what_they_took(owner: type, name: str, signature: str):
    assert f"({', '.join(inspect.signature(getattr(owner, name)).parameters)})" == signature


def test_private_state_is_there():
    assert all(hasattr(Parser(Context(), ""), name) for name in PARSER_STATE)
    assert all(hasattr(Printer(), name) for name in PRINTER_STATE)
    assert all(hasattr(MLIRLexer, name) for name in LEXER_STATE)
    assert all(getattr(Block(), name) == () for name in BLOCK_STATE)
    assert all(getattr(ModuleOp([]), name) == () for name in OPERATION_STATE)


def private_names(file: Path) -> tuple[set[str], set[str]]:
    """The private names that a file uses, and those that it gives to functions."""
    nodes = list(ast.walk(ast.parse(file.read_text())))
    used = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    used |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    private = re.compile("_[a-z].*")
    return set(filter(private.fullmatch, used)), set(filter(private.fullmatch, defined))


def test_no_other_private_name_of_xdsl_is_used():
    parser, printer = {*dir(Parser(Context(), "")), *dir(MLIRLexer)}, {*dir(Printer())}
    expected = {
        "ir/reader.py": (
            parser | {*dir(Block()), *dir(Operation)},
            {*PARSER, *PARSER_STATE, *LEXER_STATE, *BLOCK_STATE, *OPERATION_STATE},
        ),
        "ir/writer.py": (printer, {*PRINTER, *PRINTER_STATE}),
    }
    folder = Path(rlx_sched.__file__).parent
    for file in (path for part in (folder, folder.parent / "passes") for path in part.rglob("*.py")):
        used, defined = private_names(file)
        name = file.relative_to(folder).as_posix() if file.is_relative_to(folder) else ""
        if name in expected:
            theirs, known = expected[name]
            # A method of the same name replaces theirs.
            assert (used | defined) & theirs == known
        else:
            # What has the name of a function of this file is that.
            assert not (used - defined) & (parser | printer), file
