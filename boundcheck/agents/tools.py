"""The tools: each a function from arguments to results in plain data, and to what it did not ask."""

from __future__ import annotations

import inspect
import json
import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.agents import instructions, section
from boundcheck.agents.limits import CHARACTERS, SEARCH
from boundcheck.api import classes, methods, proofs, theorems
from boundcheck.api import words as glossary
from boundcheck.api.answer import answer, failure, plain
from boundcheck.api.answer import schema as answer_schema
from boundcheck.api.methods import function_of
from boundcheck.api.proofs import entries_of_file
from boundcheck.errors import BoundcheckError, InputError, NotApplicableError, UnknownNameError, require
from boundcheck.files.display import one_line
from boundcheck.files.own import CodeRefusedError, DataFile, following

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

LONGEST_RESULT = 20_000
"""Most characters of one text in a result."""
TRUSTED = "names that boundcheck ships; code runs only in a server that was started with --trust-code"
"""What is legal in a request."""
_TEXTS = ("shows", "given", "letters", "file", "proof")
"""Arguments that are no names."""
_LEFT_OUT = ("certificate", "certificates", "sizes")
"""Keys that only a checker reads: the command line writes them into files."""


class ToolAnswer(NamedTuple):
    """What a tool found, and what it did not ask."""

    results: list[dict[str, Any]]
    not_asked: tuple[str, ...] = ()


def decide(
    shows: str | None = None,
    given: str = "",
    letters: str = "",
    file: str | None = None,
    path: str | None = None,
    *,
    trust_code: bool = False,
) -> ToolAnswer:
    """Decide one statement, or the claims of a claim file given as text or by its path below the server's folder."""
    ways = [name for name, value in (("shows", shows), ("file", file), ("path", path)) if value]
    require(
        len(ways) == 1, "decide", ", ".join(ways) or "nothing", "one of shows, file (the text of a claim file) and path"
    )
    if shows is not None and ways == ["shows"]:
        entries = [{"id": "statement", **proofs.decide(shows, given=given, letters=letters)}]
    else:
        require(not given and not letters, "given, letters", (given, letters), "left out: the file says them")
        with TemporaryDirectory() as folder:
            entries = entries_of_file(_claim_file(file, path, Path(folder)), trust_code=trust_code)
    open_ = ("refuted", "proved", "conditional")
    for entry in entries:
        entry["residual"] = "" if entry["verdict"] in open_ else entry["why"]
        if entry["verdict"] == "not legal":
            entry["grammar"] = _language(file or "")
    leaves = sorted({leaf for entry in entries for leaf in entry.get("leaves", ())})
    return ToolAnswer(
        entries,
        (
            "whether the statement is the line that the paper prints, and has all of its hypotheses",
            "whether what is given holds where the paper uses the line",
            *((f"whether what the file assumes is so: {', '.join(leaves)}",) if leaves else ()),
            *(("anything beyond the search: supported is no proof",) if _has(entries, "supported") else ()),
            *(("a certificate: solver only is no proof",) if _has(entries, "solver only") else ()),
            *(
                ("undecided is not false: no proof and no counterexample was found",)
                if _has(entries, "undecided")
                else ()
            ),
        ),
    )


def _has(entries: Sequence[Mapping[str, Any]], verdict: str) -> bool:
    return any(entry["verdict"] == verdict for entry in entries)


def _claim_file(text: str | None, path: str | None, folder: Path) -> Path:
    """Return the claim file of a request; one that is named lies below the current folder."""
    if path is not None:
        require(path.endswith(".toml"), "path", path, "a file in .toml")
        require(Path(path).is_file(), "path", path, "a file that exists")
        return Path(path)
    assert text is not None
    found = folder / "claims.toml"
    found.write_text(text, encoding="utf-8")
    return found


def check(
    bound: str,
    problem: str,
    N: int,
    K: int,
    T: int | list[int],
    S: int | None = None,
    b: int = 1,
    set: dict[str, float] | None = None,  # noqa: A002
    alpha: float = 0.05,
    seed: int = 0,
) -> ToolAnswer:
    """Check a theorem on a problem: measured against the right-hand side, with an error rate."""
    from boundcheck.evidence import Verdict

    found = theorems.check(bound, problem, N=N, K=K, T=T, S=S, b=b, set_=set, alpha=alpha, seed=seed)
    return ToolAnswer(
        [one.data() for one in ([found] if isinstance(found, Verdict) else found)],
        (
            "other problems, settings, steps and seeds: a violation here refutes, nothing here proves",
            "the proof of the theorem",
            "whether the registered statement is the one that is printed: explain and the findings say what differs",
        ),
    )


