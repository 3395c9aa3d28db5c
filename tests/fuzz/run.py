"""Try hostile input for as long as you like: `python tests/fuzz/run.py --minutes 30`.

The examples cut off after each of their bytes, then mutations of every text of the tests go through rlx-opt and
rlx-report in this process, some of them through a real mlir-opt too; in between, a share of the inputs (`--files`) are
tables for rlx-score (CSV, JSON lines, Parquet, Arrow), calibrations for the tools that read them, and results for
rlx-calibrate. Each broken promise is shown once, with the command and the seed, and its input is kept in the folder of
`--finds`; exit code 1 if there was any. If the interpreter itself crashes, the file in question is left in the
temporary folder that is printed at the start.
With `--coverage` it is atheris (https://github.com/google/atheris) that chooses the inputs, IR only, by the branches
they reach: it stops at the first find, and keeps what it learned in the folder of `--corpus`.
"""

import argparse
import faulthandler
import os
import re
import sys
import time
import traceback
from collections.abc import Callable, Generator, Iterable
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

MOST_BYTES = 2**33
"""Of address space, so that a find is one and not the end of the machine."""

HANGS_AFTER = 600.0
"""Seconds after which a run is taken to hang, on a busy machine too: all threads are shown and the process ends."""


def main() -> int:
    """Fuzz as the command line says; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--finds", type=Path, default=Path("fuzz-finds"), help="where inputs are kept (%(default)s)")
    text = "share of the inputs that are tables, calibrations and results; 0: IR only, 1: no IR (%(default)s)"
    parser.add_argument("--files", type=float, default=0.5, metavar="SHARE", help=text)
    parser.add_argument("--coverage", action="store_true", help="coverage-guided, by atheris")
    parser.add_argument("--corpus", type=Path, default=Path("fuzz-corpus"), help="of atheris (%(default)s)")
    options = parser.parse_args()
    return _guided(options) if options.coverage else _mutational(options)


def _mutational(options: argparse.Namespace) -> int:
    with TemporaryDirectory(prefix="rlx-fuzz-") as folder:
        print(f"seed {options.seed}; files are tried in {folder}", flush=True)
        _limit_memory()
        faulthandler.enable()
        return _try_all(_inputs(options, Path(folder)), options)


def _limit_memory() -> None:
    """Have the process, not the machine, run out of memory."""
    if os.name == "posix":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, most))


class _Input(NamedTuple):
    """An input, what says which promise a tool broke on it, and how its file is to be named."""

    command: str
    data: bytes
    broken_promise: Callable[[], str | None]
    suffix: str


def _inputs(options: argparse.Namespace, folder: Path) -> Generator[_Input]:
    """The inputs of both kinds, mixed."""
    import fuzzing
    import fuzzing_files

    random = Random(options.seed)
    share = 1 / 64 if fuzzing.has_mlir_opt() else 0
    if not share:
        print("without mlir-opt, for there is none", flush=True)
    texts = chain(fuzzing.cuts(), fuzzing.tries(Random(options.seed), mlir_opt_share=share))
    files = fuzzing_files.tries(Random(options.seed))
    while True:
        if random.random() < options.files:
            one = next(files)
            check = partial(fuzzing_files.broken_promise, one, folder)
            yield _Input(f"{one.tool.__module__} {' '.join(one.arguments)}", one.data, check, f".{one.kind}")
        else:
            tool, arguments, data = next(texts)
            check = partial(fuzzing.broken_promise, tool, arguments, data)
            yield _Input(f"{tool.__module__} {' '.join(arguments)}", data, check, ".mlir")


def _try_all(inputs: Iterable[_Input], options: argparse.Namespace) -> int:
    end = time.monotonic() + 60 * options.minutes
    seen: set[str] = set()
    count = 0
    for count, one in enumerate(inputs, 1):
        faulthandler.dump_traceback_later(HANGS_AFTER, exit=True)
        try:
            broken = one.broken_promise()
        except Exception:
            broken = traceback.format_exc()
        faulthandler.cancel_dump_traceback_later()
        # The same defect has many inputs, which differ in names and numbers.
        kind = re.sub(r"\d+", "", broken or "")[-200:]
        if broken is not None and kind not in seen:
            seen.add(kind)
            options.finds.mkdir(exist_ok=True)
            file = options.finds / f"find-{options.seed}-{count}{one.suffix}"
            file.write_bytes(one.data)
            print(f"{file}: {one.command}\n{broken}\n", flush=True)
        if time.monotonic() > end:
            break
    print(f"{count} inputs, {len(seen)} kinds of finds")
    return 1 if seen else 0


def _guided(options: argparse.Namespace) -> int:
    try:
        import atheris  # pyright: ignore
    except ImportError:
        print("--coverage needs `pip install atheris`", file=sys.stderr)
        return 2
    with atheris.instrument_imports(include=["rlx_sched", "xdsl.parser", "xdsl.utils"]):  # pyright: ignore
        from fuzzing import COMMANDS, broken_promise, hostile, take
        from mutations import corpus

        for tool, arguments in COMMANDS:
            # The tools import most of themselves when they run.
            take(tool, arguments, b"sched.kernel @k {\n}\nfunc.func @f() {\n  return\n}\n")

    options.corpus.mkdir(exist_ok=True)
    for number, text in enumerate(corpus()):
        (options.corpus / f"seed-{number}.mlir").write_bytes(b"\0" + text.encode())

    def try_one(data: bytes) -> None:
        tool, arguments = COMMANDS[data[0] % len(COMMANDS) if data else 0]
        broken = broken_promise(tool, arguments, data[1:])
        if broken is not None:
            raise AssertionError(f"{tool.__module__} {' '.join(arguments)}\n{broken}")

    def mutate(data: bytes, max_size: int, seed: int) -> bytes:
        random = Random(seed)
        if random.random() < 0.5:
            return bytes(atheris.Mutate(data, max_size))  # pyright: ignore
        text = hostile(data[1:].decode("utf-8", "replace"), random, corpus())
        return (bytes([random.randrange(len(COMMANDS))]) + text.encode("utf-8", "surrogatepass"))[:max_size]

    seconds = max(1, round(60 * options.minutes))
    options.finds.mkdir(exist_ok=True)
    limits = [f"-max_total_time={seconds}", f"-timeout={HANGS_AFTER:.0f}", "-rss_limit_mb=4096", "-max_len=20000"]
    places = [f"-seed={options.seed % 2**32 or 1}", f"-artifact_prefix={options.finds}/", str(options.corpus)]
    atheris.Setup([sys.argv[0], *limits, *places], try_one, custom_mutator=mutate)  # pyright: ignore
    atheris.Fuzz()  # pyright: ignore
    return 0


if __name__ == "__main__":
    sys.exit(main())
