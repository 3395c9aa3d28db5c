"""What taking slots out leaves behind, and what it leaves as it was."""

from multibuffered import generic, schedules
from round_trip import read, write
from xdsl.context import Context
from xdsl.dialects import affine, arith, builtin, func, gpu, memref, scf
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr, UnregisteredOp
from xdsl.ir import BlockArgument
from xdsl.parser import Parser

from rlx_sched.ir.access import op_name
from rlx_sched.ir.reader import read_module

LOOP = """
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c8 {{
    %slot = affine.apply affine_map<(d0) -> ((d0 floordiv 8) mod 3)>(%i)
    %tile = memref.subview %{buffer}[%slot, 0] [1, 8] [1, 1]
        : memref<3x8xf32, 3> to memref<8xf32, strided<[1], offset: ?>, 3>
    %from = memref.subview %in[%i] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: ?>>
    "memref.copy"(%from, %tile)
        : (memref<8xf32, strided<[1], offset: ?>>, memref<8xf32, strided<[1], offset: ?>, 3>) -> ()
    %x = memref.load %tile[%c0] : memref<8xf32, strided<[1], offset: ?>, 3>
    memref.store %x, %in[%i] : memref<64xf32>
    scf.yield
  }}"""


def kernel(name: str, slots: int = 3) -> str:
    loop = LOOP.format(buffer="buffer").replace("3x8", f"{slots}x8").replace("mod 3", f"mod {slots}")
    return f"""func.func @{name}(%in: memref<64xf32>) {{
  %buffer = memref.alloc() : memref<{slots}x8xf32, 3>
{loop}
  func.return
}}"""


def test_operations_that_xdsl_knows():
    """IR in custom form has xDSL's own operations; they are changed alike."""
    context = Context(allow_unregistered=True)
    for dialect in (builtin.Builtin, affine.Affine, arith.Arith, func.Func, memref.MemRef, scf.Scf):
        context.load_dialect(dialect)
    for stages in (1, 2):
        known = read_module(context, kernel("f"), "test.mlir")[0]
        opaque = read(generic(kernel("f")))
        assert any(isinstance(op, memref.AllocOp) for op in known.walk())
        for module in (known, opaque):
            (schedule,) = schedules(module)
            schedule.restage(stages)
            module.verify()
        assert generic(write(known)) == generic(write(opaque))


def test_a_signed_remainder_that_xdsl_knows():
    context = Context(allow_unregistered=True)
    for dialect in (builtin.Builtin, affine.Affine, arith.Arith, func.Func, memref.MemRef, scf.Scf):
        context.load_dialect(dialect)
    slot = "%slot = affine.apply affine_map<(d0) -> ((d0 floordiv 8) mod 3)>(%i)"
    assert slot in kernel("f")
    text = kernel("f").replace(slot, "%three = arith.constant 3 : index\n%slot = arith.remsi %i, %three : index")
    for stages in (1, 2):
        known = read_module(context, text, "test.mlir")[0]
        opaque = read(generic(text))
        for module in (known, opaque):
            schedules(module)[0].restage(stages)
        assert any(isinstance(op, arith.RemUIOp) for op in known.walk()) == (stages > 1)
        assert generic(write(known)) == generic(write(opaque))


def test_names_and_locations_stay():
    module = read(
        generic(f"""
    gpu.module @m {{
      gpu.func @k(%in: memref<64xf32>) workgroup(%buffer: memref<3x8xf32, 3>) kernel {{
        {LOOP.format(buffer="buffer")}
        gpu.return
      }}
    }}""")
    )
    (schedule,) = schedules(module)
    block = schedule.op.regions[0].block
    place = FileLineColLoc(StringAttr("k.mlir"), IntAttr(3), IntAttr(7))
    block.args[1].name_hint = "buffer"
    block.args[1].location = place
    schedule.restage(1)
    buffer = block.args[1]
    assert isinstance(buffer, BlockArgument)
    assert (str(buffer.type), buffer.name_hint, buffer.location) == ("memref<8xf32, 3 : i64>", "buffer", place)


def test_the_barrier_is_of_the_kind_that_the_kernel_is():
    body = f"""
    func.func @f(%in: memref<64xf32>, %one: index) {{
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                 threads(%tx, %ty, %tz) in (%sx = %one, %sy = %one, %sz = %one) {{
        %buffer = memref.alloc() : memref<3x8xf32, 3>
        {LOOP.format(buffer="buffer")}
        gpu.terminator
      }}
      return
    }}"""
    module = read(generic(body))
    schedules(module)[0].restage(1)
    (barrier,) = [op for op in module.walk() if op_name(op) == "gpu.barrier"]
    assert isinstance(barrier, UnregisteredOp)
    context = Context(allow_unregistered=True)
    for dialect in (builtin.Builtin, gpu.GPU):
        context.load_dialect(dialect)
    text = generic(body).replace("workgroup_attributions = 0 : i64", "")
    module = Parser(context, text).parse_module()
    schedules(module)[0].restage(1)
    assert [type(op) for op in module.walk() if op_name(op) == "gpu.barrier"] == [gpu.BarrierOp]


def test_kernels_of_a_module_are_changed_one_by_one():
    module = read(generic(kernel("a") + kernel("b", 4) + kernel("c", 2)))
    a, b, c = schedules(module)
    assert (a.stages, b.stages, c.stages) == (3, 4, 2)
    b.restage(2)
    (barrier,) = [op for op in module.walk() if op_name(op) == "gpu.barrier"]
    barrier.detach()
    assert generic(write(module), "--verify-each") == generic(kernel("a") + kernel("b", 2) + kernel("c", 2))
    a.restage(1)
    again = schedules(module)
    assert [schedule.stages for schedule in again] == [1, 2, 2]


def test_only_buffers_with_more_slots_lose_some():
    text = f"""func.func @f(%in: memref<64xf32>) {{
      %buffer = memref.alloc() : memref<3x8xf32, 3>
      %other = memref.alloc() : memref<2x8xf32, 3>
      {LOOP.format(buffer="buffer")}
      {LOOP.format(buffer="other").replace("3x8", "2x8").replace("mod 3", "mod 2").replace("%c", "%d")}
      return
    }}"""
    module = read(generic(text))
    (schedule,) = schedules(module)
    schedule.restage(2)
    types = [str(op.results[0].type) for op in module.walk() if op_name(op) == "memref.alloc"]
    assert types == ["memref<2x8xf32, 3 : i64>"] * 2
    schedule.restage(1)
    types = [str(op.results[0].type) for op in module.walk() if op_name(op) == "memref.alloc"]
    assert types == ["memref<8xf32, 3 : i64>"] * 2
    assert not any(op_name(op) == "affine.apply" for op in module.walk())
