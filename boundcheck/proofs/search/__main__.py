"""Find a proof object for a claim file: ``python -m boundcheck.proofs.search FILE.toml FOLDER``."""

from __future__ import annotations

import sys
from pathlib import Path

from boundcheck.proofs.kernel.report import lines
from boundcheck.proofs.search.finder import find

if __name__ == "__main__":
    page, found, kernel = find(Path(sys.argv[1]), Path(sys.argv[2]))
    print("\n".join(lines(kernel)))
    print(f"{page} {found}: {sum(one.proved for one in kernel.verdicts.values())} of {len(kernel.verdicts)} claims")
