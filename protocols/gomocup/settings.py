"""What INFO lines set: limits, clock and player options. Nothing here answers, because INFO is never answered."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.play.options import Option, OptionError, Value
from core.play.player import Player
from protocols.gomocup.text import UNLIMITED_MS
from protocols.serving.session_player import clamp_value
from protocols.text import parse_number

USUAL_MEMORY = 367_001_600  # bytes, what Gomocup gives: 350 MiB
_DETAIL_REALTIME, _DETAIL_LINES = 1, 2  # bits of show_detail


@dataclass
class Settings:
    """Values of INFO keys; the defaults hold where a manager says nothing."""

    timeout_turn: int = 30_000  # ms a move; 0 asks for an answer at once
    timeout_match: int = 180_000  # ms a game; 0 for none
    max_memory: int | None = None  # bytes over all processes; 0 for no limit
    rule: int = 0  # bits: 1 exactly five, 2 continuous, 4 renju, 8 caro
    game_type: int = 1  # 0 human, 1 engine, 2 tournament, 3 network tournament
    time_increment: int = 0  # ms added after each move
    max_depth: int = 0  # plies; 0 or less for none, or more than a search reaches
    max_node: int = 0  # nodes; likewise
    show_detail: int = 0  # 1 realtime squares, 2 INFO-form lines, 3 both
    thread_num: int | None = None
    hash_size: int | None = None  # KB
    strength: int | None = None  # 0..100
    others: dict[str, str] = field(default_factory=dict)  # pairs of no key above; the player may have such an option

    def store(self, key: str, value: str) -> None:
        """Take one INFO pair; a value that is no whole number where its key wants one is ignored."""
        number = parse_number(value)
        if key.lower() not in _KEYS:
            self.others[key.lower()] = value
        elif number is not None:
            setattr(self, key.lower(), number)

    @property
    def wants_realtime(self) -> bool:
        """Whether `MESSAGE REALTIME` lines are asked for."""
        return self.show_detail in (_DETAIL_REALTIME, _DETAIL_REALTIME | _DETAIL_LINES)

    @property
    def wants_lines(self) -> bool:
        """Whether INFO-form thinking lines are asked for."""
        return self.show_detail in (_DETAIL_LINES, _DETAIL_REALTIME | _DETAIL_LINES)


_KEYS = frozenset(Settings.__dataclass_fields__) - {"others"}


@dataclass
class GameClock:
    """Time left in the game: what the manager said last, less what we thought since.

    Managers send `time_left` before each move, so nothing is subtracted; where one never does, the match limit counts.
    """

    told_ms: int | None = None
    used_ms: int = 0

    def tell(self, time_left_ms: int) -> None:
        """Take the manager's word."""
        self.told_ms, self.used_ms = time_left_ms, 0

    def spend(self, elapsed_ms: int) -> None:
        """Count our own thinking."""
        self.used_ms += elapsed_ms

    def new_game(self) -> None:
        """Forget the last game's clock. A time_left that came ahead of START and is unused belongs to the new game."""
        if self.used_ms:
            self.told_ms, self.used_ms = None, 0

    def left_ms(self, timeout_match: int) -> int | None:
        """Time left, maybe negative; None without a limit."""
        if self.told_ms is not None:
            return None if self.told_ms >= UNLIMITED_MS else self.told_ms - self.used_ms
        return timeout_match - self.used_ms if timeout_match > 0 else None


class PlayerOptions:
    """Carries settings over to the options that a player declares: by the protocol's words, else by their names."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._sent: dict[str, int | str] = {}
        self._has_memory, self._has_hash = self._is_given("memory"), self._is_given("hash")

    def apply(self, settings: Settings) -> list[str]:
        """Set what changed; return a sentence for each value that the player could not take as it came."""
        notes = []
        for name, value in self._wanted(settings).items():
            if name in self._player.options and self._sent.get(name) != value:
                self._sent[name] = value
                notes += self._set(self._player.options.get_option(name), value)
        return notes

    def _is_given(self, name: str) -> bool:
        """Whether an option of the player has been set, as on the command line."""
        options = self._player.options
        return name in options and options[name] != options.get_option(name).default

    def _wanted(self, settings: Settings) -> dict[str, int | str]:
        wanted = {name: _read_value(text) for name, text in settings.others.items()}
        if settings.max_memory is not None:
            wanted["memory"] = max(0, settings.max_memory)
        elif not self._has_memory and "memory" not in wanted:
            # GUIs that size the table themselves speak of no memory; Gomocup's limit would cut it without a word.
            is_sized = self._has_hash or "hash" in wanted or settings.hash_size is not None
            wanted["memory"] = 0 if is_sized else USUAL_MEMORY
        if settings.thread_num is not None:
            wanted["threads"] = settings.thread_num
        if settings.hash_size is not None:
            kilobytes = max(0, settings.hash_size)
            wanted["hash"] = max(1, kilobytes // 1024) if kilobytes else 0
        if settings.strength is not None and "level" in self._player.options:
            wanted["level"] = _level_of_strength(settings.strength, self._player.options.get_option("level"))
        return wanted

    def _set(self, option: Option, value: Value) -> list[str]:
        fitting = clamp_value(option, value)
        try:
            self._player.set_option(option.name, fitting)
        except OptionError as error:
            return [str(error)]
        return [f"{option.name} {value} is out of range, using {fitting}"] if fitting != value else []


def _read_value(text: str) -> int | str:
    number = parse_number(text)
    return text if number is None else number


def _level_of_strength(strength: int, option: Option) -> int:
    """Spread strength 0..100 over the levels that the player has."""
    if option.minimum is None or option.maximum is None:
        return strength
    share = min(max(strength, 0), 100) / 100
    return round(option.minimum + share * (option.maximum - option.minimum))
