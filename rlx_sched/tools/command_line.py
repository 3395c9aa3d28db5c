"""The command line of `rlx-opt`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from typing import Any

from rlx_sched.passes import PASSES
from rlx_sched.spelling import did_you_mean
from rlx_sched.tools.errors import UsageError
from rlx_sched.tools.files import STDIN, STDOUT
from rlx_sched.tools.parser import BOOLEANS, Parser
from rlx_sched.tools.registry import find_pass, xdsl_passes

_VIA_MLIR_OPT = "--via-mlir-opt"
_VERIFY_EACH = "--verify-each"
_JOBS = re.compile(r"-j[0-9]+", re.ASCII)

DESCRIPTION = """\
Reads MLIR from each FILE (standard input if there is none, or for -), runs the
passes in the order given, and prints the module."""

FINDINGS = ("faster", "slower", "too_close_to_call", "unknown", "illegal")
"""What `--fail-on` can look for: the verdicts, and footprints over the limit."""

EPILOG = """\
exit codes:
  0    done
  1    errors in the input or in a pass; a file cannot be read or written
  2    the command line makes no sense
  3    --fail-on found something; the output is written all the same
  70   a defect of rlx-opt itself
  130  stopped by SIGINT; 143: by SIGTERM; 129: by SIGHUP;
       141: nobody reads the output any more

environment:
  NO_COLOR     no colors in diagnostics
  RLX_DEBUG    show the Python traceback of a defect
  RLX_MLIR_OPT, XDSL_MLIR_OPT
               the mlir-opt that --via-mlir-opt runs
