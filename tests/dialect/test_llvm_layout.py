"""Footprints against LLVM: real mlir-opt lowers the buffers, and LLVM lays them out as fields of a struct."""

import re
from random import Random
from typing import NamedTuple

from support import run_tool
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, MemRefType
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.utils.hints import isa

from rlx_sched.dialect.layout import Buffer, footprint
from rlx_sched.dialect.type_sizes import memref_size

DATA_LAYOUT = (
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v24:32:32"
    "-v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-v512:512:512-v1024:1024:1024"
)
"""That of Metal's compiler (AIR), and natural alignment for i128, which it does not name."""

SCALARS = (
    *("i1", "i4", "i8", "i16", "i24", "i32", "i48", "i64", "i128", "index"),
    *("f8E4M3FN", "f8E5M2", "f16", "bf16", "f32", "f64", "complex<f16>", "complex<f32>"),
)
VECTORS = ("vector<2x{}>", "vector<3x{}>", "vector<4x{}>", "vector<8x{}>", "vector<2x3x{}>", "vector<2x4x{}>")
VECTOR_ELEMENTS = ("i1", "i8", "i16", "i32", "f16", "bf16", "f32")
ALIGNMENTS = (1, 2, 4, 8, 16, 32, 64, 128)
LISTS = 2000


class Drawn(NamedTuple):
    """A buffer: its type, its slots, its alignment if it has one of its own, its phase, and whether it is dynamic."""

    type: str
    slots: int
    alignment: int | None
    phase: int | None
    dynamic: bool


def draw_type(random: Random) -> str:
    element = random.choice(SCALARS)
    if random.random() < 0.4:
        element = random.choice(VECTORS).format(random.choice(VECTOR_ELEMENTS))
    return f"memref<{''.join(f'{random.randint(1, 9)}x' for _ in range(random.randint(1, 3)))}{element}>"


def draw_buffer(random: Random, type: str, natural: int) -> Drawn:
    alignment = random.choice([one for one in ALIGNMENTS if one >= natural]) if random.random() < 0.3 else None
    dynamic = random.random() < 0.25
    return Drawn(type, random.choice((1, 1, 2, 3, 4)), alignment, random.choice((None, None, 0, 1)), dynamic)


def parsed(type: str) -> MemRefType[Attribute]:
    context = Context()
    context.load_dialect(Builtin)
    value = Parser(context, type).parse_type()
    assert isa(value, MemRefType[Attribute])
    return value


def lowered(types: list[str]) -> dict[str, str]:
    """LLVM's type for the buffer of each type, as mlir-opt lowers it."""
    text = "".join(f'memref.global "private" @g{number} : {type}\n' for number, type in enumerate(types))
    output = run_tool("mlir-opt", "--finalize-memref-to-llvm", text=text)
    found = re.findall(r"llvm\.mlir\.global .*@g(\d+)\(\).* : (.*)$", output, re.MULTILINE)
    assert len(found) == len(types)
    return {types[int(number)]: type for number, type in found}


def aligned(alignment: int) -> str:
    """A field that takes no bytes but has an alignment."""
    return f"array<0 x vector<{alignment}xi8>>"


def ends(buffers: list[Drawn], types: dict[str, str], name: str) -> str:
    """Functions that return where each buffer ends, all slots being fields of one struct.

    Every slot but the last is padded to its alignment. Dynamic buffers start and end at multiples of 16 bytes.
    """
    fields: list[str] = []
    for buffer in buffers:
        type, own = types[buffer.type].removeprefix("!llvm."), aligned(buffer.alignment or 1)
        edge = aligned(16 if buffer.dynamic else 1)
        fields += [edge, f"array<{buffer.slots - 1} x struct<({own}, {type})>>", own, type, edge]
    struct = f"!llvm.struct<({', '.join(fields)})>"
    return "".join(
        f"""llvm.func @{name}_{number}() -> i64 {{
  %null = llvm.mlir.zero : !llvm.ptr
  %end = llvm.getelementptr %null[0, {5 * number + 4}] : (!llvm.ptr) -> !llvm.ptr, {struct}
  %bytes = llvm.ptrtoint %end : !llvm.ptr to i64
  llvm.return %bytes : i64
}}
"""
        for number in range(len(buffers))
    )


def living(schedule: list[Drawn], phase: int) -> list[Drawn]:
    """What lives in `phase`, in the order in which it lies in memory: dynamic buffers are the last of their section."""
    sections = [[buffer for buffer in schedule if buffer.phase == section] for section in (None, phase)]
    return [buffer for section in sections for buffer in sorted(section, key=lambda buffer: buffer.dynamic)]


def test_footprints_are_what_llvm_says():
    random = Random(8)
    types = sorted({draw_type(random) for _ in range(400)})
    sizes = {type: memref_size(parsed(type)) for type in types}
    schedules: list[list[Drawn]] = []
    for _ in range(LISTS):
        picked = random.choices(types, k=random.randint(1, 5))
        schedules.append([draw_buffer(random, type, sizes[type].alignment) for type in picked])
    llvm_types = lowered(types)
    text = ""
    for number, schedule in enumerate(schedules):
        for phase in (0, 1):
            text += ends(living(schedule, phase), llvm_types, f"f{number}_{phase}")
    module = f'module attributes {{llvm.data_layout = "{DATA_LAYOUT}"}} {{\n{text}}}\n'
    translated = run_tool("mlir-translate", "--mlir-to-llvmir", text=module)
    folded = run_tool("opt", "-passes=instcombine", "-S", text=translated)
    by_llvm = [0] * LISTS
    for number, end in re.findall(r"@f(\d+)_\d+_\d+\(\).*\{\n *ret i64 (\d+)", folded):
        by_llvm[int(number)] = max(by_llvm[int(number)], int(end))
    assert text.count("llvm.func") == len(re.findall(r"ret i64 \d+\n", folded))
    for schedule, expected in zip(schedules, by_llvm, strict=True):
        stages = 4
        buffers = [
            Buffer(
                sizes[one.type].size,
                one.alignment or sizes[one.type].alignment,
                rotating=True,
                slots_offset=one.slots - stages,
                dynamic=one.dynamic,
                phase=one.phase,
            )
            for one in schedule
        ]
        assert footprint(buffers, stages) == expected, schedule
