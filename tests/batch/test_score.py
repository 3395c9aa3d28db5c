"""Scores of a table are those of the model, row by row."""

import math
import time
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rlx_sched.batch import ADDED_COLUMNS, RowError, Scoring, TableError, score_frame, score_table
from rlx_sched.batch.columns import BYTE_COLUMNS, Problems, check_columns, read_footprints
from rlx_sched.dialect.layout import Buffer, footprint
from rlx_sched.occupancy import AppleGpuFamily, Unknown, assess

pa: Any = import_module("pyarrow")

M4 = "Apple M4 Pro"
BYTES = st.one_of(st.integers(0, 2**64 - 1), st.integers(0, 40000), st.sampled_from([0, 2048, 4096, 6144, 8192, 32768]))


RUNS = pa.DictionaryArray.from_arrays(
    pa.array([0], pa.int8()), pa.RunEndEncodedArray.from_arrays(pa.array([1], pa.int32()), pa.array([1]))
)
"""A dictionary of what Arrow cannot take out of one."""


def scored(columns: dict[str, list[Any]], scoring: Scoring | None = None) -> list[dict[str, Any]]:
    return score_table(pa.table(columns), scoring or Scoring(M4)).to_pylist()


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from([M4, "apple-m4", "Apple M1", "NVIDIA H200", ""]), BYTES, BYTES), max_size=40))
def test_agrees_with_the_model_on_every_row(rows: list[tuple[str, int, int]]) -> None:
    columns = {
        "chip": [chip for chip, _, _ in rows],
        "baseline_bytes": pa.array([baseline for _, baseline, _ in rows], pa.uint64()),
        "candidate_bytes": pa.array([candidate for _, _, candidate in rows], pa.uint64()),
    }
    found = score_table(pa.table(columns), Scoring()).to_pylist()
    for (chip, baseline, candidate), row in zip(rows, found, strict=True):
        one = assess(chip, baseline, candidate)
        assert row["verdict"] == one.verdict.kind
        assert (row["baseline_footprint"], row["footprint"]) == (baseline, candidate)
        limit = 32768 if chip.lower().startswith("apple") else None
        assert row["legality"] == ("unknown" if limit is None else "over_limit" if candidate > limit else "fits")
        if isinstance(one.verdict, Unknown):
            assert row["ratio"] is row["ratio_low"] is row["ratio_high"] is row["extrapolated"] is None
            assert row["reason"] == one.verdict.reason or row["legality"] == "over_limit"
        else:
            assert one.interval is not None
            assert row["ratio"] == pytest.approx(one.ratio, abs=1e-13)
            assert (row["ratio_low"], row["ratio_high"]) == pytest.approx(one.interval, abs=1e-13)
            assert row["extrapolated"] == one.extrapolated


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())])
@pytest.mark.parametrize("chips", [[M4] * 3, ["NVIDIA H200"] * 3, ["NVIDIA H200", M4, M4], [M4, M4, "NVIDIA H200"]])
def test_chips_of_any_kind_of_text(kind: Any, chips: list[str]) -> None:
    # A slice's dictionary still has the chip that is cut off.
    column = pa.array(["Apple M1", *chips]).cast(kind).slice(1)
    found = scored({"chip": column, "baseline_bytes": [2048] * 3, "candidate_bytes": [8192] * 3}, Scoring())
    assert [row["verdict"] for row in found] == ["slower" if chip == M4 else "unknown" for chip in chips]


def test_the_order_of_the_chips_leaves_the_dictionaries_as_they_are() -> None:
    chips = [M4, "NVIDIA H200", "Apple M1"]

    def reasons(chips: list[str]) -> list[str]:
        columns = {"chip": chips, "baseline_bytes": [2048] * 3, "candidate_bytes": [65536] * 3}
        return score_table(pa.table(columns), Scoring()).column("reason").chunk(0).dictionary.to_pylist()

    assert reasons(chips) == reasons(chips[::-1])


