"""The fit: what it recovers, what it refuses, and the numbers it says so with."""

import math
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from rlx_sched.measure.device import Shape
from rlx_sched.measure.experiment import Configuration, Settings, run, start
from rlx_sched.measure.fit import MAX_ROUNDS, Measured, Row, attribution, fit_line, fit_results, fit_rows, report
from rlx_sched.measure.fit import measure as measure_rows
from rlx_sched.measure.publish import calibration_of, rows_of
from rlx_sched.measure.results import ResultsError
from rlx_sched.occupancy import (
    EVIDENCE,
    LOSS_PER_DOUBLING,
    Slower,
    TooCloseToCall,
    Unknown,
    load_calibration,
    predict,
)

# Geometric means over 12 shapes on an NVIDIA H200 through WGSL on Vulkan: bytes at one stage, rotations of 2, 3, 4.
H200_TRIAL = {
    "16x16/1x1": (2048, (1.079, 1.078, 1.134)),
    "8x8/1x1": (512, (1.064, 1.061, 1.121)),
    "8x8/2x2": (1024, (0.972, 0.991, 0.960)),
    "16x16/2x2": (4096, (0.974, 1.000, 0.962)),
    "32x32/1x1": (8192, (1.045, 1.037, 0.888)),
}

DEVICE: dict[str, Any] = {"name": "a GPU", "api": "webgpu", "backend": "Vulkan", "driver": "1", "versions": {}}


def trial(name: str) -> list[Row]:
    base, values = H200_TRIAL[name]
    return [Row(name, f"rotate-{s}", base, base * s, value) for s, value in zip((2, 3, 4), values, strict=True)]


def line_rows(loss: float, base: int, name: str) -> list[Row]:
    return [Row(name, f"rotate-{s}", base, base * s, 1 - loss * math.log2(s)) for s in (2, 3, 4)]


def measure(device: Any, *names: str, rounds: int = 8, quick: bool = False) -> dict[str, Any]:
    what = Settings(
        tuple(map(Configuration.parse, names)), (Shape(1, 16, 16), Shape(5, 7, 9)), rounds=rounds, quick=quick
    )
    results = start(device, what)
    run(device, what, results)
    return results


def test_the_m4_rows_give_the_published_constant_within_the_interval() -> None:
    fit = fit_rows(
        rows_of([row for row in EVIDENCE if row.role == "fit"]),
        rows_of([row for row in EVIDENCE if row.role == "held_out"]),
    )
    assert fit.line.loss == pytest.approx(0.0981, abs=5e-5)
    assert fit.line.low < LOSS_PER_DOUBLING < fit.line.high
    assert not fit.failed
    assert fit.slack == pytest.approx(0.05, abs=1e-3)


def test_a_line_through_two_points_is_the_one_worked_out_by_hand() -> None:
    line = fit_line([Row("k", "a", 1, 2, 0.9), Row("k", "b", 1, 4, 0.78)])
    # (1 * 0.1 + 2 * 0.22) / (1 + 4), residuals 0.008 and -0.004, Student's t for one degree of freedom.
    assert line.loss == pytest.approx(0.108)
    assert line.high - line.loss == pytest.approx(12.706 * math.sqrt(0.008**2 + 0.004**2) / math.sqrt(5))


def test_one_point_makes_no_line() -> None:
    with pytest.raises(ValueError, match="at least 2 rows, got 1"):
        fit_line([Row("k", "a", 1, 2, 0.9)])


@given(loss=st.floats(-0.3, 0.3), base=st.integers(1, 2**20), other=st.integers(1, 2**20))
def test_rows_on_a_line_give_it_back(loss: float, base: int, other: int) -> None:
    assume(abs(loss) > 1e-6)
    fit = fit_rows(line_rows(loss, base, "fit"), line_rows(loss, other, "held out"))
    assert fit.line.loss == pytest.approx(loss, abs=1e-9)
    assert fit.line.high - fit.line.low == pytest.approx(0, abs=1e-9)
    assert not fit.failed
    assert fit.slack == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("fitted", H200_TRIAL)
