"""fmgda-16: FMGDA speeds up with the number of clients, like N^(-2/3)."""

import numpy as np
from straight import READOUTS, Saddle, fmgda, measure, ratio, tune

SPACE = {"h": (0.05, 3.0), "chat": (0.02, 1.0), "c1": (0.05, 3.0)}
CLIENTS = (2, 16)
MARGIN = 0.05

falls = {}
for zeta in (0.5, 8.0):
    for readout in READOUTS:
        found = []
        for N in CLIENTS:
            saddle = Saddle(N, zeta)

            def run(steps, replicates, seed, saddle=saddle):
                return fmgda(saddle, steps, T=200, K=4, replicates=replicates, seed=seed)

            found.append(measure(run, tune(run, SPACE, readout, candidates=16), readout, replicates=24))
        # More clients draw other noise: the ratio is of means that are not paired.
        value, low, high = ratio(found[1], found[0])
        power = np.log([value, low, high]) / np.log(CLIENTS[1] / CLIENTS[0])
        falls[zeta, readout] = "falls" if high < 1 - MARGIN else "rises" if low > 1 + MARGIN else "open"
        print(f"zeta = {zeta:g}, {readout}: N^{power[0]:.2f} [{power[1]:.2f}, {power[2]:.2f}], {falls[zeta, readout]}")
every = set(falls.values())
whole = [readout for readout in READOUTS if {falls[zeta, readout] for zeta in (0.5, 8.0)} == {"falls"}]
print("verdict:", "falls with N by both readouts" if every == {"falls"} else
      f"falls with N by the {' and the '.join(whole)} alone" if whole else "not reproduced")  # fmt: skip
