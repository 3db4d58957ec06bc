"""Parsing of kernel signatures."""

from __future__ import annotations

import pytest

from core.native.signature import Argument, Signature, parse_signature


def test_records_arrays_and_numbers_are_told_apart() -> None:
    signature = parse_signature(" i32(Gomoku, u64[], f64) ")
    assert signature == Signature("i32", (Argument("Gomoku", False), Argument("u64", True), Argument("f64", False)))
    assert [argument.is_record for argument in signature.arguments] == [True, False, False]


@pytest.mark.parametrize("text", ["void()", "void( )", "u8()"])
def test_no_arguments(text: str) -> None:
    assert parse_signature(text).arguments == ()


@pytest.mark.parametrize("text", ["", "i32", "i32(", "i32(i32", "i32)(", "Gomoku(i32)", "i31(i32)", "i32(i32)(i32)"])
def test_a_malformed_signature_is_quoted(text: str) -> None:
    with pytest.raises(ValueError, match="a kernel signature such as") as caught:
        parse_signature(text)
    assert repr(text) in str(caught.value)


def test_arrays_of_records_are_refused() -> None:
    with pytest.raises(ValueError, match=r"'void\(Gomoku\[\]\)': arrays hold scalars, not Gomoku"):
        parse_signature("void(Gomoku[])")
