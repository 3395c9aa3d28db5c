"""The command line of `rlx-opt`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import Any, NoReturn

from rlx_sched.passes import PASSES
from rlx_sched.tools.errors import UsageError
from rlx_sched.tools.files import STDIN, STDOUT
from rlx_sched.tools.pipeline import make_pass, parse_options, parse_pipeline
from rlx_sched.tools.registry import did_you_mean, find_pass, xdsl_passes

FINDINGS = ("faster", "slower", "too_close_to_call", "unknown", "illegal")
"""What `--fail-on` can look for: the verdicts, and footprints over the limit."""

EPILOG = """\
exit codes:
  0    done
  1    errors in the input or in a pass; a file cannot be read or written
  2    the command line makes no sense
  3    --fail-on found something; the output is written all the same
  70   a defect of rlx-opt itself
  130  stopped by SIGINT; 143: by SIGTERM; 141: nobody reads the output any more

environment:
  NO_COLOR     no colors in diagnostics
  RLX_DEBUG    show the Python traceback of a defect
  RLX_MLIR_OPT, XDSL_MLIR_OPT
               the mlir-opt that --via-mlir-opt runs
"""


class _Parser(argparse.ArgumentParser):
    """Raises UsageError where argparse would end the process."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


class _PassFlag(argparse.Action):
    """`--some-pass=options`."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        try:
            namespace.passes.append(make_pass(self.metavar or "", parse_options(values)))
        except UsageError as error:
            raise UsageError(f"--{self.metavar}: {error}") from None


class _Pipeline(argparse.Action):
    """`-p a,b` and `--pass-pipeline=builtin.module(a,b)`."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        try:
            namespace.passes.extend(parse_pipeline(values))
        except UsageError as error:
            raise UsageError(f"{option_string}: {error}") from None


def build_parser() -> argparse.ArgumentParser:
    """The parser of everything but the input files, which `parse` finds by itself."""
    parser = _Parser(
        prog="rlx-opt",
        usage="rlx-opt [options] [passes] [FILE ...]",
        description="Reads MLIR from FILE (or standard input), runs the passes in the order given, and prints the\n"
        "module. Several files are processed one by one.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
        allow_abbrev=False,
    )
    parser.set_defaults(passes=[])
    _add_passes(parser)
    _add_files(parser)
    _add_checks(parser)
    _add_printing(parser)
    _add_information(parser)
    return parser


def _add_passes(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("pipelines")
    for name in PASSES:
        group.add_argument(f"--{name}", action=_PassFlag, metavar=name, help=argparse.SUPPRESS)
    group.add_argument(
        "-p", "--pass-pipeline", action=_Pipeline, metavar="PASSES", help="'a{x=1},b' or 'builtin.module(a{x=1},b)'"
    )
    group.add_argument("--dump-pass-pipeline", action="store_true", help="print the pipeline on standard error")


def _add_files(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("input and output")
    group.add_argument("-o", dest="output", default=STDOUT, metavar="FILE", help="where to write; - is standard output")
    group.add_argument("--split-input-file", action="store_true", help="process the parts between '// -----' one by one")
    group.add_argument("-t", "--target", metavar="NAME", help="what to print instead of MLIR: rlx-wgsl, rlx-msl, or a target of xDSL")
    group.add_argument("--allow-unregistered-dialect", action="store_true", help="accepted, and always on")


def _add_checks(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("diagnostics")
    group.add_argument("--remarks", metavar="FILE", help="write what was done and why as LLVM optimization remarks (YAML)")
    group.add_argument("--show-remarks", action="store_true", help="show remarks on standard error")
    group.add_argument(
        "--fail-on",
        type=_findings,
        default=frozenset[str](),
        metavar="WHAT",
        help="exit with 3 if a schedule is one of these, comma-separated: " + ", ".join(FINDINGS),
    )
    group.add_argument("--verify-diagnostics", action="store_true", help="check for the diagnostics that comments expect")
    group.add_argument("--verify-each", type=_boolean, default=True, metavar="BOOL", help="verify after each pass (default: true)")
    group.add_argument("--max-ops", type=_positive, metavar="N", help="refuse modules of more operations")


def _add_printing(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("printing, as in mlir-opt")
    group.add_argument("--mlir-print-op-generic", action="store_true", help="print the generic form")
    group.add_argument("--mlir-print-debuginfo", action="store_true", help="print locations")
    group.add_argument("--mlir-print-ir-before-all", action="store_true", help="print the module before each pass")
    group.add_argument("--mlir-print-ir-after-all", action="store_true", help="print the module after each pass")
    group.add_argument("--mlir-print-ir-before", type=_pass_names, default=[], metavar="PASS", help="only before these passes, comma-separated")
    group.add_argument("--mlir-print-ir-after", type=_pass_names, default=[], metavar="PASS", help="only after these passes")
    group.add_argument("--mlir-timing", action="store_true", help="print how long each step took")


def _add_information(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("information")
    group.add_argument("--help", "-h", action="store_true", help="this text")
    group.add_argument("--help-all", action="store_true", help="the same, with the options of xDSL's own passes")
    group.add_argument("--version", action="store_true", help="print the version")
    group.add_argument("--list-passes", action="store_true", help="print the names of all passes")
    group.add_argument("--show-dialects", action="store_true", help="print the names of all dialects")


def parse(argv: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
    """The options and the input files in `argv`.

    Raises:
        UsageError: saying what makes no sense, and what would be near.
    """
    parser = build_parser()
    end = argv.index("--") if "--" in argv else len(argv)
    flags = [action_flag for action in parser._actions for action_flag in action.option_strings]
    options, rest = parser.parse_known_args([_normalized(argument, parser, flags) for argument in argv[:end]])
    for argument in rest:
        if argument.startswith("-") and argument != STDIN:
            name = argument.split("=")[0]
            raise UsageError(f"unknown option '{name}'{did_you_mean(name, [*flags, *(f'--{one}' for one in xdsl_passes())])}")
    return options, [*rest, *argv[end + 1 :]] or [STDIN]


def _normalized(argument: str, parser: argparse.ArgumentParser, flags: list[str]) -> str:
    """`argument` as argparse wants it: `-pass` as `--pass`, and `--pass` as `--pass=`, lest it take the next argument."""
    match = re.fullmatch(r"--?([\w-]{2,})(=.*)?", argument, re.DOTALL)
    if match is None:
        return argument
    name, value = match[1], match[2]
    flag = f"--{name}"
    if name in PASSES:
        return flag + (value or "=")
    if flag not in flags and name in xdsl_passes():
        parser.add_argument(flag, action=_PassFlag, metavar=name, help=argparse.SUPPRESS)
        flags.append(flag)
        return flag + (value or "=")
    return flag + (value or "") if flag in flags else argument


def _boolean(text: str) -> bool:
    if text not in ("true", "false"):
        raise argparse.ArgumentTypeError(f"expected 'true' or 'false', got '{text}'")
    return text == "true"


def _positive(text: str) -> int:
    if not re.fullmatch("0*[1-9][0-9]{0,17}", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 on, got '{text}'")
    return int(text)


def _findings(text: str) -> frozenset[str]:
    for name in text.split(","):
        if name not in FINDINGS:
            raise argparse.ArgumentTypeError(f"expected some of {', '.join(FINDINGS)}, got '{name}'")
    return frozenset(text.split(","))


def _pass_names(text: str) -> list[str]:
    return [find_pass(name).name for name in text.split(",")]
