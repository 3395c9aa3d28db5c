"""Calibrations: what was measured on a chip, and the constants that the model takes from it.

A calibration is a TOML file and nothing but data; `Calibration.to_toml` writes what `load_calibration` reads:

    name = "apple-m4"

    [match]                      # the devices that it holds for: at least one family or device name
    families = ["M4"]            # members of AppleGpuFamily
    devices = []                 # whole device names, case ignored

    [model]
    loss_per_doubling = 0.095    # throughput lost per doubling of the footprint; negative where staging wins
    dead_band = 0.05             # a predicted change up to this is too close to call
    slack = 0.05                 # how far off the predicted ratio may be, either way

    [measured]
    bytes = [2048, 12288]        # smallest and largest footprint measured
    doublings = 1.585            # largest growth measured, in doublings
    control = [0.98, 1.0]        # lowest and highest reading of the control arm

    [provenance]                 # strings; `source` is required
    source = "..."

    [[evidence]]                 # one per measured point, at least one
    role = "fit"                 # or "held_out"
    chip = "Apple M4 Pro"
    toolchain = "MSL"
    kernel = "sgemm 16x16"
    baseline_bytes = 2048
    bytes = 4096
    relative = 0.906             # throughput divided by that of the baseline
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from rlx_sched.occupancy.family import AppleGpuFamily
from rlx_sched.occupancy.model import MAX_BYTES, relative_throughput

Role: TypeAlias = Literal["fit", "held_out"]
"""What a measured point is for: to fit the line, or to check it."""

MAX_FILE_BYTES = 2**16
"""The largest calibration file that is read; 250 measured points fill it."""

_MAX_KEY_PARTS = 100
"""Of a dotted key; those of a calibration have two at most. Python's TOML parser takes time quadratic in their number:
15 s for a key of 32,000 parts, which is a file of the largest size."""

_TOML_TEXT = r"""(?xs)
      \"{3} (?: \\. | . )*? (?: \"{3,5} | \Z )
    | '{3} .*? (?: '{3,5} | \Z )
    | " (?: \\[^\n] | [^"\\\n] )* "?
    | ' [^'\n]* '?
    | \# [^\n]*
"""
"""A string or a comment in TOML. One that does not end goes as far as it may, so that each is looked at once."""

MAX_RELATIVE = 1000.0
"""The largest throughput of a measured point, relative to its baseline. No use of threadgroup memory makes a kernel a
thousand times faster, and what is worked out of such numbers is finite."""


_EXPECTED = {str: "a string", int: "an integer", float: "a number", AppleGpuFamily: "an AppleGpuFamily"}


class CalibrationError(ValueError):
    """A calibration file that cannot be used. The message starts with the file, and the line where there is one."""


class _InvalidField(ValueError):
    """A value that a calibration cannot have; `place` is its table and key in the file."""

    def __init__(self, place: tuple[str, str], message: str) -> None:
        super().__init__(f"{place[1] or place[0]}: {message}")
        self.place = place


def _check_type(place: tuple[str, str], value: object, kind: type) -> None:
    """Check that a field holds what it is declared as; an integer is a number, and a bool is neither."""
    if isinstance(value, bool) or not isinstance(value, (int, float) if kind is float else kind):
        raise _InvalidField(place, f"expected {_EXPECTED.get(kind, f'a {kind.__name__}')}, got {_described(value)}")


def _check_tuple(place: tuple[str, str], values: object, *kinds: type) -> None:
    """Check that a field holds a tuple of one of each of `kinds`, or any number where there is but one."""
    if not isinstance(values, tuple):
        raise _InvalidField(place, f"expected a tuple, got {_described(values)}")
    items = cast(tuple[object, ...], values)
    if len(kinds) == 1:
        kinds *= len(items)
    if len(items) != len(kinds):
        raise _InvalidField(place, f"expected {len(kinds)} values, got {len(items)}")
    for value, kind in zip(items, kinds, strict=True):
        _check_type(place, value, kind)


@dataclass(frozen=True, slots=True)
class Measurement:
    """One measured point: the throughput of a kernel with `bytes` of threadgroup memory."""

    role: Role
    chip: str
    toolchain: str
    kernel: str
    baseline_bytes: int
    """The footprint, in bytes, of the same kernel with one stage."""
    bytes: int
    relative: float
    """Throughput divided by that of the baseline: the geometric mean over the kernel's shapes, at most MAX_RELATIVE."""
    source: str
    """Where the number is from."""

    def __post_init__(self) -> None:
        for key, kind in (*_EVIDENCE_KEYS.items(), ("source", str)):
            _check_type(("evidence", key), getattr(self, key), kind)
        if self.role not in ("fit", "held_out"):
            raise _InvalidField(("evidence", "role"), f'expected "fit" or "held_out", got {self.role!r}')
        for key, count in (("baseline_bytes", self.baseline_bytes), ("bytes", self.bytes)):
            if not 1 <= count <= MAX_BYTES:
                raise _InvalidField(("evidence", key), f"expected 1 to 2^64 - 1 bytes, got {_described(count)}")
        if not 0 < self.relative <= MAX_RELATIVE:
            raise _InvalidField(
                ("evidence", "relative"), f"expected a number above 0 and up to {MAX_RELATIVE:g}, got {self.relative}"
            )


