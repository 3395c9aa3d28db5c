"""Every value survives: mlir-opt reads what is printed as it reads what was written."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from round_trip import as_mlir_reads, lines_mlir_accepts, printed_again
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, MemRefType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import ParseError

from rlx_sched.ir.access import elements, integer
from rlx_sched.ir.reader import read_module
from rlx_sched.ir.values import string_bytes, tokens
from rlx_sched.ir.verbatim import VerbatimAttr
from rlx_sched.tools.registry import new_context

FLOAT_BITS = {
    "f16": 16, "bf16": 16, "f32": 32, "f64": 64, "f80": 80, "f128": 128, "tf32": 19,
    "f8E5M2": 8, "f8E4M3": 8, "f8E4M3FN": 8, "f8E5M2FNUZ": 8, "f8E4M3FNUZ": 8, "f8E4M3B11FNUZ": 8, "f8E3M4": 8,
    "f6E2M3FN": 6, "f6E3M2FN": 6, "f4E2M1FN": 4,
}  # fmt: skip
DECIMALS = [
    "0.0", "-0.0", "1.", "-1.5", "0.1", "1.0e-05", "6.0e-8", "1.0e-45", "4.9e-324", "65504.0", "3.4028235e+38",
    "1.0e+308", "16777217.0", "0.10000000149011612", "3.1415926535897931", "12345678.0", "1.0E5",
]  # fmt: skip
INTEGER_BITS = [1, 2, 5, 8, 16, 24, 32, 64, 65, 128]
OTHER_ATTRIBUTES = [
    "unit", "[]", "{}", '{a, "b c" = [2, "x"]}', "true", "1 : i1", "0x10 : index", "@a", "@a::@b", '@"a b"', '@"é\\22"',
    'dense<"0x0000C07F"> : tensor<1xf32>', 'dense<"0xFF"> : tensor<4xi1>', 'dense<"a"> : tensor<2x!foo.str>',
    "dense<[[1, 2], [3, 4]]> : vector<2x2xindex>", "dense<[]> : tensor<0xf32>", "dense<[true, false]> : tensor<2xi1>",
    "sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>", "dense_resource<foo> : tensor<4xf32>", "array<i32>",
    '"a" : i32', "#foo.bar", "#foo.bar<1>", '#foo<bar 1 [2] "x>" >', "#foo.bar<a -> b>", "#foo.bar : i32", "#foo<bar>",
    "#gpu<dim x>", "#gpu.address_space<workgroup>", "#foo.bar<{a = affine_map<(d0) -> (d0)>, b = !x.y<i32>}>",
    "distinct[0]<1 : i32>", "distinct[5]<#foo.bar>", "distinct[7]<>", "strided<[?, 1], offset: ?>",
    'loc("a":1:2)', 'loc("n"("a":1:2))', 'loc(fused<"m">["a":1:2, unknown])', 'loc(callsite("a" at "b":1:2))',
    'loc("a":1:2 to 3:4)', "affine_map<(d0)[s0] -> (d0 * s0)>", "affine_map<(d0, d1) -> (-(d1 - d0))>",
    "affine_map<(d0, d1)[s0] -> (d0 * 32 + s0 + d1 floordiv 4)>", "affine_map<(a, b) -> (b, a)>",
    "affine_map<(d0) -> (-7 mod 3, d0 ceildiv 4)>", "affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 == 0)>",
]  # fmt: skip
TYPES = [
    "i16777215", "si8", "ui16", "index", "none", "f8E8M0FNU", "tf32", "complex<f32>", "tuple<i32, tuple<f32>>",
    "vector<2x[4]xf32>", "vector<[4]xi1>", "vector<f32>", "tensor<*xf32>", 'tensor<4xf32, "e">', "tensor<2x!foo.bar>",
    "tensor<?x4xf32, #foo.enc<a>>", "memref<f32>", "memref<*xf32, 3>", "memref<4xf32, 3>", "memref<4xf32, 3 : i32>",
    'memref<4xf32, "shared">', "memref<4xf32, #gpu.address_space<workgroup>>", "memref<4x4xf32, strided<[?, 1]>, 3>",
    "memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>", "memref<4x4xf32, affine_map<(d0, d1) -> (d0 * 4 + d1)>, 2>",
    "!foo.bar", "!foo<bar<x>>", '!foo.bar<"a>b", 1>', "!llvm.ptr<3>",
    "!llvm.struct<(i32, ptr)>", "() -> ()", "(i32) -> (i32, f32)", "() -> (() -> ())", "(!foo.bar<() -> ()>) -> ()",
]  # fmt: skip
STRINGS = ["", "\\n\\t\\\\\\22", "\\00\\FF", "\\C3\\A9", "é", "日本", "a//b", "{<[(", "#x", "\\0a", "\u202e", "\x7f"]


def floats() -> list[str]:
    values: list[str] = []
    for name, bits in FLOAT_BITS.items():
        top = 1 << (bits - 1)
        # All bits set and all but one or two, the sign alone, the smallest subnormal: infinities and NaNs among them.
        patterns = {0, 1, top, top - 1, 2 * top - 1, top | 1, (2 * top - 1) ^ (top >> 1), top - (1 << (bits // 4))}
        literals = [*DECIMALS, *(f"0x{pattern:0{(bits + 3) // 4}{case}}" for pattern, case in product(patterns, "xX"))]
        for literal in literals:
            values += f"{literal} : {name}", f"dense<{literal}> : tensor<2x{name}>", f"array<{name}: {literal}, 1.0>"
            values += (
                f"dense<[{literal}, 1.0]> : vector<2x{name}>",
                f"dense<({literal},1.0)> : tensor<1xcomplex<{name}>>",
            )
    return values


def integers() -> list[str]:
    values: list[str] = []
    for bits, sign in product(INTEGER_BITS, ("i", "si", "ui")):
        for value in (0, -1, 2 ** (bits - 1) - 1, 2 ** (bits - 1), -(2 ** (bits - 1)), 2**bits - 1):
            for literal in (str(value), *([hex(value)] if value >= 0 else [])):
                values += f"{literal} : {sign}{bits}", f"dense<[{literal}]> : vector<1x{sign}{bits}>"
                values += f"array<{sign}{bits}: {literal}>", f"dense<{literal}> : tensor<2x{sign}{bits}>"
    return values


ALL = [*OTHER_ATTRIBUTES, *TYPES, *(f'"{string}"' for string in STRINGS)]


@pytest.mark.parametrize("values", [floats(), integers(), ALL], ids=["floats", "integers", "others"])
@pytest.mark.parametrize(
    "form",
    [
        '"builtin.module"() ({{ "t.op"() {{a = {}}} : () -> () }}) : () -> ()',
        '"builtin.module"() ({{ "t.op"() <{{a = [{}]}}> : () -> () }}) : () -> ()',
        "module attributes {{t.a = {}}} {{}}",
    ],
    ids=["attribute", "property", "custom"],
)
def test_values_survive(form: str, values: list[str]) -> None:
    accepted = lines_mlir_accepts([form.format(value) for value in dict.fromkeys(values)])
    assert len(accepted) > len(values) / 2
    written = "\n".join(accepted)
    printed = "\n".join(map(printed_again, accepted))
    assert as_mlir_reads(printed) == as_mlir_reads(written)


def test_types_of_values_survive() -> None:
    lines = [f'"t.use"(%{number}) : ({type}) -> ()' for number, type in enumerate(TYPES)]
    lines += [f'%{number} = "t.def"() : () -> ({type})' for number, type in enumerate(TYPES)]
    text = f'"t.graph"() ({{\n{chr(10).join(reversed(lines))}\n}}) : () -> ()'
    assert as_mlir_reads(printed_again(text)) == as_mlir_reads(text)


def test_what_mlir_refuses_is_not_made_acceptable() -> None:
    lines = [f'"t.op"() {{a = {value}}} : () -> ()' for value in [*floats(), *integers()]]
    refused = sorted({*lines} - {*lines_mlir_accepts(lines)})
    assert refused
    assert lines_mlir_accepts([printed_again(line).split("\n")[1].strip() for line in refused]) == []


def value_of(text: str) -> Attribute:
    module, _ = read_module(new_context(), f'"t.op"() {{a = {text}}} : () -> ()', "test.mlir")
    op = module.body.block.first_op
    assert op is not None
    return op.attributes["a"]


def test_xdsl_objects_are_used_where_they_print_the_same() -> None:
    assert isinstance(value_of("memref<4xf32, 3>"), MemRefType)
    assert isinstance(value_of("dense<1.0> : vector<4xf32>"), DenseIntOrFPElementsAttr)


def test_only_the_part_that_xdsl_cannot_hold_is_text() -> None:
    parts = elements(value_of("[1 : i32, dense<0xFF800000> : vector<2xf32>]"))
    assert parts is not None
    assert integer(parts[0]) == 1
    assert parts[1] == VerbatimAttr("dense<0xFF800000> : vector<2xf32>")


@pytest.mark.parametrize(
    "value", ["dense<0xFF800000> : vector<2xf32>", "1.0e-40 : f16", "dense<0xFC00> : vector<1xf16>"]
)
def test_custom_form_refuses_what_xdsl_would_change(value: str) -> None:
    with pytest.raises(ParseError, match="xDSL would turn") as caught:
        printed_again(f"%x = arith.constant {value}")
    assert value in caught.value.msg
    assert "--mlir-print-op-generic" in caught.value.msg


def test_custom_form_keeps_what_an_attribute_dictionary_holds() -> None:
    text = "func.func private @f() attributes {t.a = dense<0xFF800000> : vector<2xf32>}"
    assert as_mlir_reads(printed_again(text)) == as_mlir_reads(text)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("3", "3 : i64", True),
        ("3", "3 : i32", False),
        ("1.5 : f64", "1.50e+00", True),
        ("1.0e-05", "1e-05", False),
        ("-0.0", "0.0", False),
        ("0xFF : i8", "0xff : i8", True),
        ('"\\0A"', '"\\n"', True),
        ('"\\C3\\A9"', '"é"', True),
        ("a b", "ab", False),
        ("#a<b>", "# a<b>", False),
    ],
)
def test_tokens_tell_apart_what_mlir_tells_apart(one: str, other: str, same: bool) -> None:
    assert (tokens(one) == tokens(other)) == same


@settings(deadline=None)
@given(st.binary())
def test_strings_of_any_bytes_survive(data: bytes) -> None:
    literal = "".join(f"\\{byte:02X}" for byte in data)
    printed = printed_again(f'"t.op"() {{a = "{literal}"}} : () -> ()')
    assert string_bytes(printed[printed.index("= ") + 2 : printed.rindex("}", 0, printed.rindex(" :"))]) == data


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("#sched.verdict<slower 0.84942856243149017>", "#sched.verdict<slower 0.8494285624314901>"),
        ("#sched.verdict<faster 2>", "#sched.verdict<faster 2.0>"),
        ('#sched.target<"x", max_threadgroup_bytes = 0x8000>', '#sched.target<"x", max_threadgroup_bytes = 32768>'),
        ("#sched.slots<stages + 0>", "#sched.slots<stages>"),
    ],
)
def test_our_own_attributes_may_be_spelled_in_any_way(written: str, meant: str):
    assert str(value_of(written)) == meant
