"""Who says *proved*: the kernel, of claim files, of registered bounds, and of pages that were written by others."""

import contextlib
import json
import random
import re
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest
from kernel_papers import LIBRARY, written_page
from test_kernel_search import PAGE, PRODUCT

from boundcheck.cli.app import run
from boundcheck.cli.commands.prove import prove
from boundcheck.cli.commands.verify import verify
from boundcheck.proofs.chain.whole.proof import PROOFS
from boundcheck.proofs.kernel import File, Kernel, Proof, Refused
from boundcheck.proofs.kernel.report import claim_text, read
from boundcheck.proofs.language.files import load
from boundcheck.proofs.search import accepted
from boundcheck.proofs.search import outcomes as wired
from boundcheck.proofs.search.accepted import OBJECTS, _check_page, load_accepted, registered_statements, write_page
from boundcheck.proofs.search.outcomes import outcomes
from boundcheck.proofs.search.registered import REGISTERED, differences
from boundcheck.proofs.search.statements import pages_of, require_same_statements
from boundcheck.worst.gram import kernel as asks_the_kernel
from boundcheck.worst.theorems.collection.shipped import FOLDER as SHIPPED

NAMES = ("momentum_fl_theorem11", "gradma_fedproxm", "fedlalr_restart")
"""Three proofs, from three papers."""


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(PAGE, encoding="utf-8")
    return path


def words(path):
    return {one["id"]: one["verdict"] for one in outcomes(path)}


def test_a_claim_file_is_proved_by_the_kernel_from_what_is_printed(page, capsys):
    last = outcomes(page)[-1]
    assert (last["verdict"], last["trust"]) == ("proved", "kernel")
    assert last["kernel"].endswith("<= 2 Delta/(eta T) + eta L sigma^2/N if eta L <= 1")
    assert {"variance", "gap", "lower", "descent-lemma", "unbiased", "independent"} <= set(last["stands_on"])
    assert last["stands_on"]["unbiased"].endswith("as the equations of the file determine it")
    assert prove(str(page)) == 0
    assert "kernel" in capsys.readouterr().out


def test_what_the_kernel_does_not_accept_is_not_proved(page, monkeypatch):
    """The search is believed in nothing: the same file, with a kernel that refuses the object."""

    def refuse(*_):
        raise Refused("no")

    monkeypatch.setattr(wired, "_WORDS", {})
    monkeypatch.setattr(wired, "find_for", refuse)
    page.write_text(PRODUCT, encoding="utf-8")
    found = outcomes(page)
    assert [one["verdict"] for one in found] == ["undecided"]
    assert {one["why"] for one in found} == {"the search has a proof, the kernel does not accept it: no"}
    assert {one["trust"] for one in found} == {""}


SHORT = """
title = "a step that takes more as given"
indices = "i = 1 .. N, t = 0 .. T - 1"

[letters]
"> 0" = "N, T, eta, L"

[vectors]
"x[t]" = "server"

[leaf.short]
says = "f(x[t]) <= 1 for t if eta L <= 1"

[claim.own]
steps = "short"
shows = "f(x[t]) <= 1 for t"
"""


def test_a_hypothesis_that_is_inherited_is_printed_and_no_proof(tmp_path):
    """The claim does not say that eta L <= 1: it is conditional, or a model is found in which it fails."""
    path = tmp_path / "short.toml"
    path.write_text(SHORT, encoding="utf-8")
    (found,) = outcomes(path)
    assert found["inherited"] == ["eta*L <= 1"]
    assert found["verdict"] in ("conditional", "refuted")
    assert found["trust"] == ("kernel" if found["verdict"] == "conditional" else "")
    path.write_text(SHORT.replace('<= 1 for t"\n', '<= 1 for t if eta L <= 1"\n'), encoding="utf-8")
    assert words(path) == {"own": "proved"}


