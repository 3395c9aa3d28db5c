"""The experiment: arms of each configuration, a bit-exact gate, then timed rounds in random order.

Throughput of an arm is relative to `serial`, the generated kernel at one stage. `serial` itself is held against
`plain`, a kernel written by hand: the control.
"""

import platform
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import rlx_sched
from rlx_sched.kernels.loops import Element
from rlx_sched.kernels.model import SgemmSchedule, sgemm
from rlx_sched.measure.device import Device, Launch, MeasureError, Pipeline, Program, Shape
from rlx_sched.measure.probe import probe_zero_fill
from rlx_sched.measure.results import CONFIGURATION_NAME, SCHEMA, first_repeated

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CONFIGURATIONS = ("16x16/1x1/16", "8x8/1x1/8", "8x8/2x2/8", "16x16/2x2/16", "32x32/1x1/32")
"""Measured unless others are named: threads, outputs per thread, depth of the tiles. 512 to 8192 bytes at one stage."""

STAGES = (2, 3, 4)
"""Stages of the `rotate` and `pad` arms."""

SHAPES = (
    *(Shape(m, 1024, 1024) for m in (1, 4, 8, 16, 32, 64, 128, 256, 512, 1024)),
    Shape(1000, 1000, 1000),
    Shape(2048, 2048, 1024),
)
"""From one row, where latency rules, to matrices that fill a large GPU several times over; one is ragged."""

QUICK_SHAPES = (Shape(1, 64, 64), Shape(33, 65, 31), Shape(64, 64, 64))
"""For trying the harness, not for measuring."""

_TARGET_SECONDS = 1e-3
"""Length of one sample: long against the timestamps' resolution and the start of a pass, short against clock drift."""

_MAX_REPEATS = 256

_CHECKED_ROWS = 32
"""Rows of each result that are compared with numpy; the rest follows from being equal to bit-exact arms."""


@dataclass(frozen=True)
class Configuration:
    """A schedule that has a short name."""

    schedule: SgemmSchedule

    @classmethod
    def parse(cls, text: str) -> "Configuration":
        """Read `16x16/2x2/16` (threads x and y, outputs per thread in n and m, depth), with `/f16` for f16.

        Raises ValueError for anything else.
        """
        fields = CONFIGURATION_NAME.fullmatch(text)
        if fields is None:
            raise ValueError(
                f"configuration {text!r} is not THREADSxTHREADS/OUTPUTSxOUTPUTS/DEPTH[/f16], as in 16x16/2x2/16"
            )
        x, y, n, m, depth = map(int, fields.groups()[:5])
        element: Element = "f16" if fields[6] else "f32"
        return cls(SgemmSchedule(y * m, x * n, depth, x, y, m, n, element=element))

    @property
    def name(self) -> str:
        """`THREADSxTHREADS/OUTPUTSxOUTPUTS/DEPTH[/f16]`, the only one that `parse` reads as this."""
        s = self.schedule
        half = "/f16" if s.element == "f16" else ""
        return f"{s.threads_x}x{s.threads_y}/{s.outputs_n}x{s.outputs_m}/{s.tile_k}{half}"


@dataclass(frozen=True)
class Settings:
    """What is measured, and how often.

    Raises ValueError where a configuration is there twice: one may not be held out against itself.
    """

    configurations: tuple[Configuration, ...]
    shapes: tuple[Shape, ...] = SHAPES
    stages: tuple[int, ...] = STAGES
    rounds: int = 30
    seed: int = 0
    quick: bool = False
    """Whether this only tries the harness; no calibration may come of it."""

    def __post_init__(self) -> None:
        if repeated := first_repeated(c.name for c in self.configurations):
            raise ValueError(f"configuration {repeated} is there twice; it can be measured once")


def arms(configuration: Configuration, stages: Iterable[int]) -> dict[str, Program]:
    """Return the programs of a configuration by arm: `plain`, `serial`, `rotate-S` and `pad-S`."""
    schedule = configuration.schedule
    programs = {"plain": Program.plain(schedule), "serial": Program.generated(sgemm(schedule))}
    for s in stages:
        programs[f"rotate-{s}"] = Program.generated(sgemm(schedule.with_stages(s)))
    for s in stages:
        programs[f"pad-{s}"] = Program.generated(sgemm(schedule, idle_bytes=(s - 1) * schedule.stage_bytes))
    return programs


