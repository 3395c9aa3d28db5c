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

_MOST_STATEMENTS = 10**6
"""The most statements of all kernels of a module that are printed: about 40 MB of source."""

_MOST_NAME = 100
"""The most characters of a kernel's name that are kept: it is there in every other statement."""


def kernels_of(module: ModuleOp) -> list[Kernel]:
    """Return the kernels of every `sched.kernel` with a `sched.sgemm` attribute, in source order.

    The entry point of `@name` is `name_kernel`, with a number where that is taken; of a long name it is the beginning.
    What no code can be generated for is reported as an error and left out: a kernel that `from_kernel` refuses, one of
    another element type than the first, one with which a million statements would be printed, and a module without any.
    """
    kernels: list[Kernel] = []
    entries = _Entries()
    found, statements = False, 0
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
        if statements + schedule.most_statements > _MOST_STATEMENTS:
            emit(
                Diagnostic(
                    Severity.ERROR,
                    f"no code for kernel '@{symbol}': it would have {schedule.most_statements} statements, after "
                    f"{statements} of the kernels before it; at most {_MOST_STATEMENTS} of one module are printed",
                    op,
                )
            )
            continue
        statements += schedule.most_statements
        kernels.append(sgemm(schedule, name=entries.of(symbol)))
    if not found:
        emit(Diagnostic(Severity.ERROR, f"no 'sched.kernel' in the module has a '{SGEMM}' attribute: nothing to print"))
    return kernels


class _Entries:
    """Names of entry points: identifiers in both languages, whose ending keeps them apart from every keyword."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}
        """The last number that each name got."""

    def of(self, symbol: str) -> str:
        """A name for the kernel `@symbol` that no other kernel has."""
        base = re.sub(r"[^A-Za-z0-9]+", "_", symbol).strip("_")[:_MOST_NAME].rstrip("_") or "unnamed"
        base = base if base[0].isalpha() else f"k{base}"
        entry = f"{base}_kernel"
        while entry in self._taken:
            self._numbers[base] = self._numbers.get(base, 1) + 1
            entry = f"{base}_{self._numbers[base]}_kernel"
        self._taken.add(entry)
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
