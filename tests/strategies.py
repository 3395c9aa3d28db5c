"""Hypothesis strategies for valid modules of the `sched` dialect, covering all of it."""

import os
from functools import cache

from hypothesis import Phase, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import (
    Builtin,
    ComplexType,
    Float8E4M3FNType,
    Float80Type,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StridedLayoutAttr,
    StringAttr,
    UnitAttr,
    VectorType,
    f16,
    f32,
    i64,
)
from xdsl.ir import Attribute, Operation

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
from rlx_sched.occupancy import Faster, Slower, TooCloseToCall, Unknown

# No explain phase: it runs each failing example again and again under a tracer, for minutes.
every = settings(
    max_examples=int(os.environ.get("RLX_TEST_EXAMPLES", "40")), deadline=None, phases=set(Phase) - {Phase.explain}
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


def _workgroup() -> Attribute:
    attribute = make_context().get_attr("gpu.address_space")
    return attribute("gpu.address_space", False, False, "workgroup")  # pyright: ignore[reportCallIssue]


texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
names = st.from_regex(r"[a-z_][a-z0-9_$.]{0,8}", fullmatch=True) | texts.filter(bool)

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
    if shape and draw(st.booleans()):
        strides: list[int] = []
        span = 1
        for size in reversed(shape):
            strides.insert(0, span + draw(st.integers(0, 3)))
            span = strides[0] * size
        layout = StridedLayoutAttr(strides)
    space = draw(st.sampled_from([NoneAttr(), IntegerAttr(3, i64), _workgroup()]))
    return MemRefType(draw(elements), shape, layout, space)


@st.composite
def buffers(draw: st.DrawFn, name: str) -> BufferOp:
    """A buffer named `name`."""
    rotating = draw(st.booleans())
    return BufferOp(
        name,
        draw(memrefs()),
        rotating=rotating,
        slots=draw(st.none() | st.integers(-2, 2)) if rotating else None,
        dynamic=draw(st.booleans()),
        alignment=draw(st.none() | st.sampled_from([1, 2, 16, 64, 1024])),
        attributes={"note": StringAttr("kept")} if draw(st.booleans()) else None,
    )


targets = st.builds(
    Target,
    st.sampled_from(["Apple M4 Pro", "apple-m4", "Apple M3 Max", "NVIDIA H200", ""]) | texts,
    st.none() | st.integers(1, 2**16),
)

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
        body.insert(draw(st.integers(0, len(body))), PhaseOp(inner))
    return body


@st.composite
def kernels(draw: st.DrawFn, name: str) -> KernelOp:
    """A kernel named `name`, with or without what passes write."""
    properties: dict[str, Attribute] = {}
    if draw(st.booleans()):
        properties["target"] = TargetAttr(draw(targets))
    if draw(st.integers(0, 3)) == 0:
        properties["stripped"] = StrippedAttr(draw(records))
    if draw(st.integers(0, 3)) == 0:
        properties["footprint"] = FootprintAttr(draw(footprints))
        properties["verdict"] = VerdictAttr(draw(verdicts))
    attributes: dict[str, Attribute] = {"threads": IntegerAttr(64, i64)} if draw(st.booleans()) else {}
    if draw(st.booleans()):
        attributes[draw(names)] = UnitAttr()
    return KernelOp(name, draw(bodies()), stages=draw(st.integers(1, 6)), properties=properties, attributes=attributes)


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
    return CandidatesOp(name, candidates)


@st.composite
def modules(draw: st.DrawFn) -> ModuleOp:
    """A module of kernels and search spaces, with a target or without."""
    symbols = draw(st.lists(names, unique=True, max_size=4))
    ops = [draw(kernels(symbol) | search_spaces(symbol)) for symbol in symbols]
    attributes: dict[str, Attribute] = {}
    if draw(st.booleans()):
        attributes["sched.target"] = TargetAttr(draw(targets))
    return ModuleOp(ops, attributes)
