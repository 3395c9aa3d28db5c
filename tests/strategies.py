"""Hypothesis strategies for valid modules of the `sched` dialect, covering all of it, with other dialects around."""

import os
from collections.abc import Sequence
from functools import cache
from typing import Any

from hypothesis import Phase, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    BoolAttr,
    Builtin,
    ComplexType,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    Float8E4M3FNType,
    Float80Type,
    FloatAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StridedLayoutAttr,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    VectorType,
    f16,
    f32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap

from rlx_sched.dialect.attributes import (
    Bound,
    Bytes,
    Footprint,
    FootprintAttr,
    Stripped,
    StrippedAttr,
    Target,
    TargetAttr,
    VerdictAttr,
)
from rlx_sched.dialect.sched import BufferOp, CandidatesOp, KernelOp, PhaseOp, Sched
from rlx_sched.dialect.sgemm import SGEMM, Sgemm, SgemmAttr
from rlx_sched.occupancy import Faster, Slower, TooCloseToCall, Unknown

# No explain phase: it runs each failing example again and again under a tracer, for minutes.
every = settings(
    max_examples=int(os.environ.get("RLX_TEST_EXAMPLES", "25")), deadline=None, phases=set(Phase) - {Phase.explain}
)
"""What to test with `modules()`, which take long to make: `RLX_TEST_EXAMPLES=1000` tries that many."""


@cache
def make_context() -> Context:
    """A context as `rlx-opt` has it: the dialect, and whatever else carried opaquely.

    One for all tests: xDSL makes a class for each opaque attribute in each context, and no two of them are equal.
    """
    context = Context(allow_unregistered=True)
    context.load_dialect(Builtin)
    context.load_dialect(Sched)
    return context


def _opaque(name: str, text: str, *, is_type: bool = False) -> Attribute:
    """An attribute or type of another dialect."""
    kind = (make_context().get_type if is_type else make_context().get_attr)(name)
    return kind(name, is_type, False, text)  # pyright: ignore[reportCallIssue]


def _workgroup() -> Attribute:
    return _opaque("gpu.address_space", "workgroup")


def _foreign(name: str, **parts: Any) -> Operation:
    """An operation of another dialect."""
    return make_context().get_op(name).create(**parts)


texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
names = st.from_regex(r"[a-z_][a-z0-9_$.]{0,8}", fullmatch=True) | texts.filter(bool)
keys = st.from_regex(r"[a-z_][a-z0-9_$.]{0,8}", fullmatch=True) | st.text(st.characters(codec="ascii"), min_size=1)

elements: st.SearchStrategy[Attribute] = st.sampled_from(
    [
        f32,
        f16,
        IntegerType(1),
        IntegerType(8),
        IntegerType(48),
        IndexType(),
        ComplexType(f32),
        VectorType(f32, [3]),
        VectorType(f16, [2, 4]),
        Float8E4M3FNType(),
        Float80Type(),  # its size is not known
    ]
)


@st.composite
def memrefs(draw: st.DrawFn) -> MemRefType[Attribute]:
    """Memref types: mostly with a known size, some without."""
    shape = draw(st.lists(st.integers(1, 24), min_size=0, max_size=3))
    layout = NoneAttr()
    kind = draw(st.sampled_from(["identity", "identity", "strided", "strided", "map", "dynamic"])) if shape else ""
    if kind == "dynamic":
        shape[0] = DYNAMIC_INDEX
        layout = StridedLayoutAttr([None] * len(shape), None)
    elif kind == "map":
        layout = AffineMapAttr(AffineMap.identity(len(shape)))
    elif kind == "strided":
        strides: list[int] = []
        span = 1
        for size in reversed(shape):
            strides.insert(0, span + draw(st.integers(0, 3)))
            span = strides[0] * size
        layout = StridedLayoutAttr(strides)
    space = draw(st.sampled_from([NoneAttr(), IntegerAttr(3, i64), StringAttr("shared"), _workgroup()]))
    return MemRefType(draw(elements), shape, layout, space)


