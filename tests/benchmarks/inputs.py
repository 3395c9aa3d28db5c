"""Modules of any size to measure on."""

from collections.abc import Callable, Iterator
from pathlib import Path

TARGET = 'sched.target = #sched.target<"Apple M4 Pro">'
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def _tiles(number: int) -> tuple[int, int]:
    """Tile sizes of the kernel `number`: 64 different ones, as a search over tiles would have."""
    return 8 << number % 4, 8 << number // 4 % 4


def _custom_kernel(number: int, annotations: str = "") -> str:
    m, n = _tiles(number)
    return f"""  sched.kernel @k{number} stages {1 + number % 4}{annotations} {{
    sched.buffer @a rotating : memref<{m}x16xf32>
    sched.buffer @b rotating : memref<16x{n}xf32>
    sched.buffer @c : memref<{m}x{n}xf16>
  }}
"""


def _generic_kernel(number: int) -> str:
    m, n = _tiles(number)
    return f"""  "sched.kernel"() <{{sym_name = "k{number}", stages = {1 + number % 4} : i64}}> ({{
    "sched.buffer"() <{{sym_name = "a", rotating, type = memref<{m}x16xf32>}}> : () -> ()
    "sched.buffer"() <{{sym_name = "b", rotating, type = memref<16x{n}xf32>}}> : () -> ()
    "sched.buffer"() <{{sym_name = "c", type = memref<{m}x{n}xf16>}}> : () -> ()
  }}) : () -> ()
"""


def custom(count: int) -> Iterator[str]:
    """Kernels of three buffers in custom form."""
    yield f"builtin.module attributes {{{TARGET}}} {{\n"
    yield from map(_custom_kernel, range(count))
    yield "}\n"


def annotated(count: int) -> Iterator[str]:
    """The same with what passes wrote on them."""
    yield f"builtin.module attributes {{{TARGET}}} {{\n"
    written = " footprint <2048 -> 6144> verdict <slower 0.8494285624314901>"
    yield from (_custom_kernel(number, written) for number in range(count))
    yield "}\n"


def generic(count: int) -> Iterator[str]:
    """The same kernels in generic form."""
    yield '"builtin.module"() ({\n'
    yield from map(_generic_kernel, range(count))
    yield f"}}) {{{TARGET}}} : () -> ()\n"


def candidates(count: int) -> Iterator[str]:
    """Search spaces of ten kernels each."""
    yield f"builtin.module attributes {{{TARGET}}} {{\n"
    for start in range(0, count, 10):
        yield f"  sched.candidates @space{start} {{\n"
        yield from map(_custom_kernel, range(start, min(start + 10, count)))
        yield "  }\n"
    yield "}\n"


def real(count: int) -> Iterator[str]:
    """A kernel that `mlir-opt` multi-buffered, in generic form, many times under different names.

    One such kernel is about as long as ten schedules: `count` is divided by ten.
    """
    text = (EXAMPLES / "matmul_multibuffered.mlir").read_text()
    aliases, opening, rest = text.partition('"builtin.module"() ({\n')
    function = rest[: rest.rindex("}) : () -> ()")]
    yield aliases + opening
    yield from (
        function.replace('sym_name = "mm"', f'sym_name = "mm{number}"') for number in range(max(count // 10, 1))
    )
    yield "}) : () -> ()\n"


INPUTS: dict[str, Callable[[int], Iterator[str]]] = {
    "custom": custom,
    "annotated": annotated,
    "generic": generic,
    "candidates": candidates,
    "real": real,
}
"""Every kind of input by name."""
