"""Parsing of kernel signatures."""

from __future__ import annotations

import pytest

from core.native.signature import Argument, Signature, parse_signature


def test_states_arrays_and_scalars_are_parsed() -> None:
    signature = parse_signature(" i32(Gomoku, u64[], f64) ")
    assert signature == Signature("i32", (Argument("Gomoku", False), Argument("u64", True), Argument("f64", False)))
    assert [argument.is_record for argument in signature.arguments] == [True, False, False]


@pytest.mark.parametrize("text", ["void()", "void( )", "u8()"])
def test_a_signature_may_have_no_arguments(text: str) -> None:
    assert parse_signature(text).arguments == ()


@pytest.mark.parametrize("text", ["", "i32", "i32(", "i32(i32", "i32)(", "Gomoku(i32)", "i31(i32)", "i32(i32)(i32)"])
def test_the_error_for_a_malformed_signature_quotes_it(text: str) -> None:
    with pytest.raises(ValueError, match="a kernel signature such as") as caught:
        parse_signature(text)
    assert repr(text) in str(caught.value)


def test_an_array_of_states_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"'void\(Gomoku\[\]\)': arrays hold scalars, not Gomoku"):
        parse_signature("void(Gomoku[])")
