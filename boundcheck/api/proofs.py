"""Claims and proofs: what is decided, and what a checker reads."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from boundcheck.api.results import Results
from boundcheck.errors import InputError, require

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Executor

    from boundcheck.proofs import Proof
    from boundcheck.workers.progress import Progress


def prove(
    ids: str | Path | Iterable[str | Path] | None = None,
    *more: str | Path,
    workers: int = 1,
    timeout: float = 20.0,
    kept: bool = False,
    trust_code: bool = False,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> Results[Proof] | Results[dict[str, Any]]:
    """Decide claims: of the ledger by name, or those of claim files.

    Parameters
    ----------
    ids : str, path, or iterable of these, optional
        Names of claims, or claim files (.toml), all or none of them files; the whole ledger when left out.
    *more : str or path
        Further ones.
    workers : int
        Processes, for claims by name.
    timeout : float
        Work a solver may spend on one question, in seconds of an idle machine; for claims by name.
    kept : bool
        Use and keep answers in the user's cache folder; for claims by name.
    trust_code : bool
        Let a claim file run the code that it names.
    progress : callable, optional
        Called with (claims decided, claims, share of them).
    executor : Executor, optional
        Where to decide, in place of local processes; for claims by name.

    Returns
    -------
    Results of Proof, or of dict
        A proof each for claims by name; an entry a claim of claim files, with `verdict`, `witness`, `why` and `file`.

    Raises
    ------
    InputError
        If a name is not known, or a claim file is not legal; names the file, the line and what would be.

    Examples
    --------
    >>> import boundcheck as bc
    >>> [proof.verdict for proof in bc.prove("fmgda.lemma3-split")]
    ['proved']
    """
    from boundcheck.proofs import prove as decide

    require(ids is None or isinstance(ids, (str, Path, Iterable)), "ids", ids, "names of claims or files, or none")
    first = [ids] if isinstance(ids, (str, Path)) else list(ids) if ids is not None else []
    names = [*first, *more]
    files = [name for name in names if str(name).endswith(".toml")]
    if not files:
        chosen = list(map(str, names)) if names or ids is not None else None
        found = decide(chosen, workers=workers, timeout=timeout, kept=kept, progress=progress, executor=executor)
        return Results(found, f"{len(found)} claims")
    for name in names:
        require(name in files, "claim", str(name), "a claim file, as the others are; decide the ledger's apart")
    entries = [
        {"file": str(name), **one}
        for name in files
        for one in entries_of_file(Path(name), trust_code=trust_code, progress=progress)
    ]
    return Results(entries, ", ".join(map(str, files)))


def entries_of_file(
    path: Path, *, trust_code: bool = False, certificates: Path | None = None, progress: Progress | None = None
) -> list[dict[str, Any]]:
    """Return one entry a claim of a claim file.

    Raises
    ------
    InputError
        If the file is not legal.
    """
    from boundcheck.proofs.search.outcomes import outcomes

    return outcomes(path, trust_code=trust_code, certificates=certificates, progress=progress)


def decide(
    shows: str | Sequence[str],
    *,
    given: str | Sequence[str] = (),
    letters: str | Sequence[str] = (),
) -> dict[str, Any]:
    """Decide one statement: whether it is true for all values of its letters.

    Parameters
    ----------
    shows : str or sequence of str
        The statement, a line or several, such as ``"2*<u, v> <= x*|u|^2 + |v|^2/x"``.
    given : str or sequence of str
        What is known; parts of a text are separated by semicolons.
    letters : str or sequence of str
        Letters that the notation does not have, with their signs, such as ``"x > 0; vectors u, v"``.

    Returns
    -------
    dict
        ``verdict`` (proved, by the kernel; solver only; refuted, vacuous, supported or undecided), ``trust`` (what it
        rests on), ``witness`` and ``replay`` where it is refuted, ``why``.

    Raises
    ------
    InputError
        If a text is not in the language of claims; says what would be.

    Examples
    --------
    >>> import boundcheck as bc
    >>> bc.decide("sqrt(a*b) <= (a + b)/2", letters="a, b > 0")["verdict"]
    'proved'
    >>> bc.decide("sqrt(a*b) <= (a + b)/3", letters="a, b > 0")["witness"] is not None
    True
    """
    import json

    from boundcheck.proofs.language.claim import NOT_LEGAL

    keys = {"title": "the statement [as given]"}
    lists = {"shows": shows, "given": given, "letters": letters}
    for name, value in lists.items():
        require(isinstance(value, (str, Iterable)), name, value, "a line, or several")
    body = {**keys, **{key: value for key, value in lists.items() if value}}
    text = "[decide.statement]\n" + "".join(
        f"{key} = {json.dumps(value if isinstance(value, str) else list(value), ensure_ascii=False)}\n"
        for key, value in body.items()
    )
    with TemporaryDirectory() as folder:
        # The reader of claim files is the only reader of statements.
        path = Path(folder) / "statement.toml"
        path.write_text('about = "one statement"\n' + text, encoding="utf-8")
        try:
            (entry,) = entries_of_file(path)
        except InputError as error:
            raise InputError(_PLACE.sub("", str(error))) from None
        if entry["verdict"] == NOT_LEGAL:
            raise InputError(_PLACE.sub("", entry["why"]))
    return {key: entry[key] for key in ("verdict", "trust", "statement", "witness", "why", "replay")}


_PLACE = re.compile(r"^\S*statement\.toml(:\d+)?: claim '?decide\.statement'?: ")
"""Where in the file of one statement an error is: nobody sees that file."""
