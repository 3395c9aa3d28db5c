"""Drives a GPU through WebGPU: the PyPI package `wgpu`, that is wgpu-native, on Vulkan, Metal or D3D12.

wgpu-native creates its pipelines with zero filling of workgroup memory switched off (`zero_initialize_workgroup_memory:
false` in its `src/lib.rs`); the harness does not rely on it but looks, see `rlx_sched.measure.probe`.

WebGPU's bounds checks are switched off too. With them, the arms measure how many of them the driver's compiler proves
away: on an NVIDIA H200, 3 stages of 16x16/1x1/16 ran at 1.06, 1.17 or 1.23 of one stage by how the slot was spelled
(remainder, array dimension, counter), and without checks at 1.23 to 1.24 in each spelling.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rlx_sched.measure.device import (
    DeviceInfo,
    DeviceLost,
    Launch,
    MeasureError,
    Pipeline,
    Program,
    Shape,
    grid,
    require,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TIMESTAMP_BYTES = 8
"""Bytes of one timestamp (WebGPU: 64 bits)."""

_NAN_BYTE = b"\xff"
"""Repeated, a NaN in f32 and in f16: a result that no kernel wrote is never mistaken for one."""


@dataclass(frozen=True)
class _Pipeline:
    program: Program
    native: Any
    compiled_bytes: int | None = None


@dataclass(frozen=True)
class _Problem:
    shape: Shape
    result: Any
    result_bytes: int
    bind_group: Any


def adapters() -> list[Any]:
    """Return the adapters that WebGPU sees, best first: discrete, integrated, anything else, software last."""
    wgpu = require("wgpu")
    order = ["DiscreteGPU", "IntegratedGPU", "VirtualGPU", "Unknown", "CPU"]
    found = [a for a in wgpu.gpu.enumerate_adapters_sync() if a.info["backend_type"] != "OpenGL"]
    return sorted(found, key=lambda a: order.index(kind) if (kind := a.info["adapter_type"]) in order else len(order))


def choose_adapter(name: str | None, *, software: bool) -> Any:
    """Return the first adapter whose name contains `name`, else the best one.

    Raises MeasureError where there is none, or only a software renderer and `software` is not set.
    """
    found = adapters()
    names = ", ".join(a.info["device"] for a in found) or "none"
    if name is not None:
        found = [a for a in found if name.casefold() in a.info["device"].casefold()]
        if not found:
            raise MeasureError(f"no adapter has {name!r} in its name; adapters: {names}")
    if not found:
        raise MeasureError("no GPU found: WebGPU sees no adapter; is a Vulkan, Metal or D3D12 driver installed?")
    adapter = found[0]
    if adapter.info["adapter_type"] == "CPU" and not software:
        raise MeasureError(
            f"no GPU found: WebGPU sees only the software renderer {adapter.info['device']}, whose times say nothing "
            "about a GPU; --allow-software runs on it all the same"
        )
    return adapter


class WebGpuDevice:
    """A device of the adapter, with the adapter's own limit of workgroup memory instead of WebGPU's default 16384."""

    def __init__(self, adapter: Any) -> None:
        self._wgpu = require("wgpu")
        if "timestamp-query" not in adapter.features:
            raise MeasureError(
                f"{adapter.info['device']} has no GPU timestamps (feature timestamp-query), and times taken on the "
                "CPU would measure the driver"
            )
        limits = adapter.limits
        wanted = [
            "max-compute-workgroup-storage-size",
            "max-compute-invocations-per-workgroup",
            "max-compute-workgroup-size-x",
            "max-compute-workgroup-size-y",
        ]
        features = [f for f in ("timestamp-query", "shader-f16") if f in adapter.features]
        try:
            self._device = adapter.request_device_sync(
                required_features=features, required_limits={name: limits[name] for name in wanted}
            )
        except Exception as error:
            raise MeasureError(f"{adapter.info['device']} gave no device: {error}") from error
        self.info = DeviceInfo(
            name=adapter.info["device"],
            api="webgpu",
            backend=adapter.info["backend_type"],
            driver=adapter.info["description"],
            kind=adapter.info["adapter_type"],
            max_threadgroup_bytes=limits["max-compute-workgroup-storage-size"],
            max_threads=limits["max-compute-invocations-per-workgroup"],
            f16="shader-f16" in features,
            nanoseconds_per_tick=self._tick(),
            versions={
                "wgpu": self._wgpu.__version__,
                "wgpu-native": ".".join(map(str, self._wgpu.backends.wgpu_native.__version__.split(".")))
                if hasattr(self._wgpu.backends, "wgpu_native")
                else "unknown",
            },
            notes=(
                "WGSL through naga, without bounds checks of array accesses and loops",
                "WebGPU does not tell the compiled size of workgroup memory; pad is as declared",
            ),
        )
        layout = [("read-only-storage"), ("read-only-storage"), ("storage"), ("uniform")]
        self._group_layout = self._device.create_bind_group_layout(
            entries=[
                {"binding": i, "visibility": self._wgpu.ShaderStage.COMPUTE, "buffer": {"type": kind}}
                for i, kind in enumerate(layout)
            ]
        )
        self._layout = self._device.create_pipeline_layout(bind_group_layouts=[self._group_layout])

    def _tick(self) -> float:
        """Nanoseconds of a tick; only wgpu-native knows, and only ratios of times are used."""
        native = self._wgpu.backends.wgpu_native
        return float(native.lib.wgpuQueueGetTimestampPeriod(self._device.queue._internal))

    def compile(self, program: Program) -> Pipeline:
        """Compile the WGSL of a program. Raises MeasureError with WebGPU's message where it is refused."""
        try:
            module = self._module(program.wgsl)
            native = self._device.create_compute_pipeline(
                layout=self._layout, compute={"module": module, "entry_point": program.entry}
            )
        except self._wgpu.GPUError as error:
            raise MeasureError(f"{self.info.name} refused the kernel {program.entry}: {error}") from error
        return _Pipeline(program, native)

    def _module(self, code: str) -> Any:
        """Compile WGSL that WebGPU found valid without its bounds checks; only wgpu-native has such modules."""
        native = self._wgpu.backends.wgpu_native
        checked = self._device.create_shader_module(code=code)
        try:
            create = native.lib.wgpuDeviceCreateShaderModuleTrusted
        except AttributeError as error:
            raise MeasureError(
                f"wgpu {self._wgpu.__version__} cannot compile kernels without bounds checks, wgpu 0.32 can"
            ) from error
        text = native.ffi.new("char[]", code.encode())
        source = native.ffi.new("WGPUShaderSourceWGSL *")
        source.chain.sType = native.lib.WGPUSType_ShaderSourceWGSL
        source.code.data, source.code.length = text, len(text) - 1
        descriptor = native.ffi.new("WGPUShaderModuleDescriptor *")
        descriptor.nextInChain = native.ffi.cast("WGPUChainedStruct *", source)
        pointer = create(self._device._internal, descriptor, native.lib.WGPUShaderRuntimeChecks_None)
        return type(checked)("", pointer, self._device)

    def upload(self, shape: Shape, a: "NDArray[np.generic]", b: "NDArray[np.generic]") -> _Problem:
        """Put matrices on the device, with room for the result."""
        usage = self._wgpu.BufferUsage
        parameters = struct.pack("<4I", shape.m, shape.n, shape.k, 0)
        result_bytes = -(-shape.m * shape.n * a.dtype.itemsize // 4) * 4
        with self._guarded():
            inputs = [
                self._device.create_buffer_with_data(data=_whole_words(x.tobytes()), usage=usage.STORAGE)
                for x in (a, b)
            ]
            result = self._device.create_buffer(
                size=result_bytes, usage=usage.STORAGE | usage.COPY_SRC | usage.COPY_DST
            )
            uniform = self._device.create_buffer_with_data(data=parameters, usage=usage.UNIFORM)
            bind_group = self._device.create_bind_group(
                layout=self._group_layout,
                entries=[
                    {"binding": i, "resource": {"buffer": buffer}}
                    for i, buffer in enumerate([*inputs, result, uniform])
                ],
            )
        return _Problem(shape, result, shape.m * shape.n * a.dtype.itemsize, bind_group)

    def run(self, pipeline: Pipeline, problem: _Problem) -> bytes:
        """Run once over a result filled with NaN, and return the result's bytes."""
        with self._guarded():
            self._device.queue.write_buffer(problem.result, 0, _NAN_BYTE * problem.result.size)
            encoder = self._device.create_command_encoder()
            self._encode(encoder.begin_compute_pass(), Launch(pipeline, problem, 1))
            self._device.queue.submit([encoder.finish()])
            return bytes(self._device.queue.read_buffer(problem.result))[: problem.result_bytes]

    def time(self, launches: Sequence[Launch]) -> list[int]:
        """Run the launches one after the other, each in a compute pass of its own between two timestamps."""
        usage = self._wgpu.BufferUsage
        count = 2 * len(launches)
        with self._guarded():
            queries = self._device.create_query_set(type="timestamp", count=count)
            stamps = self._device.create_buffer(
                size=count * _TIMESTAMP_BYTES, usage=usage.QUERY_RESOLVE | usage.COPY_SRC
            )
            encoder = self._device.create_command_encoder()
            for i, launch in enumerate(launches):
                writes = {
                    "query_set": queries,
                    "beginning_of_pass_write_index": 2 * i,
                    "end_of_pass_write_index": 2 * i + 1,
                }
                self._encode(encoder.begin_compute_pass(timestamp_writes=writes), launch)
            encoder.resolve_query_set(queries, 0, count, stamps, 0)
            self._device.queue.submit([encoder.finish()])
            values = struct.unpack(f"<{count}Q", bytes(self._device.queue.read_buffer(stamps)))
        ticks = [end - begin for begin, end in zip(values[::2], values[1::2], strict=True)]
        if any(t <= 0 for t in ticks):
            raise DeviceLost(f"{self.info.name} returned timestamps that do not advance; the device may be lost")
        return ticks

    def _encode(self, compute: Any, launch: Launch) -> None:
        compute.set_pipeline(launch.pipeline.native)  # pyright: ignore
        compute.set_bind_group(0, launch.problem.bind_group)
        for _ in range(launch.repeats):
            compute.dispatch_workgroups(*grid(launch.pipeline.program, launch.problem.shape))
        compute.end()

    def _guarded(self) -> "_Guard":
        return _Guard(self._wgpu, self.info.name)


class _Guard:
    """Turns what wgpu raises into `DeviceLost`."""

    def __init__(self, wgpu: Any, name: str) -> None:
        self._errors = (wgpu.GPUError, RuntimeError, BufferError)
        self._name = name

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, self._errors):
            raise DeviceLost(f"{self._name} failed: {error}") from error


def _whole_words(data: bytes) -> bytes:
    """WebGPU copies buffers in multiples of 4 bytes."""
    return data + b"\0" * (-len(data) % 4)
