"""The command line of rlx-opt: what goes in, what comes out, and the exit code."""

import os
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
from support import TOOL_ENVIRONMENT, need_tool, tool_result

from rlx_sched.tools import errors
from rlx_sched.tools.driver import Part, split
from rlx_sched.tools.rlx_opt import main

M4 = "--occupancy-annotate=target='Apple M4 Pro'"
FILTER = "--occupancy-filter=target='Apple M4 Pro'"
SLOW = """\
sched.kernel @slow stages 3 {
  sched.buffer @a rotating : memref<16x32xf32>
}
"""
ILLEGAL = """\
sched.kernel @illegal stages 5 {
  sched.buffer @a rotating : memref<64x32xf32>
}
"""
TOO_LARGE = """\
sched.kernel @large {
  sched.buffer @a : memref<128x128xf32>
}
"""


class Done(NamedTuple):
    code: int
    out: str
    err: str


class Tool:
    """Runs rlx-opt in this process."""

    def __init__(self, capture: pytest.CaptureFixture[str]):
        self._capture = capture

    def __call__(self, *arguments: str | Path) -> Done:
        code = main([str(argument) for argument in arguments])
        captured = self._capture.readouterr()
        return Done(code, captured.out, captured.err)


@pytest.fixture
def rlx_opt(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Tool:
    monkeypatch.chdir(tmp_path)
    Path("input.mlir").write_text(SLOW)
    return Tool(capfd)


def stages(text: str) -> list[int]:
    """The numbers of stages of the kernels in `text`."""
    return [int(match[1] or 1) for match in re.finditer(r"sched\.kernel @\w+(?: stages (\d+))?", text)]


@pytest.mark.parametrize(
    "arguments",
    [
        (FILTER, "input.mlir"),
        ("input.mlir", FILTER),
        ("-occupancy-filter=target='Apple M4 Pro'", "input.mlir"),
        ("-p", "occupancy-filter{target='Apple M4 Pro'}", "input.mlir"),
        ("-p=occupancy-filter{target='Apple M4 Pro'}", "input.mlir"),
        ("--pass-pipeline=builtin.module(occupancy-filter{target='Apple M4 Pro'})", "input.mlir"),
        ("-pass-pipeline", "builtin.module(occupancy-filter{target='Apple M4 Pro'})", "input.mlir"),
        (FILTER, "--", "input.mlir"),
        (FILTER, "--canonicalize", "--cse", "-canonicalize", "input.mlir"),
        ("--allow-unregistered-dialect", "--verify-each=false", FILTER, "input.mlir"),
        ("--no-fast-path", FILTER, "input.mlir"),
    ],
)
def test_every_way_to_say_which_pass(rlx_opt: Tool, arguments: tuple[str, ...]):
    done = rlx_opt(*arguments)
    assert (done.code, stages(done.out), done.err) == (0, [1], "")
    assert "stripped <3, slower 0.8494285624314901>" in done.out


def test_a_pass_flag_does_not_take_the_next_argument(rlx_opt: Tool):
    done = rlx_opt("--occupancy-filter", "input.mlir")
    assert (done.code, stages(done.out)) == (0, [3])


def test_passes_run_in_the_order_given_any_number_of_times(rlx_opt: Tool):
    assert stages(rlx_opt("--sched-enumerate=stages=1,3", FILTER, "input.mlir").out) == [1]
    assert stages(rlx_opt(FILTER, "--sched-enumerate=stages=1,3", "input.mlir").out) == [1, 3]
    mixed = rlx_opt("--sched-enumerate=stages=1,3", "-p", "sched-rank", FILTER, "--dump-pass-pipeline", "input.mlir")
    assert mixed.err.startswith(
        "Pass Manager with 3 passes:\n"
        'builtin.module(sched-enumerate{stages=1,3},sched-rank,occupancy-filter{target="Apple M4 Pro"})\n'
    )
    assert rlx_opt(M4, M4, "--sched-erase-annotations", "input.mlir").out == rlx_opt("input.mlir").out


@pytest.mark.parametrize("source", [(), ("-",)])
def test_standard_input(rlx_opt: Tool, source: tuple[str, ...], monkeypatch: pytest.MonkeyPatch):
    with Path("input.mlir").open() as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        done = rlx_opt(FILTER, *source)
    assert (done.code, stages(done.out)) == (0, [1])


def test_errors_in_standard_input_are_placed(rlx_opt: Tool, monkeypatch: pytest.MonkeyPatch):
    Path("input.mlir").write_text("nonsense")
    with Path("input.mlir").open() as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        assert rlx_opt().err.startswith("<stdin>:1:1: error: ")


def test_an_empty_input_is_an_empty_module(rlx_opt: Tool):
    Path("input.mlir").write_text("")
    assert rlx_opt(FILTER, "input.mlir") == Done(0, "builtin.module {\n}\n", "")


def test_several_files_come_out_one_after_another(rlx_opt: Tool):
    Path("other.mlir").write_text(ILLEGAL)
    done = rlx_opt("input.mlir", "other.mlir")
    assert (done.code, stages(done.out)) == (0, [3, 5])
    assert done.out.count("// -----\n") == 1
    assert rlx_opt("-j2", "input.mlir", "other.mlir") == done
    assert stages(rlx_opt("other.mlir", "input.mlir").out) == [5, 3]


def test_output_file(rlx_opt: Tool):
    assert rlx_opt("-o", "output.mlir", "input.mlir") == Done(0, "", "")
    assert stages(Path("output.mlir").read_text()) == [3]
    assert rlx_opt("-o=output.mlir", FILTER, "input.mlir") == Done(0, "", "")
    assert stages(Path("output.mlir").read_text()) == [1]


def test_nothing_is_written_after_an_error(rlx_opt: Tool):
    Path("input.mlir").write_text(TOO_LARGE)
    Path("output.mlir").write_text("as it was")
    done = rlx_opt(FILTER, "-o", "output.mlir", "input.mlir")
    assert (done.code, done.out) == (errors.EXIT_ERROR, "")
    assert done.err.startswith("input.mlir:1:1: error: kernel '@large' takes 65536 bytes")
    assert Path("output.mlir").read_text() == "as it was"
    assert rlx_opt(FILTER, "input.mlir").out == ""


def test_other_parts_come_out_after_an_error(rlx_opt: Tool):
    separator = "// -----\n"
    Path("input.mlir").write_text(separator.join([SLOW, "nonsense\n", ILLEGAL]))
    done = rlx_opt("--split-input-file", "input.mlir")
    assert (done.code, stages(done.out), done.out.count(separator)) == (errors.EXIT_ERROR, [3, 5], 2)
    assert done.err.startswith("input.mlir:5:1: error: ")
    assert rlx_opt("--split-input-file", "-j", "3", "input.mlir") == done
    assert rlx_opt("--split-input-file", "-o", "output.mlir", "input.mlir").code == errors.EXIT_ERROR
    assert not Path("output.mlir").exists()


A, B = '"t.a"() : () -> ()', '"t.b"() : () -> ()'


@pytest.mark.parametrize(
    "text",
    [
        f"{A}\n// -----\n{B}\n",
        f"{A}\n  // -----\n\t// -----\n{B}\n",
        f"{A} // -----\n{B}",
        f"{A} // ----- {B}",
        f"{A}\r// -----\r{B}\n",
        f"{A}\r\n// -----\r\n{B}\r\n",
        f"{A}\n// -----// IR Dump //----- //\n{B}\n",
        f"{A}\n// -----// -----\n{B}\n",
        f"{A}\n// ----- foo\n{B}\n",
        f"{A}\n// ------\n{B}\n",
        f"{A}\n// -----0\n{B}\n",
        f"{A}\n// ----\n{B}\n//-----\n// - ----\n",
        f"{A}\n// -----",
        f"{A}\n// -----\n",
        f"{A}\n  // -----\n bad\n// -----   // x\n\n  bad\n// -----\n{B}\n",
        f'"t.a"() {{x = "a{A[-1:]}"}} : () -> () // c // ----- // d\n{B}',
    ],
    ids=ascii,
)
def test_files_are_split_where_mlir_opt_splits_them(rlx_opt: Tool, text: str):
    Path("input.mlir").write_bytes(text.encode())
    done = rlx_opt("--split-input-file", "input.mlir")
    theirs = tool_result("mlir-opt", "--split-input-file", "--allow-unregistered-dialect", text=text)
    assert done.code == theirs.returncode
    assert [re.findall(r'"t\.\w"', part) for part in done.out.split("// -----\n")] == [
        re.findall(r'"t\.\w"', part) for part in theirs.stdout.split("// -----\n")
    ]
    places = re.findall(r":(\d+:\d+): error", theirs.stderr)
    assert re.findall(r":(\d+:\d+): error", done.err) == places


def test_long_lines_are_split_in_time_with_their_length():
    whole = Part(f"{A} // ----- // x " * 20_000, "t.mlir")
    parts = split(whole)
    assert len(parts) == 20_001
    assert sum(len(part.text) for part in parts) < 2 * len(whole.text)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--nonsense"], "unknown option '--nonsense'"),
        (["-x"], "unknown option '-x'"),
        (["-ooutput.mlir"], "unknown option '-ooutput.mlir'"),
        (["--occupancy-filtr"], "unknown option '--occupancy-filtr'; did you mean '--occupancy-filter'?"),
        (["-canonicalise"], "unknown option '-canonicalise'; did you mean '--canonicalize'?"),
        (["--split-input"], "unknown option '--split-input'; did you mean '--split-input-file'?"),
        (
            ["--occupancy-filter=tarrget=x"],
            "--occupancy-filter: 'occupancy-filter' has no option 'tarrget'; did you mean",
        ),
        (["--occupancy-filter=target='x"], "--occupancy-filter: expected a value"),
        (["-p", "cs"], "-p: unknown pass 'cs'; did you mean 'cse'?"),
        (["--mlir-print-ir-after=cs"], "unknown pass 'cs'; did you mean 'cse'?"),
        (["-t", "rlx-metal"], "unknown target 'rlx-metal'; did you mean"),
        (["-t", "rlx-wgsl{x}"], "'rlx-wgsl' has no option 'x'; it takes none"),
        (["-o", "--cse"], "argument -o: expected one argument"),
        (["--max-ops=0"], "argument --max-ops: expected a whole number from 1 on, got '0'"),
        (["-j", "two"], "argument -j: expected a whole number from 1 on, got 'two'"),
        (["--verify-each=maybe"], "argument --verify-each: expected 'true' or 'false', got 'maybe'"),
        (["--fail-on=slow", M4], "argument --fail-on: expected some of faster, slower,"),
        (["--fail-on=slower"], "--fail-on needs a pass that judges: --occupancy-annotate or --occupancy-filter"),
        (["--mlir-timing=x"], "argument --mlir-timing: ignored explicit argument 'x'"),
        (["--print-completion=dash"], "argument --print-completion: invalid choice: 'dash'"),
        (["--via-mlir-opt=no/such/program"], "--via-mlir-opt: 'no/such/program' is no program that can be run"),
    ],
)
def test_usage_errors(rlx_opt: Tool, arguments: list[str], message: str):
    done = rlx_opt(*arguments, "input.mlir")
    assert (done.code, done.out) == (errors.EXIT_USAGE, "")
    assert done.err.startswith(f"rlx-opt: error: {message}")
    assert done.err.endswith("\nrlx-opt: `rlx-opt --help` shows the options\n")


