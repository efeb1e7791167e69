"""GradMA, Lemma .2: a root that reaches over L I lets the local step grow far beyond 1/L."""

import numpy as np

# f(x) = (L/2) x^2, all clients alike, no projection of the worker (GradMA-S).
I, x, eps_l, rho = 10, 1.0, 0.0, 0.0
for L in (1e5, 1e6, 1e7):
    printed, repaired = 1 / (4 * np.sqrt(10 * L * I)), 1 / (4 * np.sqrt(10) * L * I)
    for eta, form in ((printed, "printed"), (repaired, "repaired")):
        y, drift = x, 0.0
        for _ in range(I):
            drift = max(drift, (y - x) ** 2)
            y -= eta * L * y
        claimed = 40 * I**2 * eta**2 * (eps_l**2 + rho**2 + (L * x) ** 2)
        above = " > 1" if drift > claimed else ""
        print(f"L = {L:.0e}, {form}: drift / claimed = {drift / claimed:.3g}{above}")
        assert (drift > claimed) == (form == "printed")
