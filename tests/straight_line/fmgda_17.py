"""fmgda-17: heterogeneity slows FMGDA down."""

from straight import READOUTS, Saddle, answer, fmgda, measure, ratio, tune, verdict

SPACE = {"h": (0.05, 3.0), "chat": (0.02, 1.0), "c1": (0.05, 3.0)}

answers = {readout: [] for readout in READOUTS}
for N in (2, 16):
    for readout in READOUTS:
        found = []
        for zeta in (0.5, 8.0):
            saddle = Saddle(N, zeta)

            def run(steps, replicates, seed, saddle=saddle):
                return fmgda(saddle, steps, T=200, K=4, replicates=replicates, seed=seed)

            found.append(measure(run, tune(run, SPACE, readout, candidates=16), readout, replicates=24))
        # yes: the alike clients are better.
        better = ratio(found[0], found[1])
        answers[readout].append(answer(better))
        print(f"N = {N}, {readout}: alike for different {better[0]:.3f} [{better[1]:.3f}, {better[2]:.3f}],"
              f" {answers[readout][-1]}")  # fmt: skip
print("verdict:", verdict(answers))