def test_files_that_cannot_be_read(rlx_opt: Tool):
    for path, reason in {
        "missing.mlir": "No such file or directory",
        ".": "Is a directory",
        "input.mlir/x": "Not a directory",
        "nul\0byte": "embedded null byte",
    }.items():
        done = rlx_opt(path)
        escaped = path.replace("\0", "<U+0000>")
        assert done == Done(errors.EXIT_ERROR, "", f"rlx-opt: error: cannot open input file '{escaped}': {reason}\n")


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (b"\xff", "1:1", "expected UTF-8, found the byte 0xFF"),
        (b"// a comment\nbuiltin.module {\n  nonsense\n}", "3:3", ""),
        (b"builtin.module {\r\n  nonsense\r\n}", "2:3", ""),
        (b"\xef\xbb\xbfnonsense", "1:1", ""),
        (b"builtin.module {\0}", "1:17", ""),
        (b"sched.kernel @k stages 0 { }", "1:24", "expected at least 1 stage"),
    ],
)
def test_errors_while_reading_have_a_place(rlx_opt: Tool, text: bytes, place: str, message: str):
    Path("input.mlir").write_bytes(text)
    done = rlx_opt("input.mlir")
    first, source, caret, *_ = done.err.split("\n")
    assert (done.code, done.out) == (errors.EXIT_ERROR, "")
    assert first.startswith(f"input.mlir:{place}: error: {message}")
    assert "\r" not in done.err
    assert caret.index("^") == int(place.split(":")[1]) - 1 <= len(source)


