"""What can be wrong with a table of candidates."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")


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


def by_column(encode: Callable[[list[Any], Any], T], batches: list[Any], schema: Any, format: str) -> T:
    """What `encode` makes of `batches` of `schema`.

    Raises:
        TableError: naming the column, where it is none that a file of `format` can hold.
    """
    pa = require("pyarrow")
    reasons = (pa.ArrowException, ValueError, OverflowError, RecursionError)
    try:
        return encode(batches, schema)
    except reasons:
        others = "Arrow" if format == "Parquet" else "Parquet or Arrow"
        for field in schema:
            try:
                encode([batch.select([field.name]) for batch in batches], pa.schema([field]))
            except reasons as error:
                raise TableError(
                    f"{format} cannot hold column '{field.name}' of type {field.type} ({error}); "
                    f"leave it out, or write {others}"
                ) from None
        raise
