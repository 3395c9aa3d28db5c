"""Files that are no tables, results or calibrations, and places that are no files: a message and exit code 1."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest
from fuzzing import is_dangerous

from rlx_sched.tools import rlx_calibrate, rlx_opt, rlx_report, rlx_score

DEEP = 100_000
CONTENTS = {
    "nothing": b"",
    "a byte that is not UTF-8": b"\xff\xfe\x00bad",
    "random bytes": Random(3).randbytes(100_000),
    "JSON nested deeply": b"[" * DEEP,
    "TOML nested deeply": b"a = " + b"[" * DEEP,
    "TOML tables nested deeply": b"[a" + b".a" * 32_000 + b"]",
    "a JSON number of 10,000 digits": b'{"a": ' + b"9" * 10_000 + b"}",
    "a TOML number of 10,000 digits": b"loss_per_doubling = " + b"9" * 10_000,
    "bidirectional control characters": "\u202e\x1b[31m = 1\n\u202e,1\n".encode(),
    "terminal sequences in a name": b'name = "\\u202e\\u001b[31m"\n',
    "NUL": b"\x00" * 100,
    "two megabytes": b'name = "' + b"x" * 2**21 + b'"\n',
}
COMMANDS: dict[str, tuple[Callable[[Sequence[str]], int], tuple[str, ...]]] = {
    "rlx-score CSV": (rlx_score.main, ("--from=csv", "--chip=Apple M4", "PATH")),
    "rlx-score JSON": (rlx_score.main, ("--from=jsonl", "--chip=Apple M4", "PATH")),
    "rlx-score Parquet": (rlx_score.main, ("--from=parquet", "PATH")),
    "rlx-score Arrow": (rlx_score.main, ("--from=arrow", "PATH")),
    "rlx-calibrate fit": (rlx_calibrate.main, ("fit", "PATH")),
    "rlx-calibrate plot": (rlx_calibrate.main, ("plot", "PATH", "-o", "plot.svg")),
    "rlx-calibrate show": (rlx_calibrate.main, ("show", "PATH")),
    "rlx-opt calibration": (rlx_opt.main, ("--occupancy-filter=calibration=PATH", "kernel.mlir")),
    "rlx-report calibration": (rlx_report.main, ("--calibration=PATH", "kernel.mlir")),
}

INPUTS: dict[str, tuple[Callable[[Sequence[str]], int], tuple[str, ...]]] = {
    "rlx-opt": (rlx_opt.main, ("--occupancy-annotate", "PATH")),
    "rlx-report": (rlx_report.main, ("PATH",)),
}


def refused(command: str, path: str, capfd: pytest.CaptureFixture[str]) -> str:
    tool, arguments = {**COMMANDS, **INPUTS}[command]
    code = tool([one.replace("PATH", path) for one in arguments])
    stderr = capfd.readouterr().err
    assert code == 1, stderr
    assert "error: " in stderr
    assert "Traceback" not in stderr
    assert not any(map(is_dangerous, stderr))
    return stderr


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("kernel.mlir").write_text("sched.kernel @k {\n  sched.buffer @a : memref<4xf32>\n}\n")
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
def test_other_contents(capfd: pytest.CaptureFixture[str], command: str, content: bytes):
    Path("input").write_bytes(content)
    assert "input" in refused(command, "input", capfd)
    assert sorted(os.listdir()) == ["input", "kernel.mlir"]


@pytest.mark.parametrize(
    ("format", "content", "message"),
    [
        (
            "csv",
            b"chip,baseline_bytes,candidate\xff_bytes\nApple M4,1,1\n",
            "the name of a column is not UTF-8: b'candid",
        ),
        ("jsonl", b'{"chip": "\\ud800", "baseline_bytes": 1, "candidate_bytes": 1}\n', "row 1, line 1: found "),
        (
            "jsonl",
            b'{"chip": "", "baseline_bytes": 1, "candidate_bytes\xed\xa0\x80": 1}\n',
            "row 1, line 1, column 51: ",
        ),
    ],
)
def test_tables_that_were_found_by_trying(capfd: pytest.CaptureFixture[str], format: str, content: bytes, message: str):
    Path("input").write_bytes(content)
    assert rlx_score.main([f"--from={format}", "--on-error=keep", "input"]) == 1
    assert f"input: {message}" in capfd.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="about POSIX")
@pytest.mark.parametrize("command", [*COMMANDS, *INPUTS])
def test_other_places(capfd: pytest.CaptureFixture[str], command: str):
    os.symlink("loop", "loop")
    os.symlink("nowhere", "dangling")
    for path in (".", "loop", "dangling", "missing", "missing/file", "kernel.mlir/file", "x" * 300):
        refused(command, path, capfd)


@pytest.mark.parametrize("tool", [rlx_opt.main, rlx_report.main, rlx_score.main], ids=["opt", "report", "score"])
def test_a_file_that_may_not_be_read(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tool: Callable[[Sequence[str]], int]
):
    """By a stand-in for the operating system: to root, every file may be read."""

    def refuse(*arguments: object, **named: object) -> None:
        raise PermissionError(13, "Permission denied", "kernel.mlir")

    monkeypatch.setattr("builtins.open", refuse)
    code = tool(["kernel.mlir", *(["--from=csv"] if tool is rlx_score.main else [])])
    monkeypatch.undo()
    assert code == 1
    assert "kernel.mlir" in (stderr := capfd.readouterr().err)
    assert "Permission denied" in stderr