TWO = """
title = "two equations"
indices = "i = 1 .. N, t = 0 .. T - 1"

[letters]
"> 0" = "N, T, eta"

[vectors]
"x[t]" = "server, t = 0 .. T"
"y[t]" = "server"

[start]
first = "x[0] = 0"

[equations]
half = "y[t] = x[t] - eta grad(x[t])"
other = "x[t + 1] = y[t] - eta grad(y[t])"

[claim.moved]
title = "two steps"
steps = "STEPS"
shows = "|x[t + 1] - x[t]|^2 = eta^2 |mean(i) (grad(x[t]) + grad(y[t]))|^2 for t"
"""


@pytest.mark.parametrize("steps", ["half; other", "other; half"])
def test_equations_may_stand_in_any_order(tmp_path, steps):
    """By hand: x' - x = -eta (grad(y) + grad(x)), whichever is used first; one that is not named is added."""
    path = tmp_path / "two.toml"
    text = TWO.replace("grad(x[t])", "mean(i) grad(x[t])", 1).replace("eta grad(y[t])", "eta mean(i) grad(y[t])")
    text = text.replace("eta^2 |mean(i) (grad(x[t]) + grad(y[t]))|^2", "|x[t] - y[t] + eta mean(i) grad(y[t])|^2")
    path.write_text(text.replace("STEPS", steps), encoding="utf-8")
    assert words(path) == {"moved": "proved"}
    path.write_text(text.replace("STEPS", "half"), encoding="utf-8")
    (one,) = outcomes(path)
    assert (one["verdict"], one["added"]) == ("proved", ["other"])
    text = text.replace('other = "x[t + 1] =', 'other = "x[t + 1] = some(y[t]) for t"\n#')
    path.write_text(text.replace("STEPS", "half"), encoding="utf-8")
    assert words(path)["moved"] != "proved"


@pytest.mark.parametrize("passes", [0, -1, 3, "2", True])
def test_equations_are_used_at_most_as_often_as_there_are_some(passes, tmp_path):
    shutil.copy(written_page("momentum_fl_theorem11"), tmp_path)
    choices = json.loads((OBJECTS / "momentum_fl_theorem11.json").read_text(encoding="utf-8"))
    kernel = read(tmp_path / "momentum_fl_theorem11.toml", choices, LIBRARY)
    id_ = next(one for one, c in kernel.file.claims.items() if sum(s.id in kernel.file.equations for s in c.steps) == 1)
    choices["claims"][id_][-1]["passes"] = passes
    again = read(tmp_path / "momentum_fl_theorem11.toml", choices, LIBRARY)
    assert again.verdicts[id_].proved == (passes is True)


ALONE = """
about = "with and without a sample"
[claim.mine.taken]
letters = "families u; draw A of S from N"
shows = "E(|taken(u, A)|^2) = S/N*|u|^2"
[claim.mine.plain]
letters = "families u"
shows = "|mean(u)|^2 <= |u|^2"
[claim.mine.half]
letters = "families u; draw A of S from N"
shows = "E(|taken(u, A)|^2) = S/(2*N)*|u|^2"
"""


def test_the_laws_of_an_expectation_are_said(tmp_path):
    """The kernel takes E(...) by the laws of what is declared: of such a claim they are printed, of others none."""
    path = tmp_path / "alone.toml"
    path.write_text(ALONE, encoding="utf-8")
    taken, plain, half = outcomes(path)
    assert (taken["verdict"], plain["verdict"], half["verdict"]) == ("proved", "proved", "refuted")
    assert taken["trust"] == "certificate checked"
    said = "draw A of S from N: each set of so many clients alike, independent of all else"
    assert taken["stands_on"] == {"draw A": said}
    assert plain["stands_on"] == half["stands_on"] == {}


# --- registered bounds and their pages ---


def copied(folder, name):
    return write_page(next(one for one, file in PROOFS.items() if file == f"{name}.toml"), folder)


