"""Check the proven scores that a search claims by a full-width search over the rules of the game.

A claim is a win (> 0) or loss (< 0) for the side to move within a number of plies. A distance claims more: that no win
is shorter and no loss is longer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from core.play.player import Decision, Limits, Player, Progress
from core.search.scores import win_distance


class Rules(Protocol):
    """A position that moves are played on and taken back from."""

    def moves(self, plies: int) -> Iterable[int]:
        """The legal moves in the order to try them; may leave out those that cannot win within this many plies."""

    def replies(self) -> Sequence[int]:
        """All legal moves; none where the game is over."""

    def play(self, move: int) -> None:
        """Play a legal move."""

    def undo(self) -> None:
        """Take the last move back."""

    def result(self) -> int | None:
        """1 where the side that has just moved has won, -1 where it has lost, 0 for a draw, None while play goes on."""

    def key(self) -> Hashable:
        """What the further game depends on."""


class OutOfPatienceError(Exception):
    """A proof that would take too long."""


class Prover:
    """Wins and losses within a number of plies, with all that was proven before kept."""

    def __init__(self, rules: Rules, patience: int) -> None:
        self.rules = rules
        self.patience = patience  # positions for each proof
        self._left = 0
        self._known: dict[tuple[Hashable, int], bool] = {}

    def holds(self, plies: int) -> bool | None:
        """Whether a claim is true; None where that cannot be told with the patience there is."""
        self._left = self.patience
        try:
            return self._wins(plies) if plies > 0 else self._loses(-plies)
        except OutOfPatienceError:
            return None

    def _wins(self, plies: int) -> bool:
        """Whether the side to move can win within so many plies."""
        key = (self.rules.key(), plies)
        if key not in self._known:
            self._known[key] = plies > 0 and any(self._wins_by(move, plies) for move in self.rules.moves(plies))
        return self._known[key]

    def _wins_by(self, move: int, plies: int) -> bool:
        self._left -= 1
        if self._left < 0:
            raise OutOfPatienceError
        self.rules.play(move)
        try:
            result = self.rules.result()
            return self._loses(plies - 1) if result is None else result > 0
        finally:
            self.rules.undo()

    def _loses(self, plies: int) -> bool:
        """Whether every move of the side to move lets the other one win within so many plies."""
        replies = self.rules.replies() if plies > 0 else ()
        return bool(replies) and all(self._loses_by(reply, plies) for reply in replies)

    def _loses_by(self, reply: int, plies: int) -> bool:
        self.rules.play(reply)
        try:
            result = self.rules.result()
            return self._wins(plies - 1) if result is None else result < 0
        finally:
            self.rules.undo()


class Claims(NamedTuple):
    """A player's decision, and what it has claimed on the way."""

    decision: Decision
    bounds: set[int]  # plies of the proven scores
    distances: set[int]  # plies that were told


def claims_of(player: Player, limits: Limits) -> Claims:
    """Let a player choose. Each of its reports agrees with itself about who wins."""
    reports: list[Progress] = []
    decision = player.choose(limits, reports.append)
    reports.append(decision.progress)
    bounds = [win_distance(each.score) for each in reports]
    for each, plies in zip(reports, bounds, strict=True):
        assert each.result == ("" if plies is None else "win" if plies > 0 else "loss")
        assert each.win_in in (None, plies)
    told = {each.win_in for each in reports if each.win_in is not None}
    return Claims(decision, {plies for plies in bounds if plies is not None}, told)


@dataclass
class Tally:
    """How many claims of each kind turned out how; claims of wins and losses are sorted by their plies."""

    positions: int = 0
    proven: Counter[int | str] = field(default_factory=Counter)
    open: Counter[int | str] = field(default_factory=Counter)  # too long to prove
    false: list[str] = field(default_factory=list)

    @property
    def told(self) -> set[str]:
        """The distances that were told and hold, as `note_distances` names them."""
        return {kind for kind in self.proven if isinstance(kind, str) and kind.startswith("told ")}

    def note(self, kind: int | str, holds: bool | None, position: str) -> None:
        """Count a claim of a position, which the text describes; None where it has not been proven either way."""
        if holds is False:
            self.false.append(f"{kind} claimed of {position}")
        else:
            (self.open if holds is None else self.proven)[kind] += 1


Proof = Callable[[int], bool | None]  # whether a claim is true, as of Prover.holds


def note_claims(tally: Tally, claims: Iterable[int], holds: Proof, position: str) -> None:
    """Count what a search has claimed of a position."""
    tally.positions += 1
    for plies in claims:
        tally.note(plies, holds(plies), position)


def note_distances(tally: Tally, distances: Iterable[int], holds: Proof, position: str) -> None:
    """Count what a search has told of distances. One is true where the same is not true of two plies less."""
    for plies in distances:
        less = abs(plies) - 2
        sooner = less > 0 and holds(less if plies > 0 else -less)
        tally.note(f"told {plies}", None if sooner is None else not sooner, position)