# Without blanks, which are part of the text of what is not known.
foreign_types: st.SearchStrategy[Attribute] = st.deferred(
    lambda: (
        st.sampled_from(
            [
                f32,
                i64,
                IndexType(),
                TensorType(f32, [4, DYNAMIC_INDEX]),
                FunctionType.from_lists([f32], []),
                _opaque("t.type", "4x[8],#t.layout<a->b>", is_type=True),
                _opaque("t.token", "", is_type=True),
            ]
        )
        | memrefs()
    )
)
"""Types that values have."""

foreign_attributes: st.SearchStrategy[Attribute] = st.deferred(
    lambda: st.recursive(
        st.one_of(
            texts.map(StringAttr),
            st.builds(IntegerAttr, st.integers(-8, 8), st.sampled_from([i64, IntegerType(8), IndexType()])),
            st.builds(FloatAttr, st.floats(width=32, allow_nan=False, allow_infinity=False), st.just(f32)),
            st.booleans().map(BoolAttr.from_bool),
            names.map(SymbolRefAttr),
            st.lists(st.integers(-9, 9), max_size=3).map(lambda values: DenseArrayBase.from_list(i64, values)),
            foreign_types,
            st.sampled_from(
                [
                    UnitAttr(),
                    DenseIntOrFPElementsAttr.from_list(TensorType(f32, [2]), [1.0, -0.5]),
                    _opaque("t.attr", "a=1:i32,[x,!t.type<2>]"),
                    _opaque("t.enum", ""),
                ]
            ),
        ),
        lambda inner: (
            st.lists(inner, max_size=2).map(ArrayAttr) | st.dictionaries(keys, inner, max_size=2).map(DictionaryAttr)
        ),
        max_leaves=4,
    )
)
"""Attributes that operations have."""

dictionaries: st.SearchStrategy[dict[str, Attribute]] = st.dictionaries(
    st.sampled_from(["threads", "note", "t.kernel", "a b"]), foreign_attributes, max_size=2
)
"""Attributes by name that mean nothing to anybody here."""


@st.composite
def buffers(draw: st.DrawFn, name: str, *, plain: bool = False) -> BufferOp:
    """A buffer named `name`; a plain one has no attributes of others."""
    rotating = draw(st.booleans())
    return BufferOp(
        name,
        draw(memrefs()),
        rotating=rotating,
        slots=draw(st.none() | st.integers(-2, 2)) if rotating else None,
        dynamic=draw(st.booleans()),
        alignment=draw(st.none() | st.sampled_from([1, 2, 16, 64, 1024])),
        attributes={} if plain else draw(dictionaries),
    )


targets = st.builds(
    Target,
    st.sampled_from(["Apple M4 Pro", "apple-m4", "Apple M3 Max", "NVIDIA H200", ""]) | texts,
    st.none() | st.integers(1, 2**16),
)

pairs = st.tuples(st.integers(1, 64), st.integers(1, 64))
ratios = st.floats(0, 8)
verdicts = st.one_of(
    st.builds(Faster, ratios), st.builds(Slower, ratios), st.just(TooCloseToCall()), st.builds(Unknown, texts)
)
byte_counts = st.builds(Bytes, st.integers(0, 2**64 - 1), st.sampled_from(Bound))
footprints = st.builds(Footprint, byte_counts, byte_counts, st.none() | st.integers(0, 2**64 - 1))
records = st.builds(Stripped, st.integers(1, 2**63 - 1), ratio=ratios, extrapolated=st.booleans()) | st.builds(
    Stripped, st.integers(1, 9), over_limit=st.integers(0, 2**64 - 1)
)


@st.composite
def bodies(draw: st.DrawFn) -> list[Operation]:
    """The buffers and phases of a kernel, with names of their own."""
    fresh = iter(f"b{number}" for number in range(100))
    body: list[Operation] = [draw(buffers(next(fresh))) for _ in range(draw(st.integers(0, 3)))]
    for _ in range(draw(st.integers(0, 2))):
        inner = [draw(buffers(next(fresh))) for _ in range(draw(st.integers(0, 2)))]
        body.insert(draw(st.integers(0, len(body))), PhaseOp(inner, draw(dictionaries)))
    return body


