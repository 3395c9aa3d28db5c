"""Explanations say what is so: every claim is checked against the layout and the model."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import ROOT

from rlx_sched.assessment import Assessor
from rlx_sched.dialect.attributes import Bound, Bytes
from rlx_sched.dialect.layout import footprint
from rlx_sched.ir.reader import read_module
from rlx_sched.occupancy import AppleGpuFamily, Calibration, Measurement, Slower, assess
from rlx_sched.report.explain import explain_schedule
from rlx_sched.sources import find_schedules
from rlx_sched.sources.schedule import Schedule
from rlx_sched.tools.registry import new_context

M4 = Assessor("Apple M4 Pro")


def schedule(stages: int, *buffers: str) -> Schedule:
    body = "\n".join(f"  sched.buffer @b{index} {buffer}" for index, buffer in enumerate(buffers))
    module, _ = read_module(new_context(), f"sched.kernel @k stages {stages} {{\n{body}\n}}", "k.mlir")
    (found,) = find_schedules(module)
    return found


def claim(text: str, pattern: str) -> tuple[int, ...] | None:
    found = re.search(pattern, text)
    return None if found is None else tuple(map(int, found.groups()))


BUFFERS = st.lists(
    st.builds(
        "{} : memref<{}x{}x{}>".format,
        st.sampled_from(["rotating", "rotating slots(stages - 1)", "rotating slots(stages + 2)", "", "dynamic"]),
        st.integers(1, 70),
        st.integers(1, 33),
        st.sampled_from(["f64", "f32", "f16", "bf16", "i8"]),
    ),
    min_size=1,
    max_size=4,
)


@given(stages=st.integers(1, 9), buffers=BUFFERS)
def test_claims_hold(stages: int, buffers: list[str]) -> None:
    found = schedule(stages, *buffers)
    text = explain_schedule(found, M4)

    def takes(count: int) -> int:
        return found.footprint(count).count

    def is_slower(count: int) -> bool:
        return isinstance(assess("Apple M4 Pro", takes(1), takes(count)).verdict, Slower)

    if fits := claim(text, r"at most (\d+) stages? fits? in (\d+) bytes"):
        most, limit = fits
        assert takes(most) <= limit < takes(most + 1)
    elif "not even one stage fits" in text:
        assert takes(1) > 32768
    else:
        assert "the footprint is the same with any number of stages" in text
        assert takes(1) == takes(1000)
    if not_slower := claim(text, r"at most (\d+) stages are not slower"):
        assert not is_slower(not_slower[0])
        assert is_slower(not_slower[0] + 1)
    elif "any number of stages but one is slower" in text:
        assert is_slower(2)
    if turn := claim(text, r"against (\d+) bytes, (\d+) bytes and more are slower"):
        baseline, first = turn
        assert baseline == takes(1)
        assert isinstance(assess("Apple M4 Pro", baseline, first).verdict, Slower)
        assert not isinstance(assess("Apple M4 Pro", baseline, first - 1).verdict, Slower)


@given(stages=st.integers(1, 9), buffers=BUFFERS)
def test_buffers_are_where_the_layout_puts_them(stages: int, buffers: list[str]) -> None:
    found = schedule(stages, *buffers)
    placements = found.placements(stages)
    assert placements is not None
    text = explain_schedule(found, M4)
    for buffer, offset, extent in placements:
        (row,) = re.findall(rf"^  @{buffer.name} .*$", text, re.MULTILINE)
        assert row.split()[-3:] == [str(buffer.slots(stages)), str(offset), str(extent)]
    (total,) = re.findall(r"^  footprint .*$", text, re.MULTILINE)
    assert total.split()[-1] == str(footprint([placement.buffer for placement in placements], stages))


def test_elements_of_half_the_size() -> None:
    # One slot of 16384 bytes: with f32 only one stage fits in 32768 bytes beside 64 bytes that stay.
    text = explain_schedule(schedule(4, "rotating : memref<64x64xf32>", ": memref<8xf64>"), M4)
    assert "at most 1 stage fits in 32768 bytes" in text
    with_f16 = text[text.index("with f16 for f32") :]
    assert re.findall(r"(\d+) stages would", with_f16) == ["4", "2", "3"]
    for stages in (2, 3, 4):
        halved = schedule(stages, "rotating : memref<64x64xf16>", ": memref<8xf64>")
        assert (halved.footprint(stages).count <= 32768) == (stages <= 3)
    halved = schedule(4, "rotating : memref<64x64xf16>", ": memref<8xf64>")
    one, four = halved.footprint(1).count, halved.footprint(4).count
    assert f"4 stages would take {four} bytes, one stage {one}: slower, ratio 0.811, extrapolated" in with_f16
    assert assess("Apple M4", one, four).ratio == pytest.approx(0.811, abs=5e-4)


def test_elements_of_half_the_size_without_a_calibration_have_no_ratio() -> None:
    text = explain_schedule(schedule(2, "rotating : memref<64x64xf32>"), Assessor("Apple M3 Max"))
    assert "    2 stages would take 16384 bytes, one stage 8192\n" in text


def test_the_distance_from_the_limit_and_from_the_measurements() -> None:
    text = explain_schedule(schedule(2, "rotating : memref<100x100xf32>"), M4)
    # 2 * 100 * 100 * 4 bytes - 32768
    assert "limit: 32768 bytes for one threadgroup: does not fit, 47232 bytes over" in text
    assert re.search(r"held out +4096 -> 8192 +0\.952 +0\.905 +-0\.047", text)
    assert re.search(r"held out +4096 -> 12288 +0\.811 +0\.849 +\+0\.038", text)


def test_phases_and_dynamic_memory_are_named() -> None:
    text = """sched.kernel @k stages 2 {
      sched.buffer @a rotating dynamic : memref<4xf32>
      sched.phase { sched.buffer @o : memref<4xf32> }
    }"""
    module, _ = read_module(new_context(), text, "k.mlir")
    (found,) = find_schedules(module)
    explained = explain_schedule(found, M4)
    assert re.search(r"@a rotating dynamic +memref<4xf32> +4 +always +1 +0 +16 +2 +0 +32$", explained, re.MULTILINE)
    assert re.search(r"@o resident +memref<4xf32> +4 +phase 1 +1 +16 +16 +1 +32 +16$", explained, re.MULTILINE)


def test_an_unmeasured_chip_is_compared_with_those_that_were() -> None:
    text = explain_schedule(schedule(3, "rotating : memref<16x16xf32>"), Assessor("Apple M3 Max"))
    assert "verdict: unknown, no calibration for Apple M3 Max" in text
    assert "on Apple M4 (calibration apple-m4) it would be slower, ratio 0.849" in text
    assert "evidence" not in text


def test_a_footprint_that_is_not_known_is_not_made_up() -> None:
    text = explain_schedule(schedule(3, "rotating : memref<16x?xf32>"), M4)
    assert "threadgroup memory: not known\n  the size of memref<16x?xf32> is dynamic" in text
    assert "what would change it" not in text
    assert "ratio" not in text


def test_extrapolation_says_in_which_respect() -> None:
    text = explain_schedule(schedule(4, "rotating : memref<16x16xf32>"), M4)
    assert "extrapolated here: 1024 bytes are fewer than 2048, 4 times is more than 3" in text


class Bounded(Schedule):
    """A schedule of which only bounds are known: at most so much with one stage, at least `bytes` with more."""

    def __init__(self, bytes: int):
        self.op, self.name, self.stages = schedule(1, ": memref<4xf32>").op, "k", 3
        self.bytes = bytes

    def footprint(self, stages: int) -> Bytes:
        return Bytes(8192, Bound.AT_MOST) if stages == 1 else Bytes(self.bytes, Bound.AT_LEAST)

    def restage(self, stages: int) -> None:
        raise NotImplementedError


def test_a_verdict_from_bounds_is_the_least_that_they_prove() -> None:
    text = explain_schedule(Bounded(24576), M4)
    assert "threadgroup memory (this kind of IR gives no account of single buffers):" in text
    assert "may or may not fit, the footprint is known only as at_least 24576" in text
    assert "verdict: slower, ratio 0.849" in text
    assert "the ratio nearest to 1 that at_most 8192 -> at_least 24576 bytes allow" in text
    assert "  1 stage fits for certain in 32768 bytes" in text
    assert "than one" not in text


def test_bounds_that_prove_nothing_are_unknown() -> None:
    text = explain_schedule(Bounded(8192), M4)
    assert "verdict: unknown, the footprint is known only as at_most 8192 -> at_least 8192 bytes" in text
    assert "extrapolated here" not in text
    assert "this schedule is" not in text


def test_where_staging_wins() -> None:
    point = Measurement("fit", "Apple M2", "MSL", "made up for a test", 1024, 2048, 1.1, "test")
    gains = Calibration(
        "gains",
        (AppleGpuFamily.M2,),
        (),
        -0.1,
        0.05,
        0.05,
        1024,
        4096,
        2.0,
        (1.0, 1.0),
        (point,),
        (("source", "test"),),
    )
    text = explain_schedule(schedule(3, "rotating : memref<16x16xf32>"), Assessor("Apple M2", calibration=gains))
    assert "verdict: faster, ratio 1.158" in text
    assert "1 + 0.1 * log2(3072 / 1024) = 1.158; above 1.05" in text
    assert "against 1024 bytes, 1449 bytes and more are faster, fewer are not" in text
    assert "no number of stages is slower than one" in text


def test_buffers_of_upstream_kernels_have_their_slots_and_places() -> None:
    text = (ROOT / "examples" / "matmul_multibuffered.mlir").read_text()
    module, _ = read_module(new_context(), text, "m.mlir")
    (found,) = find_schedules(module)
    explained = explain_schedule(found, M4)
    rows = [line.split() for line in explained.split("\n") if line.startswith("  rotating")]
    assert [row[-6:] for row in rows] == [
        ["1", "0", "2048", "3", "0", "6144"],
        ["1", "2048", "2048", "3", "6144", "6144"],
    ]
    assert re.search(r"footprint +4096 +12288\n", explained)
