"""The experiment on every GPU of a Dask cluster: a laboratory's machines fill their calibrations in one run.

A worker that holds a GPU is started with it as a resource, `dask worker ADDRESS --nthreads 1 --resources "GPU=1"`, and
measures one configuration at a time: all arms of a configuration run on the same GPU, interleaved as on one machine,
for only what was timed together may be compared. Workers with equal GPUs share the configurations between them.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from rlx_sched.cluster import ClusterError, connect
from rlx_sched.measure.device import DeviceInfo, MeasureError, open_device
from rlx_sched.measure.experiment import Settings, run, start
from rlx_sched.measure.results import file_name, save_results

GPU = "GPU"
"""The Dask resource of a worker that holds a GPU."""

_POLL_SECONDS = 0.1
"""How often to look for results; dask itself looks as often."""

_LOOK_SECONDS = 5.0
"""How often to look whether the workers are still there: one that only restarts is back sooner."""

Told: TypeAlias = Callable[[str], None]


@dataclass(frozen=True)
class Opening:
    """How a worker opens its GPU; the fields are those of `open_device`."""

    api: str = "webgpu"
    adapter: str | None = None
    software: bool = False


def run_on_cluster(
    scheduler: str,
    settings: Settings,
    opening: Opening,
    folder: Path,
    *,
    told: Told = lambda message: None,
) -> list[Path]:
    """Measure on every GPU of the cluster whose scheduler is at `scheduler`, and return the results files.

    `folder` gets one file for each kind of GPU, saved whenever one of its configurations is done. The configuration of
    a worker that is lost is measured again by another with an equal GPU: one that was there when the run began, or a
    new one on a host all of whose GPUs were equal. While there is none, the run waits for it. Other runs may use the
    same cluster. `told` hears what is going on.

    Raises:
        MeasureError: where no scheduler answers, no worker holds a GPU, or measuring fails; what was done is saved.
    """
    try:
        client = connect(scheduler)
    except ClusterError as error:
        raise MeasureError(str(error)) from error
    with client, client.as_current():
        devices = _devices(client, opening, told)
        names = _names(devices)
        if not devices:
            raise MeasureError(
                f"no worker of {scheduler} holds a GPU; start one with: "
                f'dask worker {scheduler} --nthreads 1 --resources "{GPU}=1"'
            )
        gathered = {
            name: _Gathered(folder / f"{file_name(name)}.json", settings, devices[worker])
            for worker, name in names.items()
        }
        tasks: dict[Any, tuple[str, int]] = {}
        able: dict[Any, list[str]] = {}
        for name in gathered:
            workers = [worker for worker, found in names.items() if found == name]
            places = _places(names, name)
            told(f"{name}: {len(workers)} workers, {len(settings.configurations)} configurations")
            for number, configuration in enumerate(settings.configurations):
                one = replace(settings, configurations=(configuration,))
                task = client.submit(_measure, one, opening, workers=places, resources={GPU: 1}, pure=False)
                tasks[task] = name, number
                able[task] = places
        failures = list(_gather(_completed(client, able, told), tasks, gathered, told))
    if failures:
        raise MeasureError("; ".join(failures))
    return [found.path for found in gathered.values()]


def _completed(client: Any, able: Mapping[Any, Sequence[str]], told: Told) -> Iterator[Any]:
    """The tasks of `able` as they end; says once what is waited for where no worker is left that is able to do some.

    `able` has the addresses or hosts of workers with a GPU.
    """
    completed = import_module("distributed").as_completed(able)
    next_look = time.monotonic() + _LOOK_SECONDS
    missed: set[str] = set()
    while not completed.is_empty():
        if completed.has_ready():
            yield next(completed)
            continue
        time.sleep(_POLL_SECONDS)
        if time.monotonic() < next_look:
            continue
        workers = _workers(client)
        there = {*workers, *map(_host, workers)}
        for places in (places for task, places in able.items() if not task.done()):
            names = ", ".join(places)
            if names not in missed and there.isdisjoint(places):
                told(f"all workers that can go on are gone; waiting for one with a GPU at {names}")
                missed.add(names)
        next_look = time.monotonic() + _LOOK_SECONDS


def _gather(
    completed: Iterator[Any], tasks: dict[Any, tuple[str, int]], gathered: "dict[str, _Gathered]", told: Told
) -> Iterator[str]:
    """Save what comes in; yields what went wrong."""
    for task in completed:
        name, number = tasks[task]
        found = gathered[name]
        try:
            results = found.checked(number, task.result())
        except Exception as error:
            # Whatever ended it on its worker: it must not take the results of others with it.
            yield f"{name}, {found.settings.configurations[number].name}: {error}"
            continue
        found.add(number, results)
        told(f"{name}: {found.settings.configurations[number].name} done, saved to {found.path}")


class _Gathered:
    """The results of one kind of GPU, as far as they are in."""

    def __init__(self, path: Path, settings: Settings, device: DeviceInfo) -> None:
        self.path = path
        self.settings = settings
        self.device = device
        self.parts: dict[int, dict[str, Any]] = {}

    def checked(self, number: int, results: dict[str, Any]) -> dict[str, Any]:
        """Return `results`, which must be those of configuration `number`, by the settings of this run and on its GPU.

        Raises:
            MeasureError: where they are others.
        """
        asked = f"{self.settings.configurations[number].name}, seed {self.settings.seed}, {self.settings.rounds} rounds"
        names = " ".join(configuration["name"] for configuration in results["configurations"])
        settings = results["settings"]
        if (found := f"{names}, seed {settings['seed']}, {settings['rounds']} rounds") != asked:
            raise MeasureError(f"the worker sent other results than were asked for: expected {asked}, found {found}")
        if (device := results["device"]) != {**asdict(self.device), "notes": list(self.device.notes)}:
            raise MeasureError(f"{device['name']}, {device['driver']} took the place of its GPU")
        return results

    def add(self, number: int, results: dict[str, Any]) -> None:
        """Take in the results of configuration `number`, and save all there is."""
        self.parts[number] = results
        parts = [self.parts[place] for place in sorted(self.parts)]
        whole = {
            **parts[0],
            "started": min(part["started"] for part in parts),
            "skipped": [skipped for part in parts for skipped in part["skipped"]],
            "configurations": [configuration for part in parts for configuration in part["configurations"]],
        }
        save_results(self.path, whole)


def _workers(client: Any) -> list[str]:
    """The addresses of the workers that hold a GPU."""
    known = client.scheduler_info(n_workers=-1)["workers"]
    return [worker for worker, found in known.items() if found["resources"].get(GPU, 0) >= 1]


def _host(worker: str) -> str:
    return import_module("distributed").comm.get_address_host(worker)


def _places(names: Mapping[str, str], name: str) -> list[str]:
    """Where to measure the GPU called `name`: the hosts that hold no other, and its workers on those that do.

    A worker that starts anew has another address, but the same host.
    """
    others = {_host(worker) for worker, found in names.items() if found != name}
    places = {worker if (host := _host(worker)) in others else host for worker, found in names.items() if found == name}
    return sorted(places)


def _devices(client: Any, opening: Opening, told: Told) -> dict[str, DeviceInfo]:
    """The GPU of every worker that holds one."""
    asked = {
        worker: client.submit(_info, opening, workers=[worker], resources={GPU: 1}, pure=False)
        for worker in _workers(client)
    }
    able = {task: [worker] for worker, task in asked.items()}
    list(_completed(client, able, told))
    return {worker: task.result() for worker, task in asked.items()}


def _names(devices: Mapping[str, DeviceInfo]) -> dict[str, str]:
    """The name of the GPU of every worker; GPUs that differ in their drivers have names that do."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    names: dict[str, str] = {}
    for worker, info in devices.items():
        same_name = kinds.setdefault(info.name, [])
        if asdict(info) not in same_name:
            same_name.append(asdict(info))
        number = same_name.index(asdict(info))
        names[worker] = info.name if number == 0 else f"{info.name} ({number + 1})"
    return names


def _info(opening: Opening) -> DeviceInfo:
    return open_device(opening.api, opening.adapter, software=opening.software).info


def _measure(settings: Settings, opening: Opening) -> dict[str, Any]:
    """Measure on this worker's GPU."""
    device = open_device(opening.api, opening.adapter, software=opening.software)
    results = start(device, settings)
    run(device, settings, results)
    return results