def test_extrapolation_is_decided_at_the_very_edge() -> None:
    pairs = [(2048, 6144), (2048, 6145), (4096, 12288), (6144, 2048), (6145, 2048), (2047, 2047), (2047, 2048)]
    found = scored({"baseline_bytes": [b for b, _ in pairs], "candidate_bytes": [c for _, c in pairs]})
    assert [row["extrapolated"] for row in found] == [assess(M4, *pair).extrapolated for pair in pairs]
    assert [row["extrapolated"] for row in found] == [False, True, False, False, True, False, True]


SHAPES = st.lists(st.lists(st.integers(1, 64), min_size=1, max_size=3), min_size=1, max_size=3)


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(SHAPES, st.sampled_from([("f16", 2), ("f32", 4), ("i8", 1)]), st.integers(1, 5), st.integers(-2, 1)),
        min_size=1,
        max_size=20,
    )
)
def test_tiles_take_what_their_layout_takes(
    rows: list[tuple[list[list[int]], tuple[str, int], int, int]],
) -> None:
    spelled = [";".join("x".join(map(str, shape)) for shape in shapes) for shapes, *_ in rows]
    columns = {
        "tiles": spelled,
        "dtype": [dtype for _, (dtype, _), _, _ in rows],
        "stages": [stages for *_, stages, _ in rows],
        "slots_offset": [offset for *_, offset in rows],
    }
    found = scored(columns)
    for (shapes, (_, size), stages, offset), row in zip(rows, found, strict=True):
        buffers = [Buffer(int(np.prod(shape)) * size, size, rotating=True, slots_offset=offset) for shape in shapes]
        assert (row["baseline_footprint"], row["footprint"]) == (footprint(buffers, 1), footprint(buffers, stages))


def test_tiles_with_their_own_types_and_resident_ones() -> None:
    (row,) = scored({"tiles": ["16x16xf32, 16x16xf32"], "resident": ["16xf32"], "stages": [3]})
    assert (row["baseline_footprint"], row["footprint"]) == (2048 + 64, 6144 + 64)
    assert row["verdict"] == "slower"


def test_twice_is_once() -> None:
    table = pa.table({"baseline_bytes": [2048], "candidate_bytes": [4096], "note": ["mine"]})
    once = score_table(table, Scoring(M4))
    with pytest.raises(TableError, match="column 'verdict' is there already"):
        score_table(once, Scoring(M4))
    assert score_table(once, Scoring(M4, replace=True)).equals(once)
    assert once.schema.names == ["baseline_bytes", "candidate_bytes", "note", *ADDED_COLUMNS]


