"""Slots are seen however passes spell them; where they are not, one stage is never called exact."""

import pytest
from multibuffered import generic, schedules
from round_trip import read, write

from rlx_sched.dialect.attributes import Bound
from rlx_sched.sources.schedule import CannotRestage

CONSTANTS = "\n".join(f"%c{i} = arith.constant {i} : index" for i in (0, 1, 2, 3, 4, 16, 60))


def kernel(body: str, buffers: str = "%t: memref<3x8xf32, 3>", arguments: str = "%n: index") -> str:
    return generic(f"""
    gpu.module @m {{ gpu.func @k({arguments}) workgroup({buffers}) kernel {{
      {CONSTANTS}
      %f = arith.constant 0.0 : f32
      %tid = gpu.thread_id x
      {body}
      gpu.return
    }} }}""")


def loop(body: str, buffer: str = "%t", type: str = "memref<3x8xf32, 3>", indices: str = "%s, %c0") -> str:
    """A loop with the counter %i over what `body` names %s."""
    return f"""
      scf.for %i = %c0 to %c60 step %c1 {{
        {body}
        memref.store %f, {buffer}[{indices}] : {type}
      }}"""


def carried(next: str, slots: int = 3, first: str = "%c0") -> str:
    """A loop that carries the slot %s from one iteration to the next, where it is %w."""
    return f"""
      %last = scf.for %i = %c0 to %c60 step %c1 iter_args(%s = {first}) -> index {{
        memref.store %f, %t[%s, %c0] : memref<{slots}x8xf32, 3>
        {next}
        scf.yield %w : index
      }}"""


MOD = "%s = affine.apply affine_map<(d0) -> (d0 mod 3)>(%i)"
UP = "%u = arith.addi %s, %c1 : index\n"
SPELLED = {
    "arith.remsi": (3, loop("%s = arith.remsi %i, %c3 : index")),
    "index.rems": (3, loop("%s = index.rems %i, %c3")),
    "arith.andi": (4, loop("%s = arith.andi %i, %c3 : index")),
    "index.and": (4, loop("%s = index.and %c3, %i")),
    "i32": (
        3,
        "%t3 = arith.constant 3 : i32\n"
        + loop(
            "%j = arith.index_cast %i : index to i32\n%r = arith.remsi %j, %t3 : i32\n"
            "%s = arith.index_cast %r : i32 to index"
        ),
    ),
    "i32, widened": (
        3,
        "%t3 = arith.constant 3 : i32\n"
        + loop(
            "%j = arith.index_cast %i : index to i32\n%r = arith.remui %j, %t3 : i32\n"
            "%l = arith.extui %r : i32 to i64\n"
            "%s = arith.index_cast %l : i64 to index"
        ),
    ),
    "nothing added": (3, loop("%r = arith.remui %i, %c3 : index\n%s = arith.addi %r, %c0 : index")),
    "clamped": (3, loop("%r = arith.remui %i, %c3 : index\n%s = arith.minui %r, %c2 : index")),
    "reduced by hand": (
        3,
        carried(
            UP + "%v = arith.subi %u, %c3 : index\n%o = arith.cmpi uge, %u, %c3 : index\n"
            "%w = arith.select %o, %v, %u : index"
        ),
    ),
    "starts again when equal": (
        3,
        carried(UP + "%o = arith.cmpi eq, %u, %c3 : index\n%w = arith.select %o, %c0, %u : index"),
    ),
    "goes on while below": (
        3,
        carried(UP + "%o = arith.cmpi ult, %u, %c3 : index\n%w = arith.select %o, %u, %c0 : index"),
    ),
    "starts again when above": (
        3,
        carried(UP + "%o = arith.cmpi sgt, %u, %c2 : index\n%w = arith.select %o, %c0, %u : index"),
    ),
    "starts again after the last": (
        3,
        carried(UP + "%o = arith.cmpi eq, %s, %c2 : index\n%w = arith.select %o, %c0, %u : index"),
    ),
    "counts down": (
        3,
        carried(
            "%u = arith.subi %s, %c1 : index\n%o = arith.cmpi eq, %s, %c0 : index\n"
            "%w = arith.select %o, %c2, %u : index"
        ),
    ),
    "counts down below zero": (
        3,
        carried(
            "%u = arith.subi %s, %c1 : index\n%o = arith.cmpi slt, %u, %c0 : index\n"
            "%w = arith.select %o, %c2, %u : index"
        ),
    ),
    "turned by xori": (2, carried("%w = arith.xori %s, %c1 : index", 2)),
    "turned by subi": (2, carried("%w = arith.subi %c1, %s : index", 2)),
    "carried flag": (
        2,
        """%no = arith.constant false
      %yes = arith.constant true
      %last = scf.for %i = %c0 to %c60 step %c1 iter_args(%p = %no) -> i1 {
        %s = arith.index_castui %p : i1 to index
        memref.store %f, %t[%s, %c0] : memref<2x8xf32, 3>
        %w = arith.xori %p, %yes : i1
        scf.yield %w : i1
      }""",
    ),
    "flag of an index": (2, loop("%o = arith.cmpi eq, %i, %c1 : index\n%s = index.castu %o : i1 to index")),
    "chosen": (
        2,
        loop(
            "%r = arith.andi %i, %c1 : index\n%o = arith.cmpi eq, %r, %c0 : index\n"
            "%s = arith.select %o, %c0, %c1 : index"
        ),
    ),
    "used after the loop": (
        3,
        """%last = scf.for %i = %c0 to %c60 step %c1 iter_args(%a = %c0) -> index {
        %w = arith.remui %i, %c3 : index
        scf.yield %w : index
      }
      memref.store %f, %t[%last, %c0] : memref<3x8xf32, 3>""",
    ),
    "chosen by a condition": (
        3,
        carried(
            UP + "%o = arith.cmpi eq, %u, %c3 : index\n"
            "%w = scf.if %o -> index { scf.yield %c0 : index } else { scf.yield %u : index }"
        ),
    ),
    "less the multiple of a quotient": (
        3,
        loop("%q = arith.divui %i, %c3 : index\n%p = arith.muli %q, %c3 : index\n%s = arith.subi %i, %p : index"),
    ),
    "delinearized": (3, loop("%q, %s = affine.delinearize_index %i into (3) : index, index")),
    "delinearized, with a bound": (3, loop("%q, %s = affine.delinearize_index %i into (20, 3) : index, index")),
    "in the map of an access": (3, "affine.for %i = 0 to 60 { affine.store %f, %t[%i mod 3, 0] : memref<3x8xf32, 3> }"),
    "of an operand of an access": (
        3,
        "affine.for %i = 0 to 60 {\n" + MOD + "\naffine.store %f, %t[%s, 0] : memref<3x8xf32, 3> }",
    ),
}


