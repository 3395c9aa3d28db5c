"""Scoring a table of candidates: a function of any part of it, so that any engine can run it.

`score_table` takes and gives Arrow, `score_frame` pandas: give the latter to `dask.dataframe`'s `map_partitions`, or
the former to Ray's `map_batches(..., batch_format="pyarrow")`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

from rlx_sched.batch.columns import (
    BYTE_COLUMNS,
    Footprints,
    Problems,
    as_arrow,
    as_numpy,
    check_columns,
    no_rows,
    read_footprints,
    strings,
    texts,
    validity,
)
from rlx_sched.batch.errors import Problem, RowError, TableError, in_column, require
from rlx_sched.batch.pieces import Scored
from rlx_sched.occupancy import (
    KIND_NAMES,
    Assessments,
    Calibration,
    Unknown,
    assess_many,
    describe_chip,
    find_calibration,
)
from rlx_sched.occupancy.limits import threadgroup_limit
from rlx_sched.occupancy.model import byte_count

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

OnError: TypeAlias = Literal["stop", "keep"]
"""What a value that cannot be scored does: end the run, or leave its row unscored with the problem in `error`."""

ADDED_COLUMNS = (
    "verdict",
    "ratio",
    "ratio_low",
    "ratio_high",
    "extrapolated",
    "baseline_footprint",
    "footprint",
    "legality",
    "reason",
)
"""What scoring adds to a table; `error` comes after them where rows with errors are kept."""

LEGALITY = ("fits", "over_limit", "unknown")
"""Whether the footprint fits the chip's threadgroup memory; `unknown` where no limit is known."""


_ZERO = ("the candidate footprint is zero bytes", "the baseline footprint is zero bytes")
_UNKNOWN = KIND_NAMES.index("unknown")
_NO_LIMIT = 2**64 - 1

_REPETITION = 4
"""How many rows there are for each distinct one, at least, where to score those alone is faster."""

_SAMPLE_ROWS = 2**14
"""Rows that tell whether it is worth looking at all of them."""

