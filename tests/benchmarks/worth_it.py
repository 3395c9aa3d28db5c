"""Is the filter worth it? Replay recorded measurements of sgemm schedules as a search, with the filter and without.

    python tests/benchmarks/worth_it.py [RESULTS.json ...]

A search measures every candidate on the device and takes the fastest. The filtered one measures what
`filter_candidates` leaves. The table says how many measurements that saves, and what the winner loses against the
winner of the full search: 0 % where it is the same one. Without arguments it replays what the repository has: the M4
rows of the model's evidence, and the results files of `rlx-calibrate run` in `docs/evidence/`.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from rlx_sched.dialect.layout import Buffer
from rlx_sched.integrations import Candidate, Decision, filter_sequence
from rlx_sched.occupancy import EVIDENCE

RECORDED = Path(__file__).parents[2] / "docs" / "evidence"
M4 = "Apple M4 Pro"


class Schedule(NamedTuple):
    """A candidate with what was measured of it."""

    configuration: str
    stages: int
    stage_bytes: int
    throughput: float
    """In units that are the same for all candidates of one search."""


@dataclass(frozen=True)
class Search:
    """A search space: the candidates for one problem on one device."""

    space: str
    problem: str
    candidates: tuple[Schedule, ...]

    def filtered(self, chip: str) -> list[Schedule]:
        """The candidates that the filter leaves for `chip`."""
        return filter_sequence(self.candidates, describe=_describe, chip=chip, report=_ignore)


def _describe(schedule: Schedule) -> Candidate:
    return Candidate((Buffer(schedule.stage_bytes, rotating=True),), schedule.stages, schedule.configuration)


def _ignore(decision: Decision[Schedule]) -> None:
    """The table tells enough."""


def m4_searches() -> Iterator[Search]:
    """The rows behind the M4 calibration: means over 12 shapes, so one problem each."""
    for toolchain, rows in groupby(EVIDENCE, key=lambda row: row.toolchain):
        candidates = tuple(
            Schedule(row.kernel, row.bytes // row.baseline_bytes, row.baseline_bytes, row.relative) for row in rows
        )
        yield Search(f"Apple M4 Pro, {toolchain}", "mean of 12 shapes", candidates)


def recorded_searches(results: dict[str, Any]) -> Iterator[Search]:
    """One search for each shape of a results file: all configurations with all their stages."""
    device = results["device"]["name"]
    shapes: dict[str, list[Schedule]] = {}
    for configuration in results["configurations"]:
        for shape in configuration["shapes"]:
            problem = f"{shape['m']}x{shape['n']}x{shape['k']}"
            for arm, ticks in shape["ticks"].items():
                kind, _, stages = arm.partition("-")
                if kind not in ("serial", "rotate"):
                    continue
                one_launch = statistics.median(ticks) / shape["repeats"]
                shapes.setdefault(problem, []).append(
                    Schedule(configuration["name"], int(stages or 1), configuration["stage_bytes"], 1 / one_launch)
                )
    for problem, candidates in shapes.items():
        yield Search(device, problem, tuple(candidates))


def _best(candidates: Iterable[Schedule]) -> Schedule:
    return max(candidates, key=lambda schedule: schedule.throughput)


def table(name: str, searches: Sequence[Search], chip: str) -> str:
    """One line: what the filter for `chip` does to `searches`."""
    measured = kept = same = 0
    losses: list[float] = []
    for search in searches:
        left = search.filtered(chip)
        winner, found = _best(search.candidates), _best(left)
        measured += len(search.candidates)
        kept += len(left)
        same += found == winner
        losses.append(1 - found.throughput / winner.throughput)
    saved = 100 * (measured - kept) / measured
    return (
        f"| {name} | {chip} | {len(searches)} | {measured} | {kept} | {saved:.0f} % | {same} of {len(searches)} "
        f"| {100 * statistics.mean(losses):.1f} % | {100 * max(losses):.1f} % |"
    )


def main(paths: Sequence[str]) -> None:
    """Print the table."""
    columns = "measured on, filtered for, searches, measurements, with the filter, saved, same winner, mean loss, worst"
    print(f"| {columns.replace(', ', ' | ')} |")
    print("|---|---|---|---|---|---|---|---|---|")
    for space, searches in groupby(m4_searches(), key=lambda search: search.space):
        print(table(space, list(searches), M4))
    for path in map(Path, paths) if paths else sorted(RECORDED.glob("*.json")):
        results = json.loads(path.read_bytes())
        searches = list(recorded_searches(results))
        space = f"{searches[0].space}, {path.name}"
        print(table(space, searches, results["device"]["name"]))
        print(table(f"{space} (wrong chip)", searches, M4))


if __name__ == "__main__":
    main(sys.argv[1:])
