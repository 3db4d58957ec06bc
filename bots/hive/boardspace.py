"""Reads games from boardspace.net, whose SGF files record the players' clicks instead of moves.

An example of the events of two turns, with player, event number and click:

    ; P0[1 Pick W 6 wL1]
    ; P0[2 Dropb wL1 N 13 .]
    ; P0[3 Done]
    ; P1[4 Move B bG1 M 12 /wL]
    ; P1[5 Done]

A player may drop a tile, pick it up again and drop it elsewhere; the last drop before `Done` is the move. Targets are
read from column and row (`N 13`), because the reference after them (`/wL`) is sometimes missing. The result is taken
from the board: in the file it is a sentence in the language of the players.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bots.hive.notation import TILE_NAMES
from bots.hive.position import HivePosition
from bots.hive.tiles import CELLS, MOVE_SHIFT, PASS, START_CELL, STRIDE
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
_DRAW_EVENTS = {"offerdraw", "acceptdraw", "declinedraw"}
_SETUP = re.compile(r"SU\[([^\]\s]+)[^\]]*\]")
_EVENT = re.compile(r"^;\s*P([01])\[\d+ ([^\]]*)\]", re.MULTILINE)
_NAME = re.compile(r'^P([01])\[id "([^"]*)"', re.MULTILINE)
_ROW = re.compile(r"[0-9]{1,4}")
_MAX_QUOTED = 40  # characters of the input that an error message quotes
_PIECE = re.compile(r"([wb]?)([QSBGAMLP])(\d?)")


@dataclass
class BoardspaceGame:
    """A game read from a file. `resigned` is the side that resigned (0 white, 1 black), or None."""

    position: HivePosition
    names: tuple[str, str]  # of white and black
    resigned: int | None = None
    problem: str = ""  # why the events after the position were not replayed; empty if all were


@dataclass
class _Turn:
    """The clicks since the last `Done`."""

    tile: int | None = None  # picked last
    target: int | None = None  # cell where it was dropped last
    is_pass: bool = False
    is_draw_event: bool = False


@dataclass
class _Replay:
    """The state of a replay."""

    position: HivePosition
    first_square: tuple[int, int] = (0, 0)  # column and row of the game's first tile, which becomes START_CELL
    turn: _Turn = field(default_factory=_Turn)

    def parse_cell(self, column: str, row: str) -> int:
        """Return the cell code of a column and row; raise BadSetup if they are malformed."""
        if len(column) != 1 or not _ROW.fullmatch(row):
            raise BadSetup(f"expected a column and row such as N 13, not {column[:_MAX_QUOTED]} {row[:_MAX_QUOTED]}")
        x, y = ord(column), int(row)
        if not self.position.moves:  # again for each drop: the first tile, too, may be picked up again
            self.first_square = x, y
        return (START_CELL + x - self.first_square[0] - STRIDE * (y - self.first_square[1])) % CELLS

    def parse_tile(self, name: str, colour: str) -> int:
        """Return the number of a piece; raise BadSetup if there is none.

        The name may lack the colour, and may have a number where UHP has none (`wL1` is wL).
        """
        match = _PIECE.fullmatch(name)
        if match is None:
            raise BadSetup(f"expected a piece such as wB1, not {name!r}")
        stem = (match[1] or colour) + match[2]
        for text in (stem + match[3], stem):
            if text in TILE_NAMES:
                return TILE_NAMES.index(text)
        raise BadSetup(f"there is no piece {name!r}")

    def handle_event(self, words: list[str], player: int) -> None:
        """Handle an event other than `Done` and `Resign`. `words` are its name and arguments."""
        word, *rest = words
        word, colour = word.lower(), "wb"[player]
        if word == "pick":
            self.turn.tile = self.parse_tile(rest[2], rest[0].lower())
        elif word == "pickb":
            self.pick_up(rest)
        elif word in ("dropb", "pdropb"):
            if self.turn.tile is not None:
                colour = TILE_NAMES[self.turn.tile][0]
            self.put_down(self.parse_tile(rest[0], colour), rest[1:])
        elif word in ("move", "pmove", "movedone", "pmovedone"):
            self.put_down(self.parse_tile(rest[1], rest[0].lower()), rest[2:])
            if word.endswith("done"):
                self.finish(player)
        elif word == "pass":
            self.turn.is_pass = True
        elif word in _DRAW_EVENTS:
            self.turn.is_draw_event = True

    def pick_up(self, words: list[str]) -> None:
        """Handle picking up a tile from the board: the top tile of the cell, or the one dropped there in this turn."""
        cell = self.parse_cell(words[0], words[1])
        if cell != self.turn.target:
            top = self.position.state.top[cell]
            self.turn.tile = top if top >= 0 else None

    def put_down(self, tile: int, words: list[str]) -> None:
        """Handle dropping a tile on a cell."""
        self.turn.tile, self.turn.target = tile, self.parse_cell(words[0], words[1])

    def finish(self, player: int) -> None:
        """End the turn: play the tile that was dropped, or a pass if that is the only legal move."""
        turn, self.turn = self.turn, _Turn()
        if turn.tile is not None and turn.target is not None:
            self.play((turn.tile + 1) << MOVE_SHIFT | turn.target)
            return
        is_pass = turn.is_pass or (not turn.is_draw_event and player == self.position.to_move)
        if is_pass and self.position.legal_numbers() == [PASS]:
            self.play(PASS)

    def play(self, number: int) -> None:
        """Play a move by its code; raise IllegalMove."""
        if number not in self.position.legal_numbers():
            raise IllegalMove(f"{TILE_NAMES[(number >> MOVE_SHIFT) - 1]} may not go there")
        self.position.play(self.position.format(number))


def replay_game(text: str) -> BoardspaceGame:
    """Replay the text of a file up to the first event that is not possible; raise BadSetup if it is no game of Hive."""
    match = _SETUP.search(text)
    variant = _VARIANTS.get(match[1].lower()) if match else None
    if variant is None:
        raise BadSetup(f"expected a Hive game, not {match[1] if match else 'a file without SU'!r}")
    replay = _Replay(HivePosition(Setup(variant=variant)))
    ids = dict(_NAME.findall(text))
    names = ids.get("0", ""), ids.get("1", "")
    for event in _EVENT.finditer(text):
        player, words = int(event[1]), event[2].split()
        try:
            if words[0].lower() == "resign":
                return BoardspaceGame(replay.position, names, player)
            if words[0].lower() == "done":
                replay.finish(player)
            else:
                replay.handle_event(words, player)
        except (BadSetup, IllegalMove, IndexError) as error:
            problem = f"event {event[0].strip()[: 2 * _MAX_QUOTED]!r}: {error}"
            return BoardspaceGame(replay.position, names, problem=problem)
    return BoardspaceGame(replay.position, names)


def read_game(text: str) -> HivePosition:
    """Return the position at the end of the game in a file's text; raise BadSetup naming an event that does not fit.

    The end is a resignation, or else the end of the file.
    """
    game = replay_game(text)
    if game.problem:
        raise BadSetup(game.problem)
    return game.position
