"""How one schedule's footprint comes together, what the model makes of it, and what would change that.

Every sentence follows from a computation on the schedule at hand; where something cannot be computed, it is not said.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from xdsl.dialects import builtin
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute

from rlx_sched.assessment import Assessment, Assessor
from rlx_sched.dialect.attributes import Bound, Bytes
from rlx_sched.dialect.data_layout import data_layout
from rlx_sched.dialect.layout import MAX_BYTES, MOST_STAGES, Buffer, NoFootprint, Placement, footprint
from rlx_sched.dialect.type_sizes import memref_size
from rlx_sched.occupancy import Calibration, Slower, TooCloseToCall, Unknown, assess, calibrations
from rlx_sched.occupancy.model import relative_throughput
from rlx_sched.report.shorten import shortened
from rlx_sched.sources.sched import KernelSchedule
from rlx_sched.sources.schedule import Schedule
from rlx_sched.tools.visible import visible_line

_FIRST_STAGES = 4
"""Stage counts up to this one are always listed; more have rarely been used on any GPU."""

_SHOWN_CHARACTERS = 100
"""The most characters of a cell: every row of a table is as wide as its widest."""

_NARROWER: dict[type[Attribute], Attribute] = {
    builtin.Float64Type: builtin.f32,
    builtin.Float32Type: builtin.f16,
}
"""For each floating-point element the common one of half its size. There is none below 16 bits on Apple GPUs."""


def explain_schedule(schedule: Schedule, assessor: Assessor) -> str:
    """Explain the footprint of `schedule` and its verdict, as text of several sections, fit for a terminal.

    Threadgroup memory is in bytes, ratios are throughput relative to the same schedule with one stage.
    """
    found = assessor.assess(schedule)
    chip = f"for {found.chip}" if found.chip else "for no GPU in particular"
    sections = [
        [f"kernel '@{schedule.name}': {_stages(schedule.stages)}, {chip}"],
        _memory(schedule, found),
        _limit(found),
        _ratio(schedule, found),
        _evidence(found),
        _alternatives(schedule, found, assessor),
    ]
    return "\n\n".join("\n".join(map(visible_line, section)) for section in sections if section)


def _stages(count: int) -> str:
    return "1 stage" if count == 1 else f"{count} stages"


def _table(rows: Sequence[Sequence[str]], left: int) -> Iterator[str]:
    """`rows` in columns, indented; the first `left` columns are aligned to the left, the others to the right."""
    short = [[shortened(cell, _SHOWN_CHARACTERS) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*short, strict=True)]
    for row in short:
        cells = [
            cell.ljust(width) if index < left else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield f"  {'  '.join(cells)}".rstrip()


def _memory(schedule: Schedule, found: Assessment) -> list[str]:
    """The buffers, each with its place in threadgroup memory, and the footprint."""
    if found.baseline is None or found.scheduled is None:
        reason = found.verdict.reason if isinstance(found.verdict, Unknown) else ""
        return ["threadgroup memory: not known", f"  {reason}"]
    counts = [1] if schedule.stages == 1 else [1, schedule.stages]
    layouts = [schedule.placements(count) for count in counts]
    known = [layout for layout in layouts if layout is not None]
    totals = [found.baseline, found.scheduled][-len(counts) :]
    if len(known) < len(counts):
        lines = [f"  {_stages(count)}: {total} bytes" for count, total in zip(counts, totals, strict=True)]
        return ["threadgroup memory (this kind of IR gives no account of single buffers):", *lines]
    types = _types(schedule)
    rows = [
        ["", "", "", ""] + [cell for count in counts for cell in (_stages(count), "", "")],
        ["buffer", "type", "alignment", "lives"] + ["slots", "offset", "bytes"] * len(counts),
    ]
    for index, placement in enumerate(known[0]):
        rows.append(
            _buffer_cells(placement.buffer, types)
            + [cell for count, layout in zip(counts, known, strict=True) for cell in _place_cells(layout[index], count)]
        )
    rows.append(["footprint", "", "", ""] + [cell for total in totals for cell in ("", "", str(total))])
    return ["threadgroup memory, in bytes:", *_table(rows, 2)]


def _types(schedule: Schedule) -> dict[str, str]:
    """The types of the buffers by name, where they have names."""
    if not isinstance(schedule, KernelSchedule):
        return {}
    return {
        buffer.sym_name.data: shortened(str(buffer.type), _SHOWN_CHARACTERS) for buffer, _ in schedule.kernel.buffers()
    }


def _buffer_cells(buffer: Buffer, types: dict[str, str]) -> list[str]:
    kind = [word for word, on in (("rotating", buffer.rotating), ("dynamic", buffer.dynamic)) if on] or ["resident"]
    lives = "always" if buffer.phase is None else f"phase {buffer.phase + 1}"
    type = types.get(buffer.name, f"{buffer.size} bytes")
    return [f"@{buffer.name} {' '.join(kind)}" if buffer.name else " ".join(kind), type, str(buffer.alignment), lives]


def _place_cells(placement: Placement, stages: int) -> list[str]:
    return [str(placement.buffer.slots(stages)), str(placement.offset), str(placement.extent)]


def _limit(found: Assessment) -> list[str]:
    """The target's limit, and how far from it the schedule is."""
    if found.limit is None:
        return [f"limit: not known for {found.chip}" if found.chip else "limit: not known without a target"]
    if found.scheduled is None:
        return [f"limit: {found.limit} bytes for one threadgroup"]
    if found.over_limit:
        verdict = f"does not fit, {found.scheduled.lower - found.limit} bytes over"
    elif not found.within_limit:
        verdict = f"may or may not fit, the footprint is known only as {found.scheduled}"
    else:
        verdict = f"fits, {found.limit - (found.scheduled.upper or 0)} bytes to spare"
    return [f"limit: {found.limit} bytes for one threadgroup: {verdict}"]


