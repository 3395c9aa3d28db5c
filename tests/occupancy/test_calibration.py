"""Calibration files: what ships, how one is written and read, and what is said of a wrong one."""

import os
import re
import time
import tomllib
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rlx_sched import AppleGpuFamily, Calibration, CalibrationError, calibrations, load_calibration
from rlx_sched.occupancy import Measurement
from rlx_sched.occupancy.calibration import MAX_FILE_BYTES, MAX_RELATIVE

M4 = calibrations()[0]

H200 = """\
name = "h200"

[match]
families = []
devices = ["NVIDIA H200"]

[model]
loss_per_doubling = -0.08
dead_band = 0.05
slack = 0.05

[measured]
bytes = [2048, 8192]
doublings = 2
control = [0.99, 1.01]

[provenance]
source = "a made-up example"
driver = "none"

[[evidence]]
role = "fit"
chip = "NVIDIA H200"
toolchain = "WGSL"
kernel = "sgemm"
baseline_bytes = 2048
bytes = 4096
relative = 1.08

[[evidence]]
role = "held_out"
chip = "NVIDIA H200"
toolchain = "WGSL"
kernel = "sgemm"
baseline_bytes = 2048
bytes = 8192
relative = 1.1
source = "another run"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "h200.toml"


def test_the_m4_calibration() -> None:
    assert (M4.name, M4.families, M4.devices) == ("apple-m4", (AppleGpuFamily.M4,), ())
    assert (M4.loss_per_doubling, M4.dead_band, M4.slack) == (0.095, 0.05, 0.05)
    assert (M4.min_bytes, M4.max_bytes, M4.max_doublings) == (2048, 12288, 1.584962500721156)
    assert M4.control == (0.98, 1.0)


def test_held_out_rows_come_with_their_errors() -> None:
    assert [round(M4.error(row), 3) for row in M4.rows("held_out")] == [0.0, -0.047, 0.038]
    assert [round(M4.error(row), 3) for row in M4.rows("fit")] == [0.0, -0.001, 0.007]


def test_a_file_is_read(file: Path) -> None:
    file.write_text(H200, encoding="utf-8")
    loaded = load_calibration(file)
    assert loaded.name == "h200"
    assert loaded.devices == ("NVIDIA H200",)
    assert loaded.loss_per_doubling == -0.08
    assert loaded.max_doublings == 2.0
    assert loaded.provenance == (("source", "a made-up example"), ("driver", "none"))
    assert [row.source for row in loaded.evidence] == ["a made-up example", "another run"]
    assert loaded == load_calibration(str(file))


def test_line_ends_and_a_byte_order_mark_make_no_difference(file: Path) -> None:
    loaded: set[Calibration] = set()
    for content in (H200.encode(), H200.replace("\n", "\r\n").encode(), H200.encode("utf-8-sig")):
        file.write_bytes(content)
        loaded.add(load_calibration(file))
    assert len(loaded) == 1


def test_a_calibration_matches_whole_names_and_families() -> None:
    both = replace(M4, families=(AppleGpuFamily.M2,), devices=("NVIDIA H200",))
    assert both.matches("nvidia h200")
    assert both.matches("Apple M2 Ultra")
    assert both.matches(AppleGpuFamily.M2)
    assert both.matched == "Apple M2, NVIDIA H200"
    for other in ("NVIDIA H200 NVL", "H200", "Apple M4", AppleGpuFamily.M4, AppleGpuFamily.UNKNOWN, "llvmpipe", ""):
        assert not both.matches(other)


text = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
part = st.floats(0, 1, exclude_max=True)
measurements = st.builds(
    Measurement,
    role=st.sampled_from(["fit", "held_out"]),
    chip=text,
    toolchain=text,
    kernel=text,
    baseline_bytes=st.integers(1, 2**63 - 1),
    bytes=st.integers(1, 2**63 - 1),
    relative=st.floats(0, MAX_RELATIVE, exclude_min=True),
    source=text,
)


@given(
    name=text,
    devices=st.lists(text, min_size=1, max_size=3).map(tuple),
    loss_per_doubling=st.floats(-1, 1),
    dead_band=part,
    slack=part,
    sizes=st.lists(st.integers(1, 2**64 - 1), min_size=2, max_size=2).map(sorted),
    max_doublings=st.floats(0, 64),
    evidence=st.lists(measurements, min_size=1, max_size=3).map(tuple),
    origins=st.dictionaries(text, text, max_size=3),
)
def test_what_is_written_reads_back_equal(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], origins: dict[str, str], **values: Any
) -> None:
    written = replace(
        M4, min_bytes=sizes[0], max_bytes=sizes[1], provenance=(*({"source": "s"} | origins).items(),), **values
    )
    file = tmp_path_factory.getbasetemp() / "written.toml"
    file.write_text(written.to_toml(), encoding="utf-8", newline="\n")
    assert load_calibration(file) == written


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"evidence": M4.evidence * 60}, r"it takes \d+ bytes as a file, 65536 at most are read"),
        ({"name": "x" * MAX_FILE_BYTES}, r"it takes \d+ bytes as a file, 65536 at most are read"),
        ({"name": "\udc80"}, "surrogates not allowed"),
    ],
)
def test_what_could_not_be_read_back_is_not_written(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replace(M4, **change).to_toml()


def test_the_shipped_file_reads_back_equal(file: Path) -> None:
    file.write_text(M4.to_toml(), encoding="utf-8")
    assert load_calibration(file) == M4


@pytest.mark.parametrize(
    ("found", "wrong", "message"),
    [
        ('name = "h200"', 'name = ""', "1: name: expected a name, got an empty string"),
        ('name = "h200"', "name = 7", "1: name: expected a string, got 7"),
        ('name = "h200"\n', "", "1: missing 'name'"),
        ('name = "h200"', 'name = "h200"\nloss = 1', "2: unknown key 'loss'; expected one of name, match, model, "
            "measured, provenance, evidence"),
        ('name = "h200"', 'name = "h200"\nname = "x"', "2:11: not TOML: Cannot overwrite a value"),
        ('devices = ["NVIDIA H200"]', "devices = []", "3: match: expected at least one family or device"),
        ('devices = ["NVIDIA H200"]', 'devices = "NVIDIA H200"', "5: devices: expected a list, got 'NVIDIA H200'"),
        ('devices = ["NVIDIA H200"]', 'devices = [""]', "5: devices: expected device names, got an empty string"),
        ("families = []", 'families = ["M5"]', "4: families: expected some of M1, M1_PRO, M2, M3, M4, got 'M5'"),
        ("families = []", 'families = ["UNKNOWN"]', "4: families: UNKNOWN is not a family that can be measured"),
        ("families = []", "families = [4]", "4: families: expected a string, got 4"),
        ("-0.08", "1.5", "8: loss_per_doubling: expected a number from -1 to 1, got 1.5"),
        ("-0.08", "nan", "8: loss_per_doubling: expected a number from -1 to 1, got nan"),
        ("-0.08", "true", "8: loss_per_doubling: expected a number, got true"),
        ("-0.08", '"0.08"', "8: loss_per_doubling: expected a number, got '0.08'"),
        ("loss_per_doubling = -0.08\n", "", "7: missing 'loss_per_doubling' in model"),
        ("-0.08", "-0.08\nloss = 1", "9: unknown key 'loss' in model; expected one of loss_per_doubling, "
            "dead_band, slack"),
        ("dead_band = 0.05", "dead_band = 1",
            "9: dead_band: expected a number from 0 up to but not including 1, got 1.0"),
        ("slack = 0.05", "slack = -inf", "10: slack: expected a number from 0 up to but not including 1, got -inf"),
        ("bytes = [2048, 8192]", "bytes = [8192, 2048]",
            "13: bytes: expected smallest and largest from 1 to 2^64 - 1, got 8192 and 2048"),
        ("bytes = [2048, 8192]", "bytes = [2048.0, 8192]", "13: bytes: expected an integer, got 2048.0"),
        ("bytes = [2048, 8192]", "bytes = [2048]", "13: bytes: expected two numbers, lowest and highest, got 1"),
        ("doublings = 2", "doublings = 65", "14: doublings: expected a number from 0 to 64, got 65.0"),
        ("control = [0.99, 1.01]", "control = [0, 1]",
            "15: control: expected lowest and highest, both above 0, got 0.0 and 1.0"),
        ('source = "a made-up example"\n', "", "17: missing 'source' in provenance"),
        ('source = "a made-up example"', 'source = ""', "18: source: expected where the numbers come from"),
        ('driver = "none"', "driver = 580", "19: driver: expected a string, got 580"),
        ('role = "held_out"', 'role = "control"', """31: role: expected "fit" or "held_out", got 'control'"""),
        ("baseline_bytes = 2048\nbytes = 8192", "baseline_bytes = 0\nbytes = 8192",
            "35: baseline_bytes: expected 1 to 2^64 - 1 bytes, got 0"),
        ("bytes = 8192\nrel", "bytes = 18446744073709551616\nrel",
            "36: bytes: expected 1 to 2^64 - 1 bytes, got 18446744073709551616"),
        ("relative = 1.1", "relative = 0", "37: relative: expected a number above 0 and up to 1000, got 0.0"),
        ("relative = 1.1", "relative = inf", "37: relative: expected a number above 0 and up to 1000, got inf"),
        ("relative = 1.1", "relative = nan", "37: relative: expected a number above 0 and up to 1000, got nan"),
        ("relative = 1.1", "relative = 1e308", "37: relative: expected a number above 0 and up to 1000, got 1e+308"),
        ("relative = 1.1", "", "30: missing 'relative' in evidence"),
        ("relative = 1.08", "relative = 1.08\nnote = ''", "29: unknown key 'note' in evidence; expected one "
            "of role, chip, toolchain, kernel, baseline_bytes, bytes, relative, source"),
        ("[model]", "[model", "7:7: not TOML: Expected ']' at the end of a table declaration"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_told_by_line(file: Path, found: str, wrong: str, message: str) -> None:
    assert H200.count(found) == 1 or found == "-0.08"
    file.write_text(H200.replace(found, wrong), encoding="utf-8")
    with pytest.raises(CalibrationError) as caught:
        load_calibration(file)
    assert str(caught.value) == f"{file}:{message}"


@pytest.mark.parametrize(
    ("found", "wrong", "message"),
    [
        ("= 8192\nrel", f"= {'9' * 5000}\nrel", "36: expected integers up to 2^64 - 1, got one of 5000 digits"),
        ("-0.08", "-" + "9_9" * 4000, "8: expected integers up to 2^64 - 1, got one of 8000 digits"),
        ("[0.99, 1.01]", f"[\n0.99,\n{'1' * 4301}\n]", "17: expected integers up to 2^64 - 1, got one of 4301 digits"),
        ("= 8192\nrel", f"= 0x{'f' * 5000}\nrel",
            "36: bytes: expected 1 to 2^64 - 1 bytes, got an integer of 20000 bits"),
        ("-0.08", f"0x{'f' * 5000}", "8: loss_per_doubling: expected a number, got an integer of 20000 bits"),
        ("[2048, 8192]", f"[1, 0o{'7' * 10000}]",
            "13: bytes: expected smallest and largest from 1 to 2^64 - 1, got 1 and an integer of 30000 bits"),
        ('"none"', f"0b{'1' * 20000}", "19: driver: expected a string, got an integer of 20000 bits"),
    ],
    ids=range(7),
)  # fmt: skip
def test_a_number_that_python_cannot_print_is_told_by_line(file: Path, found: str, wrong: str, message: str) -> None:
    test_a_wrong_file_is_told_by_line(file, found, wrong, message)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("name = 1\nmatch = 2\nmodel = 3\nmeasured = 4\nprovenance = 5\nevidence = 6",
            "2: match: expected a table, got 2"),
        (H200.partition("[[evidence]]")[0] + "[evidence]", "21: evidence: expected [[evidence]] tables, got a table"),
        (H200.partition("[[evidence]]")[0].replace("name", "evidence = [1]\nname"),
            "1: evidence: expected [[evidence]] tables, got a list"),
        ("evidence = []\n" + H200.partition("[[evidence]]")[0], "1: evidence: expected at least one measured point"),
        (H200.partition("[[evidence]]")[0], "1: missing 'evidence'"),
        ("", "1: missing 'name'"),
        ("a = " + "[" * 100_000, None),
        ("a = " + "1" * 10_000, None),
        ("a = \x00", None),
    ],
    ids=["scalars", "one-table", "list", "no-rows", "no-evidence", "empty", "nesting", "digits", "control"],
)  # fmt: skip
def test_what_is_no_calibration_at_all(file: Path, document: str, message: str | None) -> None:
    file.write_text(document, encoding="utf-8")
    with pytest.raises(CalibrationError) as caught:
        load_calibration(file)
    assert str(caught.value).startswith(f"{file}:")
    assert len(str(caught.value)) < len(str(file)) + 200
    if message:
        assert str(caught.value) == f"{file}:{message}"


LONG = [".".join(["a"] * 32000), ".".join(['"a.b"'] * 10000), " \t. ".join(["'a'"] * 9000), ".".join(["a"] * 101)]


@pytest.mark.parametrize("key", LONG, ids=range(4))
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", " = 1"),
        ("\n[", "]"),
        ("[[ ", " ]]"),
        ("\nx = {", " = 1}"),
        ('x = {y = """ """, ', " = 1}"),
        ('# " \n', " = 1"),
        ("# ''' \n", " = 1"),
        ('x = {y = """\n\\"""\n""""", ', " = 1}"),
        ("x = {y = '''\n\"''''', ", ' = "1"}'),
        ('x = "\\"#"\n', " = 1"),
    ],
)
def test_a_key_of_many_parts_is_refused_at_once(file: Path, before: str, after: str, key: str) -> None:
    """Python's parser takes 15 seconds for the first."""
    file.write_text(before + key + after, encoding="utf-8")
    start = time.process_time()
    line = before.count("\n") + 1
    with pytest.raises(CalibrationError, match=rf":{line}: expected keys of one or two parts, got one of over 100$"):
        load_calibration(file)
    assert time.process_time() - start < 1


