"""What is looked up: findings, words and letters, regimes, comparison tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from boundcheck.api.names import bound_name, can_only_be_problem, matching_name, problem_object, wholes
from boundcheck.api.results import Results
from boundcheck.errors import InputError, NotApplicableError, UnknownNameError, alike, require

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boundcheck.bounds.comparison import Table
    from boundcheck.bounds.regimes import Regime
    from boundcheck.findings import Finding
    from boundcheck.glossary import GlossaryEntry
    from boundcheck.problems import Problem


def findings(
    name: str | None = None,
    *,
    severity: Literal["statement", "step", "sentence"] | None = None,
    loose: bool = False,
) -> Results[Any]:
    """Return what is wrong in the papers: all findings, those of a paper, or one.

    Parameters
    ----------
    name : str, optional
        A paper (fedlalr) or a finding (momentum-fl-e1).
    severity : str, optional
        Only statements, steps of proofs, or sentences of the text.
    loose : bool
        The theorems that are true and more than twice a machine's theorem, in their place.

    Returns
    -------
    Results of Finding, or of LooseBound

    Raises
    ------
    InputError
        If there is no such paper, finding or severity.

    Examples
    --------
    >>> import boundcheck as bc
    >>> bc.findings("momentum-fl-e1")[0].kind
    'substance'
    """
    from boundcheck.findings import SEVERITIES
    from boundcheck.findings import findings as every
    from boundcheck.notation import PAPERS

    if loose:
        require(name is None, "name", name, "left out with loose")
        require(severity is None, "severity", severity, "left out with loose")
        from boundcheck.evidence.slack.loose import loose_bounds

        return Results(loose_bounds(), "loose theorems")
    require(severity is None or severity in SEVERITIES, "severity", severity, ", ".join(SEVERITIES))
    found = [one for one in every() if severity in (None, one.severity)]
    if name is not None:
        name = matching_name("paper or finding", name, [*PAPERS, *(one.id for one in every())])
        found = [one for one in found if name in (one.paper, one.id)]
    return Results(found, name or "findings")


def script_of(finding: Finding) -> str:
    """Return Python that shows a finding: its script, which needs numpy alone, or the replay of a claim that it names.

    Raises
    ------
    NotApplicableError
        If it has neither.
    """
    import re

    from boundcheck.files.resources import folder
    from boundcheck.proofs import CLAIMS, prove

    linked = re.search(r"\(findings/(\w+\.py)\)", finding.written.get("shown", ""))
    if linked is not None:
        return (folder("docs") / "findings" / linked[1]).read_text(encoding="utf-8")
    for name in finding.names:
        if name in CLAIMS and (replay := prove([name])[0].replay):
            return f"# {finding.cite_key}: {finding.where}; the claim {name}\n{replay.rstrip()}\n"
    msg = f"finding {finding.id}: there is neither a script nor a claim with a witness; its page says what shows it"
    raise NotApplicableError(msg)


def explain(
    word: str,
    problem: Problem | str | None = None,
    *,
    N: float | None = None,
    K: float | None = None,
    T: float | None = None,
    S: float | None = None,
    b: float = 1,
    set_: Mapping[str, Any] | None = None,
) -> Results[GlossaryEntry] | Results[Regime]:
    """Say what a word means here, or which regime a bound is in on a problem.

    With a problem the word is a bound, or a method, of which all bounds are asked: what descent, drift and noise
    contribute, what twice as many clients, steps or rounds buy, and which steps the theorem allows.  Nothing is run.

    Parameters
    ----------
    word : str
        A term (vacuous), the ending of a bound's name (-printed), or a letter (zeta); in any case, or a part of it.
        With a problem: a bound or a method.
    problem : Problem or str, optional
        A problem, its name, or a path to a .toml file.
    N, K, T, S, b : int
        The setting, with a problem.
    set_ : mapping, optional
        Steps of the bound to use in place of the prescribed ones.

    Returns
    -------
    Results of GlossaryEntry, or of Regime

    Raises
    ------
    InputError
        If there is no such word, or a number is missing or not legal.
    NotApplicableError
        If none of the bounds goes with the problem.

    Examples
    --------
    >>> import boundcheck as bc
    >>> bc.explain("vacuous")[0].term
    'vacuous'
    >>> bc.explain("momentum-fl.theorem11", "ridge-ratio", N=4, K=2, T=64)[0].dominating != ""
    True
    """
    if problem is None:
        for name, value in (("N", N), ("K", K), ("T", T), ("S", S), ("set_", set_)):
            require(not value, name, value, "left out without a problem")
        return Results(meanings(word), word)
    found, refused = regimes(word, problem, N=N, K=K, T=T, S=S, b=b, set_=set_)
    if not found:
        raise NotApplicableError(refused[0])
    return Results(found, f"{word} on {problem if isinstance(problem, str) else problem.name}")


def meanings(word: str) -> list[GlossaryEntry]:
    """Return the entries of the glossary that a word has, a letter of the notation as one of them.

    Raises
    ------
    UnknownNameError
        If it has none.
    """
    from boundcheck.glossary import GlossaryEntry, words
    from boundcheck.notation import LETTERS

    require(isinstance(word, str), "word", word, "a word, a letter or a name")
    terms = {term.lower(): entry for term, entry in words().items()}
    asked = word.lower()
    exact = [terms[asked]] if asked in terms else []
    letter = LETTERS.get(word)
    near = [entry for term, entry in terms.items() if asked and asked in term] if not exact and letter is None else []
    if not exact and not near and letter is None:
        raise UnknownNameError("word", word, [*words(), *LETTERS])
    order = alike(word, [entry.term for entry in near])
    found = exact + sorted(near, key=lambda entry: order.index(entry.term))
    return found + ([GlossaryEntry(word, letter.meaning, "")] if letter is not None else [])


def regimes(
    word: str, problem: Problem | str, *, N: Any, K: Any, T: Any, S: Any, b: Any, set_: Mapping[str, Any] | None
) -> tuple[list[Regime], list[str]]:
    """Return the regimes of a bound, or of all bounds of a method, and why others do not go with the problem.

    Raises
    ------
    InputError
        If N, K or T is left out, or there is no such bound or method.
    """
    from boundcheck.bounds import BOUNDS
    from boundcheck.evidence.checks.regime import regime

    if (
        isinstance(problem, str)
        and word not in BOUNDS
        and can_only_be_problem(word)
        and not can_only_be_problem(problem)
    ):
        word, problem = problem, word
    N = problem.N if N is None and not isinstance(problem, str) else N
    for name, value in (("N", N), ("K", K), ("T", T)):
        require(value is not None, name, value, "a number, as the regime is that of a setting")
    at = wholes({"K": K, "T": T, "S": S, "b": b})
    names = bounds_meant(word)
    loaded = problem_object(problem, N)
    found, refused = [], []
    for name in names:
        try:
            found.append(regime(name, loaded, overrides=dict(set_ or {}), **at))
        except NotApplicableError as error:
            refused.append(str(error))
    return found, refused


def bounds_meant(word: str, resolve: Callable[[str], str] = bound_name) -> list[str]:
    """Return a bound, whose name `resolve` makes whole, or the explicit bounds of a method.

    Raises
    ------
    InputError
        If it is neither, or no bound with explicit constants is about the method.
    """
    from boundcheck.bounds import BOUNDS
    from boundcheck.methods import METHODS

    if word in BOUNDS or word not in METHODS:
        return [resolve(word)]
    name = METHODS.own_name(word)
    every = [*BOUNDS, *BOUNDS.further]
    found = [one for one in every if BOUNDS[one].method == name and BOUNDS[one].kind == "explicit"]
    if not found:
        guarantee = (METHODS[name].__doc__ or "").partition("**Guarantee**: ")[2].partition("\n\n")[0]
        hint = f"; its card says: {' '.join(guarantee.split())}" if guarantee else ""
        msg = f"explain: no bound with explicit constants is about {name}{hint}"
        raise InputError(msg)
    return found


class ComparisonTable(Results[dict[str, Any]]):
    """A comparison table of a paper, a row a method.

    Attributes
    ----------
    about : str
        The table.
    constants : dict
        Where it is evaluated.
    takeovers : list of dict
        Where the cheapest row changes along a letter, if that was asked.
    winners : dict or None
        Who wins where over two letters, if that was asked.
    """

    constants: dict[str, float]
    takeovers: list[dict[str, Any]]
    winners: dict[str, Any] | None


def table(
    name: str,
    *,
    set_: Mapping[str, float] | None = None,
    by: Literal["rounds", "samples"] = "rounds",
    form: Literal["printed", "ours"] = "printed",
    over: Sequence[str] | str | None = None,
    along: str | None = None,
) -> ComparisonTable:
    """Return a comparison table of a paper: cost as printed, powers, value at common constants, and what is guaranteed.

    Hidden constants are taken as 1 on every row alike.

    Parameters
    ----------
    name : str
        Name of a table: ``boundcheck list tables``.
    set_ : mapping, optional
        Constants, such as ``{"sigma": 2}``.
    by : str
        Rank by "rounds", or by "samples": gradients of all clients that take part.
    form : str
        The rows as "printed", or "ours" in the place of those that a cited or derived one replaces.
    over : two letters, optional
        Say who wins where.
    along : str, optional
        A letter: say where the winner changes along it.

    Returns
    -------
    ComparisonTable

    Raises
    ------
    InputError
        If a name or number is not legal.

    Examples
    --------
    >>> import boundcheck as bc
    >>> bc.table("fmgda.table1").frame.columns[0]
    'row'
    """
    from boundcheck.bounds.comparison import dial, replace_constants, table_named, takeovers, winners_map

    for key, value, legal in (("by", by, ("rounds", "samples")), ("form", form, ("printed", "ours"))):
        require(value in legal, key, value, ", ".join(legal))
    found, changes = table_named(name), dict(set_ or {})
    for letter, number in changes.items():
        require(isinstance(number, (int, float)), letter, number, "a number")
    made = ComparisonTable(rows_of_table(found, changes, by, form), f"{found.title} ({found.paper}, {found.where})")
    made.constants, made.takeovers, made.winners = replace_constants(found, changes), [], None
    if along:
        require(along in found.constants, "along", along, f"one of {', '.join(found.constants)}")
        ends = dial(found, along)
        moved = takeovers(found, along, min(ends), max(ends), changes, by=by, form=form)
        made.takeovers = [vars(change) for change in moved]
    if over:
        x, y = (*over.split(","), "")[:2] if isinstance(over, str) else over
        legal_letters = f"two letters of {', '.join(found.constants)}, as in sigma,zeta"
        require(x in found.constants and y in found.constants, "over", over, legal_letters)
        made.winners = vars(winners_map(found, x, y, dial(found, x, 9), dial(found, y, 9), changes, by=by, form=form))
    return made


def rows_of_table(found: Table, changes: Mapping[str, Any], by: Any, form: Any) -> list[dict[str, Any]]:
    """Return the rows of a table, the cheapest first, as plain data."""
    from boundcheck.bounds.comparison import guaranteed_rounds, powers_of, ranking, replace_constants
    from boundcheck.sweep.compare.standings import standing_of

    at = replace_constants(found, dict(changes))
    return [
        {
            "row": row.id,
            "title": row.title,
            "method": row.method,
            "form": row.form,
            "printed": _cost_text(row),
            "powers": ", ".join(f"{power} {name}" for name, power in powers_of(row).items()),
            "rounds": cost.rounds,
            "samples": cost.samples,
            "guaranteed": guaranteed_rounds(row, at),
            "measured": standing_of(row.method),
            "note": row.note,
        }
        for row, cost in ranking(found, dict(changes), by=by, form=form)
    ]


def _cost_text(row: Any) -> str:
    if row.complexity:
        return ", ".join(f"{expression} {name}" for name, expression in row.complexity.items())
    return " + ".join(str(term) for term in row.terms.values())
