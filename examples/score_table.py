"""Score a search space of a million sgemm schedules, given by their tiles, from Python and with the tool.

pip install 'rlx-sched[batch]'
python examples/score_table.py
"""

from collections import Counter
from importlib import import_module
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rlx_sched.tools.rlx_score import main as rlx_score

pa: Any = import_module("pyarrow")
parquet: Any = import_module("pyarrow.parquet")


def search_space(repeats: int) -> Any:
    """Tiles, element types and stages, as a table."""
    rows = list(product((8, 16, 32, 64), (8, 16, 32), ("f16", "f32"), (1, 2, 3, 4))) * repeats
    return pa.table(
        {
            "chip": ["Apple M4 Pro"] * len(rows),
            "tiles": [f"{edge}x{depth};{depth}x{edge}" for edge, depth, _, _ in rows],
            "dtype": [dtype for *_, dtype, _ in rows],
            "stages": [stages for *_, stages in rows],
        }
    )


def main() -> None:
    with TemporaryDirectory() as folder:
        candidates, scored = Path(folder, "candidates.parquet"), Path(folder, "scored.parquet")
        parquet.write_table(search_space(10_000), candidates)
        rlx_score([str(candidates), "-o", str(scored)])
        table = parquet.read_table(scored)
    verdicts: Counter[str] = Counter(table.column("verdict").to_pylist())
    legality: Counter[str] = Counter(table.column("legality").to_pylist())
    print(f"{table.num_rows} candidates: {dict(verdicts)}, {dict(legality)}")


if __name__ == "__main__":
    main()