@pytest.mark.parametrize("again", ["stop", "keep"])
@pytest.mark.parametrize("kind", ["table", "frame"])
def test_scoring_again_replaces_errors_of_scoring_alone(kind: str, again: Any) -> None:
    pandas = pytest.importorskip("pandas")

    def score(columns: dict[str, list[Any]], scoring: Scoring) -> dict[str, list[Any]]:
        if kind == "frame":
            found = score_frame(pandas.DataFrame(columns), scoring).astype(object)
            lists = found.where(found.notna(), None).to_dict("list")
            return {str(name): values for name, values in lists.items()}
        return score_table(pa.table(columns), scoring).to_pydict()

    bytes_of = {"baseline_bytes": [2048, 2048], "candidate_bytes": ["8192", "x"]}
    errors = {"error": ["mine", "too"]}
    scoring = Scoring(M4, on_error=again, replace=True)
    kept = score(bytes_of, Scoring(M4, on_error="keep"))
    assert kept["error"][1].startswith("column 'candidate_bytes': found 'x'")
    mended = score({**kept, "candidate_bytes": ["8192", "8192"]}, scoring)
    assert list(mended) == [*bytes_of, *scoring.added_columns]
    assert mended.get("error", [None, None]) == [None, None]
    assert mended["verdict"] == ["slower", "slower"]

    good = {**bytes_of, "candidate_bytes": [8192, 8192]}
    own = score({**errors, **good}, Scoring(M4))
    for columns in (own, {**good, **errors}, {**score(good, Scoring(M4)), "note": [1, 2], **errors}):
        if again == "stop":
            assert score(columns, scoring)["error"] == errors["error"]
        else:
            with pytest.raises(TableError, match=r"^column 'error' is there already, and not after 'reason'"):
                score(columns, scoring)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"on_error": "kep"}, ValueError, "on_error must be 'stop' or 'keep', got 'kep'"),
        ({"on_error": None}, ValueError, "on_error must be 'stop' or 'keep', got None"),
        ({"on_error": []}, ValueError, "on_error must be 'stop' or 'keep', got []"),
        (
            {"max_threadgroup_bytes": True},
            TypeError,
            "max_threadgroup_bytes must be an integer number of bytes, got bool",
        ),
        (
            {"max_threadgroup_bytes": 1.5},
            TypeError,
            "max_threadgroup_bytes must be an integer number of bytes, got float",
        ),
        ({"max_threadgroup_bytes": -1}, ValueError, "max_threadgroup_bytes must be from 0 to 2^64 - 1 bytes, got -1"),
        ({"max_threadgroup_bytes": 2**70}, ValueError, "max_threadgroup_bytes must be from 0 to 2^64 - 1 bytes, got "),
        ({"chip": AppleGpuFamily.M4}, TypeError, "chip must be a device name, got AppleGpuFamily"),
    ],
)
def test_scorings_that_make_no_sense(given: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as found:
        Scoring(**given)
    assert str(found.value).startswith(message)


@pytest.mark.parametrize("limit", [0, 2**64 - 1, np.int64(4096)])
def test_any_number_of_bytes_is_a_limit(limit: int) -> None:
    (row,) = scored({"baseline_bytes": [1], "candidate_bytes": [8192]}, Scoring(M4, max_threadgroup_bytes=limit))
    assert row["legality"] == ("fits" if limit > 8192 else "over_limit")


@pytest.mark.parametrize("zeros", [0, 1, 19, 20, 21, 41, 5000])
@pytest.mark.parametrize("size", [1, 16, 10**18])
def test_zeros_before_a_size_of_a_tile_say_nothing(size: int, zeros: int) -> None:
    (row,) = scored({"tiles": [f"{'0' * zeros}{size}xi8"], "resident": [f"2x{'0' * zeros}4xi8"], "stages": [1]})
    assert row["footprint"] == size + 8


@given(st.integers(0, 2**80))
def test_sizes_of_any_length_are_scored_whole_or_refused(size: int) -> None:
    (row,) = scored({"tiles": [f"{size}xi8"], "stages": [1]}, Scoring(M4, on_error="keep"))
    assert row["footprint"] == (size if 1 <= size < 2**64 else None)
    assert bool(row["error"]) == (not 1 <= size < 2**64)


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ({}, "column 'baseline_bytes' is missing (columns: none); expected baseline_bytes and candidate_bytes, or of"),
        ({"baseline_bytes": [1]}, "column 'candidate_bytes' is missing"),
        ({"tiles": ["8xf32"]}, "column 'stages' is missing"),
        ({"tiles": ["8xf32"], "baseline_bytes": [1]}, "the table has both footprints and tiles"),
        ({"baseline_bytes": [b"1"], "candidate_bytes": [1]}, "column 'baseline_bytes' holds values of type binary"),
        ({"baseline_bytes": [1], "candidate_bytes": [True]}, "column 'candidate_bytes' holds values of type bool"),
        ({"baseline_bytes": RUNS, "candidate_bytes": [1]}, "column 'baseline_bytes' holds values of type dictionary<"),
        (
            {"baseline_bytes": pa.array([{"a": 1}]), "candidate_bytes": [1]},
            "column 'baseline_bytes' holds values of type struct<a: int64>; expected integers",
        ),
        ({"tiles": [1], "stages": [1]}, "column 'tiles' holds values of type int64; expected tiles like"),
        ({"baseline_bytes": [1], "candidate_bytes": [1], "chip": [M4]}, "leave out --chip='"),
    ],
)
def test_tables_that_cannot_be_scored(columns: dict[str, list[Any]], problem: str) -> None:
    with pytest.raises(TableError) as error:
        scored(columns)
    assert problem in str(error.value)


def test_no_chip() -> None:
    with pytest.raises(TableError, match="column 'chip' is missing"):
        scored({"baseline_bytes": [1], "candidate_bytes": [1]}, Scoring())


