"""The interface between the passes and the kinds of IR that carry a schedule.

A *source* finds the kernels of one kind of IR in a module and gives each as a `Schedule`; the passes know nothing else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from xdsl.ir import Operation

from rlx_sched.dialect.attributes import Bytes
from rlx_sched.dialect.layout import Placement


class CannotRestage(Exception):
    """Raised where a rotation cannot be taken out without risk to the program.

    `condition` is a short fixed name for remarks and tests (`slot-not-written-first`, `loads-run-ahead`, ...); the
    message says in a sentence what is in the way; `advice` says what the user can do instead.
    """

    def __init__(self, condition: str, message: str, advice: str = ""):
        super().__init__(message)
        self.condition = condition
        self.advice = advice

    @property
    def explanation(self) -> str:
        """The message, with the advice if there is one."""
        return f"{self}; {self.advice}" if self.advice else str(self)


class Schedule(ABC):
    """How one kernel stages its tiles in threadgroup memory."""

    op: Operation
    """The operation that stands for the kernel and carries its annotations."""

    name: str
    """What the user calls the kernel, without `@`."""

    stages: int
    """The stage setting as the IR has it; the largest slot count where it knows slots alone; 1 if nothing rotates."""

    unknown: str | None = None
    """Why no verdict can be given whatever the bytes are, if that is so."""

    limit: int | None = None
    """The most threadgroup bytes that the producer says its target allows, if it says so."""

    @abstractmethod
    def footprint(self, stages: int) -> Bytes:
        """The threadgroup memory of this kernel with `stages` stages (1 <= `stages` <= `self.stages`).

        Raises:
            NoFootprint: when it cannot be known; the message is the reason.
        """

    def baseline(self) -> Bytes:
        """The threadgroup memory of this kernel at the lowest setting that there is.

        Raises:
            NoFootprint: when it cannot be known.
        """
        return self.footprint(1)

    def placements(self, stages: int) -> list[Placement] | None:
        """Where each buffer lies with `stages` stages, for explanations; None where single buffers are not known.

        Raises:
            NoFootprint: when the size of one is not known.
        """
        return None

    @abstractmethod
    def restage(self, stages: int) -> None:
        """Change the IR to `stages` stages, fewer than it has; the kernel computes what it did before.

        Raises:
            CannotRestage: when that cannot be proved. Nothing was changed then.
        """


class Source(ABC):
    """One kind of IR that carries schedules."""

    name: ClassVar[str]
    """A short name, for messages and `--help`."""

    @abstractmethod
    def schedules(self, module: Operation) -> Iterator[Schedule]:
        """The kernels of this kind in `module`, in source order, each of them once."""
