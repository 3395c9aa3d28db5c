"""Reading and printing again, and what MLIR's own reader makes of a text."""

import os
import re
import subprocess
import sysconfig
from io import StringIO
from pathlib import Path

from support import missing, run_tool, tool_result
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp

from rlx_sched.ir.reader import read_module
from rlx_sched.ir.writer import write_module
from rlx_sched.tools.registry import new_context

CORPUS = Path(__file__).parent / "corpus"
SPLIT = "\n// -----\n"


def read(text: str) -> ModuleOp:
    """Read a module of foreign operations in generic form."""
    context = Context(allow_unregistered=True)
    context.load_dialect(Builtin)
    return read_module(context, text, "test.mlir")[0]


def write(module: ModuleOp) -> str:
    """Print a module as rlx-opt does."""
    stream = StringIO()
    write_module(module, stream)
    return stream.getvalue()


def printed_again(text: str, *, generic: bool = False) -> str:
    """`text`, read and printed."""
    module, _ = read_module(new_context(), text, "test.mlir")
    stream = StringIO()
    write_module(module, stream, generic=generic)
    return stream.getvalue()


def as_mlir_reads(text: str) -> str:
    """What mlir-opt prints for `text`, in generic form."""
    return run_tool("mlir-opt", "--mlir-print-op-generic", "--allow-unregistered-dialect", text=text)


def as_iree_reads(text: str) -> str:
    """What iree-opt prints for `text`, in generic form."""
    tool = Path(sysconfig.get_paths()["scripts"]) / "iree-opt"
    if not tool.exists():
        missing("iree-opt (PyPI package iree-base-compiler)")
    done = subprocess.run([tool, "--mlir-print-op-generic", "-"], input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def as_triton_reads(text: str, folder: Path) -> str:
    """What Triton prints for `text`."""
    try:
        from triton._C.libtriton import amd, ir, nvidia  # pyright: ignore
    except ImportError:
        missing("the PyPI package triton")
    file = folder / "kernel.mlir"
    file.write_text(text)
    context = ir.context()  # pyright: ignore
    ir.load_dialects(context)  # pyright: ignore
    nvidia.load_dialects(context)  # pyright: ignore
    amd.load_dialects(context)  # pyright: ignore
    return ir.parse_mlir_module(os.fspath(file), context).str_nodebug()  # pyright: ignore


def lines_mlir_accepts(lines: list[str]) -> list[str]:
    """Those of `lines`, each a module, that mlir-opt takes."""
    done = tool_result(
        "mlir-opt", "--allow-unregistered-dialect", "--split-input-file", "-o", os.devnull, text=SPLIT.join(lines)
    )
    assert done.returncode in (0, 1), f"mlir-opt crashed: {done.stderr}"
    refused = {int(found) for found in re.findall(r"<stdin>:(\d+):\d+: error", done.stderr)}
    return [line for number, line in enumerate(lines) if 2 * number + 1 not in refused]