def _ratio(schedule: Schedule, found: Assessment) -> list[str]:
    """The ratio, how it is computed, and from which footprint on the verdict is another."""
    verdict, prediction = found.verdict, found.prediction
    if isinstance(verdict, Unknown):
        return [f"verdict: unknown, {verdict.reason}"]
    calibration, ratio, interval = prediction.calibration, prediction.ratio, prediction.interval
    if calibration is None or ratio is None or interval is None:
        return [f"verdict: {verdict.kind}"]
    low, high = interval
    extrapolated = ", extrapolated" if prediction.extrapolated else ""
    lines = [f"verdict: {verdict.words}, ratio {ratio:.3f} ({low:.3f} to {high:.3f}{extrapolated})"]
    sign = "-" if calibration.loss_per_doubling >= 0 else "+"
    formula = (
        f"1 {sign} {abs(calibration.loss_per_doubling):g} * "
        f"log2({prediction.candidate_bytes} / {prediction.baseline_bytes})"
    )
    below = ", and never below 0" if ratio == 0 else ""
    lines.append(f"  {formula} = {ratio:.3f}{below}; {_judged(ratio, calibration)}")
    if not _exact(found.baseline) or not _exact(found.scheduled):
        lines.append(f"  the ratio nearest to 1 that {found.baseline} -> {found.scheduled} bytes allow")
    turn = _turning_point(prediction.baseline_bytes, calibration)
    if turn is not None:
        what = "slower" if calibration.loss_per_doubling > 0 else "faster"
        lines.append(f"  against {prediction.baseline_bytes} bytes, {turn} bytes and more are {what}, fewer are not")
    return lines


def _judged(ratio: float, calibration: Calibration) -> str:
    """On which side of the dead band `ratio` is."""
    low, high = 1 - calibration.dead_band, 1 + calibration.dead_band
    if ratio < low:
        return f"below {low:g}, the lower edge of the dead band"
    if ratio > high:
        return f"above {high:g}, the upper edge of the dead band"
    return f"inside the dead band from {low:g} to {high:g}"


def _turning_point(baseline: int, calibration: Calibration) -> int | None:
    """The smallest footprint above `baseline` that is not too close to call; None if there is none."""
    chip = (*calibration.families, *calibration.devices)[0]

    def close(candidate: int) -> bool:
        return isinstance(assess(chip, baseline, candidate, calibration=calibration).verdict, TooCloseToCall)

    last = _last_true(close, baseline, MAX_BYTES)
    return None if last == MAX_BYTES else last + 1


