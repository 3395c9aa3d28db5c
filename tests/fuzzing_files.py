"""Give the tools that read tables, calibrations and results any bytes, and say what of their promises they broke."""

import csv
import io
import json
import os
import re
import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import chdir, contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from fake_device import FakeDevice
from fuzzing import MOST_SECONDS, Taken, Tool, call, is_dangerous
from mutations import LARGEST, broken_bytes, mutated
from support import ROOT

from rlx_sched.measure.device import Shape
from rlx_sched.measure.experiment import Configuration, Settings, run, start
from rlx_sched.measure.results import save_results
from rlx_sched.tools import rlx_calibrate, rlx_opt, rlx_report, rlx_score

MOST_BYTES = 2**30
"""Of memory, on top of what the process had: more than any file of these few kilobytes needs, many times over."""

TABLES = ("csv", "jsonl", "parquet", "arrow")
KINDS = (*TABLES, "calibration", "results")

_KERNEL = "sched.kernel @k stages 3 {\n  sched.buffer @a rotating : memref<16x16xf32>\n}\n"
_OLD = b"what was there before"
_SUFFIX_OF = {"csv": ".csv", "jsonl": ".jsonl", "parquet": ".parquet", "arrow": ".arrow"}


class Try(NamedTuple):
    """A tool, its arguments and the content of the file INPUT; what it makes goes to the file OUTPUT, if it does."""

    tool: Tool
    arguments: tuple[str, ...]
    data: bytes
    kind: str
    has_old_output: bool = False
    """Whether there is a file OUTPUT before."""


_M4 = "Apple M4 Pro"
_WORDS = (
    _M4,
    "Apple M1",
    "NVIDIA H200",
    "",
    "é",
    "64x32xf16;32x64xf16",
    "64x32",
    "16x16xf32",
    "0x1xf32",
    "x",
    "1" * 30,
)
_NUMBERS = (0, 1, 2, 3, -1, 2048, 6144, 49152, 2**31, 2**53, 2**63 - 1, -(2**63), 2**64 - 1, 2**64, 10**30)
_USED = (
    ("chip", "baseline_bytes", "candidate_bytes"),
    ("chip", "tiles", "stages"),
    ("chip", "tiles", "stages", "dtype", "slots_offset", "resident"),
)
_WORD_NAMES = ("chip", "tiles", "dtype", "resident", "note", "verdict", "error")
_ADDED = ("verdict", "ratio", "ratio_low", "ratio_high", "extrapolated", "footprint", "legality", "reason")
_ODD_TEXT = (
    '0 1 -1 1.5 1e308 -0.0 nan inf null NULL NA "" true {} [] {"a":{"b":[1]}} "\\ud800" "\\u0000" [[[[ ]]]] 1e5 0x10',
    '" "" , ; , , \n \r \r\n \t \x00 \ufeff \u202e \ud800 \U0001f600 \\ \\n \\" \' # = [[a]] [a.b] """ 1979-05-27',
    f"{2**63} {2**64} {-(2**63) - 1} {'9' * 400} 1_000 +1 0b1 0o7 1.e5 slower faster verdict error ratio reason",
)


@cache
def seeds(kind: str) -> tuple[bytes, ...]:
    """Files of one kind that the tools take, or nearly so."""
    random = Random(1)
    match kind:
        case "calibration":
            files = (ROOT / "rlx_sched/occupancy/calibrations/apple-m4.toml",)
            return tuple(
                path.read_bytes() for path in (*files, ROOT / "tests/filecheck/passes/Inputs/staging_wins.toml")
            )
        case "results":
            return (_results(),)
        case _:
            return tuple(_made(kind, random) for _ in range(40))


def _results() -> bytes:
    device: Any = FakeDevice()
    configurations = tuple(map(Configuration.parse, ("16x16/1x1/16", "8x8/1x1/8")))
    settings = Settings(configurations, (Shape(1, 16, 16), Shape(5, 7, 9)), rounds=5)
    results = start(device, settings)
    run(device, settings, results)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "results.json")
        save_results(path, results)
        return path.read_bytes()


