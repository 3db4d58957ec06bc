"""Tic-tac-toe as another package would add it: nothing in Pentad refers to it. See `core/README.md`."""
