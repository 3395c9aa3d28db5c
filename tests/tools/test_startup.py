"""What starting rlx-opt does not import: each of these takes as long as all that rlx-opt may add to xDSL's parser."""

import subprocess
import sys
from pathlib import Path

import pytest

NOT_AT_START = frozenset(
    {
        "difflib",
        "importlib.metadata",
        "matplotlib",
        "multiprocessing",
        "numpy",
        "platform",
        "rlx_sched.dialect.sched",
        "rlx_sched.kernels",
        "rlx_sched.tools.mlir_opt",
        "rlx_sched.tools.parallel",
        "rlx_sched.tools.verify_diagnostics",
        "shtab",
        "subprocess",
        "wgpu",
        "xdsl.dialects.memref",
        "xdsl.xdsl_opt_main",
    }
)


def imported(directory: Path, *arguments: str) -> set[str]:
    """The modules that are there when rlx-opt has done what `arguments` say."""
    program = (
        "import sys; from rlx_sched.tools.rlx_opt import main; code = main(sys.argv[1:]); "
        "print(*sys.modules, sep='\\n', file=sys.stderr); sys.exit(code)"
    )
    (directory / "empty.mlir").write_text("")
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_an_empty_module(tmp_path: Path):
    assert not imported(tmp_path, "empty.mlir") & NOT_AT_START


@pytest.mark.parametrize("option", ["--help", "--list-passes"])
def test_what_rlx_opt_says_of_itself_takes_no_pass_and_no_reader(tmp_path: Path, option: str):
    modules = imported(tmp_path, option)
    assert not modules & {"rlx_sched.passes.occupancy_filter", "rlx_sched.ir.reader", "rlx_sched.tools.driver"}
    assert not modules & (NOT_AT_START | {"xdsl.parser", "xdsl.printer"})


@pytest.mark.parametrize("name", ["numpy", "matplotlib", "wgpu", "xdsl.dialects.memref"])
def test_the_main_job_does_without(tmp_path: Path, name: str):
    (tmp_path / "k.mlir").write_text("sched.kernel @k {\n  sched.buffer @a : memref<4xf32>\n}\n")
    assert name not in imported(tmp_path, "--occupancy-filter", "k.mlir")
