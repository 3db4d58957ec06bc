"""Write the result of a tuning from its log: tables as text, another tuning file, JSON, and a plot.

These files depend only on the log, so that writing them again gives the same bytes.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from msgspec import structs, to_builtins

from arena.terms.tuning import INT, TunedParameter, TuneSettings
from arena.tune.events import OptionValue
from arena.tune.log import Tuning
from arena.tune.plot import can_plot_tuning, write_tuning_plot
from arena.tune.spsa import expected_approach
from core.system.files import replace_text_file

TEXT_NAME, TOML_NAME, JSON_NAME, CSV_NAME, PLOT_NAME = (
    "tuned.txt",
    "tuned.toml",
    "tuned.json",
    "history.csv",
    "tuned.png",
)
SPARKS = "▁▂▃▄▅▆▇█"
SPARKLINE_WIDTH = 40  # characters, in the text report
ELO_EXAMPLES = (3, 10, 30)  # losses of Elo per step, for the estimate of a run's reach
_PLAYER = re.compile(r"(.*\.py:\w+|[^:]*)(?::(.*))?")  # name or file and class, and parameters
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class ParameterRow:
    """A parameter for tables: texts of its values, and how far it is from the start."""

    name: str
    start: str
    value: str  # rounded, as the engine gets it
    mean: str  # before rounding
    range: str  # smallest and largest allowed value
    perturbation: str  # of the next iteration, or of the last one at the end
    steps: float  # from the start, in steps


def describe_parameters(tuning: Tuning) -> list[ParameterRow]:
    """Return a row per parameter with its present values."""
    spsa, header = tuning.spsa, tuning.header
    iteration = min(spsa.iteration + 1, header.iterations)
    return [
        ParameterRow(
            parameter.name,
            parameter.format(parameter.value),
            parameter.format(value),
            _format_mean(parameter, value),
            f"{parameter.format(parameter.min)}..{parameter.format(parameter.max)}",
            f"{spsa.perturbation(parameter, iteration):.3g}",
            (value - parameter.value) / parameter.step,
        )
        for parameter, value in zip(header.parameters, spsa.values, strict=True)
    ]


def sparkline(tuning: Tuning, index: int, width: int) -> str:
    """Return a line of block characters that shows a parameter against the iteration, between its extremes."""
    parameter = tuning.header.parameters[index]
    values = [parameter.value, *(iteration.values[index] for iteration in tuning.history)]
    chosen = (
        values if len(values) <= width else [values[round(i * (len(values) - 1) / (width - 1))] for i in range(width)]
    )
    low, high = min(chosen), max(chosen)
    scale = (len(SPARKS) - 1) / (high - low) if high > low else 0.0
    return "".join(SPARKS[round((value - low) * scale)] for value in chosen)


def describe_approach(settings: TuneSettings) -> str:
    """Return a sentence that says how far a tuning moves the parameters; with draws it moves them less."""
    shares = ", ".join(f"{expected_approach(settings, elo):.0%} if it costs {elo} Elo" for elo in ELO_EXAMPLES)
    return f"expected share of the way to the best values, by what one step away from them costs: {shares}"


def final_values(tuning: Tuning) -> dict[str, str]:
    """Return the values of the parameters as texts for the engine, by name."""
    return {row.name: row.value for row in describe_parameters(tuning)}


def option_strings(tuning: Tuning) -> dict[str, str]:
    """Return the values as texts to paste, by what they are for."""
    values = final_values(tuning)
    entry = tuning.header.match.engines[0]
    strings = {"engine": ",".join(f"option.{name}={value}" for name, value in values.items())}
    if entry.player:
        names = {name.lower() for name in values}
        kept = [f",option.{name}={value}" for name, value in entry.options if name.lower() not in names]
        strings["player"] = f"player={_format_player(entry.player, values)}{''.join(kept)}"
    elif entry.protocol == "gomocup":
        strings["gomocup"] = "\n".join(f"INFO {name} {value}" for name, value in values.items())
    elif entry.protocol == "uhp":
        strings["uhp"] = "\n".join(f"options set {name} {value}" for name, value in values.items())
    elif entry.protocol == "gtp":
        commands = (_format_gtp(name, value) for name, value in values.items())
        strings["gtp"] = "\n".join(commands)
    return strings


def write_tuning_files(directory: Path, tuning: Tuning) -> list[Path]:
    """Write all files that are derived from the log; return their paths."""
    replace_text_file(directory / TEXT_NAME, format_tuning(tuning))
    replace_text_file(directory / TOML_NAME, format_tuning_file(tuning))
    replace_text_file(directory / JSON_NAME, format_json(tuning))
    replace_text_file(directory / CSV_NAME, format_history(tuning))
    paths = [directory / name for name in (TEXT_NAME, TOML_NAME, JSON_NAME, CSV_NAME)]
    if can_plot_tuning():
        write_tuning_plot(directory / PLOT_NAME, tuning)
        paths.append(directory / PLOT_NAME)
    return paths


def format_tuning(tuning: Tuning) -> str:
    """Format the result of a tuning: a table of the parameters, the games, and texts to paste."""
    header, rows = tuning.header, describe_parameters(tuning)
    cells = [("parameter", "start", "now", "rounded", "range", "step", "steps")]
    cells += [
        (row.name, row.start, row.mean, row.value, row.range, f"{parameter.step:g}", f"{row.steps:+.2f}")
        for row, parameter in zip(rows, header.parameters, strict=True)
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        + (f"  {sparkline(tuning, number - 1, SPARKLINE_WIDTH)}" if number else "  course")
        for number, row in enumerate(cells)
    ]
    results = ", ".join(f"{result:+d}: {count}" for result, count in sorted(tuning.pair_results.items()))
    games = tuning.games
    mean_plies = f", {tuning.plies / games:.1f} plies on average" if games else ""
    lines += [
        "",
        f"iteration {tuning.spsa.iteration} of {header.iterations}, {games} games{mean_plies}, {tuning.faults} faults",
        f"results of pairs for the perturbed engine: {results or 'none'}",
        describe_approach(header),
        "",
        *(
            f"{kind}: {text}" if "\n" not in text else f"{kind}:\n{text}"
            for kind, text in option_strings(tuning).items()
        ),
    ]
    return "\n".join(lines) + "\n"


def format_tuning_file(tuning: Tuning) -> str:
    """Format a tuning file (TOML) with the options as they were given and the values that the tuning has reached."""
    header = tuning.header
    lines = [f"# {header.engine} after {tuning.spsa.iteration} of {header.iterations} iterations"]
    options = dict(header.options)
    engine = str(options.pop("engine"))
    lines.append(f"engine = {_format_toml(engine)}")
    lines += [f"{_format_key(name)} = {_format_toml(value)}" for name, value in options.items()]
    lines += ["", "[parameters]"]
    for parameter, value in zip(header.parameters, tuning.spsa.values, strict=True):
        start = structs.replace(parameter, value=_final_value(parameter, value))
        numbers = ", ".join(
            f"{key} = {_format_toml(_to_number(start, key))}" for key in ("value", "min", "max", "step")
        )
        lines.append(f'{_format_key(start.name)} = {{{numbers}, type = "{start.type}"}}')
    return "\n".join(lines) + "\n"


def format_json(tuning: Tuning) -> str:
    """Format the result as JSON."""
    header = tuning.header
    parameters = [
        {
            **to_builtins(parameter),
            "tuned": _final_value(parameter, value),
            "mean": value,
            "steps": (value - parameter.value) / parameter.step,
        }
        for parameter, value in zip(header.parameters, tuning.spsa.values, strict=True)
    ]
    content = {
        "engine": header.engine,
        "game": header.match.game,
        "variant": header.match.variant,
        "iterations": tuning.spsa.iteration,
        "planned_iterations": header.iterations,
        "pairs": header.pairs,
        "games": tuning.games,
        "faults": tuning.faults,
        "seed": header.match.seed,
        "pair_results": {str(result): count for result, count in sorted(tuning.pair_results.items())},
        "parameters": parameters,
        "options": option_strings(tuning),
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def format_history(tuning: Tuning) -> str:
    """Format the values after each iteration as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    parameters = tuning.header.parameters
    writer.writerow(["iteration", "result", *(parameter.name for parameter in parameters)])
    writer.writerow([0, "", *(parameter.value for parameter in parameters)])
    writer.writerows([iteration.number, iteration.result, *iteration.values] for iteration in tuning.history)
    return text.getvalue()


