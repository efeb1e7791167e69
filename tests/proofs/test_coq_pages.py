"""Whole proofs as Coq files: Coq accepts them with the axioms of the real numbers, and refuses false neighbours."""

import functools
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from kernel_papers import written_page

from boundcheck.bounds import BOUNDS
from boundcheck.errors import InputError
from boundcheck.proofs.chain.whole.proof import PROOFS
from boundcheck.proofs.coq import LIBRARY, MODULES, read_page, write_coq
from boundcheck.proofs.language.files import HERE
from boundcheck.proofs.search.accepted import OBJECTS
from boundcheck.proofs.search.outcomes import outcomes

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")
REALS = {"sig_not_dec", "sig_forall_dec", "functional_extensionality_dep", "classic"}
"""The axioms of Coq's real numbers and of its exponential function."""
REFUSED = {
    "fedlalr_theorem1": ("fedlalr.theorem1R", "by coordinates"),
    "fedlalr_restart": ("fedlalr.corollary2R", "by coordinates"),
}
"""Pages without a text, each with a bound and why."""
PAPERS = ("momentum-fl", "gradma", "fedglomo", "fmgda", "fedlalr")


MODELS = LIBRARY.parent / "models"
DOCS = Path(__file__).parents[2] / "docs" / "coq.md"
GRADMA = {
    "gradma_lemma6": {"gradma_lemma2", "gradma_lemma6", "gradma_lemma6S"}
    | {f"gradma_lemma6{form}_{case}" for form in ("", "S") for case in ("w", "s", "fedavgm", "fedavg")},
    "gradma_fedproxm": {"gradma_lemma6_fedproxm", "gradma_lemma6S_fedproxm"},
}
"""The theorems of GradMA's pages."""
FEDGLOMO = {
    "fedglomo_theorem1": {f"fedglomo_theorem1{form}" for form in ("S", "R", "R_quantised", "_proof")},
    "fedglomo_theorem2": {f"fedglomo_theorem2{form}" for form in ("S", "R", "_full")},
    "fedglomo_theorem3": {"fedglomo_theorem3R", "fedglomo_lemma13R"},
}
"""Those of FedGLOMO's: printed, repaired, sharpened."""
FMGDA = {
    "fmgda_theorem1": {"fmgda_theorem1R", "fmgda_corollary1R"},
    "fmgda_rate": {"fmgda_corollary1R_rate"},
}
"""Those of FMGDA's, repaired."""


def page_of(name):
    path = written_page(name)
    return read_page(path, path.with_suffix(".json"), (path.parent, HERE))


