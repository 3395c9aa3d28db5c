"""The command line `rlx-score`: verdicts for a table of candidates of any size."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from rlx_sched import __version__
from rlx_sched.tools.errors import Failed, UsageError
from rlx_sched.tools.guard import guarded
from rlx_sched.tools.parser import Parser
from rlx_sched.tools.visible import visible_line

_DESCRIPTION = """\
Scores a table of schedule candidates: does the extra threadgroup memory of each
one's rotation pay?

The table needs a column `chip` (device names as the driver gives them; or
--chip for all rows) and either
  baseline_bytes, candidate_bytes
                 footprints with one stage and as scheduled, in bytes
or the tiles that are staged, from which the footprints follow:
  tiles          shapes and element types, as in 64x32xf16;32x64xf16
  stages         stages of the rotation, from 1
  dtype          (optional) element type of tiles without one, as in 64x32;32x64
  slots_offset   (optional) slots are stages plus this, never fewer than one;
                 default 0
  resident       (optional) tiles with one slot at any number of stages
All other columns are carried along.
"""

_EPILOG = """\
added columns:
  verdict        slower, too_close_to_call, faster or unknown
  ratio          modeled throughput relative to one stage
  ratio_low, ratio_high
                 its interval
  extrapolated   whether it is outside what was measured
  baseline_footprint, footprint
                 bytes
  legality       fits, over_limit or unknown
  reason         why the verdict is unknown, or what does not fit
  error          with --on-error=keep: what is wrong with the row

formats by file name:
  .parquet .pq; .csv; .jsonl .ndjson .json; Arrow: .arrow .arrows .feather .ipc

exit codes:
  0    done
  1    the table cannot be scored, with the row and column
  2    the command line makes no sense
  70   a defect of rlx-score itself
  130  stopped by SIGINT; 143: by SIGTERM; 129: by SIGHUP;
       141: nobody reads the output any more
"""


def _parser() -> Parser:
    parser = Parser(prog="rlx-score", description=_DESCRIPTION, epilog=_EPILOG)
    formats = ("parquet", "csv", "jsonl", "arrow")
    parser.add_argument("input", nargs="?", default="-", metavar="INPUT", help="table; - is standard input (default)")
    parser.add_argument(
        "-o", "--output", default="-", metavar="FILE", help="scored table, written whole or not at all (default: -)"
    )
    parser.add_argument("--from", dest="input_format", choices=formats, help="format of the input")
    parser.add_argument("--to", dest="output_format", choices=formats, help="format of the output")
    parser.add_argument("--chip", metavar="NAME", help="device of all rows, for a table without a column chip")
    parser.add_argument("--calibration", metavar="FILE", help="calibration to use in place of those that ship")
    parser.add_argument(
        "--max-threadgroup-bytes",
        type=_bytes,
        metavar="N",
        help="limit of all rows (default: what is known of the chip)",
    )
    parser.add_argument(
        "--on-error",
        choices=("stop", "keep"),
        default="stop",
        help="a row that cannot be read or scored: stop, or keep it with the problem in a column error (default: stop)",
    )
    parser.add_argument(
        "--replace",
        action="store_true",
        help="replace the columns of an earlier scoring, and the column error that comes after its reason",
    )
    parser.add_argument("--scheduler", metavar="ADDRESS", help="score on the workers of a Dask cluster")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.add_argument("--version", action="version", version=f"rlx-score {__version__}")
    return parser


def _bytes(text: str) -> int:
    from rlx_sched.occupancy import MAX_BYTES

    # So many digits, for Python refuses to read very long numbers.
    value = int(text) if text.isdecimal() and len(text) <= len(str(MAX_BYTES)) else None
    if value is None or value > MAX_BYTES:
        raise argparse.ArgumentTypeError(f"expected a number of bytes from 0 to 2^64 - 1, got {text!r}")
    return value


@contextmanager
def _progress(quiet: bool) -> Generator[Callable[[int, int | None], None]]:
    """A progress bar on a terminal; nothing elsewhere."""
    from rlx_sched.batch.errors import require

    bar = require("tqdm").tqdm(unit="row", unit_scale=True, leave=False, disable=True if quiet else None)

    def show(done: int, total: int | None) -> None:
        bar.total = total
        bar.update(done - bar.n)

    with bar:
        yield show


def _keep_memory() -> None:
    """Have the C library use freed memory again: to get it anew from the system takes longer than to fill it.

    glibc keeps blocks up to the size of the largest freed so far, of 32 MiB at most: mallopt(3), M_MMAP_THRESHOLD.
    """
    bytearray(31 * 2**20)


def _run(arguments: argparse.Namespace) -> int:
    from rlx_sched.batch.files import STANDARD, format_of
    from rlx_sched.batch.run import score_file
    from rlx_sched.batch.score import Scoring
    from rlx_sched.occupancy import load_calibration

    source: str = arguments.input
    output: str = arguments.output
    input_format = arguments.input_format or format_of(source)
    if input_format is None:
        what = "standard input" if source == STANDARD else f"'{source}'"
        raise UsageError(f"the format of {what} is not known; use --from csv, say", see_help=False)
    output_format = arguments.output_format or format_of(output) or (input_format if output == STANDARD else None)
    if output_format is None:
        raise UsageError(f"the format of '{output}' is not known; use --to csv, say", see_help=False)
    scoring = Scoring(
        arguments.chip,
        load_calibration(arguments.calibration) if arguments.calibration else None,
        arguments.max_threadgroup_bytes,
        arguments.on_error,
        arguments.replace,
    )
    _keep_memory()
    with _progress(arguments.quiet) as show:
        done = score_file(
            (source, input_format),
            (output, output_format),
            scoring,
            scheduler=arguments.scheduler,
            progress=show,
        )
    if done.rows_with_errors:
        print(f"{done.rows_with_errors} of {done.rows} rows have errors; see the column error", file=sys.stderr)
    return 0


def _score(argv: Sequence[str]) -> int:
    arguments = _parser().parse(argv)
    from rlx_sched.batch.errors import RunError, TableError
    from rlx_sched.occupancy import CalibrationError

    try:
        return _run(arguments)
    except (RunError, CalibrationError) as error:
        raise Failed(visible_line(str(error))) from error
    except TableError as error:
        source = "standard input" if arguments.input == "-" else arguments.input
        # Names of columns have line ends, too.
        raise Failed(visible_line(f"{source}: {error}")) from error


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `rlx-score` with `arguments` (default: the process's own) and return its exit status."""
    return guarded("rlx-score", _score, arguments)


if __name__ == "__main__":
    sys.exit(main())
