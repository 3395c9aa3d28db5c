"""Reading generic form: structure, names, and an error with a place for everything else."""

from contextlib import suppress
from textwrap import dedent
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from round_trip import CORPUS, as_mlir_reads, printed_again
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.utils.exceptions import ParseError
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken

from rlx_sched.ir.reader import Reader, decode, read_module
from rlx_sched.tools.registry import new_context

STRUCTURES = {
    "results": """
        %0:2 = "t.a"() : () -> (i32, i64)
        %x, %y_1 = "t.a"() : () -> (i64, i32)
        "t.b"(%0#1, %x, %0#0, %y_1) : (i64, i64, i32, i32) -> ()
    """,
    "names_that_xdsl_would_make_equal": """
        %a_1 = "t.a"() : () -> i32
        %a = "t.a"() : () -> i64
        %a_2 = "t.a"() : () -> f32
        "t.b"(%a, %a_1, %a_2) : (i64, i32, f32) -> ()
    """,
    "odd_names": """
        %$.-x = "t.a"() : () -> i32
        %007 = "t.a"() : () -> i64
        "quoted name/with.odd chars\\22"(%007, %$.-x) : (i64, i32) -> ()
    """,
    "blocks": """
        "t.r"() ({
        ^0(%a: i32, %b: i64):
          "t.br"(%b) [^loop, ^bb7] : (i64) -> ()
        ^loop:
          "t.br"()[^bb7] : () -> ()
        ^bb7:
          "t.end"(%a) : (i32) -> ()
        }, {
        }, {
          "t.end"() : () -> ()
        }) {z} : () -> ()
    """,
    "values_before_their_definition": """
        "t.graph"() ({
          "t.use"(%x#1, %y) : (i32, i64) -> ()
          "t.r"() ({
            "t.use"(%y) : (i64) -> ()
          }) : () -> ()
          %x:2 = "t.def"() : () -> (f32, i32)
          %y = "t.def"() : () -> i64
        }) : () -> ()
    """,
    "aliases": """
        #outer = [#inner, #inner]
        !t = !foo.bar<i32>
        #inner = 3 : i5
        "t.a"() {a = #outer, c = tensor<4x!t, #inner>} : () -> () loc(#where)
        "t.b"() : () -> !t
        #where = loc("a":1:2)
    """,
    "properties_and_attributes": """
        "t.a"() <{a = 1 : i32, "b c"}> {a = 2 : i32, d.e} : () -> ()
    """,
    "empty_properties": """
        "t.a"() <{}> : () -> ()
        "t.a"() <{}> : () -> ()
        "t.a"() : () -> ()
        "t.a"() <{ }> ({
        }) {a} : () -> ()
    """,
    "modules": """
        "builtin.module"() <{sym_name = "m", sym_visibility = "private"}> ({
          builtin.module @n attributes {a.b = 1 : i32} {
            "t.a"() : () -> ()
          }
        }) {c.d} : () -> ()
    """,
    "functions_as_types": """
        %f, %g = "t.f"() : () -> ((i32) -> i32, () -> ())
        %h = "t.f"() : () -> (() -> ())
        "t.g"(%f, %h) : ((i32) -> i32, () -> ()) -> ()
    """,
    "resources": """
        "t.a"() {r = dense_resource<blob> : tensor<4xf32>} : () -> ()
        {-#
          dialect_resources: {
            builtin: {
              blob: "0x040000000102030405060708090A0B0C0D0E0F10"
            }
          }
        #-}
    """,
    "several_sections_of_resources": """
        {-# dialect_resources: { builtin: { a: "0x0400000001000000" } } #-}
        "t.a"() {r = dense_resource<a> : tensor<1xi32>, s = dense_resource<b> : tensor<1xi32>} : () -> ()
        {-# dialect_resources: { builtin: { b: "0x0400000002000000" } } #-}
    """,
    "the_end_of_resources_in_a_string_or_comment": """
        "t.a"() {"{-#" = 1 : i64} : () -> ()
        {-# external_resources: { e: { s: "a\\"#-}b" } } // #-}
        #-}
    """,
    "comments_and_line_ends": """
        "t.a"() // one
          {a = 1 : i32, // two
           b = 2 : i32} :
          () -> ()
        %0 = "t.b"() : () -> i32 // three
        "t.c"(%0)
          : (i32) -> ()
    """,
}


