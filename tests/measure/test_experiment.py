"""What the harness runs, in which order, and what it refuses."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlx_sched.measure.device import DeviceLost, MeasureError, Shape
from rlx_sched.measure.experiment import CONFIGURATIONS, SHAPES, Configuration, Settings, arms, run, start
from rlx_sched.measure.probe import probe_zero_fill

SMALL = (Shape(1, 16, 16), Shape(5, 7, 9))


def settings(*names: str, rounds: int = 5, seed: int = 0, shapes: tuple[Shape, ...] = SMALL) -> Settings:
    return Settings(tuple(map(Configuration.parse, names or CONFIGURATIONS[:1])), shapes, rounds=rounds, seed=seed)


def measure(device: Any, what: Settings, results: dict[str, Any] | None = None) -> dict[str, Any]:
    results = start(device, what) if results is None else results
    run(device, what, results)
    return results


def zeros(pipeline: object, problem: tuple[Shape, bytes]) -> bytes:
    return b"\0" * len(problem[1])


def test_the_configurations_take_the_bytes_of_the_published_trial() -> None:
    bytes_of = [Configuration.parse(name).schedule.stage_bytes for name in CONFIGURATIONS]
    assert bytes_of == [2048, 512, 1024, 4096, 8192]


def test_twelve_shapes_from_one_row_to_many() -> None:
    assert len(SHAPES) == 12
    assert min(shape.m for shape in SHAPES) == 1
    assert any(shape.m % 32 and shape.n % 32 and shape.k % 32 for shape in SHAPES)


@pytest.mark.parametrize(
    "text",
    [
        *("", "16x16", "16x16/1x1", "16x16/1x1/0", "16/1x1/16", "16x16/1x1/16/f64", "axb/1x1/1"),
        *("016x16/1x1/16", "1_6x16/1x1/16", "16x16/1x1/+16", " 16x16/1x1/16", "16x16/1x1/16\n", "٣x16/1x1/16"),
        f"{'9' * 5000}x1/1x1/1",
    ],
)
def test_a_configuration_is_read_strictly(text: str) -> None:
    with pytest.raises(ValueError, match="is not THREADSxTHREADS/OUTPUTSxOUTPUTS/DEPTH"):
        Configuration.parse(text)


@given(*[st.integers(1, 9999)] * 5, st.sampled_from(["", "/f16"]))
def test_a_configuration_has_the_name_that_it_is_read_from(x: int, y: int, n: int, m: int, k: int, half: str) -> None:
    name = f"{x}x{y}/{n}x{m}/{k}{half}"
    configuration = Configuration.parse(name)
    assert configuration.name == name
    schedule = configuration.schedule
    assert (schedule.tile_m, schedule.tile_n, schedule.tile_k) == (y * m, x * n, k)
    assert schedule.element == ("f16" if half else "f32")


def test_a_configuration_is_measured_once() -> None:
    with pytest.raises(ValueError, match="configuration 8x8/1x1/8 is there twice"):
        settings("8x8/1x1/8", "16x16/1x1/16", "8x8/1x1/8")
    assert settings("8x8/1x1/8", "8x8/1x1/8/f16").configurations


def test_every_arm_of_a_stage_count_takes_the_same_bytes() -> None:
    programs = arms(Configuration.parse("8x8/2x2/8"), (2, 3, 4))
    assert list(programs) == ["plain", "serial", "rotate-2", "rotate-3", "rotate-4", "pad-2", "pad-3", "pad-4"]
    assert programs["plain"].threadgroup_bytes == programs["serial"].threadgroup_bytes == 1024
    for stages in (2, 3, 4):
        for arm in ("rotate", "pad"):
            assert programs[f"{arm}-{stages}"].threadgroup_bytes == 1024 * stages


def test_every_raw_time_is_kept(fake_device: Any) -> None:
    results = measure(fake_device(), settings(rounds=7))
    (configuration,) = results["configurations"]
    assert [len(shape["ticks"]) for shape in configuration["shapes"]] == [8, 8]
    assert {len(ticks) for shape in configuration["shapes"] for ticks in shape["ticks"].values()} == {7}
    assert results["device"]["driver"] == "fake 1.0"
    assert results == json.loads(json.dumps(results))


def test_rounds_are_shuffled_and_the_seed_repeats_them(fake_device: Any) -> None:
    first, same, other = (fake_device() for _ in range(3))
    measure(first, settings(seed=1))
    measure(same, settings(seed=1))
    measure(other, settings(seed=2))
    assert first.order == same.order
    assert first.order != other.order
    # The last batches are the rounds: one discarded launch, then every arm once.
    batches = [first.order[i + 1 : i + 9] for i in range(len(first.order) - 9 * 10, len(first.order), 9)]
    assert all(sorted(batch) == sorted(batches[0]) for batch in batches)
    assert len({tuple(batch) for batch in batches}) > 1


def test_configurations_take_turns_in_an_order_drawn_anew_each_round(fake_device: Any) -> None:
    device = fake_device()
    measure(device, settings("8x8/1x1/8", "16x16/1x1/16", rounds=8, shapes=SMALL[:1]))
    # Each batch is one discarded launch and eight arms; only the larger configuration has an arm of 8192 bytes.
    batches = [device.order[-9 * count :][:9] for count in range(16, 0, -1)]
    larger = [any(launch.endswith(" 8192") for launch in batch) for batch in batches]
    rounds = list(zip(larger[::2], larger[1::2], strict=True))
    assert set(rounds) == {(False, True), (True, False)}


def test_samples_are_about_a_millisecond(fake_device: Any) -> None:
    def law(program: Any, shape: Shape) -> float:
        return 100.0 if shape.m == 1 else 5000.0

    results = measure(fake_device(law=law), settings())
    assert [shape["repeats"] for shape in results["configurations"][0]["shapes"]] == [10, 1]


def test_a_wrong_bit_stops_the_run_before_it_is_timed(fake_device: Any) -> None:
    device = fake_device(wrong="sgemm")
    with pytest.raises(MeasureError, match="gate: rotate-2 of 16x16/1x1/16 at 1x16x16 differs from plain in 1 of 16"):
        measure(device, settings())
    assert not any("sgemm 4096" in launch for launch in device.order)


def test_a_plain_kernel_that_computes_something_else_is_refused(fake_device: Any) -> None:
    device = fake_device(wrong="sgemm")
    device.run = zeros
    with pytest.raises(MeasureError, match=r"gate: plain of 16x16/1x1/16 at 1x16x16 is off by"):
        measure(device, settings())


def test_idle_bytes_that_the_compiler_drops_are_refused(fake_device: Any) -> None:
    with pytest.raises(MeasureError, match="plain declares 2048 bytes of threadgroup memory, the compiler kept 16"):
        measure(fake_device(dropped=True), settings())


def test_arms_that_do_not_fit_are_left_out_with_the_reason(fake_device: Any) -> None:
    device = fake_device().with_info(max_threadgroup_bytes=6144, f16=False, max_threads=256)
    results = measure(device, settings("16x16/1x1/16", "16x16/1x1/16/f16", "32x32/1x1/32", "16x16/4x4/16"))
    assert list(results["configurations"][0]["arms"]) == ["plain", "serial", "rotate-2", "rotate-3", "pad-2", "pad-3"]
    assert [skipped["reason"] for skipped in results["skipped"]] == [
        "rotate-4 needs 8192 bytes of threadgroup memory, limit 6144",
        "pad-4 needs 8192 bytes of threadgroup memory, limit 6144",
        "16x16/1x1/16/f16 needs f16, which Fake GPU 3000 does not offer",
        "32x32/1x1/32 needs 1024 threads, Fake GPU 3000 allows 256",
        "16x16/4x4/16 needs 8192 bytes of threadgroup memory, limit 6144",
    ]


def test_nothing_fits(fake_device: Any) -> None:
    device = fake_device().with_info(max_threadgroup_bytes=1024)
    with pytest.raises(MeasureError, match=r"no configuration fits Fake GPU 3000: .* needs 2048 bytes .* limit 1024"):
        measure(device, settings())
    assert device.batches == 0, "nothing was timed before it was known"


@pytest.mark.parametrize("stop", [{"lost_after": 25}, {"interrupted_after": 25}])
def test_a_run_that_was_cut_short_goes_on_where_it_stopped(fake_device: Any, stop: dict[str, int]) -> None:
    what = settings(rounds=10)
    device = fake_device(**stop)
    results = start(device, what)
    with pytest.raises((DeviceLost, KeyboardInterrupt)):
        measure(device, what, results)
    ticks = results["configurations"][0]["shapes"][0]["ticks"]
    kept = {arm: list(samples) for arm, samples in ticks.items()}
    assert 0 < len(kept["serial"]) < 10
    # As if it had stopped between two arms of a group.
    ticks["serial"].append(1)
    measure(fake_device(), what, results)
    for shape in results["configurations"][0]["shapes"]:
        assert {len(samples) for samples in shape["ticks"].values()} == {10}
    finished = results["configurations"][0]["shapes"][0]["ticks"]
    assert all(finished[arm][: len(samples)] == samples for arm, samples in kept.items())
    assert finished["serial"][len(kept["serial"])] != 1


def test_the_experiment_runs_on_a_webgpu_device(webgpu_device: Any) -> None:
    results = measure(webgpu_device, settings("8x8/1x1/8", "8x8/2x2/8", shapes=(Shape(9, 17, 33),)))
    assert not results["skipped"]
    for configuration in results["configurations"]:
        assert len(configuration["arms"]) == 8


def test_wgpu_native_does_not_fill_threadgroup_memory(webgpu_device: Any) -> None:
    if webgpu_device.info.kind != "CPU":
        pytest.skip("a GPU may keep nothing of the kernel before")
    found = probe_zero_fill(webgpu_device)
    assert found.switched_off
    assert found.idle_cost > 0


def test_memory_that_keeps_nothing_counts_as_filled(fake_device: Any) -> None:
    device = fake_device()
    device.run = zeros
    found = probe_zero_fill(device)
    assert found.as_json() == {
        "bytes": 16384,
        "leftovers": 0,
        "idle_cost": pytest.approx(found.idle_cost),
        "switched_off": False,
    }
