"""Verification of the proven scores of a search by a full-width search over the rules of the game.

A claim is a number of plies: the side to move wins (> 0) or loses (< 0) within this many plies. A claimed distance is
exact: there is no shorter win, or no longer defence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from core.play.player import Decision, Limits, Player, Progress
from core.search.scores import win_distance


class Rules(Protocol):
    """A position of a game, for the full-width search."""

    def moves(self, plies: int) -> Iterable[int]:
        """Return legal moves in the order to try them; may omit moves that cannot win within `plies`."""

    def replies(self) -> Sequence[int]:
        """Return all legal moves, none if the game is over."""

    def play(self, move: int) -> None:
        """Play a legal move."""

    def undo(self) -> None:
        """Take the last move back."""

    def result(self) -> int | None:
        """Return 1 if the side that has just moved has won, -1 if it has lost, 0 for a draw, None during the game."""

    def key(self) -> Hashable:
        """Return a key of the position that is equal only for positions with the same continuations."""


class ProofTooLongError(Exception):
    """A proof needs too many positions."""


class Prover:
    """Proves or refutes claims; keeps results for later proofs."""

    def __init__(self, rules: Rules, max_positions: int) -> None:
        self.rules = rules
        self.max_positions = max_positions  # per proof
        self._positions_left = 0
        self._wins_by_key: dict[tuple[Hashable, int], bool] = {}  # (position, plies) -> whether the side to move wins

    def holds(self, plies: int) -> bool | None:
        """Return whether a claim is true, None if the proof needs more than `max_positions`."""
        self._positions_left = self.max_positions
        try:
            return self._wins(plies) if plies > 0 else self._loses(-plies)
        except ProofTooLongError:
            return None

    def _wins(self, plies: int) -> bool:
        """Return whether the side to move can win within `plies`."""
        key = (self.rules.key(), plies)
        if key not in self._wins_by_key:
            self._wins_by_key[key] = plies > 0 and any(self._wins_by(move, plies) for move in self.rules.moves(plies))
        return self._wins_by_key[key]

    def _wins_by(self, move: int, plies: int) -> bool:
        self._positions_left -= 1
        if self._positions_left < 0:
            raise ProofTooLongError
        self.rules.play(move)
        try:
            result = self.rules.result()
            return self._loses(plies - 1) if result is None else result > 0
        finally:
            self.rules.undo()

    def _loses(self, plies: int) -> bool:
        """Return whether the side to move loses within `plies`, whatever it plays."""
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
    """A player's decision, and the claims in the reports of its search."""

    decision: Decision
    bounds: set[int]  # claims of proven scores, plies
    distances: set[int]  # claimed distances, plies


def claims_of(player: Player, limits: Limits) -> Claims:
    """Let a player choose a move and return its claims; assert that each report is consistent."""
    reports: list[Progress] = []
    decision = player.choose(limits, reports.append)
    reports.append(decision.progress)
    bounds = [win_distance(report.score) for report in reports]
    for report, plies in zip(reports, bounds, strict=True):
        assert report.result == ("" if plies is None else "win" if plies > 0 else "loss")
        assert report.win_in in (None, plies)
    distances = {report.win_in for report in reports if report.win_in is not None}
    return Claims(decision, {plies for plies in bounds if plies is not None}, distances)


@dataclass
class Tally:
    """Counts of verified claims. The kind of a claim is its plies, or `distance PLIES` for a distance."""

    positions: int = 0
    proven: Counter[int | str] = field(default_factory=Counter)  # by kind
    open: Counter[int | str] = field(default_factory=Counter)  # by kind; the proof was too long
    false: list[str] = field(default_factory=list)  # descriptions

    @property
    def proven_distances(self) -> set[str]:
        """The kinds of the distances that were proven, such as `distance 3`."""
        return {kind for kind in self.proven if isinstance(kind, str) and kind.startswith("distance ")}

    def note(self, kind: int | str, holds: bool | None, position: str) -> None:
        """Count a claim. `holds` is the result of its proof, None for no result; `position` describes the position."""
        if holds is False:
            self.false.append(f"{kind} claimed in {position}")
        else:
            (self.open if holds is None else self.proven)[kind] += 1


Proof = Callable[[int], bool | None]  # such as Prover.holds


def note_claims(tally: Tally, claims: Iterable[int], holds: Proof, position: str) -> None:
    """Verify and count the claims that a search has made in a position."""
    tally.positions += 1
    for plies in claims:
        tally.note(plies, holds(plies), position)


def note_distances(tally: Tally, distances: Iterable[int], holds: Proof, position: str) -> None:
    """Verify and count claimed distances: no distance that is two plies shorter may be true.

    The distances must be among the claims that `note_claims` verifies.
    """
    for plies in distances:
        shorter = abs(plies) - 2
        is_shorter = shorter > 0 and holds(shorter if plies > 0 else -shorter)
        tally.note(f"distance {plies}", None if is_shorter is None else not is_shorter, position)
