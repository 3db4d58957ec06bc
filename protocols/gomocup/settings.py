"""The settings that a manager sends by INFO lines: limits, the clock and options of the player.

INFO has no answer, so warnings about bad values are returned to the session, which writes them later.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from core.play.options import Option, OptionError, Value
from core.play.player import Player
from protocols.gomocup.text import MAX_RULE, UNLIMITED_MS
from protocols.serving.session_player import clamp_value
from protocols.text import MAX_DIGITS, parse_large_number, parse_number, quote_argument

DEFAULT_MEMORY_BYTES = 367_001_600  # 350 MiB, the limit of Gomocup tournaments
_DETAIL_REALTIME, _DETAIL_LINES = 1, 2  # bits of show_detail


@dataclass
class Settings:
    """The values of the INFO keys. A field is named as its key, and has its default until the manager sends the key."""

    timeout_turn: int = 30_000  # ms per move; 0 asks for an answer at once
    timeout_match: int = 180_000  # ms per game; 0 for no limit
    max_memory: int | None = None  # bytes over all processes; 0 for no limit; None if it was not sent
    rule: int = 0  # bits: 1 exactly five, 2 continuous, 4 renju, 8 caro
    game_type: int = 1  # 0 human, 1 engine, 2 tournament, 3 network tournament
    time_increment: int = 0  # ms added after each move
    max_depth: int = 0  # plies; 0 or less, or a very large number, for no limit
    max_node: int = 0  # nodes; likewise
    show_detail: int = 0  # 1 for `MESSAGE REALTIME` lines, 2 for INFO lines about the search, 3 for both
    thread_num: int | None = None
    hash_size: int | None = None  # KiB
    strength: int | None = None  # 0..100
    others: dict[str, str] = field(default_factory=dict)  # all other keys, which may be options of the player

    def store(self, key: str, value: str) -> str:
        """Store one INFO pair; return a warning, or an empty text if the value is valid.

        If the key is a field of this class, a value that is not an integer is ignored, and so is a rule with unknown
        bits. Any other number out of range is replaced by the nearest allowed one.
        """
        name, number = key.lower(), parse_large_number(value)
        if name not in _KEYS:
            self.others[name] = value
            return ""
        if number is None:
            return bad_number_warning(name, value)
        if name == "rule" and parse_rule(value) is None:
            return f"INFO rule must be a whole number from 0 to {MAX_RULE}, not {value}"
        minimum, maximum = _BOUNDS.get(name, (number, number))
        clamped = min(max(number, minimum), maximum)
        setattr(self, name, clamped)
        return f"INFO {name} {value} is out of range, using {clamped}" if clamped != number else ""

    @property
    def wants_realtime(self) -> bool:
        """Return whether the manager wants `MESSAGE REALTIME` lines."""
        return self.show_detail in (_DETAIL_REALTIME, _DETAIL_REALTIME | _DETAIL_LINES)

    @property
    def wants_info_lines(self) -> bool:
        """Return whether the manager wants INFO lines about the search."""
        return self.show_detail in (_DETAIL_LINES, _DETAIL_REALTIME | _DETAIL_LINES)


_KEYS = frozenset(Settings.__dataclass_fields__) - {"others"}
# Key -> (smallest, largest value). Other keys allow any integer here; options of the player have their own limits.
_BOUNDS = {
    **dict.fromkeys(
        ("timeout_turn", "timeout_match", "time_increment", "max_memory", "hash_size"), (0, 10**MAX_DIGITS)
    ),
    "show_detail": (0, 3),
    "strength": (0, 100),
}


def parse_rule(text: str) -> int | None:
    """Return the value of `INFO rule`; None if the text is not an integer or has unknown bits."""
    rule = parse_number(text)
    return rule if rule is not None and 0 <= rule <= MAX_RULE else None


def bad_number_warning(key: str, value: str) -> str:
    """Return the warning about an INFO value that is not an integer."""
    return f"INFO {key} must be a whole number, not {quote_argument(value)}"


@dataclass
class GameClock:
    """The time left in the game: the manager's last `time_left` minus the player's thinking time since then.

    Most managers send `time_left` before each move, so that nothing is to be subtracted. If a manager never sends it,
    the thinking time is subtracted from `timeout_match`.
    """

    reported_ms: int | None = None  # the last `INFO time_left`; None if there was none
    used_ms: int = 0  # the player's thinking time since then, or in the whole game

    def set_time_left(self, time_left_ms: int) -> None:
        """Store the manager's `time_left`."""
        self.reported_ms, self.used_ms = time_left_ms, 0

    def add_used(self, elapsed_ms: int) -> None:
        """Add thinking time of the player."""
        self.used_ms += elapsed_ms

    def new_game(self) -> None:
        """Reset the clock, but keep a `time_left` after which no thinking time was added: it is for the new game."""
        if self.used_ms:
            self.reported_ms, self.used_ms = None, 0

    def left_ms(self, timeout_match: int) -> int | None:
        """Return the time left, which may be negative, or None if the game has no limit."""
        if self.reported_ms is not None:
            return None if self.reported_ms >= UNLIMITED_MS else self.reported_ms - self.used_ms
        return timeout_match - self.used_ms if timeout_match > 0 else None


