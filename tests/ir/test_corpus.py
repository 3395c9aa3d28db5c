"""Kernels of real compilers come through unchanged, for the reader of the compiler that they are from."""

from pathlib import Path

import pytest
from round_trip import CORPUS, as_iree_reads, as_mlir_reads, as_triton_reads, printed_again

from rlx_sched import fast_path

MOST_WITHOUT_FAST_PATH = 60_000
"""Characters of a file that is read without the fast path too, which takes long; there are such of each kind."""


def kernels(producer: str) -> list[object]:
    files = sorted((CORPUS / producer).glob("*.generic.mlir"))
    assert files
    return [pytest.param(file, id=file.name.removesuffix(".generic.mlir")) for file in files]


@pytest.mark.parametrize("file", kernels("mlir-opt"))
def test_mlir_opt_reads_the_same(file: Path) -> None:
    text = file.read_text()
    assert as_mlir_reads(printed_again(text)) == as_mlir_reads(text)


@pytest.mark.parametrize("file", kernels("iree"))
def test_iree_opt_reads_the_same(file: Path) -> None:
    text = file.read_text()
    assert as_iree_reads(printed_again(text)) == as_iree_reads(text)


@pytest.mark.parametrize("file", kernels("triton"))
def test_triton_reads_the_same(file: Path, tmp_path: Path) -> None:
    text = file.read_text()
    assert as_triton_reads(printed_again(text), tmp_path) == as_triton_reads(text, tmp_path)


@pytest.mark.parametrize("file", [*kernels("mlir-opt"), *kernels("iree"), *kernels("triton")])
def test_printed_text_is_stable_and_the_same_without_the_fast_path(file: Path) -> None:
    text = file.read_text()
    once = printed_again(text)
    assert printed_again(once) == once
    if len(text) > MOST_WITHOUT_FAST_PATH:
        return
    with fast_path.disabled():
        assert printed_again(text) == once
