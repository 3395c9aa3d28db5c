"""Reports as one HTML page that needs nothing else: no network, no other file."""

from __future__ import annotations

import html
import json
import re
from importlib.resources import files
from typing import Any

import rlx_sched
from rlx_sched.assessment import Assessment
from rlx_sched.dialect.attributes import Bytes
from rlx_sched.occupancy import Calibration
from rlx_sched.occupancy.model import relative_throughput
from rlx_sched.report.collect import KernelReport, Report
from rlx_sched.report.figure import figure, on_curve
from rlx_sched.tools.visible import visible, visible_line

_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")


def format_page(report: Report) -> str:
    """The report as an HTML document.

    Raises:
        ModuleNotFoundError: where Plotly, of the extra `report`, is not installed.
    """
    from plotly.offline import get_plotlyjs  # pyright: ignore[reportMissingTypeStubs]

    template = files("rlx_sched.report")
    parts = {
        "title": html.escape(f"rlx-report: {visible(report.file)}"),
        "file": html.escape(visible(report.file)),
        "tool": html.escape(f"rlx-sched {rlx_sched.__version__}"),
        "style": template.joinpath("page.css").read_text("utf-8"),
        "script": template.joinpath("page.js").read_text("utf-8"),
        "plotly": get_plotlyjs() if report.calibrations else "",
        # In a script element only `</script` and `<!--` mean anything, and JSON can spell `<` in another way.
        "data": json.dumps(_data(report), allow_nan=False, separators=(",", ":")).replace("<", "\\u003c"),
    }
    page = template.joinpath("page.html").read_text("utf-8")
    return _PLACEHOLDER.sub(lambda match: parts[match[1]], page)


def _data(report: Report) -> dict[str, Any]:
    """What the script of the page shows. Texts are made visible, and numbers that a script cannot hold are texts."""
    totals = report.totals
    return {
        "kernels": _columns([_row(kernel) for kernel in report.kernels]),
        "verdicts": totals.verdicts,
        "actions": totals.actions,
        "overLimit": totals.over_limit,
        "extrapolated": totals.extrapolated,
        "bytesSaved": f"{totals.bytes_saved:,}",
        "bytesUnknown": totals.bytes_unknown,
        "charts": [
            {
                "name": visible(calibration.name),
                "chips": visible(calibration.matched),
                "source": visible(calibration.source),
                "bytes": f"{calibration.min_bytes:,} to {calibration.max_bytes:,}",
                "growth": f"{2**calibration.max_doublings:.3g}",
                "law": _law(calibration),
                "shown": sum(on_curve(kernel, calibration) for kernel in report.kernels),
                "evidence": [
                    [
                        "held out" if row.role == "held_out" else "fit",
                        visible(f"{row.chip}, {row.toolchain}"),
                        visible(row.kernel),
                        f"{row.baseline_bytes:,} → {row.bytes:,}",
                        f"{row.relative:.3f}",
                        f"{relative_throughput(row.bytes / row.baseline_bytes, calibration.loss_per_doubling):.3f}",
                    ]
                    for row in calibration.evidence
                ],
                "figure": figure(calibration, report.kernels),
            }
            for calibration in report.calibrations
        ],
    }


def _law(calibration: Calibration) -> str:
    """What the calibration says of a doubling, as the start of a sentence."""
    loss = calibration.loss_per_doubling
    return f"{abs(loss) * 100:.4g} % of the throughput {'gained' if loss < 0 else 'lost'}"


def _columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """The rows as a list for each key: the keys of ten thousand rows are a quarter of the page."""
    return {key: [row[key] for row in rows] for key in rows[0]} if rows else {}


def _row(kernel: KernelReport) -> dict[str, Any]:
    """One kernel: texts to show, the middle of very long ones left out, and numbers to sort by."""
    before, after = kernel.before, kernel.after
    prediction = before.prediction
    interval = prediction.interval
    place = kernel.place
    return {
        "name": visible_line(kernel.name),
        "space": None if kernel.search_space is None else visible_line(kernel.search_space),
        "place": None if place is None else visible_line(str(place)),
        "operation": visible_line(kernel.operation),
        "target": None if before.chip is None else visible_line(before.chip),
        "stages": before.stages,
        "stagesAfter": None if after is None else after.stages,
        "baseline": _bytes(before.baseline),
        "bytes": _bytes(before.scheduled),
        "bytesAfter": _after(after),
        "size": None if before.scheduled is None else before.scheduled.count,
        "limit": None if before.limit is None else f"{before.limit:,}",
        "overLimit": before.over_limit,
        "verdict": before.verdict.kind,
        "ratio": prediction.ratio,
        "interval": None if interval is None else f"{interval[0]:.3f} to {interval[1]:.3f}",
        "extrapolated": prediction.extrapolated,
        "calibration": None if prediction.calibration is None else visible_line(prediction.calibration.name),
        "action": kernel.action,
        "message": visible_line(kernel.message),
        "diff": [visible(line.replace("\t", "    ")) for line in kernel.diff],
    }


def _bytes(count: Bytes | None) -> str | None:
    if count is None:
        return None
    bound, _, _ = str(count).rpartition(" ")
    return f"{bound.replace('_', ' ')} {count.count:,}".lstrip()


def _after(found: Assessment | None) -> str | None:
    return None if found is None else _bytes(found.scheduled)
