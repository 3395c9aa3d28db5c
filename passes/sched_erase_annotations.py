"""The pass `sched-erase-annotations`."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from rlx_sched.annotations import erase_annotations


@dataclass(frozen=True)
class SchedEraseAnnotations(ModulePass):
    """Remove every `sched.*` attribute, so that tools that do not know the dialect read the result.

    `mlir-opt` and `iree-compile` refuse attributes of dialects that they do not know. The target on the module goes
    too, so run this last.
    """

    name = "sched-erase-annotations"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Strip `op` and everything in it of annotations."""
        for inner in op.walk():
            erase_annotations(inner)
