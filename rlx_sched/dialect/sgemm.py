"""The attribute that makes a `sched.kernel` a matrix multiplication for which code can be generated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import Float16Type, Float32Type, NoneAttr
from xdsl.ir import Attribute, Data, Operation
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from rlx_sched.kernels.loops import Element
from rlx_sched.kernels.model import SgemmSchedule

if TYPE_CHECKING:
    from rlx_sched.dialect.sched import BufferOp

SGEMM = "sched.sgemm"
"""Name of the discardable attribute on a `sched.kernel`."""

_COUNTER_BITS = 32
"""Width of the numbers of a kernel, in WGSL (`u32`) as in MSL (`uint`)."""

_EXPECTED = "expected '@a rotating : memref<MxKxT>' and '@b rotating : memref<KxNxT>' with T f32 or f16"


@dataclass(frozen=True, slots=True)
class Sgemm:
    """What the buffers of a matrix multiplication do not say: how the tile is shared out among threads."""

    threads: tuple[int, int]
    """Threads along x (columns of the result) and y (rows)."""
    outputs: tuple[int, int]
    """Rows and columns of the result that one thread computes."""


@irdl_attr_definition
class SgemmAttr(Data[Sgemm]):
    """The threads (x, y) of a matrix multiplication, and the results (rows, columns) that each computes.

    It belongs on a `sched.kernel` with two rotating buffers: `@a`, a tile of the left matrix, and `@b`, one of the
    right. Tile and element type are theirs.

    ```mlir
    sched.kernel @sgemm stages 2 attributes {sched.sgemm = #sched.sgemm<threads = [16, 16], outputs = [2, 2]>} {
      sched.buffer @a rotating : memref<32x16xf32>
      sched.buffer @b rotating : memref<16x32xf32>
    }
    ```
    """

    name = "sched.sgemm"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Sgemm:
        """Parse `<threads = [X, Y], outputs = [ROWS, COLUMNS]>`."""
        with parser.in_angle_brackets():
            threads = cls._parse_pair(parser, "threads")
            parser.parse_punctuation(",")
            outputs = cls._parse_pair(parser, "outputs")
        return Sgemm(threads, outputs)

    @staticmethod
    def _parse_pair(parser: AttrParser, name: str) -> tuple[int, int]:
        parser.parse_keyword(name)
        parser.parse_punctuation("=")
        start = parser.pos
        values = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: parser.parse_integer(allow_boolean=False)
        )
        if len(values) != 2 or min(values) < 1:
            parser.raise_error(f"expected two integers of at least 1 for '{name}', got {values}", start, parser.pos)
        return values[0], values[1]

    def print_parameter(self, printer: Printer) -> None:
        """Print `<threads = [X, Y], outputs = [ROWS, COLUMNS]>`."""
        with printer.in_angle_brackets():
            printer.print_string(f"threads = {list(self.data.threads)}, outputs = {list(self.data.outputs)}")


def read_schedule(op: Operation) -> SgemmSchedule:
    """Return the schedule that a `sched.kernel` with a `sched.sgemm` attribute describes.

    Raises ValueError, with what was found and what is expected, where the buffers are no matrix multiplication or do
    not agree with each other or with the attribute, or a number does not fit in 32 bits.
    """
    from rlx_sched.dialect.sched import KernelOp

    attribute = op.attributes.get(SGEMM)
    if not isinstance(op, KernelOp) or not isinstance(attribute, SgemmAttr):
        raise ValueError(f"expected a 'sched.kernel' with a '{SGEMM}' attribute")
    tiles: dict[str, tuple[int, int, Element]] = {}
    for buffer, phase in op.buffers():
        name = buffer.sym_name.data
        if name not in ("a", "b") or phase is not None:
            raise ValueError(f"{_EXPECTED}, got buffer '@{name}'" + (" in a phase" if phase is not None else ""))
        tiles[name] = _tile(buffer)
    if missing := [name for name in ("a", "b") if name not in tiles]:
        raise ValueError(f"{_EXPECTED}, got no buffer '@{missing[0]}'")
    tile_m, tile_k, element = tiles["a"]
    depth, tile_n, other = tiles["b"]
    (x, y), (rows, columns) = attribute.data.threads, attribute.data.outputs
    widest = max(tile_m, tile_k, depth, tile_n, x, y, rows, columns, op.stage_count).bit_length()
    if widest > _COUNTER_BITS:
        raise ValueError(f"a number in it takes {widest} bits; kernels count in {_COUNTER_BITS}")
    if depth != tile_k:
        raise ValueError(f"'@a' is {tile_k} deep and '@b' {depth}; the second size of '@a' must be the first of '@b'")
    if element != other:
        raise ValueError(f"'@a' holds {element} and '@b' {other}; both must hold the same type")
    if (tile_m, tile_n) != (y * rows, x * columns):
        raise ValueError(
            f"threads [{x}, {y}] with outputs [{rows}, {columns}] compute a tile of {y * rows}x{x * columns}, the "
            f"buffers hold one of {tile_m}x{tile_n}"
        )
    return SgemmSchedule(tile_m, tile_n, tile_k, x, y, rows, columns, op.stage_count, element)


def _tile(buffer: BufferOp) -> tuple[int, int, Element]:
    """Rows, columns and element of a staged tile."""
    what = f"buffer '@{buffer.sym_name.data}'"
    if buffer.rotating is None or buffer.dynamic is not None or buffer.slots is not None:
        raise ValueError(f"{what} must be 'rotating', static, and have one slot a stage")
    if buffer.alignment is not None:
        raise ValueError(f"{what} has an alignment, which the generated kernel cannot keep")
    shape = buffer.type.get_shape()
    elements: dict[type[Attribute], Element] = {Float32Type: "f32", Float16Type: "f16"}
    element = elements.get(buffer.type.element_type.__class__)
    if len(shape) != 2 or min(shape) < 1 or element is None or not isinstance(buffer.type.layout, NoneAttr):
        raise ValueError(f"{_EXPECTED}, got {what} of type {buffer.type}")
    return shape[0], shape[1], element
