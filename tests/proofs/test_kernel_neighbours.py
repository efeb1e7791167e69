"""Neighbours of each rule's claims, made by machine: what the kernel proves of them holds in every exact world.

A claim is changed in up to three places: a number, a name, an index, a relation, a hypothesis, a step, the proof's
choices.  Most of what comes out is false or says nothing.  The budget is a count in every run; `slow` takes an hour.
"""

import contextlib
import random
import re
import time
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import chance_worlds
import pytest
import test_kernel_broken as broken
import test_kernel_coordinates as coordinates
import test_kernel_delays as delays
import test_kernel_rules as plain

from boundcheck.proofs.kernel import File, Kernel, Proof, Refused
from boundcheck.proofs.kernel.text import index_tree
from boundcheck.proofs.language.stated import TextStatement
from boundcheck.proofs.search.outcomes import outcomes

SECONDS = 150
"""Of each slow test; 24 of them are an hour of one core."""
OUTCOMES = 64
"""Worlds with more are left out."""


@dataclass(frozen=True)
class Setting:
    """A page with claims of its rules, and what may stand in the place of what."""

    text: str
    bodies: tuple[str, ...]
    alike: tuple[str, ...]
    """Names of one kind, which are exchanged for each other."""
    given: tuple[str, ...]
    """Hypotheses that are added."""
    choices: dict = field(default_factory=dict)
    """The proof object without the claim's own part."""
    part: dict = field(default_factory=dict)


def _delayed(steps, shows):
    return f'steps = "{steps}"\nshows = "{shows}"' if steps else f'shows = "{shows}"'


RANGES = (
    "K = 1",
    "T = 1",
    "N = 1",
    "S = N",
    "S = 1",
    "K >= 2",
    "T >= 2",
    "N >= 2",
    "q = 0",
    "c <= 1",
    "t >= 1",
    "k <= t",
)
SETTINGS = {
    "steps": Setting(
        plain.SETTING,
        tuple(body for _, _, body in plain.CLAIMS),
        ("T K S N", "eta sigma c beta q g z", "x w", "a a2 r late one fl big", "p m down s e D", "t k", "mean sum"),
        RANGES,
        {"births": {"x": 0, "y": 0, "w": "end"}, "late": ["w"]},
    ),
    "rounds": Setting(
        plain.ROUNDS,
        tuple(body for _, _, body in plain.OTHERS),
        ("T K S N B", "eta spread", "xi zeta y", "x n", "t k j", "mean sum"),
        RANGES[:8],
        {"births": {"x": 0, "y": 0}, "late": ["A"]},
    ),
    "delays": Setting(
        delays.SETTING,
        tuple(_delayed(*one[2:]) for one in delays.CLAIMS),
        ("T N D", "eta", "x h xi", "s m", "q w", "t r d", "mean sum least"),
        ("T = 1", "N = 1", "D = 1", "D >= 2", "T >= 2", "t >= 1", "D = T"),
        {"births": {"x": 0, "h": 1}, "order": ["s", "m", "x", "xi", "h"]},
        delays.EXCHANGE,
    ),
    "coordinates": Setting(
        coordinates.PAGE.partition("[claim.one]")[0],
        tuple(_delayed(*one) for one in (*coordinates.TRUE.values(), *coordinates.FALSE.values())),
        ("N d", "a c q s p r k xi y", "ones first"),
        ("N = 1", "d = 1", "N >= 2"),
        coordinates.OBJECT,
    ),
}


# --- changes of a text ---------------------------------------------------------------------------------------------


def _replaced(rng, text, pattern, new):
    """Return a text with one of the places of a pattern changed, the text itself if there is none."""
    places = list(re.finditer(pattern, text))
    if not places:
        return text
    one = rng.choice(places)
    return text[: one.start()] + new(one[0]) + text[one.end() :]


def _exchanged(rng, text, setting):
    names = rng.choice(setting.alike).split()
    return _replaced(rng, text, rf"(?<![\w.-])(?:{'|'.join(names)})(?![\w-])", lambda _: rng.choice(names))


def _another_number(rng, text, _):
    return _replaced(rng, text, r"(?<!\w)\d+", lambda n: str(rng.choice([0, 1, 2, int(n) + 1, max(0, int(n) - 1)])))


def _another_index(rng, text, _):
    return _replaced(rng, text, r"(?<=[\[,] )?(?<=[\[ ])[a-zA-Z0](?=[\],])", lambda k: f"{k} {rng.choice('+-')} 1")


def _another_sign(rng, text, _):
    return _replaced(rng, text, r" [+-] ", lambda sign: " - " if sign == " + " else " + ")


def _another_relation(rng, text, _):
    return _replaced(rng, text, r" (<=|=)(?= )", lambda _: rng.choice([" <=", " =", " >="]))


