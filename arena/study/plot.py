"""Draws the charts of a study with matplotlib (optional; installed with the extra `studies`)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from arena.study.study import Chart, Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH_IN, HEIGHT_IN, DPI = 8.0, 4.5, 110  # size of each chart in inches, and pixels per inch
BAR_GROUP_WIDTH = 0.8  # width of all bars at one x value; 1 is the distance to the next x value


def can_plot() -> bool:
    """Return whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def write_plot(path: Path, title: str, charts: Sequence[Chart]) -> None:
    """Write a PNG file with the charts below each other, at least one."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH_IN, HEIGHT_IN * len(charts)), layout="constrained")
    figure.suptitle(title)
    for axes, chart in zip(figure.subplots(len(charts), squeeze=False)[:, 0], charts, strict=True):
        _draw(axes, chart)
    figure.savefig(path, dpi=DPI, format="png")


def _draw(axes: Axes, chart: Chart) -> None:
    axes.set(title=chart.title, xlabel=chart.x_label, ylabel=chart.y_label)
    if chart.bars:
        _draw_bars(axes, chart.curves)
    for curve in () if chart.bars else chart.curves:
        points = [(x, y) for x, y in zip(curve.xs, curve.ys, strict=True) if y is not None]
        axes.plot([x for x, _ in points], [y for _, y in points], _line_format(curve), label=curve.label)
    if chart.log_scale:
        axes.set_yscale("log")
    axes.grid(visible=True, alpha=0.3)
    if len(chart.curves) > 1:  # the chart's title names a single curve
        axes.legend(fontsize="small")


def _draw_bars(axes: Axes, curves: Sequence[Curve]) -> None:
    """Draw a group of bars, one per curve, at each x value that occurs in any curve."""
    x_values = list(dict.fromkeys(x for curve in curves for x in curve.xs))
    width = BAR_GROUP_WIDTH / max(1, len(curves))
    for index, curve in enumerate(curves):
        centres = [x_values.index(x) + (index - (len(curves) - 1) / 2) * width for x in curve.xs]
        heights = [0.0 if y is None else y for y in curve.ys]
        axes.bar(centres, heights, width, label=curve.label, hatch="//" if curve.is_paper else None)
    axes.set_xticks(range(len(x_values)), [str(x) for x in x_values], fontsize="small")


def _line_format(curve: Curve) -> str:
    """Return a matplotlib format string: crosses and dashes for figures of a paper, else dots and a solid line."""
    return "x--" if curve.is_paper else "o-"
