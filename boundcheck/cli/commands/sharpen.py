"""The command `sharpen`: the best theorem of one round, with its proof."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from boundcheck.cli.terminal.options import Assign, Json, Whole
from boundcheck.cli.terminal.output import number, print_card, print_json

if TYPE_CHECKING:
    from boundcheck.worst.theorems.sharpened import Sharpened

Free = Annotated[list[str] | None, Parameter(name="--free", negative="")]
CertificateFile = Annotated[Path | None, Parameter(name="--certificate", negative="")]


def sharpen(
    method: str,
    /,
    *,
    K: Whole,
    T: Whole,
    N: Whole = 2,
    S: Whole | None = None,
    zeta: float | None = None,
    G_0: float | None = None,
    sigma: float = 0.0,
    set_: Assign = None,
    free: Free = None,
    certificate: CertificateFile = None,
    json: Json = False,
) -> None:
    """Find the best theorem of one round for a method, and prove it over the rationals.

    Needs the extra `worst`.  In units in which L = Delta = 1: the average of E|grad f(x_t)|^2 over T rounds is at most
    descent/T + zeta2 zeta^2 + sigma2 sigma^2 + G_0 times its factor.  It holds for every T; zeta, G_0 and sigma only
    say what the choice among such theorems weighs.

    Parameters
    ----------
    method
        A method, its hyperparameters from --set.
    K
        Local steps a round.
    T
        Rounds for which the right-hand side is to be small.
    N
        Clients; the theorem is for any number of them unless sigma > 0 or S < N.
    S
        Active clients of a round; all when left out.
    zeta
        Heterogeneity at the server points; when left out, none is assumed where there is a theorem without.
    G_0
        Mean of |grad f_i(x_0)|^2: heterogeneity at the start only.
    sigma
        Noise of one sample.
    set_
        A hyperparameter of the method, name=value in units in which L = 1; may be repeated.
    free
        A hyperparameter to choose, from the value of --set on; may be repeated.
    certificate
        A file for the proof, which `boundcheck verify` checks.
    """
    from boundcheck.cli.terminal.settings import assignments
    from boundcheck.methods import METHODS
    from boundcheck.sweep.cells.cells import build_method
    from boundcheck.worst import ProblemClass, advised
    from boundcheck.worst import sharpen as found

    made = build_method(METHODS[method], tuple(assignments(set_).items()))
    given = ProblemClass(N=N, zeta=zeta, G_0=G_0, sigma=sigma)
    theorem = advised(made, free=free, K=K, T=T, S=S, given=given) if free else found(made, K=K, T=T, S=S, given=given)
    data = _data(theorem)
    if certificate is not None:
        write_proof(certificate, data["certificate"])
    if json:
        print_json(data)
        return
    _print(theorem, data)


def _data(theorem: Sharpened) -> dict[str, Any]:
    """Return a theorem as plain data."""
    from boundcheck.worst import certificates, remarks
    from boundcheck.worst.gram.units import hyperparameters
    from boundcheck.worst.theorems.theorem import rounded_up

    factors = {"descent": theorem.descent, "zeta2": theorem.zeta2, "sigma2": theorem.sigma2}
    factors["G_0"] = theorem.factor("G_0")
    steps = {name: str(value) for name, value in hyperparameters(theorem.method).items()}
    return {
        "method": theorem.method.card.id,
        "N": theorem.given.N,
        "S": theorem.S,
        "K": theorem.K,
        "T": theorem.T,
        "steps": steps,
        **{name: float(rounded_up(factor)) for name, factor in factors.items()},
        "value": theorem.value(),
        "best": theorem.is_best,
        "remarks": remarks(theorem),
        "seconds": theorem.seconds,
        "certificate": certificates(theorem),
    }


def write_proof(path: Path, proof: list[dict[str, Any]]) -> None:
    """Write certificates into a file."""
    import json

    from boundcheck.files.atomic import write_whole

    write_whole(path, json.dumps(proof, indent=1) + "\n")


def _print(theorem: Sharpened, data: dict[str, Any]) -> None:
    names = {"descent": "L Delta/T", "zeta2": "zeta^2", "sigma2": "sigma^2", "G_0": "G_0"}
    terms = [f"{number(data[name])} {what}" for name, what in names.items() if data[name]]
    entries = {
        "theorem": f"average of E|grad f(x_t)|^2 over T rounds <= {' + '.join(terms)}",
        "steps": ", ".join(f"{name} = {value}" for name, value in data["steps"].items()),
        "at": f"K = {theorem.K}, N = {theorem.given.N}, S = {theorem.S}; chosen for T = {theorem.T}, L = 1",
        "remarks": "\n".join(data["remarks"]),
        "seconds": number(theorem.seconds),
    }
    print_card(f"{data['method']}, {theorem.title}", entries)
