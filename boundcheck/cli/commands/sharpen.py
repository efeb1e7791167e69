"""The command `sharpen`: the best theorem of one round, or one theorem for all steps and all K, with its proof."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from boundcheck.cli.terminal.answers import answer_once
from boundcheck.cli.terminal.options import Assign, Json, MethodName, Whole, option_of
from boundcheck.cli.terminal.output import number, print_card, print_json
from boundcheck.errors import NotApplicableError, require
from boundcheck.files.display import list_values

if TYPE_CHECKING:
    from fractions import Fraction

    from boundcheck.worst.theorems.all_steps.theorem import StepTheorem
    from boundcheck.worst.theorems.contraction import Contraction
    from boundcheck.worst.theorems.described.search import DescribedTheorem
    from boundcheck.worst.theorems.sharpened import Sharpened

AllSteps = Annotated[bool, Parameter(name="--all-steps", negative="")]
AllK = Annotated[bool, Parameter(name="--all-K", negative="")]
Polyak = Annotated[bool, Parameter(name="--pl", negative="")]
Near = Annotated[bool, Parameter(name="--near", negative="")]
Boxes = Annotated[list[str] | None, Parameter(name="--box", negative="")]
LatexFile = Annotated[Path | None, Parameter(name="--latex", negative="")]
LeanFile = Annotated[Path | None, Parameter(name="--lean", negative="")]
Free = Annotated[list[str] | None, Parameter(name="--free", negative="")]
CertificateFile = Annotated[Path | None, Parameter(name="--certificate", negative="")]


@answer_once
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
    pl: Polyak = False,
    within: float | None = None,
    certificate: CertificateFile = None,
    latex: LatexFile = None,
    lean: LeanFile = None,
    json: Json = False,
) -> None:
    """Find the best theorem of one round for a method, and prove it over the rationals.

    In units in which L = Delta = 1: the average of E|grad f(x_t)|^2 over T rounds is at most
    descent/T + zeta2 zeta^2 + sigma2 sigma^2 + G_0 times its factor.  It holds for every T; zeta, G_0 and sigma only
    say what the choice among such theorems weighs.

    With --all-steps it is one theorem for one K and all steps eta up to a limit (or all steps in a --box); with --all-K
    for every K and N too, noise included where --sigma is given.

    delayed-sgd, dsgd and ef21 have such theorems for every delay, mixing matrix or compressor: --all-steps alone, or
    with --pl under the Polyak-Lojasiewicz condition. So have the rounds delayed-sgd-bounded, dsgd-after, sampled-sgd
    and compressed-sgd, which are no methods of these names.

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
        Active clients of a round; all when left out. With --all-K a number below N asks for every S of N clients.
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
    pl
        With --all-K, and with --all-steps of delayed-sgd, dsgd and ef21: by which factor f(x_t) - f_star falls where
        |grad f|^2 >= 2 mu (f - f_star), mu a letter.
    certificate
        A file for the proof, which `boundcheck verify` checks.
    latex
        With --all-steps or --all-K: a file for the theorem and its lemmas.
    lean
        With --all-steps or --all-K: a file for the lemmas as Lean text, which nothing here checks.
    """
    from boundcheck.api.sharpening import forecast_sharpening, sharpen_as_asked
    from boundcheck.cli.shared.running import require_output
    from boundcheck.cli.terminal.beforehand import say_beforehand
    from boundcheck.cli.terminal.settings import assignments
    from boundcheck.worst.theorems.described.search import DescribedTheorem

    require_output(certificate, "--certificate")
    require_output(latex, "--latex")
    require_output(lean, "--lean")
    goes = mu is None and within is None and (all_steps or all_k)
    for option, file in (("--latex", latex), ("--lean", lean)):
        require(file is None or goes, option, file, "left out: it goes with --all-steps or --all-K")
    asked: dict[str, Any] = {"K": K, "T": T, "N": N, "S": S, "zeta": zeta, "G_0": G_0, "sigma": sigma, "mu": mu}
    asked |= {"measure": measure, "rate": rate, "set_": assignments(set_), "free": free}
    asked |= {"all_steps": all_steps, "all_k": all_k, "up_to": up_to, "box": _read_boxes(box)}
    asked |= {"near": near, "pl": pl, "within": within}
    say_beforehand("sharpen", forecast_sharpening(method, asked))
    found: Any = sharpen_as_asked(method, asked, option_of)
    if mu is not None:
        _write_contraction(method, found, certificate, json=json)
    elif isinstance(found, DescribedTheorem):
        _write_described(method, found, certificate, polyak=pl, json=json)
    elif within is not None:
        _write_cover(method, found, certificate, json=json)
    elif all_steps or all_k:
        _write_steps(found, certificate, latex, lean, json=json)
    else:
        from boundcheck.worst.gram.kernel import require_kernel

        data = _data(found)
        require_kernel(method, *data["certificate"])
        if certificate is not None:
            write_proof(certificate, data["certificate"])
        if json:
            print_json(data)
        else:
            _print(found, data)


def _write_contraction(method: str, theorem: Contraction, certificate: Path | None, *, json: bool) -> None:
    """Check, write and print by which factor a round contracts."""
    from boundcheck.worst import contraction_certificates
    from boundcheck.worst.gram.kernel import require_kernel

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
        "steps": list_values(data["steps"]),
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


def _write_described(
    method: str, theorem: DescribedTheorem, certificate: Path | None, *, polyak: bool, json: bool
) -> None:
    """Write and print a theorem of a round that is stated by its hypotheses."""
    from boundcheck.worst.theorems.described.bound import bound_of_described
    from boundcheck.worst.theorems.described.words import in_words

    said = in_words(theorem)
    if certificate is not None:
        write_proof(certificate, theorem.proof | {"says": said})
    if json:
        try:
            bound = bound_of_described(theorem)
        except NotApplicableError:
            # A round that no one method has: the inequality in words says it.
            terms, conditions = None, None
        else:
            terms = {name: str(term) for name, term in bound.terms.items()}
            conditions = [condition.text for condition in bound.conditions]
        numbers = {name: str(number) for name, number in theorem.numbers.items()}
        print_json(
            {"method": method, **said, "terms": terms, "conditions": conditions, "numbers": numbers}
            | {"seconds": round(theorem.seconds, 2), "certificate": theorem.proof}
        )
        return
    entries = {"holds for": said["holds"], "theorem": said["theorem"], "where": said["given"]}
    entries["proof"] = "checked; --certificate FILE writes what boundcheck verify checks"
    entries["seconds"] = number(theorem.seconds)
    print_card(f"{method}, one theorem for all steps" + (", Polyak-Lojasiewicz" if polyak else ""), entries)


def _write_cover(method: str, found: list[StepTheorem], certificate: Path | None, *, json: bool) -> None:
    """Write and print theorems that cover a box."""
    from boundcheck.proofs.kernel.all_steps import check
    from boundcheck.worst.theorems.all_steps import statement

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
    from boundcheck.api.sharpening import fraction

    found: dict[str, tuple[Fraction, Fraction]] = {}
    for text in texts or ():
        name, equals, ends = text.partition("=")
        low, colon, high = ends.partition(":")
        require(bool(name and equals and colon), "--box", text, "name=low:high, as eta=1/16:1/8")
        require(name not in found, "--box", text, "a name that has no range yet")
        found[name] = fraction("--box", low), fraction("--box", high)
    return found


def _write_steps(
    theorem: StepTheorem, certificate: Path | None, latex: Path | None, lean: Path | None, *, json: bool
) -> None:
    """Write and print a theorem for all steps."""
    from boundcheck.files.atomic import write_whole
    from boundcheck.proofs.kernel.all_steps import check
    from boundcheck.worst.theorems.all_steps import statement
    from boundcheck.worst.theorems.all_steps.certificates import lean_text
    from boundcheck.worst.theorems.all_steps.latex import latex as page

    check(theorem.proof)
    if certificate is not None:
        write_proof(certificate, theorem.proof)
    if latex is not None:
        write_whole(latex, page(theorem))
    if lean is not None:
        write_whole(lean, lean_text(theorem.proof))
    if json:
        print_json(statement.as_data(theorem))
        return
    entries = {"holds for": statement.where(theorem), "theorem": statement.inequality(theorem)}
    if (falling := statement.falling_inequality(theorem)) is not None:
        entries["Polyak-Lojasiewicz"] = falling
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
        "steps": list_values(data["steps"]),
        "at": f"K = {theorem.K}, N = {theorem.given.N}, S = {theorem.S}; chosen for T = {theorem.T}, L = 1",
        "remarks": "\n".join(data["remarks"]),
        "seconds": number(theorem.seconds),
    }
    print_card(f"{data['method']}, {theorem.title}", entries)
