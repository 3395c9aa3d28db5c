# pyright: basic
"""A TileLang search space for Metal, and what each configuration really takes.

    pip install tilelang
    python examples/tilelang_filter.py

In an autotuned kernel it is one line: `@tilelang.autotune(configs=worth_measuring(CONFIGS, chip=..., dtype=...))`.
"""

import re
from typing import Any

import tilelang
import tilelang.language as T
from tilelang import tvm

from rlx_sched.integrations.tilelang import worth_measuring

CONFIGS = [
    {"block_M": m, "block_N": 64, "block_K": 32, "num_stages": stages} for m in (32, 64) for stages in (0, 1, 2, 3)
]
FILTERED = worth_measuring(CONFIGS, chip="Apple M4 Pro", dtype="float16")


@tilelang.autotune(configs=FILTERED)  # pyright: ignore[reportArgumentType]
@tilelang.jit(target="metal")
def matmul(M, N, K, block_M=64, block_N=64, block_K=32, num_stages=1):
    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),  # pyright: ignore
        B: T.Tensor((K, N), "float16"),  # pyright: ignore
        C: T.Tensor((M, N), "float32"),  # pyright: ignore
    ):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=128) as (x, y):
            a = T.alloc_shared((block_M, block_K), "float16")
            b = T.alloc_shared((block_K, block_N), "float16")
            c = T.alloc_fragment((block_M, block_N), "float32")
            T.clear(c)
            for k in T.Pipelined(T.ceildiv(K, block_K), num_stages=num_stages):
                T.copy(A[y * block_M, k * block_K], a)
                T.copy(B[k * block_K, x * block_N], b)
                T.gemm(a, b, c)
            T.copy(c, C[y * block_M, x * block_N])

    return main


tuned: Any = matmul


def compiled_bytes(config: dict[str, int]) -> int:
    """The threadgroup memory of the kernel that TileLang makes for Metal."""
    with tvm.target.Target("metal"):
        source = tilelang.lower(tuned.jit_impl.get_tir(512, 512, 512, **config), target="metal").kernel_source
    return sum(int(size) for size in re.findall(r"threadgroup uchar \w+\[(\d+)\]", source))


def main() -> None:
    assert tuned.get_tunner().configs == FILTERED
    for config in CONFIGS:
        print(f"{'measure' if config in FILTERED else 'skip   '} {config}: {compiled_bytes(config)} bytes")


if __name__ == "__main__":
    main()
