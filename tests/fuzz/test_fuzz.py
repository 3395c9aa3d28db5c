"""Hostile input ends in a diagnostic and a documented exit code, soon; what is valid survives.

`run.py` tries more of it for longer.
"""

import re
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from fuzzing import COMMANDS, broken_promise, has_mlir_opt, take, tries
from mutations import corpus, truncations
from support import ROOT, need_tool

from rlx_sched.tools import rlx_opt, rlx_report

EXAMPLES = sorted((ROOT / "examples").glob("*.mlir"))
OPAQUE = '"t.op"() {{a = {}}} : () -> ()\n'
KERNEL = "sched.kernel @k stages 3 {{\n  sched.buffer @a rotating : {}\n}}\n"
FILTER = ("--occupancy-filter=target='Apple M4 Pro'", "--show-remarks")


def test_mutations_of_the_files_of_the_tests():
    start = time.monotonic()
    for tool, arguments, data in islice(tries(Random(6)), 150):
        assert broken_promise(tool, arguments, data) is None, (arguments, data)
        if time.monotonic() - start > 25:
            break


def test_mutations_through_mlir_opt():
    """What a real mlir-opt makes of a broken text, its own errors among that, is taken like any other."""
    need_tool("mlir-opt")
    assert has_mlir_opt()
    for tool, arguments, data in islice(tries(Random(3), mlir_opt_share=1), 5):
        assert "--via-mlir-opt" in arguments
        assert broken_promise(tool, arguments, data) is None, (arguments, data)
    few = islice(tries(Random(3)), 1000)
    assert 0 < sum("--via-mlir-opt" in arguments for _, arguments, _ in few) < 50


