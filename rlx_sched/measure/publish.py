"""From a fit that passed its checks to a calibration, and from a calibration's evidence back to rows."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_CEILING, Decimal
from typing import Any

from rlx_sched.measure.fit import Fit, Measured, Row
from rlx_sched.measure.results import file_name
from rlx_sched.occupancy import Calibration, Measurement

_DIGITS = 4
"""Decimals of what was measured: one more than the noise of a good run leaves certain."""


def calibration_of(results: dict[str, Any], fit: Fit, measured: Sequence[Measured]) -> Calibration:
    """Return the calibration of the device in `results`; it holds for that device name only.

    Its numbers are rounded; its slack covers what the rounded line is off by, from the rows and from the evidence.

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
    line = replace(fit.line, loss=round(fit.line.loss, _DIGITS))
    fitted, held_out = (tuple(map(_rounded, rows)) for rows in (fit.rows, fit.held_out))
    slack = _up(max(abs(line.error(row)) for row in (*fit.rows, *fit.held_out, *fitted, *held_out)))
    controls = [_rounded(m.control).relative for m in measured]

    def evidence(role: Any, rows: Sequence[Row]) -> list[Measurement]:
        return [
            Measurement(
                role,
                device["name"],
                toolchain,
                f"sgemm {row.configuration} {row.arm}, geometric mean of {shapes} shapes",
                row.baseline_bytes,
                row.bytes,
                row.relative,
                source,
            )
            for row in rows
        ]

    return Calibration(
        name=file_name(device["name"]),
        families=(),
        devices=(device["name"],),
        loss_per_doubling=line.loss,
        dead_band=max(slack, _up(fit.noise)),
        slack=slack,
        min_bytes=low,
        max_bytes=high,
        max_doublings=fit.max_doublings,
        control=(min(controls), max(controls)),
        evidence=(*evidence("fit", fitted), *evidence("held_out", held_out)),
        provenance=(
            ("source", source),
            ("driver", device["driver"]),
            ("interval", f"95 % interval of the loss per doubling: {fit.line.low:.4f} to {fit.line.high:.4f}"),
        ),
    )


def _rounded(row: Row) -> Row:
    return replace(row, relative=round(row.relative, _DIGITS))


def _up(value: float) -> float:
    """Round up: a band that is too narrow claims what was not measured."""
    # Not by way of `value * 10**_DIGITS`, which may round down.
    return float(Decimal(value).quantize(Decimal(1).scaleb(-_DIGITS), ROUND_CEILING))


def rows_of(measurements: Sequence[Measurement]) -> tuple[Row, ...]:
    """Return the measured points of a calibration as rows, but for the baselines, which are 1 by definition.

    Nearly equal large numbers of bytes are no doublings apart either: logarithms do not tell them.
    """
    rows = (Row(m.kernel, m.toolchain, m.baseline_bytes, m.bytes, m.relative) for m in measurements)
    return tuple(row for row in rows if row.doublings)
