"""A small store that every report test reads: cheap cells of three kinds of study."""

from boundcheck.sweep import Recipe, Study
from boundcheck.sweep.recipes.recipe import ComparedMethod

NASTY = 'Rates #1: $x$ "quoted" _a_ *b* @c <d> [e] {f} \\ ` ~ // /* = - 100 % é 梯'

SPEEDUP = Study(
    id="speed-up",
    title=NASTY,
    problem="ridge-ratio",
    bounds=["momentum-fl.theorem11", "momentum-fl.theorem11-printed"],
    N=[2, 4, 8],
    K=[1],
    T=[8, 16, 32],
    parameters={"d": 2, "sigma": 2.0},
    fit=["T", "N"],
    epsilons=[1.0, 0.7, 0.5, 1e-6],
    compare=[ComparedMethod("fedavg", {"eta": 0.01}, label="plain, costs $5")],
    overlays=["momentum-fl.table1-fedavg-m"],
    text=NASTY,
)
ZIPPED = Study(
    id="zipped",
    title="Tilted parabolas",
    problem="quadratic-tilt",
    bounds=["momentum-fl.theorem19-printed"],
    N=[2],
    K=[1],
    T=[8, 16, 32],
    parameters={"zeta": [10.0, 100.0, 1e7]},
    zip=True,
    fit=["T"],
)
TWO_METRICS = Study(
    id="two-metrics",
    title="Sum and average",
    problem="ncsc-p1",
    bounds=["fmgda.theorem1R", "fmgda.corollary1R"],
    N=[2],
    K=[2],
    T=[4, 8],
)
REFUSED = Study(
    id="refused", title="No bounded gradients", problem="quadratic", bounds=["fedlalr.theorem1"], N=[2], K=[1], T=[4]
)
SINGLE = Study(id="single", title="One cell", problem="ridge-ratio", bounds=["fedlalr.theorem1"], N=[2], K=[1], T=[4])
WORDS = Study(
    id="words",
    title="An axis of words and one with a zero",
    problem="ridge-ratio",
    bounds=["momentum-fl.theorem11"],
    N=[2],
    K=[1],
    T=[4],
    parameters={"link": ["ratio", "log"], "zeta": [0.0, 1.0], "d": 2},
)
MULTIPLES = Study(
    id="multiples",
    title="Small multiples",
    problem="ridge-ratio",
    bounds=["momentum-fl.theorem11"],
    N=[2, 4, 8],
    K=[1, 2],
    T=[4],
    parameters={"zeta": [0.5, 1.0], "d": 2},
    fit=["N"],
)
FINDING = Study(
    id="false-as-printed",
    title="A finding",
    problem="quadratic-tilt",
    bounds=["momentum-fl.theorem19-printed"],
    N=[2],
    K=[1],
    T=[8, 16, 32],
    parameters={"zeta": [100.0, 1000.0, 1e7]},
    zip=True,
    fit=["T"],
    reading=NASTY,
    script="docs/findings/false_as_printed.py",
)
REPAIR = Study(
    id="mended",
    title="Its repair",
    problem="quadratic-tilt",
    bounds=["momentum-fl.theorem19"],
    N=[2],
    K=[1],
    T=[8, 16, 32],
    parameters={"zeta": [100.0, 1000.0, 1e7]},
    zip=True,
    repairs="false-as-printed",
)
RECIPE = Recipe(
    title=NASTY,
    text=NASTY,
    study=[SPEEDUP, ZIPPED, TWO_METRICS, REFUSED, SINGLE, WORDS, MULTIPLES, FINDING, REPAIR],
    rates=["speed-up", "two-metrics"],
    seed=3,
    replicates=4,
    points=4,
)