@dataclass(frozen=True, slots=True)
class Calibration:
    """The model's constants for one chip, with the measurements behind them.

    Raises:
        ValueError: if a value is out of its range or of another type, or nothing is matched.
    """

    name: str
    families: tuple[AppleGpuFamily, ...]
    """Families of Apple GPU that it holds for."""
    devices: tuple[str, ...]
    """Whole device names that it holds for, case ignored."""
    loss_per_doubling: float
    """Throughput lost per doubling of the footprint, as a part of the baseline's. Negative where staging wins."""
    dead_band: float
    """A predicted change of the ratio up to this, either way, is too close to call."""
    slack: float
    """How far the true ratio may be from the predicted one, either way."""
    min_bytes: int
    """The smallest footprint measured, in bytes."""
    max_bytes: int
    """The largest footprint measured, in bytes."""
    max_doublings: float
    """The largest growth of the footprint measured, in doublings."""
    control: tuple[float, float]
    """Lowest and highest reading of the control arm: the generator at one stage against the plain kernel."""
    evidence: tuple[Measurement, ...]
    provenance: tuple[tuple[str, str], ...]
    """Where it comes from, by topic; `source` is always there."""

    def __post_init__(self) -> None:
        self._check_types()
        if not self.name:
            raise _InvalidField(("", "name"), "expected a name, got an empty string")
        if not self.families and not self.devices:
            raise _InvalidField(("match", ""), "expected at least one family or device")
        if AppleGpuFamily.UNKNOWN in self.families:
            raise _InvalidField(("match", "families"), "UNKNOWN is not a family that can be measured")
        if not all(self.devices):
            raise _InvalidField(("match", "devices"), "expected device names, got an empty string")
        # More than the whole throughput per doubling is no measurement; the bound keeps every ratio finite.
        if not -1 <= self.loss_per_doubling <= 1:
            raise _InvalidField(
                ("model", "loss_per_doubling"), f"expected a number from -1 to 1, got {self.loss_per_doubling}"
            )
        for key, value in (("dead_band", self.dead_band), ("slack", self.slack)):
            if not 0 <= value < 1:
                raise _InvalidField(("model", key), f"expected a number from 0 up to but not including 1, got {value}")
        if not 1 <= self.min_bytes <= self.max_bytes <= MAX_BYTES:
            raise _InvalidField(
                ("measured", "bytes"),
                "expected smallest and largest from 1 to 2^64 - 1, "
                f"got {_described(self.min_bytes)} and {_described(self.max_bytes)}",
            )
        if not 0 <= self.max_doublings <= 64:
            raise _InvalidField(("measured", "doublings"), f"expected a number from 0 to 64, got {self.max_doublings}")
        if not 0 < self.control[0] <= self.control[1] < math.inf:
            raise _InvalidField(
                ("measured", "control"),
                f"expected lowest and highest, both above 0, got {self.control[0]} and {self.control[1]}",
            )
        if not self.evidence:
            raise _InvalidField(("", "evidence"), "expected at least one measured point")
        topics = [topic for topic, _ in self.provenance]
        for topic in topics:
            if topics.count(topic) > 1:
                raise _InvalidField(("provenance", topic), f"expected it once, got it {topics.count(topic)} times")
        if not dict(self.provenance).get("source"):
            raise _InvalidField(("provenance", "source"), "expected where the numbers come from")

    def _check_types(self) -> None:
        _check_type(("", "name"), self.name, str)
        _check_tuple(("match", "families"), self.families, AppleGpuFamily)
        _check_tuple(("match", "devices"), self.devices, str)
        for key in ("loss_per_doubling", "dead_band", "slack"):
            _check_type(("model", key), getattr(self, key), float)
        _check_tuple(("measured", "bytes"), (self.min_bytes, self.max_bytes), int)
        _check_type(("measured", "doublings"), self.max_doublings, float)
        _check_tuple(("measured", "control"), self.control, float, float)
        _check_tuple(("", "evidence"), self.evidence, Measurement)
        _check_tuple(("provenance", ""), self.provenance, tuple)
        for entry in self.provenance:
            _check_tuple(("provenance", ""), entry, str, str)

    def matches_device(self, chip: AppleGpuFamily | str) -> bool:
        """Whether `chip` is the name of a device that is listed."""
        return isinstance(chip, str) and chip.lower() in (device.lower() for device in self.devices)

    def matches(self, chip: AppleGpuFamily | str) -> bool:
        """Whether the calibration holds for `chip`, a family or a device name."""
        family = AppleGpuFamily.from_name(chip) if isinstance(chip, str) else chip
        return family in self.families or self.matches_device(chip)

    @property
    def matched(self) -> str:
        """What the calibration holds for, in words."""
        return ", ".join([*(family.value for family in self.families), *self.devices])

    @property
    def source(self) -> str:
        """Where the numbers come from."""
        return dict(self.provenance)["source"]

    def rows(self, role: Role) -> tuple[Measurement, ...]:
        """The measured points of one role."""
        return tuple(row for row in self.evidence if row.role == role)

    def error(self, row: Measurement) -> float:
        """Predicted minus measured relative throughput of `row`."""
        return relative_throughput(row.bytes / row.baseline_bytes, self.loss_per_doubling) - row.relative

    def to_toml(self) -> str:
        """Return the calibration as the text of a file that `load_calibration` reads back as an equal one.

        Raises:
            ValueError: if no such file can be written: it would be larger than MAX_FILE_BYTES, or a string is not text.
        """
        tables: list[tuple[str, Mapping[str, object]]] = [
            ("", {"name": self.name}),
            ("[match]", {"families": [family.name for family in self.families], "devices": list(self.devices)}),
            (
                "[model]",
                {"loss_per_doubling": self.loss_per_doubling, "dead_band": self.dead_band, "slack": self.slack},
            ),
            (
                "[measured]",
                {
                    "bytes": [self.min_bytes, self.max_bytes],
                    "doublings": self.max_doublings,
                    "control": list(self.control),
                },
            ),
            ("[provenance]", dict(self.provenance)),
        ]
        for row in self.evidence:
            values: dict[str, object] = {key: getattr(row, key) for key in _EVIDENCE_KEYS}
            if row.source != self.source:
                values["source"] = row.source
            tables.append(("[[evidence]]", values))
        text = "\n".join("".join(_toml_lines(header, values)) for header, values in tables)
        if (size := len(text.encode())) > MAX_FILE_BYTES:
            raise ValueError(f"it takes {size} bytes as a file, {MAX_FILE_BYTES} at most are read")
        return text