def _names_of_columns(random: Random) -> list[str]:
    others = random.sample(("note", "verdict", "error", "ratio", "a b", "é", ""), random.randrange(3))
    return [*random.choice(_USED), *others]


def _text(kind: str, random: Random) -> bytes:
    """A table as text, mostly one that can be scored."""
    names = _names_of_columns(random)
    odd: Sequence[Any] = (
        None,
        True,
        1.5,
        1e300,
        -0.0,
        "x,y",
        'a "b"',
        "1\n2",
        [],
        [1, "a"],
        {"a": {"b": None}},
        "2048",
    )
    rows: list[list[Any]] = []
    for _ in range(random.choice((0, 1, 5, 40))):
        usual = [random.choice((_WORDS if name in _WORD_NAMES else _NUMBERS)[:6]) for name in names]
        rows.append([random.choice((*_NUMBERS, *odd)) if random.random() < 0.1 else value for value in usual])
    if kind == "csv":
        return "".join(",".join(map(_csv_field, row)) + "\n" for row in [names, *rows]).encode()
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows).encode()


def _csv_field(value: object) -> str:
    text = "" if value is None else str(value)
    return '"' + text.replace('"', '""') + '"' if re.search(r'[",\n]', text) else text


def _table(random: Random) -> Any:
    """A table whose columns are of the types that are meant, and of others."""
    pa: Any = import_module("pyarrow")
    rows = random.choice((0, 1, 5, 40))
    names = _names_of_columns(random)
    return pa.table([_column(random, rows, name, usual=random.random() < 0.8) for name in names], names)


def _column(random: Random, rows: int, name: str, *, usual: bool) -> Any:
    """A column of one of the types that Arrow has, as far as the values are of it."""
    pa: Any = import_module("pyarrow")
    is_word = name in _WORD_NAMES
    values: Sequence[Any] = (_WORDS if is_word else _NUMBERS)[: 6 if usual else None]
    words = (pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string()), pa.string_view())
    types = words if is_word else (pa.int64(), pa.int32(), pa.uint64(), pa.int16())
    if not usual:
        others = (pa.binary(), pa.null(), pa.bool_(), pa.float64(), pa.float16(), pa.decimal128(38, 2), pa.date32())
        nested = (pa.list_(pa.string()), pa.struct([("a", pa.int8())]), pa.map_(pa.string(), pa.int8()))
        times = (pa.timestamp("ns", "Europe/Berlin"), pa.duration("s"), pa.time64("us"), pa.decimal256(60, 3))
        encoded = (pa.run_end_encoded(pa.int32(), pa.int64()), pa.dictionary(pa.uint64(), pa.int32()))
        types = (*types, *others, *nested, *times, *encoded)
    type = random.choice(types)
    parts = [_one(random.choice(values), type) for _ in range(rows)]
    return pa.chunked_array(parts, type).combine_chunks()


def _one(value: Any, type: Any) -> Any:
    """An array of `value`, or of nothing where that is none of this type."""
    pa: Any = import_module("pyarrow")
    try:
        return pa.array([value], type)
    except (pa.ArrowException, ValueError, TypeError, OverflowError, ArithmeticError):
        return pa.nulls(1, type)


def _encoded(table: Any, kind: str, random: Random) -> bytes:
    """`table` as a Parquet or Arrow file, in one of the ways that the format has."""
    pa: Any = import_module("pyarrow")
    stream = io.BytesIO()
    if kind == "parquet":
        parquet: Any = import_module("pyarrow.parquet")
        options: dict[str, Any] = {
            "row_group_size": random.choice((3, 100)),
            "compression": random.choice(("none", "none", "snappy", "zstd", "gzip", "lz4")),
            "data_page_version": random.choice(("1.0", "2.0")),
            "use_dictionary": random.random() < 0.5,
            "write_statistics": random.random() < 0.5,
            "store_schema": random.random() < 0.7,
        }
        parquet.write_table(table, stream, **options)
    else:
        ipc = pa.ipc.IpcWriteOptions(compression=random.choice((None, None, "lz4", "zstd")))
        new = random.choice((pa.ipc.new_file, pa.ipc.new_stream))
        with new(stream, table.schema, options=ipc) as writer:
            writer.write_table(table, random.choice((3, 100)))
    return stream.getvalue()


