"""The report of `--mlir-timing`."""

from __future__ import annotations

from collections.abc import Iterable


def format_report(seconds: Iterable[tuple[str, float]], total: float) -> str:
    """A table of wall times in the order of the steps, in the layout of MLIR; steps of one name are added up."""
    steps: dict[str, float] = {}
    for name, elapsed in seconds:
        steps[name] = steps.get(name, 0.0) + elapsed
    steps["Rest"] = max(total - sum(steps.values()), 0.0)
    steps["Total"] = total
    rule = f"==={'-' * 73}===\n"
    rows = [f"  {elapsed:9.4f} ({100 * elapsed / (total or 1):5.1f}%)  {name}\n" for name, elapsed in steps.items()]
    return (
        f"{rule}{'... Execution time report ...':^79}".rstrip()
        + f"\n{rule}  Total Execution Time: {total:.4f} seconds\n\n  ----Wall Time----  ----Name----\n"
        + "".join(rows)
    )
