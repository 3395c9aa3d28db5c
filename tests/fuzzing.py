"""Give a command line of ours any bytes, and say what of its promises it broke."""

import io
import os
import re
import sys
import unicodedata
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

from mutations import ROOT, broken_bytes, corpus, mutated, truncations
from restructuring import restructured

from rlx_sched.tools import rlx_opt, rlx_report
from rlx_sched.tools.errors import UsageError
from rlx_sched.tools.mlir_opt import find_mlir_opt

MOST_SECONDS = 20.0
"""Of processor time; longer than any text of the tests takes on a slow machine, many times over."""

Tool = Callable[[Sequence[str]], int]

_M4 = "target='Apple M4 Pro'"
_ERASING = (f"--occupancy-filter={_M4}", "--show-remarks", "--sched-erase-annotations")
_CHANGED = re.compile(r" remark: (took \d+ stages down|candidate erased)")
"""The remarks of the filter on what it changed."""

COMMANDS: tuple[tuple[Tool, tuple[str, ...]], ...] = (
    (rlx_opt.main, ()),
    (rlx_opt.main, ("--mlir-print-op-generic",)),
    (rlx_opt.main, ("--no-fast-path", "--mlir-print-debuginfo")),
    (rlx_opt.main, ("--occupancy-annotate", "--show-remarks")),
    (rlx_opt.main, (f"--occupancy-filter={_M4}", "--show-remarks")),
    (rlx_opt.main, (f"--occupancy-filter={_M4} explain=true", "--mlir-print-op-generic")),
    (rlx_opt.main, ("--sched-enumerate", f"--occupancy-filter={_M4}", f"--sched-rank={_M4}")),
    (rlx_opt.main, _ERASING),
    (rlx_opt.main, ("--split-input-file", "--verify-diagnostics")),
    (rlx_opt.main, ("--target=rlx-wgsl",)),
    (rlx_opt.main, ("--target=rlx-msl",)),
    (rlx_report.main, ("--json", "--target=Apple M4 Pro")),
    (rlx_report.main, ("--explain", "--target=Apple M4 Pro")),
)
"""Tools and their options, which together run all that looks at the input; but see VIA_MLIR_OPT."""

VIA_MLIR_OPT: tuple[tuple[Tool, tuple[str, ...]], ...] = (
    (rlx_opt.main, ("--via-mlir-opt",)),
    (rlx_opt.main, ("--via-mlir-opt", f"--occupancy-filter={_M4}", "--show-remarks", "--mlir-print-debuginfo")),
)
"""The same with a real mlir-opt in front, which takes ten times as long."""

_MLIR_OPT_SHARE = 1 / 64
"""Of the inputs that go through mlir-opt: a tenth of the time."""

_FILTER = COMMANDS[4]

_PLACE = re.compile(r"^(?:<stdin>|[^\n:]+):\d+:\d+: error: |^[^\n]*: error: ", re.MULTILINE)


@dataclass(frozen=True)
class Taken:
    """What a tool did with an input."""

    code: int
    stdout: str
    stderr: str
    seconds: float


@contextmanager
def _streams(data: bytes) -> Generator[tuple[io.BytesIO, io.StringIO]]:
    """Standard input with `data` in it, and standard output and error, as the tools see them."""
    saved = sys.stdin, sys.stdout, sys.stderr
    stdout, stderr = io.BytesIO(), io.StringIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(data))
    sys.stdout = io.TextIOWrapper(stdout, "utf-8", newline="")
    sys.stderr = stderr
    try:
        yield stdout, stderr
    finally:
        sys.stdout.flush()
        # Closing the wrapper would close what was written as well.
        sys.stdout.detach()
        sys.stdin, sys.stdout, sys.stderr = saved


def take(tool: Tool, arguments: Sequence[str], data: bytes) -> Taken:
    """Run a tool of ours in this process with `data` as its standard input, which it is to read."""
    return call(tool, [*arguments, "-"], data)


