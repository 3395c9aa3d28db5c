"""Reading threadgroup memory out of kernels of upstream MLIR."""

import csv
from pathlib import Path
from typing import NamedTuple

import pytest
from xdsl.context import Context
from xdsl.dialects import affine, arith, builtin, func, memref, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Dialect
from xdsl.parser import Parser

from rlx_sched.dialect.attributes import Bound, Bytes
from rlx_sched.dialect.layout import NoFootprint
from rlx_sched.sources.schedule import Schedule
from rlx_sched.sources.upstream import UpstreamSource

CORPUS = Path(__file__).parent.parent / "corpus"
OPAQUE = (builtin.Builtin,)
KNOWN = (builtin.Builtin, affine.Affine, arith.Arith, func.Func, memref.MemRef, scf.Scf)


def parse(text: str, dialects: tuple[Dialect, ...] = OPAQUE) -> ModuleOp:
    context = Context(allow_unregistered=True)
    for dialect in dialects:
        context.load_dialect(dialect)
    return Parser(context, text).parse_module()


def kernels(text: str, dialects: tuple[Dialect, ...] = OPAQUE) -> list[Schedule]:
    return list(UpstreamSource().schedules(parse(text, dialects)))


class Row(NamedTuple):
    file: str
    slots: int
    one_slot_bytes: int
    bytes: int


def truth() -> list[Row]:
    with (CORPUS / "TRUTH.tsv").open() as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["file"].startswith("mlir-opt/")]
    return [Row(row["file"], int(row["slots"]), int(row["one_slot_bytes"]), int(row["bytes"])) for row in rows]


@pytest.mark.parametrize("row", truth(), ids=lambda row: row.file)
def test_bytes_are_those_of_the_compiled_kernel(row: Row):
    (kernel,) = kernels((CORPUS / row.file).read_text())
    assert kernel.name in ("mm", "mm_kernel")
    assert kernel.stages == row.slots
    assert kernel.baseline() == Bytes(row.one_slot_bytes)
    assert kernel.footprint(kernel.stages) == Bytes(row.bytes)


@pytest.mark.parametrize("form", ["mm_f32_t32x32x16_v.mb3.async", "mm_f32_t32x32x16_v_ms3.mb3.pipelined"])
def test_slots_folded_into_accesses_and_carried_by_loops(form: str):
    (kernel,) = kernels((CORPUS / f"mlir-opt/{form}.generic.mlir").read_text())
    assert (kernel.stages, kernel.baseline(), kernel.footprint(3)) == (3, Bytes(4096), Bytes(12288))


def launch(body: str, *, arguments: int = 12, attributions: str = "", segments: str = "", operands: str = "") -> str:
    """A `gpu.launch` in generic form; sizes are all `%c`."""
    names = ", ".join(f"%l{i}: index" for i in range(arguments))
    groups = segments or "0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0"
    sizes = ", ".join(["%c"] * 6)
    types = ", ".join(["index"] * 6 + ["i32"] * bool(operands))
    return f"""
      "gpu.launch"({sizes}{operands}) <{{operandSegmentSizes = array<i32: {groups}>}}> ({{
      ^bb0({names}{attributions}):
        {body}
        "gpu.terminator"() : () -> ()
      }}) {{workgroup_attributions = {attributions.count("memref")} : i64}} : ({types}) -> ()"""


def function(body: str, name: str = "f") -> str:
    return f"""
    "func.func"() <{{function_type = () -> (), sym_name = "{name}"}}> ({{
      %c = "arith.constant"() <{{value = 64 : index}}> : () -> index
      {body}
      "func.return"() : () -> ()
    }}) : () -> ()"""


ALLOC = """%{0} = "memref.alloc"() <{{operandSegmentSizes = array<i32: 0, 0>}}> : () -> {1}"""
TILE = "memref<16x16xf32, #gpu.address_space<workgroup>>"


