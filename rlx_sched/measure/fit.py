"""Fits a calibration to measured rows, and checks whether it may be published.

The line is `relative = 1 - loss * log2(bytes / baseline_bytes)`, by least squares through the origin on one
configuration. The other configurations are held out: what the line says of them is held against what was measured.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rlx_sched.measure.results import ResultsError
from rlx_sched.tools.visible import visible

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CONTROL_RANGE = (0.98, 1.02)
"""What the control may read: the generated kernel at one stage against the hand-written one. On the M4 it read 0.98 to
1.00, and a generator that costs more hides an effect of that size."""

MAX_HELD_OUT_ERROR = 0.06
"""Largest error on a held-out row that still counts as predicted: the M4's line is within it on its own held-out
rows."""

MIN_ROUNDS = 5
"""Fewer samples of an arm give no interval worth the name."""

MAX_ROUNDS = 10_000
"""More samples of an arm than this, hours of measuring, add nothing, and the time of a fit grows with them."""

CONFIDENCE = 0.95
"""Of every interval."""

_RESAMPLES = 1000
"""Bootstrap resamples; the usual number for an interval of 95 %."""

_RESAMPLED_AT_A_TIME = 2**20
"""Samples that are resampled together: a few times 8 MB, however many there are in all."""

_T_QUANTILES = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
"""Student's t, 97.5 % point, for 1 to 10 degrees of freedom (any table of the distribution)."""


@dataclass(frozen=True)
class Row:
    """Throughput of one arm relative to its one-stage baseline, geometric mean over all shapes."""

    configuration: str
    arm: str
    baseline_bytes: int
    bytes: int
    relative: float
    low: float | None = None
    """Lower end of the 95 % interval; None where only the value is known."""
    high: float | None = None

    @property
    def doublings(self) -> float:
        """How often the footprint doubled from the baseline."""
        return math.log2(self.bytes / self.baseline_bytes)

    @property
    def half_width(self) -> float:
        """Half of the interval: the noise of this row, 0 where none is known."""
        return 0.0 if self.low is None or self.high is None else (self.high - self.low) / 2


@dataclass(frozen=True)
class Line:
    """The loss of throughput per doubling of the footprint."""

    loss: float
    low: float
    """Lower end of the 95 % interval that the residuals give."""
    high: float

    def predict(self, row: Row) -> float:
        """Return the relative throughput that the line gives a row, not below 0."""
        return max(1 - self.loss * row.doublings, 0.0)

    def error(self, row: Row) -> float:
        """Return prediction minus measurement."""
        return self.predict(row) - row.relative


def fit_line(rows: Sequence[Row]) -> Line:
    """Fit the loss per doubling to rows of one configuration.

    The interval comes from the residuals, with Student's t for one degree of freedom fewer than there are rows. Raises
    ValueError for fewer than two rows.
    """
    if len(rows) < 2:
        raise ValueError(f"a fit takes at least 2 rows, got {len(rows)}")
    square = sum(row.doublings**2 for row in rows)
    loss = sum(row.doublings * (1 - row.relative) for row in rows) / square
    freedom = len(rows) - 1
    residual = math.sqrt(sum((1 - loss * row.doublings - row.relative) ** 2 for row in rows) / freedom)
    margin = _T_QUANTILES[min(freedom, len(_T_QUANTILES)) - 1] * residual / math.sqrt(square)
    return Line(loss, loss - margin, loss + margin)


@dataclass(frozen=True)
class Measured:
    """What a results file says of one configuration."""

    name: str
    rounds: int
    """Samples of every arm on every shape."""
    baseline_bytes: int
    control: Row
    """The generated kernel at one stage, relative to the hand-written one."""
    rotate: tuple[Row, ...]
    pad: tuple[Row, ...]
    pipeline: tuple[Row, ...]
    """`rotate` relative to `pad` of the same bytes: what the pipeline gains once the memory is paid for."""


@dataclass(frozen=True)
class Check:
    """One condition on a fit, with the numbers that decided it."""

    name: str
    passed: bool
    detail: str