BLOCKED = """
import sys
for name in ("sympy", "numpy", "scipy", "z3", "mpmath"):
    sys.modules[name] = None
from pathlib import Path
from boundcheck.cli.commands.verify import verify
raise SystemExit(verify(Path(sys.argv[1])))
"""


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [("", 0, "3 of 3"), pytest.param("0 + ", 1, "is not what is registered", marks=pytest.mark.slow)],
)
def test_verify_needs_the_standard_library_alone(tmp_path, more, code, said):
    """No solver, no numbers but Python's: what a page says is compared as text with what is registered."""
    page = copied(tmp_path, "sgd")
    head, last, text = page.read_text(encoding="utf-8").rpartition("shows = ")
    page.write_text(head + last + re.sub(r'^"+', lambda quotes: quotes[0] + more, text), encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", BLOCKED, page], capture_output=True, text=True, check=False)
    assert (done.returncode, said in done.stdout) == (code, True), done.stderr


@pytest.mark.slow
def test_what_is_registered_is_what_the_bounds_say():
    """The text that ships is made of the bounds and claim files as they are."""
    assert json.loads(REGISTERED.read_text(encoding="utf-8")) == registered_statements()


def test_a_registered_bound_is_proved_by_the_kernel(capsys):
    assert prove("gradma.lemma6-fedproxm") == 0
    assert "kernel" in capsys.readouterr().out
    found = load_accepted("gradma.lemma6-fedproxm")
    assert found.data()["trust"] == "kernel"
    assert set(found.data()["laws"]) == {"unbiased"}
    assert found.sentence().endswith("The kernel accepts it.")


def test_an_object_that_was_altered_proves_no_bound(tmp_path):
    choices = copied(tmp_path, "gradma_fedproxm").with_suffix(".json")
    assert load_accepted("gradma.lemma6-fedproxm", tmp_path).proved
    text = choices.read_text(encoding="utf-8")
    assert '"multipliers":["' in text
    choices.write_text(text.replace('"multipliers":["', '"multipliers":["2*'), encoding="utf-8")
    _check_page.cache_clear()
    found = load_accepted("gradma.lemma6-fedproxm", tmp_path)
    assert not found.proved
    assert found.top.why
    choices.unlink()
    _check_page.cache_clear()
    assert "gradma_fedproxm.json" in load_accepted("gradma.lemma6-fedproxm", tmp_path).top.why


def test_a_page_that_is_made_says_what_its_claim_file_says(tmp_path, monkeypatch):
    """Pages are made as texts: one with another constant in a leaf is refused before the kernel reads it."""
    monkeypatch.setattr(
        accepted, "pages_of", lambda *given: {k: v.replace("zeta", "zeto") for k, v in pages_of(*given).items()}
    )
    with pytest.raises(Refused, match=r"declares what gradma_fedproxm\.toml does not"):
        copied(tmp_path, "gradma_fedproxm")


def test_a_page_with_its_object_is_verified(tmp_path, capsys):
    write_page("momentum-fl.theorem11", tmp_path / "kernel")
    folder = tmp_path / "kernel"
    assert verify(folder) == 0
    assert verify(folder / "momentum_fl_theorem11.toml") == 0
    assert verify(folder / "momentum_fl_theorem11.toml", folder / "momentum_fl_theorem11.json") == 0
    assert "24 of 24 claims proved" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (" + 39/2*K^-1*N^-1*b^-1*beta*sigma^2", "", "NOT PROVED"),
        ("|xi[t, k]|^2 <= sigma^2/b", "|xi[t, k]|^2 <= sigma^2/(2 b)", "does not stand on what its shipped proof"),
        ("39/2*K^-1*N^-1*b^-1*beta*sigma^2", "40*K^-1*N^-1*b^-1*beta*sigma^2", "is not what is registered"),
    ],
)
def test_a_forged_page_is_refused(tmp_path, capsys, old, new, said):
    """Without its noise term; from half the noise; and, though it is true, with another constant."""
    page = copied(tmp_path, "momentum_fl_theorem11")
    text = page.read_text(encoding="utf-8")
    end = text.index("[claim.momentum-fl.theorem11]") if said != "does not stand on what its shipped proof" else 0
    assert old in text[end:]
    page.write_text(text[:end] + text[end:].replace(old, new, 1), encoding="utf-8")
    assert verify(page) == 1
    assert said in capsys.readouterr().out


NUMBER = re.compile(r"(?<![\w.\[])\d+(?![\w.])")


