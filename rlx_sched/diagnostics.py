"""Diagnostics and optimization remarks about operations.

Passes know operations, not files: they `emit` what they found, and whoever runs them decides how it is shown. `rlx-opt`
installs a handler that finds the operation in the user's file; without one, errors and warnings go to standard error.
"""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from xdsl.ir import Operation


class Severity(StrEnum):
    """How bad it is; the words are the ones that `mlir-opt` prints."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"
    NOTE = "note"


@dataclass(frozen=True)
class Diagnostic:
    """Something to tell the user about `op` (None: about the input as a whole)."""

    severity: Severity
    message: str
    op: Operation | None = None
    notes: tuple[str, ...] = ()


RemarkKind: TypeAlias = Literal["Passed", "Missed", "Analysis"]
"""LLVM's kinds of remark: a change made, a change not made, and a fact."""


@dataclass(frozen=True)
class Remark(Diagnostic):
    """An optimization remark as LLVM knows them: what a pass did to one kernel, or did not do, and why.

    `arguments` are the facts behind the message (bytes, ratio, calibration, ...), in the order they are to be shown.
    """

    kind: RemarkKind = "Analysis"
    pass_name: str = ""
    name: str = ""
    function: str = ""
    arguments: tuple[tuple[str, str | int | float], ...] = ()


Handler: TypeAlias = Callable[[Diagnostic], None]
Origins: TypeAlias = Callable[[Operation, Operation], None]


def _print_to_stderr(diagnostic: Diagnostic) -> None:
    """Show errors and warnings when nobody asked to handle them (under `xdsl-opt`, say); remarks are opt-in."""
    if diagnostic.severity is not Severity.REMARK:
        print(f"{diagnostic.severity}: {diagnostic.message}", file=sys.stderr)
        for note in diagnostic.notes:
            print(f"{Severity.NOTE}: {note}", file=sys.stderr)


_handler: ContextVar[Handler] = ContextVar("rlx_sched_diagnostic_handler", default=_print_to_stderr)
_remarks: ContextVar[bool] = ContextVar("rlx_sched_remarks", default=False)
_emitted_once: ContextVar[set[Diagnostic] | None] = ContextVar("rlx_sched_emitted_once", default=None)
_origins: ContextVar[Origins | None] = ContextVar("rlx_sched_origins", default=None)


def emit(diagnostic: Diagnostic) -> None:
    """Hand `diagnostic` to the handler in force."""
    _handler.get()(diagnostic)


def emit_once(diagnostic: Diagnostic) -> None:
    """Hand `diagnostic` to the handler in force, unless it has had it already."""
    emitted = _emitted_once.get()
    if emitted is None or diagnostic not in emitted:
        emit(diagnostic)
    if emitted is not None:
        emitted.add(diagnostic)


def made_from(op: Operation, origin: Operation) -> None:
    """Tell the handler in force that `op` was made from `origin`, whose place in the file is the nearest it has."""
    if (origins := _origins.get()) is not None:
        origins(op, origin)


def remarks_wanted() -> bool:
    """Whether anybody looks at remarks: putting thousands of them together takes time."""
    return _remarks.get()


@contextmanager
def handled_by(handler: Handler, *, remarks: bool = True, origins: Origins | None = None) -> Generator[None]:
    """Have `handler` receive every diagnostic emitted inside the `with` block, with or without remarks.

    `origins` is told of every operation that a pass makes from another.
    """
    tokens = _handler.set(handler), _remarks.set(remarks), _origins.set(origins), _emitted_once.set(set())
    try:
        yield
    finally:
        _handler.reset(tokens[0])
        _remarks.reset(tokens[1])
        _origins.reset(tokens[2])
        _emitted_once.reset(tokens[3])
