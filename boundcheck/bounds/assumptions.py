"""The papers' assumptions as objects: what each says, which constants it asks for, and what its proofs need instead.

Whether a problem satisfies one is asked in `boundcheck.evidence.papers.assumptions`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

About = Literal["problem", "noise", "run", "quantiser"]
"""What an assumption speaks of: the clients' functions, their samples, a method's trajectory, or a quantiser."""


@dataclass(frozen=True)
class Assumption:
    """A numbered or named assumption of a paper."""

    id: str
    paper: str
    title: str
    where: str
    """Line in the paper."""
    statement: str
    """What it says, in the notation's letters."""
    about: About = "problem"
    letters: tuple[str, ...] = ()
    """Constants whose existence it amounts to on a problem; for a run, the letters that it bounds."""
    independent: bool = False
    """Whether the samples of different clients must be independent."""
    stated: bool = True
    """Whether the paper states it (else its proofs need it all the same)."""
    used: str = ""
    """Theorems and lemmas that rest on it."""
    note: str = ""
    """What is wrong with it as printed, or what is enough."""


def _paper(paper: str) -> Callable[..., Assumption]:
    """Return the constructor of a paper's assumptions: name, title, where, statement, letters, and fields by name."""

    def row(name: str, title: str, where: str, statement: str, *letters: str, **more: Any) -> Assumption:
        return Assumption(f"{paper}.{name}", paper, title, where, statement, letters=letters, **more)

    return row


_fedlalr, _gradma, _glomo = _paper("fedlalr"), _paper("gradma"), _paper("fedglomo")
_momentum, _fmgda = _paper("momentum-fl"), _paper("fmgda")
_EVERYWHERE = "Theorems 1 and 2, all corollaries"

