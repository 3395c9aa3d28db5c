"""What can be wrong with a table of candidates."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any


class TableError(Exception):
    """A table that cannot be scored as a whole; the message says what was found and what would be right."""


class RunError(TableError):
    """A run that fails for something else than the table: its output, a cluster, a missing package."""


class RowError(TableError):
    """A value that cannot be scored. Rows count from 1, a header is none."""

    def __init__(self, row: int, column: str, problem: str) -> None:
        super().__init__(row, column, problem)
        self.row = row
        self.column = column
        self.problem = problem

    def __str__(self) -> str:
        return f"row {self.row}, column '{self.column}': {self.problem}"


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
