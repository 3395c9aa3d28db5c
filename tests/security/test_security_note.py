"""The note on security in CONTRIBUTING.md says what it has to, and names no test, option or limit that is not there."""

import re

from support import ROOT

from rlx_sched.ir.scanner import MOST_DIMENSIONS
from rlx_sched.tools.command_line import CommandLine

NOTE = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("\n## Security\n")[2].partition("\n## ")[0]


def test_the_note_says_how_to_report_and_what_is_promised():
    for promise in (
        "Input files are data",
        "Nothing in an IR file can run code",
        "reach the network",
        "fixed list of arguments, without a\nshell",
        "whole or not at all",
        "report it to the maintainers privately",
        "security advisory",
    ):
        assert re.sub(r"\s+", " ", promise) in re.sub(r"\s+", " ", NOTE), promise


def test_the_note_names_what_there_is():
    flags = set(re.findall(r"`(--[\w-]+)`", NOTE))
    assert flags
    assert flags <= set(CommandLine().flags)
    assert f"more than {MOST_DIMENSIONS} dimensions" in NOTE
    assert "`rlx-opt --version`" in NOTE
