"""The model against everything that was measured."""

import math

import pytest

from rlx_sched import (
    DEAD_BAND,
    EVIDENCE,
    LOSS_PER_DOUBLING,
    TILE_EDGE_EVIDENCE,
    AppleGpuFamily,
    Slower,
    Unknown,
    calibrations,
    predict,
)
from rlx_sched.occupancy import Measurement, assess

FIT = [row for row in EVIDENCE if row.role == "fit"]
HELD_OUT = [row for row in EVIDENCE if row.role == "held_out"]


def by_bytes(row: Measurement) -> str:
    return f"{row.toolchain.split()[0]}-{row.bytes}"


def predicted(row: Measurement) -> float:
    ratio = assess(row.chip, row.baseline_bytes, row.bytes).ratio
    assert ratio is not None
    return ratio


def test_the_measured_points() -> None:
    assert [(row.bytes, row.relative) for row in FIT] == [(2048, 1.0), (4096, 0.906), (6144, 0.842)]
    assert [(row.bytes, row.relative) for row in HELD_OUT] == [(4096, 1.0), (8192, 0.952), (12288, 0.811)]
    assert {row.chip for row in EVIDENCE} == {"Apple M4 Pro"}
    assert {row.toolchain for row in FIT} == {"MSL"}
    assert {row.toolchain for row in HELD_OUT} == {"WGSL through naga to Metal"}
    assert all(row.source for row in EVIDENCE)


def test_the_published_constants() -> None:
    assert LOSS_PER_DOUBLING == 0.095
    assert DEAD_BAND == 0.05


@pytest.mark.parametrize("row", FIT, ids=by_bytes)
def test_fitted_rows_are_reproduced_within_0_02(row: Measurement) -> None:
    assert abs(predicted(row) - row.relative) <= 0.02


@pytest.mark.parametrize("row", HELD_OUT, ids=by_bytes)
def test_held_out_rows_are_reproduced_within_0_06(row: Measurement) -> None:
    assert abs(predicted(row) - row.relative) <= 0.06


@pytest.mark.parametrize("row", EVIDENCE, ids=by_bytes)
def test_the_interval_covers_every_row(row: Measurement) -> None:
    interval = assess(row.chip, row.baseline_bytes, row.bytes).interval
    assert interval is not None
    assert interval[0] <= row.relative <= interval[1]


def test_no_measured_row_is_extrapolated() -> None:
    assert not any(assess(row.chip, row.baseline_bytes, row.bytes).extrapolated for row in EVIDENCE)


def test_a_least_squares_fit_of_the_msl_rows_gives_the_published_constant() -> None:
    """The line through (0 doublings, ratio 1) that fits the two grown footprints best."""
    points = [(math.log2(row.bytes / row.baseline_bytes), 1 - row.relative) for row in FIT]
    slope = sum(x * y for x, y in points) / sum(x * x for x, _ in points)
    assert slope == pytest.approx(0.0981, abs=5e-5)
    assert abs(slope - LOSS_PER_DOUBLING) <= 0.005


def test_deeper_rotations_of_2048_bytes_are_slower_and_slower() -> None:
    verdicts = [predict(AppleGpuFamily.M4, 2048, 2048 * stages) for stages in (2, 3, 4)]
    assert all(isinstance(verdict, Slower) for verdict in verdicts)
    assert [round(verdict.ratio or 0, 3) for verdict in verdicts] == [0.905, 0.849, 0.81]


def test_only_the_m4_ships_a_calibration() -> None:
    assert [calibration.name for calibration in calibrations()] == ["apple-m4"]
    assert calibrations()[0].families == (AppleGpuFamily.M4,)
    assert calibrations()[0].devices == ()


@pytest.mark.parametrize(
    "chip", [*(family for family in AppleGpuFamily if family is not AppleGpuFamily.M4), "Apple M5 Max", "NVIDIA H200"]
)
def test_unmeasured_chips_are_unknown_yet_worth_measuring(chip: AppleGpuFamily | str) -> None:
    verdict = predict(chip, 2048, 6144)
    assert isinstance(verdict, Unknown)
    assert verdict.worth_measuring
    assert verdict.reason == f"no calibration for {chip if isinstance(chip, str) else chip.value}"


def test_tile_edges_are_recorded_as_what_the_model_gets_wrong() -> None:
    """Tile 8 reads 1.190 and tile 32 reads 0.810; on large shapes the measured sign is the opposite of both."""
    assert [(row.tile, row.bytes, row.relative) for row in TILE_EDGE_EVIDENCE] == [(8, 512, 1.118), (32, 8192, 0.910)]
    for row in TILE_EDGE_EVIDENCE:
        verdict = predict(row.chip, row.baseline_bytes, row.bytes)
        assert verdict.ratio == pytest.approx(row.predicted, abs=1e-9)
        assert verdict.ratio is not None
        assert (verdict.ratio - 1) * (row.large_m[0] - 1) < 0
        assert (verdict.ratio - 1) * (row.large_m[1] - 1) < 0
        assert row.source
    assert [row.predicted for row in TILE_EDGE_EVIDENCE] == [1.190, 0.810]
    assert [(row.small_m, row.large_m) for row in TILE_EDGE_EVIDENCE] == [
        ((1.55, 1.82), (0.96, 0.99)),
        ((0.52, 0.57), (1.08, 1.10)),
    ]