def _made(kind: str, random: Random) -> bytes:
    """A table of one kind."""
    if kind in ("csv", "jsonl"):
        return _text(kind, random)
    pa: Any = import_module("pyarrow")
    while True:
        try:
            return _encoded(_table(random), kind, random)
        except pa.ArrowException:
            continue  # Parquet has no such type


def changed(kind: str, random: Random) -> bytes:
    """A file of one kind with something wrong in it, mostly."""
    if kind in TABLES and random.random() < 0.15:
        return _made(kind, random)
    data = random.choice(seeds(kind))
    if kind in ("parquet", "arrow"):
        return broken_binary(data, random, seeds(kind))
    text = data.decode()[:LARGEST]
    if random.random() < 0.2:
        return broken_bytes(text or " ", random)
    others = (*_ODD_TEXT, *_ODD_TEXT, random.choice(seeds(kind)).decode()[:LARGEST])
    return mutated(text, random, others).encode("utf-8", "surrogatepass")


def broken_binary(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """`data` with one to three changes: bytes and numbers replaced, pieces cut out, repeated or from another file."""
    broken = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 3))):
        # What a file says of itself is at its ends.
        size = len(broken)
        at = random.choice((random.randrange(size + 1), max(0, size - 1 - random.randrange(400))))
        length = random.choice((1, 1, 2, 4, 8, 40))
        match random.randrange(7):
            case 0:
                broken[at : at + 1] = bytes([random.randrange(256)])
            case 1 if at < size:
                broken[at] ^= 1 << random.randrange(8)
            case 2:
                width = random.choice((2, 4, 8))
                number = random.choice(
                    (0, 1, -1, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**40, random.randrange(2**16))
                )
                broken[at : at + width] = (number % 2 ** (8 * width)).to_bytes(width, "little")
            case 3:
                del broken[at : at + length]
            case 4:
                broken[at:at] = broken[at : at + length]
            case 5:
                del broken[at:]
            case _:
                other = random.choice(others)
                start = random.randrange(len(other))
                broken[at : at + length] = other[start : start + length]
    return bytes(broken)


def tries(random: Random, kinds: Sequence[str] = KINDS) -> Generator[Try]:
    """Commands and files to try, without end."""
    while True:
        # Tables have the most code to read them.
        kind = random.choice(kinds) if random.random() < 0.3 else random.choice(TABLES)
        data = changed(kind, random)
        tool, arguments = _command(kind, random)
        yield Try(tool, arguments, data, kind, random.random() < 0.5)


def _command(kind: str, random: Random) -> tuple[Tool, tuple[str, ...]]:
    if kind == "results":
        if random.random() < 0.9:
            return rlx_calibrate.main, ("fit", "INPUT", "-o", "OUTPUT.toml")
        return rlx_calibrate.main, ("plot", "INPUT", "-o", "OUTPUT.svg")
    if kind == "calibration":
        return random.choice(
            (
                (rlx_calibrate.main, ("show", "INPUT")),
                (rlx_opt.main, ("--occupancy-filter=calibration=INPUT", "-o", "OUTPUT.mlir", "KERNEL")),
                (rlx_report.main, ("--calibration=INPUT", "--json", "-o", "OUTPUT.json", "KERNEL")),
                (rlx_score.main, ("--calibration=INPUT", "-o", "OUTPUT.csv", "--from=csv", "TABLE")),
            )
        )
    arguments = [f"--from={kind}", "INPUT", "-o", f"OUTPUT{_SUFFIX_OF[random.choice((kind, *TABLES))]}"]
    for option, share in (("--on-error=keep", 0.5), ("--replace", 0.7), (f"--chip={_M4}", 0.1)):
        if random.random() < share:
            arguments.append(option)
    return rlx_score.main, tuple(arguments)


def broken_promise(one: Try, folder: Path) -> str | None:
    """Which of its promises the tool broke in `folder`, which is empty but for what an earlier call left there."""
    with chdir(folder):
        return _broken_promise(one)


