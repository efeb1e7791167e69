"""The tables of problems and methods of the other rooms' tests are importable here too; words drawn once for many."""

import sys
from functools import cache, cached_property
from pathlib import Path

import numpy as np
import pytest

from boundcheck.engine.streams import LaneStreams

for room in ("methods", "problems"):
    sys.path.insert(0, str(Path(__file__).parents[1] / room))

_made = LaneStreams.__dict__["_generators"].func


class Source:
    """The words of a lane, drawn as they are needed."""

    def __init__(self, generator):
        self._generator, self._words = generator, np.empty(0, dtype=np.uint64)

    def words(self, first, count):
        """Return some words in a row."""
        if first + count > len(self._words):
            fresh = self._generator.random_raw(first + count - len(self._words))
            self._words = np.concatenate([self._words, fresh])
        return self._words[first : first + count]


class Reader:
    """A generator of its own on words that are drawn once."""

    def __init__(self, source):
        self._source, self._at = source, 0

    def random_raw(self, count):
        """Return the next words."""
        self._at += count
        return self._source.words(self._at - count, count)


@cache
def sources(seed, role, keys):
    """Return the words of lanes; many tests ask for the same."""
    return [Source(generator) for generator in _made(LaneStreams(seed, role, keys))]


@pytest.fixture
def words_drawn_once(monkeypatch):
    """Let tests that run the same lanes share their random words: to draw them costs more than to run."""

    def readers(self):
        return [Reader(source) for source in sources(self._seed, self._role, tuple(self._keys))]

    shared = cached_property(readers)
    shared.__set_name__(LaneStreams, "_generators")
    monkeypatch.setattr(LaneStreams, "_generators", shared)
