"""rlx-opt as a process: pipes, devices, signals, and defects of its own."""

import json
import os
import random
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest
from support import shell

from rlx_sched.tools import errors
from rlx_sched.tools.rlx_opt import main
from tests import interrupted

RLX_OPT = os.path.join(sysconfig.get_path("scripts"), "rlx-opt")
KERNELS = 5000
MARKED = "import sys; from rlx_sched.tools.rlx_opt import main; print(flush=True); sys.exit(main())"
"""A program that is rlx-opt, once it has printed a line."""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="about POSIX")


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A module whose output fills any pipe."""
    path = tmp_path / "large.mlir"
    path.write_text("".join(f"sched.kernel @k{i} {{ sched.buffer @a : memref<4xf32> }}\n" for i in range(KERNELS)))
    return path


@pytest.mark.parametrize(
    ("command", "code", "stderr"),
    [
        (
            "rlx-opt large.mlir > /dev/full",
            1,
            "rlx-opt: error: cannot write to standard output: No space left on device\n",
        ),
        ("rlx-opt large.mlir -o /dev/full", 1, "rlx-opt: error: cannot write output file '/dev/full': No space left"),
        (
            "rlx-opt large.mlir --occupancy-annotate=\"target='Apple M4'\" --remarks=/dev/full -o /dev/null",
            1,
            "rlx-opt: error: cannot write remarks file '/dev/full': No space left on device\n",
        ),
        ("rlx-opt --help >&-", 1, "rlx-opt: error: cannot write to standard output: it is closed\n"),
        ("rlx-opt large.mlir >&-", 1, "rlx-opt: error: cannot write to standard output: it is closed\n"),
        ("rlx-opt <&-", 1, "rlx-opt: error: cannot read standard input: it is closed\n"),
        ("rlx-opt missing.mlir 2>&-", 1, ""),
        ("rlx-opt missing.mlir 2>/dev/full", 1, ""),
        ("rlx-opt large.mlir --occupancy-annotate --show-remarks 2>/dev/full >/dev/null", 1, ""),
        ("rlx-opt large.mlir --occupancy-annotate --show-remarks 2>&- >/dev/null", 0, ""),
        ("rlx-opt large.mlir | true; exit ${PIPESTATUS[0]}", 141, ""),
        ("rlx-opt large.mlir --occupancy-annotate --show-remarks 2>&1 | head -c 10; exit ${PIPESTATUS[0]}", 141, ""),
        ("mkfifo fifo; cat large.mlir > fifo & rlx-opt fifo -o /dev/null", 0, ""),
        ("ln -s large.mlir link; rlx-opt link -o /dev/null", 0, ""),
        (
            "(ulimit -f 8; trap '' XFSZ; rlx-opt large.mlir -o out.mlir); code=$?; ls; exit $code",
            1,
            "rlx-opt: error: cannot write",
        ),
        ("rlx-opt large.mlir -o /dev/stdout | cmp - <(rlx-opt large.mlir)", 0, ""),
        ("rlx-opt large.mlir -o /dev/stdout | true; exit ${PIPESTATUS[0]}", 141, ""),
        ("rlx-opt large.mlir -o /dev/stdout >&-", 1, "rlx-opt: error: cannot write to standard output: it is closed\n"),
        ("rlx-opt large.mlir -o /dev/fd/99", 1, "rlx-opt: error: cannot write output file '/dev/fd/99': Bad file"),
        ("LC_ALL=C PYTHONUTF8=0 PYTHONIOENCODING=ascii rlx-opt names.mlir | cmp - <(rlx-opt names.mlir)", 0, ""),
    ],
)
def test_pipes_and_devices(large: Path, command: str, code: int, stderr: str):
    operation = '"t.op"() {name = "\u00e9\U0001f600"} : () -> ()\n'
    (large.parent / "names.mlir").write_text(operation, "utf-8")
    done = shell(command, large.parent, timeout=60)
    assert done.returncode == code
    assert done.stderr.startswith(stderr)
    assert stderr or done.stderr == ""
    assert not list(large.parent.glob(".rlx*"))
    assert not (large.parent / "out.mlir").exists()


@pytest.mark.parametrize(
    ("number", "codes"),
    [
        (signal.SIGINT, {errors.EXIT_INTERRUPTED, -signal.SIGINT}),
        (signal.SIGTERM, {errors.EXIT_TERMINATED, -signal.SIGTERM}),
        (signal.SIGHUP, {errors.EXIT_HANGUP, -signal.SIGHUP}),
    ],
)
def test_signals_at_any_time(large: Path, number: signal.Signals, codes: set[int]):
    """From the moment that rlx-opt is there: before, a signal is the Python interpreter's."""
    output = large.parent / "out.mlir"
    draw = random.Random(number)
    seen: set[int] = set()
    for _ in range(8):
        command = [sys.executable, "-c", MARKED, "--occupancy-filter", str(large), "-o", str(output)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(0.02 + draw.random() * 0.4)
            process.send_signal(number)
            _, stderr = process.communicate(timeout=60)
        seen.add(process.returncode)
        assert stderr == b""
        assert process.returncode in codes | {0}
        assert [path.name for path in large.parent.iterdir() if path != output] == ["large.mlir"]
        if output.exists():
            assert output.read_text().count("sched.kernel") == KERNELS
            output.unlink()
    assert seen & codes


@pytest.mark.parametrize(
    ("number", "codes", "arguments"),
    [
        (signal.SIGTERM, {errors.EXIT_TERMINATED, -signal.SIGTERM}, ["in.mlir", "-o", "old"]),
        (signal.SIGINT, {errors.EXIT_INTERRUPTED, -signal.SIGINT}, ["missing.mlir"]),
        (signal.SIGHUP, {errors.EXIT_HANGUP, -signal.SIGHUP}, ["--nonsense"]),
    ],
)
def test_a_signal_at_every_place(tmp_path: Path, number: signal.Signals, codes: set[int], arguments: list[str]):
    """Where Python looks for signals in what is around the work: nothing is shown by Python, nothing is left."""
    command = [sys.executable, interrupted.__file__, str(int(number)), str(tmp_path), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.stderr == ""
    *seen, last = map(json.loads, done.stdout.splitlines())
    assert last[0] == interrupted.NO_SUCH_PLACE
    assert len(seen) > 50
    for code, stderr, contents in seen:
        assert "Traceback" not in stderr
        assert code in codes
        assert contents.keys() == {"in.mlir", "old"}
        assert contents["old"] == "old" or contents["old"].startswith("builtin.module")


def test_an_interrupt_ends_the_processes_of_j_too(large: Path):
    parts = large.parent / "parts.mlir"
    parts.write_text("// -----\n".join([large.read_text()] * 8))
    command = [sys.executable, "-c", MARKED, "-j2", "--split-input-file", "--occupancy-filter", str(parts)]
    command += ["-o", os.devnull]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.4)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (errors.EXIT_INTERRUPTED, b"")
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


@pytest.mark.parametrize("jobs", ["-j1", "-j2"])
def test_a_closed_terminal_ends_it(large: Path, jobs: str):
    """The kernel tells all the processes of the terminal at once, those of `-j` too."""
    parts = large.parent / "parts.mlir"
    parts.write_text("// -----\n".join([large.read_text()] * 8))
    in_terminal = (
        "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.executable, sys.argv[1:])"
    )
    command = [sys.executable, "-c", in_terminal, sys.executable, "-c", MARKED, jobs, "--split-input-file"]
    command += ["--occupancy-filter", str(parts), "-o", str(large.parent / "out.mlir")]
    terminal, inside = os.openpty()
    with subprocess.Popen(
        command, stdin=inside, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        os.close(inside)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.6)
        os.close(terminal)
        _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (errors.EXIT_HANGUP, b"")
    assert sorted(os.listdir(large.parent)) == ["large.mlir", "parts.mlir"]


def test_a_signal_while_a_process_of_j_starts_does_not_make_it_a_second_rlx_opt(large: Path):
    program = (
        "import os, signal, sys; from rlx_sched.tools.rlx_opt import main; "
        "os.register_at_fork(after_in_child=lambda: os.kill(os.getpid(), signal.SIGTERM)); "
        "print(main(sys.argv[1:]))"
    )
    (large.parent / "parts.mlir").write_text("// -----\n")
    command = [sys.executable, "-c", program, "-j2", "--split-input-file", "parts.mlir"]
    done = subprocess.run(command, cwd=large.parent, capture_output=True, text=True, timeout=60)
    assert done.stdout == f"{errors.EXIT_ERROR}\n"
    assert "a process of -j was killed" in done.stderr


@pytest.mark.parametrize("name", ["INT", "TERM", "HUP"])
def test_an_ignored_signal_stays_ignored(large: Path, name: str):
    command = f"trap '' {name}; rlx-opt large.mlir -o out.mlir & sleep 0.3; kill -{name} $!; wait $!"
    done = shell(command, large.parent, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert (large.parent / "out.mlir").exists()


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_defect_says_that_it_is_one(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, jobs: int
):
    def fail(*arguments: object) -> None:
        raise KeyError("that\nand more")

    from rlx_sched.passes.occupancy_annotate import OccupancyAnnotate

    monkeypatch.setattr(OccupancyAnnotate, "apply", fail)
    monkeypatch.delenv("RLX_DEBUG", raising=False)
    path = tmp_path / "parts.mlir"
    path.write_text("// -----\n")
    arguments = ["--split-input-file", f"-j{jobs}", "--occupancy-annotate", str(path)]
    assert main(arguments) == errors.EXIT_INTERNAL
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("rlx-opt: internal error")
    assert "in the pass 'occupancy-annotate'" in err
    assert "KeyError" in err
    assert "Please report it with the input" in err
    assert "xDSL 0.75." in err
    assert "Traceback" not in err
    monkeypatch.setenv("RLX_DEBUG", "1")
    assert main(arguments) == errors.EXIT_INTERNAL
    assert "Traceback" in capfd.readouterr().err


def test_a_killed_process_of_j_is_noticed(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    from rlx_sched.passes.occupancy_annotate import OccupancyAnnotate

    def kill_itself(*arguments: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(OccupancyAnnotate, "apply", kill_itself)
    path = tmp_path / "parts.mlir"
    path.write_text("// -----\n")
    assert main(["--split-input-file", "-j2", "--occupancy-annotate", str(path)]) == errors.EXIT_ERROR
    assert capfd.readouterr().err == "rlx-opt: error: a process of -j was killed\n"


@pytest.mark.parametrize("error", [MemoryError(), OSError(8, "Exec format error", "opt"), FileNotFoundError("gone")])
def test_what_is_no_defect_is_none_in_a_process_of_j_either(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: Exception
):
    from rlx_sched.passes.occupancy_annotate import OccupancyAnnotate

    def fail(*arguments: object) -> None:
        raise error

    monkeypatch.setattr(OccupancyAnnotate, "apply", fail)
    path = tmp_path / "parts.mlir"
    path.write_text("// -----\n")
    said: list[str] = []
    for jobs in (1, 2):
        assert main(["--split-input-file", f"-j{jobs}", "--occupancy-annotate", str(path)]) == errors.EXIT_ERROR
        said.append(capfd.readouterr().err)
    assert said[0] == said[1] != ""


def ends(group: int) -> bool:
    """Whether there is no process of `group` any more within a minute."""
    for _ in range(600):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    os.killpg(group, signal.SIGKILL)
    return False


@pytest.mark.parametrize(
    "signals",
    [[signal.SIGKILL], [signal.SIGTERM] * 2],
    ids=["killed", "asked twice"],
)
def test_the_processes_of_j_end_with_the_first(large: Path, signals: list[signal.Signals]):
    """Their answers are too long for a pipe: they wait until somebody reads, or nobody can any more."""
    parts = large.parent / "parts.mlir"
    parts.write_text("// -----\n".join([large.read_text()] * 6))
    command = [sys.executable, "-c", MARKED, "-j3", "--split-input-file", str(parts), "-o", os.devnull]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.5)
        for number in signals:
            process.send_signal(number)
        process.wait(timeout=60)
    assert ends(process.pid)


@pytest.mark.parametrize("whole_group", [False, True], ids=["the first", "all"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_program_that_reads_ends_too(tmp_path: Path, jobs: int, number: signal.Signals, whole_group: bool):
    (tmp_path / "parts.mlir").write_text("// -----\n")
    opt = tmp_path / "opt"
    opt.write_text(f"#!/bin/sh\necho > {tmp_path}/started$$; exec sleep 300\n")
    opt.chmod(0o700)
    command = [RLX_OPT, f"-j{jobs}", "--split-input-file", "--via-mlir-opt=./opt", "parts.mlir"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        while len(list(tmp_path.glob("started*"))) < jobs and process.poll() is None:
            time.sleep(0.05)
        (os.killpg if whole_group else os.kill)(process.pid, number)
        process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert ends(process.pid)


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_j_reads_as_much_as_one_process_however_processes_start(tmp_path: Path, method: str):
    nested = '"t.op"() ({\n' * 150 + "}) : () -> ()\n" * 150
    (tmp_path / "parts.mlir").write_text(f"{nested}// -----\n{nested}")
    program = (
        "import multiprocessing, sys; from rlx_sched.tools.rlx_opt import main; "
        f"multiprocessing.set_start_method('{method}'); sys.exit(main())"
    )
    command = [sys.executable, "-c", program, "-j2", "--split-input-file", "parts.mlir", "-o", "out.mlir"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert main(["--split-input-file", str(tmp_path / "parts.mlir"), "-o", str(tmp_path / "one.mlir")]) == 0
    assert (tmp_path / "one.mlir").read_text() == (tmp_path / "out.mlir").read_text()


def test_running_out_of_memory_is_an_error(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    def fail(*arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr("rlx_sched.tools.invocation.read_bytes", fail)
    assert main([]) == errors.EXIT_ERROR
    assert capfd.readouterr().err == "rlx-opt: error: out of memory; --max-ops=N refuses large modules\n"
