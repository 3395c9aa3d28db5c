"""Groups of candidates that the model may compare.

The model prices threadgroup memory and nothing else, so it may only rank schedules that differ in their rotation alone.
"""

from collections.abc import Hashable

from rlx_sched.annotations import PREFIX
from rlx_sched.dialect.attributes import Target
from rlx_sched.dialect.sched import CandidatesOp, KernelOp, PhaseOp
from rlx_sched.target import target_in_ir

_WRITTEN = tuple(PREFIX + name for name in ("footprint", "verdict", "stripped"))


def _identity(kernel: KernelOp) -> Hashable:
    """What all rotations of one schedule have in common.

    Buffers count by type, slots rule, alignment and phase, not by name. So do the attributes of the kernel (threads,
    say), its phases and its buffers: a difference that the model does not see is still a difference.
    """
    buffers: list[tuple[Hashable, ...]] = [
        # `slots(stages)` is the rule of a buffer that gives none.
        (
            buffer.type,
            buffer.rotating,
            buffer.slots.data if buffer.slots else 0,
            buffer.dynamic,
            buffer.alignment,
            phase,
            frozenset(buffer.attributes.items()),
        )
        for buffer, phase in kernel.buffers()
    ]
    target: Target | None = target_in_ir(kernel)
    attributes = frozenset((name, value) for name, value in kernel.attributes.items() if name not in _WRITTEN)
    phases = [frozenset(op.attributes.items()) for op in kernel.body.block.ops if isinstance(op, PhaseOp)]
    return (tuple(buffers), tuple(phases), target, attributes)


def groups(space: CandidatesOp) -> list[list[KernelOp]]:
    """The kernels of `space` as groups of rotations of one schedule, all in source order."""
    found: dict[Hashable, list[KernelOp]] = {}
    for kernel in space.kernels():
        found.setdefault(_identity(kernel), []).append(kernel)
    return list(found.values())