@st.composite
def kernels(draw: st.DrawFn, name: str) -> KernelOp:
    """A kernel named `name`, with or without what passes write; some of the plain kind that has fast paths."""
    properties: dict[str, Attribute] = {}
    if draw(st.booleans()):
        properties["target"] = TargetAttr(draw(targets))
    if draw(st.booleans()):
        properties["stripped"] = StrippedAttr(draw(records))
    if draw(st.booleans()):
        properties["footprint"] = FootprintAttr(draw(footprints))
    if draw(st.booleans()):
        properties["verdict"] = VerdictAttr(draw(verdicts))
    stages = draw(st.integers(1, 6))
    if draw(st.booleans()):
        plain = [draw(buffers(f"b{number}", plain=True)) for number in range(draw(st.integers(0, 3)))]
        return KernelOp(name, plain, stages=stages, properties=properties)
    attributes = draw(dictionaries)
    if draw(st.booleans()):
        attributes[draw(names)] = UnitAttr()
    if draw(st.booleans()):
        attributes[SGEMM] = SgemmAttr(draw(st.builds(Sgemm, pairs, pairs)))
    return KernelOp(name, draw(bodies()), stages=stages, properties=properties, attributes=attributes)


@st.composite
def search_spaces(draw: st.DrawFn, name: str) -> CandidatesOp:
    """A search space: rotations of up to two schedules, mixed."""
    candidates: list[Operation] = []
    for tile in range(draw(st.integers(0, 2))):
        kernel = draw(kernels(f"t{tile}"))
        for number in range(draw(st.integers(1, 4))):
            copy = kernel.clone()
            copy.sym_name = StringAttr(f"t{tile}_{number}")
            copy.stages = IntegerAttr(draw(st.integers(1, 6)), i64)
            candidates.insert(draw(st.integers(0, len(candidates))), copy)
    return CandidatesOp(name, candidates, draw(dictionaries))


@st.composite
def surroundings(draw: st.DrawFn, inner: Sequence[Operation]) -> Operation:
    """An operation of another dialect with `inner` in it, and values and blocks of its own."""
    types = draw(st.lists(foreign_types, min_size=1, max_size=3))
    made = _foreign("t.make", result_types=types, attributes=draw(dictionaries), properties=draw(dictionaries))
    first = Block([made, *inner], arg_types=draw(st.lists(foreign_types, max_size=2)))
    values: list[SSAValue] = [*made.results, *first.args]
    used = draw(st.lists(st.sampled_from(values), max_size=3))
    blocks = [first]
    if draw(st.booleans()):
        last = Block(arg_types=[value.type for value in used])
        last.add_op(_foreign("t.return", operands=last.args))
        blocks.append(last)
        first.add_op(_foreign("t.branch", operands=used, successors=[last]))
    else:
        first.add_op(_foreign("t.return", operands=used, attributes=draw(dictionaries)))
    return _foreign("t.function", regions=[Region(blocks)], properties=draw(dictionaries))


@st.composite
def modules(draw: st.DrawFn) -> ModuleOp:
    """A module of kernels and search spaces, with a target or without, some in operations of other dialects."""
    symbols = draw(st.lists(names, unique=True, max_size=4))
    ops: list[Operation] = [draw(kernels(symbol) | search_spaces(symbol)) for symbol in symbols]
    if draw(st.booleans()):
        first = draw(st.integers(0, len(ops)))
        ops[first:] = [draw(surroundings(ops[first:]))]
    attributes: dict[str, Attribute] = {"t.note": draw(foreign_attributes)} if draw(st.booleans()) else {}
    if draw(st.booleans()):
        attributes["sched.target"] = TargetAttr(draw(targets))
    return ModuleOp(ops, attributes)
