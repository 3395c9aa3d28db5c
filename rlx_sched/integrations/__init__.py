"""The occupancy model inside other people's searches: Triton, TileLang, IREE, and anything that makes candidates.

Each host library is imported when a hook of it is called, never before.
"""

from rlx_sched.dialect.layout import Buffer
from rlx_sched.integrations.candidates import (
    Candidate,
    Decision,
    filter_candidates,
    filter_sequence,
    rank_candidates,
)

__all__ = ["Buffer", "Candidate", "Decision", "filter_candidates", "filter_sequence", "rank_candidates"]
