"""Theorems for all K where S of N clients take part: proved, refused when spoiled, obeyed by all draws."""

import copy
import itertools
import json
from fractions import Fraction

import numpy as np
import pytest
import sympy
from remembered import remember

from boundcheck import BOUNDS, METHODS
from boundcheck.cli.commands.verify import verify
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.proofs.kernel.all_steps import check
from boundcheck.worst import ProblemClass, bound_of_steps, sharpen
from boundcheck.worst.theorems.all_steps.recorded import differing_keys
from boundcheck.worst.theorems.all_steps.sharpen import sharpen_all_k
from boundcheck.worst.theorems.all_steps.statement import inequality, where
from boundcheck.worst.theorems.collection.shipped import FOLDER, shipped_theorem

NAME = "fedavg-sampled"


def test_it_is_proved_and_says_what_is_drawn():
    """The file is accepted, its round is that of FedAvg's code with a draw, and its words are its numbers'."""
    theorem = shipped_theorem(NAME)
    lines = check(theorem.proof)
    assert any("given |z|^2 <= p*" in line for line in lines)
    assert differing_keys(theorem.proof) == []
    assert where(theorem).startswith("every K, N, T, every S of the N clients, every eta <= 1/(2 K L)")
    assert "eta K L zeta^2 (N - S)/(S (N - 1))" in inequality(theorem)
    assert verify(FOLDER / f"{NAME}.json") == 0


def _given(which, old, new):
    def spoil(p):
        assert old in p["given"][which][2]
        p["given"][which][2] = p["given"][which][2].replace(old, new)

    return spoil


SPOILED = {
    "rate": lambda p: p.update(rate="3/5"),
    "heterogeneity": lambda p: p["round"].update(zeta2="1/3*h*p + 11/10*h^2"),
    "no heterogeneity of the draw": lambda p: p["round"].update(zeta2="11/10*h^2"),
    "noise of the draw": lambda p: p["loop"]["noise"].update(deviations="1/4*h*p + 9/8*h^2"),
    "size of the draw": _given(0, "p*|", "2*p*|"),
    "no size": lambda p: p["proofs"]["round"].remove(next(x for x in p["proofs"]["round"] if x[0] == ["given", 0])),
    "bias": lambda p: p["given"].__delitem__(1),
    "share": lambda p: p["box"].update(p=["0", "2"]),
    "another letter": lambda p: p["box"].update(k=p["box"].pop("p")),
    "no share": lambda p: p["box"].pop("p"),
    "next point": lambda p: p["points"][1].update(x=p["points"][1]["x"].replace("(h)*z", "(2*h)*z")),
    "a given of all clients": lambda p: (p["box"].pop("p"), p["round"].update(zeta2="11/10*h^2")),
}


@pytest.mark.parametrize("what", SPOILED)
def test_a_spoiled_file_is_refused(what):
    """Each number and hypothesis of the draw, changed once."""
    spoiled = copy.deepcopy(shipped_theorem(NAME).proof)
    SPOILED[what](spoiled)
    with pytest.raises((ValueError, LookupError)):
        check(spoiled)


def test_a_smaller_draw_is_not_the_code(tmp_path, capsys):
    """A hypothesis that the method's draw does not meet is shown by the kernel, and found by the comparison."""
    proof = copy.deepcopy(shipped_theorem(NAME).proof)
    proof["given"][0][2] = proof["given"][0][2].replace("p*|", "1/2*p*|")
    check(proof)
    assert differing_keys(proof) == ["given"]
    file = tmp_path / "smaller.json"
    file.write_text(json.dumps(proof), encoding="utf-8")
    assert verify(file) == 1
    assert "given" in capsys.readouterr().err


def draws(rng, *, K, N, S, T, h, sigma):
    """Return the mean of E|grad F|^2, Delta and zeta^2 of FedAvg on random quadratics: all draws, moments exactly."""
    d = int(rng.integers(1, 3))
    A = []
    for _ in range(N):
        q, _ = np.linalg.qr(rng.normal(size=(d, d)))
        A.append(q @ np.diag(rng.uniform(-0.3, 1.0, d)) @ q.T)
    low = np.linalg.eigvalsh(sum(A) / N)[0]
    if low < 0.05:
        A = [(a + (0.05 - low) * np.eye(d)) / (1.05 - low) for a in A]
    mean, b = sum(A) / N, rng.normal(size=(N, d)) * rng.choice([0.1, 1.0])
    minimiser = -np.linalg.solve(mean, b.mean(0))
    x = minimiser + rng.normal(size=d) * rng.choice([0.0, 1.0, 10.0])
    delta = 0.5 * (x - minimiser) @ mean @ (x - minimiser)
    own = []
    for a, c in zip(A, b, strict=True):
        y, shift, noise = np.eye(d), np.zeros(d), np.zeros((d, d))
        for _ in range(K):
            step = np.eye(d) - h / K * a
            y, shift = step @ y, step @ shift - h / K * c
            noise = step @ noise @ step.T + (h / K * sigma) ** 2 / d * np.eye(d)
        own.append((y, shift, noise))
    # Second moments of (x, 1).
    second = np.outer([*x, 1], [*x, 1])
    slope = np.hstack([mean, b.mean(0)[:, None]])
    apart = [np.hstack([a - mean, (c - b.mean(0))[:, None]]) for a, c in zip(A, b, strict=True)]
    chosen = list(itertools.combinations(range(N), S))
    measured, zetas = [], []
    for _ in range(T):
        measured.append(np.trace(slope @ second @ slope.T))
        zetas.append(np.mean([np.trace(v @ second @ v.T) for v in apart]))
        after = np.zeros_like(second)
        for draw in chosen:
            move = np.zeros((d + 1, d + 1))
            move[d, d] = 1
            move[:d, :d] = sum(own[i][0] for i in draw) / S
            move[:d, d] = sum(own[i][1] for i in draw) / S
            after += move @ second @ move.T / len(chosen)
            after[:d, :d] += sum(own[i][2] for i in draw) / S**2 / len(chosen)
        second = after
    return float(np.mean(measured)), float(delta), float(max(zetas))