def _format_mean(parameter: TunedParameter, value: float) -> str:
    """Return the value before rounding, with two digits after the point for an integer."""
    return f"{value:.2f}" if parameter.type == INT else parameter.format(value)


def _final_value(parameter: TunedParameter, value: float) -> float:
    """Return the value as the engine gets it."""
    return float(parameter.format(value))


def _to_number(parameter: TunedParameter, key: str) -> float:
    value: float = getattr(parameter, key)
    return int(value) if float(value).is_integer() else value


def _format_player(player: str, values: Mapping[str, str]) -> str:
    """Return the description of a player with these values in place of its own."""
    match = _PLAYER.fullmatch(player)
    name, parameters = match.groups("") if match else (player, "")
    parts = [part for part in parameters.split(",") if part]
    if not all("=" in part for part in parts):  # a value without a key: which option it sets is known to the game
        return ",".join((player, *(f"option.{name}={value}" for name, value in values.items())))
    names = {name.lower() for name in values}
    kept = [part for part in parts if part.partition("=")[0].strip().lower() not in names]
    return f"{name}:{','.join((*kept, *(f'{key}={value}' for key, value in values.items())))}"


def _format_gtp(name: str, value: str) -> str:
    group, _, key = name.rpartition(".")
    return f"param_{group} {key} {value}" if group else f"param_GROUP {key} {value}"


def _format_key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else json.dumps(name)


def _format_toml(value: OptionValue) -> str:
    """Format a value as TOML; its texts have the escapes of JSON."""
    if isinstance(value, list):
        return f"[{', '.join(map(_format_toml, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
