"""Scoring a table of candidates: a function of any part of it, so that any engine can run it.

`score_table` takes and gives Arrow, `score_frame` pandas: give the latter to `dask.dataframe`'s `map_partitions`, or
the former to Ray's `map_batches(..., batch_format="pyarrow")`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from rlx_sched.batch.columns import (
    Footprints,
    Problems,
    as_arrow,
    as_numpy,
    check_columns,
    no_rows,
    read_footprints,
    strings,
    texts,
)
from rlx_sched.batch.errors import RowError, TableError, require
from rlx_sched.occupancy import (
    KIND_NAMES,
    Calibration,
    Predictions,
    Unknown,
    describe_chip,
    find_calibration,
    predict_many,
)
from rlx_sched.occupancy.limits import threadgroup_limit

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


@dataclass(frozen=True, slots=True)
class Scoring:
    """How to score a table.

    `chip` is the device name for tables without a column `chip`; `calibration` takes the place of the shipped ones, and
    `max_threadgroup_bytes` of what is known of the chip's limit. Columns that scoring adds may be there already only
    with `replace`.
    """

    chip: str | None = None
    calibration: Calibration | None = None
    max_threadgroup_bytes: int | None = None
    on_error: OnError = "stop"
    replace: bool = False

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
        return score_batch(table, scoring, first_row)
    batches: list[Any] = []
    for batch in table.to_batches() or [no_rows(table.schema)]:
        batches.append(score_batch(batch, scoring, first_row))
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
    return pandas.concat([frame.drop(columns=scores.columns, errors="ignore"), scores], axis=1)


class _Scores:
    """The columns of one batch while they are filled; codes index `KIND_NAMES`, `LEGALITY` and `reasons`."""

    def __init__(self, rows: int) -> None:
        np = require("numpy")
        self.predictions = Predictions(np.empty(rows, np.int8), np.empty(rows, np.float64))
        self.low: NDArray[np.float64] = np.empty(rows, np.float64)
        self.high: NDArray[np.float64] = np.empty(rows, np.float64)
        self.extrapolated: NDArray[np.bool_] = np.zeros(rows, np.bool_)
        self.legality: NDArray[np.int8] = np.empty(rows, np.int8)
        self.reason: NDArray[np.int32] = np.empty(rows, np.int32)
        self.reasons: list[str] = []

    def reason_code(self, text: str) -> int:
        """The code of a reason."""
        if text not in self.reasons:
            self.reasons.append(text)
        return self.reasons.index(text)

    def write(self, places: Any, part: _Scores) -> None:
        """Put the scores of some rows in their places; `part` has the same reasons."""
        self.predictions.kind[places] = part.predictions.kind
        self.predictions.ratio[places] = part.predictions.ratio
        for name in ("low", "high", "extrapolated", "legality", "reason"):
            getattr(self, name)[places] = getattr(part, name)


def score_batch(
    batch: Any, scoring: Scoring, first_row: int, known: Mapping[int, tuple[str, str]] | None = None
) -> Any:
    """Score one `pyarrow.RecordBatch` whose columns are known to do.

    `known` are problems that whoever read the batch found in it: by row, the column and what is wrong.

    Raises:
        RowError: as `score_table` does.
        TableError: where a column has a type that cannot be meant.
    """
    pa, np = require("pyarrow"), require("numpy")
    problems = Problems(known)
    footprints = read_footprints(batch, problems)
    rows = batch.num_rows
    scores = _Scores(rows)
    for chip, places in _chips(batch, scoring, problems):
        if places is None:
            _score_chip(chip, scoring, footprints, scores)
            continue
        part = _Scores(places.size)
        part.reasons = scores.reasons
        _score_chip(chip, scoring, Footprints(footprints.baseline[places], footprints.candidate[places]), part)
        scores.write(places, part)
    if problems.by_row and scoring.on_error == "stop":
        row = min(problems.by_row)
        raise RowError(first_row + row + 1, *problems.by_row[row])

    kind, ratio = scores.predictions
    null: Any = None
    no_number = kind == KIND_NAMES.index("unknown")
    if problems.by_row:
        null = np.zeros(rows, np.bool_)
        null[list(problems.by_row)] = True
        no_number |= null
    if not no_number.any():
        no_number = None

    def words(codes: Any, values: Sequence[str]) -> Any:
        # The codes are ours: checking each against the dictionary would take as long as making it.
        return pa.DictionaryArray.from_arrays(as_arrow(codes, null), strings(values), safe=False)

    columns = {
        "verdict": words(kind, KIND_NAMES),
        "ratio": as_arrow(ratio, no_number),
        "ratio_low": as_arrow(scores.low, no_number),
        "ratio_high": as_arrow(scores.high, no_number),
        "extrapolated": as_arrow(scores.extrapolated, no_number),
        "baseline_footprint": as_arrow(footprints.baseline, null),
        "footprint": as_arrow(footprints.candidate, null),
        "legality": words(scores.legality, LEGALITY),
        "reason": words(scores.reason, scores.reasons),
    }
    if scoring.on_error == "keep":
        errors: list[str | None] = [None] * rows
        for row, (column, problem) in problems.by_row.items():
            errors[row] = f"column '{column}': {problem}"
        columns["error"] = pa.array(errors, pa.string())
    kept = {name: batch.column(name) for name in batch.schema.names if name not in columns}
    columns = {**kept, **columns}
    return pa.RecordBatch.from_arrays(list(columns.values()), names=list(columns))


def _chips(batch: Any, scoring: Scoring, problems: Problems) -> list[tuple[str, Any]]:
    """The chips of a batch, each with the rows that it has; None where it has all of them."""
    np = require("numpy")
    if scoring.chip is not None:
        return [(scoring.chip, None)]
    column = texts(batch, "chip", "device names")
    names = column.dictionary.to_pylist()
    codes = column.indices
    if codes.null_count:
        for row in np.flatnonzero(codes.is_null().to_numpy(zero_copy_only=False)).tolist():
            problems.add(row, "chip", "found nothing, expected a device name")
        codes = codes.fill_null(len(names))
        names.append("")
    codes = as_numpy(codes)
    if len(names) == 1:
        return [(names[0], None)]
    order = np.argsort(codes, kind="stable")
    ends = np.searchsorted(codes[order], np.arange(len(names) + 1))
    parts = [(name, order[ends[code] : ends[code + 1]]) for code, name in enumerate(names)]
    return [(name, places) for name, places in parts if places.size]


def _score_chip(chip: str, scoring: Scoring, footprints: Footprints, scores: _Scores) -> None:
    """Score rows that are all of one chip."""
    np = require("numpy")
    baseline, candidate = footprints
    _, ratio = predict_many(chip, baseline, candidate, calibration=scoring.calibration, out=scores.predictions)
    found = find_calibration(chip, scoring.calibration)
    slack = 0.0 if isinstance(found, Unknown) else found.slack
    np.maximum(np.subtract(ratio, slack, out=scores.low), 0.0, out=scores.low)
    np.add(ratio, slack, out=scores.high)
    if isinstance(found, Unknown):
        scores.reason.fill(scores.reason_code(found.reason))
    else:
        _extrapolated(found, baseline, candidate, scores.extrapolated)
        scores.reason.fill(scores.reason_code(f"by calibration {found.name}"))
        for which, count in (("candidate", candidate), ("baseline", baseline)):
            if not count.all():
                scores.reason[count == 0] = scores.reason_code(f"the {which} footprint is zero bytes")
    limit = threadgroup_limit(chip) if scoring.max_threadgroup_bytes is None else scoring.max_threadgroup_bytes
    if limit is None:
        scores.legality.fill(LEGALITY.index("unknown"))
        return
    np.greater(candidate, limit, out=scores.legality.view(np.bool_))
    over = np.flatnonzero(scores.legality)
    if over.size:
        text = f"over the limit of {limit} bytes of threadgroup memory of {describe_chip(chip)}"
        scores.reason[over] = scores.reason_code(text)


def _extrapolated(calibration: Calibration, baseline: Any, candidate: Any, out: NDArray[np.bool_]) -> None:
    """Write into `out` what `is_extrapolated` says of every pair."""
    np = require("numpy")
    limit = _largest_growth(calibration.max_doublings)
    with np.errstate(divide="ignore", invalid="ignore"):  # a zero footprint, which has no prediction
        np.greater(np.true_divide(candidate, baseline), limit, out=out)
        shrunk = np.flatnonzero(candidate < baseline)
        out[shrunk] = np.true_divide(baseline[shrunk], candidate[shrunk]) > limit
    smallest, largest = np.uint64(calibration.min_bytes), np.uint64(calibration.max_bytes)
    for count in (baseline, candidate):
        if count.size and (count.min() < smallest or count.max() > largest):
            # One comparison for both ends: what is below the smallest wraps around to a large number.
            out |= (count - smallest) > (largest - smallest)
    out &= candidate != baseline


def _largest_growth(doublings: float) -> float:
    """The largest double whose log2 is not above `doublings`: a comparison with it needs no logarithm."""
    growth = 2.0**doublings
    while math.log2(math.nextafter(growth, math.inf)) <= doublings:
        growth = math.nextafter(growth, math.inf)
    while math.log2(growth) > doublings:
        growth = math.nextafter(growth, 0.0)
    return growth
