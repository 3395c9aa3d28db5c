"""When slots may be taken out: barriers, checked by running all threads of a threadgroup, and every other condition."""

from pathlib import Path

import pytest
from multibuffered import generic, schedules
from round_trip import read, write
from simulate import Divergence, Race, run_threadgroup
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


@pytest.mark.parametrize("form", ["launch", "outlined", "wgattr"])
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


def _assert_left_alone(module: ModuleOp, condition: str) -> None:
    text = write(module)
    (kernel,) = schedules(module)
    assert kernel.stages == 3
    for stages in (1, 2):
        with pytest.raises(CannotRestage) as error:
            kernel.restage(stages)
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


def test_no_barrier_is_added_to_block_level_ir():
    """`scf.forall` mapped to threads gets a barrier when it is distributed."""
    module = read((CORPUS / "mm_f32_t32x32x16.mb3.tensor2memref.generic.mlir").read_text())
    assert barriers(restage(module, 1)) == 0
