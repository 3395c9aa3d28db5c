"""Attributes of the `sched` dialect: the target, and what the passes write on a schedule."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from rlx_sched.dialect.layout import MAX_BYTES, MOST_STAGES
from rlx_sched.occupancy import Faster, Slower, TooCloseToCall, Unknown, Verdict


class Bound(StrEnum):
    """What a number of bytes says about the true one; the words are those of the IR."""

    EXACT = "exact"
    AT_LEAST = "at_least"
    AT_MOST = "at_most"
    ABOUT = "about"


@dataclass(frozen=True, slots=True)
class Bytes:
    """A number of bytes of threadgroup memory, and in what sense it is known."""

    count: int
    bound: Bound = Bound.EXACT

    def __str__(self) -> str:
        return f"{self.count}" if self.bound is Bound.EXACT else f"{self.bound} {self.count}"

    @property
    def lower(self) -> int:
        """The fewest bytes that it can be."""
        return self.count if self.bound in (Bound.EXACT, Bound.AT_LEAST) else 0

    @property
    def upper(self) -> int | None:
        """The most bytes that it can be; None where nothing bounds them."""
        return self.count if self.bound in (Bound.EXACT, Bound.AT_MOST) else None


def format_ratio(ratio: float) -> str:
    """The shortest spelling of `ratio` that reads back to the same bits and that MLIR reads as a float."""
    text = repr(ratio)
    mantissa, exponent_sign, exponent = text.partition("e")
    return text if "." in mantissa else f"{mantissa}.0{exponent_sign}{exponent}"


def _parse_natural(parser: AttrParser, what: str, *, most: int = MAX_BYTES, least: int = 0) -> int:
    """Parse an integer between `least` and `most`, both included."""
    start = parser.pos
    value = parser.parse_integer(allow_boolean=False, context_msg=f" for the {what}")
    if not least <= value <= most:
        parser.raise_error(f"expected a {what} from {least} to {most}, got {value}", start, parser.pos)
    return value


def _parse_string(parser: AttrParser, what: str) -> str:
    """Parse a string literal. xDSL reads one that has bytes outside of ASCII in it as a literal of bytes."""
    literal = parser.parse_optional_bytes_literal()
    if literal is not None:
        return literal.decode("utf-8", "surrogateescape")
    return parser.parse_str_literal(f" for the {what}")


def _parse_ratio(parser: AttrParser) -> float:
    """Parse a predicted throughput relative to the baseline: a finite number, not negative."""
    start = parser.pos
    try:
        ratio = float(parser.parse_number(context_msg=" for the ratio"))
    except OverflowError:
        ratio = math.inf
    written = parser.lexer.input.slice(start, parser.pos) or ""
    if "x" in written.lower():
        # The bits of a float for MLIR, and an integer for xDSL.
        parser.raise_error(f"expected a decimal number for the ratio, got {written.strip()}", start, parser.pos)
    if not 0 <= ratio < math.inf:
        parser.raise_error(f"expected a finite ratio that is not negative, got {ratio}", start, parser.pos)
    return ratio


def _parse_word(parser: AttrParser, words: Sequence[str]) -> str:
    """Parse one of the keywords in `words`."""
    start = parser.pos
    word = parser.parse_optional_identifier()
    if word is None or word not in words:
        expected = ", ".join(f"'{known}'" for known in words)
        parser.raise_error(f"expected one of {expected}" + (f", got '{word}'" if word else ""), start, parser.pos)
    return word


@dataclass(frozen=True, slots=True)
class Target:
    """A GPU as the IR names it, with the limit of threadgroup memory that the IR gives for it, in bytes."""

    chip: str
    max_threadgroup_bytes: int | None = None


@irdl_attr_definition
class TargetAttr(Data[Target]):
    """The GPU that schedules are made for, by the name that its driver reports.

    ```mlir
    #sched.target<"Apple M4 Pro">
    #sched.target<"NVIDIA H200", max_threadgroup_bytes = 49152>
    ```
    """

    name = "sched.target"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Target:
        """Parse `<"name" (, max_threadgroup_bytes = N)?>`."""
        with parser.in_angle_brackets():
            chip = _parse_string(parser, "device name")
            limit = None
            if parser.parse_optional_punctuation(",") is not None:
                parser.parse_keyword("max_threadgroup_bytes")
                parser.parse_punctuation("=")
                limit = _parse_natural(parser, "number of bytes", least=1)
        return Target(chip, limit)

    def print_parameter(self, printer: Printer) -> None:
        """Print `<"name" (, max_threadgroup_bytes = N)?>`."""
        with printer.in_angle_brackets():
            printer.print_string(quote(self.data.chip))
            if self.data.max_threadgroup_bytes is not None:
                printer.print_string(f", max_threadgroup_bytes = {self.data.max_threadgroup_bytes}")


@irdl_attr_definition
class SlotsAttr(Data[int]):
    """How many slots a rotating buffer has, as an offset from the kernel's stages; never fewer than one.

    ```mlir
    #sched.slots<stages - 1>
    ```
    """

    name = "sched.slots"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> int:
        """Parse `<stages>`, `<stages + N>` or `<stages - N>`."""
        with parser.in_angle_brackets():
            return cls.parse_formula(parser)

    @staticmethod
    def parse_formula(parser: AttrParser) -> int:
        """Parse what stands between the brackets."""
        parser.parse_keyword("stages", " in the number of slots")
        if parser.parse_optional_punctuation("+") is not None:
            return _parse_natural(parser, "number of slots", most=2**31 - 1)
        if parser.parse_optional_punctuation("-") is not None:
            return -_parse_natural(parser, "number of slots", most=2**31 - 1)
        return 0

    def print_parameter(self, printer: Printer) -> None:
        """Print `<stages - N>`."""
        printer.print_string(f"<{self.formula}>")

    @property
    def formula(self) -> str:
        """The number of slots as the IR spells it."""
        if self.data == 0:
            return "stages"
        return f"stages {'+' if self.data > 0 else '-'} {abs(self.data)}"


@dataclass(frozen=True, slots=True)
class Footprint:
    """Threadgroup memory of a schedule: with one stage, and as scheduled.

    `limit` is what the target allows, in bytes, and given only where the schedule is over it.
    """

    baseline: Bytes
    scheduled: Bytes
    limit: int | None = None

    def __str__(self) -> str:
        limit = "" if self.limit is None else f", limit {self.limit}"
        return f"{self.baseline} -> {self.scheduled}{limit}"


_BOUND_WORDS = (Bound.AT_LEAST, Bound.AT_MOST, Bound.ABOUT)


@irdl_attr_definition
class FootprintAttr(Data[Footprint]):
    """Bytes of threadgroup memory with one stage and as scheduled.

    A word before a number says that it is a bound; `limit` is there when the schedule is over it.

    ```mlir
    #sched.footprint<2048 -> 6144>
    #sched.footprint<about 16384 -> at_most 32768>
    #sched.footprint<20480 -> 40960, limit 32768>
    ```
    """

    name = "sched.footprint"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Footprint:
        """Parse `<BYTES -> BYTES (, limit N)?>`."""
        with parser.in_angle_brackets():
            baseline = cls._parse_bytes(parser)
            parser.parse_punctuation("->", " between the two footprints")
            scheduled = cls._parse_bytes(parser)
            limit = None
            if parser.parse_optional_punctuation(",") is not None:
                parser.parse_keyword("limit")
                limit = _parse_natural(parser, "limit")
        return Footprint(baseline, scheduled, limit)

    @staticmethod
    def _parse_bytes(parser: AttrParser) -> Bytes:
        word = parser.parse_optional_keyword_in(_BOUND_WORDS)
        return Bytes(_parse_natural(parser, "number of bytes"), Bound(word) if word else Bound.EXACT)

    def print_parameter(self, printer: Printer) -> None:
        """Print `<BYTES -> BYTES (, limit N)?>`."""
        printer.print_string(f"<{self.data}>")


def _parse_verdict(parser: AttrParser) -> Verdict:
    """Parse a verdict: its kind, then the ratio or the reason that belongs to it."""
    kind = _parse_word(parser, ("faster", "slower", "too_close_to_call", "unknown"))
    match kind:
        case "too_close_to_call":
            return TooCloseToCall()
        case "unknown":
            return Unknown(_parse_string(parser, "reason"))
        case _:
            return (Faster if kind == "faster" else Slower)(_parse_ratio(parser))


def format_verdict(verdict: Verdict) -> str:
    """The verdict as it stands between the brackets of its attribute."""
    match verdict:
        case Faster(ratio) | Slower(ratio):
            return f"{verdict.kind} {format_ratio(ratio)}"
        case Unknown(reason):
            return f"{verdict.kind} {quote(reason)}"
        case _:
            return verdict.kind


def quote(text: str) -> str:
    """`text` as an MLIR string literal: printable ASCII as it is, every other byte of its UTF-8 as two hex digits."""
    return (
        '"'
        + "".join(
            chr(byte) if 0x20 <= byte <= 0x7E and byte not in b'"\\' else "\\\\" if byte == 0x5C else f"\\{byte:02X}"
            for byte in text.encode("utf-8", "surrogateescape")
        )
        + '"'
    )


@irdl_attr_definition
class VerdictAttr(Data[Verdict]):
    """What the model says of a schedule against the same schedule with one stage.

    ```mlir
    #sched.verdict<slower 0.8494285624314901>
    #sched.verdict<too_close_to_call>
    #sched.verdict<unknown "no calibration for Apple M5 Max">
    ```
    """

    name = "sched.verdict"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Verdict:
        """Parse `<KIND (RATIO | REASON)?>`."""
        with parser.in_angle_brackets():
            return _parse_verdict(parser)

    def print_parameter(self, printer: Printer) -> None:
        """Print `<KIND (RATIO | REASON)?>`."""
        printer.print_string(f"<{format_verdict(self.data)}>")


@dataclass(frozen=True, slots=True)
class Stripped:
    """A rotation that was taken out: the stages that it had, and why it went.

    Either `ratio` is set (slower than one stage by the model; `extrapolated` when outside the measured range), or
    `over_limit` is: the bytes that it took, more than the target allows.
    """

    stages: int
    ratio: float | None = None
    over_limit: int | None = None
    extrapolated: bool = False

    def __str__(self) -> str:
        if self.ratio is None:
            return f"{self.stages}, over_limit {self.over_limit}"
        return f"{self.stages}, slower {format_ratio(self.ratio)}" + (", extrapolated" if self.extrapolated else "")


@irdl_attr_definition
class StrippedAttr(Data[Stripped]):
    """The rotation that `occupancy-filter` took out of a schedule, and why; of several, the last.

    ```mlir
    #sched.stripped<3, slower 0.8494285624314901>
    #sched.stripped<4, slower 0.72, extrapolated>
    #sched.stripped<4, over_limit 40960>
    ```
    """

    name = "sched.stripped"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Stripped:
        """Parse `<STAGES, slower RATIO (, extrapolated)?>` or `<STAGES, over_limit BYTES>`."""
        with parser.in_angle_brackets():
            stages = _parse_natural(parser, "stage count", least=1, most=MOST_STAGES)
            parser.parse_punctuation(",", " after the stage count")
            if _parse_word(parser, ("slower", "over_limit")) == "over_limit":
                return Stripped(stages, over_limit=_parse_natural(parser, "number of bytes"))
            ratio = _parse_ratio(parser)
            extrapolated = parser.parse_optional_punctuation(",") is not None
            if extrapolated:
                parser.parse_keyword("extrapolated")
        return Stripped(stages, ratio, extrapolated=extrapolated)

    def print_parameter(self, printer: Printer) -> None:
        """Print `<STAGES, REASON>`."""
        printer.print_string(f"<{self.data}>")
