"""Scoring on a real cluster of worker processes, one of which is killed in the middle."""

from __future__ import annotations

import os
import signal
from collections.abc import Generator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import support

from rlx_sched.batch import Scoring, score_frame, score_table
from rlx_sched.batch.run import _cluster, score_file  # pyright: ignore[reportPrivateUsage]
from rlx_sched.tools.rlx_score import main

pa: Any = import_module("pyarrow")
parquet: Any = import_module("pyarrow.parquet")

M4 = "Apple M4 Pro"

try:
    distributed: Any = import_module("distributed")
    dask: Any = import_module("dask")
    frames: Any = import_module("dask.dataframe")
except ImportError:
    support.missing("dask (extra dask)")


WORKERS = 3


@pytest.fixture(scope="module")
def started() -> Generator[Any]:
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 5}),
        distributed.LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
        ) as running,
    ):
        yield running


@pytest.fixture
def cluster(started: Any) -> Any:
    """A cluster with all of its workers, once that killed by the test before is there again."""
    with distributed.Client(started) as client:
        client.wait_for_workers(WORKERS, timeout=60)
    return started


def write_table(path: Path, rows: int) -> Any:
    table = pa.table({"baseline_bytes": pa.repeat(2048, rows), "candidate_bytes": pa.array(range(rows))})
    parquet.write_table(table, path)
    return table


def kill_one(cluster: Any) -> int:
    """Kill a worker process as a crash would, without a chance to say goodbye."""
    nanny = next(iter(cluster.workers.values()))
    pid = nanny.process.process.pid
    os.kill(pid, signal.SIGKILL)
    return pid


def test_nothing_is_lost_or_doubled_when_a_worker_dies(cluster: Any, tmp_path: Path) -> None:
    table = write_table(tmp_path / "in.parquet", 20 * 2**16 + 5)
    killed: list[int] = []

    def progress(done: int, total: int | None) -> None:
        if not killed and done > 5 * 2**16:
            killed.append(kill_one(cluster))

    source, output = str(tmp_path / "in.parquet"), str(tmp_path / "out.parquet")
    summary = score_file(
        (source, "parquet"),
        (output, "parquet"),
        Scoring(M4),
        scheduler=cluster.scheduler_address,
        progress=progress,
    )
    assert killed
    assert summary.rows == table.num_rows
    assert parquet.read_table(output).equals(parquet.read_table(local(tmp_path)))


def local(tmp_path: Path) -> Path:
    """The same table, scored in this process."""
    output = tmp_path / "local.parquet"
    assert main([str(tmp_path / "in.parquet"), "-o", str(output), "--chip", M4]) == 0
    return output


def test_the_tool_takes_one_address_and_tells_of_bad_rows(
    cluster: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, output = tmp_path / "in.csv", tmp_path / "out.csv"
    rows = ["2048,4096"] * 70000 + ["2048,x"]
    source.write_text("\n".join(["baseline_bytes,candidate_bytes", *rows]))
    arguments = [str(source), "-o", str(output), "--chip", M4, "--scheduler", cluster.scheduler_address]
    assert main(arguments) == 1
    assert f"{source}: row 70001, column 'candidate_bytes': found 'x', expected" in capsys.readouterr().err
    assert not output.exists()
    assert main([*arguments, "--on-error=keep"]) == 0
    assert output.read_text().count("\n") == 70002


def test_a_dask_dataframe_is_scored_by_partition_while_a_worker_dies(cluster: Any, tmp_path: Path) -> None:
    table = write_table(tmp_path / "in.parquet", 100_000)
    scoring = Scoring(M4)
    killed = tmp_path / "killed"

    def score(frame: Any) -> Any:
        """What is tested, but the worker that comes first is killed in the middle."""
        with suppress(FileExistsError):
            killed.touch(exist_ok=False)
            os.kill(os.getpid(), signal.SIGKILL)
        return score_frame(frame, scoring)

    with distributed.Client(cluster):
        partitions = frames.from_pandas(table.to_pandas(), npartitions=40)
        meta = score_frame(table.to_pandas().iloc[:0], scoring)
        found = partitions.map_partitions(score, meta=meta).compute()
    assert killed.exists()
    assert found.equals(score_frame(table.to_pandas(), scoring))


def test_a_large_piece_is_sent_without_a_warning(cluster: Any) -> None:
    """Which pytest makes an error of."""
    with _cluster(cluster.scheduler_address) as (submit, _):
        piece = pa.table({"a": range(2**21)})
        assert submit(len, piece).result() == piece.num_rows


def test_a_scheduler_without_workers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_table(tmp_path / "in.parquet", 1)
    with distributed.LocalCluster(n_workers=0, dashboard_address=":0") as empty:
        address = empty.scheduler_address
        arguments = [str(tmp_path / "in.parquet"), "-o", str(tmp_path / "out.csv"), "--scheduler", address]
        assert main([*arguments, "--chip", M4]) == 1
    assert f"the Dask scheduler at {address} has no workers; start one with: dask worker" in capsys.readouterr().err


def test_arrow_in_arrow_out_is_what_ray_calls() -> None:
    """`Dataset.map_batches(function, batch_format="pyarrow")` gives and takes a `pyarrow.Table`."""
    table = pa.table({"baseline_bytes": [2048], "candidate_bytes": [4096]})
    assert isinstance(score_table(table, Scoring(M4)), pa.Table)
