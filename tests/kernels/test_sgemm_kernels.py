"""Every generated kernel runs: WGSL on a WebGPU implementation, MSL as C++ on the CPU."""

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import missing

from rlx_sched.kernels.loops import Barrier, Element, For, Kernel, Statement
from rlx_sched.kernels.model import SgemmSchedule, sgemm
from rlx_sched.measure.device import Program, Shape, grid
from rlx_sched.measure.experiment import error_bound

STAGES = (1, 2, 3, 4)

SCHEDULES = [
    SgemmSchedule(16, 16, 16, 16, 16),
    SgemmSchedule(16, 16, 8, 8, 8, 2, 2),
    SgemmSchedule(32, 32, 32, 32, 32),
    # Tiles that neither the threads nor powers of two divide.
    SgemmSchedule(6, 10, 7, 5, 3, 2, 2),
    SgemmSchedule(16, 16, 8, 8, 8, 2, 2, element="f16"),
]

SHAPES = [Shape(1, 64, 64), Shape(37, 29, 53), Shape(64, 64, 64), Shape(3, 2, 1)]


def matrices(shape: Shape, element: Element) -> tuple[Any, Any]:
    generator = np.random.default_rng([shape.m, shape.n, shape.k])
    dtype = np.float32 if element == "f32" else np.float16
    return (
        generator.uniform(-1, 1, (shape.m, shape.k)).astype(dtype),
        generator.uniform(-1, 1, (shape.k, shape.n)).astype(dtype),
    )


def run_wgsl(device: Any, program: Program, shape: Shape, a: Any, b: Any) -> Any:
    result = device.run(device.compile(program), device.upload(shape, a, b))
    return np.frombuffer(result, a.dtype).reshape(shape.m, shape.n)


def check_against_numpy(result: Any, a: Any, b: Any) -> None:
    error = np.abs(result - a.astype(np.float64) @ b.astype(np.float64))
    assert (error <= error_bound(a, b)).all()


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("schedule", SCHEDULES, ids=str)
def test_wgsl_gives_the_same_bits_at_any_stage_count(webgpu_device: Any, schedule: SgemmSchedule, shape: Shape) -> None:
    if schedule.element == "f16" and not webgpu_device.info.f16:
        pytest.skip("the adapter has no f16")
    a, b = matrices(shape, schedule.element)
    plain = run_wgsl(webgpu_device, Program.plain(schedule), shape, a, b)
    check_against_numpy(plain, a, b)
    for stages in STAGES:
        staged = schedule.with_stages(stages)
        rotated = run_wgsl(webgpu_device, Program.generated(sgemm(staged)), shape, a, b)
        assert rotated.tobytes() == plain.tobytes(), f"{stages} stages"
        idle = (stages - 1) * schedule.stage_bytes
        padded = run_wgsl(webgpu_device, Program.generated(sgemm(schedule, idle_bytes=idle)), shape, a, b)
        assert padded.tobytes() == plain.tobytes(), f"{idle} idle bytes"


def without_barriers(body: tuple[Statement, ...]) -> tuple[Statement, ...]:
    kept: list[Statement] = []
    for statement in body:
        match statement:
            case Barrier():
                pass
            case For(name, stop, inner):
                kept.append(For(name, stop, without_barriers(inner)))
            case _:
                kept.append(statement)
    return tuple(kept)


def build_msl(program: Program, folder: Path, *, fused: bool) -> ctypes.CDLL:
    compiler = shutil.which("g++")
    if compiler is None:
        missing("g++, which compiles the MSL kernels,")
    here = Path(__file__).parent
    (folder / "metal_stdlib").write_text('#include "metal_shim.hpp"\n')
    (folder / "kernel.metal").write_text(program.msl)
    library = folder / "kernel.so"
    element = "float" if program.element == "f32" else "half"
    subprocess.run(
        [
            *(compiler, "-std=c++17", "-O1", "-ffp-contract=off", "-fPIC", "-shared"),
            *("-Wall", "-Wextra", "-Werror", "-Wno-attributes", "-Wno-unused-parameter"),
            *("-Wno-unused-variable", f"-I{folder}", f"-I{here}", f"-DKERNEL={program.entry}"),
            *(f"-DELEMENT={element}", f'-DSOURCE="{folder / "kernel.metal"}"', str(here / "metal_main.cpp")),
            *([] if fused else ["-DROUND_PRODUCT"]),
            # The harness compiles without bounds checks; here an index outside a threadgroup array kills the process.
            *("-fsanitize=bounds", "-fsanitize-undefined-trap-on-error"),
            *("-o", str(library)),
        ],
        check=True,
    )
    return ctypes.CDLL(str(library))