@given(st.lists(st.sampled_from(["a." * 60, *"a.\"'\\\n #=[]{},"]), max_size=30).map("".join))
@example("a." * 99 + "a = 1")
@example("a." * 100 + "a = 1")
def test_only_keys_of_many_parts_are_refused_as_such(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = tmp_path_factory.getbasetemp() / "keys.toml"
    file.write_text(text, encoding="utf-8", newline="\n")
    with pytest.raises(CalibrationError) as caught:
        load_calibration(file)
    with suppress(tomllib.TOMLDecodeError):
        assert ("one or two parts" in str(caught.value)) == (depth(tomllib.loads(text)) > 100)


def depth(found: Any) -> int:
    values: list[Any] = list(found.values()) if isinstance(found, dict) else []  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType, reportUnknownArgumentType]
    return 1 + max(map(depth, values)) if values else 0


@pytest.mark.parametrize("words", ["a." * 30000, "\\." * 9000, "'." * 9000], ids=["dots", "escapes", "quotes"])
@pytest.mark.parametrize("quote", ['"', '"""', "'''"])
def test_dots_in_strings_make_no_key(file: Path, quote: str, words: str) -> None:
    text = words.replace("\\", "\\\\") if quote[0] == '"' else words.replace("'", "b")
    file.write_text(H200.replace('"none"', f"{quote}{text}{quote} # {text[:100]}"), encoding="utf-8")
    assert dict(load_calibration(file).provenance)["driver"] == (words if quote[0] == '"' else text)


