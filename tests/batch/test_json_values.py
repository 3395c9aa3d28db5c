"""JSON values keep their types and all of themselves, or the error of their row has them."""

import io
import json
import math
from importlib import import_module
from typing import Any, cast

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rlx_sched.batch import text_tables

pa: Any = import_module("pyarrow")
parquet: Any = import_module("pyarrow.parquet")
ipc: Any = import_module("pyarrow.ipc")


def read(texts: list[str], first_rows: int = 2**16) -> tuple[Any, list[str | None]]:
    """The column of JSON values, and what is wrong with each."""
    lines = "".join(f'{{"x": {text}}}\n' for text in texts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_tables, "_JSON_ROWS", first_rows)
        opened = text_tables.read_jsonl(io.BufferedReader(io.BytesIO(lines.encode())))  # type: ignore[arg-type]
        tables: list[Any] = []
        problems: list[str | None] = []
        for table, found in opened.pieces:
            tables.append(table)
            problems += [found[row][1] if row in found else None for row in range(table.num_rows)]
    return pa.concat_tables(tables).combine_chunks(), problems


def written(table: Any) -> list[Any]:
    lines = text_tables.encode_jsonl(table.to_batches(), table.slice(0, 0)).decode().splitlines()
    return [json.loads(line)["x"] for line in lines]


def same(found: Any, value: Any) -> bool:
    """Whether one is the other, but that a key with nothing and no key are the same."""
    if isinstance(found, dict) and isinstance(value, dict):
        one, other = cast("dict[str, Any]", found), cast("dict[str, Any]", value)
        return all(same(one.get(key), other.get(key)) for key in {*one, *other})
    if isinstance(found, list) and isinstance(value, list):
        parts, others = cast("list[Any]", found), cast("list[Any]", value)
        return len(parts) == len(others) and all(map(same, parts, others))
    types = {type(cast("object", found)), type(cast("object", value))}
    return found == value and (len(types) == 1 or types == {int, float})


def is_finite(value: Any) -> bool:
    return "NaN" not in json.dumps(value) and "Infinity" not in json.dumps(value)


LARGE = [2**53, 2**53 + 1, 2**63, -(2**63), -(2**63) - 1, 2**64 - 1, 2**64]
NUMBERS = [0, 1, -5, 0.5, -0.0, 1e300, math.nan, math.inf, -math.inf, *LARGE]
SCALARS = st.sampled_from([None, True, False, "", "x", "é", "1", "null", *NUMBERS])
VALUES = st.recursive(
    SCALARS,
    lambda parts: st.lists(parts, max_size=2) | st.dictionaries(st.sampled_from("ab"), parts, max_size=2),
    max_leaves=6,
)


@settings(deadline=None, max_examples=400)
@given(st.lists(VALUES, min_size=1, max_size=8), st.integers(1, 8))
@example([0.5, False, True], 3)
@example([{"a": 1.5}, {"a": True}], 2)
@example([[0.1, 1], [1, True]], 2)
@example([{"a": 1}, []], 1)
@example([{"a": 1}, False, []], 1)
@example([[math.nan], [0.5]], 2)
def test_no_value_is_changed_or_lost(values: list[Any], first_rows: int) -> None:
    table, problems = read([json.dumps(value) for value in values], first_rows)
    for value, found, problem in zip(values, written(table), problems, strict=True):
        if problem is None:
            assert same(found, value)
        else:
            assert found is None
            assert not is_finite(value) or f"found {json.dumps(value)}, expected " in problem
    parquet.write_table(table, io.BytesIO())
    with ipc.new_file(io.BytesIO(), table.schema) as file:
        file.write_table(table)


TEXT = "extension<arrow.json>"


@pytest.mark.parametrize(
    ("texts", "kind", "bad"),
    [
        (["0.5", "false", "true", "1"], "double", [1, 2]),
        (["true", "0", "1.0"], "bool", [1, 2]),
        (["1", "-5", '"x"'], "int64", [2]),
        (["null", str(2**64 - 1), "-1"], "uint64", [2]),
        (["1", str(2**64), "2"], "int64", [1]),
        (["1", "0.5"], "double", []),
        ([str(2**53 + 1), "0.5"], "int64", [1]),
        (['{"a": null}', '{"a": 1}', '{"a": true}', '{"b": 2}'], "struct<a: int64, b: int64>", [2]),
        (['{"a": 1}', "false", "[]", '[["a", 5]]'], "struct<a: int64>", [1, 2, 3]),
        (["[0.1, 1]", "[1, true]"], "list<item: double>", [1]),
        (["[NaN]", "[1]", "[1e400]", "[1, null]"], "list<item: int64>", [0, 2]),
        (["[0, false]", '"x"', "1", "null", '{"b": [NaN]}'], TEXT, [4]),
        (['[{"a": 1}, 0]', "[]"], TEXT, []),
        (['{"b": 18446744073709551616}', "[18446744073709551616]"], TEXT, []),
        (['{"b": 18446744073709551615}', '{"b": 1}'], "struct<b: uint64>", []),
        (["[18446744073709551615]", "[-1]"], "list<item: uint64>", [1]),
        (["{}", "[]"], TEXT, []),
        (['{"a": {}}'], TEXT, []),
        (["[" * 150 + "]" * 150], TEXT, []),
    ],
)
def test_the_type_of_a_column(texts: list[str], kind: str, bad: list[int]) -> None:
    table, problems = read(texts)
    assert str(table.schema.field("x").type) == kind
    assert [row for row, problem in enumerate(problems) if problem] == bad
    for row, found in enumerate(written(table)):
        assert same(found, None if row in bad else json.loads(texts[row]))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("NaN", "NaN"),
        ("-Infinity", "-Infinity"),
        ("1e400", "1e400"),
        ("-2.5E+9999", "-2.5E+9999"),
        ("1" + "0" * 400 + ".0", "1" + "0" * 400 + ".0"),
        ("[1e400]", '["1e400"]'),
    ],
)
def test_numbers_that_are_not_finite_are_errors(text: str, shown: str) -> None:
    table, problems = read(["null", text])
    assert problems == [None, f"found {shown}, expected finite numbers"]
    assert written(table) == [None, None]


@pytest.mark.parametrize("name", ["baseline_bytes", "candidate_bytes", "stages", "slots_offset"])
def test_integers_written_as_doubles_are_read(name: str) -> None:
    lines = f'{{"{name}": 1024.0}}\n{{"{name}": 1e3}}\n{{"{name}": 1.5}}\n{{"{name}": 9007199254740992.0}}\n'
    opened = text_tables.read_jsonl(io.BufferedReader(io.BytesIO(lines.encode())))  # type: ignore[arg-type]
    ((table, problems),) = opened.pieces
    assert table.column(name).to_pylist() == [1024, 1000, None, None]
    assert problems[2][1].startswith("found 1.5, expected ")
    assert problems[3][1].startswith("found 9007199254740992.0, expected ")


@pytest.mark.parametrize("depth", [201, 900, 5000])
def test_lists_too_deep_are_no_rows(depth: int) -> None:
    table, problems = read(["1", "[" * depth + "]" * depth])
    assert table.column("x").to_pylist() == [1, None]
    assert "(too many levels of nesting)" in str(problems[1])


def test_json_as_text_in_csv() -> None:
    table, _ = read(['[0, "é"]', "null", '"x"'])
    assert (
        text_tables.encode_csv(table.to_batches(), table.slice(0, 0)).to_pybytes().decode()
        == '"[0, ""é""]"\n\n"""x"""\n'
    )
