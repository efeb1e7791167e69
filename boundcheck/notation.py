"""One letter, one meaning; and what each of the five papers writes for it.

Every symbol that a bound or a claim uses comes from here, so that the same letter never means two things.  A unit is
a pair of powers (p, q): under ``f -> s f`` and ``x -> r x`` the quantity scales by ``s**p * r**q``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Literal

from boundcheck.errors import UnknownNameError, require

if TYPE_CHECKING:
    import sympy as sp


@dataclass(frozen=True)
class Paper:
    """A paper under audit."""

    id: str
    """Short name used as a prefix of bound and claim names."""
    name: str
    """How people call it: by its method, where it has one."""
    title: str
    """Full title."""
    authors: str
    """Authors as printed, abbreviated."""
    reference: str
    """Where to find it."""
    example: str
    """Problem on which its bounds are asked from which horizon on they say anything."""
    read: str = ""
    """How its text was read, where a sign of it may be misread."""


# fmt: off
_PAPERS = (
    Paper("fedlalr", "FedLALR",
        "FedLALR: Client-Specific Adaptive Learning Rates Achieve Linear Speedup for Non-IID Data",
        "Sun, Shen, Chen, Sun, Li, Sun, Tao", "arXiv:2309.09719", "ridge-log"),
    Paper("gradma", "GradMA",
        "GradMA: A Gradient-Memory-based Accelerated Federated Learning with Alleviated Catastrophic Forgetting",
        "Luo, Li, Lan, Gao", "arXiv:2302.14307", "ridge-ratio", "its appendix read from a scan"),
    Paper("fedglomo", "FedGLOMO", "Faster Non-Convex Federated Learning via Global and Local Momentum",
        "Das, Acharya, Hashemi, Sanghavi, Dhillon, Topcu", "arXiv:2012.04061", "ridge-two-phase"),
    Paper("momentum-fl", "Momentum-FL", "Momentum Benefits Non-IID Federated Learning Simply and Provably",
        "Cheng, Huang, Wu, Yuan", "arXiv:2306.16504", "ridge-ratio"),
    Paper("fmgda", "FMGDA", "On the Convergence of Federated Deep AUC Maximization", "anonymous submission",
        "manuscript under review", "ncsc-p1"),
)
# fmt: on
PAPERS: dict[str, Paper] = {paper.id: paper for paper in _PAPERS}


Unit = tuple[int, int]
NUMBER, VALUE, LENGTH, LENGTH2 = (0, 0), (1, 0), (0, 1), (0, 2)
SLOPE, CURVATURE, STEP = (1, -1), (1, -2), (-1, 2)


@dataclass(frozen=True)
class Kind:
    """What values a quantity takes; from it follow its legal range, how it is tuned, and what a search may try."""

    name: str
    """What it is, in a word."""
    legal: str
    """The legal values, in words."""
    low: float = 0.0
    high: float = math.inf
    """The legal values are from `low` to `high`."""
    whole: bool = False
    """Whether only whole numbers are legal."""
    spread: Literal["ratio", "odds"] = "ratio"
    """How a grid of it is widened: at the ratio of its values, or at that of v/(1 - v), which stays below 1."""
    ends: tuple[float, ...] = (0.0, 1.0)
    """Values at which it ends by itself, so that an optimum there is no edge of a grid."""
    chosen: bool = True
    """Whether somebody may choose it to make a right-hand side small, as a step; a number of rounds is none."""
    unit: Unit | None = None
    """Its unit, whatever letter it has; None where that of the letter holds."""
    neutral: tuple[float, ...] = ()
    """Values at which a method is as if it had no such hyperparameter: a theorem need not name them."""

    def fits(self, value: float) -> bool:
        """Return whether a number is a legal value."""
        return self.low <= value <= self.high and (not self.whole or float(value).is_integer())

    def nearest(self, value: float) -> float:
        """Return the legal value next to a number."""
        inside = min(max(value, self.low), self.high)
        return float(round(inside)) if self.whole else inside


STEP_SIZE = Kind("step", "a number >= 0", ends=())
FACTOR = Kind("factor of a step", "a number >= 0", ends=(), unit=NUMBER, neutral=(1.0,))
WEIGHT = Kind("weight", "a number from 0 to 1", high=1.0, spread="odds", unit=NUMBER, neutral=(0.0, 1.0))
PROBABILITY = Kind("probability", "a number from 0 to 1", high=1.0, spread="odds", unit=NUMBER, neutral=(0.0, 1.0))
COUNT = Kind("count", "an integer >= 1", low=1.0, whole=True, chosen=False, unit=NUMBER, neutral=(0.0, 1.0))
WHOLE = Kind("whole number", "an integer >= 0", whole=True, chosen=False, unit=NUMBER, neutral=(0.0,))
DURATION = Kind("duration", "a number >= 0", chosen=False, unit=NUMBER)
PENALTY = Kind("penalty", "a number >= 0", neutral=(0.0,))
FLOOR = Kind("floor", "a number >= 0", neutral=(0.0,))
REAL = Kind("number", "a number >= 0", neutral=(0.0, 1.0))
MOMENT = Kind("order of a moment", "a number from 1 to 2", low=1.0, high=2.0, chosen=False, unit=NUMBER)
CHOICE = Kind("choice", "a word, true or false", chosen=False)


@dataclass(frozen=True)
class Letter:
    """A symbol of boundcheck."""

    name: str
    """Name in Python, in recipes and in tables."""
    text: str
    """How it is written in plain text."""
    typst: str
    """How it is typeset (Typst mathematics)."""
    meaning: str
    """What it is, with the definition that fixes its scale."""
    unit: Unit = NUMBER
    """Powers of the scale of f and of the scale of x."""
    papers: dict[str, str] = field(default_factory=dict)
    """Paper name to the letter printed there, where the paper uses the quantity."""
    declared: Kind | None = None
    """What values it takes; None for a letter of the user's own of which that is not said."""

    @property
    def kind(self) -> Kind:
        """What values it takes: as declared, else a step or a number by its unit."""
        return self.declared or _by_unit(self.unit)

    @property
    def symbol(self) -> sp.Symbol:
        """The positive sympy symbol of this letter."""
        return symbol(self.name)


