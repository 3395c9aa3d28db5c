"""The model's curve as a Plotly figure: what was measured, what is claimed, and where the kernels are on it.

Figures are plain data in Plotly's JSON schema; building them does not need the library.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from rlx_sched.assessment import Assessment
from rlx_sched.dialect.attributes import Bytes
from rlx_sched.occupancy import Calibration, Measurement
from rlx_sched.occupancy.model import relative_throughput
from rlx_sched.report.collect import Action, KernelReport
from rlx_sched.report.shorten import shortened
from rlx_sched.tools.visible import visible

SHOWN_NAMES = 8
"""The most kernels that one point names on hover; the table lists the others on a click."""

SHOWN_CHARACTERS = 36
"""The most characters of a name that a point shows: more would not fit on the screen of a phone."""

STEPS_PER_DOUBLING = 100
"""Kernels that grow by the same part of a doubling share a point: closer ones cannot be told apart on a screen."""

_LEAST_DOUBLINGS = 2.0
"""The axis always reaches this far to the right, to show the measured range and something beyond it."""

COLORS = {"faster": "#1f77d0", "slower": "#d55e00", "too_close_to_call": "#7a7f87"}
"""After Okabe and Ito, told apart by the color-blind; at least 3:1 on the light and the dark background."""

SYMBOLS = {"faster": "triangle-up", "slower": "triangle-down", "too_close_to_call": "circle"}

_EVIDENCE_COLOR = "#0b9a75"
_MODEL_COLOR = "#7a7f87"


def figure(calibration: Calibration, kernels: Sequence[KernelReport]) -> dict[str, Any]:
    """The curve of `calibration` with those of `kernels` on it that it judges.

    The abscissa is the footprint relative to one stage, the ordinate the throughput relative to one stage. The custom
    data of a kernel's point are the positions of its kernels in `kernels`.
    """
    points = _points(calibration, kernels)
    doublings = [math.log2(point.growth) for point in points] + [0.0, _LEAST_DOUBLINGS, calibration.max_doublings]
    low, high = min(doublings) - 0.08, max(doublings) + 0.12
    return {
        "data": [
            *_curve(calibration, low, high),
            *(_evidence(calibration, role) for role in ("fit", "held_out")),
            *_kernels(points, kernels),
        ],
        "layout": _layout(calibration, low, high),
    }


def on_curve(kernel: KernelReport, calibration: Calibration) -> bool:
    """Whether `calibration` gives `kernel`, as it was written, a place on its curve."""
    return kernel.before.prediction.ratio is not None and kernel.before.prediction.calibration is calibration


class _Point(NamedTuple):
    """A place on the curve that kernels share; `members` are their positions."""

    growth: float
    ratio: float
    kind: str
    members: list[int]


def _points(calibration: Calibration, kernels: Sequence[KernelReport]) -> list[_Point]:
    """The places on the curve that have kernels."""
    found: dict[tuple[int, str], list[int]] = {}
    for index, kernel in enumerate(kernels):
        if on_curve(kernel, calibration):
            found.setdefault((_step(kernel.before), kernel.before.verdict.kind), []).append(index)
    points: list[_Point] = []
    for (_, kind), members in found.items():
        first = kernels[members[0]].before
        points.append(_Point(_growth(first), first.prediction.ratio or 0.0, kind, members))
    return points


def _step(found: Assessment) -> int:
    """The growth of the footprint, as finely as it is told apart."""
    return round(math.log2(_growth(found)) * STEPS_PER_DOUBLING)


def _growth(found: Assessment) -> float:
    """The footprint as scheduled relative to one stage."""
    return found.prediction.candidate_bytes / found.prediction.baseline_bytes


def _curve(calibration: Calibration, low: float, high: float) -> list[dict[str, Any]]:
    """The model with its slack either way."""
    steps = 60
    doublings = [low + (high - low) * step / steps for step in range(steps + 1)]
    growths = [2**step for step in doublings]
    ratios = [relative_throughput(growth, calibration.loss_per_doubling) for growth in growths]
    above = [ratio + calibration.slack for ratio in ratios]
    below = [max(ratio - calibration.slack, 0.0) for ratio in ratios]
    slack = f"model ± {calibration.slack:g}"
    line = {"color": _MODEL_COLOR, "width": 2}
    hover = "model: %{y:.3f} at %{x:.3g} times the bytes<extra></extra>"
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "name": slack,
            "x": [*growths, *reversed(growths)],
            "y": [*above, *reversed(below)],
            "fill": "toself",
            "fillcolor": "rgba(122,127,135,0.18)",
            "line": {"width": 0},
            "hoverinfo": "skip",
        },
        {"type": "scatter", "mode": "lines", "name": "model", "x": growths, "y": ratios, "line": line}
        | {"hovertemplate": hover},
    ]


def _evidence(calibration: Calibration, role: str) -> dict[str, Any]:
    """The measured points of one role."""
    rows = [row for row in calibration.evidence if row.role == role]
    held_out = role == "held_out"
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "measured, held out" if held_out else "measured, fit",
        "x": [row.bytes / row.baseline_bytes for row in rows],
        "y": [row.relative for row in rows],
        "marker": {
            # Larger than any kernel's: where two symbols overlap, Plotly has the smaller one under the pointer.
            "symbol": "diamond-open" if held_out else "square-open",
            "size": 20 if held_out else 16,
            "color": _EVIDENCE_COLOR,
            "line": {"width": 2.5, "color": _EVIDENCE_COLOR},
        },
        "text": [_measured(row, calibration) for row in rows],
        "hovertemplate": "%{text}<extra></extra>",
    }


def _measured(row: Measurement, calibration: Calibration) -> str:
    predicted = relative_throughput(row.bytes / row.baseline_bytes, calibration.loss_per_doubling)
    return "<br>".join(
        [
            f"<b>measured: {row.relative:.3f}</b> (model {predicted:.3f})",
            f"{row.baseline_bytes} → {row.bytes} bytes",
            _escaped(f"{row.chip}, {row.toolchain}"),
            _escaped(row.kernel),
            "held out of the fit" if row.role == "held_out" else "part of the fit",
        ]
    )


def _kernels(points: Iterable[_Point], kernels: Sequence[KernelReport]) -> list[dict[str, Any]]:
    """The kernels by verdict, and an arrow to where the filter moved those that it stripped."""
    traces: dict[str, dict[str, Any]] = {}
    moves: dict[tuple[int, int], dict[str, Any]] = {}
    for growth, ratio, kind, positions in points:
        members = [kernels[position] for position in positions]
        is_gone = all(kernel.action in (Action.STRIPPED, Action.ERASED) for kernel in members)
        trace = traces.setdefault(kind, _kernel_trace(kind))
        trace["x"].append(growth)
        trace["y"].append(ratio)
        trace["text"].append(_kernel_text(members))
        trace["customdata"].append(positions)
        trace["marker"]["symbol"].append(SYMBOLS[kind] + ("-open" if is_gone else ""))
        trace["marker"]["size"].append(min(9 + math.log10(len(members)), 14))
        for kernel in members:
            after = kernel.after
            if kernel.action is Action.STRIPPED and after is not None and after.prediction.ratio is not None:
                way = _step(kernel.before), _step(after)
                if way not in moves:
                    moves[way] = _move((growth, ratio), (_growth(after), after.prediction.ratio), show=not moves)
    return [*(traces[kind] for kind in COLORS if kind in traces), *moves.values()]


def _kernel_trace(kind: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": f"kernels: {kind.replace('_', ' ')}",
        "x": [],
        "y": [],
        "text": [],
        "customdata": [],
        "marker": {
            "color": COLORS[kind],
            "symbol": [],
            "size": [],
            "opacity": 1,
            "line": {"width": 2, "color": COLORS[kind]},
        },
        "hovertemplate": "%{text}<extra></extra>",
    }


def _kernel_text(members: Sequence[KernelReport]) -> str:
    """What a point says on hover: the kernels, by what the filter did to them."""
    by_action: dict[Action, list[KernelReport]] = {}
    for kernel in members:
        by_action.setdefault(kernel.action, []).append(kernel)
    lines: list[str] = []
    for action, group in by_action.items():
        lines += [
            f"<b>{_escaped(shortened(f'@{kernel.name}', SHOWN_CHARACTERS))}</b>" for kernel in group[:SHOWN_NAMES]
        ]
        if len(group) > SHOWN_NAMES:
            lines.append(f"and {len(group) - SHOWN_NAMES} more")
        lines.append(_moved(action, group))
    before = members[0].before
    low, high = before.prediction.interval or (0.0, 0.0)
    lines.append(f"{before.verdict.words}, ratio {before.prediction.ratio:.3f} ({low:.3f} to {high:.3f})")
    extrapolated = sum(kernel.before.prediction.extrapolated for kernel in members)
    if extrapolated:
        lines.append("extrapolated" if extrapolated == len(members) else f"{extrapolated} of them extrapolated")
    return "<br>".join(lines)


def _moved(action: Action, members: Sequence[KernelReport]) -> str:
    """What was done to kernels, in bytes where that is the same for all of them."""
    steps = {(str(kernel.before.scheduled), _bytes(kernel.after)) for kernel in members}
    what = action.replace("_", " ")
    if len(steps) > 1:
        return what
    before, after = steps.pop()
    return f"{what}: {before} bytes" + (f" → {after} bytes" if after and after != before else "")


def _bytes(found: Assessment | None) -> str:
    count: Bytes | None = None if found is None else found.scheduled
    return "" if count is None else str(count)


def _move(start: tuple[float, float], end: tuple[float, float], *, show: bool) -> dict[str, Any]:
    """An arrow that leaves the curve on its lower side, so that it can be told from the line."""
    (first, top), (last, bottom) = start, end
    steps = 16
    middle = (math.log2(first) + math.log2(last)) / 2, min(top, bottom) - 0.25 * abs(top - bottom) - 0.03
    xs: list[float] = []
    ys: list[float] = []
    for step in range(steps + 1):
        t = step / steps
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
        xs.append(2 ** (a * math.log2(first) + b * middle[0] + c * math.log2(last)))
        ys.append(a * top + b * middle[1] + c * bottom)
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": "stripped by the filter",
        "legendgroup": "moves",
        "showlegend": show,
        "x": xs,
        "y": ys,
        "line": {"color": COLORS["slower"], "width": 1.5, "dash": "dot"},
        "marker": {
            "symbol": "arrow",
            "angleref": "previous",
            "size": [0] * steps + [12],
            "color": COLORS["slower"],
            "opacity": 1,
            "line": {"width": 0},
        },
        "hoverinfo": "skip",
    }


def _layout(calibration: Calibration, low: float, high: float) -> dict[str, Any]:
    band = (1 - calibration.dead_band, 1 + calibration.dead_band)
    reach = 2**calibration.max_doublings
    whole = range(math.floor(low), math.ceil(high) + 1)
    ticks = sorted({*(2.0**power for power in whole), *([3.0] if high < 4 else [])})
    return {
        "xaxis": {
            "type": "log",
            "title": {"text": "threadgroup memory, times that of one stage"},
            "range": [low * math.log10(2), high * math.log10(2)],
            "tickvals": ticks,
            "ticktext": [f"×{tick:g}" for tick in ticks],
            "zeroline": False,
        },
        "yaxis": {
            "title": {"text": "throughput, times that of one stage"},
            "tickformat": ".2f",
            "zeroline": False,
        },
        "shapes": [
            {
                "type": "rect",
                "xref": "paper",
                "x0": 0,
                "x1": 1,
                "y0": band[0],
                "y1": band[1],
                "fillcolor": "rgba(31,119,208,0.13)",
                "line": {"width": 0},
                "layer": "below",
            },
            *(
                {"type": "line", "yref": "paper", "x0": x, "x1": x, "y0": 0, "y1": 1, "layer": "below"}
                | {"line": {"color": _EVIDENCE_COLOR, "width": 1.5, "dash": "dash"}}
                for x in (1 / reach, reach)
                if low <= math.log2(x) <= high
            ),
        ],
        "annotations": [
            {
                "text": "dead band: too close to call",
                "xref": "paper",
                "x": 1,
                "xanchor": "right",
                "y": band[1],
                "yanchor": "top",
                "showarrow": False,
            },
            {
                "text": f"measured up to ×{reach:.3g}",
                "yref": "paper",
                "x": math.log10(reach),
                "xanchor": "center",
                "y": 1,
                "yanchor": "bottom",
                "showarrow": False,
            },
        ],
        "hoverlabel": {"align": "left"},
        "legend": {"orientation": "h", "yanchor": "top", "y": -0.18, "x": 0, "xanchor": "left"},
        "margin": {"l": 64, "r": 16, "t": 28, "b": 56},
        "hovermode": "closest",
        "dragmode": False,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
    }


def _escaped(text: str) -> str:
    """`text` for Plotly, which reads a few HTML tags and entities."""
    return visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
