"""What `pentad match` makes of its options."""

from __future__ import annotations

from arena.request.match import MatchRequest, configure_match


def test_matches_begun_at_once_have_folders_of_their_own() -> None:
    """Of two that a script began in one second, the second was refused: "another run is using runs/match-..."."""
    request = MatchRequest(engine=["player=random", "player=greedy"])
    assert configure_match(request).out != configure_match(request).out