def altered(text, chance):
    """Return a page with one number of a claim or leaf changed, one hypothesis left out, or one relation turned."""
    places = list(re.finditer(r'(?:shows|says) = (?:"""(?:.|\n)*?"""|".*?")', text))
    place = chance.choice(places)
    inside = place[0]
    head, _, said = inside.partition(" = ")
    kind = chance.choice(("number", "hypothesis", "turned"))
    if kind == "number" and (found := list(NUMBER.finditer(said))):
        one = chance.choice(found)
        said = f"{said[: one.start()]}{int(one[0]) + chance.choice((-1, 1, 7))}{said[one.end() :]}"
    elif kind == "hypothesis" and " if " in said:
        said = re.sub(r" if .*?(?=\"+$)", "", said, flags=re.DOTALL)
    else:
        said = said.replace("<=", ">=", 1)
    return f"{text[: place.start()]}{head} = {said}{text[place.end() :]}"


def tampered(data, chance):
    """Return a proof object with one number changed."""
    text = json.dumps(data)
    one = chance.choice(list(NUMBER.finditer(text)))
    return f"{text[: one.start()]}{int(one[0]) + chance.choice((1, 2, -1))}{text[one.end() :]}"


class Checked:
    """What the kernel proves of a page and its object, and of others that differ from them in a few claims.

    What a claim is found to be depends on the declarations and leaves, on its own text and choices, and on the claims
    that it uses: where only claims differ, those are checked again, and whatever stands on them.
    """

    def __init__(self, page, choices):
        self.kernel, self.choices = read(page, choices, LIBRARY), choices
        self.proved = self._statements(self.kernel)

    def after(self, page, choices):
        """Return the statements that are proved of another page or object."""
        try:
            file = File()
            file.read(page, LIBRARY)
            kernel = Kernel(file, Proof(choices), self._known(file, choices))
            for id_ in file.claims:
                if id_ not in kernel.verdicts:
                    kernel.check_claim(id_)
        except (Refused, AttributeError, LookupError, TypeError, ValueError):
            return set()
        return self._statements(kernel)

    def _known(self, file, choices):
        """Return the verdicts that are those of before."""
        old = self.kernel.file
        if replace(file, claims={}) != replace(old, claims={}) or _whole(choices) != _whole(self.choices):
            return {}
        parts, before = choices["claims"], self.choices["claims"]
        own = {id_.partition(" at ")[0] for id_ in parts.keys() | before.keys() if parts.get(id_) != before.get(id_)}
        changed = own | {id_ for id_ in file.claims if file.claims[id_] != old.claims.get(id_)}
        known = {}
        for id_, verdict in self.kernel.verdicts.items():
            if id_ in changed or verdict.uses & changed:
                changed.add(id_)
            else:
                known[id_] = verdict
        return known

    @staticmethod
    def _statements(kernel):
        return {(id_, claim_text(c)) for id_, c in kernel.file.claims.items() if kernel.verdicts[id_].proved}


def _whole(choices):
    return {key: value for key, value in choices.items() if key != "claims"}


def tries(folder, name, count):
    """Alter page and object in turns; return how many pages were altered.

    An altered object proves no statement that the page does not make; an altered page is not what is made of the claim
    file, and `differences` names what is registered of it.
    """
    page = copied(folder, name)
    text, data = page.read_text(encoding="utf-8"), json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))
    checked = Checked(page, data)
    whole = checked.proved
    chance = random.Random(name)
    changes = 0
    for n in range(count):
        if n % 2:
            page.write_text(text, encoding="utf-8")
            with contextlib.suppress(json.JSONDecodeError):
                assert checked.after(page, json.loads(tampered(data, chance))) <= whole
            continue
        forged = altered(text, chance)
        page.write_text(forged, encoding="utf-8")
        changed = {id_ for id_, _ in checked.after(page, data) - whole}
        if changed & set(PROOFS) or "leaf" in str(differences(page)):
            assert differences(page), "what is proved is not what is registered"
        changes += forged != text
    return changes


