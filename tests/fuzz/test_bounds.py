"""What hostile input costs: memory and time in proportion to its size, under limits of the operating system.

Whatever takes more memory fails to get it and is told as `out of memory`; whatever takes more time is killed.
"""

import os
import subprocess
import sysconfig
from pathlib import Path

import pytest

RLX_OPT = Path(sysconfig.get_path("scripts"), "rlx-opt")
BASE_BYTES = 64 * 2**20
"""Of address space, for Python with xDSL: twice what they take."""
BYTES_PER_BYTE = 100
MOST_SECONDS = 20
"""Of processor time; at most two are needed."""

MEGABYTE = 2**20
MANY = 30_000


def with_attribute(text: str) -> str:
    return f'"t.op"() {{a = {text}}} : () -> ()\n'


TAKEN = {
    "a string": with_attribute('"' + "x" * MEGABYTE + '"'),
    "a string of escapes": with_attribute('"' + "\\0a" * MANY + '"'),
    "a hexadecimal dense": with_attribute(f'dense<"0x{"00112233" * MANY}"> : tensor<{MANY}xi32>'),
    "a dense of numbers": with_attribute(f"dense<[{', '.join(['1.5'] * MANY)}]> : tensor<{MANY}xf32>"),
    "a dense of one number for a huge shape": with_attribute("dense<1.0> : tensor<1000000000000xf32>"),
    "an array": with_attribute(f"[{', '.join(['1 : i32'] * MANY)}]"),
    "comments": "//\n" * 300_000,
    "comments in an array": with_attribute("[" + "//\n" * 300_000 + "1]"),
    "an alias in an array": "#a = 1 : i32\n" + with_attribute(f"[{', '.join(['#a'] * MANY)}]"),
    "an alias in a location": f'#a = loc("a":1:2)\n"t.op"() : () -> () loc(fused[{", ".join(["#a"] * 8_000)}])\n',
    "a name": f"sched.kernel @{'k' * MEGABYTE} {{\n  sched.buffer @{'b' * MEGABYTE} : memref<4xf32>\n}}\n",
}
SHAPE = "1x" * MANY
ALIASES = "".join(f"#a{i} = [{', '.join([f'#a{i - 1}' if i else '1'] * 10)}]\n" for i in range(30))
REFUSED = {
    "operations in one another": '"t.op"() ({\n' * MANY,
    "brackets in one another": with_attribute("[" * MANY),
    "large aliases": ALIASES + "".join(with_attribute(f"[#a4, {i}]") for i in range(1000)),
    "a shape of many dimensions": with_attribute(f"[1, tensor<{SHAPE}f32>]"),
    "a shape of many dimensions in custom form": f"func.func private @f(memref<4xvector<{SHAPE}f32>>)\n",
    "a dense that xDSL would change": f"%0 = arith.constant dense<[{', '.join(['1.5'] * MANY)}]> : tensor<{MANY}xf32>",
    "the name of an operation": "x" * MEGABYTE,
    "more results than memory": f'%0:{"9" * 18} = "t.op"() : () -> i32\n',
}


def run(text: str, most_bytes: int | None = None) -> subprocess.CompletedProcess[str]:
    kilobytes = (most_bytes or BASE_BYTES + BYTES_PER_BYTE * len(text)) // 1024
    limited = f'ulimit -v {kilobytes} -t {MOST_SECONDS} && exec "$@"'
    command = [
        "bash",
        "-c",
        limited,
        "bash",
        RLX_OPT,
        "--occupancy-annotate=target='Apple M4'",
        "--mlir-print-debuginfo",
    ]
    return subprocess.run(command, input=text, capture_output=True, text=True)


pytestmark = pytest.mark.skipif(os.name != "posix" or not RLX_OPT.exists(), reason="by limits of POSIX")


@pytest.mark.parametrize("text", TAKEN.values(), ids=TAKEN)
def test_what_is_taken(text: str):
    done = run(text)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_what_is_refused(text: str):
    done = run(text)
    assert done.returncode == 1, done.stderr[:1000]
    assert done.stderr.startswith("<stdin>:"), done.stderr[:1000]
    assert len(done.stderr) < 5000


def test_the_limits_hold():
    """Or the tests above could not fail."""
    assert run('"t.op"() : () -> ()\n' * MANY, BASE_BYTES // 2).returncode != 0