def test_control_characters_do_not_reach_the_terminal(rlx_opt: Tool):
    Path("input.mlir").write_text('sched.kernel @"\u202e\x1b[31m" { sched.buffer @"\u202e" : memref<128x128xf32> }')
    done = rlx_opt(FILTER, "input.mlir")
    assert done.code == errors.EXIT_ERROR
    assert "kernel '@<U+202E><U+001B>[31m' takes" in done.err
    assert done.err.replace("\n", "").isprintable()


def test_invalid_operations_have_a_place(rlx_opt: Tool):
    Path("input.mlir").write_text(SLOW + "builtin.module {\n  sched.phase {\n  }\n}\n")
    done = rlx_opt("input.mlir")
    assert (done.code, done.out) == (errors.EXIT_ERROR, "")
    first, source, caret, *rest = done.err.split("\n")
    assert first.startswith("input.mlir:5:3: error: 'sched.phase' ")
    assert (source, caret, rest) == ("  sched.phase {", "  ^", [""])


def test_deep_nesting_is_read_to_a_limit_and_refused_beyond(rlx_opt: Tool):
    Path("input.mlir").write_text('"a.b"() ({' * 400 + '"c.d"() : () -> ()' + "}) : () -> ()" * 400)
    assert rlx_opt(M4, "--canonicalize", "--cse", "-o", "output.mlir", "input.mlir") == Done(0, "", "")
    Path("input.mlir").write_text('"a.b"() ({' * 100_000)
    done = rlx_opt("input.mlir")
    assert done.code == errors.EXIT_ERROR
    assert "error: operations, attributes or types are nested too deeply" in done.err


