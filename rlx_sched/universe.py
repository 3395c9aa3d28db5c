"""What xDSL's own tools (`xdsl-opt`, `xdsl-gui`) find of rlx-sched, through the entry point `xdsl.universe`."""

from xdsl.universe import Universe

from rlx_sched.passes import PASSES
from rlx_sched.tools.registry import TARGETS, sched_dialect

RLX_SCHED = Universe(all_dialects={"sched": sched_dialect}, all_passes=PASSES, all_targets=TARGETS)
"""The dialect, the passes and the targets of rlx-sched, each imported when it is first used."""