@pytest.mark.parametrize("text", [pytest.param(dedent(text), id=name) for name, text in STRUCTURES.items()])
def test_structure_survives(text: str) -> None:
    inner = text if "#inner = " not in text else in_order(text)
    assert as_mlir_reads(printed_again(text)) == as_mlir_reads(inner)


def in_order(text: str) -> str:
    """`text` with the definition of `#inner` moved before its uses, where mlir-opt wants it."""
    return "#inner = 3 : i5\n" + text.replace("#inner = 3 : i5\n", "")


def test_aliases_in_opaque_text_are_expanded() -> None:
    printed = printed_again('#inner = 3 : i5\n"t.a"() {b = #foo.x<#inner, "#inner">, c = #foo<bar #inner>} : () -> ()')
    assert '{b = #foo.x<3 : i5, "#inner">, c = #foo<bar 3 : i5>}' in printed


NO_DEFINITIONS = [
    '"t.a"() {a = #t.x<\n#q = 4>} : () -> ()',
    '"t.a"() {a = #t.x<\n#q = 3\n#q = 4>} : () -> ()',
    '"t.a"() : () -> !t.x<\n#q = 4>\n"t.b"() {a = #t.y<[#q]>} : () -> ()',
    '"t.a"() <{a = #t.x<{\n!q = 4}>}> : () -> ()',
    '"t.a"() {a = "}>", b = #t.url<http://b>, c = #t.x<//\n#q = 4>} : () -> ()',
    '"t.a"() {c = #t.x<\n#q = #\n#p = 2\n>} : () -> ()',
]


@pytest.mark.parametrize("text", NO_DEFINITIONS)
def test_aliases_are_defined_outside_of_brackets(text: str) -> None:
    """Also where other definitions are before and after, and resources and comments that look like brackets."""
    assert text in printed_again(text, generic=True).replace("\n  ", "\n")
    assert as_mlir_reads(printed_again(text)) == as_mlir_reads(text)
    around = """
        #a = 3 : i32
        #r = [#a]
        "t.c"() {a = #r} : () -> () // {
        #b = 5 : i32
        {-# external_resources: { e: { s: "a)" } } // ) #-}
        #-}
        TEXT
        #c = 6 : i32
        "t.d"() {a = #b, b = #c, c = affine_set<(d0) : (d0 >= 0)>} : () -> () loc(#l)
        #l = loc("d")
    """
    printed = printed_again(dedent(around).replace("TEXT", text))
    assert text in printed.replace("\n  ", "\n")
    assert "{a = [3 : i32]}" in printed
    assert "{a = 5 : i32, b = 6 : i32, c =" in printed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#t.y<a#q, a!q, a.#q, x=#q, %0#1, 4y!q>", "#t.y<a#q, a!q, a.#q, x=[5 : i8], %0#1, 4y!q>"),
        ("#t.y<#q.a, #q #q>", "#t.y<#q.a, [5 : i8] [5 : i8]>"),
        ("tensor<4x?x!t, #q>", "tensor<4x?xi32, [5 : i8]>"),
        ("#t.y<vector<[4]x!t>, memref<*x!t>, 4x#q>", "#t.y<vector<[4]xi32>, memref<*xi32>, 4x#q>"),
    ],
)
def test_there_is_no_alias_right_after_a_word(text: str, expected: str) -> None:
    aliases = "#q = [5 : i8]\n#1 = 2\n!q = i8\n!t = i32\n"
    assert f"{{a = {expected}}}" in printed_again(f'{aliases}"t.a"() {{a = {text}}} : () -> ()')


def test_many_definitions_among_operations_take_time_in_proportion() -> None:
    for end in ("", "%"):
        text = "".join(f'#a{i} = {i}\n"t.a"() {{a = #a{i}}} : () -> ()\n' for i in range(8000)) + end
        start = process_time()
        read_or_refuse(text)
        # A second or two.
        assert process_time() - start < 9


