"""Drives an Apple GPU through Metal itself, with the MSL kernels: the package `pyobjc-framework-Metal`.

Never run on a Mac. The tests drive it with a fake device, which shows that the calls fit together, not that Metal takes
them; the names are those of Apple's documentation as pyobjc spells them.
"""

import platform
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from rlx_sched.measure.device import DeviceInfo, DeviceLost, Launch, MeasureError, Pipeline, Program, Shape, grid

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_NAN_BYTE = b"\xff"
"""Repeated, a NaN in f32 and in f16: a result that no kernel wrote is never mistaken for one."""

_STORAGE_SHARED = 0
"""MTLResourceStorageModeShared."""

_COMPLETED = 4
"""MTLCommandBufferStatusCompleted."""

_NANOSECONDS = 10**9
"""GPUStartTime and GPUEndTime are in seconds."""


def open_metal(name: str | None) -> "MetalDevice":
    """Return the first Metal device with `name` in its name, else the system's default.

    Raises MeasureError where Metal or the device is missing.
    """
    try:
        import Metal  # pyright: ignore
    except ImportError as error:
        raise MeasureError(
            f"Metal is not available ({error}): it takes a Mac and pip install pyobjc-framework-Metal"
        ) from error
    metal: Any = Metal
    if name is None:
        device = metal.MTLCreateSystemDefaultDevice()
        if device is None:
            raise MeasureError("no GPU found: Metal has no default device")
        return MetalDevice(device)
    devices = list(metal.MTLCopyAllDevices())
    for device in devices:
        if name.casefold() in str(device.name()).casefold():
            return MetalDevice(device)
    names = ", ".join(str(device.name()) for device in devices) or "none"
    raise MeasureError(f"no Metal device has {name!r} in its name; devices: {names}")


@dataclass(frozen=True)
class _Pipeline:
    program: Program
    native: Any

    @property
    def compiled_bytes(self) -> int:
        """Static threadgroup memory of the compiled kernel, in bytes."""
        return int(self.native.staticThreadgroupMemoryLength())


@dataclass(frozen=True)
class _Problem:
    shape: Shape
    buffers: tuple[Any, ...]
    parameters: bytes
    result_bytes: int


class MetalDevice:
    """A device on top of an `MTLDevice`."""

    def __init__(self, native: Any) -> None:
        self._native = native
        self._queue = native.newCommandQueue()
        self.info = DeviceInfo(
            name=str(native.name()),
            api="metal",
            backend="Metal",
            # Metal has no version of its own; it comes with the system.
            driver=f"macOS {platform.mac_ver()[0]}",
            kind="IntegratedGPU" if native.hasUnifiedMemory() else "DiscreteGPU",
            max_threadgroup_bytes=int(native.maxThreadgroupMemoryLength()),
            max_threads=int(native.maxThreadsPerThreadgroup().width),
            f16=True,
            nanoseconds_per_tick=1.0,
            versions={"pyobjc-framework-Metal": _version("pyobjc-framework-Metal")},
            notes=(
                "MSL with fast math off; threadgroup memory is not filled with zeros",
                "times are the command buffer's GPUStartTime and GPUEndTime",
            ),
        )

    def compile(self, program: Program) -> Pipeline:
        """Compile the MSL of a program with fast math off. Raises MeasureError with Metal's message."""
        options = self._options()
        options.setFastMathEnabled_(False)
        library, error = self._native.newLibraryWithSource_options_error_(program.msl, options, None)
        if library is None:
            raise MeasureError(f"{self.info.name} refused the kernel {program.entry}: {error}")
        function = library.newFunctionWithName_(program.entry)
        native, error = self._native.newComputePipelineStateWithFunction_error_(function, None)
        if native is None:
            raise MeasureError(f"{self.info.name} refused the kernel {program.entry}: {error}")
        x, y = program.threads
        if x * y > native.maxTotalThreadsPerThreadgroup():
            raise MeasureError(
                f"{program.entry} needs {x * y} threads, this pipeline allows {native.maxTotalThreadsPerThreadgroup()}"
            )
        return _Pipeline(program, native)

    def _options(self) -> Any:
        import Metal  # pyright: ignore

        metal: Any = Metal
        return metal.MTLCompileOptions.alloc().init()

    def upload(self, shape: Shape, a: "NDArray[np.generic]", b: "NDArray[np.generic]") -> _Problem:
        """Put matrices into shared memory, with room for the result."""
        result_bytes = shape.m * shape.n * a.dtype.itemsize
        inputs = [
            self._native.newBufferWithBytes_length_options_(x.tobytes(), x.nbytes, _STORAGE_SHARED) for x in (a, b)
        ]
        result = self._native.newBufferWithLength_options_(result_bytes, _STORAGE_SHARED)
        return _Problem(shape, (*inputs, result), struct.pack("<4I", shape.m, shape.n, shape.k, 0), result_bytes)

    def run(self, pipeline: Pipeline, problem: _Problem) -> bytes:
        """Run once over a result filled with NaN, and return the result's bytes."""
        contents = problem.buffers[2].contents().as_buffer(problem.result_bytes)
        contents[:] = _NAN_BYTE * problem.result_bytes
        self._submit(Launch(pipeline, problem, 1))
        return bytes(contents)

    def time(self, launches: Sequence[Launch]) -> list[int]:
        """Run each launch in a command buffer of its own and return the nanoseconds that it ran."""
        times: list[int] = []
        for launch in launches:
            command = self._submit(launch)
            times.append(round((command.GPUEndTime() - command.GPUStartTime()) * _NANOSECONDS))
        if any(t <= 0 for t in times):
            raise DeviceLost(f"{self.info.name} returned times that do not advance; the device may be lost")
        return times

    def _submit(self, launch: Launch) -> Any:
        pipeline: Any = launch.pipeline
        problem: _Problem = launch.problem
        command = self._queue.commandBuffer()
        encoder = command.computeCommandEncoder()
        encoder.setComputePipelineState_(pipeline.native)
        for i, buffer in enumerate(problem.buffers):
            encoder.setBuffer_offset_atIndex_(buffer, 0, i)
        encoder.setBytes_length_atIndex_(problem.parameters, len(problem.parameters), len(problem.buffers))
        groups = (*grid(pipeline.program, problem.shape), 1)
        for _ in range(launch.repeats):
            encoder.dispatchThreadgroups_threadsPerThreadgroup_(groups, (*pipeline.program.threads, 1))
        encoder.endEncoding()
        command.commit()
        command.waitUntilCompleted()
        if command.status() != _COMPLETED:
            raise DeviceLost(f"{self.info.name} failed: {command.error()}")
        return command


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
