"""What `rlx-opt` does with its input: read, run the passes, print."""

from __future__ import annotations

import re
import time
from contextlib import nullcontext
from io import StringIO
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TextIO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException, ParseError

from rlx_sched import fast_path
from rlx_sched.diagnostics import handled_by
from rlx_sched.ir.reader import read_module
from rlx_sched.ir.source_map import SourceMap
from rlx_sched.ir.writer import write_module
from rlx_sched.tools.errors import Failed
from rlx_sched.tools.registry import new_context
from rlx_sched.tools.reporter import FoundRemark, Reporter
from rlx_sched.tools.verify import InvalidModule, verify

if TYPE_CHECKING:
    from xdsl.passes import ModulePass
    from xdsl.utils.target import Target

    from rlx_sched.tools.mlir_opt import MlirOpt

SEPARATOR = "// -----"
"""What separates the modules of one file, with `--split-input-file` and in the output."""

_SPARE_BYTES = 2**20
"""Set aside to leave `with` without memory: CPython 3.11 crashes where a generator cannot have any."""

_SPLIT = re.compile(rf"{SEPARATOR}(?!0|// ---|\Z)")
"""Where mlir-opt of LLVM 22 splits (`splitAndProcessBuffer`): anywhere, also in a comment or string, and after blanks.

What follows on the line belongs to the next part, so that `// ----- text` is an error there. The exceptions are its
own; but it refuses a file that starts with a separator.
"""

_MOST_COLUMNS = 1000
"""Up to which column parts that start within a line get the blanks for it: one long line may be many parts."""


class Part(NamedTuple):
    """A text to be processed on its own, found in the file `name` after `line_offset` lines."""

    text: str
    name: str
    line_offset: int = 0


class Settings(NamedTuple):
    """How parts are processed; the names are those of the command line."""

    passes: tuple[ModulePass, ...] = ()
    target: Target | None = None
    generic: bool = False
    debuginfo: bool = False
    verify_each: bool = True
    verify_diagnostics: bool = False
    show_remarks: bool = False
    keep_remarks: bool = False
    color: bool = False
    print_before: frozenset[str] = frozenset()
    print_after: frozenset[str] = frozenset()
    max_ops: int | None = None
    fast_path: bool = True
    mlir_opt: MlirOpt | None = None


class Outcome(NamedTuple):
    """What became of one part: its output (empty if there was an error), and what is to be said about it."""

    succeeded: bool
    text: str
    remarks: list[FoundRemark]
    seconds: list[tuple[str, float]]


def split(part: Part) -> list[Part]:
    """The parts of a file between the separators `// -----`, wherever those stand in a line."""
    parts: list[Part] = []
    text, start, line_offset = part.text, 0, part.line_offset
    for match in _SPLIT.finditer(text):
        parts.append(_part(part, start, match.start(), line_offset))
        line_offset += text.count("\n", start, match.end())
        start = match.end()
    return [*parts, _part(part, start, len(text), line_offset)]


def _part(whole: Part, start: int, end: int, line_offset: int) -> Part:
    """The part from `start` to `end`, blanks before it if it starts within a line: columns are those of the file."""
    text = whole.text[start:end]
    before = start - (whole.text.rfind("\n", max(start - _MOST_COLUMNS, 0), start) + 1)
    is_within = start > 0 and before <= _MOST_COLUMNS and text.partition("\n")[0].strip()
    return Part(" " * before + text if is_within else text, whole.name, line_offset)


def process(part: Part, settings: Settings, stderr: TextIO) -> Outcome:
    """Read a part, run the passes, and print the result; diagnostics go to `stderr`."""
    run = _Run(part, settings, stderr)
    ordinary_path = nullcontext() if settings.fast_path else fast_path.disabled()
    reporter = run.reporter
    with handled_by(reporter.handle, remarks=reporter.wants_remarks, origins=reporter.made_from), ordinary_path:
        spare = bytearray(_SPARE_BYTES)
        try:
            text = run.print(run.passes(run.read()))
        except Failed:
            text = ""
        except MemoryError:
            del spare
            raise
    if reporter.errors:
        text = ""
    return Outcome(reporter.finish(), text, reporter.remarks, run.seconds)


class _Timed:
    """Notes how long something takes. Not a generator, for what it takes may be all the memory (see `_SPARE_BYTES`)."""

    def __init__(self, name: str, seconds: list[tuple[str, float]]):
        self._name = name
        self._seconds = seconds

    def __enter__(self) -> None:
        self._start = time.perf_counter()

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if kind is None:
            self._seconds.append((self._name, time.perf_counter() - self._start))


