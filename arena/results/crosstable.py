"""The tables of a run as plain text: results, conduct, who against whom, and what the statistics say."""

from __future__ import annotations

from collections.abc import Sequence

from arena.results.latency import BOUNDS_MS
from arena.results.ratings import Estimate, RatingInterval, Ratings
from arena.results.run_statistics import EngineStatistics, PairingStatistics, RunStatistics
from arena.statistics.elo import GAFFKE, Summary
from arena.terms.ending import Ending

UNDEFINED = "n/a"
GAP = "  "
WIDTH = 80  # of a table, so that no terminal breaks its rows
LEAST_NAME = 16  # characters that the first column keeps where all others leave it no more
USUAL_LATENESS = 0.001  # share of answers that come a little beyond the limit on an idle machine
_FAULT_HEADINGS = {
    Ending.TIME: "time losses",
    Ending.STALL: "stalls",
    Ending.DISCONNECT: "crashes",
    Ending.MEMORY: "memory",
    Ending.ILLEGAL: "illegal",
    Ending.REFUSED: "refused",
}
_RESULT_HEADINGS = ("engine", "games", "won", "drawn", "lost", "score", "Elo")
_TIME_HEADINGS = ("ms a move", "mean", "max", "CPU", "own", "own p99", "untold", "untold max")
_PAIRS_NOTE = "W, D, L: won, drawn, lost by the first; drawn: of games; split: each engine won once\n"
_GAFFKE_NOTE = "too few or one-sided for ±: 95 % bounds by Gaffke's method (Clopper-Pearson's)\n"
_RANGE_NOTE = "too one-sided for ±: 95 % bounds by likelihood, with a prior of a game half won\n"


def format_tables(statistics: RunStatistics, ratings: Ratings | None) -> str:
    """All tables of a run; `ratings` where more than two engines play."""
    parts = [format_results(statistics, ratings), _format_conduct(statistics), _format_clock(statistics)]
    if ratings:
        parts += [_format_crosstable(statistics), _format_ratings(ratings)]
    parts += [_format_pairs(statistics.pairings)] if statistics.pairings else []
    return "\n".join(parts)


def format_results(statistics: RunStatistics, ratings: Ratings | None) -> str:
    """Who has won how much, and how strong that makes each engine."""
    rows: list[Sequence[str]] = [_RESULT_HEADINGS]
    for line in rank_engines(statistics):
        counts = (line.games, line.won, line.drawn, line.lost)
        elo = format_rating(ratings.engines[line.name]) if ratings else format_elo_of(statistics, line.name)
        rows.append((line.name, *map(str, counts), format_score_share(line), elo))
    note = ""
    if ratings:
        note = _RANGE_NOTE if ratings.has_ranges else ""
    elif any(pairing.summary.interval == GAFFKE for pairing in statistics.pairings):
        note = _GAFFKE_NOTE
    return format_table(rows) + note


def format_score_line(statistics: RunStatistics) -> str:
    """How two engines stand, or the leaders of many, in a line."""
    if len(statistics.engines) == 2:
        first, second = statistics.engines
        return f"{first.name} {first.points:g} : {second.points:g} {second.name}"
    leaders = rank_engines(statistics)[:3]
    return ", ".join(f"{line.name} {line.points:g}/{line.games}" for line in leaders)


def rank_engines(statistics: RunStatistics) -> list[EngineStatistics]:
    """The engines by their share of points; two stay as they were named."""
    if len(statistics.engines) == 2:
        return list(statistics.engines)
    return sorted(statistics.engines, key=lambda line: -line.points / line.games if line.games else 0)


def format_score_share(line: EngineStatistics) -> str:
    """Points as a share of the games."""
    return f"{line.points / line.games:.1%}" if line.games else UNDEFINED


def format_elo(elo: float | None, error: float | None) -> str:
    """Elo with its error, or that there is none."""
    return UNDEFINED if elo is None or error is None else f"{elo:+.1f} ± {error:.1f}"


def format_range(low: float | None, high: float | None) -> str:
    """An interval of Elo that may have no end."""
    if low is None or high is None:
        return f"> {low:+.0f}" if low is not None else f"< {high:+.0f}" if high is not None else "open"
    return f"{low:+.0f} to {high:+.0f}"


