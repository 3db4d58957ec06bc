"""Reads games of boardspace.net from SGF files, which record the players' clicks instead of moves.

An example of the events of two turns, with player, event number and click:

    ; P0[1 Pick W 6 wL1]
    ; P0[2 Dropb wL1 N 13 .]
    ; P0[3 Done]
    ; P1[4 Move B bG1 M 12 /wL]
    ; P1[5 Done]

P0 is white, P1 black. A player may drop a tile, pick it up again and drop it elsewhere; the last drop before `Done` is
the move. Targets are read from column and row (`N 13`), because the reference after them (`/wL`) is sometimes missing.
The result in the file is a sentence in the language of the players, so it is not read; the final position shows it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bots.hive.notation import TILE_NAMES
from bots.hive.position import HivePosition
from bots.hive.tiles import CELLS, MOVE_SHIFT, PASS, START_CELL, STRIDE
from core.play.player import BadSetup, IllegalMove, Setup

_VARIANTS = {  # game type (bots/hive/notation.py) by the game's name in the SGF property SU
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
_SETUP = re.compile(r"SU\[([^\]\s]+)[^\]]*\]")  # game name
_EVENT = re.compile(r"^;\s*P([01])\[\d+ ([^\]]*)\]", re.MULTILINE)  # player, click
_NAME = re.compile(r'^P([01])\[id "([^"]*)"', re.MULTILINE)  # player, name
_ROW = re.compile(r"[0-9]{1,4}")
_MAX_QUOTED = 40  # characters of the input that an error message quotes
_PIECE = re.compile(r"([wb]?)([QSBGAMLP])(\d?)")  # colour, kind, number


@dataclass
class BoardspaceGame:
    """A game read from a file. `resigned` is the side that resigned (0 white, 1 black), or None."""

    position: HivePosition
    names: tuple[str, str]  # of white and black
    resigned: int | None = None
    problem: str = ""  # why the events after the position were not replayed; empty if all were


@dataclass
class _Turn:
    """The turn that the clicks since the last `Done` amount to. Tiles and cells are codes of bots/hive/tiles.py."""

    tile: int | None = None  # picked last
    target: int | None = None  # cell where it was dropped last
    is_pass: bool = False  # True after `Pass`
    is_draw_event: bool = False  # True after an event of _DRAW_EVENTS


@dataclass
class _Replay:
    """The state of a replay: the position before the current turn, and the clicks of that turn."""

    position: HivePosition
    # Column (character code of its letter) and row of the game's first tile, whose cell here is START_CELL.
    first_square: tuple[int, int] = (0, 0)
    turn: _Turn = field(default_factory=_Turn)

    def parse_cell(self, column: str, row: str) -> int:
        """Return the cell code of a column and row; raise BadSetup if they are malformed."""
        if len(column) != 1 or not _ROW.fullmatch(row):
            raise BadSetup(f"expected a column and row such as N 13, not {column[:_MAX_QUOTED]} {row[:_MAX_QUOTED]}")
        x, y = ord(column), int(row)
        if not self.position.moves:  # at each drop of the first turn, because the tile may be picked up again
            self.first_square = x, y
        return (START_CELL + x - self.first_square[0] - STRIDE * (y - self.first_square[1])) % CELLS

    def parse_tile(self, name: str, colour: str) -> int:
        """Return the number of the tile with a name; raise BadSetup if there is none.

        The name may lack the colour; `colour` is used then. It may have a number that our names omit (`wL1` is wL).
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
        """Handle an event other than `Done` and `Resign`; ignore unknown ones. `words` are its name and arguments."""
        word, *arguments = words
        word, colour = word.lower(), "wb"[player]
        if word == "pick":  # from the hand: W 6 wL1
            self.turn.tile = self.parse_tile(arguments[2], arguments[0].lower())
        elif word == "pickb":  # from the board: N 13 wL1
            self.pick_up(arguments)
        elif word in ("dropb", "pdropb"):  # wL1 N 13 .
            if self.turn.tile is not None:
                colour = TILE_NAMES[self.turn.tile][0]
            self.put_down(self.parse_tile(arguments[0], colour), arguments[1:])
        elif word in ("move", "pmove", "movedone", "pmovedone"):  # B bG1 M 12 /wL
            self.put_down(self.parse_tile(arguments[1], arguments[0].lower()), arguments[2:])
            if word.endswith("done"):
                self.finish(player)
        elif word == "pass":
            self.turn.is_pass = True
        elif word in _DRAW_EVENTS:
            self.turn.is_draw_event = True

    def pick_up(self, words: list[str]) -> None:
        """Pick up the top tile of the cell that `words` begins with, or the tile dropped there in this turn."""
        cell = self.parse_cell(words[0], words[1])
        if cell != self.turn.target:
            top = self.position.state.top[cell]
            self.turn.tile = top if top >= 0 else None

    def put_down(self, tile: int, words: list[str]) -> None:
        """Drop a tile on the cell that `words` begins with."""
        self.turn.tile, self.turn.target = tile, self.parse_cell(words[0], words[1])

    def finish(self, player: int) -> None:
        """End a player's turn: play the tile that was dropped, or a pass if that is the only legal move.

        A turn with neither a drop nor a `Pass` counts as a pass too, unless it has a draw event or the other player is
        to move.
        """
        turn, self.turn = self.turn, _Turn()
        if turn.tile is not None and turn.target is not None:
            self.play((turn.tile + 1) << MOVE_SHIFT | turn.target)
            return
        is_pass = turn.is_pass or (not turn.is_draw_event and player == self.position.to_move)
        if is_pass and self.position.legal_numbers() == [PASS]:
            self.play(PASS)

    def play(self, move_code: int) -> None:
        """Play a move by its code; raise IllegalMove if it is not legal."""
        if move_code not in self.position.legal_numbers():
            raise IllegalMove(f"{TILE_NAMES[(move_code >> MOVE_SHIFT) - 1]} may not go there")
        self.position.play(self.position.format(move_code))


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
    """Return the position at the end of the game in a file's text.

    The end is a resignation, or else the end of the file. Raise BadSetup if the text is no game of Hive, or with the
    first event that is not possible.
    """
    game = replay_game(text)
    if game.problem:
        raise BadSetup(game.problem)
    return game.position
