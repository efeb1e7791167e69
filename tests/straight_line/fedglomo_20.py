"""fedglomo-20: with all clients and no quantiser FedLOMO is as good as FedGLOMO, within a tenth.

A sample multiplies the slope of f by 1 + xi: noise that is the same at two points would leave both methods without any.
"""

import numpy as np
from straight import READOUTS, Ridges, measure, ratio, tune

N, K, T = 10, 8, 150
SPACE = {"eta": (0.002, 0.5), "beta": (0.05, 1.0)}
ALONE = {"eta": (0.002, 0.5), "beta": (1.0, 1.0 + 1e-9)}
MARGIN, SPREAD = 0.1, 0.5

ridges = Ridges(N, 4.0)


def path(start, eta, noises):
    """Return where K recursive steps end: from the exact gradient, then on fresh minibatches at two points."""
    y, v = start, ridges.mean_gradient(start) + ridges.tilts
    for factor in noises:
        old, y = y, y - eta * v
        v = factor * (ridges.mean_gradient(y) - ridges.mean_gradient(old)) + v
    return y - eta * v


def run(steps, replicates, seed):
    """Return |grad f(x_t)|^2 of FedGLOMO; beta = 1 is FedLOMO."""
    rng = np.random.Generator(np.random.Philox(seed))
    candidates = len(steps["eta"])
    eta = np.repeat(steps["eta"], replicates)[:, None, None]
    beta = np.minimum(np.repeat(steps["beta"], replicates), 1.0)[:, None, None]
    x = np.full((candidates * replicates, 1, ridges.d), ridges.start)
    previous, u, found = x, 0.0, np.empty((T, candidates * replicates))
    with np.errstate(all="ignore"):
        for t in range(T):
            found[t] = (ridges.mean_gradient(x) ** 2).sum(axis=(1, 2))
            xi = 1 + SPREAD * rng.standard_normal((K - 1, replicates, N, ridges.d))
            noises = [np.tile(each, (candidates, 1, 1)) for each in xi]
            here = np.repeat(x, N, axis=1)
            D = (here - path(here, eta, noises)).mean(axis=1, keepdims=True)
            if t == 0:
                u = D
            else:
                there = np.repeat(previous, N, axis=1)
                H = (there - path(there, eta, noises)).mean(axis=1, keepdims=True)
                u = beta * D + (1 - beta) * (u + D - H)
            previous, x = x, x - u
    found[~np.isfinite(found)] = 1e9
    return np.minimum(found, 1e9).reshape(T, candidates, replicates)


alike = {}
for readout in READOUTS:
    lomo = tune(run, ALONE, readout)
    glomo = tune(run, SPACE, readout, seeds=[lomo])
    value, low, high = ratio(measure(run, lomo, readout), measure(run, glomo, readout))
    alike[readout] = low > 1 - MARGIN and high < 1 + MARGIN
    print(f"{readout}: FedLOMO for FedGLOMO {value:.3f} [{low:.3f}, {high:.3f}]; beta = {glomo['beta']:.2f}")
print("verdict:", "reproduced" if all(alike.values()) else
      f"reproduced by the {' and the '.join(r for r in READOUTS if alike[r])} alone" if any(alike.values()) else
      "contradicted")  # fmt: skip