@functools.cache
def text_of(name):
    """Return a page and its text, written once for all tests that read it."""
    page = page_of(name)
    return page, page.write()


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Write the proof of plain stochastic gradient descent, as a folder for Coq."""
    folder = tmp_path_factory.mktemp("coq")
    path = written_page("sgd")
    made = write_coq("example.sgd", path, path.with_suffix(".json"), folder, (path.parent, HERE))
    assert not made.refused
    assert made.claims == 3
    return folder


def run(folder, *files):
    for file in files:
        command = ["coqc", "-q", "-Q", "library", "Boundcheck", file]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=1200)
        if done.returncode:
            return done.stderr
    return done.stdout


def axioms_in(said):
    """Return the names of the axioms that Coq prints, of one theorem or of several, each under its own heading."""
    return set(re.findall(r"^(?:\w+\.)*(\w+)\s*:", said.partition("Axioms:")[2], re.MULTILINE)) - {"Axioms"}


def test_the_text_states_the_bound_in_plain_terms():
    text = page_of("sgd").write()
    assert "Theorem example_sgd :" in text
    # The bound as docs/proofs.md has it, and its condition.
    assert re.search(r"\(L \* eta\) <= 1 ->\s+mean 0 \(T - 1\) \(fun t' => grad2 t'%Z\) <= ", text)
    assert "(2 * Delta / ((IZR T) * eta) + L * eta * sigma ^ 2 / (IZR N))." in text
    assert not {"Admitted", "Axiom", "Parameter"} & set(re.findall(r"\w+", text))
    assert text == page_of("sgd").write()


def test_every_claim_of_a_page_has_a_text():
    """What Coq is asked for slowly is written in every run: 24 claims, three of them in plain terms."""
    page = page_of("momentum_fl_theorem11")
    text = page.write()
    assert page.refused == {}
    assert len(re.findall("^Lemma claim_", text, re.MULTILINE)) == 24
    assert len(re.findall("^Theorem momentum_fl_theorem11", text, re.MULTILINE)) == 3


@pytest.mark.parametrize("name", GRADMA)
def test_every_claim_of_gradma_has_a_text(name):
    """Sums of powers, claims at values of letters, a letter that vanishes, and what is made of others are written."""
    page = page_of(name)
    text = page.write()
    assert page.refused == {}
    assert GRADMA[name] <= set(re.findall(r"^Theorem (\w+)", text, re.MULTILINE))
    assert len(re.findall("^Lemma claim_", text, re.MULTILINE)) == len(page.file.claims)
    assert "Hypothesis swell_is : swell = series K%Z." in text
    assert "destruct (Rle_lt_or_eq_dec 0 inertia sign_inertia)" in text


@pytest.mark.parametrize("name", [pytest.param("fedglomo_theorem1", marks=pytest.mark.slow), *list(FEDGLOMO)[1:]])
def test_every_claim_of_fedglomo_has_a_text(name):
    """Samples, deviations of a whole round, two trajectories, discounted means: all is written."""
    page, text = text_of(name)
    assert page.refused == {}
    assert FEDGLOMO[name] <= set(re.findall(r"^Theorem (\w+)", text, re.MULTILINE))
    assert len(re.findall("^Lemma claim_", text, re.MULTILINE)) == len(page.file.claims)


@pytest.mark.slow
@pytest.mark.parametrize("name", FMGDA)
def test_every_claim_of_fmgda_has_a_text(name):
    """Steps eta[t, k], sums of two squares, points that are combinations, means under means: all is written."""
    page, text = text_of(name)
    assert page.refused == {}
    assert FMGDA[name] <= set(re.findall(r"^Theorem (\w+)", text, re.MULTILINE))
    assert len(re.findall("^Lemma claim_", text, re.MULTILINE)) == len(page.file.claims)


def test_a_discounted_mean_is_written_in_plain_terms():
    """The output of Theorem 2 is drawn with weights that grow backwards over the rounds."""
    _, text = text_of("fedglomo_theorem2")
    plain = r"discounted growth_ 0 \(T - 1\) \(fun t => ip \(vmean V 1 N \(fun i' => grad i' \(x t\)\)\) "
    assert len(re.findall(plain, text.partition("Theorem fedglomo_theorem2R :")[2].partition("Proof.")[0])) == 1


def test_no_name_of_a_page_hides_one_of_the_library():
    """FedGLOMO's number `gap` is not the library's lemma of that name."""
    _, text = text_of("fedglomo_theorem3")
    assert "Definition gap_ " in text
    assert "Definition gap " not in text


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_text_is_refused_by_name(name, tmp_path):
    path, (claim, why) = written_page(name), REFUSED[name]
    with pytest.raises(InputError, match=f"no Coq text: .*{why}"):
        write_coq(claim, path, path.with_suffix(".json"), tmp_path, (path.parent, HERE))


def test_every_repaired_or_sharpened_bound_is_in_coq_or_refused_with_a_reason():
    """Counted from the registry: each has a proof, whose page stands in the table of docs/coq.md or below it."""
    text = DOCS.read_text(encoding="utf-8")
    asked = [
        name
        for name, bound in BOUNDS.items()
        if name.startswith(PAPERS) and bound.kind == "explicit" and bound.form in ("repaired", "sharpened")
    ]
    page_of_bound = {name: Path(PROOFS[name]).stem for name in asked}
    accepted = set(re.findall(r"^\| .* \| `(\w+)` \| \d+ \| \d+ \|$", text, re.MULTILINE)) - {"sgd"}
    assert accepted | set(REFUSED) == {*page_of_bound.values(), "gradma_fedproxm"}
    assert not accepted & set(REFUSED)
    unsaid = text.partition("## What is not said")[2]
    assert all(f"`{page}`" in unsaid for page in REFUSED)
    counted = f"of the {len(asked)} repaired and sharpened bounds of the five papers all have a"
    assert counted in text
    assert f"and {sum(page in accepted for page in page_of_bound.values())} have one that Coq has checked" in text


def test_a_claim_that_the_kernel_does_not_prove_has_no_text(tmp_path):
    """With one multiplier changed the kernel refuses the claim, and so there is nothing to write."""
    path = tmp_path / "sgd.toml"
    shutil.copyfile(written_page("sgd"), path)
    choices = json.loads((OBJECTS / "sgd.json").read_text(encoding="utf-8"))
    choices["claims"]["descent"][0]["multipliers"][1] = "L*eta^2/3"
    path.with_suffix(".json").write_text(json.dumps(choices), encoding="utf-8")
    with pytest.raises(InputError, match="no Coq text"):
        write_coq("example.sgd", path, path.with_suffix(".json"), tmp_path / "out", (HERE,))


@needs_coq
@pytest.mark.slow
def test_coq_accepts_with_the_axioms_of_the_reals(written):
    said = run(written, *(f"library/{module}.v" for module in MODULES), "sgd.v", "Axioms.v")
    assert axioms_in(said) == REALS


@needs_coq
@pytest.mark.slow
def test_the_hypotheses_hold_together_with_noise(written, tmp_path):
    """A world of four outcomes satisfies them all; with noise of a larger variance than is said it does not."""
    shutil.copytree(written, tmp_path / "pages")
    folder = tmp_path / "pages"
    run(folder, *(f"library/{module}.v" for module in MODULES), "sgd.v")
    text = (MODELS / "sgd_model.v").read_text(encoding="utf-8")
    (folder / "sgd_model.v").write_text(text, encoding="utf-8")
    assert axioms_in(run(folder, "sgd_model.v")) == REALS
    changed = text.replace("if b then 1 else -1", "if b then 2 else -2")
    assert changed != text
    (folder / "sgd_model.v").write_text(changed, encoding="utf-8")
    assert "Error" in run(folder, "sgd_model.v")


NEIGHBOURS = {
    "a smaller constant": (" + L * eta * sigma ^ 2 / (IZR N)).", " + 9 / 10 * L * eta * sigma ^ 2 / (IZR N))."),
    "noise that has a mean": ("Hypothesis unbiased_xi", "Hypothesis other_xi"),
    "noise that is not independent": ("-> i <> i1 -> ip", "-> i < i1 -> i > i1 -> ip"),
    "no condition on the step": ("  (L * eta) <= 1 ->\n", ""),
}


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("which", NEIGHBOURS)
def test_coq_refuses_false_neighbours(which, written, tmp_path):
    old, new = NEIGHBOURS[which]
    shutil.copytree(written / "library", tmp_path / "library")
    text = (written / "sgd.v").read_text(encoding="utf-8")
    changed = text.replace(old, new)
    assert changed != text
    (tmp_path / "sgd.v").write_text(changed, encoding="utf-8")
    said = run(tmp_path, *(f"library/{module}.v" for module in MODULES), "sgd.v")
    assert "Error" in said


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "bounds"),
    [
        ("momentum_fl_theorem11", 3),
        ("momentum_fl_theorem15", 6),
        ("momentum_fl_theorem19", 3),
        ("momentum_fl_theorem22", 4),
    ],
)
def test_coq_accepts_the_theorems_of_momentum_fl(page, bounds, tmp_path):
    """FedAvg-M and SCAFFOLD-M, each also with variance reduction: a minute or two of one core."""
    shutil.copytree(LIBRARY, tmp_path / "library")
    made = page_of(page)
    (tmp_path / f"{page}.v").write_text(made.write(), encoding="utf-8")
    assert not made.refused
    theorems = re.findall(r"^Theorem (\w+)", (tmp_path / f"{page}.v").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(theorems) >= bounds
    (tmp_path / "Axioms.v").write_text(f"Require {page}.\nPrint Assumptions {page}.{theorems[0]}.\n", encoding="utf-8")
    said = run(tmp_path, *(f"library/{module}.v" for module in MODULES), f"{page}.v", "Axioms.v")
    assert axioms_in(said) == REALS


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("name", GRADMA)
def test_coq_accepts_gradma(name, tmp_path):
    """Lemmas 2 and 6 with all their special cases, each with the axioms of the reals: a minute of one core."""
    shutil.copytree(LIBRARY, tmp_path / "library")
    (tmp_path / f"{name}.v").write_text(page_of(name).write(), encoding="utf-8")
    printed = "".join(f"Print Assumptions {name}.{one}.\n" for one in sorted(GRADMA[name]))
    (tmp_path / "Axioms.v").write_text(f"Require {name}.\n{printed}", encoding="utf-8")
    said = run(tmp_path, *(f"library/{module}.v" for module in MODULES), f"{name}.v", "Axioms.v")
    assert axioms_in(said) == REALS
    assert said.count("Axioms:") == len(GRADMA[name])


GRADMA_NEIGHBOURS = {
    "one power less in the sum": ("swell = series K%Z", "swell = series (K - 1)%Z"),
    "noise that has a mean": ("Hypothesis unbiased_e_", "Hypothesis other_e_"),
    "a smaller constant": ("8 * Delta / ((IZR T) * gamma)", "7 * Delta / ((IZR T) * gamma)"),
    "a momentum that may be negative": (
        "Hypothesis sign_inertia : 0 <= inertia",
        "Hypothesis sign_inertia : - 1 <= inertia",
    ),
}


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("which", GRADMA_NEIGHBOURS)
def test_coq_refuses_false_neighbours_of_gradma(which, tmp_path):
    old, new = GRADMA_NEIGHBOURS[which]
    shutil.copytree(LIBRARY, tmp_path / "library")
    text = page_of("gradma_fedproxm").write()
    assert old in text
    (tmp_path / "page.v").write_text(text.replace(old, new), encoding="utf-8")
    assert "Error" in run(tmp_path, *(f"library/{module}.v" for module in MODULES), "page.v")


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("name", FEDGLOMO)
def test_coq_accepts_fedglomo(name, tmp_path):
    """Theorems 1, 2 and 3, repaired and sharpened, each with the axioms of the reals: minutes of one core."""
    shutil.copytree(LIBRARY, tmp_path / "library")
    (tmp_path / f"{name}.v").write_text(page_of(name).write(), encoding="utf-8")
    printed = "".join(f"Print Assumptions {name}.{one}.\n" for one in sorted(FEDGLOMO[name]))
    (tmp_path / "Axioms.v").write_text(f"Require {name}.\n{printed}", encoding="utf-8")
    said = run(tmp_path, *(f"library/{module}.v" for module in MODULES), f"{name}.v", "Axioms.v")
    assert axioms_in(said) == REALS
    assert said.count("Axioms:") == len(FEDGLOMO[name])


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("name", FMGDA)
def test_coq_accepts_fmgda(name, tmp_path):
    """Theorem 1 and Corollary 1 with its rate, each with the axioms of the reals: minutes of one core."""
    shutil.copytree(LIBRARY, tmp_path / "library")
    (tmp_path / f"{name}.v").write_text(text_of(name)[1], encoding="utf-8")
    printed = "".join(f"Print Assumptions {name}.{one}.\n" for one in sorted(FMGDA[name]))
    (tmp_path / "Axioms.v").write_text(f"Require {name}.\n{printed}", encoding="utf-8")
    said = run(tmp_path, *(f"library/{module}.v" for module in MODULES), f"{name}.v", "Axioms.v")
    assert axioms_in(said) == REALS
    assert said.count("Axioms:") == len(FMGDA[name])


FMGDA_NEIGHBOURS = {
    "steps that may be 0": ("0 < eta n0 n1", "0 <= eta n0 n1"),
    "noise that has a mean": ("Hypothesis unbiased_n ", "Hypothesis other_n "),
    "a smaller constant": ("240 * L_block ^ 2 * delta * kappa * wide", "239 * L_block ^ 2 * delta * kappa * wide"),
}


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("which", FMGDA_NEIGHBOURS)
def test_coq_refuses_false_neighbours_of_fmgda(which, tmp_path):
    old, new = FMGDA_NEIGHBOURS[which]
    shutil.copytree(LIBRARY, tmp_path / "library")
    _, text = text_of("fmgda_rate")
    assert old in text
    (tmp_path / "page.v").write_text(text.replace(old, new), encoding="utf-8")
    assert "Error" in run(tmp_path, *(f"library/{module}.v" for module in MODULES), "page.v")


_DRAWS = {
    "clients that are drawn together too often": ("S_ * (S_ - 1) / (IZR N * (IZR N - 1))", "S_ * S_ / (IZR N * IZR N)"),
    "a variance of samples that is too small": ("spread = (IZR N - S_) / (S_ * (IZR N - 1))", "spread = 0"),
}
_OF_A_PAGE = {
    ("fedglomo_theorem1", "a direction that is biased"): ("Hypothesis unbiased_n ", "Hypothesis other_n "),
    ("fedglomo_theorem2", "noise that has a mean"): ("Hypothesis unbiased_z ", "Hypothesis other_z "),
    ("fedglomo_theorem2", "a smaller constant"): ("<= (64 * Delta * L * root)", "<= (63 * Delta * L * root)"),
    ("fedglomo_theorem3", "noise that has a mean"): ("Hypothesis unbiased_xi ", "Hypothesis other_xi "),
    ("fedglomo_theorem3", "a smaller constant"): ("<= (Delta + (4 / 3) * G_0", "<= (Delta / 2 + (4 / 3) * G_0"),
}
FEDGLOMO_NEIGHBOURS = {(page, name): pair for page in FEDGLOMO for name, pair in _DRAWS.items()} | _OF_A_PAGE


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("which", FEDGLOMO_NEIGHBOURS)
def test_coq_refuses_false_neighbours_of_fedglomo(which, tmp_path):
    old, new = FEDGLOMO_NEIGHBOURS[which]
    shutil.copytree(LIBRARY, tmp_path / "library")
    _, text = text_of(which[0])
    assert old in text
    (tmp_path / "page.v").write_text(text.replace(old, new), encoding="utf-8")
    assert "Error" in run(tmp_path, *(f"library/{module}.v" for module in MODULES), "page.v")


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("0 <= (g + / IZR (high - low + 1)) * A low", "0 <= g * A low"),
        ("0 <= A low -> 0 <= A (high + 1)%Z ->", "0 <= A low ->"),
        ("f t = h t) ->\n  discounted", "f t <= h t) ->\n  discounted"),
    ],
)
def test_coq_refuses_false_neighbours_of_discounted_means(old, new, tmp_path):
    shutil.copytree(LIBRARY, tmp_path / "library")
    file = tmp_path / "library" / "Discount.v"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    assert "Error" in run(tmp_path, "library/Sums.v", "library/Discount.v")


REGRET = """
indices = "i = 1 .. N, t = 0 .. T - 1"

