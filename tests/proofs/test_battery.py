"""A battery of statements, true, false and at the edge, as reviewers type them: what is false is never proved.

The name of a claim says what it is; who wrote it knew the proof, or a number at which it fails.  The edge is N = 1,
K = 1, T = 1, S = N, a weight of 0, a step at its limit, a sum over nothing.  Half of the files are decided with the
steps of each claim in the reverse order and with other letters, too.
"""

import re
from pathlib import Path

import pytest

from boundcheck.proofs.chain.whole.proof import decide_file
from boundcheck.proofs.language.files import load
from boundcheck.proofs.search.finder import find_for
from boundcheck.proofs.search.outcomes import outcomes

FOLDER = Path(__file__).parent / "battery"
CHAINS = ("vectors", "descent", "recursions", "samples")
THEMES = {
    "convexity": (0.95, 0.8),
    "sums": (0.95, 0.8),
    "compression": (0.95, 0.8),
    "telescoping": (1.0, 0.9),
    "careless": (0.85, 0.9),
    "strangers": (0.95, 0.9),
    "edges": (0.9, 0.75),
    "lengths-at-zero": (0.95, 0.9),
    "squares": (1.0, 1.0),
}
"""Lemmas of federated optimisation and of its neighbours, documented errors beside them; least shares that are proved
and refuted."""
LONG = ("participation", "averaging")
"""Themes that take minutes: in parts, of which only soundness is asked."""
PARTS = 6
SCALARS = (
    "scalars",
    "lemmas",
    "families",
    *(
        pytest.param(name, marks=pytest.mark.slow)
        for name in ("lengths", "numbers", "expectations", "powers", "reviewers")
    ),
)
FRESH = ("ranges", "scope", "optimum", pytest.param("dependence", marks=pytest.mark.slow))
"""Ranges and one-term sums; scope of hypotheses; the optimum and useless steps; dependence on noise and sample."""
HEAD = re.compile(r"^\[claim\.", re.MULTILINE)
OTHER_LETTERS = {"eta": "alpha", "mu": "kappa", "beta": "theta", "delta": "rho", "zeta": "het", "G": "bound", "q": "pi"}


def claims(text):
    """Return the head of a claim file and its claims."""
    first = HEAD.search(text).start()
    return text[:first], [f"[claim.{one}" for one in HEAD.split(text[first:]) if one]


def reversed_steps(text):
    return re.sub(
        r'^(steps|base) = "(.*)"$',
        lambda m: f'{m[1]} = "{"; ".join(m[2].split("; ")[::-1])}"',
        text,
        flags=re.MULTILINE,
    )


def other_letters(text):
    """Return a file with other names for letters; claims and titles have names in which no letter stands alone."""
    lines = [
        line
        if line.startswith(("title", "["))
        else re.sub(r"(?<!\w)(?<!\w-)[A-Za-z]+(?![\w-]|\[)", lambda m: OTHER_LETTERS.get(m[0], m[0]), line)
        for line in text.splitlines()
    ]
    return "\n".join(lines) + "\n"


VARIANTS = {"as they stand": str, "steps reversed": reversed_steps, "other letters": other_letters}


def judge(found, least_proved=1.0, least_refuted=1.0):
    """Hold what came out against the names: nothing false is proved, nothing true refuted."""
    words = {one["id"].removeprefix("battery."): one["verdict"] for one in found}
    false = {name: word for name, word in words.items() if name.startswith("false")}
    true = {name: word for name, word in words.items() if name.startswith("true")}
    assert false.keys() | true.keys() == words.keys()
    assert not [name for name, word in false.items() if word in ("proved", "conditional")]
    assert not [name for name, word in true.items() if word in ("refuted", "vacuous")]
    open_ = [name for name, word in true.items() if word != "proved"]
    assert len(open_) <= (1 - least_proved) * len(true), open_
    kept = [name for name, word in false.items() if word != "refuted"]
    assert len(kept) <= (1 - least_refuted) * len(false), kept


def part_of(path, first, every):
    """Return the text of every so many claims of a file, with those that they stand on."""
    head, found = claims(path.read_text(encoding="utf-8"))
    ids = {one.partition("]")[0].removeprefix("[claim."): one for one in found}
    chosen = list(ids)[first::every]
    for id_ in reversed(list(ids)):
        used = any(re.search(rf"\b{re.escape(id_)}\b(?!-)", ids[one].partition("]")[2]) for one in chosen)
        if used and id_ not in chosen:
            chosen.append(id_)
    return head + "".join(one for id_, one in ids.items() if id_ in chosen)