def refute(
    bound: str, problem: str | None = None, work: float = 100_000, alpha: float = 0.05, seed: int = 0
) -> ToolAnswer:
    """Look for an instance on which a theorem is false."""
    found = theorems.refute(bound, problem, work=work, budget=SEARCH, alpha=alpha, seed=seed)
    return ToolAnswer(
        [found.data()],
        (
            f"instances beyond the {found.tried} that were tried: not contradicted is no proof",
            *(("the rest of the work: the seconds ran out",) if found.stopped_by == "seconds" else ()),
        ),
    )


def review(
    bound: str, proof: str | None = None, work: float = 60_000, alpha: float = 0.05, seed: int = 0
) -> ToolAnswer:
    """Ask of a theorem what a reviewer asks; `proof` is the text of a claim file with its proof."""
    with TemporaryDirectory() as folder:
        page = _claim_file(proof, None, Path(folder)) if proof else None
        found = theorems.review(bound, proof=page, work=work, alpha=alpha, seed=seed)
    return ToolAnswer([found.data()], found.unasked)


def worst(
    name: str,
    K: int,
    T: int | list[int],
    N: int = 2,
    S: int | None = None,
    L: float = 1.0,
    mu: float | None = None,
    Delta: float | None = None,
    zeta: float | None = None,
    G_0: float | None = None,
    sigma: float = 0.0,
    distance: float | None = None,
    measure: str = "average",
    set: dict[str, float] | None = None,  # noqa: A002
) -> ToolAnswer:
    """Compute the worst case of a method, or of a theorem's method at its steps, over all problems of a class."""
    given: dict[str, Any] = {"N": N, "S": S, "L": L, "mu": mu, "Delta": Delta, "zeta": zeta, "G_0": G_0, "sigma": sigma}
    found: Any = classes.worst(name, K=K, T=T, distance=distance, measure=measure, set_=set, **given)
    cases = list(found) if isinstance(found, tuple) else [found]
    return ToolAnswer(
        [case.data() for case in cases],
        (
            "other numbers of rounds, steps and clients: a worst case is of one setting",
            "classes with other assumptions than those that are given",
            *(
                ("an upper side: the number is a solver's, not a proof",)
                if any(c.verdict == "numerical" for c in cases)
                else ()
            ),
        ),
    )


def conform(
    method: str,
    against: str | None = None,
    set: dict[str, float] | None = None,  # noqa: A002
    tolerance: float | None = None,
) -> ToolAnswer:
    """Check that a shipped method obeys its identities, or that code is the method: the latter runs the code."""
    if against is None:
        require(not set and tolerance is None, "set, tolerance", (set, tolerance), "left out without against")
        found: Any = methods.conform(method)
        return ToolAnswer(
            [plain(one) for one in found], ("code of your own: against names it, in a server that trusts code",)
        )
    from boundcheck.conform import judge

    compared: Any = methods.conform(against=against, method=method, set_=set, tolerance=tolerance)
    asked = () if compared.unreadable else judge(function_of(against, "against"), method=compared.method)
    return ToolAnswer(
        [{"ok": compared.ok, "verdict": compared.verdict, **plain(vars(compared)), "identities": plain(asked)}],
        (
            "other problems and settings than those of the battery",
            *(("anything that makes it this method and no other",) if compared.unasked else ()),
        ),
    )


def explain(
    word: str,
    problem: str | None = None,
    N: int | None = None,
    K: int | None = None,
    T: int | None = None,
    S: int | None = None,
) -> ToolAnswer:
    """Say what a word, letter or name means; of a theorem its statement; with a problem which regime it is in."""
    if problem is not None:
        regimes: Any = glossary.explain(word, problem, N=N, K=K, T=T, S=S)
        rows = [{**vars(one), "shares": one.shares, "dominating": one.dominating} for one in regimes]
        return ToolAnswer(rows, ("whether the theorem holds: nothing was run",))
    try:
        name = _bound_named(word)
        return ToolAnswer([_statement(name)], ("whether the theorem holds: nothing was run",))
    except UnknownNameError:
        words: Any = glossary.explain(word)
        return ToolAnswer([one._asdict() for one in words])


