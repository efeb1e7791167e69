"""Print what the kernel is and what it proves: lines, seconds for all that ships, rules in use, what is on trust.

``python -m benchmarks.kernel``: the figures of docs/kernel.md.  Seconds are processor time of one core.
"""

import contextlib
import gc
import io
import json
import tempfile
import time
from collections import Counter
from pathlib import Path

from boundcheck.proofs.chain.whole.proof import PROOFS
from boundcheck.proofs.kernel import certificates
from boundcheck.proofs.kernel.all_steps import check_file
from boundcheck.proofs.kernel.report import LAWS, read
from boundcheck.proofs.language.files import HERE
from boundcheck.proofs.ledger.certify import FOLDER
from boundcheck.proofs.search.accepted import OBJECTS, write_page
from boundcheck.worst.theorems.collection.shipped import FOLDER as THEOREMS

KERNEL = Path(certificates.__file__).parent
KINDS = {
    "certificates": ("certificates.py", "chance.py", "elementary.py"),
    "functions of a number": ("functions.py",),
    "theorems for all steps": ("all_steps.py", "boxes.py", "description.py"),
}
"""Files of the kernel that are not about claim files."""


def count_lines():
    """Return the lines of each kind of file that are not blank."""
    found = Counter()
    for path in KERNEL.glob("*.py"):
        kind = next((kind for kind, names in KINDS.items() if path.name in names), "claim files")
        found[kind] += sum(bool(line.strip()) for line in path.read_text(encoding="utf-8").splitlines())
    return found


def check_pages():
    """Return verdicts of all claims of the shipped proofs by page, and the seconds of the kernel alone."""
    verdicts, seconds = {}, 0.0
    names = {file.removesuffix(".toml"): proof for proof, file in PROOFS.items()}
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(OBJECTS.glob("*.json")):
            page = write_page(names[path.stem], Path(folder))
            choices = json.loads(path.read_text(encoding="utf-8"))
            start = time.process_time()
            verdicts[path.stem] = read(page, choices, (HERE,)).verdicts
            seconds += time.process_time() - start
    return verdicts, seconds


def timed(check):
    """Return what a check returns, and its seconds; what it prints is not shown."""
    start = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        found = check()
    return found, time.process_time() - start


def check_certificates():
    """Return the certificates of the ledger and those on trust."""
    past = {}
    for path in sorted(Path(str(FOLDER)).glob("*.json")):
        for one in json.loads(path.read_text(encoding="utf-8")):
            certificates.check(one, past)
    return past, [name for name, one in past.items() if one["trusted"]]


def main():
    """Print the table."""
    lines = count_lines()
    print(f"lines that are not blank: {sum(lines.values()):,}; " + ", ".join(f"{k} {n:,}" for k, n in lines.items()))
    gc.disable()  # as the kernel has it where it runs alone
    verdicts, seconds = check_pages()
    everything = [one for page in verdicts.values() for one in page.values()]
    print(
        f"claims of {len(verdicts)} pages: {sum(one.proved for one in everything)} of {len(everything)} proved", end=""
    )
    print(f" in {seconds:.1f} s")
    (past, trusted), seconds = timed(check_certificates)
    print(f"certificates of the ledger: {len(past):,} in {seconds:.1f} s; on trust: {len(trusted)}")
    theorems = sorted(THEOREMS.glob("*.json"))
    _, seconds = timed(lambda: [check_file(path) for path in theorems])
    print(f"theorems for all steps: {len(theorems)} in {seconds:.1f} s")
    uses = Counter(rule for one in everything for rule in one.rules)
    laws = Counter(law for one in everything for law in one.uses & set(LAWS))
    for title, counted in (("rules", uses), ("laws", laws)):
        print(f"{title}, and how many claims use them: " + ", ".join(f"{k} {n}" for k, n in counted.most_common()))


if __name__ == "__main__":
    main()