def test_the_h200_trial_is_refused_whichever_configuration_is_fitted(fitted: str) -> None:
    held_out = [row for name in H200_TRIAL if name != fitted for row in trial(name)]
    fit = fit_rows(trial(fitted), held_out)
    assert fit.failed


def test_a_refusal_says_which_rows_failed_with_the_numbers() -> None:
    fit = fit_rows(trial("16x16/1x1"), trial("8x8/2x2"))
    assert fit.line.loss < 0
    assert [check.name for check in fit.failed] == [
        "held out 8x8/2x2 rotate-2",
        "held out 8x8/2x2 rotate-3",
        "held out 8x8/2x2 rotate-4",
        "better than no model",
    ]
    assert fit.failed[0].detail == "predicted 1.063, measured 0.972, off by 0.091, at most 0.06 is right"


def test_a_chip_where_bytes_cost_nothing_gets_no_calibration() -> None:
    fit = fit_rows(line_rows(0.0, 2048, "fit"), line_rows(0.0, 512, "held out"))
    assert [check.name for check in fit.failed] == ["better than no model"]


def test_nothing_held_out_is_no_validation() -> None:
    assert [check.name for check in fit_rows(line_rows(0.1, 2048, "fit"), []).failed] == ["held out"]


@pytest.mark.parametrize(("relative", "passes"), [(0.979, False), (0.98, True), (1.02, True), (1.021, False)])
def test_the_control_has_to_read_one(relative: float, passes: bool) -> None:
    control = Row("fit", "serial", 2048, 2048, relative)
    fit = fit_rows(line_rows(0.1, 2048, "fit"), line_rows(0.1, 512, "held out"), [control])
    assert [check.name for check in fit.failed] == ([] if passes else ["control fit"])


def test_noise_and_disagreement_make_the_dead_band() -> None:
    rows, held_out = line_rows(0.1, 2048, "fit"), line_rows(0.1, 512, "held out")
    wide = [
        Row(r.configuration, r.arm, r.baseline_bytes, r.bytes, r.relative, r.relative - 0.07, r.relative + 0.07)
        for r in rows
    ]
    noisy = fit_rows(wide, held_out)
    assert (noisy.noise, noisy.slack) == (pytest.approx(0.07), pytest.approx(0, abs=1e-9))
    assert noisy.dead_band == pytest.approx(0.07)
    control = Row("fit", "serial", 2048, 2048, 0.985)
    assert fit_rows(rows, held_out, [control]).noise == pytest.approx(0.015)
    off = [Row(r.configuration, r.arm, r.baseline_bytes, r.bytes, r.relative + 0.04) for r in held_out]
    disagreeing = fit_rows(rows, off)
    assert disagreeing.dead_band == disagreeing.slack == pytest.approx(0.04)


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [
        (1.021, 1.03, "pays"),
        (0.9, 0.979, "costs"),
        (1.001, 1.002, "neutral"),
        (0.9, 1.1, "neutral"),
        (None, None, "pays"),
    ],
)
def test_attribution(low: float | None, high: float | None, word: str) -> None:
    assert attribution(Row("k", "pad-2", 1, 2, 1.021, low, high)) == word


def test_results_become_a_calibration_that_predicts_them(fake_device: Any, tmp_path: Path) -> None:
    results = measure(fake_device(), "16x16/1x1/16", "8x8/1x1/8")
    fit, measured = fit_results(results)
    assert not fit.failed
    path = tmp_path / "fake.toml"
    path.write_text(calibration_of(results, fit, measured).to_toml())
    calibration = load_calibration(path)
    assert calibration.loss_per_doubling == pytest.approx(0.1, abs=0.01)
    assert fit.dead_band - 1e-4 <= calibration.dead_band < fit.dead_band + 3e-4, "rounded up"
    assert fit.slack - 1e-4 <= calibration.slack < fit.slack + 3e-4, "of the rounded line"
    assert calibration.devices == ("Fake GPU 3000",)
    assert (calibration.min_bytes, calibration.max_bytes, calibration.max_doublings) == (512, 8192, 2.0)
    assert len(calibration.rows("fit")) == len(calibration.rows("held_out")) == 3
    assert isinstance(predict("Fake GPU 3000", 2048, 8192, calibration=calibration), Slower)
    assert isinstance(predict("Fake GPU 3000", 2048, 2048, calibration=calibration), TooCloseToCall)
    assert isinstance(predict("Fake GPU 4000", 2048, 8192, calibration=calibration), Unknown)


