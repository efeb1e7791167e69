"""Guarantees of all methods beside what they do: contenders, standings, choices of steps."""
