"""Tables whose words are in dictionaries, which differ from batch to batch or grow."""

import os
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from rlx_sched.batch import pieces
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


def test_pieces_are_bounded_in_bytes_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "PIECE_BYTES", 1000)
    batch = pa.record_batch({"note": ["x" * 300] * 10 + ["y" * 3000] + ["z"] * 10})
    found = [table for table, _ in pieces.even((one, {}) for one in [batch, batch.slice(3, 2)])]
    assert pa.concat_tables(found).column("note").to_pylist() == [
        *batch.column("note").to_pylist(),
        *["x" * 300] * 2,
    ]
    assert all(table.nbytes <= 1000 or table.num_rows == 1 for table in found)
