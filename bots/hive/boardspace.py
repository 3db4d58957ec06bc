"""Games of boardspace.net: its SGF files are logs of clicks, from which the moves are gathered.

A player may put a tile down, take it up again and try elsewhere; what lies there at `Done` is the move. Where a tile
goes is read from column and row, for the reference that stands beside them is missing at times. The board alone tells
the result: what the file says of it is a sentence in some language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bots.hive.notation import TILE_NAMES
from bots.hive.position import HivePosition
from bots.hive.tiles import CELLS, MOVE_SHIFT, ORIGIN, PASS, STRIDE
from core.play.player import BadSetup, IllegalMove, Setup

_VARIANTS = {
    "hive": "Base",
    "hive-m": "Base+M",
    "hive-l": "Base+L",
    "hive-p": "Base+P",
    "hive-lm": "Base+ML",
    "hive-mp": "Base+MP",
    "hive-pm": "Base+MP",
    "hive-lp": "Base+LP",
    "hive-pl": "Base+LP",
    "hive-plm": "Base+MLP",
}
_DRAW_TALK = {"offerdraw", "acceptdraw", "declinedraw"}
_SETUP = re.compile(r"SU\[([^\]\s]+)[^\]]*\]")
_EVENT = re.compile(r"^;\s*P([01])\[\d+ ([^\]]*)\]", re.MULTILINE)
_ROW = re.compile(r"[0-9]{1,4}")
_ECHO = 40  # characters of what came that an error repeats
_PIECE = re.compile(r"([wb]?)([QSBGAMLP])(\d?)")


@dataclass
class BoardspaceGame:
    """A game as the file has it. `resigned` is the side that did, or None."""

    position: HivePosition
    resigned: int | None = None


@dataclass
class _Turn:
    """What a player has done since the last `Done`."""

    tile: int | None = None  # taken up last
    target: int | None = None  # cell that it lies on now
    is_pass: bool = False
    is_talk: bool = False


@dataclass
class _Reader:
    """A replay under way. `first` is column and row of the game's first tile, which are nowhere in particular."""

    position: HivePosition
    first: tuple[int, int] = (0, 0)
    turn: _Turn = field(default_factory=_Turn)

    def cell(self, column: str, row: str) -> int:
        """The kernels' cell of a column and row."""
        if len(column) != 1 or not _ROW.fullmatch(row):
            raise BadSetup(f"a column and row such as N 13 are wanted, not {column[:_ECHO]} {row[:_ECHO]}")
        a, b = ord(column), int(row)
        if not self.position.moves:  # the first tile, too, may be taken up again and put elsewhere
            self.first = a, b
        return (ORIGIN + a - self.first[0] - STRIDE * (b - self.first[1])) % CELLS

    def tile(self, name: str, colour: str) -> int:
        """Number of a piece, whose name may lack the colour and carry a 1 that ours does not have."""
        match = _PIECE.fullmatch(name)
        if match is None:
            raise BadSetup(f"a piece such as wB1 is wanted, not {name!r}")
        stem = (match[1] or colour) + match[2]
        for text in (stem + match[3], stem):
            if text in TILE_NAMES:
                return TILE_NAMES.index(text)
        raise BadSetup(f"there is no piece {name!r}")

    def take(self, words: list[str], player: int) -> None:
        """An event but `Done` and `Resign`."""
        word, *rest = words
        word, colour = word.lower(), "wb"[player]
        if word == "pick":
            self.turn.tile = self.tile(rest[2], rest[0].lower())
        elif word == "pickb":
            self.pick_up(rest)
        elif word in ("dropb", "pdropb"):
            if self.turn.tile is not None:
                colour = TILE_NAMES[self.turn.tile][0]
            self.put_down(self.tile(rest[0], colour), rest[1:])
        elif word in ("move", "pmove", "movedone", "pmovedone"):
            self.put_down(self.tile(rest[1], rest[0].lower()), rest[2:])
            if word.endswith("done"):
                self.finish(player)
        elif word == "pass":
            self.turn.is_pass = True
        elif word in _DRAW_TALK:
            self.turn.is_talk = True

    def pick_up(self, words: list[str]) -> None:
        """A tile of the board is taken up: the top one of its cell, or the one put there in this turn."""
        cell = self.cell(words[0], words[1])
        if cell != self.turn.target:
            top = self.position.state.top[cell]
            self.turn.tile = top if top >= 0 else None

    def put_down(self, tile: int, words: list[str]) -> None:
        """A tile is put on a cell."""
        self.turn.tile, self.turn.target = tile, self.cell(words[0], words[1])

    def finish(self, player: int) -> None:
        """The turn ends: play what lies there, or the pass that the click stands for."""
        turn, self.turn = self.turn, _Turn()
        if turn.tile is not None and turn.target is not None:
            self.play((turn.tile + 1) << MOVE_SHIFT | turn.target)
            return
        is_pass = turn.is_pass or (not turn.is_talk and player == self.position.to_move)
        if is_pass and self.position.legal_numbers() == [PASS]:
            self.play(PASS)

    def play(self, number: int) -> None:
        if number not in self.position.legal_numbers():
            raise IllegalMove(f"{TILE_NAMES[(number >> MOVE_SHIFT) - 1]} may not go there")
        self.position.play(self.position.format(number))


def read_game(text: str) -> BoardspaceGame:
    """Replay a file; raise BadSetup, naming the event where it goes wrong."""
    match = _SETUP.search(text)
    variant = _VARIANTS.get(match[1].lower()) if match else None
    if variant is None:
        raise BadSetup(f"a game of Hive is wanted, not {match[1] if match else 'a file without SU'!r}")
    reader = _Reader(HivePosition(Setup(variant=variant)))
    for event in _EVENT.finditer(text):
        player, words = int(event[1]), event[2].split()
        try:
            if words[0].lower() == "resign":
                return BoardspaceGame(reader.position, player)
            if words[0].lower() == "done":
                reader.finish(player)
            else:
                reader.take(words, player)
        except (BadSetup, IllegalMove, IndexError) as error:
            raise BadSetup(f"event {event[0].strip()[: 2 * _ECHO]!r}: {error}") from None
    return BoardspaceGame(reader.position)