def _broken_promise(one: Try) -> str | None:
    Path("INPUT").write_bytes(one.data)
    Path("KERNEL").write_text(_KERNEL)
    Path("TABLE").write_text(f"chip,baseline_bytes,candidate_bytes\n{_M4},2048,6144\n")
    for other in Path().glob("OUTPUT*"):
        other.unlink()
    output = next((Path(argument) for argument in one.arguments if argument.startswith("OUTPUT")), None)
    if output is not None and one.has_old_output:
        output.write_bytes(_OLD)
    before = set(os.listdir())
    with _memory() as grown:
        taken = call(one.tool, one.arguments)
        most = grown()
    if (what := _wrong_answer(one.tool, taken, most)) is not None:
        return what
    made = {str(output)} if output is not None and taken.code == 0 else set[str]()
    if (found := set(os.listdir())) != before | made:
        return f"there are the files {found}"
    if output is None:
        return None
    if taken.code == 0:
        return _wrong_output(one, output)
    return "a file was changed in spite of an error" if one.has_old_output and output.read_bytes() != _OLD else None


@contextmanager
def _memory() -> Generator[Callable[[], int]]:
    """Have a function say by how many bytes the process has grown since, at most; 0 where the system does not tell."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
        before = _resident("VmRSS")
    except OSError:
        yield lambda: 0
        return
    yield lambda: _resident("VmHWM") - before


def _resident(what: str) -> int:
    found = re.search(rf"^{what}:\s*(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
    return int(found[1]) * 2**10 if found else 0


def _wrong_answer(tool: Tool, taken: Taken, most: int) -> str | None:
    """What is wrong with the exit code, what it took, and what was said."""
    if taken.code not in (0, 1):
        return f"exit code {taken.code}: {taken.stderr}"
    if taken.seconds > MOST_SECONDS:
        return f"it took {taken.seconds:.1f} s"
    if most > MOST_BYTES:
        return f"it took {most >> 20} MiB"
    if "Traceback (most recent call last)" in taken.stderr:
        return taken.stderr
    if dangerous := {character for character in taken.stderr + taken.stdout if is_dangerous(character)}:
        return f"control characters {dangerous}: {taken.stderr!r} {taken.stdout!r}"
    errors = len(re.findall(r"^(?:\S[^\n]*?: )?error: ", taken.stderr, re.MULTILINE))
    if errors != taken.code:
        return f"{errors} errors, exit code {taken.code}: {taken.stderr!r}"
    if taken.code == 1 and tool is rlx_score.main and taken.stderr.count("\n") != 1:
        return f"an error of several lines: {taken.stderr!r}"
    return None


def _wrong_output(one: Try, output: Path) -> str | None:
    """What is wrong with a file that the tool says is done."""
    kind = next((kind for kind, suffix in _SUFFIX_OF.items() if output.name == f"OUTPUT{suffix}"), None)
    if kind is None or one.tool is not rlx_score.main:
        return None if output.stat().st_size else "the output is empty"
    if kind == "jsonl" and not output.stat().st_size:
        return None  # a table without rows has no columns
    again = Path(f"AGAIN{output.suffix}")
    arguments = [f"--from={kind}", str(output), "--replace", "-o", str(again)]
    arguments += [
        argument for argument in one.arguments if argument.startswith(("--chip", "--on-error", "--calibration"))
    ]
    taken = call(rlx_score.main, arguments)
    if taken.code != 0:
        return f"the output is not read: {taken.stderr}"
    before, after = _scores(output, kind), _scores(again, kind)
    again.unlink()
    if "--on-error=keep" not in one.arguments and before != after:
        return f"scored again it is another:\n{before}\nbecomes\n{after}"
    return None


def _scores(path: Path, kind: str) -> list[list[Any]]:
    """What was added to the rows of a table, as far as rows can be read."""
    pa: Any = import_module("pyarrow")
    match kind:
        case "csv":
            with path.open(encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
        case "jsonl":
            rows = [json.loads(line) for line in path.read_bytes().split(b"\n") if line]
        case "parquet":
            rows = import_module("pyarrow.parquet").read_table(path, columns=list(_ADDED)).to_pylist()
        case _:
            rows = pa.ipc.open_file(path.read_bytes()).read_all().select(_ADDED).to_pylist()
    return [[row[name] for name in _ADDED] for row in rows]
