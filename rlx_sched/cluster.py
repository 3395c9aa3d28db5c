"""Clients of Dask clusters."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_CONNECT_SECONDS = 10
"""How long to wait for a scheduler; one that is there answers in a fraction of a second."""


class ClusterError(Exception):
    """There is no cluster to work on; the message says why, and what would be right."""


def connect(address: str) -> Any:
    """Return a client (`distributed.Client`, to be closed) of the scheduler at `address`, `HOST:PORT` or an URL.

    Raises:
        ClusterError: where none answers, or Dask is missing.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        raise ClusterError(f"the package distributed is missing ({error}): pip install 'rlx-sched[dask]'") from error
    address = address if "://" in address else f"tcp://{address}"
    try:
        # Checked first, because a client that fails over it is noisy when it goes.
        distributed.comm.get_address_host_port(address, strict=True)
        return distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"no Dask scheduler answers at {address}: {error}") from error
