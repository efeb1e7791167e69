"""Samples of clients, noise before the first round, claims about letters: true and false neighbours."""

from fractions import Fraction
from itertools import combinations

import pytest

from boundcheck.errors import InputError
from boundcheck.lemmas.chain.files import load
from boundcheck.lemmas.chain.proof import decided

SETTING = """
[letters]
N = "> 0"
K = "> 0"
T = "> 0"
B = "> 0"
S = "> 0"
a = "> 0"
q = ">= 0"
sigma = "> 0"

[indices]
i = "1 .. N"
t = "0 .. T - 1"
k = "0 .. K - 1"
j = "0 .. B - 1"

[vectors]
"e[j]" = "noise"
"x[t]" = "server, t = 0 .. T"
"h[t]" = "client, t = 0 .. T"
"y[t, k]" = "client, k = 0 .. K"
"xi[t, k]" = "noise"
"ze[t, k]" = "noise"
"m[t]" = "client"
"A[t]" = "sample of S"
"w[t]" = "server"

[[equation]]
id = "first"
kind = "start"
is = "h[0] = x[0] + mean(j) e[j]"

[[equation]]
id = "begin"
kind = "method"
is = "y[t, 0] = x[t]"

[[equation]]
id = "go"
kind = "method"
is = "y[t, k + 1] = y[t, k] - a xi[t, k]"

[[equation]]
id = "average"
is = "m[t] = mean(k) y[t, k]"

[[equation]]
id = "server"
kind = "method"
is = "x[t + 1] = N/S mean(i) taken(A[t], m[t])"

[[equation]]
id = "refresh"
kind = "method"
is = "h[t + 1] = h[t] + taken(A[t], m[t])"

[[leaf]]
id = "small"
for = "j"
says = "|e[j]|^2 <= sigma^2"

[[leaf]]
id = "both"
for = "t, k"
says = "|xi[t, k] - a ze[t, k]|^2 <= sigma^2"
"""

