"""An autotuner's point of view: ask the occupancy model before spending time on the device.

The search space is one sgemm schedule, staged 1 to 4 times, for a few GPUs. No IR, no xDSL, no numpy.

    python examples/model_only.py
"""

import rlx_sched

TILE_BYTES = 16 * 16 * 4
BUFFERS = 2
DEVICES = ("Apple M4 Pro", "Apple M3 Max", "NVIDIA H200")


def footprint(stages: int) -> int:
    """Bytes of threadgroup memory with `stages` copies of both staged tiles."""
    return BUFFERS * TILE_BYTES * stages


def worth_measuring(device: str) -> list[int]:
    """The stage counts that a search on `device` should still run."""
    return [
        stages for stages in (1, 2, 3, 4) if rlx_sched.predict(device, footprint(1), footprint(stages)).worth_measuring
    ]


def main() -> None:
    for device in DEVICES:
        print(f"{device}: measure {', '.join(map(str, worth_measuring(device)))} of 1, 2, 3, 4 stages")
        print(f"  3 stages: {rlx_sched.explain(device, footprint(1), footprint(3))}")


if __name__ == "__main__":
    main()
