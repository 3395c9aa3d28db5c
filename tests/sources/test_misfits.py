"""Operations of other dialects whose parts do not fit each other are not understood: nothing is claimed or changed."""

import re

import pytest
from fuzzing import take
from round_trip import read
from support import ROOT, tool_result
from xdsl.utils.exceptions import ParseError

from rlx_sched.diagnostics import Diagnostic, handled_by
from rlx_sched.ir.reader import read_module
from rlx_sched.sources import find_schedules
from rlx_sched.sources.misfits import FITS, first_misfit
from rlx_sched.sources.schedule import Schedule
from rlx_sched.tools import rlx_opt
from rlx_sched.tools.registry import new_context

FILTER = "--occupancy-filter=target='Apple M4 Pro'"
KERNEL = """\
"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = (memref<64x16xf32>, index) -> (), workgroup_attributions = 1 : i64}> ({
    ^bb0(%in: memref<64x16xf32>, %n: index, %w: memref<16x16xf32, 3>):
      %c0 = "arith.constant"() <{value = 0 : index}> : () -> index
      %c1 = "arith.constant"() <{value = 1 : index}> : () -> index
      %c3 = "arith.constant"() <{value = 3 : index}> : () -> index
      %pad = "arith.constant"() <{value = 0.0 : f32}> : () -> f32
      %t = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3x16x16xf32, 3>
      %u = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3x16xf32, 3>
      %last = "scf.for"(%c0, %n, %c1, %pad) ({
      ^bb1(%i: index, %sum: f32):
        %s = "affine.apply"(%i) <{map = affine_map<(d0) -> (d0 mod 3)>}> : (index) -> index
        %v = "memref.subview"(%t, %s) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>,
            static_offsets = array<i64: -9223372036854775808, 0, 0>, static_sizes = array<i64: 1, 16, 16>,
            static_strides = array<i64: 1, 1, 1>}>
            : (memref<3x16x16xf32, 3>, index) -> memref<16x16xf32, strided<[16, 1], offset: ?>, 3>
        %x = "vector.transfer_read"(%in, %i, %c0, %pad) <{in_bounds = [true],
            operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1)>}>
            : (memref<64x16xf32>, index, index, f32) -> vector<16xf32>
        "vector.transfer_write"(%x, %v, %c1, %c0) <{in_bounds = [true],
            operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = affine_map<(d0, d1) -> (d1)>}>
            : (vector<16xf32>, memref<16x16xf32, strided<[16, 1], offset: ?>, 3>, index, index) -> ()
        "gpu.barrier"() : () -> ()
        %y = "memref.load"(%v, %c1, %c1) : (memref<16x16xf32, strided<[16, 1], offset: ?>, 3>, index, index) -> f32
        %r = "arith.remsi"(%i, %c3) : (index, index) -> index
        %negative = "arith.cmpi"(%r, %c0) <{predicate = 2 : i64}> : (index, index) -> i1
        %up = "arith.addi"(%r, %c3) : (index, index) -> index
        %slot = "arith.select"(%negative, %up, %r) : (i1, index, index) -> index
        "memref.store"(%y, %u, %slot, %c0) : (f32, memref<3x16xf32, 3>, index, index) -> ()
        "gpu.barrier"() : () -> ()
        "scf.yield"(%y) : (f32) -> ()
      }) : (index, index, index, f32) -> f32
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
}) : () -> ()
"""
VIEW = "memref<16x16xf32, strided<[16, 1], offset: ?>, 3>"
MISFITS = {
    "strides of more dimensions than the source": ("static_strides = array<i64:", "static_strides = array<i64: 1,"),
    "no sizes": ("static_sizes = array<i64: 1, 16, 16>,", ""),
    "offsets of another type": ("static_offsets = array<i64: -9223372036854775808,", "static_offsets = array<i32: 0,"),
    "a dynamic offset without an operand": (
        "(%t, %s) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>",
        "(%t, %s) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>",
    ),
    "a view that is no part of its source": (VIEW, VIEW.replace("16x16", "17x16")),
    "a view with other strides": (VIEW, VIEW.replace("[16, 1]", "[8, 1]")),
    "a view in other memory": (VIEW, VIEW.replace(", 3>", ">")),
    "a view of other elements": (VIEW, VIEW.replace("f32", "f64")),
    "groups of more operands than there are": ("array<i32: 1, 1, 2, 0>", "array<i32: 1, 1, 2, 1>"),
    "groups that are no numbers": ("operandSegmentSizes = array<i32: 1, 2, 1, 0>", 'operandSegmentSizes = "?"'),
    "a map of other dimensions": ("(%i) <{map = affine_map<(d0) ->", "(%i) <{map = affine_map<(d0, d1) ->"),
    "no map": ("<{map = affine_map<(d0) -> (d0 mod 3)>}>", ""),
    "a vector of other dimensions": ("vector<16xf32>", "vector<4x4xf32>"),
    "an index too few": (f"(%v, %c1, %c1) : ({VIEW}, index, index)", f"(%v, %c1) : ({VIEW}, index)"),
    "a loop that hands on nothing": ('"scf.yield"(%y) : (f32)', '"scf.yield"() : ()'),
    "a loop with another counter": ("^bb1(%i: index, %sum: f32)", "^bb1(%i: index, %sum: index)"),
    "a loop with two bodies": ("^bb1(%i: index, %sum: f32):", "}, {\n      ^bb1(%i: index, %sum: f32):"),
    "a loop with a body of two blocks": (
        '"scf.yield"(%y)',
        '"cf.br"()[^bb2] : () -> ()\n      ^bb2:\n        "scf.yield"(%y)',
    ),
    "a choice of nothing": ("(%negative, %up, %r) : (i1, index, index)", "(%negative, %up) : (i1, index)"),
    "more attributions than arguments": ("workgroup_attributions = 1", "workgroup_attributions = 2"),
    "fewer attributions than none": ("workgroup_attributions = 1", "workgroup_attributions = -1"),
    "arguments of another type": ("(memref<64x16xf32>, index) -> (),", "(memref<64x16xf32>, i32) -> (),"),
    "no type": ("<{function_type = (memref<64x16xf32>, index) -> (), workgroup", "<{workgroup"),
    "an allocation of no memory": ("memref<3x16xf32, 3>", "index"),
    "a dynamic size without an operand": ("memref<3x16xf32, 3>", "memref<?x16xf32, 3>"),
}


