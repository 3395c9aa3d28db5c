"""IREE dispatches: what they take, at every step of IREE's passes, and how a rotation is taken out."""

import csv
import re
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest
from round_trip import read
from support import missing

from rlx_sched.dialect.attributes import Bound, Bytes
from rlx_sched.dialect.layout import NoFootprint
from rlx_sched.ir.access import attribute, text
from rlx_sched.sources import find_schedules
from rlx_sched.sources.iree import IreeSource
from rlx_sched.sources.schedule import CannotRestage, Schedule

CORPUS = Path(__file__).parent.parent / "corpus"


def dispatch(source: str) -> Schedule:
    (found,) = IreeSource().schedules(read(source))
    return found


def iree(tool: str, *arguments: str, source: str) -> str:
    """What one of IREE's tools prints for `source`."""
    path = Path(sysconfig.get_path("scripts")) / tool
    if not path.exists():
        missing(f"{tool} (PyPI package iree-base-compiler)")
    done = subprocess.run([path, *arguments, "-"], input=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def truth() -> Iterator[tuple[str, int, int, int]]:
    with (CORPUS / "TRUTH.tsv").open() as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["file"].startswith("iree/"):
                yield row["file"], int(row["slots"]), int(row["one_slot_bytes"]), int(row["bytes"])


@pytest.mark.parametrize(("file", "slots", "one_slot", "scheduled"), list(truth()))
def test_bytes_are_those_of_the_compiled_kernel(file: str, slots: int, one_slot: int, scheduled: int):
    source = (CORPUS / file).read_text()
    if not file.endswith(".generic.mlir"):
        source = iree("iree-opt", "--mlir-print-op-generic", source=source)
    found = dispatch(source)
    assert (found.stages, found.baseline(), found.footprint(slots)) == (slots, Bytes(one_slot), Bytes(scheduled))


def step(build: str, number: str) -> Schedule:
    (path,) = (CORPUS / "iree").glob(f"metal.mm_f32_512_{build}.{number}_*.generic.mlir")
    return dispatch(path.read_text())


@pytest.mark.parametrize(
    ("build", "number", "one_slot", "scheduled"),
    [
        # Not multi-buffered yet: rows will be padded if that fits, so the tiles themselves are the least there will be.
        ("64x64x16_pd2_ss0", "0", "at_most 9472", "at_least 24576"),
        ("64x64x16_pd1_ss1", "0", "at_most 9472", "at_most 9472"),
        ("64x64x16_pd2_ss0", "1", "8192", "24576"),
        ("64x64x16_pd2_ss0", "2", "9472", "28416"),
        ("64x64x16_pd2_ss0", "3", "9472", "28416"),
        ("64x64x16_pd1_ss1", "1", "9472", "9472"),
        ("64x64x16_pd3_ss0", "2", "8192", "32768"),
    ],
)
def test_every_step_says_what_is_known_there(build: str, number: str, one_slot: str, scheduled: str):
    found = step(build, number)
    assert (str(found.baseline()), str(found.footprint(found.stages))) == (one_slot, scheduled)


@pytest.mark.parametrize(
    ("number", "condition"),
    [
        ("0", "configuration-consumed"),
        ("1", "configuration-consumed"),
        ("2", "configuration-consumed"),
        ("3", "loads-run-ahead"),
        ("4", "loads-run-ahead"),
    ],
)
def test_an_allocated_dispatch_is_left_alone(number: str, condition: str):
    found = step("64x64x16_pd2_ss0", number)
    before = str(found.op)
    with pytest.raises(CannotRestage) as refusal:
        found.restage(1)
    assert refusal.value.condition == condition
    assert "pipeline_depth = 1" in refusal.value.advice
    assert str(found.op) == before


TARGET = '#iree_gpu.target<arch = "apple", wgp = <max_workgroup_memory_bytes = 32768>>'

MATMUL = """"builtin.module"() ({{
  "func.func"() <{{function_type = () -> (), sym_name = "mm"}}> ({{
    %a, %b, %c = "test.source"() : () -> (tensor<{m}x{k}x{t}>, tensor<{k}x{n}x{t}>, tensor<{m}x{n}x{t}>)
    %0 = "linalg.generic"(%a, %b, %c) <{{indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
        affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
        operandSegmentSizes = array<i32: 2, 1>}}> ({{
    ^bb0(%x: {t}, %y: {t}, %z: {t}):
      %p = "arith.mulf"(%x, %y) : ({t}, {t}) -> {t}
      %s = "{combine}"(%z, %p) : ({t}, {t}) -> {t}
      "linalg.yield"(%s) : ({t}) -> ()
    }}) {{lowering_config = #iree_codegen.lowering_config<tile_sizes = [{tiles}]>}}
        : (tensor<{m}x{k}x{t}>, tensor<{k}x{n}x{t}>, tensor<{m}x{n}x{t}>) -> tensor<{m}x{n}x{t}>
    {after}
    "func.return"() : () -> ()
  }}) {{translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.spirv_pipeline<{pipeline}>
      workgroup_size = [16, 8, 1], {{pipeline_depth = {depth} : i64, store_stage = {store_stage} : i64}}>}} : () -> ()
}}) {{target = {target}}} : () -> ()"""


def matmul(
    shape: tuple[int | str, ...], tiles: list[int], depth: int, store_stage: int, t: str = "f32", **changes: str
):
    fields = {"combine": "arith.addf", "after": "", "pipeline": "MatmulPromoteVectorize", "target": TARGET, **changes}
    m, n, k = shape
    return MATMUL.format(m=m, n=n, k=k, t=t, tiles=tiles, depth=depth, store_stage=store_stage, **fields)


COMPILED = [
    # Shape (m, n, k), tiles, pipeline_depth, store_stage, element, and what the compiled kernel has: the sum of its
    # SPIR-V Workgroup variables, or where it was refused, the bytes in the compiler's error. IREE 3.13.0, metal-spirv.
    ((512, 512, 512), [64, 64, 16], 0, 0, "f32", 18944),
    ((512, 512, 512), [64, 64, 16], 1, 1, "f32", 9472),
    ((512, 512, 512), [64, 64, 16], 2, 0, "f32", 28416),
    ((512, 512, 512), [64, 64, 16], 3, 0, "f32", 32768),
    ((512, 512, 512), [64, 64, 16], 2, 0, "f16", 16128),
    ((512, 512, 512), [32, 128, 32], 2, 1, "f32", 40960),
    ((512, 512, 512), [8, 8, 8], 2, 0, "f32", 2304),
    ((512, 512, 512), [64, 64, 4], 2, 0, "f32", 9408),
    ((64, 64, 64), [32, 128, 32], 1, 0, "f32", 26624),
    ((64, 64, 64), [32, 128, 32], 2, 0, "f32", 36864),
    ((512, 512, 16), [64, 64, 16], 2, 0, "f32", 9472),
]


@pytest.mark.parametrize(("shape", "tiles", "depth", "store_stage", "element", "expected"), COMPILED)
def test_a_configured_dispatch_takes_what_it_will_be_compiled_to(
    shape: tuple[int, ...], tiles: list[int], depth: int, store_stage: int, element: str, expected: int
):
    found = dispatch(matmul(shape, tiles, depth, store_stage, element))
    assert found.footprint(found.stages) == Bytes(expected)
    assert found.limit == 32768


EXECUTABLE = f'#hal.executable.target<"metal-spirv", "metal-msl-fb", {{iree_codegen.target_info = {TARGET}}}>'
OTHER = EXECUTABLE.replace("32768", "65536")


@pytest.mark.parametrize(
    ("target", "limit"),
    [
        (EXECUTABLE, 32768),
        (f'#hal.device.target<"metal", [{EXECUTABLE}]> : !hal.device', 32768),
        (f'[#hal.device.target<"metal", [{EXECUTABLE}]> : !hal.device]', 32768),
        # Which of them the dispatch is for is not said.
        (f'#hal.device.target<"metal", [{EXECUTABLE}, {OTHER}]> : !hal.device', None),
        ("[1 : i32, 2 : i32]", None),
        ('"max_workgroup_memory_bytes = 5"', None),
        ('["#hal.device.target<max_workgroup_memory_bytes = 5>"]', None),
        (EXECUTABLE.replace("metal-msl-fb", r"max_workgroup_memory_bytes = 5 \22 \\"), 32768),
        ('#my.note<"#iree_gpu.target<max_workgroup_memory_bytes = 5>">', None),
        ("#my.limit<max_workgroup_memory_bytes = 5>", None),
        (TARGET.replace("max_workgroup", "my_max_workgroup"), None),
    ],
)
def test_the_limit_is_what_a_target_says(target: str, limit: int | None):
    assert dispatch(matmul((512, 512, 512), [64, 64, 16], 2, 0, target=target)).limit == limit


def test_the_limit_of_the_nearest_target():
    inner = [matmul((512, 512, 512), [64, 64, 16], 2, 0, target=target) for target in (OTHER, "1 : i64")]
    outer = '"builtin.module"() ({' + "\n".join(inner) + f"}}) {{target = {TARGET}}} : () -> ()"
    assert [found.limit for found in IreeSource().schedules(read(outer))] == [65536, 32768]


def test_without_a_target_padding_is_a_bound():
    found = dispatch(matmul((512, 512, 512), [64, 64, 16], 2, 0, target="1 : i64"))
    assert (found.baseline(), found.footprint(3)) == (Bytes(9472, Bound.AT_MOST), Bytes(24576, Bound.AT_LEAST))
    assert found.limit is None


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (matmul((500, 512, 512), [64, 64, 16], 2, 0), "do not divide"),
        (matmul(("?", 512, 512), [64, 64, 16], 2, 0), "do not divide"),
        (matmul((512, 512, 512), [1, 64, 16], 2, 0), "matrix product"),
        (matmul((512, 512, 512), [64, 64, 16], 2, 0, combine="arith.maximumf"), "matrix product"),
        (matmul((512, 512, 512), [64, 64, 16], 2, 0, pipeline="CooperativeMatrixVectorize"), "not decided yet"),
        (
            matmul(
                (64, 64, 64),
                [64, 64, 16],
                2,
                0,
                after='%1 = "linalg.add"(%0) : (tensor<64x64xf32>) -> tensor<64x64xf32>',
            ),
            "more than the operands",
        ),
    ],
)
def test_what_will_be_staged_is_never_guessed(source: str, reason: str):
    found = dispatch(source)
    with pytest.raises(NoFootprint, match=reason):
        found.footprint(found.stages)


