"""How many slots of threadgroup memory a compiler keeps for its stage setting.

A stage count is not a buffer count, and every compiler has a rule of its own. The rules were read off the IR and the
binaries of IREE 3.13, Triton 3.9 and TileLang 0.1.15.
"""

import re

from rlx_sched.dialect.layout import integer

_TRITON_CUDA = re.compile(r"(?:cuda:|sm_?)(\d{1,18})a?")
_TRITON_HIP = re.compile(r"(?:hip:)?(gfx[0-9a-f]+)")

WARP_GROUP_ROWS = 64
WARP_GROUP_WARPS = 4
"""The fewest rows and warps of a dot that reads shared memory itself on sm_90."""


def iree_spirv_slots(pipeline_depth: int, store_stage: int) -> int:
    """Slots in IREE's SPIR-V pipelines (Metal, Vulkan): one more where stores run in the stage of the loads."""
    return max(integer("pipeline_depth", pipeline_depth), 1) + (1 if store_stage == 0 else 0)


def tilelang_metal_slots(num_stages: int) -> int:
    """Slots in TileLang for Metal, for the `num_stages` of `T.Pipelined`."""
    return max(integer("num_stages", num_stages), 1)


def triton_stages_result(target: str) -> bool:
    """Whether Triton may move the result of `tt.dot` through shared memory to store it, in the place of the tiles."""
    match = _TRITON_CUDA.fullmatch(target)
    return match is not None and int(match[1]) == 90


def triton_slots(target: str, num_stages: int, *, small_dot: bool = False) -> int | None:
    """Slots that Triton keeps of a tile which `tt.dot` reads in a loop, for its `num_stages`.

    On architectures that copy into registers before the dot (sm_8x, gfx942, gfx1100) the last stage needs no slot;
    where the dot reads shared memory itself (sm_90) or the copies are asynchronous (gfx950) it does. A `small_dot`, too
    small for the warp-group instructions of sm_90 (fewer than 64 rows or 4 warps), reads registers there as well.

    `target` is spelled as in `ttg.target` (`cuda:80`, `hip:gfx942`) or as the architecture alone (`sm_80`, `gfx942`).
    None for one whose rule is not known.
    """
    num_stages = integer("num_stages", num_stages)
    if match := _TRITON_CUDA.fullmatch(target):
        capability = int(match[1])
        if 80 <= capability <= 89 or (capability == 90 and small_dot):
            return max(num_stages - 1, 1)
        return max(num_stages, 1) if capability == 90 else None
    match = _TRITON_HIP.fullmatch(target)
    if match and match[1] in ("gfx942", "gfx1100"):
        return max(num_stages - 1, 1)
    return max(num_stages, 1) if match and match[1] == "gfx950" else None
