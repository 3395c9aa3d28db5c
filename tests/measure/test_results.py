"""The results file: read strictly, written whole."""

import json
from pathlib import Path
from typing import Any

import pytest

from rlx_sched.measure.experiment import Configuration, Settings, start
from rlx_sched.measure.results import ResultsError, load_results, save_results

ARMS = {"plain": {"bytes": 8}, "serial": {"bytes": 8}}


def document(fake_device: Any) -> dict[str, Any]:
    return start(fake_device(), Settings((Configuration.parse("16x16/1x1/16"),)))


def test_what_is_saved_is_loaded(fake_device: Any, tmp_path: Path) -> None:
    results = document(fake_device)
    save_results(tmp_path / "r.json", results)
    assert load_results(tmp_path / "r.json") == results


def test_the_times_of_an_arm_are_one_line(fake_device: Any, tmp_path: Path) -> None:
    results = document(fake_device)
    results["configurations"][0]["shapes"][0]["ticks"] = {"plain": [1, 22, 333], "serial": [4], "pad-2": []}
    save_results(tmp_path / "r.json", results)
    assert '"plain": [1, 22, 333],\n' in (tmp_path / "r.json").read_text()
    assert load_results(tmp_path / "r.json") == results


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", "schema is missing"),
        ("3", "schema is missing"),
        ('{"schema": 1}', "schema must be of type str, got int"),
        ('{"schema": "other"}', "schema is 'other', expected 'rlx-calibrate results 1'"),
        ("[" * 100_000, "not JSON"),
        ("\xff", "not JSON"),
    ],
)
def test_what_is_no_results_file_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "r.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ResultsError, match=message) as caught:
        load_results(path)
    assert str(caught.value).startswith(str(path))


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="No such file"):
        load_results(tmp_path / "r.json")


def spoil(results: dict[str, Any], path: str, value: object) -> None:
    *parents, last = path.split("/")
    place: Any = results
    for key in parents:
        place = place[int(key) if key.isdecimal() else key]
    place[last] = value


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("device/name", 3, r"device\.name must be of type str, got int"),
        ("settings/quick", "no", r"settings\.quick must be of type bool, got str"),
        ("host", "Linux", "host must be of type dict, got str"),
        ("configurations", {}, "configurations must be of type list, got dict"),
        ("configurations/0/arms", {"serial": {"bytes": 0}}, r"arms\.serial\.bytes must be from 1 to \d+, got 0"),
        ("configurations/0/arms", {"serial": {"bytes": 2**64}}, rf"must be from 1 to {2**64 - 1}, got {2**64}"),
        (
            "configurations/0/arms",
            ARMS | {"rotate-2": {"bytes": 8}},
            r"rotate-2\.bytes must be more than the 8 of serial",
        ),
        ("configurations/0/arms", ARMS | {"rotate-2": {"bytes": 16}}, r"pad-2 must take the 16 bytes .* is missing"),
        (
            "configurations/0/arms",
            ARMS | {"rotate-2": {"bytes": 16}, "pad-2": {"bytes": 8}},
            r"pad-2 must take the 16 bytes of rotate-2, but takes 8",
        ),
        ("settings/seed", -1, r"settings\.seed must be at least 0, got -1"),
        ("configurations/0/arms", {"serial": {"bytes": 1}}, r"configurations\[0\]\.arms lacks plain or serial"),
        (
            "configurations/0/shapes/0/ticks",
            {"serial": [1, 0]},
            rf"ticks\.serial must hold integers from 1 to {2**64 - 1}",
        ),
        ("configurations/0/shapes/0/ticks", {"serial": [1.5]}, r"ticks\.serial must hold integers from 1"),
        ("configurations/0/shapes/0/ticks", {"serial": [2**64]}, r"ticks\.serial must hold integers from 1"),
        (
            "configurations/0/arms",
            {arm: {"bytes": 2**60} for arm in ARMS} | {arm: {"bytes": 2**60 + 1} for arm in ("rotate-2", "pad-2")},
            rf"rotate-2\.bytes must be more than the {2**60} of serial",
        ),
    ],
)
def test_a_field_that_is_wrong_is_named(
    fake_device: Any, tmp_path: Path, path: str, value: object, message: str
) -> None:
    results = document(fake_device)
    spoil(results, path, value)
    file = tmp_path / "r.json"
    file.write_text(json.dumps(results))
    with pytest.raises(ResultsError, match=message):
        load_results(file)
