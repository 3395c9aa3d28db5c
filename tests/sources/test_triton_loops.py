"""Loops of TTIR with a stage setting: what Triton will stage for them, and where the setting can be lowered."""

import csv
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from round_trip import read, write
from support import missing
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i32

from rlx_sched.dialect.attributes import Bound, Bytes
from rlx_sched.dialect.layout import NoFootprint
from rlx_sched.ir.access import attribute, integer, op_name
from rlx_sched.sources.schedule import Schedule
from rlx_sched.sources.triton import TritonSource

CORPUS = Path(__file__).parent.parent / "corpus/triton"


def kernel(module: ModuleOp) -> Schedule:
    (found,) = TritonSource().schedules(module)
    return found


def corpus(file: str, target: str, warps: int | None = None) -> ModuleOp:
    """A module of the corpus, for a target: TTIR says neither that nor with how many warps it is launched."""
    module = read((CORPUS / file).read_text())
    module.attributes["ttg.target"] = StringAttr(target)
    if warps is not None:
        module.attributes["ttg.num-warps"] = IntegerAttr(warps, i32)
    return module


def rows() -> list[dict[str, str]]:
    with (CORPUS / "LOOPS.tsv").open() as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row['file']}-{row['target']}")
def test_what_is_claimed_holds_of_what_triton_allocates(row: dict[str, str]):
    """Bytes for 1 to 4 stages and 4 warps, as Triton 3.9.0 allocates them; `known` is what is claimed of them."""
    found = kernel(corpus(row["file"], row["target"]))
    claims = [found.footprint(stages) for stages in (1, 2, 3, 4)]
    assert ", ".join(map(str, claims)) == row["known"]
    for claim, allocated in zip(claims, map(int, row["bytes"].split(", ")), strict=True):
        if claim.bound is not Bound.ABOUT:
            assert claim.lower <= allocated <= (allocated if claim.upper is None else claim.upper)


def test_full_precision_has_no_warp_groups_on_sm_90():
    module = corpus("mm_fp32_64x64x32_masked_unaligned.ttir.generic.mlir", "cuda:90", 4)
    assert kernel(module).footprint(2) == Bytes(32768)
    (dot,) = (op for op in module.walk() if op_name(op) == "tt.dot")
    dot.properties["inputPrecision"] = IntegerAttr(2, i32)
    assert kernel(module).footprint(2) == Bytes(16384, Bound.AT_LEAST)


def test_with_the_warps_known_slots_of_sm_90_are():
    file = "mm_fp16_64x64x32.ttir.generic.mlir"
    assert [kernel(corpus(file, "cuda:90", 4)).footprint(n).count for n in (1, 2, 3)] == [8192, 16384, 24576]
    assert kernel(corpus(file, "cuda:90", 2)).footprint(2) == Bytes(8192, Bound.AT_LEAST)


def test_without_enough_elements_for_all_threads_copies_are_too_narrow():
    """A tile of 2048 bytes of f16: in pairs for 512 threads, and no more than one element each for more."""
    narrow = corpus("mm_fp16_64x256x16_fp32out.ttir.generic.mlir", "cuda:80", 16)
    wide = corpus("mm_fp16_64x256x16_fp32out.ttir.generic.mlir", "cuda:80", 4)
    assert (kernel(narrow).footprint(3).count, kernel(wide).footprint(3).count) == (16384, 20480)


@pytest.mark.parametrize(("target", "lanes"), [("cuda:80", 32), ("hip:gfx942", 64)])
def test_triton_gives_the_lowered_loop_one_slot(target: str, lanes: int, tmp_path: Path):
    """Triton reads the loop with its setting lowered, and allocates what was claimed."""
    try:
        libtriton: Any = import_module("triton._C.libtriton")
        compiler: Any = import_module("triton.compiler.compiler")
        gpu: Any = import_module("triton.backends.compiler").GPUTarget
    except ImportError:
        missing("triton (PyPI)")
    backend_name, _, arch = target.partition(":")
    backend = compiler.make_backend(gpu(backend_name, int(arch) if arch.isdigit() else arch, lanes))

    def allocated(module: ModuleOp) -> int:
        """What Triton allocates."""
        path = tmp_path / "kernel.ttir"
        path.write_text(write(module))
        context = libtriton.ir.context()
        libtriton.ir.load_dialects(context)
        backend.load_dialects(context)
        options = backend.parse_options({"enable_fp_fusion": True})
        stages: dict[str, Any] = {}
        backend.add_stages(stages, options, compiler.Language.TRITON)
        parsed = libtriton.ir.parse_mlir_module(str(path), context)
        parsed.context = context
        metadata: dict[str, Any] = {**options.__dict__}
        stages["llir"](stages["ttgir"](parsed, metadata), metadata)
        return metadata["shared"]

    module = read((CORPUS / "mm_fp16_64x64x32.ttir.generic.mlir").read_text())
    schedule = kernel(corpus("mm_fp16_64x64x32.ttir.generic.mlir", target))
    assert allocated(module) == schedule.footprint(4).count == 24576
    kernel(module).restage(1)
    baseline = schedule.baseline()
    assert 0 < allocated(module) <= (baseline.upper or 0)