@pytest.mark.parametrize("space", ["#gpu.address_space<workgroup>", "3", "3 : i32", "#spirv.storage_class<Workgroup>"])
@pytest.mark.parametrize("op", ["alloc", "alloca"])
def test_every_spelling_of_the_address_space(space: str, op: str):
    alloc = f""" %a = "memref.{op}"() <{{operandSegmentSizes = array<i32: 0, 0>}}> : () -> memref<8xf32, {space}>"""
    (kernel,) = kernels(function(alloc))
    assert (kernel.name, kernel.baseline()) == ("f", Bytes(32))


@pytest.mark.parametrize("space", ["", ", 1", ", #gpu.address_space<private>", ", #gpu.address_space<global>"])
def test_other_memory_is_no_threadgroup_memory(space: str):
    assert kernels(function(ALLOC.format("a", f"memref<8xf32{space}>"))) == []


def test_layout_is_that_of_the_dialect():
    """Declaration order, each aligned to its element or to its own `alignment`, nothing added at the end."""
    aligned = """%b = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}>
        : () -> memref<5xf32, 3>"""
    body = ALLOC.format("a", "memref<3xi8, 3>") + aligned + ALLOC.format("d", "memref<1xi8, 3>")
    (kernel,) = kernels(function(body))
    assert kernel.baseline() == Bytes(64 + 20 + 1)


def test_layout_is_in_source_order_whatever_makes_the_memory():
    text = """
    "memref.global"() <{sym_name = "g", sym_visibility = "private", type = memref<1xf32, 3>}> : () -> ()"""
    alloca = """%b = "memref.alloca"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}>
        : () -> memref<3xi8, 3>"""
    body = alloca + ALLOC.format("a", "memref<5xf32, 3>")
    body += """ %v = "memref.get_global"() <{name = @g}> : () -> memref<1xf32, 3>"""
    (kernel,) = kernels(text + function(body))
    assert kernel.baseline() == Bytes(64 + 4 + 20)


def test_attributions_follow_the_other_arguments_of_the_kernel():
    (kernel,) = kernels("""
    "gpu.module"() <{sym_name = "m"}> ({
      "gpu.func"() <{function_type = (memref<9xf32>) -> ()}> ({
      ^bb0(%in: memref<9xf32>, %a: memref<8xf32, 3>, %b: memref<4xi8, 3>, %private: memref<7xf32, 5>):
        "gpu.return"() : () -> ()
      }) {gpu.kernel, sym_name = "k", workgroup_attributions = 2 : i64,
          workgroup_attrib_attrs = [{}, {llvm.align = 64 : i64}]} : () -> ()
    }) : () -> ()""")
    assert (kernel.name, kernel.op.attributes["sym_name"], kernel.baseline()) == (
        "k",
        builtin.StringAttr("k"),
        Bytes(64 + 4),
    )


@pytest.mark.parametrize(
    ("arguments", "segments", "operands"),
    [(12, "0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0", ""), (18, "0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0", ", %c, %c, %c")],
)
def test_attributions_of_a_launch(arguments: int, segments: str, operands: str):
    text = launch("", arguments=arguments, segments=segments, attributions=", %w: memref<8xf32, 3>")
    text = text.replace("(%c, %c, %c, %c, %c, %c)", f"(%c, %c, %c, %c, %c, %c{operands})")
    text = text.replace("(index, index, index, index, index, index)", f"({', '.join(['index'] * (arguments // 2))})")
    (kernel,) = kernels(function(text))
    assert kernel.baseline() == Bytes(32)


def test_each_launch_of_a_function_is_a_kernel():
    """What is allocated around launches belongs to those that use it; what is only used outside, to the function."""
    use = """ "test.use"(%v) : (memref<16x16xf32, strided<[16, 1]>, 3>) -> ()"""
    body = (
        ALLOC.format("shared", "memref<16x16xf32, 3>")
        + """ %v = "memref.cast"(%shared) : (memref<16x16xf32, 3>) -> memref<16x16xf32, strided<[16, 1]>, 3>"""
        + launch(use + ALLOC.format("own", "memref<4xf32, 3>"))
        + launch("")
        + launch(use)
        + ALLOC.format("outside", "memref<2xf32, 3>")
    )
    found = kernels(function(body))
    assert [(kernel.name, kernel.baseline().count) for kernel in found] == [
        ("f", 8),
        ("f (launch 1)", 1024 + 16),
        ("f (launch 3)", 1024),
    ]


