"""Options: types, bounds and error messages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.play.options import Option, OptionError, OptionSet, Value

DEPTH = Option("depth", 4, "plies", minimum=1, maximum=9)
SPEED = Option("speed", 1.5, "a number with a minimum", minimum=0)
TRACE = Option("trace", False, "true or false")
STYLE = Option("style", "Calm", "a text with choices", choices=("Calm", "Wild"))
BOOK = Option("book", "none", "any text")
BIAS = Option("bias", 0.5, "a number without bounds")
ALL_OPTIONS = (DEPTH, SPEED, TRACE, STYLE, BOOK, BIAS)


@pytest.mark.parametrize(
    ("option", "raw_value", "value"),
    [
        (DEPTH, " 7 ", 7),
        (DEPTH, 1, 1),
        (SPEED, "2", 2.0),
        (SPEED, 0, 0.0),
        (TRACE, "Yes", True),
        (TRACE, "off", False),
        (TRACE, True, True),
        (STYLE, "wild", "Wild"),
        (BOOK, "a,b=c", "a,b=c"),
        (BIAS, "-1e3", -1000.0),
    ],
)
def test_values_are_converted(option: Option, raw_value: Value, value: Value) -> None:
    assert option.parse(raw_value) == value
    assert type(option.parse(raw_value)) is type(value)


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        (DEPTH, "0", "option depth must be a whole number from 1 to 9, not '0'"),
        (DEPTH, "10", "option depth must be a whole number from 1 to 9, not '10'"),
        (DEPTH, "4.0", "option depth must be a whole number from 1 to 9, not '4.0'"),
        (DEPTH, "", "option depth must be a whole number from 1 to 9, not ''"),
        (SPEED, "-0.1", "option speed must be a number of 0 or more, not '-0.1'"),
        (SPEED, "nan", "option speed must be a number of 0 or more, not 'nan'"),
        (BIAS, "nan", "option bias must be a number, not 'nan'"),
        (TRACE, "2", "option trace must be true or false, not '2'"),
        (STYLE, "odd", "option style must be one of Calm, Wild, not 'odd'"),
    ],
)
def test_an_error_names_the_option_the_allowed_values_and_the_value(option: Option, text: str, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        option.parse(text)
    assert str(caught.value) == message


@given(st.text(max_size=20), st.sampled_from(ALL_OPTIONS))
def test_any_text_is_parsed_or_raises_an_option_error(text: str, option: Option) -> None:
    try:
        value = option.parse(text)
    except OptionError:
        return
    assert type(value) is type(option.default)
    assert option.parse(value) == value


def test_a_set_returns_defaults_and_ignores_case_in_names() -> None:
    options = OptionSet(ALL_OPTIONS)
    assert dict(options) == {option.name: option.default for option in ALL_OPTIONS}
    assert len(options) == len(ALL_OPTIONS)
    options.set("DEPTH", "9")
    assert (options["Depth"], options.get_int("depth"), options.get_float("depth")) == (9, 9, 9.0)


def test_an_update_with_a_wrong_value_changes_nothing() -> None:
    options = OptionSet(ALL_OPTIONS)
    with pytest.raises(OptionError, match="option speed"):
        options.update({"depth": "9", "speed": "fast"})
    assert options["depth"] == DEPTH.default
    options.update([("depth", "9"), ("SPEED", "3")])
    assert (options["depth"], options["speed"]) == (9, 3.0)


def test_the_error_for_an_unknown_option_lists_the_known_ones() -> None:
    with pytest.raises(OptionError, match=r"unknown option 'dept'; known: depth, speed, trace, style, book, bias"):
        OptionSet(ALL_OPTIONS).set("dept", 1)
    with pytest.raises(OptionError, match=r"unknown option 'depth'; known: none"):
        OptionSet(()).get_option("depth")


def test_a_set_contains_the_names_of_its_options() -> None:
    options = OptionSet((Option("Seed", 0, ""),))
    assert "seed" in options
    assert "memory" not in options


def test_get_returns_its_default_for_an_unknown_option() -> None:
    """`Mapping.get` catches KeyError only, so UnknownOptionError must be one."""
    assert OptionSet(ALL_OPTIONS).get("nonsense", 7) == 7


def test_typed_accessors_refuse_an_option_of_another_type() -> None:
    options = OptionSet((Option("depth", 3, ""), Option("trace", True, ""), Option("style", "plain", "")))
    assert options.get_bool("trace") is True
    assert options.get_str("style") == "plain"
    assert options.get_float("depth") == 3.0
    with pytest.raises(TypeError, match="option trace holds bool, not int"):
        options.get_int("trace")
    with pytest.raises(TypeError, match="option style holds str, not float"):
        options.get_float("style")


def test_an_upper_bound_alone_is_named_in_the_error() -> None:
    with pytest.raises(OptionError, match="option depth must be a whole number of 9 or less, not '10'"):
        Option("depth", 3, "", maximum=9).parse("10")
