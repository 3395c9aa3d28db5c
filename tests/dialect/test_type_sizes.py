"""Sizes of types: LLVM's default data layout, and refusals where nobody knows."""

from typing import Any

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser

from rlx_sched.dialect.layout import NoFootprint
from rlx_sched.dialect.type_sizes import DataLayout, element_size, memref_size


def parse(text: str) -> Any:
    context = Context(allow_unregistered=True)
    context.load_dialect(Builtin)
    return Parser(context, text).parse_type()


@pytest.mark.parametrize(
    ("type", "size", "alignment"),
    [
        ("i1", 1, 1),
        ("i4", 1, 1),
        ("i8", 1, 1),
        ("i17", 4, 4),
        ("i48", 8, 8),
        ("i65", 16, 16),
        ("si32", 4, 4),
        ("f4E2M1FN", 1, 1),
        ("f6E2M3FN", 1, 1),
        ("f8E4M3", 1, 1),
        ("f8E8M0FNU", 1, 1),
        ("bf16", 2, 2),
        ("f64", 8, 8),
        ("f128", 16, 16),
        ("index", 8, 8),
        ("complex<f32>", 8, 4),
        ("complex<i24>", 8, 4),
        ("vector<3xf32>", 16, 16),
        ("vector<8xi1>", 1, 1),
        ("vector<9xi1>", 2, 2),
        ("vector<3xi8>", 4, 4),
        ("vector<2x3xf32>", 32, 16),
        ("vector<f32>", 4, 4),
        ("vector<4xindex>", 32, 32),
    ],
)
def test_element_sizes(type: str, size: int, alignment: int):
    assert element_size(parse(type)) == (size, alignment)


def test_index_follows_the_data_layout():
    assert element_size(parse("index"), DataLayout(32)) == (4, 4)
    assert element_size(parse("vector<3xindex>"), DataLayout(32)) == (16, 16)


@pytest.mark.parametrize(
    "type",
    [
        "i0",
        "f80",
        "tf32",
        "vector<[4]xf32>",
        "vector<4xf80>",
        "tuple<f32>",
        "!llvm.ptr",
        "memref<4xf32>",
        "complex<tf32>",
    ],
)
def test_types_without_a_known_size_are_refused_by_name(type: str):
    with pytest.raises(NoFootprint, match="is not known"):
        element_size(parse(type))


@pytest.mark.parametrize(
    ("type", "size"),
    [
        ("memref<f32>", 4),
        ("memref<16x16xf32>", 1024),
        ("memref<0x16xf32>", 0),
        ("memref<16x16xf32, 3>", 1024),
        ("memref<16x16xf32, #gpu.address_space<workgroup>>", 1024),
        ("memref<4x8xf32, affine_map<(d0, d1) -> (d0, d1)>>", 128),
        # 3 rows of stride 20 and one of 16 elements.
        ("memref<4x16xf32, strided<[20, 1]>>", (3 * 20 + 15 + 1) * 4),
        # Column-major.
        ("memref<4x16xf32, strided<[1, 4]>>", 256),
        # The stride of a dimension of one element says nothing.
        ("memref<1x16xf32, strided<[1, 1]>>", 64),
    ],
)
def test_memref_sizes(type: str, size: int):
    memref = parse(type)
    assert memref_size(memref).size == size


@pytest.mark.parametrize(
    ("type", "why"),
    [
        ("memref<?x16xf32>", "dynamic"),
        ("memref<4x16xf32, strided<[16, 1], offset: 4>>", "offset 0"),
        ("memref<4x16xf32, strided<[16, 1], offset: ?>>", "offset 0"),
        ("memref<4x16xf32, strided<[?, 1]>>", "not a positive number"),
        ("memref<4x16xf32, strided<[-16, 1]>>", "not a positive number"),
        ("memref<4x16xf32, strided<[0, 1]>>", "not a positive number"),
        ("memref<4x16xf32, strided<[8, 1]>>", "overlap"),
        ("memref<4x16xf32, affine_map<(d0, d1) -> (d1, d0)>>", "not strided"),
    ],
)
def test_layouts_without_a_known_size_are_refused(type: str, why: str):
    memref = parse(type)
    with pytest.raises(NoFootprint, match=why):
        memref_size(memref)
