"""The commands `findings` and `explain`: what the audit found, and what a word means."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from boundcheck.cli.terminal.options import Assign, Json, ProblemName, Whole, names_of
from boundcheck.cli.terminal.output import note, print_card, print_json, print_table, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.findings import Finding

Severity = Annotated[
    Literal["statement", "step", "sentence"] | None,
    Parameter(name="--severity", negative="", help="Only statements, steps of proofs, or sentences of the text."),
]
Loose = Annotated[bool, Parameter(name="--loose", negative="")]
ScriptFile = Annotated[
    Path | None,
    Parameter(name="--script", negative="", help="Write what shows one finding to this file, a script in numpy."),
]


def findings(
    name: Annotated[str, names_of("papers", "findings")] | None = None,
    /,
    *,
    severity: Severity = None,
    script: ScriptFile = None,
    loose: Loose = False,
    json: Json = False,
) -> None:
    """List what is wrong in the papers, or show the findings of one paper, or one finding, with its repair.

    With --loose: the theorems that are true and more than twice a machine's theorem at the same steps.

    Parameters
    ----------
    name
        A paper (fedlalr) or a finding (momentum-fl-e1); everything as a list when left out.
    loose
        Theorems that are true, and loose: right-hand sides beside a machine's theorem, with its certificates in --json.
    """
    from boundcheck.cli.terminal.named import resolve_name
    from boundcheck.errors import require
    from boundcheck.findings import findings as every
    from boundcheck.findings import headline
    from boundcheck.notation import PAPERS

    if loose:
        for option, chosen in (("NAME", name), ("--severity", severity), ("--script", script)):
            require(chosen is None, option, chosen, "left out with --loose")
        _print_loose(json=json)
        return
    found = [one for one in every() if severity in (None, one.severity)]
    if name is not None:
        name = resolve_name("paper or finding", name, [*PAPERS, *(one.id for one in every())])
        found = [one for one in found if name in (one.paper, one.id)]
    if script is not None:
        write_script(found, script)
    if json:
        print_json([_data(one) for one in found])
    elif name is None:
        rows = [
            [one.id, one.paper, one.severity, one.kind, one.where, one.says.get("what it means", "")] for one in found
        ]
        columns = ("finding", "paper", "about", "kind", "where", "what it means")
        print_table(f"{len(rows)} findings; {headline()}", columns, rows, first=("about", "where", "what it means"))
    else:
        for one in found:
            _print(one)
        if not found:
            say(f"{name}: no finding of that kind")


def _print_loose(*, json: bool) -> None:
    """Print the theorems that lose more than a factor of two against a machine's theorem."""
    from boundcheck.evidence.slack.loose import loose_bounds
    from boundcheck.evidence.slack.waterfalls import LONG, SETTING

    found = loose_bounds()
    if json:
        print_json([one._asdict() for one in found])
        return
    rows = [
        [one.bound, one.method, f"{one.factor:.3g}", f"{one.long:.3g}" if one.long else "", one.all_steps]
        for one in found
    ]
    columns = ("bound", "method", f"factor, T = {SETTING['T']}", f"factor, T = {LONG}", "for all K and steps")
    print_table(f"{len(rows)} theorems are more than twice the best theorem of one round", columns, rows)


def write_script(found: Sequence[Finding], path: Path) -> None:
    """Write what shows a finding.

    Raises
    ------
    InputError
        If there is not one finding, or the file cannot be written.
    """
    from boundcheck.api.words import script_of
    from boundcheck.cli.shared.running import require_output
    from boundcheck.errors import require
    from boundcheck.files.atomic import write_whole

    require(len(found) == 1, "--script", f"{len(found)} findings", "with the name of one finding")
    require_output(path, "--script", ".py")
    write_whole(path, script_of(found[0]))
    note(f"wrote {path}; python {path} shows the finding")


def _data(one: Finding) -> dict[str, Any]:
    from boundcheck.findings import page_address

    fields = {key: value for key, value in one._asdict().items() if key != "written"}
    return {**fields, "status": status_of(one), "address": page_address(one), "cite_key": one.cite_key}


def status_of(one: Finding) -> str:
    """Return the status of what the finding names first that is false: one status a statement."""
    from boundcheck.verdicts.status import of_bound, of_claim

    words = [of(name).status for name in one.names for of in (of_claim, of_bound)]
    return "false as printed" if "false as printed" in words else ""


