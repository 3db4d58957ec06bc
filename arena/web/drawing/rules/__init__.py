"""The rules of each game in words, with the lines of play that pictures show (arena/web/drawing/game_rules.py)."""
