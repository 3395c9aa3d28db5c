"""The documentation of remarks has what the code can say, and nothing else."""

import re

from support import ROOT

PAGE = (ROOT / "docs" / "diagnostics.md").read_text(encoding="utf-8")


def raised() -> set[str]:
    """The conditions under which sources and passes refuse to take out a rotation."""
    sources = [*(ROOT / "rlx_sched" / "sources").glob("*.py"), *(ROOT / "passes").glob("*.py")]
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    return set(re.findall(r'CannotRestage\(\s*"([a-z-]+)"', text))


def test_every_condition_is_explained():
    table = PAGE.partition("`RotationKept` names the condition")[2].partition("##")[0]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)) == raised()


def test_every_remark_is_explained():
    text = (ROOT / "rlx_sched" / "remarks.py").read_text(encoding="utf-8")
    emitted = set(re.findall(r'_emit\("(\w+)", pass_name, "(\w+)"', text))
    assert set(re.findall(r"^\| `(Passed|Missed|Analysis)` \| `(\w+)` \|", PAGE, re.MULTILINE)) == emitted