@dataclass(frozen=True)
class Fit:
    """A line with what it was fitted to, held against, and checked for."""

    configuration: str
    line: Line
    rows: tuple[Row, ...]
    held_out: tuple[Row, ...]
    noise: float
    """The largest thing the experiment takes for a difference where there is none: a control's distance from 1, or
    half of a row's interval."""
    checks: tuple[Check, ...]

    @property
    def slack(self) -> float:
        """Largest distance between line and measurement, over all rows."""
        return max(abs(self.line.error(row)) for row in (*self.rows, *self.held_out))

    @property
    def dead_band(self) -> float:
        """What cannot be told from 1: the larger of noise and slack, for either could turn the sign."""
        return max(self.noise, self.slack)

    @property
    def bytes_range(self) -> tuple[int, int]:
        """Smallest and largest footprint that was measured, baselines included."""
        rows = (*self.rows, *self.held_out)
        return min(row.baseline_bytes for row in rows), max(row.bytes for row in rows)

    @property
    def max_doublings(self) -> float:
        """Largest growth of a footprint that was measured."""
        return max(row.doublings for row in (*self.rows, *self.held_out))

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that forbid to publish the line."""
        return tuple(check for check in self.checks if not check.passed)


def fit_rows(rows: Sequence[Row], held_out: Sequence[Row], controls: Sequence[Row] = ()) -> Fit:
    """Fit a line to `rows`, all of one configuration, and check it against the held-out rows and the controls.

    Raises ValueError for fewer than two rows.
    """
    line = fit_line(rows)
    noise = max(
        (
            *(abs(control.relative - 1) for control in controls),
            *(row.half_width for row in (*rows, *held_out)),
        ),
        default=0.0,
    )
    checks = (*_control_checks(controls), *_held_out_checks(line, held_out))
    return Fit(rows[0].configuration, line, tuple(rows), tuple(held_out), noise, checks)


def _control_checks(controls: Iterable[Row]) -> list[Check]:
    low, high = CONTROL_RANGE
    return [
        Check(
            f"control {control.configuration}",
            low <= control.relative <= high,
            f"the generated kernel runs at {control.relative:.3f} of the hand-written one, {low} to {high} is right",
        )
        for control in controls
    ]


def _held_out_checks(line: Line, held_out: Sequence[Row]) -> list[Check]:
    if not held_out:
        return [Check("held out", False, "there is no second configuration to validate the line on")]
    checks = [
        Check(
            f"held out {row.configuration} {row.arm}",
            abs(line.error(row)) <= MAX_HELD_OUT_ERROR,
            f"predicted {line.predict(row):.3f}, measured {row.relative:.3f}, "
            f"off by {abs(line.error(row)):.3f}, at most {MAX_HELD_OUT_ERROR} is right",
        )
        for row in held_out
    ]
    with_line = math.sqrt(sum(line.error(row) ** 2 for row in held_out) / len(held_out))
    without = math.sqrt(sum((1 - row.relative) ** 2 for row in held_out) / len(held_out))
    checks.append(
        Check(
            "better than no model",
            with_line < without,
            f"root mean square error on the held-out rows {with_line:.4f}, of 'no effect' {without:.4f}",
        )
    )
    return checks


def fit_results(results: dict[str, Any], configuration: str | None = None) -> tuple[Fit, tuple[Measured, ...]]:
    """Fit a results file on `configuration`, or on its first, holding out all others.

    Raises ResultsError where the file has too few rounds or no such configuration.
    """
    measured = measure(results)
    names = [m.name for m in measured]
    chosen = names[0] if configuration is None else configuration
    if chosen not in names:
        raise ResultsError(f"no configuration {chosen!r} in the results; there are: {', '.join(names)}")
    fitted = measured[names.index(chosen)]
    held_out = [row for m in measured if m.name != chosen for row in m.rotate]
    if len(fitted.rotate) < 2:
        raise ResultsError(f"configuration {chosen} has {len(fitted.rotate)} stage counts above one, a fit takes 2")
    fit = fit_rows(fitted.rotate, held_out, [m.control for m in measured])
    return Fit(
        fit.configuration, fit.line, fit.rows, fit.held_out, fit.noise, (*_run_checks(results), *fit.checks)
    ), measured


def _run_checks(results: dict[str, Any]) -> list[Check]:
    device, settings = results["device"], results["settings"]
    checks = [Check("device", device["kind"] != "CPU", visible(f"{device['name']} is a {device['kind']}"))]
    if settings["quick"]:
        checks.append(Check("shapes", False, "a --quick run tries the harness, it does not measure"))
    return checks


def measure(results: dict[str, Any]) -> tuple[Measured, ...]:
    """Return the rows of every configuration that was run.

    Raises ResultsError where an arm has too few samples.
    """
    measured = tuple(_measure(results["settings"]["seed"], c) for c in results["configurations"] if c["arms"])
    if not measured:
        raise ResultsError("the results hold no configuration that was run")
    return measured


def _measure(seed: int, configuration: dict[str, Any]) -> Measured:
    import numpy as np

    name, arms = configuration["name"], configuration["arms"]
    samples = [shape["ticks"] for shape in configuration["shapes"]]
    rounds = min((len(ticks.get(arm, ())) for ticks in samples for arm in arms), default=0)
    if rounds < MIN_ROUNDS:
        raise ResultsError(f"configuration {name} has {rounds} complete rounds, a fit takes at least {MIN_ROUNDS}")
    if rounds > MAX_ROUNDS:
        raise ResultsError(f"configuration {name} has {rounds} complete rounds, a fit takes at most {MAX_ROUNDS}")
    ticks = {arm: np.array([shape_ticks[arm][:rounds] for shape_ticks in samples], dtype=np.float64) for arm in arms}
    stages = [arm.removeprefix("rotate-") for arm in arms if arm.startswith("rotate-")]
    pairs = [("serial", "plain"), *((f"{kind}-{s}", "serial") for kind in ("rotate", "pad") for s in stages)]
    pairs += [(f"rotate-{s}", f"pad-{s}") for s in stages]
    found: dict[tuple[str, str], list[NDArray[np.float64]]] = {pair: [] for pair in pairs}
    for medians in _medians(ticks, seed):
        for arm, against in pairs:
            found[arm, against].append(np.exp(np.log(medians[against] / medians[arm]).mean(axis=1)))

    def row(arm: str, against: str) -> Row:
        relative = np.concatenate(found[arm, against])
        low, high = _interval(relative[1:])
        return Row(name, arm, arms[against]["bytes"], arms[arm]["bytes"], float(relative[0]), low, high)

    return Measured(
        name=name,
        rounds=rounds,
        baseline_bytes=arms["serial"]["bytes"],
        control=row("serial", "plain"),
        rotate=tuple(row(f"rotate-{s}", "serial") for s in stages),
        pad=tuple(row(f"pad-{s}", "serial") for s in stages),
        pipeline=tuple(row(f"rotate-{s}", f"pad-{s}") for s in stages),
    )


def _medians(ticks: "dict[str, NDArray[np.float64]]", seed: int) -> "Iterator[dict[str, NDArray[np.float64]]]":
    """Medians of each arm by resamples (rows) and shapes (columns); the first are those of the samples themselves.

    Arms of one round ran next to each other, so a resample takes whole rounds.
    """
    import numpy as np

    yield {arm: np.median(t, axis=1)[None] for arm, t in ticks.items()}
    generator = np.random.default_rng(seed)
    rounds = ticks["serial"].shape[1]
    at_a_time = max(1, _RESAMPLED_AT_A_TIME // sum(t.size for t in ticks.values()))
    for start in range(0, _RESAMPLES, at_a_time):
        picks = generator.integers(0, rounds, (min(at_a_time, _RESAMPLES - start), rounds))
        # One row behind the other, so that sums over shapes are taken in one order.
        yield {arm: np.ascontiguousarray(np.median(t[:, picks], axis=2).T) for arm, t in ticks.items()}


def _interval(values: "NDArray[np.float64]") -> tuple[float, float]:
    import numpy as np

    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(values, (tail, 1 - tail))
    return float(low), float(high)


def attribution(row: Row) -> str:
    """Say whether a row pays, costs or does neither: its interval is above, below or within what a control may read.

    Two spellings of one kernel may differ by that much, however steady the clock.
    """
    low, high = (row.relative if end is None else end for end in (row.low, row.high))
    return "pays" if low > CONTROL_RANGE[1] else "costs" if high < CONTROL_RANGE[0] else "neutral"


def report(fit: Fit, measured: Sequence[Measured]) -> str:
    """Return the fit, the split of every rotation into occupancy and pipeline, and the checks, as text."""
    low, high = fit.bytes_range
    lines = [
        f"fitted on {fit.configuration}: loss per doubling {fit.line.loss:+.4f} "
        f"(95 % interval {fit.line.low:+.4f} to {fit.line.high:+.4f})",
        f"noise {fit.noise:.4f}, slack {fit.slack:.4f}, dead band {fit.dead_band:.4f}",
        f"measured range: {low} to {high} bytes, {fit.max_doublings:.2f} doublings",
        "",
        "Throughput relative to one stage, geometric mean over shapes, with 95 % intervals.",
        "occupancy: idle bytes alone (pad); pipeline: rotation over idle bytes (rotate / pad).",
    ]
    for m in measured:
        lines += [
            "",
            f"{m.name}: {m.baseline_bytes} bytes at one stage, {m.rounds} rounds, control {m.control.relative:.3f}",
            f"  {'bytes':>6}  {'rotate':<20}  {'occupancy':<28}  pipeline",
        ]
        for rotate, pad, pipeline in zip(m.rotate, m.pad, m.pipeline, strict=True):
            lines.append(
                f"  {rotate.bytes:>6}  {_show(rotate):<20}  {_show(pad) + ' ' + attribution(pad):<28}  "
                f"{_show(pipeline)} {attribution(pipeline)}"
            )
    lines += ["", *(f"{'passed' if c.passed else 'FAILED'}: {c.name}: {c.detail}" for c in fit.checks)]
    return "\n".join(lines) + "\n"


def _show(row: Row) -> str:
    if row.low is None or row.high is None:
        return f"{row.relative:.3f}"
    return f"{row.relative:.3f} ({row.low:.3f}-{row.high:.3f})"
