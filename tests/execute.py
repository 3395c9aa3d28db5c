"""Run block-level kernels on the CPU with MLIR's own tools, to compare results bit for bit.

Mapped loops run in order and barriers are dropped, so this checks which slot holds what, not who waits for whom; for
that see `simulate.py`.
"""

import re
from collections.abc import Sequence
from functools import cache
from math import prod

from support import run_tool, tool_library

WORKGROUP = ", #gpu.address_space<workgroup>"
_LOWERING = (
    "scf-forall-to-for",
    "convert-linalg-to-loops",
    "convert-vector-to-scf",
    "expand-strided-metadata",
    "lower-affine",
    "convert-scf-to-cf",
    "convert-vector-to-llvm",
    "convert-to-llvm",
    "reconcile-unrealized-casts",
)
_GPU_ONLY = re.compile(rf"{WORKGROUP}| \{{mapping = \[[^]]*\]\}}|^ *gpu\.barrier.*\n", re.MULTILINE)
_MODULE = re.compile(r"^module(?: attributes \{.*\})? \{\n(.*)^\}", re.MULTILINE | re.DOTALL)


def result_bits(kernel: str, name: str, shapes: Sequence[tuple[int, ...]]) -> list[int]:
    """The bits of what the function `name` leaves in the last of its arguments, f32 memrefs of these shapes."""
    return _result_bits(kernel, name, tuple(shapes))


@cache
def _result_bits(kernel: str, name: str, shapes: tuple[tuple[int, ...], ...]) -> list[int]:
    text = _GPU_ONLY.sub("", run_tool("mlir-opt", "--allow-unregistered-dialect", text=kernel))
    module = _MODULE.search(text)
    assert module is not None, text
    aliases = "".join(line for line in text.splitlines(keepends=True) if line.startswith("#"))
    returned = re.search(rf"func\.func @{name}\(.*\) -> (memref<\S+>)", module[1])
    types = [f"memref<{'x'.join(map(str, shape))}xf32>" for shape in shapes]
    call = f"func.call @{name}({', '.join(f'%m{i}' for i in range(len(shapes)))}) : ({', '.join(types)}) -> "
    size = prod(shapes[-1])
    program = f"""{aliases}
module {{
  {module[1]}
  func.func private @printMemrefI32(memref<*xi32>)
  func.func @main() {{
    {"".join(_filled(i, types[i], prod(shape)) for i, shape in enumerate(shapes))}
    {"%unused = " + call + returned[1] if returned else call + "()"}
    %bits = memref.alloc() : memref<{size}xi32>
    affine.for %i = 0 to {size} {{
      %v = affine.load %f{len(shapes) - 1}[%i] : memref<{size}xf32>
      %b = arith.bitcast %v : f32 to i32
      affine.store %b, %bits[%i] : memref<{size}xi32>
    }}
    %any = memref.cast %bits : memref<{size}xi32> to memref<*xi32>
    func.call @printMemrefI32(%any) : (memref<*xi32>) -> ()
    return
  }}
}}"""
    lowered = run_tool("mlir-opt", *(f"--{name}" for name in _LOWERING), text=program)
    libraries = ",".join(tool_library(stem) for stem in ("mlir_runner_utils", "mlir_c_runner_utils"))
    printed = run_tool(
        "mlir-runner", "-e", "main", "--entry-point-result=void", f"--shared-libs={libraries}", text=lowered
    )
    return [int(bits) for bits in re.findall(r"-?\d+", printed.partition("data =")[2])]


def _filled(number: int, type: str, size: int) -> str:
    """An argument, filled with multiples of 0.1 that repeat with a prime period of its own."""
    flat = f"memref<{size}xf32>"
    period = (1009, 863, 733, 601)[number]
    shape = ", ".join(type.removeprefix("memref<").removesuffix("xf32>").split("x"))
    dimensions = ", ".join(str(i) for i in range(len(shape.split(","))))
    return f"""
    %f{number} = memref.alloc() : {flat}
    affine.for %i = 0 to {size} {{
      %r = affine.apply affine_map<(d0) -> ((d0 * 7) mod {period})>(%i)
      %n = arith.index_cast %r : index to i32
      %x = arith.sitofp %n : i32 to f32
      %tenth = arith.constant 0.1 : f32
      %v = arith.mulf %x, %tenth : f32
      affine.store %v, %f{number}[%i] : {flat}
    }}
    %m{number} = memref.expand_shape %f{number} [[{dimensions}]] output_shape [{shape}] : {flat} into {type}"""
