"""Measure rlx-score: rows a second, CPU time a row, and memory, which must not grow with the table.

    python tests/benchmarks/score.py [--rows 20000000] [--formats arrow parquet csv] [--values search] [--in DIRECTORY]

Each table is made with a quarter of the rows and with all of them; CSV and JSON lines get a tenth. `search` has the
footprints of a search space of matrix products, which repeat, for one chip after the other; `random` has any, and the
chips in any order. Everything is timed, start-up and writing the output included; the last column is the speed of the
rows added, without start-up.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

CHIPS = ("Apple M4 Pro", "Apple M1 Max", "NVIDIA H200")
TEXT_SHARE = 10
"""How many times fewer rows a table of text gets."""

_BATCH_ROWS = 2**20


class Run(NamedTuple):
    """The fastest of several runs."""

    seconds: float
    cpu_seconds: float
    megabytes: float


def make_table(path: Path, values: str, rows: int) -> None:
    """Write a table of candidates, batch by batch."""
    np: Any = import_module("numpy")
    pa: Any = import_module("pyarrow")
    random = np.random.default_rng(0)

    def batch(start: int, count: int) -> Any:
        if values == "search":
            m, n, k = (16 * random.integers(1, 17, count) for _ in range(3))
            baseline = (m * k + k * n) * random.choice([1, 2, 4], count)
            candidate = baseline * random.integers(1, 9, count)
            chip = np.arange(start, start + count) * len(CHIPS) // rows
        else:
            baseline, candidate = random.integers(1, 2**16, count), random.integers(1, 2**20, count)
            chip = random.integers(0, len(CHIPS), count)
        chips = pa.DictionaryArray.from_arrays(chip.astype(np.int32), CHIPS)
        columns = {"chip": chips.cast(pa.string()), "baseline_bytes": baseline, "candidate_bytes": candidate}
        return pa.record_batch(columns)

    schema = batch(0, 0).schema
    match path.suffix:
        case ".parquet":
            writer: Any = import_module("pyarrow.parquet").ParquetWriter(path, schema)
        case ".csv":
            writer = import_module("pyarrow.csv").CSVWriter(path, schema)
        case ".arrow":
            writer = pa.ipc.new_file(path, schema)
        case _:
            path.write_text("".join(json.dumps(row) + "\n" for row in batch(0, rows).to_pylist()))
            return
    with writer:
        for start in range(0, rows, _BATCH_ROWS):
            writer.write_batch(batch(start, min(_BATCH_ROWS, rows - start)))


def score(source: Path, repeats: int) -> Run:
    """Score a table into another of its format."""
    runs: list[Run] = []
    output = source.with_stem("scored")
    for _ in range(repeats):
        output.unlink(missing_ok=True)
        start = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "rlx_sched.tools.rlx_score", source, "-o", output, "--quiet"],
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"rlx-score exits with {process.returncode}")
        runs.append(Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024))
    return min(runs)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--formats", nargs="+", default=["arrow", "parquet", "csv"], metavar="FORMAT")
    parser.add_argument("--values", nargs="+", choices=["search", "random"], default=["search", "random"])
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--in", dest="directory", help="where the tables go (default: a temporary directory)")
    options = parser.parse_args(arguments)
    print("| values | format | rows | seconds | million rows/s | CPU ns/row | peak MiB | more rows: million/s |")
    print("|---|---|---|---|---|---|---|---|")
    # In processes of their own: what this one holds would count as memory of those that it starts.
    processes = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory(dir=options.directory) as directory:
        for values in options.values:
            for format in options.formats:
                source = Path(directory, f"table.{format}")
                all_rows = options.rows // (1 if format in ("arrow", "parquet") else TEXT_SHARE)
                before: tuple[int, float] | None = None
                for rows in (all_rows // 4, all_rows):
                    maker = processes.Process(target=make_table, args=(source, values, rows))
                    maker.start()
                    maker.join()
                    if maker.exitcode:
                        sys.exit(f"no {format} table was made")
                    run = score(source, options.repeats)
                    more = f"{(rows - before[0]) / (run.seconds - before[1]) / 1e6:.1f}" if before else ""
                    speed, cpu = rows / run.seconds / 1e6, run.cpu_seconds / rows * 1e9
                    row = f"{rows} | {run.seconds:.2f} | {speed:.1f} | {cpu:.0f} | {run.megabytes:.0f} | {more}"
                    print(f"| {values} | {format} | {row} |", flush=True)
                    before = rows, run.seconds
                source.unlink()


if __name__ == "__main__":
    main()
