"""The pass `sched-enumerate`."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.passes import ModulePass

from rlx_sched.annotations import erase_written
from rlx_sched.diagnostics import made_from
from rlx_sched.dialect.layout import MOST_STAGES
from rlx_sched.dialect.sched import CandidatesOp, KernelOp
from rlx_sched.passes.options import option

_VISIBILITY = "sym_visibility"


@dataclass(frozen=True)
class SchedEnumerate(ModulePass):
    """Turn every kernel into a search space over its number of stages.

    Kernels that are in a search space already are skipped. What passes wrote on a kernel is not copied. The space has
    the kernel's name; what refers to one of its buffers is not changed.

    ```mlir
    sched.kernel @k {
      sched.buffer @tile rotating : memref<32x16xf32>
    }
    // becomes, with stages=1,2
    sched.candidates @k {
      sched.kernel @k_s1 {
        sched.buffer @tile rotating : memref<32x16xf32>
      }
      sched.kernel @k_s2 stages 2 {
        sched.buffer @tile rotating : memref<32x16xf32>
      }
    }
    ```
    """

    name = "sched-enumerate"

    stages: tuple[int, ...] = option((1, 2, 3, 4), "numbers of stages to enumerate")

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            ValueError: when `stages` is empty, repeats itself or holds a number below 1 or above 2^63 - 1.
        """
        stages = f"the option 'stages' of '{self.name}' takes"
        got = f"got '{','.join(map(str, self.stages))}'"
        if not self.stages or len(set(self.stages)) != len(self.stages) or min(self.stages) < 1:
            raise ValueError(f"{stages} different numbers from 1 on, {got}")
        if max(self.stages) > MOST_STAGES:
            raise ValueError(f"{stages} numbers below 2^63, {got}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Replace every kernel of `op` outside of search spaces."""
        for kernel in [inner for inner in op.walk() if isinstance(inner, KernelOp)]:
            block = kernel.parent
            if block is None or isinstance(kernel.parent_op(), CandidatesOp):
                continue
            members = [_restaged(kernel, stages) for stages in self.stages]
            # Who may name the kernel may name what takes its place.
            visibility = {name: value for name, value in kernel.attributes.items() if name == _VISIBILITY}
            space = CandidatesOp(kernel.sym_name.data, members, visibility)
            space.location = kernel.location
            made_from(space, kernel)
            block.insert_op_before(space, kernel)
            kernel.detach()
            kernel.erase()


def _restaged(kernel: KernelOp, stages: int) -> KernelOp:
    """A copy of `kernel` with `stages` stages, named after them."""
    copy = kernel.clone()
    for made, origin in zip(copy.walk(), kernel.walk(), strict=True):
        made_from(made, origin)
    copy.sym_name = StringAttr(f"{kernel.sym_name.data}_s{stages}")
    copy.stages = IntegerAttr(stages, i64)
    copy.attributes.pop(_VISIBILITY, None)
    erase_written(copy)
    return copy
