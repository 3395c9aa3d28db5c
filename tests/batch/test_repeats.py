"""Rows that repeat are scored once: what comes out is what scoring each of them gives, in every format."""

import io
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rlx_sched.batch import parquet as joined_parquet
from rlx_sched.batch.pieces import Scored
from rlx_sched.batch.score import Scoring, score_batch, score_table
from rlx_sched.tools.rlx_score import main

np: Any = import_module("numpy")
pa: Any = import_module("pyarrow")
parquet: Any = import_module("pyarrow.parquet")

M4 = "Apple M4 Pro"
LIST = pa.list_(pa.field("element", pa.int64()))
CHIPS = (M4, "Apple M1", "NVIDIA H200", "Chip of Nobody")

rows = st.lists(
    st.tuples(
        st.sampled_from(CHIPS),
        st.sampled_from([0, 1, 2048, 4096, 2**30]),
        st.sampled_from([0, 2048, 3000, 65536, 2**23 - 1]),
    ),
    min_size=1,
    max_size=4,
)
"""The distinct rows of a table."""


def parquet_of(parts: list[Any], empty: Any) -> io.BytesIO:
    stream = io.BytesIO()
    with joined_parquet.open_parquet(stream, empty, False) as append:
        for part in parts:
            append(part)
    return stream


def score(batch: Any, once: bool = True, on_error: Any = "stop") -> tuple[Scored, Any]:
    """A batch scored, and as it is scored row by row."""
    scoring = Scoring(on_error=on_error)
    alone = [score_batch(batch.slice(row, 1), scoring, row).rows() for row in range(batch.num_rows)]
    return score_batch(batch, scoring, 0, once=once), pa.Table.from_batches(
        [one.cast(alone[0].schema) for one in alone]
    )


@settings(deadline=None, max_examples=50)
@given(rows, st.lists(st.integers(0, 3), min_size=16, max_size=40), *[st.booleans()] * 4)
def test_rows_are_what_each_of_them_is(
    distinct: list[tuple[str, int, int]], picks: list[int], once: bool, dictionary: bool, nullable: bool, keep: bool
) -> None:
    picked = [distinct[pick % len(distinct)] for pick in picks]
    chips, baseline, candidate = (pa.array(column) for column in zip(*picked, strict=True))
    columns = {
        "note": pa.array([None if n % 3 == 0 else [n] for n in range(len(picked))], LIST),
        "chip": chips.dictionary_encode() if dictionary else chips,
        "baseline_bytes": baseline,
        "word": pa.array([None if n % 5 == 0 else "ab"[n % 2] for n in range(len(picked))]).dictionary_encode(),
        "candidate_bytes": candidate.cast(pa.uint64()),
    }
    fields = [
        pa.field(name, column.type, nullable=nullable or column.null_count > 0) for name, column in columns.items()
    ]
    batch = pa.record_batch([*columns.values()], schema=pa.schema(fields, {"made by": "a test"}))
    scored, expected = score(batch, once, "keep" if keep else "stop")
    assert once == (scored.which is not None)
    assert scored.rows().schema.field("note") == batch.schema.field("note")
    assert scored.rows().to_pylist() == expected.to_pylist()

    empty = scored.rows().slice(0, 0)
    part = joined_parquet.encode_parquet([scored], empty)
    file = parquet.ParquetFile(parquet_of([part, part], empty))
    assert file.schema_arrow.equals(scored.rows().schema, check_metadata=True)
    assert file.metadata.num_row_groups == 2
    assert file.read().to_pylist() == 2 * expected.to_pylist()
    for place, name in enumerate(file.schema_arrow.names):
        statistics = file.metadata.row_group(1).column(place).statistics
        values = [value for value in expected.column(name).to_pylist() if value is not None]
        if statistics is not None and not isinstance(expected.column(name)[0].as_py(), list | str):
            assert statistics.null_count == len(picked) - len(values)
            if statistics.has_min_max:
                assert (statistics.min, statistics.max) == (min(values), max(values))


def test_rows_that_do_not_repeat_are_scored_each() -> None:
    batch = pa.record_batch({"chip": [M4] * 9, "baseline_bytes": [2048] * 9, "candidate_bytes": range(1, 10)})
    scored, expected = score(batch)
    assert scored.which is None
    assert scored.rows().to_pylist() == expected.to_pylist()


@pytest.mark.parametrize("baseline", [1, 2**62, 2**64 - 1])
def test_footprints_that_do_not_fit_a_key(baseline: int) -> None:
    columns = {
        "chip": [M4] * 16,
        "baseline_bytes": pa.array([baseline] * 16, pa.uint64()),
        "candidate_bytes": pa.array([1] * 8 + [2**64 - 1] * 8, pa.uint64()),
    }
    scored, expected = score(pa.record_batch(columns))
    assert scored.rows().to_pylist() == expected.to_pylist()


