"""Nothing in an input file runs code, opens another file, starts a program, or reaches the network."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT

# Runs a tool under an audit hook (PEP 578), which sees everything that the interpreter does for it.
WATCH = """\
import json, sys
seen = []
tool, log, *arguments = sys.argv[1:]
main = getattr(__import__(f"rlx_sched.tools.{tool}", fromlist=["main"]), "main")
WATCHED = ("open", "os.", "subprocess.", "socket.", "ctypes.", "shutil.", "urllib.", "pickle.")
def hook(event, arguments):
    if event.startswith(WATCHED):
        seen.append((event, [str(one) for one in arguments[:2]]))
sys.addaudithook(hook)
code = main(arguments)
events, seen = seen, []
with open(log, "w", encoding="utf-8") as file:
    json.dump(events, file)
sys.exit(code)
"""
HOSTILE = """\
#include = #builtin.resource<"/etc/passwd">
{-# external_resources: { file: { a: "/etc/passwd" } }, dialect_resources: { builtin: { b: "0x00" } } #-}
module attributes {sched.target = #sched.target<"$(touch ran); `touch ran`; __import__('os').system('touch ran')">} {
  sched.kernel @"../../ran" stages 3 {
    sched.buffer @"|touch ran" rotating : memref<16x16xf32>
  }
  "t.op"() {calibration = "/etc/passwd", file = "https://example.org/", code = "!!python/object/apply:os.system [ls]"}
    : () -> () loc("/etc/passwd":1:1)
  "t.op"() {d = dense_resource<b> : tensor<1xi8>} : () -> () loc("https://example.org/x":1:1)
}
"""
RUNS_CODE = ("subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.startfile", "ctypes.", "pickle.")
CHANGES_FILES = ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.chmod", "shutil.")


def events(tool: str, *arguments: str, directory: Path) -> list[tuple[str, list[str]]]:
    """What the interpreter was asked to do while the tool ran."""
    log = directory.parent / "events.json"
    command = [sys.executable, "-c", WATCH, tool, os.fspath(log), *arguments]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(log.read_text("utf-8"))


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("rlx_opt", ("--occupancy-filter", "--show-remarks")),
        ("rlx_opt", ("--mlir-print-op-generic", "--mlir-print-debuginfo")),
        ("rlx_opt", ("--sched-enumerate", "--sched-rank", "--split-input-file", "--verify-diagnostics")),
        ("rlx_report", ("--json",)),
        ("rlx_report", ("--explain",)),
    ],
)
def test_an_input_file_is_data(tmp_path: Path, tool: str, arguments: tuple[str, ...]):
    directory = tmp_path / "work"
    directory.mkdir()
    (directory / "hostile.mlir").write_text(HOSTILE, "utf-8")
    found = events(tool, *arguments, "hostile.mlir", directory=directory)
    # Importing ctypes, as the standard library does here and there, looks at the process itself.
    names = {name for name, what in found if (name, what[:1]) != ("ctypes.dlopen", ["None"])}
    assert not [name for name in names if name.startswith((*RUNS_CODE, *CHANGES_FILES, "socket.", "urllib."))]
    allowed = [*map(os.path.realpath, sys.path[1:]), os.fspath(ROOT), sys.prefix, sys.base_prefix]
    opened = [path for name, (path, *_) in found if name == "open" and not path.isdigit()]
    others = [path for path in opened if not os.path.realpath(path).startswith(tuple(filter(None, allowed)))]
    assert set(others) <= {"hostile.mlir"}
    assert os.listdir(directory) == ["hostile.mlir"]


def test_the_watcher_sees(tmp_path: Path):
    """Or the test above could not fail: an option that names a file opens it."""
    directory = tmp_path / "work"
    directory.mkdir()
    (directory / "k.mlir").write_text("sched.kernel @k {\n}\n")
    (directory / "c.toml").write_text("")
    found = events("rlx_opt", "--occupancy-filter=calibration=c.toml", "k.mlir", directory=directory)
    assert ["open", "c.toml"] in [[name, what[0]] for name, what in found]


@pytest.mark.skipif(os.name != "posix", reason="the stand-in is a shell script")
def test_only_the_program_that_the_user_named_runs(tmp_path: Path):
    """With a list of arguments and no shell, whatever the name of the input file and the text in it."""
    directory = tmp_path / "work"
    directory.mkdir()
    program = tmp_path / "my mlir-opt; touch ran"
    log = tmp_path / "arguments"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{log}"\nprintf \'"builtin.module"() ({{}}) : () -> ()\'\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    name = "--version; touch ran.mlir"
    (directory / name).write_text(HOSTILE, "utf-8")
    found = events("rlx_opt", f"--via-mlir-opt={program}", "--", name, directory=directory)
    started = [what for event, what in found if event == "subprocess.Popen"]
    assert [what[0] for what in started] == [os.fspath(program)]
    assert log.read_text().split() == [
        "--mlir-print-op-generic",
        "--mlir-print-debuginfo",
        "--allow-unregistered-dialect",
    ]
    assert os.listdir(directory) == [name]
