"""What the model says of a candidate against its baseline.

Written out rather than made by `dataclasses`, whose import alone takes longer than the 15 ms that `import rlx_sched` is
allowed.
"""

from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, NoReturn


class Verdict:
    """A prediction of how a candidate's throughput compares with its baseline's.

    One of `Faster`, `Slower`, `TooCloseToCall` and `Unknown`: immutable, hashable, equal when kind and contents are,
    and usable in `match`: `case Slower(ratio): ...`.
    """

    __slots__ = ("_content",)

    _content: Any
    kind: ClassVar[str]
    """The verdict's name in the IR: `faster`, `slower`, `too_close_to_call` or `unknown`."""

    def __init__(self) -> None:
        if type(self) is Verdict:
            raise TypeError("a verdict is one of Faster, Slower, TooCloseToCall and Unknown")
        object.__setattr__(self, "_content", None)

    @property
    def words(self) -> str:
        """The verdict's name in a sentence."""
        return self.kind.replace("_", " ")

    @property
    def ratio(self) -> float | None:
        """Predicted throughput divided by the baseline's; None where the verdict makes no claim."""
        return None

    @property
    def worth_measuring(self) -> bool:
        """Whether the candidate still deserves time on the device: False for `Slower` alone."""
        return True

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a verdict cannot be changed: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a verdict cannot be changed: cannot delete {name!r}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Verdict):
            return NotImplemented
        return self.kind == other.kind and self._content == other._content

    def __hash__(self) -> int:
        return hash((self.kind, self._content))

    def __repr__(self) -> str:
        content = "" if self._content is None else repr(self._content)
        return f"{type(self).__name__}({content})"

    def __reduce__(self) -> tuple[type[Verdict], tuple[float | str, ...]]:
        return type(self), () if self._content is None else (self._content,)


class _Ratio(Verdict):
    """A verdict that is a claim about the throughput."""

    __slots__ = ()
    __match_args__ = ("ratio",)

    def __init__(self, ratio: float) -> None:
        """Claim a throughput of `ratio` times the baseline's.

        Raises:
            TypeError: if `ratio` is not a number.
            ValueError: if `ratio` is negative, infinite or not a number.
        """
        try:
            number = math.ldexp(ratio, 0)  # `float` reads text, too
        except TypeError:
            raise TypeError(f"ratio must be a number, got {type(ratio).__name__}") from None
        except OverflowError:
            raise ValueError("ratio must be a finite number that is not negative, got one no double holds") from None
        if not 0 <= number < math.inf:
            raise ValueError(f"ratio must be a finite number that is not negative, got {number}")
        object.__setattr__(self, "_content", number)

    @property
    def ratio(self) -> float:
        """Predicted throughput divided by the baseline's."""
        return self._content


class Faster(_Ratio):
    """The candidate is predicted to run at `ratio` times the baseline's throughput, above the dead band."""

    __slots__ = ()
    kind = "faster"


class Slower(_Ratio):
    """The candidate is predicted to run at `ratio` times the baseline's throughput, below the dead band."""

    __slots__ = ()
    kind = "slower"

    @property
    def worth_measuring(self) -> bool:
        """False: the model expects time on the device to be wasted."""
        return False


class TooCloseToCall(Verdict):
    """The predicted difference is inside the dead band: the model does not tell the two apart."""

    __slots__ = ()
    __match_args__ = ()
    kind = "too_close_to_call"


class Unknown(Verdict):
    """The model makes no prediction; `reason` says why."""

    __slots__ = ()
    __match_args__ = ("reason",)
    kind = "unknown"

    def __init__(self, reason: str) -> None:
        """Make no claim, for `reason`.

        Raises:
            TypeError: if `reason` is not a string.
        """
        if not isinstance(reason, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"reason must be a string, got {type(reason).__name__}")
        object.__setattr__(self, "_content", reason)

    @property
    def reason(self) -> str:
        """Why there is no prediction."""
        return self._content
