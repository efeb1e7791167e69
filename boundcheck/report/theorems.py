"""Theorems as a reader meets them: the printed statement and its other forms together, with what is known of each."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import TYPE_CHECKING

from boundcheck.bounds import BOUNDS
from boundcheck.bounds.forms import statement_key
from boundcheck.bounds.orders import exponents
from boundcheck.errors import BoundcheckError
from boundcheck.evidence.checks.survey import survey
from boundcheck.files.own import is_reference
from boundcheck.findings import KINDS_BY_WEIGHT, fault_kinds
from boundcheck.notation import PAPERS
from boundcheck.sweep import shipped_summary
from boundcheck.verdicts.status import of_bound

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from boundcheck.evidence.checks.exponents import Fit
    from boundcheck.evidence.checks.survey import SurveyLine
    from boundcheck.evidence.statistics.verdict import Verdict
    from boundcheck.sweep import StudyResult
    from boundcheck.verdicts.words import Status

_AGAIN = re.compile(r"Theorem (\d+) \(= Theorem (\d+)\)")
"""How a bound says that a statement of an appendix is one of the main text."""
_SHORT = 40
"""Letters of what heads a row at most."""
TRUE: tuple[Status, ...] = ("proved", "not contradicted")


@dataclass(frozen=True)
class RatioRange:
    """Measured over right-hand side of one bound, over the cells in which it says something, or over all."""

    bound: str
    least: float
    worst: float
    informative: bool
    """Whether the bound says something in some cell."""
    values: tuple[float, ...] = ()
    """The ratios of this report's cells; none where the range is that of the shipped audit."""
    weak: bool = False
    """Whether it says nothing because no run on the problem is as large, though it is below the trivial bound."""

    @property
    def looseness(self) -> tuple[float, float | None, float]:
        """Return the right-hand side over what is measured in the best, the median and the worst cell."""
        middle = 1 / median(self.values) if self.values and min(self.values) > 0 else None
        least, worst = (1 / value if value > 0 else math.inf for value in (self.worst, self.least))
        return least, middle, worst


@dataclass(frozen=True)
class Theorem:
    """One theorem, corollary, lemma or remark, in all its forms."""

    paper: str
    key: str
    """What its forms have in common in their names."""
    name: str
    """Number in words, that of the main text first: "Theorem 3 (= 19)"."""
    title: str
    forms: tuple[str, ...]
    """Names of its bounds."""

    @property
    def printed_forms(self) -> tuple[str, ...]:
        """The forms that the paper prints; what its proof gives, where the statement itself is not registered."""
        given = tuple(name for name in self.forms if BOUNDS[name].form == "printed")
        return given or tuple(name for name in self.forms if BOUNDS[name].form == "proof") or self.forms

    @property
    def place(self) -> str:
        """The label of its page."""
        return place("theorem", f"{self.paper}-{self.key}")

    @property
    def row(self) -> str:
        """The label of its row in the table of theorems, which every report has."""
        return place("row", f"{self.paper}-{self.key}")

    @property
    def status(self) -> Status:
        """The status of what is printed: false if one printed form is."""
        found = [of_bound(name).status for name in self.printed_forms]
        order: tuple[Status, ...] = (
            "false as printed",
            "false at other parameters",
            "not contradicted",
            "proved",
            "open",
        )
        return next(word for word in order if word in found)

    @property
    def fault(self) -> str:
        """The kind of its weightiest fault (`boundcheck.findings.KINDS`), nothing where no finding is about it."""
        known = fault_kinds()
        mine = [known[name] for name in self.printed_forms if name in known]
        return min(mine, key=KINDS_BY_WEIGHT.index, default="")

    @property
    def true(self) -> tuple[str, ...]:
        """The forms that nothing contradicts."""
        return tuple(name for name in self.forms if of_bound(name).status in TRUE)

    @property
    def repairs(self) -> tuple[str, ...]:
        """What may be used in place of a statement that is false."""
        return tuple(name for name in self.true if name not in self.printed_forms)

    @property
    def keeps_its_order(self) -> bool:
        """Whether a repair falls with T, N, K and S by the powers by which what is printed falls."""
        printed = {_order(name) for name in self.printed_forms}
        return any(order[0] < 0 and order in printed for order in map(_order, self.repairs))

    def because(self, kind: str) -> list[str]:
        """Return the grounds of one kind ("study", "claim") on which a printed form is false."""
        grounds = [ground for name in self.printed_forms for ground in of_bound(name).because]
        return [ground.partition(":")[2] for ground in dict.fromkeys(grounds) if ground.startswith(f"{kind}:")]


@cache
def _order(name: str) -> tuple[float, ...]:
    """Return the powers of T, N, K and S by which a bound falls."""
    try:
        found = exponents(BOUNDS[name])
    # Nothing is known to have the order of a formula of which none is known.
    except BoundcheckError:
        return (0.0,) * 4
    return tuple(float(power) for power in (found.T, found.N, found.K, found.S))


def theorems(names: Iterable[str]) -> list[Theorem]:
    """Return the theorems that bounds are forms of, paper by paper in the order of the notation."""
    groups: dict[tuple[str, str], list[str]] = {}
    for name in names:
        groups.setdefault((BOUNDS[name].paper, statement_key(name)), []).append(name)
    order = {paper: i for i, paper in enumerate(PAPERS)}
    ranked = sorted(groups.items(), key=lambda group: (order.get(group[0][0], len(order)), _natural(group[0][1])))
    return [
        Theorem(paper, key, _words(paper, key, forms), BOUNDS[forms[0]].title.partition(",")[0], tuple(forms))
        for (paper, key), forms in ranked
    ]