@pytest.mark.parametrize("name", ["t.é", "日本.op", 't."\n', "t.\x7f"])
def test_operations_of_any_name_are_read_again(name: str) -> None:
    literal = "".join(f"\\{byte:02X}" for byte in name.encode())
    text = f'"{literal}"() ({{\n  "{literal}"() ({{\n  }}) : () -> ()\n}}) : () -> ()'
    printed = printed_again(f"func.func @f() {{\n{text}\nfunc.return\n}}")
    assert printed.count("() ({") == 2
    assert printed_again(printed) == printed


def test_what_only_its_dialect_can_take_for_an_alias_stays() -> None:
    text = '"a"() {x = #hal.target<"cpu", [#one, #two]>, y = !b<!c.d<!e>>} : () -> ()'
    assert text.replace("#two", "2 : i8") in printed_again(f"#two = 2 : i8\n{text}")


def test_a_name_given_again_in_an_isolated_operation_is_another_value() -> None:
    module, _ = read_module(
        new_context(),
        dedent("""
        %0 = "t.outer"() : () -> i32
        "t.isolated"() ({
          "t.br"()[^bb2] : () -> ()
        ^bb1:
          "t.use"(%0) : (i32) -> ()
        ^bb2:
          %0 = "t.inner"() : () -> i32
          "t.br"()[^bb1] : () -> ()
        }) : () -> ()
        "t.use"(%0) : (i32) -> ()
        """),
        "test.mlir",
    )
    makers = [
        op.operands[0].owner.op_name.data
        for op in module.walk()
        if isinstance(op, UnregisteredOp) and op.operands and isinstance(op.operands[0].owner, UnregisteredOp)
    ]
    assert makers == ["t.inner", "t.outer"]


def test_uses_are_of_the_innermost_definition_around_them() -> None:
    module, _ = read_module(
        new_context(),
        dedent("""
        %a = "t.v"() : () -> i32
        "t.isolated"() ({
          "t.from_m"(%a) : (i32) -> ()
          "t.isolated"() ({
            "t.from_n"(%a) : (i32) -> ()
            %a = "t.n"() : () -> i32
          }) : () -> ()
          "t.from_m"(%b, %a) : (f32, i32) -> ()
          "t.isolated"() ({
            %a = "t.itself"(%a) : (i32) -> i32
          }) : () -> ()
          %a = "t.m"() : () -> i32
          %b = "t.b"() : () -> f32
        }) : () -> ()
        "t.from_v"(%a) : (i32) -> ()
        "t.isolated"() ({
          "t.from_v"(%a) : (i32) -> ()
        }) : () -> ()
        """),
        "test.mlir",
    )
    ops = [op for op in module.walk() if isinstance(op, UnregisteredOp) and op.operands]
    users = [op.op_name.data.removeprefix("t.from_") for op in ops]
    owners = [op.operands[-1].owner for op in ops]
    makers = [op.op_name.data.removeprefix("t.") for op in owners if isinstance(op, UnregisteredOp)]
    assert makers == ["m", "n", "m", "itself", "v", "v"]
    assert [user.removeprefix("t.") for user in users] == makers
    assert all(use.operation.operands[use.index] is value for op in ops for value in op.operands for use in value.uses)


