"""What xDSL's own tools have of rlx-sched."""

import subprocess
import sysconfig
from pathlib import Path

import pytest
from xdsl.universe import Universe

from rlx_sched.passes import PASSES
from rlx_sched.universe import RLX_SCHED

XDSL_OPT = Path(sysconfig.get_path("scripts"), "xdsl-opt")
KERNEL = "sched.kernel @k stages 3 {\n  sched.buffer @a rotating : memref<16x32xf32>\n}\n"


def xdsl_opt(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([XDSL_OPT, *arguments], input=KERNEL, capture_output=True, text=True)


def test_the_entry_point_is_found_without_clashes():
    everything = Universe.get_multiverse()
    assert set(PASSES) <= set(everything.all_passes)
    assert "sched" in everything.all_dialects
    assert {"rlx-wgsl", "rlx-msl"} <= set(everything.all_targets)


@pytest.mark.parametrize("name", PASSES)
def test_passes_have_the_names_that_they_are_found_by(name: str):
    assert PASSES[name]().name == name


def test_factories_make_what_they_are_named_for():
    assert RLX_SCHED.all_dialects["sched"]().name == "sched"
    for name, factory in RLX_SCHED.all_targets.items():
        assert factory().name == name


def test_xdsl_opt_filters():
    done = xdsl_opt("-p", 'occupancy-filter{target="Apple M4 Pro"}')
    assert (done.returncode, done.stderr) == (0, "")
    assert "sched.kernel @k stages 1 stripped <3, slower 0.8494285624314901>" in done.stdout


def test_xdsl_opt_shows_errors_of_passes():
    done = xdsl_opt("-p", 'occupancy-filter{calibration="no.toml"}')
    assert done.returncode != 0
    assert done.stderr.startswith("error: cannot use the calibration 'no.toml': no.toml: does not exist;")