_EVIDENCE_KEYS = {
    "role": str,
    "chip": str,
    "toolchain": str,
    "kernel": str,
    "baseline_bytes": int,
    "bytes": int,
    "relative": float,
}
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def _toml_lines(header: str, values: Mapping[str, object]) -> Iterable[str]:
    """Write one table; the values are strings, numbers and lists of them."""
    if header:
        yield f"{header}\n"
    for key, value in values.items():
        yield f"{key if _BARE_KEY.fullmatch(key) else _toml_value(key)} = {_toml_value(value)}\n"


def _toml_value(value: object) -> str:
    # JSON spells strings, numbers and lists as TOML does, but for DEL, which TOML wants escaped.
    return json.dumps(value, ensure_ascii=False, allow_nan=False).replace("\x7f", "\\u007f")


@cache
def calibrations() -> tuple[Calibration, ...]:
    """Return the calibrations that ship with rlx-sched, by name.

    The Apple M4 is the only chip whose measurements stood up to the held-out check.
    """
    folder = Path(__file__).parent / "calibrations"
    return tuple(load_calibration(path) for path in sorted(folder.glob("*.toml")))


def load_calibration(path: str | PathLike[str]) -> Calibration:
    """Read a calibration file.

    Raises:
        CalibrationError: if the file cannot be read, is not TOML, or does not follow the schema; the message says
            where, what was found and what would be right.
    """
    text = _read_text(Path(path))
    _check_keys(path, text)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r" \(at line (\d+), column (\d+)\)$", str(error))
        if place is None:
            raise CalibrationError(f"{path}: not TOML: {error}") from None
        line, column = place.groups()
        raise CalibrationError(f"{path}:{line}:{column}: not TOML: {str(error)[: place.start()]}") from None
    except ValueError:  # Python reads no integer of thousands of digits, and does not say where it is.
        longest = max(re.finditer(r"[0-9_]+", text), key=lambda digits: len(digits[0]))
        line, count = text.count("\n", 0, longest.start()) + 1, len(longest[0].replace("_", ""))
        raise CalibrationError(f"{path}:{line}: expected integers up to 2^64 - 1, got one of {count} digits") from None
    except RecursionError:
        raise CalibrationError(f"{path}: nested too deeply") from None
    return _Reader(str(path), text).calibration(document)


