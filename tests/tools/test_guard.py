"""What every tool of ours does when it is stopped, cannot write, or is at fault."""

import errno
import gc
import os
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

import pytest
from xdsl.dialects.builtin import ModuleOp

from rlx_sched.tools import guard, rlx_calibrate, rlx_opt, rlx_report, rlx_score
from rlx_sched.tools.errors import Failed, FileError, UsageError
from rlx_sched.tools.guard import guarded

TOOLS = {"rlx-calibrate": rlx_calibrate, "rlx-opt": rlx_opt, "rlx-report": rlx_report, "rlx-score": rlx_score}

posix = pytest.mark.skipif(os.name != "posix", reason="about POSIX")


def raising(error: BaseException) -> Callable[[Sequence[str]], NoReturn]:
    def run(argv: Sequence[str]) -> NoReturn:
        raise error

    return run


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (UsageError("what?"), 2, "tool: error: what?\ntool: `tool --help` shows the options\n"),
        (UsageError("what? this.", see_help=False), 2, "tool: error: what? this.\n"),
        (UsageError("what?", "tool run"), 2, "tool: error: what?\ntool: `tool run --help` shows the options\n"),
        (Failed("no"), 1, "tool: error: no\n"),
        (Failed(), 1, ""),
        (FileError("no such file"), 1, "tool: error: no such file\n"),
        (OSError(5, "Input/output error"), 1, "tool: error: [Errno 5] Input/output error\n"),
        (MemoryError(), 1, "tool: error: out of memory\n"),
        (OSError(errno.ENOMEM, "Cannot allocate memory", "x.py"), 1, "tool: error: out of memory\n"),
        (ImportError("x.so: failed to map segment from shared object"), 1, "tool: error: out of memory\n"),
        (ImportError("x.so: cannot create cache: Cannot allocate memory"), 1, "tool: error: out of memory\n"),
        (KeyboardInterrupt(), 130, ""),
        (SystemExit(0), 0, ""),
        (SystemExit(None), 0, ""),
    ],
)
def test_each_end_has_its_code_and_message(
    capsys: pytest.CaptureFixture[str], error: BaseException, code: int, message: str
) -> None:
    assert guarded("tool", raising(error), []) == code
    assert capsys.readouterr() == ("", message)


@pytest.mark.parametrize(
    ("tool", "options"), [(rlx_opt.main, ["--occupancy-annotate"]), (rlx_report.main, ["--target=Apple M4"])]
)
def test_a_program_that_calls_a_tool_gets_its_memory_back(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, tool: Callable[[Sequence[str]], int], options: list[str]
) -> None:
    file = tmp_path / "input.mlir"
    file.write_text("sched.kernel @k {\n  sched.buffer @a : memref<16x16xf32>\n}\n" + "func.func @f() {\n  return\n}\n")

    def modules() -> int:
        return sum(isinstance(one, ModuleOp) for one in gc.get_objects())

    assert gc.isenabled()
    before = modules()
    for _ in range(20):
        assert tool([*options, str(file)]) == 0
        capsys.readouterr()
    assert gc.isenabled()
    assert modules() - before < 10, "modules of earlier runs are still there"


