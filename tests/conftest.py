"""Fixtures for tests that run kernels."""

import os
from typing import Any

import pytest


@pytest.fixture(scope="session")
def webgpu_device() -> Any:
    """A WebGPU device, a software one where there is no GPU: skipped without one, but failed in CI."""
    pytest.importorskip("numpy")
    from rlx_sched.measure.device import MeasureError
    from rlx_sched.measure.webgpu import WebGpuDevice, choose_adapter

    try:
        return WebGpuDevice(choose_adapter(None, software=True))
    except MeasureError as error:
        if "CI" in os.environ:
            pytest.fail(f"no WebGPU device (Debian package mesa-vulkan-drivers brings one): {error}")
        pytest.skip(str(error))
