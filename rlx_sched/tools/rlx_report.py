"""`rlx-report`: what the filter would do to a file and why, as a page, a table, JSON or an explanation."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from shutil import get_terminal_size
from typing import TYPE_CHECKING, TextIO

from rlx_sched.spelling import did_you_mean
from rlx_sched.tools.errors import EXIT_ERROR, Failed, FileError, UsageError
from rlx_sched.tools.guard import guarded

if TYPE_CHECKING:
    import argparse

    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

    from rlx_sched.diagnostics import Diagnostic
    from rlx_sched.passes.occupancy_filter import OccupancyFilter
    from rlx_sched.report.collect import Report
    from rlx_sched.report.terminal import Screen
    from rlx_sched.tools.reporter import Reporter

_EVERY_KERNEL = ""
"""The value of `--explain` without a name."""

_OPEN_STDIN = "/dev/stdin"
"""The file that standard input is read from, where the system has a name for it."""

_PIPE_WIDTH = 120
"""Columns of the table where nobody says how wide the output is."""

_LISTED_KERNELS = 8
"""The most kernels that the message about an unknown one names."""

_EPILOG = """\
exit codes:
  0    done
  1    errors in the input, or a file that cannot be read or written; a kernel
       that does not fit even with one stage is such an error, and the report is
       written
  2    the command line makes no sense
  70   a defect of rlx-report itself
  130  stopped by SIGINT; 143: by SIGTERM; 129: by SIGHUP;
       141: nobody reads the output any more
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run `rlx-report` with the arguments `argv`, by default those of the process; returns the exit code."""
    return guarded("rlx-report", _run, argv, reads_ir=True)


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    """The options. The file is not changed: the filter runs on the module in memory."""
    from rlx_sched import __version__
    from rlx_sched.tools.parser import Parser

    parser = Parser(
        prog="rlx-report",
        usage="rlx-report [options] [FILE]",
        description="Says what occupancy-filter does to every kernel of FILE (or of standard input),\n"
        "and why. FILE itself is not changed. Without -o, --json or --explain it prints\na table.",
        epilog=_EPILOG,
    )
    output = parser.add_argument_group("what to write")
    output.add_argument("-o", metavar="REPORT.html", dest="output", help="write an HTML page that needs nothing else")
    kinds = output.add_mutually_exclusive_group()
    kinds.add_argument("--json", action="store_true", help="write JSON, to standard output or the file of -o")
    kinds.add_argument(
        "--explain",
        metavar="=KERNEL",
        nargs="?",
        help="explain the footprint and the verdict of one kernel, or of every one without a name: its buffers, the "
        "evidence, and what would change the verdict",
    )
    judging = parser.add_argument_group("how to judge, as occupancy-filter does")
    judging.add_argument("--target", metavar="GPU", help="GPU to judge for where the IR names none")
    judging.add_argument("--override-target", action="store_true", help="use --target even where the IR names another")
    judging.add_argument("--calibration", metavar="FILE.toml", help="calibration to use in place of those that ship")
    judging.add_argument(
        "--extrapolated",
        choices=("strip", "keep"),
        default="strip",
        help="what to do with slower schedules outside the measured range (default: %(default)s)",
    )
    parser.add_argument("--version", action="version", version=f"rlx-report {__version__}")
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="MLIR to report on; - is standard input")
    try:
        # argparse would take the file for the kernel in `--explain FILE`.
        return parser.parse([f"--explain={_EVERY_KERNEL}" if one == "--explain" else one for one in argv])
    except UsageError as error:
        following = argv[argv.index("--explain") + 1] if "--explain" in argv[:-1] else "-"
        if following.startswith("-"):
            raise
        raise UsageError(f"{error}; to explain one kernel: --explain={following}", see_help=False) from None


def _run(argv: Sequence[str]) -> int:
    options = _parse(argv)
    try:
        return _write(options)
    except RecursionError:
        raise Failed("operations, attributes or types are nested too deeply") from None


def _write(options: argparse.Namespace) -> int:
    from rlx_sched.passes.occupancy_filter import OccupancyFilter
    from rlx_sched.tools.files import STDIN, STDOUT, is_same_file, write_text
    from rlx_sched.tools.registry import new_context
    from rlx_sched.tools.visible import visible

    if options.override_target and options.target is None:
        raise UsageError("--override-target needs --target", see_help=False)
    output: str = STDOUT if options.output is None else options.output
    source = _OPEN_STDIN if options.file == STDIN else options.file
    for path, what in ((source, "input file"), (options.calibration, "calibration")):
        if path is not None and is_same_file(path, output):
            raise UsageError(f"-o names the {what} '{output}', which would be lost", see_help=False)
    filter = OccupancyFilter(
        target=options.target,
        override_target=options.override_target,
        calibration=options.calibration,
        extrapolated=options.extrapolated,
    )
    context = new_context()
    try:
        module, reporter = _read(context, options.file)
    except FileError as error:
        if options.explain != _EVERY_KERNEL:
            raise
        raise FileError(f"{error}; to explain one kernel: --explain={options.file}") from None
    if options.explain is not None:
        text = _explain(context, module, reporter, filter, options.explain)
    else:
        text = _report(context, module, reporter, filter, options)
    write_text(output, text)
    if output != STDOUT and sys.stderr.isatty():
        sys.stderr.write(f"wrote {visible(output)}\n")
    return EXIT_ERROR if reporter.errors else 0


def _read(context: Context, path: str) -> tuple[ModuleOp, Reporter]:
    """The module in the file `path`, verified, and where to send what is to be said about it."""
    from xdsl.utils.exceptions import ParseError

    from rlx_sched.ir.reader import decode, read_module
    from rlx_sched.tools.files import STDIN, read_bytes
    from rlx_sched.tools.render import render, wants_color
    from rlx_sched.tools.reporter import Reporter, parse_error_message
    from rlx_sched.tools.verify import InvalidModule, verify

    color = wants_color(sys.stderr)
    name = "<stdin>" if path == STDIN else path
    try:
        module, source = read_module(context, decode(read_bytes(path), name), name)
    except ParseError as error:
        sys.stderr.write(render(parse_error_message(error), color=color))
        raise Failed from None
    reporter = Reporter(source, sys.stderr, show_remarks=False, keep_remarks=False, color=color)
    try:
        verify(module)
    except InvalidModule as error:
        reporter.error(str(error), error.op)
        raise Failed from None
    return module, reporter


def _collect(context: Context, module: ModuleOp, reporter: Reporter, filter: OccupancyFilter) -> Report:
    """What the filter makes of `module`, which it changes; whatever is written, all that it says is said once."""
    from xdsl.utils.exceptions import PassFailedException

    from rlx_sched.diagnostics import Remark
    from rlx_sched.report.collect import collect

    def handle(diagnostic: Diagnostic) -> None:
        if not isinstance(diagnostic, Remark):
            reporter.handle(diagnostic)

    try:
        return collect(module, reporter.source, filter, context, handle)
    except PassFailedException:
        raise Failed from None


def _report(
    context: Context, module: ModuleOp, reporter: Reporter, filter: OccupancyFilter, options: argparse.Namespace
) -> str:
    report = _collect(context, module, reporter, filter)
    if options.json:
        from rlx_sched.report.document import format_json

        return format_json(report)
    try:
        if options.output is not None:
            from rlx_sched.report.page import format_page

            return format_page(report)
        from rlx_sched.report.terminal import Screen, format_table

        return format_table(report, _screen(Screen))
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] not in ("plotly", "rich"):
            raise
        raise FileError(
            f"{error.name} is missing, which the extra `report` brings: pip install 'rlx-sched[report]'"
        ) from None


def _screen(make: type[Screen]) -> Screen:
    """The terminal's width and colors; a pipe is wide and has none."""
    from rlx_sched.tools.render import wants_color

    stdout: TextIO | None = sys.stdout
    return make(get_terminal_size((_PIPE_WIDTH, 0)).columns, stdout is not None and wants_color(stdout))


