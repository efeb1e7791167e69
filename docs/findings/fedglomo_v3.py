"""FedGLOMO, Lemma 13 (FedAvg, one round): the sampling variance is six parts in eight too small."""

import numpy as np

n, r, E, L, eta, sigma = 2, 1, 1, 1.0, 0.1, 0.0
# f_i(w) = (w - a_i)^2/2 from w = 0, the minimum of f; alpha = 0 serves, since E = 1.
a = np.array([1.0, -1.0])
s = (n - r) / (r * (n - 1))
square = np.mean(a**2)  # mean_i |grad f_i(0)|^2
# f after one round, either client drawn.
values = [np.mean((eta * drawn - a) ** 2) / 2 for drawn in a]
growth = np.mean(values) - np.mean(a**2) / 2
printed = eta**2 * L * E**2 * s / 6 * square
repaired = eta**2 * L * E**2 * 8 * s / 3 * square
print(f"f grows by {growth:.6f} > {printed:.6f} as printed, but <= {repaired:.6f}")
assert printed < growth <= repaired
