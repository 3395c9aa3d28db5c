"""A device made of numpy, whose times follow a law of the test's choice."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rlx_sched.measure.device import DeviceInfo, DeviceLost, Launch, Program, Shape


@dataclass(frozen=True)
class FakePipeline:
    program: Program
    compiled_bytes: int | None = None


def loss_of_a_tenth(program: Program, shape: Shape) -> float:
    """Microseconds of a kernel that loses 10 % of its throughput per doubling over the smallest of its kind."""
    del shape
    one_stage = 4 * (program.covers[0] + program.covers[1]) * max(program.threads)
    return 50 / (1 - 0.1 * math.log2(max(program.threadgroup_bytes / one_stage, 1)))


@dataclass
class FakeDevice:
    """Computes with numpy; `law` gives microseconds, noise is a hundredth of that at most."""

    law: Callable[[Program, Shape], float] = loss_of_a_tenth
    info: DeviceInfo = field(
        default_factory=lambda: DeviceInfo(
            name="Fake GPU 3000",
            api="webgpu",
            backend="Vulkan",
            driver="fake 1.0",
            kind="DiscreteGPU",
            max_threadgroup_bytes=49152,
            max_threads=1024,
            f16=True,
            nanoseconds_per_tick=1.0,
            versions={"wgpu": "0.0"},
        )
    )
    wrong: str | None = None
    """Entry point whose result has one wrong bit, where it takes more than one stage's bytes."""
    lost_after: float = math.inf
    """Batches that are timed before the device is lost."""
    interrupted_after: float = math.inf
    """Batches that are timed before the user presses Ctrl-C."""
    dropped: bool = False
    """Whether the compiler drops threadgroup arrays."""
    batches: int = 0
    order: list[str] = field(default_factory=lambda: list[str]())

    def with_info(self, **changes: Any) -> "FakeDevice":
        self.info = replace(self.info, **changes)
        return self

    def compile(self, program: Program) -> FakePipeline:
        return FakePipeline(program, 16 if self.dropped else None)

    def upload(self, shape: Shape, a: Any, b: Any) -> tuple[Shape, bytes]:
        return shape, (a.astype(np.float64) @ b.astype(np.float64)).astype(a.dtype).tobytes()

    def run(self, pipeline: FakePipeline, problem: tuple[Shape, bytes]) -> bytes:
        _, result = problem
        wrong = self.wrong == pipeline.program.entry and pipeline.program.threadgroup_bytes > 2048
        return bytes([result[0] ^ 1]) + result[1:] if wrong else result

    def time(self, launches: Sequence[Launch]) -> list[int]:
        self.batches += 1
        if self.batches > self.lost_after:
            raise DeviceLost(f"{self.info.name} failed: it was unplugged")
        if self.batches > self.interrupted_after:
            raise KeyboardInterrupt
        times: list[int] = []
        for launch in launches:
            program, (shape, _) = launch.pipeline.program, launch.problem
            self.order.append(f"{program.entry} {program.threadgroup_bytes}")
            jitter = 1 + 0.01 * math.sin(len(self.order))
            times.append(round(1000 * launch.repeats * self.law(program, shape) * jitter))
        return times