@pytest.mark.parametrize("name", SPELLED)
def test_slots_are_counted_however_they_are_spelled(name: str):
    slots, body = SPELLED[name]
    type = f"memref<{slots}x8xf32, 3>"
    text = kernel(body.replace("memref<3x8xf32, 3>", type), f"%t: {type}")
    (schedule,) = schedules(read(text))
    assert (schedule.stages, schedule.unknown) == (slots, None)
    assert (schedule.baseline().count, schedule.footprint(slots).count) == (32, 32 * slots)


@pytest.mark.parametrize("name", [name for name in SPELLED if name not in ("arith.remsi", "index.rems")])
def test_only_a_modulus_is_rewritten(name: str):
    slots, body = SPELLED[name]
    type = f"memref<{slots}x8xf32, 3>"
    module = read(kernel(body.replace("memref<3x8xf32, 3>", type), f"%t: {type}"))
    text = write(module)
    with pytest.raises(CannotRestage):
        schedules(module)[0].restage(1)
    assert write(module) == text


NO_SLOTS = {
    "row by row": loop("%s = arith.addi %i, %c0 : index"),
    "by the thread": loop("%s = arith.remsi %tid, %c3 : index"),
    "by the thread and the loop": loop("%a = arith.addi %tid, %i : index\n%s = arith.remsi %a, %c3 : index"),
    "by the thread, masked": loop("%s = arith.andi %tid, %c1 : index"),
    "by an argument": loop("%s = arith.remui %n, %c3 : index"),
    "fewer than there are": loop("%s = arith.andi %i, %c1 : index"),
    "stopped at the last": loop("%o = arith.cmpi slt, %i, %c3 : index\n%s = arith.select %o, %i, %c2 : index"),
    "stopped at the last, as arith-expand leaves it": loop(
        "%o = arith.cmpi slt, %i, %c2 : index\n%s = arith.select %o, %i, %c2 : index"
    ),
    "stopped at the first": loop("%o = arith.cmpi slt, %i, %c0 : index\n%s = arith.select %o, %c0, %i : index"),
    "stopped by minsi": loop("%s = arith.minsi %i, %c2 : index"),
    "carried and added to": carried("%w = arith.addi %s, %c1 : index"),
    "column by column": loop("%s = arith.remsi %i, %c3 : index\n%q = arith.divsi %i, %c3 : index", indices="%s, %q"),
    "column by column, delinearized": loop(
        "%q, %s = affine.delinearize_index %i into (20, 3) : index, index", indices="%s, %q"
    ),
    "delinearized by the thread": loop("%q, %s = affine.delinearize_index %tid into (20, 3) : index, index"),
    "quotient": loop("%s, %r = affine.delinearize_index %i into (3, 20) : index, index"),
    "column by column, affine": "affine.for %i = 0 to 24 {"
    "\naffine.store %f, %t[%i mod 3, %i floordiv 3] : memref<3x8xf32, 3> }",
    "another dimension": "affine.for %i = 0 to 60 {\n" + MOD + "\naffine.store %f, %t[0, %s] : memref<3x8xf32, 3> }",
    "by the thread, through a view": "%u ="
    " memref.collapse_shape %t [[0, 1]] : memref<3x8xf32, 3> into memref<24xf32, 3>"
    + loop("%r = arith.remsi %tid, %c3 : index\n%s = arith.addi %r, %i : index", "%u", "memref<24xf32, 3>", "%s"),
    "in another dimension of a view": "%u = memref.cast %t : memref<3x8xf32, 3> to memref<?x8xf32, 3>"
    + loop(MOD, "%u", "memref<?x8xf32, 3>", "%c0, %s"),
    "in one slot": "%u = memref.subview %t[1, 0] [1, 8] [1, 1] : memref<3x8xf32, 3>"
    " to memref<8xf32, strided<[1], offset: 8>, 3>"
    + loop(MOD, "%u", "memref<8xf32, strided<[1], offset: 8>, 3>", "%s"),
}


