"""The passes of rlx-sched, one module each.

A pass is imported when it is first asked for: a tool that only lists them pays nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.passes import ModulePass


CLASSES = {
    "occupancy-annotate": ("occupancy_annotate", "OccupancyAnnotate"),
    "occupancy-filter": ("occupancy_filter", "OccupancyFilter"),
    "sched-enumerate": ("sched_enumerate", "SchedEnumerate"),
    "sched-erase-annotations": ("sched_erase_annotations", "SchedEraseAnnotations"),
    "sched-rank": ("sched_rank", "SchedRank"),
}
"""Where every pass is: its module in this package, and its class there."""


def _lazy(module: str, class_name: str) -> Callable[[], type[ModulePass]]:
    return lambda: getattr(import_module(f"rlx_sched.passes.{module}"), class_name)


PASSES: dict[str, Callable[[], type[ModulePass]]] = {name: _lazy(*place) for name, place in CLASSES.items()}
"""Every pass by the name that pipelines use; calling the value gives its class."""
