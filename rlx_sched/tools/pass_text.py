"""What there is to say about passes, and about ours without importing them.

`rlx-opt --help` is to be there at once, and the passes import all of the dialect, the model and the sources: 60 ms that
tell the user nothing. A test holds what is read in their source against the imported passes.
"""

from __future__ import annotations

import ast
import dataclasses
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from rlx_sched import passes

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

_PLAIN_VALUE = re.compile(r"[\w.+/:-]+")


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


def imported_text(kind: type[ModulePass]) -> PassText:
    """What there is to say about a pass that is imported."""
    import inspect

    doc = inspect.cleandoc(kind.__doc__ or "")
    fields = [field for field in dataclasses.fields(kind) if field.init]
    return PassText(
        # A dataclass without a docstring gets its signature for one.
        "" if doc.startswith(f"{kind.__name__}(") else doc,
        [
            Option(field.name.replace("_", "-"), default_of(field), str(field.metadata.get("help", "")))
            for field in fields
        ],
    )


def default_of(field: dataclasses.Field[Any]) -> object:
    """The default of an option; `MISSING` if it has none."""
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()


def format_value(value: Any) -> str | None:
    """The value of an option as it would be written; None for one that has no value."""
    if value is None or value is dataclasses.MISSING:
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(format_value(item) or "" for item in cast("tuple[Any, ...]", value)) or "{}"
    text = str(value)
    if _PLAIN_VALUE.fullmatch(text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@cache
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