@pytest.mark.parametrize("name", NO_SLOTS)
def test_what_does_not_rotate_has_one_stage(name: str):
    (schedule,) = schedules(read(kernel(NO_SLOTS[name])))
    assert (schedule.stages, schedule.unknown) == (1, None)
    assert (schedule.baseline().count, schedule.baseline().bound) == (96, Bound.EXACT)


def through(
    view: str, type: str, indices: str = "%s, %c0", buffer: str = "memref<3x8xf32, 3>", indexed: str = "%u"
) -> tuple[str, str]:
    """A kernel that indexes a view %u by a modulus, and the type of the buffer that this is a view of."""
    return f"%u = {view}\n{loop(MOD, indexed, type, indices)}", buffer


COPY = "memref<3x8xf32, strided<[8, 1]>, 3>"
VIEWS = {
    "assume_alignment": through("memref.assume_alignment %t, 16 : memref<3x8xf32, 3>", "memref<3x8xf32, 3>"),
    "cast": through("memref.cast %t : memref<3x8xf32, 3> to memref<?x8xf32, 3>", "memref<?x8xf32, 3>"),
    "memory_space_cast": through(
        "memref.memory_space_cast %t : memref<3x8xf32, 3> to memref<3x8xf32>", "memref<3x8xf32>"
    ),
    "whole subview": through(f"memref.subview %t[0, 0] [3, 8] [1, 1] : memref<3x8xf32, 3> to {COPY}", COPY),
    "subview of some columns": through(
        "memref.subview %t[0, 2] [3, 4] [1, 1] : memref<3x8xf32, 3> to memref<3x4xf32, strided<[8, 1], offset: 2>, 3>",
        "memref<3x4xf32, strided<[8, 1], offset: 2>, 3>",
    ),
    "collapse_shape": through(
        "memref.collapse_shape %t [[0], [1, 2]] : memref<3x2x4xf32, 3> into memref<3x8xf32, 3>",
        "memref<3x8xf32, 3>",
        buffer="memref<3x2x4xf32, 3>",
    ),
    "expand_shape": through(
        "memref.expand_shape %t [[0], [1, 2]] output_shape [3, 2, 4] : memref<3x8xf32, 3> into memref<3x2x4xf32, 3>",
        "memref<3x2x4xf32, 3>",
        "%s, %c0, %c0",
    ),
    "expand_shape by a unit": through(
        "memref.expand_shape %t [[0, 1], [2]] output_shape [1, 3, 8] : memref<3x8xf32, 3> into memref<1x3x8xf32, 3>",
        "memref<1x3x8xf32, 3>",
        "%c0, %s, %c0",
    ),
    "transpose": through(
        "memref.transpose %t (a, b) -> (b, a) : memref<3x8xf32, 3> to memref<8x3xf32, strided<[1, 8]>, 3>",
        "memref<8x3xf32, strided<[1, 8]>, 3>",
        "%c0, %s",
    ),
    "view of a view": through(
        "memref.cast %t : memref<3x8xf32, 3> to memref<?x8xf32, 3>\n"
        "%v = memref.cast %u : memref<?x8xf32, 3> to memref<3x8xf32, 3>",
        "memref<3x8xf32, 3>",
        indexed="%v",
    ),
    "carried by a loop": (
        "%last = scf.for %i = %c0 to %c60 step %c1 iter_args(%u = %t) -> memref<3x8xf32, 3> {\n"
        + MOD
        + "\nmemref.store %f, %u[%s, %c0] : memref<3x8xf32, 3>\nscf.yield %u : memref<3x8xf32, 3>\n}",
        "memref<3x8xf32, 3>",
    ),
}


