"""Which adapter is taken, and what is said where none will do."""

from typing import Any

import numpy as np
import pytest

from rlx_sched.measure import webgpu
from rlx_sched.measure.device import DeviceLost, Launch, MeasureError, Program, Shape, require
from rlx_sched.measure.experiment import Configuration


class FakeAdapter:
    def __init__(self, name: str, kind: str, backend: str = "Vulkan", features: tuple[str, ...] = ()) -> None:
        self.info = {"device": name, "adapter_type": kind, "backend_type": backend, "description": ""}
        self.features = features


GPU = FakeAdapter("NVIDIA H200", "DiscreteGPU")
INTEGRATED = FakeAdapter("Intel(R) HD Graphics 630", "IntegratedGPU")
SOFTWARE = FakeAdapter("llvmpipe", "CPU")
OPENGL = FakeAdapter("NVIDIA H200 through OpenGL", "DiscreteGPU", "OpenGL")


def choose(
    monkeypatch: pytest.MonkeyPatch, found: list[Any], name: str | None = None, *, software: bool = False
) -> Any:

    class Gpu:
        def enumerate_adapters_sync(self) -> list[Any]:
            return found

    monkeypatch.setattr("wgpu.gpu", Gpu())
    return webgpu.choose_adapter(name, software=software)


def test_the_discrete_gpu_comes_first_and_opengl_never(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose(monkeypatch, [SOFTWARE, INTEGRATED, OPENGL, GPU]) is GPU


def test_an_adapter_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose(monkeypatch, [SOFTWARE, INTEGRATED, GPU], "intel") is INTEGRATED
    with pytest.raises(MeasureError, match=r"no adapter has 'amd' in its name; adapters: NVIDIA H200, llvmpipe"):
        choose(monkeypatch, [SOFTWARE, GPU], "amd")


def test_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MeasureError, match="no GPU found: WebGPU sees no adapter; is a Vulkan, Metal or D3D12 driver"):
        choose(monkeypatch, [OPENGL])


def test_a_software_renderer_has_to_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MeasureError, match="only the software renderer llvmpipe"):
        choose(monkeypatch, [SOFTWARE])
    assert choose(monkeypatch, [SOFTWARE], software=True) is SOFTWARE


def test_no_timestamps() -> None:
    with pytest.raises(MeasureError, match="NVIDIA H200 has no GPU timestamps"):
        webgpu.WebGpuDevice(GPU)


def test_a_missing_package_names_the_extra() -> None:
    with pytest.raises(MeasureError, match=r"the package no_such_package is missing .* 'rlx-sched\[calibrate\]'"):
        require("no_such_package")


def test_the_adapters_own_limit_is_requested(webgpu_device: Any) -> None:
    # WebGPU's default is 16384; Mesa's software renderer and every desktop GPU have more.
    assert webgpu_device.info.max_threadgroup_bytes > 16384


def test_a_kernel_that_does_not_compile_says_so(webgpu_device: Any) -> None:
    right = Program.plain(Configuration.parse("8x8/1x1/8").schedule)
    wrong = Program("plain", right.wgsl.replace("fma", "fame"), "", "f32", (8, 8), (8, 8), 512)
    with pytest.raises(MeasureError, match="refused the kernel plain"):
        webgpu_device.compile(wrong)


class Library:
    """wgpu-native, with a note of the bounds checks that modules are compiled with."""

    def __init__(self, native: Any, *, trusts: bool = True) -> None:
        self._native, self._trusts = native, trusts
        self.checks: list[int] = []

    def __getattr__(self, name: str) -> Any:
        if name != "wgpuDeviceCreateShaderModuleTrusted":
            return getattr(self._native, name)
        if not self._trusts:
            raise AttributeError(name)

        def create(device: Any, descriptor: Any, checks: int) -> Any:
            self.checks.append(checks)
            return self._native.wgpuDeviceCreateShaderModuleTrusted(device, descriptor, checks)

        return create


def test_kernels_are_compiled_without_bounds_checks(webgpu_device: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program.plain(Configuration.parse("8x8/1x1/8").schedule)
    wgpu_native = require("wgpu.backends.wgpu_native")
    library, older = Library(wgpu_native.lib), Library(wgpu_native.lib, trusts=False)
    monkeypatch.setattr("wgpu.backends.wgpu_native.lib", library)
    webgpu_device.compile(program)
    assert library.checks == [0]
    monkeypatch.setattr("wgpu.backends.wgpu_native.lib", older)
    with pytest.raises(MeasureError, match=r"cannot compile kernels without bounds checks, wgpu 0\.32 can"):
        webgpu_device.compile(program)


def test_timestamps_that_stand_still_are_a_lost_device(webgpu_device: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline = webgpu_device.compile(Program.plain(Configuration.parse("8x8/1x1/8").schedule))
    problem = webgpu_device.upload(Shape(1, 1, 1), np.ones((1, 1), np.float32), np.ones((1, 1), np.float32))
    assert webgpu_device.time([Launch(pipeline, problem, 1)])[0] > 0

    def stopped(form: str, data: bytes) -> tuple[int, int]:
        return 7, 7

    monkeypatch.setattr("rlx_sched.measure.webgpu.struct.unpack", stopped)
    with pytest.raises(DeviceLost, match="timestamps that do not advance"):
        webgpu_device.time([Launch(pipeline, problem, 1)])


def test_what_wgpu_raises_in_a_launch_is_a_lost_device(webgpu_device: Any) -> None:
    pipeline = webgpu_device.compile(Program.plain(Configuration.parse("8x8/1x1/8").schedule))

    class Gone:
        shape = Shape(1, 1, 1)
        result_bytes = 4
        bind_group = None

        @property
        def result(self) -> Any:
            raise RuntimeError("the device is gone")

    with pytest.raises(DeviceLost, match="failed: the device is gone"):
        webgpu_device.run(pipeline, Gone())
