"""Prints kernels as WGSL (https://www.w3.org/TR/WGSL/)."""

from collections.abc import Sequence

from rlx_sched.kernels.loops import Element, Kernel, Let, Var
from rlx_sched.kernels.printer import StatementPrinter


class _WgslPrinter(StatementPrinter):
    barrier = "workgroupBarrier();"

    def constant(self, statement: Let) -> str:
        return f"let {statement.name}: {statement.type} = {statement.value};"

    def variable(self, statement: Var) -> str:
        return f"var {statement.name}: {statement.type} = {statement.value};"


def wgsl_prelude(element: Element) -> list[str]:
    """Return the lines before the threadgroup arrays: aliases, parameters and bindings 0 to 3."""
    return [
        *(["enable f16;"] if element == "f16" else []),
        "alias uint = u32;",
        f"alias element = {element};",
        "alias accumulator = f32;",
        "struct Parameters { m: u32, n: u32, k: u32, never: u32 }",
        "@group(0) @binding(0) var<storage, read> a: array<element>;",
        "@group(0) @binding(1) var<storage, read> b: array<element>;",
        "@group(0) @binding(2) var<storage, read_write> c: array<element>;",
        "@group(0) @binding(3) var<uniform> p: Parameters;",
    ]


def wgsl_arguments() -> str:
    """Return the arguments of an entry point: the thread's place."""
    return "@builtin(local_invocation_id) thread_id: vec3<u32>, @builtin(workgroup_id) group_id: vec3<u32>"


def print_wgsl(kernels: Sequence[Kernel]) -> str:
    """Return the kernels, all of one element type, as one WGSL module; f16 needs the device feature `shader-f16`."""
    lines = wgsl_prelude(kernels[0].element)
    for kernel in kernels:
        x, y = kernel.threads
        lines += [
            "",
            *(f"var<workgroup> {name}: array<element, {elements}>;" for name, elements in kernel.arrays),
            f"@compute @workgroup_size({x}, {y})",
            f"fn {kernel.name}({wgsl_arguments()}) {{",
            *_WgslPrinter().lines(kernel.body),
            "}",
        ]
    return "\n".join(lines) + "\n"
