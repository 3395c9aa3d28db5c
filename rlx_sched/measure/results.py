"""The results file: one JSON document with the device, the settings and every raw time."""

import json
import os
import re
from pathlib import Path
from typing import Any

SCHEMA = "rlx-calibrate results 1"
"""First field of a results file; a reader refuses anything else."""


class ResultsError(Exception):
    """A results file that cannot be read; the message names the file and the place."""


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: what was there before stays until everything is on disk."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def save_results(path: Path, results: dict[str, Any]) -> None:
    """Write the results as JSON, the times of an arm on one line."""
    text = json.dumps(results, indent=1, ensure_ascii=False)
    text = re.sub(r"\[\s+(\d+(?:,\s+\d+)*)\s+\]", lambda numbers: f"[{' '.join(numbers[1].split())}]", text)
    write_whole(path, f"{text}\n".encode())


def load_results(path: Path) -> dict[str, Any]:
    """Read a results file. Raises ResultsError where it is none, naming the field that is missing or wrong."""
    try:
        results: Any = json.loads(path.read_bytes())
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"{path}: not JSON: {error}") from error
    try:
        found = _field(results, "schema", str)
        if found != SCHEMA:
            raise ValueError(f"schema is {found!r}, expected {SCHEMA!r}")
        _check(results)
    except ValueError as error:
        raise ResultsError(f"{path}: not a results file of rlx-calibrate: {error}") from error
    return results


def _check(results: dict[str, Any]) -> None:
    _field(results, "started", str)
    device = _field(results, "device", dict)
    for name in ("name", "api", "backend", "driver", "kind"):
        _field(device, name, str, "device")
    _field(device, "versions", dict, "device")
    settings = _field(results, "settings", dict)
    _field(settings, "seed", int, "settings")
    _field(settings, "quick", bool, "settings")
    _field(results, "host", dict)
    for i, configuration in enumerate(_field(results, "configurations", list)):
        place = f"configurations[{i}]"
        _field(configuration, "name", str, place)
        arms = _field(configuration, "arms", dict, place)
        for arm in arms:
            number = _field(_field(arms, arm, dict, f"{place}.arms"), "bytes", int, f"{place}.arms.{arm}")
            if number < 1:
                raise ValueError(f"{place}.arms.{arm}.bytes must be at least 1, got {number}")
        for s, shape in enumerate(_field(configuration, "shapes", list, place)):
            ticks = _field(shape, "ticks", dict, f"{place}.shapes[{s}]")
            for arm in ticks:
                values = _field(ticks, arm, list, f"{place}.shapes[{s}].ticks")
                if not all(type(value) is int and value > 0 for value in values):
                    raise ValueError(f"{place}.shapes[{s}].ticks.{arm} must hold integers above 0")
        if arms and not {"plain", "serial"} <= set(arms):
            raise ValueError(f"{place}.arms lacks plain or serial")


def _field(table: Any, name: str, kind: type, place: str = "") -> Any:
    where = f"{place}.{name}" if place else name
    try:
        value = table[name]
    except (KeyError, TypeError) as error:
        raise ValueError(f"{where} is missing") from error
    if type(value) is not kind:
        raise ValueError(f"{where} must be of type {kind.__name__}, got {type(value).__name__}")
    return value