def _bound_named(word: str) -> str:
    from boundcheck.api.names import bound_name
    from boundcheck.bounds import BOUNDS

    # A word of the glossary is no part of a theorem's name.
    if "." not in word and not any(one.endswith(f".{word.lower()}") for one in BOUNDS):
        raise UnknownNameError("bound", word, BOUNDS)
    return bound_name(word)


def _statement(name: str) -> dict[str, Any]:
    """Return a theorem as it is registered, with its status and the findings about it."""
    from boundcheck.bounds import BOUNDS
    from boundcheck.findings.places import place_words, without_lines
    from boundcheck.metrics import METRICS
    from boundcheck.verdicts.status import of_bound

    b = BOUNDS[name]
    status = of_bound(name)
    return {
        "bound": b.id,
        "title": b.title,
        "where": place_words(b.paper, b.where),
        "form": b.form,
        "kind": b.kind,
        "method": b.method,
        "left_hand_side": METRICS[b.metric].meaning,
        "terms": {key: str(e) for key, e in b.terms.items()},
        "parameters": {key: str(e) for key, e in b.parameters.items()},
        "conditions": {without_lines(c.label): c.text for c in b.conditions},
        "needs": list(b.needs),
        "status": status.status,
        "because": list(status.because),
        "findings": [one.id for one in glossary.findings() if name in one.names or name in one.false],
    }


def schema(about: str = "claims") -> ToolAnswer:
    """Say what can be asked and how answers look: claims, proof, answers, bounds, methods, problems, errors."""
    from boundcheck import skeletons
    from boundcheck.bounds import BOUNDS
    from boundcheck.methods import METHODS
    from boundcheck.problems import instances

    example = (Path(skeletons.__file__).parent / "claim.toml").read_text(encoding="utf-8")
    known: dict[str, Callable[[], list[dict[str, Any]]]] = {
        "claims": lambda: [{"grammar": section("The language of a statement"), "way": section("The way")}],
        "proof": lambda: [{"grammar": section("The language of a proof"), "example": example}],
        "answers": lambda: [answer_schema()],
        "errors": lambda: [{"errors": section("The ten commonest errors")}],
        "instructions": lambda: [{"text": instructions()}],
        "bounds": lambda: [{"name": name, "title": b.title, "method": b.method} for name, b in BOUNDS.items()],
        "methods": lambda: [{"name": name, "title": cls.card.title} for name, cls in METHODS.items()],
        "problems": lambda: [{"name": one.id, "title": one.title} for one in instances()],
    }
    require(about in known, "about", about, ", ".join(known))
    return ToolAnswer(known[about]())


TOOLS: dict[str, Callable[..., ToolAnswer]] = {
    tool.__name__: tool for tool in (decide, check, refute, review, worst, conform, explain, schema)
}
"""Every tool by its name."""


def call(name: str, arguments: Mapping[str, Any], *, trust_code: bool = False) -> dict[str, Any]:
    """Return the answer of a tool: results with what was not asked, or an error in one sentence.

    Parameters
    ----------
    name : str
        One of `TOOLS`.
    arguments : mapping
        Its arguments.
    trust_code : bool
        Whether names of code (``file.py:NAME``) are followed.
    """
    try:
        require(name in TOOLS, "tool", name, ", ".join(TOOLS))
        size = len(json.dumps(arguments))
        require(size <= CHARACTERS, "request", f"{size} characters", f"at most {CHARACTERS}")
        _require_near(arguments)
        _require_arguments(TOOLS[name], arguments)
        more = {"trust_code": True} if trust_code and name == "decide" else {}
        with following(DataFile("request", dict(arguments), legal=TRUSTED), trusted=trust_code):
            found = TOOLS[name](**arguments, **more)
        said = answer(name, found.results, not_asked=list(found.not_asked))
        return said | {"results": [_short(one) for one in said["results"]]}
    except CodeRefusedError as error:
        return failure(name, 2, one_line(str(error)), kind="code refused")
    except (BoundcheckError, TypeError) as error:
        return _refusal(name, arguments, error)
    except MemoryError:
        return failure(name, 2, "not enough memory: take fewer clients, rounds or dimensions", kind="limit")
    # Whatever it is, the next request is answered.
    except Exception as error:  # noqa: BLE001
        return failure(name, 3, f"internal error: {type(error).__name__}: {error}", kind="internal")


