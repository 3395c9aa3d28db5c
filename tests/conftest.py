"""Fixtures that tests share, and how many processes run the tests."""

import os
import signal
from typing import Any

import pytest
from support import missing

MOST_WORKERS = 4
"""Processes that share the tests out: with more, the slowest tests would decide how long it takes."""


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Share all of the tests out among processes; some of them are done sooner in one, unless `-n` says otherwise."""
    options = config.option
    is_whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not options.keyword
    if is_whole and getattr(options, "numprocesses", 0) is None and not hasattr(config, "workerinput"):
        options.numprocesses, options.maxprocesses, options.dist = "logical", MOST_WORKERS, "worksteal"


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


@pytest.fixture(scope="session", autouse=True)
def no_terminal() -> None:
    """Have tables as wide as for a pipe: readline, which pytest imports, tells the children of 80 columns."""
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)
