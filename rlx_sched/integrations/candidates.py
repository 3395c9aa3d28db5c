"""Filter and rank the configurations of any search, whatever they are.

`filter_candidates` and `rank_candidates` work on the caller's own objects. `describe` turns one into a `Candidate`: the
buffers of the kernel and how many stages they have. What the passes `occupancy-filter` and `sched-rank` do to a search
space in IR, these do to an iterable, by the same rule: only rotations of one schedule are compared with each other.
"""

from __future__ import annotations

import itertools
import logging
import numbers
import operator
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar, cast

from rlx_sched.dialect.layout import Buffer, NoFootprint, footprint, integer
from rlx_sched.occupancy import Calibration, Chip, Prediction, Slower, Unknown, assess, describe_chip, find_calibration
from rlx_sched.occupancy.limits import threadgroup_limit
from rlx_sched.occupancy.model import byte_count
from rlx_sched.occupancy.selection import Extrapolated, check_extrapolated, loses, rank

T = TypeVar("T")

LOGGER = logging.getLogger("rlx_sched")
"""Where decisions go that nobody else asked for: dropped at INFO, kept for want of anything better at WARNING."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What the model has to know of a configuration.

    `stages` is what the slots rules of the buffers are about: the stage setting, or the slots themselves where the
    compiler's rule is none of a buffer's (`rlx_sched.sources.slots` has those of several). Configurations with equal
    `buffers` and equal `schedule` are rotations of one schedule; `schedule` is whatever else tells them apart (threads,
    tiles that are not staged, ...). `elsewhere_bytes` are the most that the kernel takes of the same memory while
    the buffers are not in use: as long as those take no more, stages cost nothing.

    Raises:
        TypeError: if `buffers` are no buffers, `stages` or `elsewhere_bytes` is not an integer (a bool is not), or
            `schedule` cannot be hashed.
        ValueError: if the size of a buffer or `elsewhere_bytes` is negative or above 2^64 - 1.
    """

    buffers: tuple[Buffer, ...]
    stages: int
    schedule: Hashable = None
    elsewhere_bytes: int = 0

    def __post_init__(self) -> None:
        buffers: Any = self.buffers  # whatever the caller gave
        if not isinstance(buffers, Iterable):
            raise TypeError(f"buffers must be Buffers, got {buffers!r}")
        checked = tuple(cast("Iterable[Any]", buffers))
        for number, buffer in enumerate(checked):
            if not isinstance(buffer, Buffer):
                raise TypeError(f"buffers[{number}] must be a Buffer, got {buffer!r}")
            byte_count(f"buffers[{number}].size", buffer.size)
        object.__setattr__(self, "buffers", checked)
        object.__setattr__(self, "stages", integer("stages", self.stages))
        object.__setattr__(self, "elsewhere_bytes", byte_count("elsewhere_bytes", self.elsewhere_bytes))
        try:
            hash(self.schedule)
        except TypeError:
            raise TypeError(f"schedule must be hashable, got {self.schedule!r}") from None


@dataclass(frozen=True, slots=True)
class Decision(Generic[T]):
    """What became of one configuration, and why."""

    config: T
    kept: bool
    reason: str
    prediction: Prediction


def all_but(option: str, options: Mapping[str, Any]) -> Hashable:
    """What configurations that differ in nothing but `option` have in common: their `Candidate.schedule`."""
    return frozenset((name, _frozen(value)) for name, value in options.items() if name != option)


def _frozen(value: Any) -> Hashable:
    """Something hashable that is equal for values that are certainly equal; `1`, `1.0` and `True`, `0.0` and `-0.0` are
    not. Objects of other classes are if those say so.

    Not their text alone, which different objects may have in common.
    """
    kind = cast("type[Any]", type(value))
    if isinstance(value, list | tuple):
        return kind, tuple(map(_frozen, cast("Sequence[Any]", value)))
    if isinstance(value, dict):
        pairs = cast("dict[Any, Any]", value).items()
        return kind, frozenset((_frozen(key), _frozen(one)) for key, one in pairs)
    if isinstance(value, set | frozenset):
        return kind, frozenset(map(_frozen, cast("Iterable[Any]", value)))
    if isinstance(value, numbers.Number) and not isinstance(value, numbers.Rational):
        return kind, value, repr(value)  # the text tells zeros of two signs apart, and decimals of different digits
    try:
        hash(value)
    except TypeError:
        return object()
    return kind, value


def check_configs(configs: object) -> None:
    """Check that `configs` may be the configurations of a search.

    Raises:
        TypeError: if nothing comes of iterating over it but the names of a dictionary, or letters.
    """
    if isinstance(configs, Mapping | str | bytes) or not isinstance(configs, Iterable):
        raise TypeError(f"configs must be a list, or another iterable, of configurations, got {configs!r}")


