"""Outputs are written whole or not at all."""

import os
import shlex
import stat
import sys
from pathlib import Path

import pytest
from support import shell

from rlx_sched.tools.errors import FileError
from rlx_sched.tools.files import Output, is_same_file, write, write_text

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
    Path("hard").hardlink_to("sub/target")
    write_text("link", TEXT)
    assert Path("link").is_symlink()
    assert Path("sub/target").read_bytes() == TEXT.encode()
    assert Path("hard").read_text() == "old"


def test_a_link_to_nothing_makes_its_target(directory: Path):
    Path("link").symlink_to("target")
    write_text("link", TEXT)
    assert Path("link").is_symlink()
    assert Path("target").read_bytes() == TEXT.encode()


def test_what_is_no_regular_file_is_written_directly():
    write_text(os.devnull, TEXT)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


OPEN = {
    "/dev/stdout": 1,
    "/dev/stderr": 2,
    "/dev/fd/1": 1,
    "/dev/fd/7": 7,
    "/proc/self/fd/2": 2,
    "/dev/../dev/stdout": 1,
    "link": 1,
    "link to link": 1,
}
"""Names of what a process has open, and the number of that."""


@pytest.mark.skipif(os.name != "posix", reason="about POSIX")
@pytest.mark.parametrize("path", [path for path in OPEN if os.path.exists("/proc/self") or "proc" not in path])
@pytest.mark.parametrize("mode", [">", ">>"])
def test_what_is_open_is_written_on(directory: Path, path: str, mode: str):
    """A shell goes on writing to the file that it has opened: that is not to be replaced."""
    number = OPEN[path]
    Path("link").symlink_to("/dev/stdout")
    Path("link to link").symlink_to("link")
    Path("out").write_text("old ")
    program = (
        f"import os; from rlx_sched.tools.files import write_text; os.write({number}, b'first '); "
        f"write_text({path!r}, 'second '); os.write({number}, b'third ')"
    )
    command = f"{shlex.quote(sys.executable)} -c {shlex.quote(program)} {number}{mode}out"
    assert shell(command, directory, timeout=60).returncode == 0
    assert Path("out").read_text() == f"{'old ' * (mode == '>>')}first second third "
    assert sorted(os.listdir(directory)) == ["link", "link to link", "out"]


def test_nobody_sees_more_of_a_file_while_it_is_written(directory: Path, monkeypatch: pytest.MonkeyPatch):
    Path("old").write_text("old")
    os.chmod("old", 0o600)
    modes: list[int] = []
    sync = os.fsync

    def noting(file: int) -> None:
        modes.append(stat.S_IMODE(os.fstat(file).st_mode))
        sync(file)

    monkeypatch.setattr(os, "fsync", noting)
    write_text("old", TEXT)
    assert modes == [0o600]


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


@pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("called", ["open", "fsync", "chmod", "replace"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_whatever_is_raised_leaves_whole_files_and_nothing_else(
    directory: Path,
    monkeypatch: pytest.MonkeyPatch,
    called: str,
    number: int,
    done: bool,
    error: type[BaseException],
):
    """As a signal raises it: in the `number`-th call of a function, `before` it did what it does, or `after`."""
    original, calls = getattr(os, called), 0

    def interrupted(*arguments: object) -> object:
        nonlocal calls
        calls += 1
        result = original(*arguments) if done or calls != number else None
        if calls == number:
            raise error
        return result

    for name in ("one", "other"):
        Path(name).write_text("old")
    monkeypatch.setattr(os, called, interrupted)
    with pytest.raises(error):
        write(Output.of("one", TEXT), Output.of("other", TEXT, "remarks file"))
    monkeypatch.undo()
    assert sorted(os.listdir(directory)) == ["one", "other"]
    contents = [(directory / name).read_text("utf-8") for name in ("one", "other")]
    replaced = number - 1 + done if called == "replace" else 0
    assert contents == [TEXT] * replaced + ["old"] * (2 - replaced)


@pytest.mark.parametrize("first", ["output file", "remarks file"])
@pytest.mark.parametrize("failing", ["missing/file", "/dev/full", "."])
def test_of_several_files_all_are_written_or_none(directory: Path, first: str, failing: str):
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    Path("old").write_text("old")
    outputs = [Output.of("old", TEXT), Output.of("new", TEXT), Output.of(failing, TEXT, "remarks file")]
    if first == "remarks file":
        outputs.reverse()
    with pytest.raises(FileError, match=f"^cannot write remarks file '{failing}': "):
        write(*outputs)
    assert Path("old").read_text() == "old"
    assert os.listdir(directory) == ["old"]
    write(*outputs[1:] if first == "remarks file" else outputs[:-1])
    assert Path("old").read_text("utf-8") == Path("new").read_text("utf-8") == TEXT


def test_a_folder_in_which_no_file_may_be_made_is_named(directory: Path, monkeypatch: pytest.MonkeyPatch):
    Path("old").write_text("old")

    def refuse(*arguments: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(FileError) as caught:
        write_text("old", TEXT)
    assert str(caught.value) == (
        f"cannot write output file 'old': no permission to make files in its folder '{directory.resolve()}'"
    )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("new", "new", True),
        ("new", "./sub/../new", True),
        ("old", "old", True),
        ("old", "link", True),
        ("new", "dangling", True),
        ("old", "hard", True),
        ("old", "new", False),
        ("new", "newer", False),
        (os.devnull, os.devnull, False),
        ("new", "nul\0byte", False),
        ("nul\0byte", "nul\0byte", False),
        ("-", "-", False),
        ("-", "old", False),
    ],
)
def test_names_of_one_file(directory: Path, one: str, other: str, same: bool):
    Path("sub").mkdir()
    Path("old").write_text("")
    Path("link").symlink_to("old")
    Path("dangling").symlink_to("new")
    Path("hard").hardlink_to("old")
    assert is_same_file(one, other) == is_same_file(other, one) == same


def test_a_folder_that_is_gone(directory: Path, monkeypatch: pytest.MonkeyPatch):
    (directory / "gone").mkdir()
    monkeypatch.chdir("gone")
    (directory / "gone").rmdir()
    assert not is_same_file("new", "other")
    with pytest.raises(FileError) as caught:
        write(Output.of("new", TEXT), Output.of("other", TEXT, "remarks file"))
    assert str(caught.value) == "cannot write output file 'new': No such file or directory"


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