# fmt: off
_ALL = (
    _fedlalr("assumption1", "Smoothness", "l.147", "|grad f_i(x) - grad f_i(y)| <= L |x - y| for all i, x, y", "L",
        used=_EVERYWHERE),
    _fedlalr("assumption2", "Unbiased gradients of bounded variance", "l.149",
        "E g_i = grad f_i and E|g_i - grad f_i|^2 <= sigma^2, conditionally on the past", "sigma", about="noise",
        used=_EVERYWHERE, note="With minibatches of b samples the theorem's sigma^2 is sigma^2/b."),
    _fedlalr("assumption3", "Bounded stochastic gradients", "l.151",
        "every coordinate of every g_i and grad f_i is at most G_inf in absolute value", "G_inf", about="noise",
        used="Lemmas 3 to 5 and all that rests on them", note="Excludes quadratics on R^d and Gaussian noise."),
    _fedlalr("unstated-independence", "Independent noise", "l.113, Lemma 7",
        "the noises of different clients at one step are independent, given the past", about="noise", independent=True,
        stated=False, used="the speed-up in N"),
    _fedlalr("unstated-floor", "Bounded below", "(17)", "f >= f_star > -infinity", "f_star", stated=False,
        used=_EVERYWHERE),
    _gradma("assumption1", "Bounded below", "l.367", "f(x) >= f_star > -infinity for all x", "f_star", used="(31)"),
    _gradma("assumption2", "Smoothness", "Lemmas .2 and .3", "|grad f_i(x) - grad f_i(y)| <= L |x - y| for all i, x, y",
        "L", used="Lemmas .2, .3 and .6"),
    _gradma("assumption3", "Bounded heterogeneity", "Lemmas .2 and .3", "|grad f_i(x) - grad f(x)|^2 <= zeta^2",
        "zeta", used="Lemmas .2 and .3", note="For every client as stated; the average over clients is enough."),
    _gradma("assumption4", "Small corrections of local steps", "Lemmas .2 and .3",
        "|corrected step - grad f_i|^2 <= eps_l^2 for all N clients, rounds and local steps", "eps_l", about="run",
        used="Lemmas .2 and .3", note="About a run: the quantity worker_correction measures it."),
    _gradma("assumption5", "Small correction of the server's momentum", "l.152, l.236",
        "E|corrected momentum - raw|^2 <= eps_g^2 / (1 - beta_mem)", "eps_g", about="run", used="Lemma .4",
        note="About a run: the quantity server_correction measures it. It can be as large as the gradient itself."),
    _glomo("assumption1", "Samples are smooth", "L177",
        "|grad l(x) - grad l(y)| <= L_sample |x - y| for every sample l and all x, y", "L_sample", about="noise",
        used="Theorems 1 and 2", note="Theorem 3 needs only that every f_i is smooth."),
    _glomo("assumption2", "Non-negative clients", "L179", "f_i >= 0", "Delta_mean",
        used="Theorems 1, 2 and 3", note="Clients that are bounded below are enough, with f_i - inf f_i for f_i."),
    _glomo("assumption3", "Quantiser", "L183", "E Q(z) = z and E|Q(z) - z|^2 <= omega |z|^2", "q_omega",
        about="quantiser", used="Theorems 1 and 2"),
    _glomo("assumption4", "Correlation of drifts along FedGLOMO", "L185-189",
        "E|sum_i e_i|^2 <= alpha sum_i E|e_i|^2 with e_i = grad f_i(y_i) - grad f_i(mean y)", "alpha_div", about="run",
        used="Theorem 1", note="alpha = N always serves; the quantity drift_correlation measures it."),
    _glomo("assumption5", "Correlation of drifts along FedLOMO", "L523, L545-551",
        "the same inequality along FedLOMO's local steps", "alpha_div", about="run", used="Theorem 2",
        note="alpha = N always serves."),
    _glomo("assumption6", "Correlation of drifts along FedAvg", "L1284-1286",
        "the same inequality along FedAvg's local steps", "alpha_div", about="run", used="Theorem 3",
        note="alpha = N always serves."),
    _glomo("variance", "Bounded variance", "L1295", "E|g_i - grad f_i|^2 <= sigma^2 for the minibatch in use", "sigma",
        about="noise", used="Theorem 3"),
    _glomo("independence", "Independent minibatches", "L84",
        "minibatches are independent over clients, local steps and rounds", about="noise", independent=True,
        used="Theorems 1, 2 and 3"),
    _momentum("assumption1", "Smoothness", "[127-129]", "|grad f_i(x) - grad f_i(y)| <= L |x - y| for all i, x, y",
        "L", used="Theorems 11 and 19"),
    _momentum("assumption2", "Samples are smooth", "[131-133]",
        "|grad F(x; xi) - grad F(y; xi)| <= L_sample |x - y| for almost every sample", "L_sample", about="noise",
        used="Theorems 15 and 22", note="The mean square is enough: L_rms."),
    _momentum("assumption3", "Unbiased gradients of bounded variance", "[137-139]",
        "E g_i = grad f_i and E|g_i - grad f_i|^2 <= sigma^2 for one sample", "sigma", about="noise",
        independent=True, used="all theorems"),
    _momentum("implicit-floor", "Bounded below", "section 2", "f has an infimum f_star", "f_star", stated=False,
        used="all theorems"),
    _fmgda("assumption1", "Unbiased gradients, bounded variance and heterogeneity", "l.117-125, (7)",
        "E g_i = grad F_i, E|g_i - grad F_i|^2 <= sigma^2, |grad F_i - grad F_j|^2 <= zeta_pair^2 for all pairs",
        "sigma", "zeta_pair", about="noise", independent=True, used="Theorem 1"),
    _fmgda("assumption2", "Sample gradients are Lipschitz in each block", "l.129-133",
        "the four blocks of every sample's gradient are Lipschitz, with largest constant L_block", "L_block",
        about="noise", used="Theorem 1",
        note="Printed for first moments; Lemmas 7 and 8 need second moments (refuted as printed)."),
    _fmgda("assumption3", "Strong concavity", "l.135-137, (8)", "every F_i is mu-strongly concave in y", "mu",
        used="Theorem 1", note="Printed as |grad_y F_i(x, y) - grad_y F_i(x, z)| >= mu |y - z|: not concavity."),
    _fmgda("assumption4", "Phi is bounded below", "l.139", "Phi(x) = max_y F(x, y) >= Phi_star > -infinity",
        "Phi_star", used="Theorem 1"),
)
# fmt: on
ASSUMPTIONS: dict[str, Assumption] = {assumption.id: assumption for assumption in _ALL}
"""Every assumption by name, paper by paper."""


def of_paper(paper: str) -> list[Assumption]:
    """Return the assumptions of a paper in its order, those it does not state last."""
    mine = [a for a in ASSUMPTIONS.values() if a.paper == paper]
    return sorted(mine, key=lambda a: not a.stated)
