"""The command line `rlx-report`, and what it writes for people and programs."""

import json
import re
import sys
from pathlib import Path

import pytest
from support import ROOT, shell

from rlx_sched.tools.rlx_report import main

SPACE = str(ROOT / "examples/search_space.mlir")
DOCS = (ROOT / "docs/report.md").read_text(encoding="utf-8")

NO_FIT = """
sched.kernel @huge stages 2 target <"Apple M4 Pro"> {
  sched.buffer @a rotating : memref<100x100xf32>
}
"""


@pytest.fixture
def module(tmp_path: Path) -> Path:
    return tmp_path / "module.mlir"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def documented(command: str) -> list[str]:
    """The output that the documentation shows after `command`, without the rule under the head of a table."""
    found = re.search(rf"```sh\n{re.escape(command)}\n```.*?```text\n(.*?)```", DOCS, re.DOTALL)
    assert found, command
    return lines(found[1])


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.split("\n") if line.strip(" ─")]


def test_the_table_is_as_documented(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    code, out, err = run(capsys, SPACE)
    assert (code, err) == (0, "")
    assert lines(out) == documented("rlx-report examples/search_space.mlir")


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_the_table_is_no_wider_than_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    _, out, _ = run(capsys, SPACE)
    assert max(map(len, out.split("\n"))) <= width
    assert "16384 -> 8192" in out
    assert ("20:5" in out) == (width >= 90)


def test_names_cannot_color_or_reorder_the_terminal(capsys: pytest.CaptureFixture[str], module: Path) -> None:
    module.write_text('sched.kernel @"[red]\\1B[31m\u202e" { sched.buffer @a : memref<4xf32> }', encoding="utf-8")
    for option in ("--extrapolated=keep", "--explain"):
        _, out, err = run(capsys, option, str(module))
        assert "[red]<U+001B>[31m<U+202E>" in out
        assert "\x1b" not in out + err
        assert "\u202e" not in out + err


def test_names_cannot_start_lines(capsys: pytest.CaptureFixture[str], module: Path) -> None:
    forged = '"a\\0Averdict: faster"'
    kernel = f"sched.kernel @{forged} stages 2 target <{forged}> {{ sched.buffer @{forged} : memref<4xf32, {forged}> }}"
    module.write_text(f"{kernel} loc({forged}:1:2)")
    for option in ("--extrapolated=keep", "--explain"):
        code, out, _ = run(capsys, option, str(module))
        assert code == 0
        assert "@a<U+000A>" in out
        assert not re.search("^ *verdict: faster", out, re.MULTILINE)


BUFFER = "sched.buffer @b rotating : memref<16x16xf32>"
M4 = 'module attributes {sched.target = #sched.target<"Apple M4 Pro">}'
KERNELS = "".join(f"sched.kernel @k{i} stages {1 + i % 3} {{ {BUFFER} }}\n" for i in range(100))
HOSTILE = {
    "a kernel": f"{M4} {{\nsched.kernel @NAME {{ {BUFFER} }}\n{KERNELS}}}",
    "a buffer": f"{M4} {{\nsched.kernel @k stages 2 {{\nsched.buffer @NAME : memref<4xf32>\n"
    + "".join(f"sched.buffer @b{i} : memref<4xf32>\n" for i in range(100))
    + "}\n}",
    "a target": f'module attributes {{sched.target = #sched.target<"NAME">}} {{\n{KERNELS}}}',
    "a search space": f"{M4} {{\nsched.candidates @NAME {{\n{KERNELS}}}\n}}",
    "the winner": f"{M4} {{\nsched.candidates @s {{\nsched.kernel @NAME {{ {BUFFER} }}\n{KERNELS}}}\n}}",
    "a file": '#f = loc("NAME":1:2)\n' + f"{M4} {{\n" + KERNELS.replace("\n", " loc(#f)\n") + "}",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("kind", ["--extrapolated=strip", "--explain", "-o/dev/stdout"])
def test_a_long_name_is_not_shown_whole_for_every_row(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, module: Path, kind: str, text: str
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    shown: list[int] = []
    for name in ("short", "x" * 100_000):
        module.write_text(text.replace("NAME", name))
        assert main([kind, str(module)]) == 0
        shown.append(len(capfdbinary.readouterr().out))
    assert shown[1] - shown[0] < 100 * 10_000


def test_the_explanation_is_as_documented(capsys: pytest.CaptureFixture[str]) -> None:
    example = "examples/sgemm_msl_16x16.mlir"
    code, out, err = run(capsys, "--explain=@sgemm_s3", str(ROOT / example))
    assert (code, err) == (0, "")
    shown = documented(f"rlx-report --explain=sgemm_s3 {example}")
    assert lines(out)[-len(shown) :] == shown
    assert f"{example}:15:3: kernel '@sgemm_s3': 3 stages, for Apple M4 Pro" in out


def test_explain_without_a_name_explains_every_kernel(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--explain", SPACE)
    assert code == 0
    assert re.findall(r"kernel '@(\w+)'", out) == ["t16_s1", "t16_s3", "t32_s2", "t32_s6"]


@pytest.mark.parametrize("arguments", [[], ["--explain"]])
def test_no_kernel_is_told(capsys: pytest.CaptureFixture[str], module: Path, arguments: list[str]) -> None:
    module.write_text("")
    assert run(capsys, *arguments, str(module)) == (0, "0 kernels\n", "")


def test_the_table_says_why_verdicts_are_unknown(capsys: pytest.CaptureFixture[str], module: Path) -> None:
    targets = ["", ' target <"Apple M3">', "", *(f' target <"GPU {number}">' for number in range(3))]
    buffer = "sched.buffer @a rotating : memref<4xf32>"
    module.write_text("".join(f"sched.kernel @k{i} stages 2{at} {{ {buffer} }}\n" for i, at in enumerate(targets)))
    _, out, _ = run(capsys, str(module))
    assert out.splitlines()[-5:] == [
        "6 kernels: 6 unknown",
        "2 unknown: no target: name the GPU with sched.target in the IR or with the option target",
        "1 unknown: no calibration for Apple M3",
        "1 unknown: no calibration for GPU 0",
        "2 more reasons, which --explain shows",
    ]


def test_an_unknown_kernel_is_an_error_with_the_nearest_name(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "--explain=t16s3", SPACE)
    assert (code, out) == (1, "")
    assert "error: no kernel '@t16s3' here; did you mean 't16_s3'?" in err


def test_an_unknown_kernel_like_none_lists_some(capsys: pytest.CaptureFixture[str], module: Path) -> None:
    _, _, err = run(capsys, "--explain=q", SPACE)
    assert "no kernel '@q' here; there are: @t16_s1, @t16_s3, @t32_s2, @t32_s6\n" in err
    module.write_text("")
    assert "no kernel '@q' here; there are none" in run(capsys, "--explain=q", str(module))[2]


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--json", SPACE)
    assert code == 0
    report = json.loads(out)
    assert report["version"] == 1
    assert report["totals"] == {
        "kernels": 4,
        "over_limit": 1,
        "extrapolated": 2,
        "bytes_saved": 8192,
        "bytes_unknown": 0,
        "verdicts": {"faster": 0, "slower": 3, "too_close_to_call": 1, "unknown": 0},
        "actions": {"kept": 1, "stripped": 1, "erased": 2, "left_in": 0, "does_not_fit": 0},
    }
    (calibration,) = report["calibrations"]
    held_out = [row for row in calibration["evidence"] if row["role"] == "held_out"]
    assert [(row["bytes"], row["relative"]) for row in held_out] == [(4096, 1.0), (8192, 0.952), (12288, 0.811)]
    assert [row["predicted"] for row in held_out] == pytest.approx([1, 0.905, 0.8494], abs=5e-5)
    stripped = report["kernels"][2]
    assert stripped["before"]["ratio"] == pytest.approx(0.905)
    assert stripped["before"]["interval"] == pytest.approx([0.855, 0.955])
    assert stripped["name"] == "t32_s2"
    assert stripped["search_space"] == "sgemm"
    assert stripped["place"] == {"file": SPACE, "line": 16, "column": 5}
    assert stripped["before"]["baseline"] == {"bytes": 8192, "bound": "exact"}
    assert stripped["before"]["footprint"] == {"bytes": 16384, "bound": "exact"}
    assert stripped["after"]["footprint"] == {"bytes": 8192, "bound": "exact"}
    assert [line[0] for line in stripped["diff"]] == ["-", "+", " ", " ", " "]


def test_every_key_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    keys: set[str] = set()
    json.loads(run(capsys, "--json", SPACE)[1], object_hook=keys.update)
    assert len(keys) > 40
    assert {key for key in keys if not re.search(rf"`[^`]*\b{key}\b[^`]*`", DOCS)} == set()


def test_upstream_ir_is_shown_before_and_after(capsys: pytest.CaptureFixture[str]) -> None:
    example = str(ROOT / "examples/matmul_multibuffered.mlir")
    _, out, _ = run(capsys, "--json", "--target=Apple M4 Pro", example)
    (kernel,) = json.loads(out)["kernels"]
    assert (kernel["action"], kernel["bytes_saved"]) == ("stripped", 8192)
    marks = "".join(line[0] for line in kernel["diff"])
    assert set(marks) == {"-", "+", " ", "@"}
    # What does not change keeps its names, so that only what rotates differs.
    assert any(line.startswith("-") and "memref<3x32x16xf32" in line for line in kernel["diff"])
    assert any(
        line.startswith("+") and "memref<32x16xf32, #gpu.address_space<workgroup>>" in line for line in kernel["diff"]
    )
    assert marks.count(" ") > 10


def test_a_kernel_that_does_not_fit_is_an_error_and_reported(
    capsys: pytest.CaptureFixture[str], module: Path, tmp_path: Path
) -> None:
    module.write_text(NO_FIT)
    page = tmp_path / "report.html"
    code, _, err = run(capsys, "-o", str(page), str(module))
    assert code == 1
    assert f"{module}:2:1: error: kernel '@huge' takes 40000 bytes" in err
    assert "does_not_fit" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", [[], ["--json"], ["--explain"]])
@pytest.mark.parametrize("name", ["module.mlir", "./folder/../module.mlir", "symbolic.mlir", "hard.mlir", "gpu.toml"])
def test_no_input_is_written_over(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    module: Path,
    tmp_path: Path,
    kind: list[str],
    name: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    module.write_text("this is not even MLIR")
    Path("folder").mkdir()
    Path("symbolic.mlir").symlink_to(module)
    Path("hard.mlir").hardlink_to(module)
    Path("gpu.toml").write_text("nor is this a calibration")
    before = Path(name).read_text()
    code, out, err = run(capsys, *kind, "--calibration=gpu.toml", "module.mlir", "-o", name)
    what = "calibration" if name == "gpu.toml" else "input file"
    assert (code, out, err) == (2, "", f"rlx-report: error: -o names the {what} '{name}', which would be lost\n")
    assert Path(name).read_text() == before


def test_what_standard_input_comes_from_is_not_written_over(module: Path, tmp_path: Path) -> None:
    module.write_text(NO_FIT)
    done = shell("rlx-report -o module.mlir < module.mlir", tmp_path, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "rlx-report: error: -o names the input file 'module.mlir', which would be lost\n"
    assert module.read_text() == NO_FIT


EVERY_KIND = ("--extrapolated=strip", "--json", "--explain")
INPUTS = sorted((ROOT / "examples").glob("*.mlir")) + sorted((ROOT / "tests/filecheck").glob("*/*.mlir"))


@pytest.mark.parametrize("file", INPUTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_whatever_is_written_the_same_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path, file: Path) -> None:
    page = tmp_path / "report.html"
    for target in ([], ["--target=Apple M4 Pro"]):
        code, _, err = run(capsys, *target, "-o", str(page), str(file))
        assert (code == 1) == (": error: " in err)
        for kind in EVERY_KIND:
            found, out, said = run(capsys, kind, *target, str(file))
            assert (kind, found, said) == (kind, code, err)
            if kind == "--json" and out:
                assert json.loads(out)["failed"] == (code == 1)


def test_one_kernel_explained_has_all_errors_of_the_file(capsys: pytest.CaptureFixture[str], module: Path) -> None:
    fits = 'sched.kernel @fits target <"Apple M4 Pro"> { sched.buffer @a : memref<4xf32> }\n'
    unknown = "sched.kernel @unknown { sched.buffer @a : memref<4xf32> }\n"
    module.write_text(fits + unknown + NO_FIT)
    code, _, said = run(capsys, str(module))
    assert code == 1
    for name in ("fits", "unknown", "huge"):
        found, out, err = run(capsys, f"--explain={name}", str(module))
        assert (found, err) == (code, said)
        assert re.findall(r"kernel '@(\w+)'", out) == [name]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--json", "--explain", SPACE], 2, "not allowed with argument"),
        (["--override-target", SPACE], 2, "--override-target needs --target"),
        (["--extrapolated=maybe", SPACE], 2, "invalid choice: 'maybe'"),
        (["--jsn", SPACE], 2, "unknown option '--jsn'; did you mean '--json'?"),
        ([SPACE, "more"], 2, "unexpected argument 'more'\n"),
        (["--explain", "t16_s3", SPACE], 2, f"argument '{SPACE}'; to explain one kernel: --explain=t16_s3\n"),
        ([SPACE, "--explain", "t16_s3"], 2, "argument 't16_s3'; to explain one kernel: --explain=t16_s3\n"),
        ([SPACE, "--explain", "--jsn"], 2, "did you mean '--json'?\n"),
        (["--json", "-o", "", SPACE], 1, "cannot write output file ''"),
        (
            ["--explain", "t16"],
            1,
            "No such file or directory; to explain one kernel: --explain=t16\n",
        ),
        (["no/such/file.mlir"], 1, "cannot open input file 'no/such/file.mlir': No such file or directory"),
        (["--calibration=no.toml", SPACE], 1, "cannot use the calibration 'no.toml'"),
        (["--json", "-o", "no/such/folder/report.json", SPACE], 1, "cannot write output file"),
    ],
)
def test_mistakes_are_told(capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str) -> None:
    found, out, err = run(capsys, *arguments)
    assert (found, out) == (code, "")
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize("terminal", [False, True])
def test_a_terminal_is_told_what_was_written(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, terminal: bool
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    output = tmp_path / "report.json"
    assert run(capsys, "--json", "-o", str(output), SPACE) == (0, "", f"wrote {output}\n" if terminal else "")


def test_a_syntax_error_has_its_place(capsys: pytest.CaptureFixture[str], module: Path) -> None:
    module.write_text("sched.kernel @k stages 0 { }")
    code, out, err = run(capsys, str(module))
    assert (code, out) == (1, "")
    assert err.startswith(f"{module}:1:24: error: expected at least 1 stage")


@pytest.mark.parametrize(("extra", "arguments"), [("plotly", ["-o", "report.html"]), ("rich", [])])
def test_a_missing_extra_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, extra: str, arguments: list[str]
) -> None:
    for loaded in [name for name in sys.modules if name.split(".")[0] == extra]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, extra, None)
    code, _, err = run(capsys, *arguments, SPACE)
    assert code == 1
    assert "pip install 'rlx-sched[report]'" in err


def test_why_a_rotation_is_left_in_is_told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    example = str(ROOT / "tests/filecheck/sources/upstream-left-alone.mlir")
    monkeypatch.setenv("COLUMNS", "160")
    assert "left in (slot-not-written-first)" in run(capsys, "--target=Apple M4 Pro", example)[1]
    explained = run(capsys, "--target=Apple M4 Pro", "--explain", example)[1]
    assert "\n\nfilter: rotation left in (slot-not-written-first): " in explained