def _letter(
    name: str, text: str, typst: str, unit: Unit, meaning: str, kind: Kind | None = None, /, **papers: str
) -> Letter:
    """Return a row of the table; `papers` says what each paper prints, ``-`` where it has no letter for it."""
    printed = {paper.replace("_", "-"): p for paper, p in papers.items()}
    return Letter(name, text, typst, meaning, unit, printed, kind or _by_unit(unit))


def _by_unit(unit: Unit) -> Kind:
    return STEP_SIZE if unit == STEP else REAL


def _all(letter: str, **other: str) -> dict[str, str]:
    return {paper.replace("-", "_"): letter for paper in PAPERS} | other


# fmt: off
_LETTERS = (
    _letter("N", "N", "N", NUMBER, "number of clients", COUNT, **_all("N", fedglomo="n")),
    _letter("S", "S", "S", NUMBER, "active clients a round", COUNT, gradma="S", fedglomo="r", momentum_fl="S"),
    _letter("K", "K", "K", NUMBER, "local steps a round", COUNT, **_all("K", gradma="I", fedglomo="E", fmgda="q")),
    _letter("T", "T", "T", NUMBER, "communication rounds; K T local steps in all", COUNT,
        **_all("T", fedglomo="K", momentum_fl="R", fmgda="T/q")),
    _letter("d", "d", "d", NUMBER, "dimension", COUNT, **_all("d", fmgda="d1 + d2")),
    _letter("b", "b", "b", NUMBER, "minibatch: samples averaged in one gradient", COUNT, fedglomo="b", fmgda="b"),
    _letter("B", "B", "B", NUMBER, "initial minibatch: samples a client spends before the first round", COUNT,
        momentum_fl="B", fmgda="B"),
    _letter("L", "L", "L", CURVATURE, "smoothness: Lipschitz constant of every grad f_i", **_all("L", fmgda="-")),
    _letter("L_sample", "L_sample", 'L_"sample"', CURVATURE,
        "Lipschitz constant of every sample gradient (almost surely)", momentum_fl="L (Assumption 2)", fedglomo="L"),
    _letter("L_rms", "L_rms", 'L_"rms"', CURVATURE,
        "mean-square smoothness: E|grad F(x; xi) - grad F(y; xi)|^2 <= L_rms^2 |x - y|^2, F(.; xi) a sample of f_i"),
    _letter("L_block", "L_block", 'L_"block"', CURVATURE,
        "minimax: largest of the four block Lipschitz constants of sample gradients", fmgda="L_f"),
    _letter("L_Phi", "L_Φ", "L_Phi", CURVATURE, "smoothness of Phi(x) = max_y F(x, y)"),
    _letter("sigma", "σ", "sigma", SLOPE, "noise: E|g - grad f_i|^2 <= sigma^2 for one sample, whole vector",
        fedlalr="sigma", fedglomo="sigma", momentum_fl="sigma", fmgda="sigma"),
    _letter("zeta", "ζ", "zeta", SLOPE, "heterogeneity: mean_i |grad f_i(x) - grad f(x)|^2 <= zeta^2 for every x",
        fedlalr="sigma_G", gradma="rho", fedglomo="G", momentum_fl="zeta"),
    _letter("zeta_pair", "ζ_pair", 'zeta_"pair"', SLOPE,
        "heterogeneity over pairs: |grad f_i(x) - grad f_j(x)|^2 <= zeta_pair^2 for every x, i, j", fmgda="zeta"),
    _letter("G_inf", "G∞", "G_infinity", SLOPE, "largest absolute coordinate of any stochastic gradient or grad f_i",
        fedlalr="G_inf"),
    _letter("G_norm", "G", "G", SLOPE, "largest norm of any grad f_i", momentum_fl="G"),
    _letter("G_0", "G₀", "G_0", (2, -2), "mean_i |grad f_i(x_0)|^2 at the start (a squared quantity)",
        momentum_fl="G_0"),
    _letter("L_env", "L_env", 'L_"env"', CURVATURE,
        "L_block (1 + kappa): the bound on the smoothness of Phi that the minimax theorem uses", fmgda="L"),
    _letter("mu", "μ", "mu", CURVATURE,
        "strong convexity of every f_i; minimax: strong concavity of every f_i in y", fmgda="mu"),
    _letter("mu_PL", "μ_PL", 'mu_"PL"', CURVATURE,
        "Polyak-Lojasiewicz constant: |grad f(x)|^2 >= 2 mu_PL (f(x) - f_star) for every x"),
    _letter("G_rms", "G_rms", 'G_"rms"', SLOPE,
        "second moment: E|g|^2 <= G_rms^2 for one sample g of any client, at every x"),
    _letter("zeta_star", "ζ*", "zeta^*", SLOPE,
        "heterogeneity at the minimiser: mean_i |grad f_i(x_star)|^2 = zeta_star^2"),
    _letter("Gamma_star", "Γ", "Gamma", VALUE, "depth that clients gain alone: f_star - mean_i inf f_i"),
    _letter("k_top", "k", "k", NUMBER, "entries of a vector that top-k keeps", COUNT),
    _letter("delta_x", "δ_x", "delta_x", LENGTH2, "initial squared distance |x_0 - x_star|^2"),
    _letter("D_inf", "D∞", "D_infinity", LENGTH, "width of the interval to which every coordinate is projected"),
    _letter("decay1", "λ", "lambda", NUMBER,
        "decay of the weight of the old first moment: beta1 decay1^(t-1) in round t", WEIGHT),
    _letter("eta_end", "η_end", 'eta_"end"', STEP, "step to which both bounds of an adaptive step tend"),
    _letter("rise", "rise", '"rise"', NUMBER,
        "speed of the lower bound of an adaptive step: eta_end (1 - 1/(rise t + 1)) in round t"),
    _letter("fall", "fall", '"fall"', NUMBER,
        "speed of the upper bound of an adaptive step: eta_end (1 + 1/(fall t)) in round t"),
    _letter("kappa", "κ", "kappa", NUMBER, "condition number L_block / mu", fmgda="kappa"),
    _letter("Delta", "Δ", "Delta", VALUE, "initial gap f(x_0) - f_star", momentum_fl="Delta"),
    _letter("f_star", "f*", "f^*", VALUE, "infimum of f", **_all("f*", fmgda="-")),
    _letter("Delta_mean", "Δ_mean", 'Delta_"mean"', VALUE,
        "mean_i (f_i(x_0) - inf f_i) >= Delta; a paper with f_i >= 0 may write f(x_0), which is no smaller",
        fedglomo="f(w_0)"),
    _letter("Delta_Phi", "Δ_Φ", "Delta_Phi", VALUE, "initial gap Phi(x_0) - Phi_star", fmgda="Phi(theta_0) - Phi*"),
    _letter("Phi", "Φ", "Phi", VALUE,
        "minimax: the primal function max_y F(x, y); in code `Problem.envelope`, its gradient `envelope_gradient`",
        fmgda="Phi"),
    _letter("Phi_T", "Φ_T", "Phi_T", (2, -2),
        "FedLALR: all of Theorem 1's right-hand side but the gap; in code `boundcheck.bounds.fedlalr.phi`",
        fedlalr="Phi (Theorem 1)"),
    _letter("Phi_star", "Φ*", "Phi^*", VALUE, "infimum of Phi", fmgda="Phi*"),
    _letter("delta_y", "δ_y", "delta_y", LENGTH2, "initial dual error |y_0 - y_star(x_0)|^2",
        fmgda="|w_0 - w*(theta_0)|^2"),
    _letter("Delta_y", "Δ_y", "Delta_y", VALUE, "minimax: Phi(x_0) - f(x_0, y_0), what y_0 falls short of"),
    _letter("R_y", "R_y", "R_y", LENGTH,
        "minimax: f is concave in y, which is kept to |y_c| <= R_y in every coordinate"),
    _letter("D_y", "D_y", "D_y", LENGTH, "minimax: diameter of the set to which y is kept"),
    _letter("G_x", "G_x", "G_x", SLOPE, "minimax: largest |grad_x f(x, y)| with y in its set"),
    _letter("B_block", "B_block", 'B_"block"', NUMBER, "rounds of a block over which an analysis compares with one y"),
    _letter("eta_x", "η_x", "eta_x", STEP, "minimax: descent step"),
    _letter("eta_y", "η_y", "eta_y", STEP, "minimax: ascent step"),
    _letter("eta", "η", "eta", STEP, "local step", **_all("eta", fedlalr="alpha", gradma="eta_l", fmgda="eta_t")),
    _letter("gamma", "γ", "gamma", STEP,
        "server step on the normalised direction; gamma = eta K is plain model averaging", gradma="eta_g eta_l I",
        momentum_fl="gamma"),
    _letter("beta", "β", "beta", NUMBER, "momentum: weight of the fresh gradient (1 = none)", WEIGHT, fedglomo="beta_k",
        momentum_fl="beta", fmgda="alpha_t, beta_t"),
    _letter("c", "c", "c", NUMBER, "free cap of beta in (0, 1]", WEIGHT, momentum_fl="c"),
    _letter("a", "a", "a", NUMBER, "constant hidden in a printed condition of order only"),
    _letter("beta1", "β₁", "beta_1", NUMBER, "weight of the old first moment", WEIGHT, fedlalr="beta_1",
        gradma="beta_1"),
    _letter("beta2", "β₂", "beta_2", NUMBER, "weight of the old second moment", WEIGHT, fedlalr="beta_2"),
    _letter("beta_mem", "β_mem", 'beta_"mem"', NUMBER, "decay of the server's memory rows", WEIGHT, gradma="beta_2"),
    _letter("q_omega", "ω", "omega", NUMBER, "quantiser: E|Q(z) - z|^2 <= omega |z|^2", fedglomo="q"),
    _letter("gap_W", "gap_W", 'upright("gap")_W', NUMBER,
        "spectral gap of a mixing matrix W: 1 minus the second largest |eigenvalue|", WEIGHT),
    _letter("gap_joint", "gap_joint", 'upright("gap")_"joint"', NUMBER,
        "joint gap of matrices that change: 1 minus the largest norm of q_joint in a row, less the mean", WEIGHT),
    _letter("q_joint", "q_joint", 'q_"joint"', NUMBER, "rounds over which mixing matrices have a joint gap", COUNT),
    _letter("alpha_div", "α", "alpha", NUMBER, "correlation of the drift errors across clients, in [0, N]",
        fedglomo="alpha"),
    _letter("growth", "z", "z", NUMBER,
        "growth of the weights of a random output: x_t is returned with weight (1 + z)^(T-1-t)",
        fedglomo="zeta (Theorems 2 and 3)"),
    _letter("eta_g", "η_g", "eta_g", NUMBER, "server step on the mean displacement: gamma / (eta K)", FACTOR,
        gradma="eta_g"),
    _letter("mu_prox", "μ_prox", 'mu_"prox"', CURVATURE, "coefficient of the proximal term |y_i - x|^2/2", PENALTY,
        gradma="mu"),
    _letter("p_full", "p", "p", NUMBER, "probability of a round with all clients", PROBABILITY, fedglomo="p"),
    _letter("eps_l", "ε_l", "epsilon_l", SLOPE, "largest |step - grad f_i| of a corrected local step, all N clients",
        gradma="eps_l"),
    _letter("eps_g", "ε_g", "epsilon_g", LENGTH,
        "correction of the server's momentum: E|corrected - raw|^2 <= eps_g^2 / (1 - beta_mem), a length",
        gradma="eps_g"),
    _letter("eps", "ε", "epsilon", SLOPE, "floor of the adaptive denominator: the second moment starts at eps^2", FLOOR,
        fedlalr="epsilon"),
    _letter("eps_acc", "ε_acc", 'epsilon_"acc"', SLOPE, "target accuracy: |grad|^2 <= eps_acc^2",
        fedlalr="epsilon (squared norm)", fedglomo="epsilon", fmgda="epsilon"),
    _letter("chat", "ĉ", "hat(c)", NUMBER, "primal step is chat eta_t", FACTOR, fmgda="c-hat"),
    _letter("c_dual", "c_y", "c_y", NUMBER, "dual step is c_dual eta_t", FACTOR, fmgda="c"),
    _letter("c1", "c₁", "c_1", (2, -4), "recursion weight is c1 eta_t^2 in both blocks", fmgda="c_1 = c_2"),
    _letter("h", "h", "h", STEP, "step scale: eta_t = h / max(t + 3/2, t_flat)^(1/3)", fmgda="h-bar"),
    _letter("t_flat", "t_flat", 't_"flat"', NUMBER, "local steps for which eta_t stays constant", DURATION,
        fmgda="800 (or 1728) L^3 q^3 h^3"),
    _letter("K_growth", "K_α", "K_alpha", NUMBER,
        "base of the adaptive interval: round t = 1, 2, ... has K + floor(log(t)/log(K_growth)) local steps", DURATION,
        fedlalr="K_alpha"),
    _letter("sum_K", "ΣK", "Sigma_K", NUMBER,
        "local steps of all rounds with an adaptive interval (K T with a fixed one)", COUNT, fedlalr="sum K_t"),
    _letter("K_max", "K_max", 'K_"max"', NUMBER, "local steps of the longest round", COUNT, fedlalr="K_(T-1)"),
    _letter("drift_steps", "k₂", "k_2", NUMBER, "mean of (k-1)^2 over all local steps, k = 1, 2, ... in its round"),
    _letter("W", "W", "W", NUMBER, "effective steps a round with restarted momentum: sum_k (1 - beta1^k)"),
    _letter("w_drift", "w₂", "w_2", NUMBER, "sum_k w_k (k-1)^2, w_k = 1 - beta1^(K-k+1) the weight of gradient k"),
    _letter("w_square", "W₂", "W_2", NUMBER, "sum_k w_k^2"),
    _letter("rho", "ρ", "rho", NUMBER, "weight of the drift at communication steps"),
    _letter("sum_eta", "Ση", "Sigma_eta", STEP, "sum of eta_t over the local steps", fmgda="sum eta_t"),
    _letter("sigma_star", "σ*", "sigma^*", SLOPE,
        "noise at the minimiser: mean_i E|g_i(x_star) - grad f_i(x_star)|^2 = sigma_star^2 for one sample"),
    _letter("L_exp", "L_exp", 'L_"exp"', CURVATURE,
        "expected smoothness: mean_i E|g_i(x) - g_i(x_star)|^2 <= 2 L_exp (f(x) - f_star) for one sample"),
    _letter("rho_sg", "ρ_sg", 'rho_"sg"', NUMBER,
        "strong growth: mean_i E|g_i(x)|^2 <= rho_sg |grad f(x)|^2 for one sample"),
    _letter("G_dis", "G_dis", 'G_"dis"', SLOPE,
        "dissimilarity, with B_dis: mean_i |grad f_i(x)|^2 <= G_dis^2 + B_dis^2 |grad f(x)|^2 for every x"),
    _letter("B_dis", "B_dis", 'B_"dis"', NUMBER, "dissimilarity that grows with the gradient, see G_dis"),
    _letter("B_rel", "B_rel", 'B_"rel"', NUMBER,
        "relative dissimilarity: mean_i |grad f_i(x)|^2 <= B_rel^2 |grad f(x)|^2 for every x, B_dis where G_dis = 0"),
    _letter("L_0", "L₀", "L_0", CURVATURE,
        "smoothness that grows with the gradient, with L_1: |Hess f(x)| <= L_0 + L_1 |grad f(x)| for every x"),
    _letter("L_1", "L₁", "L_1", (0, -1), "growth of the curvature with the gradient, see L_0"),
    _letter("mu_sample", "μ_sample", 'mu_"sample"', CURVATURE, "strong convexity of every sample function"),
    _letter("n_samples", "n", "n", NUMBER, "samples of a client: f_i is the mean of so many functions", COUNT),
    _letter("contraction", "r", "r", NUMBER, "what a round leaves of an error, below 1 where a theorem says something",
        WEIGHT),
    _letter("delay", "τ", "tau", NUMBER, "delay: rounds between the point of a gradient and the step along it", WHOLE),
    _letter("clip_x", "clip_x", 'upright("clip")_x', LENGTH, "largest norm of an update that is not shortened", REAL),
    _letter("z_dp", "z_dp", 'z_"dp"', NUMBER, "privacy: standard deviation of the noise in a sum over the threshold"),
    _letter("mu_op", "μ_op", 'mu_"op"', CURVATURE,
        "minimax: <F(z) - F(w), z - w> >= mu_op |z - w|^2 with mu_op >= 0, F(z) = (grad_x f, -grad_y f)"),
    _letter("delta_z", "δ_z", "delta_z", LENGTH2, "minimax: |z_0 - z_star|^2, F(z_star) = 0"),
    _letter("F_star", "F*", "F^*", VALUE, "composite: infimum of F = f + h"),
    _letter("Delta_F", "Δ_F", "Delta_F", VALUE, "composite: initial gap F(x_0) - F_star"),
    _letter("delta_F", "δ_F", "delta_F", LENGTH2, "composite: |x_0 - x_F|^2 with x_F the minimiser of F"),
    _letter("p_square", "Σp²", "Sigma_(p^2)", NUMBER,
        "sum_i p_i^2 of the clients' weights in f = sum_i p_i f_i, 1/N where these are equal"),
    _letter("K_few", "K_few", 'K_"few"', NUMBER,
        "local steps of the client that makes fewest; K of the one that makes most", COUNT),
    _letter("S_draw", "S_draw", 'S_"draw"', NUMBER,
        "clients drawn in a round with replacement, by their weights", COUNT),
    _letter("p_tail", "p_tail", 'p_"tail"', NUMBER,
        "order of a moment of the noise that exists, above 1 and at most 2, see sigma_p", MOMENT),
    _letter("sigma_p", "σ_p", "sigma_p", SLOPE,
        "heavy tails, with p_tail: E|g - grad f_i|^p_tail <= sigma_p^p_tail for one sample"),
    _letter("sigma_exp", "σ_exp", 'sigma_"exp"', SLOPE,
        "light tails: E exp(|g - grad f_i|^2/sigma_exp^2) <= e for one sample"),
    _letter("delta_fail", "δ", "delta", NUMBER, "probability with which an inequality may fail in a run", PROBABILITY),
    _letter("clip", "clip", 'upright("clip")', SLOPE,
        "largest norm of a gradient or an update that is not shortened", REAL),
    _letter("sum_eta3", "Ση³", "Sigma_(eta^3)", (-3, 6), "sum of eta_t^3 over the local steps", fmgda="sum eta_t^3"),
)
# fmt: on
LETTERS: dict[str, Letter] = {letter.name: letter for letter in _LETTERS}


