"""Proof objects forged by their grammar: every field, every kind of value, legal or not; nothing false is proved.

An object holds choices alone, so that whatever stands in it, a claim that is false in an exact world is not proved, and
what is no object ends in a word.  The claims are those of the tests of the rules, which use every rule of the kernel.
"""

import contextlib
import copy
import json
import random
from functools import partial

import pytest
import test_kernel_coordinates as coordinates
import test_kernel_delays as delays
import test_kernel_rules as plain
from test_kernel_says import NAMES, Checked, copied

from boundcheck.proofs.kernel import File, Kernel, Proof, Refused

ENDS = (Refused, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What reading a page and its object ends in, where it does not end in verdicts: a line of `verify` each."""
ANYTHING = (
    *(0, 1, 2, -1, 3, 10**30, 0.5, -2.0, float("inf"), float("nan"), True, False, None, [], {}, [[]]),
    *("", "0", "1", "-1", "2", "1/2", "1/0", "-1/3", "1e9", "\u0663", " 1", "1 "),
    *("x", "t", "k'", "t'", "t'g", "end", "i"),
)
TEXTS = {
    "number": [
        *("0", "1", "-1", "2", "1/2", "N", "T", "1/(N - 1)", "K", "q", "1/q", "z", "-z", "t", "1/t"),
        *("eta^-1", "N - 1", "N^99999999"),
    ],
    "vector": ["x[t]", "x[0]", "y[t, k]", "y[t, k']", "a[t]", "s[t]", "h[t - d']", "xi[t, k']", "mean(i) a[t]", "ones"],
    "name": ["x", "y", "w", "A", "xi", "h", "s", "m", "k", "g", "a", "c", "q", "T", "N", "S", "K", "D"],
    "place": ["t", "0", "T - 1", "t - 1", "k", "-1", "T"],
    "term": ["s[0]", "s[T - 1]", "s[t']", "q[t']", "q[-d' + t' - 1]", "w[0]", "down[0]", "one[0]"],
    "polynomial": ["- 1 + N", "- 1 + K", "q", "z", "- 1", "1 - q", "- 1 + T", "N - S", "c - beta"],
}
MARKS = ("", " > 0", " /= 0")


def made(chance, kind):
    """Return a value of a kind of the grammar."""
    if kind in TEXTS:
        return chance.choice(TEXTS[kind])
    if kind == "sign":
        powers = {made(chance, "name"): chance.choice((-2, -1, 0, 1, 2))}
        why = [[made(chance, "number"), powers, chance.sample(TEXTS["polynomial"], chance.randint(0, 2))]]
        square = [[made(chance, "number"), powers]]
        reasons = [1, why, []], [2, [], square], [1, [], square], [-1, why, []], [10**9, why, []]
        absurd = [[made(chance, "number"), powers, [], chance.choice((0, 1, 2, 10**9))]]
        return chance.choice(({"times": powers, "scale": "1", "factors": [chance.choice(reasons)]}, {"absurd": absurd}))
    if kind == "square":
        averaged = chance.choice(([], ["i"], ["k'"]))
        return [made(chance, "number"), [[made(chance, "number"), made(chance, "vector"), averaged]]]
    return chance.choice(ANYTHING)


def multipliers(chance):
    """Return texts in the place of the multipliers of a claim's premises."""
    return [made(chance, chance.choice(("number", "vector"))) for _ in range(chance.randint(0, 3))]


FIELDS = {
    "multipliers": multipliers,
    "squares": lambda chance: [made(chance, "square") for _ in range(chance.randint(0, 2))],
    "signs": lambda chance: {made(chance, "polynomial") + chance.choice(MARKS): made(chance, "sign")},
    "owed": lambda chance: [made(chance, "term")],
    "exchanged": lambda chance: {made(chance, "term"): chance.choice(("t'", "d'", "k'", "t'g", "r", "i"))},
    "zero": lambda chance: [chance.choice(("it", "none", "halfway", "rec"))],
    "passes": lambda chance: chance.choice((0, 1, 2, 3, 10**9, True, -1)),
    "squares_vanish": lambda chance: chance.choice((True, 1, "no")),
    "least": lambda chance: made(chance, "place"),
}
"""What a part of a claim may say."""
WHOLE = {
    "births": lambda chance: {made(chance, "name"): chance.choice((-9, -1, 0, 1, 2, "end", True, 0.5, "1", None))},
    "late": lambda chance: [made(chance, "name")],
    "order": lambda chance: chance.sample(TEXTS["name"], 4),
    "split": lambda chance: {"it": [chance.choice((0, 1, -1, True, "0"))]},
    "values": lambda chance: {"it": [chance.choice("TKNSDqi")]},
    "horizons": lambda chance: {"it": {chance.choice("TKNDq"): chance.choice((1, 2, 3, 8, 10**9, True))}},
}
"""What an object may say of the file and of a claim."""


def places(data, before=()):
    """Yield the path of each value in an object."""
    yield before
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from places(value, (*before, key))


def parts_of(data):
    """Return the parts of the claims that an object has choices for."""
    claims = data.get("claims")
    several = claims.values() if isinstance(claims, dict) else ()
    return [one for parts in several if isinstance(parts, list) for one in parts if isinstance(one, dict)]


def forged(data, chance):
    """Return an object changed in one to three places: another value, none, two in the other order, one more field."""
    data = copy.deepcopy(data)
    for _ in range(chance.randint(1, 3)):
        kind, parts = chance.randrange(5), parts_of(data)
        if kind == 0 and parts:
            name = chance.choice(list(FIELDS))
            chance.choice(parts)[name] = FIELDS[name](chance)
            continue
        if kind == 1:
            name = chance.choice(list(WHOLE))
            new, old = WHOLE[name](chance), data.get(name)
            data[name] = old | new if isinstance(new, dict) and isinstance(old, dict) else new
            continue
        *above, last = chance.choice([path for path in places(data) if path])
        inside = data
        for key in above:
            inside = inside[key]
        if kind == 2:
            del inside[last]
        elif kind == 3 and isinstance(inside, list):
            other = chance.randrange(len(inside))
            inside[last], inside[other] = inside[other], inside[last]
        elif kind == 3:
            inside[str(last) + chance.choice(("'", " ", "2", "[t]"))] = inside.pop(last)
        else:
            inside[last] = made(chance, chance.choice((*TEXTS, "sign", "square", "any", "any")))
    return data


def of_coordinates(folder, claim):
    """Return the file of a claim about coordinates, and its object."""
    return coordinates.kernel_of(folder, *claim).file, coordinates.OBJECT | {"claims": {"one": [{}]}}


DELAYED = {"births": {"x": 0, "h": 1}, "order": ["s", "m", "x", "xi", "h"], "claims": {"it": [delays.EXCHANGE]}}
RULES = [
    *((true, partial(plain._file, body=body)) for _, true, body in (*plain.CLAIMS, *plain.OTHERS)),
    *((claim[1], lambda folder, claim=claim: (delays._file(folder, claim), DELAYED)) for claim in delays.CLAIMS),
    *((True, partial(of_coordinates, claim=claim)) for claim in coordinates.TRUE.values()),
    *((False, partial(of_coordinates, claim=claim)) for claim in coordinates.FALSE.values()),
]
"""Each claim of the tests of the rules: whether it is true, and what makes its file and the object of its proof."""


def decide(file, data):
    """Return whether the one claim is proved; an object that is none ends in one of the words."""
    (id_,) = file.claims
    with contextlib.suppress(*ENDS):
        return Kernel(file, Proof(data)).check()[id_].proved
    return False


def tries(folder, seed, count):
    """Forge objects of true and of false claims; return how many of the true ones are proved all the same."""
    chance, proved = random.Random(seed), 0
    for _ in range(count):
        true, make = chance.choice(RULES)
        file, data = make(folder)
        other = forged(data, chance)
        found = decide(file, other)
        assert true or not found, (file.claims, other)
        proved += found
    return proved


def test_a_forged_object_proves_nothing_false(tmp_path):
    assert tries(tmp_path, 1, 80)


def test_an_exponent_that_nobody_can_multiply_out_is_refused(tmp_path):
    page = tmp_path / "power.toml"
    page.write_text('[letters]\n"> 0" = "N"\n[claim.it]\nshows = "N^POWER <= 2 N^POWER"\n', encoding="utf-8")
    text = page.read_text(encoding="utf-8")
    for power, legal in (("100", True), ("101", False), ("9" * 5000, False)):
        page.write_text(text.replace("POWER", power), encoding="utf-8")
        file = File()
        with contextlib.nullcontext() if legal else pytest.raises(Refused, match="a whole number up to 100"):
            file.read(page)
            assert decide(file, {})


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_forged_objects_prove_nothing_false(tmp_path, seed):
    assert tries(tmp_path, seed, 1500)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_forged_objects_of_whole_proofs_prove_nothing_else(tmp_path, name):
    page = copied(tmp_path, name)
    data = json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))
    checked, chance = Checked(page, data), random.Random(name)
    for _ in range(700):
        assert checked.after(page, forged(data, chance)) <= checked.proved
