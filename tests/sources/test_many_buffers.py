"""Kernels with many buffers, accesses or calls take time in proportion to their size."""

from collections.abc import Callable
from contextlib import suppress
from time import process_time

import pytest
from multibuffered import schedules
from round_trip import read

from rlx_sched.dialect.layout import NoFootprint
from rlx_sched.sources.schedule import CannotRestage, Schedule

MANY = 150
TIMES = 4
"""How many times larger the larger module is."""

MOST_RATIO = 9
"""Of the processor time that the larger module takes; in quadratic time it would be 16."""

LEAST_SECONDS = 0.02
"""Below this, the times of the smaller module are noise."""

ALLOC = '"memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3x4xf32, 3>\n'
STORE = '"memref.store"(%x, %{}, {}, %c0) : (f32, memref<3x4xf32, 3>, index, index) -> ()\n'
LOAD = '%v{} = "memref.load"(%{}, {}, %c0) : (memref<3x4xf32, 3>, index, index) -> f32\n'
SLOT = '%{} = "affine.apply"(%i) <{{map = affine_map<(d0) -> (d0 mod 3)>}}> : (index) -> index\n'
BARRIER = '"gpu.barrier"() : () -> ()\n'
CONSTANTS = """%c0 = "arith.constant"() <{value = 0 : index}> : () -> index
%c1 = "arith.constant"() <{value = 1 : index}> : () -> index
%x = "arith.constant"() <{value = 0.0 : f32}> : () -> f32
"""


def loop(body: str) -> str:
    return f"""
    "scf.for"(%c0, %c1, %c1) ({{
    ^bb0(%i: index):
      {body}
      "scf.yield"() : () -> ()
    }}) : (index, index, index) -> ()
    """


def function(body: str, name: str = "f") -> str:
    return f"""
    "func.func"() <{{function_type = () -> (), sym_name = "{name}"}}> ({{
      {body}
      "func.return"() : () -> ()
    }}) : () -> ()
    """


def gpu_func(body: str, name: str = "k", arguments: str = "", attributions: int = 0) -> str:
    return f"""
    "gpu.func"() <{{function_type = () -> (), workgroup_attributions = {attributions} : i64}}> ({{
    {arguments}
      {body}
      "gpu.return"() : () -> ()
    }}) {{gpu.kernel, sym_name = "{name}"}} : () -> ()
    """


def module(body: str) -> str:
    return f'"gpu.module"() <{{sym_name = "m"}}> ({{\n{body}}}) : () -> ()'


def joined(count: int, text: Callable[[int], str]) -> str:
    return "".join(map(text, range(count)))


def allocated(count: int) -> str:
    return CONSTANTS + joined(count, lambda j: f"%t{j} = {ALLOC}")


def staged(buffer: str, slot: str = "%s") -> str:
    return STORE.format(buffer, slot) + LOAD.format(buffer, buffer, slot)


def in_one_loop(count: int) -> str:
    stores = joined(count, lambda j: STORE.format(f"t{j}", "%s"))
    loads = joined(count, lambda j: LOAD.format(j, f"t{j}", "%s"))
    return function(allocated(count) + loop(SLOT.format("s") + stores + loads))


def with_barriers(count: int) -> str:
    body = joined(count, lambda j: STORE.format(f"t{j}", "%s") + BARRIER + LOAD.format(j, f"t{j}", "%s"))
    return module(gpu_func(allocated(count) + loop(SLOT.format("s") + body)))


def with_slots_of_their_own(count: int) -> str:
    body = joined(count, lambda j: SLOT.format(f"s{j}") + staged(f"t{j}", f"%s{j}"))
    return function(allocated(count) + loop(body))


def in_loops_of_their_own(count: int) -> str:
    return function(allocated(count) + joined(count, lambda j: loop(SLOT.format("s") + staged(f"t{j}"))))


def attributions(count: int) -> str:
    arguments = f"^bb0({', '.join(f'%t{j}: memref<3x4xf32, 3>' for j in range(count))}):"
    body = CONSTANTS + loop(SLOT.format("s") + joined(count, lambda j: staged(f"t{j}")))
    return module(gpu_func(body, arguments=arguments, attributions=count))


def accesses(count: int) -> str:
    stores, loads = (
        joined(count, lambda _: STORE.format("t0", "%s")),
        joined(count, lambda j: LOAD.format(j, "t0", "%s")),
    )
    return function(allocated(1) + loop(SLOT.format("s") + stores + loads))


def accesses_in_a_loop_with_many_bounds(count: int) -> str:
    bounds = ", ".join(["%c1"] * 3 * count)
    inner = f"""
    "scf.parallel"({bounds}) <{{operandSegmentSizes = array<i32: {count}, {count}, {count}, 0>}}> ({{
    ^bb1({", ".join(f"%j{j}: index" for j in range(count))}):
      {joined(count, lambda _: STORE.format("t0", "%s"))}
      "scf.reduce"() : () -> ()
    }}) : ({", ".join(["index"] * 3 * count)}) -> ()
    """
    return function(allocated(1) + loop(SLOT.format("s") + inner))