def _require_near(arguments: Mapping[str, Any]) -> None:
    """Refuse files that do not lie below the current folder: a request reads no others.

    Raises
    ------
    InputError
        With the argument and the file.
    """
    for key, value in arguments.items():
        if key in _TEXTS or not isinstance(value, str):
            continue
        name = value.partition("[")[0].rpartition(":")[0] or value.partition("[")[0]
        if name.endswith((".toml", ".worst", ".py")) or "/" in name or os.sep in name:
            near = Path(name).resolve().is_relative_to(Path.cwd())
            require(near, key, value, "a file below the folder in which the server was started")


_HALVES = re.compile("[\\ud800-\\udfff]")
_TYPES: dict[str, tuple[Callable[[Any], bool], str]] = {
    # Half a character, such as "\\ud800", is legal JSON, and no file can hold it.
    "str": (lambda value: isinstance(value, str) and not _HALVES.search(value), "a text"),
    "bool": (lambda value: isinstance(value, bool), "true or false"),
    # Whether a number is whole, the function says: 4.0 is.
    "int": (lambda value: isinstance(value, int | float) and not isinstance(value, bool), "a whole number"),
    "float": (lambda value: isinstance(value, int | float) and not isinstance(value, bool), "a number"),
    "None": (lambda value: value is None, "null"),
    "list[int]": (lambda value: isinstance(value, list) and all(map(_TYPES["int"][0], value)), "a list of them"),
    "dict[str, float]": (
        lambda value: isinstance(value, dict) and all(isinstance(one, int | float | str) for one in value.values()),
        "an object of names and numbers",
    ),
}
"""Annotations of the tools' parameters, of which one with `|` is any: what they admit, and in words."""


def _require_arguments(tool: Callable[..., ToolAnswer], arguments: Mapping[str, Any]) -> None:
    """Refuse a name that the tool does not have, an argument of another type, and one that is missing.

    Raises
    ------
    InputError
        With the argument, its value and what is legal.
    """
    parameters = {k: p for k, p in inspect.signature(tool).parameters.items() if k != "trust_code"}
    for key in arguments:
        require(key in parameters, "argument", key, ", ".join(parameters))
    for key, parameter in parameters.items():
        require(key in arguments or parameter.default is not parameter.empty, key, "nothing", "one value")
        if key in arguments:
            kinds = [_TYPES[kind.strip()] for kind in str(parameter.annotation).split("|")]
            legal = " or ".join(words for _, words in kinds)
            require(any(admits(arguments[key]) for admits, _ in kinds), key, arguments[key], legal)


def _refusal(name: str, arguments: Mapping[str, Any], error: Exception) -> dict[str, Any]:
    """Return what an error of the caller's says; of a statement or a claim file with the language."""
    kind = "not applicable" if isinstance(error, NotApplicableError) else "input"
    if name != "decide" or not isinstance(error, InputError):
        return failure(name, 2, one_line(str(error)), kind=kind)
    return failure(name, 2, one_line(str(error)), kind=kind, grammar=_language(str(arguments.get("file") or "")))


def _language(text: str) -> str:
    """Return the language that a claim file is written in: of proofs, too, where it has sequences."""
    is_proof = any(word in text for word in ("indices", "[vectors]", "[leaf."))
    return "\n\n".join(
        map(section, ("The language of a statement", *(("The language of a proof",) if is_proof else ())))
    )


def _short(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _short(one) for key, one in value.items() if key not in _LEFT_OUT}
    if isinstance(value, list):
        return [_short(one) for one in value]
    if isinstance(value, str) and len(value) > LONGEST_RESULT:
        return f"{value[:LONGEST_RESULT]} ... ({len(value)} characters)"
    return value