ratios = st.floats(-0.03, 0.03)


@given(st.floats(-0.3, 0.3), st.lists(ratios, min_size=3, max_size=3), st.lists(ratios, min_size=3, max_size=3))
@example(0.1, [0.0] * 3, [0.04000001, 0.0, 0.0])
def test_a_calibration_is_off_by_no_more_than_its_slack(loss: float, fit_off: list[float], off: list[float]) -> None:
    """From what was measured, and from the evidence that it shows."""
    rows, held_out = (
        [replace(row, relative=row.relative + one) for row, one in zip(line_rows(loss, base, name), offs, strict=True)]
        for base, name, offs in ((2048, "fit", fit_off), (512, "held out", off))
    )
    control = Row("fit", "serial", 2048, 2048, 0.99)
    fit = fit_rows(rows, held_out, [control])
    assume(not fit.failed)
    measured = [Measured("fit", 5, 2048, control, (), (), ())]
    results: dict[str, Any] = {
        "device": DEVICE,
        "started": "2026-11-30T12:00:00+00:00",
        "configurations": [{"shapes": []}],
    }
    calibration = calibration_of(results, fit, measured)
    for row, shown in zip((*rows, *held_out), calibration.evidence, strict=True):
        as_measured = replace(shown, relative=row.relative)
        assert abs(calibration.error(shown)) <= calibration.slack
        assert abs(calibration.error(as_measured)) <= calibration.slack
    assert calibration.dead_band >= max(calibration.slack, fit.noise)


@pytest.mark.parametrize(
    ("name", "file"), [("显卡", "gpu"), ("\u2013", "gpu"), (" ", "gpu"), ("Radeon™ RX 7900", "radeon-rx-7900")]
)
def test_a_calibration_has_the_name_of_its_device_or_a_common_one(fake_device: Any, name: str, file: str) -> None:
    results = measure(fake_device().with_info(name=name), "16x16/1x1/16", "8x8/1x1/8")
    calibration = calibration_of(results, *fit_results(results))
    assert (calibration.name, calibration.devices) == (file, (name,))


def test_rows_that_are_no_doubling_apart_are_left_out() -> None:
    row = EVIDENCE[0]
    some = [
        replace(row, baseline_bytes=small, bytes=large) for small, large in ((2**64 - 2, 2**64 - 1), (8, 8), (8, 9))
    ]
    assert [(one.baseline_bytes, one.bytes) for one in rows_of(some)] == [(8, 9)]


def test_a_refused_fit_makes_no_calibration(fake_device: Any) -> None:
    results = measure(fake_device(), "16x16/1x1/16")
    fit, measured = fit_results(results)
    with pytest.raises(ValueError, match="the fit failed its checks: held out"):
        calibration_of(results, fit, measured)


def test_a_software_renderer_and_a_quick_run_are_refused(fake_device: Any) -> None:
    device = fake_device().with_info(kind="CPU")
    fit, _ = fit_results(measure(device, "16x16/1x1/16", "8x8/1x1/8", quick=True))
    assert [check.name for check in fit.failed] == ["device", "shapes"]