def indices_of_one_long_sum(count: int) -> str:
    sums = '%a0 = "arith.addi"(%c0, %c0) : (index, index) -> index\n' + joined(
        count, lambda j: f'%a{j + 1} = "arith.addi"(%a{j}, %c0) : (index, index) -> index\n'
    )
    body = joined(count, lambda j: staged(f"t{j}").replace("%c0)", f"%a{count})"))
    return function(allocated(count) + loop(SLOT.format("s") + sums + body))


ADD = '%{} = "arith.addi"({}, {}) : (index, index) -> index\n'
REMAINDER = '%{} = "arith.remui"({}, %c3) : (index, index) -> index\n'
QUOTIENT = '%{} = "arith.divui"({}, %c3) : (index, index) -> index\n'
CONSTANT_3 = '%c3 = "arith.constant"() <{value = 3 : index}> : () -> index\n'


def loop_with(count: int, type: str, first: Callable[[int], str], body: str, last: Callable[[int], str]) -> str:
    """A loop that carries %b0, %b1 and so on from one iteration to the next."""
    types = f", {type}" * count
    return f"""
    %r:{count} = "scf.for"(%c0, %c1, %c1, {", ".join(map(first, range(count)))}) ({{
    ^bb0(%i: index, {", ".join(f"%b{j}: {type}" for j in range(count))}):
      {body}
      "scf.yield"({", ".join(map(last, range(count)))}) : ({types.removeprefix(", ")}) -> ()
    }}) : (index, index, index{types}) -> ({types.removeprefix(", ")})
    """


def sums_of_many_counters(count: int, quotients: bool = False) -> str:
    """Each slot is a sum of one counter more than that before it."""
    sums = ADD.format("a0", "%b0", "%c1") + joined(count - 1, lambda j: ADD.format(f"a{j + 1}", f"%a{j}", f"%b{j + 1}"))
    slots = joined(count, lambda j: REMAINDER.format(f"s{j}", f"%a{j}") + QUOTIENT.format(f"q{j}", f"%a{j}"))
    uses = joined(count, lambda j: staged(f"t{j}", f"%s{j}").replace("%c0)", f"%q{j})" if quotients else "%c0)"))
    body = loop_with(count, "index", lambda _: "%c0", sums + slots + uses, lambda j: f"%a{j}")
    return function(allocated(count) + CONSTANT_3 + body)


def quotients_of_many_counters(count: int) -> str:
    return sums_of_many_counters(count, quotients=True)


def remainders_of_remainders(count: int) -> str:
    """One slot after the other, of a loop that was unrolled."""
    slots = joined(
        count,
        lambda j: (
            ADD.format(f"a{j}", f"%s{j}", "%c1")
            + REMAINDER.format(f"s{j + 1}", f"%a{j}")
            + LOAD.format(j, "t0", f"%s{j}")
        ),
    )
    return function(allocated(1) + CONSTANT_3 + '%s0 = "test.first"() : () -> index\n' + slots)


def choices_of_choices(count: int) -> str:
    def choice(j: int) -> str:
        chosen = f'%s{j + 1} = "arith.select"(%o, %s{j}, %i) : (i1, index, index) -> index\n'
        return chosen + STORE.format("t0", f"%s{j}")

    condition = '%o = "arith.constant"() <{value = true}> : () -> i1\n'
    return function(allocated(1) + CONSTANT_3 + condition + loop(REMAINDER.format("s0", "%i") + joined(count, choice)))


def carried_slots(count: int) -> str:
    slots = joined(count, lambda j: REMAINDER.format(f"s{j}", "%i") + STORE.format(f"t{j}", f"%b{j}"))
    body = loop_with(count, "index", lambda _: "%c0", slots, lambda j: f"%s{j}")
    return function(allocated(count) + CONSTANT_3 + body)


def carried_buffers(count: int) -> str:
    slot, uses = SLOT.format("s"), joined(count, lambda j: STORE.format(f"b{j}", "%s"))
    return function(
        allocated(count) + loop_with(count, "memref<3x4xf32, 3>", lambda j: f"%t{j}", slot + uses, lambda j: f"%b{j}")
    )


def exchanged_buffers(count: int) -> str:
    slot, uses = SLOT.format("s"), joined(count, lambda j: STORE.format(f"b{j}", "%s"))
    body = loop_with(count, "memref<3x4xf32, 3>", lambda j: f"%t{j}", slot + uses, lambda j: f"%b{(j + 1) % count}")
    return function(allocated(count) + body)


