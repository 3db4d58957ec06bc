"""The rules of a tournament: its format, and the numbers of engines, rounds and games.

A round robin and a gauntlet know all their pairings from the start. A Swiss and a knock-out are played by rounds: the
pairings of a round depend on the results of the rounds before it. An encounter is all games of two engines in a round.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.terms.plan import count_pairings, list_pairings
from arena.terms.settings import GAUNTLET, KNOCKOUT, ROUND_ROBIN, SWISS, RunSettings, TournamentFormat

DEFAULT_TIE_BREAK_GAMES = 4
TITLES: dict[TournamentFormat, str] = {  # for people
    "round-robin": "round robin",
    "gauntlet": "gauntlet",
    "swiss": "Swiss",
    "knockout": "knock-out",
}


@dataclass(frozen=True)
class TournamentRules:
    """The format of a run and its numbers, without defaults that depend on other settings."""

    format: TournamentFormat
    engine_count: int
    games: int  # per pairing, or per encounter without its tie-breaks
    gauntlet: int = 0  # the first N engines play the rest; 0 in other formats
    rounds: int = 0  # of a Swiss or knock-out
    tie_break_games: int = 0  # maximum number of further games of a drawn encounter of a knock-out

    @property
    def is_by_rounds(self) -> bool:
        """Whether the pairings of a round depend on the results of earlier rounds."""
        return self.format in (SWISS, KNOCKOUT)

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """Pairings of a round robin or gauntlet, as indices of engines."""
        return list_pairings(self.engine_count, self.gauntlet)

    @property
    def pairing_count(self) -> int:
        """Number of pairings of a round robin or gauntlet."""
        return count_pairings(self.engine_count, self.gauntlet)

    @property
    def planned(self) -> int:
        """Number of games of the whole run, without the tie-breaks of a knock-out."""
        if self.format == SWISS:
            return self.rounds * (self.engine_count // 2) * self.games
        if self.format == KNOCKOUT:
            return (self.engine_count - 1) * self.games
        return self.games * self.pairing_count

    @property
    def openings_per_round(self) -> int:
        """Number of openings reserved for a round: those of an encounter and of all its tie-breaks."""
        return (self.games + self.tie_break_games) // 2

    @property
    def games_with_new_openings(self) -> int:
        """Maximum number of games of one engine from different openings: of a pairing, or of all rounds."""
        return 2 * self.rounds * self.openings_per_round if self.is_by_rounds else self.games


class RulesError(ValueError):
    """Settings of a tournament contradict each other. The message begins with the name of the wrong field."""

    def __init__(self, field: str, problem: str) -> None:
        """`problem` continues the name of the field or of its option, such as `must be even, not 3`."""
        super().__init__(f"{field}: {problem}")
        self.field, self.problem = field, problem


def find_rules(settings: RunSettings, engine_count: int) -> TournamentRules:
    """Return the rules that settings describe, with all defaults; raise RulesError if they contradict each other."""
    chosen = settings.tournament_format or (GAUNTLET if settings.gauntlet else ROUND_ROBIN)
    if settings.gauntlet >= engine_count:
        limit = f"0..{engine_count - 1}, so that opponents are left"
        raise RulesError("gauntlet", f"must be {limit}, not {settings.gauntlet}")
    for field, value, wanted in (
        ("gauntlet", settings.gauntlet or None, GAUNTLET),
        ("rounds", settings.rounds, SWISS),
        ("tie_break_games", settings.tie_break_games, KNOCKOUT),
    ):
        if value is not None and chosen != wanted:
            raise RulesError(field, f"is for the format {wanted}, not {chosen}")
    if chosen in (ROUND_ROBIN, GAUNTLET):
        gauntlet = settings.gauntlet or int(chosen == GAUNTLET)
        return TournamentRules(chosen, engine_count, settings.games, gauntlet)
    if settings.games % 2:
        raise RulesError("games", f"must be even in the format {chosen}, not {settings.games}")
    if settings.sprt:
        raise RulesError("sprt", f"needs the format {ROUND_ROBIN}, not {chosen}")
    min_rounds = (engine_count - 1).bit_length()  # the base-2 logarithm, rounded up
    rounds = min_rounds if settings.rounds is None else settings.rounds
    if rounds < min_rounds:
        raise RulesError("rounds", f"must be {min_rounds} or more for {engine_count} engines, not {rounds}")
    tie_break_games = settings.tie_break_games
    if tie_break_games is None:
        tie_break_games = DEFAULT_TIE_BREAK_GAMES if chosen == KNOCKOUT else 0
    if tie_break_games % 2:
        raise RulesError("tie_break_games", f"must be even, not {tie_break_games}")
    return TournamentRules(chosen, engine_count, settings.games, 0, rounds, tie_break_games)
