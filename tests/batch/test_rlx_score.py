"""The tool `rlx-score`: every format, what is told of bad tables, and outputs that are whole or not there."""

import datetime
import decimal
import io
import json
import math
import os
import subprocess
import sys
import threading
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rlx_sched.batch import pieces, text_tables
from rlx_sched.batch.score import ADDED_COLUMNS, Scoring, score_table
from rlx_sched.tools.rlx_score import main

pa: Any = import_module("pyarrow")
arrow_csv: Any = import_module("pyarrow.csv")
parquet: Any = import_module("pyarrow.parquet")

M4 = "Apple M4 Pro"
TABLE = pa.table(
    {
        "chip": [M4, "Apple M1", "NVIDIA H200", M4],
        "baseline_bytes": [2048, 2048, 2048, 16384],
        "candidate_bytes": [4096, 6144, 49152, 49152],
        "note": ["a", None, 'with "quotes", and a comma', "é"],
    }
)


def write(path: Path, table: Any) -> Path:
    match path.suffix:
        case ".parquet":
            parquet.write_table(table, path)
        case ".csv":
            arrow_csv.write_csv(table, path)
        case ".jsonl":
            path.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))
        case ".arrows":
            with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
                writer.write_table(table, max(2, table.num_rows // 8))
        case _:
            with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
                writer.write_table(table, max(2, table.num_rows // 8))
    return path


def read(path: Path) -> list[dict[str, Any]]:
    match path.suffix:
        case ".parquet":
            return parquet.read_table(path).to_pylist()
        case ".csv":
            return arrow_csv.read_csv(path).to_pylist()
        case ".jsonl":
            return [json.loads(line) for line in path.read_text().splitlines()]
        case ".arrows":
            return pa.ipc.open_stream(path.read_bytes()).read_all().to_pylist()
        case _:
            return pa.ipc.open_file(path.read_bytes()).read_all().to_pylist()


SUFFIXES = (".parquet", ".csv", ".jsonl", ".arrow", ".arrows")


@pytest.mark.parametrize("source", SUFFIXES)
@pytest.mark.parametrize("target", SUFFIXES)
def test_every_format_to_every_format(source: str, target: str, tmp_path: Path) -> None:
    expected = score_table(TABLE, Scoring()).to_pylist()
    output = tmp_path / f"scored{target}"
    assert main([str(write(tmp_path / f"in{source}", TABLE)), "-o", str(output)]) == 0
    found = read(output)
    assert [list(row) for row in found] == [[*TABLE.schema.names, *ADDED_COLUMNS]] * 4
    if ".csv" in (source, target):  # CSV has no types, and no word for nothing but the empty one
        expected = [{name: value or None for name, value in row.items()} for row in expected]
        found = [{name: value or None for name, value in row.items()} for row in found]
        for row in found:
            row["baseline_bytes"], row["candidate_bytes"] = int(row["baseline_bytes"]), int(row["candidate_bytes"])
    assert found == expected
    assert sorted(os.listdir(tmp_path)) == [f"in{source}", f"scored{target}"]


def run(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "rlx_sched.tools.rlx_score", *arguments], input=stdin, capture_output=True
    )


@pytest.mark.parametrize("format", ["parquet", "csv", "jsonl", "arrow"])
def test_standard_input_and_output(format: str, tmp_path: Path) -> None:
    suffix = {"arrow": ".arrows"}.get(format, f".{format}")
    done = run("--from", format, stdin=write(tmp_path / f"in{suffix}", TABLE).read_bytes())
    assert (done.returncode, done.stderr) == (0, b"")
    output = tmp_path / f"out{suffix}"
    output.write_bytes(done.stdout)
    assert [row["verdict"] for row in read(output)] == ["slower", "unknown", "unknown", "slower"]


def test_an_arrow_file_from_standard_input(tmp_path: Path) -> None:
    path = write(tmp_path / "in.arrow", TABLE)
    with path.open("rb") as file:
        done = subprocess.run(
            [sys.executable, "-m", "rlx_sched.tools.rlx_score", "--from=arrow", "--to=csv"],
            stdin=file,
            capture_output=True,
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(b"\n") == 5


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are POSIX")
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_named_pipe(suffix: str, tmp_path: Path) -> None:
    pipe, output = tmp_path / f"pipe{suffix}", tmp_path / "out.jsonl"
    os.mkfifo(pipe)
    content = write(tmp_path / f"in{suffix}", TABLE).read_bytes()
    writer = threading.Thread(target=pipe.write_bytes, args=[content])
    writer.start()
    assert main([str(pipe), "-o", str(output)]) == 0
    writer.join()
    assert [row["verdict"] for row in read(output)] == ["slower", "unknown", "unknown", "slower"]


@pytest.mark.parametrize("suffix", [one for one in SUFFIXES if one != ".jsonl"])  # which have no columns without a row
def test_a_table_without_rows(suffix: str, tmp_path: Path) -> None:
    output = tmp_path / "out.parquet"
    assert main([str(write(tmp_path / f"in{suffix}", TABLE.slice(0, 0))), "-o", str(output)]) == 0
    assert parquet.read_table(output).schema.names == [*TABLE.schema.names, *ADDED_COLUMNS]


BAD = pa.table({"baseline_bytes": ["2048", "x", "2048"], "candidate_bytes": ["4096", "4096", "-1"]})


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".jsonl", ".arrow"])
def test_errors_name_file_row_and_column(suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(tmp_path / f"in{suffix}", BAD)
    output = tmp_path / "out.csv"
    output.write_text("what was there")
    assert main([str(source), "-o", str(output), "--chip", M4]) == 1
    message = capsys.readouterr().err
    assert message.startswith(f"rlx-score: error: {source}: row 2, column 'baseline_bytes': found ")
    assert "expected a" in message
    assert output.read_text() == "what was there"
    assert sorted(os.listdir(tmp_path)) == [f"in{suffix}", "out.csv"]


def test_rows_with_errors_can_be_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "out.jsonl"
    assert main([str(write(tmp_path / "in.csv", BAD)), "-o", str(output), "--chip", M4, "--on-error=keep"]) == 0
    assert "2 of 3 rows have errors; see the column error" in capsys.readouterr().err
    good, first, second = read(output)
    assert (good["verdict"], good["error"]) == ("slower", None)
    assert (first["verdict"], first["baseline_bytes"]) == (None, "x"), "the row is kept as it was"
    assert first["error"] == "column 'baseline_bytes': found 'x', expected a number of bytes from 0 to 2^64 - 1"
    assert second["error"] == "column 'candidate_bytes': found '-1', expected a number of bytes from 0 to 2^64 - 1"


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(("source", "first"), [
    ("in.csv", "line 3: found 1 field in 'x'; expected 2, as the header has"),
    ("in.jsonl", "line 2, column 1: found 'x' (not JSON: Expecting value); expected a JSON object with the columns"),
])  # fmt: skip
def test_rows_that_are_none_can_be_kept(
    source: str, first: str, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if source == "in.csv":
        rows = ["baseline_bytes,candidate_bytes", "2048,4096", "x", "2048,x", "2048,8192"]
    else:
        values = [4096, None, "x", 8192]
        rows = [json.dumps({"baseline_bytes": 2048, "candidate_bytes": value}) if value else "x" for value in values]
    path, output = tmp_path / source, tmp_path / f"out{suffix}"
    path.write_text("\n".join(rows))
    assert main([str(path), "-o", str(output), "--chip", M4, "--on-error=keep"]) == 0
    assert "2 of 4 rows have errors" in capsys.readouterr().err
    found = read(output)
    assert [row["error"] or None for row in found][:2] == [None, first]
    assert all(value in (None, "") for name, value in found[1].items() if name != "error")
    assert found[2]["error"].startswith("column 'candidate_bytes': found ")
    assert [row["verdict"] or None for row in found] == ["slower", None, None, "slower"]


def test_json_values_of_another_type_can_be_kept(tmp_path: Path) -> None:
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    rows = [
        {"baseline_bytes": 2048, "candidate_bytes": 4096, "n": 1},
        {"baseline_bytes": 2048.5, "candidate_bytes": 4096, "n": 1},
        {"baseline_bytes": 2048, "candidate_bytes": True, "n": 1},
        {"baseline_bytes": 2048, "n": 1},
        {"baseline_bytes": 2048, "candidate_bytes": 2**64, "n": 1},
    ]
    source.write_text("\n\n".join(map(json.dumps, rows)))
    assert main([str(source), "-o", str(output), "--chip", M4, "--on-error=keep"]) == 0
    assert [row["error"] and row["error"].partition(", expected")[0] for row in read(output)] == [
        None,
        "column 'baseline_bytes': found 2048.5",
        "column 'candidate_bytes': found true",
        "column 'candidate_bytes': found nothing",
        "column 'candidate_bytes': found 18446744073709551616",
    ]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_json_of_no_one_type_is_carried_along(suffix: str, tmp_path: Path) -> None:
    row = {"baseline_bytes": 2048, "candidate_bytes": 4096}
    values = [[0, False], {}, "x", None, {"b": 2**64}]
    source, carried, output = (tmp_path / name for name in ("in.jsonl", f"carried{suffix}", "out.jsonl"))
    source.write_text("\n".join(json.dumps({**row, "x": value}) for value in values))
    assert main([str(source), "-o", str(carried), "--chip", M4]) == 0
    assert main([str(carried), "-o", str(output), "--chip", M4, "--replace"]) == 0
    texts = ["" if value is None else json.dumps(value) for value in values]
    assert [row["x"] for row in read(output)] == (texts if suffix == ".csv" else values)


def test_json_keys_and_types_after_the_first_rows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(text_tables, "_JSON_ROWS", 1)
    row = {"baseline_bytes": 2048, "candidate_bytes": 4096, "n": 1}
    source, output = tmp_path / "in.jsonl", tmp_path / "out.parquet"
    source.write_text("\n".join(json.dumps({**row, **more}) for more in ({}, {"n": 1.5}, {"later": 1}, {"n": 2})))
    assert main([str(source), "-o", str(output), "--chip", M4, "--on-error=keep"]) == 0
    found = read(output)
    assert [row["n"] for row in found] == [1, None, 1, 2]
    assert found[1]["error"] == "column 'n': found 1.5, expected a value of type int64"
    assert found[2]["error"].startswith("column 'later': found 1, expected no such key")


@pytest.mark.parametrize("columns", ["baseline_bytes,candidate_bytes", "tiles,stages,slots_offset"])
def test_numbers_that_were_text_are_read_from_json_lines(columns: str, tmp_path: Path) -> None:
    """Those of a CSV file are, so that none is changed."""
    source, lines, output = tmp_path / "in.csv", tmp_path / "out.jsonl", tmp_path / "again.jsonl"
    source.write_text(f"{columns}\n" + ("1024,007\n" if columns.startswith("b") else "8x8xf32,2,0\n"))
    assert main([str(source), "-o", str(lines), "--chip", M4]) == 0
    assert main([str(lines), "-o", str(output), "--chip", M4, "--replace"]) == 0
    assert output.read_text() == lines.read_text()


@pytest.mark.parametrize("name", ["candidate\xffbytes", "line\nend", "b\0", "\u202e"])
@pytest.mark.parametrize("suffix", [".arrow", ".parquet"])
def test_names_of_columns(name: str, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Messages are one line that shows every character."""
    encoded = name.encode("latin-1" if "\xff" in name else "utf-8")
    placeholder = "x" * len(encoded)
    source, output = tmp_path / f"in{suffix}", tmp_path / "out.csv"
    write(source, TABLE.append_column(placeholder, pa.array([1] * 4)).drop_columns("candidate_bytes"))
    source.write_bytes(source.read_bytes().replace(placeholder.encode(), encoded))
    assert main([str(source), "-o", str(output)]) == 1
    error = capsys.readouterr().err
    assert error.endswith("\n")
    assert error[:-1].isprintable()
    assert not output.exists()


def test_a_name_that_csv_cannot_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, output = write(tmp_path / "in.parquet", TABLE.rename_columns([*TABLE.schema.names[:3], "a\0b"])), "out.csv"
    assert main([str(source), "-o", str(tmp_path / output)]) == 1
    assert "CSV cannot hold the NUL in the name of column 'a<U+0000>b'" in capsys.readouterr().err
    assert os.listdir(tmp_path) == ["in.parquet"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("in.csv", b"", "found no row, expected a header with the names of the columns"),
        ("in.csv", b"\r\n\n", "found no row, expected a header with the names of the columns"),
        ("in.csv", b'\na,"b\n1,2\n', "line 2, the header: found a quote that is not closed in 'a,\"b'"),
        ("in.csv", b"a\0,b\n1,2\n", r"line 1, the header: found NUL in 'a\x00,b'; expected text in UTF-8"),
        ("in.csv", "a,b\n".encode("utf-16"), "found UTF-16, expected UTF-8"),
        ("in.csv", b"baseline_bytes,candidate_bytes\n1,2\n\n3\n", "row 2, line 4: found 1 field in '3'; expected 2"),
        ("in.csv", b"a,a\n1,2\n", "column 'a' is there 2 times; expected it once"),
        ("in.parquet", b"not parquet", "Parquet"),
        ("in.arrow", b"", ""),
        ("in.arrow", b"ARROW1 and then nothing", ""),
        (
            "in.jsonl",
            b'{"baseline_bytes": 1, "candidate_bytes": 1}\n\n{"b"\n',
            """row 2, line 3, column 5: found '{"b"' (not JSON: Expecting ':' delimiter); expected a JSON object""",
        ),
        ("in.jsonl", b"\n[1]\n", "row 1, line 2: found '[1]' (no object); expected a JSON object with the columns"),
        ("in.jsonl", "{}\n".encode("utf-16"), "found UTF-16, expected UTF-8"),
        ("in.jsonl", b"", "column 'baseline_bytes' is missing (columns: none)"),
    ],
)
def test_broken_files(
    name: str, content: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / name
    source.write_bytes(content)
    assert main([str(source), "-o", str(tmp_path / "out.csv"), "--chip", M4]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"rlx-score: error: {source}: ")
    assert message in error
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["missing.csv", "-o", "out.csv"], 1, "error: missing.csv: No such file or directory"),
        (["in.csv", "-o", "nowhere/out.csv"], 1, "error: cannot write 'nowhere/out.csv': No such file or directory"),
        (["in.csv", "-o", "out"], 2, "the format of 'out' is not known; use --to csv"),
        (["in", "-o", "out.csv"], 2, "the format of 'in' is not known; use --from csv"),
        ([], 2, "the format of standard input is not known; use --from csv"),
        (["in.csv", "--max-threadgroup-bytes=x"], 2, "expected a number of bytes from 0 to 2^64 - 1, got 'x'"),
        (["in.csv", f"--max-threadgroup-bytes={2**64}"], 2, f"from 0 to 2^64 - 1, got '{2**64}'"),
        (["in.csv", f"--max-threadgroup-bytes={'9' * 20}"], 2, f"from 0 to 2^64 - 1, got '{'9' * 20}'"),
        (["in.csv", f"--max-threadgroup-bytes={'9' * 5000}"], 2, "from 0 to 2^64 - 1, got '999"),
        (["in.csv", "--max-threadgroup-bytes=-1"], 2, "from 0 to 2^64 - 1, got '-1'"),
        (["in.csv", "--calibration=missing.toml"], 1, "error: missing.toml"),
        (["in.csv", "--scheduler=nowhere"], 1, "error: no Dask scheduler answers at tcp://nowhere"),
    ],
)
def test_usage(
    arguments: list[str],
    status: int,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(tmp_path / "in.csv", TABLE)
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == status
    assert message in capsys.readouterr().err
    assert os.listdir(tmp_path) == ["in.csv"]


BROKEN = {
    "index": pa.DictionaryArray.from_arrays(pa.array([0, 10**9], pa.int32()), pa.array([M4]), safe=False),
    "character": pa.Array.from_buffers(
        pa.string(), 2, [None, pa.array([0, 1, 2], pa.int32()).buffers()[1], pa.py_buffer(b"x\xff")]
    ),
    "offset": pa.Array.from_buffers(
        pa.string(), 2, [None, pa.array([0, 10**9, 2], pa.int32()).buffers()[1], pa.py_buffer(b"xx")]
    ),
}


@pytest.mark.parametrize("what", list(BROKEN))
@pytest.mark.parametrize("name", ["chip", "note"])
def test_what_a_broken_column_leads_to_is_not_read(
    what: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It may be anywhere in memory."""
    columns = {"chip": [M4] * 2, "baseline_bytes": [1, 2], "candidate_bytes": [1, 2], name: BROKEN[what]}
    source = tmp_path / "in.arrow"
    batch = pa.record_batch(columns)
    with pa.OSFile(str(source), "wb") as file, pa.ipc.new_file(file, batch.schema) as writer:
        writer.write_batch(batch)
    assert main([str(source), "-o", str(tmp_path / "out.jsonl")]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"rlx-score: error: {source}: column '{name}' is broken: ")
    assert os.listdir(tmp_path) == ["in.arrow"]


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".arrows"])
def test_broken_files_of_any_kind_are_told_in_a_line(suffix: str, tmp_path: Path) -> None:
    content = write(tmp_path / f"in{suffix}", TABLE).read_bytes()
    random = Random(0)
    for number in range(60):
        broken = bytearray(content)
        if number % 2:
            del broken[random.randrange(len(content)) :]
        else:
            broken[random.randrange(len(content))] ^= 1 << random.randrange(8)
        (tmp_path / f"{number:02}{suffix}").write_bytes(broken)
    code = (
        "import contextlib, io, sys\n"
        "from rlx_sched.tools.rlx_score import main\n"
        "for source in sys.argv[1:]:\n"
        "    with contextlib.redirect_stderr(io.StringIO()) as error:\n"
        "        status = main([source, '-o', '/dev/null', '--to=jsonl'])\n"
        "    print(status, error.getvalue().count('\\n'), error.getvalue())\n"
    )
    sources = sorted(map(str, tmp_path.glob(f"??{suffix}")))
    done = subprocess.run([sys.executable, "-c", code, *sources], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = {line[:3] for line in done.stdout.splitlines() if line}
    assert found == {"0 0", "1 1"}, done.stdout


NOT_TEXT = {
    "a list": pa.array([[1]]),
    "not UTF-8": pa.array([b"\xff"]),
    "an extension": pa.ExtensionArray.from_storage(pa.uuid(), pa.array([b"0" * 16], pa.binary(16))),
}
NOT_JSON = {
    "no number": pa.array([math.nan]),
    "infinite": pa.array([[1.0, math.inf]]),
    "after the year 9999": pa.array([2**62], pa.timestamp("us")),
    "far date": pa.array([2**30], pa.date32()),
    "long": pa.array([2**62], pa.duration("s")),
    "bytes": pa.array([b"abc"]),
    "bytes in a list": pa.array([[b"abc"]]),
    "bytes of one length": pa.array([b"abc"], pa.binary(3)),
    "broken JSON": pa.ExtensionArray.from_storage(pa.json_(pa.string()), pa.array(["{"])),
    "deep JSON": pa.ExtensionArray.from_storage(pa.json_(pa.string()), pa.array(["[" * 10**5])),
}


NOT_PARQUET = {
    "of many types": pa.UnionArray.from_dense(pa.array([0], pa.int8()), pa.array([0], pa.int32()), [pa.array([1])]),
    "an interval": pa.array([(1, 2, 3)], pa.month_day_nano_interval()),
    "too late": pa.array([2**62], pa.timestamp("s")),
    "too late in a list": pa.array([[2**62]], pa.list_(pa.timestamp("s"))),
}


@pytest.mark.parametrize(
    ("suffix", "name", "values"),
    [(".csv", *item) for item in NOT_TEXT.items()]
    + [(".jsonl", *item) for item in NOT_JSON.items()]
    + [(".parquet", *item) for item in NOT_PARQUET.items()],
)
def test_columns_that_a_format_cannot_hold_are_named(
    suffix: str, name: str, values: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, output = write(tmp_path / "in.arrow", TABLE.slice(0, 1).append_column(name, values)), f"out{suffix}"
    assert main([str(source), "-o", str(tmp_path / output)]) == 1
    error = capsys.readouterr().err
    format = {".csv": "CSV", ".jsonl": "JSON", ".parquet": "Parquet"}[suffix]
    assert error.startswith(
        f"rlx-score: error: cannot write '{tmp_path / output}': {format} cannot hold column '{name}'"
    )
    others = "Arrow" if suffix == ".parquet" else "Parquet or Arrow"
    assert error.endswith(f"; leave it out, or write {others}\n")
    assert os.listdir(tmp_path) == ["in.arrow"]


@pytest.mark.parametrize(
    ("values", "text"),
    [
        (pa.array([decimal.Decimal("-12.50")]), "-12.50"),
        (pa.array([datetime.date(2026, 3, 1)]), "2026-03-01"),
        (pa.array([1], pa.time32("s")), "00:00:01"),
        (pa.array([1500], pa.timestamp("ms")), "1970-01-01T00:00:01.500000"),
        (pa.array([0], pa.timestamp("s", "UTC")), "1970-01-01T00:00:00+00:00"),
        (pa.array([90_061_000_001], pa.duration("us")), "PT90061.000001S"),
        (pa.array([-100], pa.duration("s")), "PT-100S"),
        (pa.array([0], pa.duration("ms")), "PT0S"),
        (
            pa.ExtensionArray.from_storage(pa.uuid(), pa.array([bytes(range(16))], pa.binary(16))),
            "00010203-0405-0607-0809-0a0b0c0d0e0f",
        ),
        (pa.array([[datetime.date(2026, 3, 1)]]), ["2026-03-01"]),
        (pa.ExtensionArray.from_storage(pa.json_(pa.string()), pa.array(['{"a": [1, "x"]}'])), {"a": [1, "x"]}),
    ],
)
def test_what_json_has_no_type_for_is_written_as_everyone_does(values: Any, text: object, tmp_path: Path) -> None:
    source, output = write(tmp_path / "in.arrow", TABLE.slice(0, 1).append_column("x", values)), tmp_path / "out.jsonl"
    assert main([str(source), "-o", str(output)]) == 0
    assert [row["x"] for row in read(output)] == [text]


def test_strings_of_other_arrow_types_are_written_as_csv(tmp_path: Path) -> None:
    """As Polars writes them."""
    view = pa.array(["x", None, "y", "é"], pa.string_view())
    words = pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 0, None], pa.uint32()), pa.array(["a", "b"], pa.string_view())
    )
    source, output = tmp_path / "in.arrow", tmp_path / "out.csv"
    write(source, TABLE.append_column("view", view).append_column("words", words))
    assert main([str(source), "-o", str(output)]) == 0
    assert [(row["view"], row["words"]) for row in read(output)] == [("x", "a"), ("", "b"), ("y", "a"), ("é", "")]


def test_a_defect_of_the_tool_is_called_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*arguments: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("rlx_sched.tools.rlx_score._run", fail)
    assert main(["in.csv"]) == 70
    assert "rlx-score: internal error: ZeroDivisionError: oops" in capsys.readouterr().err


def test_a_reader_that_stops_reading_is_no_error(tmp_path: Path) -> None:
    source = write(tmp_path / "in.csv", pa.concat_tables([TABLE] * 50000))
    done = subprocess.run(
        f"{sys.executable} -m rlx_sched.tools.rlx_score {source} | head -1", shell=True, capture_output=True
    )
    assert done.stdout.startswith(b'"chip",')
    assert b"Traceback" not in done.stderr
    assert b"internal" not in done.stderr


def test_output_keeps_permissions_and_links(tmp_path: Path) -> None:
    source = write(tmp_path / "in.csv", TABLE)
    target, link = tmp_path / "real.csv", tmp_path / "link.csv"
    target.touch(0o600)
    link.symlink_to(target)
    assert main([str(source), "-o", str(link)]) == 0
    assert link.is_symlink()
    assert target.stat().st_mode & 0o777 == 0o600
    assert target.read_text().startswith('"chip"')
    assert main([str(source), "-o", "/dev/null", "--to=csv"]) == 0


MEMORY_BYTES = 448 * 2**20
"""Less than the table of the next test has when it is scored, some 78 bytes a row."""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the memory of a process has no limit")
@pytest.mark.parametrize(
    ("suffix", "peak_bytes"), [(".parquet", MEMORY_BYTES), (".arrow", MEMORY_BYTES // 2), (".csv", MEMORY_BYTES)]
)
def test_a_table_larger_than_memory(suffix: str, peak_bytes: int, tmp_path: Path) -> None:
    code = (
        "import os, resource, sys\n"
        "os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])\n"
        f"resource.setrlimit(resource.RLIMIT_DATA, ({MEMORY_BYTES}, {MEMORY_BYTES}))\n"
        "from rlx_sched.tools.rlx_score import main\n"
        "code = main(sys.argv[1:])\n"
        # Pages of a file that is mapped are not among the data; `ru_maxrss` would count this process too.
        "peak = next(line for line in open('/proc/self/status') if line.startswith('VmHWM:'))\n"
        f"sys.exit(code or 1024 * int(peak.split()[1]) > {peak_bytes})"
    )
    rows = 2**23
    chips = pa.concat_arrays([pa.repeat(M4, rows // 2), pa.repeat("Apple M1", rows - rows // 2)])
    columns = {"chip": chips, "baseline_bytes": pa.repeat(2048, rows), "candidate_bytes": pa.repeat(4096, rows)}
    output = tmp_path / f"out{suffix}"
    arguments = [write(tmp_path / f"in{suffix}", pa.table(columns)), "-o", output]
    # Arrow's own allocator would reserve a gigabyte, used or not.
    environment = {**os.environ, "ARROW_DEFAULT_MEMORY_POOL": "system", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", code, *arguments], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    match suffix:
        case ".parquet":
            assert parquet.ParquetFile(output).metadata.num_rows == rows
        case ".arrow":
            assert pa.ipc.open_file(pa.memory_map(str(output))).count_rows() == rows
        case _:
            with output.open("rb") as file:
                assert sum(1 for _ in file) == 1 + rows


def test_what_a_schema_says_of_the_columns_stays(tmp_path: Path) -> None:
    schema = pa.schema(
        [
            pa.field("baseline_bytes", pa.int64(), nullable=False, metadata={"unit": "byte"}),
            pa.field("candidate_bytes", pa.int64()),
        ],
        metadata={"source": "a search"},
    )
    table = pa.table([[2048], [4096]], schema=schema)
    for suffix in (".arrow", ".parquet"):
        output = tmp_path / f"out{suffix}"
        assert main([str(write(tmp_path / f"in{suffix}", table)), "-o", str(output), "--chip", M4]) == 0
        found = parquet.read_schema(output) if suffix == ".parquet" else pa.ipc.open_file(output.read_bytes()).schema
        assert found.metadata[b"source"] == b"a search"
        assert not found.field("baseline_bytes").nullable
        assert found.field("baseline_bytes").metadata[b"unit"] == b"byte"


def test_scoring_again_leaves_no_error_behind(tmp_path: Path) -> None:
    table = pa.table({"baseline_bytes": ["2048", "x"], "candidate_bytes": ["4096", "4096"]})
    kept, mended, output = tmp_path / "kept.parquet", tmp_path / "mended.parquet", tmp_path / "out.parquet"
    assert main([str(write(tmp_path / "in.parquet", table)), "-o", str(kept), "--chip", M4, "--on-error=keep"]) == 0
    found = parquet.read_table(kept)
    assert found.column("error").to_pylist()[0] is None
    assert found.column("error").to_pylist()[1].startswith("column 'baseline_bytes': found 'x'")
    parquet.write_table(found.set_column(0, "baseline_bytes", pa.array(["2048", "2048"])), mended)
    assert main([str(mended), "-o", str(output), "--chip", M4, "--replace"]) == 0
    assert parquet.read_table(output).schema.names == [*table.schema.names, *ADDED_COLUMNS]


def test_all_batches_come_out_in_order(tmp_path: Path) -> None:
    rows = 5 * pieces.PIECE_ROWS + 7
    table = pa.table({"baseline_bytes": pa.repeat(2048, rows), "candidate_bytes": pa.array(range(rows))})
    output = tmp_path / "out.parquet"
    assert main([str(write(tmp_path / "in.parquet", table)), "-o", str(output), "--chip", M4]) == 0
    assert parquet.read_table(output).column("footprint").to_pylist() == list(range(rows))


def test_chips_that_turn_up_late_in_an_arrow_file(tmp_path: Path) -> None:
    """Dictionaries of an Arrow file may grow, but not change."""
    names = [f"GPU {n // 3}" for n in range(30)]
    table = pa.table({"baseline_bytes": [1] * 30, "candidate_bytes": [1] * 30}).append_column(
        "chip", pa.array(names).dictionary_encode()
    )
    batches = [
        pa.record_batch(part.to_batches()[0].to_pydict(), table.schema)
        for part in (table.slice(0, 9), table.slice(9, 21))
    ]
    buffer = io.BytesIO()
    with pa.ipc.new_stream(buffer, table.schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
    source, output = tmp_path / "in.arrows", tmp_path / "out.arrow"
    source.write_bytes(buffer.getvalue())
    assert main([str(source), "-o", str(output)]) == 0
    assert [(row["chip"], row["reason"]) for row in read(output)] == [
        (name, f"no calibration for {name}") for name in names
    ]


def test_pandas_is_not_imported(tmp_path: Path) -> None:
    """It takes longer than to score a million rows, and some of pyarrow's functions import it."""
    repeated = pa.concat_tables([TABLE] * 9)
    column = repeated.schema.get_field_index("candidate_bytes")
    incomplete = TABLE.set_column(column, "candidate_bytes", pa.array([None] * TABLE.num_rows, pa.int64()))
    tables = {"in": TABLE, "repeated": repeated, "incomplete": incomplete}
    sources = [
        str(write(tmp_path / f"{name}{suffix}", table))
        for name, table in tables.items()
        for suffix in SUFFIXES
        if suffix != ".jsonl"
    ]
    code = (
        "import sys\n"
        "from rlx_sched.tools.rlx_score import main\n"
        f"for source in {sources}:\n"
        "    for suffix in '.parquet', '.arrow', '.csv':\n"
        "        assert main([source, '-o', source + suffix, '--on-error=keep']) == 0\n"
        "assert 'pandas' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_missing_extra_is_named() -> None:
    code = (
        "import sys\n"
        "sys.modules['pyarrow'] = None\n"
        "from rlx_sched.tools.rlx_score import main\n"
        "sys.exit(main(['in.csv', '-o', 'out.csv']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert "the package pyarrow is missing" in done.stderr
    assert "pip install 'rlx-sched[batch]'" in done.stderr
