"""FedGLOMO, (123) and (124): later gradients depend on earlier noise, so the cross terms do not vanish."""

import itertools

import numpy as np

eta, sigma, tau, n = 0.1, 0.1, 2, 1  # f(w) = 1 + cos w from its maximum w = 0, noise +-sigma
left = squares = 0.0
for signs in itertools.product([-sigma, sigma], repeat=tau):
    w, total = 0.0, 0.0
    for noise in signs:
        g = -np.sin(w)
        total, squares = total + g + noise, squares + g**2 / 2**tau
        w -= eta * (g + noise)
    left += total**2 / 2**tau
printed = tau * squares + tau * sigma**2 / n
print(f"E|sum of the stochastic gradients|^2 = {left:.5f} > {printed:.5f} as printed,")
print(f"but <= {2 * printed:.5f}")
assert printed < left <= 2 * printed
