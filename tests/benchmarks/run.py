"""Measure rlx-opt against xdsl-opt and mlir-opt on the same files, in one run.

    python tests/benchmarks/run.py [--sizes 1 1000 10000] [--repeats 3] [-o DIRECTORY]

Prints tables of wall time, peak memory and ratios, and writes `results.json` and `scaling.svg` to DIRECTORY. xdsl-opt
runs in an environment of its own, without rlx-sched, which is made on the first run.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from inputs import INPUTS

from rlx_sched.tools.mlir_opt import find_mlir_opt

HERE = Path(__file__).resolve().parent
ENVIRONMENT = HERE / ".xdsl-environment"
BIN = Path(sys.executable).parent
FOREIGN = "real"
"""The input that is none of our own IR: it is passed through, not filtered."""


@dataclass(frozen=True)
class Measurement:
    """The best of several runs of one program on one input."""

    input: str
    kernels: int
    program: str
    seconds: float
    megabytes: float


_LAUNCHER = """
import os, sys, time
start = time.perf_counter()
process = os.fork()
if not process:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(process, 0)
print(time.perf_counter() - start, usage.ru_maxrss, os.waitstatus_to_exitcode(status))
"""
"""Runs a program and prints seconds, peak memory in KiB, and exit code.

Peak memory counts from before the program replaces the process that started it: that is to be a small one.
"""


def measure(
    command: Sequence[str | Path], repeats: int, environment: dict[str, str] | None = None
) -> tuple[float, float]:
    """Wall time in seconds and peak memory in MiB of `command`: the least of `repeats` runs."""
    launch = [sys.executable, "-I", "-S", "-c", _LAUNCHER, *command]
    best: list[tuple[float, float]] = []
    for _ in range(repeats):
        printed = subprocess.run(launch, stdout=subprocess.PIPE, text=True, env=environment, check=True).stdout
        seconds, kibibytes, code = printed.split()
        if int(code):
            sys.exit(f"{command} exits with {code}")
        best.append((float(seconds), int(kibibytes) / 1024))
    return min(seconds for seconds, _ in best), min(memory for _, memory in best)


def xdsl_opt() -> Path:
    """The xdsl-opt of an environment that has nothing but the xDSL that is in use here."""
    from importlib.metadata import version

    program = ENVIRONMENT / "bin" / "xdsl-opt"
    if not program.exists():
        subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
        subprocess.run([ENVIRONMENT / "bin" / "pip", "install", "-q", f"xdsl=={version('xdsl')}"], check=True)
    return program


def measure_files(sizes: Sequence[int], repeats: int) -> Iterator[Measurement]:
    """Every program on every input of every size."""
    rlx, xdsl, mlir = BIN / "rlx-opt", xdsl_opt(), find_mlir_opt()
    with tempfile.TemporaryDirectory() as directory:
        for name, make in INPUTS.items():
            for size in sizes:
                source, generic = Path(directory, "input.mlir"), Path(directory, "generic.mlir")
                source.write_text("".join(make(size)))
                # The others cannot read our custom form: they get the same module in generic form.
                subprocess.run([rlx, "--mlir-print-op-generic", source, "-o", generic], check=True)
                passes = [] if name == FOREIGN else ["--occupancy-filter"]
                commands: dict[str, tuple[list[str | Path], dict[str, str] | None]] = {
                    "rlx-opt": ([rlx, *passes, source], None),
                    "xdsl-opt": ([xdsl, "--allow-unregistered-dialect", "--print-op-generic", generic], None),
                    "mlir-opt": (
                        [mlir.path, "--allow-unregistered-dialect", "--mlir-print-op-generic", generic],
                        {**os.environ, "LD_LIBRARY_PATH": mlir.library_path},
                    ),
                }
                for program, (command, environment) in commands.items():
                    # xdsl-opt takes minutes for the largest module; one run of it is enough to divide by.
                    count = 1 if program == "xdsl-opt" and size >= 10_000 else repeats
                    seconds, memory = measure(command, count, environment)
                    yield Measurement(name, size, program, seconds, memory)


def measure_start(repeats: int) -> Iterator[Measurement]:
    """How long it takes until anything happens."""
    with tempfile.TemporaryDirectory() as directory:
        empty = Path(directory, "empty.mlir")
        empty.write_text("builtin.module {\n}\n")
        python, rlx = sys.executable, BIN / "rlx-opt"
        commands: dict[str, list[str | Path]] = {
            "python -c pass": [python, "-c", "pass"],
            "import rlx_sched": [python, "-c", "import rlx_sched"],
            "import xdsl.parser, xdsl.printer": [python, "-c", "import xdsl.parser, xdsl.printer"],
            "rlx-opt --version": [rlx, "--version"],
            "rlx-opt --help": [rlx, "--help"],
            "rlx-opt empty.mlir": [rlx, empty],
            "xdsl-opt empty.mlir": [xdsl_opt(), empty],
        }
        # In turns, so that whatever else the machine does befalls all of them.
        rounds = [[measure(command, 1) for command in commands.values()] for _ in range(10 * repeats)]
        for name, results in zip(commands, zip(*rounds, strict=True), strict=True):
            seconds, memory = zip(*results, strict=True)
            yield Measurement("start", 0, name, min(seconds), min(memory))


def pairs_per_second(repeats: int) -> float:
    """How many pairs `predict_many` predicts in a second on one core."""
    import numpy

    import rlx_sched

    count = 20_000_000
    baseline = numpy.full(count, 2048, dtype=numpy.int64)
    candidate = numpy.random.default_rng(0).integers(1, 2**20, count, dtype=numpy.int64)

    def once() -> float:
        start = time.perf_counter()
        rlx_sched.predict_many("Apple M4 Pro", baseline, candidate)
        return time.perf_counter() - start

    return count / min(once() for _ in range(repeats))


def print_table(rows: Sequence[Measurement], value: Callable[[Measurement], float], unit: str) -> None:
    """One line for each input and size, with the other programs as multiples of rlx-opt."""
    print(f"\n| input | kernels | rlx-opt ({unit}) | xdsl-opt | mlir-opt | xdsl-opt / rlx-opt | rlx-opt / mlir-opt |")
    print("|---|---|---|---|---|---|---|")
    by_place: dict[tuple[str, int], dict[str, float]] = {}
    for row in rows:
        by_place.setdefault((row.input, row.kernels), {})[row.program] = value(row)
    for (name, size), values in by_place.items():
        rlx, xdsl, mlir = (values[program] for program in ("rlx-opt", "xdsl-opt", "mlir-opt"))
        print(f"| {name} | {size} | {rlx:.3g} | {xdsl:.3g} | {mlir:.3g} | {xdsl / rlx:.1f} | {rlx / mlir:.1f} |")


def plot(rows: Sequence[Measurement], path: Path) -> None:
    """Draw time over size, which has to be a straight line at 45 degrees."""
    from matplotlib.figure import Figure

    figure: Any = Figure(figsize=(8, 5), layout="constrained")
    axes: Any = figure.subplots()
    styles = {"rlx-opt": "-", "xdsl-opt": "--", "mlir-opt": ":"}
    for color, name in enumerate(INPUTS):
        for program, style in styles.items():
            line = [(row.kernels, row.seconds) for row in rows if (row.input, row.program) == (name, program)]
            axes.plot(*zip(*line, strict=True), style, marker=".", color=f"C{color}", label=f"{program}, {name}")
    axes.set(xscale="log", yscale="log", xlabel="kernels", ylabel="seconds")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="x-small", ncols=2)
    figure.savefig(path)


def main() -> None:
    """Measure everything and show it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 1_000, 10_000, 100_000])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("-o", "--output", type=Path, default=HERE / "results")
    options = parser.parse_args()
    # As for everybody: modules are compiled once, not at every start.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

    start = list(measure_start(options.repeats))
    print("| start | ms |\n|---|---|")
    for row in start:
        print(f"| {row.program} | {row.seconds * 1e3:.0f} |")
    files: list[Measurement] = []
    for row in measure_files(options.sizes, options.repeats):
        files.append(row)
        print(f"{row.input} {row.kernels} {row.program}: {row.seconds:.2f} s", file=sys.stderr)
    print_table(files, lambda row: row.seconds, "s")
    print_table(files, lambda row: row.megabytes, "MiB")
    pairs = pairs_per_second(options.repeats)
    print(f"\npredict_many: {pairs / 1e6:.0f} million pairs a second")

    options.output.mkdir(parents=True, exist_ok=True)
    machine = (
        f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    )
    results = {"machine": machine, "pairs_per_second": pairs, "measurements": [asdict(row) for row in [*start, *files]]}
    (options.output / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    plot(files, options.output / "scaling.svg")


if __name__ == "__main__":
    main()
