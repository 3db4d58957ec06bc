"""Tic-tac-toe as a package from outside brings it: nothing in Pentad knows of it. See `core/README.md`."""
