"""Reports as a table for a terminal."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING

from rlx_sched.assessment import Assessment
from rlx_sched.occupancy import Unknown
from rlx_sched.report.collect import Action, KernelReport, Report
from rlx_sched.report.shorten import shortened
from rlx_sched.tools.visible import visible, visible_line

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

_STYLES = {"faster": "blue", "slower": "dark_orange", "too_close_to_call": "", "unknown": "magenta"}


@dataclass(frozen=True)
class Screen:
    """Where the table is shown: its width in columns, and whether it takes colors."""

    width: int
    color: bool


def format_table(report: Report, screen: Screen) -> str:
    """The report as a table no wider than the screen, and the totals below it.

    Raises:
        ModuleNotFoundError: where Rich, of the extra `report`, is not installed.
    """
    from rich.console import Console

    stream = StringIO()
    console = Console(
        file=stream,
        width=screen.width,
        force_terminal=screen.color,
        color_system="256" if screen.color else None,
        highlight=False,
        legacy_windows=False,
    )
    if report.kernels:
        console.print(_table(report, screen.width))
    console.print(_summary(report), markup=False)
    return stream.getvalue()


_PLACE_WIDTH = 90
"""Columns of the screen from which on there is room for the place of a kernel."""

_SHOWN_CHARACTERS = 200
"""The most characters of a name or a place: they are folded into a column."""

_SHOWN_REASONS = 3
"""The most reasons of unknown verdicts that the summary gives."""

_INTERVAL_WIDTH = 120
"""Columns of the screen from which on there is room for the interval of a ratio."""


def _table(report: Report, width: int) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column("kernel", overflow="fold")
    for numbers in ("stages", "bytes", "ratio"):
        table.add_column(numbers, justify="right", no_wrap=True)
    table.add_column("verdict")
    table.add_column("filter")
    if width >= _PLACE_WIDTH:
        table.add_column("place", overflow="fold")
    for kernel in report.kernels:
        before, after = kernel.before, kernel.after
        cells = [
            Text(visible(shortened(f"@{kernel.name}", _SHOWN_CHARACTERS))),
            Text(_step(str(before.stages), None if after is None else str(after.stages))),
            Text(_step(_bytes(before) or "not known", _bytes(after))),
            Text(_ratio(before, with_interval=width >= _INTERVAL_WIDTH)),
            _verdict(before),
            Text(_done(kernel), style="" if kernel.action is Action.KEPT else "bold"),
        ]
        if width >= _PLACE_WIDTH:
            cells.append(Text(_place(kernel, report.file), style="dim"))
        table.add_row(*cells)
    return table


def _done(kernel: KernelReport) -> str:
    """What the filter did, and the short name of what kept it from doing more."""
    done = kernel.action.replace("_", " ")
    return f"{done} ({kernel.condition})" if kernel.condition else done


def _place(kernel: KernelReport, file: str) -> str:
    """Line and column, after the file where that is another one."""
    place = kernel.place
    if place is None:
        return ""
    return f"{place.line}:{place.column}" if place.file == file else visible(shortened(str(place), _SHOWN_CHARACTERS))


def _step(before: str, after: str | None) -> str:
    return before if after is None or after == before else f"{before} -> {after}"


def _bytes(found: Assessment | None) -> str | None:
    return None if found is None or found.scheduled is None else str(found.scheduled)


def _ratio(found: Assessment, *, with_interval: bool) -> str:
    prediction = found.prediction
    if prediction.ratio is None or prediction.interval is None:
        return "-"
    mark = "*" if prediction.extrapolated else ""
    low, high = prediction.interval
    return (
        f"{prediction.ratio:.3f}{mark} ({low:.3f} to {high:.3f})" if with_interval else f"{prediction.ratio:.3f}{mark}"
    )


def _verdict(found: Assessment) -> Text:
    from rich.text import Text

    text = Text(found.verdict.words, style=_STYLES[found.verdict.kind])
    if found.over_limit:
        text.append(", over the limit", style="bold")
    return text


def _summary(report: Report) -> str:
    """The totals in a few lines; what is zero goes without saying."""
    totals = report.totals
    verdicts = [f"{count} {kind.replace('_', ' ')}" for kind, count in totals.verdicts.items() if count]
    counts = {
        "over the limit": totals.over_limit,
        "stripped": totals.actions["stripped"],
        "erased": totals.actions["erased"],
        "left in": totals.actions["left_in"],
        "do not fit": totals.actions["does_not_fit"],
    }
    lines = [
        f"{totals.kernels} kernel{'' if totals.kernels == 1 else 's'}"
        + (f": {', '.join(verdicts)}" if verdicts else ""),
        ", ".join(f"{count} {what}" for what, count in counts.items() if count),
    ]
    if totals.bytes_saved or totals.bytes_unknown:
        unknown = f", and what {totals.bytes_unknown} more kernels saved is not known exactly"
        lines.append(
            f"{totals.bytes_saved} bytes of threadgroup memory saved" + (unknown if totals.bytes_unknown else "")
        )
    if totals.extrapolated:
        lines.append(f"* extrapolated, outside what was measured: {totals.extrapolated}")
    lines += _unknown(report)
    return "\n".join(line for line in lines if line)


def _unknown(report: Report) -> list[str]:
    """Why verdicts are unknown, which says what to do about it."""
    verdicts = (kernel.before.verdict for kernel in report.kernels)
    reasons = Counter(verdict.reason for verdict in verdicts if isinstance(verdict, Unknown))
    lines = [f"{count} unknown: {visible_line(reason)}" for reason, count in reasons.most_common(_SHOWN_REASONS)]
    rest = len(reasons) - len(lines)
    return [*lines, f"{rest} more reasons, which --explain shows"] if rest else lines
