"""Data layouts: another alignment of a type in use leaves no footprint, all else changes nothing."""

import pytest

from rlx_sched.assessment import Assessor
from rlx_sched.dialect.layout import NoFootprint
from rlx_sched.ir.reader import read_module
from rlx_sched.report.explain import explain_schedule
from rlx_sched.sources import find_schedules
from rlx_sched.sources.schedule import Schedule
from rlx_sched.tools.registry import new_context

SCHED = """sched.kernel @k {{
  sched.buffer @a : memref<1xi8>
  sched.buffer @b rotating : memref<2x{}>
}}"""
UPSTREAM = """"func.func"() <{{sym_name = "k", function_type = () -> ()}}> ({{
  %a = "memref.alloc"() <{{operandSegmentSizes = array<i32: 0, 0>}}> : () -> memref<1xi8, 3>
  %b = "memref.alloc"() <{{operandSegmentSizes = array<i32: 0, 0>}}> : () -> memref<2x{}, 3>
  "func.return"() : () -> () }}) : () -> ()"""


def module(body: str, *entries: str, older: bool = False) -> str:
    if older:
        entries = tuple(f"#dlti.dl_entry<{entry.replace(' = ', ', ', 1)}>" for entry in entries)
    spec = f"{{dlti.dl_spec = #dlti.dl_spec<{', '.join(entries)}>}}" if entries else ""
    return f'"builtin.module"() ({{\n{body}\n}}) {spec} : () -> ()'


def kernel(text: str) -> Schedule:
    parsed, _ = read_module(new_context(), text, "k.mlir")
    (found,) = find_schedules(parsed)
    return found


@pytest.mark.parametrize("older", [False, True])
@pytest.mark.parametrize("source", [SCHED, UPSTREAM])
@pytest.mark.parametrize(
    ("type", "entry", "named"),
    [
        ("f64", "f64 = dense<32> : vector<2xi64>", "f64"),
        ("f64", "f64 = dense<128> : vector<1xi64>", "f64"),
        ("f64", "f64 = dense<[32, 64]> : vector<2xi64>", "f64"),
        ("i8", "i8 = dense<32> : vector<2xi64>", "i8"),
        ("i64", "i64 = dense<32> : vector<2xi64>", "i64"),
        ("i24", "i32 = dense<64> : vector<2xi64>", "i24"),
        ("i20", "i24 = dense<64> : vector<2xi64>", "i20"),
        ("index", "i64 = dense<32> : vector<2xi64>", "index"),
        ("complex<f32>", "f32 = dense<64> : vector<2xi64>", "f32"),
        ("complex<f32>", "complex<f32> = dense<64> : vector<2xi64>", "complex<f32>"),
        ("vector<4xf32>", "vector<4xf32> = dense<32> : vector<2xi64>", "vector<4xf32>"),
    ],
)
def test_another_alignment_of_a_type_in_use(source: str, older: bool, type: str, entry: str, named: str) -> None:
    message = f"^the data layout of this IR gives {named} another alignment$"
    found = kernel(module(source.format(type), entry, older=older))
    with pytest.raises(NoFootprint, match=message):
        found.footprint(1)
    nested = kernel(module(module(source.format(type)), entry, older=older))
    with pytest.raises(NoFootprint, match=message):
        nested.footprint(1)


@pytest.mark.parametrize("source", [SCHED, UPSTREAM])
@pytest.mark.parametrize(
    ("type", "entry"),
    [
        ("f64", 'f64 = "wide"'),
        ("f64", "f64 = 64 : i64"),
        ("f64", "f64 = dense<64> : vector<5xi64>"),
        ("f64", "f64 = dense<64> : vector<100000000000xi64>"),
        ("f64", "f64 = dense<64> : tensor<99999x99999xi64>"),
        ("f64", "f64 = dense<[]> : vector<0xi64>"),
        ("f64", "f64 = dense<64.0> : vector<2xf64>"),
        ("f64", "f64 : 32"),
        ("bf16", "bf16 : 32"),
        ("i24", "i32 : 32"),
        ("ui24", "si32 : 32"),
        ("f8E4M3FN", "f8E4M3FN : 32"),
        ("complex<f32>", "f32 : 32"),
    ],
)
def test_an_alignment_that_cannot_be_read(source: str, type: str, entry: str) -> None:
    named = "f32" if type == "complex<f32>" else type
    with pytest.raises(NoFootprint, match=f"^the alignment of {named} is not known: the data layout of this IR cannot"):
        kernel(module(source.format(type), entry)).footprint(1)
    if ":" in entry and "=" not in entry:
        assert kernel(module(source.format("f16"), entry)).footprint(1) == kernel(
            module(source.format("f16"))
        ).footprint(1)


