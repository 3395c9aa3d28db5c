"""How much scratch memory an operation of TTGIR needs.

Triton moves a tensor from one layout to another through shared memory where warps have to exchange elements, in as many
rounds as there are registers that hold the same elements in both layouts. A layout is linear: each bit of the numbers
of a register, a lane and a warp adds (modulo 2) a basis vector to the coordinates of an element.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import NamedTuple

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from rlx_sched.dialect.layout import NoFootprint
from rlx_sched.dialect.type_sizes import scalar_bits
from rlx_sched.ir.access import attribute, integer, op_name, text

_Vector = tuple[int, ...]

_ACCESS_BITS = 128
"""The widest access to shared memory, per thread."""

_MATRIX_ROUNDS = 2
"""Rounds, as a power of two, that Triton merges for the instructions that load and store matrices."""

_MATRIX_ELEMENT_BITS = 16
"""The widest elements for which there are such instructions."""

_SCRATCH = frozenset(("ttg.convert_layout", "tt.reduce", "tt.scan"))
_UNBOUNDED = frozenset(
    ("tt.call", "tt.gather", "tt.histogram", "ttg.warp_specialize", "ttng.tensormap_create", "tt.map_elementwise")
)

_SCALAR_BYTES = 8
"""What the result of an operation on a scalar takes at most."""

_SLICE = re.compile(r"#ttg\.slice<\{dim = (\d+), parent = (.*)\}>")
_DOT_OPERAND = re.compile(r"#ttg\.dot_op<\{opIdx = ([01]), parent = (#ttg\.nvidia_mma<\{.*\}>), kWidth = (\d+)\}>")


@dataclass
class _Layout:
    """The basis vectors of a layout over a tensor of `rank` dimensions, as far as it has been built."""

    rank: int
    registers: list[_Vector] = field(default_factory=list[_Vector])
    lanes: list[_Vector] = field(default_factory=list[_Vector])
    warps: list[_Vector] = field(default_factory=list[_Vector])

    def __post_init__(self):
        self.covered = [1] * self.rank

    def spread(self, vectors: list[_Vector], dim: int, count: int) -> None:
        """Lay the next `count` elements along `dim` over what `vectors` belong to (`count` is a power of two)."""
        for _ in range(count.bit_length() - 1):
            vectors.append(tuple(self.covered[dim] if d == dim else 0 for d in range(self.rank)))
            self.covered[dim] *= 2

    def repeat(self, vectors: list[_Vector], count: int) -> None:
        """Give `count` of them the same elements."""
        vectors += [(0,) * self.rank] * (count.bit_length() - 1)

    def fit(self, shape: Sequence[int]) -> _Layout:
        """Wrap what sticks out of `shape`, and cover what is left of it with further registers."""
        for vectors in (self.registers, self.lanes, self.warps):
            vectors[:] = [tuple(0 if x >= n else x for x, n in zip(v, shape, strict=True)) for v in vectors]
        for dim, size in enumerate(shape):
            self.spread(self.registers, dim, max(size // self.covered[dim], 1))
        return self


def _integers(encoding: str, name: str) -> list[int] | None:
    """The value of `name = [1, 2]` in an encoding."""
    match = re.search(rf"\b{name} = \[([\d, ]*)\]", encoding)
    return [int(number) for number in match[1].split(",")] if match and match[1] else None


def _powers(encoding: str, name: str) -> list[int] | None:
    """The value of `name = [1, 2]` in an encoding, of powers of two."""
    numbers = _integers(encoding, name)
    return None if numbers is None or any(number & (number - 1) for number in numbers) else numbers


def _layout(encoding: str, shape: tuple[int, ...]) -> _Layout | None:
    """The layout that `encoding` gives a tensor of `shape`; None for one that is not modeled."""
    if encoding.startswith("#ttg.blocked<"):
        return _blocked(encoding, shape)
    if encoding.startswith("#ttg.nvidia_mma<"):
        return _nvidia_mma(encoding, shape)
    if encoding.startswith("#ttg.linear<"):
        return _linear(encoding, len(shape))
    if match := _DOT_OPERAND.fullmatch(encoding):
        return _dot_operand(int(match[1]), match[2], int(match[3]), shape)
    if match := _SLICE.fullmatch(encoding):
        dim = int(match[1])
        parent = _layout(match[2], (*shape[:dim], 1, *shape[dim:]))
        if parent is not None:
            parts = (parent.registers, parent.lanes, parent.warps)
            return _Layout(len(shape), *([(*v[:dim], *v[dim + 1 :]) for v in part] for part in parts))
    return None


def _blocked(encoding: str, shape: tuple[int, ...]) -> _Layout | None:
    layout = _Layout(len(shape))
    order = _integers(encoding, "order")
    counts = [_powers(encoding, name) for name in ("sizePerThread", "threadsPerWarp", "warpsPerCTA")]
    for vectors, count in zip((layout.registers, layout.lanes, layout.warps), counts, strict=True):
        if order is None or count is None:
            return None
        for dim in order:
            layout.spread(vectors, dim, count[dim])
    return layout.fit(shape)


def _nvidia_mma(encoding: str, shape: tuple[int, ...]) -> _Layout | None:
    """The accumulator of `mma.sync` and `wgmma`: 8 x 4 lanes of pairs, twice down the rows."""
    layout = _Layout(len(shape))
    warps, instruction = _powers(encoding, "warpsPerCTA"), _integers(encoding, "instrShape")
    if warps is None or instruction is None or len(shape) < 2 or len(warps) != len(shape):
        return None
    rows, columns = len(shape) - 2, len(shape) - 1
    layout.spread(layout.registers, columns, 2)
    layout.spread(layout.lanes, columns, 4)
    layout.spread(layout.lanes, rows, 8)
    layout.spread(layout.registers, rows, 2)
    layout.spread(layout.registers, columns, instruction[1] // 8)
    for dim in range(len(shape)):
        layout.spread(layout.warps, dim, warps[dim])
    return layout.fit(shape)


def _dot_operand(index: int, parent: str, width: int, shape: tuple[int, ...]) -> _Layout | None:
    """An operand of `mma.sync`: `width` neighbors along the contracted dimension, along which warps repeat."""
    layout = _Layout(len(shape))
    warps = _powers(parent, "warpsPerCTA")
    if warps is None or len(shape) < 2 or len(warps) != len(shape):
        return None
    contracted = len(shape) - 1 - index
    other = len(shape) - 2 + index
    layout.spread(layout.registers, contracted, width)
    layout.spread(layout.lanes, contracted, 4)
    layout.spread(layout.lanes, other, 8)
    layout.spread(layout.registers, contracted, 2)
    if index == 0:
        layout.spread(layout.registers, other, 2)
    for dim in range(len(shape)):
        if dim == contracted:
            layout.repeat(layout.warps, warps[dim])
        else:
            layout.spread(layout.warps, dim, warps[dim])
    return layout.fit(shape)


def _linear(encoding: str, rank: int) -> _Layout | None:
    """A layout that is written as its basis vectors."""
    parts: list[list[_Vector]] = []
    for name in ("register", "lane", "warp"):
        match = re.search(rf"\b{name} = \[((?:\[[\d, ]*\](?:, )?)*)\]", encoding)
        if match is None:
            return None
        parts.append([tuple(map(int, vector.split(","))) for vector in re.findall(r"\[([\d, ]+)\]", match[1])])
    return _Layout(rank, *parts)


class Scratch(NamedTuple):
    """Scratch memory of one operation, in bytes: the most it can be, and what it probably is."""

    most: int
    likely: int


def scratch(op: Operation) -> Scratch | None:
    """The scratch memory that `op` needs; None if nothing bounds it here."""
    name = op_name(op)
    if name in _UNBOUNDED:
        return None
    if name not in _SCRATCH and "atomic" not in name:
        return Scratch(0, 0)
    types = [value.type for value in op.operands if isa(value.type, TensorType[Attribute])]
    if name == "ttg.convert_layout" and types and isa(target := op.results[0].type, TensorType[Attribute]):
        return _conversion(types[0], target)
    if name == "tt.reduce" and types:
        return _reduction(types, integer(attribute(op, "axis")) or 0)
    if "atomic" in name and not any(True for result in op.results for _ in result.uses):
        return Scratch(0, 0)
    most = sum(map(tensor_bytes, types)) or _SCALAR_BYTES
    return Scratch(most, most)


def tensor_bytes(type: TensorType[Attribute]) -> int:
    """The bytes of a tensor; a pointer counts as 64 bits, a bit as a byte.

    Raises:
        NoFootprint: for a dynamic size, or an element of which none is known.
    """
    if not type.has_static_shape():
        raise NoFootprint(f"the size of {type} is not known")
    return prod(type.get_shape()) * _element_bits(type) // 8


def _element_bits(type: TensorType[Attribute]) -> int:
    if text(type.element_type).startswith("!tt.ptr"):
        return 64
    return max(scalar_bits(type.element_type), 8)


def _conversion(source: TensorType[Attribute], target: TensorType[Attribute]) -> Scratch:
    """The tensor, divided by the rounds there are at least.

    A register that both layouts have in common is a round of its own unless it is part of a wide access, as long as no
    two lanes share an element.
    """
    shape, size = source.get_shape(), tensor_bytes(source)
    before, after = (_layout(text(type.encoding), shape) for type in (source, target))
    if before is None or after is None:
        return Scratch(size, 0)
    if (before.lanes, before.warps) == (after.lanes, after.warps):
        return Scratch(0, 0)
    nothing = (0,) * len(shape)
    if nothing in before.lanes or nothing in after.lanes:
        return Scratch(size, size)
    bits = _element_bits(source)
    common = len((set(before.registers) & set(after.registers)) - {nothing})
    rounds = max(0, common - (_ACCESS_BITS // bits).bit_length() + 1)
    fewest = max(0, rounds - _MATRIX_ROUNDS) if bits <= _MATRIX_ELEMENT_BITS else rounds
    return Scratch(size >> fewest, size >> rounds)


def _reduction(types: Sequence[TensorType[Attribute]], axis: int) -> Scratch:
    """One element per row and per warp along the reduced axis; nothing where a single warp has the whole axis."""
    type, size = types[0], sum(map(tensor_bytes, types))
    layout = _layout(text(type.encoding), type.get_shape())
    warps = _integers(text(type.encoding), "warpsPerCTA")
    if layout is not None:
        along = 1 << sum(1 for vector in layout.warps if vector[axis])
    elif text(type.encoding).startswith("#ttg.amd_") and warps is not None:
        along = warps[axis]
    else:
        return Scratch(size, 0)
    size = size // type.get_shape()[axis] * along if along > 1 else 0
    return Scratch(size, size)
