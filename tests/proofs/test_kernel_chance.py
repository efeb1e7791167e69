"""Expectations in certificates: each law against sums over all outcomes, and what was altered is not accepted."""

import copy
import random
import re
from fractions import Fraction

import pytest
from chance_worlds import fails, inner, mean, value, worlds

from boundcheck.proofs.kernel import chance
from boundcheck.proofs.kernel.certificates import ERRORS, check
from boundcheck.proofs.kernel.chance import Draw, ExpectationScope
from boundcheck.proofs.language.grammar import read
from boundcheck.proofs.ledger.certify import shipped_certificates

FAMILIES, COMMON = ("u", "v"), ("w",)
LAWS = {
    "sample": ("draw A of S from N", "noise e, f over N", "noise x over b", "noise y"),
    "replacement": ("draw A of S from N with replacement", "noise e, f over N", "noise y of sigma^2"),
    "chance": ("draw A from N with chance p", "noise e, f over N", "noise y"),
    "two draws": ("draw A of S from N", "draw B of R from N with replacement", "noise y of sigma^2/b"),
    "a draw of a draw": ("draw A from N with chance p", "draw B of R from N", "noise e over N"),
    "noise": ("noise e, f over N", "noise x over b of sigma^2", "noise y"),
}
SORTS = {"N": ">0", "S": ">0", "R": ">0", "b": ">0", "p": ">0", "sigma": ">0"}
FACTS = ["N >= 1", "S >= 1", "S <= N", "R >= 1", "R <= N", "p <= 1"]


# --- each law, on random expressions --------------------------------------------------------------------------------


def random_vector(rng, laws, depth=2, made_by=()):
    """Return a vector in words of chance; a draw draws from nothing that it has drawn, and noise of the clients."""
    draws = [line.split()[1] for line in laws if line.startswith("draw")]
    noises = [name for line in laws if line.startswith("noise") for name in line.split(" o")[0][6:].split(", ")]
    drawable = [name for name in noises if name not in ("x", "y") or (name == "y" and made_by)]
    kind = rng.choice(["plain", "plain", "mean", "deviation", "drawn", "drawn", "sum"]) if depth else "plain"
    if kind == "drawn" and (free := [draw for draw in draws if draw not in made_by]):
        draw = rng.choice(free)
        replaced = any(line.startswith(f"draw {draw} ") and "replacement" in line for line in laws)
        word = "sampled" if replaced else rng.choice(["sampled", "taken"])
        return f"{word}({random_vector(rng, laws, depth - 1, (*made_by, draw))}, {draw})"
    if kind in ("mean", "deviation"):
        return f"{kind}({random_vector(rng, laws, depth - 1, made_by)})"
    if kind == "sum":
        one, other = (random_vector(rng, laws, depth - 1, made_by) for _ in range(2))
        return f"{one} {rng.choice('+-')} {rng.randint(1, 3)}*{other}"
    return rng.choice([*FAMILIES, *COMMON, *(drawable if made_by else noises)])


def evaluated(scope, poly, world):
    """Return a number of the kernel in a world; an inner product of noises is their expectation there."""

    def vector(name):
        root = name.lstrip("~")
        found = world.vector(root, {})
        return found - mean(found) if name.startswith("~~") else mean(found)

    def generator(name):
        if name in scope.bases:
            return evaluated(scope, scope.bases[name], world)
        if not name.startswith("<"):
            return Fraction(world.values[name])
        g, h = name[1:-1].split(", ")
        if g.lstrip("~") in world.laws:
            return value(read(f"E(<{g[1:]}, {h[1:]}>)", alone=True), world, {})
        return inner(vector(g), vector(h))

    total = Fraction(0)
    for monomial, by in poly.items():
        for name, power in monomial:
            by *= generator(name) ** power
        total += by
    return total


def disagreement(laws, rng, tries, text=""):
    """Return an expression and a world in which the kernel and the sum over outcomes differ, None if none is met."""
    for world in worlds(["families u, v", "vectors w", *laws], rng, tries):
        one = "N" if world.values["N"] == 1 else ""
        letters = SORTS | dict.fromkeys(FAMILIES, "family") | dict.fromkeys(COMMON, "vector")
        scope = ExpectationScope(letters, list(laws), one)
        scope.note(*FACTS, *([] if one else ["N >= 2"]))
        scope.declare()
        asked = text or f"E(<{random_vector(rng, laws)}, {random_vector(rng, laws)}>)"
        try:
            found = evaluated(scope, scope.read(asked), world)
        except ValueError as why:
            if "over which E is not taken" in str(why):  # each of two draws draws from what the other has drawn
                continue
            raise
        if found != value(read(asked, alone=True), world, {}):
            return asked, world.values
    return None