TRUE = {
    "chance against what is older": 'for = "t"\nshows = "<taken(A[t], m[t]), h[t]> = S/N <m[t], h[t]>"',
    "chance of both at once": 'for = "t"\nshows = "<taken(A[t], m[t]), taken(A[t], h[t])> = S/N <m[t], h[t]>"',
    "a sample's mean is unbiased": 'for = "t"\nshows = "<N/S mean(i) taken(A[t], m[t]), x[t]> = <mean(i) m[t], x[t]>"',
    "an older sample": 'for = "t = 1 .. T - 1"\n'
    'shows = "<taken(A[t], m[t]), taken(A[t - 1], h[t - 1])> = S/N <m[t], taken(A[t - 1], h[t - 1])>"',
    "spread of a sample's mean": 'for = "t"\nsteps = ["sample(u -> taken(A[t], m[t])) : 1"]\n'
    'shows = "|N/S mean(i) taken(A[t], m[t]) - mean(i) m[t]|^2 <= (|m[t]|^2 - |mean(i) m[t]|^2)/S"',
    "a sample has at most N clients": 'shows = "S/N <= 1"',
    "a sample has a client": 'shows = "1/S <= 1"',
    "refreshed or kept": 'for = "t"\nsteps = ["refresh"]\n'
    'shows = "|h[t + 1]|^2 = (1 - S/N) |h[t]|^2 + S/N |h[t] + m[t]|^2"',
    "first samples": 'steps = ["fresh(u -> e[j]) [mean i, j]", "small [mean j]"]\n'
    'shows = "|mean(i, j) e[j]|^2 <= sigma^2/(N B)"',
    "noise against the first samples": 'for = "t, k"\nsteps = ["first"]\nshows = "<h[0], xi[t, k]> = 0"',
    "two noises of one minibatch": 'for = "t"\n'
    'steps = ["fresh(u -> xi[t, k] - a ze[t, k]) [mean i, k]", "both [mean k] : 1/N/K"]\n'
    'shows = "|mean(i, k) (xi[t, k] - a ze[t, k])|^2 <= sigma^2/(N K)"',
    "a claim about letters is a hypothesis": 'given = ["q <= a"]\nsteps = ["letters"]\nshows = "q <= 1"',
    "a claim about letters, multiplied": 'given = ["q <= a"]\nsteps = ["letters : 1"]\nshows = "a + q <= 1 + q"',
}
FALSE = {
    "chance, wrong": 'for = "t"\nshows = "<taken(A[t], m[t]), h[t]> = 1/N <m[t], h[t]>"',
    "chance against what is younger": 'for = "t"\nshows = "<taken(A[t], m[t]), h[t + 1]> = S/N <m[t], h[t + 1]>"',
    "chance of what is younger": 'for = "t"\nshows = "<taken(A[t], h[t + 1]), m[t]> = S/N <h[t + 1], m[t]>"',
    "chance against the next server": 'for = "t"\n'
    'shows = "<mean(i) taken(A[t], m[t]), x[t + 1]> = S/N <mean(i) m[t], x[t + 1]>"',
    "chance of what has no birth": 'for = "t"\nshows = "<taken(A[t], m[t]), w[t]> = S/N <m[t], w[t]>"',
    "means are not independent": 'for = "t"\n'
    'shows = "<mean(i) taken(A[t], m[t]), mean(i) taken(A[t], h[t])> = S/N <mean(i) m[t], mean(i) h[t]>"',
    "two samples are not one": 'for = "t = 1 .. T - 1"\n'
    'shows = "<taken(A[t], h[t - 1]), taken(A[t - 1], h[t - 1])> = S/N |h[t - 1]|^2"',
    "spread, N instead of S": 'for = "t"\nsteps = ["sample(u -> taken(A[t], m[t])) : 1"]\n'
    'shows = "|N/S mean(i) taken(A[t], m[t]) - mean(i) m[t]|^2 <= (|m[t]|^2 - |mean(i) m[t]|^2)/N"',
    "no spread": 'for = "t"\nsteps = ["sample(u -> taken(A[t], m[t])) : 1"]\n'
    'shows = "|N/S mean(i) taken(A[t], m[t])|^2 <= |mean(i) m[t]|^2"',
    "a sample of everyone": 'shows = "S/N >= 1"',
    "first samples, N twice": 'steps = ["fresh(u -> e[j]) [mean i, j]", "small [mean j]"]\n'
    'shows = "|mean(i, j) e[j]|^2 <= sigma^2/(N N B)"',
    "first samples against what they made": 'steps = ["first"]\nshows = "<h[0], mean(j) e[j]> = 0"',
    "two noises of one minibatch are not independent": 'for = "t, k"\nshows = "<xi[t, k], ze[t, k]> = 0"',
    "a claim about letters, beyond": 'given = ["q <= a"]\nsteps = ["letters"]\nshows = "2 q <= 1"',
}
ILLEGAL = {
    "sample as a vector": ('for = "t"\nshows = "|A[t]|^2 >= 0"', "is a sample of clients"),
    "taken by no sample": ('for = "t"\nshows = "|taken(x[t], m[t])|^2 >= 0"', "no entry of a sample"),
    "one argument": ('for = "t"\nshows = "|taken(A[t])|^2 >= 0"', "take one point"),
    "a sum is taken": ('for = "t"\nshows = "|taken(A[t], m[t] + h[t])|^2 >= 0"', "give the point a name"),
    "variance of what is younger": (
        'for = "t"\nsteps = ["sample(u -> taken(A[t], h[t + 1]))"]\nshows = "a >= 0"',
        "older than the sample",
    ),
    "variance of a vector": ('for = "t"\nsteps = ["sample(u -> m[t])"]\nshows = "a >= 0"', "older than the sample"),
    "noises at two indices": (
        'for = "t, k = 0 .. K - 2"\nsteps = ["fresh(u -> xi[t, k] - ze[t, k + 1]) [mean i]"]\nshows = "a >= 0"',
        "several at one index",
    ),
    "weights under the mean": (
        'for = "t"\nsteps = ["fresh(u -> k xi[t, k]) [mean k]"]\nshows = "a >= 0"',
        "several at one index",
    ),
}
LETTERS = '[[claim]]\nid = "letters"\ngiven = ["2 a <= 1", "q <= a"]\nshows = "a <= 1"\n'


