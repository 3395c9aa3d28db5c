"""The documentation builds without a warning and without network."""

import os
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support import ROOT

from rlx_sched.dialect.sched import Sched
from rlx_sched.passes import PASSES

NOWHERE = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built pages."""
    folder = tmp_path_factory.mktemp("docs")
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-E",
        "-W",
        "--keep-going",
        str(ROOT / "docs"),
        str(folder / "html"),
    ]
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **NOWHERE}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "html"


def ids(page: Path) -> set[str]:
    """The anchors of a page."""
    found: set[str] = set()

    class Ids(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.update(value for key, value in attrs if key == "id" and value)

    Ids().feed(page.read_text(encoding="utf-8"))
    return found


def test_every_pass_is_in_the_reference(site: Path):
    assert set(PASSES) <= ids(site / "reference" / "passes.html")


def test_the_whole_dialect_is_in_the_reference(site: Path):
    names = [*Sched.operations, *Sched.attributes]
    assert {one.name.replace(".", "-") for one in names} <= ids(site / "reference" / "dialect.html")


def test_the_model_is_in_the_reference(site: Path):
    assert {"rlx_sched.predict", "rlx_sched.explain", "rlx_sched.Verdict"} <= ids(site / "reference" / "python.html")


def test_every_command_is_in_the_reference(site: Path):
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert scripts.keys() <= ids(site / "reference" / "tools.html")


def test_the_options_of_rlx_opt_are_in_the_reference(site: Path):
    page = (site / "reference" / "tools.html").read_text(encoding="utf-8")
    for flag in ("--occupancy-filter", "--via-mlir-opt", "--fail-on", "--split-input-file"):
        assert flag in page
