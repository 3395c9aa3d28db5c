"""Hostile tables, calibrations and results end in one diagnostic and a documented exit code; `run.py` tries more."""

import os
import sys
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import fuzzing_files
import pytest
from fuzzing_files import KINDS, Try, broken_promise, tries

from rlx_sched.tools import rlx_opt, rlx_score

MANY = 400
LINUX = sys.platform == "linux"


def test_mutations_of_files(tmp_path: Path) -> None:
    start = time.monotonic()
    for one in islice(tries(Random(6)), MANY):
        assert broken_promise(one, tmp_path) is None, one
        if time.monotonic() - start > 25:
            break


def test_every_kind_is_tried() -> None:
    made = list(islice(tries(Random(1)), MANY))
    assert {one.kind for one in made} == {*KINDS}
    assert {one.tool.__module__.rpartition("_")[2] for one in made} == {"opt", "score", "report", "calibrate"}
    assert {one.arguments[-1] for one in made} >= {"KERNEL", "TABLE"}, "calibrations are read for something"


def says(stderr: str = "", *, code: int = 0, files: Sequence[str] = ("OUTPUT.csv",)) -> Callable[..., int]:
    """A tool that says something and writes files."""

    def tool(arguments: Sequence[str]) -> int:
        sys.stderr.write(stderr)
        for name in files:
            Path(name).write_text("verdict\n" if code == 0 else "")
        return code

    return tool


def takes(what: str) -> Callable[..., int]:
    """A tool that takes too much of something."""

    def tool(arguments: Sequence[str]) -> int:
        if what == "memory":
            # So much that malloc has it mapped anew, whatever was freed before.
            assert len(b"x" * 2**26) == 2**26
        else:
            end = time.process_time() + 0.6
            while time.process_time() < end:
                pass
        return 0

    return tool


@pytest.mark.parametrize(
    ("tool", "what"),
    [
        (says(code=70, files=()), "exit code 70"),
        (says("Traceback (most recent call last):\n", code=1, files=()), "Traceback"),
        (says("", code=1, files=()), "0 errors, exit code 1"),
        (says("t: error: a\nt: error: b\n", code=1, files=()), "2 errors, exit code 1"),
        (says("t: error: a\n", files=()), "1 errors, exit code 0"),
        (says("t: error: \x1b[31m\n", code=1, files=()), "control characters"),
        (says("t: error: a\n", code=1), "a file was changed in spite of an error"),
        (says("t: error: a\n", code=1, files=["x.tmp"]), "there are the files"),
        (says(files=["OUTPUT.csv", "x.tmp"]), "there are the files"),
        pytest.param(takes("memory"), " MiB", marks=pytest.mark.skipif(not LINUX, reason="/proc tells")),
        (takes("time"), "it took 0."),
    ],
)
def test_a_broken_promise_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tool: Callable[..., int], what: str
) -> None:
    monkeypatch.setattr(fuzzing_files, "MOST_BYTES", 2**23)
    monkeypatch.setattr(fuzzing_files, "MOST_SECONDS", 0.5)
    found = broken_promise(Try(tool, ("INPUT", "-o", "OUTPUT.csv"), b"", "csv", has_old_output=True), tmp_path)
    assert found is not None
    assert what in found


def spoiled(change: Callable[[bytes], bytes]) -> Callable[[Sequence[str]], int]:
    """rlx-score whose output is changed afterwards."""

    def main(arguments: Sequence[str] | None = None) -> int:
        code = rlx_score_main(arguments)
        if os.path.exists("OUTPUT.csv"):
            file = Path("OUTPUT.csv")
            file.write_bytes(change(file.read_bytes()))
        return code

    return main


rlx_score_main = rlx_score.main


def cut_off(data: bytes) -> bytes:
    return data[:-20]


def another_verdict(data: bytes) -> bytes:
    return data.replace(b"slower", b"faster")


@pytest.mark.parametrize(
    ("change", "what"),
    [(cut_off, "the output is not read"), (another_verdict, "scored again it is another")],
)
def test_an_output_that_is_not_whole_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[bytes], bytes], what: str
) -> None:
    monkeypatch.setattr(rlx_score, "main", spoiled(change))
    data = b"chip,baseline_bytes,candidate_bytes\nApple M4 Pro,2048,6144\n"
    one = Try(rlx_score.main, ("--from=csv", "INPUT", "-o", "OUTPUT.csv"), data, "csv")
    found = broken_promise(one, tmp_path)
    assert found is not None
    assert what in found


def test_what_is_valid_breaks_no_promise(tmp_path: Path) -> None:
    data: dict[str, Any] = {kind: fuzzing_files.seeds(kind)[0] for kind in ("calibration", "results")}
    command = (rlx_opt.main, ("--occupancy-filter=calibration=INPUT", "-o", "OUTPUT.mlir", "KERNEL"))
    assert broken_promise(Try(*command, data["calibration"], "calibration"), tmp_path) is None
    assert (tmp_path / "OUTPUT.mlir").read_text().startswith("builtin.module")
