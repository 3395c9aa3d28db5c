"""White space and comments anywhere in a file change nothing in it, however their lines end."""

from io import StringIO
from random import Random

import pytest
from mutations import BLANKS, spaced
from round_trip import SPLIT
from support import run_tool

from rlx_sched.ir.reader import read_module
from rlx_sched.ir.writer import write_module
from rlx_sched.tools.registry import new_context

ATTRIBUTES = """\
#a = [1, -2 : i32, "a // b", @x::@y]
#b = {k = #a, "l m" = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>, u}
#map = affine_map<(d0, d1)[s0] -> (d0 * 32 + s0, -d1 floordiv 4)>
#set = affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 == 0)>
!u = vector<2xf32>
!t = memref<4x?x!u>
"builtin.module"() ({
  %0 = "t.a"() <{p = #a, q = 1.5e-05 : f32}> {r = #b, s = [!t, memref<4x4xf32, #map, 3>], v} : () -> i32 loc("a":1:2)
  %1:2 = "t.b"(%0, %0) ({
  ^bb0(%x: i32 loc("b":3:4), %y: !t loc(unknown)):
    "t.c"(%x)[^bb1] : (i32) -> () loc(unknown)
  ^bb1:
    "t.d"() {m = #map, n = #set, o = dense<0xFF800000> : vector<2xf32>, h = 0x10 : index} : () -> () loc(unknown)
  }, {
  }) : (i32, i32) -> (!u, (i32) -> (i32, f32)) loc(unknown)
  "t.e"(%1#0, %1#1) {
    x = #other.name<http://a [#c] // d>, y = array<i32: 1, 2>, z = distinct[0]<1 : i32>
  } : (!u, (i32) -> (i32, f32)) -> () loc(unknown)
  "t.f"() {x = sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>, y = dense_resource<foo> : tensor<4xf32>,
    z = strided<[?, 1], offset: ?>, w = tensor<*xf32>, c = dense<(1.0, -2.0)> : tensor<2xcomplex<f32>>
  } : () -> () loc(unknown)
}) {t.a = unit, t.b = "\\0A\\22"} : () -> () loc(unknown)
"""
LOCATIONS = """\
#m = {k = 1 : i32}
#l = loc("a":1:2)
#n = loc("malloc(n)"(#l))
#o = loc(callsite(#n at "b":3:4))
"builtin.module"() ({
  "t.a"() {x = #l, y = loc(#l), z = [#n, loc(fused<#l>[#n])]} : () -> () loc("f(loc("(#l))
  "t.b"() : () -> () loc(fused<#m>["operator new(int)loc(", #l])
  "t.c"() : () -> () loc(fused<#l>["x", #n])
  "t.d"() : () -> () loc(fused<{q = [#l, loc(#n)], r = #m}>[fused<loc(fused<#l>[#l])>[#o], callsite(#l at #n)])
  "t.e"(){d = distinct[0]<#l>, e = #other.name<loc("a":1:2)>} : () -> () loc(#late)
}) : () -> () loc(#l)
#late = loc("late")
"""
ORIGINALS = {"attributes": ATTRIBUTES, "locations": LOCATIONS}
VARIANTS = 60


def printed_again(text: str) -> str:
    """`text`, read and printed with its locations."""
    module, _ = read_module(new_context(), text, "test.mlir")
    stream = StringIO()
    write_module(module, stream, debuginfo=True)
    return stream.getvalue()


def as_mlir_reads(texts: list[str]) -> list[str]:
    """What mlir-opt prints for each of `texts`, with locations."""
    options = ("--mlir-print-op-generic", "--mlir-print-debuginfo", "--allow-unregistered-dialect")
    return run_tool("mlir-opt", *options, "--split-input-file", text=SPLIT.join(texts)).split(SPLIT)


@pytest.mark.parametrize("text", ORIGINALS.values(), ids=ORIGINALS)
def test_blanks_anywhere_change_nothing(text: str):
    random = Random(text)
    variants = [text, *(spaced(text, random) for _ in range(VARIANTS))]
    meant = as_mlir_reads([text])[0].strip()
    for variant, mlir, ours in zip(
        variants, as_mlir_reads(variants), as_mlir_reads([*map(printed_again, variants)]), strict=True
    ):
        assert mlir.strip() == meant, f"this is not the same to mlir-opt:\n{variant}"
        assert ours.strip() == meant, f"this is read as something else:\n{variant}"


@pytest.mark.parametrize("blank", BLANKS, ids=ascii)
def test_each_blank_alone(blank: str):
    text = f'{blank}"t.a"(){blank}{{x = [1,{blank}2]}} : () -> (){blank}"t.b"() : () -> ()'
    assert printed_again(text) == printed_again('"t.a"() {x = [1, 2]} : () -> () "t.b"() : () -> ()')