@pytest.mark.parametrize(
    ("depth", "store_stage", "stages", "expected"),
    [(2, 0, 1, (1, 1)), (2, 0, 2, (1, 0)), (3, 0, 3, (2, 0)), (3, 1, 1, (1, 1)), (3, 1, 2, (2, 1))],
)
def test_only_the_setting_changes(depth: int, store_stage: int, stages: int, expected: tuple[int, int]):
    found = dispatch(matmul((512, 512, 512), [64, 64, 16], depth, store_stage))
    info = attribute(found.op, "translation_info")
    assert info is not None
    before = text(info)
    found.restage(stages)
    after = attribute(found.op, "translation_info")
    assert after is not None
    assert found.stages == stages
    assert re.findall(r"(?:pipeline_depth|store_stage) = (\d+)", text(after)) == [str(number) for number in expected]
    assert re.sub(r"(pipeline_depth|store_stage) = \d+", r"\1", text(after)) == re.sub(
        r"(pipeline_depth|store_stage) = \d+", r"\1", before
    )


PREFETCH = """"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %0 = "memref.alloc"() : () -> memref<64x128xf16, #gpu.address_space<workgroup>>
    "func.return"() : () -> ()
  }) {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<TileAndFuse>
      workgroup_size = [256, 1, 1] subgroup_size = 64,
      {gpu_pipeline_options = #iree_gpu.pipeline_options<prefetch_num_stages = 2>}>} : () -> ()
}) : () -> ()"""


