"""IREE: compile a module with the rotations taken out that lose on a chip.

IREE decides how many stages a dispatch gets when it configures it, and reads that decision once. So the compiler stops
after the configurations, `occupancy-filter` lowers `pipeline_depth` in them where it does not pay, and the compiler
goes on:

    iree-compile --compile-to=executable-configurations --mlir-print-op-generic ...
    rlx-opt --occupancy-filter="target='Apple M4 Pro'" --sched-erase-annotations
    iree-compile --compile-from=executable-configurations ...
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory


class IreeError(Exception):
    """A step of the compilation failed; the message is what the tool said."""


def compile_filtered(source: Path, output: Path, *, chip: str, flags: Sequence[str]) -> None:
    """Compile the module in `source` as `iree-compile` would with `flags`, with the rotations that lose on `chip` out.

    `chip` is a device name; on one without a calibration nothing changes but what does not fit. `flags` are those of
    both halves of the compilation, `--iree-hal-target-device=metal` among them.

    Raises:
        IreeError: where iree-compile is missing, or it or rlx-opt refuses the module.
    """
    from rlx_sched.passes.occupancy_filter import OccupancyFilter
    from rlx_sched.passes.sched_erase_annotations import SchedEraseAnnotations
    from rlx_sched.tools.pipeline import format_pipeline

    pipeline = format_pipeline([OccupancyFilter(target=chip), SchedEraseAnnotations()])
    with TemporaryDirectory(prefix="rlx-iree-") as folder:
        configured, filtered = Path(folder, "configured.mlir"), Path(folder, "filtered.mlir")
        first_half = ["--compile-to=executable-configurations", "--mlir-print-op-generic"]
        _run([_iree_compile(), *flags, *first_half, source, "-o", configured])
        _run([sys.executable, "-m", "rlx_sched.tools.rlx_opt", "-p", pipeline, configured, "-o", filtered])
        _run([_iree_compile(), *flags, "--compile-from=executable-configurations", filtered, "-o", output])


def _iree_compile() -> str:
    path = shutil.which("iree-compile") or shutil.which("iree-compile", path=sysconfig.get_path("scripts"))
    if path is None:
        raise IreeError("iree-compile is missing: pip install iree-base-compiler")
    return path


def _run(command: Sequence[str | Path]) -> None:
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="backslashreplace")
    if done.returncode:
        raise IreeError(f"{Path(command[0]).name} failed with exit status {done.returncode}:\n{done.stderr.strip()}")
    sys.stderr.write(done.stderr)