def found(text: str) -> tuple[list[Schedule], list[Diagnostic]]:
    said: list[Diagnostic] = []
    with handled_by(said.append):
        return list(find_schedules(read(text))), said


def test_what_fits_is_understood():
    (kernel,), said = found(KERNEL)
    assert not said
    assert (kernel.stages, kernel.baseline().count, kernel.footprint(3).count) == (3, 2112, 4288)
    assert tool_result("mlir-opt", "--verify-each", text=KERNEL).returncode == 0


@pytest.mark.parametrize("kind", MISFITS)
def test_what_does_not_fit_is_left_alone(kind: str):
    old, new = MISFITS[kind]
    assert old in KERNEL
    text = KERNEL.replace(old, new)
    kernels, (warning,) = found(text)
    assert kernels == []
    assert "do not fit each other" in warning.message
    printed = take(rlx_opt.main, (), text.encode())
    filtered = take(rlx_opt.main, (FILTER,), text.encode())
    assert (printed.code, filtered.code, filtered.stdout) == (0, 0, printed.stdout)
    refused = tool_result("mlir-opt", "--verify-each", text=text).returncode == 1
    assert refused or "attributions" in kind, "MLIR refuses it too"


@pytest.mark.parametrize("name", FITS)
def test_every_operation_that_sources_look_into(name: str):
    op = f'%0:2 = "{name}"(%c) <{{operandSegmentSizes = array<i32: 7>}}> ({{}}, {{}}) : (i1) -> (f80, f80)'
    misfit = first_misfit(read('%c = "t.c"() : () -> i1\n' + op))
    assert misfit is not None
    assert found('%c = "t.c"() : () -> i1\n' + op)[0] == []


LOOP = """\
"builtin.module"() ({
  "tt.func"() <{function_type = (tensor<16x16x!tt.ptr<f32>>, i32) -> (), sym_name = "k"}> ({
  ^bb0(%p: tensor<16x16x!tt.ptr<f32>>, %n: i32):
    %zero = "arith.constant"() <{value = dense<0.0> : tensor<16x16xf32>}> : () -> tensor<16x16xf32>
    %sum = "scf.for"(%n, %n, %n, %zero) ({
    ^bb1(%i: i32, %acc: tensor<16x16xf32>):
      %a = "tt.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}>
          : (tensor<16x16x!tt.ptr<f32>>) -> tensor<16x16xf32>
      %b = "tt.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}>
          : (tensor<16x16x!tt.ptr<f32>>) -> tensor<16x16xf32>
      %d = "tt.dot"(%a, %b, %acc) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32}>
          : (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
      "scf.yield"(%d) : (tensor<16x16xf32>) -> ()
    }) {tt.num_stages = 3 : i32} : (i32, i32, i32, tensor<16x16xf32>) -> tensor<16x16xf32>
    "tt.return"() : () -> ()
  }) : () -> ()
}) {ttg.target = "cuda:80"} : () -> ()
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tensor<16x16x!tt", "tensor<8x16x!tt"),
        ('"tt.dot"', '"tt.reduce"'),
        ('"tt.dot"', '"tt.trans"'),
        ('"tt.dot"', '"ttg.local_alloc"'),
        ("(%a, %b, %acc)", "(%a, %b, %n)"),
        ("%b, %acc)", "%acc)"),
    ],
)
def test_loops_of_triton(old: str, new: str):
    assert [kernel.stages for kernel in found(LOOP)[0]] == [3]
    text = LOOP.replace(old, new)
    given = re.search(r"\((%a[^)]*)\)", text)
    assert given is not None
    types = ", ".join("i32" if name == "%n" else "tensor<16x16xf32>" for name in given[1].split(", "))
    assert found(re.sub(r"(: )\(tensor<16x16xf32>, .*\)", rf"\1({types})", text))[0] == []


def test_kernels_of_our_own_dialect_stay_understood():
    own = "sched.kernel @own stages 3 {\n  sched.buffer @a rotating : memref<16x16xf32>\n}\n"
    text = '"memref.alloc"() : () -> ()\n' + own
    taken = take(rlx_opt.main, (FILTER,), text.encode())
    assert taken.code == 0
    assert "stripped <3, slower" in taken.stdout
    assert "warning: 'memref.alloc' has operands, results" in taken.stderr


@pytest.mark.parametrize("form", ["generic", "custom"])
def test_ir_of_compilers_fits(form: str):
    count = 0
    # Custom form, which takes longer, of every second one.
    for file in sorted((ROOT / "tests" / "corpus").rglob("*.mlir"))[:: 2 if form == "custom" else 1]:
        text = file.read_text("utf-8")
        if form == "custom":
            text = tool_result("mlir-opt", "--allow-unregistered-dialect", text=text).stdout
        try:
            module, _ = read_module(new_context(), text, file.name)
        except ParseError:
            continue
        count += 1
        assert first_misfit(module) is None, file
    assert count > 15