@pytest.mark.parametrize("name", VIEWS)
def test_slots_are_counted_through_views(name: str):
    body, type = VIEWS[name]
    module = read(kernel(body, f"%t: {type}"))
    (schedule,) = schedules(module)
    assert (schedule.stages, schedule.unknown) == (3, None)
    assert schedule.baseline().count == 32
    text = write(module)
    with pytest.raises(CannotRestage):
        schedule.restage(1)
    assert write(module) == text


PAIR = "(memref<8xf32, 3>, memref<8xf32, 3>)"
SWAPPED = f"""%last:2 = scf.for %i = %c0 to %c60 step %c1 iter_args(%x = %a, %y = %b) -> {PAIR} {{
  memref.store %f, %x[%c0] : memref<8xf32, 3>
  scf.yield %y, %x : memref<8xf32, 3>, memref<8xf32, 3>
}}"""
TWO = "%a: memref<8xf32, 3>, %b: memref<8xf32, 3>"
UNSEEN = {
    "reinterpret_cast": through(
        f"memref.reinterpret_cast %t to offset: [0], sizes: [3, 8], strides: [8, 1] : memref<3x8xf32, 3> to {COPY}",
        COPY,
    ),
    "all in one dimension": through(
        "memref.collapse_shape %t [[0, 1]] : memref<3x8xf32, 3> into memref<24xf32, 3>", "memref<24xf32, 3>", "%s"
    ),
    "view of bytes": through(
        "memref.view %t[%c0][] : memref<96xi8, 3> to memref<3x8xf32, 3>",
        "memref<3x8xf32, 3>",
        buffer="memref<96xi8, 3>",
    ),
    "view of two of the slots": through(
        f"memref.subview %t[0, 0] [2, 8] [1, 1] : memref<3x8xf32, 3> to {COPY.replace('3x', '2x')}",
        COPY.replace("3x", "2x"),
    ),
    "offsets from the start": (
        "%u = memref.collapse_shape %t [[0, 1]] : memref<3x8xf32, 3> into memref<24xf32, 3>\n"
        + loop(
            MOD + "\n%o = arith.muli %s, %c4 : index\n%p = arith.addi %o, %i : index", "%u", "memref<24xf32, 3>", "%p"
        ),
        "memref<3x8xf32, 3>",
    ),
    "rows from the first one of a slot": (
        loop(MOD + "\n%o = arith.muli %s, %c4 : index\n%p = arith.addi %o, %tid : index", indices="%p, %c0").replace(
            "3x8", "12x8"
        ),
        "memref<12x8xf32, 3>",
    ),
    "elements from the first one of a slot": (
        loop(MOD + "\n%o = arith.muli %s, %c4 : index", type="memref<12xf32, 3>", indices="%o"),
        "memref<12xf32, 3>",
    ),
    "modulo different numbers": (
        loop(
            "%x = arith.remui %i, %c3 : index\n%y = arith.remui %i, %c2 : index\n"
            "%o = arith.cmpi ult, %i, %c16 : index\n"
            "%s = arith.select %o, %x, %y : index"
        ),
        "memref<3x8xf32, 3>",
    ),
}


