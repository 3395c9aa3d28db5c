"""Triton kernels: what they take, before and after pipelining, and where a stage setting can be changed."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from round_trip import read

from rlx_sched.dialect.attributes import Bound, Bytes
from rlx_sched.dialect.layout import NoFootprint
from rlx_sched.ir.access import op_name
from rlx_sched.sources.schedule import CannotRestage, Schedule
from rlx_sched.sources.triton import TritonSource
from rlx_sched.sources.triton_allocation import LiveBuffer, pack
from rlx_sched.sources.triton_layouts import Scratch, scratch

CORPUS = Path(__file__).parent.parent / "corpus"


def kernel(source: str) -> Schedule:
    (found,) = TritonSource().schedules(read(source))
    return found


def table(name: str) -> list[dict[str, str]]:
    with (CORPUS / name).open() as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.mark.parametrize("row", [row for row in table("TRUTH.tsv") if row["file"].startswith("triton/")], ids=str)
def test_bytes_are_those_that_triton_reports(row: dict[str, str]):
    found = kernel((CORPUS / row["file"]).read_text())
    assert found.stages == int(row["slots"])
    assert found.footprint(found.stages) == Bytes(int(row["bytes"]))
    # The one-stage bytes of a kernel that pipelining changed in other ways come from a compile of its own.
    if not row["file"].startswith("triton/attn_fp16_64x64x64_sm80_ns2"):
        assert found.baseline() == Bytes(int(row["one_slot_bytes"]))


@pytest.mark.parametrize("row", table("triton/SHARED.tsv"), ids=lambda row: row["file"])
def test_exact_bytes_are_exact_and_others_say_about(row: dict[str, str]):
    """Other kernels and targets, with `metadata.shared` of Triton 3.9.0 (`known` is what the model claims)."""
    footprint = kernel((CORPUS / "triton" / row["file"]).read_text())
    found = footprint.footprint(footprint.stages)
    assert found.bound == row["known"]
    if found.bound is Bound.EXACT:
        assert found.count == int(row["bytes"])


def test_a_pipelined_loop_is_left_alone():
    found = kernel((CORPUS / "triton/mm_fp16_128x128x32_sm80_ns3.ttgir.generic.mlir").read_text())
    before = str(found.op)
    with pytest.raises(CannotRestage) as refusal:
        found.restage(1)
    assert refusal.value.condition == "loads-run-ahead"
    assert "num_stages=1" in refusal.value.advice
    assert str(found.op) == before


SHARED = "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>, #ttg.shared_memory, mutable"


def ttgir(body: str, attributes: str = '"ttg.num-warps" = 4 : i32') -> str:
    return f""""builtin.module"() ({{
  "tt.func"() <{{function_type = () -> (), sym_name = "f"}}> ({{
    %c = "arith.constant"() <{{value = 0 : i32}}> : () -> i32
    {body}
    "tt.return"() : () -> ()
  }}) : () -> ()
}}) {{{attributes}}} : () -> ()"""


def alloc(name: str, elements: int) -> str:
    return f'%{name} = "ttg.local_alloc"() : () -> !ttg.memdesc<{elements}xi8, {SHARED}>\n'


def use(name: str, elements: int) -> str:
    return f'"ttg.local_dealloc"(%{name}) : (!ttg.memdesc<{elements}xi8, {SHARED}>) -> ()\n'


def footprint(body: str, attributes: str = '"ttg.num-warps" = 4 : i32') -> Bytes:
    found = kernel(ttgir(body, attributes))
    return found.footprint(found.stages)


def test_tiles_that_are_not_live_at_once_share_memory():
    apart = alloc("a", 256) + use("a", 256) + alloc("b", 128) + use("b", 128)
    together = alloc("a", 256) + alloc("b", 128) + use("a", 256) + use("b", 128)
    assert (footprint(apart), footprint(together)) == (Bytes(256), Bytes(384))


def test_tiles_are_aligned():
    assert footprint(alloc("a", 20) + alloc("b", 8) + use("a", 20) + use("b", 8)) == Bytes(40)


LOOP = """"scf.for"(%c, %c, %c) ({{
    ^bb0(%i: i32):
      {body}
      "scf.yield"() : () -> ()
    }}) : (i32, i32, i32) -> ()