@pytest.mark.parametrize("name", ["vectors", "recursions", "lengths"])
def test_a_part_of_the_battery(name, tmp_path):
    """Every seventh claim, with those of its file that it stands on."""
    path = tmp_path / "part.toml"
    path.write_text(part_of(FOLDER / f"{name}.toml", 0, 7), encoding="utf-8")
    judge(outcomes(path))


@pytest.mark.parametrize("name", SCALARS)
def test_statements_without_sequences(name):
    judge(outcomes(FOLDER / f"{name}.toml"), least_proved=0.9, least_refuted=0.9)


@pytest.mark.parametrize(
    "name", [*FRESH, "telescoping", "squares", "past", pytest.param("within", marks=pytest.mark.slow)]
)
def test_the_kernel_proves_nothing_false(name, tmp_path):
    """By search and kernel alone: what is not proved is not refuted here, which takes most of the time."""
    illegal: dict[str, str] = {}
    file = load(FOLDER / f"{name}.toml", illegal=illegal)
    prover = decide_file(file, illegal)
    assert not [id_ for id_ in illegal if id_.startswith("true")]
    proved = {id_ for id_, one in find_for(file, prover, tmp_path).kernel.verdicts.items() if one.proved}
    proved -= {id_ for id_, one in prover.found.items() if not one.proved or one.inherited}
    assert not [id_ for id_ in proved if id_.startswith("false")]
    true = [id_ for id_ in prover.found if id_.startswith("true")]
    assert len(proved) >= 0.93 * len(true), set(true) - proved


@pytest.mark.parametrize("name", FRESH)
def test_nothing_true_is_refuted(name, tmp_path):
    """Each true claim alone, refutation included; what is said of nothing at all, at T = 1, is vacuous and no more."""
    head, found = claims((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    path = tmp_path / "one.toml"
    for one in (text for text in found if text.startswith("[claim.true")):
        path.write_text(head + one, encoding="utf-8")
        for verdict in outcomes(path):
            assert verdict["verdict"] != "refuted", one
            assert verdict["verdict"] != "vacuous" or "empty" in one, one


CONTRADICTIONS = (
    "eta L <= 1, eta L >= 2",
    "r^2 <= -1",
    "T <= 0",
    "N >= 2, N <= 1",
    "eta <= b, b <= L, L <= eta - 1",
    "K = 1, K >= 2",
)


def test_what_is_given_may_exclude_itself(tmp_path):
    """Then nothing is said; the last claim is of numbers between 4/3 and 5/3, of which there are some."""
    head, _ = claims((FOLDER / "scope.toml").read_text(encoding="utf-8"))
    path = tmp_path / "vacuous.toml"
    given = (*CONTRADICTIONS, "eta >= 4/3, eta <= 5/3")
    path.write_text(head + "".join(f'[claim.n{n}]\nshows = "2 <= 1 if {one}"\n' for n, one in enumerate(given)))
    assert [one["verdict"] for one in outcomes(path)] == [*["vacuous"] * len(CONTRADICTIONS), "refuted"]


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", CHAINS)
def test_the_battery(name, variant, tmp_path):
    text = VARIANTS[variant]((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    path = tmp_path / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    judge(outcomes(path), least_proved=0.95, least_refuted=0.9)


@pytest.mark.slow
@pytest.mark.parametrize("name", THEMES)
def test_the_themes_of_the_battery(name):
    least_proved, least_refuted = THEMES[name]
    judge(outcomes(FOLDER / f"{name}.toml"), least_proved, least_refuted)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(PARTS))
@pytest.mark.parametrize("name", LONG)
def test_long_themes_in_parts(name, first, tmp_path):
    """Each claim is in one part, and in others where they stand on it."""
    path = tmp_path / "part.toml"
    path.write_text(part_of(FOLDER / f"{name}.toml", first, PARTS), encoding="utf-8")
    judge(outcomes(path), 0.0, 0.0)


def test_the_battery_is_large():
    """Statements are counted once, whatever they are tried with."""
    texts = [path.read_text(encoding="utf-8") for path in FOLDER.glob("*.toml")]
    shown = [line for text in texts for line in re.findall(r"^\[(?:claim|battery)\..+\]$", text, re.MULTILINE)]
    assert len(shown) >= 1100
