"""How Triton lays out shared memory: buffers whose lifetimes do not overlap may share it.

Triton places its buffers by the method of Gergov's "Algorithms for Compile-Time Memory Optimization" (SODA 1999),
largest first, and then moves apart what still collides. The result is not the least memory there could be, so the
method itself is followed here, step by step.
"""

import bisect
from collections.abc import Sequence
from dataclasses import dataclass

from rlx_sched.dialect.layout import round_up

_FOREVER = 2**63


@dataclass(slots=True, eq=False)
class LiveBuffer:
    """A buffer of `size` bytes that is live from operation `start` to just before operation `end`."""

    size: int
    alignment: int
    start: int
    end: int
    offset: int = 0

    def place(self, offset: int) -> int:
        """Move to the first aligned address from `offset` on, and return its end."""
        self.offset = round_up(offset, self.alignment)
        return self.offset + self.size

    def collides(self, other: "LiveBuffer") -> bool:
        """Whether both are live at once and overlap."""
        return (
            self is not other
            and _intersect((self.start, self.end), (other.start, other.end))
            and _intersect((self.offset, self.offset + self.size), (other.offset, other.offset + other.size))
        )


def _intersect(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def pack(buffers: Sequence[LiveBuffer]) -> int:
    """Place `buffers`, given in the order in which Triton finds them, and return the bytes that they take."""
    # Where they come to lie must not depend on an earlier call.
    ordered = sorted((LiveBuffer(b.size, b.alignment, b.start, b.end) for b in buffers), key=lambda b: -b.size)
    _place_by_lifetime(ordered)
    while True:
        collisions = {id(one): [other for other in ordered if one.collides(other)] for one in ordered}
        if not any(collisions.values()):
            return max((buffer.offset + buffer.size for buffer in ordered), default=0)
        _move_apart(ordered, collisions)


def _place_by_lifetime(ordered: Sequence[LiveBuffer]) -> None:
    """Give every buffer the lowest open slot, which is an address with a span of time in which it is thought free."""
    slots = [(0, (0, _FOREVER))]
    waiting = list(ordered)
    while waiting:
        offset, (begin, end) = slots.pop(0)
        chosen = next(
            (
                buffer
                for buffer in waiting
                if _intersect((buffer.start, buffer.end), (begin, end))
                and not any(_intersect(span, (buffer.start, buffer.end)) for _, span in slots)
            ),
            None,
        )
        if chosen is None:
            continue
        waiting.remove(chosen)
        _open(slots, chosen.place(offset), (max(begin, chosen.start), min(end, chosen.end)))
        if begin < chosen.start:
            _open(slots, offset, (begin, chosen.end))
        if chosen.end < end:
            _open(slots, offset, (chosen.start, end))


def _open(slots: list[tuple[int, tuple[int, int]]], offset: int, span: tuple[int, int]) -> None:
    """Add a slot behind those at the same address."""
    slots.insert(bisect.bisect_right(slots, offset, key=lambda slot: slot[0]), (offset, span))


def _move_apart(ordered: Sequence[LiveBuffer], collisions: dict[int, list[LiveBuffer]]) -> None:
    """Color the graph of collisions greedily, and move all but the first color behind what they collide with."""
    colors = {id(buffer): 0 if buffer is ordered[0] else -1 for buffer in ordered}
    for buffer in ordered:
        taken = {colors[id(other)] for other in collisions[id(buffer)]}
        colors[id(buffer)] = next(color for color in range(len(ordered)) if color not in taken)
    for buffer in ordered:
        behind = max((other.offset + other.size for other in collisions[id(buffer)]), default=0)
        if colors[id(buffer)] != 0:
            buffer.place(behind)
