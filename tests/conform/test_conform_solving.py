"""Methods whose clients solve their problem or take their samples in turn are compared as all others are."""

import numpy as np
import pytest

from boundcheck.conform import compare


def admm(clients, x0, *, K, T, active, rho, share=1.0, twice=1.0):
    x, u, path = x0, [0 * x0 for _ in clients], [x0]
    for _ in range(T):
        y = [client.prox(x - v, 1.0 / (twice * rho)) for client, v in zip(clients, u, strict=True)]
        x = np.mean([a + v for a, v in zip(y, u, strict=True)], axis=0)
        u = [v + share * (a - x) for a, v in zip(y, u, strict=True)]
        path.append(x)
    return path


def feddyn_exact(clients, x0, *, K, T, active, alpha, over_active=False):
    x, h, path, terms = x0, 0 * x0, [x0], [0 * x0 for _ in clients]
    for t in range(T):
        z, ends = x - h / alpha, []
        for i in active[t]:
            y = clients[i].prox(z + terms[i] / alpha, 1.0 / alpha)
            terms[i] = terms[i] - alpha * (y - z)
            ends.append(y)
        h = h - alpha * (sum(ends) - len(ends) * z) / (len(ends) if over_active else len(clients))
        x = np.mean(ends, axis=0)
        path.append(x)
    return path


def in_turn(clients, x0, *, K, T, active, eta):
    x, path = x0, [x0]
    for t in range(T):
        for k in range(K):
            x = x - eta * np.mean([c.grad(x, k, t) for c in clients], axis=0)
        path.append(x)
    return path


@pytest.mark.parametrize(
    ("method", "code"), [("admm", admm), ("feddyn-exact", feddyn_exact), ("reshuffled-sgd", in_turn)]
)
def test_a_right_code_agrees(method, code):
    assert compare(code, method=method).verdict == "agrees"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "code", "words"),
    [
        (
            "admm",
            lambda clients, x0, *, K, T, active, rho: admm(clients, x0, K=K, T=T, active=active, rho=rho, twice=2.0),
            "rho is 1.8",
        ),
        (
            "admm",
            lambda clients, x0, *, K, T, active, rho: admm(clients, x0, K=K, T=T, active=active, rho=rho, share=0.5),
            "0.5",
        ),
        (
            "feddyn-exact",
            lambda clients, x0, *, K, T, active, alpha: feddyn_exact(
                clients, x0, K=K, T=T, active=active, alpha=alpha, over_active=True
            ),
            "mean(moved)",
        ),
        (
            "reshuffled-sgd",
            lambda clients, x0, *, K, T, active, eta: in_turn(clients, x0, K=K, T=T, active=active, eta=2 * eta),
            "the local step is 0.2 and not 0.1",
        ),
    ],
)
def test_a_fault_is_named(method, code, words):
    comparison = compare(code, method=method)
    assert comparison.verdict == "differs"
    assert words in "; ".join(comparison.diagnosis)
