"""The field's theorems on cells: none that is true is violated, and each is found where it is spoiled."""

from dataclasses import dataclass, field, replace
from itertools import product

import pytest
from sympy import Integer, Rational

from boundcheck import check, load_problem
from boundcheck.bounds import BOUNDS
from boundcheck.errors import NotApplicableError

ONE_STEP = ((1, 1, 1), (1, 1, 32), (2, 1, 8), (4, 1, 16), (3, 1, 64))
SEVERAL = ((1, 1, 8), (2, 1, 32), (4, 3, 8), (2, 8, 4), (1, 4, 16))
SMOOTH = ("ridge-ratio", "ridge-cosine[sigma=2]", "quadratic-tilt[start=3]", "stress-huber[sigma=1,noise=signs]")
EXACT = ("ridge-ratio[sigma=0]", "ridge-cosine[sigma=0]", "quadratic-tilt[start=3]", "stress-huber")
HEAVY = ("heavy-tail", "heavy-tail[noise=pareto-1.2]", "heavy-tail[noise=pareto-1.8,zeta=0]", "ridge-cosine[sigma=2]")
LIGHT = ("ridge-ratio", "ridge-cosine[sigma=2,noise=spikes]", "stress-huber[sigma=1,noise=signs]", "quadratic-tilt")
WEIGHTED = ("ridge-weighted", "ridge-weighted[skew=20,sigma=2]", "quadratic-tilt[start=3]", "ridge-cosine[sigma=2]")
SAME_START = "ridge-weighted[link=quadratic,start=0,sigma=0,zeta=10]"
BOUNDED_CONVEX = (
    "stress-huber",
    "stress-huber[start=9]",
    "ridge-log[link=log-cosh]",
    "stress-huber[sigma=1,noise=signs]",
)
KINKS = (
    "sine-saddle",
    "sine-saddle[pairs=3,start=2]",
    "sine-saddle[reach=3,start_y=3]",
    "sine-saddle[height=0.1,start=1.5]",
)
TURNS = ((1, 1, 10), (2, 1, 100), (1, 1, 500), (2, 1, 1), (4, 1, 1500))
EDGE = "sine-saddle[start=1.2,start_y=1]"
RARE = "stress-parabola[start=0,sigma=1,noise=skewed,odds=64]"
BOUNDED = ("ridge-ratio", "ridge-cosine[sigma=2]", "ridge-sigmoid", "stress-huber[sigma=1,noise=signs]")
SUMS = ("parabolas", "parabolas-shared", "strong-bowl", "parabolas[mu=1,offset=2]")
STEEP = ("parabolas", "parabolas-shared[mu=0.5]", "quadratic[mu=0.5]", "parabolas[mu=1,offset=2]")
LISTS = ("parabolas", "parabolas[offset=2]", "parabolas[split=0]", "parabolas[mu=0.9]")
GROWTH = ("parabolas-shared", "parabolas-shared[m=2]", "parabolas-clients", "ridge-dropout[zeta=0]")
COMPOSITE = ("lasso", "boxed", "lasso[box=1,start=1]", "lasso[mu=0.01,l1=1]")
RELATIVE = ("parabolas-clients", "parabolas-clients[mu=0.5,start=-3]", "stress-parabola", "ridge-ratio[zeta=0,sigma=0]")
LONG = ((1, 200, 1), (1, 100, 4), (2, 150, 2), (4, 120, 3), (3, 128, 2))
PASSES = ((1, 6, 1), (2, 6, 4), (4, 6, 10), (1, 6, 40), (3, 6, 2))
FEW = ((1, 1, 1), (1, 1, 10), (2, 1, 40), (4, 1, 60), (3, 1, 5))
TILTED = ("ridge-ratio", "ridge-cosine[sigma=2]", "quadratic-tilt[start=3]", "strong-bowl")
APART = ("ridge-ratio", "ridge-cosine[sigma=2]", "quadratic-tilt[start=3]", "parabolas-clients")
QUIET = ("ridge-ratio[sigma=0]", "quadratic-tilt[start=3]", "parabolas-clients", "strong-bowl[sigma=0]")
MIXED = ("ridge-ratio", "ridge-cosine[sigma=2]", "quadratic-tilt[start=3]", "parabolas-clients", "stress-parabola")
BOWLS = ("parabolas-clients", "quadratic-tilt[start=3]", "stress-parabola", "quadratic[sigma=0]")
BENT = (*BOWLS, "quadratic[sigma=0,spread=1]", "stiff-clients")
TILTS = (*BENT, "stress-huber", "stress-huber[start=9]")
CURVED = (
    "stress-parabola",
    "stress-parabola[sigma=1,noise=signs]",
    "parabolas-shared",
    "parabolas-shared[mu=0.5]",
    "sine-bowl",
    "parabolas-clients",
    "strong-bowl",
)
CALM = ("stress-parabola", "parabolas-clients", "strong-bowl[sigma=0]", "sine-bowl[sigma=0]", "quadratic[sigma=0]")
SADDLES = ("monotone-saddle", "monotone-saddle[a=0]", "monotone-saddle[a=1,mu=1]", "monotone-saddle[b=5,start=3]")
STEEPER = ("cosh", "cosh[start=1,zeta=0]", "cosh[d=1,start=-6]", "ridge-ratio[sigma=0]")
SLOPES = ("ridge-cosine[sigma=0]", "ridge-ratio[sigma=0]", "stress-huber", "ridge-sigmoid[sigma=0]")
MANY = ((1, 1, 8), (2, 1, 2000), (4, 3, 500), (2, 8, 200), (1, 4, 16))
LATE = ((1, 1, 1), (1, 1, 10), (2, 1, 40), (4, 1, 100), (3, 1, 2000))
NOISY = "stress-parabola[sigma=1,noise=signs]"
HUBER = "stress-huber[sigma=1,noise=signs,d=1]"
NONE, TENTH, HALF = Integer(0), Rational(1, 10), Rational(1, 2)
ALMOST = Rational(9, 10)


