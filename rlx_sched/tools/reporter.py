"""Finds the places of diagnostics in the user's file, and shows them or holds them against what is expected."""

from __future__ import annotations

from typing import TextIO

from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Operation
from xdsl.utils.exceptions import ParseError

from rlx_sched.diagnostics import Diagnostic, Remark, Severity
from rlx_sched.ir.source_map import Place, SourceMap
from rlx_sched.tools.remark_file import format_remark
from rlx_sched.tools.render import Message, render


class Reporter:
    """Receives every diagnostic about one text."""

    def __init__(self, source: SourceMap, stderr: TextIO, *, show_remarks: bool, color: bool):
        self.source = source
        self.stderr = stderr
        self.show_remarks = show_remarks
        self.color = color
        self.errors = 0
        self.remarks: list[tuple[Remark, str]] = []

    def handle(self, diagnostic: Diagnostic) -> None:
        """Receive what a pass emits; this is the handler of `rlx_sched.diagnostics`."""
        place = self.place(diagnostic.op)
        if isinstance(diagnostic, Remark):
            self.remarks.append((diagnostic, format_remark(diagnostic, place)))
        self.report(Message(diagnostic.severity, diagnostic.message, place))
        for note in diagnostic.notes:
            self.report(Message(Severity.NOTE, note, place))
        self._point_into_file(diagnostic)

    def parse_error(self, error: ParseError) -> None:
        """Receive an error of the reader."""
        span = error.span
        place = SourceMap(str(span.input.content), span.input.name, span.line_offset).at(span.start)
        self.report(Message(Severity.ERROR, error.msg, place, max(span.len, 1)))

    def error(self, text: str, op: Operation | None = None, *notes: str) -> None:
        """Receive an error of the tool itself."""
        self.handle(Diagnostic(Severity.ERROR, text, op, notes))

    def report(self, message: Message) -> None:
        """Show one message, and count it if it is an error."""
        self.errors += message.severity is Severity.ERROR
        if message.severity is not Severity.REMARK or self.show_remarks:
            self.show(message)

    def show(self, message: Message) -> None:
        """Write one message to the stream, whatever it is."""
        self.stderr.write(render(message, self.source.name, color=self.color))

    def finish(self) -> bool:
        """Whether all is as it should be, now that there will be no more diagnostics."""
        return not self.errors

    def place(self, op: Operation | None) -> Place | None:
        """Where `op` is: by its `loc(...)` if it has one, else in the text."""
        return None if op is None else self.source.place(op)

    def _point_into_file(self, diagnostic: Diagnostic) -> None:
        """Where a `loc(...)` leads elsewhere, also say which operation of this file is meant."""
        op = diagnostic.op
        if op is None or isinstance(op.location, UnknownLoc) or diagnostic.severity is Severity.REMARK:
            return
        offset = self.source.offset(op)
        if offset is not None:
            self.report(Message(Severity.NOTE, "see current operation", self.source.at(offset)))
