"""Pass pipelines as text, in xDSL's and in MLIR's spelling."""

import dataclasses
from contextlib import suppress
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination

from rlx_sched.passes.occupancy_filter import OccupancyFilter
from rlx_sched.passes.sched_enumerate import SchedEnumerate
from rlx_sched.tools.errors import UsageError
from rlx_sched.tools.pipeline import format_pass, format_pipeline, make, parse_options, parse_pipeline, parse_target


@dataclasses.dataclass(frozen=True)
class Everything(ModulePass):
    """A pass with an option of every type that xDSL's passes use."""

    name = "everything"

    needed: int
    ratio: float = 0.5
    flag: bool = False
    text: str | None = None
    mode: Literal["fast", "none"] | tuple[str, ...] = "none"
    sizes: tuple[int, ...] | None = None
    maybe_flag: bool | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Do nothing."""


def everything(options: str) -> Everything:
    return make(Everything, parse_options(options))


@pytest.mark.parametrize(
    "text",
    [
        "cse,occupancy-filter{target='Apple M4 Pro' extrapolated=keep},canonicalize",
        'cse,occupancy-filter{target="Apple M4 Pro" extrapolated="keep"},canonicalize',
        "builtin.module(cse,occupancy-filter{target={'Apple M4 Pro'} extrapolated=keep},canonicalize)",
        " builtin.module ( cse , occupancy-filter { extrapolated=keep  target='Apple M4 Pro' } , canonicalize ) ",
        r"any(cse,occupancy-filter{target='Apple\ M4 Pro' extrapolated=keep},canonicalize)",
    ],
)
def test_both_spellings_mean_the_same(text: str):
    assert parse_pipeline(text) == [
        CommonSubexpressionElimination(),
        OccupancyFilter(target="Apple M4 Pro", extrapolated="keep"),
        CanonicalizePass(),
    ]


@pytest.mark.parametrize("text", ["", "  ", "builtin.module()"])
def test_a_pipeline_may_be_empty(text: str):
    assert parse_pipeline(text) == []


def test_lists_have_commas_and_may_stand_in_braces():
    assert parse_pipeline("sched-enumerate{stages=1,2}") == [SchedEnumerate(stages=(1, 2))]
    assert parse_pipeline("sched-enumerate{stages={1,2}}") == [SchedEnumerate(stages=(1, 2))]


def test_xdsl_spelling_of_mlir_opt():
    (one,) = parse_pipeline("mlir-opt[cse,canonicalize{top-down=false}]")
    assert getattr(one, "arguments", None) == (
        "--mlir-print-op-generic",
        "--allow-unregistered-dialect",
        "-p",
        "builtin.module(cse,canonicalize{top-down=false})",
    )


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("cse;canonicalize", "expected ',' between passes", 3),
        ("cse canonicalize", "expected ',' between passes", 4),
        ("cse,", "expected the name of a pass", 4),
        (",cse", "expected the name of a pass", 0),
        ("cse,,cse", "expected the name of a pass", 4),
        ("builtin.module(cse", "expected ')'", 18),
        ("builtin.module(cse) cse", "expected the end of the pipeline", 20),
        ("func.func(cse)", "passes run on 'builtin.module', not on 'func.func'", 0),
        ("builtin.module(func.func(cse))", "'func.func' cannot be nested", 15),
        ("builtin.module(builtin.module(cse))", "'builtin.module' cannot be nested", 15),
        ("sched-enumerate{stages=1", "expected an option or '}'", 24),
        ("sched-enumerate{stages=}", "expected a value", 23),
        ("sched-enumerate{stages=1 stages=2}", "the option 'stages' is given twice", 25),
        ("sched-enumerate{stages={1,2}", "expected an option or '}'", 28),
        ("sched-enumerate{stages={1,2", "expected '}'", 27),
        (f"sched-enumerate{{stages={'{' * 10_000}1{'}' * 9_999}", "expected '}'", 23 + 20_000),
        (f"sched-enumerate{{stages={'{' * 10_000}", "expected a value", 23 + 10_000),
        ("occupancy-filter{target='x'annotate}", "expected a blank between options", 27),
        ("occupancy-filter{target='x}", "expected a value", 24),
    ],
)
def test_syntax_errors_point_at_their_place(text: str, message: str, column: int):
    with pytest.raises(UsageError) as caught:
        parse_pipeline(text)
    first, shown, caret = str(caught.value).split("\n")
    assert message in first
    assert shown == f"  {text}"
    assert caret.index("^") - 2 == column


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ocupancy-filter", "unknown pass 'ocupancy-filter'; did you mean 'occupancy-filter'?"),
        ("canonicalise", "unknown pass 'canonicalise'; did you mean 'canonicalize'?"),
        ("zzzzz", "unknown pass 'zzzzz'"),
        ("occupancy-filter{tarrget=x}", "'occupancy-filter' has no option 'tarrget'; did you mean 'target'?"),
        ("sched-enumerate{zzz}", "'sched-enumerate' has no option 'zzz'; it takes stages"),
        ("sched-erase-annotations{x=1}", "'sched-erase-annotations' has no option 'x'; it takes none"),
        (
            "sched-enumerate{stages=1,x}",
            "the option 'stages' of 'sched-enumerate' takes a list, each an integer, got '1,x'",
        ),
        ("occupancy-filter{target}", "the option 'target' of 'occupancy-filter' takes one text, got no value"),
        ("occupancy-filter{target=a,b}", "the option 'target' of 'occupancy-filter' takes one text, got 'a,b'"),
        ("occupancy-filter{annotate=no}", "the option 'annotate' of 'occupancy-filter' takes true or false, got 'no'"),
        (
            "occupancy-filter{extrapolated=maybe}",
            "the option 'extrapolated' of 'occupancy-filter' takes 'strip' or 'keep', got 'maybe'",
        ),
        (
            "occupancy-annotate{override-target}",
            "the option 'override-target' of 'occupancy-annotate' needs the option 'target'",
        ),
        *(
            (
                f"sched-enumerate{{stages={stages}}}",
                f"the option 'stages' of 'sched-enumerate' takes {right}, got '{stages.strip('{}')}'",
            )
            for stages, right in (
                ("0,1", "different numbers from 1 on"),
                ("2,2", "different numbers from 1 on"),
                ("{}", "different numbers from 1 on"),
                ("9223372036854775808", "numbers below 2^63"),
            )
        ),
    ],
)
def test_wrong_names_and_values_are_answered_with_right_ones(text: str, message: str):
    with pytest.raises(UsageError) as caught:
        parse_pipeline(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("needed=3", Everything(3)),
        ("needed=-3 flag", Everything(-3, flag=True)),
        ("needed=3 flag=true maybe-flag=false", Everything(3, flag=True, maybe_flag=False)),
        ("needed=3 maybe_flag", Everything(3, maybe_flag=True)),
        ("needed=3 ratio=1e-05", Everything(3, ratio=1e-05)),
        ("needed=3 text=/some/path.toml", Everything(3, text="/some/path.toml")),
        (r"needed=3 text='it\'s \\ \"this\"'", Everything(3, text='it\'s \\ "this"')),
        ("needed=3 mode=fast", Everything(3, mode="fast")),
        ("needed=3 mode=a,b", Everything(3, mode=("a", "b"))),
        ("needed=3 sizes=1,2", Everything(3, sizes=(1, 2))),
        ("needed=3 sizes={}", Everything(3, sizes=())),
    ],
)
def test_options_become_values_of_their_types(options: str, expected: Everything):
    assert everything(options) == expected


def test_a_choice_is_checked_in_python_too():
    with pytest.raises(ValueError, match="extrapolated must be 'strip' or 'keep', got 'kep'"):
        OccupancyFilter(extrapolated="kep")  # pyright: ignore[reportArgumentType]


def test_a_missing_option_is_named():
    with pytest.raises(UsageError, match="'everything' needs the option 'needed', an integer"):
        everything("")


def test_an_integer_of_ten_thousand_digits_is_refused():
    with pytest.raises(UsageError, match="takes an integer"):
        everything("needed=" + "9" * 10_000)


def test_target_with_options():
    assert parse_target("rlx-wgsl{a=1,2 b}") == ("rlx-wgsl", {"a": ("1", "2"), "b": ()})
    with pytest.raises(UsageError, match="expected the end"):
        parse_target("rlx-wgsl,rlx-msl")


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(
    st.builds(
        Everything,
        needed=st.integers(-(2**70), 2**70),
        ratio=st.floats(allow_nan=False),
        flag=st.booleans(),
        text=st.none() | TEXTS,
        mode=st.just("fast") | st.lists(TEXTS, min_size=2).map(tuple),
        sizes=st.none() | st.lists(st.integers()).map(tuple),
        maybe_flag=st.none() | st.booleans(),
    )
)
def test_what_is_printed_reads_back(one: Everything):
    text = format_pass(one)
    options = text.removeprefix("everything{").removesuffix("}") if text != "everything" else ""
    assert everything(options) == one


@given(TEXTS)
def test_any_text_is_parsed_or_refused(text: str):
    with suppress(UsageError):
        parse_pipeline(text)


def test_the_printed_pipeline_is_in_mlir_spelling():
    passes: list[Any] = [CanonicalizePass(), OccupancyFilter(target="Apple M4 Pro", annotate=False)]
    text = format_pipeline(passes)
    assert text == 'builtin.module(canonicalize,occupancy-filter{target="Apple M4 Pro" annotate=false})'
    assert parse_pipeline(text) == passes
