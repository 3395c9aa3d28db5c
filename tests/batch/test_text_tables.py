"""CSV and JSON lines: what is no row is told, with its place, or kept in its place, and no other row is touched."""

import io
import json
from importlib import import_module
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from rlx_sched.batch import pieces, text_tables

pa: Any = import_module("pyarrow")
arrow_csv: Any = import_module("pyarrow.csv")

M4 = "Apple M4 Pro"


class Read(NamedTuple):
    """A table, row by row; None is a row whose values are all null."""

    rows: list[tuple[Any, ...] | None]
    problems: dict[int, str]


def read(read_table: Any, text: bytes, block: int = 2**22, careful: int = 2**16) -> Read:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_tables, "_CSV_BLOCK_BYTES", block)
        patch.setattr(pieces, "PIECE_ROWS", 3)
        patch.setattr(text_tables, "_JSON_ROWS", 2)
        patch.setattr(text_tables, "_CAREFUL_ROWS", careful)
        rows: list[tuple[Any, ...] | None] = []
        problems: dict[int, str] = {}
        for table, found in read_table(io.BufferedReader(io.BytesIO(text))).pieces:  # type: ignore[arg-type]
            problems.update((len(rows) + row, problem) for row, (_, problem) in found.items())
            values = [tuple(row.values()) for row in table.to_pylist()]
            rows += [row if any(value is not None for value in row) else None for row in values]
    return Read(rows, problems)


def as_pyarrow_reads(text: bytes) -> tuple[list[tuple[bytes, ...] | None], bool]:
    """The rows of CSV without a header, None for those of other than two fields; and whether a quote is left open."""
    broken: list[Any] = []

    def skip(row: Any) -> str:
        broken.append(row)
        return "skip"

    def rows(text: bytes) -> list[tuple[bytes, ...]]:
        broken.clear()
        table = arrow_csv.read_csv(
            io.BytesIO(b"\n" + text),
            arrow_csv.ReadOptions(column_names=["a", "b"], use_threads=False),
            arrow_csv.ParseOptions(invalid_row_handler=skip),
            arrow_csv.ConvertOptions(default_column_type=pa.binary()),
        )
        return [tuple(row.values()) for row in table.to_pylist()]

    # Whoever is in a quote takes the line that follows for a part of it.
    alone = len(rows(text)) + len(broken)
    together = len(rows(text + b"\n0,0\n")) + len(broken)
    good = iter(rows(text))
    numbers = {row.number for row in broken}
    return [None if number in numbers else next(good) for number in range(1, alone + 1)], together == alone


TEXTS = st.lists(
    st.sampled_from(["1", "2,", ",", '"', '"', '""', "\n", "\r\n", "\r", "1,2\n", "é", "\ufeff", "\0", " "])
)


@settings(deadline=None, max_examples=200)
@given(TEXTS.map("".join))
def test_csv_is_read_as_pyarrow_reads_it(text: str) -> None:
    expected, open_quote = as_pyarrow_reads(text.encode())
    assume(not open_quote)
    found = read(text_tables.read_csv, b"a,b\n" + text.encode())
    assert found.rows == [row and tuple(value.decode() for value in row) for row in expected]
    assert sorted(found.problems) == [number for number, row in enumerate(expected) if row is None]


@settings(deadline=None, max_examples=200)
@given(TEXTS.map("".join), st.integers(1, 20), st.integers(1, 3))
@example('1,x"\n2,"y\nz"\n', 7, 2)
@example("1,2\r\n3\r\n4,5\r\n6", 7, 2)
def test_csv_is_read_the_same_in_blocks_of_any_length(text: str, block: int, careful: int) -> None:
    whole = read(text_tables.read_csv, b"a,b\n" + text.encode())
    assert read(text_tables.read_csv, b"a,b\n" + text.encode(), block, careful) == whole


HAS_TWO = "expected 2, as the header has"


@pytest.mark.parametrize(
    ("text", "rows", "problems"),
    [
        (b"1,2\n3\n4,5,6\n7,8\n", [("1", "2"), None, None, ("7", "8")], {
            1: f"line 3: found 1 field in '3'; {HAS_TWO}",
            2: f"line 4: found 3 fields in '4,5,6'; {HAS_TWO}",
        }),
        (b'\n"1\r\n\r\n2",3\r\n\r\n4\r\n\r5\r6', [("1\r\n\r\n2", "3"), None, None, None], {
            1: f"line 7: found 1 field in '4'; {HAS_TWO}",
            2: f"line 9: found 1 field in '5'; {HAS_TWO}",
            3: f"line 10: found 1 field in '6'; {HAS_TWO}",
        }),
        (b"1,\xff\n\xc3\xa9,2\n", [None, ("é", "2")], {
            0: r"line 2: found bytes that are not UTF-8 in '1,\\xff'; expected UTF-8",
        }),
        (b'1,"2\n3,4\n', [None, ("3", "4")], {
            0: """line 2: found a quote that is not closed in '1,"2'; expected '"' after the value""",
        }),
        (b"1,2\n" + b"x" * 100, [("1", "2"), None], {1: f"line 3: found 1 field in '{'x' * 80}...'; {HAS_TWO}"}),
        (b"1,2\n   \n", [("1", "2"), None], {1: f"line 3: found 1 field in '   '; {HAS_TWO}"}),
    ],
)  # fmt: skip
def test_csv_rows_that_are_none_are_kept_in_their_place(
    text: bytes, rows: list[tuple[str, str] | None], problems: dict[int, str]
) -> None:
    assert read(text_tables.read_csv, b"a,b\n" + text) == Read(rows, problems)  # type: ignore[arg-type]


