"""Where a source reads a number, any other attribute may stand: nothing has verified it.

Whatever it is, the kernel is judged or said to be unknown, and what was written reads back.
"""

import re
from pathlib import Path

import pytest
from round_trip import read

from rlx_sched.dialect.layout import MAX_BYTES, Buffer, NoFootprint, place
from rlx_sched.sources import find_schedules
from rlx_sched.sources.schedule import Schedule
from rlx_sched.target import target_in_ir
from rlx_sched.tools.rlx_opt import main

ODD = [
    "-1 : i32",
    "true",
    "0 : i32",
    "3 : i64",
    f"{2**63} : i64",
    f"{2**64 - 1} : i128",
    f"{2**64} : i128",
    f"{2**127} : i128",
    "1.5 : f32",
    "-8.0 : f64",
    '"8"',
    '"max_workgroup_memory_bytes = 5"',
    "[8 : i32]",
    "unit",
]

TRITON = """"builtin.module"() ({
  "tt.func"() <{sym_name = "k", function_type = () -> ()}> ({
    %a = "ttg.local_alloc"() {alignment = $alignment}
        : () -> !ttg.memdesc<16x16xf16, #ttg.swizzled_shared<{}>, #ttg.shared_memory, mutable>
    "tt.return"() : () -> ()
  }) : () -> ()
}) {ttg.target = "cuda:80", ttg.shared = $shared, "ttg.num-ctas" = $ctas, "ttg.num-warps" = $warps} : () -> ()"""

LOOPS = """"builtin.module"() ({
  "tt.func"() <{sym_name = "k", function_type = () -> ()}> ({
    %c = "arith.constant"() <{value = 0 : i32}> : () -> i32
    "scf.for"(%c, %c, %c) ({
    ^bb0(%i: i32):
      "scf.yield"() : () -> ()
    }) {tt.num_stages = $stages} : (i32, i32, i32) -> ()
    "tt.return"() : () -> ()
  }) : () -> ()
}) {ttg.target = "cuda:80", "ttg.num-warps" = $warps} : () -> ()"""

LLVM = """"builtin.module"() ({
  "llvm.mlir.global"() <{addr_space = $space, global_type = !llvm.array<4 x f32>, alignment = $alignment,
      linkage = #llvm.linkage<internal>, sym_name = "g"}> ({}) : () -> ()
  "llvm.func"() <{sym_name = "k"}> ({
    %0 = "llvm.mlir.addressof"() <{global_name = @g}> : () -> !llvm.ptr<3>
    "llvm.return"() : () -> ()
  }) : () -> ()
}) {$note} : () -> ()"""

IREE = """"builtin.module"() ({
  "func.func"() <{sym_name = "mm", function_type = () -> ()}> ({
    %a = "memref.alloc"() <{alignment = $alignment, operandSegmentSizes = array<i32: 0, 0>}>
        : () -> memref<32x16xf32, #gpu.address_space<workgroup>>
    "func.return"() : () -> ()
  }) {translation_info = #iree_codegen.translation_info<
      pipeline = #iree_gpu.spirv_pipeline<MatmulPromoteVectorize> workgroup_size = [16, 8, 1],
      {pipeline_depth = $stages, store_stage = $stages}>} : () -> ()
}) {target = #iree_gpu.target<wgp = <max_workgroup_memory_bytes = $limit>>, other = $other} : () -> ()"""

GPU = """"builtin.module"() ({
  "func.func"() <{sym_name = "f", function_type = () -> ()}> ({
    %c = "arith.constant"() <{value = 1 : index}> : () -> index
    %s = "arith.constant"() <{value = $size}> : () -> i32
    %a = "memref.alloc"() <{alignment = $alignment, operandSegmentSizes = array<i32: 0, 0>}>
        : () -> memref<8xi8, 3>
    "gpu.launch"(%c, %c, %c, %c, %c, %c, %s)
        <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1>}> ({
    ^bb0(%0: index, %1: index, %2: index, %3: index, %4: index, %5: index,
         %6: index, %7: index, %8: index, %9: index, %10: index, %11: index, %w: memref<8xindex, 3>):
      %b = "memref.load"(%a, %0) : (memref<8xi8, 3>, index) -> i8
      "gpu.terminator"() : () -> ()
    }) {workgroup_attributions = 1 : i64, workgroup_attrib_attrs = [{llvm.align = $align}]}
        : (index, index, index, index, index, index, i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) {dlti.dl_spec = #dlti.dl_spec<index = $index>,
    dlti.target_system_spec = #dlti.target_system_spec<"GPU" = #dlti.target_device_spec<
      "name" = "Apple M4 Pro", "max_threadgroup_bytes" = $limit>>} : () -> ()"""

