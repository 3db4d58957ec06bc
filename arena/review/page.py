"""The page of a reviewed game: one HTML file that needs nothing else."""

from __future__ import annotations

from pathlib import Path

from arena.game_files.stored_game import StoredGame
from arena.review.files import StoredReview

PAGE_NAME = "review.html"


def write_page(directory: Path, stored: StoredGame, content: StoredReview) -> Path:
    """Write the page of a review and return its path."""
    return directory
