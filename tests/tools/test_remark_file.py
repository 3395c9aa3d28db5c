"""Remarks in the YAML of LLVM, read back by LLVM's own tool."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlx_sched.assessment import Assessment
from rlx_sched.diagnostics import Diagnostic, Remark, Severity, handled_by
from rlx_sched.dialect.attributes import Bound, Bytes
from rlx_sched.dialect.sched import KernelOp
from rlx_sched.ir.source_map import Place
from rlx_sched.occupancy import Prediction, Unknown
from rlx_sched.remarks import remark_analysis
from rlx_sched.sources.sched import KernelSchedule
from rlx_sched.tools.remark_file import findings, format_remark
from rlx_sched.tools.rlx_opt import main
from tests.support import run_tool


def remark(**fields: object) -> Remark:
    return Remark(Severity.REMARK, "text", pass_name="some-pass", name="Name", function="f", **fields)  # pyright: ignore[reportArgumentType]


def test_the_format():
    one = remark(kind="Missed", arguments=(("Bytes", 3), ("Ratio", 0.5), ("Target", "it's")))
    assert format_remark(one, Place("dir/f.mlir", 3, 4)) == (
        "--- !Missed\n"
        "Pass: 'some-pass'\n"
        "Name: 'Name'\n"
        "DebugLoc: { File: 'dir/f.mlir', Line: 3, Column: 4 }\n"
        "Function: 'f'\n"
        "Args:\n"
        "  - String: 'text'\n"
        "  - Bytes: '3'\n"
        "  - Ratio: '0.5'\n"
        "  - Target: 'it''s'\n"
        "...\n"
    )
    assert "DebugLoc" not in format_remark(one, None)


def through_llvm(yaml: str, directory: Path) -> str:
    """`yaml` as llvm-remarkutil writes it after reading it, and writing and reading its binary form."""
    source, binary, result = (directory / name for name in ("r.yaml", "r.bitstream", "back.yaml"))
    source.write_text(yaml, "utf-8")
    run_tool("llvm-remarkutil", "yaml2bitstream", str(source), "-o", str(binary), text="")
    run_tool("llvm-remarkutil", "bitstream2yaml", str(binary), "-o", str(result), text="")
    return result.read_text("utf-8")


def test_llvm_reads_what_rlx_opt_writes(tmp_path: Path):
    source = tmp_path / "in.mlir"
    source.write_text(
        'builtin.module attributes {sched.target = #sched.target<"Apple M4 Pro">} {\n'
        "  sched.kernel @slow stages 3 {\n    sched.buffer @a rotating : memref<16x32xf32>\n  }\n"
        "  sched.kernel @other {\n    sched.buffer @a : memref<?xf32>\n  }\n"
        "}\n"
    )
    remarks = tmp_path / "remarks.yaml"
    assert main(["--occupancy-filter", f"--remarks={remarks}", "-o", str(tmp_path / "out"), str(source)]) == 0
    back = through_llvm(remarks.read_text(), tmp_path)
    assert re.findall(r"^--- !(\w+)", back, re.MULTILINE) == ["Passed", "Analysis"]
    assert re.findall(r"^Function: +(.*)$", back, re.MULTILINE) == ["slow", "other"]
    assert re.findall(r"Line: (\d+), Column: (\d+)", back) == [("2", "3"), ("5", "3")]
    assert re.search(r"^  - Ratio: +'0.8494285624314901'$", back, re.MULTILINE)
    counted = run_tool("llvm-remarkutil", "count", "--group-by=function", str(remarks), text="")
    assert sorted(counted.split()) == ["Function,Count", "other,1", "slow,1"]


def test_llvm_reads_any_text(tmp_path: Path):
    text = "plain 'single' \"double\" \\ back\nline\ttab \u00e9 \u202e \U0001f600 \x01 # - : {"
    one = remark(arguments=(("Key", text),))
    back = through_llvm(format_remark(one, Place("f", 1, 1)), tmp_path)
    assert re.search(r"^  - Key: +\S", back, re.MULTILINE)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_document_has_a_line_for_each_argument(text: str):
    assert len(format_remark(remark(arguments=(("Key", text),)), None).splitlines()) == 8


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), set[str]()),
        ((("Verdict", "slower"),), {"slower"}),
        ((("Verdict", "faster"), ("Bytes", "32768"), ("LimitBytes", 32768)), {"faster"}),
        ((("Verdict", "faster"), ("LimitBytes", 32768), ("OverLimit", "true")), {"faster", "illegal"}),
        ((("Bytes", "32769"),), set[str]()),
    ],
)
def test_findings(arguments: tuple[tuple[str, str | int], ...], expected: set[str]):
    assert findings(remark(arguments=arguments)) == expected


@pytest.mark.parametrize(
    ("scheduled", "illegal"),
    [
        (Bytes(32768), False),
        (Bytes(32769), True),
        (Bytes(32769, Bound.AT_LEAST), True),
        (Bytes(32769, Bound.AT_MOST), False),
        (Bytes(32769, Bound.ABOUT), False),
    ],
)
def test_illegal_is_what_is_surely_over_the_limit(scheduled: Bytes, illegal: bool):
    emitted: list[Diagnostic] = []
    with handled_by(emitted.append):
        verdict = Prediction(Unknown("of no interest"), 0, 0)
        assessment = Assessment(2, "Apple M4", Bytes(16384), scheduled, 32768, verdict)
        remark_analysis("some-pass", KernelSchedule(KernelOp("k", [])), assessment)
    (one,) = emitted
    assert isinstance(one, Remark)
    assert findings(one) == ({"unknown", "illegal"} if illegal else {"unknown"})
