"""Kernels after lowering: the bytes are there, the stages are not."""

import csv
from pathlib import Path

import pytest
from round_trip import read
from support import run_tool

from rlx_sched.dialect.attributes import Bound, Bytes
from rlx_sched.dialect.layout import NoFootprint
from rlx_sched.sources.lowered import LoweredSource, lowered_size
from rlx_sched.sources.schedule import CannotRestage, Schedule

CORPUS = Path(__file__).parent.parent / "corpus"


def kernels(source: str) -> dict[str, Schedule]:
    return {found.name: found for found in LoweredSource().schedules(read(source))}


@pytest.mark.parametrize(("build", "expected"), [("pd1_ss0.6", 18944), ("pd1_ss1.5", 9472)])
def test_spirv_variables_of_iree(build: str, expected: int):
    source = (CORPUS / f"iree/metal.mm_f32_512_64x64x16_{build}_convert-to-spirv.generic.mlir").read_text()
    (found,) = kernels(source).values()
    assert found.name == "mm_dispatch_0_matmul_512x512x512_f32"
    assert (found.baseline(), found.footprint(1)) == (Bytes(expected, Bound.AT_MOST), Bytes(expected))
    assert found.unknown == "the number of stages does not survive lowering to SPIR-V"
    assert found.limit == 32768
    before = str(found.op)
    with pytest.raises(CannotRestage, match="stages does not survive"):
        found.restage(1)
    assert str(found.op) == before


def lowered_rows() -> list[tuple[str, int]]:
    with (CORPUS / "TRUTH.tsv").open() as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [(row["file"], int(row["bytes"])) for row in rows if row["file"].endswith(".wgattr.generic.mlir")]


@pytest.mark.parametrize(("file", "expected"), lowered_rows())
def test_nvvm_variables_of_upstream(file: str, expected: int):
    pipeline = (
        "builtin.module(convert-scf-to-cf,convert-vector-to-llvm,expand-strided-metadata,lower-affine,"
        "gpu.module(convert-gpu-to-nvvm{index-bitwidth=64},reconcile-unrealized-casts))"
    )
    source = run_tool(
        "mlir-opt", f"--pass-pipeline={pipeline}", "--mlir-print-op-generic", text=(CORPUS / file).read_text()
    )
    (found,) = kernels(source).values()
    assert (found.name, found.footprint(1)) == ("mm_kernel", Bytes(expected))
    assert found.unknown == "the number of stages does not survive lowering to LLVM"


@pytest.mark.parametrize(
    ("type", "size", "alignment"),
    [
        ("f32", 4, 4),
        ("!llvm.array<1536 x f32>", 6144, 4),
        ("!llvm.array<3 x array<32 x array<16 x f16>>>", 3072, 2),
        ("!llvm.array<256 x vector<3xf32>>", 4096, 16),
        ("!llvm.struct<(i8, i32, array<3 x i16>)>", 16, 4),
        ("!llvm.struct<packed (i8, i32)>", 5, 1),
        ("!spirv.struct<(!spirv.array<640 x vector<4xf32>>)>", 10240, 16),
        ("!spirv.array<8 x f32, stride=16>", 128, 4),
        ("!spirv.struct<(!spirv.array<2 x !spirv.array<5 x f16>>, i32)>", 24, 4),
    ],
)
def test_sizes(type: str, size: int, alignment: int):
    assert lowered_size(type) == (size, alignment)


@pytest.mark.parametrize("type", ["!llvm.ptr<3>", '!llvm.struct<"named", (i8)>', "!spirv.rtarray<f32>", "opaque"])
def test_a_size_is_never_guessed(type: str):
    with pytest.raises(NoFootprint, match="not known"):
        lowered_size(type)


