"""The table of promises names tests that there are."""

import re

from support import ROOT


def test_every_test_that_is_named_is_there():
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", (ROOT / "docs" / "trust.md").read_text("utf-8"))
    assert len(named) > 20
    for file, name in named:
        text = (ROOT / file).read_text("utf-8")
        assert f"def {name}(" in text or not name, f"{file}::{name}"
