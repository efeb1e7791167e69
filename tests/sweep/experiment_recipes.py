"""Small recipes of experiments."""

from boundcheck.sweep import load_recipe

PARABOLA = """
title = "parabola"
seed = 5
replicates = 4
points = 6

[[experiment]]
id = "parabola"
title = "one parabola"
problems = ["quadratic[sigma=0,zeta=0,noise=none]"]
parameters = { d = 1, mu = 1.0 }
N = [2]
K = [1]
T = [8]
tuning = 2
widen = 3

[[experiment.entrant]]
method = "fedavg"
hyper = { eta = [0.05, 0.1, 0.2] }

[[experiment.entrant]]
method = "mb-storm"
hyper = { gamma = [0.2, 0.9, 1.7], a = [0.1, 0.5] }
"""

NOISY = """
title = "noisy"
seed = 7
replicates = 6
points = 8

[[experiment]]
id = "ridges"
title = "ridges"
problems = ["ridge-coercive"]
parameters = { d = 4, zeta = [0.5, 4.0] }
N = [4]
K = [3]
T = [24]
tuning = 3
widen = 0
metrics = ["drift"]

[[experiment.entrant]]
method = "fedavg"
label = "plain"
hyper = { eta = [0.05, 0.1, 0.2], gamma = 1.0 }

[[experiment.entrant]]
method = "scaffold"
label = "controlled"
hyper = { eta = [0.05, 0.1, 0.2] }

[[experiment.entrant]]
method = "mb-storm"
label = "dear"
hyper = { gamma = 0.3, a = [0.1, 0.5] }

[[assertion]]
id = "one"
paper = "momentum-fl"
lines = "1"
title = "control beats none"
says = "control is better."
ask = [
  { kind = "better", experiment = "ridges", of = ["controlled"], than = ["plain"], axes = ["rounds", "bits"] },
  { kind = "widens", experiment = "ridges", of = ["controlled"], than = ["plain"], along = "zeta" },
]

[[assertion]]
id = "two"
paper = "momentum-fl"
lines = "2"
title = "out of reach"
says = "nobody knows."
cannot = "it needs a network of 10^9 weights"
"""


def written(folder, text, name="experiments.toml"):
    """Write a recipe and return its path as text."""
    path = folder / name
    path.write_text(text)
    return str(path)


def recipe(folder, text, **changes):
    """Return a recipe; changes replace one piece of its text by another."""
    for old, new in changes.values():
        assert old in text
        text = text.replace(old, new, 1)
    return load_recipe(written(folder, text))
