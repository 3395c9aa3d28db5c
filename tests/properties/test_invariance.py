"""What may not change a verdict, and what may change it only one way; how the passes are called makes no difference."""

import math
import re
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from strategies import every, make_context, modules
from support import ROOT
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.printer import Printer

from rlx_sched.diagnostics import handled_by
from rlx_sched.dialect.sched import BufferOp, CandidatesOp, KernelOp
from rlx_sched.ir.reader import read_module
from rlx_sched.occupancy import predict
from rlx_sched.passes import PASSES
from rlx_sched.passes.occupancy_annotate import OccupancyAnnotate
from rlx_sched.passes.occupancy_filter import OccupancyFilter
from rlx_sched.tools.driver import Part, Settings, process

M4 = "Apple M4 Pro"
EXACT = 2**53
"""Every whole number up to it is a double."""

many = settings(max_examples=100, deadline=None, phases=set(Phase) - {Phase.explain})
counts = st.integers(1, 2**20)


def printed(module: ModuleOp) -> str:
    stream = StringIO()
    Printer(stream).print_op(module)
    return stream.getvalue()


def filtered(text: str) -> str:
    """What the filter makes of a text, through the driver of rlx-opt."""
    stderr = StringIO()
    passes = (OccupancyFilter(target=M4),)
    return process(Part(text, "t.mlir"), Settings(passes=passes), stderr).text


def ratio_of(elements: int, stages: int) -> float:
    """The ratio that the filter's analysis writes for one buffer of so many floats."""
    text = f"sched.kernel @k stages {stages} {{\n  sched.buffer @a rotating : memref<{elements}xf32>\n"
    text += f"  sched.buffer @b : memref<{4096}xf32>\n}}\n"
    module, _ = read_module(make_context(), text, "t.mlir")
    with handled_by(lambda diagnostic: None):
        OccupancyAnnotate(target=M4).apply(make_context(), module)
    (kernel,) = module.body.block.ops
    assert isinstance(kernel, KernelOp)
    assert kernel.verdict is not None
    ratio = kernel.verdict.data.ratio
    return 1.0 if ratio is None else ratio


@many
@given(counts, st.integers(1, 8), st.integers(0, 4))
def test_more_stages_are_never_predicted_faster(elements: int, stages: int, more: int):
    assert ratio_of(elements, stages + more) <= max(ratio_of(elements, stages), 1.0)


@many
@given(counts, counts, counts)
def test_a_verdict_is_monotone_in_bytes(baseline: int, one: int, other: int):
    fewer, more = sorted((one, other))
    order = {"slower": 0, "too_close_to_call": 1, "faster": 2}
    assert order[predict(M4, baseline, more).kind] <= order[predict(M4, baseline, fewer).kind]
    assert order[predict(M4, fewer, baseline).kind] <= order[predict(M4, more, baseline).kind]


@many
@given(counts, counts, st.integers(0, 33))
@example(2048, 2949, 33)
def test_scaling_by_a_power_of_two_changes_nothing(baseline: int, candidate: int, power: int):
    assert max(baseline, candidate) << power <= EXACT
    assert predict(M4, baseline << power, candidate << power) == predict(M4, baseline, candidate)


def renamed(module: ModuleOp) -> dict[str, str]:
    """Give every symbol of the dialect another name; returns the old ones by the new ones."""
    names: dict[str, str] = {}
    for op in module.walk():
        if isinstance(op, BufferOp | KernelOp | CandidatesOp):
            name = f"renamed_{len(names)}"
            names[name] = op.sym_name.data
            op.sym_name = StringAttr(name)
    return names


def with_old_names(module: ModuleOp, names: Mapping[str, str]) -> ModuleOp:
    for op in module.walk():
        if isinstance(op, BufferOp | KernelOp | CandidatesOp):
            op.sym_name = StringAttr(names[op.sym_name.data])
    return module


@every
@given(modules())
def test_renaming_changes_nothing(module: ModuleOp):
    before = filtered(printed(module))
    names = renamed(module)
    text = filtered(printed(module))
    assert bool(text) == bool(before)
    if text:
        after, _ = read_module(make_context(), text, "t.mlir")
        assert printed(with_old_names(after, names)) == before.rstrip("\n")


def reformatted(text: str, random: Random) -> str:
    """The same text with other white space and comments between its tokens."""
    blanks = (" ", "  ", "\n", "\t", "\r\n", "\n\n  ", ' // a comment } " { \n', "\n//\n")
    parts = re.split(r'("(?:[^"\\]|\\.)*"| )', text)
    return "".join(random.choice(blanks) if part == " " else part for part in parts) + "\n// the end"


@every
@given(modules(), st.integers(0, 2**32))
def test_formatting_and_comments_change_nothing(module: ModuleOp, seed: int):
    text = printed(module)
    assert filtered(reformatted(text, Random(seed))) == filtered(text)


@pytest.mark.parametrize("name", ["occupancy-annotate", "occupancy-filter", "sched-rank", "sched-enumerate"])
def test_the_passes_agree_however_they_are_called(tmp_path: Path, name: str):
    """Through rlx-opt, as a flag and as a pipeline, through xdsl-opt, and called from Python."""
    parts = (ROOT / "examples" / "search_space.mlir").read_text("utf-8"), _KERNELS
    path = tmp_path / "all.mlir"
    separator = "// -----\n"
    path.write_text(separator.join(parts), "utf-8")
    by_python: list[str] = []
    for part in parts:
        module, _ = read_module(make_context(), part, "all.mlir")
        with handled_by(lambda diagnostic: None):
            PASSES[name]()().apply(make_context(), module)
        by_python.append(f"{printed(module)}\n")
    expected = separator.join(by_python)
    scripts = Path(sysconfig.get_path("scripts"))

    def output(tool: str, *arguments: str) -> str:
        command = [sys.executable, str(scripts / tool), str(path), "--split-input-file", *arguments]
        return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True, timeout=120).stdout

    assert output("rlx-opt", f"--{name}") == expected
    assert output("rlx-opt", f"--pass-pipeline=builtin.module({name})") == expected
    assert _lines(output("xdsl-opt", "-p", name)) == _lines(expected)


_KERNELS = """\
builtin.module attributes {sched.target = #sched.target<"Apple M4 Pro">} {
  sched.kernel @k stages 3 {
    sched.buffer @a rotating : memref<16x16xf32>
    sched.buffer @b rotating slots(stages - 1) dynamic alignment 64 : memref<16x16xf32>
    sched.phase {
      sched.buffer @c : memref<16x16xf32>
    }
  }
  sched.kernel @"a name" stages 4 {
    sched.buffer @a rotating : memref<64x64xf16>
  }
}
"""


def _lines(text: str) -> list[str]:
    """xdsl-opt leaves other blank lines between modules."""
    return [line for line in text.splitlines() if line.strip()]


def test_the_ratio_is_that_of_the_documented_formula():
    assert math.isclose(ratio_of(4096, 2), 1 - 0.095 * math.log2(1.5))
