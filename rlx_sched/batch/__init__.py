"""The occupancy model over tables of candidates: any size, one machine or many.

The tool is `rlx-score`. From Python, `score_table` scores Arrow data and `score_frame` a pandas frame or a partition of
a `dask.dataframe`. Needs the extra `batch`.
"""

from rlx_sched.batch.errors import RowError, TableError
from rlx_sched.batch.score import ADDED_COLUMNS, Scoring, score_frame, score_table

__all__ = ["ADDED_COLUMNS", "RowError", "Scoring", "TableError", "score_frame", "score_table"]