_KEY_BITS = 63
"""Bits of what tells rows apart."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """How to score a table.

    `chip` is the device name for tables without a column `chip`; `calibration` takes the place of the shipped ones, and
    `max_threadgroup_bytes` of what is known of the chip's limit. Columns that scoring adds may be there already only
    with `replace`.

    Raises:
        TypeError: if `chip` is not a string, or `max_threadgroup_bytes` not an integer.
        ValueError: if `max_threadgroup_bytes` is negative or above 2^64 - 1, or `on_error` is not one of its words.
    """

    chip: str | None = None
    calibration: Calibration | None = None
    max_threadgroup_bytes: int | None = None
    on_error: OnError = "stop"
    replace: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.chip, str | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"chip must be a device name, got {type(self.chip).__name__}")
        if self.max_threadgroup_bytes is not None:
            byte_count("max_threadgroup_bytes", self.max_threadgroup_bytes)
        if self.on_error not in get_args(OnError):
            raise ValueError(f"on_error must be 'stop' or 'keep', got {self.on_error!r}")

    @property
    def added_columns(self) -> tuple[str, ...]:
        """The columns that come out of it, in order."""
        return (*ADDED_COLUMNS, "error") if self.on_error == "keep" else ADDED_COLUMNS

    def check(self, names: Sequence[str]) -> None:
        """Check that a table with columns `names` can be scored.

        Raises:
            TableError: saying which column is missing or in the way.
        """
        check_columns(names)
        if self.chip is None and "chip" not in names:
            raise TableError("column 'chip' is missing; add one with device names, or use --chip NAME for all rows")
        if self.chip is not None and "chip" in names:
            raise TableError(f"the table has a column 'chip'; leave out --chip={self.chip!r}, or the column")
        taken = [name for name in self.added_columns if name in names]
        if taken and not self.replace:
            raise TableError(f"column '{taken[0]}' is there already; rename it, or use --replace")
        if "error" in taken and not _has_errors_of_scoring(names):
            raise TableError("column 'error' is there already, and not after 'reason' as scoring has it; rename it")

    def replaced(self, names: Sequence[str]) -> frozenset[str]:
        """Which of the columns `names` of a table go: those that are added anew, and `error` of an earlier scoring."""
        added = {*self.added_columns, "error"} if _has_errors_of_scoring(names) else self.added_columns
        return frozenset(added).intersection(names)


def _has_errors_of_scoring(names: Sequence[str]) -> bool:
    """Whether the column `error` among `names` is what an earlier scoring added."""
    ours = (*ADDED_COLUMNS[-1:], "error")
    return set(ADDED_COLUMNS) <= set(names) and ours in pairwise(names)


def score_table(table: Any, scoring: Scoring, *, first_row: int = 0) -> Any:
    """Score a `pyarrow.Table` or `RecordBatch`; what comes back is of the same kind, with columns added.

    Rows that errors name count from `first_row` + 1.

    Raises:
        TableError: where the columns do not say what to score, or pyarrow or numpy is missing.
        RowError: at the first value that makes no sense, unless `scoring` keeps such rows.
    """
    pa = require("pyarrow")
    scoring.check(table.schema.names)
    if isinstance(table, pa.RecordBatch):
        return score_batch(table, scoring, first_row).rows()
    batches: list[Any] = []
    for batch in table.to_batches() or [no_rows(table.schema)]:
        batches.append(score_batch(batch, scoring, first_row).rows())
        first_row += batch.num_rows
    return pa.Table.from_batches(batches)


def score_frame(frame: pd.DataFrame, scoring: Scoring) -> pd.DataFrame:
    """Score a pandas frame: `frame` with its index, and columns added.

    A partition of a `dask.dataframe` is one: `frames.map_partitions(score_frame, scoring, meta=score_frame(
    frames._meta, scoring))`.

    Raises:
        TableError: as `score_table` does.
    """
    pa, pandas = require("pyarrow"), require("pandas")
    table = score_table(pa.Table.from_pandas(frame, preserve_index=False), scoring)
    # Types that hold nulls, so that partitions with and without them are of one type.
    nullable = {pa.bool_(): pandas.BooleanDtype(), pa.uint64(): pandas.UInt64Dtype(), pa.string(): pandas.StringDtype()}
    added = table.select(list(scoring.added_columns))
    reason = added.schema.get_field_index("reason")
    added = added.set_column(reason, "reason", added.column("reason").cast(pa.string()))
    scores = added.to_pandas(types_mapper=nullable.get).set_index(frame.index)
    replaced = scoring.replaced([*map(str, frame.columns)])
    return pandas.concat([frame.drop(columns=[*replaced]), scores], axis=1)


class _Chips(NamedTuple):
    """The chips of a batch."""

    names: list[str]
    codes: NDArray[np.intp] | None
    """Which of `names` each row is of; None where all are of the first."""

    def by_row(self, values: Sequence[Any], dtype: Any) -> Any:
        """What `values` holds for the chip of each row; one number where all rows are of one chip."""
        table = require("numpy").array(values, dtype)
        return table[0] if self.codes is None else table.take(self.codes)


def score_batch(
    batch: Any,
    scoring: Scoring,
    first_row: int,
    known: Mapping[int, Problem] | None = None,
    *,
    once: bool = False,
) -> Scored:
    """Score one `pyarrow.RecordBatch` whose columns are known to do.

    `known` are problems that whoever read the batch found in it: by row, the column and what is wrong. With `once`,
    rows that repeat are scored once, which pays where they are not all needed in full afterwards.

    Raises:
        RowError: as `score_table` does.
        TableError: where a column has a type that cannot be meant.
    """
    problems = Problems(known)
    footprints = read_footprints(batch, problems)
    chips = _chips(batch, scoring, problems)
    if problems.by_row and scoring.on_error == "stop":
        row = min(problems.by_row)
        raise RowError(first_row + row + 1, *problems.by_row[row])
    repeats = _find_repeats(footprints, chips) if once and not problems.by_row else None
    if repeats is None:
        which, inputs, results = None, {}, _score(footprints, chips, scoring, problems)
    else:
        which, footprints, chips = repeats
        results = _score(footprints, chips, scoring, problems)
        inputs = _inputs(batch, footprints, chips)
    replaced = scoring.replaced(batch.schema.names)
    kept = batch.select([name for name in batch.schema.names if name not in replaced])
    return Scored(kept, results, which, inputs)


def _score(footprints: Footprints, chips: _Chips, scoring: Scoring, problems: Problems) -> Any:
    """The columns that scoring adds, for the rows that are given."""
    pa, np = require("pyarrow"), require("numpy")
    rows = len(footprints.baseline)
    found = [find_calibration(name, scoring.calibration) for name in chips.names]
    kind, ratio, low, high, extrapolated = _assess(chips, found, scoring, footprints)
    legality, reason, reasons = _explain(chips, found, scoring, footprints)

    null: Any = None
    no_number = kind == _UNKNOWN
    if problems.by_row:
        null = np.zeros(rows, np.bool_)
        null[list(problems.by_row)] = True
        no_number |= null
    null, no_number = validity(null), validity(no_number)

    def words(codes: Any, values: Sequence[str]) -> Any:
        # The codes are ours: checking each against the dictionary would take as long as making it.
        return pa.DictionaryArray.from_arrays(as_arrow(codes, null), strings(values), safe=False)

    columns = {
        "verdict": words(kind, KIND_NAMES),
        "ratio": as_arrow(ratio, no_number),
        "ratio_low": as_arrow(low, no_number),
        "ratio_high": as_arrow(high, no_number),
        "extrapolated": as_arrow(extrapolated, no_number),
        "baseline_footprint": as_arrow(footprints.baseline, null),
        "footprint": as_arrow(footprints.candidate, null),
        "legality": words(legality, LEGALITY),
        "reason": words(reason, reasons),
    }
    if scoring.on_error == "keep":
        errors: list[str | None] = [None] * rows
        for row, (column, problem) in problems.by_row.items():
            errors[row] = in_column(column, problem)
        columns["error"] = strings(errors) if problems.by_row else pa.nulls(rows, pa.string())
    return pa.RecordBatch.from_arrays([*columns.values()], [*columns])


def _find_repeats(footprints: Footprints, chips: _Chips) -> tuple[NDArray[np.intp], Footprints, _Chips] | None:
    """Which of some rows each row is equal to, and the footprints and chips of these; None where few are equal.

    In a search space the same footprints come again and again, and most of the work is the same for equal rows.
    """
    np = require("numpy")
    baseline, candidate = footprints
    if not baseline.size:
        return None
    # All that decides the result of a row as one integer, where it fits.
    candidate_bits = int(candidate.max()).bit_length()
    chip_bits = 0 if chips.codes is None else len(chips.names).bit_length()
    if int(baseline.max()).bit_length() + candidate_bits + chip_bits > _KEY_BITS:
        return None
    for rows in (min(_SAMPLE_ROWS, baseline.size), baseline.size):
        keys = baseline[:rows] << np.uint64(candidate_bits) | candidate[:rows]
        if chips.codes is not None:
            keys = keys << np.uint64(chip_bits) | chips.codes[:rows].astype(np.uint64)
        encoded = as_arrow(keys).dictionary_encode()
        if _REPETITION * len(encoded.dictionary) > rows:
            return None
    keys = as_numpy(encoded.dictionary)
    pairs = keys >> np.uint64(chip_bits)
    codes = None if chips.codes is None else (keys & np.uint64(2**chip_bits - 1)).astype(np.intp)
    distinct = Footprints(pairs >> np.uint64(candidate_bits), pairs & np.uint64(2**candidate_bits - 1))
    return as_numpy(encoded.indices).astype(np.intp), distinct, _Chips(chips.names, codes)


def _inputs(batch: Any, footprints: Footprints, chips: _Chips) -> dict[str, Any]:
    """Columns of `batch`, which has no problems, in terms of its distinct rows."""
    pa, np = require("pyarrow"), require("numpy")
    inputs = {
        name: as_arrow(values.astype(str(batch.schema.field(name).type)))
        for name, values in zip(BYTE_COLUMNS, footprints, strict=True)
        if name in batch.schema.names and pa.types.is_integer(batch.schema.field(name).type)
    }
    if "chip" in batch.schema.names:
        codes = np.zeros(len(footprints.baseline), np.int32) if chips.codes is None else chips.codes.astype(np.int32)
        inputs["chip"] = pa.DictionaryArray.from_arrays(as_arrow(codes), strings(chips.names))
    return inputs


def nothing_scored(schema: Any, scoring: Scoring, chips: Sequence[str]) -> Any:
    """What scoring makes of no rows of a table with `chips` among its chips: `reason` knows what it says of them.

    Raises:
        TableError: where a column has a type that cannot be meant.
    """
    pa = require("pyarrow")
    empty = score_batch(no_rows(schema), scoring, 0).rows()
    if scoring.chip is None:
        found = [find_calibration(name, scoring.calibration) for name in chips]
        reasons = strings(_distinct(*_reasons(chips, found, _limits(chips, scoring))))
        place = empty.schema.get_field_index("reason")
        words = pa.DictionaryArray.from_arrays(empty.column(place).indices, reasons)
        empty = empty.set_column(place, empty.schema.field(place), words)
    return empty


def _chips(batch: Any, scoring: Scoring, problems: Problems) -> _Chips:
    np = require("numpy")
    if scoring.chip is not None:
        return _Chips([scoring.chip], None)
    column = batch.column("chip")
    if len(column) and not column.null_count and column.slice(1).equals(column.slice(0, len(column) - 1)):
        # Tables name a chip for many rows on end, and to compare each with the next is far faster than to look it up.
        name = texts(batch.slice(0, 1), "chip", "device names")[0].as_py()
        if name is not None:
            return _Chips([name], None)
    column = texts(batch, "chip", "device names")
    names = column.dictionary.to_pylist()
    codes = column.indices
    if codes.null_count:
        for row in np.flatnonzero(as_numpy(codes.is_null())).tolist():
            problems.add(row, "chip", "found nothing, expected a device name")
        names.append("")
    codes = as_numpy(codes, len(names) - 1).astype(np.intp)
    used = np.flatnonzero(np.bincount(codes))
    if used.size == 1:
        return _Chips([names[used[0]]], None)
    return _Chips(names, codes)


def _assess(
    chips: _Chips, found: Sequence[Calibration | Unknown], scoring: Scoring, footprints: Footprints
) -> Assessments:
    """What the model says of all rows; `found` is the calibration of each chip."""
    np = require("numpy")
    distinct = {id(one): (code, one) for code, one in enumerate(found) if not isinstance(one, Unknown)}
    calibrated = list(distinct.values())
    # All rows by the first calibration: mostly it is the only one, and to pick its rows takes as long as to assess.
    # There is none for a chip without a name.
    first = chips.names[calibrated[0][0]] if calibrated else ""
    out = assess_many(first, *footprints, calibration=scoring.calibration)
    for code, calibration in calibrated[1:]:
        places = np.flatnonzero(chips.by_row([one is calibration for one in found], np.bool_))
        picked = Footprints(footprints.baseline[places], footprints.candidate[places])
        for all_rows, some in zip(
            out, assess_many(chips.names[code], *picked, calibration=scoring.calibration), strict=True
        ):
            all_rows[places] = some
    # Unknown is the largest code.
    unknown = chips.by_row([_UNKNOWN if isinstance(one, Unknown) else 0 for one in found], np.int8)
    np.maximum(out.kind, unknown, out=out.kind)
    return out


def _explain(
    chips: _Chips, found: Sequence[Calibration | Unknown], scoring: Scoring, footprints: Footprints
) -> tuple[NDArray[np.int8], NDArray[np.int32], list[str]]:
    """The legality of all rows, and the reason of each as an index into the list of reasons."""
    np = require("numpy")
    limits = _limits(chips.names, scoring)
    over = footprints.candidate > chips.by_row([_NO_LIMIT if limit is None else limit for limit in limits], np.uint64)
    unknown = chips.by_row([LEGALITY.index("unknown") if limit is None else 0 for limit in limits], np.int8)
    legality = np.maximum(over.view(np.int8), unknown)

    within, beyond = _reasons(chips.names, found, limits)
    reasons = _distinct(within, beyond)
    codes = {reason: code for code, reason in enumerate(reasons)}
    which = over * np.intp(len(found))
    if chips.codes is not None:
        which += chips.codes
    reason = np.array([codes[one] for one in (*within, *beyond)], np.int32).take(which)
    # The baseline last, which says it where both are zero, as in `predict`.
    for why, count in zip(_ZERO, (footprints.candidate, footprints.baseline), strict=True):
        if count.size and count.min() == 0:
            calibrated = chips.by_row([not isinstance(one, Unknown) for one in found], np.bool_)
            reason[(count == 0) & calibrated & ~over] = codes[why]
    return legality, reason, reasons


def _limits(names: Sequence[str], scoring: Scoring) -> list[int | None]:
    given = scoring.max_threadgroup_bytes
    return [threadgroup_limit(name) if given is None else given for name in names]


def _reasons(
    names: Sequence[str], found: Sequence[Calibration | Unknown], limits: Sequence[int | None]
) -> tuple[list[str], list[str]]:
    """The reasons that rows of each chip have, within the limit and beyond."""
    within = [one.reason if isinstance(one, Unknown) else f"by calibration {one.name}" for one in found]
    beyond = [
        fits if limit is None else f"over the limit of {limit} bytes of threadgroup memory of {describe_chip(name)}"
        for fits, name, limit in zip(within, names, limits, strict=True)
    ]
    return within, beyond


def _distinct(*reasons: Sequence[str]) -> list[str]:
    """The values of a dictionary of reasons: sorted, so that the order of the chips makes no other one."""
    return sorted({*_ZERO, *(reason for some in reasons for reason in some)})