def test_globals_belong_to_each_kernel_that_names_them_once():
    text = """
    "memref.global"() <{alignment = 16 : i64, initial_value, sym_name = "g", sym_visibility = "private",
        type = memref<4x16xf32, 3>}> : () -> ()
    "memref.global"() <{sym_name = "unused", sym_visibility = "private", type = memref<4x16xf32, 3>}> : () -> ()"""
    get = """ %{0} = "memref.get_global"() <{{name = @g}}> : () -> memref<4x16xf32, 3>"""
    text += function(get.format("a") + get.format("b"), "f") + function(get.format("a"), "g2") + function("", "host")
    assert [(kernel.name, kernel.baseline()) for kernel in kernels(text)] == [("f", Bytes(256)), ("g2", Bytes(256))]


def test_a_global_takes_what_its_declaration_says():
    text = """
    "memref.global"() <{sym_name = "g", sym_visibility = "private", type = memref<64xf32, 3>}> : () -> ()"""
    get = """ %a = "memref.get_global"() <{name = @g}> : () -> memref<2xf32, 3>"""
    (kernel,) = kernels(text + function(get))
    assert kernel.baseline() == Bytes(256)
    assert kernels(text + function(get.replace("@g", "@f"))) == [], "a function is no memory"


def test_a_view_of_itself():
    view = """ %v = "memref.view"(%v, %a) : (memref<4xi8, 3>, memref<4xi8, 3>) -> memref<4xi8, 3>"""
    (kernel,) = kernels(function(ALLOC.format("a", "memref<4xi8, 3>") + launch(view)))
    assert kernel.baseline() == Bytes(4)


def test_memory_of_device_functions_belongs_to_the_kernels_that_call_them():
    text = """ "gpu.module"() <{sym_name = "m"}> ({
      "gpu.func"() <{function_type = () -> ()}> ({
        %a = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<8xi8, 3>
        "func.call"() <{callee = @outer}> : () -> ()
        "gpu.return"() : () -> ()
      }) {gpu.kernel, sym_name = "k", workgroup_attributions = 0 : i64} : () -> ()"""
    text += function(""" "func.call"() <{callee = @inner}> : () -> () """, "outer")
    text += function(ALLOC.format("a", "memref<4xf32, 3>"), "inner") + "}) : () -> ()"
    assert [(kernel.name, kernel.baseline()) for kernel in kernels(text)] == [("k", Bytes(24))]


def test_a_global_is_counted_once_however_many_functions_of_a_kernel_name_it():
    get = """ %a = "memref.get_global"() <{name = @g}> : () -> memref<64xf32, 3>"""
    text = """ "gpu.module"() <{sym_name = "m"}> ({
      "memref.global"() <{sym_name = "g", sym_visibility = "private", type = memref<64xf32, 3>}> : () -> ()"""
    text += f""" "gpu.func"() <{{function_type = () -> ()}}> ({{
        {get}
        "func.call"() <{{callee = @f}}> : () -> ()
        "func.call"() <{{callee = @f2}}> : () -> ()
        "gpu.return"() : () -> ()
      }}) {{gpu.kernel, sym_name = "k", workgroup_attributions = 0 : i64}} : () -> ()"""
    text += function(get) + function(get, "f2") + "}) : () -> ()"
    assert [(kernel.name, kernel.baseline()) for kernel in kernels(text)] == [("k", Bytes(256))]


@pytest.mark.parametrize(
    "op", ["gpu.func", "gpu.launch", "gpu.dynamic_shared_memory", "memref.alloc", "memref.alloca", "memref.get_global"]
)
def test_operations_without_region_and_result_are_passed_over(op: str):
    assert kernels(function(f""" "{op}"() {{name = @f}} : () -> () """)) == []


def test_a_function_that_host_code_calls_is_a_kernel():
    text = function(""" "func.call"() <{callee = @k}> : () -> () """, "main")
    text += function(ALLOC.format("a", "memref<4xf32, 3>"), "k")
    assert [kernel.name for kernel in kernels(text)] == ["k"]


