"""The figure of a curve, as the numbers that Plotly draws."""

import math
from typing import Any

import pytest

from rlx_sched.ir.reader import read_module
from rlx_sched.occupancy import Calibration, calibrations
from rlx_sched.passes.occupancy_filter import OccupancyFilter
from rlx_sched.report.collect import Report, collect
from rlx_sched.report.figure import figure
from rlx_sched.tools.registry import new_context

MODULE = """builtin.module attributes {sched.target = #sched.target<"Apple M4 Pro">} {
  sched.kernel @one { sched.buffer @a rotating : memref<16x16xf32> }
  sched.kernel @three stages 3 { sched.buffer @a rotating : memref<32x32xf32> }
  sched.kernel @too_large stages 2 { sched.buffer @a rotating : memref<100x100xf32> }
  sched.kernel @elsewhere stages 2 target <"Apple M3"> { sched.buffer @a rotating : memref<16x16xf32> }
}
"""


@pytest.fixture(scope="module")
def report() -> Report:
    context = new_context()
    module, source = read_module(context, MODULE, "k.mlir")
    return collect(module, source, OccupancyFilter(), context, lambda _: None)


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    (m4,) = calibrations()
    return m4


@pytest.fixture
def drawn(report: Report, calibration: Calibration) -> dict[str, Any]:
    return figure(calibration, report.kernels)


def trace(drawn: dict[str, Any], name: str) -> dict[str, Any]:
    (found,) = [one for one in drawn["data"] if one["name"] == name]
    return found


def ratio(growth: float) -> float:
    """The published model of the M4."""
    return 1 - 0.095 * math.log2(growth)


def test_the_model_with_its_slack(drawn: dict[str, Any]) -> None:
    line, band = trace(drawn, "model"), trace(drawn, "model ± 0.05")
    assert line["y"] == pytest.approx([ratio(x) for x in line["x"]])
    half = len(line["x"])
    assert band["x"] == [*line["x"], *reversed(line["x"])]
    assert band["y"] == pytest.approx([y + 0.05 for y in line["y"]] + [y - 0.05 for y in reversed(line["y"])])
    assert half > 10
    assert min(line["x"]) < 1
    assert max(line["x"]) > 4


def test_the_dead_band_and_the_measured_range(drawn: dict[str, Any]) -> None:
    band, *ends = drawn["layout"]["shapes"]
    assert (band["y0"], band["y1"]) == (0.95, 1.05)
    assert [end["x0"] for end in ends] == [pytest.approx(3)]


@pytest.mark.parametrize(
    ("name", "symbol", "points"),
    [
        ("measured, fit", "square-open", [(1, 1.0), (2, 0.906), (3, 0.842)]),
        ("measured, held out", "diamond-open", [(1, 1.0), (2, 0.952), (3, 0.811)]),
    ],
)
def test_what_was_measured(drawn: dict[str, Any], name: str, symbol: str, points: list[tuple[float, float]]) -> None:
    found = trace(drawn, name)
    assert list(zip(found["x"], found["y"], strict=True)) == points
    assert found["marker"]["symbol"] == symbol


def test_kernels_stand_where_they_were_written(drawn: dict[str, Any], report: Report) -> None:
    close, slower = trace(drawn, "kernels: too close to call"), trace(drawn, "kernels: slower")
    assert (close["x"], close["y"], close["customdata"]) == ([1.0], [1.0], [[0]])
    assert slower["x"] == [3.0, 2.0]
    assert slower["y"] == pytest.approx([ratio(3), ratio(2)])
    positions: list[list[int]] = slower["customdata"]
    assert [[report.kernels[at].name for at in point] for point in positions] == [["three"], ["too_large"]]


def test_what_was_taken_out_is_open_and_what_stays_is_not(drawn: dict[str, Any]) -> None:
    assert trace(drawn, "kernels: too close to call")["marker"]["symbol"] == ["circle"]
    assert trace(drawn, "kernels: slower")["marker"]["symbol"] == ["triangle-down-open", "triangle-down"]


def test_an_arrow_leads_to_where_the_filter_moved_a_kernel(drawn: dict[str, Any]) -> None:
    move = trace(drawn, "stripped by the filter")
    assert (move["x"][0], move["y"][0]) == pytest.approx((3, ratio(3)))
    assert (move["x"][-1], move["y"][-1]) == pytest.approx((1, 1))
    assert [size for size in move["marker"]["size"] if size] == [move["marker"]["size"][-1]]
