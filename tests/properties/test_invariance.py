"""What may not change a verdict, and what may change it only one way; how the passes are called makes no difference."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from io import StringIO
from pathlib import Path
from random import Random
from typing import NamedTuple

from fuzzing import take
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from round_trip import CORPUS, printed_again
from strategies import every, make_context, modules
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.printer import Printer
from xdsl.utils.exceptions import PassFailedException
from xdsl.xdsl_opt_main import xDSLOptMain

from rlx_sched.diagnostics import Diagnostic, Severity, handled_by
from rlx_sched.dialect.sched import BufferOp, CandidatesOp, KernelOp
from rlx_sched.ir.reader import read_module
from rlx_sched.ir.writer import write_module
from rlx_sched.occupancy import predict
from rlx_sched.passes import PASSES
from rlx_sched.passes.occupancy_annotate import OccupancyAnnotate
from rlx_sched.passes.occupancy_filter import OccupancyFilter
from rlx_sched.tools import rlx_opt
from rlx_sched.tools.driver import Part, Settings, process
from rlx_sched.tools.registry import new_context

M4 = "Apple M4 Pro"
EXACT = 2**53
"""Every whole number up to it is a double."""

many = settings(max_examples=60, deadline=None, phases=set(Phase) - {Phase.explain})
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


OPTIONS: list[dict[str, object]] = [{}, {"target": M4}, {"target": "NVIDIA H200", "override_target": True}]
GENERIC = "--mlir-print-op-generic"


class _Called(NamedTuple):
    """A pass with options, and a text to run it on."""

    text: str
    name: str
    options: dict[str, object]

    @property
    def spelled(self) -> str:
        """The options as pipelines have them."""
        return " ".join(f"{key.replace('_', '-')}={_spelled(value)}" for key, value in self.options.items())


def _spelled(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f'"{value}"'


def _by_flag(called: _Called) -> str | None:
    return _output(rlx_opt.main, called, f"--{called.name}={called.spelled}", GENERIC)


def _by_pipeline(called: _Called) -> str | None:
    pipeline = f"builtin.module({called.name}{{{called.spelled}}})"
    return _output(rlx_opt.main, called, f"--pass-pipeline={pipeline}", GENERIC)


def _by_xdsl_opt(called: _Called) -> str | None:
    return _output(_xdsl_opt, called, "-p", f"{called.name}{{{called.spelled}}}")


def _xdsl_opt(arguments: Sequence[str]) -> int:
    """xDSL's own tool, which finds the passes by their entry point; the IR need not be what xDSL takes for valid."""
    *options, standard_input = arguments
    assert standard_input == "-"
    always = ["--allow-unregistered-dialect", "--disable-verify", "--print-op-generic"]
    try:
        xDSLOptMain(args=[*options, *always]).run()
    except PassFailedException:
        return 1
    return 0


def _output(tool: Callable[[Sequence[str]], int], called: _Called, *arguments: str) -> str | None:
    """What a tool prints; None where the pass fails."""
    taken = take(tool, arguments, called.text.encode())
    assert taken.code in (0, 1), taken.stderr
    return normal(taken.stdout) if taken.code == 0 else None


def _by_python(called: _Called) -> str | None:
    errors: list[Diagnostic] = []
    context = new_context()
    module, _ = read_module(context, called.text, "t.mlir")
    with handled_by(errors.append):
        try:
            PASSES[called.name]()(**called.options).apply(context, module)
        except PassFailedException:
            return None
    stream = StringIO()
    write_module(module, stream, generic=True)
    return None if any(one.severity is Severity.ERROR for one in errors) else normal(stream.getvalue())


def normal(text: str) -> str:
    """`text` in generic form as rlx-opt prints it."""
    return printed_again(text, generic=True)


def _upstream() -> list[Path]:
    """Kernels of other compilers, the smallest of each form that there is, if possible with several slots."""
    forms: dict[object, Path] = {}

    def rank(file: Path) -> tuple[bool, int]:
        return "mb1" in file.name or "ns1" in file.name, file.stat().st_size

    for file in sorted(CORPUS.rglob("*.generic.mlir"), key=rank):
        *_, form, _, _ = file.name.split(".")
        forms.setdefault((file.parent.name, re.sub(r"\d_", "", form)), file)
    return [*forms.values()]


UPSTREAM = _upstream()


@cache
def as_xdsl_prints(file: Path) -> str:
    """The content of `file`, with one attribute in the spelling that xDSL has for it."""
    text = re.sub(r"#gpu\.dim<([xyz])>", r"#gpu<dim \1>", file.read_text("utf-8"))
    taken = take(_xdsl_opt, (), text.encode())
    assert taken.code == 0
    return taken.stdout


def with_ascii_keys(module: ModuleOp) -> ModuleOp:
    """xDSL's parser reads no other names of attributes."""
    for op in module.walk():
        for name in [name for name in op.attributes if not name.isascii()]:
            op.attributes[ascii(name)] = op.attributes.pop(name)
    return module


def agrees(text: str, name: str, options: dict[str, object]) -> None:
    taken = {field.name for field in fields(PASSES[name]())}
    called = _Called(text, name, {key: value for key, value in options.items() if key in taken})
    expected = _by_python(called)
    assert _by_flag(called) == expected
    assert _by_pipeline(called) == expected
    assert _by_xdsl_opt(called) == expected


@settings(every, max_examples=every.max_examples // 2)
@given(modules().map(with_ascii_keys), st.sampled_from([*PASSES]), st.sampled_from(OPTIONS))
def test_the_passes_agree_however_they_are_called(module: ModuleOp, name: str, options: dict[str, object]):
    """Through rlx-opt, as a flag and as a pipeline, through xdsl-opt, and called from Python."""
    agrees(printed(module), name, options)


@settings(every, max_examples=every.max_examples // 5)
@given(st.sampled_from(UPSTREAM), st.sampled_from([*PASSES]), st.sampled_from(OPTIONS))
def test_the_passes_agree_on_kernels_of_other_compilers(file: Path, name: str, options: dict[str, object]):
    agrees(as_xdsl_prints(file), name, options)


def test_the_ratio_is_that_of_the_documented_formula():
    assert math.isclose(ratio_of(4096, 2), 1 - 0.095 * math.log2(1.5))