def check_shape(argument: str, names: Sequence[object]) -> None:
    """Check that a tile's shape is given as names of block sizes, or numbers.

    Raises:
        TypeError: naming the `argument`. One name alone is a mistake that is easily made.
    """
    given: Any = names
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise TypeError(f"{argument} must be a sequence of block sizes, got {given!r}")


Describe: TypeAlias = Callable[[T], Candidate]
"""Describes a configuration; may raise `NoFootprint` where its footprint cannot be known, which keeps it."""
Report: TypeAlias = Callable[[Decision[T]], None]


def log_decision(decision: Decision[T]) -> None:
    """Log a decision: the default of `report`."""
    level = logging.WARNING if decision.kept else logging.INFO
    LOGGER.log(level, "%s %s: %s", "kept" if decision.kept else "dropped", decision.config, decision.reason)


def filter_candidates(
    configs: Iterable[T],
    *,
    describe: Describe[T],
    chip: Chip,
    calibration: Calibration | None = None,
    max_threadgroup_bytes: int | None = None,
    extrapolated: Extrapolated = "strip",
    report: Report[T] = log_decision,
) -> Iterator[T]:
    """Yield the configurations that are worth a measurement on `chip`.

    A configuration is dropped if it is predicted slower than its own schedule with one stage and another rotation of
    that schedule remains, or if it takes more threadgroup memory than the chip has and anything remains. Where the
    model knows nothing, and for every difference that it does not price (tiles, threads), nothing is dropped. Of a
    schedule whose rotations are all slower the best one stays, and of configurations that all take too much memory the
    smallest, so that what comes out is empty only if `configs` is.

    The work is done as the result is consumed: what is not dropped comes at once, in the order of `configs`; what stays
    only because nothing better turned up comes at the end, in its order. No more is held in memory than one
    configuration of each schedule. `configs` may be endless.

    `calibration` takes the place of the shipped ones, `max_threadgroup_bytes` that of the chip's known limit. `report`
    hears of everything dropped, of what was kept although it loses, and, once for each reason, of what was kept because
    its footprint is not known.

    Raises:
        TypeError: if `configs` is no iterable, or a dictionary; if `chip`, `calibration` or `max_threadgroup_bytes` is
            of another type; or if `describe` gives no `Candidate`, when the configuration is reached.
        ValueError: if `extrapolated` is neither of its two values, or `max_threadgroup_bytes` is out of range.
    """
    check_configs(configs)
    judge = _Judge(describe, chip, calibration, max_threadgroup_bytes, extrapolated)
    return (judged.config for judged in _filter(configs, judge, report))


def filter_sequence(
    configs: Sequence[T],
    *,
    describe: Describe[T],
    chip: Chip,
    calibration: Calibration | None = None,
    max_threadgroup_bytes: int | None = None,
    extrapolated: Extrapolated = "strip",
    report: Report[T] = log_decision,
) -> list[T]:
    """`filter_candidates` for configurations that are all there already: what stays keeps the order of `configs`.

    Raises:
        TypeError: as `filter_candidates` does.
        ValueError: as `filter_candidates` does.
    """
    check_configs(configs)
    judge = _Judge(describe, chip, calibration, max_threadgroup_bytes, extrapolated)
    return [judged.config for judged in sorted(_filter(configs, judge, report), key=operator.attrgetter("place"))]


def rank_candidates(
    configs: Iterable[T],
    *,
    describe: Describe[T],
    chip: Chip,
    calibration: Calibration | None = None,
    max_threadgroup_bytes: int | None = None,
) -> Iterator[T]:
    """Yield all configurations, the rotations of each schedule in the order in which to measure them.

    Faster ones first, by falling ratio; then what is too close to call, in the order of `configs`; then slower ones by
    falling ratio; last what takes more threadgroup memory than the chip has. A schedule of whose rotations one is
    unknown keeps its order. Each schedule keeps the places it had in `configs`: the model does not compare schedules.

    Nothing is read from `configs` before the first result is asked for; all of it is then.

    Raises:
        TypeError: as `filter_candidates` does.
        ValueError: as `filter_candidates` does.
    """
    check_configs(configs)
    judge = _Judge(describe, chip, calibration, max_threadgroup_bytes, "strip")
    schedules: dict[Hashable, list[_Judged[T]]] = {}
    for judged in map(judge, itertools.count(), configs):
        schedules.setdefault(judged.schedule, []).append(judged)
    order: dict[int, T] = {}
    for members in schedules.values():
        ranked = members
        if not any(isinstance(judged.prediction.verdict, Unknown) for judged in members):
            ranked = sorted(members, key=lambda judged: rank(judged.prediction.verdict, judged.excess))
        order.update((member.place, better.config) for member, better in zip(members, ranked, strict=True))
    for place in sorted(order):
        yield order[place]


