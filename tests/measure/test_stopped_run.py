"""A measurement that a signal stops, as a process on a real device."""

import os
import signal
import subprocess
import sysconfig
from pathlib import Path

import pytest

from rlx_sched.measure.results import load_results
from rlx_sched.tools import errors

RLX_CALIBRATE = os.path.join(sysconfig.get_path("scripts"), "rlx-calibrate")
MORE_ROUNDS_THAN_TIME = "10000"
"""Only the first of them is told, once the first group is measured: a log has a line for each tenth of all."""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="about POSIX")


@pytest.mark.usefixtures("webgpu_device")
@pytest.mark.parametrize("phase", ["probing the GPU", "checking results", "measuring"])
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, errors.EXIT_TERMINATED), (signal.SIGINT, errors.EXIT_INTERRUPTED)]
)
def test_a_signal_keeps_what_is_done(tmp_path: Path, number: signal.Signals, code: int, phase: str) -> None:
    output = tmp_path / "gpu.json"
    command = [RLX_CALIBRATE, "run", "--quick", "--allow-software", "-c", "8x8/1x1/8", "-o", str(output)]
    command += ["--rounds", MORE_ROUNDS_THAN_TIME]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith(phase):
                break
        process.send_signal(number)
        try:
            stdout, after = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == code, after
    assert stdout == ""
    assert "Traceback" not in after
    assert f"interrupted; {output} keeps what was measured, --resume goes on with it\n" in after
    assert os.listdir(tmp_path) == ["gpu.json"]
    shapes = [shape for one in load_results(output)["configurations"] for shape in one["shapes"]]
    assert any(any(shape["ticks"].values()) for shape in shapes) == phase.startswith("measuring")
