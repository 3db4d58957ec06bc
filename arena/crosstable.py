"""The tables of a run as plain text: results, conduct, who against whom, and what the statistics say."""

from __future__ import annotations

from collections.abc import Sequence

from arena.ending import Ending
from arena.latency import BOUNDS_MS
from arena.rating import Ratings, Term
from arena.standing import EngineLine, Pairing, Standing

UNDEFINED = "n/a"
GAP = "  "
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


def format_tables(standing: Standing, ratings: Ratings | None) -> str:
    """All tables of a run; `ratings` where more than two engines play."""
    parts = [_format_results(standing, ratings), _format_conduct(standing), _format_clock(standing)]
    if ratings:
        parts += [_format_crosstable(standing), _format_ratings(ratings)]
    parts += ["\n".join(map(_format_pairs, pairings)) + "\n"] if (pairings := standing.pairings) else []
    return "\n".join(parts)


def format_score(standing: Standing) -> str:
    """How two engines stand, or the leaders of many, in a line."""
    if len(standing.engines) == 2:
        first, second = standing.engines
        return f"{first.name} {first.points:g} : {second.points:g} {second.name}"
    leaders = sort_engines(standing)[:3]
    return ", ".join(f"{line.name} {line.points:g}/{line.games}" for line in leaders)


def sort_engines(standing: Standing) -> list[EngineLine]:
    """The engines by their share of points; two stay as they were named."""
    if len(standing.engines) == 2:
        return list(standing.engines)
    return sorted(standing.engines, key=lambda line: -line.points / line.games if line.games else 0)


def format_share(line: EngineLine) -> str:
    """Points as a share of the games."""
    return f"{line.points / line.games:.1%}" if line.games else UNDEFINED


def format_elo(elo: float | None, error: float | None) -> str:
    """Elo with its error, or that there is none."""
    return UNDEFINED if elo is None else f"{elo:+.1f} ± {_format(error, '{:.1f}')}"


def format_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows in columns, the first to the left and all others to the right; each line ends with a line feed."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "".join(_format_row(row, widths) + "\n" for row in rows)


def _format_row(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
    return GAP.join(cells).rstrip()


def _format_results(standing: Standing, ratings: Ratings | None) -> str:
    rows: list[Sequence[str]] = [_RESULT_HEADINGS]
    for line in sort_engines(standing):
        counts = (line.games, line.won, line.drawn, line.lost)
        elo = _format_rating(ratings.engines[line.name]) if ratings else format_side(standing, line.name)
        rows.append((line.name, *map(str, counts), format_share(line), elo))
    return format_table(rows)


def format_side(standing: Standing, name: str) -> str:
    """Elo of one of two engines against the other."""
    if not standing.pairings:
        return UNDEFINED
    (pairing,) = standing.pairings
    summary = pairing.summary
    sign = 1 if pairing.names[0] == name else -1
    return format_elo(None if summary.elo is None else sign * summary.elo, summary.elo_error)


def _format_rating(term: Term | None) -> str:
    if term is None:
        return UNDEFINED
    return format_elo(term.elo, term.error) if term.error is not None else "0 (anchor)"


def _format_conduct(standing: Standing) -> str:
    rows = [("engine", *_FAULT_HEADINGS.values(), "mean ms", "max ms", "CPU ms")]
    for line in standing.engines:
        faults = (str(line.faults[ending]) for ending in _FAULT_HEADINGS)
        times = ((line.mean_ms, "{:.0f}"), (line.max_ms, "{}"), (line.cpu_ms, "{:.0f}"))
        rows.append((line.name, *faults, *(_format(value, form) for value, form in times)))
    return format_table(rows)


def _format_clock(standing: Standing) -> str:
    """How far beyond their limits answers came, what the runner itself took, and what engines did not report."""
    bounds = [f"to {bound} ms" for bound in BOUNDS_MS[1:]]
    own = ("own ms", "own p99", "untold ms", "untold max")
    rows = [("answers beyond limit", "none", *bounds, "more", "max ms", *own)]
    for line in standing.engines:
        latency = line.latency
        cells = [*map(str, latency.counts), _format(latency.max_over_ms, "{}")]
        cells += [_format(latency.own_ms, "{:.2f}"), _format(latency.own_p99_ms, "{:.2f}")]
        cells += [_format(latency.untold_ms, "{}"), _format(latency.max_untold_ms, "{}")]
        rows.append((line.name, *cells))
    return format_table(rows) + "".join(_explain_lateness(line) for line in standing.engines)


def _explain_lateness(line: EngineLine) -> str:
    """A line where more answers than one in a thousand were late by more than 10 ms, else nothing."""
    latency = line.latency
    late, answers = sum(latency.counts[2:]), sum(latency.counts)
    if late <= answers * USUAL_LATENESS:
        return ""
    own = latency.own_p99_ms
    was_held_up = own is not None and own > BOUNDS_MS[1]
    why = "the runner was held up as well" if was_held_up else "the runner was not held up, the engine answered late"
    return f"{line.name}: {late} of {answers} answers came more than {BOUNDS_MS[1]} ms beyond the limit; {why}\n"


def _format_crosstable(standing: Standing) -> str:
    """Points of the row's engine against the column's, of so many games."""
    lines = sort_engines(standing)
    points: dict[tuple[str, str], str] = {}
    for pairing in standing.pairings:
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
    first_move = ratings.first_move
    parts = [f"first move {format_elo(first_move.elo, first_move.error) if first_move else UNDEFINED} Elo"]
    parts.append(f"draws between equals {_format(ratings.draw_share, '{:.1%}')}")
    lines = ["ratings: Bradley-Terry, maximum likelihood; " + ", ".join(parts)]
    if ratings.left_out:
        lines.append(f"left out, because the results do not determine it: {', '.join(ratings.left_out)} term")
    if len(ratings.groups) > 1:
        groups = " | ".join(", ".join(group) for group in ratings.groups)
        lines.append(f"groups whose ratings do not compare: {groups}")
    return "\n".join(lines) + "\n"


def _format_pairs(pairing: Pairing) -> str:
    """Pair counts, worst first, and what they say about the first engine."""
    summary = pairing.summary
    counts = ", ".join(map(str, pairing.pair_counts))
    return (
        f"pairs of {pairing.names[0]} against {pairing.names[1]} (LL, LD, even, WD, WW): {counts}; "
        f"won to lost {_format(pairing.pair_ratio, '{:.2f}')}, split {_format(pairing.split_share, '{:.0%}')}, "
        f"drawn games {_format(pairing.draw_share, '{:.0%}')}, "
        f"nElo {format_elo(summary.normalized_elo, summary.normalized_error)}, "
        f"LOS {_format(summary.superiority, '{:.1%}')}"
    )


def _format(value: float | None, form: str) -> str:
    return UNDEFINED if value is None else form.format(value)
