"""Fixtures that tests share."""

import signal
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


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> None:
    """Have children start with SIGINT as it usually is: a job in the background of a script ignores it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
