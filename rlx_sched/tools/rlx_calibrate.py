"""The command line `rlx-calibrate`: measure, fit, show and plot what threadgroup memory costs on a GPU."""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from rlx_sched import __version__
from rlx_sched.tools.errors import EXIT_INTERRUPTED, Failed, UsageError
from rlx_sched.tools.files import STDOUT, is_same_file, write_text
from rlx_sched.tools.guard import guarded
from rlx_sched.tools.parser import Parser
from rlx_sched.tools.visible import visible


def _progress() -> "tuple[Callable[[str, int, int], None], Callable[[], None]]":
    """Return a function that shows progress with the time left, and one that ends the display."""
    if not sys.stderr.isatty():
        return _ProgressLines().show, lambda: None
    from rlx_sched.measure.device import require

    require("tqdm")
    from tqdm import tqdm

    bars: dict[str, Any] = {}

    def show(what: str, done: int, total: int) -> None:
        phase = what.partition(",")[0]
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


def _say(line: str) -> None:
    """Print `line` on standard error; names in it do not act on a terminal."""
    print(visible(line), file=sys.stderr, flush=True)


def _print(lines: Iterable[str]) -> None:
    """Print `lines` on standard output; names in them do not act on a terminal."""
    write_text(STDOUT, "".join(f"{visible(line)}\n" for line in lines))


class _ProgressLines:
    """Progress for a log: one line whenever another tenth of a phase is done."""

    def __init__(self) -> None:
        self._phase = ""
        self._first = self._tenth = 0
        self._began = 0.0

    def show(self, what: str, done: int, total: int) -> None:
        """Print a line if it is time for one."""
        phase = what.partition(",")[0]
        if phase != self._phase:
            self._phase, self._first, self._tenth, self._began = phase, done, -1, time.monotonic()
        if done * 10 // total <= self._tenth:
            return
        self._tenth = done * 10 // total
        left = ""
        if done > self._first:
            seconds = (time.monotonic() - self._began) / (done - self._first) * (total - done)
            left = f", {seconds:.0f} s left"
        _say(f"{what}: {100 * done // total} %{left}")


_EPILOG = """\
exit codes:
  0    done
  1    refused or failed, with the reason
  2    the command line makes no sense
  70   a defect of rlx-calibrate itself
  130  stopped by SIGINT; 143: by SIGTERM; 129: by SIGHUP;
       what was measured is kept
"""


_SUFFIXES = {"fit": ".toml", "plot": ".svg"}
"""Of what the commands make of a results file, beside it."""


def _settings(arguments: argparse.Namespace) -> Any:
    from rlx_sched.measure.experiment import CONFIGURATIONS, QUICK_SHAPES, SHAPES, Configuration, Settings

    quick: bool = arguments.quick
    names = CONFIGURATIONS[:2] if quick else CONFIGURATIONS
    try:
        return Settings(
            configurations=tuple(arguments.configurations or map(Configuration.parse, names)),
            shapes=QUICK_SHAPES if quick else SHAPES,
            rounds=arguments.rounds or (5 if quick else 30),
            seed=arguments.seed,
            quick=quick,
        )
    except ValueError as error:
        raise UsageError(str(error), "rlx-calibrate run", see_help=False) from error


