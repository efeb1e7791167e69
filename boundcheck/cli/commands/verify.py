"""The command `verify`: the kernel alone, and whether what it has proved is what is registered or what a code does."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from boundcheck.cli.terminal.options import Json, TrustCode

Strict = Annotated[bool, Parameter(name="--strict", negative="")]
CoqFolder = Annotated[Path | None, Parameter(name="--coq", negative="")]


def verify(
    *files: Annotated[Path, Parameter(allow_leading_hyphen=False)],
    strict: Strict = False,
    coq: CoqFolder = None,
    trust_code: TrustCode = False,
    json: Json = False,
) -> int:
    """Check whole proofs, theorems for all steps or certificates and print what each states; exit 1 where one fails.

    The kernel checks a claim file (.toml) with its proof object (.json), and certificates (.json) one by one; the exit
    code is 5 where rules are on trust.

    Parameters
    ----------
    files
        Claim files, each with its proof object behind it or beside it; files of certificates; or folders of such files.
    strict
        Exit with 5 where an assumption or a fact is taken on trust, too; of certificates alone.
    coq
        Folder for a theorem for all steps as Coq files, which `make` there has `coqc` check alone.
    trust_code
        Run a method of your own that a theorem names, to compare its rounds.
    """
    from boundcheck.cli.terminal.output import print_json
    from boundcheck.errors import require

    require(bool(files), "files", "nothing", "at least one file or folder of certificates")
    for file in files:
        require(file.exists(), "file", str(file), "a file or a folder that exists")
    if coq is not None:
        _write_coq(files, coq)
    if not json:
        return _check_all(files, strict=strict, trust_code=trust_code)
    with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(io.StringIO()) as refused:
        code = _check_all(files, strict=strict, trust_code=trust_code)
    lines = {"lines": said.getvalue().splitlines(), "refused": refused.getvalue().splitlines()}
    print_json({"files": list(map(str, files)), "code": code, **lines})
    return code


def _write_coq(files: tuple[Path, ...], folder: Path) -> None:
    """Write a theorem for all steps as Coq files."""
    import json

    from boundcheck.cli.terminal.output import note
    from boundcheck.errors import require
    from boundcheck.files.atomic import require_writable
    from boundcheck.files.own import DataFile, following
    from boundcheck.proofs.coq.rounds import write_theorem
    from boundcheck.proofs.kernel.all_steps import is_stepwise

    require(
        len(files) == 1 and is_stepwise(files[0]), "--coq", str(folder), "used with one theorem for all steps (.json)"
    )
    require_writable(folder, folder=True)
    found = json.loads(files[0].read_text(encoding="utf-8"))
    require(isinstance(found, dict), "--coq", str(folder), "used with a file of one theorem: this one has several")
    with following(DataFile(str(files[0]), found)):
        made = write_theorem(found, folder)
    note(f"wrote {made.page}, in which it is {made.lemma}; make -C {folder} has Coq check it")


def _check_all(files: tuple[Path, ...], *, strict: bool, trust_code: bool) -> int:
    """Print what each file states, and return the exit code."""
    from boundcheck.proofs.kernel import certificates as checker
    from boundcheck.proofs.kernel.all_steps import is_stepwise

    pages, certificates = _sort_files(files)
    theorems = [file for file in certificates if is_stepwise(file)]
    certificates = [file for file in certificates if file not in theorems]
    codes = [_theorem(file, trust_code=trust_code) for file in theorems]
    codes += [_kernel(page, choices) for page, choices in pages.items()]
    if certificates or not (pages or theorems):
        codes.append(checker.main([str(file) for file in certificates or files], strict=strict))
    return max(codes, key=lambda code: (code != 0, code))


def _theorem(file: Path, *, trust_code: bool) -> int:
    """Print what a theorem for all steps states, once its lemmas are shown."""
    from boundcheck.proofs.kernel.__main__ import check_theorem

    return check_theorem(file) or _compare_with_code(file, trust_code=trust_code)


def _compare_with_code(file: Path, *, trust_code: bool) -> int:
    """Print whether the round of a theorem is that of the code of the method it names; return 1 where it is another."""
    import json
    import sys

    from boundcheck.errors import BoundcheckError
    from boundcheck.files.own import DataFile, following
    from boundcheck.proofs.kernel.certificates import ERRORS

    found = json.loads(file.read_text(encoding="utf-8"))
    theorems = found if isinstance(found, list) else [found]
    count = f"{len(theorems)} theorem{'s' * (len(theorems) > 1)} for all steps checked"
    try:
        with following(DataFile(str(file), found), trusted=trust_code):
            wrong = [key for theorem in theorems for key in _differences(theorem)]
    except BoundcheckError as error:
        print(f"the round is not compared with a method's code: {error}")
        if any(theorem.get("says") for theorem in theorems):
            print("what the file says in words is not compared with what is proved: read the lines above")
        print(f"{count}, of the round that is printed: verified")
        return 0
    except ERRORS as error:
        print(f"{file}: refused: what it says of its method is not legal: {str(error)!a:.400}", file=sys.stderr)
        return 1
    if wrong:
        print(
            f"{file}: refused: not the round of the method's code, or not what it says in words: {', '.join(wrong)}",
            file=sys.stderr,
        )
        return 1
    print(f"{count}, its round compared with the method's code: verified")
    return 0


def _differences(theorem: dict[str, Any]) -> list[str]:
    """Return what a theorem says otherwise than the method's code, or its described round, and the proof do."""
    from boundcheck.worst.theorems.all_steps.recorded import differing_keys
    from boundcheck.worst.theorems.collection.shipped import find_misstatements
    from boundcheck.worst.theorems.described.shipped import find_misdescriptions

    if theorem.get("given") and not theorem.get("loop"):
        return find_misdescriptions(theorem)
    return [*differing_keys(theorem), *find_misstatements(theorem)]


def _sort_files(files: tuple[Path, ...]) -> tuple[dict[Path, Path], list[Path]]:
    """Return claim files with their proof objects, and files of certificates, those of a folder by name."""
    from boundcheck.errors import require

    pages: dict[Path, Path] = {}
    listed: list[Path] = []
    for n, file in enumerate(files):
        if file.is_dir():
            here = {page: page.with_suffix(".json") for page in sorted(file.rglob("*.toml"))}
            pages |= {page: choices for page, choices in here.items() if choices.exists()}
            listed += sorted(file.glob("*.json"))
        elif file.suffix == ".toml":
            given = next((one for one in files[n + 1 : n + 2] if one.suffix == ".json"), file.with_suffix(".json"))
            require(given.exists(), "file", str(file), f"a claim file with its proof object, {given.name}, beside it")
            pages[file] = given
        else:
            require(file.suffix in {"", ".json"}, "file", str(file), "a claim file (.toml) or certificates (.json)")
            listed.append(file)
    return pages, [file for file in listed if file not in pages.values()]


def _kernel(page: Path, choices: Path) -> int:
    """Print what the kernel says of a claim file; a registered bound must be what is registered."""
    from boundcheck.proofs.kernel.__main__ import check_page
    from boundcheck.proofs.search.registered import LIBRARY, differences

    code = check_page(page, choices, LIBRARY)
    found = differences(page) if code < 2 else []
    for line in found:
        print(f"{page}: refused: {line}")
    return 1 if found else code
