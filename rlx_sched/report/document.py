"""Reports as JSON, in the format that `docs/report.md` describes."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import rlx_sched
from rlx_sched.assessment import Assessment
from rlx_sched.dialect.attributes import Bytes
from rlx_sched.occupancy import Calibration, Unknown
from rlx_sched.occupancy.model import relative_throughput
from rlx_sched.report.collect import KernelReport, Report

FORMAT_VERSION = 1
"""Raised when a key is removed or changes its meaning; new keys may appear without."""


def format_json(report: Report) -> str:
    """The report as a JSON document with a newline at the end; everything outside of ASCII is escaped."""
    return json.dumps(as_dict(report), indent=2, allow_nan=False) + "\n"


def as_dict(report: Report) -> dict[str, Any]:
    """The report as the values of its JSON document."""
    return {
        "version": FORMAT_VERSION,
        "tool": f"rlx-report {rlx_sched.__version__}",
        "file": report.file,
        "failed": report.failed,
        "totals": asdict(report.totals),
        "calibrations": [_calibration(calibration) for calibration in report.calibrations],
        "kernels": [_kernel(kernel) for kernel in report.kernels],
    }


def _calibration(calibration: Calibration) -> dict[str, Any]:
    return {
        "name": calibration.name,
        "chips": calibration.matched,
        "loss_per_doubling": calibration.loss_per_doubling,
        "dead_band": calibration.dead_band,
        "slack": calibration.slack,
        "measured": {
            "bytes": [calibration.min_bytes, calibration.max_bytes],
            "doublings": calibration.max_doublings,
        },
        "source": calibration.source,
        "evidence": [
            {
                **asdict(row),
                "predicted": relative_throughput(row.bytes / row.baseline_bytes, calibration.loss_per_doubling),
            }
            for row in calibration.evidence
        ],
    }


def _kernel(kernel: KernelReport) -> dict[str, Any]:
    place = kernel.place
    return {
        "name": kernel.name,
        "operation": kernel.operation,
        "search_space": kernel.search_space,
        "place": None if place is None else {"file": place.file, "line": place.line, "column": place.column},
        "action": kernel.action,
        "message": kernel.message,
        "before": _assessment(kernel.before),
        "after": None if kernel.after is None else _assessment(kernel.after),
        "bytes_saved": kernel.bytes_saved,
        "diff": list(kernel.diff),
    }


def _assessment(found: Assessment) -> dict[str, Any]:
    prediction = found.prediction
    return {
        "stages": found.stages,
        "target": found.chip,
        "baseline": _bytes(found.baseline),
        "footprint": _bytes(found.scheduled),
        "limit": found.limit,
        "over_limit": found.over_limit,
        "verdict": found.verdict.kind,
        "reason": found.verdict.reason if isinstance(found.verdict, Unknown) else None,
        "ratio": prediction.ratio,
        "interval": None if prediction.interval is None else list(prediction.interval),
        "extrapolated": prediction.extrapolated,
        "calibration": None if prediction.calibration is None else prediction.calibration.name,
    }


def _bytes(count: Bytes | None) -> dict[str, Any] | None:
    return None if count is None else {"bytes": count.count, "bound": count.bound}
