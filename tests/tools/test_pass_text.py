"""What `--help` reads from the source of our passes is what the imported passes say."""

import pytest

from rlx_sched.passes import PASSES
from rlx_sched.tools.pass_text import imported_text, read_pass


@pytest.mark.parametrize("name", PASSES)
def test_source_and_import_agree(name: str):
    text = read_pass(name)
    assert text == imported_text(PASSES[name]())
    assert text.doc
    assert all(option.help for option in text.options)
