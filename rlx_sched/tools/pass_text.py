"""What the source of our passes says about them, without importing it.

`rlx-opt --help` is to be there at once, and the passes import all of the dialect, the model and the sources: 60 ms that
tell the user nothing. A test holds what is read here against the imported passes.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import NamedTuple

from rlx_sched import passes


class Option(NamedTuple):
    """An option of a pass: its name as on the command line, its default, and what it does."""

    name: str
    default: object
    help: str


class PassText(NamedTuple):
    """A pass: its docstring, and its options with those of its base class first."""

    doc: str
    options: list[Option]


def read_pass(name: str) -> PassText:
    """What there is to say about our pass `name`."""
    module, class_name = passes.CLASSES[name]
    classes = _classes("options") | _classes(module)
    definition = classes[class_name]
    bases = [classes[base.id] for base in definition.bases if isinstance(base, ast.Name) and base.id in classes]
    return PassText(
        ast.get_docstring(definition) or "", [option for one in (*bases, definition) for option in _options(one)]
    )


def _classes(module: str) -> dict[str, ast.ClassDef]:
    tree = ast.parse(Path(passes.__file__).with_name(f"{module}.py").read_text(encoding="utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def _options(definition: ast.ClassDef) -> list[Option]:
    """The fields of a pass that are made by `option(default, help)`."""
    return [
        Option(node.target.id.replace("_", "-"), *map(ast.literal_eval, node.value.args))
        for node in definition.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(node.value, ast.Call)
    ]