@dataclass(frozen=True, slots=True)
class _Judged(Generic[T]):
    place: int
    """Number of the configuration in the search."""
    config: T
    schedule: Hashable
    prediction: Prediction
    excess: int
    """Bytes over the limit; 0 where it fits or no limit is known."""
    loses: bool
    """Whether it is to go for being slower."""
    no_footprint: str | None = None
    """Why its footprint is not known."""

    @property
    def ratio(self) -> float:
        return self.prediction.ratio or 0.0


class _Judge(Generic[T]):
    """Judges the configurations of one search."""

    def __init__(
        self,
        describe: Describe[T],
        chip: Chip,
        calibration: Calibration | None,
        max_threadgroup_bytes: int | None,
        extrapolated: Extrapolated,
    ):
        check_extrapolated(extrapolated)
        self.describe = describe
        self.chip = chip
        self.calibration = calibration
        find_calibration(chip, calibration)  # raises for what is none
        self.limit = (
            threadgroup_limit(chip)
            if max_threadgroup_bytes is None
            else byte_count("max_threadgroup_bytes", max_threadgroup_bytes)
        )
        self.extrapolated: Extrapolated = extrapolated

    def __call__(self, place: int, config: T) -> _Judged[T]:
        try:
            candidate = self.describe(config)
            if not isinstance(candidate, Candidate):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TypeError(f"describe must return a Candidate, got {candidate!r}")
        except NoFootprint as error:
            # A schedule of its own: nothing is known of it that it could be compared by.
            return _Judged(place, config, object(), Prediction(Unknown(str(error)), 0, 0), 0, False, str(error))
        elsewhere = candidate.elsewhere_bytes
        schedule = (candidate.buffers, candidate.schedule, elsewhere)
        try:
            baseline = footprint(candidate.buffers, 1)
            scheduled = footprint(candidate.buffers, candidate.stages)
        except NoFootprint as error:
            return _Judged(place, config, schedule, Prediction(Unknown(str(error)), 0, 0), 0, False, str(error))
        prediction = assess(
            self.chip, max(baseline, elsewhere), max(scheduled, elsewhere), calibration=self.calibration
        )
        # What is taken elsewhere is a bound: it is not certain to take too much.
        excess = 0 if self.limit is None else max(0, scheduled - self.limit)
        going = loses(prediction, self.extrapolated)
        return _Judged(place, config, schedule, prediction, excess, going)

    def why(self, judged: _Judged[T]) -> str:
        """Why a configuration would go."""
        found = judged.prediction
        if judged.excess:
            limit = self.limit or 0
            return (
                f"it takes {judged.excess + limit} bytes of threadgroup memory, more than the {limit} of "
                f"{describe_chip(self.chip)}"
            )
        extrapolated = ", extrapolated" if found.extrapolated else ""
        return (
            f"predicted at {judged.ratio:.3f} of its throughput with one stage{extrapolated} "
            f"({found.baseline_bytes} -> {found.candidate_bytes} bytes of threadgroup memory)"
        )


def _filter(configs: Iterable[T], judge: _Judge[T], report: Report[T]) -> Iterator[_Judged[T]]:
    # The schedules of which one is left, and the best slower one of each other.
    survived: set[Hashable] = set()
    held: dict[Hashable, _Judged[T]] = {}
    # The configuration least over the limit.
    smallest: _Judged[T] | None = None
    nothing_left = True
    # Why footprints are not known, as far as reported.
    reasons: set[str] = set()

    def drop(judged: _Judged[T]) -> None:
        report(Decision(judged.config, False, judge.why(judged), judged.prediction))

    for judged in map(judge, itertools.count(), configs):
        if judged.no_footprint is not None and judged.no_footprint not in reasons:
            reasons.add(judged.no_footprint)
            report(Decision(judged.config, True, judged.no_footprint, judged.prediction))
        if judged.excess:
            if smallest is None or judged.excess < smallest.excess:
                smallest, judged = judged, smallest
            if judged is not None:
                drop(judged)
        elif not judged.loses:
            yield judged
            nothing_left = False
            if judged.no_footprint is not None or isinstance(judged.prediction.verdict, Slower):
                continue  # not known to fit, or kept for being extrapolated: no reason to drop others
            survived.add(judged.schedule)
            if (beaten := held.pop(judged.schedule, None)) is not None:
                drop(beaten)
        elif judged.schedule in survived:
            drop(judged)
        else:
            best = held.get(judged.schedule)
            if best is None or judged.ratio > best.ratio:
                # Popped first, so that `held` stays in the order of `configs`.
                held.pop(judged.schedule, None)
                held[judged.schedule] = judged
                judged = best
            if judged is not None:
                drop(judged)
    for best in held.values():
        nothing_left = False
        reason = f"{judge.why(best)}, but no other rotation of its schedule is better: add it with one stage"
        report(Decision(best.config, True, reason, best.prediction))
        yield best
    if smallest is not None:
        if not nothing_left:
            drop(smallest)
        else:
            reason = f"{judge.why(smallest)}, but nothing takes less: a search needs at least one configuration"
            report(Decision(smallest.config, True, reason, smallest.prediction))
            yield smallest
