"""The `sched` dialect and the footprint of a schedule."""
