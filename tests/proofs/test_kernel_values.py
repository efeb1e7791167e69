"""Values of horizons, cases of them, vectors of norm zero, samples, absurd signs: pairs of claims, true and false.

The search finds the object of the true claim; with it the kernel refuses the false neighbour, one change away.  Both
are evaluated in small exact worlds: the true one holds in all of them, the false one fails in one.
"""

import json

import pytest
from test_kernel_rules import ROUNDS, SETTING, _fails, _worlds

from boundcheck.proofs.kernel import File, Kernel, Proof, Refused
from boundcheck.proofs.search.finder import find

SQUARE_ROOT = "z <= q if z^2 <= q^2"
EXACT = (
    'steps = "sample(u -> taken(A[t], y[t, K]))"\nshows = "|N/S mean(i) taken(A[t], y[t, K])|^2 = |mean(i) y[t, K]|^2'
)
PAIRS = {
    "value": ("|y[t, K] - y[t, 1]|^2 = 0 for t if K = 1", "|y[t, K] - y[t, 1]|^2 = 0 for t if K = 2"),
    "value-late": ("|y[t, K] - y[t, 2]|^2 = 0 for t if K = 2", "|y[t, K] - y[t, 1]|^2 = 0 for t if K = 2"),
    "value-bounded": ("s[T - 1] <= s[0] if T = 1", "s[T - 1] <= s[0] if T <= 2"),
    "value-size": (
        "|N/S mean(i) taken(A[t], y[t, K]) - mean(i) y[t, K]|^2 = 0 for t if S = N",
        "|N/S mean(i) taken(A[t], y[t, K]) - mean(i) y[t, K]|^2 = 0 for t if S = 1",
    ),
    "value-one-client": ("|y[t, K] - mean(i) y[t, K]|^2 = 0 for t if N = 1", "|y[t, K] - mean(i) y[t, K]|^2 = 0 for t"),
    "value-one-step": (
        "|mean(k) xi[t, k]|^2 = |xi[t, 0]|^2 for t if K = 1",
        "|mean(k) xi[t, k]|^2 = |xi[t, 0]|^2 for t",
    ),
    "cases": ("0 <= sum(t = 3 .. T - 1) 1", "1 <= sum(t = 3 .. T - 1) 1"),
    "cases-product": ("(N - 1) (N - 2) >= 0", "(N - 1) (N - 3) >= 0"),
    "on-a-sample": (
        "<taken(A[t], x[t + 1]), x[t + 1] - taken(A[t], x[t + 1])> = 0 for t",
        "<mean(i) taken(A[t], x[t + 1]), x[t + 1] - taken(A[t], x[t + 1])> = 0 for t",
    ),
    "on-a-sample-apart": (
        "<taken(A[t], grad(x[t + 1])), y[t, K]> = <taken(A[t], grad(x[t + 1])), taken(A[t], y[t, K])> for t",
        (
            "<mean(i) taken(A[t], grad(x[t + 1])), y[t, K]>"
            " = <mean(i) taken(A[t], grad(x[t + 1])), taken(A[t], y[t, K])> for t"
        ),
    ),
    "on-a-sample-shorter": (
        "|taken(A[t], x[t + 1])|^2 <= |x[t + 1]|^2 for t",
        "|taken(A[t], x[t + 1])|^2 <= 1/2 |x[t + 1]|^2 for t",
    ),
    "sample-exact": (
        EXACT + ' + (N - S)/(S (N - 1)) (|y[t, K]|^2 - |mean(i) y[t, K]|^2) for t if N >= 2"',
        EXACT + ' + (N - S)/(S N) (|y[t, K]|^2 - |mean(i) y[t, K]|^2) for t if N >= 2"',
    ),
    "sample-of-one": (
        "N |mean(i) taken(A[t], y[t, K])|^2 = |y[t, K]|^2/N for t if S = 1",
        "N |mean(i) taken(A[t], y[t, K])|^2 = |mean(i) y[t, K]|^2/N for t if S = 1",
    ),
    "absurd": (SQUARE_ROOT, SQUARE_ROOT.replace("z <= q", "z <= q/2")),
    "absurd-cancel": ("z <= q if c z <= c q", "z <= q if c z <= c q + c"),
    "euler": ("euler^2 <= 7389057/1000000", "euler^2 <= 7389056/1000000"),
    "given-equality": ("eta^2 q = q if eta = 1", "eta^2 q = q if eta <= 1"),
    "given-zero": (
        "|q x[t] + (1 - q) w[t]|^2 = |w[t]|^2 for t if q = 0",
        "|q x[t] + (1 - q) w[t]|^2 = |w[t]|^2 for t if q <= 1",
    ),
}


def _page(folder, body, setting=SETTING):
    body = body if "shows = " in body else f'shows = "{body}"'
    path = folder / "claims.toml"
    path.write_text(f"{setting}\n[claim.it]\n{body}\n", encoding="utf-8")
    return path


def _without_leaves(text):
    """Return the setting without what is assumed: these claims need nothing of it."""
    return text.partition("[leaf.")[0]


def _found(tmp_path, body):
    folder = tmp_path / "found"
    found = find(_page(tmp_path, body, _without_leaves(SETTING)), folder)
    return found.kernel.verdicts["it"], json.loads(found.choices.read_text(encoding="utf-8")), found.page


