"""rlx-report, rlx-score and rlx-calibrate as processes: pipes, devices, full disks, and signals at any time."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT, shell

from rlx_sched.tools import errors

RESULTS = ROOT / "docs" / "evidence" / "nvidia-h200.json"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="about POSIX")

FULL = "No space left on device\n"
CLOSED = "cannot write to standard output: it is closed\n"
NO_BUFFER = "PYTHONUNBUFFERED=1"
NO_BYTES = "(ulimit -f 0; trap '' XFSZ; {}); code=$?; ls *.out; exit $code"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A folder with an input for each of the tools; what they write is more than a pipe holds."""
    kernel = 'sched.kernel @k{} stages 3 target <"Apple M4"> {{\n  sched.buffer @a rotating : memref<16x16xf32>\n}}\n'
    (tmp_path / "k.mlir").write_text("".join(map(kernel.format, range(300))))
    rows = "".join(f"Apple M4 Pro,{2 * row},{row + 1}\n" for row in range(5000))
    (tmp_path / "t.csv").write_text(f"chip,baseline_bytes,candidate_bytes\n{rows}")
    (tmp_path / "r.json").write_bytes(RESULTS.read_bytes())
    return tmp_path


@pytest.mark.parametrize(
    ("command", "code", "stderr"),
    [
        ("rlx-report --json k.mlir > /dev/full", 1, f"rlx-report: error: cannot write to standard output: {FULL}"),
        ("rlx-report k.mlir --json -o /dev/full", 1, "rlx-report: error: cannot write output file '/dev/full'"),
        ("rlx-report <&-", 1, "rlx-report: error: cannot read standard input: it is closed\n"),
        ("rlx-report missing.mlir 2>&-", 1, ""),
        ("rlx-report missing.mlir 2>/dev/full", 1, ""),
        ("rlx-report --json k.mlir | true; exit ${PIPESTATUS[0]}", 141, ""),
        ("mkfifo fifo; cat k.mlir > fifo & rlx-report --json fifo > /dev/null", 0, ""),
        (NO_BYTES.format("rlx-report k.mlir --json -o r.out"), 1, "rlx-report: error: cannot write output file"),
        ("rlx-score t.csv --to=csv > /dev/full", 1, f"rlx-score: error: cannot write to standard output: {FULL}"),
        ("rlx-score t.csv --to=arrow -o /dev/full", 1, f"rlx-score: error: cannot write '/dev/full': {FULL}"),
        ("rlx-score t.csv --to=csv >&-", 1, f"rlx-score: error: {CLOSED}"),
        ("rlx-score --from=csv <&-", 1, "rlx-score: error: cannot read standard input: it is closed\n"),
        ("rlx-score t.csv --to=csv | true; exit ${PIPESTATUS[0]}", 141, ""),
        ("mkfifo fifo; cat t.csv > fifo & rlx-score --from=csv fifo > /dev/null", 0, ""),
        ("mkfifo fifo; cat t.csv > fifo & rlx-score --from=parquet fifo", 1, "rlx-score: error: fifo: "),
        (NO_BYTES.format("rlx-score t.csv --to=parquet -o s.out"), 1, "rlx-score: error: cannot write 's.out': "),
        ("rlx-calibrate show missing 2>/dev/full", 1, ""),
        (
            "mkfifo fifo; cat r.json > fifo & rlx-calibrate fit fifo > /dev/full",
            1,
            f"rlx-calibrate: error: cannot write to standard output: {FULL}",
        ),
    ],
)  # fmt: skip
def test_pipes_and_devices(directory: Path, command: str, code: int, stderr: str):
    done = shell(command, directory, timeout=120)
    assert done.returncode == code, done.stderr
    assert done.stderr.startswith(stderr)
    assert stderr or done.stderr.startswith("ls: ") or done.stderr == ""
    assert sorted({*os.listdir(directory)} - {"fifo"}) == ["k.mlir", "r.json", "t.csv"]


@pytest.mark.parametrize(
    "command",
    [
        "rlx-report --help",
        "rlx-report k.mlir",
        "rlx-score --version",
        "rlx-calibrate run --help",
        "rlx-calibrate list",
        "rlx-calibrate show apple-m4",
        "rlx-calibrate fit r.json",
    ],
)
def test_what_cannot_be_printed_is_told(directory: Path, command: str):
    tool = command.split()[0]
    full = f"cannot write to standard output: {FULL}"
    attempts = (
        (f"{command} >&-", CLOSED),
        (f"{command} > /dev/full", full),
        (f"{NO_BUFFER} {command} > /dev/full", full),
    )
    for attempt, message in attempts:
        done = shell(attempt, directory, timeout=120)
        assert (done.returncode, done.stderr) == (1, f"{tool}: error: {message}")
    done = shell(f"{{ sleep 0.2; {command}; }} | true; exit ${{PIPESTATUS[0]}}", directory, timeout=120)
    assert (done.returncode, done.stderr) == (141, "")
    assert sorted(os.listdir(directory)) == ["k.mlir", "r.json", "t.csv"]


# The signal comes from the process itself, after so many seconds of its own time: a busy machine makes no difference.
SIGNALED = """\
import signal, sys
from rlx_sched.tools.{tool} import main
signal.signal(signal.SIGVTALRM, lambda *_: signal.raise_signal(signal.{name}))
signal.setitimer(signal.ITIMER_VIRTUAL, {seconds})
code = main()
signal.setitimer(signal.ITIMER_VIRTUAL, 0)
sys.exit(code)
"""
CODES = {
    "SIGINT": {errors.EXIT_INTERRUPTED, -signal.SIGINT},
    "SIGTERM": {errors.EXIT_TERMINATED, -signal.SIGTERM},
    "SIGHUP": {errors.EXIT_HANGUP, -signal.SIGHUP},
}


@pytest.mark.parametrize(
    ("tool", "arguments", "end"),
    [
        ("rlx_report", ("k.mlir", "-o", "page.html"), b"</html>\n"),
        ("rlx_score", ("t.csv", "-o", "scored.csv"), b'"by calibration apple-m4"\n'),
        ("rlx_calibrate", ("plot", "r.json", "-o", "plot.svg"), b"</svg>\n"),
    ],
)
def test_signals_at_any_time(directory: Path, tool: str, arguments: tuple[str, ...], end: bytes):
    output = directory / arguments[-1]
    seen: set[int] = set()
    for name, seconds in zip(("SIGINT", "SIGTERM", "SIGHUP", "SIGINT"), (0.03, 0.2, 0.3, 0.5), strict=True):
        program = SIGNALED.format(tool=tool, name=name, seconds=seconds)
        command = [sys.executable, "-c", program, *arguments]
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=120)
        assert done.stderr == ""
        assert done.returncode in CODES[name] | {0}
        seen.add(done.returncode)
        assert sorted({*os.listdir(directory)} - {output.name}) == ["k.mlir", "r.json", "t.csv"]
        if output.exists():
            assert output.read_bytes().endswith(end)
            output.unlink()
    assert seen & {errors.EXIT_INTERRUPTED, errors.EXIT_TERMINATED, errors.EXIT_HANGUP}
