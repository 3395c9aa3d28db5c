"""From a fit that passed its checks to a calibration, and from a calibration's evidence back to rows."""

import math
import re
from collections.abc import Sequence
from typing import Any

from rlx_sched.measure.fit import Fit, Measured, Row
from rlx_sched.occupancy import Calibration, Measurement

_DIGITS = 4
"""Decimals of what was measured: one more than the noise of a good run leaves certain."""


def calibration_of(results: dict[str, Any], fit: Fit, measured: Sequence[Measured]) -> Calibration:
    """Return the calibration of the device in `results`; it holds for that device name only.

    Raises ValueError where a check of the fit failed, or a value is outside what a calibration can have.
    """
    if fit.failed:
        raise ValueError(f"the fit failed its checks: {', '.join(check.name for check in fit.failed)}")
    device = results["device"]
    low, high = fit.bytes_range
    source = f"rlx-calibrate on {device['name']}, {results['started'][:10]}"
    language = "WGSL" if device["api"] == "webgpu" else "MSL"
    toolchain = " ".join([language, "on", device["backend"], *(f"{k} {v}" for k, v in device["versions"].items())])
    shapes = len(results["configurations"][0]["shapes"])
    controls = [round(m.control.relative, _DIGITS) for m in measured]

    def evidence(role: Any, rows: Sequence[Row]) -> list[Measurement]:
        return [
            Measurement(
                role,
                device["name"],
                toolchain,
                f"sgemm {row.configuration} {row.arm}, geometric mean of {shapes} shapes",
                row.baseline_bytes,
                row.bytes,
                round(row.relative, _DIGITS),
                source,
            )
            for row in rows
        ]

    return Calibration(
        name=re.sub(r"[^a-z0-9]+", "-", device["name"].lower()).strip("-"),
        families=(),
        devices=(device["name"],),
        loss_per_doubling=round(fit.line.loss, _DIGITS),
        dead_band=_up(fit.dead_band),
        slack=_up(fit.slack),
        min_bytes=low,
        max_bytes=high,
        max_doublings=fit.max_doublings,
        control=(min(controls), max(controls)),
        evidence=(*evidence("fit", fit.rows), *evidence("held_out", fit.held_out)),
        provenance=(
            ("source", source),
            ("driver", device["driver"]),
            ("interval", f"95 % interval of the loss per doubling: {fit.line.low:.4f} to {fit.line.high:.4f}"),
        ),
    )


def _up(value: float) -> float:
    """Round up: a band that is too narrow claims what was not measured."""
    scale = 10**_DIGITS
    return math.ceil(value * scale) / scale


def rows_of(measurements: Sequence[Measurement]) -> tuple[Row, ...]:
    """Return the measured points of a calibration as rows, but for the baselines, which are 1 by definition."""
    return tuple(
        Row(m.kernel, m.toolchain, m.baseline_bytes, m.bytes, m.relative)
        for m in measurements
        if m.bytes != m.baseline_bytes
    )
