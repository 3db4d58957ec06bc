"""Tic-tac-toe, added to Pentad as a separate package would do it; `core/README.md` explains how."""
