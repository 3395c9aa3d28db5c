"""`rlx-opt`: read MLIR, run passes, print it; `mlir-opt` for schedules.

This module imports nothing that takes time before it is ready for signals.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rlx_sched.tools.errors import Failed
from rlx_sched.tools.guard import guarded


def main(argv: Sequence[str] | None = None) -> int:
    """Run `rlx-opt` with the arguments `argv`, by default those of the process; returns the exit code."""
    return guarded("rlx-opt", _run, argv, reads_ir=True)


def _run(argv: Sequence[str]) -> int:
    from rlx_sched.tools.files import STDOUT, write_text

    if "--version" in argv:
        from rlx_sched.tools.internal_error import versions

        write_text(STDOUT, f"{versions('rlx-opt')}\n")
        return 0
    from rlx_sched.tools.command_line import CommandLine
    from rlx_sched.tools.information import information

    command_line = CommandLine()
    options, inputs = command_line.read(argv)
    asked = information(options, command_line)
    if asked is not None:
        write_text(STDOUT, asked)
        return 0
    from rlx_sched.tools.invocation import run

    try:
        return run(options, inputs)
    except MemoryError:
        # It is to be gone when the message is put together: it holds what the memory is full of.
        pass
    raise Failed("out of memory; --max-ops=N refuses large modules")


if __name__ == "__main__":
    sys.exit(main())
