"""The normal form of numbers, the laws and equations keep the value of an expression: random ones, in exact worlds."""

import random

import pytest
from kernel_worlds import Forms
from test_kernel_rules import ROUNDS, SETTING, _worlds

from boundcheck.proofs.kernel import File, Kernel, Proof
from boundcheck.proofs.kernel.evaluate import scalar
from boundcheck.proofs.kernel.file import step
from boundcheck.proofs.kernel.text import expression

PAGES = {
    "steps": (
        SETTING,
        ("x[t]", "x[t + 1]", "y[t, 0]", "y[t, K]", "xi[t, 0]", "w[t]", "grad(x[t])", "taken(A[t], y[t, K])"),
        ("", "-2 ", "1/3 ", "eta ", "(1 - sigma) ", "N/S ", "1/(1 + c) "),
        ("go [mean k]", "begin", "server", "halfway"),
        {"births": {"x": 0, "y": 0, "w": "end"}, "late": ["w"]},
    ),
    "rounds": (
        ROUNDS,
        ("x[t]", "x[t + 1]", "y[t, K]", "n[t]", "zeta[t, 0]", "mean(j) e[j]", "taken(A[t], n[t])", "grad(y[t, K])"),
        ("", "-2 ", "1/3 ", "eta ", "(1 - spread) ", "N/S "),
        ("go [mean k]", "begin", "server"),
        {"births": {"x": 0, "y": 0}, "late": ["A"]},
    ),
}
INSIDE = ("y[t, k]", "y[t, k + 1]", "xi[t, k]", "grad(y[t, k])")
"""With an index k that a mean binds."""


def _vector(rng, atoms, weights, depth=2):
    if depth and rng.random() < 0.6:
        left, right = (_vector(rng, atoms, weights, depth - 1) for _ in range(2))
        return f"({rng.choice(weights)}{left} {rng.choice('+-')} {rng.choice(weights)}{right})"
    if rng.random() < 0.5:
        inside = f"({rng.choice(INSIDE)} + {rng.choice(weights)}{rng.choice((*INSIDE, *atoms))})"
        return f"mean({rng.choice(['k', 'i, k'])}) {inside}"
    return rng.choice(["", "mean(i) "]) + rng.choice(atoms)


def _kernel(tmp_path, setting, choices):
    page = tmp_path / "claims.toml"
    page.write_text(setting, encoding="utf-8")
    file = File()
    file.read(page)
    return Kernel(file, Proof(choices))


def _compare(tmp_path, page, count, outcomes, seed):
    setting, atoms, weights, steps, choices = PAGES[page]
    kernel, rng = _kernel(tmp_path, setting, choices), random.Random(seed)
    context = kernel.base.inside("t", kernel.file.indices["t"])
    changed = compared = 0
    trees = []
    while len(trees) < count:
        u, v = (_vector(rng, atoms, weights) for _ in range(2))
        text = rng.choice([f"<{u}, {v}>", f"|{u}|^2"])
        tree = expression(text)
        form = scalar(tree, context)
        names = rng.sample(steps, rng.randint(0, 3))
        forms = [form, kernel.births.lawful(form, context)[0]]
        rewriting = [kernel.steps.rewriting(step(one), context) for one in names]
        forms.append(kernel.steps.reduce(form, rewriting, context))
        changed += forms[1] != form
        trees.append((text, tree, forms))
    for world in _worlds(kernel.file, 1):
        if len(world.outcomes) > outcomes:
            continue
        forms_here = Forms(world)
        for text, tree, forms in trees:
            direct = world.number(tree, {"t": 0})
            for form in forms:
                assert forms_here.value(form, {"t": 0}) == direct, (text, world.letters)
                compared += 1
    return changed, compared


@pytest.mark.parametrize("page", PAGES)
def test_normal_forms_laws_and_equations_keep_the_value(tmp_path, page):
    changed, compared = _compare(tmp_path, page, 8, 16, 3)
    assert changed > 1
    assert compared > 50


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("seed", range(20))
def test_many_normal_forms_keep_the_value(tmp_path, page, seed):
    assert _compare(tmp_path, page, 60, 64, seed)[1]