@pytest.mark.parametrize(
    "unit", ['\n\\"""', '\\"', "\"'", '"\n', "a.", ".", "a .\t", "a-", '"', "[a]\n", "[[a]]\n", "a={"]
)
def test_whatever_repeats_is_read_or_refused_in_no_time(file: Path, unit: str) -> None:
    for head in ("", '"""', 'a = "', "a = [", "x."):
        file.write_text((head + unit * MAX_FILE_BYTES)[:MAX_FILE_BYTES], encoding="utf-8", newline="\n")
        start = time.process_time()
        with pytest.raises(CalibrationError):
            load_calibration(file)
        assert time.process_time() - start < 2


@pytest.mark.parametrize("blank", ["\u2028", "\u2029", "\x85"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_are_those_of_toml(file: Path, blank: str, end: str) -> None:
    """Comments and strings may hold what elsewhere ends a line."""
    text = f"# {blank}\n{H200}".replace("made-up", blank).replace("relative = 1.1", "relative = 0")
    file.write_text(text, encoding="utf-8", newline=end)
    with pytest.raises(CalibrationError) as caught:
        load_calibration(file)
    assert str(caught.value) == f"{file}:38: relative: expected a number above 0 and up to 1000, got 0.0"


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    def refusal(path: Path) -> str:
        with pytest.raises(CalibrationError) as caught:
            load_calibration(path)
        return str(caught.value).removeprefix(f"{path}:").strip()

    assert refusal(tmp_path / "no.toml") == "does not exist; expected a calibration in TOML"
    assert refusal(tmp_path) == "is not a file; expected a calibration in TOML"
    (tmp_path / "latin.toml").write_bytes(b'name = "x"\nother = "\xe9"')
    assert refusal(tmp_path / "latin.toml") == "2: expected UTF-8, got the byte 0xe9"
    (tmp_path / "large.toml").write_bytes(b"#" * (MAX_FILE_BYTES + 1))
    assert refusal(tmp_path / "large.toml") == f"larger than {MAX_FILE_BYTES} bytes, so not a calibration"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a POSIX thing")
def test_a_named_pipe_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(CalibrationError, match="is not a file"):
        load_calibration(tmp_path / "pipe.toml")


def test_a_calibration_made_in_python_is_held_to_the_same_rules() -> None:
    with pytest.raises(ValueError, match="loss_per_doubling: expected a number from -1 to 1, got 2"):
        replace(M4, loss_per_doubling=2)
    with pytest.raises(ValueError, match="expected at least one family or device"):
        replace(M4, families=())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": 1}, "name: expected a string, got 1"),
        ({"devices": "Apple X"}, "devices: expected a tuple, got 'Apple X'"),
        ({"devices": (None,)}, "devices: expected a string, got None"),
        ({"families": ("M4",)}, "families: expected an AppleGpuFamily, got 'M4'"),
        ({"families": AppleGpuFamily.M4}, "families: expected a tuple, got <AppleGpuFamily.M4: 'Apple M4'>"),
        ({"loss_per_doubling": True}, "loss_per_doubling: expected a number, got true"),
        ({"dead_band": "0.05"}, "dead_band: expected a number, got '0.05'"),
        ({"slack": None}, "slack: expected a number, got None"),
        ({"min_bytes": 2048.5}, "bytes: expected an integer, got 2048.5"),
        ({"max_bytes": True}, "bytes: expected an integer, got true"),
        ({"max_doublings": "1"}, "doublings: expected a number, got '1'"),
        ({"control": (1.0,)}, "control: expected 2 values, got 1"),
        ({"control": (0.5, False)}, "control: expected a number, got false"),
        ({"control": 1.0}, "control: expected a tuple, got 1.0"),
        ({"evidence": ("fit",)}, "evidence: expected a Measurement, got 'fit'"),
        ({"evidence": M4.evidence[0]}, "evidence: expected a tuple, got Measurement("),
        ({"provenance": {"source": "s"}}, "provenance: expected a tuple, got a table"),
        ({"provenance": (("source", "s"), ("driver", 1))}, "provenance: expected a string, got 1"),
        ({"provenance": (("source", "s"), "ab")}, "provenance: expected a tuple, got 'ab'"),
        ({"provenance": (("source", "s"), ("source", "t"))}, "source: expected it once, got it 2 times"),
        ({"provenance": (("a", "b"), ("source", "s"), ("a", "c"))}, "a: expected it once, got it 2 times"),
    ],
)
def test_a_calibration_holds_what_its_fields_are_declared_as(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        replace(M4, **change)


@pytest.mark.parametrize("field", [field.name for field in fields(Measurement)])
@pytest.mark.parametrize("value", [None, True, b"fit", 2048.5, "fit", [1]])
def test_a_measurement_holds_what_its_fields_are_declared_as(field: str, value: Any) -> None:
    point = M4.evidence[0]
    if type(value) is type(getattr(point, field)):
        return
    with pytest.raises(ValueError, match=f"^{field}: expected an? (string|integer|number), got "):
        replace(point, **{field: value})


def test_calibrations_are_read_once_and_are_values() -> None:
    assert calibrations() is calibrations()
    assert isinstance(M4, Calibration)
    assert len({M4, replace(M4), replace(M4, name="other")}) == 2
