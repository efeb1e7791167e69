"""The command that decides claims and prints the ledger, a table a paper."""

from __future__ import annotations

import os
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from boundcheck.cli.shared.coq import write_bounds, write_files
from boundcheck.cli.terminal.answers import answer_once
from boundcheck.cli.terminal.options import Json, PaperName, TrustCode, Whole, names_of
from boundcheck.cli.terminal.output import mark, note, number, plain, print_json, print_table, say
from boundcheck.cli.terminal.transcript import ask_anew
from boundcheck.files.display import list_values
from boundcheck.verdicts.codes import BAD_INPUT, code_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from boundcheck.proofs import Claim, Proof
    from boundcheck.proofs.ledger.tree import Standing, Steps

_COLUMNS = ("claim", "verdict", "steps", "prover", "rests on", "witness, or lhs/rhs", "repaired by")
_FILE_COLUMNS = (
    *("claim", "verdict", "trust", "shows", "witness, what is missing or was found"),
    *("stands on", "inherited, claims of the ledger"),
)
NOT_SEEN = "not seen to be satisfiable: no run is met in which all holds that it stands on"
_WORST = ".worst"
"""How names of files end that state worst cases."""
_FEW = 24
"""Most claims that one process decides without a progress bar: another takes as long to start as to decide these."""
_MANY, _TIMED = 80, 10
"""Claims from which on it is said beforehand how long they take, and about how many of them are timed for it."""
Export = Annotated[
    Path | None, Parameter(name="--export", negative="", help="Also write every proof to this folder, to be rechecked.")
]
Certificates = Annotated[
    Path | None,
    Parameter(name="--certificates", negative="", help="Also write a file of certificates a claim to this folder."),
]
CoqFolder = Annotated[
    Path | None,
    Parameter(
        name="--coq", negative="", help="Also write whole proofs as Coq files to this folder; make -C checks them."
    ),
]
FailOnClaim = Annotated[
    list[
        Literal["refuted", "does not follow", "undecided", "solver only", "conditional", "vacuous", "false as printed"]
    ]
    | None,
    Parameter(name="--fail-on", negative=""),
]


@answer_once
def prove(
    *claims: Annotated[str, names_of("claims", "bounds")],
    paper: PaperName | None = None,
    workers: Whole | None = None,
    dask: str | None = None,
    cache: bool = True,
    export: Export = None,
    certificates: Certificates = None,
    coq: CoqFolder = None,
    fail_on: FailOnClaim = None,
    trust_code: TrustCode = False,
    json: Json = False,
) -> int:
    """Decide steps of the papers' proofs, with the steps they stand on.

    Parameters
    ----------
    claims
        Names of claims or of bounds with a proof, claim files (.toml) or file.py:NAME, a claim or a list of claims;
        files that state worst cases (.worst); the ledger when left out.
    paper
        Only the claims of this paper.
    workers
        Processes; by default one a core when there are more than a few claims.
    dask
        Address of a Dask scheduler to run on in place of local processes.
    cache
        Use and keep answers in the user's cache folder; only what has changed is decided again.
    export
        Folder for SMT-LIB files and scripts, one or more a claim.
    certificates
        Folder for certificates that `boundcheck verify` checks, one file a claim; of a whole proof also the claim file
        with whole statements and its proof object, for the kernel.
    coq
        Folder for whole proofs as Coq files: a library, a page from the assumptions to the bound, and a Makefile that
        has `coqc` check them and print the axioms. What has no Coq text is refused by name.
    fail_on
        Exit with 1 if a claim has this verdict; may be repeated. A claim that is refuted is false as printed; one
        that does not follow from its steps may be true, and one that is conditional, because its steps take more as
        given than it says, is undecided as it stands. One that is solver only has no
        certificate for the kernel.
    """
    if claims and all(name.endswith(_WORST) for name in claims):
        return _judge_worst_cases(claims, fail_on, json=json)
    if any(name.endswith(".toml") for name in claims):
        pages = certificates if coq is None or certificates else coq / "proof"
        files = _decided_files(claims, paper, export, pages, trust_code=trust_code)
        if coq is not None and pages is not None:
            write_files(claims, pages, coq)
        return _print_files(files, _words(fail_on), json=json)
    from boundcheck.files.atomic import require_writable
    from boundcheck.proofs import CLAIMS
    from boundcheck.proofs.ledger.own import claims_named
    from boundcheck.proofs.ledger.tree import order, standings

    names, whole = _choose_names(claims, paper)
    asked_for = {one: claim for name in names for one, claim in claims_named(name, CLAIMS).items()}
    known = CLAIMS | asked_for
    order(known)
    for folder in (export, certificates, coq):
        if folder is not None:
            require_writable(folder, folder=True)
    found = _decide_claims(names, asked_for, workers, dask, cache=cache) if names else {}
    standing = standings(known, found.values())
    found |= {name: _by_kernel(found[name]) for name in asked_for if name in claims}
    proofs = [found[name] for name in asked_for]
    for name in whole:
        proof, standing[name] = _of_bound(name)
        proofs.append(proof)
    if export is not None:
        _export(asked_for.values(), export)
    if certificates is not None:
        _certify([claim for claim in asked_for.values() if found[claim.id].verdict == "proved"], whole, certificates)
    if coq is not None:
        write_bounds(list(claims), coq)
    if any(proof.verdict == "undecided" for proof in proofs):
        ask_anew()
    if json:
        print_json([_data(proof, standing[proof.id]) for proof in proofs])
    else:
        _print_ledger(proofs, standing)
    return code_of((p.verdict for p in proofs), _words(fail_on))