def test_max_ops(rlx_opt: Tool):
    assert rlx_opt("--max-ops=3", "input.mlir").code == 0
    message = "input.mlir: error: the module has more than 2 operations, the limit that --max-ops sets\n"
    assert rlx_opt("--max-ops=2", "input.mlir") == Done(errors.EXIT_ERROR, "", message)


def test_fail_on(rlx_opt: Tool):
    Path("input.mlir").write_text(SLOW + ILLEGAL)
    assert rlx_opt(M4, "--fail-on=faster,unknown", "input.mlir").code == 0
    slower = rlx_opt(M4, "--fail-on=slower", "input.mlir")
    assert (slower.code, stages(slower.out)) == (errors.EXIT_FINDINGS, [3, 5])
    assert slower.err.startswith("input.mlir:1:1: remark: 2048 -> 6144 bytes, slower")
    assert slower.err.endswith("rlx-opt: --fail-on: 2 schedules are slower\n")
    illegal = rlx_opt(M4, "--fail-on=illegal", "input.mlir")
    assert illegal.code == errors.EXIT_FINDINGS
    assert illegal.err.startswith("input.mlir:4:1: remark: ")
    assert illegal.err.endswith("rlx-opt: --fail-on: 1 schedule is illegal\n")
    assert rlx_opt(FILTER, "--fail-on=slower", "input.mlir").code == errors.EXIT_FINDINGS
    assert rlx_opt("--occupancy-annotate", "--fail-on=slower", "input.mlir").code == 0


