"""FedLALR, Theorem 1: the term sigma^2/N needs noise that is independent between clients; no assumption says so."""

import numpy as np

# f_i(x) = log(1 + x^2)/2 for all 100 clients, x_0 = 0: |f'| <= 1/2, L = 1, minimum at the start.
# Every client gets the same sample f'(x) +- 1/2, so G_inf = 1.
# With eps = 1 the adaptive denominator stays 1.
N, eta, T, L, G, eps, sigma, d = 100, 1e-3, 20_000, 1.0, 1.0, 1.0, 0.5, 1
rng = np.random.default_rng(0)


def measured(noise):
    """Return the average squared gradient over T rounds, K = 1 and beta1 = 0."""
    x, total = np.zeros(200), 0.0
    for _ in range(T):
        slope = x / (1 + x**2)
        total += np.mean(slope**2)
        x = x - eta * (slope + noise())
    return total / T


noise = 5 * L * d * sigma**2 * eta / (4 * eps**2 * N)
printed = 2 * G * (noise + 5 * L**2 * G**2 / eps**4 * eta**2)
common = measured(lambda: sigma * rng.choice([-1, 1], size=200))
apart = measured(lambda: sigma * (2 * rng.binomial(N, 0.5, size=200) / N - 1))
print(f"the same noise at all clients: {common:.1e} > {printed:.2e} as printed;")
print(f"independent noise: {apart:.1e}")
