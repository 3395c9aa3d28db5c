"""What a launch takes of the memory that is made around it, and what kernels take by functions that they only name."""

import pytest
from round_trip import read
from support import run_tool

from rlx_sched.dialect.attributes import Bytes
from rlx_sched.dialect.layout import NoFootprint
from rlx_sched.sources.schedule import Schedule
from rlx_sched.sources.upstream import UpstreamSource

TILE = "memref<32x16xf32, 3>"
OWN = 8 * 4
"""Bytes of the attribution that each launch has."""

BYTES = 32 * 16 * 4


def launch(body: str, name: str = "t") -> str:
    return f"""gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) workgroup(%{name}: memref<8xf32, 3>) {{
      {body}
      gpu.terminator
    }}"""


def use(value: str, type: str) -> str:
    """Something that a launch does to a memref of any rank."""
    return f'"test.use"(%{value}) : ({type}) -> ()'


def function(body: str, arguments: str = "%p: i1, %i: index", name: str = "f") -> str:
    return f"""func.func @{name}({arguments}) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      {body}
      return
    }}"""


GLOBAL = f'memref.global "private" @g : {TILE}\n'
MADE = {
    "alloc": f"%x = memref.alloc() : {TILE}",
    "alloca": f"%x = memref.alloca() : {TILE}",
    "global": f"%x = memref.get_global @g : {TILE}",
}
FLAT = "memref<512xf32, 3>"
PART = "memref<4x16xf32, strided<[16, 1]>, 3>"
VIEWS = [
    ("%v = memref.subview %x[0, 0] [4, 16] [1, 1] : {0} to " + PART, PART),
    ("%v = memref.cast %x : {0} to memref<?x16xf32, 3>", "memref<?x16xf32, 3>"),
    ("%v = memref.collapse_shape %x [[0, 1]] : {0} into " + FLAT, FLAT),
    (
        "%v = memref.expand_shape %x [[0, 1], [2]] output_shape [2, 16, 16] : {0} into memref<2x16x16xf32, 3>",
        "memref<2x16x16xf32, 3>",
    ),
    ("%v = memref.reinterpret_cast %x to offset: [0], sizes: [512], strides: [1] : {0} to " + FLAT, FLAT),
    (
        "%v = memref.transpose %x (i, j) -> (j, i) : {0} to memref<16x32xf32, strided<[1, 16]>, 3>",
        "memref<16x32xf32, strided<[1, 16]>, 3>",
    ),
    ("%v = memref.memory_space_cast %x : {0} to memref<32x16xf32>", "memref<32x16xf32>"),
    ("%v = memref.assume_alignment %x, 16 : {0}", "{0}"),
    ("%v = arith.select %p, %x, %x : {0}", "{0}"),
    ('%v = "test.view"(%x) : ({0}) -> {0}', "{0}"),
]


def kernels(text: str) -> list[Schedule]:
    generic = run_tool("mlir-opt", "--mlir-print-op-generic", "--allow-unregistered-dialect", text=text)
    return list(UpstreamSource().schedules(read(generic)))


def found(text: str) -> list[tuple[str, int]]:
    return [(kernel.name, kernel.footprint(1).count) for kernel in kernels(text)]


@pytest.mark.parametrize("made", MADE)
def test_memory_that_is_used_as_it_is(made: str):
    assert found(GLOBAL + function(MADE[made] + launch(use("x", TILE)))) == [("f", OWN + BYTES)]


@pytest.mark.parametrize(("view", "type"), VIEWS, ids=lambda value: value.split("%x")[0].split(" = ")[-1])
@pytest.mark.parametrize("made", MADE)
def test_memory_that_is_used_through_a_view(made: str, view: str, type: str):
    view, type = view.format(TILE), type.format(TILE)
    assert found(GLOBAL + function(f"{MADE[made]}\n{view}\n{launch(use('v', type))}")) == [("f", OWN + BYTES)]


def test_either_of_two_buffers():
    body = f"""{MADE["alloc"]}
    %y = memref.alloc() : {TILE}
    %v = arith.select %p, %x, %y : {TILE}
    {launch(use("v", TILE))}"""
    assert found(function(body)) == [("f", OWN + 2 * BYTES)]


