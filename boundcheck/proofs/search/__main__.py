"""Find a proof object for a claim file: ``python -m boundcheck.proofs.search FILE.toml FOLDER``.

Without arguments the objects of the shipped proofs are found again, those in `boundcheck/proofs/papers/objects`, and
what the registered bounds say is written anew, `boundcheck/proofs/papers/registered.json`.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from boundcheck.errors import InputError
from boundcheck.files.atomic import write_whole
from boundcheck.proofs.chain.whole.proof import FILES
from boundcheck.proofs.kernel import Refused
from boundcheck.proofs.kernel.report import lines
from boundcheck.proofs.language.files import HERE
from boundcheck.proofs.search.accepted import OBJECTS, registered_statements
from boundcheck.proofs.search.finder import find
from boundcheck.proofs.search.registered import REGISTERED


def main(arguments: list[str]) -> int:
    """Print what the kernel says; return 0 where every claim is proved as it stands, 1 where not, 2 at a bad file."""
    if not arguments:
        write_whole(REGISTERED, json.dumps(registered_statements(), indent=1) + "\n")
        return max(map(_find_again, FILES))
    if len(arguments) != 2:
        print(__doc__)
        return 2
    try:
        found = find(*map(Path, arguments))
    except (InputError, Refused) as why:
        print(f"refused: {why}")
        return 2
    print("\n".join(lines(found.kernel)))
    for id_, given in found.added.items():
        print(f"{id_}: hypotheses that its text does not have: {', '.join(given)}")
    verdicts = found.kernel.verdicts
    proved = sum(one.proved for one in verdicts.values())
    print(f"{found.page} {found.choices}: {proved} of {len(verdicts)} claims")
    return int(proved < len(verdicts) or bool(found.added))


def _find_again(name: str) -> int:
    """Find the object of a shipped proof, starting from the one that is there; its page does not ship."""
    shipped = (OBJECTS / name).with_suffix(".json")
    with TemporaryDirectory() as folder:
        again = Path(folder) / shipped.name
        if shipped.exists():
            shutil.copyfile(shipped, again)
        code = main([str(HERE / name), folder])
        shutil.copyfile(again, shipped)
    return code


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