def format_table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as text, the first column aligned to the left and the others to the right.

    Each line ends with a line feed and has up to WIDTH characters, unless a single cell is wider. Long names in the
    first column are cut, and columns that do not fit go into another table below.
    """
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    name_width = min(widths[0], max(LEAST_NAME, WIDTH - sum(len(GAP) + width for width in widths[1:])))
    names = [cut_middle(row[0], name_width) for row in rows]
    parts = []
    first = 1
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
    """The text, of more than `width` characters both ends: names often differ at their ends alone."""
    if len(text) <= width:
        return text
    tail = (width - 1) // 2
    return f"{text[: width - 1 - tail]}…{text[len(text) - tail :]}"


def _format_row(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
    return GAP.join(cells).rstrip()


def format_elo_of(statistics: RunStatistics, name: str) -> str:
    """Elo of one of two engines against the other."""
    if not statistics.pairings:
        return UNDEFINED
    (pairing,) = statistics.pairings
    return _format_summary(pairing.summary, 1 if pairing.names[0] == name else -1)


def _format_summary(summary: Summary, sign: int) -> str:
    """Elo with its error or its bounds, of the one side or, for a sign of -1, of the other."""
    if summary.elo is not None and summary.elo_half_width is not None:
        return format_elo(sign * summary.elo, summary.elo_half_width)
    low, high = (end if end is None else sign * end for end in (summary.elo_low, summary.elo_high)[::sign])
    return format_range(low, high)


def format_rating(rating: Estimate | RatingInterval | None) -> str:
    """A rating in Elo, or the interval of one whose results are one-sided."""
    if rating is None:
        return UNDEFINED
    if isinstance(rating, RatingInterval):
        return format_range(rating.low, rating.high)
    return format_elo(rating.elo, rating.half_width) if rating.half_width is not None else "0 (anchor)"


def _format_conduct(statistics: RunStatistics) -> str:
    rows: list[Sequence[str]] = [("engine", *_FAULT_HEADINGS.values())]
    for line in statistics.engines:
        rows.append((line.name, *(str(line.faults[ending]) for ending in _FAULT_HEADINGS)))
    return format_table(rows)


def _format_clock(statistics: RunStatistics) -> str:
    """How long answers took, how far beyond their limits they came, and what was not the engines' thinking."""
    bounds = [f"to {bound} ms" for bound in BOUNDS_MS[1:]]
    late: list[Sequence[str]] = [("answers beyond limit", "none", *bounds, "more", "max ms")]
    spent: list[Sequence[str]] = [_TIME_HEADINGS]
    for line in statistics.engines:
        latency = line.latency
        late.append((line.name, *map(str, latency.counts), _format(latency.max_over_ms, "{}")))
        cells = [_format(line.mean_ms, "{:.0f}"), _format(line.max_ms, "{}"), _format(line.cpu_ms, "{:.0f}")]
        cells += [_format(own, "{:.2f}") for own in (latency.own_ms, latency.own_p99_ms)]
        cells += [_format(untold, "{}") for untold in (latency.untold_ms, latency.max_untold_ms)]
        spent.append((line.name, *cells))
    explained = "".join(_explain_lateness(line) for line in statistics.engines)
    return f"{format_table(spent)}\n{format_table(late)}{explained}"


def _explain_lateness(line: EngineStatistics) -> str:
    """A line where more answers than one in a thousand were late by more than 10 ms, else nothing."""
    latency = line.latency
    late, answers = sum(latency.counts[2:]), sum(latency.counts)
    if late <= answers * USUAL_LATENESS:
        return ""
    own = latency.own_p99_ms
    if own is None:
        why = "whether the runner was held up was not measured"
    else:
        why = "the runner was held up as well" if own > BOUNDS_MS[1] else "the engine answered late, the runner did not"
    return f"{line.name}: {late} of {answers} answers came more than {BOUNDS_MS[1]} ms beyond the limit; {why}\n"


def _format_crosstable(statistics: RunStatistics) -> str:
    """Return the points of the engine of each row against that of each column, and their number of games."""
    lines = rank_engines(statistics)
    points: dict[tuple[str, str], str] = {}
    for pairing in statistics.pairings:
        first, second = pairing.names
        games = sum(pairing.game_counts)
        points[first, second] = f"{pairing.points:g}/{games}"
        points[second, first] = f"{games - pairing.points:g}/{games}"
    rows = [("", *(str(place) for place in range(1, len(lines) + 1)))]
    for place, line in enumerate(lines, 1):
        cells = ("-" if other is line else points.get((line.name, other.name), "") for other in lines)
        rows.append((f"{place} {line.name}", *cells))
    return format_table(rows)


def _format_ratings(ratings: Ratings) -> str:
    """What goes with the ratings: terms, and who compares with whom."""
    lines = ["ratings: Bradley-Terry, maximum likelihood"]
    if ratings.first_move:
        lines.append(f"first move: {format_elo(ratings.first_move.elo, ratings.first_move.half_width)} Elo")
    if ratings.draw_share is not None:
        lines.append(f"draws between equals: {ratings.draw_share:.1%}")
    if ratings.left_out:
        lines.append(f"left out, because the results do not determine it: {', '.join(ratings.left_out)} term")
    if len(ratings.groups) > 1:
        groups = " | ".join(", ".join(group) for group in ratings.groups)
        lines.append(f"groups whose ratings do not compare: {groups}")
    return "\n".join(lines) + "\n"


def _format_pairs(pairings: Sequence[PairingStatistics]) -> str:
    """Pair counts, worst first, and what they say about the first engine."""
    rows: list[Sequence[str]] = [("pairs", "LL", "LD", "even", "WD", "WW", "W:L", "split", "drawn", "nElo", "LOS")]
    for pairing in pairings:
        summary = pairing.summary
        shares = (_format(share, "{:.0%}") for share in (pairing.split_share, pairing.draw_share))
        nelo = format_elo(summary.normalized_elo, summary.normalized_half_width)
        cells = (*map(str, pairing.pentanomial), _format(pairing.pair_ratio, "{:.2f}"), *shares, nelo)
        rows.append((" - ".join(pairing.names), *cells, _format(summary.superiority, "{:.1%}")))
    return format_table(rows) + _PAIRS_NOTE


def _format(value: float | None, form: str) -> str:
    return UNDEFINED if value is None else form.format(value)
