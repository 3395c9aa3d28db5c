"""What hostile input costs: memory and time in proportion to its size, under limits of the operating system.

Whatever takes more memory fails to get it and is told as `out of memory`; whatever takes more time is killed.
"""

import os
import re
import signal
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
MANY = 12_000


def with_attribute(text: str) -> str:
    return f'"t.op"() {{a = {text}}} : () -> ()\n'


def in_region(text: str) -> str:
    return f'"t.op"() ({{\n{text}}}) : () -> ()\n'


def operation(operands: str, count: int) -> str:
    return f'"t.op"({operands}) : ({", ".join(["i32"] * count)}) -> ()\n'


VALUE = '%a = "t.op"() : () -> i32\n'
USES = ", ".join(["%a"] * 2 * MANY)
NAMES = ", ".join(f"%a{i}" for i in range(MANY // 3))

TAKEN = {
    "a string": with_attribute('"' + "x" * MEGABYTE + '"'),
    "a string of escapes": with_attribute('"' + "\\0a" * MANY + '"'),
    "a hexadecimal dense": with_attribute(f'dense<"0x{"00112233" * MANY}"> : tensor<{MANY}xi32>'),
    "a dense of numbers": with_attribute(f"dense<[{', '.join(['1.5'] * MANY)}]> : tensor<{MANY}xf32>"),
    "a dense of one number for a huge shape": with_attribute("dense<1.0> : tensor<1000000000000xf32>"),
    "a dense of a huge shape in custom form": "module attributes {a = [dense<1.0> : tensor<999999999999xf32>]} {\n}\n",
    "an array": with_attribute(f"[{', '.join(['1 : i32'] * MANY)}]"),
    "affine maps in custom form": "module attributes {a = ["
    + ", ".join(["affine_map<(d0) -> (d0)>"] * MANY * 2)
    + "]} {\n}\n",
    "a string in many arrays": with_attribute(f'{"[" * 126}"{"x" * MEGABYTE}"{"]" * 126}'),
    "a string in many dictionaries": with_attribute(f'{"{a = " * 126}"{"x" * MEGABYTE}"{"}" * 126}'),
    "comments": "//\n" * 300_000,
    "comments in an array": with_attribute("[" + "//\n" * 300_000 + "1]"),
    "comments that end in carriage returns": "// #a\r" * 300_000
    + with_attribute("[1, " + "// #a ]\r" * 300_000 + "2]"),
    "comments beside slashes": with_attribute("[" + "#t.u<http://x>, // #a\r" * MANY + "1]"),
    "aliases on lines that end in carriage returns": "".join(f"#a{i} = 1 : i32\r" for i in range(MANY)),
    "locations in locations": '#a = loc("a":1:2)\n' + with_attribute(f"[{', '.join(['loc(fused<#a>[#a])'] * 8_000)}]"),
    "an alias in an array": "#a = 1 : i32\n" + with_attribute(f"[{', '.join(['#a'] * MANY)}]"),
    "an alias in a location": f'#a = loc("a":1:2)\n"t.op"() : () -> () loc(fused[{", ".join(["#a"] * 8_000)}])\n',
    "a name": f"sched.kernel @{'k' * MEGABYTE} {{\n  sched.buffer @{'b' * MEGABYTE} : memref<4xf32>\n}}\n",
    "blocks": in_region("".join(f"^b{i}:\n" for i in range(MANY // 2))),
    "blocks that branch": in_region("".join(f'^b{i}:\n"t.op"() [^b{i // 2}] : () -> ()\n' for i in range(MANY // 3))),
    "arguments of a block": in_region(f"^b({', '.join(f'%a{i}: i32' for i in range(2 * MANY))}):\n"),
    "regions": f'"t.op"() ({", ".join(["{}"] * 4 * MANY)}) : () -> ()\n',
    "slashes in an attribute of a long name": with_attribute(f"#{'x' * MANY}<{'//' * MANY}\n>"),
    "operands that are defined later": operation(USES, 2 * MANY) + VALUE,
    "different operands that are defined later": operation(NAMES, MANY // 3)
    + "".join(f'%a{i} = "t.op"() : () -> i32\n' for i in range(MANY // 3)),
    "different operands that operations with regions define later": operation(NAMES, MANY // 3)
    + "".join(f'%a{i} = "t.op"() ({{}}) : () -> i32\n' for i in range(MANY // 3)),
    "operands that are defined later around": in_region(operation(USES, 2 * MANY)) + VALUE,
    "operands that are defined again later": VALUE + in_region(operation(USES, 2 * MANY) + VALUE),
    "regions that define again what regions around use and define later": VALUE
    + operation(USES, 2 * MANY)
    + in_region(operation("%a, %b", 2) + in_region(VALUE) + VALUE.replace("%a", "%b")) * (MANY // 10)
    + in_region(operation("%a", 1) + in_region(VALUE) + VALUE) * (MANY // 10),
    "regions that define again what is used often": VALUE + operation(USES, 2 * MANY) + in_region(VALUE) * (MANY // 10),
}
KERNEL = "sched.kernel @k{} {{ sched.buffer @a : memref<4xf32> }} "
TAKEN_WITH_REMARKS = {
    "kernels on a line": "\n" + "".join(KERNEL.format(i) for i in range(MANY // 4)) + "\n",
}
NOT_AS_EXPECTED = {
    "expectations without an end": f"// {'expected-error {{' * MANY}\n",
    "regular expressions without an end": f"// expected-error-re {{{{{'{{' * 4 * MANY}}}}}\n",
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


def run(text: str, *options: str, most_bytes: int | None = None) -> subprocess.CompletedProcess[str]:
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
        *options,
    ]
    return subprocess.run(command, input=text, capture_output=True, text=True)


pytestmark = pytest.mark.skipif(os.name != "posix" or not RLX_OPT.exists(), reason="by limits of POSIX")


@pytest.mark.parametrize("text", TAKEN.values(), ids=TAKEN)
def test_what_is_taken(text: str):
    done = run(text)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("text", TAKEN_WITH_REMARKS.values(), ids=TAKEN_WITH_REMARKS)
def test_what_is_taken_with_remarks(text: str):
    done = run(text, "--show-remarks", f"--remarks={os.devnull}")
    assert done.returncode == 0
    assert done.stderr.count(" remark: ") == text.count("@k")


@pytest.mark.parametrize("text", NOT_AS_EXPECTED.values(), ids=NOT_AS_EXPECTED)
def test_what_is_not_as_expected(text: str):
    done = run(text, "--verify-diagnostics")
    assert (done.returncode, done.stderr == "") in ((0, True), (1, False))
    assert len(done.stderr) < 5000


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_what_is_refused(text: str):
    done = run(text)
    assert done.returncode == 1, done.stderr[:1000]
    assert done.stderr.startswith("<stdin>:"), done.stderr[:1000]
    assert len(done.stderr) < 5000


LIMITS = [megabytes * MEGABYTE for megabytes in (20, 26, 32, 40, 48, 56)]
"""Bytes of address space of which Python gets none for something else each time."""
CRASHES = (-signal.SIGABRT, -signal.SIGSEGV)
"""What CPython does where it has not even memory to pass a MemoryError on; see docs/trust.md."""


@pytest.mark.parametrize("text", ['"t.op"() : () -> ()\n', with_attribute('[0 : i32, "s"]')])
def test_the_limits_hold(text: str):
    """Or the tests above could not fail. What is too much for them is told."""
    ends = [run(text * 5 * MANY, f"--remarks={os.devnull}", most_bytes=limit) for limit in LIMITS]
    told = [done for done in ends if done.returncode not in CRASHES]
    assert len(told) >= len(LIMITS) - 2
    for done in told:
        assert done.returncode == 1
        assert re.fullmatch(r"rlx-opt: error: out of memory(; --max-ops=N refuses large modules)?\n", done.stderr)
    assert {done.stdout for done in ends} == {""}
