"""The results file: read strictly, written whole."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

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


strings = st.text(st.sampled_from('[]{}" ,:\\\n1é')) | st.text(st.characters(exclude_categories=["Cs"]))


@given(strings, strings, st.lists(st.integers(0, 2**64 - 1)))
@example("Mesa [ 25 ] x [ 1, 2 ]", '\\"[ 1 ]', [1])
def test_strings_are_saved_as_they_are(
    tmp_path_factory: pytest.TempPathFactory, one: str, key: str, times: list[int]
) -> None:
    path = tmp_path_factory.getbasetemp() / "strings.json"
    results = {"device": {"name": one, "versions": {key: one}}, "times": times, "lists": [[one], [times], []]}
    save_results(path, results)
    assert json.loads(path.read_bytes()) == results
    assert f'"times": {times}' in path.read_text()


@pytest.mark.parametrize("half", [chr(0xD800), chr(0xDC80), chr(0xDFFF)])
@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("device/name", r"device\.name must"),
        ("device/notes", r"device\.notes must"),
        ("device/versions/wgpu", r"device\.versions\.wgpu must"),
        ("configurations/0/name", r"configurations\[0\]\.name must"),
        ("skipped", r"skipped must"),
        ("device/versions/KEY", r"a key of device\.versions must"),
        ("KEY", r"a key of the document must"),
    ],
)
def test_half_a_character_is_refused(
    fake_device: Any, tmp_path: Path, half: str, raw: bool, path: str, place: str
) -> None:
    """A calibration with it could not be read, or not even be written."""
    results = document(fake_device)
    spoil(results, path.replace("KEY", f"a{half}"), f"GPU {half}" if "KEY" not in path else "")
    file = tmp_path / "r.json"
    file.write_bytes(json.dumps(results, ensure_ascii=not raw).encode("utf-8", "surrogatepass"))
    with pytest.raises(ResultsError, match=f"{place} be Unicode text, got '") as caught:
        load_results(file)
    assert f"\\u{ord(half):x}'" in str(caught.value)
    assert str(caught.value).isascii()


@pytest.mark.parametrize("name", ["16x16/1x1/16", "8x8/2x2/8/f16", "9999x1/1x9999/1"])
def test_a_configuration_is_there_once(fake_device: Any, tmp_path: Path, name: str) -> None:
    results = document(fake_device)
    other = {**results["configurations"][0], "name": "1x1/1x1/1"}
    one = {**other, "name": name}
    file = tmp_path / "r.json"
    file.write_text(json.dumps({**results, "configurations": [one, other]}))
    assert load_results(file)
    for repeated in ([one, one], [one, other, one], [other, one, other, one]):
        file.write_text(json.dumps({**results, "configurations": repeated}))
        with pytest.raises(ResultsError, match="is there twice, so one would be held out against itself"):
            load_results(file)


@pytest.mark.parametrize(
    "name", ["016x16/1x1/16", "1_6x16/1x1/16", "16x16/1x1/+16", "16x16/1x1/16 ", "٣x16/1x1/16", "", "_", "A\x0bB"]
)
def test_a_configuration_has_one_name(fake_device: Any, tmp_path: Path, name: str) -> None:
    results = document(fake_device)
    results["configurations"][0]["name"] = name
    file = tmp_path / "r.json"
    file.write_text(json.dumps(results))
    with pytest.raises(
        ResultsError, match=r"configurations\[0\]\.name must be spelled as in 16x16/2x2/16, got "
    ) as caught:
        load_results(file)
    assert str(caught.value).endswith(repr(name))


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
        ("configurations/0/arms", {f"pad-{s}": {"bytes": 8} for s in range(201)}, r"arms must be at most 200, got 201"),
        ("configurations/0/shapes", [{"n": 1}], r"configurations\[0\]\.shapes\[0\]\.m is missing"),
        ("configurations/0/shapes/0/k", 0, r"shapes\[0\]\.k must be at least 1, got 0"),
        ("configurations/0/shapes/0/n", 1.0, r"shapes\[0\]\.n must be of type int, got float"),
        ("configurations/0/shapes/0/repeats", -1, r"shapes\[0\]\.repeats must be at least 0, got -1"),
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