@dataclass(frozen=True)
class Trial:
    """Cells of a theorem, and a version with one term lowered that is false on one more cell."""

    name: str
    problems: tuple[str, ...]
    settings: tuple[tuple[int, int, int], ...]
    term: str
    share: Rational
    cell: str
    size: tuple[int, int, int]
    at: dict[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.name}-{self.term}"

    @property
    def spoiled(self):
        """The bound with a smaller term."""
        bound = BOUNDS[self.name]
        terms = {name: self.share * t if name == self.term else t for name, t in bound.terms.items()}
        return replace(bound, id=f"{self.name}-spoiled", terms=terms)


TRIALS = [
    Trial("field.nsgdm", SMOOTH, SEVERAL, "gap", ALMOST, "stress-parabola", (1, 1, 1)),
    Trial("field.nsgdm", (), (), "drift", NONE, "stress-parabola", (1, 1, 512), {"beta": 0.05, "eta": 0.05}),
    Trial("field.nsgdm", (), (), "noise", NONE, "ridge-ratio", (4, 1, 64)),
    Trial("field.nsgdm-heavy", HEAVY, SEVERAL, "gap", ALMOST, "stress-parabola", (1, 1, 1)),
    Trial("field.nsgdm-heavy", (), (), "noise", NONE, "heavy-tail", (4, 1, 256)),
    Trial("field.nsgdm-heavy", (), (), "drift", NONE, "stress-parabola", (1, 1, 512), {"beta": 0.05, "eta": 0.05}),
    Trial("field.sgd-chance", LIGHT, FEW, "gap", TENTH, "stress-parabola", (1, 1, 1)),
    Trial("field.sgd-chance", (), (), "confidence", NONE, RARE, (1, 1, 2), {"delta_fail": 0.01, "eta": 1.0}),
    Trial("field.sgd-chance", (), (), "noise", NONE, "ridge-ratio[start=0]", (1, 1, 2000), {"eta": 0.5}),
    Trial("field.fednova", WEIGHTED, MANY, "gap", TENTH, "stress-parabola", (1, 1, 1)),
    Trial("field.fednova", (), (), "drift", NONE, SAME_START, (2, 4, 400), {"K_few": 1, "eta": 1 / 24}),
    Trial(
        "field.fednova",
        (),
        (),
        "noise",
        TENTH,
        "stress-parabola[start=0,sigma=1,noise=signs]",
        (1, 1, 7),
        {"eta": 1 / 6},
    ),
    Trial("field.fedavg-drawn", WEIGHTED, MANY, "gap", TENTH, "stress-parabola", (1, 1, 4)),
    Trial("field.fedavg-drawn", (), (), "sampling", NONE, SAME_START, (4, 1, 1000), {"eta": 0.01}),
    Trial("field.dgd-varying", BOUNDED_CONVEX, ONE_STEP, "start", NONE, "stress-huber", (2, 1, 4), {"eta": 0.001}),
    Trial("field.gda-concave", KINKS, TURNS, "gap", NONE, EDGE, (1, 1, 2000), {"eta_x": 5e-4}),
    Trial("field.ef21-sgdm", SMOOTH, LATE, "gap", TENTH, "stress-parabola", (1, 1, 4)),
    Trial("field.ef21-sgdm", (), (), "noise", NONE, NOISY, (1, 1, 2000), {"beta": 1, "k_top": 1}),
    Trial("field.dp-fedavg", BOUNDED, MANY, "gap", NONE, "stress-huber", (1, 1, 4), {"z_dp": 0.001}),
    Trial("field.dp-fedavg", (), (), "privacy", NONE, "stress-huber[d=1]", (1, 1, 2000), {"z_dp": 5, "eta": 0.1}),
    Trial("field.choco", BOUNDED_CONVEX, LATE, "start", NONE, "stress-huber", (2, 1, 4), {"eta": 0.0001}),
    Trial("field.clipped-gd", EXACT, SEVERAL, "far", NONE, "stress-parabola", (1, 1, 4), {"clip": 0.01}),
    Trial("field.clipped-gd", (), (), "near", NONE, "stress-parabola", (1, 1, 1), {"clip": 1e3}),
    Trial("field.adagrad-norm", EXACT, SEVERAL, "growth", TENTH, "stress-parabola", (2, 1, 8)),
    Trial("field.fedadam", SLOPES, MANY, "gap", TENTH, "stress-huber[start=1.0]", (1, 1, 1000)),
    Trial("field.fedadam", (), (), "drift", NONE, "fedlalr-a2[p2=1.0,s2=1.0]", (2, 2, 2)),
    Trial("field.fedadagrad", SLOPES, MANY, "gap", TENTH, "stress-huber[start=1.0]", (1, 1, 1000)),
    Trial("field.fedadagrad", (), (), "drift", NONE, "fedlalr-a2[p2=1.0,s2=1.0]", (2, 2, 2)),
    Trial("field.signsgd", SMOOTH, SEVERAL, "gap", ALMOST, "stress-parabola", (1, 1, 1)),
    Trial("field.signsgd", (), (), "noise", TENTH, "ridge-ratio", (1, 4, 64)),
    Trial("field.signsgd-majority", SMOOTH, ONE_STEP, "gap", ALMOST, "stress-parabola", (1, 1, 1)),
    Trial("field.signsgd-majority", (), (), "wrong votes", NONE, "ridge-ratio", (2, 1, 512)),
    Trial("field.sarah", SMOOTH, SEVERAL, "gap", ALMOST, "stress-parabola", (1, 1, 1)),
    Trial("field.storm", SMOOTH, SEVERAL, "gap", HALF, "stress-parabola", (2, 1, 8)),
    Trial("field.local-sgd", BOUNDED, SEVERAL, "gap", NONE, "ridge-cosine[sigma=0]", (4, 1, 64)),
    Trial("field.sgd-expected", SUMS, FEW, "start", HALF, "strong-bowl", (1, 1, 1)),
    Trial("field.sgd-expected", (), (), "noise", TENTH, "parabolas[mu=1]", (1, 1, 10)),
    Trial("field.sgd-interpolated", SUMS, FEW, "start", TENTH, "stress-parabola", (1, 1, 1)),
    Trial("field.sgd-growth", GROWTH, FEW, "gap", ALMOST, "stress-parabola", (1, 1, 1)),
    Trial("field.svrg", STEEP, LONG, "gap", TENTH / 10, "parabolas", (1, 200, 1)),
    Trial("field.reshuffled", LISTS, PASSES, "order", NONE, "parabolas[m=2,mu=1,offset=3,start=0]", (1, 2, 1)),
    Trial("field.ista", COMPOSITE, FEW, "start", TENTH, "lasso", (1, 1, 1)),
    Trial("field.fista", COMPOSITE, FEW, "start", TENTH, "lasso", (1, 1, 1)),
    Trial("field.proximal-gradient", COMPOSITE, FEW, "gap", ALMOST, "lasso[mu=1]", (3, 1, 5)),
    Trial("field.fedprox", RELATIVE, SEVERAL, "gap", ALMOST, "stress-parabola", (4, 4, 40)),
    Trial("field.fedavg-dissimilar", APART, MANY, "gap", TENTH, "stress-parabola", (1, 1, 8)),
    Trial("field.fedavg-dissimilar", (), (), "noise", NONE, NOISY, (1, 1, 400), {"eta_g": 100, "eta": 0.0025}),
    Trial("field.scaffold", TILTED, MANY, "gap", HALF, "stress-parabola", (2, 1, 32)),
    Trial("field.scaffold", (), (), "noise", NONE, NOISY, (1, 1, 400), {"eta_g": 100, "eta": 0.0025}),
    Trial("field.delayed-sgd", TILTED, FEW, "gap", HALF, "stress-parabola", (2, 1, 40)),
    Trial("field.delayed-sgd", (), (), "delayed noise", NONE, NOISY, (1, 1, 2000), {"delay": 16, "eta": 1 / 18}),
    Trial("field.delayed-sgd", (), (), "noise", NONE, NOISY, (1, 1, 400), {"delay": 0, "eta": 0.5}),
    Trial(
        "field.delayed-sgd-all", TILTED, FEW, "descent", HALF, "stress-parabola", (2, 1, 200), {"delay": 1, "eta": 0.05}
    ),
    Trial("field.delayed-sgd-all", (), (), "noise of the mean", NONE, NOISY, (1, 1, 2000), {"delay": 1, "eta": 0.5}),
    Trial("field.delayed-sgd-pl", CURVED, FEW, "descent", HALF, "stress-parabola", (2, 1, 10)),
    Trial("field.delayed-sgd-pl", (), (), "noise of the mean", NONE, NOISY, (1, 1, 2000), {"delay": 1, "eta": 0.125}),
    Trial("field.dsgd-all", MIXED, FEW, "descent", HALF, "stress-parabola", (2, 1, 40)),
    Trial("field.dsgd-all", (), (), "noise of the mean", NONE, NOISY, (1, 1, 2000), {"gap_W": 1, "eta": 0.5}),
    Trial("field.dsgd-pl", CURVED, (*FEW, (4, 1, 7)), "descent", HALF, "stress-parabola", (2, 1, 1), {"eta": 0.01}),
    Trial("field.dsgd-pl", (), (), "noise of the mean", NONE, NOISY, (1, 1, 2000), {"gap_W": 1, "eta": 0.5}),
    Trial(
        "field.fedavg-pl", CURVED, (*SEVERAL, (3, 2, 5)), "descent", HALF, "stress-parabola", (2, 1, 1), {"eta": 0.01}
    ),
    Trial("field.fedavg-pl", (), (), "noise of the mean", NONE, NOISY, (1, 1, 2000), {"eta": 0.5}),
    Trial("field.scaffold-pl", CURVED, SEVERAL, "descent", HALF, "stress-parabola", (2, 1, 1), {"eta": 0.01}),
    Trial("field.scaffold-pl", (), (), "noise of the mean", NONE, NOISY, (1, 1, 2000), {"eta": 0.5}),
    Trial("field.ef21-all", QUIET, FEW, "descent", HALF, "stress-parabola", (2, 1, 40)),
    Trial("field.marina-all", QUIET, FEW, "descent", HALF, "stress-parabola", (2, 1, 40)),
    Trial(
        "field.fedavg-sampled-all",
        MIXED,
        (*FEW, (4, 3, 7)),
        "descent",
        HALF,
        "stress-parabola",
        (2, 1, 40),
        {"eta": 0.05},
    ),
    Trial("field.ef21-pl", CALM, FEW, "descent", HALF, "stress-parabola", (2, 1, 1), {"gamma": 0.01}),
    Trial("field.ef-sgd", BOUNDED, LATE, "gap", NONE, "stress-huber", (1, 1, 4), {"k_top": 1, "eta": 0.001}),
    Trial("field.ef-sgd", (), (), "steps", NONE, HUBER, (1, 1, 2000), {"k_top": 1, "eta": 0.5}),
    Trial("field.gradient-tracking", QUIET, FEW, "gap", HALF, "stress-parabola", (2, 1, 40)),
    Trial("field.extragradient", SADDLES, FEW, "start", ALMOST, "monotone-saddle", (2, 1, 40)),
    Trial(
        "field.dp-sgd", BOUNDED, LATE, "noise", NONE, HUBER, (1, 1, 2000), {"z_dp": 0.001, "eta": 0.5, "clip_x": 1.5}
    ),
    Trial("field.dp-sgd", (), (), "privacy", NONE, "stress-huber[d=1]", (1, 1, 2000), {"z_dp": 5, "eta": 0.1}),
    Trial("field.clipped-l0l1", STEEPER, SEVERAL, "far", NONE, "cosh[d=1]", (1, 1, 200), {"clip": 0.01, "eta": 0.49}),
    Trial("field.qsgd", BOUNDED, ONE_STEP, "gap", TENTH, "stress-huber", (2, 1, 8)),
    Trial("field.armijo", EXACT, FEW, "gap", Rational(2, 5), "stress-parabola", (1, 1, 1), {"eta": 1.0}),
    Trial("field.admm", BENT, FEW, "start", ALMOST, "stress-parabola", (1, 1, 10)),
    Trial("field.admm", (), (), "heterogeneity", NONE, "stiff-clients[zeta=1,start=0]", (2, 1, 1)),
    Trial("field.feddyn", TILTS, LATE, "start", TENTH, "stress-parabola", (1, 1, 4)),
    Trial("field.sgd-weighted", WEIGHTED, ONE_STEP, "gap", ALMOST, "stress-parabola", (1, 1, 8)),
    Trial("field.sgd-weighted", (), (), "noise", NONE, NOISY, (1, 1, 2000), {"eta": 0.5}),
    Trial("field.diana", BOWLS, FEW, "start", HALF, "stress-parabola", (1, 1, 1)),
    Trial("field.diana", (), (), "heterogeneity", NONE, "quadratic-tilt[start=0]", (2, 1, 1)),
    Trial("field.exact-diffusion", BOWLS, FEW, "start", ALMOST, "stress-parabola", (2, 1, 1), {"eta": 0.01}),
    Trial("field.exact-diffusion", (), (), "heterogeneity", NONE, "quadratic-tilt[start=0]", (2, 1, 1)),
    Trial("field.fedbuff", BOUNDED, SEVERAL, "gap", NONE, "stress-huber", (2, 1, 4), {"eta": 0.001}),
    Trial("field.fedbuff", (), (), "steps", NONE, HUBER, (1, 1, 2000), {"eta": 0.5}),
    Trial("field.l-svrg", STEEP, FEW, "start", TENTH, "stress-parabola", (1, 1, 1)),
]


