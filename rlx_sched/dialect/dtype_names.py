"""Sizes of element types by the names that frameworks give them, and buffers of such elements; imports no xDSL.

MLIR (`f16`, `f8E4M3FN`), numpy and PyTorch (`float16`, `torch.bfloat16`, `int8`), Triton (`fp16`, `fp8e4nv`) and
TileLang (`float16`, `e4m3_float8`) are understood. The sizes are those of `type_sizes`: sub-byte types take a byte,
other integers the next power of two of bytes, and what targets disagree on has none.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from math import prod

from rlx_sched.dialect.layout import Buffer, NoFootprint, integer

_NAME = re.compile(
    r"(?:torch\.|tl\.|np\.|T\.)?"
    r"(?:(?P<bool>bool|i1|int1)|(?P<bfloat>bf|bfloat)(?P<bfloat_bits>16)"
    r"|(?P<float>f|fp|float)(?P<float_bits>16|32|64|128)|(?P<index>index)"
    r"|(?P<small>f|fp|float)(?P<small_bits>[468])_?e\d\w*|e\d\w*_float(?P<tvm_bits>[468])"
    r"|(?P<integer>u?int|[su]?i|u)(?P<integer_bits>[1-9]\d{0,3}))",
    re.IGNORECASE,
)
_INDEX_BITS = 64
"""`index` where no data layout says otherwise, as in MLIR."""


@lru_cache(maxsize=1024)
def dtype_bytes(name: str) -> int:
    """The bytes that one element of the type called `name` takes in threadgroup memory.

    Raises:
        NoFootprint: where the name, or the size of what it names, is not known.
    """
    match = _NAME.fullmatch(name.strip())
    if match is None:
        raise NoFootprint(f"the size of the element type {name!r} is not known; expected one like f16, float32 or i8")
    if match["bool"]:
        return 1
    widths = ("bfloat_bits", "float_bits", "small_bits", "tvm_bits", "integer_bits")
    bits = _INDEX_BITS if match["index"] else next(int(match[width]) for width in widths if match[width])
    return 1 << max(0, (bits - 1).bit_length() - 3)


def tile(shape: Sequence[int], dtype: str, *, rotating: bool = True, slots_offset: int = 0) -> Buffer:
    """The buffer that stages a dense tile of `shape` (elements) and `dtype`, aligned to its element.

    Raises:
        NoFootprint: where the size of the element type is not known, or a dimension is below 1.
        TypeError: where a dimension is not an integer.
    """
    sizes = [integer("a dimension of a tile", size) for size in shape]
    if not sizes or min(sizes) < 1:
        raise NoFootprint(f"a tile of shape {'x'.join(map(str, sizes)) or '()'} has no size; dimensions start at 1")
    size = dtype_bytes(dtype)
    return Buffer(prod(sizes) * size, size, rotating=rotating, slots_offset=slots_offset)
