"""The Metal path against a fake `MTLDevice`: the calls fit together. It was never run on a Mac."""

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rlx_sched.measure.device import DeviceLost, Launch, MeasureError, Program, Shape
from rlx_sched.measure.experiment import Configuration, Settings, run, start
from rlx_sched.measure.metal import MetalDevice, open_metal

COMPLETED, FAILED = 4, 5


class FakeBuffer:
    def __init__(self, data: bytes) -> None:
        self.data = bytearray(data)

    def view(self, count: int) -> memoryview:
        return memoryview(self.data)[:count]

    def contents(self) -> Any:
        return SimpleNamespace(as_buffer=self.view)


class FakeCommand:
    """Computes the product when committed, as the kernels that it is told to dispatch would."""

    def __init__(self, device: "FakeMtlDevice") -> None:
        self.device = device
        self.buffers: dict[int, FakeBuffer] = {}
        self.parameters = b""
        self.groups: list[tuple[Any, Any]] = []
        self.state: Any = None

    def computeCommandEncoder(self) -> "FakeCommand":
        return self

    def setComputePipelineState_(self, state: Any) -> None:
        self.state = state

    def setBuffer_offset_atIndex_(self, buffer: FakeBuffer, offset: int, index: int) -> None:
        assert offset == 0
        self.buffers[index] = buffer

    def setBytes_length_atIndex_(self, data: bytes, length: int, index: int) -> None:
        assert (len(data), index) == (length, 3)
        self.parameters = data

    def dispatchThreadgroups_threadsPerThreadgroup_(self, groups: Any, threads: Any) -> None:
        self.groups.append((groups, threads))

    def endEncoding(self) -> None:
        self.device.dispatched.append(self.groups)

    def commit(self) -> None:
        m, n, k, never = np.frombuffer(self.parameters, np.uint32)
        assert never == 0
        dtype = np.float16 if "typedef half element" in self.state.source else np.float32
        a = np.frombuffer(self.buffers[0].data, dtype).reshape(m, k)
        b = np.frombuffer(self.buffers[1].data, dtype).reshape(k, n)
        self.buffers[2].data[:] = (a.astype(np.float64) @ b.astype(np.float64)).astype(dtype).tobytes()

    def waitUntilCompleted(self) -> None:
        pass

    def status(self) -> int:
        return self.device.status

    def error(self) -> str:
        return "the GPU hangs"

    def GPUStartTime(self) -> float:
        return 1.0

    def GPUEndTime(self) -> float:
        return 1.0 + self.device.seconds * len(self.groups)


class FakeMtlDevice:
    def __init__(self, name: str = "Apple M4 Pro") -> None:
        self.title = name
        self.status = COMPLETED
        self.seconds = 1e-4
        self.refuses = ""
        self.kept = 1.0
        self.dispatched: list[Any] = []

    def name(self) -> str:
        return self.title

    def hasUnifiedMemory(self) -> bool:
        return True

    def maxThreadgroupMemoryLength(self) -> int:
        return 32768

    def maxThreadsPerThreadgroup(self) -> Any:
        return SimpleNamespace(width=1024)

    def newCommandQueue(self) -> Any:
        return SimpleNamespace(commandBuffer=lambda: FakeCommand(self))

    def newLibraryWithSource_options_error_(self, source: str, options: Any, error: None) -> tuple[Any, Any]:
        assert options.fast_math is False
        if self.refuses == "source":
            return None, "expected ';'"

        def function(entry: str) -> tuple[str, str]:
            return entry, source

        return SimpleNamespace(newFunctionWithName_=function), None

    def newComputePipelineStateWithFunction_error_(self, function: Any, error: None) -> tuple[Any, Any]:
        if self.refuses == "pipeline":
            return None, "too many registers"
        entry, source = function
        assert f"kernel void {entry}(" in source
        arrays = [
            int(line.split("[")[1].split("]")[0]) for line in source.splitlines() if "threadgroup element" in line
        ]
        size = 2 if "typedef half element" in source else 4
        state = SimpleNamespace(
            source=source,
            staticThreadgroupMemoryLength=lambda: int(size * sum(arrays) * self.kept),
            maxTotalThreadsPerThreadgroup=lambda: 256 if self.refuses == "threads" else 1024,
        )
        return state, None

    def newBufferWithBytes_length_options_(self, data: bytes, length: int, options: int) -> FakeBuffer:
        assert (len(data), options) == (length, 0)
        return FakeBuffer(data)

    def newBufferWithLength_options_(self, length: int, options: int) -> FakeBuffer:
        return FakeBuffer(bytes(length))


