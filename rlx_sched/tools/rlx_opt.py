"""`rlx-opt`: read MLIR, run passes, print it; `mlir-opt` for schedules.

This module turns what can happen into messages and exit codes. It imports nothing that takes time before it is ready for
signals, and nothing that `--version` does not need.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING, TextIO

from rlx_sched.tools import errors
from rlx_sched.tools.errors import FileError, UsageError

if TYPE_CHECKING:
    from argparse import Namespace

    from rlx_sched.tools.driver import Outcome, Part, Settings


def main(argv: Sequence[str] | None = None) -> int:
    """Run `rlx-opt` with the arguments `argv` (by default the process's own); returns the exit code."""
    stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")
    try:
        with _signals_raise(), _without_collector():
            return _run(sys.argv[1:] if argv is None else argv, stderr)
    except UsageError as error:
        stderr.write(f"rlx-opt: error: {error}\nrlx-opt: 'rlx-opt --help' shows passes and options\n")
        return errors.EXIT_USAGE
    except FileError as error:
        stderr.write(f"rlx-opt: error: {error}\n")
        return errors.EXIT_ERROR
    except BrokenPipeError:
        return errors.EXIT_BROKEN_PIPE
    except _Stopped as stopped:
        return 128 + stopped.signal


def _run(argv: Sequence[str], stderr: TextIO) -> int:
    from rlx_sched.tools.command_line import parse
    from rlx_sched.tools.driver import SEPARATOR, process
    from rlx_sched.tools.files import write_text

    options, inputs = parse(argv)
    settings = _settings(options, stderr)
    outcomes = [process(part, settings, stderr) for part in _parts(options, inputs)]
    succeeded = all(outcome.succeeded for outcome in outcomes)
    if succeeded or options.output == "-":
        write_text(options.output, f"{SEPARATOR}\n".join(outcome.text for outcome in outcomes))
    return 0 if succeeded else errors.EXIT_ERROR


def _settings(options: Namespace, stderr: TextIO) -> Settings:
    from rlx_sched.tools.driver import Settings
    from rlx_sched.tools.pipeline import make, parse_target
    from rlx_sched.tools.registry import find_target
    from rlx_sched.tools.render import wants_color

    names = frozenset(one.name for one in options.passes)
    target = None
    if options.target is not None:
        name, target_options = parse_target(options.target)
        target = make(find_target(name), target_options)
    return Settings(
        passes=tuple(options.passes),
        target=target,
        generic=options.mlir_print_op_generic,
        debuginfo=options.mlir_print_debuginfo,
        verify_each=options.verify_each,
        verify_diagnostics=options.verify_diagnostics,
        show_remarks=options.show_remarks,
        color=wants_color(stderr),
        print_before=names if options.mlir_print_ir_before_all else frozenset(options.mlir_print_ir_before),
        print_after=names if options.mlir_print_ir_after_all else frozenset(options.mlir_print_ir_after),
        max_ops=options.max_ops,
    )


def _parts(options: Namespace, inputs: Sequence[str]) -> list[Part]:
    from rlx_sched.ir.reader import decode
    from rlx_sched.tools.driver import Part, split
    from rlx_sched.tools.files import STDIN, read_bytes

    parts: list[Part] = []
    for path in inputs:
        name = "<stdin>" if path == STDIN else path
        whole = Part(decode(read_bytes(path), name), name)
        parts += split(whole) if options.split_input_file else [whole]
    return parts


class _Stopped(BaseException):
    """A signal asked the process to stop."""

    def __init__(self, number: int):
        super().__init__(number)
        self.signal = number


@contextmanager
def _signals_raise() -> Iterator[None]:
    """Have SIGINT and SIGTERM unwind the stack, so that temporary files go, unless they are ignored (`nohup`)."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise _Stopped(number)

    previous = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    # Only the main thread may set handlers; in any other, whoever has the main one deals with signals.
    with suppress(ValueError):
        for number, handler in previous.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, stop)
    try:
        yield
    finally:
        with suppress(ValueError):
            for number, handler in previous.items():
                signal.signal(number, handler)


@contextmanager
def _without_collector() -> Iterator[None]:
    """Turn the garbage collector off: IR is kept until the end, so walking it again and again finds nothing."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


if __name__ == "__main__":
    sys.exit(main())