"""


class CommandLine(Parser):
    """Everything on the command line but the input files, which `read` finds by itself."""

    def __init__(self):
        super().__init__(
            prog="rlx-opt",
            usage="rlx-opt [options] [passes] [FILE ...]",
            description=DESCRIPTION,
            epilog=EPILOG,
            add_help=False,
        )
        self.set_defaults(passes=[])
        self._own = self.add_argument_group("passes")
        for name in PASSES:
            self.add_pass(name)
        _add_pipelines(self)
        _add_files(self)
        _add_diagnostics(self)
        _add_printing(self)
        _add_information(self)
        self._others = self.add_argument_group("passes of xDSL")

    def describe(self, own: str, others: str) -> None:
        """Have the help text say `own` about our passes, and `others` about xDSL's."""
        self._own.description, self._others.description = own, others

    @property
    def actions(self) -> list[argparse.Action]:
        """Every option there is."""
        return self._actions

    @property
    def flags(self) -> dict[str, argparse.Action]:
        """Every option by each of its spellings."""
        return self._option_string_actions

    def read(self, argv: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
        """The options and the input files in `argv`.

        Raises:
            UsageError: saying what makes no sense, and what would be near.
        """
        end = argv.index("--") if "--" in argv else len(argv)
        options, inputs = self.parse_known_args([_normalized(argument, self) for argument in argv[:end]])
        return options, [*inputs, *argv[end + 1 :]] or [STDIN]

    def add_pass(self, name: str) -> None:
        """Make the pass `name` an option."""
        self.add_argument(f"--{name}", action=PassFlag, help=argparse.SUPPRESS)


class PassFlag(argparse.Action):
    """`--some-pass=options`."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        """Add the pass to the pipeline."""
        from rlx_sched.tools.pipeline import make_pass, parse_options

        flag = self.option_strings[0]
        try:
            namespace.passes.append(make_pass(flag.removeprefix("--"), parse_options(values)))
        except UsageError as error:
            raise UsageError(f"{flag}: {error}") from None


class _Names(argparse.Action):
    """`--flag=a,b --flag=c`: all of them."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        setattr(namespace, self.dest, getattr(namespace, self.dest) | values)


class _Pipeline(argparse.Action):
    """`-p a,b` and `--pass-pipeline=builtin.module(a,b)`."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        from rlx_sched.tools.pipeline import parse_pipeline

        try:
            namespace.passes.extend(parse_pipeline(values))
        except UsageError as error:
            raise UsageError(f"{option_string}: {error}") from None


def _add_pipelines(parser: CommandLine) -> None:
    group = parser.add_argument_group("pipelines")
    text = "passes as 'a{x=1},b' or 'builtin.module(a{x=1},b)'"
    group.add_argument("-p", "--pass-pipeline", action=_Pipeline, metavar="PASSES", help=text)
    _add_switch(group, "--dump-pass-pipeline", "print the pipeline on standard error")


def _add_files(parser: CommandLine) -> None:
    group = parser.add_argument_group("input and output")
    group.add_argument(
        "-o", dest="output", default=STDOUT, metavar="FILE", help="where to write (- for standard output)"
    )
    _add_switch(group, "--split-input-file", "process what stands between '// -----' one by one, as mlir-opt finds it")
    text = "process so many parts or files at a time (default: 1)"
    group.add_argument("-j", dest="jobs", type=_positive, default=1, metavar="N", help=text)
    text = "print this instead of MLIR: rlx-wgsl, rlx-msl, or a target of xDSL"
    group.add_argument("-t", "--target", metavar="NAME", help=text)
    text = "read through a real mlir-opt: what the dialects that it knows print, which sched is not"
    group.add_argument(_VIA_MLIR_OPT, nargs="?", metavar="PATH", help=text)
    _add_switch(group, "--allow-unregistered-dialect", "accepted, and always on")


def _add_diagnostics(parser: CommandLine) -> None:
    group = parser.add_argument_group("diagnostics")
    text = "write what was done and why, as LLVM optimization remarks (YAML)"
    group.add_argument("--remarks", metavar="FILE", help=text)
    _add_switch(group, "--show-remarks", "show remarks on standard error")
    text = f"exit with 3 if a schedule, as the passes found it, before anything is taken out, is: {', '.join(FINDINGS)}"
    _add_names(group, "--fail-on", _findings, "WHAT,...", text)
    _add_switch(group, "--verify-diagnostics", "check for the diagnostics that comments in the file expect")
    text = "verify after each pass: true (the default) or false"
    group.add_argument(_VERIFY_EACH, type=_boolean, default=True, metavar="BOOL", help=text)
    text = "refuse modules of more operations"
    group.add_argument("--max-ops", type=_positive, metavar="N", help=text)
    _add_switch(group, "--no-fast-path", "read every operation the slow way, to the same effect")


def _add_printing(parser: CommandLine) -> None:
    group = parser.add_argument_group("printing, as in mlir-opt")
    _add_switch(group, "--mlir-print-op-generic", "print the generic form")
    _add_switch(group, "--mlir-print-debuginfo", "print locations")
    for when in ("before", "after"):
        text = f"print the module on standard error {when}"
        _add_switch(group, f"--mlir-print-ir-{when}-all", f"{text} each pass")
        _add_names(group, f"--mlir-print-ir-{when}", _pass_names, "PASS,...", f"{text} these")
    _add_switch(group, "--mlir-timing", "print how long each step took on standard error")


def _add_information(parser: CommandLine) -> None:
    group = parser.add_argument_group("information")
    group.add_argument("-h", "--help", action="store_true", help="this text")
    _add_switch(group, "--help-all", "the same, with the options of xDSL's passes")
    _add_switch(group, "--version", "print the versions")
    _add_switch(group, "--list-passes", "print the names of all passes, ours first")
    _add_switch(group, "--show-dialects", "print the names of all dialects")
    text = "print what makes this shell complete: bash, zsh or fish"
    group.add_argument("--print-completion", choices=["bash", "zsh", "fish"], metavar="SHELL", help=text)


def _add_names(
    group: argparse._ArgumentGroup,  # pyright: ignore[reportPrivateUsage]
    flag: str,
    read: Callable[[str], frozenset[str]],
    metavar: str,
    text: str,
) -> None:
    group.add_argument(flag, action=_Names, type=read, default=frozenset[str](), metavar=metavar, help=text)


def _add_switch(group: argparse._ArgumentGroup, flag: str, text: str) -> None:  # pyright: ignore[reportPrivateUsage]
    group.add_argument(flag, action="store_true", help=text)


def _normalized(argument: str, parser: CommandLine) -> str:
    """`argument` as argparse is to see it.

    One dash is as good as two, as in LLVM. What may have a value gets an empty one, lest it take the next argument.
    One of xDSL's passes becomes known to `parser`.

    Raises:
        UsageError: when it looks like an option and is none.
    """
    if not argument.startswith("-") or argument == STDIN or _JOBS.fullmatch(argument):
        return argument
    written, equals, value = argument.partition("=")
    name = written.lstrip("-")
    flag = f"--{name}" if len(name) > 1 else written
    if flag not in parser.flags and name in xdsl_passes():
        parser.add_pass(name)
    if flag not in parser.flags:
        known = [*parser.flags, *(f"--{one}" for one in xdsl_passes())]
        raise UsageError(f"unknown option '{written}'{did_you_mean(flag, known)}")
    takes_optional_value = isinstance(parser.flags[flag], PassFlag) or flag in (_VIA_MLIR_OPT, _VERIFY_EACH)
    return f"{flag}={value}" if equals or takes_optional_value else flag


def _boolean(text: str) -> bool:
    if text and text not in BOOLEANS:
        raise argparse.ArgumentTypeError(f"expected 'true' or 'false', got '{text}'")
    return BOOLEANS.get(text, True)


def _positive(text: str) -> int:
    if not re.fullmatch("0*[1-9][0-9]{0,17}", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 on, got '{text}'")
    return int(text)


def _findings(text: str) -> frozenset[str]:
    for name in text.split(","):
        if name not in FINDINGS:
            raise argparse.ArgumentTypeError(f"expected some of {', '.join(FINDINGS)}, got '{name}'")
    return frozenset(text.split(","))


def _pass_names(text: str) -> frozenset[str]:
    return frozenset(find_pass(name).name for name in text.split(","))