@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        ({"baseline_bytes": [-1]}, "column 'baseline_bytes': found -1, expected a number of bytes from 0 to 2^64 - 1"),
        ({"baseline_bytes": ["x"]}, "column 'baseline_bytes': found 'x', expected a number of bytes"),
        ({"baseline_bytes": ["-3"]}, "column 'baseline_bytes': found '-3', expected a number of bytes"),
        ({"baseline_bytes": ["9" * 5000]}, "expected a number of bytes"),
        ({"baseline_bytes": [str(2**64)]}, f"found '{2**64}', expected a number of bytes"),
        ({"baseline_bytes": [None]}, "column 'baseline_bytes': found nothing, expected a number of bytes"),
        ({"tiles": ["8x"]}, "column 'tiles': found '8x', expected tiles like '64x32xf16;32x64xf16'"),
        ({"tiles": ["8x8"]}, "column 'tiles': '8x8' has no element type; expected"),
        ({"tiles": ["0x8xf32"]}, "column 'tiles': a tile of shape 0x8 has no size; dimensions start at 1"),
        ({"tiles": ["8xtf32"]}, "column 'tiles': the size of the element type 'tf32' is not known"),
        ({"tiles": ["8"], "dtype": ["tf32"]}, "column 'dtype': the size of the element type 'tf32' is not known"),
        ({"tiles": [""]}, "column 'tiles': found '', expected tiles like"),
        ({"tiles": ["9999999999999999999999xf32"]}, "column 'tiles': its footprint does not fit in 64 bits"),
        (
            {"tiles": ["x".join(["9"] * 9999) + "xf32"]},
            "column 'tiles': its footprint does not fit in 64 bits (2^31698 or",
        ),
        ({"tiles": ["1" + "0" * 24 + "xi8"]}, "its footprint does not fit in 64 bits (a size of 25"),
        ({"tiles": ["2x" + "9" * 5000 + "xi8"]}, "its footprint does not fit in 64 bits (a size of 5000"),
        (
            {"tiles": ["8xf32"], "resident": ["1" + "0" * 20 + "xi8"]},
            "column 'resident': its footprint does not fit in 64 bits (a size of 21 digits)",
        ),
        ({"tiles": ["0" * 30 + "x8xf32"]}, "column 'tiles': a tile of shape 0x8 has no size; dimensions start at 1"),
        ({"tiles": ["8xf32"], "resident": ["8*8"]}, "column 'resident': found '8*8', expected tiles like"),
        ({"tiles": ["8xf32"], "stages": [0]}, "column 'stages': found 0, expected a number of stages from 1"),
        ({"tiles": ["8xf32"], "stages": [2**31]}, "column 'stages': found 2147483648, expected a number of stages"),
        ({"tiles": ["8xf32"], "slots_offset": [2**40]}, "column 'slots_offset': found 1099511627776, expected"),
        ({"baseline_bytes": [1], "chip": [None]}, "column 'chip': found nothing, expected a device name"),
    ],
)
def test_values_that_cannot_be_scored(cells: dict[str, list[Any]], problem: str) -> None:
    good: dict[str, Any] = (
        {"tiles": "8xf32", "stages": 2}
        if "tiles" in cells
        else {
            "baseline_bytes": 2048,
            "candidate_bytes": 4096,
        }
    )
    good |= {"chip": M4, "dtype": None, "resident": None, "slots_offset": 0}
    good = {name: value for name, value in good.items() if name in cells or value is not None}
    columns = {
        name: [
            type(cells[name][0])(value)
            if name in cells and cells[name][0] is not None and value is not None
            else value,
            *cells.get(name, [value]),
        ]
        for name, value in good.items()
    }
    columns |= {name: [None, *values] for name, values in cells.items() if name not in columns}
    with pytest.raises(RowError) as error:
        scored(columns, Scoring())
    assert str(error.value).startswith("row 2, column ")
    assert problem in str(error.value)
    kept = scored(columns, Scoring(on_error="keep"))
    assert kept[0]["error"] is None
    assert kept[0]["verdict"] is not None
    assert problem in kept[1]["error"]
    assert all(kept[1][name] is None for name in ADDED_COLUMNS)
    assert {name: kept[1][name] for name in columns} == {name: values[1] for name, values in columns.items()}


