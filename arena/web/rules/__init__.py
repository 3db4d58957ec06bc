"""The rules of each game in words, with the lines of play that pictures show; arena/web/game_rules.py draws them."""
