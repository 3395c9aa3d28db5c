"""How much threadgroup memory a GPU gives one threadgroup."""

from __future__ import annotations

import re
from functools import lru_cache

from rlx_sched.occupancy.family import AppleGpuFamily

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rlx_sched.occupancy.model import Chip

APPLE_THREADGROUP_BYTES = 32768
"""The most threadgroup memory of one threadgroup in bytes, inclusive, on GPU families Apple4 to Apple9 (A11 to A18, M1
to M4). Source: Apple, Metal feature set tables, "maximum total threadgroup memory allocation"."""

_APPLE_A_SERIES = re.compile(r"apple[ -]a1[1-8][xz]?( pro| bionic)?( gpu)?", re.IGNORECASE)
"""Names of the GPUs of families Apple4 to Apple9 that are not in a Mac: `Apple A14 GPU`, `Apple A18 Pro GPU`."""


@lru_cache(maxsize=64)
def threadgroup_limit(chip: Chip | None) -> int | None:
    """The most threadgroup bytes that `chip` gives one threadgroup, inclusive; None where that is not known."""
    if chip is None:
        return None
    family = AppleGpuFamily.from_name(chip) if isinstance(chip, str) else chip
    if family is not AppleGpuFamily.UNKNOWN or (isinstance(chip, str) and _APPLE_A_SERIES.fullmatch(chip)):
        return APPLE_THREADGROUP_BYTES
    return None
