"""What holds for every module of the dialect: it survives printing, and the passes keep their promises."""

import re
from contextlib import suppress
from io import StringIO
from random import Random

import pytest
from fuzzing import take
from hypothesis import given
from hypothesis import strategies as st
from strategies import every, make_context, modules
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.printer import Printer
from xdsl.utils.exceptions import PassFailedException

from rlx_sched.annotations import annotation, erase_written
from rlx_sched.assessment import Assessor
from rlx_sched.diagnostics import handled_by
from rlx_sched.dialect.sched import CandidatesOp, KernelOp
from rlx_sched.ir.reader import read_module
from rlx_sched.occupancy import Slower
from rlx_sched.passes import PASSES
from rlx_sched.search_space import groups
from rlx_sched.sources.sched import KernelSchedule
from rlx_sched.tools import rlx_opt


def printed(module: Operation, *, generic: bool = False) -> str:
    stream = StringIO()
    Printer(stream, print_generic_format=generic).print_op(module)
    return stream.getvalue()


def parsed(text: str) -> ModuleOp:
    return read_module(make_context(), text, "test.mlir")[0]


def run(module: ModuleOp, name: str, **options: object) -> str:
    """The module after a pass, printed; errors that the pass reports are left out of account."""
    with handled_by(lambda diagnostic: None), suppress(PassFailedException):
        PASSES[name]()(**options).apply(make_context(), module)
    module.verify()
    return printed(module)


@every
@given(modules(), st.booleans())
def test_printed_modules_read_back(module: ModuleOp, generic: bool):
    module.verify()
    text = printed(module, generic=generic)
    again = parsed(text)
    again.verify()
    # Two opaque attributes are equal in one context only, so what was read is compared by its text, in both forms.
    assert printed(again, generic=generic) == text
    assert printed(again, generic=not generic) == printed(module, generic=not generic)


@every
@given(modules(), st.booleans(), st.booleans())
def test_modules_go_through_rlx_opt_and_back(module: ModuleOp, generic: bool, fast: bool):
    """From either form to either form, the fast way or the slow one: the same module."""
    paths = () if fast else ("--no-fast-path",)
    made: list[str] = []
    for is_custom in (True, False):
        form = () if is_custom else ("--mlir-print-op-generic",)
        taken = take(rlx_opt.main, (*paths, *form), printed(module, generic=generic).encode())
        assert (taken.code, taken.stderr) == (0, "")
        again = parsed(taken.stdout)
        again.verify()
        assert printed(again) == printed(module)
        assert printed(again, generic=True) == printed(module, generic=True)
        made.append(taken.stdout)
    custom, generic_form = made
    assert not re.search(r"^ *(sched\.|builtin\.)", generic_form, re.MULTILINE)
    assert take(rlx_opt.main, (), generic_form.encode()).stdout == custom
    assert take(rlx_opt.main, ("--mlir-print-op-generic",), custom.encode()).stdout == generic_form


@every
@given(modules(), st.sampled_from(["occupancy-annotate", "occupancy-filter"]))
def test_once_is_enough(module: ModuleOp, name: str):
    once = run(module, name)
    assert run(module, name) == once


@every
@given(modules())
def test_annotating_changes_annotations_only(module: ModuleOp):
    before = module.clone()
    run(module, "occupancy-annotate")
    for one, other in zip(before.walk(), module.walk(), strict=True):
        assert annotation(one, "stripped") == annotation(other, "stripped")
    for each in (before, module):
        for op in each.walk():
            if isinstance(op, KernelOp):
                erase_written(op)
    assert before.is_structurally_equivalent(module)


def kernels_of(module: ModuleOp) -> dict[tuple[str, ...], KernelOp]:
    """Every kernel under its full symbol name."""
    found: dict[tuple[str, ...], KernelOp] = {}
    for op in module.walk():
        if isinstance(op, KernelOp):
            parent = op.parent_op()
            space = (parent.sym_name.data,) if isinstance(parent, CandidatesOp) else ()
            found[*space, op.sym_name.data] = op
    return found


@every
@given(modules())
def test_the_filter_keeps_its_promises(module: ModuleOp):
    before = kernels_of(module.clone())
    original = kernels_of(module.clone())
    assessor = Assessor()
    run(module, "occupancy-filter")
    after = kernels_of(module)
    for name, kernel in before.items():
        judged = assessor.assess(KernelSchedule(original[name]))
        if name not in after:
            assert len(name) == 2, "only candidates are erased"
            continue
        kept = assessor.assess(KernelSchedule(after[name]))
        if judged.scheduled is not None and kept.scheduled is not None:
            assert kept.scheduled.count <= judged.scheduled.count
        if not isinstance(judged.verdict, Slower) and not judged.over_limit:
            assert after[name].stages == kernel.stages, "legal and not slower is never touched"
        alone = len(name) == 1
        fits = not assessor.assess(KernelSchedule(original[name]), 1).over_limit
        if alone and fits and isinstance(kept.verdict, Slower):
            pytest.fail("a slower rotation was left in")


@every
@given(modules())
def test_no_group_is_erased_for_being_slower(module: ModuleOp):
    assessor = Assessor()
    spaces = {op.sym_name.data: groups(op) for op in module.clone().walk() if isinstance(op, CandidatesOp)}
    names = {
        space: [
            [kernel.sym_name.data for kernel in group]
            for group in members
            if not assessor.assess(KernelSchedule(group[0]), 1).over_limit
        ]
        for space, members in spaces.items()
    }
    run(module, "occupancy-filter")
    left = {
        op.sym_name.data: {kernel.sym_name.data for kernel in op.kernels()}
        for op in module.walk()
        if isinstance(op, CandidatesOp)
    }
    for space, members in names.items():
        for group in members:
            assert left[space] & set(group)


@every
@given(modules(), st.randoms())
def test_order_of_kernels_does_not_matter(module: ModuleOp, random: Random):
    shuffled = module.clone()
    ops = list(shuffled.body.block.ops)
    for op in ops:
        op.detach()
    random.shuffle(ops)
    shuffled.body.block.add_ops(ops)
    run(module, "occupancy-filter")
    run(shuffled, "occupancy-filter")
    one = {printed(op) for op in module.body.block.ops}
    assert one == {printed(op) for op in shuffled.body.block.ops}


@every
@given(modules())
def test_ranking_keeps_every_candidate(module: ModuleOp):
    before = kernels_of(module)
    run(module, "sched-rank")
    after = kernels_of(module)
    assert before == after


@every
@given(modules())
def test_erasing_leaves_nothing_of_the_passes(module: ModuleOp):
    run(module, "occupancy-filter")
    text = run(module, "sched-erase-annotations")
    for word in ("footprint <", "verdict <", "stripped <"):
        assert word not in text