def _judge_worst_cases(files: Sequence[str], fail_on: Sequence[str] | None, *, json: bool) -> int:
    """Decide what files state of worst cases: their closed forms and bounds."""
    from boundcheck.api.worst_cases import WorstQuestion
    from boundcheck.cli.commands.worst import print_files

    return print_files([WorstQuestion("file", name, {}) for name in files], None, fail_on, json=json)


def _by_kernel(proof: Proof) -> Proof:
    """Return what is known of a bound that is a line of the ledger, too: where it has a whole proof, by the kernel."""
    from dataclasses import replace

    from boundcheck.proofs.chain.whole.proof import PROOFS
    from boundcheck.proofs.search.accepted import TRUST, load_accepted

    if proof.id not in PROOFS or proof.verdict != "proved":
        return proof
    found = load_accepted(proof.id)
    if found.proved:
        return replace(proof, trust=TRUST)
    return proof if found.top.proved else replace(proof, verdict="undecided", trust="", detail=found.sentence())


def _of_bound(name: str) -> tuple[Proof, Standing]:
    """Return what the kernel says of a bound that is no line of the ledger, from its whole proof."""
    from boundcheck.bounds import BOUNDS
    from boundcheck.proofs import Proof
    from boundcheck.proofs.ledger.tree import Standing
    from boundcheck.proofs.search.accepted import TRUST, load_accepted

    began = time.perf_counter()
    found = load_accepted(name)
    below, missing = tuple(found.below(name)), tuple(found.apart_from)
    proof = Proof(
        id=name,
        paper=name.partition(".")[0],
        where=BOUNDS[name].where if name in BOUNDS else "",
        verdict="proved" if found.proved else "undecided",
        prover="chain",
        seconds=time.perf_counter() - began,
        witness=None,
        replay=None,
        repaired_by=None,
        detail=found.sentence(),
        trust=TRUST,
    )
    steps: Steps = "proved" if found.proved and not missing else "open"
    return proof, Standing(name, steps, below, (), missing, ())


def _decide_claims(
    names: Sequence[str], asked_for: dict[str, Claim], workers: int | None, dask: str | None, *, cache: bool
) -> dict[str, Proof]:
    """Return the proofs of claims and of all that they stand on."""
    from boundcheck.cli.shared.running import executor
    from boundcheck.cli.terminal.progress import work
    from boundcheck.errors import require_count
    from boundcheck.proofs import CLAIMS
    from boundcheck.proofs import prove as decide
    from boundcheck.proofs.ledger.decided import decided_before, keep_decided
    from boundcheck.proofs.ledger.tree import with_steps
    from boundcheck.workers.processes import retry_once

    below = with_steps(CLAIMS | asked_for, asked_for)
    everything = dict.fromkeys((*names, *(step for step in below if step in CLAIMS)))
    if workers is not None:
        require_count(workers, "workers")
    before = decided_before(everything) if cache else None
    if before is not None:
        return {proof.id: proof for proof in before}
    if workers is None:
        workers = 1 if len(everything) <= _FEW else os.cpu_count() or 1
    if len(everything) >= _MANY and dask is None:
        _say_what_it_takes(list(everything), workers, kept=cache)
    with executor(dask) as given, work("claims", shown=len(everything) > _FEW) as progress:
        asked = partial(decide, everything, workers=workers, kept=cache, progress=progress, executor=given)
        proofs = retry_once(asked)
    if cache:
        keep_decided(everything, proofs)
    return {proof.id: proof for proof in proofs}