@pytest.mark.parametrize("block", [3, 2**22])
@pytest.mark.parametrize("start", [b"", b'"\n'])
def test_no_csv_row_takes_all_memory(start: bytes, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_tables, "ROW_BYTES", 200)
    text = b"a,b\n1,2\n" + start + b"x" * 1000 + b"\r\n3,4\n5\n"
    found = read(text_tables.read_csv, text, block)
    assert [row for row in found.rows if row] == [("1", "2"), ("3", "4")]
    assert "not closed" in found.problems[1] if start else len(found.problems) == 2
    if block == 3:
        assert "found more than 200 bytes in 'xxxxx" in found.problems[2 if start else 1]
    assert found.problems[len(found.rows) - 1] == f"line {6 if start else 5}: found 1 field in '5'; {HAS_TWO}"


A = b'{"a": 1}\n'


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b'{"b"', """line 3, column 5: found '{"b"' (not JSON: Expecting ':' delimiter)"""),
        ('{"é": "é"} x\r'.encode(), """line 3, column 14: found '{"é": "é"} x' (not JSON: Extra data)"""),
        (b'\xef\xbb\xbf{"b"', "line 3, column 8: found "),
        (b'{"b": "x\xffy"}', r"""line 3, column 9: found '{"b": "x\\xffy"}' (not UTF-8)"""),
        (rb'{"b": "\ud800"}', r"""line 3: found '{"b": "\\ud800"}' (a surrogate without the other)"""),
        (b"[1]", "line 3: found '[1]' (no object)"),
        (b"null", "line 3: found 'null' (no object)"),
        (b'{"a": 1' + b"0" * 5000 + b"}", "(a number of more than 4300 digits)"),
        (b"[" * 10**6, "(too many levels of nesting)"),
        (b'{"a": {"b": 1, "b": 2}}', """line 3: found '{"a": {"b": 1, "b": 2}}' (the key "b" twice)"""),
        (b"\0", r"line 3, column 1: found '\x00' (not JSON: Expecting value)"),
    ],
)
def test_json_lines_that_are_no_row_are_kept_in_their_place(line: bytes, problem: str) -> None:
    found = read(text_tables.read_jsonl, A + b"\n" + line + b"\n" + A)
    assert found.rows == [(1,), None, (1,)]
    assert list(found.problems) == [1]
    assert problem in found.problems[1]
    assert found.problems[1].endswith("; expected a JSON object with the columns")


def test_no_json_line_takes_all_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_tables, "ROW_BYTES", 100)
    found = read(text_tables.read_jsonl, A + b'{"a": "' + b"x" * 1000 + b'"}\n' + A + b"[")
    assert found.rows == [(1,), None, (1,), None]
    assert found.problems[1].startswith("""line 2: found 100 bytes or more in '{"a": "xxx""")
    assert found.problems[3].startswith("line 4, column 2: ")


def test_json_values_that_a_column_cannot_hold_are_all_in_the_error() -> None:
    lines = [
        b'{"a": 1, "b": {"c": 1}, "d": "x"}',
        b'{"a": 1, "b": {"c": null}}',
        b'{"a": 1.5, "b": {"c": 1.5}, "d": ["y"], "e": 1, "f": {}}',
        b'{"a": 18446744073709551616, "b": {"c": 2, "g": [2]}}',
    ]
    found = read(text_tables.read_jsonl, b"\n".join(lines))
    assert found.rows == [(1, {"c": 1}, "x"), (1, {"c": None}, None), None, None]
    assert found.problems == {
        2: "found 1, expected no such key: none of the first rows has it"
        "; column 'f': found {}, expected no such key: none of the first rows has it"
        "; column 'a': found 1.5, expected a value of type int64"
        """; column 'b': found {"c": 1.5}, expected a value of type struct<c: int64>"""
        """; column 'd': found ["y"], expected a value of type string""",
        3: "found 18446744073709551616, expected a value of type int64"
        """; column 'b': found {"c": 2, "g": [2]}, expected a value of type struct<c: int64>""",
    }


@pytest.mark.parametrize("value", [2**63, "x", [], [[], [1]], [{"b": 1}, {"b": None}], None, True, 0.1, "\0", ""])
def test_json_values_of_any_type_are_read(value: object) -> None:
    found = read(text_tables.read_jsonl, A.replace(b"1", json.dumps(value).encode()))
    assert found == Read([None if value is None else (value,)], {})


@pytest.mark.parametrize("value", [2**64, -(2**64)])
def test_json_numbers_that_no_column_can_hold_are_in_the_error(value: int) -> None:
    found = read(text_tables.read_jsonl, A.replace(b"1", str(value).encode()))
    assert found == Read([None], {0: f"found {value}, expected a value of type uint64"})
