"""Theorems for all steps as Coq files: Coq accepts them with the axioms of the reals, and refuses false neighbours."""

import functools
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from boundcheck.errors import InputError
from boundcheck.proofs.coq.rounds import ROUND_MODULES, RoundPage, write_theorem
from boundcheck.proofs.kernel.certificates import WorkLimit
from boundcheck.worst.theorems.collection.shipped import FOLDER
from boundcheck.worst.theorems.described.shipped import FOLDER as DESCRIBED

PAGE = (Path(__file__).parents[2] / "docs" / "coq.md").read_text(encoding="utf-8")
needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")
REALS = {"sig_forall_dec", "functional_extensionality_dep"}
"""The axioms of Coq's real numbers; these pages have no exponential function."""


SHIPPED = {path.stem: path for folder in (FOLDER, DESCRIBED) for path in folder.glob("*.json")}
WITHOUT_TEXT = {"fedavg-near", "fedavg-m-near", "scaffold-near"}
"""Rounds whose lemma has the last local step in it."""


@functools.cache
def chain_text():
    """Return the page of FedAvg up to its longest step, written once for all tests that read it."""
    return RoundPage(shipped("fedavg-longest")).write()


def shipped(name):
    return json.loads(SHIPPED[name].read_text(encoding="utf-8"))


def run(folder, *files):
    for file in files:
        command = ["coqc", "-q", "-Q", "library", "Boundcheck", file]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=1200)
        if done.returncode:
            return done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """Return a folder with the library of rounds, compiled, and the page of SGD on one machine."""
    folder = tmp_path_factory.mktemp("rounds")
    made = write_theorem(shipped("sgd-1"), folder)
    assert run(folder, *(f"library/{module}.v" for module in ROUND_MODULES)) == ""
    return folder, made.page.read_text(encoding="utf-8")


def test_a_theorem_is_written_with_its_hypotheses_and_its_bound(tmp_path):
    made = write_theorem(shipped("fedavg-2"), tmp_path)
    text = made.page.read_text(encoding="utf-8")
    assert not {"Admitted", "Axiom", "Parameter", "admit"} & set(re.findall(r"\w+", text))
    # FedAvg with K = 2: a client's local point, and the next server point, as they are in the method.
    assert "Definition point_1 (t : nat) : H := add (x t) (scale ((- 1 / 2) * h)" in text.replace(
        "((- 1) / 2)", "(- 1 / 2)"
    )
    assert "Hypothesis step_x : forall t, x (S t) = point_2 t." in text
    assert "Hypothesis box_h : 0 < h <= 1." in text
    said = text.partition("Theorem average_gradient :")[2]
    assert "(below T (fun t => mv (G (x t)) (G (x t))) / INR T) <=" in said
    assert "zeta2" in said
    target, *rules = (tmp_path / "Makefile").read_text(encoding="utf-8").splitlines()
    assert target == "check:"
    assert len(rules) == len(ROUND_MODULES) + 2
    # make takes no other beginning of a rule than a tab.
    assert all(rule.startswith("\tcoqc ") for rule in rules)


def test_a_theorem_for_every_K_has_noise_and_its_laws():
    text = RoundPage(shipped("scaffold-m-short")).write()
    assert "Hypothesis share : e * INR K = 1." in text
    assert "Hypothesis unbiased" not in text
    noisy = RoundPage(shipped("fedavg-m-short")).write()
    assert "Hypothesis unbiased : forall t k u" in noisy
    assert "Hypothesis independent : forall t k" in noisy


def test_where_gradients_are_large_the_value_has_a_theorem_too(tmp_path):
    made = write_theorem(shipped("mimelite-pl"), tmp_path)
    assert made.claims == 2
    text = made.page.read_text(encoding="utf-8")
    said = text.partition("Theorem last_value :")[2]
    assert "forall mu, 0 < mu <= 1 -> (forall u, server u -> 2 * mu * F u <= mv (G u) (G u)) ->" in said
    assert "(1 - mu * (" in said
    assert len((tmp_path / "Axioms.v").read_text(encoding="utf-8").splitlines()) == 3


@pytest.mark.parametrize("name", ["fedavg-sampled", "dsgd", "ef21-pl", "delayed-sgd"])
def test_what_a_file_gives_of_its_rounds_is_a_hypothesis(name, tmp_path):
    """Draws, networks, compressors, delays: the file's own line stands above the hypothesis."""
    text = write_theorem(shipped(name), tmp_path).page.read_text(encoding="utf-8")
    for n, (left, sign, right) in enumerate(shipped(name)["given"]):
        assert f"(* {left} {sign} {right} *)\nHypothesis given_{n} : forall t, " in text


def test_every_theorem_has_its_own_limit_on_work(tmp_path, monkeypatch):
    """Went wrong: in one process the products of all texts counted together, and the fiftieth was refused."""
    monkeypatch.setattr(WorkLimit, "left", 10)
    assert write_theorem(shipped("sgd-1"), tmp_path).page.is_file()


@pytest.mark.slow
def test_a_chain_has_what_is_known_between_local_points():
    """Values and gradients less the linear part at the start of a round, between three points; K is 2 or more."""
    text = chain_text()
    assert "Definition K : nat := S (S beyond)." in text
    assert "Lemma box_e : 0 < e <= 1 / 2." in text
    shown = [f"{where}_{a}_{b}" for where in ("near", "end") for a, b in ((0, 2), (1, 2), (2, 0), (2, 1))]
    assert sorted(re.findall(r"^Lemma ((?:near|end)_\d_\d) ", text, re.MULTILINE)) == sorted(shown)
    assert "Theorem average_gradient : forall T, (1 <= T)%nat ->" in text