DYNAMIC = "0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1"


def test_dynamic_memory_of_a_launch():
    size = """%s = "arith.constant"() <{value = 40 : i32}> : () -> i32"""
    body = launch(ALLOC.format("a", "memref<4xi8, 3>"), segments=DYNAMIC, operands=", %s")
    (kernel,) = kernels(function(size + body))
    assert kernel.baseline() == Bytes(16 + 48)
    (kernel,) = kernels(function(""" %s = "test.size"() : () -> i32""" + body))
    assert kernel.baseline() == Bytes(4, Bound.AT_LEAST)


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ((64, 64), Bytes(64)),
        ((64, 32), Bytes(64, Bound.AT_MOST)),
        ((64, None), "not known"),
        ((None,), "not known"),
        ((), "not known"),
    ],
)
def test_dynamic_memory_of_outlined_kernels(sizes: tuple[int | None, ...], expected: Bytes | str):
    text = """ "gpu.module"() <{sym_name = "m"}> ({
      "gpu.func"() <{function_type = () -> ()}> ({
        %0 = "gpu.dynamic_shared_memory"() : () -> memref<?xi8, #gpu.address_space<workgroup>>
        "gpu.return"() : () -> ()
      }) {gpu.kernel, sym_name = "k", workgroup_attributions = 0 : i64} : () -> ()
    }) : () -> ()"""
    body = ""
    for i, size in enumerate(sizes):
        made = '"test.size"()' if size is None else f'"arith.constant"() <{{value = {size} : i32}}>'
        body += f""" %s{i} = {made} : () -> i32
        "gpu.launch_func"(%c, %c, %c, %c, %c, %c, %s{i}) <{{kernel = @m::@k,
            operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0>}}>
            : (index, index, index, index, index, index, i32) -> ()"""
    (kernel,) = kernels(text + function(body))
    if isinstance(expected, Bytes):
        assert kernel.baseline() == expected
    else:
        with pytest.raises(NoFootprint, match=expected):
            kernel.baseline()


def test_slots_that_cannot_be_seen_make_the_verdict_unknown():
    """By computed addresses, or in dynamic memory: the bytes are known, the slots are not."""
    addressed = """ %o = "test.offset"() : () -> index
      %v = "memref.reinterpret_cast"(%a, %o) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>,
          static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 8>,
          static_strides = array<i64: 1>}> : (memref<3x8xf32, 3>, index) -> memref<8xf32, strided<[1], offset: ?>, 3>"""
    (kernel,) = kernels(function(ALLOC.format("a", "memref<3x8xf32, 3>") + addressed))
    assert kernel.baseline() == kernel.footprint(1) == Bytes(96)
    assert "computed addresses" in (kernel.unknown or "")
    dynamic = """ %s = "arith.constant"() <{value = 96 : i32}> : () -> i32""" + launch(
        """ %d = "gpu.dynamic_shared_memory"() : () -> memref<?xi8, #gpu.address_space<workgroup>>
        %v = "memref.view"(%d, %c) : (memref<?xi8, #gpu.address_space<workgroup>>, index) -> memref<3x8xf32, 3>
        "scf.for"(%c, %c, %c) ({
        ^bb0(%i: index):
          %slot = "affine.apply"(%i) <{map = affine_map<(d0) -> (d0 mod 3)>}> : (index) -> index
          %x = "memref.load"(%v, %slot, %c) : (memref<3x8xf32, 3>, index, index) -> f32
          "scf.yield"() : () -> ()
        }) : (index, index, index) -> ()""",
        segments=DYNAMIC,
        operands=", %s",
    )
    (kernel,) = kernels(function(dynamic))
    assert kernel.baseline() == Bytes(96)
    assert "dynamic" in (kernel.unknown or "")


def test_a_size_that_is_not_known_is_named():
    alloc = """ %a = "memref.alloc"(%c) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?xf32, 3>"""
    (kernel,) = kernels(function(alloc))
    with pytest.raises(NoFootprint, match="is dynamic"):
        kernel.baseline()