TTIR = """"builtin.module"() ({{
  "tt.func"() <{{function_type = () -> (), sym_name = "mm"}}> ({{
    %c = "arith.constant"() <{{value = 0 : i32}}> : () -> i32
    %p, %q, %z = "test.source"() : () -> (tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>)
    "scf.for"(%c, %c, %c) ({{
    ^bb0(%i: i32):
      %x = "tt.load"(%p) : (tensor<64x32x!tt.ptr<f16>>) -> tensor<64x32xf16>
      %y = "tt.load"(%q) : (tensor<32x64x!tt.ptr<f16>>) -> tensor<32x64xf16>
      %o = "tt.load"(%p) : (tensor<64x32x!tt.ptr<f16>>) -> tensor<64x32xf16>
      %d = "tt.dot"(%x, %y, %z) : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      "scf.yield"() : () -> ()
    }}) {{tt.num_stages = {first} : i32}} : (i32, i32, i32) -> ()
    "scf.for"(%c, %c, %c) ({{
    ^bb0(%i: i32):
      "scf.yield"() : () -> ()
    }}) {{tt.num_stages = 2 : i32}} : (i32, i32, i32) -> ()
    "tt.return"() : () -> ()
  }}) : () -> ()
}}) {attributes} : () -> ()"""


def ttir(first: int, target: str) -> Schedule:
    return kernel(read(TTIR.format(first=first, attributes=f'{{ttg.target = "{target}"}}' if target else "")))


@pytest.mark.parametrize(
    ("target", "slots"), [("cuda:80", 3), ("cuda:90", 4), ("hip:gfx942", 3), ("hip:gfx1100", 3), ("hip:gfx950", 4)]
)
def test_the_target_decides_over_the_slots(target: str, slots: int):
    found = ttir(4, target)
    assert found.stages == 4
    assert found.footprint(4) == Bytes(slots * 2 * 64 * 32 * 2, Bound.ABOUT)
    assert found.baseline() == Bytes(2 * 64 * 32 * 2, Bound.ABOUT)


@pytest.mark.parametrize("target", ["", "cuda:70"])
def test_without_a_rule_there_is_no_footprint(target: str):
    with pytest.raises(NoFootprint, match="depends on its target"):
        ttir(3, target).footprint(3)


@pytest.mark.parametrize(("stages", "expected"), [(1, [1, 1]), (2, [2, 2]), (3, [3, 2])])
def test_the_setting_of_every_loop_is_lowered(stages: int, expected: list[int]):
    found = ttir(4, "cuda:80")
    found.restage(stages)
    loops = [op for op in found.op.walk() if op_name(op) == "scf.for"]
    assert [integer(attribute(loop, "tt.num_stages")) for loop in loops] == expected
    assert found.stages == stages


def test_a_kernel_at_its_lowest_setting_is_still_a_schedule():
    found = ttir(4, "cuda:80")
    found.restage(1)
    (again,) = TritonSource().schedules(found.op.parent_op() or found.op)
    assert again.stages == 1


