"""No rule without a model: a true claim that holds in exact worlds, and a false one that comes to the rule and fails.

The rules are those that the kernel's sources name; the claims are those of the tests of the rules, and four of its own.
"""

import pytest
import test_kernel_coordinates as coordinates
import test_kernel_delays as delays
import test_kernel_rules as rounds
from test_kernel_shipped import rules_of_the_kernel

from boundcheck.proofs.kernel import File, Kernel, Proof

SETTING = rounds.SETTING.partition("[leaf.")[0].replace("1/2 x[t] + 1/2 mean(i) y[t, K]", "x[t]")
"""w is x, so that the leaf holds in every world."""
NEAR = '[leaf.near]\nsays = "|x[t] - w[t]|^2 = 0 for t"\n'
BELOW, FIRST, SECOND = "- beta + {}", "beta - c", "beta - sigma"
KEY = "beta*c + beta*sigma - beta^2 - c*sigma"


def signed(*facts):
    """Return a part of a claim in which a polynomial is the product of two facts."""
    return {"signs": {KEY: {"scale": "1", "factors": [[1, [["1", {}, list(facts)]], []]]}}}


IS_ONE_OF_THEM = {
    "split": {"it": [0]},
    "claims": {"it": [signed(FIRST, BELOW.format("sigma")), signed(SECOND, BELOW.format("c"))]},
}
OWN = {
    "minimum": (
        'shows = "(c - beta) (sigma - beta) <= 0 if beta = min(c, sigma)"',
        'shows = "(c - beta) (sigma - beta) <= 0 if beta = min(c, eta)"',
        IS_ONE_OF_THEM,
    ),
    "orthogonal": (
        'steps = "orthogonal(u -> x[t], v -> xi[t, k])"\nshows = "<x[t], xi[t, k]> = 0 for t, k"',
        'steps = "orthogonal(u -> y[t, K], v -> xi[t, 0])"\nshows = "<y[t, K], xi[t, 0]> = 0 for t"',
        {},
    ),
    "values": (
        'shows = "D[T - 1] <= D[0] if T = 1"',
        'shows = "D[T] <= D[0] if T = 1"',
        {"values": {"it": ["T"]}},
    ),
    "zero": (
        'steps = "near"\nshows = "f(x[t]) = f(w[t]) for t"',
        'steps = "near"\nshows = "f(x[t]) = f(w[0]) for t"',
        {"claims": {"it": [{"zero": ["near"]}]}},
    ),
}
"""Claims by the rule that they are about: a true one, a false neighbour, and the choices for both."""


def file_of(folder, body):
    page = folder / "page.toml"
    page.write_text(f"{SETTING}\n{NEAR}\n[claim.it]\n{body}\n", encoding="utf-8")
    file = File()
    file.read(page)
    return file


def kernel_of(file, choices):
    return Kernel(file, Proof({"births": {"x": 0, "y": 0}, "late": ["w"], **choices}))


@pytest.mark.parametrize("rule", OWN)
def test_both_are_what_they_are_called(rule, tmp_path):
    true, false, choices = OWN[rule]
    for body, holds in ((true, True), (false, False)):
        file = file_of(tmp_path, body)
        worlds = [world for world in rounds._worlds(file, 4) if len(world.outcomes) <= 16]
        assert any(rounds._fails(world, file) for world in worlds) is not holds
        assert all(world.fails(file.leaves["near"]) is None for world in worlds)
        found = kernel_of(file, choices).check()["it"]
        assert found.proved is holds, found.why


def kernels(folder, *, true):
    """Yield the kernel of each claim that has a model, and the claim's name."""
    for claims, setting in ((rounds.CLAIMS, rounds.SETTING), (rounds.OTHERS, rounds.ROUNDS)):
        for _, holds, body in claims:
            if holds is true:
                file, choices = rounds._written(folder, body, setting)
                yield Kernel(file, Proof(choices)), "it"
    for body in (coordinates.TRUE if true else coordinates.FALSE).values():
        yield coordinates.kernel_of(folder, *body), "one"
    for claim in delays.CLAIMS:
        if claim[1] is true:
            yield delays.kernel_of(delays._file(folder, claim)), "it"
    for proved, refused, choices in OWN.values():
        yield kernel_of(file_of(folder, proved if true else refused), choices), "it"


def without_a_model(rules, folder, *, true):
    """Return those of the rules, and laws, to which none of the claims comes."""
    for kernel, id_ in kernels(folder, true=true):
        assert kernel.check_claim(id_).proved is true
        rules = rules - kernel.steps.rules - kernel.steps.used
        if not rules:
            break
    return rules


@pytest.mark.parametrize("true", [True, False])
def test_each_rule_has_a_model(true, tmp_path):
    """A rule that nobody has thought up a world for is named here; what a refused claim stands on is not recorded."""
    rules = rules_of_the_kernel() - (set() if true else {"bounded"})
    assert without_a_model(rules | {"conjuring"}, tmp_path, true=true) == {"conjuring"}