@pytest.mark.parametrize("share", ["0", "1"])
def test_the_long_run_is_one_command(tmp_path: Path, share: str):
    run = str(ROOT / "tests" / "fuzz" / "run.py")
    command = [sys.executable, run, "--minutes=0", f"--files={share}", f"--finds={tmp_path / 'finds'}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("1 inputs, 0 kinds of finds\n")


@pytest.mark.parametrize("file", EXAMPLES, ids=[file.name for file in EXAMPLES])
def test_examples_cut_off_anywhere(file: Path):
    text = file.read_text("utf-8")
    cuts = list(truncations(text))
    for data in cuts[:: max(1, len(cuts) // 40)]:
        assert broken_promise(rlx_opt.main, FILTER, data) is None, data


def nested(opening: str, inner: str, closing: str, depth: int) -> str:
    return opening * depth + inner + closing * depth


MEGABYTE = "x" * 2**20
DIGITS = "9" * 10_000
DEEP = 100_000

REFUSED = {
    "a number of stages of 10,000 digits": f"sched.kernel @k stages {DIGITS} {{\n}}\n",
    "a size of 10,000 digits": KERNEL.format(f"memref<{DIGITS}xf32>"),
    "an alignment of 10,000 digits": f"sched.kernel @k {{\n  sched.buffer @a alignment {DIGITS} : memref<1xi8>\n}}\n",
    "more results than memory": f'%0:{DIGITS} = "t.op"() : () -> i32\n',
    "a footprint of 10,000 digits": f"sched.kernel @k footprint <{DIGITS} -> 1> {{\n}}\n",
    "operations nested deeply": nested('"t.op"() ({\n', "", "}) : () -> ()\n", DEEP),
    "modules nested deeply": nested("module {\n", "", "}\n", DEEP),
    "attributes nested deeply": OPAQUE.format(nested("[", "1 : i32", "]", DEEP)),
    "opaque attributes nested deeply": OPAQUE.format(f"#t.a{nested('<', '1', '>', DEEP)}x"),
    "types nested deeply": KERNEL.format(nested("vector<2x", "f32", ">", DEEP)),
    "brackets that never close": OPAQUE.format("[" * DEEP),
    "locations nested deeply": f'"t.op"() : () -> () loc({nested("fused[", "unknown", "]", DEEP)})\n',
    "a string that does not end": OPAQUE.format('"' + "a" * 100_000),
    "a string of escapes that does not end": OPAQUE.format('"' + "\\22" * 50_000),
    "aliases that grow exponentially": "".join(
        f"#a{i} = [{', '.join([f'#a{i - 1}' if i else '1'] * 10)}]\n" for i in range(30)
    )
    + OPAQUE.format("#a29"),
    "an alias of itself": "#a = [#a]\n" + OPAQUE.format("#a"),
    "a null byte": "sched.kernel @k\0 {\n}\n",
    "a byte order mark in the middle": "sched.kernel \ufeff@k {\n}\n",
    "a bidirectional control character": "sched.kernel @k \u202e {\n}\n",
    "an escape sequence of terminals": "sched.kernel @k \x1b[31m {\n}\n",
    "a surrogate in UTF-8": b"sched.kernel @k { } // \xed\xa0\x80\n",
    "a byte that is not UTF-8": b'"t.op"() {a = "\xff"} : () -> ()\n',
    "UTF-16": "sched.kernel @k {\n}\n".encode("utf-16"),
    "a binary": bytes(range(256)) * 64,
}
TAKEN = {
    "nothing": "",
    "white space": " \t\r\n\f\v",
    "a comment without a line end": "// nothing",
    "a symbol of a megabyte": f"sched.kernel @{MEGABYTE} {{\n  sched.buffer @{MEGABYTE} : memref<4xf32>\n}}\n",
    "a quoted symbol of a megabyte": f'sched.kernel @"{MEGABYTE} " {{\n}}\n',
    "the name of an operation of a megabyte": f'"t.{MEGABYTE}"() : () -> ()\n',
    "a value's name of a megabyte": f'%{MEGABYTE} = "t.op"() : () -> i32\n',
    "an attribute of 256 kB": OPAQUE.format(f'"{MEGABYTE[: 2**18]}"'),
    "an integer of 10,000 digits": OPAQUE.format(f"{DIGITS} : i40000"),
    "a shape whose product overflows": KERNEL.format("memref<4294967296x4294967296x4294967296xf32>"),
    "a stride that overflows": KERNEL.format("memref<2x2xf32, strided<[9223372036854775807, 1]>>"),
    "a shape whose product overflows in another dialect": OPAQUE.format(
        "tensor<9223372036854775807x9223372036854775807xf32>"
    ),
    "more stages than memory": "sched.kernel @k stages 9223372036854775807 {\n"
    "  sched.buffer @a rotating : memref<4xf32>\n}\n",
    "a byte order mark": "\ufeffsched.kernel @k {\n}\n",
    "line ends of Windows": KERNEL.format("memref<4xf32>").replace("\n", "\r\n"),
    "a bidirectional control character in a name": 'sched.kernel @"a\u202eb" stages 3 {\n'
    "  sched.buffer @a rotating : memref<16x16xf32>\n}\n",
    "brackets in comments": OPAQUE.format("[1, // ]\n2]")
    + 'sched.kernel @k target <"Apple M4", // } " >\nmax_threadgroup_bytes = 9> {\n}\n',
    "slashes in another dialect's attribute": OPAQUE.format("#t.url<http://x>"),
    "names that are no ASCII": 'sched.kernel @"\u6838\U0001f600" {\n}\n"t.op"() {"\u00e9" = "\u00e9"} : () -> ()\n',
}


@pytest.mark.parametrize("arguments", [FILTER, ("--mlir-print-op-generic", "--no-fast-path")], ids=["fast", "slow"])
@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_what_is_refused(text: str | bytes, arguments: tuple[str, ...]):
    data = text if isinstance(text, bytes) else text.encode()
    assert broken_promise(rlx_opt.main, arguments, data) is None
    taken = take(rlx_opt.main, arguments, data)
    assert taken.code == 1
    assert taken.stderr.startswith("<stdin>:"), "an error has a place"
    assert len(taken.stderr) < 4000, "an error is short, whatever the input"


@pytest.mark.parametrize("arguments", [FILTER, ("--mlir-print-op-generic", "--no-fast-path")], ids=["fast", "slow"])
@pytest.mark.parametrize("text", TAKEN.values(), ids=TAKEN)
def test_what_is_taken(text: str, arguments: tuple[str, ...]):
    assert broken_promise(rlx_opt.main, arguments, text.encode()) is None
    assert take(rlx_opt.main, arguments, text.encode()).code == 0


@pytest.mark.parametrize("text", [*REFUSED.values(), *TAKEN.values()], ids=[*REFUSED, *TAKEN])
def test_reports_of_the_same(text: str | bytes):
    data = text if isinstance(text, bytes) else text.encode()
    for arguments in (("--json",), ("--explain",)):
        assert broken_promise(rlx_report.main, arguments, data) is None


def test_the_stack_is_deep_enough_for_what_python_may_do():
    """As deep as Python may recurse, in every parser and printer: an error of ours, not a crash of the interpreter."""
    limit = sys.getrecursionlimit()
    for depth in (100, 400, 1000, 3000):
        for text in (
            nested('"t.op"() ({\n', "", "}) : () -> ()\n", depth),
            nested("module {\n", "", "}\n", depth),
            OPAQUE.format(nested("[", "1 : i32", "]", depth)),
            KERNEL.format(nested("memref<2x", "f32", ">", depth)),
        ):
            for tool, arguments in COMMANDS[:2]:
                assert broken_promise(tool, arguments, text.encode()) is None
    assert sys.getrecursionlimit() == limit


CONVERSION = """\
#in = #ttg.blocked<{{sizePerThread = {0}, threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = {1}}}>
#out = #ttg.blocked<{{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [0, 1]}}>
#shared = #ttg.swizzled_shared<{{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}}>
"builtin.module"() ({{
  "tt.func"() <{{function_type = () -> (), sym_name = "k"}}> ({{
    %0 = "t.a"() : () -> tensor<64x64xf16, #in>
    %1 = "ttg.convert_layout"(%0) : (tensor<64x64xf16, #in>) -> tensor<64x64xf16, #out>
    %2 = "ttg.local_alloc"(%1) : (tensor<64x64xf16, #out>) -> !ttg.memdesc<64x64xf16, #shared, #ttg.shared_memory>
    "tt.return"() : () -> ()
  }}) : () -> ()
}}) {{"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"}} : () -> ()
"""
FOUND = {
    "a location of 10,000 digits": f'sched.kernel @k {{\n}} loc("a":{DIGITS}:1)\n',
    "a layout with a blank for a list": CONVERSION.format("[ ]", "[1, 0]"),
    "a layout with an order of more dimensions": CONVERSION.format("[1, 8]", "[2, 1, 0]"),
    "a layout of three elements": CONVERSION.format("[1, 3]", "[1, 0]"),
    "a layout with too few numbers": CONVERSION.format("[1]", "[1, 0]"),
    "a data layout with an entry that xDSL refuses": (
        "module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<index> dense<32> : vector<4xi64>,>} {\n"
        "  sched.kernel @k {\n    sched.buffer @a : memref<4xindex>\n  }\n}\n"
    ),
    "an alignment of 0 in another dialect": '"gpu.func"() <{function_type = () -> ()}> ({\n'
    '  %0 = "memref.alloc"() <{alignment = 0 : i64, operandSegmentSizes = array<i32: 0, 0>}> '
    ": () -> memref<4xf32, #gpu.address_space<workgroup>>\n"
    '  "gpu.return"() : () -> ()\n}) {gpu.kernel, sym_name = "k"} : () -> ()\n',
}


DISPATCHES = [text for text in corpus() if "pipeline_depth" in text][:3]


@pytest.mark.parametrize("text", DISPATCHES, ids=range(len(DISPATCHES)))
@pytest.mark.parametrize("number", [DIGITS, "0", "", "x", "1, , 1"])
def test_numbers_of_iree_that_are_none(text: str, number: str):
    for field in ("pipeline_depth = ", "store_stage = ", "max_workgroup_memory_bytes = ", "tile_sizes = [["):
        changed = re.sub(rf"({re.escape(field)})\d+", rf"\g<1>{number}", text)
        assert broken_promise(rlx_opt.main, FILTER, changed.encode()) is None


@pytest.mark.parametrize("text", FOUND.values(), ids=FOUND)
def test_what_was_found_by_fuzzing(text: str):
    for tool, arguments in COMMANDS:
        assert broken_promise(tool, arguments, text.encode()) is None
    taken = take(rlx_opt.main, ("--occupancy-annotate",), text.encode())
    assert taken.code == 0
    assert "unknown" in taken.stdout
