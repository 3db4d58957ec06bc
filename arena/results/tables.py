"""Format the tables of a run as plain text: results, faults, move times, crosstable, ratings and pair statistics.

They appear in `crosstable.txt` and in the report at the end of a run. The live display uses the functions for cells.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.results.latency import BOUNDS_MS
from arena.results.ratings import Estimate, RatingInterval, Ratings
from arena.results.run_statistics import EngineStatistics, PairingStatistics, RunStatistics
from arena.statistics.elo import GAFFKE, Summary
from arena.terms.ending import Ending

UNDEFINED = "n/a"
GAP = "  "  # between columns
WIDTH = 80  # characters of a table row, so that terminals do not wrap it
MIN_NAME_WIDTH = 16  # characters; the first column is not cut to less, however wide the others are
USUAL_LATE_FRACTION = 0.001  # of all answers; up to this share of them is a little late even on an idle machine
_FAULT_HEADINGS = {
    Ending.TIME: "time losses",
    Ending.STALL: "stalls",
    Ending.DISCONNECT: "crashes",
    Ending.MEMORY: "memory",
    Ending.ILLEGAL: "illegal",
    Ending.REFUSED: "refused",
}
_RESULT_HEADINGS = ("engine", "games", "won", "drawn", "lost", "score", "Elo")
_TIME_HEADINGS = ("ms per move", "mean", "max", "CPU", "overhead", "(p99)", "unreported", "(max)")
_PAIRS_NOTE = "W, D, L: first engine won, drew, lost; drawn: of all games; split: pairs won 1:1\n"
_GAFFKE_NOTE = "too few or too one-sided games for ±: 95 % bounds by Gaffke's method\n"
_RANGE_NOTE = "too one-sided for ±: 95 % bounds by likelihood, with one virtual drawn game as prior\n"


def format_tables(statistics: RunStatistics, ratings: Ratings | None) -> str:
    """Return all tables of a run; `ratings` is None if only two engines play."""
    parts = [format_results(statistics, ratings), _format_faults(statistics), _format_times(statistics)]
    if ratings:
        parts += [_format_crosstable(statistics), format_rating_model(ratings)]
    parts += [_format_pairs(statistics.pairings)] if statistics.pairings else []
    return "\n".join(parts)


def format_results(statistics: RunStatistics, ratings: Ratings | None) -> str:
    """Return the table of games won, drawn and lost, score and Elo, a row per engine."""
    rows: list[Sequence[str]] = [_RESULT_HEADINGS]
    for engine in rank_engines(statistics):
        counts = (engine.games, engine.won, engine.drawn, engine.lost)
        elo = format_engine_rating(ratings, engine.name) if ratings else format_pair_elo(statistics, engine.name)
        rows.append((engine.name, *map(str, counts), format_score_share(engine), elo))
    note = ""
    if ratings:
        note = _RANGE_NOTE if ratings.has_ranges else ""
    elif any(pairing.summary.interval == GAFFKE for pairing in statistics.pairings):
        note = _GAFFKE_NOTE
    return format_table(rows) + note


def format_score_line(statistics: RunStatistics) -> str:
    """Return the points of both engines, or of the best three if there are more, in one line of text."""
    if len(statistics.engines) == 2:
        first, second = statistics.engines
        return f"{first.name} {first.points:g} : {second.points:g} {second.name}"
    leaders = rank_engines(statistics)[:3]
    return ", ".join(f"{engine.name} {engine.points:g}/{engine.games}" for engine in leaders)


def rank_engines(statistics: RunStatistics) -> list[EngineStatistics]:
    """Return the engines by descending score; two engines keep the order of the command line."""
    if len(statistics.engines) == 2:
        return list(statistics.engines)
    return sorted(statistics.engines, key=lambda engine: -(engine.score or 0))


def format_score_share(engine: EngineStatistics) -> str:
    """Return the score of an engine (points per game) in percent."""
    return _format(engine.score, "{:.1%}")


def format_elo(elo: float | None, half_width: float | None, sign: str = "+") -> str:
    """Return Elo with half the width of its 95 % interval, such as `+12.3 ± 4.5`, or `UNDEFINED` if either is None.

    With an empty `sign`, positive numbers have none.
    """
    return UNDEFINED if elo is None or half_width is None else f"{elo:{sign}z.1f} ± {half_width:.1f}"


def format_range(low: float | None, high: float | None, sign: str = "+") -> str:
    """Return an Elo interval as text, such as `-20 to +35`; an end that is None is open, as in `at least -20`."""
    if low is not None and high is not None:
        return f"{low:{sign}.0f} to {high:{sign}.0f}"
    if low is not None:
        return f"at least {low:{sign}.0f}"
    return f"at most {high:{sign}.0f}" if high is not None else "open"


def format_table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as text, the first column aligned to the left and the others to the right.

    Each line ends with a line feed and has up to WIDTH characters, unless a single cell is wider. Long names in the
    first column are cut, and columns that do not fit go into another table below.
    """
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    name_width = min(widths[0], max(MIN_NAME_WIDTH, WIDTH - sum(len(GAP) + width for width in widths[1:])))
    names = [cut_middle(row[0], name_width) for row in rows]
    parts = []
    first = 1  # column; each part has the columns first..last-1 beside the names
    while first < len(widths):
        last, room = first, WIDTH - name_width
        while last < len(widths) and (room := room - len(GAP) - widths[last]) >= 0:
            last += 1
        last = max(last, first + 1)  # a single cell may be too wide
        chosen = [(name, *row[first:last]) for name, row in zip(names, rows, strict=True)]
        parts.append("".join(_format_row(row, [name_width, *widths[first:last]]) + "\n" for row in chosen))
        first = last
    return "\n".join(parts)