@pytest.mark.parametrize(
    ("key", "value"),
    [("rate", "1 - 2/5*h"), ("potential", "(h^-1)*f - (1/10)*<mean(g), mean(g)>"), ("round", {"zeta2": "0*h"})],
)
def test_a_spoiled_theorem_has_no_text(key, value, tmp_path):
    theorem = shipped("sgd-1")
    assert theorem[key] != value
    with pytest.raises(InputError, match="no Coq text"):
        write_theorem(theorem | {key: value}, tmp_path)


ACCEPTED = sorted(re.findall(r"`([\w-]+)` \(\d+\)", PAGE))
"""Those that the page of Coq says are accepted."""


def test_the_page_names_every_shipped_theorem():
    assert sorted({*SHIPPED} - WITHOUT_TEXT) == ACCEPTED


@pytest.mark.parametrize("name", sorted(WITHOUT_TEXT))
def test_a_last_step_in_the_lemma_of_a_round_is_refused_by_name(name, tmp_path):
    with pytest.raises(InputError, match="no Coq text: the last local step is part of the lemma"):
        write_theorem(shipped(name), tmp_path)


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("name", ACCEPTED)
def test_coq_accepts_with_the_axioms_of_the_reals(name, compiled, tmp_path):
    """Half a minute of one core for a theorem about every K, less for one K."""
    shutil.copytree(compiled[0] / "library", tmp_path / "library")
    made = write_theorem(shipped(name), tmp_path / "page")
    shutil.copyfile(made.page, tmp_path / made.page.name)
    shutil.copyfile(tmp_path / "page" / "Axioms.v", tmp_path / "Axioms.v")
    said = run(tmp_path, made.page.name, "Axioms.v")
    assert set(re.findall(r"^(?:\w+\.)*(\w+)\s*:|^(?:\w+\.)+(\w+)$", said, re.MULTILINE)) or "Axioms:" in said
    found = set(re.findall(r"^(?:\w+\.)+(\w+)", said, re.MULTILINE))
    assert found == REALS


NEIGHBOURS = {
    "functions that are less smooth": (
        "F v <= F u + tot (G u) (sub v u) + 1 / 2 *",
        "F v <= F u + tot (G u) (sub v u) + 1 *",
    ),
    "steps twice as long": ("Hypothesis box_h : 0 < h <= 1.", "Hypothesis box_h : 0 < h <= 2."),
    "a smaller constant": (") / INR T + (", ") / (2 * INR T) + ("),
    "a start of a client's own": (
        "Hypothesis start_server : server (x 0%nat).",
        "Hypothesis start_server : server zero.",
    ),
    "another step": (
        "Definition point_1 (t : nat) : H := add (x t) (scale",
        "Definition point_1 (t : nat) : H := add (x t) (scale 2 (scale",
    ),
}


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("which", NEIGHBOURS)
def test_coq_refuses_false_neighbours(which, compiled, tmp_path):
    old, new = NEIGHBOURS[which]
    folder, text = compiled
    changed = text.replace(old, new)
    if new.endswith("(scale 2 (scale"):
        changed = re.sub(r"(Definition point_1 .*)\.$", r"\1).", changed, flags=re.MULTILINE)
    assert changed != text
    shutil.copytree(folder / "library", tmp_path / "library")
    (tmp_path / "page.v").write_text(changed, encoding="utf-8")
    said = run(tmp_path, "page.v")
    assert "Error" in said
    assert "Syntax error" not in said


CHAIN_NEIGHBOURS = {
    "one local step": ("Definition K : nat := S (S beyond).", "Definition K : nat := S beyond."),
    "a smaller constant": ("level t + (((3 / 20) * h ^ 2) * zeta2)", "level t + (((1 / 20) * h ^ 2) * zeta2)"),
    "steps of another length": ("scale (- (h * e)) (add (drift t)", "scale (- (2 * h * e)) (add (drift t)"),
}


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("which", CHAIN_NEIGHBOURS)
def test_coq_refuses_false_neighbours_of_a_chain(which, compiled, tmp_path):
    old, new = CHAIN_NEIGHBOURS[which]
    assert old in chain_text()
    shutil.copytree(compiled[0] / "library", tmp_path / "library")
    (tmp_path / "page.v").write_text(chain_text().replace(old, new), encoding="utf-8")
    said = run(tmp_path, "page.v")
    assert "Error" in said
    assert "Syntax error" not in said


KINDS = {
    "compression": "compressed-sgd-pl",
    "sampled clients": "sampled-sgd-pl",
    "networks": "dsgd-after",
    "delays": "delayed-sgd",
}
LESS = {
    "a smaller constant": (r"(?<=\) \^ T) \* \(|(?<=\)) / INR T(?= \+ )", r" / 2\g<0>"),
    "twice what is given": (r"(Hypothesis given_0 : forall t, .* <= )(.*)\.\n", r"\1 2 * (\2).\n"),
    "functions that are less smooth": (r"(?<=tot \(G u\) \(sub v u\)) \+ 1 / 2", r" + 1"),
}


def neighbour(name, which):
    """Return the page of a theorem with one thing changed, so that it is false."""
    text = RoundPage(shipped(name)).write()
    head, theorem, said = text.rpartition("\nTheorem ") if which == "a smaller constant" else (text, "", "")
    changed, count = re.subn(*LESS[which], said or head)
    assert count == 1
    return f"{head}{theorem}{changed}" if said else changed


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("which", LESS)
def test_coq_refuses_false_neighbours_of_what_is_given(kind, which, compiled, tmp_path):
    shutil.copytree(compiled[0] / "library", tmp_path / "library")
    (tmp_path / "page.v").write_text(neighbour(KINDS[kind], which), encoding="utf-8")
    said = run(tmp_path, "page.v")
    assert "Error" in said
    assert "Syntax error" not in said