def views_of_views(count: int) -> str:
    views = joined(
        count,
        lambda j: (
            f'%t{j + 1} = "memref.cast"(%t{j}) : (memref<3x4xf32, 3>) -> memref<3x4xf32, 3>\n'
            + STORE.format(f"t{j + 1}", "%s")
        ),
    )
    return function(allocated(1) + loop(SLOT.format("s") + views))


def calls(count: int) -> str:
    """Kernels that call the first of a chain of functions."""

    def link(j: int) -> str:
        call = f'"func.call"() <{{callee = @f{j + 1}}}> : () -> ()\n' if j < count - 1 else ""
        return function(f"%t = {ALLOC}{call}", f"f{j}")

    kernels = joined(count, lambda j: gpu_func('"func.call"() <{callee = @f0}> : () -> ()', f"k{j}"))
    return module(joined(count, link) + kernels)


def calls_of_the_rest(count: int) -> str:
    """Kernels that each call another function of the chain, of which only the last has memory."""

    def link(j: int) -> str:
        last = f"%t = {ALLOC}"
        return function(f'"func.call"() <{{callee = @f{j + 1}}}> : () -> ()' if j < count - 1 else last, f"f{j}")

    kernels = joined(count, lambda j: gpu_func(f'"func.call"() <{{callee = @f{j}}}> : () -> ()', f"k{j}"))
    return module(joined(count, link) + kernels)


def calls_of_many_buffers(count: int) -> str:
    kernels = joined(count, lambda j: gpu_func('"func.call"() <{callee = @f}> : () -> ()', f"k{j}"))
    return module(function(allocated(count)) + kernels)


def calls_in_circles(count: int) -> str:
    def link(j: int) -> str:
        return function(f'%t = {ALLOC}"func.call"() <{{callee = @f{(j + 1) % count}}}> : () -> ()', f"f{j}")

    kernels = joined(count, lambda j: gpu_func(f'"func.call"() <{{callee = @f{j}}}> : () -> ()', f"k{j}"))
    return module(joined(count, link) + kernels)


def one_global(count: int) -> str:
    get = '%t = "memref.get_global"() <{name = @g}> : () -> memref<3x4xf32, 3>'
    declared = '"memref.global"() <{sym_name = "g", type = memref<3x4xf32, 3>}> : () -> ()\n'
    return module(declared + joined(count, lambda j: gpu_func(get, f"k{j}")))


def judge(schedule: Schedule) -> None:
    try:
        schedule.footprint(schedule.stages)
    except NoFootprint:
        return
    if schedule.stages > 1:
        with suppress(CannotRestage):
            schedule.restage(1)


def seconds(text: str) -> float:
    """What it takes to find and to rewrite all kernels of a module that has been read."""
    parsed = read(text)
    start = process_time()
    for schedule in schedules(parsed):
        judge(schedule)
    return process_time() - start


MODULES = (
    in_one_loop,
    with_barriers,
    with_slots_of_their_own,
    in_loops_of_their_own,
    attributions,
    accesses,
    accesses_in_a_loop_with_many_bounds,
    indices_of_one_long_sum,
    sums_of_many_counters,
    quotients_of_many_counters,
    remainders_of_remainders,
    choices_of_choices,
    carried_slots,
    carried_buffers,
    exchanged_buffers,
    views_of_views,
    calls,
    calls_of_the_rest,
    calls_of_many_buffers,
    calls_in_circles,
    one_global,
)


@pytest.mark.parametrize("text", MODULES, ids=lambda text: text.__name__)
def test_many(text: Callable[[int], str]):
    small, large = (min(seconds(text(count)) for _ in range(2)) for count in (MANY, TIMES * MANY))
    assert large < MOST_RATIO * max(small, LEAST_SECONDS), (small, large)


def test_no_more_counters_are_told_apart_than_kernels_have():
    """A quotient next to a remainder of the same counter shows one tile; of too many counters, that is not known."""
    slot = (
        REMAINDER.format("s", "%b{0}") + QUOTIENT.format("q", "%b{0}") + STORE.format("t0", "%s").replace("%c0", "%q")
    )
    for count, unknown in ((60, False), (70, True)):
        body = loop_with(count, "index", lambda _: "%c0", slot.format(count - 1), lambda j: f"%b{j}")
        (kernel,) = schedules(read(function(allocated(1) + CONSTANT_3 + body)))
        assert (kernel.stages, kernel.unknown is not None) == (1, unknown)


@pytest.mark.parametrize("text", [calls, calls_in_circles, calls_of_many_buffers])
def test_no_more_buffers_are_counted_than_kernels_have(text: Callable[[int], str]):
    most = 100
    kernels = schedules(read(text(most)))
    assert [(kernel.name, kernel.footprint(1).count) for kernel in kernels] == [
        (f"k{j}", most * 48) for j in range(most)
    ]
    for kernel in schedules(read(text(most + 1))):
        with pytest.raises(NoFootprint, match="it calls functions with more than 100 buffers in threadgroup memory"):
            kernel.footprint(1)
