"""What kernels reach by way of others: memory through functions that they call, and through values made of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

_Item = TypeVar("_Item", bound=Hashable)
_Node = TypeVar("_Node", bound=Hashable)

MOST_REACHED = 100
"""Pieces of threadgroup memory that a kernel reaches by way of others. Kernels have a dozen; without a limit, N kernels
that call N functions would have N times N."""


def reached(
    starts: Iterable[tuple[_Item, _Node]], following: Callable[[_Node], Iterable[_Node]]
) -> dict[_Node, dict[_Item, None]]:
    """The items that get to each node, from the node at which each starts to all that is `following`, and so on.

    A node that more than `MOST_REACHED` get to has one more than that, not all of them.
    """
    found: dict[_Node, dict[_Item, None]] = {}
    for item, start in starts:
        pending = [start]
        for node in pending:
            known = found.setdefault(node, {})
            # One that has too many has given as many to those that follow.
            if len(known) <= MOST_REACHED and item not in known:
                known[item] = None
                pending += following(node)
    return found
