"""Draw the parameters of a tuning against the iteration with matplotlib (optional; the extra `studies`)."""

from __future__ import annotations

import math
from importlib.util import find_spec
from pathlib import Path

from arena.tune.log import Tuning

PANEL_WIDTH_IN, PANEL_HEIGHT_IN, DPI = 5.0, 2.6, 110  # of a parameter's diagram in inches, and pixels per inch
COLUMNS = 2
MAX_POINTS = 1000  # per curve; more cannot be told apart


def can_plot_tuning() -> bool:
    """Return whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def write_tuning_plot(path: Path, tuning: Tuning) -> None:
    """Write a PNG file with a diagram per parameter: its value after each iteration, and its start value dashed."""
    from matplotlib.figure import Figure

    parameters = tuning.header.parameters
    columns = min(COLUMNS, len(parameters))
    rows = math.ceil(len(parameters) / columns)
    figure = Figure(figsize=(PANEL_WIDTH_IN * columns, PANEL_HEIGHT_IN * rows), layout="constrained")
    figure.suptitle(f"SPSA of {tuning.header.engine}, {tuning.header.match.game}")
    panels = figure.subplots(rows, columns, squeeze=False).flatten()
    for panel in panels[len(parameters) :]:
        panel.set_visible(False)
    iterations = thin_out(len(tuning.history))
    for index, (panel, parameter) in enumerate(zip(panels, parameters, strict=False)):
        values = [tuning.history[number - 1].values[index] if number else parameter.value for number in iterations]
        panel.plot(iterations, values)
        panel.axhline(parameter.value, linestyle="--", linewidth=0.8, color="grey")
        panel.set(title=parameter.name, xlabel="iteration")
        panel.grid(visible=True, alpha=0.3)
    # Without the version of matplotlib, so that the same log gives the same bytes
    figure.savefig(path, dpi=DPI, format="png", metadata={"Software": None})


def thin_out(count: int) -> list[int]:
    """Return the iterations to draw, from 0 (the start) to `count`: all, or evenly spaced ones if they are too many."""
    stride = max(1, math.ceil(count / MAX_POINTS))
    numbers = list(range(0, count + 1, stride))
    return numbers if numbers[-1] == count else [*numbers, count]