def declare(name: str, meaning: str, unit: Unit, kind: Kind | None = None) -> sp.Symbol:
    """Add a letter of the user's own for this process, and return its positive symbol.

    Parameters
    ----------
    name, meaning : str
        A Python name, and what it is.
    unit : (int, int)
        Powers of the scales of f and of x.
    kind : Kind, optional
        What values it takes, such as `COUNT`, `WHOLE`, `WEIGHT` or `PROBABILITY`: a search tries no others.

    Raises
    ------
    InputError
        If the name is that of another letter, or no Python name.
    """
    letter = Letter(name, name, f'"{name}"', meaning, unit, declared=kind)
    require(name.isidentifier(), "letter", name, "a Python name")
    free = name not in LETTERS or LETTERS[name] == letter
    require(free, "letter", name, "a name that no letter has")
    LETTERS[name] = letter
    return symbol(name)


def letter_named(name: str) -> Letter:
    """Return the letter of a name; for a hyperparameter that is no letter, one that is a plain number."""
    return LETTERS.get(name) or Letter(name, name, f'"{name}"', "hyperparameter of a method")


@cache
def symbol(name: str) -> sp.Symbol:
    """Return the positive sympy symbol of a registered letter.

    Raises
    ------
    UnknownNameError
        If the letter is not in `LETTERS`.
    """
    if name not in LETTERS:
        raise UnknownNameError("letter", name, LETTERS)
    import sympy

    return sympy.Symbol(name, positive=True)


