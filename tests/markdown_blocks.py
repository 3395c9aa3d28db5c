"""The code blocks of Markdown files and of docstrings, and the page that they are run on.

What a block is, its language says:

- `sh` is run; `sh exits 1` is to fail that way, and `sh no-run (REASON)` is not run.
- `text`, `yaml`, `json` and `mlir output` must be, line for line, in what the last `sh` or `python` block printed.
- `mlir` is read by rlx-opt. A comment `// becomes, with OPTIONS` ends what it is before a pass.
- `python` is executed; `expression  # value` must have that value.
- `cmake` is a script.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from support import ROOT, need_tool

_FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[a-z].*)\n(?P<content>(?:.*\n)*?)(?P=indent)```$", re.MULTILINE)
_PIP = re.compile(r"^pip install (?:-q )?'?(?P<requirement>[^'\s]+)'?$")
LANGUAGES = ("cmake", "json", "mlir", "python", "sh", "text", "yaml")
RUN_BY_CI = ("# set up and filter an example\n", "# run the tests\n")
"""First lines of the README's blocks that `.ci/run` runs: they set up and test, which a test cannot do."""

OUTPUTS = ("text", "yaml", "json", "mlir output")


@dataclass(frozen=True)
class Block:
    """A fenced block."""

    path: Path
    line: int
    info: str
    content: str

    @property
    def language(self) -> str:
        return self.info.split()[0]

    @property
    def is_output(self) -> bool:
        return self.info in OUTPUTS

    @property
    def is_run(self) -> bool:
        return self.language in ("python", "sh") and not ("no-run" in self.info or self.content.startswith(RUN_BY_CI))

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}"


def blocks(path: Path) -> list[Block]:
    """The fenced blocks of `path` that have a language; directives of Sphinx have none."""
    text = path.read_text(encoding="utf-8")
    return [
        Block(path, text.count("\n", 0, match.start()) + 1, match["info"], _outdented(match))
        for match in _FENCE.finditer(text)
    ]


def _outdented(match: re.Match[str]) -> str:
    """The content of a fence without the blanks that indent the fence."""
    return re.sub(f"^{match['indent']}", "", match["content"], flags=re.MULTILINE)


class Page:
    """The blocks of one file, run in order in a folder that holds a copy of the examples."""

    def __init__(self, path: Path, folder: Path):
        self.blocks = blocks(path)
        self.folder = folder
        self._names: dict[str, Any] = {"__name__": "page"}
        self._printed: dict[Block, str] = {}
        shutil.copytree(ROOT / "examples", folder / "examples")
        shutil.copytree(ROOT / "docs" / "evidence", folder / "docs" / "evidence")

    def run(self, block: Block) -> str:
        """Run what is above `block` and was not run yet, then `block`; returns what that printed."""
        for one in self.blocks:
            if one not in self._printed and one.line <= block.line:
                self._printed[one] = ""
                if one.is_run:
                    self._printed[one] = self._run_shell(one) if one.language == "sh" else self._run_python(one)
        return self._printed[block]

    def _run_shell(self, block: Block) -> str:
        """Run the commands of `block`; returns what they print on either stream."""
        commands = "".join(f"{line}\n" for line in block.content.splitlines() if not _PIP.match(line))
        environment = {**os.environ, "NO_COLOR": "1"}
        path = [str(Path(sys.executable).parent), os.environ["PATH"]]
        if re.search(r"\bmlir-(opt|runner)\b", commands):
            tools = need_tool("mlir-opt").parent
            path.insert(0, str(tools))
            libraries = (tools.parents[1] / "llvm" / "lib", tools.parent / "lib")
            environment["LD_LIBRARY_PATH"] = os.pathsep.join(map(str, libraries))
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", commands],
            cwd=self.folder,
            env={**environment, "PATH": os.pathsep.join(path)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        expected = int(match[1]) if (match := re.fullmatch(r"sh exits (\d+)", block.info)) else 0
        assert done.returncode == expected, f"{block} ends with {done.returncode}:\n{done.stdout}"
        return done.stdout

    def _run_python(self, block: Block) -> str:
        """Execute `block` among the names of its page; returns what it prints."""
        lines = block.content.splitlines()
        printed = StringIO()
        with chdir(self.folder), redirect_stdout(printed):
            for statement in ast.parse(block.content).body:
                _, _, comment = lines[(statement.end_lineno or 1) - 1].partition("  # ")
                if isinstance(statement, ast.Expr) and comment:
                    assert repr(eval(ast.unparse(statement), self._names)) == comment, f"{block}: {comment}"
                else:
                    exec(compile(ast.Module([statement], []), str(block), "exec"), self._names)
        return printed.getvalue()


def requirements(block: Block) -> list[str]:
    """What the lines `pip install ...` of `block` ask for."""
    return [match["requirement"] for line in block.content.splitlines() if (match := _PIP.match(line))]


def is_part(expected: str, printed: str) -> bool:
    """Whether the lines of `expected` follow each other in `printed`; blanks at their ends do not count."""
    wanted, lines = ([line.rstrip() for line in text.strip("\n").splitlines()] for text in (expected, printed))
    return bool(wanted) and any(lines[i : i + len(wanted)] == wanted for i in range(len(lines)))


def steps(block: Block) -> Iterator[tuple[str, str | None]]:
    """The modules of an `mlir` block, each with the options of the pass that makes it of the one before, if any."""
    parts = re.split(r"^// (?:before|after|becomes(?:, with (.*))?)$\n?", block.content, flags=re.MULTILINE)
    for text, options in zip(parts[::2], [None, *parts[1::2]], strict=True):
        if text.strip():
            yield as_module(text), options


def as_module(text: str) -> str:
    """`text` as a module: attributes on an operation, buffers in a kernel."""
    lines = text.strip().splitlines()
    if lines[0].startswith("#sched"):
        return "".join(f'"test.attribute"() {{a = {line}}} : () -> ()\n' for line in lines)
    if lines[0].startswith(("sched.buffer", "sched.phase")):
        return f"sched.kernel @k {{\n{text}}}\n"
    return text
