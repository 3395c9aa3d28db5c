"""Every fast path gives what the ordinary path gives: the output, every message, and their places."""

from io import StringIO
from random import Random

import pytest
from hypothesis import given
from mutations import corpus, mutated, truncations
from strategies import every, modules
from xdsl.dialects.builtin import ModuleOp

from rlx_sched.ir.writer import write_module
from rlx_sched.passes.occupancy_filter import OccupancyFilter
from rlx_sched.tools.driver import Part, Settings, process

CUSTOM = """\
sched.kernel @k stages 3 {
  sched.buffer @a rotating : memref<16x16xf32, 3>
  sched.buffer @b rotating slots(stages - 1) dynamic alignment 64 : memref<16x16xf32>
}
sched.kernel @l stages 1 target <"Apple M4"> stripped <3, slower 0.5> footprint <8 -> 9> verdict <unknown "no"> {
  sched.buffer @a : memref<4xi8>
}
"""
GENERIC = """\
"sched.kernel"() <{sym_name = "k", stages = 3 : i64, verdict = #sched.verdict<slower 0.5>}> ({
  "sched.buffer"() <{sym_name = "a", rotating, type = memref<16x16xf32>}> : () -> ()
  "sched.buffer"() <{alignment = 64 : i64, sym_name = "b", rotating, slots = #sched.slots<stages - 1>, type = memref<4xf32>}> : () -> ()
}) : () -> ()
"sched.kernel"() <{sym_name = "l", stages = 3 : i64}> ({
  "sched.buffer"() <{sym_name = "a", rotating, type = memref<16x16xf32>}> : () -> ()
}) : () -> ()
"""  # noqa: E501
FOREIGN = """\
"builtin.module"() ({
  "func.func"() ({
  ^bb0(%arg0: i32, %arg1: i32):
    %0 = "t.add"(%arg0, %arg1) <{flags = #t.none}> : (i32, i32) -> i32
    %1 = "t.add"(%0, %arg1) <{flags = #t.none}> : (i32, i32) -> i32
    %2:2 = "t.two"(%1) {a = 1.0 : f32} : (i32) -> (i32, f32) loc("a":1:2)
    %x, %y = "t.two"(%1) {a = 1.0 : f32} : (i32) -> (i32, f32)
    %3, %4 = "t.two"(%x) {a = 1.0 : f32} : (i32) -> (i32, f32)
    "t.use"(%2#0, %2#1) : (i32, f32) -> ()
    "t.use"(%3, %4) : (i32, f32) -> ()
    "gpu.func"() ({
      %0 = "t.c"() : () -> i32
      "t.u"(%0) : (i32) -> ()
    }) : () -> ()
    "t.u"(%0) : (i32) -> ()
    %c = "t.c"() : () -> i32
    "t.br"(%c)[^bb1] : (i32) -> ()
  ^bb1(%z: i32):
    %5 = "t.add"(%z, %arg1) <{flags = #t.none}> : (i32, i32) -> i32
    "t.return"(%5) : (i32) -> ()
  }) : () -> ()
}) : () -> ()
"""
PLAIN = {
    "custom in a module": f"builtin.module {{\n{CUSTOM}}}\n",
    "custom candidates": f"sched.candidates @s {{\n{CUSTOM}}}\n",
    "custom in a generic module": f'"builtin.module"() ({{\n{CUSTOM}}}) : () -> ()\n',
    "generic": f"builtin.module {{\n{GENERIC}}}\n",
    "both": f'"builtin.module"() ({{\n{GENERIC}{CUSTOM.replace("@k", "@m").replace("@l", "@n")}}}) : () -> ()\n',
    "another dialect": FOREIGN,
}


def outcome(text: str, *, fast_path: bool) -> tuple[str, str, object]:
    """The output, the diagnostics, and the remarks for `text`."""
    stderr = StringIO()
    passes = (OccupancyFilter(target="Apple M4 Pro"),)
    wanted = Settings(passes=passes, show_remarks=True, keep_remarks=True, debuginfo=True, fast_path=fast_path)
    done = process(Part(text, "t.mlir"), wanted, stderr)
    return done.text, stderr.getvalue(), done.remarks


def check(text: str) -> None:
    assert outcome(text, fast_path=True) == outcome(text, fast_path=False)


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
def test_the_texts_to_start_from_are_valid(text: str):
    check(text)
    printed, stderr, _ = outcome(text, fast_path=True)
    assert printed
    assert "error" not in stderr


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
def test_truncated_texts(text: str):
    for cut in list(truncations(text))[:: 5 if text is FOREIGN else 3]:
        check(cut.decode())


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
def test_mutated_texts(text: str):
    random = Random(text)
    for _ in range(250):
        check(mutated(text, random))


def test_mutated_files_of_the_tests():
    random = Random(4)
    for text in corpus()[::4]:
        check(mutated(text, random, corpus()))


@every
@given(modules())
def test_modules_of_the_dialect(module: ModuleOp):
    for generic in (False, True):
        stream = StringIO()
        write_module(module, stream, generic=generic)
        check(stream.getvalue())


@pytest.mark.parametrize(
    "text",
    [
        # What follows the type on its line was dropped.
        "builtin.module {\nsched.kernel @k {\n  sched.buffer @a : memref<4xi8>3\n}\n}\n",
        'builtin.module {\n"sched.kernel"() <{sym_name = "k", stages = 3 : i64}> ({\n}) : () -> ()() -> ()\n}\n',
        # A kernel at the end of one of several blocks has to be a terminator, which it is not.
        '"builtin.module"() ({\nsched.kernel @k {\n}^bb0:\nsched.kernel @l {\n}\n}) : () -> ()\n',
        # `%5x` is not the name of a value.
        FOREIGN.replace("%5 =", "%5x ="),
        FOREIGN.replace("%1 =", "%1x ="),
    ],
)
def test_what_was_found_by_trying(text: str):
    check(text)
    assert "error" in outcome(text, fast_path=True)[1]
