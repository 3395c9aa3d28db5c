"""Kernels compute the same bits with slots and without: run by MLIR's own runner."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from execute import result_bits
from multibuffered import generic, multibuffer, restaged
from round_trip import read, write
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation
from xdsl.ir.affine import AffineBinaryOpExpr, AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from rlx_sched.ir.access import affine_map, attribute, op_name, set_attribute

CORPUS = Path(__file__).parent.parent / "corpus/mlir-opt"
SPACE = "#gpu.address_space<workgroup>"


def corpus(name: str) -> str:
    return (CORPUS / f"{name}.generic.mlir").read_text()


def wrong_slot(text: str) -> str:
    """`text` with everything but the copies into the first buffer looking into the next slot."""
    module = read(text)
    view = next(op for op in module.walk() if op_name(op) == "memref.subview" and "mod" in _map(op))
    index = view.operands[1].owner
    assert isinstance(index, Operation)
    other = index.clone()
    map = affine_map(attribute(index, "map"))
    assert map is not None
    (slot,) = map.results
    assert isinstance(slot, AffineBinaryOpExpr)
    shifted = AffineBinaryOpExpr(slot.kind, slot.lhs + AffineExpr.constant(1), slot.rhs)
    set_attribute(other, "map", AffineMapAttr(AffineMap(map.num_dims, map.num_symbols, (shifted,))))
    wrong = view.clone()
    Rewriter.insert_op([other, wrong], InsertPoint.after(view))
    wrong.operands[1] = other.results[0]
    view.results[0].replace_uses_with_if(
        wrong.results[0],
        lambda use: op_name(use.operation) not in ("linalg.copy", "memref.copy", "vector.transfer_write"),
    )
    return write(module)


def _map(op: Operation) -> str:
    owner = op.operands[1].owner if len(op.operands) > 1 else None
    return str(attribute(owner, "map")) if isinstance(owner, Operation) else ""


MM = (128, 128)
PROM = (256, 256)


@pytest.mark.parametrize("slots", [2, 3, 4])
def test_a_matmul_comes_out_with_one_slot(slots: int):
    before = corpus(f"mm_f32_t32x32x16.mb{slots}.tensor2memref")
    after = restaged(before, 1)
    one_slot = corpus("mm_f32_t32x32x16.mb1.tensor2memref")
    assert after == generic(one_slot)
    assert result_bits(after, "mm", [MM] * 3) == result_bits(before, "mm", [MM] * 3)
    assert result_bits(wrong_slot(before), "mm", [MM] * 3) != result_bits(before, "mm", [MM] * 3)


@pytest.mark.parametrize(
    ("name", "shape", "slots", "left"),
    [
        ("mm_f32_t32x32x16", MM, 2, 1),
        ("mm_f32_t32x32x16", MM, 3, 1),
        ("mm_f32_t32x32x16", MM, 4, 1),
        ("mm_f32_t64x64x16_promC", PROM, 2, 2),
        ("mm_f32_t64x64x16_promC", PROM, 3, 2),
        ("mm_f32_t64x64x16_promC", PROM, 4, 2),
    ],
)
def test_filtered_for_an_m4_pro(name: str, shape: tuple[int, int], slots: int, left: int):
    """Losing rotations go, those over the limit shrink until they fit, and what is too close to call stays."""
    options = ("--occupancy-filter=target='Apple M4 Pro'", "--sched-erase-annotations")
    command = [Path(sys.executable).with_name("rlx-opt"), *options]
    before = corpus(f"{name}.mb{slots}.tensor2memref")
    done = subprocess.run(command, input=before, capture_output=True, text=True, check=True)
    after = generic(done.stdout, "--verify-each")
    assert after == generic(corpus(f"{name}.mb{left}.tensor2memref"))
    one_slot = corpus(f"{name}.mb1.tensor2memref")
    assert result_bits(after, "mm", [shape] * 3) == result_bits(one_slot, "mm", [shape] * 3)


@pytest.mark.parametrize("form", ["launch", "outlined", "wgattr"])
@pytest.mark.parametrize(
    ("kernel", "slots", "stages"),
    [
        *(("mm_f32_t32x32x16", slots, stages) for slots in (2, 3, 4) for stages in range(1, slots)),
        *(("mm_f32_t64x64x16_promC", slots, stages) for slots in (2, 3, 4) for stages in range(1, slots)),
    ],
)
def test_the_result_is_what_mlir_opt_makes_with_fewer_slots(form: str, kernel: str, slots: int, stages: int):
    """These kernels have all the barriers that they need, so none is added."""
    assert restaged(corpus(f"{kernel}.mb{slots}.{form}"), stages) == generic(corpus(f"{kernel}.mb{stages}.{form}"))


def matmul(m: int, n: int, k: int, tm: int, tn: int, tk: int, *, rotate: tuple[str, str] = ("rotate", "rotate")) -> str:
    """A tiled matmul whose two tiles are staged; `rotate` says which of them are to be multi-buffered."""
    a, b = f"memref<{tm}x{tk}xf32, {SPACE}>", f"memref<{tk}x{tn}xf32, {SPACE}>"
    return f"""
    func.func @kernel(%a: memref<{m}x{k}xf32>, %b: memref<{k}x{n}xf32>, %c: memref<{m}x{n}xf32>) {{
      %c0 = arith.constant 0 : index
      %k = arith.constant {k} : index
      %tk = arith.constant {tk} : index
      scf.forall (%i, %j) in ({m // tm}, {n // tn}) {{
        %y = affine.apply affine_map<(d0) -> (d0 * {tm})>(%i)
        %x = affine.apply affine_map<(d0) -> (d0 * {tn})>(%j)
        %sa = memref.alloc() {{{rotate[0]}}} : {a}
        %sb = memref.alloc() {{{rotate[1]}}} : {b}
        %out = memref.subview %c[%y, %x] [{tm}, {tn}] [1, 1]
            : memref<{m}x{n}xf32> to memref<{tm}x{tn}xf32, strided<[{n}, 1], offset: ?>>
        scf.for %p = %c0 to %k step %tk {{
          %ga = memref.subview %a[%y, %p] [{tm}, {tk}] [1, 1]
              : memref<{m}x{k}xf32> to memref<{tm}x{tk}xf32, strided<[{k}, 1], offset: ?>>
          %gb = memref.subview %b[%p, %x] [{tk}, {tn}] [1, 1]
              : memref<{k}x{n}xf32> to memref<{tk}x{tn}xf32, strided<[{n}, 1], offset: ?>>
          linalg.copy ins(%ga : memref<{tm}x{tk}xf32, strided<[{k}, 1], offset: ?>>) outs(%sa : {a})
          linalg.copy ins(%gb : memref<{tk}x{tn}xf32, strided<[{n}, 1], offset: ?>>) outs(%sb : {b})
          linalg.matmul ins(%sa, %sb : {a}, {b}) outs(%out : memref<{tm}x{tn}xf32, strided<[{n}, 1], offset: ?>>)
        }}
      }} {{mapping = [#gpu.block<y>, #gpu.block<x>]}}
      return
    }}"""


BOTH = ("rotate", "rotate")


@pytest.mark.parametrize(
    ("shape", "slots", "rotate"),
    [
        ((8, 8, 32, 4, 8, 4), 2, BOTH),
        ((8, 8, 32, 4, 8, 4), 4, BOTH),
        ((12, 10, 21, 6, 5, 3), 2, BOTH),
        ((12, 10, 21, 6, 5, 3), 3, BOTH),
        ((16, 16, 16, 16, 16, 2), 3, BOTH),
        ((4, 4, 5, 2, 4, 5), 4, BOTH),
        ((12, 10, 21, 6, 5, 3), 3, ("rotate", "")),
        ((12, 10, 21, 6, 5, 3), 3, ("", "rotate")),
    ],
)
def test_matmuls_of_many_shapes(shape: tuple[int, int, int, int, int, int], slots: int, rotate: tuple[str, str]):
    m, n, k, *_ = shape
    one_slot = matmul(*shape, rotate=rotate)
    before = multibuffer(one_slot, slots)
    arguments = [(m, k), (k, n), (m, n)]
    expected = result_bits(one_slot, "kernel", arguments)
    assert result_bits(before, "kernel", arguments) == expected
    for stages in range(1, slots):
        assert result_bits(restaged(before, stages), "kernel", arguments) == expected
    if k // shape[-1] > 1:
        assert result_bits(wrong_slot(before), "kernel", arguments) != expected


TILE = f"memref<4x8xf32, {SPACE}>"
TILE_VIEW = f"memref<4x8xf32, strided<[8, 1]>, {SPACE}>"
VIEW = "memref<4x8xf32, strided<[8, 1], offset: ?>>"


def kernel(body: str) -> str:
    """A kernel; `STAGE i` copies four rows of %in from row i on into %t, `USE i` adds %t to those of %out."""
    lines: list[str] = []
    for number, line in enumerate(body.splitlines()):
        word, _, index = line.strip().partition(" ")
        if word == "STAGE":
            line = f"""%g{number} = memref.subview %in[{index}, 0] [4, 8] [1, 1] : memref<64x8xf32> to {VIEW}
            memref.copy %g{number}, %t : {VIEW} to {TILE}"""
        elif word == "USE":
            line = f"""%o{number} = memref.subview %out[{index}, 0] [4, 8] [1, 1] : memref<64x8xf32> to {VIEW}
            linalg.add ins(%t, %o{number} : {TILE}, {VIEW}) outs(%o{number} : {VIEW})"""
        lines.append(line)
    constants = "\n".join(f"%c{i} = arith.constant {i} : index" for i in (0, 1, 3, 4, 5, 7, 8, 50, 60))
    return (
        f"func.func @kernel(%in: memref<64x8xf32>, %out: memref<64x8xf32>) {{\n{constants}\n"
        + "\n".join(lines)
        + "\nreturn }"
    )


ALLOC = f"%t = memref.alloc() {{rotate}} : {TILE}"
KERNELS = {
    "lower bound and step": f"""
      {ALLOC}
      scf.for %i = %c3 to %c50 step %c5 {{
        STAGE %i
        USE %i
      }}""",
    "affine loop": f"""
      {ALLOC}
      affine.for %i = 2 to 60 step 7 {{
        STAGE %i
        USE %i
      }}""",
    "bounds that are not constants": f"""
      {ALLOC}
      %f3 = memref.load %in[%c0, %c5] : memref<64x8xf32>
      %i3 = arith.fptosi %f3 : f32 to i32
      %three = arith.index_cast %i3 : i32 to index
      %f4 = memref.load %in[%c0, %c7] : memref<64x8xf32>
      %i4 = arith.fptosi %f4 : f32 to i32
      %four = arith.index_cast %i4 : i32 to index
      scf.for %i = %three to %c50 step %four {{
        STAGE %i
        USE %i
      }}""",
    "memory that outlives an inner loop": f"""
      {ALLOC}
      scf.for %o = %c0 to %c8 step %c1 {{
        scf.for %i = %c0 to %c60 step %c4 {{
          STAGE %i
          USE %i
        }}
      }}""",
    "memory of an outer iteration": f"""
      scf.for %o = %c0 to %c5 step %c1 {{
        {ALLOC}
        scf.for %i = %c0 to %c60 step %c4 {{
          STAGE %i
          USE %i
        }}
      }}""",
    "reads in inner loops and conditions": f"""
      {ALLOC}
      scf.for %i = %c0 to %c60 step %c4 {{
        STAGE %i
        scf.for %j = %c0 to %c3 step %c1 {{
          %odd = arith.cmpi sgt, %j, %c1 : index
          scf.if %odd {{
            USE %i
          }}
        }}
      }}""",
    "element by element": f"""
      {ALLOC}
      scf.for %i = %c0 to %c60 step %c4 {{
        %all = memref.subview %t[0, 0] [4, 8] [1, 1] : {TILE} to {TILE_VIEW}
        scf.for %y = %c0 to %c4 step %c1 {{
          scf.for %x = %c0 to %c8 step %c1 {{
            %r = arith.addi %i, %y : index
            %v = memref.load %in[%r, %x] : memref<64x8xf32>
            memref.store %v, %all[%y, %x] : {TILE_VIEW}
          }}
        }}
        scf.for %y = %c0 to %c4 step %c1 {{
          scf.for %x = %c0 to %c8 step %c1 {{
            %r = arith.addi %i, %y : index
            %v = memref.load %all[%y, %x] : {TILE_VIEW}
            %w = memref.load %out[%r, %x] : memref<64x8xf32>
            %s = arith.addf %v, %w : f32
            memref.store %s, %out[%r, %x] : memref<64x8xf32>
          }}
        }}
      }}""",
    "sums carried along, memory freed": f"""
      {ALLOC}
      %zero = arith.constant 0.0 : f32
      %sum = scf.for %i = %c0 to %c60 step %c4 iter_args(%s = %zero) -> f32 {{
        STAGE %i
        %v = memref.load %t[%c3, %c5] : {TILE}
        %n = arith.addf %s, %v : f32
        scf.yield %n : f32
      }}
      memref.store %sum, %out[%c0, %c0] : memref<64x8xf32>
      memref.dealloc %t : {TILE}""",
    "views of views": f"""
      {ALLOC}
      scf.for %i = %c0 to %c60 step %c4 {{
        STAGE %i
        %half = memref.subview %t[2, 0] [2, 8] [1, 1] : {TILE} to memref<2x8xf32, strided<[8, 1], offset: 16>, {SPACE}>
        %row = memref.subview %half[1, 0] [1, 8] [1, 1]
            : memref<2x8xf32, strided<[8, 1], offset: 16>, {SPACE}> to memref<8xf32, strided<[1], offset: 24>, {SPACE}>
        %o = memref.subview %out[%i, 0] [1, 8] [1, 1] : memref<64x8xf32> to memref<8xf32, strided<[1], offset: ?>>
        linalg.add
            ins(%row, %o : memref<8xf32, strided<[1], offset: 24>, {SPACE}>, memref<8xf32, strided<[1], offset: ?>>)
            outs(%o : memref<8xf32, strided<[1], offset: ?>>)
      }}""",
    "vectors": f"""
      {ALLOC}
      %pad = arith.constant 0.0 : f32
      scf.for %i = %c0 to %c60 step %c4 {{
        %v = vector.transfer_read %in[%i, %c0], %pad : memref<64x8xf32>, vector<4x8xf32>
        vector.transfer_write %v, %t[%c0, %c0] : vector<4x8xf32>, {TILE}
        %w = vector.transfer_read %t[%c0, %c0], %pad : {TILE}, vector<4x8xf32>
        vector.transfer_write %w, %out[%i, %c0] : vector<4x8xf32>, memref<64x8xf32>
      }}""",
}
"""Kernels with one slot, whose tile %t is to be multi-buffered."""


@pytest.mark.parametrize("slots", [3])
@pytest.mark.parametrize("name", KERNELS)
def test_loops_of_many_forms(name: str, slots: int):
    one_slot = kernel(KERNELS[name])
    before = multibuffer(one_slot, slots)
    assert f"memref<{slots}x4x8xf32" in before
    expected = result_bits(one_slot, "kernel", [(64, 8)] * 2)
    assert result_bits(before, "kernel", [(64, 8)] * 2) == expected
    for stages in range(1, slots):
        after = restaged(before, stages)
        assert f"memref<{slots}x4x8xf32" not in after
        assert result_bits(after, "kernel", [(64, 8)] * 2) == expected


@pytest.mark.parametrize("name", KERNELS)
def test_one_slot_gives_back_the_module_that_was_multi_buffered(name: str):
    """But for barriers, which some of these need."""

    def canonical(text: str) -> str:
        text = generic(text, "--canonicalize", "--cse")
        for mark in ("rotate, ", "{rotate}", " rotate", '"gpu.barrier"() : () -> ()\n'):
            text = text.replace(mark, "")
        return re.sub("^ +", "", text, flags=re.MULTILINE)

    one_slot = kernel(KERNELS[name])
    assert canonical(restaged(multibuffer(one_slot, 3), 1)) == canonical(one_slot)


@pytest.mark.parametrize(
    "passes",
    [
        ("--lower-affine",),
        ("--convert-linalg-to-loops", "--fold-memref-alias-ops"),
        ("--lower-affine", "--fold-memref-alias-ops", "--canonicalize", "--cse"),
        ("--lower-affine", "--int-range-optimizations", "--canonicalize"),
        ("--lower-affine", "--arith-unsigned-when-equivalent", "--canonicalize"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("name", ["bounds that are not constants", "element by element", "views of views", "vectors"])
def test_later_passes_have_spelled_the_slot_otherwise(name: str, passes: tuple[str, ...]):
    """The slot index as arithmetic, copied to where it is used, or folded into each access."""
    one_slot = kernel(KERNELS[name])
    before = generic(multibuffer(one_slot, 3), *passes)
    expected = result_bits(one_slot, "kernel", [(64, 8)] * 2)
    for stages in (1, 2):
        after = restaged(before, stages)
        assert ("memref<4x8xf32, #gpu" if stages == 1 else "memref<2x4x8xf32, #gpu") in after
        assert "memref<3x4x8xf32" not in after
        assert result_bits(after, "kernel", [(64, 8)] * 2) == expected


SIGNED = f"""
func.func @kernel(%in: memref<64x8xf32>, %out: memref<64x8xf32>) {{
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c12 = arith.constant 12 : index
  %c61 = arith.constant 61 : index
  %first = arith.constant -12 : index
  %t = memref.alloc() : memref<3x4x8xf32, {SPACE}>
  scf.for %i = %first to %c61 step %c3 {{
    %slot = arith.remsi %i, %c3 : index
    %row = arith.maxsi %i, %c0 : index
    %x = memref.load %in[%row, %c3] : memref<64x8xf32>
    memref.store %x, %t[%slot, %c3, %c0] : memref<3x4x8xf32, {SPACE}>
    %y = memref.load %t[%slot, %c3, %c0] : memref<3x4x8xf32, {SPACE}>
    memref.store %y, %out[%row, %c0] : memref<64x8xf32>
  }}
  return
}}"""


@pytest.mark.parametrize("stages", [1, 2])
def test_a_signed_remainder_stays_in_bounds(stages: int):
    """The counter may be negative where it only takes multiples of the slots; by fewer, some remainders are not 0."""
    before = generic(SIGNED)
    after = restaged(before, stages)
    assert ("arith.remui" in after, "arith.remsi" in after) == (stages > 1, False)
    assert result_bits(after, "kernel", [(64, 8)] * 2) == result_bits(before, "kernel", [(64, 8)] * 2)


DYNAMIC = f"""
func.func @kernel(%in: memref<64x8xf32>, %out: memref<64x8xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %f = memref.load %in[%c0, %c7] : memref<64x8xf32>
  %i4 = arith.fptosi %f : f32 to i32
  %n = arith.index_cast %i4 : i32 to index
  %t = memref.alloc(%n) : memref<3x?x8xf32, {SPACE}>
  scf.for %i = %c0 to %c8 step %c1 {{
    %slot = affine.apply affine_map<(d0) -> (d0 mod 3)>(%i)
    %row = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %all = memref.subview %t[%slot, 0, 0] [1, %n, 8] [1, 1, 1]
        : memref<3x?x8xf32, {SPACE}> to memref<?x8xf32, strided<[8, 1], offset: ?>, {SPACE}>
    %g = memref.subview %in[%row, 0] [%n, 8] [1, 1] : memref<64x8xf32> to memref<?x8xf32, strided<[8, 1], offset: ?>>
    memref.copy %g, %all
        : memref<?x8xf32, strided<[8, 1], offset: ?>> to memref<?x8xf32, strided<[8, 1], offset: ?>, {SPACE}>
    %two = memref.subview %t[%slot, 1, 0] [1, 2, 8] [1, 1, 1]
        : memref<3x?x8xf32, {SPACE}> to memref<1x2x8xf32, strided<[?, 8, 1], offset: ?>, {SPACE}>
    %v = memref.load %two[%c0, %c1, %c3] : memref<1x2x8xf32, strided<[?, 8, 1], offset: ?>, {SPACE}>
    memref.store %v, %out[%row, %c0] : memref<64x8xf32>
    %w = memref.load %all[%c2, %c3] : memref<?x8xf32, strided<[8, 1], offset: ?>, {SPACE}>
    memref.store %w, %out[%row, %c1] : memref<64x8xf32>
  }}
  return
}}"""


def test_other_dimensions_may_be_dynamic():
    """A view that keeps the dimension of the slots keeps it in the buffer too, with one slot."""
    before = generic(DYNAMIC)
    expected = result_bits(before, "kernel", [(64, 8)] * 2)
    for stages in (1, 2):
        after = restaged(before, stages)
        assert f"memref<{stages}x?x8xf32, #gpu" in after
        assert result_bits(after, "kernel", [(64, 8)] * 2) == expected
    start, end = DYNAMIC.index("    %two ="), DYNAMIC.index("    %w =")
    before = generic(DYNAMIC[:start] + DYNAMIC[end:])
    after = restaged(before, 1)
    assert "memref<?x8xf32, #gpu" in after
    assert result_bits(after, "kernel", [(64, 8)] * 2) == result_bits(before, "kernel", [(64, 8)] * 2)
