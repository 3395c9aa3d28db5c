"""Measuring on the GPUs of a cluster: real workers with a software renderer, and workers with made-up GPUs."""

import os
import signal
from collections.abc import Generator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
import support

from rlx_sched.measure import distributed as measured
from rlx_sched.measure.device import MeasureError
from rlx_sched.measure.distributed import Opening, run_on_cluster
from rlx_sched.measure.experiment import QUICK_SHAPES, Configuration, Settings
from rlx_sched.measure.results import load_results
from rlx_sched.tools.rlx_calibrate import main

try:
    dask: Any = import_module("distributed")
except ImportError:
    support.missing("dask (extra dask)")

SETTINGS = Settings(
    tuple(map(Configuration.parse, ("8x8/1x1/8", "8x8/1x1/16", "16x16/1x1/16"))), QUICK_SHAPES, rounds=2, quick=True
)


@pytest.fixture
def gpu_cluster(webgpu_device: Any) -> Generator[Any]:
    """Two worker processes that each hold a GPU, as far as the scheduler knows, and one that holds none."""
    with dask.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=":0",
        silence_logs=50,
        resources={"GPU": 1},
    ) as cluster:
        yield cluster


def names(path: Path) -> list[str]:
    return [configuration["name"] for configuration in load_results(path)["configurations"]]


def test_the_tool_measures_on_every_gpu_of_a_cluster(gpu_cluster: Any, tmp_path: Path, capfd: Any) -> None:
    arguments = ["run", "--quick", "--allow-software", "-o", str(tmp_path)]
    assert main([*arguments, "--scheduler", gpu_cluster.scheduler_address]) == 0
    (file,) = tmp_path.iterdir()
    results = load_results(file)
    assert len(results["configurations"]) == 2
    assert all(
        len(ticks) == 5
        for configuration in results["configurations"]
        for shape in configuration["shapes"]
        for ticks in shape["ticks"].values()
    )
    assert "2 workers, 2 configurations" in capfd.readouterr().err
    assert main([*arguments, "--scheduler", gpu_cluster.scheduler_address]) == 1
    assert f"{tmp_path} has results already ({file.name}); name an empty folder" in capfd.readouterr().err


def test_a_lost_worker_costs_no_configuration(gpu_cluster: Any, tmp_path: Path) -> None:
    killed: list[int] = []

    def told(message: str) -> None:
        if "done, saved" in message and not killed:
            nanny = next(iter(gpu_cluster.workers.values()))
            killed.append(nanny.process.process.pid)
            os.kill(killed[0], signal.SIGKILL)

    opening = Opening(software=True)
    (file,) = run_on_cluster(gpu_cluster.scheduler_address, SETTINGS, opening, tmp_path, told=told)
    assert killed
    assert names(file) == [configuration.name for configuration in SETTINGS.configurations]


@pytest.fixture
def laboratory(fake_device: Any, monkeypatch: pytest.MonkeyPatch) -> Generator[Any]:
    """Three workers in this process; two hold the same GPU, one another."""

    def open_fake(*arguments: object, **options: object) -> Any:
        name = "Apple M3" if dask.get_worker().name == 2 else "Apple M1 Pro"
        return fake_device().with_info(name=name)

    monkeypatch.setattr(measured, "open_device", open_fake)
    with dask.LocalCluster(
        n_workers=3,
        threads_per_worker=1,
        processes=False,
        protocol="tcp://",
        dashboard_address=":0",
        resources={"GPU": 1},
    ) as cluster:
        yield cluster


def test_each_kind_of_gpu_gets_a_file_of_its_own(laboratory: Any, tmp_path: Path) -> None:
    told: list[str] = []
    files = run_on_cluster(laboratory.scheduler_address, SETTINGS, Opening(), tmp_path, told=told.append)
    assert sorted(file.name for file in files) == ["apple-m1-pro.json", "apple-m3.json"]
    for file in files:
        assert names(file) == [configuration.name for configuration in SETTINGS.configurations]
        assert load_results(file)["device"]["name"].lower().replace(" ", "-") == file.stem
    assert "Apple M1 Pro: 2 workers, 3 configurations" in told
    assert "Apple M3: 1 workers, 3 configurations" in told