def _check_keys(path: str | PathLike[str], text: str) -> None:
    """Check that no key takes the TOML parser long."""
    if text.count(".") < _MAX_KEY_PARTS:
        return
    keys = re.sub(_TOML_TEXT, lambda found: "s" + "\n" * found[0].count("\n"), text)
    if long := re.search(rf"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{_MAX_KEY_PARTS}}}", keys):
        line = keys.count("\n", 0, long.start()) + 1
        raise CalibrationError(f"{path}:{line}: expected keys of one or two parts, got one of over {_MAX_KEY_PARTS}")


def _read_text(path: Path) -> str:
    try:
        if not path.is_file():
            what = "is not a file" if path.exists() else "does not exist"
            raise CalibrationError(f"{path}: {what}; expected a calibration in TOML")
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, CalibrationError):
            raise
        reason = error.strerror if isinstance(error, OSError) else error
        raise CalibrationError(f"{path}: cannot be read: {reason}") from None
    if len(content) > MAX_FILE_BYTES:
        raise CalibrationError(f"{path}: larger than {MAX_FILE_BYTES} bytes, so not a calibration")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CalibrationError(f"{path}:{line}: expected UTF-8, got the byte 0x{content[error.start]:02x}") from None


_Table: TypeAlias = Mapping[str, Any]
"""A table as `tomllib` returns it: nothing is known of its values yet."""


