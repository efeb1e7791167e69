"""Samples of clients, noise before the first round, claims about letters: true and false neighbours."""

from fractions import Fraction
from itertools import combinations

import pytest

from boundcheck.errors import InputError
from boundcheck.proofs.chain.whole.proof import decide_file
from boundcheck.proofs.language.files import load

SETTING = """
indices = "i = 1 .. N, t = 0 .. T - 1, k = 0 .. K - 1, j = 0 .. B - 1"

[letters]
"> 0" = "N, K, T, B, S, a, sigma"
">= 0" = "q"

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

[start]
first = "h[0] = x[0] + mean(j) e[j]"

[equations]
begin = "y[t, 0] = x[t]"
go = "y[t, k + 1] = y[t, k] - a xi[t, k]"
server = "x[t + 1] = N/S mean(i) taken(A[t], m[t])"
refresh = "h[t + 1] = h[t] + taken(A[t], m[t])"

[definitions]
average = "m[t] = mean(k) y[t, k]"

[leaf.small]
says = "|e[j]|^2 <= sigma^2 for j"

[leaf.both]
says = "|xi[t, k] - a ze[t, k]|^2 <= sigma^2 for t, k"
"""

TRUE = {
    "chance against what is older": 'shows = "<taken(A[t], m[t]), h[t]> = S/N <m[t], h[t]> for t"',
    "chance of both at once": 'shows = "<taken(A[t], m[t]), taken(A[t], h[t])> = S/N <m[t], h[t]> for t"',
    "a sample's mean is unbiased": 'shows = "<N/S mean(i) taken(A[t], m[t]), x[t]> = <mean(i) m[t], x[t]> for t"',
    "an older sample": "shows = "
    '"<taken(A[t], m[t]), taken(A[t - 1], h[t - 1])> = S/N <m[t], taken(A[t - 1], h[t - 1])> for t = 1 .. T - 1"',
    "spread of a sample's mean": 'steps = "sample(u -> taken(A[t], m[t])) : 1"\n'
    'shows = "|N/S mean(i) taken(A[t], m[t]) - mean(i) m[t]|^2 <= (|m[t]|^2 - |mean(i) m[t]|^2)/S for t"',
    "a sample has at most N clients": 'shows = "S/N <= 1"',
    "a sample has a client": 'shows = "1/S <= 1"',
    "refreshed or kept": 'steps = "refresh"\nshows = "|h[t + 1]|^2 = (1 - S/N) |h[t]|^2 + S/N |h[t] + m[t]|^2 for t"',
    "first samples": 'steps = "fresh(u -> e[j]) [mean i, j]; small [mean j]"\n'
    'shows = "|mean(i, j) e[j]|^2 <= sigma^2/(N B)"',
    "noise against the first samples": 'steps = "first"\nshows = "<h[0], xi[t, k]> = 0 for t, k"',
    "two noises of one minibatch": 'steps = "fresh(u -> xi[t, k] - a ze[t, k]) [mean i, k]; both [mean k] : 1/N/K"\n'
    'shows = "|mean(i, k) (xi[t, k] - a ze[t, k])|^2 <= sigma^2/(N K) for t"',
    "a claim about letters is a hypothesis": 'steps = "letters"\nshows = "q <= 1 if q <= a"',
    "a claim about letters, multiplied": 'steps = "letters : 1"\nshows = "a + q <= 1 + q if q <= a"',
}
FALSE = {
    "chance, wrong": 'shows = "<taken(A[t], m[t]), h[t]> = 1/N <m[t], h[t]> for t"',
    "chance against what is younger": 'shows = "<taken(A[t], m[t]), h[t + 1]> = S/N <m[t], h[t + 1]> for t"',
    "chance of what is younger": 'shows = "<taken(A[t], h[t + 1]), m[t]> = S/N <h[t + 1], m[t]> for t"',
    "chance against the next server": 'shows = "<mean(i) taken(A[t], m[t]), x[t + 1]> = S/N <mean(i) m[t], x[t + 1]>'
    ' for t"',
    "chance of what has no birth": 'shows = "<taken(A[t], m[t]), w[t]> = S/N <m[t], w[t]> for t"',
    "means are not independent": "shows = "
    '"<mean(i) taken(A[t], m[t]), mean(i) taken(A[t], h[t])> = S/N <mean(i) m[t], mean(i) h[t]> for t"',
    "two samples are not one": 'shows = "<taken(A[t], h[t - 1]), taken(A[t - 1], h[t - 1])> = S/N |h[t - 1]|^2'
    ' for t = 1 .. T - 1"',
    "spread, N instead of S": 'steps = "sample(u -> taken(A[t], m[t])) : 1"\n'
    'shows = "|N/S mean(i) taken(A[t], m[t]) - mean(i) m[t]|^2 <= (|m[t]|^2 - |mean(i) m[t]|^2)/N for t"',
    "no spread": 'steps = "sample(u -> taken(A[t], m[t])) : 1"\n'
    'shows = "|N/S mean(i) taken(A[t], m[t])|^2 <= |mean(i) m[t]|^2 for t"',
    "a sample of everyone": 'shows = "S/N >= 1"',
    "first samples, N twice": 'steps = "fresh(u -> e[j]) [mean i, j]; small [mean j]"\n'
    'shows = "|mean(i, j) e[j]|^2 <= sigma^2/(N N B)"',
    "first samples against what they made": 'steps = "first"\nshows = "<h[0], mean(j) e[j]> = 0"',
    "two noises of one minibatch are not independent": 'shows = "<xi[t, k], ze[t, k]> = 0 for t, k"',
    "a claim about letters, beyond": 'steps = "letters"\nshows = "2 q <= 1 if q <= a"',
}
ILLEGAL = {
    "sample as a vector": ('shows = "|A[t]|^2 >= 0 for t"', "is a sample of clients"),
    "taken by no sample": ('shows = "|taken(x[t], m[t])|^2 >= 0 for t"', "no entry of a sample"),
    "one argument": ('shows = "|taken(A[t])|^2 >= 0 for t"', "take one point"),
    "a sum is taken": ('shows = "|taken(A[t], m[t] + h[t])|^2 >= 0 for t"', "give the point a name"),
    "variance of what is younger": (
        'steps = "sample(u -> taken(A[t], h[t + 1]))"\nshows = "a >= 0 for t"',
        "older than the sample",
    ),
    "variance of a vector": ('steps = "sample(u -> m[t])"\nshows = "a >= 0 for t"', "older than the sample"),
    "noises at two indices": (
        'steps = "fresh(u -> xi[t, k] - ze[t, k + 1]) [mean i]"\nshows = "a >= 0 for t, k = 0 .. K - 2"',
        "several at one index",
    ),
    "weights under the mean": (
        'steps = "fresh(u -> k xi[t, k]) [mean k]"\nshows = "a >= 0 for t"',
        "several at one index",
    ),
}
LETTERS = '[claim.letters]\nshows = "a <= 1 if 2 a <= 1, q <= a"\n'


def verdict(tmp_path, claim, setting=SETTING):
    path = tmp_path / "claim.toml"
    path.write_text(f"{setting}\n{LETTERS}\n[claim.mine]\n{claim}\n", encoding="utf-8")
    return decide_file(load(path)).found["mine"]


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
    lines = "".join(f'c{n} = "{e}"\n' for n, e in enumerate(equations))
    text = text.replace("[equations]\n", "[equations]\n" + lines)
    with pytest.raises(InputError, match="neither at an earlier"):
        verdict(tmp_path, 'shows = "<u[t], xi[t, k]> = 0 for t, k"', text)