ERRORS = [
    ('"a"( : () -> ()', 1, 6, "operand expected"),
    ('%0 = "a"() : () -> ()', 1, 1, "expected names for 0 results, found 1"),
    ('"a"(%0) : (i32) -> ()', 1, 5, "value %0 is used but not defined"),
    ('"a"(%0) : () -> ()', 1, 11, "expected 1 operand types, found 0"),
    ('"a"() : (i32) -> ()', 1, 9, "expected 0 operand types, found 1"),
    ('%0 = "a"() : () -> i32\n"b"(%0) : (i64) -> ()', 2, 5, "%0 has type i32, used as i64"),
    ('%0 = "a"() : () -> i32\n"b"(%0#3) : (i32) -> ()', 2, 5, "%0 has 1 results, found index 3"),
    ('"r"() ({\n%0 = "a"() : () -> i32\n}) : () -> ()\n"b"(%0) : (i32) -> ()', 4, 5, "value %0 is used but not"),
    ('"r"() ({\n"a"(%0) : (i32) -> ()\n}, {\n%0 = "a"() : () -> i32\n}) : () -> ()', 2, 5, "value %0 is used but not"),
    ('%0 = "a"() : () -> i32\n%0 = "a"() : () -> i32', 2, 1, "value %0 is already defined"),
    ('"a"() {x = } : () -> ()', 1, 12, "attribute expected"),
    ('"a"() {x = 3 3} : () -> ()', 1, 14, "expected ',' or '}', found '3'"),
    ('"a"() {x = [1, 2} : () -> ()', 1, 17, "expected ']', found '}'"),
    ('"a"() {x = "abc} : () -> ()', 1, 12, "expected a closing '\"' on the same line"),
    ('"a"() {x = #foo} : () -> ()', 1, 12, "undefined alias '#foo'"),
    ('"a"() {x = [#a.b<1>, #foo, #c.d<2>]} : () -> ()', 1, 22, "undefined alias '#foo'"),
    ('#a = #b\n#b = #a\n"a"() {x = #a} : () -> ()', 1, 1, "alias '#a' is defined by itself"),
    ('#a = 1\n#a = 2\n"a"() : () -> ()', 2, 1, "alias '#a' is defined twice"),
    ('"a"() {x = 1, x = 2} : () -> ()', 1, 15, "attribute 'x' is given twice"),
    ('"a"() {x = 1,} : () -> ()', 1, 14, "attribute name expected"),
    ('"a"()[^bb1] : () -> ()', 1, 7, "block ^bb1 is used but not defined"),
    ('"a"() ({\n^x:\n  "b"()[^y] : () -> ()\n}) : () -> ()', 3, 9, "block ^y is used but not defined"),
    ('"a"() ({\n^x:\n^x:\n}) : () -> ()', 3, 1, "block ^x is already defined"),
    ('"a"() ({\n  "b"() : () -> ()\n', 3, 1, "expected an operation or '}', found the end of the file"),
    ('"a"() : () -> () loc(#x)', 1, 22, "undefined alias '#x'"),
    ('"t.\\FFop"() : () -> ()', 1, 1, "the name of an operation is not valid UTF-8"),
    ('"a"() {x = [1, {y = [foo]}]} : () -> ()', 1, 22, "attribute expected"),
    (f'"a"() {{x = [1, {{y = [foo, {"1, " * 200}1]}}]}} : () -> ()', 1, 22, "attribute expected"),
    ('"a"() {op_name__ = 1} : () -> ()', 1, 1, "an attribute named 'op_name__' cannot be kept"),
    ('"builtin.module"() : () -> ()', 1, 1, "expected one region of a module, found 0"),
    ("gpu.launch blocks(%a) {\n}", 1, 12, "mlir-opt --mlir-print-op-generic"),
    ("func.func @f() {\n  foo.bar\n}", 2, 3, "unknown operation 'foo.bar'"),
    ("func.func @f() {\n  tt.make_range {end = 128 : i32}\n}", 2, 3, "--via-mlir-opt=triton-opt FILE"),
    ("hal.executable private @e {\n}", 1, 1, "iree-opt --mlir-print-op-generic"),
    ("{-# x", 1, 1, "expected '#-}' that closes this '{-#'"),
    ('{-# "#-}" // #-}', 1, 1, "expected '#-}' that closes this '{-#'"),
    ('module {\n  module attributes {"{-#"} {}\n}', 2, 3, "a module cannot have an attribute named '{-#'"),
    ('"builtin.module"() ({\n}) {"{-#" = 1 : i64} : () -> ()', 1, 1, "a module cannot have an attribute named '{-#'"),
    ('"builtin.module"() <{"{-#"}> ({\n}) : () -> ()', 1, 1, "a module cannot have an attribute named '{-#'"),
    ("\0", 1, 1, "Unexpected character"),
    ('"a"() {x = \u202e} : () -> ()', 1, 12, "attribute expected"),
    (f'"a"() {{x = {"[" * 100_000}{"]" * 100_000}}} : () -> ()', 1, 139, "expected at most 128 nested brackets"),
    (f'"a"() : () -> ({"tensor<" * 100_000}f32{">" * 100_000})', 1, 911, "expected at most 128 nested brackets"),
    (f'%0:{"9" * 10_000} = "a"() : () -> ()', 1, 4, "a number of 10000 digits is more than any type holds"),
    (f'sched.kernel @k stages {"9" * 10_000} {{}}', 1, 24, "a number of 10000 digits is more than any type holds"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column", "message"), ERRORS, ids=range(len(ERRORS)))
def test_errors_have_a_place(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_module(new_context(), text, "test.mlir")
    assert message in caught.value.msg
    place = caught.value.span.get_location()
    assert (place.file, place.line, place.col) == ("test.mlir", line, column)


def test_deeply_nested_regions_are_an_error() -> None:
    with pytest.raises(ParseError, match="nested too deeply"):
        read_module(new_context(), '"a"() ({\n' * 100_000, "test.mlir")


SUMS = "affine_map<(d0) -> (" + " + ".join(["d0"] * 2000) + ")>"


@pytest.mark.parametrize(
    "text",
    [
        f'"a"() {{x = {SUMS}}} : () -> ()',
        f'"a"() {{x = [{SUMS}, tensor<4xf32, {SUMS}>]}} : () -> ()',
        f"module attributes {{t.x = {SUMS}}} {{\n}}",
        f"#sums = {SUMS}\nmodule attributes {{t.x = #sums}} {{\n}}",
    ],
    ids=["an attribute", "inside others", "in custom form", "an alias"],
)
def test_what_xdsl_finds_too_deep_is_kept(text: str) -> None:
    assert printed_again(text).count(SUMS) == text.count(SUMS)


def test_no_lack_of_memory_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    text = dedent("""
        #one = [dense<1> : tensor<4xi32>]
        "t.a"() {a = #one, b = [{c = strided<[1]>}], d = !t.b<i32>} : () -> () loc("a":1:2)
        module attributes {t.a = #one, b = affine_map<(d0) -> (d0 mod d0)>} {
          %0 = arith.constant dense<1> : tensor<4xi32>
          sched.kernel @k {
            sched.buffer @a : memref<4xf32, 3>
          }
        }
        """)
    lex = MLIRLexer.lex

    def tokens_read(failing: int) -> int:
        """How many tokens reading takes; there is no memory for that of number `failing`, only for it."""
        count = 0

        def lex_with_little_memory(lexer: MLIRLexer) -> MLIRToken:
            nonlocal count
            count += 1
            if count == failing:
                raise MemoryError
            return lex(lexer)

        monkeypatch.setattr(MLIRLexer, "lex", lex_with_little_memory)
        read_module(new_context(), text, "test.mlir")
        return count

    tokens_read(0)  # What is read only once in a process.
    for failing in range(tokens_read(0)):
        with pytest.raises(MemoryError):
            tokens_read(failing + 1)


def test_operations_are_read_until_they_are_too_deep() -> None:
    operation = '"b"() {x = #sched.target<"Apple M4">, y = affine_map<(d0) -> (d0 + d0)>, z = #t<1>} : () -> ()\n'
    start = '"a"() ({ '
    found: set[str] = set()
    for depth in range(40, 100):
        try:
            read_module(new_context(), start * depth + operation + "}) : () -> () " * depth, "test.mlir")
        except ParseError as error:
            found.add(error.msg)
    assert found == {"operations, attributes or types are nested too deeply"}


def test_what_xdsl_refuses_without_a_word_has_the_name_of_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise NotImplementedError

    monkeypatch.setattr(Reader, "_parse_foreign", refuse)
    with pytest.raises(ParseError, match="xDSL cannot read this operation: NotImplementedError"):
        read_module(new_context(), '"a"() : () -> ()', "test.mlir")


@pytest.mark.parametrize("error", [MemoryError(), OSError(12, "Cannot allocate memory"), ImportError("failed to map")])
def test_what_the_system_refuses_is_not_the_fault_of_the_text(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(Reader, "_parse_foreign", fail)
    with pytest.raises(type(error)):
        read_module(new_context(), '"a"() : () -> ()', "test.mlir")


def test_lines_before_a_part_count() -> None:
    with pytest.raises(ParseError) as caught:
        read_module(new_context(), '\n"a"(', "test.mlir", line_offset=10)
    assert caught.value.span.get_location().line == 12


def test_numbers_of_any_length_survive() -> None:
    digits = "9" * 10_000
    assert digits in printed_again(f'"a"() {{x = {digits} : i64}} : () -> ()')


@pytest.mark.parametrize(
    ("data", "line", "column", "byte"),
    [(b"\xff", 1, 1, "FF"), (b"a\n\xc3\xa9 \xc3(", 2, 3, "C3"), (b"\xef\xbb\xbfa\x80", 1, 2, "80")],
)
def test_decode_places_bytes_that_are_not_utf8(data: bytes, line: int, column: int, byte: str) -> None:
    with pytest.raises(ParseError, match=f"found the byte 0x{byte}") as caught:
        decode(data, "test.mlir")
    place = caught.value.span.get_location()
    assert (place.line, place.col) == (line, column)


def test_decode_takes_off_byte_order_mark_and_carriage_returns() -> None:
    assert decode(b"\xef\xbb\xbfa\r\nb\n", "test.mlir") == "a\nb\n"


EXAMPLE = (CORPUS / "iree/metal.mm_f32_512_64x64x16_pd2_ss0.0_gpu-distribute.generic.mlir").read_text()[:4000]


def read_or_refuse(text: str) -> None:
    """Read `text`: what is not a module is a `ParseError`, and nothing else."""
    with suppress(ParseError):
        printed_again(text)


@pytest.mark.parametrize("part", range(8))
def test_truncated_at_every_character(part: int) -> None:
    text = "\n".join(STRUCTURES.values()).replace("        ", "")
    for end in range(part, len(text), 8):
        read_or_refuse(text[:end])


def test_a_string_without_an_end_takes_no_time() -> None:
    with pytest.raises(ParseError):
        read_module(new_context(), f'"{"a" * 100_000}', "test.mlir")


def test_a_line_of_many_operations_takes_time_in_proportion() -> None:
    start = process_time()
    module, _ = read_module(new_context(), '"t.op"() : () -> () ' * 16_000, "test.mlir")
    assert len(module.body.block.ops) == 16_000
    # It takes a second or two; looking for the end of the line from each operation took eighteen.
    assert process_time() - start < 9


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_changed_text_is_read_or_refused(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([*map(dedent, STRUCTURES.values()), EXAMPLE]))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.integers(0, 5))
        new = data.draw(
            st.sampled_from(
                ['"', "<", ">", "({", "})", "%0", "#a", "!", "->", ":", "^bb0", "\n", "loc(", "x", "0x", ""]
            )
        )
        text = text[:start] + new + text[end:]
    read_or_refuse(text)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='"%#!@^(){}[]<>:=,-.0ax \n/\\é\0', max_size=40))
def test_noise_is_read_or_refused(text: str) -> None:
    read_or_refuse(text)


@pytest.mark.parametrize("blank", ["", " ", "\n", "// a comment\n", " // %1 = \n\t//\n"], ids=ascii)
@pytest.mark.parametrize("results", ["%0~=~", "%0~:~2~=~", "%0~,~%1~=~"])
def test_what_stands_between_the_results_and_the_name(results: str, blank: str) -> None:
    """Found by the generator of modules: with a comment there, an operation was taken for one in custom form."""
    types = "f32" if results == "%0~=~" else "(f32, f32)"
    text = f'{results.replace("~", blank)}"t.make"() : () -> {types}\n'
    assert printed_again(text) == printed_again(f'{results.replace("~", " ")}"t.make"() : () -> {types}\n')