PLAIN = """"builtin.module"() ({{
  "tt.func"() <{{arg_attrs = [{{tt.divisibility = 16 : i32}}, {{{divisibility}}}, {{}}],
      function_type = (!tt.ptr<{type}>, i32, i32) -> (), sym_name = "mm"}}> ({{
  ^bb0(%p: !tt.ptr<{type}>, %even: i32, %n: i32):
    %c = "arith.constant"() <{{value = 1 : i32}}> : () -> i32
    %two = "arith.constant"() <{{value = 2 : i32}}> : () -> i32
    %z = "arith.constant"() <{{value = dense<0.0> : tensor<64x64xf32>}}> : () -> tensor<64x64xf32>
    %r = "tt.make_range"() <{{end = 64 : i32, start = {start} : i32}}> : () -> tensor<64xi32>
    %w = "tt.expand_dims"(%r) <{{axis = 0 : i32}}> : (tensor<64xi32>) -> tensor<1x64xi32>
    %columns = "tt.broadcast"(%w) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %h = "tt.expand_dims"(%r) <{{axis = 1 : i32}}> : (tensor<64xi32>) -> tensor<64x1xi32>
    %s = "tt.splat"(%even) : (i32) -> tensor<64x1xi32>
    %m = "arith.muli"(%h, %s) : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi32>
    %rows = "tt.broadcast"(%m) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %pp = "tt.splat"(%p) : (!tt.ptr<{type}>) -> {ptrs}
    %pr = "tt.addptr"(%pp, %rows) : ({ptrs}, tensor<64x64xi32>) -> {ptrs}
    %limit = "tt.splat"(%even) : (i32) -> tensor<64x64xi32>
    %back = "arith.subi"(%limit, %columns) : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi32>
    %a = "tt.addptr"(%pr, %{offset}) : ({ptrs}, tensor<64x64xi32>) -> {ptrs}
    %step = "tt.splat"(%{step}) : (i32) -> tensor<64x64xi32>
    %mask = "arith.cmpi"(%columns, %limit) <{{predicate = {predicate} : i64}}>
      : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
    %other = "arith.constant"() <{{value = dense<{other}> : {tile}}}> : () -> {tile}
    %d, %end = "scf.for"(%c, %n, %c, %z, %a) ({{
    ^bb1(%i: i32, %acc: tensor<64x64xf32>, %ptr: {ptrs}):
      %x = "tt.load"(%ptr, %mask, %other)
        : ({ptrs}, tensor<64x64xi1>, {tile}) -> {tile}
      %y = "tt.load"(%ptr) : ({ptrs}) -> {tile}
      {inside}
      %dot = "tt.dot"(%{left}, %y, %acc) <{{inputPrecision = {precision} : i32}}>
        : ({tile}, {tile}, tensor<64x64xf32>) -> tensor<64x64xf32>
      %next = "tt.addptr"(%ptr, %step)
        : ({ptrs}, tensor<64x64xi32>) -> {ptrs}
      "scf.yield"(%dot, %next) : (tensor<64x64xf32>, {ptrs}) -> ()
    }}) {{tt.num_stages = 3 : i32{option}}}
      : (i32, i32, i32, tensor<64x64xf32>, {ptrs}) -> (tensor<64x64xf32>, {ptrs})
    {outside}
    "tt.return"() : () -> ()
  }}) : () -> ()
}}) {{ttg.target = "cuda:80"}} : () -> ()"""


def plain(**changes: str) -> tuple[Bytes, Bytes]:
    """Footprints with one and with three stages of a loop that multiplies tiles of 64x64, with some `changes`."""
    texts = {"type": "f16", "divisibility": "tt.divisibility = 16 : i32", "start": "0", "step": "two", "predicate": "2"}
    texts |= {
        "offset": "columns",
        "other": "0.0",
        "inside": "",
        "left": "x",
        "precision": "0",
        "option": "",
        "outside": "",
    }
    texts |= changes
    tile, ptrs = f"tensor<64x64x{texts['type']}>", f"tensor<64x64x!tt.ptr<{texts['type']}>>"
    found = kernel(read(PLAIN.format(**texts, tile=tile, ptrs=ptrs)))
    return found.baseline(), found.footprint(3)


def test_a_loop_that_only_multiplies_tiles_is_exact():
    assert plain() == (Bytes(16384), Bytes(32768))
    assert plain(type="f32") == (Bytes(32768), Bytes(65536))


@pytest.mark.parametrize(
    "change",
    [
        {"divisibility": ""},
        {"start": "1"},
        {"step": "c"},
        {"offset": "back"},
        {"predicate": "1"},
        {"predicate": "4"},
    ],
    ids=str,
)
def test_a_tile_of_two_byte_elements_that_is_not_in_pairs_may_not_be_staged(change: dict[str, str]):
    """An odd stride, start or step, or a mask that parts pairs. Elements of four bytes are copied one by one."""
    scheduled = plain(**change)[1]
    assert scheduled == Bytes(32768, Bound.ABOUT) or ("predicate" in change and scheduled.bound is Bound.AT_LEAST)
    assert plain(**change, type="f32")[1] == Bytes(65536)


SECOND_DOT = """%e = "tt.dot"(%LEFT, %RIGHT, %z) <{inputPrecision = 0 : i32}>
  : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
"""


