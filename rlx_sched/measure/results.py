"""The results file: one JSON document with the device, the settings and every raw time."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

from rlx_sched.tools.files import write_text

SCHEMA = "rlx-calibrate results 1"
"""First field of a results file; a reader refuses anything else."""

CONFIGURATION_NAME = re.compile("{0}x{0}/{0}x{0}/{0}(/f16)?".format("([1-9][0-9]{0,3})"))
"""The name of a configuration. One schedule has one name, so that none passes for another that may be held out."""

_MAX_BYTES = 2**64 - 1
"""The most bytes that anything here counts."""

_MAX_ARMS = 200
"""Of a configuration: no GPU has the memory for a hundred stages of a tile."""

_MAX_TICKS = 2**64 - 1
"""The most that a timer of a GPU counts to."""


class ResultsError(Exception):
    """A results file that cannot be read; the message names the file and the place."""


def file_name(device: str) -> str:
    """The name of a results file of the GPU `device`, without a suffix."""
    return re.sub(r"[^a-z0-9]+", "-", device.lower()).strip("-") or "gpu"


def save_results(path: Path, results: dict[str, Any]) -> None:
    """Write the results as JSON, the times of an arm on one line."""
    text = json.dumps(results, indent=1, ensure_ascii=False)
    # A string is taken whole, lest what stands in it is changed.
    text = re.sub(r'"(?:\\.|[^"\\])*"|\[\s+(\d+(?:,\s+\d+)*)\s+\]', _on_one_line, text)
    write_text(str(path), f"{text}\n")


def _on_one_line(found: re.Match[str]) -> str:
    return found[0] if found[1] is None else f"[{' '.join(found[1].split())}]"


def load_results(path: Path) -> dict[str, Any]:
    """Read a results file. Raises ResultsError where it is none, naming the field that is missing or wrong."""
    try:
        results: Any = json.loads(path.read_bytes())
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"{path}: not JSON: {error}") from error
    try:
        _check_text(results)
        found = _field(results, "schema", str)
        if found != SCHEMA:
            raise ValueError(f"schema is {found!r}, expected {SCHEMA!r}")
        _check(results)
    except ValueError as error:
        raise ResultsError(f"{path}: not a results file of rlx-calibrate: {error}") from error
    return results


def _check_text(results: Any) -> None:
    """Check that every string is text: JSON can spell half of a surrogate pair, of which no file can be made."""
    left: list[tuple[str, Any]] = [("", results)]
    while left:
        place, value = left.pop()
        if isinstance(value, str) and not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value):
            raise ValueError(f"{place} must be Unicode text, got {value!r}")
        if isinstance(value, dict):
            fields = cast(dict[str, Any], value)
            left += ((f"a key of {place or 'the document'}", key) for key in fields)
            left += ((f"{place}.{key}" if place else key, one) for key, one in fields.items())
        elif isinstance(value, list):
            items = enumerate(cast(list[Any], value))
            left += ((f"{place}[{i}]", one) for i, one in items if not isinstance(one, int))


def _check(results: dict[str, Any]) -> None:
    _field(results, "started", str)
    device = _field(results, "device", dict)
    for name in ("name", "api", "backend", "driver", "kind"):
        _field(device, name, str, "device")
    _field(device, "versions", dict, "device")
    settings = _field(results, "settings", dict)
    if (seed := _field(settings, "seed", int, "settings")) < 0:
        raise ValueError(f"settings.seed must be at least 0, got {seed}")
    _field(settings, "quick", bool, "settings")
    _field(results, "host", dict)
    configurations = _field(results, "configurations", list)
    for i, configuration in enumerate(configurations):
        place = f"configurations[{i}]"
        if not CONFIGURATION_NAME.fullmatch(name := _field(configuration, "name", str, place)):
            raise ValueError(f"{place}.name must be spelled as in 16x16/2x2/16, got {name!r}")
        arms = _field(configuration, "arms", dict, place)
        _check_arms(arms, f"{place}.arms")
        for s, shape in enumerate(_field(configuration, "shapes", list, place)):
            where = f"{place}.shapes[{s}]"
            for size in ("m", "n", "k", "repeats"):
                # No repeats: they are chosen when the first sample is taken.
                if (found := _field(shape, size, int, where)) < (size != "repeats"):
                    raise ValueError(f"{where}.{size} must be at least {int(size != 'repeats')}, got {found}")
            ticks = _field(shape, "ticks", dict, where)
            for arm in ticks:
                values = _field(ticks, arm, list, f"{where}.ticks")
                if not all(type(value) is int and 0 < value <= _MAX_TICKS for value in values):
                    raise ValueError(f"{where}.ticks.{arm} must hold integers from 1 to {_MAX_TICKS}")
    if repeated := first_repeated(configuration["name"] for configuration in configurations):
        raise ValueError(f"configuration {repeated} is there twice, so one would be held out against itself")


def first_repeated(names: Iterable[str]) -> str | None:
    """The first of `names` that was there before, if one was."""
    seen: set[str] = set()
    return next((name for name in names if name in seen or seen.add(name)), None)


def _check_arms(arms: dict[str, Any], place: str) -> None:
    """Check the arms of a configuration, of which there are none where it does not fit the device."""
    if len(arms) > _MAX_ARMS:
        raise ValueError(f"{place} must be at most {_MAX_ARMS}, got {len(arms)}")
    count = {arm: _field(_field(arms, arm, dict, place), "bytes", int, f"{place}.{arm}") for arm in arms}
    for arm, found in count.items():
        if not 1 <= found <= _MAX_BYTES:
            raise ValueError(f"{place}.{arm}.bytes must be from 1 to {_MAX_BYTES}, got {found}")
    if arms and not {"plain", "serial"} <= set(arms):
        raise ValueError(f"{place} lacks plain or serial")
    for arm in arms:
        kind, _, stages = arm.partition("-")
        if kind != "rotate":
            continue
        # Doublings are logarithms, to which larger numbers that are nearly equal are the same.
        if count[arm] / count["serial"] <= 1:
            raise ValueError(f"{place}.{arm}.bytes must be more than the {count['serial']} of serial, got {count[arm]}")
        pad = f"pad-{stages}"
        if count.get(pad) != count[arm]:
            found = f"takes {count[pad]}" if pad in count else "is missing"
            raise ValueError(f"{place}.{pad} must take the {count[arm]} bytes of {arm}, but {found}")


def _field(table: Any, name: str, kind: type, place: str = "") -> Any:
    where = f"{place}.{name}" if place else name
    try:
        value = table[name]
    except (KeyError, TypeError) as error:
        raise ValueError(f"{where} is missing") from error
    if type(value) is not kind:
        raise ValueError(f"{where} must be of type {kind.__name__}, got {type(value).__name__}")
    return value
