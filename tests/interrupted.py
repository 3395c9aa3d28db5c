"""Runs rlx-opt again and again, with a signal at each place in its outermost code where Python looks for one.

`python interrupted.py SIGNAL FOLDER ARGUMENT...` prints for each place, as a line of JSON, the exit code, what was
written to standard error, and the files of FOLDER with their contents; the folder has the file `old` each time.
"""

import dis
import json
import os
import signal
import sys
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from rlx_sched.tools import command_line, files, guard, information, invocation, reporter, rlx_opt

OUTERMOST = {files.__file__, guard.__file__, rlx_opt.__file__}
LOADED = (command_line, information, invocation, reporter)
"""So that not every run has to."""

LOOKS_FOR_SIGNALS = ("CALL", "RESUME", "JUMP_BACKWARD", "BEFORE_WITH")
"""After these instructions; after others a handler never runs."""

NO_SUCH_PLACE = 200
"""An exit code that rlx-opt does not have."""

INPUT = "sched.kernel @k { sched.buffer @a : memref<4xf32> }\n"


@cache
def instructions(code: CodeType) -> dict[int, str]:
    return {one.offset: one.opname for one in dis.get_instructions(code)}


class Tracer:
    """Raises the signal `number` at the `place`-th place."""

    def __init__(self, number: signal.Signals, place: int):
        self.number = number
        self.left = place
        self.before: dict[FrameType, str] = {}

    def __call__(self, frame: FrameType, event: str, argument: object) -> Any:
        if frame.f_code.co_filename not in OUTERMOST:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            before = self.before.get(frame, "")
            self.before[frame] = instructions(frame.f_code).get(frame.f_lasti, "")
            # Until the tool is ready, Python has its own way.
            ready = signal.getsignal(self.number) is not signal.default_int_handler
            if ready and before.startswith(LOOKS_FOR_SIGNALS):
                self.left -= 1
                if not self.left:
                    sys.settrace(None)
                    signal.raise_signal(self.number)
        elif event == "return":
            self.before.pop(frame, None)
        return self


def run(number: signal.Signals, place: int, arguments: list[str]) -> int:
    """Its exit code; `NO_SUCH_PLACE` when there is none."""
    sys.argv = ["rlx-opt", *arguments]
    tracer = Tracer(number, place)
    sys.settrace(tracer)
    code = rlx_opt.main()
    sys.settrace(None)
    return NO_SUCH_PLACE if tracer.left > 0 else code


def main() -> None:
    number = signal.Signals(int(sys.argv[1]))
    folder, arguments = Path(sys.argv[2]), sys.argv[3:]
    os.chdir(folder)
    place, code = 0, 0
    while code != NO_SUCH_PLACE:
        place += 1
        for file in folder.iterdir():
            file.unlink()
        Path("old").write_text("old")
        Path("in.mlir").write_text(INPUT)
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            os.dup2(writer, 2)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.close(writer)
            sys.exit(run(number, place, arguments))
        os.close(writer)
        with open(reader) as pipe:
            stderr = pipe.read()
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        contents = {file.name: file.read_text() for file in folder.iterdir()}
        print(json.dumps([code, stderr, contents]))


if __name__ == "__main__":
    main()