def _explain(context: Context, module: ModuleOp, reporter: Reporter, filter: OccupancyFilter, wanted: str) -> str:
    """The explanations of all kernels called `wanted`, or of all that there are."""
    from xdsl.utils.exceptions import PassFailedException

    from rlx_sched.diagnostics import handled_by
    from rlx_sched.report.collect import Action
    from rlx_sched.report.explain import explain_schedule
    from rlx_sched.sources import find_schedules
    from rlx_sched.tools.visible import visible_line

    name = wanted.removeprefix("@")
    with handled_by(reporter.handle):
        try:
            assessor = filter.assessor()
        except PassFailedException:
            raise Failed from None
    # The filter changes the module, so it comes last, and says then what there is to say.
    with handled_by(lambda _: None):
        schedules = list(find_schedules(module))
        chosen = [schedule for schedule in schedules if wanted == _EVERY_KERNEL or schedule.name == name]
        texts: list[str] = []
        for schedule in chosen:
            place = reporter.source.place(schedule.op)
            where = "" if place is None else f"{visible_line(str(place))}: "
            texts.append(where + explain_schedule(schedule, assessor))
    reports = _collect(context, module, reporter, filter).kernels
    if not chosen and wanted != _EVERY_KERNEL:
        reporter.error(f"no kernel '@{name}' here{_instead(name, [one.name for one in schedules])}")
        raise Failed
    if not chosen:
        return "0 kernels\n"
    # The kernels stand in the order of the schedules.
    left_in = {
        schedule.op: f"\n\n{visible_line(f'filter: {report.message}')}"
        for schedule, report in zip(schedules, reports, strict=True)
        if report.action is Action.LEFT_IN
    }
    texts = [text + left_in.get(schedule.op, "") for schedule, text in zip(chosen, texts, strict=True)]
    return "\n\n".join(f"{text}\n" for text in texts)


def _instead(name: str, known: Sequence[str]) -> str:
    """Which of the `known` kernels could be meant by `name`, as the end of a message."""
    more = ", ..." if len(known) > _LISTED_KERNELS else ""
    there_are = f"; there are: {', '.join(f'@{one}' for one in known[:_LISTED_KERNELS])}{more}"
    return did_you_mean(name, known) or (there_are if known else "; there are none")


if __name__ == "__main__":
    sys.exit(main())
