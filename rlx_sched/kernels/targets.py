"""xDSL targets that print the sgemm kernels of a module: `rlx-wgsl` and `rlx-msl`.

xDSL's own universe has a target `wgsl` already, for its `gpu` dialect; ours need names of their own.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO, ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from rlx_sched.diagnostics import Diagnostic, Severity, emit
from rlx_sched.dialect.sched import KernelOp
from rlx_sched.dialect.sgemm import SGEMM
from rlx_sched.kernels.loops import Kernel
from rlx_sched.kernels.model import from_kernel, sgemm
from rlx_sched.kernels.msl import print_msl
from rlx_sched.kernels.wgsl import print_wgsl


def kernels_of(module: ModuleOp) -> list[Kernel]:
    """Return the kernels of every `sched.kernel` with a `sched.sgemm` attribute, in source order.

    The entry point of `@name` is `name_kernel`, with a number where that is taken. What no code can be generated for is
    reported as an error and left out: a kernel whose buffers are no sgemm, one of another element type than the first,
    and a module without any.
    """
    kernels: list[Kernel] = []
    found = False
    for op in module.walk():
        if not isinstance(op, KernelOp) or SGEMM not in op.attributes:
            continue
        found = True
        symbol = op.sym_name.data
        try:
            schedule = from_kernel(op)
        except ValueError as error:
            emit(Diagnostic(Severity.ERROR, f"no code for kernel '@{symbol}': {error}", op))
            continue
        if kernels and kernels[0].element != schedule.element:
            emit(
                Diagnostic(
                    Severity.ERROR,
                    f"no code for kernel '@{symbol}': it holds {schedule.element}, the kernels before it "
                    f"{kernels[0].element}; one module of source holds one type",
                    op,
                )
            )
            continue
        kernels.append(sgemm(schedule, name=_entry(symbol, {kernel.name for kernel in kernels})))
    if not found:
        emit(Diagnostic(Severity.ERROR, f"no 'sched.kernel' in the module has a '{SGEMM}' attribute: nothing to print"))
    return kernels


def _entry(symbol: str, taken: set[str]) -> str:
    """An identifier in both languages; the ending keeps it apart from every keyword."""
    base = re.sub(r"[^A-Za-z0-9]+", "_", symbol).strip("_") or "unnamed"
    base = base if base[0].isalpha() else f"k{base}"
    entry, number = f"{base}_kernel", 2
    while entry in taken:
        entry, number = f"{base}_{number}_kernel", number + 1
    return entry


@dataclass(frozen=True)
class _SgemmTarget(Target):
    printer: ClassVar[Callable[[Sequence[Kernel]], str]]

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Print all kernels of the module as one source."""
        if kernels := kernels_of(module):
            print(type(self).printer(kernels), file=output, end="")


@dataclass(frozen=True)
class WgslTarget(_SgemmTarget):
    """Prints the sgemm kernels of a module as WGSL."""

    name = "rlx-wgsl"
    printer = staticmethod(print_wgsl)


@dataclass(frozen=True)
class MslTarget(_SgemmTarget):
    """Prints the sgemm kernels of a module as the Metal Shading Language; never compiled by Metal itself."""

    name = "rlx-msl"
    printer = staticmethod(print_msl)
