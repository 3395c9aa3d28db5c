"""A loop nest as both shading languages can say it.

Expressions are text: WGSL and MSL spell arithmetic, comparison, indexing and `fma` alike once `uint` (32 bits),
`element` and `accumulator` are types in both. Only what the two spell differently is a class here.
"""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Element: TypeAlias = Literal["f32", "f16"]
"""What the matrices and the tiles are made of; sums are always kept in f32."""

ELEMENT_BYTES: dict[Element, int] = {"f32": 4, "f16": 2}
"""Bytes of one element (IEEE binary32 and binary16)."""

Type: TypeAlias = Literal["uint", "element", "accumulator"]
"""Types that both languages know, by alias where they must."""


@dataclass(frozen=True)
class Let:
    """A value with a name."""

    name: str
    type: Type
    value: str


@dataclass(frozen=True)
class Var:
    """A variable in registers, with its first value."""

    name: str
    type: Type
    value: str


@dataclass(frozen=True)
class Set:
    """A store to a variable, to a threadgroup array or to a matrix."""

    place: str
    value: str


@dataclass(frozen=True)
class If:
    """Statements under a condition."""

    condition: str
    body: "tuple[Statement, ...]"


@dataclass(frozen=True)
class For:
    """A counted loop from 0 to `stop`, exclusive."""

    name: str
    stop: str
    body: "tuple[Statement, ...]"


@dataclass(frozen=True)
class Block:
    """Statements with names of their own."""

    body: "tuple[Statement, ...]"


@dataclass(frozen=True)
class Barrier:
    """Every thread of the threadgroup waits here, and sees what the others wrote to threadgroup memory."""


Statement: TypeAlias = Let | Var | Set | Block | If | For | Barrier
"""One statement of a kernel."""


@dataclass(frozen=True)
class Kernel:
    """A compute kernel over the matrices `a`, `b` (read) and `c` (written) and the parameters `p.m`, `p.n`, `p.k`.

    The body may name the thread in its threadgroup (`thread_id.x`, `thread_id.y`), the threadgroup (`group_id.x`,
    `group_id.y`), the threadgroup arrays, and `p.never`, a parameter that is 0 in every launch.
    """

    name: str
    element: Element
    threads: tuple[int, int]
    """Threads of a threadgroup along x and y."""
    covers: tuple[int, int]
    """Rows and columns of `c` that one threadgroup computes."""
    arrays: tuple[tuple[str, int], ...] = ()
    """Threadgroup arrays of `element`: name and number of elements."""
    body: tuple[Statement, ...] = field(default=(), repr=False)

    @property
    def threadgroup_bytes(self) -> int:
        """Threadgroup memory of all arrays, in bytes."""
        return ELEMENT_BYTES[self.element] * sum(elements for _, elements in self.arrays)
