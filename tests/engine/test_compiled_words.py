"""Words that a compiled program makes for itself are numpy's, bit for bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from turns import case_of

from boundcheck.engine.backends import has_jax
from boundcheck.engine.streams import METHOD, NOISE, LaneStreams

if not has_jax():
    pytest.skip("the extra jax is not installed", allow_module_level=True)

import jax

from boundcheck.engine.compiled.words import draw, generators_of, jumps

KEYS = [(8, 8, 2, 5, 1, replicate) for replicate in range(3)]


def drawn(states, *counts):
    """Return the words of generators, so many at a time."""
    with jax.enable_x64(new_val=True):
        generators, parts = jax.tree.map(jax.numpy.asarray, generators_of(states)), []
        for count in counts:
            words, generators = jax.jit(draw)(generators, jumps(count))
            parts.append(np.asarray(words))
    return np.concatenate(parts, axis=1)


@pytest.mark.parametrize("examples", [5, case_of(100, slow=True)])
def test_words_go_on_where_the_streams_stand(examples):
    """Whatever was taken before, and in whatever portions the rest is drawn: each portion is compiled."""

    @settings(deadline=None, max_examples=examples)
    @given(taken=st.integers(0, 3000), counts=st.lists(st.integers(0, 40), min_size=1, max_size=3))
    def require_the_same(taken, counts):
        streams = LaneStreams(7, NOISE, KEYS)
        streams.raw(taken)
        found = drawn(streams.generators(), *counts)
        np.testing.assert_array_equal(found, streams.raw(sum(counts)))

    require_the_same()


def test_states_at_the_edges_of_their_parts():
    """Products that carry from one 32 or 64 bits to the next, against numpy's generator."""
    edges = [0, 1, 2**32 - 1, 2**32, 2**64 - 1, 2**64, 2**96 - 1, 2**127, 2**128 - 1]
    states = [(state, increment | 1) for state in edges for increment in edges]
    wanted = []
    for state, increment in states:
        generator = np.random.PCG64DXSM(0)
        generator.state = generator.state | {"state": {"state": state, "inc": increment}}
        wanted.append(generator.random_raw(50))
    np.testing.assert_array_equal(drawn(states, 17, 33), wanted)


def test_asking_where_a_stream_stands_does_not_move_it():
    """Its next words are those of a stream that was not asked."""
    asked, left = LaneStreams(3, METHOD, KEYS), LaneStreams(3, METHOD, KEYS)
    for streams in (asked, left):
        streams.raw(11)
    asked.generators()
    np.testing.assert_array_equal(asked.raw(2000), left.raw(2000))
