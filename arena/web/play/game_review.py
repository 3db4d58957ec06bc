"""The review of the play page's game, made in the background by the game's strongest player."""

from __future__ import annotations

import threading
from collections.abc import Callable

import msgspec

from arena.errors import CommandFailedError
from arena.game_files.stored_game import StoredGame
from arena.options.review import default_engine
from arena.review.files import make_stored_review
from arena.review.grades import PRESETS
from arena.review.moves import list_doubtful_plies, review_game
from arena.review.positions import (
    AnalysedPosition,
    ReviewInterruptedError,
    SearchSettings,
    search_positions,
    select_plies,
)
from arena.review.run import DOUBT_FACTOR
from arena.web.review.page import format_page
from core.native.machine import list_processors
from core.play.stop import StopToken

SECONDS_PER_POSITION = 0.5
PRESET = "club"


class ReviewProgress(msgspec.Struct, frozen=True):
    """How far the review of a game is."""

    plies: int  # moves of the reviewed game
    searched: int  # positions
    total: int
    is_ready: bool  # whether the page can be shown
    failure: str  # why the review failed; empty if it did not


class BackgroundReview:
    """A review that runs on a thread of its own. `notify` is called on that thread whenever `progress` changes."""

    def __init__(self, stored: StoredGame, notify: Callable[[], None]) -> None:
        self._stored = stored
        self._notify = notify
        self._stop = StopToken()
        self._searched: dict[int, AnalysedPosition] = {}
        self.page = ""  # HTML; empty until the review is ready
        self.progress = ReviewProgress(len(stored.moves), 0, len(stored.moves) + 1, is_ready=False, failure="")
        self._thread = threading.Thread(target=self._run, name="review", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop the review and wait for its end."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        stored = self._stored
        jobs = max(1, len(list_processors()) - 1)  # one processor stays free for the game that may go on
        settings = SearchSettings(default_engine(stored.game), time_s=SECONDS_PER_POSITION, jobs=jobs)
        try:
            search_positions(stored, settings, select_plies(stored, None, None, {}), self._on_searched, self._stop)
            doubtful = list_doubtful_plies(stored, self._searched)
            search_positions(stored, settings.enlarged(DOUBT_FACTOR), doubtful, self._on_searched, self._stop)
            review = review_game(stored, self._searched, PRESETS[PRESET])
            self.page = format_page(stored, make_stored_review(stored, settings, PRESET, self._searched, review))
            self._set_progress(is_ready=True)
        except ReviewInterruptedError:
            return
        except (CommandFailedError, MemoryError) as error:
            self._set_progress(failure=str(error))

    def _on_searched(self, position: AnalysedPosition) -> None:
        self._searched[position.ply] = position
        self._set_progress()

    def _set_progress(self, *, is_ready: bool = False, failure: str = "") -> None:
        total = len(self._stored.moves) + 1
        self.progress = ReviewProgress(total - 1, len(self._searched), total, is_ready, failure)
        self._notify()