def test_prefetching_into_registers_is_no_rotation():
    found = dispatch(PREFETCH)
    assert (found.stages, found.footprint(1)) == (1, Bytes(16384))


LOOP = """"builtin.module"() ({{
  "func.func"() <{{function_type = () -> (), sym_name = "f"}}> ({{
    %c = "arith.constant"() <{{value = 0 : index}}> : () -> index
    %0 = "memref.alloc"() : () -> memref<{outside}xf32, #gpu.address_space<workgroup>>
    "scf.for"(%c, %c, %c) ({{
    ^bb0(%i: index):
      %1 = "memref.alloc"() : () -> memref<{inside}xf32, #gpu.address_space<workgroup>>
      "scf.yield"() : () -> ()
    }}) : (index, index, index) -> ()
    "func.return"() : () -> ()
  }}) {{translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.spirv_pipeline<MatmulPromoteVectorize>
      workgroup_size = [16, 8, 1], {{pipeline_depth = 2 : i64, store_stage = 0 : i64}}>}} : () -> ()
}}) : () -> ()"""


def test_a_batch_of_tiles_in_the_loop_is_not_slots():
    found = dispatch(LOOP.format(outside="8x8", inside="3x16x16"))
    # Three slots of it, and nothing of the allocation that may go away; for the most, both with padded rows.
    assert found.footprint(3) == Bytes(3 * 3 * 16 * 16 * 4, Bound.AT_LEAST)
    assert found.baseline() == Bytes(3 * 16 * 20 * 4 + 8 * 12 * 4, Bound.AT_MOST)


