"""Tables whose words are in dictionaries, which differ from batch to batch or grow."""

import json
import os
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from rlx_sched.batch import pieces
from rlx_sched.batch.dictionaries import plain
from rlx_sched.batch.score import Scoring, score_table
from rlx_sched.tools.rlx_score import main

pa: Any = import_module("pyarrow")
arrow_csv: Any = import_module("pyarrow.csv")
parquet: Any = import_module("pyarrow.parquet")

M4 = "Apple M4 Pro"


def write_stream(path: Path, batches: list[Any]) -> Path:
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, batches[0].schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
    return path


def words(values: list[str | None], indices: list[int | None], type: Any = pa.int8()) -> Any:  # noqa: B008
    return pa.DictionaryArray.from_arrays(pa.array(indices, type), pa.array(values, pa.string()))


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".arrow", ".arrows"])
def test_an_arrow_file_has_each_dictionary_once(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers other than Arrow's own do not take dictionaries that grow."""
    monkeypatch.setattr(pieces, "PIECE_ROWS", 3)
    table = pa.table(
        {
            "chip": [M4] * 4 + ["Apple M1"] * 4 + ["NVIDIA H200", M4] * 2,
            "baseline_bytes": [2048] * 12,
            "candidate_bytes": [2048, 0, 65536, 8192] * 3,
        }
    )
    source, output = tmp_path / f"in{suffix}", tmp_path / "out.arrow"
    if suffix == ".csv":
        arrow_csv.write_csv(table, source)
    elif suffix == ".arrows":
        write_stream(source, table.to_batches(2))
    elif suffix == ".parquet":
        parquet.write_table(table, source, row_group_size=2)
    else:
        with pa.OSFile(str(source), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table, 2)
    assert main([str(source), "-o", str(output)]) == 0
    reader = pa.ipc.open_file(output.read_bytes())
    found = reader.read_all()
    assert reader.stats.num_dictionary_deltas == 0
    expected = score_table(table, Scoring())
    for name in ("verdict", "ratio", "legality", "reason"):
        assert found.column(name).to_pylist() == expected.column(name).to_pylist()
    assert os.listdir(tmp_path) == ["out.arrow", source.name] or os.listdir(tmp_path) == [source.name, "out.arrow"]


@pytest.mark.parametrize("suffix", [".arrow", ".arrows", ".parquet", ".csv", ".jsonl"])
@pytest.mark.parametrize("source_suffix", [".arrows", ".parquet"])
def test_dictionaries_that_are_small_only_one_by_one(suffix: str, source_suffix: str, tmp_path: Path) -> None:
    batches = [
        pa.record_batch(
            {
                "baseline_bytes": [2048] * 100,
                "candidate_bytes": [4096] * 100,
                "note": words([f"{part}-{n}" for n in range(100)], list(range(100))),
            }
        )
        for part in range(2)
    ]
    source = write_stream(tmp_path / "in.arrows", batches)
    if source_suffix == ".parquet":
        source = tmp_path / "in.parquet"
        with parquet.ParquetWriter(source, batches[0].schema) as writer:
            for batch in batches:
                writer.write_batch(batch)
    output = tmp_path / f"out{suffix}"
    assert main([str(source), "-o", str(output), "--chip", M4]) == 0
    if suffix == ".arrow":
        notes = pa.ipc.open_file(output.read_bytes()).read_all().column("note").to_pylist()
        assert notes == [f"{part}-{n}" for part in range(2) for n in range(100)]


@pytest.mark.parametrize("source_suffix", [".arrows", ".parquet"])
def test_dictionaries_that_would_grow_to_the_end_are_not_kept(source_suffix: str, tmp_path: Path) -> None:
    parts = [
        {"note": words([f"{part}-{n}" for n in range(100)], list(range(100)))}
        | {name: [2048] * 100 for name in ("baseline_bytes", "candidate_bytes")}
        for part in range(3)
    ]
    batches = [pa.record_batch(part) for part in parts]
    source = write_stream(tmp_path / "in.arrows", batches)
    if source_suffix == ".parquet":
        source = tmp_path / "in.parquet"
        parquet.write_table(pa.Table.from_batches(batches[:1]), source)
    types = {}
    for suffix in (".arrow", ".arrows", ".parquet"):
        output = tmp_path / f"out{suffix}"
        assert main([str(source), "-o", str(output), "--chip", M4]) == 0
        if suffix == ".parquet":
            types[suffix] = parquet.read_schema(output).field("note").type
        else:
            opened = pa.ipc.open_file if suffix == ".arrow" else pa.ipc.open_stream
            types[suffix] = opened(output.read_bytes()).schema.field("note").type
    assert types[".arrow"] == pa.string()
    assert pa.types.is_dictionary(types[".arrows"])
    assert pa.types.is_dictionary(types[".parquet"])


@pytest.mark.parametrize("indices", [[0, 0], [0, 1], [1, 0], [None, 1], [1, 1]])
def test_a_chip_that_is_null_in_the_dictionary(
    indices: list[int | None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    batch = pa.record_batch(
        {"chip": words([None, M4], indices), "baseline_bytes": [2048] * 2, "candidate_bytes": [4096] * 2}
    )
    source, output = write_stream(tmp_path / "in.arrows", [batch]), tmp_path / "out.arrow"
    missing = [index + 1 for index, code in enumerate(indices) if code != 1]
    assert main([str(source), "-o", str(output)]) == (1 if missing else 0)
    if missing:
        assert f"row {missing[0]}, column 'chip': found nothing" in capsys.readouterr().err
    assert main([str(source), "-o", str(output), "--on-error=keep"]) == 0
    rows = pa.ipc.open_file(output.read_bytes()).read_all().to_pylist()
    assert [row["verdict"] for row in rows] == ["slower" if code == 1 else None for code in indices]


def in_a_dictionary(values: Any) -> Any:
    return pa.DictionaryArray.from_arrays(pa.array([0, len(values) - 1, None], pa.int8()), values)


def in_a_list(values: Any) -> Any:
    return pa.ListArray.from_arrays(pa.array([0, 1, 2, 3], pa.int32()), values)


def in_a_struct(values: Any) -> Any:
    return pa.StructArray.from_arrays([values], ["word"])


def of_words(*words: str | None, type: Any = pa.string()) -> Any:  # noqa: B008
    return in_a_dictionary(pa.array(words, type))


TO_UNIFY: dict[str, list[Any]] = {
    "with nulls": [of_words("a", None), of_words("b", None)],
    "with nulls in one": [of_words("a"), of_words("b", None)],
    "of nulls": [in_a_dictionary(pa.nulls(1)), in_a_dictionary(pa.nulls(2))],
    "of views": [of_words(word, None, type=pa.string_view()) for word in "ab"],
    "of numbers": [in_a_dictionary(pa.array([number, None])) for number in (1, 2)],
    "of small decimals": [in_a_dictionary(pa.array([number], pa.decimal32(3))) for number in (1, 2)],
    "of lists": [in_a_dictionary(pa.array([[word], None])) for word in "ab"],
    "of structs": [in_a_dictionary(pa.array([{"word": word}])) for word in "ab"],
    "of structs of dictionaries": [in_a_dictionary(in_a_struct(of_words(word, None))) for word in "ab"],
    "in a list": [in_a_list(of_words(word, None)) for word in "ab"],
    "in a struct": [in_a_struct(of_words(word, None)) for word in "ab"],
    "of views in a struct": [in_a_struct(of_words(word, type=pa.string_view())) for word in "ab"],
    "in a list in a struct": [in_a_struct(in_a_list(of_words(word))) for word in "ab"],
    "in a map": [
        pa.MapArray.from_arrays(pa.array([0, 1, 2, 3], pa.int32()), pa.array(["x", "y", "z"]), of_words(word, None))
        for word in "ab"
    ],
    "many in a struct": [
        in_a_struct(words([f"{part}-{n}" for n in range(100)], list(range(100)))) for part in range(2)
    ],
}
"""Columns of two batches whose dictionaries Arrow does not put together."""


@pytest.mark.parametrize("suffix", [".arrow", ".arrows", ".parquet", ".jsonl", ".csv"])
@pytest.mark.parametrize("kind", list(TO_UNIFY))
def test_dictionaries_that_cannot_be_unified(
    kind: str, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = TO_UNIFY[kind]
    batches = [
        pa.record_batch(
            {"chip": [M4] * len(note), "baseline_bytes": [2048] * len(note), "candidate_bytes": [8192] * len(note)}
            | {"note": note}
        )
        for note in notes
    ]
    source, output = write_stream(tmp_path / "in.arrows", batches), tmp_path / f"out{suffix}"
    status = main([str(source), "-o", str(output)])
    if suffix == ".csv" and pa.types.is_nested(plain(notes[0].type)):
        assert status == 1
        assert "CSV cannot hold column 'note' of type " in capsys.readouterr().err
        return
    assert status == 0
    if suffix == ".csv":
        found = arrow_csv.read_csv(output, convert_options=arrow_csv.ConvertOptions(strings_can_be_null=True))
    elif suffix == ".jsonl":
        found = pa.Table.from_pylist([json.loads(line) for line in output.read_text().splitlines()])
    elif suffix == ".parquet":
        found = parquet.read_table(output)
    else:
        opened = pa.ipc.open_file if suffix == ".arrow" else pa.ipc.open_stream
        found = opened(output.read_bytes()).read_all()
    assert found.column("verdict").to_pylist() == ["slower"] * sum(map(len, notes))
    expected = [value for note in notes for value in note.to_pylist()]
    if suffix in (".csv", ".jsonl"):
        expected = json.loads(json.dumps(expected, default=str if suffix == ".jsonl" else int))
    assert found.column("note").to_pylist() == expected


@pytest.mark.parametrize("type", [pa.string(), pa.large_string(), pa.string_view()])
@pytest.mark.parametrize("suffix", [".arrow", ".arrows", ".parquet", ".jsonl", ".csv"])
def test_chips_and_numbers_whose_dictionaries_cannot_be_unified(suffix: str, type: Any, tmp_path: Path) -> None:
    batches = [
        pa.record_batch(
            {
                "chip": pa.DictionaryArray.from_arrays(pa.array([0, 0], pa.int8()), pa.array([chip, None], type)),
                "baseline_bytes": pa.DictionaryArray.from_arrays(pa.array([1, 1]), pa.array([None, "2048"], type)),
                "candidate_bytes": pa.DictionaryArray.from_arrays(pa.array([0, 0]), pa.array([size, None])),
            }
        )
        for chip, size in ((M4, 8192), ("NVIDIA H200", 4096))
    ]
    source, output = write_stream(tmp_path / "in.arrows", batches), tmp_path / f"out{suffix}"
    assert main([str(source), "-o", str(output)]) == 0
    assert [row["verdict"] for row in score_table(pa.Table.from_batches(batches), Scoring()).to_pylist()] == (
        ["slower"] * 2 + ["unknown"] * 2
    )


def test_pieces_are_bounded_in_bytes_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "PIECE_BYTES", 1000)
    batch = pa.record_batch({"note": ["x" * 300] * 10 + ["y" * 3000] + ["z"] * 10})
    found = [table for table, _ in pieces.even((one, {}) for one in [batch, batch.slice(3, 2)])]
    assert pa.concat_tables(found).column("note").to_pylist() == [
        *batch.column("note").to_pylist(),
        *["x" * 300] * 2,
    ]
    assert all(table.nbytes <= 1000 or table.num_rows == 1 for table in found)