@pytest.mark.parametrize("name", PAIRS)
def test_the_true_claim_is_proved_and_its_neighbour_refused(name, tmp_path):
    true, false = PAIRS[name]
    verdict, data, page = _found(tmp_path, true)
    assert verdict.proved, verdict.why
    steps = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("steps = ")]
    body = false if "shows = " in false else "\n".join([*steps, f'shows = "{false}"'])
    file = File()
    file.read(_page(tmp_path, body, _without_leaves(SETTING)))
    refused = Kernel(file, Proof(data)).check()["it"]
    assert not refused.proved
    assert "not understood" not in refused.why, refused.why


@pytest.mark.parametrize("name", [name for name in PAIRS if name != "euler"])
def test_both_are_what_they_are_called_in_exact_worlds(name, tmp_path):
    for body, holds in zip(PAIRS[name], (True, False), strict=True):
        file = File()
        file.read(_page(tmp_path, body, _without_leaves(SETTING)))
        worlds = [world for world in _worlds(file, 4) if len(world.outcomes) <= 100]
        failing = [world.letters for world in worlds if _fails(world, file)]
        assert bool(failing) is not holds, failing[:1]


def _forged(tmp_path, body, **changes):
    _, data, page = _found(tmp_path, body)
    file = File()
    file.read(page)
    return Kernel(file, Proof(data | changes)).check()["it"]


@pytest.mark.parametrize(
    ("body", "changes"),
    [
        ("s[T - 1] <= s[0] if T = 1", {"values": {"it": ["K"]}}),  # no value of K is given
        ("s[T - 1] <= s[0] if T = 1", {"values": {}}),
        ("0 <= sum(t = 3 .. T - 1) 1", {"horizons": {"it": {"T": 2}}}),  # at T = 2 the range may be shorter than empty
        ("0 <= sum(t = 3 .. T - 1) 1", {"horizons": {"it": {"c": 3}}}),  # no horizon
        ("0 <= sum(t = 3 .. T - 1) 1", {"horizons": {"it": {"T": 1}}}),
        ("0 <= sum(t = 3 .. T - 1) 1", {"horizons": {"it": {"T": 9}}}),
    ],
)
def test_values_and_cases_are_those_of_the_claim(body, changes, tmp_path):
    assert not _forged(tmp_path, body, **changes).proved


@pytest.mark.parametrize("place", [0, 1, 2])
def test_an_absurd_sign_is_multiplied_out(place, tmp_path):
    verdict, data, page = _found(tmp_path, SQUARE_ROOT)
    assert verdict.proved
    file = File()
    file.read(page)
    (part,) = data["claims"]["it"]
    (key,) = (key for key, one in part["signs"].items() if "absurd" in one)
    lines = part["signs"][key]["absurd"]
    lines[place % len(lines)][0] = "3/7"
    assert not Kernel(file, Proof(data)).check()["it"].proved
    part["signs"][key]["absurd"] = []
    assert not Kernel(file, Proof(data)).check()["it"].proved


ZERO = """
[leaf.still]
says = "|mean(i) grad(x[t])|^2 = 0 for t"

[leaf.near]
says = "|x[t] - w[t]|^2 = 0 for t"
"""


@pytest.mark.parametrize(
    ("steps", "true", "false"),
    [
        ("still", "<mean(i) grad(x[t]), x[t]> = 0 for t", "<grad(x[t]), y[t, K]> = 0 for t"),
        ("near", "f(x[t]) = f(w[t]) for t", "f(x[t]) = f(w[0]) for t"),
        ("near", "<x[t], mean(i) y[t, K]> = <w[t], y[t, K]> for t", "<x[t], mean(i) y[t, K]> = |w[t]|^2 for t"),
    ],
)
def test_a_vector_of_norm_zero_is_zero(steps, true, false, tmp_path):
    setting = _without_leaves(SETTING).replace('halfway = "w[t] = 1/2 x[t] + 1/2 mean(i) y[t, K]"', "") + ZERO
    path = _page(tmp_path, f'steps = "{steps}"\nshows = "{true}"', setting)
    found = find(path, tmp_path / "found")
    assert found.kernel.verdicts["it"].proved, found.kernel.verdicts["it"].why
    data = json.loads(found.choices.read_text(encoding="utf-8"))
    file = File()
    file.read(_page(tmp_path, f'steps = "{steps}"\nshows = "{false}"', setting))
    assert not Kernel(file, Proof(data)).check()["it"].proved
    assert steps in data["claims"]["it"][0]["zero"]
    del data["claims"]["it"][0]["zero"]
    original = File()
    original.read(found.page)
    assert not Kernel(original, Proof(data)).check()["it"].proved


def test_a_sum_of_squares_that_is_at_most_zero_is_zero(tmp_path):
    leaf = '\n[leaf.short]\nsays = "|x[t]|^2 <= 0 for t"\n[leaf.less]\nsays = "s[t] <= m[t] for t"\n'
    setting = _without_leaves(SETTING) + leaf
    found = find(_page(tmp_path, 'steps = "short"\nshows = "|x[t]|^2 = 0 for t"', setting), tmp_path / "found")
    assert found.kernel.verdicts["it"].proved
    data = json.loads(found.choices.read_text(encoding="utf-8"))
    file = File()
    file.read(_page(tmp_path, 'steps = "less"\nshows = "s[t] - m[t] = 0 for t"', setting))
    assert not Kernel(file, Proof(data)).check()["it"].proved


def test_the_order_of_the_sequences_names_each_once(tmp_path):
    file = File()
    file.read(_page(tmp_path, "0 <= 1", ROUNDS))
    names = list(file.vectors)
    Kernel(file, Proof({"order": names, "late": ["A"]}))
    for order in (names[:-1], [*names, names[0]]):
        with pytest.raises(Refused, match="does not name each"):
            Kernel(file, Proof({"order": order, "late": ["A"]}))