@pytest.mark.parametrize("tool", TOOLS)
def test_a_defect_names_the_tool(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tool: str
) -> None:
    def fail(*arguments: object) -> NoReturn:
        raise KeyError("key")

    monkeypatch.delenv("RLX_DEBUG", raising=False)
    monkeypatch.setattr("argparse.ArgumentParser.parse_known_args", fail)
    assert TOOLS[tool].main([]) == 70
    error = capsys.readouterr().err
    assert error.startswith(f"{tool}: internal error: KeyError: 'key' (at ")
    assert f"This is a defect of {tool}, not of its input." in error
    assert f"\n  {tool} 0." in error
    assert "Traceback" not in error


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("rlx-calibrate", ["list", "--versio"], "unknown option '--versio'; did you mean '--version'?"),
        ("rlx-calibrate", ["run", "-o", "x", "--round=3"], "unknown option '--round'; did you mean '--rounds'?"),
        ("rlx-report", ["--targt=x"], "unknown option '--targt'; did you mean '--target'?"),
        ("rlx-score", ["a.csv", "b.csv"], "unexpected argument 'b.csv'"),
        ("rlx-score", ["--chips=M4"], "unknown option '--chips'; did you mean '--chip'?"),
    ],
)
def test_a_wrong_option_is_told_with_the_nearest(
    capsys: pytest.CaptureFixture[str], tool: str, arguments: list[str], message: str
) -> None:
    assert TOOLS[tool].main(arguments) == 2
    command = f"{tool} {arguments[0]}" if tool == "rlx-calibrate" else tool
    assert capsys.readouterr().err == f"{tool}: error: {message}\n{tool}: `{command} --help` shows the options\n"


def failing(error: BaseException, times: int) -> Callable[..., str]:
    """A function that fails so many times, and then returns what it is given."""
    left = [error] * times

    def fail(text: str, *more: object) -> str:
        if left:
            raise left.pop()
        return text

    return fail


@pytest.mark.parametrize("error", [Failed("no"), UsageError("what?"), OSError(5, "no"), MemoryError(), KeyError("key")])
def test_running_out_of_memory_for_the_message_is_no_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    monkeypatch.setattr(guard, "visible_line", failing(MemoryError(), 1))
    assert guarded("tool", raising(error), []) == 1
    assert capsys.readouterr() == ("", "tool: error: out of memory\n")
    monkeypatch.setattr(guard, "visible_line", failing(MemoryError(), 100))
    assert guarded("tool", raising(error), []) == 1
    assert capsys.readouterr() == ("", "")


def test_a_defect_of_the_message_about_a_defect_is_no_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rlx_sched.tools.internal_error.describe", failing(ImportError("no room"), 1))
    assert guarded("tool", raising(KeyError("key")), []) == 70
    assert capsys.readouterr() == ("", "tool: error: KeyError, and ImportError while saying so\n")