def test_random_draws_obey_it():
    """All draws of S clients, expectations exactly; a quarter of the right-hand side is exceeded."""
    theorem, rng, ratios = shipped_theorem(NAME), np.random.default_rng(4), []
    for _ in range(150):
        N = int(rng.integers(2, 5))
        K, S, T = int(rng.integers(1, 6)), int(rng.integers(1, N)), int(rng.integers(1, 30))
        h, sigma = float(rng.choice([0.5, rng.uniform(0.03, 0.5)])), float(rng.choice([0.0, 1.0]))
        measured, delta, zeta2 = draws(rng, K=K, N=N, S=S, T=T, h=h, sigma=sigma)
        values = {"e": 1 / K, "h": h, "p": (N - S) / (S * (N - 1))}
        ratios.append(measured / theorem.right_side(values, T=T, N=N, Delta=delta, zeta=zeta2**0.5, sigma=sigma))
    assert 1 / 4 < max(ratios) <= 1


def test_it_is_never_below_the_best_theorem_of_one_round():
    """At some K, N, S and steps; those theorems know every client's gradients after every draw."""
    theorem, fedavg = shipped_theorem(NAME), METHODS["fedavg"]
    for K, N, S, h in ((1, 3, 1, 0.5), (2, 4, 2, 0.3), (3, 3, 2, 0.1)):
        best = sharpen(fedavg(eta=h / K, gamma=1.0), K=K, T=5, N=N, S=S, zeta=0.5, sigma=0.3).value()
        values = {"e": 1 / K, "h": h, "p": (N - S) / (S * (N - 1))}
        assert best <= theorem.right_side(values, T=5, N=N, Delta=1.0, zeta=0.5, sigma=0.3) * (1 + 1e-6)


def test_it_is_a_bound_of_every_s():
    """The registered bound has its terms and no condition that all take part; S = N leaves nothing of the draw."""
    found, registered = bound_of_steps(shipped_theorem(NAME)), BOUNDS["field.fedavg-sampled-all"]
    assert set(found.terms) == set(registered.terms)
    assert all(sympy.simplify(found.terms[word] - registered.terms[word]) == 0 for word in found.terms)
    assert not any("participation" in condition.label for condition in found.conditions)
    at = {"L": 1.0, "Delta": 1.0, "zeta": 1.0, "sigma": 1.0, "N": 4, "K": 2, "T": 9, "b": 1}
    few, every = (registered.evaluate(registered.resolve(at | {"S": S}, {"eta": 0.1})).rhs for S in (1, 4))
    h, p, rate = 0.2, 1.0, shipped_theorem(NAME).rate[0, 0, 0]
    always = {name: {e: c for e, c in q.items() if e[2]} for name, q in shipped_theorem(NAME).always.items()}
    of_draw = float(always["zeta"][0, 1, 1]) * h * p + float(always["noise apart"][1, 1, 1]) * h / 2 * p * 0.75
    assert few - every == pytest.approx(of_draw / float(rate), rel=1e-12)


def test_servers_that_keep_more_are_refused_by_name():
    """SCAFFOLD keeps control variates, FedAvg-M a momentum; the nearer form is for all clients."""
    noisy = ProblemClass(N=8, Delta=1.0, zeta=1.0, sigma=1.0)
    why = {
        "scaffold": ({"eta": 0.1}, "clients keep u_c_i beside x"),
        "fedavg-m": ({"eta": 0.1, "beta": 0.5, "gamma": 0.25}, "the server keeps u_g beside x"),
    }
    for name, (hyper, said) in why.items():
        with pytest.raises(NotApplicableError, match=f"method {name}: with S of N clients .*: {said}"):
            sharpen_all_k(METHODS[name](**hyper), given=noisy, drawn=True)
    with pytest.raises(InputError, match="few = False"):
        sharpen_all_k(METHODS["fedavg"](eta=Fraction(1, 10)), given=noisy, few=False, drawn=True)


def test_the_command_takes_s_below_n(capsys, monkeypatch):
    """From Python and from the command; S = N is the theorem of all clients."""
    import boundcheck as bc
    from boundcheck.cli.commands.sharpen import sharpen as command

    remember(monkeypatch, "boundcheck.worst.theorems.all_steps.sharpen", "sharpen_all_k")
    found = bc.sharpen("fedavg", all_k=True, N=3, S=1, zeta=1.0, up_to="1/4")
    assert found.letters == ("e", "h", "p")
    assert bc.sharpen("fedavg", all_k=True, N=3, S=3, zeta=1.0, up_to="1/4").letters == ("e", "h")
    command("fedavg", all_k=True, N=3, S=1, zeta=1.0, up_to="1/4")
    assert "every S of the N clients" in capsys.readouterr().out
    with pytest.raises(InputError, match="--near"):
        command("fedavg", all_k=True, near=True, N=3, S=1, zeta=1.0)