def _run(arguments: argparse.Namespace) -> int:
    if arguments.scheduler is not None:
        return _run_on_cluster(arguments)
    from rlx_sched.measure.device import DeviceLost, open_device
    from rlx_sched.measure.experiment import run, start
    from rlx_sched.measure.results import file_name, load_results, save_results

    named: Path | None = arguments.output
    if named is not None and arguments.fit:
        _output(named, None, "fit")
    if named is not None:
        _check_output(named, arguments.resume)
    settings = _settings(arguments)
    show, end = _progress()
    device = open_device(arguments.api, arguments.adapter, software=arguments.allow_software)
    output = named or Path(f"{file_name(device.info.name)}{'-quick' if arguments.quick else ''}.json")
    if named is None:
        _check_output(output, arguments.resume)
    results = start(device, settings)
    if arguments.resume and output.exists():
        earlier = load_results(output)
        if differs := _difference(earlier, results):
            raise Failed(f"{output} cannot be resumed: {differs}")
        results = earlier

    def save() -> None:
        save_results(output, results)

    _say(f"{device.info.name} ({device.info.backend}, {device.info.driver}), results go to {output}")
    try:
        run(device, settings, results, save=save, progress=show)
    except KeyboardInterrupt:
        save()  # before anything is shown: the terminal may be gone
        end()
        _say(f"interrupted; {output} keeps what was measured, --resume goes on with it")
        return EXIT_INTERRUPTED
    except DeviceLost as error:
        end()
        save()
        raise Failed(f"{error}; {output} keeps what was measured, --resume goes on with it") from error
    finally:
        end()
    for skipped in results["skipped"]:
        _say(f"skipped: {skipped['configuration']} {skipped['arm']}: {skipped['reason']}")
    if arguments.fit:
        return _fit(argparse.Namespace(results=output, output=None, fit_on=None))
    if arguments.quick:
        _say("done; this only tried the harness: rlx-calibrate fit refuses such results")
    else:
        _say(f"done; next: rlx-calibrate fit {output}")
    return 0


def _check_output(output: Path, resume: bool) -> None:
    """Check that results can go to `output` without another run being lost."""
    if not output.parent.is_dir():
        raise Failed(f"{output.parent} is no folder to write {output.name} to")
    if output.exists() and not resume:
        raise Failed(f"{output} exists; --resume goes on with it, -o names another file")


def _run_on_cluster(arguments: argparse.Namespace) -> int:
    from rlx_sched.measure.distributed import Opening, run_on_cluster

    if arguments.output is None:
        raise UsageError("--scheduler needs -o FOLDER, for a results file of each device", see_help=False)
    folder: Path = arguments.output
    if arguments.resume:
        raise Failed("--resume goes on with the file of one device; it does not go with --scheduler")
    if arguments.fit:
        raise Failed("--fit is for the results of one device; with --scheduler, fit each file of the folder")
    if not folder.is_dir():
        raise Failed(f"{folder} is no folder; with --scheduler -o names one, for a results file of each device")
    if taken := sorted(folder.glob("*.json")):
        raise Failed(f"{folder} has results already ({taken[0].name}); name an empty folder")
    opening = Opening(arguments.api, arguments.adapter, arguments.allow_software)

    files = run_on_cluster(arguments.scheduler, _settings(arguments), opening, folder, told=_say)
    _say("done; next: " + "; ".join(f"rlx-calibrate fit {file}" for file in files))
    return 0


def _output(results: Path, named: Path | None, command: str) -> Path:
    """Where what `command` makes of `results` goes, which must not be where they are: `named`, or beside them."""
    output = named or Path(f"{os.path.splitext(results)[0]}{_SUFFIXES[command]}")
    if is_same_file(str(results), str(output)):
        message = f"'{output}' is the results file, which {command} would replace; -o names another file"
        raise UsageError(message, see_help=False)
    return output


def _fit(arguments: argparse.Namespace) -> int:
    from rlx_sched.measure.fit import fit_results, report
    from rlx_sched.measure.publish import calibration_of
    from rlx_sched.measure.results import load_results

    output = _output(arguments.results, arguments.output, "fit")
    results = load_results(arguments.results)
    device = results["device"]["name"]
    fit, measured = fit_results(results, arguments.fit_on)
    _print([device, *report(fit, measured).splitlines()])
    if fit.failed:
        reasons = "".join(f"\n  {check.name}: {check.detail}" for check in fit.failed)
        raise Failed(f"no calibration for {visible(device)}, it stays unknown; failed:{reasons}")
    try:
        text = calibration_of(results, fit, measured).to_toml()
    except ValueError as error:
        raise Failed(f"no calibration for {visible(device)}, it stays unknown: {error}") from error
    write_text(str(output), text)
    use = f"rlx-opt --occupancy-filter=\"calibration='{output}'\""
    _print(["", f"calibration written to {output}; to use it: {use}"])
    return 0