def call(tool: Tool, arguments: Sequence[str], data: bytes = b"") -> Taken:
    """Run a tool of ours in this process with `data` as its standard input."""
    start = _seconds()
    with _streams(data) as (stdout, stderr):
        code = tool(arguments)
        sys.stdout.flush()
        written = stdout.getvalue()
    return Taken(code, written.decode(), stderr.getvalue(), _seconds() - start)


def _seconds() -> float:
    """Processor time of this process and of those that it started and waited for."""
    user, system, *others, _ = os.times()
    return user + system + sum(others)


def broken_promise(tool: Tool, arguments: Sequence[str], data: bytes) -> str | None:
    """Which of its promises the tool broke on `data`: None, as it should be, or a sentence."""
    taken = take(tool, arguments, data)
    if taken.code not in (0, 1):
        return f"exit code {taken.code}: {taken.stderr}"
    if taken.seconds > MOST_SECONDS:
        return f"it took {taken.seconds:.1f} s"
    if "Traceback (most recent call last)" in taken.stderr:
        return taken.stderr
    if taken.code == 1 and not _PLACE.search(taken.stderr):
        return f"an error without a message: {taken.stderr!r}"
    if dangerous := {character for character in taken.stderr if is_dangerous(character)}:
        return f"diagnostics with control characters {dangerous}: {taken.stderr!r}"
    if tool is rlx_opt.main and not {"--target=rlx-wgsl", "--target=rlx-msl"} & {*arguments}:
        return _wrong_output(arguments, taken, data)
    return None


def is_dangerous(character: str) -> bool:
    """Whether a terminal may do more for `character` than show it."""
    return character not in "\n\t" and unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _wrong_output(arguments: Sequence[str], taken: Taken, data: bytes) -> str | None:
    """What is wrong with the output: a failure has none, any other is read and printed as the same again, and remarks
    say what changed."""
    if "--split-input-file" in arguments:
        return None
    if taken.code == 1:
        return f"output in spite of an error: {taken.stdout}" if taken.stdout else None
    printing = [one for one in arguments if one.startswith("--mlir-print")]
    again = take(rlx_opt.main, printing, taken.stdout.encode())
    if again.code != 0:
        return f"the output is not read: {again.stderr}"
    if again.stdout != taken.stdout:
        return f"the output is read as something else:\n{taken.stdout}\nbecomes\n{again.stdout}"
    if arguments == _ERASING and not _CHANGED.search(taken.stderr):
        before = take(rlx_opt.main, ("--sched-erase-annotations",), data)
        if before.stdout != taken.stdout:
            return f"it changed without a remark:\n{before.stdout}\nto\n{taken.stdout}"
    return None


def hostile(text: str, random: Random, others: Sequence[str]) -> str:
    """`text` with changes of its tokens, or of its operations where it has such of other dialects."""
    changed = restructured(text, random) if random.random() < 0.5 else None
    return mutated(text, random, others) if changed is None else changed


def cuts() -> Generator[tuple[Tool, tuple[str, ...], bytes]]:
    """The examples, cut off after each of their bytes."""
    for file in sorted((ROOT / "examples").glob("*.mlir")):
        for data in truncations(file.read_text("utf-8")):
            yield *_FILTER, data


def has_mlir_opt() -> bool:
    """Whether there is an mlir-opt for VIA_MLIR_OPT."""
    try:
        find_mlir_opt()
    except UsageError:
        return False
    return True


def tries(random: Random, *, mlir_opt_share: float = _MLIR_OPT_SHARE) -> Generator[tuple[Tool, tuple[str, ...], bytes]]:
    """Commands and inputs to try, without end: mutations of the texts of the tests, each broken in one of many ways."""
    texts = corpus()
    foreign = [text for text in texts if "sched." not in text]
    while True:
        through_mlir_opt = random.random() < mlir_opt_share
        text = random.choice(foreign if through_mlir_opt else texts)
        tool, arguments = random.choice(VIA_MLIR_OPT if through_mlir_opt else COMMANDS)
        match random.randrange(8):
            case 0:
                data = broken_bytes(text, random)
            case 1:
                cuts = list(truncations(text))
                data = random.choice(cuts)
            case _:
                data = hostile(text, random, texts).encode("utf-8", "surrogatepass")
        yield tool, arguments, data
