"""Outputs are written whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from rlx_sched.tools.errors import FileError
from rlx_sched.tools.files import write_text

TEXT = "content \u00e9 \U0001f600\n"


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_new_file_has_the_usual_permissions(directory: Path):
    umask = os.umask(0o027)
    try:
        write_text("new", TEXT)
    finally:
        os.umask(umask)
    assert Path("new").read_bytes() == TEXT.encode()
    assert stat.S_IMODE(Path("new").stat().st_mode) == 0o640
    assert os.listdir(directory) == ["new"]


def test_a_file_keeps_its_permissions(directory: Path):
    Path("old").write_text("old")
    Path("old").chmod(0o604)
    write_text("old", TEXT)
    assert Path("old").read_bytes() == TEXT.encode()
    assert stat.S_IMODE(Path("old").stat().st_mode) == 0o604


def test_a_link_stays_a_link(directory: Path):
    Path("sub").mkdir()
    Path("sub/target").write_text("old")
    Path("link").symlink_to("sub/target")
    write_text("link", TEXT)
    assert Path("link").is_symlink()
    assert Path("sub/target").read_bytes() == TEXT.encode()


def test_a_link_to_nothing_makes_its_target(directory: Path):
    Path("link").symlink_to("target")
    write_text("link", TEXT)
    assert Path("link").is_symlink()
    assert Path("target").read_bytes() == TEXT.encode()


def test_what_is_no_regular_file_is_written_directly():
    write_text(os.devnull, TEXT)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


@pytest.mark.parametrize("failing", ["write", "replace"])
def test_a_failure_leaves_the_old_content_and_nothing_else(
    directory: Path, monkeypatch: pytest.MonkeyPatch, failing: str
):
    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    Path("old").write_text("old")
    monkeypatch.setattr(os, "fsync" if failing == "write" else "replace", fail)
    with pytest.raises(FileError, match="cannot write output file 'old': No space left on device"):
        write_text("old", TEXT)
    assert Path("old").read_text() == "old"
    assert os.listdir(directory) == ["old"]


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("missing/file", "No such file or directory"),
        (".", "Is a directory"),
        ("file/x", "Not a directory"),
        ("nul\0byte", "embedded null byte"),
    ],
)
def test_paths_that_cannot_be_written(path: str, reason: str):
    Path("file").write_text("")
    with pytest.raises(FileError) as caught:
        write_text(path, TEXT)
    assert str(caught.value) == f"cannot write output file '{path}': {reason}"


def test_a_file_without_write_permission_is_not_replaced(monkeypatch: pytest.MonkeyPatch):
    Path("old").write_text("old")

    def no_access(path: str, mode: int) -> bool:
        return False

    monkeypatch.setattr(os, "access", no_access)
    with pytest.raises(FileError, match="cannot write output file 'old': Permission denied"):
        write_text("old", TEXT)
    assert Path("old").read_text() == "old"


def test_a_folder_is_no_output(tmp_path: Path):
    with pytest.raises(FileError, match="the name of a file is missing"):
        write_text(f"{tmp_path / 'out'}{os.sep}", "text")
    assert not list(tmp_path.iterdir())
