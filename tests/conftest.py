"""Fixtures for tests that run kernels."""

from typing import Any

import pytest
from support import missing


@pytest.fixture(scope="session")
def webgpu_device() -> Any:
    """A WebGPU device, a software one where there is no GPU: skipped without one, but failed in CI."""
    from rlx_sched.measure.device import MeasureError
    from rlx_sched.measure.webgpu import WebGpuDevice, choose_adapter

    try:
        return WebGpuDevice(choose_adapter(None, software=True))
    except MeasureError as error:
        missing(f"a WebGPU device (Debian package mesa-vulkan-drivers; {error})")
