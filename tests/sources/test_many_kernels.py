"""Modules with many kernels that share something take time in proportion to their size, whatever compiler made them."""

from collections.abc import Callable
from contextlib import suppress
from time import process_time

import pytest
from round_trip import read

from rlx_sched.assessment import Assessor
from rlx_sched.dialect.layout import NoFootprint
from rlx_sched.sources import find_schedules

TIMES = 4
"""How many times larger the larger module is."""

MOST_RATIO = 9
"""Of the processor time that the larger module takes; in quadratic time it would be 16."""

LEAST_SECONDS = 0.03
"""Below this, the times of the smaller module are noise."""


def joined(count: int, text: Callable[[int], str], separator: str = "\n") -> str:
    return separator.join(map(text, range(count)))


def module(body: str, attributes: str = "") -> str:
    return f'"builtin.module"() ({{\n{body}\n}}) {{{attributes}}} : () -> ()'


def variable(name: str, type: str = "!llvm.array<16 x f32>") -> str:
    return (
        f'"llvm.mlir.global"() <{{addr_space = 3 : i32, global_type = {type}, linkage = #llvm.linkage<internal>, '
        f'sym_name = "{name}"}}> ({{}}) : () -> ()'
    )


def llvm_func(name: str, *mentioned: str) -> str:
    body = "".join(
        f'"llvm.call"() <{{callee = @{symbol}}}> : () -> ()\n'
        if symbol[0] in "dk"
        else f'%{symbol} = "llvm.mlir.addressof"() <{{global_name = @{symbol}}}> : () -> !llvm.ptr<3>\n'
        for symbol in mentioned
    )
    return f'"llvm.func"() <{{sym_name = "{name}"}}> ({{ {body} "llvm.return"() : () -> () }}) : () -> ()'


def lowered_calls(count: int) -> str:
    """Kernels that call the first of a chain of functions with a variable each."""
    variables = joined(count, lambda j: variable(f"g{j}"))
    chain = joined(count - 1, lambda j: llvm_func(f"d{j}", f"g{j}", f"d{j + 1}"))
    last = llvm_func(f"d{count - 1}", f"g{count - 1}")
    return module("\n".join([variables, chain, last, joined(count, lambda j: llvm_func(f"k{j}", "d0"))]))


def lowered_type(count: int) -> str:
    """One variable of a struct with many members."""
    type = f"!llvm.struct<({joined(count, lambda _: 'i32', ', ')})>"
    return module("\n".join([variable("g", type), joined(count, lambda j: llvm_func(f"k{j}", "g"))]))


def lowered_unknown_type(count: int) -> str:
    return lowered_type(count).replace("i32)>", "!llvm.ptr)>")


def lowered_environment(count: int) -> str:
    capabilities = joined(40 * count, lambda j: f"Capability{j}", ", ")
    return module(
        "\n".join([variable("g"), joined(count, lambda j: llvm_func(f"k{j}", "g"))]),
        f"spirv.target_env = #spirv.target_env<#spirv.vce<v1.0, [{capabilities}], []>, "
        "#spirv.resource_limits<max_compute_shared_memory_size = 32768>>",
    )


def dispatch(name: str) -> str:
    return f""""func.func"() <{{sym_name = "{name}", function_type = () -> ()}}> ({{ "func.return"() : () -> () }})
        {{translation_info = #iree_codegen.translation_info<
            pipeline = #iree_gpu.spirv_pipeline<MatmulPromoteVectorize> workgroup_size = [16, 8, 1],
            {{pipeline_depth = 2 : i64, store_stage = 0 : i64}}>}} : () -> ()"""


def iree_beside_numbers(count: int) -> str:
    numbers = joined(20 * count, lambda j: f"{j} : i32", ", ")
    return module(joined(count, lambda j: dispatch(f"mm{j}")), f"x.y = [{numbers}]")


def iree_with_a_long_target(count: int) -> str:
    numbers = joined(20 * count, lambda j: f'"{j}"', ", ")
    target = f"#iree_gpu.target<features = [{numbers}], wgp = <max_workgroup_memory_bytes = 32768>>"
    return module(joined(count, lambda j: dispatch(f"mm{j}")), f"t = {target}")


