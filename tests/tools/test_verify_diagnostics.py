"""--verify-diagnostics agrees with mlir-opt's."""

import re
import time
from io import StringIO
from pathlib import Path

import pytest

from rlx_sched.diagnostics import Severity
from rlx_sched.ir.source_map import Place, SourceMap
from rlx_sched.tools.render import Message
from rlx_sched.tools.rlx_opt import main
from rlx_sched.tools.verify_diagnostics import VerifyingReporter
from tests.support import tool_result

CASES = {
    "met": (0, "// expected-error @+1 {{}}\nBAD\n"),
    "on its line": (0, "BAD // expected-error {{}}\n"),
    "line before": (0, "BAD\n// expected-error @-1 {{}}\n"),
    "below": (0, "// expected-error @below {{}}\nBAD\n"),
    "below is not a comment": (1, "// expected-error @below {{}}\n// a comment\nBAD\n"),
    "below skips expectations": (1, "// expected-error @below {{}}\n// expected-note @+0 {{x}}\nBAD\n"),
    "above": (0, "BAD\n// expected-error @above {{}}\n"),
    "above skips expectations": (1, "BAD\n// expected-note @+0 {{x}}\n// expected-error @above {{}}\n"),
    "one error meets one expectation": (1, "// expected-error @+2 {{}}\n// expected-error @+1 {{}}\nBAD\n"),
    "regex": (0, "// expected-error-re @+1 {{{{.*}}}}\nBAD\n"),
    "regex of a part": (0, "// expected-error-re @+1 {{{{e?}}}}\nBAD\n"),
    "regex that does not match": (1, "// expected-error-re @+1 {{{{^never$}}}}\nBAD\n"),
    "regex is literal without -re": (1, "// expected-error @+1 {{{{.*}}}}\nBAD\n"),
    "unexpected": (1, "BAD\n"),
    "missing": (1, "// expected-error @+1 {{}}\n"),
    "wrong text": (1, "// expected-error @+1 {{never said}}\nBAD\n"),
    "wrong line": (1, "// expected-error @+2 {{}}\nBAD\n"),
    "wrong kind": (1, "// expected-warning @+1 {{}}\nBAD\n"),
    "missing remark": (1, "// expected-remark @+1 {{some text}}\n"),
    "missing note": (1, "// expected-note @+1 {{some text}}\n"),
    "text after it makes it a comment": (0, "// expected-error @+1 {{}} and more\n"),
    "blanks after it do not": (0, "// expected-error @+1 {{}}  \nBAD\n"),
    "no such kind": (0, "// expected-nothing @+1 {{}}\n"),
    "dangling below": (1, "// expected-error @below {{}}\n"),
    "nothing": (0, ""),
    "two parts": (0, "// expected-error @+1 {{}}\nBAD\n// -----\n// expected-error @+1 {{}}\nBAD\n"),
}


def differences(text: str, name: str) -> set[tuple[str, str]]:
    """The complaints in `text`: their line, and their kind."""
    found = re.findall(
        rf"^{re.escape(name)}:(\d+):\d+: error: (unexpected|expected \w+|.\w+. diagnostic)", text, re.MULTILINE
    )
    return set(found)


@pytest.mark.parametrize("case", CASES)
def test_as_mlir_opt(case: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    code, text = CASES[case]
    path = tmp_path / "input.mlir"
    path.write_text(text.replace("BAD", "~"))
    arguments = ["--verify-diagnostics", "--split-input-file", str(path)]
    assert main(arguments) == code
    ours = capfd.readouterr().err
    done = tool_result("mlir-opt", *arguments, text="")
    assert done.returncode == code, done.stderr
    assert differences(ours, str(path)) == differences(done.stderr, str(path))


def test_remarks_may_be_expected_and_count_when_shown(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    path = tmp_path / "input.mlir"
    arguments = ["--verify-diagnostics", "--occupancy-annotate", str(path)]
    path.write_text('sched.kernel @k target <"Apple M4"> {\n}\n')
    assert main(arguments) == 0
    assert main([*arguments, "--show-remarks"]) == 1
    assert "input.mlir:1:1: error: unexpected remark: " in capfd.readouterr().err
    path.write_text('// expected-remark @+1 {{unknown}}\nsched.kernel @k target <"Apple M4"> {\n}\n')
    assert main(arguments) == 0
    assert main([*arguments, "--show-remarks"]) == 0
    path.write_text('// expected-error @+1 {{unknown}}\nsched.kernel @k target <"Apple M4"> {\n}\n')
    assert main([*arguments, "--show-remarks"]) == 1
    assert "'remark' diagnostic emitted when expecting a 'error'" in capfd.readouterr().err


def test_a_number_of_a_line_that_no_file_has(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    path = tmp_path / "input.mlir"
    path.write_text(f"// expected-error @+{'9' * 10_000} {{{{}}}}\n")
    assert main(["--verify-diagnostics", str(path)]) == 1
    assert ":1:4: error: expected a line, found a number of 10000 digits\n" in capfd.readouterr().err


def test_expectations_are_looked_up_by_line():
    """Or a file of as many lines takes half a minute."""
    count = 30_000
    source = SourceMap("// expected-error {{x}}\n" * count, "f")
    reporter = VerifyingReporter(source, StringIO(), show_remarks=False, keep_remarks=False, color=False)
    start = time.process_time()
    for line in range(1, count + 1):
        reporter.report(Message(Severity.ERROR, "x", Place("f", line, 1)))
    assert reporter.finish()
    assert time.process_time() - start < 10