def verdicts_of(trial, cells):
    """Return what `check` says on each cell, none of which may be violated."""
    found = []
    for problem, (N, K, T) in cells:
        found.append(check(trial.name, load_problem(problem, N=N), K=K, T=T).verdict)
        assert found[-1] != "violated", (problem, N, K, T)
    return found


SPOKEN = [trial for trial in TRIALS if trial.problems]


@pytest.mark.slow
@pytest.mark.parametrize("trial", SPOKEN, ids=lambda t: t.name)
def test_a_true_theorem_is_not_violated_on_twenty_cells(trial):
    """And it speaks of at least twenty, of some of which it says something."""
    found = verdicts_of(trial, product(trial.problems, trial.settings))
    assert sum(verdict != "not applicable" for verdict in found) >= 20
    assert {"holds", "consistent"} & set(found)


@pytest.mark.parametrize("trial", SPOKEN, ids=lambda t: t.name)
def test_a_true_theorem_is_not_violated(trial):
    """Every problem is there, and every setting; the theorem speaks of most."""
    times = range(max(len(trial.problems), len(trial.settings)))
    some = [(trial.problems[k % len(trial.problems)], trial.settings[k % len(trial.settings)]) for k in times]
    assert 2 * verdicts_of(trial, some).count("not applicable") < len(some)


