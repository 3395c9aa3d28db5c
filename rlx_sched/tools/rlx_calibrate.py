"""The command line `rlx-calibrate`: measure, fit, show and plot what threadgroup memory costs on a GPU."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

EXIT_FAILED = 1
"""A gate, a check or a device failed, or a file could not be read."""

EXIT_INTERNAL = 70
"""An error in rlx-calibrate itself (EX_SOFTWARE of sysexits.h)."""

EXIT_INTERRUPTED = 130
"""Stopped by Ctrl-C: 128 + SIGINT, as shells report it."""


def _error(message: object) -> int:
    print(f"error: {message}", file=sys.stderr)
    return EXIT_FAILED


def _progress() -> "tuple[Callable[[str, int, int], None], Callable[[], None]]":
    """Return a function that shows progress with the time left, and one that ends the display."""
    try:
        from tqdm import tqdm
    except ImportError as error:
        from rlx_sched.measure.device import MeasureError

        raise MeasureError(f"the package tqdm is missing ({error}): pip install 'rlx-sched[calibrate]'") from error
    bars: dict[str, Any] = {}

    def show(what: str, done: int, total: int) -> None:
        phase = what.split()[0]
        if phase not in bars:
            for bar in bars.values():
                bar.close()
            bars[phase] = tqdm(total=total, initial=max(0, done - 1), desc=phase, unit="group", leave=False)
        bars[phase].set_description(what, refresh=False)
        bars[phase].update(done - bars[phase].n)

    def end() -> None:
        for bar in bars.values():
            bar.close()

    return show, end


def _settings(arguments: argparse.Namespace) -> Any:
    from rlx_sched.measure.experiment import CONFIGURATIONS, QUICK_SHAPES, SHAPES, Configuration, Settings

    quick: bool = arguments.quick
    names: list[str] = arguments.configurations or list(CONFIGURATIONS[:2] if quick else CONFIGURATIONS)
    return Settings(
        configurations=tuple(Configuration.parse(name) for name in names),
        shapes=QUICK_SHAPES if quick else SHAPES,
        rounds=arguments.rounds or (5 if quick else 30),
        seed=arguments.seed,
        quick=quick,
    )


def _run(arguments: argparse.Namespace) -> int:
    from rlx_sched.measure.device import DeviceLost
    from rlx_sched.measure.experiment import run, start
    from rlx_sched.measure.results import load_results, save_results

    output: Path = arguments.output
    if output.exists() and not arguments.resume:
        return _error(f"{output} exists; --resume goes on with it, -o names another file")
    settings = _settings(arguments)
    show, end = _progress()
    device = _open_device(arguments)
    results = start(device, settings)
    if arguments.resume and output.exists():
        earlier = load_results(output)
        if differs := _difference(earlier, results):
            return _error(f"{output} cannot be resumed: {differs}")
        results = earlier

    def save() -> None:
        save_results(output, results)

    print(f"{device.info.name} ({device.info.backend}, {device.info.driver}), results go to {output}", file=sys.stderr)
    try:
        run(device, settings, results, save=save, progress=show)
    except KeyboardInterrupt:
        end()
        save()
        print(f"interrupted; {output} keeps what was measured, --resume goes on with it", file=sys.stderr)
        return EXIT_INTERRUPTED
    except DeviceLost as error:
        end()
        save()
        return _error(f"{error}; {output} keeps what was measured, --resume goes on with it")
    finally:
        end()
    for skipped in results["skipped"]:
        print(f"skipped: {skipped['configuration']} {skipped['arm']}: {skipped['reason']}", file=sys.stderr)
    print(f"done; next: rlx-calibrate fit {output}", file=sys.stderr)
    return 0


def _open_device(arguments: argparse.Namespace) -> Any:
    if arguments.api == "metal":
        from rlx_sched.measure.metal import open_metal

        return open_metal(arguments.adapter)
    from rlx_sched.measure.webgpu import WebGpuDevice, choose_adapter

    return WebGpuDevice(choose_adapter(arguments.adapter, software=arguments.allow_software))


def _difference(earlier: dict[str, Any], now: dict[str, Any]) -> str | None:
    """Return what keeps two results files from being one experiment."""
    for part in ("device", "settings"):
        for key, value in now[part].items():
            found = earlier[part].get(key)
            if found != json.loads(json.dumps(value)):
                return f"{part} {key} was {found!r}, is {value!r}"

    def outline(results: dict[str, Any]) -> list[Any]:
        return [(c["name"], [(s["m"], s["n"], s["k"]) for s in c["shapes"]]) for c in results["configurations"]]

    if outline(earlier) != outline(now):
        return "it has other configurations or shapes"
    return None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rlx-calibrate",
        description="Measure what threadgroup memory costs on this GPU, and fit a calibration for occupancy-filter.",
        epilog="Exit status: 0 done; 1 refused or failed, with the reason; 2 usage; 70 internal error; 130 Ctrl-C.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser(
        "run",
        help="measure on a GPU, write one JSON file",
        description="Time sgemm kernels with rotating tiles (rotate) and with idle bytes instead (pad). Every kernel "
        "must give bit for bit the same result before it is timed. Takes a few minutes.",
    )
    run.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="results file (JSON)")
    run.add_argument("--resume", action="store_true", help="go on with the results file of an interrupted run")
    run.add_argument(
        "-c",
        "--config",
        dest="configurations",
        action="append",
        metavar="CONFIG",
        help="threads/outputs/depth[/f16], as in 16x16/2x2/16; may be repeated (default: five configurations)",
    )
    run.add_argument("--rounds", type=int, metavar="N", help="samples of every arm on every shape (default: 30)")
    run.add_argument("--seed", type=int, default=0, metavar="N", help="seed of matrices and order (default: 0)")
    run.add_argument(
        "--api", choices=["webgpu", "metal"], default="webgpu", help="how to drive the GPU (default: webgpu)"
    )
    run.add_argument("--adapter", metavar="NAME", help="take the first adapter with NAME in its name")
    run.add_argument("--allow-software", action="store_true", help="accept a software renderer (to try the harness)")
    run.add_argument("--quick", action="store_true", help="few small shapes and rounds (to try the harness)")
    run.set_defaults(function=_run)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `rlx-calibrate` with `arguments` (default: the process's own) and return its exit status."""
    parser = _parser()
    parsed = parser.parse_args(arguments)
    from rlx_sched.measure.device import MeasureError
    from rlx_sched.measure.results import ResultsError

    try:
        return parsed.function(parsed)
    except (MeasureError, ResultsError, OSError) as error:
        return _error(error)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except Exception as error:
        where = error.__traceback__
        while where is not None and where.tb_next is not None:
            where = where.tb_next
        place = f"{Path(where.tb_frame.f_code.co_filename).name}:{where.tb_lineno}" if where is not None else "?"
        print(
            f"internal error: {type(error).__name__}: {error} ({place})\n"
            "This is a bug in rlx-calibrate; please report it with the command and this message.",
            file=sys.stderr,
        )
        return EXIT_INTERNAL


if __name__ == "__main__":
    sys.exit(main())
