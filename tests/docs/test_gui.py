"""examples/gui.py: xDSL's terminal interface with our passes in it."""

import asyncio
import runpy
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from support import ROOT, missing

EXAMPLE = ROOT / "examples" / "sgemm_msl_16x16.mlir"


async def filtered(make_app: Any, path: Path) -> str:
    """What the interface shows once the filter is chosen."""
    from rlx_sched.passes.occupancy_filter import OccupancyFilter

    app = make_app(path)
    async with app.run_test() as pilot:
        assert "occupancy-filter" in dict(app.all_passes)
        app.pass_pipeline = (OccupancyFilter(),)
        await pilot.pause()
        return app.output_text_area.text


def test_the_interface_has_our_passes():
    if find_spec("textual") is None:
        missing("textual (PyPI package xdsl[gui])")
    make_app = runpy.run_path(str(ROOT / "examples" / "gui.py"))["make_app"]
    assert "sched.kernel @sgemm_s3 stages 1 stripped <3" in asyncio.run(filtered(make_app, EXAMPLE))