class FakeOptions:
    fast_math = True

    def setFastMathEnabled_(self, enabled: bool) -> None:
        self.fast_math = enabled


@pytest.fixture
def metal(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module `Metal` of pyobjc, as far as it is used."""
    module: Any = ModuleType("Metal")
    module.MTLCompileOptions = SimpleNamespace(alloc=lambda: SimpleNamespace(init=FakeOptions))
    module.MTLCreateSystemDefaultDevice = FakeMtlDevice
    module.MTLCopyAllDevices = lambda: [FakeMtlDevice("AMD Radeon Pro 5500M"), FakeMtlDevice()]
    monkeypatch.setitem(sys.modules, "Metal", module)
    return module


PROGRAM = Program.plain(Configuration.parse("32x32/1x1/32").schedule)


def test_without_pyobjc_it_says_what_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "Metal", None)
    with pytest.raises(MeasureError, match="it takes a Mac and pip install pyobjc-framework-Metal"):
        open_metal(None)


def test_a_device_by_name(metal: Any) -> None:
    assert open_metal(None).info.name == "Apple M4 Pro"
    assert open_metal("radeon").info.name == "AMD Radeon Pro 5500M"
    with pytest.raises(
        MeasureError, match="no Metal device has 'M5' in its name; devices: AMD Radeon Pro 5500M, Apple"
    ):
        open_metal("M5")
    metal.MTLCreateSystemDefaultDevice = lambda: None
    with pytest.raises(MeasureError, match="Metal has no default device"):
        open_metal(None)


@pytest.mark.usefixtures("metal")
def test_the_experiment_runs_and_records_compiled_bytes() -> None:
    native = FakeMtlDevice()
    device = MetalDevice(native)
    what = Settings(
        (Configuration.parse("16x16/2x2/16"), Configuration.parse("16x16/1x1/16/f16")), (Shape(33, 65, 31),), rounds=2
    )
    results = start(device, what)
    run(device, what, results)
    assert results["configurations"][0]["arms"]["pad-3"] == {"bytes": 12288, "compiled_bytes": 12288}
    assert results["device"]["max_threadgroup_bytes"] == 32768
    # Two by three threadgroups of 32 rows and columns cover 33 rows and 65 columns.
    assert ((3, 2, 1), (16, 16, 1)) in [launch for groups in native.dispatched for launch in groups]


@pytest.mark.usefixtures("metal")
def test_idle_bytes_that_metal_drops_fail_the_gate() -> None:
    native = FakeMtlDevice()
    native.kept = 0.5
    device = MetalDevice(native)
    what = Settings((Configuration.parse("16x16/1x1/16"),), (Shape(1, 1, 1),))
    with pytest.raises(MeasureError, match="plain declares 2048 bytes of threadgroup memory, the compiler kept 1024"):
        run(device, what, start(device, what))


@pytest.mark.usefixtures("metal")
@pytest.mark.parametrize(
    ("refuses", "message"),
    [
        ("source", "Apple M4 Pro refused the kernel plain: expected ';'"),
        ("pipeline", "Apple M4 Pro refused the kernel plain: too many registers"),
        ("threads", "plain needs 1024 threads, this pipeline allows 256"),
    ],
)
def test_what_metal_refuses_is_said(refuses: str, message: str) -> None:
    native = FakeMtlDevice()
    native.refuses = refuses
    with pytest.raises(MeasureError, match=message):
        MetalDevice(native).compile(PROGRAM)


@pytest.mark.usefixtures("metal")
@pytest.mark.parametrize(
    ("status", "seconds", "message"), [(FAILED, 1e-4, "the GPU hangs"), (COMPLETED, 0.0, "times that do not advance")]
)
def test_a_lost_device(status: int, seconds: float, message: str) -> None:
    native = FakeMtlDevice()
    device = MetalDevice(native)
    pipeline = device.compile(PROGRAM)
    one = np.ones((1, 1), np.float32)
    problem = device.upload(Shape(1, 1, 1), one, one)
    assert device.time([Launch(pipeline, problem, 3)]) == [300_000]
    native.status, native.seconds = status, seconds
    with pytest.raises(DeviceLost, match=message):
        device.time([Launch(pipeline, problem, 1)])
