"""Slots for a stage setting, as compilers really keep them."""

import csv
import re
from pathlib import Path
from typing import Any

import numpy
import pytest

from rlx_sched.sources.slots import iree_spirv_slots, tilelang_metal_slots, triton_slots

CORPUS = Path(__file__).parent.parent / "corpus"
TILES_BYTES = 2 * (64 * 32) * 2
"""The tiles of both operands of the TileLang kernel in bytes: 64x32 and 32x64 elements of f16."""


def tilelang_rows() -> list[tuple[str, int, int]]:
    with (CORPUS / "TRUTH.tsv").open() as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["file"].startswith("tilelang/")]
    return [(row["file"], int(row["slots"]), int(row["bytes"])) for row in rows]


@pytest.mark.parametrize(("file", "slots", "scheduled"), tilelang_rows())
def test_tilelang_for_metal(file: str, slots: int, scheduled: int):
    (size,) = re.findall(r"threadgroup uchar \w+\[(\d+)\];", (CORPUS / file).read_text())
    num_stages = int(file[-len("0.metal")])
    assert tilelang_metal_slots(num_stages) == slots
    assert int(size) == slots * TILES_BYTES == scheduled


@pytest.mark.parametrize(
    ("depth", "store_stage", "slots"), [(0, 0, 2), (0, 1, 1), (1, 0, 2), (1, 1, 1), (2, 0, 3), (2, 1, 2), (3, 0, 4)]
)
def test_iree_for_spirv(depth: int, store_stage: int, slots: int):
    assert iree_spirv_slots(depth, store_stage) == slots


@pytest.mark.parametrize("spelling", ["cuda:80", "sm_80", "sm80", "cuda:86", "hip:gfx942", "gfx942", "gfx1100"])
def test_triton_keeps_no_slot_for_the_last_stage(spelling: str):
    assert [triton_slots(spelling, stages) for stages in (1, 2, 3, 4)] == [1, 1, 2, 3]


@pytest.mark.parametrize("spelling", ["cuda:90", "sm_90a", "hip:gfx950", "gfx950"])
def test_triton_keeps_a_slot_for_every_stage(spelling: str):
    assert [triton_slots(spelling, stages) for stages in (1, 2, 3, 4)] == [1, 2, 3, 4]


@pytest.mark.parametrize("spelling", ["", "Apple M4 Pro", "cuda:70", "cuda:100", "sm_800", "gfx90a", "NVIDIA A100"])
def test_a_rule_is_never_guessed(spelling: str):
    assert triton_slots(spelling, 3) is None


@pytest.mark.parametrize("number", [0, 1, 2, 255])
def test_stage_settings_of_numpy_count_like_those_of_python(number: int):
    """A byte holds no slot less than 0 and none more than 255."""
    narrow: Any = numpy.uint8(number)
    for target in ("sm_80", "sm_90", "gfx942", "gfx950"):
        assert triton_slots(target, narrow) == triton_slots(target, number)
    assert iree_spirv_slots(narrow, numpy.uint8(0)) == iree_spirv_slots(number, 0)  # pyright: ignore[reportArgumentType]
    assert tilelang_metal_slots(narrow) == tilelang_metal_slots(number)
    wrong: Any = "2"
    with pytest.raises(TypeError, match=r"^num_stages must be an integer, got '2'$"):
        tilelang_metal_slots(wrong)
