"""Every command, every piece of IR and of Python in README, docs and docstrings does what it says."""

import doctest
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from markdown_blocks import LANGUAGES, RUN_BY_CI, Block, Page, blocks, is_part, requirements, steps
from packaging.requirements import Requirement
from support import ROOT, missing

import rlx_sched
from rlx_sched.tools.rlx_opt import main as rlx_opt

PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
SOURCES = sorted([*(ROOT / "passes").glob("*.py"), *(ROOT / "rlx_sched").rglob("*.py")])
BLOCKS = [block for path in PAGES for block in blocks(path)]
RUN = [block for block in BLOCKS if block.is_run]
OUTPUTS = [block for block in BLOCKS if block.is_output]
MODULES = [block for path in [*PAGES, *SOURCES] for block in blocks(path) if block.info == "mlir"]

GetPage = Callable[[Path], Page]


@pytest.fixture(scope="session")
def page(tmp_path_factory: pytest.TempPathFactory) -> GetPage:
    """The page of a path; each of its blocks is run once."""

    @cache
    def page_of(path: Path) -> Page:
        return Page(path, tmp_path_factory.mktemp(path.stem))

    return page_of


def of_language(language: str) -> list[Block]:
    return [block for block in BLOCKS if block.language == language]


def test_languages_are_known() -> None:
    """A block in a language that no test looks at would be checked by nobody."""
    assert {block.language for block in BLOCKS} <= set(LANGUAGES)
    assert [str(block) for block in BLOCKS if "no-run" in block.info and "(" not in block.info] == []


@pytest.mark.parametrize("block", RUN, ids=str)
def test_run(block: Block, page: GetPage) -> None:
    page(block.path).run(block)


@pytest.mark.parametrize("block", OUTPUTS, ids=str)
def test_output(block: Block, page: GetPage) -> None:
    """What is shown as output is what the nearest block above printed."""
    there = page(block.path)
    above = [one for one in there.blocks if one.line < block.line and one in RUN]
    assert above, f"nothing is run above {block}"
    printed = there.run(above[-1])
    assert is_part(block.content, printed), f"{block} is not in:\n{printed}"


@pytest.mark.parametrize("block", MODULES, ids=str)
def test_ir_is_read(
    block: Block, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """IR is valid; in a docstring of a pass, what it becomes is what the pass makes of it."""
    monkeypatch.chdir(tmp_path)
    pass_name = block.path.stem.replace("_", "-")
    printed = ""
    for text, options in steps(block):
        made = None
        if options is not None:
            assert rlx_opt([f"--{pass_name}={options}", "block.mlir"]) == 0, capsys.readouterr().err
            made = capsys.readouterr().out
        Path("block.mlir").write_text(text, encoding="utf-8")
        assert rlx_opt(["block.mlir"]) == 0, f"{block}: {capsys.readouterr().err}"
        printed = capsys.readouterr().out
        assert made in (None, printed)
    assert printed


def test_readme_shows_what_the_filter_does(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = [one for one in blocks(ROOT / "README.md") if "// after\n" in one.content]
    assert rlx_opt(["--occupancy-filter", str(ROOT / "examples" / "sgemm_msl_16x16.mlir")]) == 0
    after = "".join(f"  {line}\n" for line in block.content.partition("// after\n")[2].splitlines())
    assert is_part(after, capsys.readouterr().out)


@pytest.mark.parametrize("block", [one for one in of_language("sh") if requirements(one)], ids=str)
def test_extras_exist(block: Block) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for requirement in requirements(block):
        wanted = Requirement(requirement)
        assert wanted.name != "rlx-sched" or wanted.extras <= project["optional-dependencies"].keys()


@pytest.mark.parametrize("block", of_language("cmake"), ids=str)
def test_cmake_builds(block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The script filters a kernel, as a build step."""
    cmake = Path(sys.executable).with_name("cmake")
    if not cmake.exists():
        missing("cmake (PyPI packages cmake and ninja)")
    monkeypatch.setenv("PATH", f"{cmake.parent}{os.pathsep}{os.environ['PATH']}")
    shutil.copy(ROOT / "examples" / "sgemm_msl_16x16.mlir", tmp_path / "kernels.mlir")
    (tmp_path / "CMakeLists.txt").write_text(block.content, encoding="utf-8")
    program = f"-DRLX_OPT={Path(sys.executable).with_name('rlx-opt')}"
    for command in ([cmake, "-G", "Ninja", "-B", "build", program], [cmake, "--build", "build"]):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "stripped" in (tmp_path / "build" / "kernels.filtered.mlir").read_text(encoding="utf-8")


def test_the_package_shows_what_it_does() -> None:
    assert doctest.testmod(rlx_sched) == doctest.TestResults(failed=0, attempted=2)


def test_ci_runs_the_rest() -> None:
    """What is not run here is run by .ci/run."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    firsts = {block.content.splitlines()[0] for block in BLOCKS if block.content.startswith(RUN_BY_CI)}
    assert len(firsts) == len(RUN_BY_CI)
    assert all(first.removeprefix("# ") in script for first in firsts)
