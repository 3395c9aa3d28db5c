"""Finds the places of diagnostics in the user's file, and shows them or holds them against what is expected."""

from __future__ import annotations

from typing import NamedTuple, TextIO

from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Operation
from xdsl.utils.exceptions import ParseError

from rlx_sched.diagnostics import Diagnostic, Remark, Severity
from rlx_sched.ir.source_map import Place, SourceMap
from rlx_sched.tools.files import STDIN_NAME
from rlx_sched.tools.remark_file import findings, format_remark
from rlx_sched.tools.render import Message, render


class FoundRemark(NamedTuple):
    """A remark without its operation, which may be gone: as shown, as YAML, and what `--fail-on` finds in it."""

    message: Message
    yaml: str
    findings: frozenset[str]


def parse_error_message(error: ParseError) -> Message:
    """What to show for an error of the reader."""
    span = error.span
    place = SourceMap(str(span.input.content), span.input.name, span.line_offset).at(span.start)
    return Message(Severity.ERROR, error.msg, place, max(span.len, 1))


class Reporter:
    """Receives every diagnostic about one text.

    `source` is the user's text. `read` is what was read, and where: the same, unless mlir-opt came in between.
    `wants_remarks` says whether anybody is to see remarks: putting thousands of them together takes time.
    """

    def __init__(self, source: SourceMap, stderr: TextIO, *, show_remarks: bool, keep_remarks: bool, color: bool):
        self.source = source
        self.read = source
        self.stderr = stderr
        self.show_remarks = show_remarks
        self.wants_remarks = keep_remarks or show_remarks
        self.color = color
        self.errors = 0
        self.remarks: list[FoundRemark] = []

    def handle(self, diagnostic: Diagnostic) -> None:
        """Receive what a pass emits; this is the handler of `rlx_sched.diagnostics`."""
        place = self._place(diagnostic.op)
        message = Message(diagnostic.severity, diagnostic.message, place)
        if isinstance(diagnostic, Remark):
            self.remarks.append(FoundRemark(message, format_remark(diagnostic, place), findings(diagnostic)))
        self.report(message)
        for note in diagnostic.notes:
            self.report(Message(Severity.NOTE, note, place))
        if diagnostic.severity is not Severity.REMARK and diagnostic.op is not None:
            self._point_into_file(diagnostic.op)

    def made_from(self, op: Operation, origin: Operation) -> None:
        """Place `op`, which a pass made, where `origin` is; this is what `rlx_sched.diagnostics` calls origins."""
        offset = self.read.offset(origin)
        if offset is not None:
            self.read.record((op, offset))

    def parse_error(self, error: ParseError) -> None:
        """Receive an error of the reader."""
        self.report(parse_error_message(error))

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

    def _place(self, op: Operation | None) -> Place | None:
        """Where `op` is: by its `loc(...)` if it has one, else in the text."""
        place = None if op is None else self.read.place(op)
        if place is not None and self._through_mlir_opt and place.file == STDIN_NAME:
            return self.source.at_byte(place.line, place.column)
        return place

    @property
    def _through_mlir_opt(self) -> bool:
        return self.read.text is not self.source.text

    def _point_into_file(self, op: Operation) -> None:
        """Where a `loc(...)` leads elsewhere, also say which operation of this file is meant."""
        if isinstance(op.location, UnknownLoc) or self._through_mlir_opt:
            return
        offset = self.read.offset(op)
        if offset is not None:
            self.report(Message(Severity.NOTE, "see current operation", self.read.at(offset)))