def test_lists_add_up_and_booleans_are_those_of_llvm(rlx_opt: Tool):
    Path("input.mlir").write_text(SLOW + ILLEGAL)
    done = rlx_opt(M4, "--fail-on=slower", "--fail-on=illegal", "input.mlir")
    assert done == rlx_opt(M4, "--fail-on=slower,illegal", "input.mlir")
    assert done.err.endswith("rlx-opt: --fail-on: 2 schedules are illegal or slower\n")
    plain = rlx_opt(M4, "input.mlir")
    assert rlx_opt(M4, "--verify-each", "input.mlir") == rlx_opt(M4, "--verify-each=0", "input.mlir") == plain
    assert "verdict" in plain.out
    assert "verdict" not in rlx_opt(f"{FILTER} annotate=0", "input.mlir").out


def test_fail_on_warns_where_nothing_was_judged(rlx_opt: Tool):
    Path("input.mlir").write_text("func.func @f() { func.return }\n")
    done = rlx_opt(M4, "--fail-on=slower", "input.mlir")
    assert (done.code, done.err) == (0, "rlx-opt: warning: --fail-on: no schedules were found\n")


def test_a_gpu_is_no_output_target(rlx_opt: Tool):
    done = rlx_opt("--target=Apple M4 Pro", "input.mlir")
    assert (done.code, done.out) == (errors.EXIT_USAGE, "")
    assert "--occupancy-filter=\"target='Apple M4 Pro'\"" in done.err
    assert "did you mean 'rlx-wgsl'?" in rlx_opt("--target=rlx-wgs", "input.mlir").err


def test_an_error_outranks_fail_on(rlx_opt: Tool):
    Path("input.mlir").write_text(SLOW + TOO_LARGE)
    assert rlx_opt(FILTER, "--fail-on=slower", "input.mlir").code == errors.EXIT_ERROR


def test_remarks_are_shown_on_request(rlx_opt: Tool):
    assert rlx_opt(M4, "input.mlir").err == ""
    shown = rlx_opt(M4, "--show-remarks", "input.mlir").err
    assert shown.startswith("input.mlir:1:1: remark: 2048 -> 6144 bytes, slower, predicted 0.849")
    assert shown.endswith("\nsched.kernel @slow stages 3 {\n^\n")


@pytest.mark.parametrize("remarks", ["out", "./out", "link"])
@pytest.mark.parametrize("there", [False, True])
def test_output_and_remarks_do_not_go_to_one_file(rlx_opt: Tool, remarks: str, there: bool):
    Path("link").symlink_to("out")
    if there:
        Path("out").write_text("old")
    done = rlx_opt(M4, "-o", "out", f"--remarks={remarks}", "input.mlir")
    assert (done.code, done.out) == (errors.EXIT_USAGE, "")
    assert done.err.startswith(f"rlx-opt: error: -o and --remarks both name the file '{remarks}'; give each a file")
    assert not there or Path("out").read_text() == "old"
    assert Path("out").exists() == there


