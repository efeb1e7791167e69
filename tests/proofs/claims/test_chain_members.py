"""Letters with an index: what is true of them is proved, and what is one change away is not."""

import pytest

from boundcheck.errors import InputError
from boundcheck.proofs.chain.deciding.prover import Prover
from boundcheck.proofs.chain.refuting.witness import counterexample
from boundcheck.proofs.chain.whole.proof import decide_file
from boundcheck.proofs.language.files import load
from boundcheck.proofs.language.members import SLOTS

PAGE = """
title = "steps that vary"
indices = "i = 1 .. N, t = 0 .. T - 1"

[letters]
"> 0" = "T, N, top"
"> 0, t = 0 .. T" = "eta[t]"

[vectors]
"x[t]" = "server, t = 0 .. T"

[definitions]
gap = "gap[t] = |x[t]|^2 for t = 0 .. T"
cost = "cost[t] = |x[t + 1] - x[t]|^2"
paid = "paid[t] = eta[t] |x[t + 1] - x[t]|^2"
level = "level[t] = gap[t]/eta[t] for t = 0 .. T"

[leaf.falling]
title = "the steps do not grow"
says = "eta[t + 1] <= eta[t] for t"

[leaf.short]
title = "no step is longer than the longest"
says = "eta[t] <= top for t = 0 .. T"

[leaf.descent]
title = "one step"
says = "gap[t + 1] <= gap[t] - eta[t] cost[t] for t"

[leaf.per-step]
title = "one step, over the step"
says = "level[t + 1] <= level[t] - cost[t] for t"
"""


def claim(steps, shows, over="", given=""):
    by = f'steps = "{"; ".join(steps)}"\n' if steps else ""
    known = f" for {over}" * bool(over) + f" if {given}" * bool(given)
    return f'\n[claim.it]\n{by}shows = "{shows}{known}"\n'


def outcome(tmp_path, *claims):
    path = tmp_path / "page.toml"
    path.write_text(PAGE + "".join(claims))
    return decide_file(load(path)).found["it"]


TRUE = {
    "a bound on every member": claim(["short", "cost"], "eta[t] cost[t] <= top cost[t]", "t"),
    "a bound on the next one": claim(["short(t -> t + 1)"], "eta[t + 1] <= top", "t"),
    "two neighbours": claim(["falling"], "1/eta[t] <= 1/eta[t + 1]", "t"),
    "at one index": claim(["short(t -> 0)"], "eta[0] <= top"),
    "at the last": claim(["short(t -> T)"], "eta[T] <= top"),
    "a named weight is summed": claim(["named [sum t] : 1"], "gap[T] + sum(t) paid[t] <= gap[0]"),
    "levels telescope": claim(["per-step [sum t] : 1"], "level[T] + sum(t) cost[t] <= level[0]"),
    "an induction": claim(["self : 1", "falling : 1"], "eta[t] <= eta[0]", "t = 0 .. T").replace(
        "steps", 'induction = "t"\nsteps'
    ),
}
NAMED = """
[claim.named]
steps = "descent; paid; cost"
shows = "gap[t + 1] <= gap[t] - paid[t] for t"
"""


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_of_members_is_proved(tmp_path, name):
    found = outcome(tmp_path, NAMED, TRUE[name])
    assert found.proved, found.why
    assert not found.inherited


