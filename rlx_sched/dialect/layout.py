"""Where buffers lie in threadgroup memory, and how many bytes they take together.

Everything here is integer arithmetic on sizes that are already known; it imports nothing of xDSL, so that programs
without any IR (autotuners, tables of candidates) lay out their buffers by the same rules.
"""

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, SupportsIndex

DYNAMIC_ALIGNMENT = 16
"""Offsets and lengths of dynamic threadgroup memory are multiples of this many bytes (Metal's
`setThreadgroupMemoryLength`)."""

MAX_BYTES = 2**64 - 1
"""The largest footprint there is: what a 64-bit size can say."""


MOST_STAGES = 2**63 - 1
"""The most stages there are: what the property `stages`, an i64, can say."""


class NoFootprint(Exception):
    """Raised where a footprint cannot be known; the message is the reason, as a verdict gives it to the user."""


def integer(argument: str, value: SupportsIndex) -> int:
    """`value` as Python's integer, whose arithmetic has no limits; numpy's integers are some, too.

    Raises:
        TypeError: naming the `argument`, if it is no integer; a bool is none.
    """
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    raise TypeError(f"{argument} must be an integer, got {value!r}")


@dataclass(frozen=True, slots=True)
class Buffer:
    """One threadgroup allocation.

    `size` and `alignment` are those of one slot, in bytes. A `rotating` buffer has `stages + slots_offset` slots, never
    fewer than one; any other has one. `phase` numbers the phase it lives in; None is live throughout. `dynamic` memory
    is bound at dispatch, after everything static.

    Raises:
        TypeError: if `size`, `alignment`, `slots_offset` or `phase` is not an integer (a bool is not), or `rotating` or
            `dynamic` is not a bool.
    """

    size: int
    alignment: int = 1
    rotating: bool = False
    slots_offset: int = 0
    dynamic: bool = False
    phase: int | None = None
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        numbers = ("size", "alignment", "slots_offset", *(() if self.phase is None else ("phase",)))
        for argument in numbers:
            value = getattr(self, argument)
            if type(value) is not int:
                object.__setattr__(self, argument, integer(argument, value))
        for argument in ("rotating", "dynamic"):
            if not isinstance(value := getattr(self, argument), bool):
                raise TypeError(f"{argument} must be True or False, got {value!r}")

    def slots(self, stages: int) -> int:
        """How many slots the buffer has in a schedule of `stages` stages."""
        return max(1, operator.index(stages) + self.slots_offset) if self.rotating else 1

    def extent(self, stages: int) -> int:
        """The bytes of all slots: each starts at a multiple of the alignment, the last one is not padded."""
        return round_up(self.size, self.alignment) * (self.slots(stages) - 1) + self.size


class Placement(NamedTuple):
    """A buffer's place in threadgroup memory, in bytes."""

    buffer: Buffer
    offset: int
    extent: int


def round_up(value: int, multiple: int) -> int:
    """The smallest multiple of `multiple` that is at least `value`."""
    step = operator.index(multiple)
    return -(-operator.index(value) // step) * step


def place(buffers: Iterable[Buffer], stages: int) -> list[Placement]:
    """Lay out `buffers` for a schedule of `stages` stages.

    Buffers that are always live come first, and every phase starts at their end. Within either, static buffers come in
    the order given, each at the next multiple of its alignment; dynamic ones follow at multiples of 16 bytes, their
    length rounded up to 16. Nothing is rounded at the end of static memory.

    Raises:
        NoFootprint: for an alignment that is no power of two or a negative size, which only other dialects let pass.
    """
    by_phase: dict[int | None, list[Buffer]] = {None: []}
    for buffer in buffers:
        by_phase.setdefault(buffer.phase, []).append(buffer)
    placements, base = _place_section(by_phase.pop(None), stages, 0)
    for section in by_phase.values():
        placements += _place_section(section, stages, base)[0]
    return placements


def _place_section(section: Sequence[Buffer], stages: int, start: int) -> tuple[list[Placement], int]:
    """Lay out the buffers of one section from `start` on; returns the end as well."""
    placements: list[Placement] = []
    end = start
    for buffer in sorted(section, key=lambda buffer: buffer.dynamic):
        alignment = buffer.alignment
        if alignment < 1 or alignment & (alignment - 1):
            raise NoFootprint(f"a buffer has the alignment {alignment}, expected a power of two")
        if buffer.size < 0:
            raise NoFootprint(f"a buffer has {buffer.size} bytes, expected none or more")
        extent = buffer.extent(stages)
        if buffer.dynamic:
            alignment = max(alignment, DYNAMIC_ALIGNMENT)
            extent = round_up(extent, DYNAMIC_ALIGNMENT)
        offset = round_up(end, alignment)
        placements.append(Placement(buffer, offset, extent))
        end = offset + extent
    return placements, end


def footprint(buffers: Iterable[Buffer], stages: int) -> int:
    """The threadgroup memory of a schedule in bytes: the largest end of any buffer.

    Raises:
        NoFootprint: when there is no buffer, or the bytes do not fit in 64 bits.
    """
    placements = place(buffers, stages)
    if not placements:
        raise NoFootprint("it has no threadgroup buffers")
    end = max(placement.offset + placement.extent for placement in placements)
    if end > MAX_BYTES:
        # Python refuses to write very long numbers.
        found = end if end.bit_length() <= 2 * MAX_BYTES.bit_length() else f"2^{end.bit_length() - 1} or more"
        raise NoFootprint(f"its footprint does not fit in 64 bits ({found} bytes)")
    return end