[letters]
"> 0" = "N, T, gam"

[vectors]
"x[t]" = "server, t = 0 .. T"
"m[t]" = "server"
"xi[t]" = "noise"
"s" = "server"

[equations]
move = "x[t + 1] = x[t] - gam m[t]"
gradients = "m[t] = mean(i) (grad(x[t]) + xi[t])"

[claim.step]
steps = "move"
shows = "2 gam <m[t], x[t] - s> = |x[t] - s|^2 - |x[t + 1] - s|^2 + gam^2 |m[t]|^2 for t"
[claim.regret]
steps = "step [sum t]"
shows = "2 gam sum(t) <m[t], x[t] - s> <= |x[0] - s|^2 + gam^2 sum(t) |m[t]|^2"
"""


@pytest.fixture
def telescoping(tmp_path):
    """Write a proof whose sum telescopes, as a folder for Coq."""
    path, folder = tmp_path / "mine.toml", tmp_path / "coq"
    path.write_text(REGRET, encoding="utf-8")
    assert [one["verdict"] for one in outcomes(path, certificates=tmp_path / "found")] == ["proved", "proved"]
    (found,) = (tmp_path / "found").glob("*.json")
    made = write_coq("regret", found.with_suffix(".toml"), found, folder, (tmp_path, HERE))
    assert not made.refused
    return folder


def test_a_sum_that_telescopes_has_a_text(telescoping):
    (page,) = telescoping.glob("mine*.v")
    assert page.read_text(encoding="utf-8").count("sum_of_difference (fun t") == 2


@needs_coq
@pytest.mark.slow
def test_coq_accepts_what_telescopes_and_not_half_of_its_start(telescoping):
    (page,) = telescoping.glob("mine*.v")
    library = [f"library/{name}.v" for name in MODULES]
    run(telescoping, *library, page.name)
    assert axioms_in(run(telescoping, "Axioms.v")) <= REALS
    text = page.read_text(encoding="utf-8")
    head, theorem = text.split("Theorem regret :")
    assert "<= ip (x 0) (x 0) + " in theorem
    half = theorem.replace("<= ip (x 0) (x 0) + ", "<= / 2 * ip (x 0) (x 0) + ", 1)
    page.write_text(f"{head}Theorem regret :{half}", encoding="utf-8")
    assert "Error" in run(telescoping, page.name)


STEPS = """
indices = "i = 1 .. N, t = 0 .. T - 1, k = 0 .. K - 1"

