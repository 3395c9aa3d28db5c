"""Parquet files put together from parts are what one writer would have written."""

import io
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from rlx_sched.batch import pieces
from rlx_sched.batch.parquet import Joined, part_of
from rlx_sched.batch.score import Scoring, score_table
from rlx_sched.tools.rlx_score import main

pa: Any = import_module("pyarrow")
parquet: Any = import_module("pyarrow.parquet")

ROWS = 1000
TABLE = pa.table(
    {
        "number": range(ROWS),
        "share": [None if n % 3 else n / 7 for n in range(ROWS)],
        "word": [None if n % 5 == 0 else f"word {n % 4}" for n in range(ROWS)],
        "kind": pa.array([f"kind {n % 9}" for n in range(ROWS)]).dictionary_encode(),
        "flag": [n % 2 == 0 for n in range(ROWS)],
        "nested": pa.array(
            [[n, None] if n % 2 else [] for n in range(ROWS)], pa.list_(pa.field("element", pa.int64()))
        ),
        "nothing": pa.nulls(ROWS),
    },
    metadata={"made by": "a test"},
)


def encoded(table: Any) -> Any:
    buffer = io.BytesIO()
    parquet.write_table(table, buffer)
    return pa.py_buffer(buffer.getvalue())


@pytest.mark.parametrize("rows", [1, 9, 400, ROWS])
def test_parts_are_one_table(rows: int) -> None:
    output = io.BytesIO()
    joined = Joined(output, encoded(TABLE.slice(0, 0)))
    parts = [TABLE.slice(start, rows) for start in range(0, ROWS, rows)]
    for part in parts:
        joined.append(part_of(encoded(part)))
    joined.close()

    file = parquet.ParquetFile(output)
    assert file.schema_arrow.equals(TABLE.schema, check_metadata=True)
    assert file.read().equals(TABLE)
    assert file.metadata.num_row_groups == len(parts)
    for number, part in enumerate(parts):
        assert file.read_row_group(number).equals(part)
        statistics = file.metadata.row_group(number).column(0).statistics
        assert (statistics.min, statistics.max) == (number * rows, number * rows + part.num_rows - 1)


def test_no_part_is_a_table_without_rows() -> None:
    output = io.BytesIO()
    Joined(output, encoded(TABLE.slice(0, 0))).close()
    assert parquet.read_table(output).equals(TABLE.slice(0, 0))


def test_columns_keep_their_types(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Also those that are read as dictionaries, because their words repeat, and columns in columns."""
    monkeypatch.setattr(pieces, "PIECE_ROWS", 75)
    table = TABLE.append_column("chip", pa.array(["Apple M4 Pro", "Apple M1"] * (ROWS // 2)))
    table = table.append_column("baseline_bytes", pa.repeat(2048, ROWS))
    table = table.append_column("candidate_bytes", pa.array(range(ROWS)))
    source, output = tmp_path / "in.parquet", tmp_path / "out.parquet"
    parquet.write_table(table, source)
    assert main([str(source), "-o", str(output)]) == 0
    file = parquet.ParquetFile(output)
    assert file.metadata.num_row_groups == 4
    expected = score_table(table, Scoring())
    assert file.schema_arrow.equals(expected.schema)
    assert file.read().to_pylist() == expected.to_pylist()
