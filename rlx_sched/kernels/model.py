"""An sgemm schedule, and the kernel that it describes.

The kernel computes `c = a * b` for row-major matrices of any size: loads outside a matrix give zero, stores outside
are left out. Each threadgroup stages a tile of `a` and one of `b` in threadgroup memory, in `stages` slots. Products
are summed in order of k by explicit `fma`, whatever the number of stages, so results are equal bit for bit.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rlx_sched.dialect.layout import integer
from rlx_sched.kernels.loops import ELEMENT_BYTES, Barrier, Block, Element, For, If, Kernel, Let, Set, Statement, Var

if TYPE_CHECKING:
    from xdsl.ir import Operation

_MOST_THREADS = 1024
"""The most threads of a threadgroup: of GPU families Apple4 and later (Apple, Metal feature set tables, "maximum
threads per threadgroup"). WebGPU grants 256 unless a device is asked for more."""

_MOST_ARRAY_BYTES = 2**31
"""The most threadgroup memory that is printed, in bytes: every index into it is a `uint` of 32 bits, and so are the
sums on the way. Far more than any GPU has."""

_MOST_STATEMENTS = 10**5
"""The most statements of one kernel that are printed: about 4 MB of source. A kernel is written out over its stages,
the depth of its tiles and the outputs of a thread: its length goes by numbers in the IR, not by that of the IR."""

_STATEMENTS_PER_PART = 7
"""The most statements that copy one element: five load it, two store it under a condition."""

_OTHER_STATEMENTS = 15
"""The most statements that are there once, around tiles and outputs."""


@dataclass(frozen=True)
class SgemmSchedule:
    """How one threadgroup computes `tile_m` x `tile_n` results, `tile_k` deep at a time.

    Raises ValueError where a number is below 1, or threads and outputs per thread do not make up the tile; TypeError
    where a number is not an integer.
    """

    tile_m: int
    tile_n: int
    tile_k: int
    threads_x: int
    threads_y: int
    outputs_m: int = 1
    """Rows that one thread computes, `threads_y` apart."""
    outputs_n: int = 1
    """Columns that one thread computes, `threads_x` apart."""
    stages: int = 1
    """Slots that the staged tiles rotate through."""
    element: Element = "f32"

    def __post_init__(self) -> None:
        for name in ("tile_m", "tile_n", "tile_k", "threads_x", "threads_y", "outputs_m", "outputs_n", "stages"):
            value = integer(name, getattr(self, name))
            if value < 1:
                raise ValueError(f"{name} must be at least 1, got {value}")
            object.__setattr__(self, name, value)
        if self.element not in ELEMENT_BYTES:
            raise ValueError(f"element must be one of {', '.join(ELEMENT_BYTES)}, got {self.element}")
        for edge, threads, outputs in (("m", "y", "m"), ("n", "x", "n")):
            tile = getattr(self, f"tile_{edge}")
            made = getattr(self, f"threads_{threads}") * getattr(self, f"outputs_{outputs}")
            if tile != made:
                raise ValueError(f"tile_{edge} must be threads_{threads} * outputs_{outputs} = {made}, got {tile}")

    @property
    def threads(self) -> int:
        """Threads of one threadgroup."""
        return self.threads_x * self.threads_y

    @property
    def stage_bytes(self) -> int:
        """Threadgroup memory of one slot of both tiles, in bytes."""
        return (self.tile_m + self.tile_n) * self.tile_k * ELEMENT_BYTES[self.element]

    @property
    def threadgroup_bytes(self) -> int:
        """Threadgroup memory of all slots, in bytes."""
        return self.stages * self.stage_bytes

    @property
    def most_statements(self) -> int:
        """The most statements that the generated kernel has, those inside others included."""
        outputs = self.outputs_m * self.outputs_n
        tiles = (self.tile_m * self.tile_k, self.tile_k * self.tile_n)
        parts = sum(-(-elements // self.threads) for elements in tiles)
        # A block for every tile that is loaded ahead; five for an output: its sum, and its store.
        loads = self.stages * (_STATEMENTS_PER_PART * parts + 1)
        products = self.tile_k * (self.outputs_m + self.outputs_n + outputs)
        return loads + products + 5 * outputs + _OTHER_STATEMENTS

    def with_stages(self, stages: int) -> "SgemmSchedule":
        """Return the same schedule rotating through `stages` slots."""
        return replace(self, stages=stages)


def from_kernel(op: "Operation") -> SgemmSchedule:
    """Return the schedule that a `sched.kernel` with a `sched.sgemm` attribute describes.

    Raises ValueError, with what was found and what is expected, where the kernel is no sgemm, or one for which no code
    is generated: of more than 1024 threads, 2^31 bytes of threadgroup memory or 10^5 statements.
    """
    from rlx_sched.dialect.sgemm import read_schedule

    schedule = read_schedule(op)
    for found, most, message in (
        (
            schedule.threads,
            _MOST_THREADS,
            f"threads [{schedule.threads_x}, {schedule.threads_y}] are {{}}; a threadgroup has at most {{}}",
        ),
        (
            schedule.threadgroup_bytes,
            _MOST_ARRAY_BYTES,
            "its slots take {} bytes of threadgroup memory; at most {} are printed",
        ),
        (schedule.most_statements, _MOST_STATEMENTS, "it would have {} statements; at most {} are printed"),
    ):
        if found > most:
            raise ValueError(message.format(found, most))
    return schedule


def sgemm(schedule: SgemmSchedule, *, idle_bytes: int = 0, name: str = "sgemm") -> Kernel:
    """Return the kernel of `schedule`, with `idle_bytes` more of threadgroup memory that no launch ever touches.

    The idle bytes are kept alive by a store behind `p.never`, which the compiler cannot know to be 0. Raises ValueError
    where they are not a whole number of elements, TypeError where they are not an integer.
    """
    size = ELEMENT_BYTES[schedule.element]
    idle_bytes = integer("idle_bytes", idle_bytes)
    if idle_bytes < 0 or idle_bytes % size:
        raise ValueError(f"idle_bytes must be a multiple of {size} and not negative, got {idle_bytes}")
    arrays = [
        (f"{name}_a", schedule.stages * schedule.tile_m * schedule.tile_k),
        (f"{name}_b", schedule.stages * schedule.tile_k * schedule.tile_n),
    ]
    idle = idle_bytes // size
    if idle:
        arrays.append((f"{name}_idle", idle))
    return Kernel(
        name=name,
        element=schedule.element,
        threads=(schedule.threads_x, schedule.threads_y),
        covers=(schedule.tile_m, schedule.tile_n),
        arrays=tuple(arrays),
        body=tuple(_body(schedule, name, idle)),
    )


def _body(s: SgemmSchedule, name: str, idle: int) -> Iterator[Statement]:
    yield Let("lane", "uint", f"thread_id.y * {s.threads_x}u + thread_id.x")
    yield Let("row", "uint", f"group_id.y * {s.tile_m}u")
    yield Let("column", "uint", f"group_id.x * {s.tile_n}u")
    yield Let("tiles", "uint", f"(p.k + {s.tile_k - 1}u) / {s.tile_k}u")
    for i, j in _outputs(s):
        yield Var(f"sum_{i}_{j}", "accumulator", "accumulator(0.0)")
    if s.stages == 1:
        yield For("tile", "tiles", (*_fetch(s, "tile"), *_stage(s, name), Barrier(), *_multiply(s, name), Barrier()))
    else:
        yield from _rotation(s, name)
    yield from _store(s)
    if idle:
        yield If(
            "p.never != 0u",
            (
                Set(f"{name}_idle[lane % {idle}u]", "element(sum_0_0)"),
                Barrier(),
                Set("c[lane]", f"{name}_idle[(lane * p.never) % {idle}u]"),
            ),
        )


def _rotation(s: SgemmSchedule, name: str) -> Iterator[Statement]:
    """Run `stages - 1` tiles ahead: while slot `full` is multiplied, a tile loads for slot `free`, the one before it.

    One barrier a tile is enough: the slot that is written was last read one iteration earlier, and is read again
    `stages - 1` iterations later. Slots are counted: a remainder is cheaper for a power of two than for other numbers.
    """
    ahead = s.stages - 1
    for tile in range(ahead):
        # A tile past the end of k loads as zeros, like any other load outside the matrix.
        yield Block((*_fetch(s, f"{tile}u"), *_stage(s, name, f"{tile}u")))
    yield Barrier()
    yield Var("full", "uint", "0u")
    yield Var("free", "uint", f"{ahead}u")
    yield For(
        "tile",
        "tiles",
        (
            Let("ahead", "uint", f"tile + {ahead}u"),
            *_fetch(s, "ahead"),
            *_multiply(s, name, "full"),
            *_stage(s, name, "free"),
            Barrier(),
            Set("free", "full"),
            Set("full", "full + 1u"),
            If(f"full == {s.stages}u", (Set("full", "0u"),)),
        ),
    )


def _outputs(s: SgemmSchedule) -> Iterator[tuple[int, int]]:
    for i in range(s.outputs_m):
        for j in range(s.outputs_n):
            yield i, j


@dataclass(frozen=True)
class _Tile:
    """One of the staged tiles: where it lies in its matrix, and how a flat position in it maps to rows and columns."""

    matrix: str
    rows: int
    columns: int
    first_row: str
    first_column: str
    row_limit: str
    column_limit: str

    @property
    def elements(self) -> int:
        return self.rows * self.columns


def _tiles(s: SgemmSchedule, tile: str) -> tuple[_Tile, _Tile]:
    depth = f"{tile} * {s.tile_k}u"
    return (
        _Tile("a", s.tile_m, s.tile_k, "row", depth, "p.m", "p.k"),
        _Tile("b", s.tile_k, s.tile_n, depth, "column", "p.k", "p.n"),
    )


def _positions(s: SgemmSchedule, tile: _Tile) -> Iterator[tuple[int, str, str | None]]:
    """The elements of a tile that one thread copies: number, flat position, condition under which it exists."""
    for number, first in enumerate(range(0, tile.elements, s.threads)):
        position = f"lane + {first}u" if first else "lane"
        yield number, position, f"{position} < {tile.elements}u" if first + s.threads > tile.elements else None


def _fetch(s: SgemmSchedule, number: str) -> Iterator[Statement]:
    """Load this thread's part of tile `number` of both matrices into registers, zeros where there is no element."""
    for tile in _tiles(s, number):
        m = tile.matrix
        for part, position, exists in _positions(s, tile):
            value, row, column = f"{m}_{part}", f"{m}_row_{part}", f"{m}_column_{part}"
            yield Let(row, "uint", f"{tile.first_row} + ({position}) / {tile.columns}u")
            yield Let(column, "uint", f"{tile.first_column} + ({position}) % {tile.columns}u")
            yield Var(value, "element", "element(0.0)")
            inside = f"{row} < {tile.row_limit} && {column} < {tile.column_limit}"
            yield If(
                inside if exists is None else f"{exists} && {inside}",
                (Set(value, f"{m}[{row} * {tile.column_limit} + {column}]"),),
            )


def _stage(s: SgemmSchedule, name: str, slot: str | None = None) -> Iterator[Statement]:
    """Store what `_fetch` loaded to the tiles in slot `slot`, or to the only slot."""
    for tile in _tiles(s, "0u"):
        for part, position, exists in _positions(s, tile):
            store = Set(f"{name}_{tile.matrix}[{_slot(slot, tile.elements)}{position}]", f"{tile.matrix}_{part}")
            yield store if exists is None else If(exists, (store,))


def _multiply(s: SgemmSchedule, name: str, slot: str | None = None) -> Iterator[Statement]:
    """Add the products of the tiles in slot `slot`, written out over the depth of the tile."""
    a, b = _slot(slot, s.tile_m * s.tile_k), _slot(slot, s.tile_k * s.tile_n)
    for k in range(s.tile_k):
        for i in range(s.outputs_m):
            place = f"{a}(thread_id.y + {i * s.threads_y}u) * {s.tile_k}u + {k}u"
            yield Let(f"a_{k}_{i}", "accumulator", f"accumulator({name}_a[{place}])")
        for j in range(s.outputs_n):
            place = f"{b}thread_id.x + {k * s.tile_n + j * s.threads_x}u"
            yield Let(f"b_{k}_{j}", "accumulator", f"accumulator({name}_b[{place}])")
        for i, j in _outputs(s):
            yield Set(f"sum_{i}_{j}", f"fma(a_{k}_{i}, b_{k}_{j}, sum_{i}_{j})")


def _slot(slot: str | None, elements: int) -> str:
    return "" if slot is None else f"{slot} * {elements}u + "


def _store(s: SgemmSchedule) -> Iterator[Statement]:
    for i, j in _outputs(s):
        row, column = f"c_row_{i}_{j}", f"c_column_{i}_{j}"
        yield Let(row, "uint", f"row + thread_id.y + {i * s.threads_y}u")
        yield Let(column, "uint", f"column + thread_id.x + {j * s.threads_x}u")
        yield If(
            f"{row} < p.m && {column} < p.n",
            (Set(f"c[{row} * p.n + {column}]", f"element(sum_{i}_{j})"),),
        )