@pytest.mark.parametrize("name", NAMES)
def test_altered_pages_and_objects_prove_nothing_else(tmp_path, name):
    assert tries(tmp_path, name, 4) > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_altered_pages_and_objects_prove_nothing_else_at_length(tmp_path, name):
    assert tries(tmp_path, name, 700) > 200


# --- what a programme finds ---


def test_a_worst_case_is_proved_by_the_kernel_or_not_at_all(monkeypatch):
    """The same case, with a kernel that refuses the certificate: the upper side is a solver's number."""
    from boundcheck.methods import METHODS
    from boundcheck.worst import worst

    def verdict():
        return worst(METHODS["fedavg"](eta=0.25), K=1, T=1, N=2, Delta=1.0, zeta=1.0).verdict

    assert verdict() in ("exact", "proved")
    monkeypatch.setattr(asks_the_kernel, "require_proved", _refuse)
    assert verdict() == "numerical"


def test_a_sharpened_theorem_is_shown_with_the_word_of_the_kernel_alone(monkeypatch, tmp_path, capsys):
    command = ["sharpen", "fedavg", "--K", "1", "--T", "10", "--zeta", "1", "--set", "eta=0.25"]
    file = tmp_path / "theorem.json"
    assert run([*command, "--certificate", str(file)]) == 0
    assert verify(file) == 0
    assert "3 certificates checked: verified" in capsys.readouterr().out
    monkeypatch.setattr(asks_the_kernel, "require_proved", _refuse)
    assert run([*command, "--certificate", str(tmp_path / "none.json")]) != 0
    assert "the kernel refuses" in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "none.json").exists()


def _refuse(*_):
    raise ValueError("no")


def test_what_a_theorem_says_in_words_is_what_is_shown(tmp_path, capsys):
    """A file whose lemmas hold, and whose one line for readers turns the inequality."""
    path = SHIPPED / "fedavg-2.json"
    assert verify(path) == 0
    theorem = json.loads(path.read_text(encoding="utf-8"))
    theorem["says"]["theorem"] = theorem["says"]["theorem"].replace("<=", ">=", 1)
    (tmp_path / "turned.json").write_text(json.dumps(theorem), encoding="utf-8")
    assert verify(tmp_path / "turned.json") == 1
    assert "says: theorem" in capsys.readouterr().err


ALTERED = {
    "a bound": ("+ eta L sigma^2/N", "+ 2 eta L sigma^2/N"),
    "a hypothesis": ("if eta L <= 1", "if eta L <= 1/2"),
    "an assumption": ("<= sigma^2 for", "<= 2 sigma^2 for"),
    "a sign": ('"> 0" = "eta"', '">= 0" = "eta"'),
    "a name": ("[claim.descent]", "[claim.decent]"),
}


@pytest.mark.parametrize("what", ALTERED)
def test_a_page_says_what_the_file_says(what, page):
    """The page that the kernel reads is made as a text: a wrong one would prove what nobody has claimed."""
    file = load(page)
    pages = pages_of(page, file, {}, {"descent": ["x-start"]})
    require_same_statements(page, pages, ())
    old, new = ALTERED[what]
    assert old in pages[page.name]
    with pytest.raises(Refused, match=r"does not say|declares what"):
        require_same_statements(page, pages | {page.name: pages[page.name].replace(old, new)}, ())


def test_only_what_is_inherited_may_be_written_out(page):
    longer = {page.name: page.read_text(encoding="utf-8").replace("if eta L <= 1", "if eta L <= 1, N <= 2")}
    require_same_statements(page, longer, ("descent", "example.sgd", "sgd"))
    with pytest.raises(Refused, match="does not say"):
        require_same_statements(page, longer, ())


def test_another_page_than_the_file_proves_nothing(page, monkeypatch):
    def refuse(*_):
        raise Refused("the page does not say what the file says")

    monkeypatch.setattr(wired, "_WORDS", {})
    monkeypatch.setattr(wired, "require_same_statements", refuse)
    page.write_text(PRODUCT, encoding="utf-8")
    assert "proved" not in words(page).values()
