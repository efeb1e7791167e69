"""FedLALR, Corollary 3 (the maximum of the second moments): eps above the gradient bound refutes it as Theorem 1."""

import numpy as np

G = L = 1.0
# f_i(x) = sqrt(1 + x^2) - 1, two equal clients, beta1 = 0.
eps, N, K, d, T, x = 3.0, 2, 1, 1, 233, np.full(2, 40.0)
alpha = 3 * eps / (20 * L)
gap, total, vh, D = np.sqrt(1 + x[0] ** 2) - 1, 0.0, eps**2, G**2 - eps**2
for _ in range(T):
    g = x / np.sqrt(1 + x**2)
    total += np.mean(g) ** 2
    vh = max(vh, np.max(g**2))  # the largest of all clients, from which all go on: eps^2 for ever
    x = np.full(N, np.mean(x - alpha * g / np.sqrt(vh)))
drift = alpha**2 * K**2 * L**2 * G**2 / eps**4 * (1 + 4 * K**2 * d)
moments = 2 * K * G**2 * d * D / eps**3 + 3 * G**2 * d * D / (2 * eps**3)
squares = N * alpha * L * G**2 * d * D**2 / eps**6 * (5 * K * d / 2 + 5 / 8)
bound = 2 * G * (gap / alpha + moments + squares) / (K * T) + 2 * G * drift
print(f"measured {total / T:.5f} > printed bound {bound:.4f}")
assert total / T > bound
