"""Layout rules on sizes alone: alignment, slots, dynamic memory, phases."""

import re
from dataclasses import asdict, replace
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlx_sched.dialect.dtype_names import tile
from rlx_sched.dialect.layout import MAX_BYTES, Buffer, NoFootprint, footprint, place, round_up

buffers = st.builds(
    Buffer,
    size=st.integers(0, 2**20),
    alignment=st.sampled_from([1, 2, 4, 8, 16, 64, 256]),
    rotating=st.booleans(),
    slots_offset=st.integers(-3, 3),
    dynamic=st.booleans(),
    phase=st.none() | st.integers(0, 3),
)
schedules = st.lists(buffers, min_size=1, max_size=8)


SMALL = st.lists(
    st.builds(
        Buffer,
        size=st.integers(0, 40),
        alignment=st.sampled_from([1, 2, 4, 8, 16, 32]),
        rotating=st.booleans(),
        slots_offset=st.integers(-3, 3),
        dynamic=st.booleans(),
        phase=st.none() | st.integers(0, 3),
    ),
    min_size=1,
    max_size=8,
)


def by_counting(schedule: list[Buffer], stages: int) -> int:
    """The footprint, phase by phase: in each all that lives then is put down anew, and every start is counted up to."""
    most = 0
    for phase in {buffer.phase for buffer in schedule}:
        end = 0
        for section in (None,) if phase is None else (None, phase):
            living = [buffer for buffer in schedule if buffer.phase == section]
            for buffer in [one for one in living if not one.dynamic] + [one for one in living if one.dynamic]:
                while buffer.dynamic and end % 16:
                    end += 1
                for _ in range(buffer.slots(stages)):
                    while end % buffer.alignment:
                        end += 1
                    end += buffer.size
                while buffer.dynamic and end % 16:
                    end += 1
        most = max(most, end)
    return most


@given(SMALL, st.integers(1, 5))
def test_the_footprint_is_what_counting_gives(schedule: list[Buffer], stages: int):
    assert footprint(schedule, stages) == by_counting(schedule, stages)


def test_no_buffers_have_no_footprint():
    with pytest.raises(NoFootprint, match="no threadgroup buffers"):
        footprint([], 1)


def test_slots_start_at_the_alignment_and_the_last_one_is_not_padded():
    assert footprint([Buffer(10, 4, rotating=True)], 3) == 12 + 12 + 10


def test_slots_are_never_fewer_than_one():
    assert Buffer(4, rotating=True, slots_offset=-5).slots(3) == 1
    assert Buffer(4).slots(7) == 1


def test_dynamic_memory_comes_after_static_memory_declared_later():
    dynamic, static = Buffer(1, dynamic=True, name="dynamic"), Buffer(5, name="static")
    assert [(p.buffer.name, p.offset, p.extent) for p in place([dynamic, static], 1)] == [
        ("static", 0, 5),
        ("dynamic", 16, 16),
    ]


def test_always_live_buffers_come_before_phases_declared_earlier():
    assert [p.offset for p in place([Buffer(8, phase=0), Buffer(100)], 1)] == [0, 100]


def test_sibling_phases_overlap():
    assert footprint([Buffer(100), Buffer(8, phase=0), Buffer(20, phase=1)], 1) == 120


def test_what_does_not_fit_in_64_bits_has_no_footprint():
    assert footprint([Buffer(MAX_BYTES)], 1) == MAX_BYTES
    with pytest.raises(NoFootprint, match="does not fit in 64 bits"):
        footprint([Buffer(MAX_BYTES), Buffer(1)], 1)


@given(schedules, st.integers(1, 6))
def test_more_stages_never_take_less_memory(schedule: list[Buffer], stages: int):
    assert footprint(schedule, stages) <= footprint(schedule, stages + 1)


@given(schedules, st.integers(1, 4))
def test_what_lives_at_the_same_time_does_not_overlap(schedule: list[Buffer], stages: int):
    placements = place(schedule, stages)
    assert len(placements) == len(schedule)
    for index, one in enumerate(placements):
        assert one.offset % one.buffer.alignment == 0
        for other in placements[:index]:
            together = one.buffer.phase == other.buffer.phase or None in (one.buffer.phase, other.buffer.phase)
            if together and one.extent and other.extent:
                assert one.offset >= other.offset + other.extent or other.offset >= one.offset + one.extent


NUMPY_INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")


@pytest.mark.parametrize("name", NUMPY_INTEGERS)
def test_numbers_of_numpy_count_like_those_of_python(name: str):
    """120 and 100 fit all of the types, most sums and products of them only the wide ones."""
    narrow: Any = getattr(numpy, name)
    numbers: dict[str, Any] = {"size": 120, "alignment": 64, "slots_offset": 100, "phase": 100}
    plain = Buffer(**numbers, rotating=True, dynamic=True)
    given = Buffer(**{field: narrow(number) for field, number in numbers.items()}, rotating=True, dynamic=True)
    assert given == plain
    assert {type(value) for value in asdict(given).values()} == {int, bool, str}
    stages = narrow(100)
    assert (given.slots(stages), given.extent(stages)) == (200, 128 * 199 + 120)
    assert place([given, plain], stages) == place([plain, plain], 100)
    assert footprint([given, plain], stages) == footprint([plain, plain], 100) == 2 * 128 * 200
    assert round_up(narrow(120), narrow(100)) == 200
    staged = tile([narrow(120), narrow(100)], "f32", slots_offset=narrow(100))
    assert staged == tile([120, 100], "f32", slots_offset=100)


@pytest.mark.parametrize("field", ["size", "alignment", "slots_offset", "phase"])
@pytest.mark.parametrize("wrong", [1.5, 2.0, True, numpy.True_, numpy.arange(2), "4"])
def test_a_number_of_a_buffer_that_is_no_integer_is_named(field: str, wrong: Any):
    with pytest.raises(TypeError, match=f"^{re.escape(f'{field} must be an integer, got {wrong!r}')}$"):
        replace(Buffer(4), **{field: wrong})


@pytest.mark.parametrize("field", ["rotating", "dynamic"])
@pytest.mark.parametrize("wrong", ["no", 1, 0, None])
def test_only_a_bool_says_whether_a_buffer_rotates(field: str, wrong: Any):
    with pytest.raises(TypeError, match=f"^{field} must be True or False, got {wrong!r}$"):
        replace(Buffer(4), **{field: wrong})