@pytest.mark.parametrize("made", MADE)
def test_each_launch_takes_what_it_uses(made: str):
    other = "memref<4xf32, 3>"
    body = f"""{MADE[made]}
    %y = memref.alloc() : {other}
    {launch(use("x", TILE))}
    {launch(use("y", other))}
    {launch(use("x", TILE) + use("y", other))}"""
    assert [count for _, count in found(GLOBAL + function(body))] == [OWN + BYTES, OWN + 16, OWN + BYTES + 16]


def test_a_global_that_is_named_often_counts_once():
    again = MADE["global"].replace("%x", "%y")
    body = MADE["global"] + again + launch(use("x", TILE) + use("y", TILE) + MADE["global"].replace("%x", "%z"))
    assert found(GLOBAL + function(body)) == [("f", OWN + BYTES)]


HANDED_ON = {
    "loop": f"""%v = scf.for %j = %c0 to %i step %c1 iter_args(%a = %x) -> ({TILE}) {{ scf.yield %a : {TILE} }}
      {launch(use("v", TILE))}""",
    "condition": f"""%v = scf.if %p -> ({TILE}) {{ scf.yield %x : {TILE} }} else {{ scf.yield %x : {TILE} }}
      {launch(use("v", TILE))}""",
    "branch": f"""cf.br ^next(%x : {TILE})
    ^next(%v: {TILE}):
      {launch(use("v", TILE))}""",
    "argument": f"func.call @other(%x) : ({TILE}) -> ()",
    "result": f"%v = func.call @same(%x) : ({TILE}) -> {TILE}\n{launch(use('v', TILE))}",
    "address": f"""%a = memref.extract_aligned_pointer_as_index %x : {TILE} -> index
      {launch('"test.use"(%a) : (index) -> ()')}""",
    "opaque": f'%v = "test.cast"(%x) : ({TILE}) -> !test.ptr\n{launch(use("v", "!test.ptr"))}',
    "tensor": f'%v = "test.cast"(%x) : ({TILE}) -> tensor<32x16xf32>\n{launch(use("v", "tensor<32x16xf32>"))}',
    "outlined": f"""gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%x : {TILE})""",
}


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("way", HANDED_ON)
def test_what_is_handed_on_in_other_ways_is_not_known(way: str, made: str):
    others = f"""{GLOBAL}
    func.func @same(%v: {TILE}) -> {TILE} {{ return %v : {TILE} }}
    {function(launch(use("v", TILE)), f"%v: {TILE}", "other") if way == "argument" else ""}
    gpu.module @m {{ gpu.func @k(%v: {TILE}) workgroup(%t: memref<8xf32, 3>) kernel {{ gpu.return }} }}"""
    text = f"module attributes {{gpu.container_module}} {{ {others} {function(MADE[made] + HANDED_ON[way])} }}"
    (kernel,) = [
        kernel for kernel in kernels(text) if kernel.name == {"argument": "other", "outlined": "k"}.get(way, "f")
    ]
    with pytest.raises(NoFootprint, match="handed to it in ways that are not followed"):
        kernel.footprint(1)
    # The function around it is no kernel of its own.
    assert len([kernel for kernel in kernels(text) if kernel.name == "f"]) == (way not in ("argument", "outlined"))


@pytest.mark.parametrize("view", ["", "%v = memref.cast %x : {0} to {0}"])
def test_memory_that_a_function_with_launches_is_handed(view: str):
    body = f"{view.format(TILE)}\n{launch('')}\n{launch(use('v' if view else 'x', TILE))}"
    other, user = kernels(function(body, f"%x: {TILE}"))
    assert other.footprint(1) == Bytes(OWN)
    with pytest.raises(NoFootprint, match="handed to it in ways that are not followed"):
        user.footprint(1)


def test_memory_that_a_kernel_is_handed():
    attribution = "workgroup(%t: memref<8xf32, 3>)"
    (kernel,) = kernels(f"gpu.module @m {{ gpu.func @k(%x: {TILE}) {attribution} kernel {{ gpu.return }} }}")
    with pytest.raises(NoFootprint, match="handed to it in ways that are not followed"):
        kernel.footprint(1)


