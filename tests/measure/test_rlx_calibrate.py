"""The command line from end to end, on a fake device."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree

import pytest
from matplotlib.text import Text

from rlx_sched import __version__
from rlx_sched.measure.device import Shape
from rlx_sched.measure.fit import fit_results
from rlx_sched.measure.plot import draw
from rlx_sched.measure.results import load_results
from rlx_sched.occupancy import Slower, load_calibration, predict
from rlx_sched.tools.rlx_calibrate import main


@pytest.fixture
def device(fake_device: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A fake device behind the command line, and two small shapes instead of twelve."""
    made = fake_device()

    def open_device(*arguments: object, **options: object) -> Any:
        return made

    monkeypatch.setattr("rlx_sched.measure.device.open_device", open_device)
    monkeypatch.setattr("rlx_sched.measure.experiment.SHAPES", (Shape(1, 16, 16), Shape(5, 7, 9)))
    return made


def run(results: Path, *arguments: str) -> int:
    return main(["run", "-o", str(results), "-c", "16x16/1x1/16", "-c", "8x8/1x1/8", "--rounds", "6", *arguments])


@pytest.mark.usefixtures("device")
def test_one_run_gives_a_calibration_that_the_model_uses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = tmp_path / "gpu.json"
    assert run(results) == 0
    assert main(["fit", str(results)]) == 0
    out = capsys.readouterr().out
    assert "Fake GPU 3000\nfitted on 16x16/1x1/16: loss per doubling +0.1" in out
    assert "rlx-opt --occupancy-filter=" in out
    calibration = load_calibration(tmp_path / "gpu.toml")
    assert isinstance(predict("Fake GPU 3000", 2048, 6144, calibration=calibration), Slower)
    assert main(["show", str(tmp_path / "gpu.toml")]) == 0
    assert "fake-gpu-3000: Fake GPU 3000" in capsys.readouterr().out


@pytest.mark.usefixtures("device")
def test_one_command_measures_and_fits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path / "gpu.json", "--fit") == 0
    assert "fitted on 16x16/1x1/16" in capsys.readouterr().out
    assert load_calibration(tmp_path / "gpu.toml").matches("Fake GPU 3000")


@pytest.mark.usefixtures("device")
def test_progress_in_a_log_is_a_line_a_tenth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path / "gpu.json") == 0
    error = capsys.readouterr().err
    assert "\r" not in error
    # Six rounds of two configurations on two shapes: the tenths fall between the groups.
    assert "probing the GPU: 0 %\nchecking results: 0 %\n" in error
    lines = [line for line in error.splitlines() if line.startswith("measuring, round ")]
    assert [line.split(":")[1].split("%")[0].strip() for line in lines] == [
        *("4", "12", "20", "33", "41", "50", "62", "70", "83", "91", "100")
    ]
    assert re.fullmatch(r"measuring, round 6: 100 %, 0 s left", lines[-1])