MEMDESC = (
    "!ttg.memdesc<16x16xf16, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>, "
    "#ttg.shared_memory, mutable>"
)


def triton_selects(count: int) -> str:
    """Tiles that are all merged."""
    tiles = joined(count, lambda j: f'%a{j} = "ttg.local_alloc"() : () -> {MEMDESC}')
    merged = joined(
        count,
        lambda j: f'%x{j + 1} = "arith.select"(%c, %a{j}, %x{j}) : (i1, {MEMDESC}, {MEMDESC}) -> {MEMDESC}',
    ).replace("%x0)", "%a0)")
    body = f'^bb0(%c: i1):\n{tiles}\n{merged}\n"tt.return"() : () -> ()'
    return module(f'"tt.func"() <{{sym_name = "k", function_type = (i1) -> ()}}> ({{{body}}}) : () -> ()')


def triton_kernels(count: int) -> str:
    def kernel(j: int) -> str:
        body = f'%a = "ttg.local_alloc"() : () -> {MEMDESC}\n"tt.return"() : () -> ()'
        return f'"tt.func"() <{{sym_name = "k{j}", function_type = () -> ()}}> ({{{body}}}) : () -> ()'

    return module(joined(count, kernel))


def block_level(name: str) -> str:
    return f""""func.func"() <{{sym_name = "{name}", function_type = () -> ()}}> ({{
        %t = "memref.alloc"() <{{operandSegmentSizes = array<i32: 0, 0>}}> : () -> memref<4xindex, 3>
        "func.return"() : () -> () }}) : () -> ()"""


def data_layout(count: int) -> str:
    entries = joined(40 * count, lambda j: f'"x.y{j}" = {j} : i32', ", ")
    kernels = joined(count, lambda j: block_level(f"k{j}"))
    return module(kernels, f"dlti.dl_spec = #dlti.dl_spec<{entries}, index = 32 : i32>")


def data_layout_as_older_versions_print_it(count: int) -> str:
    entries = joined(40 * count, lambda j: f'#dlti.dl_entry<"x.y{j}", {j} : i32>', ", ")
    kernels = joined(count, lambda j: block_level(f"k{j}"))
    return module(kernels, f"dlti.dl_spec = #dlti.dl_spec<{entries}>")


def data_layouts_in_a_data_layout(count: int) -> str:
    entries = joined(40 * count, lambda j: f"i{j + 1} = dense<{1 << max(3, j.bit_length())}> : vector<2xi64>", ", ")
    inner = joined(count, lambda j: module(block_level(f"k{j}"), "dlti.dl_spec = #dlti.dl_spec<index = 32 : i32>"))
    return module(inner, f"dlti.dl_spec = #dlti.dl_spec<{entries}>")


def launch(value: str) -> str:
    sizes = ", ".join(["%i"] * 6)
    arguments = ", ".join(f"%l{j}: index" for j in range(12))
    return f""""gpu.launch"({sizes}) <{{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}}> ({{
        ^bb1({arguments}):
          "test.use"(%{value}) : (memref<4xf32, 3>) -> ()
          "gpu.terminator"() : () -> () }}) : ({", ".join(["index"] * 6)}) -> ()"""


def buffers_merged_around_launches(count: int, *, handed_on: str = "") -> str:
    """Launches that all use what a chain of selections makes of all buffers."""
    kind = "memref<4xf32, 3>"
    buffers = joined(
        count, lambda j: f'%a{j} = "memref.alloc"() <{{operandSegmentSizes = array<i32: 0, 0>}}> : () -> {kind}'
    )
    merged = joined(
        count, lambda j: f'%x{j + 1} = "arith.select"(%c, %a{j}, %x{j}) : (i1, {kind}, {kind}) -> {kind}'
    ).replace("%x0)", "%a0)")
    launches = joined(count, lambda _: launch(f"x{count}"))
    body = f'^bb0(%c: i1, %i: index):\n{buffers}\n{merged}\n{handed_on}{launches}\n"func.return"() : () -> ()'
    return module(f'"func.func"() <{{sym_name = "f", function_type = (i1, index) -> ()}}> ({{{body}}}) : () -> ()')


