"""The command `sharpen`: the best theorem of one round, or one theorem for all steps and all K, with its proof."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from cyclopts import Parameter

from boundcheck.cli.terminal.options import Assign, Json, MethodName, Whole
from boundcheck.cli.terminal.output import number, print_card, print_json
from boundcheck.errors import require

if TYPE_CHECKING:
    from boundcheck.worst.theorems.all_steps.theorem import StepTheorem
    from boundcheck.worst.theorems.contraction import Contraction
    from boundcheck.worst.theorems.sharpened import Sharpened

AllSteps = Annotated[bool, Parameter(name="--all-steps", negative="")]
AllK = Annotated[bool, Parameter(name="--all-K", negative="")]
Near = Annotated[bool, Parameter(name="--near", negative="")]
Boxes = Annotated[list[str] | None, Parameter(name="--box", negative="")]
LatexFile = Annotated[Path | None, Parameter(name="--latex", negative="")]
Free = Annotated[list[str] | None, Parameter(name="--free", negative="")]
CertificateFile = Annotated[Path | None, Parameter(name="--certificate", negative="")]


def sharpen(
    method: MethodName,
    /,
    *,
    K: Whole | None = None,
    T: Whole | None = None,
    N: Whole = 2,
    S: Whole | None = None,
    zeta: float | None = None,
    G_0: float | None = None,
    sigma: float = 0.0,
    mu: float | None = None,
    measure: Literal["distance", "value"] | None = None,
    rate: float | None = None,
    set_: Assign = None,
    free: Free = None,
    all_steps: AllSteps = False,
    all_k: AllK = False,
    up_to: str | None = None,
    box: Boxes = None,
    near: Near = False,
    within: float | None = None,
    certificate: CertificateFile = None,
    latex: LatexFile = None,
    json: Json = False,
) -> None:
    """Find the best theorem of one round for a method, and prove it over the rationals.

    Needs the extra `worst`.  In units in which L = Delta = 1: the average of E|grad f(x_t)|^2 over T rounds is at most
    descent/T + zeta2 zeta^2 + sigma2 sigma^2 + G_0 times its factor.  It holds for every T; zeta, G_0 and sigma only
    say what the choice among such theorems weighs.

    With --all-steps it is one theorem for one K and all steps eta up to a limit (or all steps in a --box); with --all-K
    for every K and N too, noise included where --sigma is given.

    With --mu the clients are mu-strongly convex, and the theorem says by which factor |x_t - x_star|^2, or with
    --measure value f(x_t) - f_star, falls in a round.

    Parameters
    ----------
    method
        A method, its hyperparameters from --set.
    K
        Local steps a round; not with --all-K.
    T
        Rounds for which the right-hand side is to be small; not with --all-steps or --all-K.
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
    mu
        Strong convexity of every client, for a factor by which a round contracts; zeta is then of the gradients at
        x_star.
    measure
        With --mu: what falls, distance or value; distance when left out.
    rate
        With --mu: a factor of a round for which the constants are least, in the place of the least factor.
    set_
        A hyperparameter of the method, name=value in units in which L = 1; may be repeated.
    free
        A hyperparameter to choose, from the value of --set on; may be repeated.
    all_steps
        One theorem for all steps at this K.
    all_k
        One theorem for all steps, every K and every N, of methods with a plain local loop.
    up_to
        The largest eta K L, a number or a fraction: by default 1, with --all-K 1/2.
    box
        A range of a hyperparameter for --all-steps, name=low:high; may be repeated. Then --up-to is not used.
    within
        With --box: cover it by boxes, each at most so many percent above the best one-round theorems.
    near
        With --all-K: factors that are polynomials, near the best theorem of each K and step, rather than few constants.
    certificate
        A file for the proof, which `boundcheck verify` checks.
    latex
        With --all-steps or --all-K: a file for the theorem and its lemmas.
    """
    from boundcheck.cli.commands.running import require_output

    require_output(certificate, "--certificate")
    require_output(latex, "--latex")
    if mu is not None:
        others: dict[str, Any] = {"T": T, "S": S, "G-0": G_0, "free": free, "up-to": up_to, "box": box, "latex": latex}
        others |= {"within": within, "all-steps": all_steps, "all-K": all_k, "near": near}
        for name, chosen in others.items():
            require(chosen is None or chosen is False, f"--{name}", chosen, "left out with --mu")
        _contract(
            method, set_, certificate, K=K, json=json, mu=mu, measure=measure, rate=rate, N=N, zeta=zeta, sigma=sigma
        )
        return
    require(measure is None, "--measure", measure, "left out: it goes with --mu")
    require(rate is None, "--rate", rate, "left out: it goes with --mu")
    if all_steps or all_k:
        if within is not None:
            _cover(method, _StepSettings(all_k, K, T, S, set_, free, up_to, box, near), within, certificate, json=json)
            return
        settings = _StepSettings(all_k, K, T, S, set_, free, up_to, box, near)
        theorem_of_steps = _find_for_steps(method, settings, N=N, zeta=zeta, G_0=G_0, sigma=sigma)
        _write_steps(theorem_of_steps, certificate, latex, json=json)
        return
    for name, value in (("up-to", up_to), ("box", box), ("near", near or None), ("latex", latex)):
        require(value is None, f"--{name}", value, "left out: it goes with --all-steps or --all-K")
    require(K is not None, "--K", K, "a number of local steps")
    require(T is not None, "--T", T, "a number of rounds")
    assert K is not None
    assert T is not None

    from boundcheck.cli.terminal.settings import assignments
    from boundcheck.methods import METHODS
    from boundcheck.sweep.cells.cells import build_method
    from boundcheck.worst import ProblemClass, advised
    from boundcheck.worst import sharpen as found
    from boundcheck.worst.proved.certificate import require_kernel

    made = build_method(METHODS[method], tuple(assignments(set_).items()))
    given = ProblemClass(N=N, zeta=zeta, G_0=G_0, sigma=sigma)
    theorem = advised(made, free=free, K=K, T=T, S=S, given=given) if free else found(made, K=K, T=T, S=S, given=given)
    data = _data(theorem)
    require_kernel(method, *data["certificate"])
    if certificate is not None:
        write_proof(certificate, data["certificate"])
    if json:
        print_json(data)
        return
    _print(theorem, data)


def _contract(
    method: str,
    set_: list[str] | None,
    certificate: Path | None,
    *,
    K: int | None,
    measure: Literal["distance", "value"] | None,
    json: bool,
    **asked: Any,
) -> None:
    """Find, write and print by which factor a round contracts."""
    from boundcheck.cli.terminal.settings import assignments
    from boundcheck.methods import METHODS
    from boundcheck.sweep.cells.cells import build_method
    from boundcheck.worst import contract, contraction_certificates
    from boundcheck.worst.proved.certificate import require_kernel

    require(K is not None, "--K", K, "a number of local steps")
    assert K is not None
    made = build_method(METHODS[method], tuple(assignments(set_).items()))
    theorem = contract(made, K=K, measured=measure or "distance", **asked)
    proof = contraction_certificates(theorem)
    require_kernel(method, *proof)
    if certificate is not None:
        write_proof(certificate, proof)
    data = _data_of_contraction(theorem)
    if json:
        print_json(data | {"certificate": proof})
        return
    name, starts = {
        "distance": ("|x_t - x_star|^2", "|x_0 - x_star|^2"),
        "value": ("[f(x_t) - f_star]", "[f(x_0) - f_star]"),
    }[theorem.measured]
    once = _factors(data["at_start"], {"start": starts, "zeta2": "zeta^2", "sigma2": "sigma^2"})
    stays = _factors(data["at_end"], {"zeta2": "zeta^2", "sigma2": "sigma^2"})
    remarks = [f"noise of variance sigma^2 = {theorem.given.sigma**2:g}" if theorem.given.sigma else "exact gradients"]
    if theorem.given.zeta is not None:
        remarks.append("zeta^2 bounds mean_i |grad f_i(x_star)|^2" + (", which is assumed" if theorem.assumed else ""))
    entries = {
        "theorem": f"E {name} <= {data['rate']:.10g}^t ({once})" + (f" + {stays}" if stays else ""),
        "steps": ", ".join(f"{name} = {value}" for name, value in data["steps"].items()),
        "at": f"K = {theorem.K}, N = {theorem.given.N}, L = 1, mu = {theorem.given.mu}",
        "remarks": "\n".join(remarks),
        "proof": "three certificates, checked over Q"
        + (": --certificate FILE writes them" if certificate is None else ""),
        "seconds": number(theorem.seconds),
    }
    print_card(f"{data['method']}, the factor by which a round contracts", entries)


def _data_of_contraction(theorem: Contraction) -> dict[str, Any]:
    """Return a contraction as plain data, its factors rounded up."""
    from boundcheck.worst.gram.units import hyperparameters
    from boundcheck.worst.theorems.theorem import rounded_up

    constants = {"zeta2": "zeta", "sigma2": "sigma"}
    return {
        "method": theorem.method.card.id,
        "N": theorem.given.N,
        "K": theorem.K,
        "mu": float(theorem.given.convexity),
        "measure": theorem.measured,
        "steps": {name: str(value) for name, value in hyperparameters(theorem.method).items()},
        "rate": float(theorem.rate),
        "at_start": {k: float(rounded_up(theorem.at_start(c))) for k, c in ({"start": "start"} | constants).items()},
        "at_end": {k: float(rounded_up(theorem.at_end(c))) for k, c in constants.items()},
        "assumed": list(theorem.assumed),
        "seconds": theorem.seconds,
    }


def _factors(found: dict[str, float], names: dict[str, str]) -> str:
    """Return a sum of constants with their factors, without those below a millionth."""
    return " + ".join(f"{number(found[key])} {name}" for key, name in names.items() if found[key] > 1e-6)


class _StepSettings(NamedTuple):
    """What was asked of a theorem for all steps."""

    all_k: bool
    K: int | None
    T: int | None
    S: int | None
    set_: list[str] | None
    free: list[str] | None
    up_to: str | None
    box: list[str] | None
    near: bool


def _find_for_steps(method: str, asked: _StepSettings, *, N: int, zeta: Any, G_0: Any, sigma: float) -> StepTheorem:
    """Return the theorem that was asked for."""
    from boundcheck.cli.terminal.settings import assignments
    from boundcheck.methods import METHODS
    from boundcheck.sweep.cells.cells import build_method
    from boundcheck.worst import ProblemClass
    from boundcheck.worst.theorems.all_steps.sharpen import sharpen_all_k, sharpen_steps

    for name, value in (("T", asked.T), ("S", asked.S), ("free", asked.free)):
        require(value is None, f"--{name}", value, "left out: the theorem is for every T, all clients and all steps")
    ranges = _read_boxes(asked.box)
    values = assignments(asked.set_)
    for name in ("eta", *ranges):
        # What the theorem is for all values of needs a value for a method to be built.
        values.setdefault(name, float(ranges[name][1]) if name in ranges else 0.125)
    made = build_method(METHODS[method], tuple(values.items()))
    given = ProblemClass(N=N, Delta=1.0, zeta=zeta, G_0=G_0, sigma=sigma)
    if asked.all_k:
        require(asked.K is None, "--K", asked.K, "left out: the theorem is for every K")
        require(not ranges, "--box", asked.box, "left out: with --all-K the steps are all eta up to --up-to/(K L)")
        return sharpen_all_k(made, up_to=_read_number("--up-to", asked.up_to or "1/2"), given=given, few=not asked.near)
    require(asked.K is not None, "--K", asked.K, "a number of local steps, or --all-K")
    require(not asked.near, "--near", asked.near, "left out: it goes with --all-K")
    require(not sigma, "--sigma", sigma, "0 with --all-steps; theorems with noise are for --all-K")
    assert asked.K is not None
    up_to = _read_number("--up-to", asked.up_to or "1")
    return sharpen_steps(made, K=asked.K, up_to=up_to, box=ranges or None, given=given)


def _cover(method: str, asked: _StepSettings, within: float, certificate: Path | None, *, json: bool) -> None:
    """Find, write and print theorems that cover a box."""
    from boundcheck.cli.terminal.settings import assignments
    from boundcheck.methods import METHODS
    from boundcheck.proofs.kernel.all_steps import check
    from boundcheck.sweep.cells.cells import build_method
    from boundcheck.worst.theorems.all_steps import statement
    from boundcheck.worst.theorems.all_steps.cover import cover_steps

    require(bool(asked.box) and not asked.all_k, "--within", within, "left out: it goes with --all-steps and --box")
    require(asked.K is not None, "--K", asked.K, "a number of local steps")
    assert asked.K is not None
    ranges = _read_boxes(asked.box)
    values = assignments(asked.set_)
    for name in ("eta", *ranges):
        values.setdefault(name, float(ranges[name][1]) if name in ranges else 0.125)
    made = build_method(METHODS[method], tuple(values.items()))
    found = cover_steps(made, K=asked.K, box=ranges, within=within / 100)
    for one in found:
        check(one.proof)
    if certificate is not None:
        write_proof(certificate, [theorem.proof for theorem in found])
    if json:
        print_json([statement.as_data(theorem) for theorem in found])
        return
    worst_gap = max(theorem.gap for theorem in found)
    entries = {statement.where(theorem): f"{100 * theorem.gap:.2g} % above" for theorem in found}
    print_card(
        f"{method}: {len(found)} boxes, at most {100 * worst_gap:.2g} % above the best one-round theorems", entries
    )


def _read_boxes(texts: list[str] | None) -> dict[str, tuple[Fraction, Fraction]]:
    """Return ranges given as name=low:high."""
    found: dict[str, tuple[Fraction, Fraction]] = {}
    for text in texts or ():
        name, equals, ends = text.partition("=")
        low, colon, high = ends.partition(":")
        require(bool(name and equals and colon), "--box", text, "name=low:high, as eta=1/16:1/8")
        require(name not in found, "--box", text, "a name that has no range yet")
        found[name] = _read_number("--box", low), _read_number("--box", high)
    return found


def _read_number(where: str, text: str) -> Fraction:
    """Return a decimal or a fraction."""
    try:
        return Fraction(text.strip())
    except (ValueError, ZeroDivisionError):
        legal = text == ""
        require(legal, where, text, "a number or a fraction, as 0.5 or 1/2")
        raise


def _write_steps(theorem: StepTheorem, certificate: Path | None, latex: Path | None, *, json: bool) -> None:
    """Write and print a theorem for all steps."""
    from boundcheck.files.atomic import write_whole
    from boundcheck.proofs.kernel.all_steps import check
    from boundcheck.worst.theorems.all_steps import statement
    from boundcheck.worst.theorems.all_steps.latex import latex as page

    check(theorem.proof)
    if certificate is not None:
        write_proof(certificate, theorem.proof)
    if latex is not None:
        write_whole(latex, page(theorem))
    if json:
        print_json(statement.as_data(theorem))
        return
    entries = {"holds for": statement.where(theorem), "theorem": statement.inequality(theorem)}
    if (step := statement.best_step(theorem)) is not None:
        entries["best step without noise"] = step
    if theorem.gap == theorem.gap:
        entries["above the best one-round theorems"] = f"at most {100 * theorem.gap:.3g} % where it was compared"
    size = statement.count_numbers(theorem)
    entries["proof"] = f"{size} numbers; --certificate FILE writes what boundcheck verify checks"
    entries["seconds"] = number(theorem.seconds)
    print_card(
        f"{theorem.method.card.id}, one theorem for all steps" + (" and all K" if theorem.K is None else ""), entries
    )


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


def write_proof(path: Path, proof: list[dict[str, Any]] | dict[str, Any]) -> None:
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