@pytest.mark.parametrize("older", [False, True])
@pytest.mark.parametrize("source", [SCHED, UPSTREAM])
@pytest.mark.parametrize(
    ("type", "entries"),
    [
        ("f64", ["f64 = dense<64> : vector<2xi64>"]),
        ("f64", ["f64 = dense<[64, 128]> : vector<2xi32>"]),
        ("f64", ["f32 = dense<64> : vector<2xi64>", "i64 = dense<32> : vector<2xi64>"]),
        ("f64", ['"f64" = dense<32> : vector<2xi64>', '"dlti.endianness" = "little"']),
        ("f64", ["!llvm.ptr<3> = dense<32> : vector<4xi64>", "f80 = dense<128> : vector<2xi64>"]),
        ("i8", ["i32 = dense<64> : vector<2xi64>", "i8 = dense<[8, 32]> : vector<2xi64>"]),
        ("i16", ["i24 = dense<64> : vector<2xi64>"]),
        ("i64", ["i32 = dense<64> : vector<2xi64>", "i128 = dense<64> : vector<2xi64>"]),
        ("i24", ["i32 = dense<32> : vector<2xi64>", "i64 = dense<32> : vector<2xi64>"]),
        ("index", ["i64 = dense<64> : vector<2xi64>", "i32 = dense<64> : vector<2xi64>"]),
        ("vector<4xf32>", ["f32 = dense<64> : vector<2xi64>"]),
    ],
)
def test_what_changes_nothing(source: str, older: bool, type: str, entries: list[str]) -> None:
    body = source.format(type)
    plain = kernel(module(body)).footprint(1)
    assert kernel(module(body, *entries, older=older)).footprint(1) == plain


@pytest.mark.parametrize("source", [SCHED, UPSTREAM])
def test_what_is_nearer_goes_first(source: str) -> None:
    usual, other = (f"f64 = dense<{bits}> : vector<2xi64>" for bits in (64, 32))
    body = source.format("f64")
    assert kernel(module(module(body, usual), other)).footprint(1) == kernel(module(body)).footprint(1)
    with pytest.raises(NoFootprint, match="gives f64 another alignment"):
        kernel(module(module(body, other), usual)).footprint(1)
    with pytest.raises(NoFootprint, match="gives f64 another alignment"):
        kernel(module(module(body, "index = 32 : i64"), other)).footprint(1)


@pytest.mark.parametrize("source", [SCHED, UPSTREAM])
def test_an_integer_goes_by_the_narrowest_that_holds_it_wherever_that_is_named(source: str) -> None:
    body, usual, other = source.format("i20"), "{} = dense<32> : vector<2xi64>", "{} = dense<64> : vector<2xi64>"
    plain = kernel(module(body)).footprint(1)
    for right in ((usual.format("i24"), other.format("i32")), (other.format("i32"), usual.format("i24"))):
        assert kernel(module(module(body, right[0]), right[1])).footprint(1) == plain
    for wrong in ((other.format("i24"), usual.format("i32")), (usual.format("i32"), other.format("i24"))):
        with pytest.raises(NoFootprint, match="gives i20 another alignment"):
            kernel(module(module(body, wrong[0]), wrong[1])).footprint(1)


def test_a_narrower_element_of_another_alignment_is_not_proposed() -> None:
    """What f16 in place of f32 would take is told only where it is known."""
    body = SCHED.format("f32")
    assert "with f16 for f32" in explain_schedule(kernel(module(body)), Assessor("Apple M4 Pro"))
    other = kernel(module(body, "f16 = dense<64> : vector<2xi64>"))
    assert "f16" not in explain_schedule(other, Assessor("Apple M4 Pro"))