@dataclass(frozen=True)
class _Reader:
    """Turns a parsed document into a `Calibration`; errors carry the file and the line."""

    path: str
    text: str

    def calibration(self, document: _Table) -> Calibration:
        tables = ("match", "model", "measured", "provenance")
        self.check_keys(document, "", ("name", *tables, "evidence"))
        match, model, measured, provenance = (self.table(document, name) for name in tables)
        self.check_keys(match, "match", ("families", "devices"))
        self.check_keys(model, "model", ("loss_per_doubling", "dead_band", "slack"))
        self.check_keys(measured, "measured", ("bytes", "doublings", "control"))
        self.check_keys(provenance, "provenance", ("source",), others=True)
        smallest, largest = self.pair(measured, "measured", "bytes", int)
        lowest, highest = self.pair(measured, "measured", "control", float)
        origin = tuple((key, self.value(provenance, "provenance", key, str)) for key in provenance)
        source = dict(origin)["source"]
        evidence = self.evidence(document["evidence"], source)
        try:
            return Calibration(
                name=self.value(document, "", "name", str),
                families=tuple(self.family(name) for name in self.items(match, "match", "families", str)),
                devices=tuple(self.items(match, "match", "devices", str)),
                loss_per_doubling=self.value(model, "model", "loss_per_doubling", float),
                dead_band=self.value(model, "model", "dead_band", float),
                slack=self.value(model, "model", "slack", float),
                min_bytes=smallest,
                max_bytes=largest,
                max_doublings=self.value(measured, "measured", "doublings", float),
                control=(lowest, highest),
                evidence=evidence,
                provenance=origin,
            )
        except _InvalidField as error:
            raise self.error(*error.place, 0, str(error)) from None

    def evidence(self, rows: Any, source: str) -> tuple[Measurement, ...]:
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in cast(list[object], rows)):
            found = _described(cast(object, rows))
            raise self.error("", "evidence", 0, f"evidence: expected [[evidence]] tables, got {found}")
        measurements: list[Measurement] = []
        for index, row in enumerate(cast(list[_Table], rows)):
            self.check_keys(row, "evidence", tuple(_EVIDENCE_KEYS), optional=("source",), index=index)
            values = {key: self.value(row, "evidence", key, kind, index) for key, kind in _EVIDENCE_KEYS.items()}
            own_source = self.value(row, "evidence", "source", str, index) if "source" in row else source
            try:
                measurements.append(Measurement(**values, source=own_source))
            except _InvalidField as error:
                raise self.error(*error.place, index, str(error)) from None
        return tuple(measurements)

    def table(self, document: _Table, name: str) -> _Table:
        found = document[name]
        if not isinstance(found, dict):
            raise self.error("", name, 0, f"{name}: expected a table, got {_described(found)}")
        return cast(_Table, found)

    def check_keys(
        self,
        table: _Table,
        name: str,
        required: tuple[str, ...],
        *,
        optional: tuple[str, ...] = (),
        others: bool = False,
        index: int = 0,
    ) -> None:
        where = f" in {name}" if name else ""
        for key in table:
            if not others and key not in required + optional:
                known = ", ".join(required + optional)
                raise self.error(name, key, index, f"unknown key {key!r}{where}; expected one of {known}")
        for key in required:
            if key not in table:
                raise self.error(name, "", index, f"missing {key!r}{where}")

    def value(self, table: _Table, name: str, key: str, kind: type, index: int = 0) -> Any:
        return self.typed(table[key], name, key, kind, index)

    def typed(self, found: object, name: str, key: str, kind: type, index: int = 0) -> Any:
        if kind is float and type(found) is int and abs(found) <= MAX_BYTES:
            return float(found)
        if type(found) is not kind:
            raise self.error(name, key, index, f"{key}: expected {_EXPECTED[kind]}, got {_described(found)}")
        return found

    def items(self, table: _Table, name: str, key: str, kind: type) -> list[Any]:
        found: object = table[key]
        if not isinstance(found, list):
            raise self.error(name, key, 0, f"{key}: expected a list, got {_described(found)}")
        return [self.typed(item, name, key, kind) for item in cast(list[object], found)]

    def pair(self, table: _Table, name: str, key: str, kind: type) -> tuple[Any, Any]:
        found = self.items(table, name, key, kind)
        if len(found) != 2:
            raise self.error(name, key, 0, f"{key}: expected two numbers, lowest and highest, got {len(found)}")
        return found[0], found[1]

    def family(self, name: str) -> AppleGpuFamily:
        if name not in AppleGpuFamily.__members__:
            known = ", ".join(family.name for family in AppleGpuFamily if family is not AppleGpuFamily.UNKNOWN)
            raise self.error("match", "families", 0, f"families: expected some of {known}, got {name!r}")
        return AppleGpuFamily[name]

    def error(self, table: str, key: str, index: int, message: str) -> CalibrationError:
        return CalibrationError(f"{self.path}:{self.line(table, key, index)}: {message}")

    def line(self, table: str, key: str, index: int) -> int:
        """Where `key` stands in the `index`-th `table`, else where the table starts, else the first line.

        `tomllib` forgets lines; a calibration's few tables are found again by their headers.
        """
        current, seen, start = "", 0, 1
        for number, line in enumerate(self.text.split("\n"), 1):
            header = re.match(r"\s*\[\[?\s*([\w-]+)\s*\]", line)
            if header:
                current = header[1]
                seen += current == table
                if current == (table or key) and seen <= index + 1:
                    start = number
                continue
            inside = current == table and (not table or seen == index + 1)
            if inside and key and re.match(rf"""\s*["']?{re.escape(key)}["']?\s*=""", line):
                return number
        return start


_MOST_BITS_SHOWN = 200
"""Larger integers are not spelled out in errors: in hexadecimal a file may have one that Python refuses to print."""


def _described(found: object) -> str:
    """Name a TOML value in an error, in few characters."""
    if isinstance(found, dict):
        return "a table"
    if isinstance(found, list):
        return "a list"
    if isinstance(found, int) and found.bit_length() > _MOST_BITS_SHOWN:
        return f"an integer of {found.bit_length()} bits"
    text = repr(found) if not isinstance(found, bool) else str(found).lower()
    return text if len(text) <= 60 else f"{text[:57]}..."
