# pyright: basic
"""A Triton autotuner that does not time the pipelines that a chip has no threadgroup memory for.

    pip install triton
    python examples/triton_prune.py

With a GPU and a calibration for it the decorator needs one argument more, and nothing else changes:

    prune_configs_by={"early_config_prune": rlx_sched.integrations.triton.early_config_prune}

Here the device is named, so that the pruning can be watched without one.
"""

import logging

import triton
import triton.language as tl
from triton.runtime.jit import MockTensor

from rlx_sched.integrations.triton import EarlyConfigPrune

CONFIGS = [
    triton.Config({"BLOCK_M": edge, "BLOCK_N": edge, "BLOCK_K": 32}, num_stages=stages)
    for edge in (32, 64)
    for stages in (1, 2, 3, 4)
]


@triton.autotune(
    configs=CONFIGS,
    key=["M", "N", "K"],
    prune_configs_by={"early_config_prune": EarlyConfigPrune(chip="Apple M4 Pro", target="sm_80")},
)
@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """A kernel that would multiply matrices; only its arguments matter to the autotuner."""


def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    tensors = {name: MockTensor(tl.float16) for name in ("a_ptr", "b_ptr", "c_ptr")}
    matmul.nargs = {**tensors, "M": 512, "N": 512, "K": 512}
    for config in matmul.prune_configs({}):
        print(f"to be timed: {config}")


if __name__ == "__main__":
    main()
