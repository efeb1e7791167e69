"""The command `verify`: check certificates with the checker that imports nothing of the package."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

Strict = Annotated[bool, Parameter(name="--strict", negative="")]


def verify(*files: Annotated[Path, Parameter(allow_leading_hyphen=False)], strict: Strict = False) -> int:
    """Check certificates and print what each one states; exit 1 at the first that fails, 5 where rules are on trust.

    Parameters
    ----------
    files
        Files of certificates, or folders of such files.
    strict
        Exit with 5 where an assumption or a fact is taken on trust, too.
    """
    from boundcheck.errors import require
    from boundcheck.verify import main

    require(bool(files), "files", "nothing", "at least one file or folder of certificates")
    for file in files:
        require(file.exists(), "file", str(file), "a file or a folder that exists")
    return main([str(file) for file in files], strict=strict)