def cut_middle(text: str, width: int) -> str:
    """Return the text in up to `width` characters, its middle replaced by an ellipsis if it is longer.

    The names of two versions of an engine often differ only at their ends.
    """
    if len(text) <= width:
        return text
    tail = (width - 1) // 2
    return f"{text[: width - 1 - tail]}…{text[len(text) - tail :]}"


def _format_row(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
    return GAP.join(cells).rstrip()


def format_pair_elo(statistics: RunStatistics, name: str) -> str:
    """Return the Elo of engine `name` against its only opponent; a run of two engines has at most one pairing."""
    if not statistics.pairings:
        return UNDEFINED
    (pairing,) = statistics.pairings
    return _format_summary(pairing.summary, 1 if pairing.names[0] == name else -1)


def _format_summary(summary: Summary, sign: int) -> str:
    """Return Elo with ±, Elo and its interval, or bounds: of the first engine if `sign` is 1, of the second if -1."""
    if summary.is_symmetric:
        return format_elo(sign * (summary.elo or 0), summary.elo_half_width)
    low, high = (end if end is None else sign * end for end in (summary.elo_low, summary.elo_high)[::sign])
    bounds = format_range(low, high)
    return bounds if summary.elo is None or summary.interval == GAFFKE else f"{sign * summary.elo:+.1f} ({bounds})"


def format_engine_rating(ratings: Ratings, name: str) -> str:
    """Return the rating of an engine; positive numbers have no sign if there are anchors."""
    return format_rating(ratings.engines[name], "" if ratings.anchors else "+", is_anchor=name in ratings.anchors)


def format_rating(rating: Estimate | RatingInterval | None, sign: str = "+", *, is_anchor: bool = False) -> str:
    """Return a rating in Elo with ±, or its interval if the results are too one-sided for an estimate.

    An anchor, whose rating is fixed, is such as `2300 (anchor)`. An engine that is alone in its reference, so that the
    others are compared to it, is `0 (reference)`. An engine without games is UNDEFINED.
    """
    if rating is None:
        return UNDEFINED
    if isinstance(rating, RatingInterval):
        return format_range(rating.low, rating.high, sign)
    if rating.half_width is None:
        return f"{rating.elo:g} ({'anchor' if is_anchor else 'reference'})"
    return format_elo(rating.elo, rating.half_width, sign)


def _format_faults(statistics: RunStatistics) -> str:
    """Return the table of games that engines lost by their own fault."""
    rows: list[Sequence[str]] = [("engine", *_FAULT_HEADINGS.values())]
    for engine in statistics.engines:
        rows.append((engine.name, *(str(engine.faults[ending]) for ending in _FAULT_HEADINGS)))
    return format_table(rows)


def _format_times(statistics: RunStatistics) -> str:
    """Return a table of move times and overhead, one of answers beyond their limits, and a line per late engine."""
    bounds = [f"to {bound} ms" for bound in BOUNDS_MS[1:]]
    late: list[Sequence[str]] = [("answers beyond limit", "none", *bounds, "more", "max ms")]
    times: list[Sequence[str]] = [_TIME_HEADINGS]
    for engine in statistics.engines:
        latency = engine.latency
        late.append((engine.name, *map(str, latency.counts), _format(latency.max_over_ms, "{}")))
        cells = [_format(engine.mean_ms, "{:.0f}"), _format(engine.max_ms, "{}"), _format(engine.cpu_ms, "{:.0f}")]
        cells += [_format(overhead_ms, "{:.2f}") for overhead_ms in (latency.overhead_ms, latency.overhead_p99_ms)]
        cells += [_format(unreported_ms, "{}") for unreported_ms in (latency.unreported_ms, latency.max_unreported_ms)]
        times.append((engine.name, *cells))
    explanations = "".join(_explain_lateness(engine) for engine in statistics.engines)
    return f"{format_table(times)}\n{format_table(late)}{explanations}"


def _explain_lateness(engine: EngineStatistics) -> str:
    """Return a line of text if more answers than usual were over 10 ms late, else an empty string."""
    latency = engine.latency
    late, answers = sum(latency.counts[2:]), sum(latency.counts)  # the bins beyond BOUNDS_MS[1], and all
    if late <= answers * USUAL_LATE_FRACTION:
        return ""
    overhead_ms = latency.overhead_p99_ms
    if overhead_ms is None:
        why = "whether the runner was held up was not measured"
    elif overhead_ms > BOUNDS_MS[1]:
        why = "the runner was held up as well"
    else:
        why = "the engine answered late, the runner did not"
    return f"{engine.name}: {late} of {answers} answers came more than {BOUNDS_MS[1]} ms beyond the limit; {why}\n"


def _format_crosstable(statistics: RunStatistics) -> str:
    """Return a row and a column per engine; cells are points of the row's engine and number of games, as in `3.5/8`."""
    ranked = rank_engines(statistics)
    texts: dict[tuple[str, str], str] = {}  # by names of the row's and the column's engine
    for pairing in statistics.pairings:
        first, second = pairing.names
        games = sum(pairing.game_counts)
        texts[first, second] = f"{pairing.points:g}/{games}"
        texts[second, first] = f"{games - pairing.points:g}/{games}"
    rows = [("", *(str(rank) for rank in range(1, len(ranked) + 1)))]
    for rank, engine in enumerate(ranked, 1):
        cells = ("-" if other is engine else texts.get((engine.name, other.name), "") for other in ranked)
        rows.append((f"{rank} {engine.name}", *cells))
    return format_table(rows)


def format_rating_model(ratings: Ratings) -> str:
    """Return the other parameters of the rating model and the groups of engines that it can compare."""
    zero = f"fixed: {', '.join(ratings.anchors)}" if ratings.anchors else "mean 0"
    lines = [f"ratings: Bradley-Terry, maximum likelihood, {zero}"]
    if ratings.first_move:
        lines.append(f"first move: {format_elo(ratings.first_move.elo, ratings.first_move.half_width)} Elo")
    if ratings.draw_share is not None:
        lines.append(f"draws between equals: {ratings.draw_share:.1%}")
    if ratings.left_out:
        lines.append(f"not estimated, because the results do not determine it: {', '.join(ratings.left_out)}")
    if len(ratings.groups) > 1:
        groups = " | ".join(", ".join(group) for group in ratings.groups)
        lines.append(f"groups whose ratings do not compare: {groups}")
    return "\n".join(lines) + "\n"


def _format_pairs(pairings: Sequence[PairingStatistics]) -> str:
    """Return a row per pairing of engines: the number of pairs of games by result, worst for the first engine first."""
    rows: list[Sequence[str]] = [("pairs", "LL", "LD", "even", "WD", "WW", "W:L", "split", "drawn", "nElo", "LOS")]
    for pairing in pairings:
        summary = pairing.summary
        shares = (_format(share, "{:.0%}") for share in (pairing.split_share, pairing.draw_share))
        nelo = format_elo(summary.normalized_elo, summary.normalized_half_width)
        cells = (*map(str, pairing.pentanomial), _format(pairing.pair_ratio, "{:.2f}"), *shares, nelo)
        rows.append((" - ".join(pairing.names), *cells, _format(summary.superiority, "{:.1%}")))
    return format_table(rows) + _PAIRS_NOTE


def _format(value: float | None, template: str) -> str:
    """Return the value in a template of `str.format`, or UNDEFINED if it is None."""
    return UNDEFINED if value is None else template.format(value)
