"""What xDSL's own tools (`xdsl-opt`, `xdsl-gui`) find of rlx-sched, through the entry point `xdsl.universe`."""

from xdsl.ir import Dialect
from xdsl.universe import Universe

from rlx_sched.passes import PASSES
from rlx_sched.tools.registry import TARGETS


def _sched() -> Dialect:
    from rlx_sched.dialect.sched import Sched

    return Sched


RLX_SCHED = Universe(all_dialects={"sched": _sched}, all_passes=PASSES, all_targets=TARGETS)
"""The dialect, the passes and the targets of rlx-sched, each imported when it is first used."""