def test_rows_count_across_chunks() -> None:
    good = pa.table({"baseline_bytes": [1, 1], "candidate_bytes": [1, 1]})
    bad = pa.table({"baseline_bytes": [1, -1], "candidate_bytes": [1, 1]})
    with pytest.raises(RowError, match=r"^row 4, "):
        score_table(pa.concat_tables([good, bad]), Scoring(M4))


def test_frames_keep_index_and_types() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"baseline_bytes": [2048, 2048], "candidate_bytes": [4096, -1]}, index=[7, 3])
    scoring = Scoring(M4, on_error="keep")
    found = score_frame(frame, scoring)
    assert list(found.index) == [7, 3]
    assert list(found["verdict"].astype(object).where(found["verdict"].notna(), None)) == ["slower", None]
    empty = score_frame(frame.iloc[:0], scoring)
    assert empty.dtypes.equals(found.dtypes), "partitions of one frame have one type"
    assert score_frame(frame.iloc[:1], scoring).dtypes.equals(found.dtypes)


def test_footprints_are_read_without_copies() -> None:
    """Throughput rests on it: columns of 64-bit integers are used where they are."""
    batch = pa.record_batch({"baseline_bytes": [1, 2], "candidate_bytes": [3, 4]})
    read = read_footprints(batch, Problems())
    assert np.shares_memory(read.baseline, batch.column(0).to_numpy())


@pytest.mark.parametrize("beside", ["1", "x"])
@pytest.mark.parametrize(
    ("text", "value"),
    [("0x10", 16), ("0X1f", 31), ("+5", 5), ("007", 7), (" 8\t", 8), ("-0", 0), (str(2**64 - 1), 2**64 - 1)]
    + [("0" * zeros + "16", 16) for zeros in (19, 39, 60, 5000)]
    + [
        (text, None)
        for text in ("1e3", "1.0", "1_000", "1 000", "-1", str(2**64), "-0x1", "0x", "\u0663", "9" * 5000, "")
    ],
)
def test_integers_in_text_are_read_alike_among_others(text: str, value: int | None, beside: str) -> None:
    """Whether or not Arrow can read all of the column."""
    table = {"baseline_bytes": ["1", "1"], "candidate_bytes": [text, beside]}
    row = scored(table, Scoring(M4, on_error="keep"))[0]
    assert row["footprint"] == value
    assert bool(row["error"]) == (value is None)


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]
)
@pytest.mark.parametrize("beside", ["0", " 0", None])
@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("0xFFFFFFFFFFFFFFFF", False),
        ("0XffffFFFF80000000", False),
        ("0x80000000", False),
        ("0x7fffffff", True),
        ("-1", True),
        ("-2147483648", True),
        ("-2147483649", False),
    ],
)
def test_offsets_in_text_are_read_alike_among_others(text: str, good: bool, beside: str | None, kind: Any) -> None:
    offsets = pa.array([text, beside]).cast(kind)
    found = scored({"tiles": ["8xf32"] * 2, "stages": [1, 1], "slots_offset": offsets}, Scoring(M4, on_error="keep"))
    assert found[0]["error"] == (
        None if good else f"column 'slots_offset': found {text!r}, expected a number of slots from -2^31 to 2^31 - 1"
    )
    assert found[0]["slots_offset"] == text