ROTATING = """
func.func @f(%lb: index, %n: index) {{
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<{leading}x8xf32, 3>
  scf.for %i = %lb to %n step %c1 {{
    {slot}
    %v = memref.subview %a[%s, 0] [1, 8] [1, 1]
        : memref<{leading}x8xf32, 3> to memref<8xf32, strided<[1], offset: ?>, 3>
  }}
  func.return
}}"""


@pytest.mark.parametrize(
    ("slot", "slots"),
    [
        ("%s = affine.apply affine_map<(d0) -> (d0 mod 3)>(%i)", 3),
        ("%s = affine.apply affine_map<(d0)[s0] -> (((d0 - s0) floordiv 5) mod 3)>(%i)[%lb]", 3),
        ("%s = arith.remui %i, %c3 : index", 3),
        (
            """%r = arith.remsi %i, %c3 : index
            %negative = arith.cmpi slt, %r, %c0 : index
            %up = arith.addi %r, %c3 : index
            %s = arith.select %negative, %up, %r : index""",
            3,
        ),
        (
            """%r = arith.remsi %i, %c3 : index
            %positive = arith.cmpi sgt, %r, %c0 : index
            %up = arith.addi %r, %c3 : index
            %s = arith.select %positive, %up, %r : index""",
            3,
        ),
        (
            """%r = arith.remsi %i, %c3 : index
            %low = arith.cmpi slt, %r, %c1 : index
            %up = arith.addi %r, %c3 : index
            %s = arith.select %low, %up, %r : index""",
            3,
        ),
        ("%s = affine.apply affine_map<(d0) -> (d0 mod 2)>(%i)", 1),
        ("%s = affine.apply affine_map<(d0) -> (d0 mod 3 + 1)>(%i)", 1),
        ("%s = arith.addi %i, %c0 : index", 1),
        ("%s = arith.remsi %i, %c3 : index", 3),
    ],
)
@pytest.mark.parametrize("dialects", [KNOWN], ids=["registered"])
def test_a_leading_dimension_rotates_when_it_is_indexed_modulo_itself(
    slot: str, slots: int, dialects: tuple[Dialect, ...]
):
    (kernel,) = kernels(ROTATING.format(slot=slot, leading=3), dialects)
    assert kernel.stages == slots
    assert kernel.footprint(kernel.stages) == Bytes(96)
    assert kernel.baseline() == Bytes(96 // slots)


SHARED_OUT = """
  %c0 = "arith.constant"() <{value = 0 : index}> : () -> index
  %c8 = "arith.constant"() <{value = 8 : index}> : () -> index
  %c64 = "arith.constant"() <{value = 64 : index}> : () -> index
  %tid = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
  %bid = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
  "scf.for"(%FIRST, %c64, %c8) ({
  ^bb0(%i: index):
    "scf.forall"() <{mapping = [#gpu.MAPPED<x>], operandSegmentSizes = array<i32: 0, 0, 0, 0>,
        staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: 64>}> ({
    ^bb1(%p: index):
      %k = "arith.addi"(%ADDED, %COUNTED) : (index, index) -> index
      %row = "arith.remui"(%k, %c8) : (index, index) -> index
      %x = "memref.load"(%a, %row, %c0) : (memref<8x9xf32, 3>, index, index) -> f32
      "scf.forall.in_parallel"() ({
      }) : () -> ()
    }) : () -> ()
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()"""


@pytest.mark.parametrize(
    ("first", "added", "counted", "mapped", "slots"),
    [
        ("c0", "c0", "i", "thread", 8),
        ("bid", "c0", "i", "thread", 8),
        ("c0", "p", "i", "block", 8),
        ("c0", "c0", "tid", "thread", 1),
        ("c0", "c8", "bid", "thread", 1),
        ("tid", "c0", "i", "thread", 1),
        ("c0", "tid", "i", "thread", 1),
        ("c0", "p", "i", "thread", 1),
    ],
)
def test_rows_that_threads_share_out_are_no_slots(first: str, added: str, counted: str, mapped: str, slots: int):
    """A transposed tile is indexed by the thread modulo its rows; only what a loop counts for all threads rotates."""
    body = SHARED_OUT.replace("FIRST", first).replace("ADDED", added).replace("COUNTED", counted)
    body = body.replace("MAPPED", mapped)
    (kernel,) = kernels(function(ALLOC.format("a", "memref<8x9xf32, 3>") + body))
    assert (kernel.stages, kernel.baseline()) == (slots, Bytes(8 * 9 * 4 // slots))


COLUMN_BY_COLUMN = """
  %c0 = "arith.constant"() <{value = 0 : index}> : () -> index
  %c8 = "arith.constant"() <{value = 8 : index}> : () -> index
  "scf.for"(%c0, %c8, %c8) ({
  ^bb0(%i: index):
    %row = "arith.remui"(%i, %c8) : (index, index) -> index
    "scf.for"(%c0, %c8, %c8) ({
    ^bb1(%j: index):
      %sum = "arith.addi"(%i, %j) : (index, index) -> index
      %column = COLUMN : INDEX
      %x = "memref.load"(%a, %row, %column) : (memref<8x9xf32, 3>, index, index) -> f32
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()"""


@pytest.mark.parametrize(
    ("column", "slots"),
    [
        ('"arith.divui"(%i, %c8)', 1),
        ('"arith.shrui"(%sum, %c8)', 1),
        ('"index.floordivs"(%sum, %c8)', 1),
        ('"affine.apply"(%c8, %i) <{map = affine_map<(d0, d1) -> (d1 floordiv 8)>}>', 1),
        ('"arith.divui"(%j, %c8)', 8),
        ('"arith.subi"(%sum, %i)', 8),
        ('"affine.apply"(%j, %i) <{map = affine_map<(d0, d1) -> (d0 - d1)>}>', 8),
    ],
)
def test_a_tile_that_one_loop_goes_through_column_by_column_has_no_slots(column: str, slots: int):
    """A quotient next to the remainder of the same counter: the rows are all in use at once."""
    body = COLUMN_BY_COLUMN.replace("COLUMN", column).replace("INDEX", "(index, index) -> index")
    (kernel,) = kernels(function(ALLOC.format("a", "memref<8x9xf32, 3>") + body))
    assert (kernel.stages, kernel.baseline()) == (slots, Bytes(8 * 9 * 4 // slots))


@pytest.mark.parametrize(("argument", "slots"), [("%tx", 1), ("%bx", 1), ("%n", 3)])
def test_what_counts_after_lowering_to_branches(argument: str, slots: int):
    """An argument of a later block may count iterations; one of a launch is a thread or a block."""
    names = ", ".join(["%bx: index", "%by: index", "%bz: index", "%tx: index", *(f"%l{i}: index" for i in range(8))])
    (kernel,) = kernels(
        function(f"""
      "gpu.launch"(%c, %c, %c, %c, %c, %c) <{{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}}> ({{
      ^bb0({names}):
        {ALLOC.format("a", "memref<3x8xf32, 3>")}
        %c3 = "arith.constant"() <{{value = 3 : index}}> : () -> index
        "cf.br"(%c) [^bb1] : (index) -> ()
      ^bb1(%n: index):
        %s = "arith.remui"({argument}, %c3) : (index, index) -> index
        %x = "memref.load"(%a, %s, %c3) : (memref<3x8xf32, 3>, index, index) -> f32
        "gpu.terminator"() : () -> ()
      }}) : (index, index, index, index, index, index) -> ()""")
    )
    assert kernel.stages == slots


def test_buffers_have_no_more_slots_than_they_came_with():
    body = "".join(
        ROTATING.format(slot=f"%s = affine.apply affine_map<(d0) -> (d0 mod {n})>(%i)", leading=n).replace(
            "@f", f"@f{n}"
        )
        for n in (2, 4)
    )
    two, four = kernels(body, KNOWN)
    assert [two.footprint(2), four.footprint(4), four.footprint(3)] == [Bytes(64), Bytes(128), Bytes(96)]


def test_a_module_without_threadgroup_memory_has_no_kernels():
    assert kernels(function(ALLOC.format("a", "memref<8xf32>") + launch(""))) == []
