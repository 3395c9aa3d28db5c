"""Compile a matrix product with IREE for Metal, for a chip where its rotation pays and for one where it does not.

pip install iree-base-compiler
python examples/iree_filter.py
"""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

from rlx_sched.integrations.iree import compile_filtered

SOURCE = Path(__file__).with_name("iree_matmul.mlir")


def threadgroup_bytes(msl: str) -> int:
    """The bytes of all threadgroup variables in a Metal kernel as IREE prints it."""
    structs = dict(re.findall(r"struct (\w+)\s*\{\s*spvUnsafeArray<float4, (\d+)> _m0;\s*\};", msl))
    return sum(16 * int(structs[name]) for name in re.findall(r"^ +threadgroup (\w+) \w+;", msl, re.MULTILINE))


def compiled_bytes(chip: str) -> int:
    """The threadgroup memory of the kernel that IREE makes for `chip`."""
    with TemporaryDirectory() as folder:
        flags = [
            "--iree-hal-target-device=metal",
            "--iree-metal-compile-to-metallib=false",
            f"--iree-hal-dump-executable-binaries-to={folder}",
        ]
        compile_filtered(SOURCE, Path(folder, "product.vmfb"), chip=chip, flags=flags)
        (kernel,) = Path(folder).glob("*.metal")
        return threadgroup_bytes(kernel.read_text())


def main() -> None:
    for chip in ("Apple M1", "Apple M4 Pro"):
        print(f"{chip}: {compiled_bytes(chip)} bytes of threadgroup memory")


if __name__ == "__main__":
    main()