OF_EVERY_TYPE = {
    "bool": pa.array([True, False]),
    "int64": pa.array([-(2**63), 2**63 - 1, 0]),
    "uint64": pa.array([2**64 - 1, 0, 1], pa.uint64()),
    "double": pa.array([0.5, -1.5, float("inf"), 5e-324]),
    "string": pa.array(["", "é", "long " * 99]),
    "nan": pa.array([float("nan"), 1.0]),
    "zero": pa.array([-0.0, 1.0]),
}
VALUES: dict[str, Any] = {
    **OF_EVERY_TYPE,
    **{f"{n} or null": pa.concat_arrays([v, v[:1], pa.nulls(1, v.type)]) for n, v in OF_EVERY_TYPE.items()},
    **{f"no {n}": pa.nulls(1, v.type) for n, v in OF_EVERY_TYPE.items()},
    **{f"one {n}": v[:1] for n, v in OF_EVERY_TYPE.items()},
    **{f"{count} integers": pa.array(range(count)) for bits in range(1, 17) for count in (2**bits, 2**bits - 1)},
}


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("count", [1, 7, 70001])
@pytest.mark.parametrize("by_index", [True, False])
def test_a_column_is_what_is_in_it(name: str, count: int, by_index: bool) -> None:
    """Of every type, with and without nulls, and of every width of an index."""
    values = VALUES[name][:count]
    which = np.random.default_rng(count).integers(0, len(values), count)
    which[: len(values)] = np.arange(len(values))
    expected = values.take(pa.array(which))
    batch = pa.record_batch({"row": range(count)})
    results = pa.record_batch({"a": values if by_index else expected})
    scored = Scored(batch, results, which if by_index else None, {})
    part = joined_parquet.encode_parquet([scored], scored.rows().slice(0, 0))
    stream = parquet_of([part], scored.rows().slice(0, 0))
    found = parquet.read_table(stream).column("a").combine_chunks()
    if values.type == pa.float64():  # a NaN equals nothing, and two zeros are the same
        found, expected = found.view(pa.int64()), expected.view(pa.int64())
    assert found.equals(expected)

    metadata = parquet.ParquetFile(stream).metadata.row_group(0).column(1)
    if by_index:
        assert metadata.total_compressed_size <= 2 * count + 3 * values.nbytes + 200
    if metadata.statistics is not None:
        assert metadata.statistics.null_count == found.null_count
        if metadata.statistics.has_min_max and "string" not in name:
            bounds = metadata.statistics.min, metadata.statistics.max
            numbers = [number for number in values.to_pylist() if number is not None and number == number]
            assert bounds == (min(numbers), max(numbers))
            assert "zero" not in name or str(bounds[0]) == "-0.0"


def test_columns_of_more_values_than_an_index_has() -> None:
    count = 2**17
    candidates = np.arange(count) + 2048
    rows = {"chip": [M4] * 4 * count, "baseline_bytes": [2048] * 4 * count, "candidate_bytes": np.repeat(candidates, 4)}
    scored = score_batch(pa.record_batch(rows), Scoring(), 0, once=True)
    assert scored.which is not None
    empty = scored.rows().slice(0, 0)
    found = parquet.read_table(parquet_of([joined_parquet.encode_parquet([scored], empty)], empty))
    assert found.column("footprint").equals(pa.chunked_array([pa.array(np.repeat(candidates, 4), pa.uint64())]))
    expected = score_table(pa.table(rows), Scoring())
    assert found.column("ratio").to_pylist() == expected.column("ratio").to_pylist()


def test_a_column_of_nulls_has_no_dictionary() -> None:
    """An empty page is none to some readers, fastparquet among them."""
    batch = pa.record_batch({"chip": ["Chip of Nobody"] * 9, "baseline_bytes": [1] * 9, "candidate_bytes": [2] * 9})
    scored = score_batch(batch, Scoring(on_error="keep"), 0, once=True)
    empty = scored.rows().slice(0, 0)
    metadata = parquet.ParquetFile(parquet_of([joined_parquet.encode_parquet([scored], empty)], empty)).metadata
    columns = [metadata.row_group(0).column(number) for number in range(metadata.num_columns)]
    without = {column.path_in_schema for column in columns if not column.has_dictionary_page}
    assert without == {"ratio", "ratio_low", "ratio_high", "extrapolated", "error"}


def test_an_ordered_table_stays_small(tmp_path: Path) -> None:
    """Indices that hardly change from row to row are compressed."""
    row = np.arange(2**20)
    baseline = 2048 * (1 + row // 200 % 40)
    columns = {"baseline_bytes": baseline, "candidate_bytes": baseline * (1 + row // 8000 % 8)}
    source, output = tmp_path / "in.parquet", tmp_path / "out.parquet"
    parquet.write_table(pa.table(columns), source)
    assert main([str(source), "-o", str(output), "--chip", M4]) == 0
    assert output.stat().st_size < len(row) / 2


def test_other_readers_read_it(tmp_path: Path) -> None:
    polars: Any = import_module("polars")
    rows = 1000
    table = pa.table(
        {
            "chip": [M4, "Chip of Nobody"] * (rows // 2),
            "baseline_bytes": [2048, 2048, 2048, 8192] * (rows // 4),
            "candidate_bytes": [2048, 4096, 4096, 9000] * (rows // 4),
        }
    )
    source, output = tmp_path / "in.parquet", tmp_path / "out.parquet"
    parquet.write_table(table, source)
    assert main([str(source), "-o", str(output)]) == 0
    assert polars.read_parquet(output).to_dicts() == score_table(table, Scoring()).to_pylist()
