"""Passes, targets and dialects by name: ours and xDSL's, each imported when it is first used."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from rlx_sched.passes import PASSES
from rlx_sched.spelling import did_you_mean
from rlx_sched.tools.errors import UsageError

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Dialect
    from xdsl.passes import ModulePass
    from xdsl.utils.target import Target

_T = TypeVar("_T")


def _wgsl() -> type[Target]:
    from rlx_sched.kernels.targets import WgslTarget

    return WgslTarget


def _msl() -> type[Target]:
    from rlx_sched.kernels.targets import MslTarget

    return MslTarget


TARGETS: dict[str, Callable[[], type[Target]]] = {"rlx-msl": _msl, "rlx-wgsl": _wgsl}
"""Our targets by name; calling the value gives the class."""


def sched_dialect() -> Dialect:
    """The `sched` dialect, imported when it is needed."""
    from rlx_sched.dialect.sched import Sched

    return Sched


def xdsl_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """xDSL's own passes by name."""
    from xdsl.transforms import get_all_passes

    return get_all_passes()


def all_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """Our passes and xDSL's by name."""
    return {**xdsl_passes(), **PASSES}


def find_pass(name: str) -> type[ModulePass]:
    """The pass called `name`.

    Raises:
        UsageError: naming the nearest pass, when there is none of that name.
    """
    return _find("pass", name, PASSES, xdsl_passes)


def find_target(name: str) -> type[Target]:
    """The target called `name`.

    Raises:
        UsageError: naming the nearest target, when there is none of that name.
    """
    from xdsl.targets import get_all_targets

    return _find("target", name, TARGETS, get_all_targets)


def new_context() -> Context:
    """A context that knows every dialect, and carries operations of others unchanged."""
    from xdsl.context import Context
    from xdsl.dialects import get_all_dialects

    context = Context(allow_unregistered=True)
    for name, factory in get_all_dialects().items():
        context.register_dialect(name, factory)
    context.register_dialect("sched", sched_dialect)
    return context


def _find(
    what: str, name: str, own: dict[str, Callable[[], _T]], others: Callable[[], dict[str, Callable[[], _T]]]
) -> _T:
    factory = own.get(name) or others().get(name)
    if factory is None:
        raise UsageError(f"unknown {what} '{name}'{did_you_mean(name, [*own, *others()])}")
    return factory()
