"""Verdicts are values: they compare, hash, match, copy, and never change."""

import copy
import math
import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from rlx_sched import Faster, Slower, TooCloseToCall, Unknown, Verdict

ALL = [Faster(1.19), Slower(0.81), TooCloseToCall(), Unknown("no calibration for llvmpipe")]


def test_kinds_are_the_words_of_the_ir() -> None:
    assert [verdict.kind for verdict in ALL] == ["faster", "slower", "too_close_to_call", "unknown"]


def test_only_claims_have_a_ratio() -> None:
    assert [verdict.ratio for verdict in ALL] == [1.19, 0.81, None, None]


def test_only_slower_is_not_worth_measuring() -> None:
    assert [verdict.worth_measuring for verdict in ALL] == [True, False, True, True]


def test_equal_when_kind_and_contents_are() -> None:
    assert Slower(0.5) == Slower(0.5)
    assert Slower(0.5) != Slower(0.25)
    assert Slower(0.5) != Faster(0.5)
    assert TooCloseToCall() == TooCloseToCall()
    assert Unknown("a") != Unknown("b")
    assert Slower(0.5) != 0.5
    assert len({Slower(0.5), Slower(0.5), Faster(0.5), TooCloseToCall(), TooCloseToCall()}) == 3


def test_a_verdict_matches_patterns() -> None:
    def describe(verdict: Verdict) -> str:
        match verdict:
            case Faster(ratio) | Slower(ratio):
                return f"{ratio:.2f}"
            case Unknown(reason):
                return reason
            case _:
                return "either"

    assert [describe(verdict) for verdict in ALL] == ["1.19", "0.81", "either", "no calibration for llvmpipe"]


@pytest.mark.parametrize("verdict", ALL, ids=lambda verdict: verdict.kind)
def test_a_verdict_reads_back_from_its_repr_a_copy_and_a_pickle(verdict: Verdict) -> None:
    assert eval(repr(verdict)) == verdict
    assert copy.deepcopy(verdict) == verdict
    assert pickle.loads(pickle.dumps(verdict)) == verdict


@pytest.mark.parametrize("verdict", ALL, ids=lambda verdict: verdict.kind)
@pytest.mark.parametrize("name", ["ratio", "reason", "kind", "_content", "new"])
def test_a_verdict_cannot_be_changed(verdict: Verdict, name: str) -> None:
    with pytest.raises(AttributeError, match="a verdict cannot be changed"):
        setattr(verdict, name, 2.0)
    with pytest.raises(AttributeError, match="a verdict cannot be changed"):
        delattr(verdict, name)


@pytest.mark.parametrize("ratio", [-0.1, math.inf, math.nan, 10**400, -(10**400)])
def test_a_ratio_is_finite_and_not_negative(ratio: float) -> None:
    with pytest.raises(ValueError, match="ratio must be a finite number that is not negative"):
        Slower(ratio)


@pytest.mark.parametrize("ratio", ["0.9", b"0.9", bytearray(b"0.9"), np.str_("0.9"), None, 0.9j, [0.9]])
def test_a_ratio_is_a_number(ratio: Any) -> None:
    with pytest.raises(TypeError, match=f"^ratio must be a number, got {type(ratio).__name__}$"):
        Slower(ratio)


@pytest.mark.parametrize("ratio", [1, 0, np.float32(0.5), np.int8(1), Fraction(1, 2), Decimal("0.5")])
def test_a_ratio_is_a_number_of_any_kind(ratio: Any) -> None:
    assert Slower(ratio).ratio == ratio
    assert type(Slower(ratio).ratio) is float


def test_a_reason_is_a_string() -> None:
    with pytest.raises(TypeError, match="reason must be a string, got NoneType"):
        Unknown(None)  # pyright: ignore[reportArgumentType]


def test_a_verdict_is_one_of_the_four() -> None:
    with pytest.raises(TypeError, match="one of Faster, Slower, TooCloseToCall and Unknown"):
        Verdict()
