"""Parquet files put together from parts are what one writer would have written."""

import io
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import pytest

from rlx_sched.batch import pieces
from rlx_sched.batch.parquet import Joined, part_of
from rlx_sched.batch.score import Scoring, score_table
from rlx_sched.batch.thrift import Struct, read_struct, write_struct
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


WORDS = ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY", "PLAIN"]


@pytest.mark.parametrize("encodings", [WORDS, WORDS[::-1], ["PLAIN"]])
def test_encodings_that_pyarrow_makes_no_dictionaries_of(encodings: list[str], tmp_path: Path) -> None:
    """Writers take them for words of many values, and from one row group to the next."""
    table = pa.table(
        {
            "tiles": [f"{8 + n % 64}x8xf32" for n in range(ROWS)],
            "stages": pa.array([1 + n % 3 for n in range(ROWS)]),
            "note": [f"note {n}" for n in range(ROWS)],
        }
    )
    source, output = tmp_path / "in.parquet", tmp_path / "out.parquet"
    parts = [table.slice(start, ROWS // len(encodings)) for start in range(0, ROWS - 2, ROWS // len(encodings))]
    with source.open("wb") as stream:
        joined = Joined(stream, encoded(table.slice(0, 0)))
        for part, encoding in zip(parts, encodings, strict=True):
            buffer = io.BytesIO()
            encoded_as = {"tiles": encoding, "note": encoding, "stages": "DELTA_BINARY_PACKED"}
            parquet.write_table(part, buffer, use_dictionary=False, column_encoding=encoded_as)
            joined.append(part_of(pa.py_buffer(buffer.getvalue())))
        joined.close()
    assert main([str(source), "-o", str(output), "--chip", "Apple M4 Pro"]) == 0
    expected = score_table(pa.concat_tables(parts), Scoring("Apple M4 Pro"))
    assert parquet.read_table(output).to_pylist() == expected.to_pylist()


def test_what_a_broken_file_says_of_itself(tmp_path: Path) -> None:
    """Whatever number there is another one: an error of one line, and no end of the process, which pyarrow has in it.

    In a process of its own for that.
    """
    table = pa.table({"baseline_bytes": [2048] * 4, "candidate_bytes": range(1, 5), "chip": ["Apple M4 Pro"] * 4})
    whole = bytes(encoded(table))
    files = 0
    for data in broken(whole):
        (tmp_path / f"{files}.parquet").write_bytes(data)
        files += 1
    code = (
        "import contextlib, io, sys\n"
        "from rlx_sched.tools.rlx_score import main\n"
        f"for number in range({files}):\n"
        "    said = io.StringIO()\n"
        "    with contextlib.redirect_stderr(said):\n"
        "        status = main([f'{number}.parquet', '-o', 'out.arrow', '--quiet'])\n"
        "    assert status in (0, 1) and said.getvalue().count('\\n') == status, (number, status, said.getvalue())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert files > 50


def broken(file: bytes) -> Iterator[bytes]:
    """`file` with other numbers in its table of contents, one by one."""
    start = len(file) - 8 - int.from_bytes(file[-8:-4], "little")

    def variants(value: Any) -> Iterator[Any]:
        if isinstance(value, dict):
            for number, (type, inner) in cast("Struct", value).items():
                yield from (value | {number: (type, other)} for other in variants(inner))
        elif isinstance(value, tuple):
            element, values = cast("tuple[int, list[Any]]", value)
            for place, inner in enumerate(values):
                for other in variants(inner):
                    yield element, [*values[:place], other, *values[place + 1 :]]
        elif isinstance(value, int):
            yield from {-1, 0, 99, 2**31 - 1} - {value}

    for contents in variants(read_struct(file[start:-8])):
        encoded_contents = write_struct(contents)
        yield file[:start] + encoded_contents + len(encoded_contents).to_bytes(4, "little") + b"PAR1"
