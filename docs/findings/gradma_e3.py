"""GradMA: with opposite memories the projected momentum is 0 for ever, though all assumptions hold."""

import numpy as np

# f_i = |x|^2/2 + b_i x_1, L = 1, rho = 1.5.
b, eta, eta_g, beta1, I, T = np.array([-1.0, 2.0]), 0.1, 1.0, 0.5, 2, 1000
shift = np.stack([b, 0 * b], axis=1)
for projected in (False, True):
    x, m = np.zeros(2), np.zeros(2)
    for _ in range(T):
        y = np.tile(x, (2, 1))
        for _ in range(I):
            y -= eta * (y + shift)
        d = x - y
        m = beta1 * m + d.mean(axis=0)
        if projected and d[0, 0] * d[1, 0] < 0 and not d[:, 1].any():
            m[0] = 0.0  # the rows d_1, d_2 point opposite ways along e_1: v_1 >= 0 and v_1 <= 0
        x = x - eta_g * m
    name, left = "GradMA-S" if projected else "FedAvgM", np.linalg.norm(x + shift.mean(axis=0))
    print(f"{name}: |grad f| = {left:.3g}")
print("0.5 > 0: the residual of Lemma .6 is no artefact of its proof")
assert np.linalg.norm(x + shift.mean(axis=0)) == 0.5
