"""--verify-diagnostics agrees with mlir-opt's."""

import re
import time
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(" * 6000, "invalid regex: "),
        ("(" * 6000 + ")" * 6000, "invalid regex: nested too deeply"),
        ("a{99999999999999999999}", "invalid regex: the repetition number is too large"),
        (f"a{{{'9' * 5000}}}", "invalid regex: "),
        ("[[a]", 'expected error "{{[[a] }}" was not produced'),
        ("a**", "invalid regex: multiple repeat"),
    ],
)
def test_what_is_no_regular_expression_is_told(pattern: str, why: str):
    """By Python in different ways, one of them a warning."""
    stderr = StringIO()
    source = SourceMap(f"\n// expected-error-re {{{{{{{{{pattern} }}}}}}}}\n", "f.mlir")
    reporter = VerifyingReporter(source, stderr, show_remarks=False, keep_remarks=False, color=False)
    assert not reporter.finish()
    assert stderr.getvalue().startswith(f"f.mlir:2:4: error: {why}")


def test_blanks_in_an_expectation_take_time_in_proportion():
    """Twice as many took four times as long: 50 s for these."""
    source = SourceMap(f"// expected-error{' ' * 400_000}x}}}}\n", "f.mlir")
    start = time.process_time()
    assert VerifyingReporter(source, StringIO(), show_remarks=False, keep_remarks=False, color=False).finish()
    assert time.process_time() - start < 5


@pytest.mark.parametrize("file", ["input.mlir", "other.mlir", "kernel.py"])
def test_what_is_said_of_another_file_meets_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str], file: str):
    path = tmp_path / "input.mlir"
    is_other = file != path.name
    name = file if is_other else str(path)
    kernel = f'sched.kernel @k target <"Apple M4"> {{\n}} loc("{name}":2:1)\n'
    path.write_text(f"// expected-remark @+1 {{{{unknown}}}}\n{kernel}")
    assert main(["--verify-diagnostics", "--show-remarks", "--occupancy-annotate", str(path)]) == is_other
    err = capfd.readouterr().err
    assert (f"{file}:2:1: error: unexpected remark: " in err) == is_other
    assert ('error: expected remark "unknown" was not produced' in err) == is_other


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


TEXTS = st.text("ab", max_size=4)
SEVERITIES = st.sampled_from([Severity.ERROR, Severity.WARNING])


@given(
    st.lists(st.tuples(SEVERITIES, TEXTS, st.booleans()), max_size=40),
    st.lists(st.tuples(SEVERITIES, st.text("abc", max_size=12)), max_size=8),
)
def test_many_for_one_line_are_met_as_one_after_the_other_would_be(
    expected: list[tuple[Severity, str, bool]], messages: list[tuple[Severity, str]]
):
    lines = [f"// expected-{severity}{'-re' * regex} @unknown {{{{{text}}}}}" for severity, text, regex in expected]
    stderr = StringIO()
    source = SourceMap("\n".join(lines), "f.mlir")
    reporter = VerifyingReporter(source, stderr, show_remarks=False, keep_remarks=False, color=False)
    complaints: list[str] = []
    met: set[int] = set()
    for severity, message in messages:
        reporter.report(Message(severity, message))
        found = [number for number, (_, text, _) in enumerate(expected) if text in message]
        alike = [number for number in found if expected[number][0] is severity]
        if alike:
            met.add(alike[0])
        elif found:
            line, wanted = found[-1] + 1, expected[found[-1]][0]
            complaints.append(f"f.mlir:{line}:4: error: '{severity}' diagnostic emitted when expecting a '{wanted}'")
        else:
            complaints.append(f"f.mlir: error: unexpected {severity}: {message}".rstrip())
    for number, (severity, text, _) in enumerate(expected):
        if number not in met:
            complaints.append(f'f.mlir:{number + 1}:4: error: expected {severity} "{text}" was not produced')
    assert reporter.finish() == (not complaints)
    assert [line.rstrip() for line in stderr.getvalue().splitlines() if line.startswith("f.mlir")] == complaints


MANY = 8000


@pytest.mark.parametrize(
    "text",
    ["operation '@k{}' is wrong", "@k{}", "{}", "{} of many"],
)
@pytest.mark.parametrize("said", ["error: operation '@k{}' is wrong", "{} of many" + "x" * 50])
def test_many_for_one_line_take_time_in_proportion(text: str, said: str):
    """Each held against each took 15 s."""
    lines = [f"// expected-error @unknown {{{{{text.format(i)}}}}}\n" for i in range(MANY)]
    source = SourceMap("".join(lines), "f.mlir")
    start = time.process_time()
    reporter = VerifyingReporter(source, StringIO(), show_remarks=False, keep_remarks=False, color=False)
    for number in range(MANY):
        reporter.report(Message(Severity.ERROR, said.format(number)))
    assert time.process_time() - start < 5
