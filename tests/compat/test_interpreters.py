"""The sdist and the wheel made of it install into an empty environment of every Python there is, and work elsewhere."""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from support import ROOT, missing

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
"""Those of the classifiers in `pyproject.toml`."""

KERNEL = """\
sched.kernel @\u6838 stages 3 target <"Apple M4 Pro"> {
  sched.buffer @a rotating : memref<16x16xf32>
}
"""


def found(version: str) -> str | None:
    """A Python of that version: on PATH, or among those of pyenv."""
    if sys.version.startswith(f"{version}."):
        return sys.executable
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    candidates = [shutil.which(f"python{version}"), *sorted(pyenv.glob(f"{version}.*/bin/python"), reverse=True)]
    # The shims of pyenv are on PATH for versions that are not in use, too.
    return next((os.fspath(one) for one in candidates if one is not None and _is(one, version)), None)


def _is(python: str | Path, version: str) -> bool:
    command = [python, "-c", "import sys, venv; print(*sys.version_info[:2], sep='.')"]
    return subprocess.run(command, capture_output=True, text=True).stdout.strip() == version


@pytest.fixture(scope="session")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an sdist of the tracked files and the wheel that is made of the sdist, not of the files."""
    source, output = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    tracked = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True)
    if tracked.returncode != 0:
        missing("git, or its repository")
    for name in filter(None, tracked.stdout.split("\0")):
        if not name.startswith("tests/") and (ROOT / name).exists():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name, follow_symlinks=False)
    build = [sys.executable, "-m", "build", "--outdir", output, source]
    done = subprocess.run(build, capture_output=True, text=True)
    if "No module named build" in done.stderr:
        missing("the PyPI package build")
    assert done.returncode == 0, done.stdout + done.stderr
    return output


def test_the_sdist_has_the_passes_once(distributions: Path):
    (archive,) = distributions.glob("*.tar.gz")
    with tarfile.open(archive) as sdist:
        names = [name for name in sdist.getnames() if name.endswith("occupancy_filter.py")]
    assert len(names) == 1


@pytest.mark.parametrize("version", VERSIONS)
def test_the_wheel_works_from_another_directory(distributions: Path, tmp_path: Path, version: str):
    python = found(version)
    if python is None:
        pytest.skip(f"no Python {version} on this machine")
    (wheel,) = distributions.glob("*.whl")
    home = tmp_path / "with a space"
    environment = tmp_path / "environment"
    home.mkdir()
    subprocess.run([python, "-m", "venv", environment], check=True, capture_output=True)
    scripts = environment / ("Scripts" if os.name == "nt" else "bin")
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}

    def output(*command: str | Path) -> str:
        done = subprocess.run(command, cwd=home, env=variables, capture_output=True, encoding="utf-8", timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout

    output(scripts / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    (home / "k\u00e9rnel.mlir").write_bytes(b"\xef\xbb\xbf" + KERNEL.replace("\n", "\r\n").encode())
    filtered = output(scripts / "rlx-opt", "--occupancy-filter", "k\u00e9rnel.mlir")
    assert 'sched.kernel @"\\E6\\A0\\B8" stages 1' in filtered
    assert "stripped <3, slower 0.8494285624314901" in filtered
    output(scripts / "rlx-opt", "--occupancy-filter", "k\u00e9rnel.mlir", "-o", "out.mlir")
    assert (home / "out.mlir").read_bytes().decode() == filtered
    where = output(scripts / "python", "-c", "import rlx_sched.passes as passes; print(passes.__file__)")
    assert Path(where.strip()).is_relative_to(environment)
    assert "apple-m4" in output(scripts / "rlx-calibrate", "list")
