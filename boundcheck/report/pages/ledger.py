"""The steps of the proofs that were decided, and the witnesses against those that are false."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from boundcheck.bounds import BOUNDS
from boundcheck.findings.places import place_words
from boundcheck.proofs import CLAIMS
from boundcheck.proofs.ledger.tree import standings
from boundcheck.report.pages.papers import in_order, short
from boundcheck.report.pages.status import status
from boundcheck.report.theorems import place
from boundcheck.report.typst.markup import anchor, badge, box, code, escape, paper_title, prose, table
from boundcheck.report.typst.statements import line_math, statement_math

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.proofs import Claim, Proof
    from boundcheck.proofs.ledger.tree import Standing
    from boundcheck.verdicts.words import ProverWord


def ledger(claims: Sequence[Proof], *, full: bool = True) -> str:
    """Return the section on claims, a part a paper: what its statements stand on, and the steps.

    Parameters
    ----------
    claims : sequence of Proof
    full : bool
        Every step, and a box with witness and replay for every refuted one; else a table of the refuted ones.
    """
    parts = ["= Steps of the proofs\n", INTRODUCTION]
    for paper in in_order(p.paper for p in claims):
        mine = [p for p in claims if p.paper == paper]
        refuted = [p for p in mine if p.verdict == "refuted"]
        parts += [f"== {paper_title(paper)}\n", _counts(mine)]
        if full:
            parts += [_roots(mine, claims), "=== Steps\n", _table(mine)]
        if refuted:
            parts.append("=== Refuted steps\n")
            parts += [_refutation_of(p) for p in refuted] if full else [_weighty(refuted, claims)]
    return "\n".join(parts)


def _weighty(refuted: Sequence[Proof], everything: Sequence[Proof]) -> str:
    """Return the refuted lines on which another line or a theorem rests, and how many slips there are besides."""
    standing = standings(CLAIMS, [p for p in everything if p.id in CLAIMS])
    against = {claim for bound in BOUNDS.values() for claim in bound.refuted_by}
    heavy = [p for p in refuted if p.id in against or (p.id in standing and standing[p.id].falls_with)]
    slips = len(refuted) - len(heavy)
    words = f"{slips} more are slips on which nothing rests: `docs/refuted.md` lists them.\n" if slips else ""
    return (_table(heavy) if heavy else "") + words


def lines(claims: Sequence[Proof]) -> str:
    """Return the refuted lines on which a theorem or another line rests, with what is printed and what is true.

    Papers stand in the order of the notation; what nothing rests on is counted.
    """
    parts = ["= Lines of the proofs that are false\n", LINES]
    standing = standings(CLAIMS, [p for p in claims if p.id in CLAIMS])
    for paper in in_order(p.paper for p in claims):
        mine = [p for p in claims if p.paper == paper]
        refuted = [p for p in mine if p.verdict == "refuted"]
        heavy = sorted((p for p in refuted if _weight(p, standing)), key=lambda p: -_weight(p, standing))
        parts += [f"== {escape(short(paper))}\n{anchor(place('lines', paper))}", _counts(mine)]
        if heavy:
            rows = [
                [str(_weight(p, standing)), f"#text(8pt)[#emph[{escape(_place(p))}:] {_title(p.id)}]", *_formulas(p)]
                for p in heavy
            ]
            head = ["Rests", "Line", "Printed", "True instead"]
            parts.append("#tight[" + table(head, rows, "(auto, 1.1fr, 1.6fr, 2.1fr)") + "]\n")
    return "\n".join(parts)


_LONGEST = 300
"""Characters of a statement in a cell of a table."""
LINES = """\
_Rests_: how many lines and theorems fall with it; a slip on which nothing rests is only counted. _Supported_: a search
could not break it, which is no proof. `boundcheck show` prints each line with a witness that plain numpy replays,
`docs/refuted.md` lists all.
"""


def _weight(proof: Proof, standing: Mapping[str, Standing]) -> int:
    """Return the number of lines that fall with a line, and of bounds that it refutes."""
    falls = len(standing[proof.id].falls_with) if proof.id in standing else 0
    return falls + sum(proof.id in bound.refuted_by for bound in BOUNDS.values())


def _formulas(proof: Proof) -> list[str]:
    """Return the printed statement and the one that is true, set so that fractions keep off the rules."""
    claim, repaired = CLAIMS.get(proof.id), CLAIMS.get(proof.repaired_by or "")
    return [f"#printed-sum[{_cell_markup(c)}]" if c else "--" for c in (claim, repaired)]


def _cell_markup(claim: Claim) -> str:
    """Return what is decided, or where to read it whole if it is too long for a cell of a table."""
    if sum(map(len, claim.printed)) <= _LONGEST:
        return _statement_markup(claim)
    words = f"#text(8pt)[#emph[in words:] {prose(claim.prose)}]; " if claim.prose else ""
    return f"{words}#text(8pt)[#emph[what is decided is long, see] `boundcheck show {claim.id}`]"


def _statement_markup(claim: Claim) -> str:
    """Return what is decided as typeset mathematics; of a search or an enumeration the words, as words."""
    return statement_math(claim) or f"#text(8pt)[#emph[in words:] {prose(claim.prose)}]"


INTRODUCTION = """\
A step is _proved_ by an exact prover, for all parameters and in every dimension: an identity, a Gram form that is
positive semidefinite, real arithmetic, monotonicity, or exact sampling moments. A _refuted_ step comes with a witness
that plain numpy replays. _Supported_: a search for the largest left-hand side over right-hand side stayed below 1.
_Undecided_: no prover gave an answer. The steps of a line are those that the printed proof names; that they imply the
line is decided only where a whole proof exists. A line that ends the proof of a theorem is not yet the theorem: where a
bound has the name of a line, its own status is beside.
`boundcheck show` prints a step with its witness and its tree; `boundcheck report ledger` typesets all of them.
"""


def _counts(mine: Sequence[Proof]) -> str:
    found = Counter(p.verdict for p in mine)
    rests = Counter(p.trust for p in mine if p.verdict == "proved")
    verdicts = ", ".join(f"{n} {badge(verdict)}" for verdict, n in found.items())
    words = f"; proofs rest on: {', '.join(f'{escape(word)} ({n})' for word, n in rests.items())}" if rests else ""
    return f"#lead-in[{len(mine)} steps: {verdicts}{words}.]\n"


def _place(proof: Proof) -> str:
    return place_words(proof.paper, proof.where)


def _title(claim: str) -> str:
    return prose(CLAIMS[claim].title) if claim in CLAIMS else ""


def _short(claim: str) -> str:
    return code(claim.partition(".")[2])


def _table(proofs: Sequence[Proof]) -> str:
    rows = [
        [
            f"{_title(p.id)} {_short(p.id)}",
            escape(_place(p)),
            badge(p.verdict) + (f" #linebreak() repaired by {_short(p.repaired_by)}" if p.repaired_by else ""),
            escape(p.prover),
            escape(p.trust),
        ]
        for p in proofs
    ]
    return table(["Step", "Where", "Verdict", "Prover", "Rests on"], rows, "(2.3fr, 1.2fr, 1.2fr, auto, 1fr)")


def _roots(mine: Sequence[Proof], everything: Sequence[Proof]) -> str:
    """Return what the theorems stand on: the claims with steps that are no step of another one."""
    standing = standings(CLAIMS, [p for p in everything if p.id in CLAIMS])
    verdicts = {p.id: p.verdict for p in everything}
    rows = [
        [
            f"{_title(p.id)} {_short(p.id)}",
            str(len(found.rests_on)),
            badge(_standing(found, verdicts)),
            status(p.id) if p.id in BOUNDS else "--",
            ", ".join(map(_short, found.broken)) or ", ".join(map(_short, found.open)),
        ]
        for p in mine
        if (found := standing.get(p.id)) and CLAIMS[p.id].steps and not found.falls_with
    ]
    if not rows:
        return ""
    head = ["Line", "Steps below", "It and its steps", "Bound of this name", "Because of"]
    return "=== What the statements use, as printed\n" + table(head, rows, "(2fr, auto, auto, auto, 1.3fr)")


def _standing(found: Standing, verdicts: Mapping[str, ProverWord]) -> ProverWord:
    """Return the weakest verdict among a statement and its steps."""
    if found.steps != "open":
        return found.steps
    return "supported" if all(verdicts.get(name) == "supported" for name in found.open) else "undecided"


def _refutation_of(proof: Proof) -> str:
    claim = CLAIMS.get(proof.id)
    title = _title(proof.id) or code(proof.id)
    body = [f"{badge(proof.verdict)} #h(0.6em) #strong[{title}], {escape(_place(proof))}\n"]
    if claim is not None:
        body.append(f"Decided: {_statement_markup(claim)}\n")
        if claim.printed_given:
            given = getattr(claim.goal, "given", ())
            body.append(f"Given: {'; '.join(line_math(line, claim.renaming) for line in given)}\n")
        if claim.hypotheses:
            body.append(f"In words, it assumes: {prose('; '.join(claim.hypotheses))}\n")
        if claim.prose and claim.printed:
            body.append(f"The line in the paper's notation, which is not decided: {prose(claim.prose)}\n")
    if proof.witness:
        body.append(f"Fails at {prose(spelled_witness(proof.witness))}: {prose(proof.detail)}\n")
    if proof.replay:
        body.append(code(proof.replay, block=True) + "\n")
    if proof.repaired_by and proof.repaired_by in CLAIMS:
        repaired = CLAIMS[proof.repaired_by]
        body.append(f"True instead ({_short(proof.repaired_by)}): {_statement_markup(repaired)}\n")
    return box("\n".join(body))


def spelled_witness(witness: object) -> str:
    """Return the letters of a witness with their values."""
    pairs = dict(witness)  # type: ignore[call-overload]
    return ", ".join(
        f"{k} = ({', '.join(map(str, v))})" if isinstance(v, tuple) else f"{k} = {v}" for k, v in pairs.items()
    )
