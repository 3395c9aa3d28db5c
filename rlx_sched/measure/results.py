"""The results file: one JSON document with the device, the settings and every raw time."""

import json
import os
import tempfile
from pathlib import Path
from typing import Any

SCHEMA = "rlx-calibrate results 1"
"""First field of a results file; a reader refuses anything else."""


class ResultsError(Exception):
    """A results file that cannot be read; the message names the file and the place."""


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: what was there before stays until everything is on disk."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def save_results(path: Path, results: dict[str, Any]) -> None:
    """Write the results as JSON."""
    write_whole(path, (json.dumps(results, indent=1, ensure_ascii=False) + "\n").encode())


def load_results(path: Path) -> dict[str, Any]:
    """Read a results file. Raises ResultsError where it is none."""
    try:
        results: dict[str, Any] = json.loads(path.read_bytes())
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise ResultsError(f"{path}: not JSON: {error}") from error
    try:
        found = results["schema"]
    except (KeyError, TypeError):
        found = None
    if found != SCHEMA:
        raise ResultsError(f"{path}: not a results file of rlx-calibrate: schema is {found!r}, expected {SCHEMA!r}")
    return results