@pytest.mark.parametrize("trial", TRIALS, ids=str)
def test_a_lowered_term_is_found(trial):
    """By one check; the theorem itself is not violated there."""
    N, K, T = trial.size
    problem = load_problem(trial.cell, N=N)
    given = {"K": K, "T": T, "overrides": trial.at}
    assert check(trial.spoiled, problem, **given).verdict == "violated"
    try:
        verdict = check(trial.name, problem, **given).verdict
    except NotApplicableError:
        verdict = "not applicable"
    assert verdict in {"holds", "consistent", "vacuous", "undecided"}


FALSE = {
    # Lessard, Recht, Packard 2016, section 4.6: a cycle of three points.
    "field.heavy-ball": ("piecewise", (1, 1, 100)),
    # Every vote is a coin toss where |grad| is below the noise.
    "field.signsgd-speedup": ("ridge-ratio[zeta=0]", (256, 1, 400)),
    # All clients go through their lists in one order: their errors do not average out.
    "field.incremental": ("parabolas-shared[offset=1]", (64, 4, 8)),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_reading_is_violated_where_it_is_known_to_be(name):
    """And its rate holds where it is true: on parabolas, for calm votes, in random orders."""
    problem, (N, K, T) = FALSE[name]
    assert check(name, load_problem(problem, N=N), K=K, T=T).verdict == "violated"
    if name == "field.heavy-ball":
        assert check(name, load_problem("quadratic[sigma=0]", N=N), K=K, T=T).verdict == "holds"
    if name == "field.incremental":
        random = check("field.reshuffled", load_problem(problem, N=N), K=K, T=T).verdict
        assert random in {"holds", "consistent", "vacuous", "undecided"}


def test_every_theorem_since_the_first_eighteen_is_on_trial():
    """The first ones are tried in their own tests."""
    tried = {trial.name for trial in TRIALS} | set(FALSE)
    assert tried <= set(BOUNDS.further)
    by_machine = {"field.fedavg-all", "field.scaffold-all", "field.fedavg-m-all"}
    assert len(set(BOUNDS.further) - tried - by_machine) == 18


ARRIVALS = ((2, 1, 1, 8), (4, 1, 2, 32), (4, 2, 3, 8), (8, 1, 1, 64), (6, 3, 4, 16))


def test_buffers_that_fill_from_old_models():
    """FedBuff's theorem at S < N on twenty cells; without the term of the age a slow buffer swings beyond it."""
    bound = BOUNDS["field.fedbuff"]
    for problem, (N, S, K, T) in product(BOUNDED, ARRIVALS):
        verdict = check(bound, load_problem(problem, N=N), S=S, K=K, T=T).verdict
        assert verdict in {"holds", "consistent", "vacuous", "undecided"}, (problem, N, S, K, T)
    young = replace(bound, id="young", terms={name: term for name, term in bound.terms.items() if name != "age"})
    slow = {"S": 1, "K": 1, "T": 2000, "overrides": {"eta": 0.25}}
    huber = load_problem("stress-huber[d=1]", N=64)
    assert check(young, huber, **slow).verdict == "violated"
    assert check(bound, huber, **slow).verdict != "violated"
    assert check(young, huber, **{**slow, "S": 64}).verdict != "violated"


DRAWS = ((4, 2, 10), (4, 1, 20), (2, 1, 40), (5, 4, 8))


def test_some_clients_solve_their_problem():
    """FedDyn's theorem at S < N on twenty cells; without what idle clients bring it is false from the minimiser on."""
    bound = BOUNDS["field.feddyn"]
    for problem, (N, S, T) in product(TILTS[:5], DRAWS):
        verdict = check(bound, load_problem(problem, N=N), S=S, K=1, T=T).verdict
        assert verdict in {"holds", "consistent", "vacuous", "undecided"}, (problem, N, S, T)
    start = load_problem("quadratic-tilt[start=0]", N=2)
    alike = replace(bound, id="alike", terms={"start": bound.terms["start"]})
    assert check(alike, start, S=1, K=1, T=2).verdict == "violated"
    assert check(bound, start, S=1, K=1, T=2).verdict != "violated"


def test_some_clients_have_weights():
    """SGD with weights at S < N on twenty cells; without the draw's term it is false from the minimum on."""
    bound = BOUNDS["field.sgd-weighted"]
    for problem, (N, S, T) in product((*WEIGHTED, "ridge-weighted[start=20]"), DRAWS):
        verdict = check(bound, load_problem(problem, N=N), S=S, K=1, T=10 * T).verdict
        assert verdict in {"holds", "consistent", "vacuous", "undecided"}, (problem, N, S, T)
    bowl = load_problem("ridge-weighted[link=quadratic,start=0,sigma=0,zeta=1]", N=2)
    given = {"S": 1, "K": 1, "T": 400, "overrides": {"eta": 0.05}}
    undrawn = replace(bound, id="undrawn", terms={n: t for n, t in bound.terms.items() if n != "sampling"})
    assert check(undrawn, bowl, **given).verdict == "violated"
    assert check(bound, bowl, **given).verdict != "violated"