"""


def test_a_tile_that_is_used_in_a_loop_is_live_throughout_it():
    loop = LOOP.format(body=use("a", 256) + alloc("b", 128) + use("b", 128))
    assert footprint(alloc("a", 256) + loop) == Bytes(384)


def test_a_tile_is_live_under_every_name_that_a_loop_gives_it():
    tile = f"!ttg.memdesc<256xi8, {SHARED}>"
    loop = f"""%d = "scf.for"(%c, %c, %c, %a) ({{
    ^bb0(%i: i32, %x: {tile}):
      "scf.yield"(%x) : ({tile}) -> ()
    }}) : (i32, i32, i32, {tile}) -> {tile}
    """
    assert footprint(alloc("a", 256) + loop + alloc("b", 128) + use("d", 256) + use("b", 128)) == Bytes(384)
    assert footprint(alloc("a", 256) + loop + use("d", 256) + alloc("b", 128) + use("b", 128)) == Bytes(256)


def test_scratch_memory_counts_where_it_matters():
    blocked = "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>"
    row = f"tensor<1024xf32, {blocked}>"
    reduce = f""""tt.reduce"(%t) <{{axis = 0 : i32}}> ({{
    ^bb0(%x: f32, %y: f32):
      "tt.reduce.return"(%x) : (f32) -> ()
    }}) : ({row}) -> f32
    """
    source = f'%t = "test.source"() : () -> {row}\n'
    # One element of 4 bytes per warp, at an address of its own only while something else is live.
    assert footprint(source + alloc("a", 256) + use("a", 256) + reduce) == Bytes(256)
    beside = footprint(source + alloc("a", 256) + reduce + use("a", 256))
    assert beside == Bytes(256 + 16, Bound.ABOUT)


MMA = "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>"
OPERAND = f"#ttg.dot_op<{{opIdx = 0, parent = {MMA}, kWidth = 2}}>"
ROWS = "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>"


@pytest.mark.parametrize(
    ("element", "source", "target", "expected"),
    [
        # Both layouts hold columns 1 and rows 8, 32 and 64 apart in registers; one of the four is a wide access's.
        ("f32", MMA, ROWS, Scratch(128 * 128 * 4 >> 2, 128 * 128 * 4 >> 2)),
        # Of 16 bits, three make a wide access, and matrix instructions may take two more together.
        ("f16", MMA, ROWS, Scratch(128 * 128 * 2, 128 * 128 * 2 >> 1)),
        # The operand of a dot has columns 16, 32 and 64 in common with the accumulator as well.
        ("f16", MMA, OPERAND, Scratch(128 * 128 * 2 >> 2, 128 * 128 * 2 >> 4)),
        ("f32", MMA, MMA, Scratch(0, 0)),
        ("f32", MMA, "#ttg.other<{}>", Scratch(128 * 128 * 4, 0)),
    ],
)
def test_scratch_memory_of_a_conversion(element: str, source: str, target: str, expected: Scratch):
    before, after = (f"tensor<128x128x{element}, {layout}>" for layout in (source, target))
    convert = f'%u = "ttg.convert_layout"(%t) : ({before}) -> {after}'
    module = read(ttgir(f'%t = "test.source"() : () -> {before}\n{convert}'))
    (op,) = (op for op in module.walk() if op_name(op) == "ttg.convert_layout")
    assert scratch(op) == expected


def test_an_atomic_needs_scratch_memory_for_a_result_that_is_used():
    source = """%t = "test.source"() : () -> tensor<64xf32>
    %u = "tt.atomic_rmw"(%t) : (tensor<64xf32>) -> tensor<64xf32>
    """
    assert footprint(source + alloc("a", 16) + use("a", 16)) == Bytes(16)
    used = source + '"test.use"(%u) : (tensor<64xf32>) -> ()\n' + alloc("a", 16) + use("a", 16)
    assert footprint(used) == Bytes(256, Bound.ABOUT)


def live_buffer(size: int, alignment: int, start: int, length: int) -> LiveBuffer:
    return LiveBuffer(size, alignment, start, start + length)


BUFFERS = st.builds(
    live_buffer, st.integers(1, 4096), st.sampled_from([16, 128, 1024]), st.integers(0, 20), st.integers(1, 20)
)


@given(st.lists(BUFFERS, max_size=8))
def test_what_is_live_at_once_never_shares_memory(buffers: list[LiveBuffer]):
    total = pack(buffers)
    live = [sum(b.size for b in buffers if b.start <= time < b.end) for time in range(40)]
    assert max(live, default=0) <= total <= sum(b.size + b.alignment for b in buffers)
    assert pack(buffers) == total


def test_the_largest_buffer_is_placed_first():
    assert pack([LiveBuffer(16, 16, 0, 2), LiveBuffer(64, 128, 1, 3)]) == 80


def test_swizzled_tiles_are_aligned_to_eight_rows():
    swizzled = "#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>"
    tile = f"!ttg.memdesc<128x32xf16, {swizzled}, #ttg.shared_memory>"
    small = alloc("a", 9000)
    body = f'{small}%b = "ttg.local_alloc"() : () -> {tile}\n"test.use"(%b) : ({tile}) -> ()\n{use("a", 9000)}'
    # After 9000 bytes, the next multiple of 512.
    assert footprint(body) == Bytes(9216 + 8192)


def test_a_call_may_take_any_memory():
    call = '"tt.call"() <{callee = @g}> : () -> ()\n'
    assert footprint(alloc("a", 256) + call + use("a", 256)) == Bytes(256, Bound.ABOUT)


def test_the_number_that_triton_noted_is_believed():
    assert footprint(alloc("a", 256) + use("a", 256), "ttg.shared = 4096 : i32") == Bytes(4096)


@pytest.mark.parametrize(
    "body",
    [
        f'%a = "ttg.local_alloc"() : () -> !ttg.memdesc<8x!tt.ptr<f32>, {SHARED}>',
        alloc("a", 8) + f'"test.region"(%a) ({{^bb0:}}) : (!ttg.memdesc<8xi8, {SHARED}>) -> ()',
    ],
    ids=["element", "region"],
)
def test_what_is_not_understood_has_no_footprint(body: str):
    with pytest.raises(NoFootprint, match="not known"):
        footprint(body)


HUGE = "9" * 5000


def tile(type: str, attributes: str = "") -> str:
    return f'%a = "ttg.local_alloc"() {attributes} : () -> !ttg.memdesc<{type}, #ttg.shared_memory>\n'


def padded(padding: str) -> str:
    return tile(f"8xi8, #ttg.padded_shared<[{padding}]>")


def converted(size: str = "1", order: str = "1, 0", around: str = "", shape: str = "128x128") -> str:
    """A conversion from a layout that nobody has checked."""
    blocked = f"sizePerThread = [{size}, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [{order}]"
    layout = f"{around}#ttg.blocked<{{{blocked}}}>" + "}>" * around.count("#")
    before, after = (f"tensor<{shape}xf16, {encoding}>" for encoding in (layout, ROWS))
    convert = f'%u = "ttg.convert_layout"(%t) : ({before}) -> {after}\n'
    return f'{alloc("a", 8)}%t = "test.source"() : () -> {before}\n{convert}{use("a", 8)}'


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (tile(f"{HUGE}x4xi8, {SHARED}"), "the size of"),
        (tile("8xi8, #ttg.other<>", "{alignment = -16 : i64}"), "alignment -16, expected a power of two"),
        (tile("8xi8, #ttg.other<>", "{alignment = 24 : i64}"), "alignment 24, expected a power of two"),
        (padded("0:+4"), "would refuse"),
        (padded(f"{HUGE}:+4"), "would refuse"),
        (converted(size=HUGE), "would refuse"),
        (converted(order="7, 0"), "would refuse"),
        (converted(order=", ,"), "would refuse"),
        (converted(around=f"#ttg.slice<{{dim = {HUGE}, parent = "), "would refuse"),
        (converted(shape="?x?"), "is not known"),
        ("".join(alloc(f"a{i}", 8) for i in range(1000)), "1000 buffers, more than the 256"),
    ],
    ids=range(11),
)
def test_numbers_that_no_kernel_has_are_refused(body: str, reason: str):
    with pytest.raises(NoFootprint, match=reason):
        footprint(body)


@pytest.mark.parametrize(
    "change",
    [{"size": "9" * 4000}, {"size": "0"}, {"around": "#ttg.slice<{dim = 9, parent = " * 50}],
    ids=["huge", "zero", "nested"],
)
def test_layouts_that_no_kernel_has_do_not_raise(change: dict[str, str]):
    assert footprint(converted(**change)).count > 0


def test_other_kernels_carry_no_schedule():
    assert not list(TritonSource().schedules(read(ttgir(""))))


def test_the_number_that_triton_noted_is_that_of_the_largest_kernel():
    source = ttgir(alloc("a", 64), "ttg.shared = 1024 : i32")
    assert kernel(source).footprint(1) == Bytes(1024)
    function = source[source.index('"tt.func"') : source.index("}) {ttg.shared")]
    called = '"tt.func"() <{function_type = () -> (), sym_name = "d"}> ({"tt.return"() : () -> ()}) : () -> ()'
    call = source.replace('"tt.return"', '"tt.call"() <{callee = @d}> : () -> ()\n"tt.return"')
    assert kernel(call.replace("}) {ttg.shared", called + "}) {ttg.shared")).footprint(1) == Bytes(1024)
    # Another may have no tile and yet need more, to move tensors from one layout to another.
    for other in (function.replace('"f"', '"g"'), called):
        several = source.replace("}) {ttg.shared", other + "}) {ttg.shared")
        found = list(TritonSource().schedules(read(several)))
        assert {schedule.footprint(1) for schedule in found} == {Bytes(1024, Bound.AT_MOST)}


def test_a_kernel_that_calls_itself_is_one():
    assert kernel(ttgir(alloc("a", 64) + '"tt.call"() <{callee = @f}> : () -> ()\n')).name == "f"
