"""The examples of published proofs: the kernel proves every claim, and no false neighbour one change away."""

from pathlib import Path

import pytest

from boundcheck.proofs.chain.deciding.prover import Prover
from boundcheck.proofs.chain.whole.assisted import Assistant
from boundcheck.proofs.kernel.report import leaves
from boundcheck.proofs.language.files import load
from boundcheck.proofs.search.finder import find
from boundcheck.proofs.search.outcomes import outcomes

HERE = Path(__file__).parents[2] / "docs" / "examples" / "proofs"
PAGE = (Path(__file__).parents[2] / "docs" / "published-proofs.md").read_text(encoding="utf-8")
LEAVES = {
    "error-feedback": {"smooth", "descent-lemma", "lower", "second-moment", "compressor", "gap"},
    "svrg": {"smooth-convex", "strongly-convex", "minimum"},
    "adagrad-norm": {"descent-lemma", "lower", "denominator", "gap"},
    "extragradient": {"monotone", "lipschitz", "solution"},
    "delayed-sgd": {"smooth", "descent-lemma", "lower", "variance", "no-noise-yet", "gap"},
}
# What is changed, and how: a term left out, a smaller constant, another equation or no condition.
NEIGHBOURS = {
    "error-feedback": [
        ("2 Delta/(eta T) + eta L G^2 +", "2 Delta/(eta T) +"),
        (" + 4 (1 - delta) eta^2 L^2 G^2/delta^2 if", " if"),
        ("= x[t] - mean(i) c[t]", "= x[t] - 2 mean(i) c[t]"),
    ],
    "svrg": [
        ("(1/(mu eta rho T) + 2 L eta/rho)", "1/(mu eta rho T)"),
        ('"d[t] = grad(x[t]) - grad(y)"', '"d[t] = grad(x[t])"'),
        ("(1/(mu eta rho T) + 2 L eta/rho)", "(1/(2 mu eta rho T) + 2 L eta/rho)"),
    ],
    "adagrad-norm": [
        ("(b[0] + 2 Delta/eta) if eta L <= b[0]", "(b[0] + 2 Delta/eta)"),
        ("1/T (2 Delta/eta) (b[0] + 2 Delta/eta)", "1/T (2 Delta/eta) (b[0] + Delta/eta)"),
        ("b[t]^2 + grad2[t]", "b[t]^2 + 2 grad2[t]"),
    ],
    "extragradient": [
        ("mean(i) grad(y[t])", "mean(i) grad(x[t])"),
        ("2 |x[0] - s|^2/(eta^2 T) if", "|x[0] - s|^2/(2 eta^2 T) if"),
        ("2 |x[0] - s|^2/(eta^2 T) if 2 eta^2 L^2 <= 1", "2 |x[0] - s|^2/(eta^2 T)"),
    ],
    "delayed-sgd": [
        ("2 Delta/(eta T) + eta L sigma^2/N +", "2 Delta/(eta T) +"),
        ("if eta L + 2 eta^2 L^2 D^2 <= 1", "if eta L <= 1"),
        ("<= 2 Delta/(eta T)", "<= Delta/(eta T)"),
    ],
}
CHANGED = [
    pytest.param(name, *one, id=f"{name}-{n}") for name, many in NEIGHBOURS.items() for n, one in enumerate(many)
]


def _changed(name, old, new, folder):
    text = (HERE / f"{name}.toml").read_text(encoding="utf-8")
    assert text.count(old) == 1
    page = folder / f"{name}.toml"
    page.write_text(text.replace(old, new), encoding="utf-8")
    return page


@pytest.mark.parametrize("name", LEAVES)
def test_every_claim_is_proved_from_the_assumptions(name, tmp_path):
    path = HERE / f"{name}.toml"
    kernel = find(path, tmp_path).kernel
    assert not {id_: one.why for id_, one in kernel.verdicts.items() if not one.proved}
    last = f"example.{name}"
    assert list(kernel.verdicts)[-1] == last
    assert set(leaves(kernel, last)) & set(kernel.file.leaves) == LEAVES[name]
    row = next(line for line in PAGE.splitlines() if f"| `{name}` | {len(kernel.verdicts)} |" in line)
    assert f"| {len(path.read_text(encoding='utf-8').splitlines())} |" in row


def test_the_examples_are_these():
    assert {path.stem for path in HERE.glob("*.toml")} == set(LEAVES) == set(NEIGHBOURS)


@pytest.mark.parametrize(("name", "old", "new"), CHANGED)
def test_a_neighbour_does_not_follow_from_the_same_steps(name, old, new, tmp_path):
    file = load(_changed(name, old, new, tmp_path))
    assistant = Assistant(file, Prover(file.setting, weigh=False))
    found = [assistant.decide(claim) for claim in file.claims]
    assert found[-1].word != "proved"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "old", "new"), CHANGED)
def test_a_neighbour_is_not_proved_by_any_search(name, old, new, tmp_path):
    found = outcomes(_changed(name, old, new, tmp_path))
    assert found[-1]["verdict"] != "proved"
