"""The switch for everything that is fast because a common case is handled on its own.

Each such fast path gives what the ordinary path gives, or leaves the case to it. `rlx-opt --no-fast-path` turns them
all off, to find out whether one of them is to blame for something.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

_enabled: ContextVar[bool] = ContextVar("rlx_sched_fast_path", default=True)


def enabled() -> bool:
    """Whether common cases may be handled on their own."""
    return _enabled.get()


@contextmanager
def disabled() -> Generator[None]:
    """Have everything take the ordinary path inside the `with` block."""
    token = _enabled.set(False)
    try:
        yield
    finally:
        _enabled.reset(token)
