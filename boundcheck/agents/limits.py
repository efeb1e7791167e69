"""How much one request may ask for; every answer of the server names these."""

SECONDS = 60.0
"""Most time of a request, unless the server was started with another."""
SEARCH = 40.0
"""Most seconds of a search for a violation, within that."""
MEGABYTES = 4096
"""Most memory, where the system can hold a process to that."""
CHARACTERS = 100_000
"""Longest request."""