def start(device: Device, settings: Settings) -> dict[str, Any]:
    """Return the results file of an experiment of which nothing is measured yet."""
    return {
        "schema": SCHEMA,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "device": {**asdict(device.info), "notes": list(device.info.notes)},
        "host": {
            "system": f"{platform.system()} {platform.machine()}",
            "python": platform.python_version(),
            "rlx-sched": rlx_sched.__version__,
            "numpy": _version("numpy"),
        },
        "settings": {
            "seed": settings.seed,
            "rounds": settings.rounds,
            "quick": settings.quick,
            "stages": list(settings.stages),
            "contraction": "explicit fma in every arm, sums in f32 in order of k",
            "baseline": "serial: the generated kernel at one stage",
            "sample": "repeated launches in one compute pass between two GPU timestamps",
        },
        "zero_fill": None,
        "skipped": [],
        "configurations": [
            {
                "name": c.name,
                **asdict(c.schedule),
                "stage_bytes": c.schedule.stage_bytes,
                "arms": {},
                "shapes": [{**asdict(shape), "repeats": 0, "ticks": {}} for shape in settings.shapes],
            }
            for c in settings.configurations
        ],
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


@dataclass(frozen=True)
class _Group:
    """The arms of one configuration on one shape: timed together, so that they see the same clocks."""

    record: dict[str, Any]
    shape: Shape
    problem: Any
    pipelines: dict[str, Pipeline]


def run(
    device: Device,
    settings: Settings,
    results: dict[str, Any],
    *,
    save: Callable[[], None] = lambda: None,
    progress: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> None:
    """Measure what `results` lacks, calling `save` after every round and `progress(what, done, total)` all along.

    `what` names the phase, of which `done` of `total` is done, and after a comma where in it.

    Raises MeasureError where the gate fails or nothing fits the device, and what the device raises.
    """
    skipped: list[dict[str, str]] = []
    results["skipped"] = skipped
    programs = [_fitting(device, one, settings.stages, skipped) for one in settings.configurations]
    if not any(programs):
        reasons = "; ".join(one["reason"] for one in skipped)
        raise MeasureError(f"no configuration fits {device.info.name}: {reasons}")
    if results.get("zero_fill") is None:
        progress("probing the GPU", 0, 1)
        results["zero_fill"] = probe_zero_fill(device).as_json()
    groups = list(_prepare(device, settings, programs, results, progress))
    save()
    total = settings.rounds * len(groups)
    for number in range(settings.rounds):
        order = random.Random(f"{settings.seed} {number}")
        for place, group in enumerate(order.sample(groups, len(groups))):
            names = order.sample(sorted(group.pipelines), len(group.pipelines))
            ticks = group.record["ticks"]
            if all(len(ticks[name]) > number for name in names):
                continue
            _sample(device, group, names)
            progress(f"measuring, round {number + 1}", number * len(groups) + place + 1, total)
        save()


def _sample(device: Device, group: _Group, names: list[str]) -> None:
    repeats = group.record["repeats"]
    launches = [Launch(group.pipelines[name], group.problem, repeats) for name in names]
    # The first launch only wakes the device up.
    _, *ticks = device.time([launches[0], *launches])
    for name, value in zip(names, ticks, strict=True):
        group.record["ticks"][name].append(value)


def _prepare(
    device: Device,
    settings: Settings,
    fitting: Sequence[dict[str, Program]],
    results: dict[str, Any],
    progress: Callable[[str, int, int], None],
) -> Iterator[_Group]:
    """Compile the arms that fit, hold each result against `plain` and numpy, and choose the repeats of a sample."""
    problems: dict[tuple[Shape, Element], tuple[Any, Any, Any]] = {}
    total = len(settings.configurations) * len(settings.shapes)
    for number, (configuration, programs, record) in enumerate(
        zip(settings.configurations, fitting, results["configurations"], strict=True)
    ):
        pipelines = {arm: device.compile(program) for arm, program in programs.items()}
        record["arms"] = {arm: _arm(arm, pipeline) for arm, pipeline in pipelines.items()}
        for place, (shape, shape_record) in enumerate(zip(settings.shapes, record["shapes"], strict=True)):
            if not pipelines:
                continue
            element = configuration.schedule.element
            if (shape, element) not in problems:
                a, b = _matrices(shape, element, settings.seed)
                problems[shape, element] = device.upload(shape, a, b), a, b
            problem, a, b = problems[shape, element]
            progress("checking results", number * len(settings.shapes) + place, total)
            _gate(device, configuration, shape, pipelines, problem, a, b)
            group = _Group(shape_record, shape, problem, pipelines)
            ticks = {arm: shape_record["ticks"].get(arm, []) for arm in pipelines}
            # A run that was cut short in the middle of a group left more samples of some arms than of others.
            complete = min(map(len, ticks.values()))
            shape_record["ticks"] = {arm: samples[:complete] for arm, samples in ticks.items()}
            shape_record["repeats"] = shape_record["repeats"] or _repeats(device, group)
            yield group


def _arm(name: str, pipeline: Pipeline) -> dict[str, Any]:
    declared, compiled = pipeline.program.threadgroup_bytes, pipeline.compiled_bytes
    if compiled is not None and compiled < declared:
        raise MeasureError(
            f"gate: {name} declares {declared} bytes of threadgroup memory, the compiler kept {compiled}"
        )
    return {"bytes": declared, "compiled_bytes": compiled}


def _fitting(
    device: Device, configuration: Configuration, stages: Iterable[int], skipped: list[dict[str, str]]
) -> dict[str, Program]:
    """Return the arms that the device can run, and note the others with the reason."""

    def skip(arm: str, reason: str) -> None:
        skipped.append({"configuration": configuration.name, "arm": arm, "reason": reason})

    info, schedule = device.info, configuration.schedule
    if schedule.element == "f16" and not info.f16:
        skip("all", f"{configuration.name} needs f16, which {info.name} does not offer")
        return {}
    if schedule.threads > info.max_threads:
        skip("all", f"{configuration.name} needs {schedule.threads} threads, {info.name} allows {info.max_threads}")
        return {}
    limit = info.max_threadgroup_bytes
    if schedule.stage_bytes > limit:
        skip("all", f"{configuration.name} needs {schedule.stage_bytes} bytes of threadgroup memory, limit {limit}")
        return {}
    fitting: dict[str, Program] = {}
    for arm, program in arms(configuration, stages).items():
        if program.threadgroup_bytes > limit:
            skip(arm, f"{arm} needs {program.threadgroup_bytes} bytes of threadgroup memory, limit {limit}")
        else:
            fitting[arm] = program
    return fitting


def _matrices(shape: Shape, element: Element, seed: int) -> "tuple[NDArray[np.generic], NDArray[np.generic]]":
    import numpy as np

    generator = np.random.default_rng([seed, shape.m, shape.n, shape.k])
    dtype = np.float32 if element == "f32" else np.float16
    a = generator.uniform(-1, 1, (shape.m, shape.k)).astype(dtype)
    b = generator.uniform(-1, 1, (shape.k, shape.n)).astype(dtype)
    return a, b


def _gate(
    device: Device,
    configuration: Configuration,
    shape: Shape,
    pipelines: dict[str, Pipeline],
    problem: Any,
    a: "NDArray[Any]",
    b: "NDArray[Any]",
) -> None:
    import numpy as np

    where = f"{configuration.name} at {shape.m}x{shape.n}x{shape.k}"
    expected = device.run(pipelines["plain"], problem)
    result = np.frombuffer(expected, a.dtype).reshape(shape.m, shape.n)
    rows = np.unique(np.linspace(0, shape.m - 1, min(shape.m, _CHECKED_ROWS)).astype(int))
    error = np.abs(result[rows] - a[rows].astype(np.float64) @ b.astype(np.float64))
    bound = error_bound(a[rows], b)
    if not (error <= bound).all():
        raise MeasureError(
            f"gate: plain of {where} is off by {np.nanmax(error):.3g}, at most {bound.max():.3g} is right"
        )
    for arm, pipeline in pipelines.items():
        got = device.run(pipeline, problem)
        if got != expected:
            bits = np.uint32 if a.dtype == np.float32 else np.uint16
            wrong = np.count_nonzero(np.frombuffer(got, bits) != np.frombuffer(expected, bits))
            raise MeasureError(f"gate: {arm} of {where} differs from plain in {wrong} of {shape.m * shape.n} results")


def error_bound(a: "NDArray[Any]", b: "NDArray[Any]") -> "NDArray[np.float64]":
    """Bound the error of sums of products taken in f32 by `fma` and rounded to the type of the matrices.

    The classic bound of a dot product of length k, k * u / (1 - k * u) times the dot product of absolute values with
    u = 2**-24 (Higham, Accuracy and Stability of Numerical Algorithms, 3.1), plus the rounding of the result.
    """
    import numpy as np

    absolute = np.abs(a.astype(np.float64)) @ np.abs(b.astype(np.float64))
    # One more unit for an implementation whose fma rounds twice, as WGSL allows.
    length = 2 * a.shape[1]
    unit = 2.0**-24
    bound = length * unit / (1 - length * unit) * absolute
    if a.dtype == np.float16:
        # Half a unit in the last place of f16, subnormal results included.
        bound = bound + (absolute + bound) * 2.0**-11 + 2.0**-25
    return bound


def _repeats(device: Device, group: _Group) -> int:
    """Launches that fill the length of a sample, after a warm-up of every arm."""
    device.time([Launch(pipeline, group.problem, 1) for pipeline in group.pipelines.values()])
    ticks = min(device.time([Launch(group.pipelines["serial"], group.problem, 1)] * 3))
    seconds = ticks * device.info.nanoseconds_per_tick * 1e-9
    return max(1, min(_MAX_REPEATS, round(_TARGET_SECONDS / seconds)))
