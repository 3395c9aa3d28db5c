"""The table in tests/benchmarks/worth_it.md is what the benchmark prints."""

import subprocess
import sys
from pathlib import Path

BENCHMARK = Path(__file__).parents[1] / "benchmarks" / "worth_it.py"


def test_the_published_table_is_the_one_that_comes_out() -> None:
    done = subprocess.run([sys.executable, BENCHMARK], capture_output=True, text=True, check=True)
    assert done.stdout.count("\n") > 2
    assert done.stdout in BENCHMARK.with_suffix(".md").read_text()
