"""Try hostile input for as long as you like: `python tests/fuzz/run.py --minutes 30`.

The examples cut off after each of their bytes, then mutations of every text of the tests go through rlx-opt and
rlx-report in this process. Each broken promise is shown once, with the command and the seed, and its input is kept in
the folder of `--finds`; exit code 1 if there was any.
With `--coverage` it is atheris (https://github.com/google/atheris) that chooses the inputs, by the branches they reach:
it stops at the first find, and keeps what it learned in the folder of `--corpus`.
"""

import argparse
import faulthandler
import re
import sys
import time
import traceback
from itertools import chain
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

HANGS_AFTER = 120.0
"""Seconds after which a run is taken to hang: all threads are shown and the process ends."""


def main() -> int:
    """Fuzz as the command line says; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--finds", type=Path, default=Path("fuzz-finds"), help="where inputs are kept (%(default)s)")
    parser.add_argument("--coverage", action="store_true", help="coverage-guided, by atheris")
    parser.add_argument("--corpus", type=Path, default=Path("fuzz-corpus"), help="of atheris (%(default)s)")
    options = parser.parse_args()
    return _guided(options) if options.coverage else _mutational(options)


def _mutational(options: argparse.Namespace) -> int:
    from fuzzing import broken_promise, cuts, tries

    print(f"seed {options.seed}")
    end = time.monotonic() + 60 * options.minutes
    seen: set[str] = set()
    count = 0
    for count, (tool, arguments, data) in enumerate(chain(cuts(), tries(Random(options.seed))), 1):
        faulthandler.dump_traceback_later(HANGS_AFTER, exit=True)
        try:
            broken = broken_promise(tool, arguments, data)
        except Exception:
            broken = traceback.format_exc()
        faulthandler.cancel_dump_traceback_later()
        # The same defect has many inputs, which differ in names and numbers.
        kind = re.sub(r"\d+", "", broken or "")[-200:]
        if broken is not None and kind not in seen:
            seen.add(kind)
            options.finds.mkdir(exist_ok=True)
            file = options.finds / f"find-{options.seed}-{count}.mlir"
            file.write_bytes(data)
            print(f"{file}: {tool.__module__} {' '.join(arguments)}\n{broken}\n", flush=True)
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