def test_what_was_multi_buffered_is_outside_the_loop():
    found = dispatch(LOOP.format(outside="3x16x16", inside="3x16x16"))
    assert (found.baseline(), found.footprint(3)) == (Bytes(4 * 16 * 16 * 4), Bytes(6 * 16 * 16 * 4))
    assert [placement.extent for placement in found.placements(1) or ()] == [1024, 3072]


def test_other_functions_are_not_dispatches():
    module = read(
        '"builtin.module"() ({"func.func"() <{function_type = () -> (), sym_name = "f"}> ({'
        '%0 = "memref.alloc"() : () -> memref<8xf32, #gpu.address_space<workgroup>>\n'
        '"func.return"() : () -> ()}) : () -> ()}) : () -> ()'
    )
    assert not list(IreeSource().schedules(module))
    assert len(list(find_schedules(module))) == 1


MODEL = """#config = #iree_codegen.compilation_info<
  lowering_config = #iree_codegen.lowering_config<tile_sizes = [[64, 32, 16]]>,
  translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.spirv_pipeline<MatmulPromoteVectorize>
  workgroup_size = [16, 8, 1], {{pipeline_depth = {depth} : i64, store_stage = {store_stage} : i64}}>>
func.func @mm(%a: tensor<256x128xf16>, %b: tensor<128x256xf16>) -> tensor<256x256xf16> {{
  %zero = arith.constant 0.0 : f16
  %empty = tensor.empty() : tensor<256x256xf16>
  %init = linalg.fill ins(%zero : f16) outs(%empty : tensor<256x256xf16>) -> tensor<256x256xf16>
  %0 = linalg.matmul {{compilation_info = #config}} ins(%a, %b : tensor<256x128xf16>, tensor<128x256xf16>)
      outs(%init : tensor<256x256xf16>) -> tensor<256x256xf16>
  return %0 : tensor<256x256xf16>
}}"""


def workgroup_bytes(source: str) -> int:
    """The bytes of the SPIR-V Workgroup variables that IREE makes of a configured module."""
    compiled = iree(
        "iree-compile",
        "--iree-hal-target-backends=metal-spirv",
        "--compile-from=executable-configurations",
        "--compile-to=executable-targets",
        source=source,
    )
    variable = r"GlobalVariable @__workgroup_mem\w+ : .*!spirv\.array<(\d+) x (?:vector<(\d+)x)?f(\d+)>"
    arrays = re.findall(variable, compiled)
    assert arrays
    return sum(int(count) * int(width or 1) * int(bits) // 8 for count, width, bits in arrays)


@pytest.mark.parametrize(("depth", "store_stage"), [(1, 0), (2, 0), (2, 1)])
def test_taking_the_rotation_out_of_the_configuration_takes_it_out_of_the_kernel(depth: int, store_stage: int):
    configured = iree(
        "iree-compile",
        "--iree-hal-target-backends=metal-spirv",
        "--compile-to=executable-configurations",
        source=MODEL.format(depth=depth, store_stage=store_stage),
    )
    source = iree("iree-opt", "--mlir-print-op-generic", source=configured)
    module = read(source)
    (found,) = IreeSource().schedules(module)
    assert found.footprint(found.stages) == Bytes(workgroup_bytes(source))
    baseline = found.baseline()
    found.restage(1)
    assert Bytes(workgroup_bytes(str(module))) == baseline