@pytest.mark.usefixtures("device")
def test_progress_on_a_terminal_is_a_bar(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert run(tmp_path / "gpu.json") == 0
    assert "group/s]" in capsys.readouterr().err


def test_a_refusal_writes_nothing_and_says_why(device: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def law(program: Any, shape: Any) -> float:
        del shape
        better = program.covers == (8, 8)
        return 50 / (1 + (0.1 if better else -0.1) * (program.threadgroup_bytes not in (512, 2048)))

    device.law = law
    results = tmp_path / "gpu.json"
    assert run(results) == 0
    assert main(["fit", str(results)]) == 1
    error = capsys.readouterr().err
    assert (
        "error: no calibration for Fake GPU 3000, it stays unknown; failed:\n  held out 8x8/1x1/8 rotate-2: pred"
        in error
    )
    assert not (tmp_path / "gpu.toml").exists()


def test_ctrl_c_keeps_what_is_done_and_resume_goes_on(
    device: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "gpu.json"
    device.interrupted_after = 22
    assert run(results) == 130
    assert "--resume goes on with it" in capsys.readouterr().err
    partial = json.loads(results.read_text())["configurations"][0]["shapes"][0]["ticks"]["serial"]
    assert 0 < len(partial) < 6
    device.interrupted_after = float("inf")
    assert run(results) == 1
    assert "exists; --resume goes on with it, -o names another file" in capsys.readouterr().err
    assert run(results, "--resume") == 0
    whole = json.loads(results.read_text())["configurations"][0]["shapes"][0]["ticks"]["serial"]
    assert len(whole) == 6
    assert whole[: len(partial)] == partial


@pytest.mark.usefixtures("device")
def test_results_are_named_after_the_gpu(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    configurations = ["run", "-c", "16x16/1x1/16", "-c", "8x8/1x1/8", "--rounds", "6"]
    assert main([*configurations, "--fit"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fake-gpu-3000.json", "fake-gpu-3000.toml"]
    whole = Path("fake-gpu-3000.json").read_bytes()
    assert main([*configurations, "--seed", "1"]) == 1
    assert "fake-gpu-3000.json exists; --resume goes on with it, -o names another file" in capsys.readouterr().err
    assert main([*configurations, "--resume"]) == 0
    assert Path("fake-gpu-3000.json").read_bytes() == whole
    assert main([*configurations, "--quick"]) == 0
    assert Path("fake-gpu-3000-quick.json").exists()


def test_a_lost_device_keeps_what_is_done(device: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    device.lost_after = 22
    assert run(tmp_path / "gpu.json") == 1
    assert "error: Fake GPU 3000 failed: it was unplugged;" in capsys.readouterr().err
    assert json.loads((tmp_path / "gpu.json").read_text())["configurations"][0]["shapes"][0]["ticks"]["serial"]


def test_only_the_same_experiment_is_resumed(device: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = tmp_path / "gpu.json"
    assert run(results) == 0
    assert run(results, "--resume", "--seed", "1") == 1
    assert "cannot be resumed: settings seed was 0, is 1" in capsys.readouterr().err
    assert run(results, "--resume", "-c", "8x8/2x2/8") == 1
    assert "it has other configurations or shapes" in capsys.readouterr().err
    device.with_info(driver="fake 2.0")
    assert run(results, "--resume") == 1
    assert "device driver was 'fake 1.0', is 'fake 2.0'" in capsys.readouterr().err
    device.with_info(driver="fake 1.0")
    results.write_text(results.read_text().replace(f'"rlx-sched": "{__version__}"', '"rlx-sched": "0.0"'))
    assert run(results, "--resume") == 1
    assert f"host rlx-sched was '0.0', is '{__version__}'" in capsys.readouterr().err


def test_a_failed_gate_is_an_error(device: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    device.wrong = "sgemm"
    assert run(tmp_path / "gpu.json") == 1
    assert re.search(r"error: gate: rotate-2 of 16x16/1x1/16 .* differs from plain", capsys.readouterr().err)


def test_what_does_not_fit_is_told(device: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    device.with_info(max_threadgroup_bytes=6144)
    assert run(tmp_path / "gpu.json") == 0
    assert "skipped: 16x16/1x1/16 rotate-4: rotate-4 needs 8192 bytes" in capsys.readouterr().err


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(("kind", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_the_picture(tmp_path: Path, kind: str, start: bytes) -> None:
    results, picture = tmp_path / "gpu.json", tmp_path / f"gpu.{kind}"
    assert run(results) == 0
    assert main(["plot", str(results), *(["-o", str(picture)] if kind == "png" else [])]) == 0
    data = picture.read_bytes()
    assert data.startswith(start)
    if kind == "svg":
        assert main(["plot", str(results), "-o", str(picture)]) == 0
        assert picture.read_bytes() == data, "equal results give equal pictures"


@pytest.mark.usefixtures("device")
def test_a_picture_of_another_kind_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = tmp_path / "gpu.json"
    assert run(results) == 0
    assert main(["plot", str(results), "-o", str(tmp_path / "gpu.gif")]) == 1
    assert "the picture is svg or png" in capsys.readouterr().err


@pytest.mark.usefixtures("device")
def test_the_picture_shows_every_configuration_and_the_outcome(tmp_path: Path) -> None:
    results = tmp_path / "gpu.json"
    assert run(results) == 0
    figure = draw("Fake GPU 3000", *fit_results(json.loads(results.read_text())))
    text = "\n".join(one.get_text() for one in figure.findobj(Text))
    for words in (
        "16x16/1x1/16 (fitted)",
        "8x8/1x1/8 (held out)",
        "dead band",
        "pad: the bytes idle",
        "passes its checks",
    ):
        assert words in text


@pytest.mark.usefixtures("device")
def test_the_picture_has_the_numbers_of_the_fit(tmp_path: Path) -> None:
    results = tmp_path / "gpu.json"
    assert run(results) == 0
    fit, measured = fit_results(json.loads(results.read_text()))
    left, right = draw("Fake GPU 3000", fit, measured).axes
    lines = {line.get_label(): line for line in left.get_lines()}
    line = lines[f"fit, loss {fit.line.loss:+.3f} per doubling"]
    end = line.get_xdata()[1]
    assert end > fit.max_doublings
    assert list(line.get_ydata()) == pytest.approx([1, 1 - fit.line.loss * end])
    band = left.patches[0].get_bbox()
    assert (band.y0, band.y1) == pytest.approx((1 - fit.dead_band, 1 + fit.dead_band))
    fitted, held_out = (container.lines[0] for container in left.containers)
    assert held_out.get_markerfacecolor() == "white" != fitted.get_markerfacecolor()
    assert list(fitted.get_ydata()) == [row.relative for row in fit.rows]
    drawn = [(list(c.lines[0].get_xdata()), list(c.lines[0].get_ydata())) for c in right.containers]
    rows = [rows for m in measured for rows in (m.rotate, m.pad)]
    assert drawn == [([row.bytes for row in one], [row.relative for row in one]) for one in rows]


@pytest.mark.usefixtures("device")
def test_a_picture_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = tmp_path / "gpu.json"
    assert run(results) == 0
    assert main(["plot", str(results), "-o", str(tmp_path / "missing/gpu.svg")]) == 1
    assert "rlx-calibrate: error: cannot write output file" in capsys.readouterr().err


def test_names_of_devices_are_text(device: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    device.with_info(name="GPU $\\frac$ \x1b[31m")
    results = tmp_path / "gpu.json"
    assert run(results) == 0
    assert main(["fit", str(results)]) == 0
    assert main(["plot", str(results), "-o", str(tmp_path / "gpu.svg")]) == 0
    captured = capsys.readouterr()
    assert "\x1b" not in captured.out + captured.err


def test_what_ships(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    assert (
        "apple-m4: Apple M4; loss per doubling +0.095, dead band 0.05, 2048 to 12288 bytes\n" in capsys.readouterr().out
    )
    assert main(["show", "apple-m4"]) == 0
    shown = capsys.readouterr().out
    assert "held_out    4096 -> 12288   measured 0.811, off by +0.038" in shown
    assert "fitted anew to these rows: +0.098 per doubling (95 % interval +0.065 to +0.131), slack 0.050" in shown
    assert main(["show", "apple-m9"]) == 1
    assert "no calibration 'apple-m9' and no such file; shipped: " in capsys.readouterr().err


def test_a_broken_calibration_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.toml").write_text("name =")
    assert main(["show", str(tmp_path / "x.toml")]) == 1
    assert "error: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "factor", "what"),
    [
        ("Fake GPU 3000", 1000, "dead_band: expected a number from 0"),
        ("", 1, "devices: expected device names, got an empty string"),
    ],
    ids=["times of no kernel", "no name"],
)
@pytest.mark.usefixtures("device")
def test_results_of_which_no_calibration_can_be_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, factor: int, what: str
) -> None:
    """Found by fuzzing: every check of the fit passes, and one number, or the name, is none of a calibration."""
    file = tmp_path / "gpu.json"
    assert run(file) == 0
    results = json.loads(file.read_text())
    results["device"]["name"] = name
    for shape in results["configurations"][0]["shapes"]:
        ticks = shape["ticks"]["rotate-2"]
        ticks[:2] = [one // factor for one in ticks[:2]]
    file.write_text(json.dumps(results))
    capsys.readouterr()
    assert main(["fit", str(file)]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"rlx-calibrate: error: no calibration for {name}, it stays unknown: {what}")
    assert error.count("\n") == 1
    assert not (tmp_path / "gpu.toml").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["run", "-o", "x", "-c", "16"],
        ["run", "-o", "x", "--rounds", "0"],
        ["run", "-o", "x", "--rounds", "10001"],
        ["run", "-o", "x", "--seed", "-1"],
        ["plot"],
    ],
)
def test_usage_errors_exit_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("rlx-calibrate: error: ")
    assert "--help` shows the options" in error


def test_a_cluster_needs_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--scheduler", "tcp://127.0.0.1:1"]) == 2
    assert capsys.readouterr().err.startswith("rlx-calibrate: error: --scheduler needs -o FOLDER")


@pytest.mark.parametrize("command", [[], ["run"], ["fit"], ["plot"], ["list"], ["show"]])
def test_help_fits_80_columns(
    command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert main([*command, "--help"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_an_error_of_ours_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*arguments: object, **options: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("rlx_sched.measure.device.open_device", broken)
    assert run(tmp_path / "gpu.json") == 70
    error = capsys.readouterr().err
    assert error.startswith("rlx-calibrate: internal error: ZeroDivisionError: division by zero (at ")
    assert "This is a defect of rlx-calibrate, not of its input." in error
    assert "Traceback" not in error


def test_there_is_a_place_for_the_results_before_anything_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path / "missing" / "gpu.json") == 1
    assert "missing is no folder to write gpu.json to" in capsys.readouterr().err


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(
    ("command", "results", "output"),
    [
        ("fit", "gpu.toml", None),
        ("plot", "gpu.svg", None),
        ("fit", "gpu.json", "gpu.json"),
        ("plot", "gpu.png", "gpu.png"),
        ("fit", "gpu.json", "hard"),
        ("fit", "gpu.json", "symbolic.toml"),
        ("fit", "missing.toml", None),
    ],
)
def test_no_output_replaces_the_results(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    results: str,
    output: str | None,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(Path("measured")) == 0
    measured = Path("measured").read_bytes()
    if results != "missing.toml":
        Path("measured").rename(results)
        os.link(results, "hard")
        os.symlink(results, "symbolic.toml")
    capsys.readouterr()
    assert main([command, results, *([] if output is None else ["-o", output])]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        f"rlx-calibrate: error: '{output or results}' is the results file, which {command} would replace; "
        "-o names another file\n"
    )
    if results != "missing.toml":
        assert Path(results).read_bytes() == measured


def test_a_run_that_is_fitted_keeps_its_results(
    device: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "gpu.toml"
    assert run(results, "--fit") == 2
    assert f"'{results}' is the results file, which fit would replace" in capsys.readouterr().err
    assert device.batches == 0
    assert not results.exists()


def test_a_configuration_that_is_named_twice(device: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path / "gpu.json", "-c", "8x8/1x1/8") == 2
    assert capsys.readouterr().err == (
        "rlx-calibrate: error: configuration 8x8/1x1/8 is there twice; it can be measured once\n"
    )
    assert device.batches == 0


@pytest.mark.usefixtures("device")
def test_a_calibration_that_is_too_large_to_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "gpu.json"
    assert run(file) == 0
    results = json.loads(file.read_text())
    first, second = results["configurations"]
    results["configurations"] = [first, *({**second, "name": f"8x8/1x1/{k}"} for k in range(1, 201))]
    file.write_text(json.dumps(results))
    capsys.readouterr()
    assert main(["fit", str(file)]) == 1
    assert re.search(r"it takes \d+ bytes as a file, 65536 at most are read", capsys.readouterr().err)
    assert not (tmp_path / "gpu.toml").exists()


def fields(document: Any, *place: Any) -> list[tuple[Any, ...]]:
    """The places of all fields of a JSON document; lists are as their first items."""
    if isinstance(document, list):
        return fields(document[0], *place, 0) if document else []
    if not isinstance(document, dict):
        return []
    table = cast(dict[str, Any], document)
    return [found for key, one in table.items() for found in ((*place, key), *fields(one, *place, key))]


def test_whatever_is_missing_is_told_or_measured_anew(
    device: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "gpu.json"
    device.interrupted_after = 22
    assert run(file) == 130
    device.interrupted_after = float("inf")
    whole = file.read_text()
    for place in fields(json.loads(whole)):
        results = json.loads(whole)
        table = results
        for key in place[:-1]:
            table = table[key]
        del table[place[-1]]
        file.write_text(json.dumps(results))
        capsys.readouterr()
        code = run(file, "--resume")
        error = capsys.readouterr().err
        assert code in (0, 1), (place, error)
        if code == 1:
            assert re.search("is missing|cannot be resumed|lacks plain or serial", error), place
            assert json.loads(file.read_text()) == results
        else:
            assert load_results(file)["configurations"][0]["shapes"][0]["ticks"]["serial"]


DEVICE = {
    "name": "",
    "api": "webgpu",
    "backend": "Vulkan",
    "driver": "1",
    "kind": "DiscreteGPU",
    "versions": {"a": "1"},
}
ESCAPES = "\x1b[31m \u202e \x9b \x07 \n \u2028 \x0b $\\frac$"
SHOWN = "<U+001B>[31m <U+202E> <U+009B> <U+0007> <U+000A> <U+2028> <U+000B> $\\frac$"


def is_harmless(text: str) -> bool:
    return all(line.isprintable() for line in text.split("\n"))


def test_names_do_not_act_on_a_terminal(device: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    device.with_info(
        name=f"GPU {ESCAPES}", driver=ESCAPES, backend=ESCAPES, versions={ESCAPES: ESCAPES}, max_threadgroup_bytes=6144
    )
    results = tmp_path / f"gpu {ESCAPES}.json".replace("/", "")
    assert run(results, "-c", "32x32/1x1/32") == 0
    captured = capsys.readouterr()
    assert f"GPU {SHOWN} ({SHOWN}, {SHOWN}), results go to" in captured.err
    assert "skipped: 32x32/1x1/32 all: 32x32/1x1/32 needs 8192" in captured.err
    assert is_harmless(captured.err)
    for command in ("fit", "plot"):
        assert main([command, str(results)]) == 0
        captured = capsys.readouterr()
        assert f"gpu {SHOWN}." in captured.out + captured.err
        assert is_harmless(captured.out + captured.err)
    text = results.with_suffix(".toml").read_text()
    results.with_suffix(".toml").write_text(
        text.replace('name = "gpu', 'name = "\\u001b[2J').replace("sgemm 8x8", "\\u001b \\u202e 8x8")
    )
    assert main(["show", str(results.with_suffix(".toml"))]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith(f"<U+001B>[2J-31m-frac: GPU {SHOWN}\n")
    assert f"driver: {SHOWN}\n" in captured.out
    assert f"<U+001B> <U+202E> 8x8/1x1/8 rotate-2, geometric mean of 2 shapes, WGSL on {SHOWN}" in captured.out
    assert is_harmless(captured.out)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes there")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "NAME"], "no calibration 'NAME' and no such file"),
        (["fit", "NAME"], "NAME: No such file"),
        (["plot", "NAME"], "NAME: No such file"),
        (["fit", "NAME", "-o", "NAME"], "'NAME' is the results file"),
        (["fit", "results", "-o", "NAME/x"], "output file 'NAME/x'"),
        (["plot", "results", "-o", "NAME/x.svg"], "output file 'NAME/x.svg'"),
        (["run", "-o", "NAME/x"], "NAME is no folder"),
    ],
)
@pytest.mark.usefixtures("device")
def test_names_of_files_that_are_not_utf_8(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(Path("results")) == 0
    capsys.readouterr()
    assert main([one.replace("NAME", os.fsdecode(b"n\xc3\xf6")) for one in arguments]) in (1, 2)
    error = capsys.readouterr().err
    assert message.replace("NAME", "n<U+DCC3><U+DCF6>") in error
    assert "Traceback" not in error


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(
    "name", ["_", "A\x0bB", "GPU \ufffe\x00", "显卡 \U0001f600", "a$b_{c$", "\\alpha", "x" * 100_000, ""]
)
@pytest.mark.parametrize("kind", ["svg", "png"])
def test_pictures_of_gpus_of_any_name(tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str, kind: str) -> None:
    file, picture = tmp_path / "gpu.json", tmp_path / f"gpu.{kind}"
    assert run(file) == 0
    file.write_text(json.dumps(json.loads(file.read_text()) | {"device": {**DEVICE, "name": name}}))
    capfd.readouterr()
    assert main(["plot", str(file), "-o", str(picture)]) == 0
    assert capfd.readouterr().err == f"picture written to {picture}\n"
    if kind == "svg":
        ElementTree.parse(picture)


@pytest.mark.usefixtures("device")
def test_settings_of_matplotlib_make_no_difference(tmp_path: Path) -> None:
    """In a process of its own: matplotlib reads them when it is imported."""
    file = tmp_path / "gpu.json"
    assert run(file) == 0
    settings = "text.usetex: True\nfont.family: nothing\nsvg.fonttype: none\nfigure.facecolor: red\n"
    pictures: list[bytes] = []
    for name, environment in (("plain", {}), ("own", {"MPLBACKEND": "foo", "MATPLOTLIBRC": str(tmp_path / "rc")})):
        if environment:
            (tmp_path / "rc").write_text(settings)
        picture = tmp_path / f"{name}.svg"
        command = [sys.executable, "-m", "rlx_sched.tools.rlx_calibrate", "plot", str(file), "-o", str(picture)]
        done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stderr) == (0, f"picture written to {picture}\n")
        pictures.append(picture.read_bytes())
    assert pictures[0] == pictures[1]


@pytest.mark.usefixtures("device")
def test_settings_of_matplotlib_that_cannot_be_read(tmp_path: Path) -> None:
    file = tmp_path / "gpu.json"
    assert run(file) == 0
    (tmp_path / "rc").write_bytes(b"font.family: \xff\n")
    command = [sys.executable, "-m", "rlx_sched.tools.rlx_calibrate", "plot", str(file)]
    environment = os.environ | {"MATPLOTLIBRC": str(tmp_path / "rc")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "rlx-calibrate: error: matplotlib cannot be started: " in done.stderr


@pytest.mark.usefixtures("device")
def test_a_picture_of_too_many_configurations(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "gpu.json"
    assert run(file) == 0
    results = json.loads(file.read_text())
    one = results["configurations"][1]
    results["configurations"] = [{**one, "name": f"8x8/1x1/{k}"} for k in range(1, 51)]
    file.write_text(json.dumps(results))
    assert main(["plot", str(file)]) == 1
    assert "the results have 50 configurations; a picture tells at most 49 apart" in capsys.readouterr().err
    results["configurations"].pop()
    styles = {
        (container.lines[0].get_color(), container.lines[0].get_marker())
        for container in draw("GPU", *fit_results(results)).axes[0].containers
    }
    assert len(styles) == 49