def _other_steps(rng, text, setting):
    """Exchange the steps for those of another claim, or add these."""
    other = re.search(r'^steps = "(.*)"$', rng.choice(setting.bodies), re.MULTILINE)
    mine = re.search(r'^steps = "(.*)"$', text, re.MULTILINE)
    if other is None:
        return text if mine is None else text.replace(mine[0] + "\n", "")
    if mine is None:
        return f"{other[0]}\n{text}"
    more = f'steps = "{mine[1]}; {other[1]}"' if rng.random() < 0.5 else other[0]
    return text.replace(mine[0], more)


def _a_step_less(rng, text, _):
    return _replaced(rng, text, r'(?<=")[^";\n]+; |; [^";\n]+(?=")', lambda _: "")


def _no_rule(rng, text, _):
    return _replaced(rng, text, r" \[[a-z]+ [^\]]*\]| : [^;\"]+", lambda _: "")


def _a_hypothesis(rng, text, setting):
    """Add one, or leave all out."""
    if " if " in text and rng.random() < 0.5:
        return re.sub(r' if [^"]*(?="$)', "", text, flags=re.MULTILINE)
    joint = ", " if " if " in text else " if "
    return re.sub(r'"\s*\Z', f'{joint}{rng.choice(setting.given)}"', text)


def _a_range(rng, text, _):
    return _replaced(rng, text, r" for \w+(?: = [^,\"]*?)?(?=[,\"]| if )", lambda _: " for t")


CHANGES = (_exchanged, _exchanged, _another_number, _another_number, _another_index, _another_sign, _another_relation)
CHANGES += (_other_steps, _a_step_less, _no_rule, _a_hypothesis, _a_range)


def _neighbour(rng, setting):
    """Return a claim of the setting, changed in up to three places."""
    text = rng.choice(setting.bodies)
    for _ in range(rng.randint(1, 3)):
        text = rng.choice(CHANGES)(rng, text, setting)
    return text


def _kernel(tmp_path, setting, body, rng):
    """Return the kernel on a claim, with choices as the search might make them."""
    choices = dict(setting.choices)
    if setting.part:
        page = tmp_path / "claims.toml"
        page.write_text(f"{setting.text}\n[claim.it]\n{body}\n", encoding="utf-8")
        file = File()
        file.read(page)
        part = setting.part
    else:
        file, made = plain._written(tmp_path, body, setting.text)
        part = made["claims"]["it"][0]
    claim = file.claims["it"]
    labels = ["it"]
    if claim.statement.given and rng.random() < 0.5:
        given = {one.parts[n].name for one in claim.statement.given for n in (0, 1) if one.parts[n].kind == "name"}
        values = sorted(given & (file.horizons | file.sizes))[:1]
        choices["values"] = {"it": values}
        labels.append("it at")
    if rng.random() < 0.2:
        horizon = rng.choice(sorted(file.horizons))
        choices["horizons"] = {"it": {horizon: 2}}
        labels += [f"it at {horizon}=1", f"it at {horizon}>=2"]
    if any(one.parts[1].kind == "min" for one in claim.statement.given):
        choices["split"] = {"it": [0]}
    choices["claims"] = {label: [part, part] for label in labels}
    return Kernel(file, Proof(choices))


# --- worlds --------------------------------------------------------------------------------------------------------


def _counterexample(name, file, seed):
    """Return a world in which the claim does not hold, None if there is none."""
    if name == "coordinates":
        found = (world for world in coordinates.WORLDS if _fails_by_coordinate(world, file.claims["it"].statement))
    else:
        worlds, fails = (delays._worlds, delays._fails) if name == "delays" else (plain._worlds, plain._fails)
        small = (world for world in worlds(file, 2, seed) if len(world.outcomes) <= OUTCOMES)
        found = (world for world in small if fails(world, file))
    world = next(found, None)
    return world and world.letters


def _fails_by_coordinate(world, claim):
    for low, high in claim.over.values():
        if not world.index(index_tree(low)) <= 0 <= world.index(index_tree(high)):
            return False  # of no time
    try:
        return all(world.holds(one) for one in claim.given) and not world.holds(claim.shows)
    except (ZeroDivisionError, KeyError):
        return True


@dataclass
class Tally:
    """What came out of the neighbours that were made."""

    legal: int = 0
    proved: int = 0
    false: int = 0
    """Refused, and false in a world; of every sixth that is refused."""
    wrong: list = field(default_factory=list)
    """Proved, and false in a world."""


