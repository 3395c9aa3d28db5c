"""rlx-sched."""
