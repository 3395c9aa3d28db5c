"""What can be wrong with a table of candidates."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, TypeAlias


class TableError(Exception):
    """A table that cannot be scored as a whole; the message says what was found and what would be right."""


class RunError(TableError):
    """A run that fails for something else than the table: its output, a cluster, a missing package."""


Problem: TypeAlias = tuple[str | None, str]
"""A column and what is wrong there. Without a column it is the row that cannot be read, and the text says where."""


class RowError(TableError):
    """A row that cannot be scored. Rows count from 1, a header is none.

    `column` is None where the row cannot be read at all.
    """

    def __init__(self, row: int, column: str | None, problem: str) -> None:
        super().__init__(row, column, problem)
        self.row = row
        self.column = column
        self.problem = problem

    def __str__(self) -> str:
        return f"row {self.row}, {in_column(self.column, self.problem)}"


def in_column(column: str | None, problem: str) -> str:
    """A problem with its place in the row."""
    return problem if column is None else f"column '{column}': {problem}"


@cache
def require(module: str) -> Any:
    """Import a module of the extra `batch`; every batch asks for some dozens.

    Raises:
        RunError: naming the extra, where the module is missing.
    """
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise RunError(f"the package {package} is missing ({error}): pip install 'rlx-sched[batch]'") from error