def verdict(tmp_path, claim, setting=SETTING):
    path = tmp_path / "claim.toml"
    path.write_text(f'{setting}\n{LETTERS}\n[[claim]]\nid = "mine"\n{claim}\n', encoding="utf-8")
    return decided(load(path)).found["mine"]


@pytest.mark.parametrize("name", TRUE)
def test_a_true_neighbour_is_proved(name, tmp_path):
    outcome = verdict(tmp_path, TRUE[name])
    assert outcome.proved, outcome.why


@pytest.mark.parametrize("name", FALSE)
def test_a_false_neighbour_is_not_proved(name, tmp_path):
    outcome = verdict(tmp_path, FALSE[name])
    assert not outcome.proved or outcome.inherited


@pytest.mark.parametrize("name", ILLEGAL)
def test_what_is_illegal_is_named(name, tmp_path):
    claim, message = ILLEGAL[name]
    with pytest.raises(InputError) as raised:
        verdict(tmp_path, claim)
    assert message in str(raised.value)


def test_hypotheses_of_a_claim_about_letters_are_inherited(tmp_path):
    outcome = verdict(tmp_path, TRUE["a claim about letters is a hypothesis"])
    assert [str(node) for node in outcome.inherited] == ["2*a <= 1"]


@pytest.mark.parametrize(
    ("kind", "message"), [("sample", "sample of S"), ("sample of M", "sample of S"), ("server of S", "sample of S")]
)
def test_a_sample_needs_a_size(kind, message, tmp_path):
    with pytest.raises(InputError, match=message):
        verdict(tmp_path, TRUE["a sample has a client"], SETTING.replace('"sample of S"', f'"{kind}"'))


@pytest.mark.parametrize(("N", "S"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 5)])
def test_the_law_of_a_sample_by_enumeration(N, S):
    """All subsets: chances, and the mean square against what the rule says, for numbers that are not centred."""
    values = [Fraction(n * n - 3 * n + 1) for n in range(N)]
    samples = list(combinations(range(N), S))
    mean = sum(values) / N
    square = sum((sum(values[n] for n in one) / S) ** 2 for one in samples) / len(samples)
    assert all(sum(n in one for one in samples) * N == S * len(samples) for n in range(N))
    assert square <= mean**2 + (sum(v * v for v in values) / N - mean**2) / S


CIRCLE = (
    '"v[t, k]" = "client, k = 0 .. K"\n"u[t]" = "client"\n',
    ("v[t, 0] = u[t]", "v[t, k + 1] = v[t, k]", "u[t] = mean(k) v[t, k]"),
)


@pytest.mark.parametrize("order", [1, -1])
def test_a_round_that_needs_its_own_end_is_refused(order, tmp_path):
    """The mean over a round has the round's end as its birth; the round cannot start from it."""
    vectors, equations = CIRCLE
    lines = "\n".join(vectors.strip().splitlines()[::order])
    text = SETTING.replace('"w[t]" = "server"', f'"w[t]" = "server"\n{lines}')
    text += "".join(f'[[equation]]\nid = "c{n}"\nkind = "method"\nis = "{e}"\n' for n, e in enumerate(equations))
    with pytest.raises(InputError, match="neither at an earlier"):
        verdict(tmp_path, 'for = "t, k"\nshows = "<u[t], xi[t, k]> = 0"', text)
