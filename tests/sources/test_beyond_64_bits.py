"""No footprint is written that cannot be read: what 64 bits do not hold is unknown, in every kind of IR."""

from pathlib import Path

import pytest

from rlx_sched.tools.rlx_opt import main

HALF = 2**61
"""Elements of four bytes that 64 bits hold once, and not twice."""

SHARED = f"memref<{HALF}xf32, #gpu.address_space<workgroup>>"
LAUNCH = f""""gpu.module"() <{{sym_name = "m"}}> ({{
  "gpu.func"() <{{function_type = () -> (), workgroup_attributions = 2 : i64}}> ({{
  ^bb0(%a: {SHARED}, %b: {SHARED}):
    "gpu.return"() : () -> ()
  }}) {{gpu.kernel, sym_name = "k"}} : () -> ()
}}) : () -> ()"""

GLOBALS = "\n".join(
    f'"llvm.mlir.global"() <{{addr_space = 3 : i32, global_type = !llvm.array<{2**31} x array<{2**30} x f32>>,'
    f' sym_name = "{name}", linkage = #llvm.linkage<internal>}}> ({{}}) : () -> ()'
    for name in "ab"
)
LOWERED = f"""{GLOBALS}
"llvm.func"() <{{sym_name = "k", function_type = !llvm.func<void ()>, linkage = #llvm.linkage<external>}}> ({{
  %a = "llvm.mlir.addressof"() <{{global_name = @a}}> : () -> !llvm.ptr<3>
  %b = "llvm.mlir.addressof"() <{{global_name = @b}}> : () -> !llvm.ptr<3>
  "llvm.return"() : () -> ()
}}) {{gpu.kernel}} : () -> ()"""

IREE = """"func.func"() <{function_type = () -> (), sym_name = "k"}> ({
  %c = "arith.constant"() <{value = 0 : index}> : () -> index
  "scf.for"(%c, %c, %c) ({
  ^bb0(%i: index):
    %a = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}>
        : () -> memref<64x9223372036854775807xf32, #gpu.address_space<workgroup>>
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  "func.return"() : () -> ()
}) {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.spirv_pipeline<MatmulPromoteVectorize>
    workgroup_size = [16, 8, 1], {pipeline_depth = 3 : i64, store_stage = 0 : i64}>} : () -> ()"""


def tile(type: str) -> str:
    return f"""module attributes {{ttg.target = "cuda:80"}} {{
  "tt.func"() <{{sym_name = "k", function_type = () -> ()}}> ({{
    %a = "ttg.local_alloc"() : () -> !ttg.memdesc<{type}, #ttg.shared_memory>
    "tt.return"() : () -> ()
  }}) : () -> ()
}}"""


@pytest.mark.parametrize(
    "source",
    [
        f"sched.kernel @k stages 2 {{ sched.buffer @a rotating : memref<{HALF}xf32> }}",
        LAUNCH,
        LOWERED,
        IREE,
        tile(f"{'9' * 18}x{'9' * 18}xi8, #ttg.other<>"),
        tile(f"8xi8, #ttg.padded_shared<[1:+{'9' * 99}]>"),
    ],
    ids=["sched", "gpu", "llvm", "iree", "triton", "triton-padded"],
)
def test_what_64_bits_do_not_hold_is_unknown(source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "in.mlir"
    file.write_text(source)
    assert main([str(file), "--occupancy-annotate=target='Apple M4 Pro'"]) == 0
    annotated = capsys.readouterr().out
    assert "does not fit in 64 bits" in annotated
    assert "sched.footprint" not in annotated
    file.write_text(annotated)
    assert main([str(file)]) == 0
    assert capsys.readouterr().out == annotated