@pytest.mark.parametrize("remarks", ["input.mlir", "./input.mlir", "link"])
def test_remarks_do_not_replace_the_input(rlx_opt: Tool, remarks: str):
    Path("link").symlink_to("input.mlir")
    before = Path("input.mlir").read_text()
    done = rlx_opt(M4, f"--remarks={remarks}", "input.mlir")
    assert (done.code, done.out) == (errors.EXIT_USAGE, "")
    assert done.err.startswith(f"rlx-opt: error: --remarks names the input file '{remarks}', which would be lost")
    assert Path("input.mlir").read_text() == before


@pytest.mark.parametrize(
    ("output", "remarks", "failing"),
    [("out", "missing/remarks", "remarks file"), ("missing/out", "remarks", "output file")],
)
def test_output_and_remarks_are_written_together(rlx_opt: Tool, output: str, remarks: str, failing: str):
    done = rlx_opt(M4, "-o", output, f"--remarks={remarks}", "input.mlir")
    assert done.code == errors.EXIT_ERROR
    assert f"cannot write {failing} " in done.err
    assert [path.name for path in Path().iterdir()] == ["input.mlir"]
    assert rlx_opt(M4, "-o", "out", "--remarks=remarks", "input.mlir").code == 0
    assert "sched.kernel" in Path("out").read_text()
    assert Path("remarks").read_text().startswith("--- !")


def test_warnings_are_shown(rlx_opt: Tool):
    Path("input.mlir").write_text(
        f'builtin.module attributes {{sched.target = #sched.target<"Apple M1">}} {{\n{SLOW}}}'
    )
    done = rlx_opt(M4, "input.mlir")
    assert done.code == 0
    assert re.match(r"input\.mlir:\d:\d+: warning: ", done.err)


def test_locations_of_the_file_are_honored(rlx_opt: Tool):
    Path("input.mlir").write_text(TOO_LARGE.rstrip() + ' loc("source.py":7:9)\n')
    done = rlx_opt(FILTER, "input.mlir")
    assert done.err.startswith("source.py:7:9: error: kernel '@large'")
    assert done.err.endswith("input.mlir:1:1: note: see current operation\nsched.kernel @large {\n^\n")


def test_locations_are_printed_and_survive(rlx_opt: Tool):
    Path("input.mlir").write_text(f"builtin.module {{\n{SLOW}}}\n")
    once = rlx_opt("--mlir-print-debuginfo", M4, "input.mlir").out
    assert 'loc("input.mlir":2:1)' in once
    assert 'loc("input.mlir":3:3)' in once
    Path("input.mlir").write_text(once)
    assert rlx_opt("--mlir-print-debuginfo", M4, "input.mlir").out == once


@pytest.mark.parametrize("name", [b"x\xff.mlir", b'\xfe"\\\n.mlir', "\u00e9.mlir".encode()])
def test_files_may_be_called_by_any_bytes(rlx_opt: Tool, name: bytes):
    """Their names are printed as mlir-opt prints them."""
    text = '"t.a"() : () -> ()\n"t.b"() ({\n^bb0(%x: i32):\n}) : () -> ()\n'
    try:
        Path(os.fsdecode(name)).write_text(text)
    except OSError:
        pytest.skip("this system's file names are text")
    options = ("--mlir-print-op-generic", "--mlir-print-debuginfo")
    once = rlx_opt(*options, os.fsdecode(name))
    assert (once.code, once.err) == (0, "")
    command = [need_tool("mlir-opt"), *options, "--allow-unregistered-dialect", os.fsdecode(name)]
    theirs = subprocess.run(command, capture_output=True, text=True, env=TOOL_ENVIRONMENT, check=True).stdout
    assert set(re.findall(r'loc\((".*mlir":[1-9][^)]*)\)', theirs)) == set(re.findall(r'loc\(("[^)]*)\)', once.out))
    Path("input.mlir").write_text(once.out)
    assert rlx_opt(*options, "input.mlir").out == once.out