class _DeepNestingReported:
    """Makes an error about `module` of a RecursionError. Not a generator either."""

    def __init__(self, reporter: Reporter, module: ModuleOp):
        self._reporter = reporter
        self._module = module

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if kind is not None and issubclass(kind, RecursionError):
            self._reporter.error("operations, attributes or types are nested too deeply", self._module)
            raise Failed from None


class _Run:
    """The processing of one part."""

    def __init__(self, part: Part, settings: Settings, stderr: TextIO):
        self.part = part
        self.settings = settings
        self.stderr = stderr
        self.context: Context = new_context()
        self.seconds: list[tuple[str, float]] = []
        kind = Reporter
        if settings.verify_diagnostics:
            from rlx_sched.tools.verify_diagnostics import VerifyingReporter

            kind = VerifyingReporter
        source = SourceMap(part.text, part.name, part.line_offset)
        self.reporter = kind(
            source,
            stderr,
            show_remarks=settings.show_remarks,
            keep_remarks=settings.keep_remarks,
            color=settings.color,
        )

    def read(self) -> ModuleOp:
        """The module of the part, verified."""
        part = self.part
        text = part.text if self.settings.mlir_opt is None else self._to_generic(self.settings.mlir_opt)
        with self._timed("Parser"):
            try:
                module, self.reporter.read = read_module(self.context, text, part.name, line_offset=part.line_offset)
            except ParseError as error:
                self.reporter.parse_error(error)
                raise Failed from None
        limit = self.settings.max_ops
        if limit is not None and next(islice(module.walk(), limit, None), None) is not None:
            self.reporter.error(f"the module has more than {limit} operations, the limit that --max-ops sets")
            raise Failed
        self._verify(module)
        return module

    def _to_generic(self, mlir_opt: MlirOpt) -> str:
        """The text of the part as mlir-opt prints it in generic form."""
        with self._timed("mlir-opt"):
            text, messages = mlir_opt.to_generic(self.part.text, self.reporter.source)
        for message in messages:
            self.reporter.report(message)
        if self.reporter.errors:
            raise Failed
        return text

    def passes(self, module: ModuleOp) -> ModuleOp:
        """Run the passes on `module`."""
        for one in self.settings.passes:
            if one.name in self.settings.print_before:
                self._dump("Before", one, module)
            with self._timed(one.name):
                self._apply(one, module)
            if self.settings.verify_each:
                self._verify(module, f"the module is invalid after the pass '{one.name}'")
            if one.name in self.settings.print_after:
                self._dump("After", one, module)
        return module

    def print(self, module: ModuleOp) -> str:
        """The output for `module`."""
        stream = StringIO()
        with self._timed("Output"), self._deep_nesting_reported(module):
            if self.settings.target is not None:
                self.settings.target.emit(self.context, module, stream)
            else:
                self._write(module, stream)
        return stream.getvalue()

    def _apply(self, one: ModulePass, module: ModuleOp) -> None:
        errors = self.reporter.errors
        with self._deep_nesting_reported(module):
            try:
                one.apply(self.context, module)
            except DiagnosticException as error:
                if self.reporter.errors == errors:
                    self.reporter.error(f"the pass '{one.name}' failed: {error}")
                raise Failed from error
            except RecursionError:
                raise
            except Exception as error:
                error.add_note(f"in the pass '{one.name}'")
                raise
        if self.reporter.errors > errors:
            raise Failed

    def _verify(self, module: ModuleOp, *notes: str) -> None:
        try:
            verify(module)
        except InvalidModule as error:
            self.reporter.error(str(error), error.op, *notes)
            raise Failed from error

    def _write(self, module: ModuleOp, stream: TextIO) -> None:
        if self.settings.debuginfo:
            self.reporter.read.materialize(module)
        write_module(module, stream, generic=self.settings.generic, debuginfo=self.settings.debuginfo)

    def _dump(self, when: str, one: ModulePass, module: ModuleOp) -> None:
        self.stderr.write(f"// -----// IR Dump {when} {type(one).__name__} ({one.name}) //----- //\n")
        self._write(module, self.stderr)
        self.stderr.write("\n")

    def _timed(self, name: str) -> _Timed:
        return _Timed(name, self.seconds)

    def _deep_nesting_reported(self, module: ModuleOp) -> _DeepNestingReported:
        return _DeepNestingReported(self.reporter, module)