def _say_what_it_takes(names: Sequence[str], workers: int, *, kept: bool) -> None:
    """Say beforehand about how long claims of the ledger take, from some of them, whose answers are kept."""
    from boundcheck.cli.terminal.beforehand import say_beforehand
    from boundcheck.proofs import prove as decide

    some = names[:: len(names) // _TIMED]
    began = time.process_time()
    decide(some, kept=kept)
    say_beforehand("prove", (time.process_time() - began) / len(some) * len(names) / workers)


def _words(fail_on: Sequence[str] | None) -> set[str]:
    """Return the verdicts that end with 1."""
    return {"refuted" if word == "false as printed" else word for word in fail_on or ()}


def _decided_files(
    files: tuple[str, ...], paper: str | None, export: Path | None, certificates: Path | None, *, trust_code: bool
) -> dict[str, list[dict[str, Any]]]:
    """Return what the kernel says of the claims of each file; all or none are claim files."""
    from boundcheck.cli.terminal.progress import after_a_while, work
    from boundcheck.errors import require
    from boundcheck.files.atomic import require_writable
    from boundcheck.proofs.language.source import former_note
    from boundcheck.proofs.search.outcomes import outcomes

    for name in files:
        require(name.endswith(".toml"), "claim", name, "a claim file, as the others are; decide the ledger's apart")
    require(paper is None, "--paper", paper, "left out, because a claim file is of no paper")
    require(export is None, "--export", export, "left out; --json prints the certificates")
    if certificates is not None:
        require_writable(certificates, folder=True)
        for name in files:
            apart = Path(name).resolve().parent != certificates.resolve()
            require(
                apart, "--certificates", certificates, f"another folder than that of {name}, which would be replaced"
            )
    found = {}
    for name in files:
        path = Path(name)
        with work(f"claims of {path.name}") as given:
            progress = after_a_while(given)
            found[name] = outcomes(path, trust_code=trust_code, certificates=certificates, progress=progress)
        if said := former_note(path):
            note(f"boundcheck: {said}")
    return found


def _print_files(found: dict[str, list[dict[str, Any]]], fail_on: set[str], *, json: bool) -> int:
    from boundcheck.proofs.language.claim import NOT_LEGAL

    if json:
        print_json([{"file": name, **one} for name, claims in found.items() for one in claims])
    else:
        for name, claims in found.items():
            verdicts = [one["verdict"] for one in claims]
            counts = ", ".join(f"{verdicts.count(v)} {v}" for v in dict.fromkeys(verdicts))
            print_table(f"{name}: {counts or 'no claims'}", _FILE_COLUMNS, [_file_row(one) for one in claims])
    words = fail_on | ({"conditional"} if "undecided" in fail_on else set())
    illegal = [one for claims in found.values() for one in claims if one["verdict"] == NOT_LEGAL]
    for one in illegal:
        note(f"boundcheck: {one['why']}")
    if illegal:
        return BAD_INPUT
    return code_of((one["verdict"] for claims in found.values() for one in claims), words)


def _file_row(one: dict[str, Any]) -> list[str]:
    witness = list_values(one["witness"] or {})
    taken, below = ", ".join([*one["inherited"], *one["apart_from"]]), ", ".join(one["stands_on"])
    missing = witness or one["why"] or _found_besides(one)
    if one.get("satisfiable") is False:
        missing = f"{NOT_SEEN}; {missing}" if missing else NOT_SEEN
    return [one["id"], mark(one["verdict"]), one["trust"], one["statement"], missing, below, taken]


def _found_besides(one: dict[str, Any]) -> str:
    """Return what the search has found beside what a proved claim says: steps, weights, and steps without weight."""
    parts = [f"with the steps {'; '.join(one['added'])}"] if one.get("added") else []
    if one.get("weights_searched"):
        weights = (f"{step.partition(' : ')[0]} : {by}" for step, by in one["weights"])
        parts.append(f"weights: {'; '.join(weights)}")
    used = {step for step, by in one.get("weights", ()) if by != "0"}
    if idle := [step for step, _ in one.get("weights", ()) if step not in used]:
        parts.append(f"of no use: {'; '.join(dict.fromkeys(idle))}")
    return ", ".join(parts)


def _choose_names(claims: tuple[str, ...], paper: str | None) -> tuple[list[str], list[str]]:
    """Return the names of claims, and of bounds that have a whole proof and are no line of the ledger."""
    from boundcheck.errors import UnknownNameError, require
    from boundcheck.notation import PAPERS
    from boundcheck.proofs import CLAIMS
    from boundcheck.proofs.chain.whole.proof import PROOFS

    if paper is not None and paper not in PAPERS:
        raise UnknownNameError("paper", paper, PAPERS)
    names = list(claims or CLAIMS)
    for name in claims:
        require(name not in PAPERS, "claim", name, f"a claim; --paper {name} decides those of that paper")
        fits = name not in CLAIMS or paper in (None, CLAIMS[name].paper)
        require(fits, "--paper", paper, f"the paper of {name}, or left out")
    fitting = [n for n in names if n not in CLAIMS or paper in (None, CLAIMS[n].paper)]
    whole = [n for n in fitting if n not in CLAIMS and n in PROOFS]
    return [n for n in fitting if n not in whole], whole


def _data(proof: Proof, standing: Standing) -> dict[str, Any]:
    data: dict[str, Any] = plain(proof)
    return data | {"steps": standing.steps, "rests_on": standing.rests_on, "falls_with": standing.falls_with}


def _print_ledger(proofs: list[Proof], standing: dict[str, Standing]) -> None:
    for paper in dict.fromkeys(proof.paper for proof in proofs):
        mine = [proof for proof in proofs if proof.paper == paper]
        verdicts = [proof.verdict for proof in mine]
        counts = ", ".join(f"{verdicts.count(v)} {v}" for v in dict.fromkeys(verdicts))
        whole = sum(standing[proof.id].steps == "proved" for proof in mine)
        print_table(
            f"{paper}: {counts}; of {whole} the steps that the paper names are proved, too",
            _COLUMNS,
            [_row(p, standing) for p in mine],
        )
    _print_headline({proof.id: proof.verdict for proof in proofs})


def _print_headline(verdicts: dict[str, str]) -> None:
    """Say of the whole ledger what came out about the lines that are printed, and of the theorems."""
    from boundcheck.proofs import CLAIMS

    if not set(verdicts) >= set(CLAIMS):
        return
    from boundcheck.bounds import BOUNDS
    from boundcheck.proofs.ledger.classes import headline
    from boundcheck.verdicts.status import of_bound

    printed = [of_bound(name).status for name, bound in BOUNDS.items() if bound.form == "printed"]
    counts = ", ".join(f"{printed.count(word)} {word}" for word in dict.fromkeys(printed))
    say(f"{headline(CLAIMS, verdicts)}.")
    say(f"{len(printed)} printed theorems, corollaries and lemmas: {counts}.")


def _row(p: Proof, standing: dict[str, Standing]) -> list[str]:
    found = f"at most {number(p.slack)}" if p.slack is not None else ""
    found = found or list_values(p.witness or {})
    found = found or (p.detail if p.verdict in ("undecided", "vacuous") else "")
    return [p.id, mark(p.verdict), mark(standing[p.id].steps), p.prover, p.trust, found, p.repaired_by or ""]


def _certify(claims: Iterable[Claim], whole: Sequence[str], folder: Path) -> None:
    from boundcheck.proofs.chain.whole.assembly import certificates_of, count_trusted
    from boundcheck.proofs.chain.whole.proof import PROOFS
    from boundcheck.proofs.ledger.certify import best, write
    from boundcheck.proofs.search.accepted import write_page

    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    own = {claim.id: best(claim) for claim in claims}
    for name, made in own.items():
        count += len(made)
        if made:
            write(made, folder / f"{name}.json")
    for name in (*own, *whole):
        if name in PROOFS:
            proof = certificates_of(name)
            count += len(proof)
            if proof:
                write(proof, folder / f"{name}.proof.json")
                rules = ", ".join(f"{times} {rule}" for rule, times in count_trusted(proof).items())
                note(f"{name}: the certificates of the whole bound trust {rules}")
            note(f"{name}: wrote {write_page(name, folder / 'kernel')} and its proof object, which trust leaves alone")
    note(f"wrote {count} {'certificate' if count == 1 else 'certificates'} to {folder}")


def _export(claims: Iterable[Claim], folder: Path) -> None:
    from boundcheck.proofs.ledger.export import write

    files = [file for claim in claims for file in write(claim, folder)]
    note(f"wrote {len(files)} {'file' if len(files) == 1 else 'files'} to {folder}")