def test_ir_is_dumped_around_passes(rlx_opt: Tool):
    header = "// -----// IR Dump {} OccupancyAnnotate (occupancy-annotate) //----- //\n"
    before, after = header.format("Before"), header.format("After")
    for flag, expected in {
        "--mlir-print-ir-before-all": [before, "Before CommonSub"],
        "--mlir-print-ir-after-all": [after, "After CommonSub"],
        "--mlir-print-ir-before=occupancy-annotate": [before],
        "--mlir-print-ir-after=occupancy-annotate,dce": [after],
    }.items():
        done = rlx_opt(flag, M4, "--cse", "input.mlir")
        assert done.code == 0
        assert done.err.count("IR Dump") == len(expected)
        assert all(text in done.err for text in expected)
        assert ("verdict" in done.err.split("IR Dump")[1]) == (after in expected)


def test_timing(rlx_opt: Tool):
    report = rlx_opt("--mlir-timing", M4, "--cse", "input.mlir").err
    assert "... Execution time report ..." in report
    names = re.findall(r"^ +\d+\.\d{4} \( *\d+\.\d%\)  (.*)$", report, re.MULTILINE)
    assert names == ["Parser", "occupancy-annotate", "cse", "Output", "Rest", "Total"]


def test_generic_form(rlx_opt: Tool):
    generic = rlx_opt("--mlir-print-op-generic", "input.mlir").out
    assert generic.startswith('"builtin.module"() ({')
    Path("input.mlir").write_text(generic)
    assert stages(rlx_opt("input.mlir").out) == [3]


def test_targets(rlx_opt: Tool):
    Path("input.mlir").write_text("")
    done = rlx_opt("-t", "rlx-wgsl", "input.mlir")
    assert (done.code, done.out) == (errors.EXIT_ERROR, "")
    assert done.err.startswith("input.mlir: error: ")
    assert rlx_opt("-t", "mlir", "input.mlir") == Done(0, "builtin.module {\n}\n\n", "")


def test_help(rlx_opt: Tool):
    done = rlx_opt("--help")
    assert (done.code, done.err) == (0, "")
    assert max(map(len, done.out.split("\n"))) <= 80
    assert "\n  --occupancy-filter\n      Take out the rotations that lose.\n" in done.out
    assert re.search(r"\n      extrapolated=strip +\S", done.out)
    assert "canonicalize, " in done.out
    assert not re.search(r"\s\n\S*\s\n\s*\n", done.out)
    assert rlx_opt("-h").out == done.out


def test_help_all(rlx_opt: Tool):
    out = rlx_opt("--help-all").out
    assert max(map(len, out.split("\n"))) <= 80
    assert re.search(r"\n  --canonicalize\n", out)
    assert "CanonicalizePass(" not in out


def test_lists(rlx_opt: Tool):
    passes = rlx_opt("--list-passes").out.split("\n")
    assert {"occupancy-filter", "sched-rank", "canonicalize", "cse"} <= set(passes)
    assert passes.index("sched-rank") < passes.index("canonicalize")
    dialects = rlx_opt("--show-dialects").out
    assert dialects.startswith("Available Dialects: ")
    assert {"sched", "gpu", "memref"} <= set(dialects.split(": ")[1].strip().split(","))


def test_version(rlx_opt: Tool):
    assert re.fullmatch(
        r"rlx-opt \d+\.\d+\.\d+\S*, xDSL 0\.75\.\d+, Python 3\.\d+\.\d+\S*, \w+\n", rlx_opt("--version").out
    )


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(rlx_opt: Tool, shell: str):
    pytest.importorskip("shtab")
    done = rlx_opt("--print-completion", shell)
    assert (done.code, done.err) == (0, "")
    assert "occupancy-filter" in done.out
    assert "split-input-file" in done.out


def test_completion_names_its_extra(rlx_opt: Tool, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(__import__("sys").modules, "shtab", None)
    done = rlx_opt("--print-completion", "bash")
    assert done.code == errors.EXIT_USAGE
    assert "pip install 'rlx-sched[completion]'" in done.err