def _plot(arguments: argparse.Namespace) -> int:
    from rlx_sched.measure.fit import fit_results
    from rlx_sched.measure.plot import plot
    from rlx_sched.measure.results import load_results

    output = _output(arguments.results, arguments.output, "plot")
    results = load_results(arguments.results)
    fit, measured = fit_results(results, arguments.fit_on)
    plot(output, results["device"]["name"], fit, measured)
    _say(f"picture written to {output}")
    return 0


def _list(arguments: argparse.Namespace) -> int:
    from rlx_sched.occupancy import calibrations

    lines = [
        f"{calibration.name}: {calibration.matched}; loss per doubling {calibration.loss_per_doubling:+}, "
        f"dead band {calibration.dead_band}, {calibration.min_bytes} to {calibration.max_bytes} bytes"
        for calibration in calibrations()
    ]
    _print(lines)
    return 0


def _show(arguments: argparse.Namespace) -> int:
    from rlx_sched.measure.fit import fit_rows
    from rlx_sched.measure.publish import rows_of
    from rlx_sched.occupancy import calibrations, load_calibration

    shipped = {calibration.name: calibration for calibration in calibrations()}
    name: str = arguments.calibration
    if name not in shipped and not os.path.exists(name):
        raise Failed(f"no calibration '{name}' and no such file; shipped: {', '.join(shipped)}")
    calibration = shipped[name] if name in shipped else load_calibration(name)
    lines = [
        f"{calibration.name}: {calibration.matched}",
        f"loss per doubling {calibration.loss_per_doubling:+}, dead band {calibration.dead_band}, "
        f"slack {calibration.slack}",
        f"measured: {calibration.min_bytes} to {calibration.max_bytes} bytes, "
        f"{calibration.max_doublings:.2f} doublings, control {calibration.control[0]} to {calibration.control[1]}",
    ]
    lines += [f"{topic}: {text}" for topic, text in calibration.provenance]
    lines += [
        f"  {row.role:<8}  {row.baseline_bytes:>6} -> {row.bytes:<6}  measured {row.relative:.3f}, "
        f"off by {calibration.error(row):+.3f}  {row.kernel}, {row.toolchain}"
        for row in calibration.evidence
    ]
    fitted, held_out = rows_of(calibration.rows("fit")), rows_of(calibration.rows("held_out"))
    if len(fitted) > 1:
        fit = fit_rows(fitted, held_out)
        lines.append(
            f"fitted anew to these rows: {fit.line.loss:+.3f} per doubling (95 % interval {fit.line.low:+.3f} to "
            f"{fit.line.high:+.3f}), slack {fit.slack:.3f}"
        )
    _print(lines)
    return 0


def _difference(earlier: dict[str, Any], now: dict[str, Any]) -> str | None:
    """Return what keeps two results files from being one experiment."""
    # The host has the version that generated the kernels.
    for part in ("device", "settings", "host"):
        for key, value in now[part].items():
            found = earlier[part].get(key)
            if found != value:
                return f"{part} {key} was {found!r}, is {value!r}"

    def outline(results: dict[str, Any]) -> list[Any]:
        return [(c["name"], [(s["m"], s["n"], s["k"]) for s in c["shapes"]]) for c in results["configurations"]]

    if outline(earlier) != outline(now):
        return "it has other configurations or shapes"
    return None