def test_the_report_splits_a_rotation_into_what_pays_and_what_costs(fake_device: Any) -> None:
    def law(program: Any, shape: Any) -> float:
        del shape
        if "_idle" in program.wgsl:
            return 60.0
        return 50.0 if program.threadgroup_bytes in (512, 2048) and "ahead" not in program.wgsl else 55.0

    results = measure(fake_device(law=law), "16x16/1x1/16", "8x8/1x1/8")
    text = report(*fit_results(results))
    assert "16x16/1x1/16: 2048 bytes at one stage, 8 rounds, control 1.0" in text
    rows = [line.split() for line in text.splitlines() if line.strip().startswith(("4096 ", "6144 ", "8192 "))]
    assert [(row[5], row[8]) for row in rows] == [("costs", "pays")] * 3
    assert max(len(line) for line in text.splitlines() if not line.startswith(("passed", "FAILED"))) <= 100


def test_the_fit_can_be_made_on_another_configuration(fake_device: Any) -> None:
    results = measure(fake_device(), "16x16/1x1/16", "8x8/1x1/8")
    assert fit_results(results, "8x8/1x1/8")[0].configuration == "8x8/1x1/8"
    with pytest.raises(
        ResultsError, match=r"no configuration '9x9/1x1/9' in the results; there are: 16x16/1x1/16, 8x8"
    ):
        fit_results(results, "9x9/1x1/9")


def test_too_few_rounds_are_refused(fake_device: Any) -> None:
    with pytest.raises(ResultsError, match="16x16/1x1/16 has 4 complete rounds, a fit takes at least 5"):
        fit_results(measure(fake_device(), "16x16/1x1/16", rounds=4))


def test_one_rotation_is_no_curve(fake_device: Any) -> None:
    results = measure(fake_device().with_info(max_threadgroup_bytes=4096), "16x16/1x1/16", "8x8/1x1/8")
    with pytest.raises(ResultsError, match="16x16/1x1/16 has 1 stage counts above one, a fit takes 2"):
        fit_results(results)


def test_what_is_fitted_is_not_held_out(fake_device: Any) -> None:
    results = measure(fake_device(), "16x16/1x1/16")
    results["configurations"] *= 2
    fit, _ = fit_results(results)
    assert [check.name for check in fit.failed] == ["held out"]


@pytest.mark.parametrize("at_a_time", [1, 1000, 2**40])
def test_resampling_by_parts_makes_no_difference(
    fake_device: Any, monkeypatch: pytest.MonkeyPatch, at_a_time: int
) -> None:
    results = measure(fake_device(), "16x16/1x1/16", "8x8/1x1/8", rounds=7)
    whole = fit_results(results)
    monkeypatch.setattr("rlx_sched.measure.fit._RESAMPLED_AT_A_TIME", at_a_time)
    assert fit_results(results) == whole


@pytest.mark.parametrize(("rounds", "shapes"), [(MAX_ROUNDS, 1), (5, 4000)], ids=["rounds", "shapes"])
def test_a_fit_takes_no_memory_to_speak_of(rounds: int, shapes: int) -> None:
    """Whatever a results file has many of: a thousand resamples of it are never there at once."""
    arms = {"plain": {"bytes": 64}, "serial": {"bytes": 64}, "rotate-2": {"bytes": 128}, "pad-2": {"bytes": 128}}
    shape = {"ticks": {arm: [1000 + number % 7 for number in range(rounds)] for arm in arms}}
    configuration = {"name": "1x1/1x1/1", "arms": arms, "shapes": [shape] * shapes}
    tracemalloc.start()
    measure_rows({"settings": {"seed": 0}, "configurations": [configuration]})
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100e6


def test_too_many_rounds_are_refused() -> None:
    shape = {"ticks": {arm: [1] * (MAX_ROUNDS + 1) for arm in ("plain", "serial")}}
    arms = {"plain": {"bytes": 8}, "serial": {"bytes": 8}}
    results = {"settings": {"seed": 0}, "configurations": [{"name": "1x1/1x1/1", "arms": arms, "shapes": [shape]}]}
    with pytest.raises(ResultsError, match=r"1x1/1x1/1 has 10001 complete rounds, a fit takes at most 10000"):
        measure_rows(results)