def form(name: str) -> str:
    """Return what tells a bound from those of its paper, or of its file: the end of its name."""
    return name.rpartition(":")[2] if is_reference(name) else name.partition(".")[2] or name


def place(kind: str, name: str) -> str:
    """Return the label of a page about something of this kind and name."""
    return f"{kind}-{''.join(c if c.isalnum() else '-' for c in name)}"


def whole(names: Iterable[str]) -> list[Theorem]:
    """Return the theorems that bounds are forms of, with all registered forms: a status is that of what is printed."""
    wanted = dict.fromkeys(names)
    return [found for found in theorems(dict.fromkeys([*BOUNDS, *wanted])) if wanted.keys() & set(found.forms)]


def theorem_of(bound: str) -> Theorem:
    """Return the theorem that a bound is a form of, with all registered forms."""
    return whole([bound])[0]


@cache
def _main_numbers() -> dict[tuple[str, str], str]:
    """Return the number in the main text of theorems that an appendix states again under another one."""
    said = [(bound.paper, _AGAIN.search(bound.where)) for bound in BOUNDS.values()]
    return {(paper, f"theorem{found[1]}"): found[2] for paper, found in said if found}


def _natural(key: str) -> tuple[int, str, int, str]:
    """Sort theorems before corollaries, lemmas and remarks, by number."""
    found = re.fullmatch(r"([a-z-]*?)(\d+)(.*)", key)
    kinds = {"theorem": 0, "corollary": 1, "lemma": 2, "remark": 3}
    return (kinds.get(found[1], 4), found[1], int(found[2]), found[3]) if found else (4, key, 0, "")


def _words(paper: str, key: str, forms: Sequence[str]) -> str:
    found = re.fullmatch(r"(theorem|lemma|corollary|remark)(\d+)(-alt)?", key)
    if found:
        main = _main_numbers().get((paper, found[1] + found[2]))
        number = f"{main} (= {found[2]})" if main else found[2]
        return f"{found[1].capitalize()} {number}{', second rate' if found[3] else ''}"
    return "Appendix C" if key == "appendix-c" else _where(BOUNDS[forms[0]].where) or form(forms[0])


def _where(where: str) -> str:
    """Return where a theorem of the user's own stands: its number if one is named, else all that is short enough."""
    numbered = re.search(r"\b(?:Theorem|Lemma|Corollary|Proposition|Claim|Remark|Equation)s? [\w.]*\w", where)
    first = where.partition(",")[0]
    return numbered[0] if numbered else where if len(where) <= _SHORT else first


def ratios(results: Sequence[StudyResult]) -> dict[str, RatioRange]:
    """Return the ratios of every explicit bound: over the cells of these studies, else those of the shipped audit."""
    found = {name: _audited_ratio(name, row) for name, row in shipped_summary().items() if row.get("worst_ratio")}
    mine: dict[str, list[Verdict]] = {}
    for result in results:
        for name in result.study.bounds:
            if BOUNDS[name].kind == "explicit":
                mine.setdefault(name, []).extend(point.verdicts[name] for point in result.points)
    return found | {name: here for name, verdicts in mine.items() if (here := _measured_ratio(name, verdicts))}


def _audited_ratio(name: str, row: dict[str, object]) -> RatioRange:
    worst = float(str(row["worst_ratio"]))
    said = any(row.get(word) for word in ("holds", "consistent", "violated", "undecided"))
    return RatioRange(name, float(str(row.get("least_ratio") or worst)), worst, informative=said)


def _measured_ratio(name: str, verdicts: Sequence[Verdict]) -> RatioRange | None:
    there = [v for v in verdicts if v.ratio is not None and v.verdict != "not applicable"]
    if not there:
        return None
    says = [v for v in there if v.verdict != "vacuous"]
    values = sorted(v.ratio for v in says or there if v.ratio is not None)
    weak = not says and any(v.rhs is not None and v.vacuity is not None and v.rhs < v.vacuity for v in there)
    return RatioRange(name, values[0], values[-1], bool(says), tuple(values), weak)


@cache
def promised_by(name: str) -> SurveyLine:
    """Return what a bound promises, worked out once a process."""
    return survey(BOUNDS[name])


def silence(ratio: RatioRange) -> str:
    """Return why a bound says nothing in any cell, in the words of `SILENCE`."""
    if ratio.weak:
        return "too weak for this problem"
    told = promised_by(ratio.bound)
    if told.at_zero and told.informative_from:
        return f"vacuous in every cell, on any run below T = {told.informative_from:,}"
    return told.silence or "vacuous in every cell"


def tightest(theorem: Theorem, known: dict[str, RatioRange]) -> RatioRange | None:
    """Return the ratio of the form that measurements come closest to among those that nothing contradicts.

    Forms that this report measured go before those of the shipped audit.
    """
    found = [known[name] for name in theorem.true if name in known]
    return max(found, key=lambda ratio: (bool(ratio.values), ratio.informative, ratio.worst), default=None)


def fitted_exponents(theorem: Theorem, results: Sequence[StudyResult]) -> list[Fit]:
    """Return the exponents that studies of a theorem's forms fitted."""
    return [fit for r in results if r.study.bounds[0] in theorem.forms for _, fit in r.fits]
