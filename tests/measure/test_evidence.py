"""The measurements that the repository keeps say what docs/calibrating.md says of them."""

import re
from pathlib import Path
from statistics import median

import pytest

from rlx_sched.measure.fit import Fit, Measured, attribution, fit_results, report
from rlx_sched.measure.results import load_results
from rlx_sched.occupancy import Unknown, predict
from rlx_sched.tools.rlx_calibrate import main

DOCS = Path(__file__).parents[2] / "docs"
H200 = DOCS / "evidence" / "nvidia-h200.json"

REFUSED = [
    "held out 8x8/1x1/8 rotate-3",
    "held out 8x8/1x1/8 rotate-4",
    "held out 8x8/2x2/8 rotate-2",
    "held out 8x8/2x2/8 rotate-4",
    "held out 16x16/2x2/16 rotate-2",
    "held out 16x16/2x2/16 rotate-4",
    "held out 32x32/1x1/32 rotate-3",
    "held out 32x32/1x1/32 rotate-4",
]


@pytest.fixture(scope="module")
def h200() -> tuple[Fit, tuple[Measured, ...]]:
    return fit_results(load_results(H200))


def test_the_h200_is_refused_for_its_held_out_rows(h200: tuple[Fit, tuple[Measured, ...]]) -> None:
    fit, _ = h200
    assert [check.name for check in fit.failed] == REFUSED
    assert len(fit.checks) == 19
    assert (round(fit.line.loss, 3), round(fit.slack, 3), round(fit.noise, 4)) == (-0.143, 0.229, 0.0005)


def test_another_seed_says_the_same(h200: tuple[Fit, tuple[Measured, ...]]) -> None:
    first, (again, second) = h200[1], fit_results(load_results(H200.with_stem("nvidia-h200-seed1")))
    assert [check.name for check in again.failed] == REFUSED
    for one, other in zip(first, second, strict=True):
        pairs = zip([*one.rotate, *one.pad, one.control], [*other.rotate, *other.pad, other.control], strict=True)
        assert all(abs(left.relative - right.relative) < 0.001 for left, right in pairs)


def test_half_precision_is_refused_too() -> None:
    fit, measured = fit_results(load_results(H200.with_stem("nvidia-h200-f16")))
    assert {check.name.split()[0] for check in fit.failed} == {"held"}
    assert all(abs(m.control.relative - 1) < 0.001 for m in measured)
    rotations = sorted(round(row.relative, 3) for m in measured for row in m.rotate)
    assert (rotations[0], rotations[1], rotations[-1]) == (0.977, 1.162, 1.248)


@pytest.mark.parametrize("fitted", ["8x8/1x1/8", "8x8/2x2/8", "16x16/2x2/16", "32x32/1x1/32"])
def test_no_other_configuration_gives_a_line_that_holds(fitted: str) -> None:
    fit, _ = fit_results(load_results(H200), fitted)
    assert {check.name.split()[0] for check in fit.failed} == {"held"}


def test_the_control_reads_one(h200: tuple[Fit, tuple[Measured, ...]]) -> None:
    assert all(abs(m.control.relative - 1) < 0.001 for m in h200[1])


def test_every_rotation_pays_and_idle_bytes_cost_at_four_slots_of_large_tiles(
    h200: tuple[Fit, tuple[Measured, ...]],
) -> None:
    rows = [(rotate, pad) for m in h200[1] for rotate, pad in zip(m.rotate, m.pad, strict=True)]
    assert {attribution(rotate) for rotate, _ in rows} == {"pays"}
    assert [(pad.configuration, pad.bytes) for _, pad in rows if attribution(pad) == "costs"] == [
        ("16x16/2x2/16", 16384),
        ("32x32/1x1/32", 32768),
    ]


def test_a_fourth_slot_costs_on_the_largest_shape_of_the_largest_tiles() -> None:
    ratios: dict[str, float] = {}
    for configuration in load_results(H200)["configurations"]:
        (ticks,) = (shape["ticks"] for shape in configuration["shapes"] if shape["m"] == 2048)
        ratios[configuration["name"]] = round(median(ticks["serial"]) / median(ticks["rotate-4"]), 2)
    assert (ratios["16x16/2x2/16"], ratios["32x32/1x1/32"]) == (0.94, 0.94)
    assert min(ratios[name] for name in ratios if name not in ("16x16/2x2/16", "32x32/1x1/32")) > 1


def test_the_command_refuses_and_the_chip_stays_unknown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", str(H200), "-o", str(tmp_path / "h200.toml")]) == 1
    assert "error: no calibration for NVIDIA H200, it stays unknown; failed:\n" in capsys.readouterr().err
    assert not (tmp_path / "h200.toml").exists()
    assert isinstance(predict("NVIDIA H200", 2048, 4096), Unknown)


def test_the_documented_table_is_the_measured_one(h200: tuple[Fit, tuple[Measured, ...]]) -> None:
    documented = re.findall(r"^\| (\d+x\d+/\S+) \| (\d+) \| (.*?) \| (.*?) \| ([\d.]+) \|$", text(), re.M)
    assert documented == [
        (
            m.name,
            str(m.baseline_bytes),
            " / ".join(f"{row.relative:.3f}" for row in m.rotate),
            " / ".join(f"{row.relative:.3f}" for row in m.pad),
            f"{m.control.relative:.3f}",
        )
        for m in h200[1]
    ]


def test_the_documented_refusal_is_the_one_that_is_printed(h200: tuple[Fit, tuple[Measured, ...]]) -> None:
    quoted = re.findall(r"^(?:fitted on|noise|passed:|FAILED:) .*$", text(), re.M)
    assert quoted
    assert set(quoted) <= set(report(*h200).splitlines())


def test_the_evidence_names_device_driver_and_versions_and_nothing_of_the_host() -> None:
    results = load_results(H200)
    device = results["device"]
    assert (device["name"], device["driver"], device["versions"]["wgpu"]) == ("NVIDIA H200", "580.159.04", "0.32.0")
    assert set(results["host"]) == {"system", "python", "rlx-sched", "numpy"}
    assert f"driver {device['driver']}, wgpu {device['versions']['wgpu']}" in text()


def text() -> str:
    return (DOCS / "calibrating.md").read_text()