[letters]
"> 0" = "N, T, K, longest"
"> 0, t = 0 .. T - 1, k = 0 .. K - 1" = "eta[t, k]"

[vectors]
"x[t]" = "server"
"xi[t, k]" = "noise"
"u[t, k]" = "client"

[definitions]
both = "both[t, k] = |mean(i) u[t, k]|^2 + 2 |u[t, k] - mean(i) u[t, k]|^2"
paid = "paid[t, k] = eta[t, k] both[t, k]"

[leaf.short]
kind = "fact"
says = "eta[t, k] <= longest for t, k if longest <= 1"
[leaf.young]
kind = "fact"
points = "p server"
says = "2 <mean(i) u[t, k], p> <= |mean(i) u[t, k]|^2 + |p|^2 for t, k"

[claim.point]
steps = "young(p -> mean(i) u[t, k]/2 - x[t])"
shows = "<mean(i) u[t, k], u[t, k] - 2 x[t]> <= |mean(i) u[t, k]|^2 + |mean(i) u[t, k]/2 - x[t]|^2 for t, k"
[claim.step]
steps = "short; paid"
shows = "paid[t, k] <= longest both[t, k] for t, k if longest <= 1"
[claim.all]
steps = "step [mean t, k]; both [mean t, k]"
shows = "mean(t, k) paid[t, k] <= longest mean(t, k) (2 |u[t, k]|^2 - |mean(i) u[t, k]|^2) if longest <= 1"
"""


@pytest.fixture
def varying_steps(tmp_path):
    """Write a proof with steps of an index, as a folder for Coq."""
    path, folder = tmp_path / "steps.toml", tmp_path / "coq"
    path.write_text(STEPS, encoding="utf-8")
    assert {one["verdict"] for one in outcomes(path, certificates=tmp_path / "found")} == {"proved"}
    (found,) = (tmp_path / "found").glob("*.json")
    made = write_coq("all", found.with_suffix(".toml"), found, folder, (tmp_path, HERE))
    assert not made.refused
    return folder, made.page


def test_steps_with_an_index_have_a_text(varying_steps):
    """What FMGDA needs, in a small file: eta[t, k] > 0, a sum of two squares, a point that is a combination."""
    text = varying_steps[1].read_text(encoding="utf-8")
    assert "Hypothesis sign_eta : forall n0 n1, 0 < eta n0 n1." in text
    assert re.search(r"Hypothesis leaf_short : .*<= k <= \(K - 1\)\)%Z -> longest <= 1 -> 0 <= ", text)
    assert "Lemma nonneg_both : forall t k, 0 <= both t k." in text
    assert "(vmean V 1 N (fun i' => u t k i'))" in text
    assert "mean 0 (T - 1) (fun t => mean 0 (K - 1) (fun k => both t%Z k%Z)) = " in text


STEP_NEIGHBOURS = {
    "steps that may be negative": ("0 < eta n0 n1", "-1 < eta n0 n1"),
    "a fact that holds for shorter steps alone": ("longest <= 1 -> 0 <= ", "longest <= 1 / 2 -> 0 <= "),
    "a weaker fact about points": ("1 * (prod [] (fun e => p)", "2 * (prod [] (fun e => p)"),
}


@needs_coq
@pytest.mark.slow
def test_coq_accepts_steps_with_an_index_and_no_false_neighbour(varying_steps):
    folder, page = varying_steps
    run(folder, *(f"library/{name}.v" for name in MODULES), page.name)
    assert axioms_in(run(folder, "Axioms.v")) <= REALS
    text = page.read_text(encoding="utf-8")
    for old, new in STEP_NEIGHBOURS.values():
        assert old in text
        page.write_text(text.replace(old, new, 1), encoding="utf-8")
        assert "Error" in run(folder, page.name)