def test_with_one_stage_two_dots_may_take_turns():
    loads = "".join(
        f'%{name} = "tt.load"(%ptr) : (tensor<64x64x!tt.ptr<f16>>) -> tensor<64x64xf16>\n' for name in ("v", "w")
    )
    both = loads + SECOND_DOT.replace("LEFT", "v").replace("RIGHT", "w")
    assert plain(inside=both) == (Bytes(32768, Bound.AT_MOST), Bytes(65536))


@pytest.mark.parametrize(
    "change",
    [
        {"type": "f8E5M2"},
        {"other": "1.0"},
        {"precision": "1", "type": "f32"},
        {"option": ", tt.flatten"},
        {"inside": '"tt.store"(%ptr, %x) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xf16>) -> ()'},
        {"inside": '%e = "math.exp"(%acc) : (tensor<64x64xf32>) -> tensor<64x64xf32>'},
        {
            "inside": '%e = "arith.select"(%mask, %acc, %acc)'
            " : (tensor<64x64xi1>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>"
        },
        {"inside": SECOND_DOT.replace("LEFT", "x").replace("RIGHT", "y")},
        {"inside": '%q = "tt.load"(%p) : (!tt.ptr<f16>) -> f16'},
        {"left": "other"},
        {"left": "y"},
        {"outside": '"test.use"(%d) : (tensor<64x64xf32>) -> ()'},
        {"outside": '"tt.print"(%d) : (tensor<64x64xf32>) -> ()'},
        {"outside": '"tt.call"() <{callee = @g}> : () -> ()'},
        {"outside": '%t = "tt.descriptor_load"() : () -> tensor<8x8xf32>'},
        {
            "outside": '%t = "tt.dot"(%other, %other, %z) : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>)'
            " -> tensor<64x64xf32>"
        },
        {"inside": '"tt.dot"() : () -> ()'},
    ],
    ids=str,
)
def test_of_other_loops_the_footprint_is_about(change: dict[str, str]):
    assert [footprint.bound for footprint in plain(**change)] == [Bound.ABOUT, Bound.ABOUT]


@pytest.mark.parametrize(
    ("setting", "stages"),
    [("-3 : i32", 1), ("0 : i32", 1), ("2147483647 : i32", 2**31 - 1), (f"{2**126} : i128", 2**31 - 1)],
)
def test_a_setting_is_a_number_of_stages(setting: str, stages: int):
    text = TTIR.format(first=0, attributes='{ttg.target = "cuda:80"}')
    module = read(text.replace("tt.num_stages = 0 : i32", f"tt.num_stages = {setting}"))
    found = kernel(module)
    assert found.stages == max(stages, 2)
    found.restage(1)
    assert kernel(module).stages == 1


@pytest.mark.parametrize("operation", ["tt.trans", "tt.dot", "tt.load", "scf.for", "tt.splat", "tt.expand_dims"])
def test_operations_without_operands_or_results_do_not_raise(operation: str):
    assert plain(inside=f'"{operation}"() : () -> ()')[1].count == 32768
    assert plain(inside=f'"{operation}"() ({{}}) {{tt.num_stages = 2 : i32}} : () -> ()')[1].count == 32768


def test_what_follows_the_loop_bounds_one_stage():
    exp = '%e = "math.exp"(%d) : (tensor<64x64xf32>) -> tensor<64x64xf32>\n'
    narrow = '%t = "arith.truncf"(%e) : (tensor<64x64xf32>) -> tensor<64x64xf16>\n'
    wide = '%v = "arith.extf"(%e) : (tensor<64x64xf32>) -> tensor<64x64xf64>\n'
    assert plain(outside=exp + narrow)[0] == Bytes(16384)
    assert plain(outside=exp + wide) == (Bytes(32768, Bound.AT_MOST), Bytes(32768))
    add = '%g = "arith.extf"(%d) : (tensor<64x64xf32>) -> tensor<64x64xf64>\n'
    add += '%both = "arith.addf"(%v, %g) : (tensor<64x64xf64>, tensor<64x64xf64>) -> tensor<64x64xf64>\n'
    add += '%t = "arith.truncf"(%both) : (tensor<64x64xf64>) -> tensor<64x64xf16>\n'
    assert plain(outside=exp + wide + add)[0] == Bytes(32768, Bound.AT_MOST)
    assert plain(outside=exp + wide + narrow)[0] == Bytes(32768, Bound.AT_MOST)
