"""One call of `rlx-opt`, from what it is to do to its exit code."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from xdsl.utils.exceptions import ParseError

from rlx_sched.diagnostics import Severity
from rlx_sched.ir.reader import decode
from rlx_sched.tools import errors
from rlx_sched.tools.driver import SEPARATOR, Outcome, Part, Settings, process, split
from rlx_sched.tools.errors import Failed, UsageError
from rlx_sched.tools.files import STDIN, STDIN_NAME, STDOUT, Output, is_same_file, read_bytes, write
from rlx_sched.tools.registry import find_target
from rlx_sched.tools.render import Message, render, wants_color
from rlx_sched.tools.reporter import parse_error_message

if TYPE_CHECKING:
    from xdsl.utils.target import Target

JUDGING_PASSES = frozenset({"occupancy-annotate", "occupancy-filter"})
"""The passes whose remarks `--fail-on` looks at."""


def run(options: Namespace, inputs: Sequence[str]) -> int:
    """Process the files `inputs` as `options` say.

    Raises:
        UsageError: when they make no sense together.
        FileError: when a file cannot be read or written.
    """
    start = time.perf_counter()
    stderr = sys.stderr
    if options.remarks is not None and any(is_same_file(path, options.remarks) for path in inputs):
        raise UsageError(f"--remarks names the input file '{options.remarks}', which would be lost")
    settings = _settings(options, stderr)
    if options.dump_pass_pipeline:
        from rlx_sched.tools.pipeline import format_pipeline

        stderr.write(f"Pass Manager with {len(settings.passes)} passes:\n{format_pipeline(settings.passes)}\n")
    parts = [part for path in inputs for part in _parts(path, options, settings, stderr)]
    outcomes = _process_all(parts, settings, options.jobs, stderr)
    code = _conclude(outcomes, options, settings, stderr)
    if options.mlir_timing:
        from rlx_sched.tools.timing import format_report

        seconds = (step for outcome in outcomes for step in outcome.seconds)
        stderr.write(format_report(seconds, time.perf_counter() - start))
    return code


def _settings(options: Namespace, stderr: TextIO) -> Settings:
    names = frozenset(one.name for one in options.passes)
    if options.fail_on and not names & JUDGING_PASSES:
        judges = " or ".join(f"--{name}" for name in sorted(JUDGING_PASSES))
        raise UsageError(f"--fail-on needs a pass that judges: {judges}")
    files = options.output, options.remarks
    if None not in files and is_same_file(*files):
        raise UsageError(f"-o and --remarks both name the file '{options.remarks}'; give each a file of its own")
    target = None
    if options.target is not None:
        target = _output_target(options.target)
    mlir_opt = None
    if options.via_mlir_opt is not None:
        from rlx_sched.tools.mlir_opt import find_mlir_opt

        mlir_opt = find_mlir_opt(options.via_mlir_opt)
    return Settings(
        passes=tuple(options.passes),
        target=target,
        generic=options.mlir_print_op_generic,
        debuginfo=options.mlir_print_debuginfo,
        verify_each=options.verify_each,
        verify_diagnostics=options.verify_diagnostics,
        show_remarks=options.show_remarks,
        keep_remarks=options.remarks is not None or bool(options.fail_on),
        color=wants_color(stderr),
        print_before=names if options.mlir_print_ir_before_all else options.mlir_print_ir_before,
        print_after=names if options.mlir_print_ir_after_all else options.mlir_print_ir_after,
        max_ops=options.max_ops,
        fast_path=not options.no_fast_path,
        mlir_opt=mlir_opt,
    )


def _output_target(text: str) -> Target:
    """What `--target` names; whoever names a GPU there means the option of a pass."""
    from rlx_sched.tools.pipeline import make, parse_target

    try:
        name, options = parse_target(text)
        kind = find_target(name)
    except UsageError as error:
        if "{" in text or "did you mean" in str(error):
            raise
        raise UsageError(
            f"unknown output target '{text}'; to name a GPU, use the option of the pass: "
            f"--occupancy-filter=\"target='{text}'\""
        ) from None
    return make(kind, options)


def _parts(path: str, options: Namespace, settings: Settings, stderr: TextIO) -> list[Part]:
    """The parts of the input file `path`."""
    name = STDIN_NAME if path == STDIN else path
    try:
        whole = Part(decode(read_bytes(path), name), name)
    except ParseError as error:
        stderr.write(render(parse_error_message(error), color=settings.color))
        raise Failed from None
    return split(whole) if options.split_input_file else [whole]


def _process_all(parts: Sequence[Part], settings: Settings, jobs: int, stderr: TextIO) -> list[Outcome]:
    if jobs == 1 or len(parts) == 1:
        return [process(part, settings, stderr) for part in parts]
    from rlx_sched.tools.parallel import process_in_parallel

    return list(process_in_parallel(parts, settings, jobs, stderr))


def _conclude(outcomes: Sequence[Outcome], options: Namespace, settings: Settings, stderr: TextIO) -> int:
    """Write the outputs, and choose the exit code."""
    succeeded = all(outcome.succeeded for outcome in outcomes)
    outputs: list[Output] = []
    # As with mlir-opt, what could be processed goes to standard output even if a later part could not.
    if succeeded or options.output == STDOUT:
        outputs.append(Output.of(options.output, f"{SEPARATOR}\n".join(outcome.text for outcome in outcomes)))
    remarks = [remark for outcome in outcomes for remark in outcome.remarks]
    if options.remarks is not None:
        outputs.append(Output.of(options.remarks, "".join(remark.yaml for remark in remarks), "remarks file"))
    write(*outputs)
    if not succeeded:
        return errors.EXIT_ERROR
    found = [remark for remark in remarks if remark.findings & options.fail_on]
    if options.fail_on and not remarks:
        warning = Message(Severity.WARNING, "--fail-on: no schedules were found")
        stderr.write(render(warning, "rlx-opt", color=settings.color))
    if not found:
        return 0
    if not settings.show_remarks:
        stderr.write("".join(render(remark.message, color=settings.color) for remark in found))
    schedules = "1 schedule is" if len(found) == 1 else f"{len(found)} schedules are"
    stderr.write(f"rlx-opt: --fail-on: {schedules} {' or '.join(sorted(options.fail_on))}\n")
    return errors.EXIT_FINDINGS