@pytest.mark.parametrize("name", UNSEEN)
def test_slots_that_are_not_seen_make_the_verdict_unknown(name: str):
    body, type = UNSEEN[name]
    assert_unseen(kernel(body, f"%t: {type}"))


def assert_unseen(text: str) -> None:
    (schedule,) = schedules(read(text))
    assert schedule.stages == 1
    assert schedule.unknown == "a loop goes through a buffer in a way that does not show its slots"
    assert schedule.baseline().bound is Bound.AT_MOST


EXCHANGES = {
    "swapped by a loop": SWAPPED,
    "chosen": loop(
        "%r = arith.andi %i, %c1 : index\n%o = arith.cmpi eq, %r, %c0 : index\n"
        "%u = arith.select %o, %a, %b : memref<8xf32, 3>",
        "%u",
        "memref<8xf32, 3>",
        "%c0",
    ),
    "swapped by an affine loop": f"""%last:2 = affine.for %i = 0 to 60 iter_args(%x = %a, %y = %b) -> {PAIR} {{
      memref.store %f, %x[%c0] : memref<8xf32, 3>
      affine.yield %y, %x : memref<8xf32, 3>, memref<8xf32, 3>
    }}""",
    "swapped while a condition holds": f"""%go = arith.constant true
    %last:2 = scf.while (%x = %a, %y = %b) : {PAIR} -> {PAIR} {{
      scf.condition(%go) %y, %x : memref<8xf32, 3>, memref<8xf32, 3>
    }} do {{
    ^bb0(%x: memref<8xf32, 3>, %y: memref<8xf32, 3>):
      memref.store %f, %x[%c0] : memref<8xf32, 3>
      scf.yield %x, %y : memref<8xf32, 3>, memref<8xf32, 3>
    }}""",
    "chosen by an affine condition": """affine.for %i = 0 to 60 {
      %u = affine.if affine_set<(d0) : (d0 mod 2 == 0)>(%i) -> memref<8xf32, 3> {
        affine.yield %a : memref<8xf32, 3>
      } else {
        affine.yield %b : memref<8xf32, 3>
      }
      memref.store %f, %u[%c0] : memref<8xf32, 3>
    }""",
    "swapped by a loop, as views": SWAPPED.replace("%a,", "%va,")
    .replace("%b)", "%vb)")
    .replace(
        "%last",
        "%va = memref.assume_alignment %a, 16 : memref<8xf32, 3>\n"
        "%vb = memref.assume_alignment %b, 16 : memref<8xf32, 3>\n%last",
        1,
    ),
}


@pytest.mark.parametrize("name", EXCHANGES)
def test_buffers_that_take_turns_may_be_slots(name: str):
    assert_unseen(kernel(EXCHANGES[name], TWO))


def test_the_slots_of_one_buffer_that_take_turns():
    one = "memref<8xf32, strided<[1]>, 3>"
    other = "memref<8xf32, strided<[1], offset: 8>, 3>"
    some = "memref<8xf32, strided<[1], offset: ?>, 3>"
    views = f"""
      %p = memref.subview %t[0, 0] [1, 8] [1, 1] : memref<2x8xf32, 3> to {one}
      %q = memref.subview %t[1, 0] [1, 8] [1, 1] : memref<2x8xf32, 3> to {other}
      %a = memref.cast %p : {one} to {some}
      %b = memref.cast %q : {other} to {some}
    """
    assert_unseen(kernel(views + SWAPPED.replace("memref<8xf32, 3>", some), "%t: memref<2x8xf32, 3>"))
