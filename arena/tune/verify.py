"""Play the tuned values of a tuning against its start values, with openings that the tuning has not played."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from msgspec import structs

from arena.engines.spec import EngineSpec
from arena.errors import UsageError
from arena.run.config import MatchConfig
from arena.statistics.sprt import Sprt, parse_sprt
from arena.terms.arguments import choose_book
from arena.terms.openings import OpeningBook
from arena.terms.plan import derive_seed
from arena.tune.config import TuneConfig, unused_openings
from arena.tune.events import Values
from arena.tune.log import Tuning
from arena.tune.pairs import format_values

FOLDER = "verify"  # of the match, in the folder of the tuning, by default
TUNED, START = "tuned", "start"  # names of the engines
NO_SPRT = "none"  # in place of a sequential test: play all games


def parse_verification_sprt(option: str, text: str) -> Sprt | None:
    """Return the sequential test, or None for `none`; raise UsageError, which names the option."""
    if text == NO_SPRT:
        return None
    try:
        return parse_sprt(text)
    except ValueError as error:
        raise UsageError(f"{option}: {error}") from None


def is_unchanged(config: TuneConfig, tuning: Tuning) -> bool:
    """Return whether the tuned values, as the engine gets them, are the start values."""
    start = tuple(parameter.value for parameter in config.parameters)
    return format_values(config.parameters, start) == format_values(config.parameters, tuning.spsa.values)


def configure_verification(
    config: TuneConfig,
    tuning: Tuning,
    games: int,
    sprt: Sprt | None,
    openings: Path | None = None,
    *,
    seed: int | None = None,
    out: Path | None = None,
) -> MatchConfig:
    """Return the match of the tuned values against the start values; raise UsageError.

    Its seed is by default derived from that of the tuning, and its folder is in that of the tuning. Its openings are
    those of the file `openings` that the tuning has not played, or else those that it left out.
    """
    if not tuning.is_finished:
        raise UsageError(f"{config.match.out}: the tuning is not finished; `pentad resume` continues it")
    start = tuple(parameter.value for parameter in config.parameters)
    if is_unchanged(config, tuning):
        raise UsageError(f"{config.match.out}: all tuned values equal the start values: there is nothing to verify")
    return structs.replace(
        config.match,
        games=games,
        sprt=sprt,
        engines=(_make_engine(config, TUNED, tuning.spsa.values), _make_engine(config, START, start)),
        out=out or config.match.out / FOLDER,
        book=_choose_openings(config, tuning, openings),
        seed=derive_seed(config.match.seed, 0) if seed is None else seed,  # games of the tuning count from 1
    )


def _make_engine(config: TuneConfig, name: str, values: Values) -> EngineSpec:
    """Return the engine with these values as options, which replace options of the same names."""
    spec = config.match.engines[0]
    texts = format_values(config.parameters, values)
    names = {parameter.lower() for parameter in texts}
    kept = tuple((key, value) for key, value in spec.options if key.lower() not in names)
    return replace(spec, name=name, options=(*kept, *texts.items()))


def _choose_openings(config: TuneConfig, tuning: Tuning, openings: Path | None) -> OpeningBook:
    match = config.match
    if openings:
        book = choose_book(openings, match.game, match.setup)
        return replace(book, lines=unused_openings(book, match.book, "--openings"))
    if config.held_out:
        return replace(match.book, lines=config.held_out, source=f"{match.book.source}, left out by the tuning")
    if not len(match.book):
        return match.book
    dealer = match.dealer
    played = {match.book.moves(dealer.deal(number)[0]) for number in range(1, tuning.games // 2 + 1)}
    unused = tuple(line for line in dict.fromkeys(match.book.lines) if line not in played)
    if not unused:
        raise UsageError(f"--openings is missing: the tuning has played all openings of {match.book.source}")
    return replace(match.book, lines=unused)