def _tried(name, tmp_path, seed, count=None, seconds=None):
    """Decide neighbours of a setting, so many or for so long."""
    setting, rng, tally, until = SETTINGS[name], random.Random(f"{name} {seed}"), Tally(), time.monotonic()
    n = 0
    while n < count if count else time.monotonic() < until + seconds:
        n += 1
        body = _neighbour(rng, setting)
        try:
            kernel = _kernel(tmp_path, setting, body, rng)
            verdict = kernel.check_claim("it")
        except (Refused, ValueError, KeyError, AttributeError):
            continue
        tally.legal += 1
        tally.proved += verdict.proved
        if verdict.proved:
            found = _counterexample(name, kernel.file, rng.random())
            tally.wrong += [] if found is None else [(body, found, kernel.proof.data)]
        elif not n % 6:
            with contextlib.suppress(AssertionError):  # it says nothing
                tally.false += _counterexample(name, kernel.file, rng.random()) is not None
    return tally


@pytest.mark.parametrize("name", SETTINGS)
def test_what_is_proved_of_a_neighbour_holds(name, tmp_path):
    tally = _tried(name, tmp_path, 8, count=24)
    assert not tally.wrong
    assert tally.legal > 12
    assert tally.proved
    assert tally.false


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 7))
@pytest.mark.parametrize("name", SETTINGS)
def test_what_is_proved_of_many_neighbours_holds(name, seed, tmp_path):
    """For an hour in all."""
    tally = _tried(name, tmp_path, seed, seconds=SECONDS)
    assert not tally.wrong
    assert tally.proved
    assert tally.false


BREAKS = {
    broken._no_order_of_time: "steps",
    broken._no_ends: "steps",
    broken._no_hypotheses: "steps",
    broken._no_ranges: "delays",
}


@pytest.mark.slow
@pytest.mark.parametrize("change", BREAKS, ids=lambda one: one.__name__.strip("_"))
def test_without_a_check_neighbours_find_it(change, monkeypatch, tmp_path):
    """With one check of the kernel taken out, what is proved does not always hold."""
    change(monkeypatch)
    assert _tried(BREAKS[change], tmp_path, 0, count=400).wrong


# --- statements with E(...) ----------------------------------------------------------------------------------------

EXPECTATIONS = Path(__file__).parent / "battery" / "expectations.toml"
EXCHANGED_WORDS = (
    ("g", "h"),
    ("A", "B"),
    ("A", "C"),
    ("B", "C"),
    ("sampled", "taken"),
    ("mean", "deviation"),
    ("N", "S"),
    ("e", "n"),
    ("x", "y"),
    ("u", "v"),
)


def _neighbour_in_chance(rng, text):
    """Return a claim's text with up to three numbers, words, signs or relations changed."""
    for _ in range(rng.randint(1, 3)):
        change = rng.randrange(4)
        if change == 0:
            text = _another_number(rng, text, None)
        elif change == 1:
            text = _another_sign(rng, text, None)
        elif change == 2:
            text = _replaced(rng, text, r"<=|(?<= )=(?= )", lambda sign: "=" if sign == "<=" else "<=")
        else:
            pair = rng.choice(EXCHANGED_WORDS)
            text = _replaced(rng, text, rf"(?<!\w)(?:{'|'.join(pair)})(?!\w)", lambda _, pair=pair: rng.choice(pair))
    return text


def _proved_in_chance(rng, folder, tries):
    """Return statements that are proved of neighbours of a battery's, each with what it is given."""
    data = tomllib.loads(EXPECTATIONS.read_text(encoding="utf-8"))
    bodies = list(data["claim"]["battery"].values())
    page = [f'letters = "{data["letters"]}"']
    for n in range(tries):
        one = rng.choice(bodies)
        shows, given = _neighbour_in_chance(rng, one["shows"]), one.get("given", "")
        page += [f"[claim.near.n{n}]", f'shows = "{shows}"', f'given = "{given}"' if given else ""]
    path = folder / "near.toml"
    path.write_text("\n".join(page), encoding="utf-8")
    for found in outcomes(path):
        if found["verdict"] == "proved":
            yield found["shows"], found["given"], data["letters"].split("; ")


@pytest.mark.parametrize("tries", [3, pytest.param(400, marks=pytest.mark.slow)])
def test_what_is_proved_of_neighbours_with_expectations_holds(tmp_path, tries):
    """Sums over all outcomes do not contradict it."""
    rng = random.Random(tries)
    for shows, given, letters in _proved_in_chance(rng, tmp_path, tries):
        used = [line for line in letters if set(re.findall(r"\w+", f"{shows} {' '.join(given)}")) & _names_of(line)]
        used = list(dict.fromkeys(["a, p > 0", "vectors u, v", "families g, h", *used]))
        assert not any(chance_worlds.fails([shows], given, w) for w in chance_worlds.worlds(used, rng, 12)), shows


def _names_of(line):
    """Return the names that a declaration declares."""
    return set(TextStatement((), (), (line,)).names)
