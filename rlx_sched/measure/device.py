"""What the harness needs of a GPU, whichever interface drives it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from rlx_sched.kernels.loops import Element, Kernel
from rlx_sched.kernels.model import SgemmSchedule
from rlx_sched.kernels.msl import print_msl
from rlx_sched.kernels.plain import plain_msl, plain_wgsl
from rlx_sched.kernels.wgsl import print_wgsl

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class MeasureError(Exception):
    """Something the user can act on: no GPU, no timestamps, a lost device, a failed gate."""


class DeviceLost(MeasureError):
    """The GPU or its driver gave up in the middle of a run; what was measured before still stands."""


def require(package: str) -> Any:
    """Import a package of the extra `calibrate`, or raise MeasureError that names the extra."""
    try:
        return import_module(package)
    except ImportError as error:
        raise MeasureError(
            f"the package {package} is missing or broken ({error}): pip install 'rlx-sched[calibrate]'"
        ) from error


@dataclass(frozen=True)
class DeviceInfo:
    """The device as the results record it."""

    name: str
    api: str
    """`webgpu` or `metal`."""
    backend: str
    """What the interface runs on: Vulkan, Metal, D3D12, ..."""
    driver: str
    kind: str
    """`DiscreteGPU`, `IntegratedGPU`, `CPU`, ..., as the interface says it."""
    max_threadgroup_bytes: int
    max_threads: int
    """Threads that a threadgroup may have."""
    f16: bool
    nanoseconds_per_tick: float
    """Length of one tick of the timestamps; 1 where they are nanoseconds already."""
    versions: dict[str, str] = field(default_factory=lambda: dict[str, str]())
    notes: tuple[str, ...] = ()
    """What a reader of the results should know about this way to drive the device."""


@dataclass(frozen=True)
class Program:
    """One arm's kernel, in both languages."""

    entry: str
    wgsl: str = field(repr=False)
    msl: str = field(repr=False)
    element: Element
    threads: tuple[int, int]
    covers: tuple[int, int]
    """Rows and columns of the result that one threadgroup computes."""
    threadgroup_bytes: int

    @classmethod
    def generated(cls, kernel: Kernel) -> "Program":
        """Return the program of a generated kernel."""
        return cls(
            entry=kernel.name,
            wgsl=print_wgsl([kernel]),
            msl=print_msl([kernel]),
            element=kernel.element,
            threads=kernel.threads,
            covers=kernel.covers,
            threadgroup_bytes=kernel.threadgroup_bytes,
        )

    @classmethod
    def plain(cls, schedule: SgemmSchedule) -> "Program":
        """Return the hand-written control with the tile and threads of `schedule`."""
        return cls(
            entry="plain",
            wgsl=plain_wgsl(schedule),
            msl=plain_msl(schedule),
            element=schedule.element,
            threads=(schedule.threads_x, schedule.threads_y),
            covers=(schedule.tile_m, schedule.tile_n),
            threadgroup_bytes=schedule.stage_bytes,
        )


@dataclass(frozen=True)
class Shape:
    """The sizes of one multiplication: `m` x `k` times `k` x `n`."""

    m: int
    n: int
    k: int


class Pipeline(Protocol):
    """A compiled program."""

    @property
    def program(self) -> Program:
        """What it was compiled from."""
        ...

    @property
    def compiled_bytes(self) -> int | None:
        """Threadgroup memory that the compiled kernel takes, in bytes, where the interface tells it."""
        ...


@dataclass(frozen=True)
class Launch:
    """One sample: `repeats` launches of a pipeline on a problem, timed as a whole."""

    pipeline: Pipeline
    problem: Any
    repeats: int


class Device(Protocol):
    """A GPU that compiles, runs and times programs. Every method may raise `DeviceLost`."""

    @property
    def info(self) -> DeviceInfo:
        """What is known about it."""
        ...

    def compile(self, program: Program) -> Pipeline:
        """Compile a program."""
        ...

    def upload(self, shape: Shape, a: "NDArray[np.generic]", b: "NDArray[np.generic]") -> Any:
        """Put matrices on the device, with room for the result; what is returned goes to `run` and `Launch`."""
        ...

    def run(self, pipeline: Pipeline, problem: Any) -> bytes:
        """Run once over a result filled with NaN, and return the result's bytes."""
        ...

    def time(self, launches: Sequence[Launch]) -> list[int]:
        """Run the launches one after the other and return the ticks that each took on the GPU."""
        ...


def grid(program: Program, shape: Shape) -> tuple[int, int]:
    """Return the threadgroups along x and y that cover the result."""
    rows, columns = program.covers
    return -(-shape.n // columns), -(-shape.m // rows)


def open_device(api: str, adapter: str | None, *, software: bool = False) -> Device:
    """Open the GPU of this machine through `api`, `webgpu` or `metal`: the first one with `adapter` in its name.

    `software` accepts a software renderer, to try the harness. Raises MeasureError where there is none.
    """
    if api == "metal":
        from rlx_sched.measure.metal import open_metal

        return open_metal(adapter)
    from rlx_sched.measure.webgpu import WebGpuDevice, choose_adapter

    return WebGpuDevice(choose_adapter(adapter, software=software))