@pytest.mark.parametrize("kind", [pa.float16(), pa.float32(), pa.float64()])
def test_integers_as_floats(kind: Any) -> None:
    """What pandas makes of a column where one is missing."""
    cells = pa.array([np.float16(value) for value in (1024, 0, math.nan, 1.5, -1, math.inf)]).cast(kind)
    cells = pa.concat_arrays([cells, pa.nulls(1, kind)])
    for column, beside in (("baseline_bytes", "candidate_bytes"), ("candidate_bytes", "baseline_bytes")):
        found = scored({column: cells, beside: [2048] * len(cells)}, Scoring(M4, on_error="keep"))
        expected = "expected a number of bytes from 0 to 2^64 - 1"
        assert [row["error"] for row in found] == [None, None] + [
            f"column '{column}': found {value}, {expected}" for value in ("nothing", "1.5", "-1.0", "inf", "nothing")
        ]
        footprint = "baseline_footprint" if column == "baseline_bytes" else "footprint"
        assert [row[footprint] for row in found[:2]] == [1024, 0]


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("baseline_bytes", [2.0**53 - 1], [2.0**53, 2.0**60, 1e300]),
        ("stages", [1.0, 2.0**31 - 1], [0.0, 0.5, 2.0**31, math.nan]),
        ("slots_offset", [-(2.0**31), -1.0, 0.0], [-(2.0**31) - 1, -0.5, 2.0**31, math.nan]),
    ],
)
def test_integers_as_floats_have_limits(name: str, good: list[float], bad: list[float]) -> None:
    cells = good + bad
    beside: dict[str, Any] = {"candidate_bytes": 1} if name == "baseline_bytes" else {"tiles": "8xf32", "stages": 1}
    columns = {**{other: [value] * len(cells) for other, value in beside.items()}, name: pa.array(cells)}
    found = scored(columns, Scoring(M4, on_error="keep"))
    assert [row["error"] is None for row in found] == [True] * len(good) + [False] * len(bad)
    for value, row in zip(bad, found[len(good) :], strict=True):
        shown = "nothing" if math.isnan(value) else repr(value)
        assert row["error"].startswith(f"column '{name}': found {shown}, expected a number of ")


def test_frames_with_a_missing_number() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"baseline_bytes": [2048, None], "candidate_bytes": [4096, 4096]})
    found = score_frame(frame, Scoring(M4, on_error="keep"))
    assert list(found["baseline_footprint"].isna()) == [False, True]
    assert "column 'baseline_bytes': found nothing" in found["error"][1]


def test_distinct_bad_tiles_take_time_in_proportion() -> None:
    def seconds(rows: int) -> float:
        columns = {"tiles": [f"{row}x" for row in range(rows)], "stages": [1] * rows}
        start = time.process_time()
        found = scored(columns, Scoring(M4, on_error="keep"))
        assert all(row["error"].startswith(f"column 'tiles': found '{number}x'") for number, row in enumerate(found))
        return time.process_time() - start

    # Where each took a look at all, 16 times the rows took 100 times as long.
    assert seconds(160_000) < 40 * max(seconds(10_000) for _ in range(3))


def test_very_many_columns_take_no_time_of_their_own() -> None:
    start = time.process_time()
    check_columns([*BYTE_COLUMNS, *(f"column {number}" for number in range(100_000))])
    assert time.process_time() - start < 5


ONE_NULL = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array([M4, None]))
"""Null in the dictionary is not null in the column, for Arrow."""


@pytest.mark.parametrize(
    ("name", "values", "problem"),
    [
        ("chip", ONE_NULL, "column 'chip': found nothing, expected a device name"),
        ("chip", pa.array([M4, None], pa.string_view()), "column 'chip': found nothing, expected a device name"),
        (
            "chip",
            pa.DictionaryArray.from_arrays(pa.array([0, None]), pa.array([M4], pa.string_view())),
            "column 'chip'",
        ),
        ("candidate_bytes", pa.array([1, None]).dictionary_encode(), "column 'candidate_bytes': found nothing"),
        ("candidate_bytes", pa.array(["1", "x"]).dictionary_encode(), "column 'candidate_bytes': found 'x'"),
        ("candidate_bytes", pa.array(["1", None], pa.large_string()), "column 'candidate_bytes': found nothing"),
        ("candidate_bytes", pa.array([1, None], pa.uint8()), "column 'candidate_bytes': found nothing"),
    ],
)
def test_columns_of_any_arrow_type_that_holds_such_values(name: str, values: Any, problem: str) -> None:
    columns = {"chip": [M4] * 2, "baseline_bytes": [1, 1], "candidate_bytes": [1, 1], name: values}
    first, second = scored(columns, Scoring(on_error="keep"))
    assert (first["verdict"], first["error"]) == ("too_close_to_call", None)
    assert second["error"].startswith(problem)