def buffers_handed_on_around_launches(count: int) -> str:
    """The same, where all buffers are also handed on to a function."""
    calls = joined(count, lambda j: f'"func.call"(%a{j}) <{{callee = @other}}> : (memref<4xf32, 3>) -> ()')
    return buffers_merged_around_launches(count, handed_on=calls)


def views_around_launches(count: int) -> str:
    """Launches that each use another of a chain of views."""
    kind = "memref<4xf32, 3>"
    alloc = f'%x0 = "memref.alloc"() <{{operandSegmentSizes = array<i32: 0, 0>}}> : () -> {kind}'
    views = joined(count, lambda j: f'%x{j + 1} = "memref.cast"(%x{j}) : ({kind}) -> {kind}')
    launches = joined(count, lambda j: launch(f"x{j}"))
    body = f'^bb0(%i: index):\n{alloc}\n{views}\n{launches}\n"func.return"() : () -> ()'
    return module(f'"func.func"() <{{sym_name = "f", function_type = (index) -> ()}}> ({{{body}}}) : () -> ()')


def buffers_through_one_operation(count: int) -> str:
    """A launch that uses all results of an operation of which nothing is known but that it takes all buffers."""
    kind = "memref<4xf32, 3>"
    alloc = f'"memref.alloc"() <{{operandSegmentSizes = array<i32: 0, 0>}}> : () -> {kind}'
    kinds = joined(count, lambda _: kind, ", ")
    other = f'%x:{count} = "test.other"({joined(count, lambda j: f"%a{j}", ", ")}) : ({kinds}) -> ({kinds})'
    launches = joined(count, lambda j: launch(f"x#{j}"))
    body = f"^bb0(%i: index):\n{joined(count, lambda j: f'%a{j} = {alloc}')}\n{other}\n{launches}"
    return module(
        f'"func.func"() <{{sym_name = "f", function_type = (index) -> ()}}> ({{{body}\n"func.return"() : () -> ()}})'
        " : () -> ()"
    )


def seconds(text: str) -> float:
    """What it takes to find and to judge all kernels of a module that has been read."""
    parsed = read(text)
    assessor = Assessor("Apple M4 Pro")
    start = process_time()
    for schedule in find_schedules(parsed):
        assessor.assess(schedule)
        with suppress(NoFootprint):
            schedule.placements(schedule.stages)
    return process_time() - start


MODULES = [
    (lowered_calls, 80),
    (lowered_type, 100),
    (lowered_unknown_type, 100),
    (lowered_environment, 100),
    (iree_beside_numbers, 60),
    (iree_with_a_long_target, 60),
    (triton_selects, 260),
    (triton_kernels, 60),
    (buffers_merged_around_launches, 120),
    (buffers_handed_on_around_launches, 120),
    (views_around_launches, 120),
    (buffers_through_one_operation, 150),
    (data_layout, 40),
    (data_layout_as_older_versions_print_it, 40),
    (data_layouts_in_a_data_layout, 16),
]


@pytest.mark.parametrize(("text", "many"), MODULES, ids=lambda value: getattr(value, "__name__", None))
def test_many(text: Callable[[int], str], many: int):
    small, large = (min(seconds(text(count)) for _ in range(2)) for count in (many, TIMES * many))
    assert large < MOST_RATIO * max(small, LEAST_SECONDS), (small, large)


def test_no_more_variables_are_counted_than_kernels_have():
    most = 100
    kernels = list(find_schedules(read(lowered_calls(most))))
    assert [(kernel.name, kernel.footprint(1).count) for kernel in kernels] == [
        (f"k{j}", most * 64) for j in range(most)
    ]
    for kernel in find_schedules(read(lowered_calls(most + 1))):
        with pytest.raises(NoFootprint, match="it reaches more than 100 variables in threadgroup memory"):
            kernel.footprint(1)