LLVM = """"builtin.module"() ({
  "llvm.mlir.global"() <{addr_space = 3 : i32, global_type = !llvm.array<35 x f32>, sym_name = "a"}> ({}) : () -> ()
  "llvm.mlir.global"() <{addr_space = 3 : i32, alignment = 64 : i64, global_type = !llvm.array<3 x f16>,
      sym_name = "b"}> ({}) : () -> ()
  "llvm.mlir.global"() <{addr_space = 1 : i32, global_type = !llvm.array<99 x f32>, sym_name = "far"}> ({}) : () -> ()
  "llvm.mlir.global"() <{addr_space = 3 : i32, global_type = !llvm.array<0 x i8>, sym_name = "dynamic"}> ({}) : () -> ()
  "llvm.func"() <{sym_name = "helper"}> ({
    %0 = "llvm.mlir.addressof"() <{global_name = @b}> : () -> !llvm.ptr<3>
    "llvm.return"() : () -> ()
  }) : () -> ()
  "llvm.func"() <{sym_name = "first"}> ({
    %0 = "llvm.mlir.addressof"() <{global_name = @a}> : () -> !llvm.ptr<3>
    "llvm.call"() <{callee = @helper}> : () -> ()
    "llvm.return"() : () -> ()
  }) : () -> ()
  "llvm.func"() <{sym_name = "second"}> ({
    %0 = "llvm.mlir.addressof"() <{global_name = @a}> : () -> !llvm.ptr<3>
    %1 = "llvm.mlir.addressof"() <{global_name = @dynamic}> : () -> !llvm.ptr<3>
    "llvm.return"() : () -> ()
  }) : () -> ()
  "llvm.func"() <{sym_name = "third"}> ({
    %1 = "llvm.mlir.addressof"() <{global_name = @dynamic}> : () -> !llvm.ptr<3>
    "llvm.return"() : () -> ()
  }) : () -> ()
  "llvm.func"() <{sym_name = "host"}> ({
    %0 = "llvm.mlir.addressof"() <{global_name = @far}> : () -> !llvm.ptr<1>
    "llvm.return"() : () -> ()
  }) : () -> ()
})ATTRIBUTES : () -> ()"""


def test_a_kernel_has_the_variables_that_it_reaches():
    found = kernels(LLVM.replace("ATTRIBUTES", ""))
    assert list(found) == ["first", "second", "third"]
    assert found["first"].footprint(1) == Bytes(192 + 6)
    assert [placement.buffer.name for placement in found["first"].placements(1) or ()] == ["a", "b"]
    assert (found["second"].baseline(), found["second"].footprint(1)) == (
        Bytes(140, Bound.ABOUT),
        Bytes(140, Bound.AT_LEAST),
    )
    assert found["second"].placements(1) is None
    with pytest.raises(NoFootprint, match="set at launch"):
        found["third"].footprint(1)


def test_the_bytes_that_triton_notes_are_those_of_the_launch():
    found = kernels(LLVM.replace("ATTRIBUTES", " {ttg.shared = 4096 : i32}"))
    # Those of the largest of several kernels.
    assert {kernel.footprint(1) for kernel in found.values()} == {Bytes(4096, Bound.AT_MOST)}
    one = LLVM[: LLVM.index('"llvm.func"() <{sym_name = "second"}>')] + "}) {ttg.shared = 4096 : i32} : () -> ()"
    assert kernels(one)["first"].footprint(1) == Bytes(4096)


def test_the_bytes_that_triton_notes_around_several_modules():
    one = LLVM.replace("ATTRIBUTES", "")[: LLVM.index('"llvm.func"() <{sym_name = "second"}>')] + "}) : () -> ()"
    outer = f'"builtin.module"() ({{{one}\n{one}}}) {{ttg.shared = 4096 : i32}} : () -> ()'
    found = list(LoweredSource().schedules(read(outer)))
    assert [kernel.footprint(1) for kernel in found] == [Bytes(4096, Bound.AT_MOST)] * 2


