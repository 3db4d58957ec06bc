"""Option records: each option of a player or an engine is declared once, everything else is derived.

Protocol listings, the command line, config files and validation all read these records; the tables of options on the
games' pages are compared with them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

Value = int | float | bool | str

# What int() and float() take besides - underscores, other scripts' digits, thousands of digits - nobody means.
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,30}\.?[0-9]{0,30}|\.[0-9]{1,30})(?:[eE][+-]?[0-9]{1,3})?")
_ECHO = 80  # characters of a value that an error repeats
_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})


class OptionError(ValueError):
    """A value does not fit its option; the text names the option, the wanted kind and the value that came."""


@dataclass(frozen=True)
class Option:
    """One option. `kind` is the Python type of `default`; `minimum` and `maximum` are inclusive."""

    name: str
    default: Value
    help: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def expected(self) -> str:
        """What a person calls the wanted value: `whole number`, `number`, `true or false`, `one of ...`, `text`."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        words = {bool: "true or false", int: "whole number", float: "number", str: "text"}
        word = words[type(self.default)]
        if self.minimum is not None and self.maximum is not None:
            return f"{word} from {self.minimum:g} to {self.maximum:g}"
        if self.minimum is not None:
            return f"{word} of {self.minimum:g} or more"
        return word

    def parse(self, text: Value) -> Value:
        """Convert and check a value; raise OptionError where it does not fit."""
        try:
            value = self._convert(text)
        except ValueError:
            raise self._misfit(text) from None
        if self.choices:
            matching = [choice for choice in self.choices if choice.lower() == str(value).lower()]
            if not matching:
                raise self._misfit(text)
            return matching[0]
        if isinstance(value, int | float) and not isinstance(value, bool):
            too_low = self.minimum is not None and value < self.minimum
            too_high = self.maximum is not None and value > self.maximum
            if too_low or too_high or not math.isfinite(value):
                raise self._misfit(text)
        return value

    def clamp(self, value: int) -> int:
        """The nearest whole number within the limits."""
        minimum = value if self.minimum is None else max(value, int(self.minimum))
        return minimum if self.maximum is None else min(minimum, int(self.maximum))

    def _convert(self, text: Value) -> Value:
        if isinstance(self.default, bool):
            word = str(text).strip().lower()
            if word in _TRUE or word in _FALSE:
                return word in _TRUE
            raise ValueError
        if isinstance(self.default, int | float):
            word = str(text).strip()
            if not _NUMBER.fullmatch(word):
                raise ValueError
            return int(word) if isinstance(self.default, int) else float(word)
        return str(text)

    def _misfit(self, value: Value) -> OptionError:
        return OptionError(f"option {self.name} wants {self.expected}, not {_shorten(str(value))!r}")


@dataclass
class OptionSet(Mapping[str, Value]):
    """Declared options with their present values. Names compare without regard to case; reading is by mapping."""

    options: tuple[Option, ...]
    _values: dict[str, Value] = field(default_factory=dict)

    def get_option(self, name: str) -> Option:
        """Return the declaration of an option; raise OptionError naming the known ones."""
        for option in self.options:
            if option.name.lower() == name.lower():
                return option
        known = ", ".join(option.name for option in self.options) or "none"
        raise OptionError(f"unknown option {name!r}; known: {known}")

    def set(self, name: str, text: Value) -> Value:
        """Check and store one value, and return it converted; on OptionError nothing changes."""
        option = self.get_option(name)
        value = option.parse(text)
        self._values[option.name] = value
        return value

    def update(self, values: Mapping[str, Value] | Iterable[tuple[str, Value]]) -> None:
        """Set several values; all are checked before any is stored."""
        pairs = list(values.items() if isinstance(values, Mapping) else values)
        checked = {self.get_option(name).name: self.get_option(name).parse(text) for name, text in pairs}
        self._values.update(checked)

    def get_int(self, name: str) -> int:
        """The value of a whole-number option."""
        value = self[name]
        assert isinstance(value, int)
        return value

    def get_float(self, name: str) -> float:
        """The value of a number option."""
        value = self[name]
        assert isinstance(value, int | float)
        return float(value)

    def __getitem__(self, name: str) -> Value:
        option = self.get_option(name)
        return self._values.get(option.name, option.default)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and any(option.name.lower() == name.lower() for option in self.options)

    def __iter__(self) -> Iterator[str]:
        return (option.name for option in self.options)

    def __len__(self) -> int:
        return len(self.options)


def _shorten(text: str) -> str:
    return text if len(text) <= _ECHO else f"{text[:_ECHO]}..."