USUAL = {
    "alignment": "16 : i64",
    "align": "16 : i64",
    "ctas": "1 : i32",
    "index": "64 : i32",
    "limit": "32768",
    "note": 'nvvm.reqntid = array<i32: 32>, "amdgpu-lds-size" = "64"',
    "other": "0 : i32",
    "shared": "512 : i32",
    "size": "64 : i32",
    "space": "3 : i32",
    "stages": "2 : i32",
    "warps": "4 : i32",
}

PLACES = [
    pytest.param(name, text, place, id=f"{name}-{place}")
    for name, text in (("triton", TRITON), ("loops", LOOPS), ("llvm", LLVM), ("iree", IREE), ("gpu", GPU))
    for place in sorted(set(re.findall(r"\$(\w+)", text)))
]


SAID = re.compile(r"#sched\.\w+<[^}]*")


def filled(text: str, **values: str) -> str:
    return re.sub(r"\$(\w+)", lambda place: {**USUAL, **values}[place[1]], text)


def only(text: str) -> Schedule:
    (found,) = find_schedules(read(text))
    return found


@pytest.mark.parametrize(("name", "text", "place"), PLACES)
def test_anything_may_stand_where_a_number_is_read(
    name: str, text: str, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / f"{name}.mlir"
    for odd in ODD:
        value = odd
        if place == "limit" or (name, place) == ("iree", "stages"):
            value = odd.partition(" : ")[0] if name == "iree" else odd
        if place == "note":
            value = f"ttg.shared = {odd}, spirv.target_env = #spirv.target_env<max_compute_shared_memory_size = {odd}>"
        file.write_text(filled(text, **{place: value}))
        code = main([str(file), "--occupancy-filter=target='Apple M4 Pro'"])
        written, told = capsys.readouterr()
        if code == 1 and "error: " in told:
            continue
        assert code == 0, (odd, told)
        file.with_suffix(".out").write_text(written)
        assert main([str(file.with_suffix(".out"))]) == 0, (odd, capsys.readouterr().err)
        assert SAID.findall(capsys.readouterr().out) == SAID.findall(written)


NO_BYTES = ["-1 : i32", "-8 : i64", "true", f"{2**64} : i128", f"{2**127} : i128", "1.5 : f32", '"8"', "unit"]


@pytest.mark.parametrize("note", NO_BYTES)
@pytest.mark.parametrize("text", [TRITON, LLVM], ids=["triton", "llvm"])
def test_what_triton_noted_must_be_bytes(text: str, note: str):
    found = only(filled(text, shared=note, note=f"ttg.shared = {note}"))
    with pytest.raises(NoFootprint, match=r"ttg\.shared is not a number of bytes"):
        found.footprint(found.stages)


@pytest.mark.parametrize("note", [0, 8, MAX_BYTES])
@pytest.mark.parametrize("text", [TRITON, LLVM], ids=["triton", "llvm"])
def test_the_least_and_the_most_that_triton_may_note(text: str, note: int):
    found = only(filled(text, shared=f"{note} : i128", note=f"ttg.shared = {note} : i128"))
    assert found.footprint(found.stages).count == note


@pytest.mark.parametrize("size", ["-1 : i32", "-5 : i32", "true", f"-{2**31} : i32"])
def test_a_launch_with_less_than_no_dynamic_memory(size: str):
    found = only(filled(GPU, size=size))
    with pytest.raises(NoFootprint, match=r"a buffer has -\d+ bytes"):
        found.footprint(1)


@pytest.mark.parametrize("alignment", [3, 6, 2**64 - 1, 0, -4])
def test_an_alignment_is_a_power_of_two(alignment: int):
    with pytest.raises(NoFootprint, match=f"the alignment {alignment}, expected a power of two"):
        place([Buffer(4, alignment)], 1)
    with pytest.raises(NoFootprint, match=f"the alignment {alignment}, expected a power of two"):
        only(filled(GPU, align=f"{alignment} : i128")).footprint(1)


@pytest.mark.parametrize("limit", ["-1", "0", "true", f"{2**64} : i128", "1.5", '"8"'])
def test_a_limit_that_is_no_number_of_bytes_is_none(limit: str):
    target = target_in_ir(only(filled(GPU, limit=limit)).op)
    assert target is not None
    assert (target.chip, target.max_threadgroup_bytes) == ("Apple M4 Pro", None)


@pytest.mark.parametrize("limit", ["-1", "1.5", "1.5e3", "0x20", f"{2**64}", "8x", '"8"'])
def test_a_limit_of_another_producer_that_is_no_number_of_bytes_is_none(limit: str):
    assert only(filled(IREE, limit=limit)).limit is None
    note = f"spirv.target_env = #spirv.target_env<max_compute_shared_memory_size = {limit}>"
    assert only(filled(LLVM, note=note)).limit is None