def _print(one: Finding) -> None:
    from boundcheck.cli.cards.cardtext import prose
    from boundcheck.findings import KINDS, page_address

    says = {key: prose(text) for key, text in one.says.items()}
    kind = f"{one.kind}: {KINDS[one.kind]}" + (f" ({one.heir_of})" if one.heir_of else "")
    said = {"about": f"a {one.severity}", "kind": kind, **says, "its authors may say": prose(one.answer)}
    entries = {**said, "names": "\n".join(one.names), "page": page_address(one)}
    entries["cite as"] = f"{one.cite_key}, noted {one.date}" if one.date else one.cite_key
    heading = f"finding {one.id}: {one.where}"
    print_card(heading, {k: v for k, v in entries.items() if v}, status=status_of(one))


def explain(
    word: Annotated[str, names_of("words", "bounds", "methods")],
    problem: ProblemName | None = None,
    /,
    *,
    N: Whole | None = None,
    K: Whole | None = None,
    T: Whole | None = None,
    S: Whole | None = None,
    b: Whole = 1,
    set_: Assign = None,
    json: Json = False,
) -> None:
    """Say what a word means here, or which regime a bound is in on a problem.

    With a problem the word is a bound, or a method, of which all bounds are asked: what descent, drift and noise
    contribute, what twice as many clients, steps or rounds buy, and which steps the theorem allows. Nothing is run.

    Parameters
    ----------
    word
        A term (vacuous), the ending of a bound's name (-printed), or a letter (zeta); in any case, or a part of it.
        With a problem: a bound or a method.
    problem
        A problem, or a path to a .toml file; may carry parameters: ridge-ratio[zeta=2].
    N
        Clients; with a problem.
    K
        Local steps a round; with a problem.
    T
        Rounds; with a problem.
    S
        Active clients a round; all when left out.
    b
        Minibatch: samples averaged in one gradient.
    set_
        A step of the bound to use in place of the prescribed one, name=value; may be repeated.
    """
    from boundcheck.cli.shared.regimes import explain_regime
    from boundcheck.errors import require

    if problem is not None:
        explain_regime(word, problem, N=N, K=K, T=T, S=S, b=b, set_=set_, json=json)
        return
    for name, value in (("--N", N), ("--K", K), ("--T", T), ("--S", S), ("--set", set_)):
        require(not value, name, value, "left out without a problem: explain BOUND PROBLEM --N 10 --K 5 --T 100")
    _explain_word(word, json=json)


def _explain_word(word: str, *, json: bool) -> None:
    from boundcheck.errors import UnknownNameError, alike
    from boundcheck.glossary import words
    from boundcheck.notation import LETTERS

    terms = {term.lower(): entry for term, entry in words().items()}
    asked = word.lower()
    letter = LETTERS.get(word)
    exact = [terms[asked]] if asked in terms else []
    near = [entry for term, entry in terms.items() if asked and asked in term] if not exact and letter is None else []
    if not exact and not near and letter is None:
        raise UnknownNameError("word", word, [*words(), *LETTERS])
    order = alike(word, [entry.term for entry in near])
    found = exact + sorted(near, key=lambda entry: order.index(entry.term))
    if json:
        letters = [{"letter": word, "meaning": letter.meaning, "papers": letter.papers}] if letter else []
        print_json([*(entry._asdict() for entry in found), *letters])
        return
    for entry in found:
        print_card(entry.term, {"meaning": entry.meaning} | ({"in code": entry.code} if entry.code else {}))
    if letter is not None:
        said = {"meaning": letter.meaning, "printed": ", ".join(f"{p}: {text}" for p, text in letter.papers.items())}
        if plain := _plain_numbers(word):
            said["elsewhere"] = (
                f"a plain number, such as a factor of a step, as the hyperparameter of {', '.join(plain)}"
            )
        print_card(f"letter {letter.text} ({word})", said)


def _plain_numbers(letter: str) -> list[str]:
    """Return the methods that have a hyperparameter of a letter's name, but not of its unit."""
    from boundcheck.methods import METHODS
    from boundcheck.methods.kinds import units

    return [name for name in METHODS if letter in units(METHODS[name])]