def _configuration(text: str) -> Any:
    from rlx_sched.measure.experiment import Configuration

    try:
        return Configuration.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _not_negative(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected an integer of at least 0, got {text!r}")
    return int(text)


def _rounds(text: str) -> int:
    from rlx_sched.measure.fit import MAX_ROUNDS

    if not text.isdecimal() or not 1 <= int(text) <= MAX_ROUNDS:
        raise argparse.ArgumentTypeError(f"expected an integer from 1 to {MAX_ROUNDS}, got {text!r}")
    return int(text)


def _parser() -> Parser:
    parser = Parser(
        prog="rlx-calibrate",
        description="Measures what threadgroup memory costs on this GPU, and fits a calibration\nfor occupancy-filter.",
        epilog=_EPILOG,
    )
    parser.add_argument("--version", action="version", version=f"rlx-calibrate {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="{run,fit,plot,list,show}")
    run = commands.add_parser(
        "run",
        help="measure on a GPU, write one JSON file",
        description="Times sgemm kernels with rotating tiles (rotate) and with idle bytes instead\n"
        "(pad). Every kernel must give bit for bit the same result before it is timed.\n"
        "Takes a few minutes.",
    )
    text = "results file (default: the name of the GPU with .json, in this folder)"
    run.add_argument("-o", "--output", type=Path, metavar="FILE", help=text)
    run.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="measure on all workers of a Dask cluster that hold the resource GPU=1; -o names a folder then",
    )
    run.add_argument("--resume", action="store_true", help="go on with the results file of an interrupted run")
    run.add_argument(
        "-c",
        "--config",
        dest="configurations",
        action="append",
        type=_configuration,
        metavar="CONFIG",
        help="threads/outputs/depth[/f16], as in 16x16/2x2/16; may be repeated (default: five configurations)",
    )
    run.add_argument("--fit", action="store_true", help="then fit: a calibration beside FILE, or why there is none")
    run.add_argument("--rounds", type=_rounds, metavar="N", help="samples of every arm on every shape (default: 30)")
    run.add_argument(
        "--seed", type=_not_negative, default=0, metavar="N", help="seed of matrices and order (default: 0)"
    )
    run.add_argument(
        "--api", choices=["webgpu", "metal"], default="webgpu", help="how to drive the GPU (default: webgpu)"
    )
    run.add_argument("--adapter", metavar="NAME", help="take the first adapter with NAME in its name")
    run.add_argument("--allow-software", action="store_true", help="accept a software renderer (to try the harness)")
    run.add_argument("--quick", action="store_true", help="few small shapes and rounds (to try the harness)")
    run.set_defaults(function=_run)
    fit = commands.add_parser(
        "fit",
        help="fit a calibration to a results file, or refuse",
        description="Fits the loss per doubling on one configuration, holds the others against it,\n"
        "and writes a calibration, or says which check failed with the numbers (exit\ncode 1).",
    )
    fit.add_argument("results", type=Path, metavar="RESULTS", help="results file of rlx-calibrate run")
    fit.add_argument("-o", "--output", type=Path, metavar="FILE", help="calibration (default: RESULTS with .toml)")
    fit.add_argument("--fit-on", metavar="CONFIG", help="configuration to fit (default: the first)")
    fit.set_defaults(function=_fit)
    plot = commands.add_parser("plot", help="draw a results file", description="Draws what was measured and fitted.")
    plot.add_argument("results", type=Path, metavar="RESULTS", help="results file of rlx-calibrate run")
    text = "picture, .svg or .png (default: RESULTS with .svg)"
    plot.add_argument("-o", "--output", type=Path, metavar="FILE", help=text)
    plot.add_argument("--fit-on", metavar="CONFIG", help="configuration to fit (default: the first)")
    plot.set_defaults(function=_plot)
    listing = commands.add_parser("list", help="list the calibrations that ship", description="One line each.")
    listing.set_defaults(function=_list)
    show = commands.add_parser(
        "show", help="show a calibration with its evidence", description="Constants, measured range and evidence."
    )
    show.add_argument("calibration", metavar="NAME|FILE", help="name from the list, or a calibration file")
    show.set_defaults(function=_show)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run `rlx-calibrate` with the arguments `argv`, by default those of the process; returns the exit code."""
    return guarded("rlx-calibrate", _dispatch, argv)


def _dispatch(argv: Sequence[str]) -> int:
    arguments = _parser().parse(argv)
    from rlx_sched.measure.device import MeasureError, require
    from rlx_sched.measure.results import ResultsError
    from rlx_sched.occupancy import CalibrationError

    try:
        if arguments.command in ("run", "fit", "plot"):
            require("numpy")
        return arguments.function(arguments)
    except (MeasureError, ResultsError, CalibrationError) as error:
        raise Failed(str(error)) from error


if __name__ == "__main__":
    sys.exit(main())