def _last_true(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The largest number up to `high` for which `holds`, which is true of `low` and, once false, stays false."""
    if holds(high):
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle):
            low = middle
        else:
            high = middle
    return low


def _evidence(found: Assessment) -> list[str]:
    """The measurements that the calibration rests on, and whether the schedule is in their range."""
    prediction = found.prediction
    calibration = prediction.calibration
    if calibration is None:
        return []
    rows = [["", "bytes", "measured", "model", "off by", "", ""]]
    for row in calibration.evidence:
        model = relative_throughput(row.bytes / row.baseline_bytes, calibration.loss_per_doubling)
        rows.append(
            [
                row.role.replace("_", " "),
                f"{row.baseline_bytes} -> {row.bytes}",
                f"{row.relative:.3f}",
                f"{model:.3f}",
                f"{model - row.relative:+.3f}",
                f"{row.chip}, {row.toolchain}",
                row.kernel,
            ]
        )
    title = f"evidence: calibration {calibration.name} for {calibration.matched} ({calibration.source})"
    lines = [title, *(line.rstrip() for line in _table(rows, 7))]
    growth = 2**calibration.max_doublings
    span = f"{calibration.min_bytes} to {calibration.max_bytes} bytes and up to {growth:g} times the baseline"
    outside = _outside(prediction.baseline_bytes, prediction.candidate_bytes, calibration)
    if prediction.ratio is None:
        lines.append(f"  measured: {span}")
    elif prediction.extrapolated:
        lines.append(f"  measured: {span}; extrapolated here: {', '.join(outside) or 'a bound lies outside'}")
    else:
        lines.append(f"  measured: {span}; this schedule is not extrapolated")
    return lines


def _outside(baseline: int, candidate: int, calibration: Calibration) -> list[str]:
    """In which respects the two footprints leave the measured range."""
    smaller, larger = sorted((baseline, candidate))
    growth = larger / smaller
    reasons: list[str] = []
    if smaller < calibration.min_bytes:
        reasons.append(f"{smaller} bytes are fewer than {calibration.min_bytes}")
    if larger > calibration.max_bytes:
        reasons.append(f"{larger} bytes are more than {calibration.max_bytes}")
    if math.log2(growth) > calibration.max_doublings:
        reasons.append(f"{growth:.3g} times is more than {2**calibration.max_doublings:.3g}")
    return reasons


def _alternatives(schedule: Schedule, found: Assessment, assessor: Assessor) -> list[str]:
    """Other stage counts, narrower elements, other GPUs: what each would change."""
    if found.baseline is None or found.scheduled is None:
        return []
    lines = [*_other_stages(schedule, found, assessor), *_narrower_elements(schedule, found), *_other_chips(found)]
    return ["what would change it:", *lines] if lines else []


def _other_stages(schedule: Schedule, found: Assessment, assessor: Assessor) -> Iterator[str]:
    """A table of stage counts, then which of them is the most that fits, and the most that is not slower."""
    judged: dict[int, Assessment] = {}

    def at(stages: int) -> Assessment:
        if stages not in judged:
            judged[stages] = assessor.assess(schedule, stages)
        return judged[stages]

    is_open = isinstance(schedule, KernelSchedule)
    most = _last_true(lambda stages: at(stages).scheduled is not None, 1, MOST_STAGES if is_open else schedule.stages)
    if most == 1 or schedule.unknown is not None:
        return
    up_to = "" if is_open else f" up to the {most} in the IR"
    if at(most).scheduled == at(1).scheduled:
        yield f"  the footprint is the same with any number of stages{up_to}"
        return
    shown = {*range(1, min(_FIRST_STAGES, most) + 1), schedule.stages}
    conclusions: list[str] = []
    if found.limit is not None and at(1).over_limit:
        conclusions.append(f"  not even one stage fits in {found.limit} bytes")
    elif found.limit is not None and at(1).within_limit:
        fitting = _last_true(lambda stages: at(stages).within_limit, 1, most)
        shown.add(fitting)
        many = f"{_stages(fitting)} {'fits' if fitting == 1 else 'fit'}"
        if fitting == most:
            what = f"any number of stages{up_to} fits"
        elif at(fitting + 1).over_limit:
            what = f"at most {many}"
        else:
            what = f"{many} for certain"
        conclusions.append(f"  {what} in {found.limit} bytes")
    if found.prediction.ratio is not None and _exact(found.baseline) and _exact(found.scheduled):
        good = _last_true(lambda stages: not isinstance(at(stages).verdict, Slower), 1, most)
        if good == most:
            conclusions.append(f"  no number of stages{up_to} is slower than one")
        elif good == 1:
            conclusions.append("  any number of stages but one is slower")
        else:
            shown.add(good)
            conclusions.append(f"  at most {_stages(good)} are not slower than one")
    rows = [["stages", "bytes", "ratio", "verdict"] + (["fits"] if found.limit is not None else [])]
    rows += [_stage_cells(stages, at(stages), here=stages == schedule.stages) for stages in sorted(shown)]
    yield from _table(rows, 0)
    yield from conclusions


def _stage_cells(stages: int, found: Assessment, *, here: bool) -> list[str]:
    ratio = found.prediction.ratio
    cells = [
        f"{'* ' if here else ''}{stages}",
        "not known" if found.scheduled is None else str(found.scheduled),
        "-" if ratio is None else f"{ratio:.3f}",
        found.verdict.words + (", extrapolated" if found.prediction.extrapolated else ""),
    ]
    if found.limit is not None:
        cells.append("no" if found.over_limit else "yes" if found.within_limit else "perhaps")
    return cells


def _narrower_elements(schedule: Schedule, found: Assessment) -> Iterator[str]:
    """What elements of half the size would take, for a schedule whose buffers are known by type."""
    if not isinstance(schedule, KernelSchedule) or found.scheduled is None or found.baseline is None:
        return
    elements = {
        buffer.type.element_type: None for buffer, _ in schedule.kernel.buffers() if buffer.rotating is not None
    }
    for element in elements:
        narrower = _NARROWER.get(element.__class__)
        if narrower is None:
            continue
        try:
            buffers = _with_element(schedule, element, narrower)
        except NoFootprint:
            continue  # the data layout has a rule of its own for it
        claims = [_narrower_claim(buffers, schedule.stages, found)]
        budgets = [(found.baseline.count, "that one stage takes now"), (found.limit, "that the target allows")]
        for budget, whose in budgets:
            if budget is not None and (most := _most_within(buffers, budget)) is not None:
                claims.append(f"{_stages(most)} would fit in the {budget} bytes {whose}")
        yield f"  with {narrower} for {element} in the rotating buffers:"
        yield from (f"    {claim}" for claim in claims)


def _narrower_claim(buffers: list[Buffer], stages: int, found: Assessment) -> str:
    """What `buffers` take, and what the calibration that judges `found` makes of that."""
    one, taken = _takes(buffers, 1), _takes(buffers, stages)
    if stages == 1:
        return f"1 stage would take {one} bytes"
    claim = f"{_stages(stages)} would take {taken} bytes, one stage {one}"
    if found.chip is None or found.prediction.calibration is None or taken > MAX_BYTES:
        return claim
    other = assess(found.chip, one, taken, calibration=found.prediction.calibration)
    if other.ratio is None:
        return claim
    extrapolated = ", extrapolated" if other.extrapolated else ""
    return f"{claim}: {other.verdict.words}, ratio {other.ratio:.3f}{extrapolated}"


def _takes(buffers: list[Buffer], stages: int) -> int:
    """The footprint of `buffers`; more than any budget where it does not fit in 64 bits."""
    try:
        return footprint(buffers, stages)
    except NoFootprint:
        return MAX_BYTES + 1


def _most_within(buffers: list[Buffer], budget: int) -> int | None:
    """The most stages of `buffers` that take at most `budget` bytes; None if none does, or any number."""
    if not _takes(buffers, 1) <= budget < _takes(buffers, MOST_STAGES):
        return None
    return _last_true(lambda stages: _takes(buffers, stages) <= budget, 1, MOST_STAGES)


def _with_element(schedule: KernelSchedule, element: Attribute, narrower: Attribute) -> list[Buffer]:
    """The buffers of `schedule` with another element type in those that rotate and hold `element`."""
    layout = data_layout(schedule.kernel)
    buffers: list[Buffer] = []
    declared = schedule.kernel.buffers()
    for (op, _), buffer in zip(declared, schedule.buffers, strict=True):
        if buffer.rotating and op.type.element_type == element:
            type = MemRefType(narrower, op.type.get_shape(), op.type.layout, op.type.memory_space)
            size, alignment = memref_size(type, layout)
            buffer = replace(buffer, size=size, alignment=alignment if op.alignment is None else buffer.alignment)
        buffers.append(buffer)
    return buffers


def _other_chips(found: Assessment) -> Iterator[str]:
    """What the calibrations that exist say of these footprints, where the target has none."""
    if found.prediction.calibration is not None or not _exact(found.baseline) or not _exact(found.scheduled):
        return
    baseline, scheduled = found.prediction.baseline_bytes, found.prediction.candidate_bytes
    for calibration in calibrations():
        chip = (*calibration.families, *calibration.devices)[0]
        other = assess(chip, baseline, scheduled, calibration=calibration)
        if other.ratio is not None:
            by = f"on {calibration.matched} (calibration {calibration.name})"
            yield f"  {by} it would be {other.verdict.words}, ratio {other.ratio:.3f}"


def _exact(count: Bytes | None) -> bool:
    return count is not None and count.bound is Bound.EXACT