TABLE = """"builtin.module"() ({
  "llvm.mlir.global"() <{addr_space = 3 : i32, global_type = !llvm.array<1000 x f32>, sym_name = "g"}> ({}) : () -> ()
  "llvm.mlir.alias"() <{alias_type = !llvm.array<1000 x f32>, sym_name = "al"}> ({
    %0 = "llvm.mlir.addressof"() <{global_name = @g}> : () -> !llvm.ptr<3>
    "llvm.return"(%0) : (!llvm.ptr<3>) -> ()
  }) : () -> ()
  "llvm.mlir.alias"() <{alias_type = !llvm.array<1000 x f32>, sym_name = "al2"}> ({
    %0 = "llvm.mlir.addressof"() <{global_name = @al}> : () -> !llvm.ptr<3>
    "llvm.return"(%0) : (!llvm.ptr<3>) -> ()
  }) : () -> ()
  "llvm.func"() <{sym_name = "dev"}> ({
    %0 = "llvm.mlir.addressof"() <{global_name = @g}> : () -> !llvm.ptr<3>
    "llvm.return"() : () -> ()
  }) : () -> ()
  "llvm.mlir.alias"() <{alias_type = !llvm.func<void ()>, sym_name = "called"}> ({
    %0 = "llvm.mlir.addressof"() <{global_name = @dev}> : () -> !llvm.ptr
    "llvm.return"(%0) : (!llvm.ptr) -> ()
  }) : () -> ()
  "llvm.mlir.global"() <{addr_space = 0 : i32, global_type = !llvm.array<1 x ptr>, sym_name = "table"}> ({
    %0 = "llvm.mlir.addressof"() <{global_name = @dev}> : () -> !llvm.ptr
    "llvm.return"(%0) : (!llvm.ptr) -> ()
  }) : () -> ()
  "llvm.mlir.global"() <{addr_space = 0 : i32, global_type = !llvm.array<1 x ptr>, sym_name = "llvm.used"}> ({
    %0 = "llvm.mlir.addressof"() <{global_name = @k}> : () -> !llvm.ptr
    "llvm.return"(%0) : (!llvm.ptr) -> ()
  }) : () -> ()
  "llvm.mlir.global"() <{addr_space = 3 : i32, global_type = !llvm.array<10 x f32>, sym_name = "h"}> ({}) : () -> ()
  "llvm.func"() <{sym_name = "k"}> ({
    %0 = "llvm.mlir.addressof"() <{global_name = @h}> : () -> !llvm.ptr<3>
    $OP
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()"""


@pytest.mark.parametrize(
    "op",
    [
        '%1 = "llvm.mlir.addressof"() <{global_name = @al}> : () -> !llvm.ptr<3>',
        '%1 = "llvm.mlir.addressof"() <{global_name = @al2}> : () -> !llvm.ptr<3>',
        '"llvm.call"() <{callee = @dev}> : () -> ()',
        '"llvm.call"() <{callee = @called}> : () -> ()',
        '%1 = "llvm.mlir.addressof"() <{global_name = @dev}> : () -> !llvm.ptr',
        '%1 = "llvm.mlir.addressof"() <{global_name = @called}> : () -> !llvm.ptr',
        '%1 = "llvm.mlir.addressof"() <{global_name = @table}> : () -> !llvm.ptr',
    ],
)
def test_memory_behind_other_names(op: str):
    found = kernels(TABLE.replace("$OP", op))
    assert found["k"].footprint(1) == Bytes(4000 + 40)
    assert list(found) == (["dev", "k"] if "@al" in op else ["k"])


def test_a_kernel_that_calls_itself_is_one():
    call = '"llvm.call"() <{callee = @k}> : () -> ()'
    assert kernels(TABLE.replace("$OP", call))["k"].footprint(1) == Bytes(40)


def test_modules_without_such_variables_have_no_kernels():
    assert not kernels('"builtin.module"() ({"llvm.func"() <{sym_name = "f"}> ({^bb0:}) : () -> ()}) : () -> ()')
