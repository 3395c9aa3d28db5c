"""What a report shows of a kernel before and after."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import ROOT

from rlx_sched.report import collect
from rlx_sched.tools.rlx_report import main

EXAMPLE = ROOT / "examples/matmul_multibuffered.mlir"
MANY = 5_000


def side(diff: list[str], mark: str, text: list[str]) -> list[str]:
    """The lines of `text` that `diff` shows with `mark` or unchanged, and those that it leaves out."""
    found: list[str] = []
    for line in diff:
        if line[0] == "@":
            found += text[len(found) : len(found) + int(line.split()[1])]
        elif line[0] in (" ", mark):
            found.append(line[1:])
    return found


def differences(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path, text: str
) -> tuple[list[str], int]:
    """The diff of the one kernel in `text`, and the most lines that were compared with others at a time."""
    compared = [0]

    class Counted(collect.SequenceMatcher[str]):
        def __init__(self, junk: None, one: list[str], other: list[str]):
            compared.append(max(len(one), len(other)))
            super().__init__(junk, one, other)

    monkeypatch.setattr(collect, "SequenceMatcher", Counted)
    file = folder / "module.mlir"
    file.write_text(text)
    assert main(["--json", "--target=Apple M4 Pro", str(file)]) == 0
    (kernel,) = json.loads(capsys.readouterr().out)["kernels"]
    assert kernel["action"] == "stripped"
    return kernel["diff"], max(compared)


LINES = st.lists(st.sampled_from("abc"), max_size=60)


@given(start=LINES, before=LINES, after=LINES, end=LINES, most=st.sampled_from([0, 5, 2000]))
def test_a_diff_has_all_of_both_texts(
    start: list[str], before: list[str], after: list[str], end: list[str], most: int
) -> None:
    old, new = start + before + end, start + after + end
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(collect, "COMPARED_LINES", most)
        diff = list(collect._diff(old, new))  # pyright: ignore[reportPrivateUsage]
    assert side(diff, "-", old) == old
    assert side(diff, "+", new) == new
    changed = [line for line in diff if line[0] in "-+"]
    assert len(changed) <= len(before) + len(after)
    longest = max(map(len, "".join(line[0] for line in diff).replace("@", "-").replace("+", "-").split("-")))
    assert longest <= 2 * collect.CONTEXT_LINES + 1


def test_lines_before_the_changes_are_not_compared(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = EXAMPLE.read_text()
    many = "".join(f'"t.op{i % 100}"() : () -> ()\n' for i in range(MANY))
    mark = text.index("%8 = ")
    short, few = differences(monkeypatch, capsys, tmp_path, text)
    long, compared = differences(monkeypatch, capsys, tmp_path, text[:mark] + many + text[mark:])
    assert compared == few <= 100
    assert [line for line in long if line[0] in "-+"] == [line for line in short if line[0] in "-+"]


@pytest.mark.parametrize("different", [100, MANY])
def test_many_lines_between_the_changes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, different: int
) -> None:
    text = EXAMPLE.read_text()
    many = "".join(f'"t.op{i % different}"() : () -> ()\n' for i in range(MANY))
    mark = text.index("%9 = ")
    long, compared = differences(monkeypatch, capsys, tmp_path, text[:mark] + many + text[mark:])
    assert compared <= 100
    for sign in "-+":
        shown = sum(line.startswith(sign) and '"t.op' in line for line in long)
        assert shown == (0 if different == MANY else MANY)
