"""Options of players and protocol sessions: declaration (`Option`) and values (`OptionSet`).

Each option is declared once. The option lists of the protocols, the command line, `config.toml` and the checks of
values are derived from the declaration; a test compares the option tables of the games' README pages with it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

Value = int | float | bool | str
T = TypeVar("T", int, float, bool, str)

# Stricter than int() and float(): no underscores, ASCII digits only, at most 30 digits before and after the point
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,30}\.?[0-9]{0,30}|\.[0-9]{1,30})(?:[eE][+-]?[0-9]{1,3})?")
_MAX_QUOTED_CHARACTERS = 80  # an error message shows at most this much of a wrong value
_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})


class OptionError(ValueError):
    """An option is unknown or a value is not allowed. The message says which values are allowed."""


class ParameterRefusedError(OptionError):
    """An engine refuses the value that a tuning gives to one of its parameters."""

    def __init__(self, name: str, value: str, reason: object) -> None:
        super().__init__(f"refuses parameter {name}={value}: {reason}")


class UnknownOptionError(OptionError, KeyError):
    """There is no option of this name; a KeyError too, so that `OptionSet.get` returns its default."""

    __str__ = Exception.__str__  # KeyError would quote the message


@dataclass(frozen=True)
class Option:
    """Declaration of one option. The type of `default` (bool, int, float or str) is the type of its values."""

    name: str
    default: Value
    help: str  # one line, for `--help` and the option lists of the protocols
    minimum: float | None = None  # bounds of a number, inclusive
    maximum: float | None = None
    choices: tuple[str, ...] = ()  # allowed values of a text option; if empty, any text is allowed
    # Size of a change that a tuner should try; only for constants of a search. An option with a step is hidden.
    step: float | None = None
    only_with: tuple[str, str] | None = None  # a hidden option has an effect only if this other option has this value

    @property
    def is_hidden(self) -> bool:
        """True if the option can be set and read by name, but `--help` and the protocols' option lists leave it out."""
        return self.step is not None

    @property
    def expected(self) -> str:
        """Description of the allowed values for error messages and `--help`, such as `whole number from 0 to 2`."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        type_names = {bool: "true or false", int: "whole number", float: "number", str: "text"}
        type_name = type_names[type(self.default)]
        if self.minimum is not None and self.maximum is not None:
            return f"{type_name} from {self.minimum:.15g} to {self.maximum:.15g}"
        if self.minimum is not None:
            return f"{type_name} of {self.minimum:.15g} or more"
        if self.maximum is not None:
            return f"{type_name} of {self.maximum:.15g} or less"
        return type_name

    def parse(self, raw_value: Value) -> Value:
        """Convert and check a value, usually a text; raise OptionError if it is not allowed."""
        try:
            value = self._convert(raw_value)
        except ValueError:
            raise self._value_error(raw_value) from None
        if self.choices:
            matching = [choice for choice in self.choices if choice.lower() == str(value).lower()]
            if not matching:
                raise self._value_error(raw_value)
            return matching[0]
        if isinstance(value, int | float) and not isinstance(value, bool):
            too_low = self.minimum is not None and value < self.minimum
            too_high = self.maximum is not None and value > self.maximum
            if too_low or too_high or not math.isfinite(value):
                raise self._value_error(raw_value)
        return value

    def clamp(self, value: int) -> int:
        """Return the whole number within the bounds that is nearest to `value`."""
        if self.minimum is not None:
            value = max(value, int(self.minimum))
        return value if self.maximum is None else min(value, int(self.maximum))

    def _convert(self, raw_value: Value) -> Value:
        """Convert to the type of `default`; raise ValueError."""
        if isinstance(self.default, bool):
            text = str(raw_value).strip().lower()
            if text in _TRUE or text in _FALSE:
                return text in _TRUE
            raise ValueError
        if isinstance(self.default, int | float):
            text = str(raw_value).strip()
            if not _NUMBER.fullmatch(text):
                raise ValueError
            return int(text) if isinstance(self.default, int) else float(text)
        return str(raw_value)

    def _value_error(self, value: Value) -> OptionError:
        article = "a " if type(self.default) in (int, float) else ""
        return OptionError(f"option {self.name} must be {article}{self.expected}, not {_shorten(str(value))!r}")


@dataclass
class OptionSet(Mapping[str, Value]):
    """Options with their current values. `options["hash"]` reads a value; names are case-insensitive.

    Iteration and `len` leave out the hidden options, so that no list shows them; everything else accepts their names.
    """

    options: tuple[Option, ...]
    _values: dict[str, Value] = field(default_factory=dict)  # values that were set, by the declared name

    def get_option(self, name: str) -> Option:
        """Return the declaration of an option; raise UnknownOptionError, whose message lists the known names."""
        for option in self.options:
            if option.name.lower() == name.lower():
                return option
        known = ", ".join(self) or "none"
        raise UnknownOptionError(f"unknown option {name!r}; known: {known}")

    def set(self, name: str, raw_value: Value) -> Value:
        """Check, store and return one value; on OptionError nothing changes."""
        option = self.get_option(name)
        value = option.parse(raw_value)
        self._values[option.name] = value
        return value

    def update(self, values: Mapping[str, Value] | Iterable[tuple[str, Value]]) -> None:
        """Set several values; all are checked before any is stored."""
        checked = {}
        for name, raw_value in values.items() if isinstance(values, Mapping) else values:
            option = self.get_option(name)
            checked[option.name] = option.parse(raw_value)
        self._values.update(checked)

    def hidden_options(self) -> tuple[Option, ...]:
        """Return the hidden options."""
        return tuple(option for option in self.options if option.is_hidden)

    def get_int(self, name: str) -> int:
        """Return the value of an int option; raise TypeError if the option has another type."""
        return self._get(name, int)

    def get_float(self, name: str) -> float:
        """Return the value of a float or int option as float; raise TypeError if the option has another type."""
        option = self.get_option(name)
        return float(self._get(name, int) if isinstance(option.default, int) else self._get(name, float))

    def get_bool(self, name: str) -> bool:
        """Return the value of a bool option; raise TypeError if the option has another type."""
        return self._get(name, bool)

    def get_str(self, name: str) -> str:
        """Return the value of a text option; raise TypeError if the option has another type."""
        return self._get(name, str)

    def _get(self, name: str, value_type: type[T]) -> T:
        value = self[name]
        if type(value) is not value_type:
            raise TypeError(f"option {name} holds {type(value).__name__}, not {value_type.__name__}")
        return value

    def __getitem__(self, name: str) -> Value:
        option = self.get_option(name)
        return self._values.get(option.name, option.default)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and any(option.name.lower() == name.lower() for option in self.options)

    def __iter__(self) -> Iterator[str]:
        return (option.name for option in self.options if not option.is_hidden)

    def __len__(self) -> int:
        return sum(not option.is_hidden for option in self.options)


def _shorten(text: str) -> str:
    return text if len(text) <= _MAX_QUOTED_CHARACTERS else f"{text[:_MAX_QUOTED_CHARACTERS]}..."
