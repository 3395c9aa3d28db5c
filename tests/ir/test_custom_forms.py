"""Custom form is read as mlir-opt reads it, and printed so that mlir-opt reads the same.

The operations are in `custom_operations.txt` and `custom_modules.txt`, each from the first column of a line on.
A line that begins with a space, a brace or a caret goes on with the one before.
"""

import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from round_trip import SPLIT, as_mlir_reads, printed_again
from support import run_tool
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp, UnregisteredOp
from xdsl.dialects.scf import ExecuteRegionOp, YieldOp
from xdsl.ir import Block, Region
from xdsl.utils.exceptions import ParseError

from rlx_sched.ir.custom_forms import MLIR_DIALECTS, PROVEN
from rlx_sched.ir.reader import read_module
from rlx_sched.ir.writer import write_module
from rlx_sched.tools.registry import new_context
from rlx_sched.tools.verify import verify

_AROUND = """\
func.func private @f2(i32) -> i32
func.func private @f3() -> ((i32) -> i32)
llvm.func @callee(i32) -> i32
"memref.global"() <{sym_name = "gl", sym_visibility = "private", type = memref<4xf32>}> : () -> ()
func.func @f(%i: index, %x: i32, %y: i32, %l: i64, %p: i1, %a: f32, %b: f32, %c: complex<f32>,
    %v: vector<4xf32>, %mask: vector<4xi1>, %t: tensor<4x4xf32>, %shape: tensor<1xindex>,
    %m: memref<8x8xf32>, %m0: memref<8xf32>, %mi: memref<8x8xi32>, %m1: memref<8x8xi1>, %m8: memref<8x8xi8>,
    %bytes: memref<64xi8>, %m1d: memref<8xi32, 2>, %ptr: !llvm.ptr, %st: !llvm.struct<(i32, f32)>,
    %im: memref<1x1x18x18xf32>, %ke: memref<1x1x3x3xf32>, %om: memref<1x1x16x16xf32>) {
OPERATIONS
return
}
"""

_PER_FUNCTION = 16
"""So few that a failure shows where it is, so many that reading the arguments is not most of the work."""


def blocks(name: str) -> Iterator[str]:
    """The operations in a file beside this one."""
    return (
        found.rstrip() for found in re.findall(r"^.+\n(?:[ }^].*\n)*", (Path(__file__).parent / name).read_text(), re.M)
    )


def functions() -> Iterator[str]:
    """Functions of some operations each, whose results get different names."""
    operations = [re.sub("^%r", f"%r{number}", block) for number, block in enumerate(blocks("custom_operations.txt"))]
    for start in range(0, len(operations), _PER_FUNCTION):
        yield _AROUND.replace("OPERATIONS", "\n".join(operations[start : start + _PER_FUNCTION]))


TEXTS = [*functions(), *blocks("custom_modules.txt")]


def each_as_mlir_reads(texts: list[str]) -> list[str]:
    """What mlir-opt prints for each of `texts`, in generic form."""
    arguments = ("--allow-unregistered-dialect", "--mlir-print-op-generic", "--split-input-file")
    return run_tool("mlir-opt", *arguments, text=SPLIT.join(texts)).split("// -----\n")


@pytest.mark.parametrize("generic", [False, True], ids=["custom", "generic"])
def test_mlir_opt_reads_the_same(generic: bool) -> None:
    printed = [printed_again(text, generic=generic) for text in TEXTS]
    before, after = each_as_mlir_reads(TEXTS), each_as_mlir_reads(printed)
    assert len(before) == len(TEXTS)
    for text, one, other in zip(TEXTS, before, after, strict=True):
        assert one.strip() == other.strip(), text


def test_what_is_printed_is_read_and_valid_and_there_is_a_line_for_each_operation() -> None:
    found: set[str] = set()
    for text in TEXTS:
        module, _ = read_module(new_context(), text, "test.mlir")
        verify(module)
        found |= {op.name for op in module.walk() if not isinstance(op, UnregisteredOp)}
        printed = printed_again(text)
        again, _ = read_module(new_context(), printed, "test.mlir")
        verify(again)
        assert printed_again(printed) == printed
    assert found == PROVEN


def test_the_dialects_are_those_of_both() -> None:
    shown = run_tool("mlir-opt", "--show-dialects", text="").partition(":")[2]
    assert {*shown.strip().split(",")} & {*get_all_dialects()} == MLIR_DIALECTS


@pytest.mark.parametrize(
    "text",
    [
        "acc.terminator",
        "%r = ml_program.global_load_const @g : tensor<4xi32>",
        "linalg.pooling_nchw_max ins(%i, %w : memref<1x1x9x9xf32>, memref<2x2xf32>) outs(%o : memref<1x1x8x8xf32>)",
        "scf.execute_region {\nscf.yield\n} {t.lost}",
    ],
)
def test_other_operations_are_refused(text: str) -> None:
    name = re.search(r"\w+\.\w+", text)
    assert name is not None
    expected = f"'{name[0]}' is read in generic form only; .*--mlir-print-op-generic"
    with pytest.raises(ParseError, match=expected) as caught:
        read_module(new_context(), text, "test.mlir")
    assert caught.value.span.start == name.start()


def test_other_operations_are_printed_in_generic_form_with_all_that_is_in_them() -> None:
    stream = StringIO()
    write_module(ModuleOp([ExecuteRegionOp.create(regions=[Region(Block([YieldOp()]))])]), stream)
    text = stream.getvalue()
    assert '"scf.execute_region"() ({\n    "scf.yield"() : () -> ()\n  }) : () -> ()' in text
    assert printed_again(text) == text
    assert as_mlir_reads(text) == as_mlir_reads(printed_again(text))


RESOURCE = """\
func.func @f() {
  %0 = arith.constant dense_resource<kept> : tensor<1xf32>
  %1 = arith.constant #alias
  func.return
}
#alias = dense_resource<kept> : tensor<1xf32>
{-# dialect_resources: { builtin: { kept: "0x0400000001000000" } } #-}
"""


def test_a_resource_is_the_same_however_often_it_is_read() -> None:
    assert printed_again(RESOURCE).count("dense_resource<kept>") == 2
    assert printed_again(RESOURCE) == printed_again(RESOURCE)