FALSE = {
    "the next one is the smaller": claim(["falling"], "eta[t] <= eta[t + 1]", "t"),
    "neighbours, upside down": claim(["falling"], "1/eta[t + 1] <= 1/eta[t]", "t"),
    "a member is another": claim(["short(t -> t + 1)"], "eta[t] <= top", "t"),
    "a bound from below": claim(["short"], "top <= eta[t]", "t"),
    "the members are not equal": claim(["falling", "descent"], "gap[t + 1] <= gap[t] - eta[0] cost[t]", "t"),
    "levels with another step": claim(
        ["descent : 1/eta[t]", "level", "level(t -> t + 1)"], "level[t + 1] <= level[t] - cost[t]", "t"
    ),
    "an induction that grows": claim(["self : 1", "falling : 1"], "eta[0] <= eta[t]", "t = 0 .. T").replace(
        "steps", 'induction = "t"\nsteps'
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_neighbour_is_not_proved(tmp_path, name):
    assert not outcome(tmp_path, FALSE[name]).proved


OVER = claim(["descent : 1/eta[t]", "falling"], "gap[t + 1]/eta[t] <= gap[t]/eta[t] - cost[t]", "t").replace(
    "claim.it", "claim.over"
)
GIVEN = claim(["descent"], "gap[t + 1] <= gap[t] - eta[t]^2 cost[t]", "t", "eta[t] <= 1").replace(
    "claim.it", "claim.one"
)

NOT_LEGAL = {
    "a telescope with weights": (claim(["descent [sum t] : 1"], "gap[T] <= gap[0]"), "depends on t"),
    "a telescope over the step": (
        OVER + claim(["over [sum t] : 1"], "gap[T]/eta[T] + sum(t) cost[t] <= gap[0]/eta[0]"),
        "depends on t",
    ),
    "a sum of members": (claim([], "sum(t) eta[t] <= T top"), "depends on t"),
    "a mean of members": (claim([], "mean(t) eta[t] <= top"), "depends on t"),
    "a weighted mean of vectors": (claim([], "|mean(t) (eta[t] x[t])|^2 <= 1"), "index of the mean"),
    "a discounted weight": (claim([], "discounted(t, top) (eta[t] cost[t]) <= 1"), "depends on t"),
    "a definition at every index": (claim(["paid [mean t]"], "mean(t) paid[t] <= 1"), "depends on t"),
    "a given that depends on a summed index": (
        GIVEN + claim(["one [sum t] : 1"], "gap[T] <= gap[0]"),
        "bound index t",
    ),
    "out of its range": (claim(["short"], "eta[t + 2] <= top", "t"), "may leave the range"),
    "without its index": (claim([], "eta <= top"), "is a sequence"),
    "with two indices": (claim([], "eta[0, 0] <= top"), "has the indices"),
    "a free index": (claim([], "eta[t] <= top"), "t"),
    "more members than there are": (
        claim([], " + ".join(f"eta[t - {n}]" for n in range(SLOTS + 1)) + " <= top", f"t = {SLOTS} .. T"),
        "members",
    ),
}


@pytest.mark.parametrize("name", NOT_LEGAL)
def test_what_members_are_not_used_for_is_an_error(tmp_path, name):
    text, says = NOT_LEGAL[name]
    with pytest.raises(InputError, match=says):
        outcome(tmp_path, text)


def test_the_same_sums_are_legal_with_a_letter_that_does_not_vary(tmp_path):
    text = claim(["descent [sum t] : 1"], "gap[T] + top sum(t) cost[t] <= gap[0]")
    path = tmp_path / "page.toml"
    path.write_text(PAGE.replace("gap[t] - eta[t] cost[t]", "gap[t] - top cost[t]") + text)
    assert decide_file(load(path)).found["it"].proved


@pytest.mark.parametrize(
    "declared", ['"positive" = "eta[t]"', '">= 0" = "eta[s]"', '">= 0" = "eta[t + 1]"', '"> 0, s = 0 .. T" = "eta[t]"']
)
def test_a_wrong_declaration_is_refused(tmp_path, declared):
    path = tmp_path / "page.toml"
    path.write_text(PAGE.replace('"> 0, t = 0 .. T" = "eta[t]"', declared))
    with pytest.raises(InputError):
        load(path)


def test_a_name_is_a_letter_with_an_index_or_another(tmp_path):
    path = tmp_path / "page.toml"
    path.write_text(PAGE.replace('"x[t]" =', '"eta[t]" ='))
    with pytest.raises(InputError, match="eta"):
        load(path)


def test_why_something_is_not_proved_names_members(tmp_path):
    found = outcome(tmp_path, FALSE["neighbours, upside down"])
    assert "eta[t + 1]" in found.why
    assert "#" not in found.why


def test_a_witness_gives_one_member_one_value(tmp_path):
    """eta[t] and eta[0] are one number at t = 0: a witness there must not tell them apart."""
    path = tmp_path / "page.toml"
    path.write_text(PAGE + claim([], "eta[t] <= eta[0]", "t"))
    file = load(path)
    found = counterexample(Prover(file.setting), file.claims[0])
    assert found is not None
    assert int(found["t"]) > 0
    assert set(found) >= {"eta[t]", "eta[0]"}