def run_msl(
    program: Program, folder: Path, shape: Shape, a: Any, b: Any, *, falling: bool = False, fused: bool = True
) -> Any:
    folder.mkdir(exist_ok=True)
    library = build_msl(program, folder, fused=fused)
    result = np.full((shape.m, shape.n), np.nan, a.dtype)
    pointers = [ctypes.c_void_p(matrix.ctypes.data) for matrix in (a, b, result)]
    sizes = (ctypes.c_uint32 * 3)(shape.m, shape.n, shape.k)
    groups = (ctypes.c_uint32 * 2)(*grid(program, shape))
    threads = (ctypes.c_uint32 * 2)(*program.threads)
    library.launch(*pointers, sizes, groups, threads, falling)
    return result


@pytest.mark.parametrize("schedule", SCHEDULES, ids=str)
def test_msl_on_the_cpu_gives_the_same_bits_as_wgsl(
    webgpu_device: Any, schedule: SgemmSchedule, tmp_path: Path
) -> None:
    shape = Shape(37, 29, 53)
    a, b = matrices(shape, schedule.element)
    fused = fuses(webgpu_device)
    plain = run_msl(Program.plain(schedule), tmp_path / "plain", shape, a, b, fused=fused)
    check_against_numpy(plain, a, b)
    for stages in STAGES:
        program = Program.generated(sgemm(schedule.with_stages(stages)))
        for falling in (False, True):
            result = run_msl(program, tmp_path / f"{stages}{falling}", shape, a, b, falling=falling, fused=fused)
            assert result.tobytes() == plain.tobytes(), f"{stages} stages"
    if schedule.element == "f32" or webgpu_device.info.f16:
        assert run_wgsl(webgpu_device, Program.plain(schedule), shape, a, b).tobytes() == plain.tobytes()


def fuses(device: Any) -> bool:
    """Whether `fma` rounds once on the device; WGSL allows a rounded product too."""
    x = np.float32(1 + 2**-12)
    shape = Shape(1, 1, 2)
    a = np.array([[-1, x]], np.float32)
    b = np.array([[x * x], [x]], np.float32)
    result = run_wgsl(device, Program.plain(SgemmSchedule(1, 1, 1, 1, 1)), shape, a, b)
    return bool(result[0, 0] != 0)


@pytest.mark.parametrize("stages", STAGES)
def test_the_shim_notices_missing_barriers(stages: int, tmp_path: Path) -> None:
    schedule, shape = SgemmSchedule(8, 8, 4, 8, 8, stages=stages), Shape(16, 16, 24)
    a, b = matrices(shape, "f32")
    kernel = sgemm(schedule)
    broken = Kernel(
        kernel.name, kernel.element, kernel.threads, kernel.covers, kernel.arrays, without_barriers(kernel.body)
    )
    right = run_msl(Program.generated(kernel), tmp_path / "right", shape, a, b)
    check_against_numpy(right, a, b)
    wrong = run_msl(Program.generated(broken), tmp_path / "wrong", shape, a, b)
    assert not np.array_equal(right, wrong, equal_nan=True)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    m=st.integers(1, 70),
    n=st.integers(1, 70),
    k=st.integers(1, 70),
    edges=st.tuples(*[st.integers(1, 9)] * 3),
    outputs=st.tuples(*[st.integers(1, 3)] * 2),
    stages=st.integers(1, 5),
)
def test_any_schedule_computes_any_product(
    webgpu_device: Any,
    m: int,
    n: int,
    k: int,
    edges: tuple[int, int, int],
    outputs: tuple[int, int],
    stages: int,
) -> None:
    x, y, depth = edges
    schedule = SgemmSchedule(y * outputs[0], x * outputs[1], depth, x, y, *outputs, stages=stages)
    shape = Shape(m, n, k)
    a, b = matrices(shape, "f32")
    result = run_wgsl(webgpu_device, Program.generated(sgemm(schedule)), shape, a, b)
    check_against_numpy(result, a, b)
    assert result.tobytes() == run_wgsl(webgpu_device, Program.plain(schedule), shape, a, b).tobytes()


def test_a_schedule_that_threads_do_not_cover_is_refused() -> None:
    with pytest.raises(ValueError, match=r"tile_m must be threads_y \* outputs_m = 32, got 16"):
        SgemmSchedule(16, 16, 16, 16, 16, outputs_m=2)
    with pytest.raises(ValueError, match="stages must be at least 1, got 0"):
        SgemmSchedule(16, 16, 16, 16, 16, stages=0)


@pytest.mark.parametrize("schedule", SCHEDULES, ids=str)
@pytest.mark.parametrize("stages", STAGES)
def test_bytes_follow_the_stages(schedule: SgemmSchedule, stages: int) -> None:
    rotated = sgemm(schedule.with_stages(stages))
    padded = sgemm(schedule, idle_bytes=(stages - 1) * schedule.stage_bytes)
    assert rotated.threadgroup_bytes == padded.threadgroup_bytes == stages * schedule.stage_bytes
