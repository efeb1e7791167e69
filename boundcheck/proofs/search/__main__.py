"""Find a proof object for a claim file: ``python -m boundcheck.proofs.search FILE.toml FOLDER``.

Without arguments the objects of the shipped proofs are found again, each beside its page in
`boundcheck/proofs/papers/objects`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from boundcheck.errors import InputError
from boundcheck.proofs.chain.whole.proof import FILES
from boundcheck.proofs.kernel import Refused
from boundcheck.proofs.kernel.report import lines
from boundcheck.proofs.language.files import HERE
from boundcheck.proofs.search.finder import find

PAPERS = Path(__file__).parents[1] / "papers" / "objects"


def main(arguments: list[str]) -> int:
    """Print what the kernel says; return 0 where every claim is proved as it stands, 1 where not, 2 at a bad file."""
    if not arguments:
        return max(main([str(HERE / name), str(PAPERS)]) for name in FILES)
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


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
