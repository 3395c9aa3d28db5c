"""Operations are where their names are in the text, or where their `loc(...)` says."""

from io import StringIO
from textwrap import dedent

import pytest
from round_trip import CORPUS
from support import run_tool
from xdsl.dialects.builtin import FusedLoc, LocationAttr, UnregisteredOp
from xdsl.ir import Operation

from rlx_sched.diagnostics import Severity
from rlx_sched.ir.reader import read_module
from rlx_sched.ir.source_map import KEPT_OF_LINE, Place, SourceMap
from rlx_sched.ir.writer import write_module
from rlx_sched.tools.registry import new_context
from rlx_sched.tools.render import Message, render

TEXT = dedent("""
    "t.outer"() ({
      %0 = "t.plain"() : () -> i32
      "t.named"() : () -> () loc("n"(callsite("k.py":3:4 at "q")))
    }) : () -> ()
""").lstrip()


def places(line_offset: int = 0) -> dict[str, Place | None]:
    module, source = read_module(new_context(), TEXT, "f.mlir", line_offset=line_offset)
    return {op.op_name.data: source.place(op) for op in module.walk() if isinstance(op, UnregisteredOp)}


def test_operations_are_where_their_names_are() -> None:
    assert places()["t.plain"] == Place("f.mlir", 2, 8, '  %0 = "t.plain"() : () -> i32')
    assert places(line_offset=5)["t.outer"] == Place("f.mlir", 6, 1, '"t.outer"() ({')


def test_a_written_location_comes_first() -> None:
    assert places()["t.named"] == Place("k.py", 3, 4)


def test_what_was_not_read_is_where_its_surroundings_are() -> None:
    module, source = read_module(new_context(), TEXT, "f.mlir")
    outer = module.body.block.first_op
    assert outer is not None
    added: Operation = UnregisteredOp.with_name("t.added").create()
    outer.regions[0].block.add_op(added)
    assert source.place(added) == source.place(outer)


def test_positions_are_those_of_mlir_opt() -> None:
    text = (CORPUS / "mlir-opt/mm_f32_t32x32x16.mb3.launch.generic.mlir").read_text()
    module, source = read_module(new_context(), text, "-")
    source.materialize(module)
    stream = StringIO()
    write_module(module, stream, debuginfo=True)
    options = ("--mlir-print-op-generic", "--mlir-print-debuginfo")
    assert run_tool("mlir-opt", *options, text=stream.getvalue()) == run_tool("mlir-opt", *options, text=text).replace(
        "<stdin>", "-"
    )


@pytest.mark.parametrize("column", [1, KEPT_OF_LINE, KEPT_OF_LINE + 1, KEPT_OF_LINE + 2, 100_000])
def test_a_place_keeps_what_is_around_it_of_a_long_line(column: int) -> None:
    line = "".join(chr(ord("a") + index % 26) for index in range(100_000))
    place = SourceMap(f"first\n{line}\nlast", "f.mlir", 5).at(len("first\n") + column - 1)
    assert str(place) == f"f.mlir:7:{column}"
    assert len(place.line_text) <= 2 * KEPT_OF_LINE
    assert line.startswith(place.line_text, place.left_out)
    message = Message(Severity.ERROR, "text", place)
    assert render(message) == render(message._replace(place=Place("f.mlir", 7, column, line)))


def test_a_long_location_that_is_shared_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    text = '#a = loc(fused["a":1:2, "b":3:4])\n' + '"t.op"() : () -> () loc(#a)\n' * 9
    module, source = read_module(new_context(), text, "f.mlir")
    looked_at: list[LocationAttr] = []
    plain = FusedLoc.__str__

    def look(location: FusedLoc) -> str:
        looked_at.append(location)
        return plain(location)

    monkeypatch.setattr(FusedLoc, "__str__", look)
    assert [source.place(op) for op in module.body.ops] == [Place("a", 1, 2)] * 9
    assert len(looked_at) == 1


def test_a_place_that_is_not_in_the_text() -> None:
    source = SourceMap("first\n", "f.mlir")
    assert source.at_column(9, 1) == Place("f.mlir", 9, 1)
    assert source.at_column(1, 9999).line_text == ""


UNKNOWN = """\
#nowhere = loc(unknown)
"builtin.module"() ({
  "t.op"() : () -> () loc(unknown)
  "t.op"() : () -> ()
  "t.op"() : () -> () loc(#nowhere)
  "t.region"() ({
  ^bb0(%a: i32 loc(unknown), %b: i32):
    "t.op"() : () -> () loc(unknown)
  }) : () -> () loc(fused[unknown, "a":1:2])
  "builtin.module"() ({
  ^bb0:
  }) : () -> () loc(unknown)
}) : () -> () loc(unknown)
"""


def test_a_location_that_is_written_as_unknown_stays_so() -> None:
    """And means nothing to diagnostics, which go by where the operation was read."""
    module, source = read_module(new_context(), UNKNOWN, "<stdin>")
    first = module.body.block.first_op
    assert first is not None
    place = source.place(first)
    assert place is not None
    assert (place.line, place.column) == (3, 3)
    source.materialize(module)
    stream = StringIO()
    write_module(module, stream, generic=True, debuginfo=True)
    options = ("--mlir-print-op-generic", "--mlir-print-debuginfo", "--allow-unregistered-dialect")
    assert run_tool("mlir-opt", *options, text=stream.getvalue()) == run_tool("mlir-opt", *options, text=UNKNOWN)


def test_a_location_of_the_dialect_that_is_written_as_unknown_stays_so() -> None:
    text = "sched.kernel @k {\n  sched.buffer @a : memref<4xi8> loc(unknown)\n} loc(unknown)\n"
    module, source = read_module(new_context(), text, "f.mlir")
    source.materialize(module)
    stream = StringIO()
    write_module(module, stream, debuginfo=True)
    assert stream.getvalue().count("loc(unknown)") == 3