def test_memory_that_a_kernel_hands_on_is_its_own():
    device = f"func.func private @dev(%x: {TILE}) {{ %a = memref.alloc() : memref<4xf32, 3> return }}"
    body = f"func.call @dev(%t) : ({TILE}) -> () gpu.return"
    text = f"gpu.module @m {{ {device} gpu.func @k() workgroup(%t: {TILE}) kernel {{ {body} }} }}"
    assert found(text) == [("k", BYTES + 16)]


def test_a_function_that_the_host_calls_by_its_address():
    text = f"{DEVICE.replace('dev', 'host')} {function(NAMED.replace('dev', 'host') + INDIRECT + launch(''))}"
    assert found(text) == [("host", 4000), ("f", OWN)]


def test_what_a_function_without_launches_hands_on_is_its_own():
    body = f'%x = memref.alloc() : {TILE}\nfunc.call @same(%x) : ({TILE}) -> {TILE}\n"test.use"(%x) : ({TILE}) -> ()'
    other = function(launch(""), name="other")
    same = f"func.func @same(%v: {TILE}) -> {TILE} {{ return %v : {TILE} }}\n"
    assert found(same + function(body) + other) == [("f", BYTES), ("other", OWN)]


def test_dynamic_memory_that_is_named_around_the_launch():
    body = f"""%x = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    {launch(use("x", "memref<?xi8, #gpu.address_space<workgroup>>"))}"""
    assert found(function(body)) == [("f", OWN)]


DEVICE = """
  func.func private @dev() {
    %a = memref.alloc() : memref<1000xf32, 3>
    "test.use"(%a) : (memref<1000xf32, 3>) -> ()
    return
  }"""
NAMED = "%d = func.constant @dev : () -> ()"
INDIRECT = "func.call_indirect %d() : () -> ()"


@pytest.mark.parametrize("body", [NAMED, NAMED + INDIRECT, f"{NAMED} func.call @dev() : () -> ()"])
def test_a_function_that_a_kernel_names_may_be_called(body: str):
    text = f"gpu.module @m {{ {DEVICE} gpu.func @k() workgroup(%t: {TILE}) kernel {{ {body} gpu.return }} }}"
    assert found(text) == [("k", BYTES + 4000)]


def test_a_kernel_that_calls_itself_is_one():
    body = "func.call @k() : () -> () gpu.return"
    text = f"gpu.module @m {{ gpu.func @k() workgroup(%t: {TILE}) kernel {{ {body} }} }}"
    # `mlir-opt` knows no such call, but nobody else has verified it.
    generic = run_tool("mlir-opt", "--mlir-print-op-generic", text=text.replace("func.call @k() : () -> ()", ""))
    called = generic.replace('"gpu.return"', '"func.call"() <{callee = @k}> : () -> ()\n"gpu.return"')
    (kernel,) = UpstreamSource().schedules(read(called))
    assert kernel.footprint(1) == Bytes(BYTES)


def test_a_function_that_is_named_in_a_function():
    middle = f"func.func private @middle() {{ {NAMED} {INDIRECT} return }}"
    body = "func.call @middle() : () -> () gpu.return"
    text = f"gpu.module @m {{ {DEVICE} {middle} gpu.func @k() workgroup(%t: {TILE}) kernel {{ {body} }} }}"
    assert found(text) == [("k", BYTES + 4000)]


def test_a_function_that_is_named_around_a_launch():
    body = f"{NAMED}\n%e = arith.select %p, %d, %d : () -> ()\n{launch(INDIRECT.replace('%d', '%e'))}"
    assert found(DEVICE + function(body)) == [("f", OWN + 4000)]


def test_no_more_buffers_are_counted_than_kernels_have():
    most = 100
    for count in (most, most + 1):
        body = "\n".join(f"%x{j} = memref.alloc() : memref<1xf32, 3>" for j in range(count))
        uses = "\n".join(use(f"x{j}", "memref<1xf32, 3>") for j in range(count))
        (kernel,) = kernels(function(body + launch(uses)))
        if count == most:
            assert kernel.footprint(1) == Bytes(OWN + 4 * most)
        else:
            with pytest.raises(NoFootprint, match="more than 100 buffers that are allocated around it"):
                kernel.footprint(1)