def symbols(names: str) -> tuple[sp.Symbol, ...]:
    """Return the symbols of the letters named in a space-separated string."""
    return tuple(symbol(name) for name in names.split())


def markdown_page() -> str:
    """Return the notation page of the documentation: every letter with its unit and what each paper prints."""
    lines = [
        "# Notation",
        "",
        "One letter, one meaning. This page is made from `boundcheck/notation.py`; a test keeps the two in step.",
        "",
        "The unit says how a quantity scales under `f -> s f` and `x -> r x`.",
        "",
        "| letter | in Python | meaning | unit | " + " | ".join(PAPERS) + " |",
        "|---|---|---|---|" + "---|" * len(PAPERS),
    ]
    for letter in LETTERS.values():
        printed = " | ".join(_cell(letter.papers.get(paper, "")) for paper in PAPERS)
        lines.append(
            f"| {letter.text} | `{letter.name}` | {_cell(letter.meaning)} | {_unit(letter.unit)} | {printed} |"
        )
    lines += ["", "## The papers", "", "| name | title | authors | where |", "|---|---|---|---|"]
    lines += [f"| `{p.id}` | {p.title} | {p.authors} | {p.reference} |" for p in PAPERS.values()]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _unit(unit: Unit) -> str:
    powers = [f"{name}^{power}" if power != 1 else name for name, power in zip("sr", unit, strict=True) if power]
    return " ".join(powers) or "1"
