"""The headline rates of the five papers, each with the schedule and grid on which it is looked for, and its control.

Without noise a method of these papers is gradient descent with the steps of its schedule, so that the tail turns every
schedule into a power.  sigma is what the class allows; it is chosen so that the momentum weight is small from the
first point of the grid on, where the theorems say that noise decides.
"""

from __future__ import annotations

from boundcheck.files.display import Catalogue
from boundcheck.rates.control import frozen, plain
from boundcheck.rates.headline import SADDLE, Headline

HALF = plain(2 / 3, "a third, where a half is promised")
"""Control of rates T^(-1/2)."""
SGD = plain(1 / 2, "a half, the power of SGD")
"""Control of faster rates."""
ALONE = frozen("more clients without a larger step")
LOCAL = frozen("more local steps without a larger step")
_ROUNDS = (25_000, 50_000, 100_000, 200_000)
_MANY = (1, 2, 4, 8, 16)

# fmt: off
_ALL = (
    Headline("fedavg-m.T", "momentum-fl.theorem11-printed", "T", _ROUNDS, HALF, bound="momentum-fl.theorem11",
        N=4, declared={"sigma": 0.25}),
    Headline("fedavg-m.N", "momentum-fl.theorem11-printed", "N", (1, 4, 16, 64), ALONE, bound="momentum-fl.theorem11",
        declared={"sigma": 0.45}),
    Headline("fedavg-m.K", "momentum-fl.theorem11-printed", "K", _MANY, LOCAL, bound="momentum-fl.theorem11",
        declared={"sigma": 0.25}),
    Headline("fedavg-m.NK", "momentum-fl.theorem11-printed", "NK", (1, 2, 4, 8), ALONE, bound="momentum-fl.theorem11",
        declared={"sigma": 0.45}),
    Headline("fedavg-m-vr.T", "momentum-fl.theorem15-printed", "T", _ROUNDS, SGD, bound="momentum-fl.theorem15",
        N=4, declared={"sigma": 0.7}),
    Headline("fedavg-m-vr.N", "momentum-fl.theorem15-printed", "N", _MANY, ALONE, bound="momentum-fl.theorem15",
        declared={"sigma": 1.4}),
    Headline("fedavg-m-vr.K", "momentum-fl.theorem15-printed", "K", _MANY, LOCAL, bound="momentum-fl.theorem15",
        declared={"sigma": 1.4}),
    Headline("scaffold-m.S", "momentum-fl.theorem19-printed", "S", (4, 8, 16, 32), ALONE,
        bound="momentum-fl.theorem19", N=64, declared={"sigma": 0.7}),
    Headline("scaffold-m.T", "momentum-fl.theorem19-printed", "T", _ROUNDS, HALF, bound="momentum-fl.theorem19",
        N=16, S=4, declared={"sigma": 0.3}),
    Headline("scaffold-m-vr.T", "momentum-fl.theorem22-printed", "T", _ROUNDS, SGD, bound="momentum-fl.theorem22",
        N=16, S=4, declared={"sigma": 0.75}),
    Headline("scaffold-m-vr.S", "momentum-fl.theorem22-printed", "S", (4, 8, 16, 32), ALONE,
        bound="momentum-fl.theorem22", N=64, declared={"sigma": 1.6}),
    Headline("scaffold-m-vr.K", "momentum-fl.theorem22-printed", "K", (1, 2, 4, 8), LOCAL,
        bound="momentum-fl.theorem22", N=16, S=4, declared={"sigma": 1.5}),
    Headline("fedlalr.N", "fedlalr.rate-corollary1", "N", (1, 4, 16, 64), ALONE, bound="fedlalr.corollary1",
        declared={"sigma": 1.0}),
    Headline("fedlalr.K", "fedlalr.rate-corollary1", "K", (1, 2, 4, 8), LOCAL, bound="fedlalr.corollary1",
        declared={"sigma": 1.0}),
    Headline("fedlalr.NK", "fedlalr.rate-corollary1", "NK", (1, 2, 4, 8), ALONE, bound="fedlalr.corollary1",
        declared={"sigma": 1.0}),
    Headline("fedlalr.T", "fedlalr.rate-corollary1", "T", _ROUNDS, HALF, bound="fedlalr.corollary1", N=4, K=2,
        declared={"sigma": 1.0}),
    Headline("fedglomo.T", "fedglomo.theorem1", "T", _ROUNDS, SGD, bound="fedglomo.theorem1", N=256, S=16,
        overrides={"alpha_div": 256.0}),
    Headline("fedglomo.S", "fedglomo.theorem1", "S", (4, 8, 16, 32), ALONE, bound="fedglomo.theorem1", N=1024,
        overrides={"alpha_div": 1024.0}),
    Headline("fmgda.T", "fmgda.corollary1", "T", (500_000, 1_000_000, 2_000_000, 4_000_000), SGD,
        bound="fmgda.corollary1", problem=SADDLE),
    Headline("fmgda.N", "fmgda.corollary1", "N", (1, 2, 4), ALONE, bound="fmgda.corollary1", problem=SADDLE,
        T=4_000_000),
    Headline("fmgda.rounds", "fmgda.corollary1", "rounds", (90_000, 160_000, 250_000), SGD, bound="fmgda.corollary1",
        problem=SADDLE, N=32),
    Headline("gradma.S", "gradma.rate-partial", "S", (4, 8, 16), ALONE, bound="gradma.lemma6", N=1024, T=3_000,
        declared={"zeta": 2.7}, overrides={"eps_l": 0.0, "eps_g": 0.0}),
    Headline("storm.T", "fmgda.text-storm", "T", (100_000, 200_000, 400_000), SGD, schedule="storm", lanes=32,
        problem="tail[link=tail:0.05,sigma=0.2]"),
)
# fmt: on

HEADLINES: dict[str, Headline] = Catalogue("headline rates", {headline.id: headline for headline in _ALL})
"""Every headline rate by name: method and letter."""