def test_one_failure_does_not_take_the_others_along(
    laboratory: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = measured.run

    def fail_on_one(device: Any, settings: Settings, results: Any) -> None:
        if settings.configurations[0].name == "8x8/1x1/16" and device.info.name == "Apple M3":
            raise MeasureError("the gate failed")
        run(device, settings, results)

    monkeypatch.setattr(measured, "run", fail_on_one)
    with pytest.raises(MeasureError, match=r"^Apple M3, 8x8/1x1/16: the gate failed$"):
        run_on_cluster(laboratory.scheduler_address, SETTINGS, Opening(), tmp_path)
    assert names(tmp_path / "apple-m3.json") == ["8x8/1x1/8", "16x16/1x1/16"]
    assert len(names(tmp_path / "apple-m1-pro.json")) == 3


def test_two_runs_on_one_cluster_get_their_own_results(laboratory: Any, tmp_path: Path) -> None:
    """The second starts while the scheduler still holds what the first has measured."""
    asked = {
        "a": Settings((Configuration.parse("16x16/1x1/16"),), QUICK_SHAPES, rounds=2, seed=1, quick=True),
        "b": Settings((Configuration.parse("8x8/1x1/8"),), QUICK_SHAPES, rounds=3, seed=2, quick=True),
    }
    files: dict[str, list[Path]] = {}
    heard: list[str] = []

    def run(which: str, told: measured.Told) -> None:
        folder = tmp_path / which
        folder.mkdir(exist_ok=True)
        files[which] = run_on_cluster(laboratory.scheduler_address, asked[which], Opening(), folder, told=told)

    def and_another(message: str) -> None:
        if "done, saved" in message and "b" not in files:
            run("b", heard.append)

    run("a", and_another)
    for which, settings in asked.items():
        for file in files[which]:
            assert names(file) == [settings.configurations[0].name]
            found = load_results(file)["settings"]
            assert (found["seed"], found["rounds"]) == (settings.seed, settings.rounds)


@pytest.mark.parametrize("other", [{"seed": 7}, {"rounds": 3}, {"configurations": SETTINGS.configurations[:1]}])
def test_results_that_nobody_asked_for_are_refused(
    laboratory: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: dict[str, Any]
) -> None:
    measure = measured._measure  # pyright: ignore[reportPrivateUsage]

    def measure_other(settings: Settings, opening: Opening) -> dict[str, Any]:
        return measure(replace(settings, **other), opening)

    monkeypatch.setattr(measured, "_measure", measure_other)
    settings = replace(SETTINGS, configurations=SETTINGS.configurations[2:])
    expected = r"Apple M3, 16x16/1x1/16: .*: expected 16x16/1x1/16, seed 0, 2 rounds, found \S+, seed \d, \d rounds"
    with pytest.raises(MeasureError, match=expected):
        run_on_cluster(laboratory.scheduler_address, settings, Opening(), tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("change", ["none", "GPU"])
@pytest.mark.parametrize("alone", [True, False])
def test_what_is_waited_for_is_said_once(
    laboratory: Any, fake_device: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, alone: bool, change: str
) -> None:
    """All workers of a GPU go; then one comes back: anywhere on the host if it holds no other GPU, or where it was."""
    monkeypatch.setattr(measured, "_LOOK_SECONDS", 0.1)
    addresses = sorted(worker.address for number, worker in laboratory.workers.items() if alone or number != 2)
    new: list[Any] = []

    def open_fake(*arguments: object, **options: object) -> Any:
        other = (dask.get_worker().name == 2 and not alone) or (new and change == "GPU")
        return fake_device().with_info(name="Apple M3" if other else "Apple M1 Pro")

    monkeypatch.setattr(measured, "open_device", open_fake)
    told: list[str] = []

    async def close() -> None:
        for worker in list(laboratory.workers.values()):
            if worker.address in addresses:
                await worker.close()

    async def come_back() -> None:
        port = 0 if alone else int(addresses[1].rpartition(":")[2])
        worker = dask.Worker(laboratory.scheduler_address, port=port, nthreads=1, resources={"GPU": 1}, name="new")
        new.append(worker)
        await worker

    def hear(message: str) -> None:
        told.append(message)
        if message.startswith("Apple M1 Pro: "):
            laboratory.sync(close)
        if "waiting" in message:
            Timer(1, lambda: laboratory.sync(come_back)).start()

    def run() -> list[Path]:
        return run_on_cluster(laboratory.scheduler_address, SETTINGS, Opening(), tmp_path, told=hear)

    if change == "GPU":
        with pytest.raises(MeasureError, match=r"Apple M1 Pro, 8x8/1x1/8: Apple M3, .* took the place of its GPU"):
            run()
    else:
        assert all(len(names(file)) == 3 for file in run())
    places = "127.0.0.1" if alone else ", ".join(addresses)
    expected = f"all workers that can go on are gone; waiting for one with a GPU at {places}"
    assert [message for message in told if "waiting" in message] == [expected]
    laboratory.sync(new[0].close)


def test_a_cluster_without_gpus(tmp_path: Path) -> None:
    with (
        dask.LocalCluster(n_workers=1, processes=False, protocol="tcp://", dashboard_address=":0") as cluster,
        pytest.raises(MeasureError, match=r"no worker of .* holds a GPU; start one with: dask worker"),
    ):
        run_on_cluster(cluster.scheduler_address, SETTINGS, Opening(), tmp_path)


def test_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = ["run", "--scheduler=127.0.0.1:1", "-o"]
    assert main([*run, str(tmp_path / "missing")]) == 1
    assert "is no folder; with --scheduler -o names one" in capsys.readouterr().err
    assert main([*run, str(tmp_path), "--resume"]) == 1
    assert "does not go with --scheduler" in capsys.readouterr().err
    assert main([*run, str(tmp_path)]) == 1
    assert "no Dask scheduler answers at tcp://127.0.0.1:1" in capsys.readouterr().err