@pytest.mark.parametrize("laws", LAWS.values(), ids=LAWS)
@pytest.mark.parametrize("tries", [12, pytest.param(400, marks=pytest.mark.slow)])
def test_the_laws_give_the_sums_over_all_outcomes(laws, tries):
    assert disagreement(laws, random.Random(tries), tries) is None


def halved(p):
    return {m: Fraction(x, 2) for m, x in p.items()}


BROKEN = {
    "sample": ("without_replacement", "of_deviations", "E(|sampled(u, A)|^2)"),
    "replacement": ("with_replacement", "of_deviations", "E(<sampled(u, A), sampled(v, A)>)"),
    "chance": ("independent", "of_means", "E(|sampled(w, A)|^2)"),
    "a draw of a draw": ("independent", "chance", "E(<taken(u, A), v>)"),
    "two draws": ("without_replacement", "chance", "E(|deviation(taken(u, A))|^2)"),
    "noise": ("expected_noise", "", "E(|mean(e)|^2)"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_wrong_law_is_seen(monkeypatch, name):
    """The sums over outcomes are no echo: with half of any one law they differ from what the kernel reads."""
    method, part, text = BROKEN[name]
    right = getattr(ExpectationScope, method)

    def half(*of):
        law = right(*of)
        return law._replace(**{part: halved(getattr(law, part))}) if part else law and halved(law)

    assert disagreement(LAWS[name], random.Random(3), 20, text) is None
    monkeypatch.setattr(ExpectationScope, method, half)
    assert disagreement(LAWS[name], random.Random(3), 20, text) is not None


# --- what is refused ------------------------------------------------------------------------------------------------


def said(shows, random_=("draw A of S from N", "noise e over N"), given=(), **letters):
    """Return a certificate of 0 = 0 that says a relation: it is read, and is something else unless it is trivial."""
    letters = {"N": ">0", "S": ">0", "u": "family", **letters}
    words = {"letters": letters, "random": list(random_), "given": list(given), "shows": shows}
    return {"id": "said", "letters": {}, "given": [], "shows": "0 = 0", "by": [], "expectation": words}


REFUSED = {
    "another number": (said("E(<u, e>) = 1"), "is not what is said"),
    "noise outside of E": (said("|e|^2 >= 0"), "random outside of E"),
    "a draw outside of E": (said("|sampled(u, A)|^2 >= 0"), "random outside of E"),
    "a product of random numbers": (said("E(|e|^2*|e|^2) = E(|e|^2*|e|^2)"), "a product of random numbers"),
    "a draw that is not averaged": (said("E(|sampled(u, A)|^2, e) = 0"), "a draw over which E is not taken"),
    "noise that is not averaged": (said("E(|e|^2, A) >= 0"), "random outside of E"),
    "a law that is not declared": (said("E(|e|^2, B) = 0"), "not all are declared"),
    "what was drawn, drawn again": (said("E(<taken(taken(u, A), A), u>) = 0"), "draws from what it has drawn"),
    "noise of others": (
        said("E(<sampled(x, A), u>) = 0", ("draw A of S from N", "noise x over S")),
        "no noise of the cli",
    ),
    "draws from others": (said("0 = 0", ("draw A of S from N", "draw B of N from S")), "different numbers of clients"),
    "taken twice": (
        said("E(<taken(u, A), u>) = 0", ("draw A of S from N with replacement",)),
        "may draw a client twice",
    ),
    "a name twice": (said("0 = 0", ("noise u over N",)), "declared twice"),
    "two moments": (said("0 = 0", ("noise e, f over N of S",)), "a moment is that of one noise"),
    "no declaration": (said("0 = 0", ("noises e",)), "declares neither"),
    "a count that may be 0": (said("E(|mean(x)|^2) = 0", ("noise x over k",), k=">=0"), "is not zero"),
    "an undefined hypothesis": (said("0 = 0", given=("1/k >= 0",), k=""), "a hypothesis is not defined"),
    "another kind of letter": (said("0 = 0") | {"letters": {"N": ""}}, "letters of another kind"),
    "a hypothesis of its own": (said("0 = 0") | {"given": ["N >= 5"], "letters": {"N": ">0"}}, "is not given"),
    "two clients without a word": (said("E(|sampled(u, A) - mean(u)|^2) = 0"), "is not what is said"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_statement_of_the_certificate_is_refused(name):
    certificate, why = REFUSED[name]
    with pytest.raises(ERRORS, match=re.escape(why)):
        check(certificate, {})


def test_with_one_client_a_noise_may_have_several_members():
    """N = 1: nothing deviates over the clients, but a noise over b members deviates from its own mean."""
    shows = "E(|deviation(x)|^2) = (1 - 1/b)*E(|x|^2)"
    scope = ExpectationScope({"N": ">0", "b": ">0"}, ["noise x over b"], "N")
    scope.declare()
    assert scope.zero(scope.relation(shows)[0])
    assert not scope.zero(scope.read("E(|deviation(x)|^2)"))


def test_what_cancels_needs_no_law_of_two_clients():
    """The control: the same declarations, and a relation that is trivial once the expectations are taken."""
    assert check(said("E(<u, e>) = 0"), {})[1].startswith("  for all N >0")
    assert check(said("E(|sampled(u, A)|^2) - E(|sampled(u, A)|^2) = 0"), {})


# --- forging --------------------------------------------------------------------------------------------------------

FORGED = [name for name, one in shipped_certificates().items() if "expectation" in one]
EXCHANGED = (("N", "S"), ("e", "f"), ("sampled", "taken"), ("mean", "deviation"), ("<=", ">="), ("+", "-"), ("A", "B"))


def texts(part, path=()):
    """Yield (container, key) of each text in what a certificate says, but for sorts."""
    for key, inside in part.items() if isinstance(part, dict) else enumerate(part):
        if isinstance(inside, str) and key not in ("id", "kind"):
            yield part, key
        elif isinstance(inside, (dict, list)):
            yield from texts(inside, (*path, key))


def forge(certificate, rng):
    """Return a certificate with one or two alterations of numbers, words, hypotheses, declarations or sorts."""
    made = copy.deepcopy(certificate)
    for _ in range(rng.choice((1, 1, 2))):
        where = made["expectation"] if rng.random() < 0.7 else made
        box, key = rng.choice(list(texts(where)))
        kind = rng.randrange(5)
        if kind == 0:
            box[key] = re.sub(r"(?<![\w.])\d+", lambda m: str(int(m[0]) + rng.choice((0, 1, 2))), box[key])
        elif kind == 1:
            one, other = rng.choice(EXCHANGED)
            box[key] = box[key].replace(one, "#").replace(other, one).replace("#", other)
        elif kind == 2 and isinstance(box, list):
            box[key] = rng.choice(["0 <= 1", "noise e", "N >= 2", "draw A of 1 from N", *box])
        elif kind == 3:
            box[key] = re.sub(r"E\((.*)\)", r"\1", box[key])
        elif "one" in made["expectation"]:
            del made["expectation"]["one"]
        elif made["expectation"]["given"]:
            made["expectation"]["given"].pop(rng.randrange(len(made["expectation"]["given"])))
    return made


def false_somewhere(said_, rng, tries=6):
    """Return whether a statement fails in an exact world; None where it speaks of letters that no world has."""
    letters = [
        f"{'families' if sort == 'family' else 'vectors'} {name}"
        for name, sort in said_["letters"].items()
        if sort in ("family", "vector")
    ]
    signs = {">0": "> 0", ">=0": ">= 0", "": "real"}
    counts = {"N", "S", "R", "b", "K", "p"}
    letters += [
        f"{name} {signs[sort]}" for name, sort in said_["letters"].items() if sort in signs and name not in counts
    ]
    return any(fails([said_["shows"]], said_["given"], w) for w in worlds([*letters, *said_["random"]], rng, tries))


@pytest.mark.parametrize("count", [120, pytest.param(3000, marks=pytest.mark.slow)])
def test_no_altered_certificate_proves_what_is_false(count):
    """Most are refused.  What is accepted is printed as it is, and holds in every exact world that is tried."""
    rng = random.Random(count)
    accepted = 0
    for _ in range(count):
        certificate = {**shipped_certificates()[rng.choice(FORGED)]}
        made = forge(certificate, rng)
        if made == certificate:
            continue
        try:
            check(made, {})
        except ERRORS:
            continue
        accepted += 1
        now, before = made["expectation"], certificate["expectation"]
        same = all(now[key] == before[key] for key in ("shows", "random", "letters", "given"))
        assert same or not false_somewhere(now, rng), now
    assert accepted < count / 2


def test_the_worlds_see_what_is_false():
    """The control: statements with a smaller constant, another law or without a hypothesis fail in a world."""
    rng = random.Random(1)
    said_ = {"letters": {"N": ">0", "S": ">0", "u": "family"}, "random": ["draw A of S from N"], "given": []}
    true = "E(|sampled(u, A) - mean(u)|^2) <= |deviation(u)|^2/S"
    assert not false_somewhere({**said_, "shows": true}, rng, 20)
    assert false_somewhere({**said_, "shows": true.replace("/S", "/(2*S)")}, rng, 20)
    assert false_somewhere({**said_, "shows": "E(|taken(u, A)|^2) = |u|^2"}, rng, 20)


OUTSIDE_OF_THE_LAWS = {
    "the mean of a noise": ("E(|E(e)|^2) = sigma", ["noise e of sigma"], "of a vector"),
    "a noise off its mean": ("E(|e - E(e)|^2) = 0", ["noise e of sigma"], "of a vector"),
    "what is drawn, off its mean": (
        "E(|sampled(u, A) - E(sampled(u, A))|^2) = 0",
        ["draw A of S from N"],
        "of a vector",
    ),
    "a quotient": ("E(1/(1 + |e|^2)) = E(1/(1 + |e|^2))", ["noise e of sigma"], "of a quotient"),
    "a quotient outside": ("1/(1 + |e|^2) <= 1", ["noise e of sigma"], "outside of E"),
    "a product with a quotient": (
        "E(|e|^2/(1 + |e|^2)) = sigma*E(1/(1 + |e|^2))",
        ["noise e of sigma"],
        "of a product",
    ),
    "a chance that is random": ("0 = 0", ["noise e of sigma", "draw A from N with chance 1/(1 + |e|^2)"], "is random"),
    "a size that is random": ("0 = 0", ["noise e of sigma", "draw A of 1 + |e|^2 from N"], "is random"),
    "members that are random": ("0 = 0", ["noise e of sigma", "noise f over 1 + |e|^2"], "is random"),
    "a moment that is random": ("0 = 0", ["noise e of sigma", "noise f of |e|^2"], "is random"),
}
"""Each but the last four is false or undefined, and would be read as the same number on both sides."""


@pytest.mark.parametrize(("shows", "random", "why"), OUTSIDE_OF_THE_LAWS.values(), ids=OUTSIDE_OF_THE_LAWS)
def test_what_the_laws_do_not_speak_of_is_refused(shows, random, why):
    """The laws are about inner products of what is noise or drawn, and about numbers that are not."""
    letters = {"u": "family", "N": ">0", "S": ">0", "sigma": ">0"}
    both = {"letters": letters, "shows": "0 = 0", "by": []}
    with pytest.raises(ERRORS, match=why):
        check(
            {"id": "it", **both, "expectation": {"letters": letters, "given": [], "random": random, "shows": shows}}, {}
        )


def test_a_quotient_by_what_is_certain_has_an_expectation():
    letters = {"sigma": ">0"}
    said_ = {"letters": letters, "given": [], "random": ["noise e of sigma"], "shows": "E(|e|^2/(1 + sigma)) < 1"}
    shown = {"letters": letters, "shows": "sigma/(1 + sigma) < 1", "by": [["1/(1 + sigma)"]]}
    assert check({"id": "it", **shown, "expectation": said_}, {})


def test_a_law_that_is_wrong_lets_forgeries_through(monkeypatch):
    """With the variance of a sample left out, a false statement is accepted: the law is what keeps it out."""
    certificate = said("E(|sampled(u, A) - mean(u)|^2) = 0", ("draw A of S from N",), ("N >= 2",))
    with pytest.raises(ERRORS):
        check(certificate, {})
    monkeypatch.setattr(chance.ExpectationScope, "without_replacement", lambda *of: Draw(of[3], None, {}, {}))
    assert check(certificate, {})
