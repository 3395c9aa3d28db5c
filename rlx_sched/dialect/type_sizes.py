"""Sizes and alignments of the types that threadgroup buffers hold, in bytes.

The rules are those of LLVM's default data layout. A type that they do not cover has no footprint: no size is ever
guessed.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

from xdsl.context import Context
from xdsl.dialects import builtin
from xdsl.dialects.builtin import AffineMapAttr, MemRefType, NoneAttr, StridedLayoutAttr
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineMap
from xdsl.parser import Parser

from rlx_sched.dialect.layout import NoFootprint

DEFAULT_INDEX_BITS = 64
"""Width of `index` where the IR carries no data layout (MLIR's default)."""

_FLOAT_BITS: dict[type[Attribute], int] = {
    builtin.Float4E2M1FNType: 4,
    builtin.Float6E2M3FNType: 6,
    builtin.Float6E3M2FNType: 6,
    builtin.Float8E3M4Type: 8,
    builtin.Float8E4M3Type: 8,
    builtin.Float8E4M3B11FNUZType: 8,
    builtin.Float8E4M3FNType: 8,
    builtin.Float8E4M3FNUZType: 8,
    builtin.Float8E5M2Type: 8,
    builtin.Float8E5M2FNUZType: 8,
    builtin.Float8E8M0FNUType: 8,
    builtin.BFloat16Type: 16,
    builtin.Float16Type: 16,
    builtin.Float32Type: 32,
    builtin.Float64Type: 64,
    builtin.Float128Type: 128,
}
"""Storage bits of the float types. `f80` and `tf32` are missing on purpose: targets disagree on theirs."""


class TypeSize(NamedTuple):
    """Size and alignment of a type in bytes; the size is a multiple of the alignment."""

    size: int
    alignment: int


class Alignments(NamedTuple):
    """The alignments that one specification in the IR gives to types."""

    bits: Mapping[str, int | None]
    """By the spelling of a type, that of integers without a sign; None where they cannot be read."""
    integer_widths: Sequence[int]
    """Those of the integers among them, in ascending order."""


@dataclass(frozen=True, slots=True, eq=False)
class DataLayout:
    """What IR says of sizes and alignments; equal to itself alone."""

    index_bits: int | None = DEFAULT_INDEX_BITS
    """Width of `index`; None where that cannot be read."""
    alignments: tuple[Alignments, ...] = ()
    """What is said of types, from the innermost specification outwards."""

    def check(self, type: Attribute, alignment: int) -> None:
        """Check that the IR does not say that `type` is aligned to anything but `alignment` bytes.

        Raises:
            NoFootprint: where it says so, or what it says cannot be read.
        """
        if not self.alignments:
            return
        name = self._named(type, 8 * alignment)
        bits = next((given.bits[name] for given in self.alignments if name in given.bits), 8 * alignment)
        if bits is None:
            raise NoFootprint(f"the alignment of {type} is not known: the data layout of this IR cannot be read")
        if bits != 8 * alignment:
            raise NoFootprint(f"the data layout of this IR gives {type} another alignment")

    def _named(self, type: Attribute, storage_bits: int) -> str:
        """The type that `type` goes by: for an integer the narrowest that is named and holds it, as in LLVM.

        LLVM has an alignment for every integer of a power of two of bytes, so none goes by a wider one than that.
        """
        if not isinstance(type, builtin.IntegerType | builtin.IndexType):
            return str(type)
        width, narrowest = scalar_bits(cast("Attribute", type), self.index_bits), storage_bits
        for widths in (given.integer_widths for given in self.alignments):
            place = bisect_left(widths, width)
            if place < len(widths):
                narrowest = min(narrowest, widths[place])
        return f"i{narrowest}"


DEFAULT_LAYOUT = DataLayout()
"""That of IR which does not say."""


def _power_of_two_bytes(bits: int) -> int:
    """The bytes that hold `bits` bits, rounded up to a power of two."""
    return 1 << max(0, (bits - 1).bit_length() - 3)


def scalar_bits(type: Attribute, index_bits: int | None = DEFAULT_INDEX_BITS) -> int:
    """The bits of an integer, float or index type; `index_bits` is None where the data layout does not tell.

    Raises:
        NoFootprint: for any other type.
    """
    if isinstance(type, builtin.IntegerType):
        bits: int | None = cast("builtin.IntegerType", type).width.data or None
    elif isinstance(type, builtin.IndexType):
        if index_bits is None:
            raise NoFootprint("the width of index is not known: the data layout of this IR cannot be read")
        bits = index_bits
    else:
        bits = _FLOAT_BITS.get(type.__class__)
    if bits is None:
        raise NoFootprint(f"the size of {type} is not known")
    return bits


def element_size(type: Attribute, layout: DataLayout = DEFAULT_LAYOUT) -> TypeSize:
    """Size and alignment of one element of a buffer.

    Scalars take the next power of two of bytes and are aligned to it; `complex<T>` is two of T, aligned as T. The
    innermost dimension of a vector takes the next power of two of bits, and the outer ones are arrays of that.

    Raises:
        NoFootprint: for a type whose size is not known, or to which `layout` gives another alignment.
    """
    match type:
        case builtin.ComplexType():
            part = element_size(type.element_type, layout)
            found = TypeSize(2 * part.size, part.alignment)
        case builtin.VectorType():
            if any(type.scalable_dims.data):
                raise NoFootprint(f"the size of the scalable vector {type} is not known")
            *outer, innermost = type.get_shape() or (1,)
            row = _power_of_two_bytes(innermost * scalar_bits(type.element_type, layout.index_bits))
            found = TypeSize(_product(outer) * row, row)
        case _:
            size = _power_of_two_bytes(scalar_bits(type, layout.index_bits))
            found = TypeSize(size, size)
    layout.check(type, found.alignment)
    return found


def spelled_type(text: str) -> Attribute:
    """The type that `text` spells.

    Raises:
        NoFootprint: when xDSL cannot read it.
    """
    try:
        return Parser(Context(), text).parse_type()
    except MemoryError:
        raise
    except Exception as error:
        # xDSL's parsers and verifiers raise ValueError and more on what they refuse.
        raise NoFootprint(f"the size of {text} is not known") from error


def _product(factors: list[int]) -> int:
    result = 1
    for factor in factors:
        result *= factor
    return result


def _span(type: MemRefType[Attribute]) -> int:
    """How many elements lie between the first and the last one of `type`, both included."""
    shape = list(type.get_shape())
    if builtin.DYNAMIC_INDEX in shape:
        raise NoFootprint(f"the size of {type} is dynamic")
    layout = type.layout
    if 0 in shape:
        return 0
    if isinstance(layout, NoneAttr) or (
        isinstance(layout, AffineMapAttr) and layout.data == AffineMap.identity(len(shape))
    ):
        return _product(shape)
    if not isinstance(layout, StridedLayoutAttr):
        raise NoFootprint(f"the layout of {type} is not strided")
    strides = layout.get_strides()
    if layout.get_offset() != 0 or len(strides) != len(shape):
        raise NoFootprint(f"the layout of {type} does not start at offset 0")
    span = 1
    known = [(stride, size) for stride, size in zip(strides, shape, strict=True) if stride is not None and stride > 0]
    if len(known) != len(shape):
        raise NoFootprint(f"the layout of {type} has a stride that is not a positive number")
    for stride, size in sorted(pair for pair in known if pair[1] > 1):
        if stride < span:
            raise NoFootprint(f"the elements of {type} overlap")
        span += (size - 1) * stride
    return span


def memref_size(type: MemRefType[Attribute], layout: DataLayout = DEFAULT_LAYOUT) -> TypeSize:
    """The bytes from the first to the last element of a memref, and the alignment of its elements.

    The memory space plays no part. The span of a strided layout is `1 + sum((size - 1) * stride)` elements.

    Raises:
        NoFootprint: for dynamic sizes, layouts other than identity and non-overlapping strides from offset 0, and
            elements whose size is not known or to which the data `layout` gives another alignment.
    """
    element = element_size(type.element_type, layout)
    return TypeSize(_span(type) * element.size, element.alignment)
