"""The examples of the hooks, each with the real library."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import support

from rlx_sched.integrations import iree
from rlx_sched.integrations import tilelang as hook
from rlx_sched.passes.occupancy_filter import OccupancyFilter
from rlx_sched.passes.sched_erase_annotations import SchedEraseAnnotations
from rlx_sched.tools.pipeline import parse_pipeline

EXAMPLES = Path(__file__).parents[2] / "examples"


def run_example(name: str, library: str) -> list[str]:
    if find_spec(library) is None:
        support.missing(f"{library} (PyPI)")
    done = subprocess.run([sys.executable, EXAMPLES / name], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_iree_is_compiled_with_one_slot_where_the_rotation_loses() -> None:
    """Rows of 16 and 64 floats, padded by 4: 64x20 and 16x68, in three slots and in one."""
    slot = (64 * 20 + 16 * 68) * 4
    assert run_example("iree_filter.py", "iree.compiler") == [
        f"Apple M1: {3 * slot} bytes of threadgroup memory",
        f"Apple M4 Pro: {slot} bytes of threadgroup memory",
    ]


def test_iree_gets_any_name_of_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[list[str | Path]] = []
    monkeypatch.setattr(iree, "_iree_compile", lambda: "iree-compile")
    monkeypatch.setattr(iree, "_run", ran.append)
    name = 'it\'s a "GPU" \\ {2}'
    iree.compile_filtered(Path("in.mlir"), Path("out.vmfb"), chip=name, flags=[])
    pipeline = ran[1][ran[1].index("-p") + 1]
    assert parse_pipeline(str(pipeline)) == [OccupancyFilter(target=name), SchedEraseAnnotations()]


@pytest.mark.parametrize("status", [0, 1])
@pytest.mark.parametrize(("bytes_", "text"), [(b"\xff\xfe", r"\xff\xfe"), ("µ".encode(), "µ"), (b"\xb5", r"\xb5")])
def test_what_iree_says_may_be_any_bytes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, status: int, bytes_: bytes, text: str
) -> None:
    tool = tmp_path / "iree-compile"
    tool.write_text(
        f"#!{sys.executable}\nimport sys\nsys.stdout.buffer.write({bytes_!r})\n"
        f"sys.stderr.buffer.write(b'in ' + {bytes_!r})\nsys.exit({status})\n"
    )
    tool.chmod(0o700)
    if status:
        with pytest.raises(iree.IreeError) as caught:
            iree._run([tool])  # pyright: ignore[reportPrivateUsage]
        assert str(caught.value) == f"iree-compile failed with exit status 1:\nin {text}"
    else:
        iree._run([tool])  # pyright: ignore[reportPrivateUsage]
        assert capsys.readouterr().err == f"in {text}"


def test_triton() -> None:
    timed = run_example("triton_prune.py", "triton")
    assert [line.partition("num_stages: ")[2].partition(",")[0] for line in timed] == ["1", "2", "1", "2"]


def test_tilelang_takes_what_the_filter_says() -> None:
    """The bytes in the Metal source are those that the filter judged by."""
    lines = [line for line in run_example("tilelang_filter.py", "tilelang") if line.startswith(("measure", "skip"))]
    assert [line.split()[0] for line in lines] == ["measure", "measure", "skip", "skip"] * 2
    assert [int(line.split()[-2]) for line in lines] == [
        (m * 32 + 32 * 64) * 2 * max(stages, 1) for m in (32, 64) for stages in (0, 1, 2, 3)
    ]


def test_a_table() -> None:
    (line,) = run_example("score_table.py", "pyarrow")
    assert line.startswith("960000 candidates: ")


CONFIGS = [{"block_M": 64, "block_N": 64, "block_K": 32, "num_stages": stages} for stages in (0, 1, 2, 3, 9)]


def test_tilelang_configurations_may_be_a_function() -> None:
    def configs(M: int) -> list[dict[str, int]]:
        """Configurations for M rows."""
        return [{**config, "block_M": M} for config in CONFIGS]

    filtered = hook.worth_measuring(configs, chip="Apple M4 Pro", dtype="float16")
    assert [config["num_stages"] for config in filtered(32)] == [0, 1]
    assert filtered.__doc__ == configs.__doc__


def test_tilelang_keeps_what_fits_where_nothing_was_measured() -> None:
    assert hook.worth_measuring(CONFIGS, chip="Apple M1", dtype="float16") == CONFIGS[:4]
    assert hook.worth_measuring(CONFIGS, chip="NVIDIA H200", dtype="float16") == CONFIGS


def test_tilelang_dtypes_and_sizes() -> None:
    mixed = hook.worth_measuring(CONFIGS, chip="Apple M1", dtype=("int8", "float32"))
    assert mixed == CONFIGS[:4], "2048 + 8192 bytes a slot"
    fixed = hook.worth_measuring([{"n": 1}, {"n": 3}], chip="Apple M4", dtype="f32", tiles=((16, 16),), stages="n")
    assert fixed == [{"n": 1}]
    with pytest.raises(ValueError, match="one for each of 2 tiles, got 3"):
        hook.worth_measuring(CONFIGS, chip="Apple M1", dtype=("f16",) * 3)
