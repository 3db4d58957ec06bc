"""The parameters that a tuning changes, and its settings, each declared once with its help, limits and default.

`TuneSettings` is the common part of the options of `pentad tune spsa` (`SpsaOptions`), of the running tuning
(`TuneConfig`) and of the header of its log (`TuneStarted`).
"""

from __future__ import annotations

import math
import re
from typing import Annotated, Any, Final, Literal

import msgspec
from cyclopts import Group, Parameter
from msgspec import Meta

from arena.terms.plan import MAX_GAMES

TUNING = Group("Tuning", sort_key=0)
VERIFICATION = Group("Verification", sort_key=6)
A_SHARE = 10  # Spall's A is by default this fraction of the iterations
MAX_NUMBER = 10**15  # largest size of a parameter's numbers; a float64 holds such integers with fractions
RESOLUTION_DIGITS = 3  # a float is sent with digits down to a thousandth of its step, about
Kind = Literal["int", "float"]
INT: Final = "int"
FLOAT: Final = "float"
_NAME = re.compile(r"[A-Za-z_][\w.-]*")

Number = Annotated[float, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]


class TunedParameter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A parameter of an engine, the range of its values, and the size of its perturbation at the end of the run."""

    name: str  # of the engine's option
    value: Number  # at the start
    min: Number
    max: Number
    step: Number  # the perturbation of the last iteration
    type: Kind

    def format(self, value: float) -> str:
        """Return a value as text for the engine: an integer, or a float with the digits that matter for its step."""
        if self.type == INT:
            return str(round(value))
        decimals = max(0, RESOLUTION_DIGITS - math.floor(math.log10(self.step)))
        text = f"{value:.{decimals}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return "0" if text == "-0" else text

    def clip(self, value: float) -> float:
        """Return the allowed value that is nearest to `value`."""
        return min(max(value, self.min), self.max)


class TuneSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a tuning, without its parameters, its engine and its games. A field's docstring is its help."""

    iterations: Annotated[int, Meta(ge=1, le=MAX_GAMES // 2), Parameter(group=TUNING)] = 1000
    """Number of iterations. Each changes all parameters once, by the result of its games."""

    pairs: Annotated[int, Meta(ge=1, le=MAX_GAMES // 2), Parameter(group=TUNING)] = 1
    """Pairs of games per iteration, two games from one opening with colours swapped. They may be played at the same
    time; iterations follow each other."""

    r_end: Annotated[float, Meta(gt=0, le=1), Parameter(group=TUNING)] = 0.002
    """Learning rate of the last iteration, as in fishtest: a won game more than lost moves a parameter by this share of
    its step."""

    alpha: Annotated[float, Meta(ge=0, le=2), Parameter(group=TUNING)] = 0.602
    """Exponent by which the learning rate falls."""

    gamma: Annotated[float, Meta(ge=0, le=2), Parameter(group=TUNING)] = 0.101
    """Exponent by which the perturbations fall to the parameter's step."""

    stability: Annotated[
        Annotated[float, Meta(ge=0, le=MAX_GAMES)] | None, Parameter(name="--A", group=TUNING, show_default=False)
    ] = None
    """Spall's constant A, iterations; it damps the first iterations. Default: a tenth of --iterations."""

    verify: Annotated[int, Meta(ge=0, le=MAX_GAMES), Parameter(group=VERIFICATION)] = 0
    """After the tuning, play up to this many games of the tuned engine against the start values, stopped by SPRT. Up to
    half of the openings are kept for them and not used by the tuning. 0: play none."""


def check_parameters(parameters: tuple[TunedParameter, ...]) -> None:
    """Raise ValueError with the name of the first parameter whose numbers do not fit together."""
    if not parameters:
        raise ValueError("at least one parameter is needed")
    names = [parameter.name.lower() for parameter in parameters]
    for index, parameter in enumerate(parameters):
        name, low, high = parameter.name, parameter.min, parameter.max
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r}: a name must be one word of letters, digits and any of _ . -")
        if name.lower() in names[:index]:
            raise ValueError(f"{name}: given twice")
        numbers = {"value": parameter.value, "min": low, "max": high, "step": parameter.step}
        for key, number in numbers.items():
            if not -MAX_NUMBER <= number <= MAX_NUMBER:  # also refuses NaN
                raise ValueError(f"{name}: {key} must be within ±{MAX_NUMBER}, not {number}")
            if parameter.type == INT and key != "step" and number != round(number):
                raise ValueError(f"{name}: {key} must be a whole number for the type int, not {number:g}")
        if not low < high:
            raise ValueError(f"{name}: min must be below max, not {low:g} and {high:g}")
        if not low <= parameter.value <= high:
            raise ValueError(f"{name}: value must be {low:g}..{high:g}, not {parameter.value:g}")
        if not 0 < parameter.step <= high - low:
            raise ValueError(
                f"{name}: step must be above 0 and at most max - min, {high - low:g}, not {parameter.step:g}"
            )


def tune_settings_by_name(source: TuneSettings) -> dict[str, Any]:
    """Return the settings of a log's header, of options or of a tuning, to create another of these from them."""
    return {name: getattr(source, name) for name in TuneSettings.__struct_fields__}