def test_memory_errors_that_python_forgot_are_told_as_such(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    forgotten = SystemError("returned NULL without setting an exception")
    monkeypatch.setattr("rlx_sched.tools.internal_error.describe", failing(forgotten, 1))
    assert guarded("tool", raising(forgotten), []) == 1
    assert capsys.readouterr() == ("", "tool: error: out of memory\n")


@pytest.mark.parametrize(
    "error", ["Failed('a\\x1bb')", "UsageError('?')", "OSError(5, 'no')", "MemoryError()", "KeyError()"]
)
def test_a_message_takes_no_heavy_imports(error: str) -> None:
    """Where there is no memory left, they are what fails."""
    program = (
        "import sys; from rlx_sched.tools.errors import Failed, UsageError; from rlx_sched.tools.guard import guarded\n"
        f"def run(argv): raise {error}\n"
        "guarded('tool', run, []); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr.startswith("tool: ")
    assert "\x1b" not in done.stderr
    assert not {"xdsl", "numpy", "pyarrow", "unicodedata"} & set(done.stdout.split())


STOPPED = [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)]


@posix
@pytest.mark.parametrize(("number", "code"), [(getattr(signal, name, 0), code) for name, code in STOPPED])
def test_a_tool_may_save_what_it_has_when_it_is_stopped(
    capsys: pytest.CaptureFixture[str], number: signal.Signals, code: int
) -> None:
    before = signal.getsignal(number)

    def run(argv: Sequence[str]) -> int:
        try:
            signal.raise_signal(number)
        except KeyboardInterrupt:
            print("saved")
        return 0

    assert guarded("tool", run, []) == code
    assert capsys.readouterr() == ("saved\n", "")
    assert signal.getsignal(number) is before


class Freed:
    """Something that is freed soon."""

    def __init__(self, signal: int | None):
        self.signal = signal

    def __del__(self) -> None:
        if self.signal is not None:
            signal.raise_signal(self.signal)


def freed(number: int) -> None:
    Freed(number)


def referred_to(number: int) -> None:
    target = Freed(None)
    reference = weakref.ref(target, lambda _: signal.raise_signal(number))
    del target
    assert reference() is None


@posix
@pytest.mark.parametrize(("name", "code"), STOPPED)
@pytest.mark.parametrize("callback", [freed, referred_to])
@pytest.mark.parametrize("work", [lambda: None, lambda: time.sleep(0.02)], ids=["busy", "waiting"])
def test_a_signal_at_a_place_that_cannot_raise(
    capsys: pytest.CaptureFixture[str],
    name: str,
    code: int,
    callback: Callable[[int], None],
    work: Callable[[], None],
) -> None:
    """Python frees what it imported, say, at such places: nothing is said of it, and the tool stops all the same."""
    alarm, hook = signal.getsignal(signal.SIGALRM), sys.unraisablehook
    stopped: list[bool] = []

    def run(argv: Sequence[str]) -> int:
        callback(getattr(signal, name))
        end = time.monotonic() + 20
        try:
            while time.monotonic() < end:
                work()
        except KeyboardInterrupt:
            stopped.append(True)
            raise
        return 0

    assert guarded("tool", run, []) == code
    assert stopped == [True]
    assert capsys.readouterr() == ("", "")
    assert (signal.getsignal(signal.SIGALRM), sys.unraisablehook) == (alarm, hook)


@posix
def test_a_hangup_may_come_twice(capsys: pytest.CaptureFixture[str]) -> None:
    """From the kernel and from the shell: the second must not keep files from being cleaned up after the first."""
    before = signal.getsignal(signal.SIGHUP)

    def run(argv: Sequence[str]) -> int:
        try:
            signal.raise_signal(signal.SIGHUP)
        finally:
            signal.raise_signal(signal.SIGHUP)
            print("cleaned up")
        return 0

    assert guarded("tool", run, []) == 129
    assert capsys.readouterr() == ("cleaned up\n", "")
    assert signal.getsignal(signal.SIGHUP) is before


@posix
@pytest.mark.parametrize("name", [name for name, _ in STOPPED])
def test_a_signal_that_is_ignored_stays_ignored(name: str) -> None:
    number = getattr(signal, name)
    before = signal.signal(number, signal.SIG_IGN)
    try:
        assert guarded("tool", lambda argv: signal.raise_signal(number) or 0, []) == 0
        assert signal.getsignal(number) is signal.SIG_IGN
    finally:
        signal.signal(number, before)


@posix
@pytest.mark.parametrize("tool", TOOLS)
def test_the_exit_codes_of_signals_are_documented(capsys: pytest.CaptureFixture[str], tool: str) -> None:
    assert TOOLS[tool].main(["--help"]) == 0
    text = capsys.readouterr().out
    if tool == "rlx-calibrate":
        assert TOOLS[tool].main(["run", "--help"]) == 0
        text += capsys.readouterr().out
    assert "130  stopped by SIGINT; 143: by SIGTERM; 129: by SIGHUP;" in text


def help_written_to(tool: str, output: int) -> tuple[int, str]:
    command = [sys.executable, "-m", f"rlx_sched.tools.{tool.replace('-', '_')}", "--help"]
    # Buffered, so that what cannot be written is there until the tool ends.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    done = subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True, timeout=60, env=environment)
    os.close(output)
    return done.returncode, done.stderr


@posix
@pytest.mark.parametrize("tool", TOOLS)
def test_help_that_nobody_reads(tool: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    assert help_written_to(tool, writer) == (141, "")


@posix
@pytest.mark.parametrize("tool", TOOLS)
def test_help_on_a_full_disk(tool: str) -> None:
    message = f"{tool}: error: cannot write to standard output: No space left on device\n"
    assert help_written_to(tool, os.open("/dev/full", os.O_WRONLY)) == (1, message)
