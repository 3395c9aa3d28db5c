"""Prints kernels as the Metal Shading Language (Apple, "Metal Shading Language Specification").

Never compiled by Metal and never run on a Mac: the tests compile the text as C++ with a small shim and run it on the
CPU, which finds wrong indices and missing barriers but not what Metal's own compiler may refuse.
"""

from collections.abc import Sequence

from rlx_sched.kernels.loops import Element, Kernel, Let, Var
from rlx_sched.kernels.printer import StatementPrinter

_SCALARS: dict[Element, str] = {"f32": "float", "f16": "half"}


class _MslPrinter(StatementPrinter):
    barrier = "threadgroup_barrier(mem_flags::mem_threadgroup);"

    def constant(self, statement: Let) -> str:
        return f"const {statement.type} {statement.name} = {statement.value};"

    def variable(self, statement: Var) -> str:
        return f"{statement.type} {statement.name} = {statement.value};"


def msl_prelude(element: Element) -> list[str]:
    """Return the lines before the kernel: Metal's library, aliases and parameters."""
    return [
        "#include <metal_stdlib>",
        "using namespace metal;",
        f"typedef {_SCALARS[element]} element;",
        "typedef float accumulator;",
        "struct Parameters { uint m, n, k, never; };",
    ]


def msl_arguments() -> str:
    """Return the kernel's arguments: matrices in buffers 0 to 2, parameters in buffer 3, and the thread's place."""
    return (
        "device const element *a [[buffer(0)]], device const element *b [[buffer(1)]], "
        "device element *c [[buffer(2)]], "
        "constant Parameters &p [[buffer(3)]], uint2 thread_id [[thread_position_in_threadgroup]], "
        "uint2 group_id [[threadgroup_position_in_grid]]"
    )


def print_msl(kernels: Sequence[Kernel]) -> str:
    """Return the kernels, all of one element type, as one MSL source."""
    lines = msl_prelude(kernels[0].element)
    for kernel in kernels:
        lines += [
            "",
            f"kernel void {kernel.name}({msl_arguments()}) {{",
            *(f"  threadgroup element {name}[{elements}];" for name, elements in kernel.arrays),
            *_MslPrinter().lines(kernel.body),
            "}",
        ]
    return "\n".join(lines) + "\n"
