"""FedGLOMO, Theorem 1: the noise of the quantised messages of round 0 is remembered for 1/beta ~ T^(2/3) rounds."""

import numpy as np

# Two clients w^2/2 from w = 1, both in round 0 and one drawn later, E = 1,
# quantiser of relative variance q = 100:
# exact second moments of (w_k, w_(k-1), u_(k-1)), summed over K rounds by powers of the linear map.
n, r, E, q, e2 = 2, 1, 1, 100, np.exp(2)
s = (n - r) / (r * (n - 1))
spread = q / n + (1 + q) * s
# alpha = 0: the clients are alike and E = 1.
M = 4 / E / n + 800 * e2 * (1 + q) * (E + 1) ** 2 * spread
for K in (10**6, 10**8, 10**10):
    assert K ** (-1 / 3) / (1200 * e2 * (1 + q) * spread) <= E + 1 <= (1 + q) ** 0.5 * s * K / 3
    eta = 1 / (6 * E * (K * M) ** (1 / 3))
    beta = 160 * e2 * (1 + q) * (eta * E * (E + 1)) ** 2
    step = np.array([eta, -(1 - beta) * eta, 1 - beta])  # u = step . state, plus noise along push
    A = np.array([[1, 0, 0] - step, [1, 0, 0], step])
    push = np.array([-1, 0, 1])
    fresh, change = [beta * eta, 0, 0], [(1 - beta) * eta, -(1 - beta) * eta, 0]
    noise = q / r * (np.kron(fresh, fresh) + np.kron(change, change))
    second = np.kron(A, A) + np.outer(np.kron(push, push), noise)
    G = np.block([[second, np.zeros((9, 9))], [np.eye(9), np.eye(9)]])
    first = np.array([1 - eta, 1, eta])
    start = np.kron(first, first) + eta**2 * q / n * np.kron(push, push)
    start = np.concatenate([start, np.zeros(9)])
    measured = (1 + (np.linalg.matrix_power(G, K - 1) @ start)[9]) / K
    claimed = 39 * 0.5 * M ** (1 / 3) / K ** (2 / 3)
    print(f"K = {K:.0e}: measured / claimed = {measured / claimed:.3g} > 1")
    assert measured > claimed
