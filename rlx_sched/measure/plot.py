"""The picture of a calibration run: what was measured, what the line says of it, and what decides."""

import io
import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rlx_sched.measure.device import MeasureError, require
from rlx_sched.measure.fit import MAX_HELD_OUT_ERROR, Fit, Measured, Row
from rlx_sched.tools.files import write_bytes
from rlx_sched.tools.visible import visible_line

_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Told apart by color-blind readers too (Okabe and Ito, Color Universal Design)."""

_MARKERS = "osD^vPX"

MAX_CONFIGURATIONS = len(_COLORS) * len(_MARKERS)
"""So many can be told apart in one picture."""

_APART = 0.03
"""Distance between configurations at one stage count, in doublings; only for the eye."""


def plot(path: Path, device: str, fit: Fit, measured: Sequence[Measured]) -> None:
    """Draw `fit` and what it was made from to `path`, as SVG or PNG by its suffix; whole or not at all.

    Left: rotations against the growth of the footprint, filled where the line was fitted, hollow where held out, with
    the line, its interval, the distance that a held-out row may have from it, and the dead band; configurations stand
    a little apart so that none covers another. Right: rotation against idle bytes of the same footprint. The settings
    of matplotlib that the user has make no difference.

    Raises MeasureError without matplotlib, for another suffix, and for more than MAX_CONFIGURATIONS.
    """
    kind = path.suffix.lower().removeprefix(".")
    if kind not in ("svg", "png"):
        raise MeasureError(f"{path}: the picture is svg or png, by the ending of the file")
    if len(measured) > MAX_CONFIGURATIONS:
        raise MeasureError(
            f"the results have {len(measured)} configurations; a picture tells at most {MAX_CONFIGURATIONS} apart"
        )
    matplotlib = _matplotlib()
    picture = io.BytesIO()
    # A letter that the font lacks is drawn as a box, of which matplotlib warns.
    with matplotlib.rc_context(), warnings.catch_warnings(action="ignore"):
        matplotlib.rcdefaults()
        # Without a date and with names that are not drawn by lot, equal results give equal files. A `$` is only that.
        matplotlib.rcParams.update({"svg.hashsalt": "rlx-sched", "text.parse_math": False})
        figure = draw(device, fit, measured)
        figure.savefig(picture, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)
    write_bytes(str(path), picture.getvalue())


def _matplotlib() -> Any:
    """Import matplotlib, whatever the backend that is to show pictures: here none is shown."""
    backend = os.environ.pop("MPLBACKEND", None)
    try:
        return require("matplotlib")
    except MeasureError:
        raise
    except Exception as error:  # A settings file that it cannot read.
        raise MeasureError(f"matplotlib cannot be started: {error}") from error
    finally:
        if backend is not None:
            os.environ["MPLBACKEND"] = backend


def draw(device: str, fit: Fit, measured: Sequence[Measured]) -> Any:
    """Return the picture of `plot` as a figure of matplotlib's."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure: Any = Figure(figsize=(11, 6), layout="constrained")
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2, sharey=True)
    _draw_line(left, fit)
    for number, m in enumerate(measured):
        color = _COLORS[number % len(_COLORS)]
        marker = _MARKERS[(number + number // len(_COLORS)) % len(_MARKERS)]
        fitted = m.name == fit.configuration
        role = "fitted" if fitted else "held out"
        face = color if fitted else "white"
        style = {"color": color, "marker": marker, "markersize": 6, "capsize": 2}
        left.errorbar(
            [row.doublings + _APART * (number - (len(measured) - 1) / 2) for row in m.rotate],
            [row.relative for row in m.rotate],
            yerr=_errors(m.rotate),
            linestyle="none",
            markerfacecolor=face,
            label=f"{m.name} ({role})",
            **style,
        )
        for rows, line, fill in ((m.rotate, "-", color), (m.pad, ":", "white")):
            right.errorbar(
                [row.bytes for row in rows],
                [row.relative for row in rows],
                yerr=_errors(rows),
                linestyle=line,
                markerfacecolor=fill,
                **style,
            )
    growths = sorted({0.0, *(row.doublings for m in measured for row in m.rotate)})
    left.set_xticks(growths, [f"{2**growth:.3g}x" for growth in growths])
    left.set(xlabel="threadgroup memory relative to one stage", ylabel="throughput relative to one stage")
    left.set_title("rotation: fit and held-out rows", fontsize="medium")
    right.plot([], [], color="0.3", linestyle="-", marker="o", label="rotate: the bytes at work")
    right.plot([], [], color="0.3", linestyle=":", marker="o", markerfacecolor="white", label="pad: the bytes idle")
    right.axhline(1, color="0.5", linewidth=0.8)
    right.set_xscale("log", base=2)
    right.xaxis.set_major_formatter("{x:.0f}")
    right.set(xlabel="threadgroup memory, bytes")
    right.set_title("rotation against idle bytes", fontsize="medium")
    figure.legend(
        loc="outside lower center",
        ncols=4,
        fontsize="small",
        title="points with 95 % intervals",
        title_fontsize="small",
    )
    left.set_ylim(*_limits(fit, measured))
    outcome = (
        "passes its checks" if not fit.failed else f"refused, {len(fit.failed)} of {len(fit.checks)} checks failed"
    )
    loss = f"loss per doubling {fit.line.loss:+.3f} ({fit.line.low:+.3f} to {fit.line.high:+.3f})"
    figure.suptitle(f"{visible_line(device)}: {loss}; {outcome}")
    return figure


def _draw_line(axes: Any, fit: Fit) -> None:
    end = fit.max_doublings * 1.05
    axes.axhspan(
        1 - fit.dead_band,
        1 + fit.dead_band,
        color="#f0e442",
        alpha=0.3,
        linewidth=0,
        zorder=0,
        label=f"dead band, 1 ± {fit.dead_band:.3f}",
    )
    axes.axhline(1, color="0.5", linewidth=0.8)
    axes.plot(
        [0, end], [1, 1 - fit.line.loss * end], color="black", label=f"fit, loss {fit.line.loss:+.3f} per doubling"
    )
    for side in (-1, 1):
        axes.plot(
            [0, end],
            [1 + side * MAX_HELD_OUT_ERROR, 1 + side * MAX_HELD_OUT_ERROR - fit.line.loss * end],
            color="black",
            linestyle="--",
            linewidth=0.8,
            label=f"held-out rows may be off by {MAX_HELD_OUT_ERROR}" if side > 0 else None,
        )
    axes.fill_between(
        [0, end],
        [1, 1 - fit.line.high * end],
        [1, 1 - fit.line.low * end],
        color="black",
        alpha=0.12,
        linewidth=0,
        label="95 % interval of the fit",
    )


def _errors(rows: Sequence[Row]) -> list[list[float]]:
    """Distances from each value to the ends of its interval, as matplotlib takes them."""
    return [
        [max(0.0, row.relative - row.low) if row.low is not None else 0.0 for row in rows],
        [max(0.0, row.high - row.relative) if row.high is not None else 0.0 for row in rows],
    ]


def _limits(fit: Fit, measured: Sequence[Measured]) -> tuple[float, float]:
    """Room for every row and the dead band; the interval of a bad fit may run out of the picture."""
    rows = [row for m in measured for row in (*m.rotate, *m.pad)]
    low = min(row.relative - row.half_width for row in rows)
    high = max(row.relative + row.half_width for row in rows)
    margin = 0.02
    return min(low, 1 - fit.dead_band) - margin, max(high, 1 + fit.dead_band) + margin