class OptionForwarder:
    """Sets options of a player from INFO settings.

    Keys of the protocol are converted to common options: `max_memory` to `memory`, `hash_size` to `hash`, `thread_num`
    to `threads` and `strength` to `level`. Keys that are no field of `Settings` set the option of that name.
    """

    def __init__(self, player: Player) -> None:
        self._player = player
        self._applied: dict[str, int | str] = {}  # option -> value that was last set, or refused
        self._is_memory_given, self._is_hash_given = self._is_given("memory"), self._is_given("hash")

    def apply(self, settings: Settings) -> list[str]:
        """Set the options whose value has changed; return a warning for each value that was refused or clamped."""
        warnings = []
        for name, value in self._desired_values(settings).items():
            if name in self._player.options and self._applied.get(name) != value:
                self._applied[name] = value
                warnings += self._set(self._player.options.get_option(name), value)
        return warnings

    def _is_given(self, name: str) -> bool:
        """Return whether the player has the option and its value is not the default: the command line has set it."""
        options = self._player.options
        return name in options and options[name] != options.get_option(name).default

    def _desired_values(self, settings: Settings) -> dict[str, int | str]:
        """Return the values that the settings ask for, by name of the option, which the player may lack."""
        desired = {name: _parse_value(text) for name, text in settings.others.items()}
        if settings.max_memory is not None:
            desired["memory"] = settings.max_memory
        elif not self._is_memory_given and "memory" not in desired:
            # GUIs that set the hash size send no memory limit; the default limit would silently reduce the hash size.
            has_hash_size = self._is_hash_given or "hash" in desired or settings.hash_size is not None
            desired["memory"] = 0 if has_hash_size else DEFAULT_MEMORY_BYTES
        if settings.thread_num is not None:
            desired["threads"] = settings.thread_num
        if settings.hash_size is not None:
            desired["hash"] = max(1, settings.hash_size // 1024) if settings.hash_size else 0
        if settings.strength is not None and "level" in self._player.options:
            desired["level"] = _level_of_strength(settings.strength, self._player.options.get_option("level"))
        return desired

    def _set(self, option: Option, value: Value) -> list[str]:
        clamped = clamp_value(option, value)
        try:
            self._player.set_option(option.name, clamped)
        except OptionError as error:
            return [str(error)]
        return [f"{option.name} {value} is out of range, using {clamped}"] if clamped != value else []


def _parse_value(text: str) -> int | str:
    number = parse_large_number(text)
    return text if number is None else number


def _level_of_strength(strength: int, option: Option) -> int:
    """Map a strength of 0..100 linearly to the player's levels."""
    if option.minimum is None or option.maximum is None:
        return strength
    return round(option.minimum + strength / 100 * (option.maximum - option.minimum))
