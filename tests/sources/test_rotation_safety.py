"""When slots may be taken out: barriers, checked by running all threads of a threadgroup, and every other condition."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from multibuffered import generic, schedules
from round_trip import read, write
from simulate import Divergence, Race, run_threadgroup
from support import run_tool
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr

from rlx_sched.ir.access import op_name
from rlx_sched.sources.schedule import CannotRestage

CORPUS = Path(__file__).parent.parent / "corpus/mlir-opt"
SHAPES = [(64,), (64,)]


def barriers(module: ModuleOp) -> int:
    return sum(op_name(op) == "gpu.barrier" for op in module.walk())


def remove_barrier(module: ModuleOp, number: int) -> None:
    barrier = [op for op in module.walk() if op_name(op) == "gpu.barrier"][number]
    barrier.detach()
    barrier.erase()


def restage(module: ModuleOp, stages: int) -> ModuleOp:
    for schedule in schedules(module):
        schedule.restage(stages)
    return read(generic(write(module), "--verify-each"))


def threads(
    *,
    slots: int = 3,
    first: bool = False,
    middle: bool = True,
    last: bool = False,
    slot: str = "%i",
    loop: str = "scf.for %i = %c0 to %c8 step %c1",
    around: tuple[str, str] = ("", ""),
) -> ModuleOp:
    """Four threads stage two numbers each, and each adds up those of its neighbor; with barriers as asked for."""
    barrier = "gpu.barrier"
    return read(
        generic(f"""
    func.func @f(%in: memref<64xf32>, %out: memref<64xf32>) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                 threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {{
        %t = memref.alloc() : memref<{slots}x8xf32, 3>
        %tid = gpu.thread_id x
        {around[0]}
        {loop} {{
          %slot = affine.apply affine_map<(d0) -> (d0 mod {slots})>({slot})
          %v = memref.subview %t[%slot, 0] [1, 8] [1, 1]
              : memref<{slots}x8xf32, 3> to memref<8xf32, strided<[1], offset: ?>, 3>
          {barrier if first else ""}
          scf.for %k = %c0 to %c2 step %c1 {{
            %e = affine.apply affine_map<(d0)[s0] -> (s0 * 2 + d0)>(%k)[%tid]
            %g = affine.apply affine_map<(d0)[s0] -> (s0 * 8 + d0)>(%e)[%i]
            %x = memref.load %in[%g] : memref<64xf32>
            memref.store %x, %v[%e] : memref<8xf32, strided<[1], offset: ?>, 3>
          }}
          {barrier if middle else ""}
          %o = memref.load %out[%tid] : memref<64xf32>
          %n = affine.apply affine_map<()[s0] -> ((s0 * 2 + 2) mod 8)>()[%tid]
          %y = memref.load %v[%n] : memref<8xf32, strided<[1], offset: ?>, 3>
          %z = arith.addf %o, %y : f32
          memref.store %z, %out[%tid] : memref<64xf32>
          {barrier if last else ""}
        }}
        {around[1]}
        gpu.terminator
      }}
      return
    }}""")
    )


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize(
    ("slots", "stages", "first", "last", "added"),
    [
        (2, 1, False, False, 1),
        (3, 1, False, False, 1),
        (3, 1, True, False, 0),
        (3, 1, False, True, 0),
        (3, 2, False, False, 0),
        (4, 3, False, False, 0),
        (4, 2, True, True, 0),
    ],
)
def test_a_barrier_is_added_exactly_where_fewer_slots_need_one(
    slots: int, stages: int, first: bool, last: bool, added: int, backwards: bool
):
    before = threads(slots=slots, first=first, last=last)
    expected = run_threadgroup(before, SHAPES)
    count = barriers(before)
    after = restage(before, stages)
    assert barriers(after) == count + added
    assert run_threadgroup(after, SHAPES, backwards=backwards) == expected
    if added:
        remove_barrier(after, -1)
        with pytest.raises(Race):
            run_threadgroup(after, SHAPES, backwards=backwards)


def test_the_added_barrier_follows_the_last_read():
    after = restage(threads(), 1)
    (loop,) = [op for op in after.walk() if op_name(op) == "scf.for" and op.regions[0].block.ops.first is not None][:1]
    names = [op_name(op) for op in loop.regions[0].block.ops]
    read_at = max(position for position, name in enumerate(names) if name == "memref.load")
    assert names[read_at + 1] == "gpu.barrier"


@pytest.mark.parametrize("stages", [1, 2])
def test_an_outer_loop_brings_the_last_iteration_next_to_the_first(stages: int):
    """Three iterations in four slots: the last one's slot is not the first one's, until there are two slots or one."""
    around = ("scf.for %again = %c0 to %c2 step %c1 {", "}")
    before = threads(slots=4, around=around, loop="scf.for %i = %c1 to %c4 step %c1")
    expected = run_threadgroup(before, SHAPES)
    after = restage(before, stages)
    assert barriers(after) == 2
    assert run_threadgroup(after, SHAPES) == expected
    remove_barrier(after, -1)
    with pytest.raises(Race):
        run_threadgroup(after, SHAPES)


def test_slots_that_are_not_taken_in_turn_need_the_barrier_at_two_slots_too():
    before = threads(slots=4, loop="scf.for %i = %c0 to %c8 step %c2")
    expected = run_threadgroup(before, SHAPES)
    after = restage(before, 2)
    assert barriers(after) == 2
    assert run_threadgroup(after, SHAPES) == expected
    remove_barrier(after, -1)
    with pytest.raises(Race):
        run_threadgroup(after, SHAPES)


def test_a_barrier_for_other_memory_does_not_count():
    before = threads(last=True)
    (*_, barrier) = [op for op in before.walk() if op_name(op) == "gpu.barrier"]
    barrier.properties["address_spaces"] = ArrayAttr([StringAttr("global")])
    (schedule,) = schedules(before)
    schedule.restage(1)
    assert barriers(before) == 3


def test_no_barrier_where_not_all_threads_come():
    around = ("%few = arith.cmpi ult, %tid, %c2 : index\nscf.if %few {", "}")
    module = threads(middle=False, around=around)
    text = write(module)
    with pytest.raises(CannotRestage) as error:
        restage(module, 1)
    assert (error.value.condition, write(module)) == ("no-barrier-place", text)


def test_a_barrier_is_added_where_all_threads_come():
    around = ("%some = arith.cmpi ult, %bx, %c2 : index\nscf.if %some {", "}")
    assert barriers(restage(threads(middle=False, around=around), 1)) == 1


def test_the_simulator_sees_races_and_divergence():
    with pytest.raises(Race):
        run_threadgroup(threads(middle=False), SHAPES)
    around = ("%few = arith.cmpi ult, %tid, %c2 : index\nscf.if %few {", "}")
    with pytest.raises(Divergence):
        run_threadgroup(threads(around=around), SHAPES)


@pytest.mark.parametrize("form", ["launch", "wgattr"])
def test_real_kernels_have_no_race_with_one_slot(form: str):
    """Without the barrier that ends an iteration the kernel works with three slots, and one is added for one slot."""
    # Four iterations, not eight: enough for three slots to come round.
    text = (CORPUS / f"mm_f32_t32x32x16.mb3.{form}.generic.mlir").read_text().replace("128 : index", "64 : index")
    expected = run_threadgroup(read(text), [(128, 128)] * 3)
    module = read(text)
    remove_barrier(module, -1)
    assert run_threadgroup(module, [(128, 128)] * 3) == expected
    after = restage(module, 1)
    assert barriers(after) == 3
    assert run_threadgroup(after, [(128, 128)] * 3, backwards=True) == expected


TILE = "memref<3x4xf32, 3>"
VIEW = "memref<4xf32, strided<[1], offset: ?>, 3>"
FLAT = "memref<4xf32, strided<[1], offset: ?>>"


def block_level(body: str, before: str = "", after: str = "") -> str:
    """A loop with the counter %i over slots %v of %t; in `body`, `FILL` is a write of it and `USE` a read."""
    text = f"""
    func.func private @other(memref<4xf32, strided<[1], offset: ?>, 3>)
    func.func @f(%in: memref<64xf32>, %out: memref<64xf32>, %flag: i1) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c60 = arith.constant 60 : index
      %c4 = arith.constant 4 : index
      %zero = arith.constant 0.0 : f32
      %t = memref.alloc() : {TILE}
      {before}
      scf.for %i = %c0 to %c60 step %c4 {{
        %slot = affine.apply affine_map<(d0) -> ((d0 floordiv 4) mod 3)>(%i)
        %v = memref.subview %t[%slot, 0] [1, 4] [1, 1] : {TILE} to {VIEW}
        %g = memref.subview %in[%i] [4] [1] : memref<64xf32> to {FLAT}
        %o = memref.subview %out[%i] [4] [1] : memref<64xf32> to {FLAT}
        {body}
      }}
      {after}
      return
    }}"""
    text = text.replace("FILL", f"memref.copy %g, %v : {FLAT} to {VIEW}")
    return generic(text.replace("USE", f"memref.copy %v, %o : {VIEW} to {FLAT}"))


HALF = "memref<2xf32, strided<[1], offset: ?>, 3>"
LEFT_ALONE = {
    "read of what an earlier iteration left": ("slot-not-written-first", "USE\nFILL"),
    "never written": ("slot-not-written-first", "USE"),
    "written in some iterations only": (
        "slot-not-written-first",
        "%even = arith.cmpi eq, %slot2, %c0 : index\nscf.if %even {\nFILL\n}\nUSE",
    ),
    "written where the iteration says": (
        "slot-not-written-first",
        f"""%at = affine.apply affine_map<(d0) -> (d0 mod 3)>(%i)
        %x = memref.load %in[%i] : memref<64xf32>
        memref.store %x, %v[%at] : {VIEW}
        USE""",
    ),
    "written through a view that moves": (
        "slot-not-written-first",
        f"""%at = affine.apply affine_map<(d0) -> (d0 mod 2)>(%i)
        %h = memref.subview %v[%at] [2] [1] : {VIEW} to {HALF}
        linalg.fill ins(%zero : f32) outs(%h : {HALF})
        USE""",
    ),
    "written as often as the iteration says": (
        "slot-not-written-first",
        f"""scf.for %j = %c0 to %slot2 step %c1 {{
          memref.store %zero, %v[%j] : {VIEW}
        }}
        USE""",
    ),
    "added to": ("slot-not-written-first", f"linalg.add ins(%g, %v : {FLAT}, {VIEW}) outs(%v : {VIEW})\nUSE"),
    "slot index used as a number": (
        "slot-index-used-elsewhere",
        "FILL\n%x = memref.load %in[%slot] : memref<64xf32>\nmemref.store %x, %out[%i] : memref<64xf32>\nUSE",
    ),
    "passed to a function": ("memref-escapes", f"FILL\nfunc.call @other(%v) : ({VIEW}) -> ()"),
    "carried by an inner loop": (
        "memref-escapes",
        f"FILL\n%w = scf.for %j = %c0 to %c3 step %c1 iter_args(%a = %v) -> ({VIEW}) {{ scf.yield %a : {VIEW} }}",
    ),
    "cast to an unranked memref": (
        "memref-escapes",
        f"FILL\n%w = memref.cast %v : {VIEW} to memref<*xf32, 3>",
    ),
    "used by what is not known": ("unsupported-user", f'FILL\n"test.use"(%v) : ({VIEW}) -> ()'),
    "two slots at once": (
        "loads-run-ahead",
        f"""FILL
        %next = affine.apply affine_map<(d0) -> ((d0 floordiv 4 + 1) mod 3)>(%i)
        %w = memref.subview %t[%next, 0] [1, 4] [1, 1] : {TILE} to {VIEW}
        memref.copy %w, %o : {VIEW} to {FLAT}""",
    ),
}


@pytest.mark.parametrize("name", LEFT_ALONE)
def test_what_cannot_be_proved_is_left_alone(name: str):
    condition, body = LEFT_ALONE[name]
    module = read(block_level("%slot2 = affine.apply affine_map<(d0) -> (d0 mod 8)>(%i)\n" + body))
    _assert_left_alone(module, condition)


def _assert_left_alone(module: ModuleOp, condition: str, stages: Sequence[int] = (1, 2)) -> None:
    text = write(module)
    (kernel,) = schedules(module)
    assert kernel.stages == 3
    for count in stages:
        with pytest.raises(CannotRestage) as error:
            kernel.restage(count)
        assert error.value.condition == condition
    assert (write(module), kernel.stages) == (text, 3)


def test_used_before_and_after_the_loop():
    view = f"%w = memref.subview %t[0, 0] [1, 4] [1, 1] : {TILE} to memref<4xf32, strided<[1]>, 3>"
    _assert_left_alone(read(block_level("FILL\nUSE", before=view)), "loads-run-ahead")
    _assert_left_alone(read(block_level("FILL\nUSE", after=view)), "loads-run-ahead")


def test_shared_by_the_iterations_of_a_parallel_loop():
    inside = read(
        generic(f"""
    func.func @f(%in: memref<64xf32>) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c9 = arith.constant 9 : index
      %t = memref.alloc() : {TILE}
      %g = memref.subview %in[0] [4] [1] : memref<64xf32> to memref<4xf32, strided<[1]>>
      scf.forall (%n) in (4) {{
        scf.for %i = %c0 to %c9 step %c1 {{
          %slot = affine.apply affine_map<(d0) -> (d0 mod 3)>(%i)
          %v = memref.subview %t[%slot, 0] [1, 4] [1, 1] : {TILE} to {VIEW}
          memref.copy %g, %v : memref<4xf32, strided<[1]>> to {VIEW}
        }}
      }}
      return
    }}""")
    )
    _assert_left_alone(inside, "parallel-iterations")


@pytest.mark.parametrize("name", ["mm_f32_t32x32x16_v.mb3.async", "mm_f32_t32x32x16_v_ms3.mb3.pipelined"])
def test_loads_that_run_ahead_are_left_alone(name: str):
    _assert_left_alone(read((CORPUS / f"{name}.generic.mlir").read_text()), "loads-run-ahead")


DISTRIBUTE = """
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %function = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %launch = transform.gpu.map_forall_to_blocks %function generate_gpu_launch
      : (!transform.any_op) -> !transform.any_op
  transform.gpu.map_nested_forall_to_threads %launch block_dims = [4, 1, 1] warp_size = 2
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}"""

FORALL = "%y = memref.load %t[%slot, %n] : memref<3x4xf32, 3>\nmemref.store %y, %out[%i, %n] : memref<16x4xf32>"
LOAD = "%y = memref.load %t[%slot, %c1] : memref<3x4xf32, 3>\nmemref.store %y, %out[%i, %c1] : memref<16x4xf32>"
IN_LOOP = """scf.for %n = %c0 to %c4 step %c1 {
  %r = affine.apply affine_map<(d0) -> (3 - d0)>(%n)
  %y = memref.load %t[%slot, %r] : memref<3x4xf32, 3>
  memref.store %y, %out[%i, %r] : memref<16x4xf32>
}"""
ROW = "memref<4xf32, strided<[1], offset: ?>>"
OUT = f"%o = memref.subview %out[%i, 0] [1, 4] [1, 1] : memref<16x4xf32> to {ROW}"
SLOT = f"%v = memref.subview %t[%slot, 0] [1, 4] [1, 1] : memref<3x4xf32, 3> to {VIEW}"


def forall(mapping: str, body: str = FORALL) -> str:
    return f"scf.forall (%n) in (4) {{\n{body}\n}} {mapping}"


def mapped(to: str, body: str = FORALL) -> str:
    return forall(f"{{mapping = [#gpu.{to}]}}", body)


def distributed_later(body: str, *, around: str = "block<x>") -> str:
    """Block-level IR whose threads fill a row of a tile and then read it as `body` says."""
    return f"""
    func.func @f(%in: memref<16x4xf32>, %out: memref<16x4xf32>) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      scf.forall (%p) in (1) {{
        %t = memref.alloc() : memref<3x4xf32, 3>
        scf.for %i = %c0 to %c16 step %c1 {{
          %slot = affine.apply affine_map<(d0) -> (d0 mod 3)>(%i)
          scf.forall (%n) in (4) {{
            %x = memref.load %in[%i, %n] : memref<16x4xf32>
            memref.store %x, %t[%slot, %n] : memref<3x4xf32, 3>
          }} {{mapping = [#gpu.thread<x>]}}
          {body}
        }}
      }} {{mapping = [#gpu.{around}]}}
      return
    }}"""


def distributed(text: str) -> ModuleOp:
    """Block-level IR, distributed to four threads by mlir-opt."""
    attributes = "attributes {transform.with_named_sequence}"
    return read(generic(f"module {attributes} {{\n{custom(text)}\n{DISTRIBUTE}\n}}", "--transform-interpreter"))


def custom(text: str) -> str:
    """The functions of a module in generic form, in custom form with their maps in place."""
    return run_tool("mlir-opt", "--mlir-print-local-scope", text=text).partition("module {")[2].rpartition("}")[0]


DISTRIBUTED_LATER = {
    "memref.load": (LOAD, 1),
    "memref.load in a loop": (IN_LOOP, 1),
    "memref.load in a condition": (f"%some = arith.cmpi ult, %i, %c4 : index\nscf.if %some {{\n{LOAD}\n}}", 1),
    "memref.load, loop after it": (f"{LOAD.replace('%y', '%z')}\n{mapped('thread<x>')}", 0),
    "loop, memref.load after it": (f"{mapped('thread<x>')}\n{LOAD}", 1),
    "loop over threads": (mapped("thread<x>"), 0),
    "loop over warps": (mapped("warp<linear_dim_0>", FORALL).replace("in (4)", "in (2)"), 0),
    "loop over lanes": (mapped("lane<linear_dim_0>", FORALL).replace("in (4)", "in (2)"), 0),
    "loop over threads in a loop": (f"scf.for %again = %c0 to %c4 step %c1 {{\n{mapped('thread<x>')}\n}}", 0),
}
"""What reads a row, and how many barriers one slot needs besides those that distributing brings."""


@pytest.mark.parametrize("name", DISTRIBUTED_LATER)
def test_a_barrier_is_added_in_block_level_ir_where_distributing_brings_none(name: str):
    """Distributed by mlir-opt and run by four threads, the kernel has no race; without the barrier it has one."""
    body, added = DISTRIBUTED_LATER[name]
    text = generic(distributed_later(body))
    shapes = [(16, 4)] * 2
    expected = run_threadgroup(distributed(text), shapes)
    after = restage(read(text), 1)
    assert barriers(after) == added
    assert barriers(restage(read(text), 2)) == 0
    for backwards in (False, True):
        assert run_threadgroup(distributed(generic(write(after))), shapes, backwards=backwards) == expected
    if added:
        remove_barrier(after, -1)
        with pytest.raises(Race):
            run_threadgroup(distributed(generic(write(after))), shapes)


BARE = {
    "vector.load": "%y = vector.load %t[%slot, %c0] : memref<3x4xf32, 3>, vector<4xf32>",
    "memref.copy": f"{SLOT}\n{OUT}\nmemref.copy %v, %o : {VIEW} to {ROW}",
    "loop that is not mapped": forall(""),
    "loop over blocks": mapped("block<x>"),
    "structured operation in a loop that is not mapped": forall(
        "", f"{SLOT}\n{OUT}\nlinalg.copy ins(%v : {VIEW}) outs(%o : {ROW})"
    ),
    "parallel loop": f"scf.parallel (%n) = (%c0) to (%c4) step (%c1) {{\n{FORALL}\n}}",
    "affine.load": f"{SLOT}\naffine.for %n = 0 to 4 {{\n%y = affine.load %v[%n] : {VIEW}\n}}",
}
"""Reads after which distributing brings no barrier, as far as can be seen."""


@pytest.mark.parametrize("name", BARE)
def test_a_barrier_follows_whatever_is_not_distributed(name: str):
    after = restage(read(generic(distributed_later(BARE[name]))), 1)
    (loop,) = [op for op in after.walk() if op_name(op) == "scf.for"]
    *_, last, end = loop.regions[0].block.ops
    assert (op_name(last), op_name(end)) == ("gpu.barrier", "scf.yield")


def test_structured_operations_are_distributed_as_a_whole():
    text = distributed_later(f"{SLOT}\n{OUT}\nlinalg.copy ins(%v : {VIEW}) outs(%o : {ROW})")
    assert barriers(restage(read(generic(text)), 1)) == 0
    module = read((CORPUS / "mm_f32_t32x32x16.mb3.tensor2memref.generic.mlir").read_text())
    assert barriers(restage(module, 1)) == 0


@pytest.mark.parametrize("around", ["thread<x>", "warp<x>"])
@pytest.mark.parametrize("body", [LOAD, f"{SLOT}\n{OUT}\nlinalg.copy ins(%v : {VIEW}) outs(%o : {ROW})"])
def test_no_barrier_where_some_threads_run_the_loop(around: str, body: str):
    _assert_left_alone(read(generic(distributed_later(body, around=around))), "no-barrier-place")


def test_no_barrier_where_it_is_not_known_who_runs_the_loop():
    text = generic(distributed_later(LOAD).replace("{mapping = [#gpu.block<x>]}", ""))
    _assert_left_alone(read(text), "no-barrier-place", stages=(1,))
