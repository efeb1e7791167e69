"""Proofs of registered bounds, from the assumptions to the very right-hand side that is measured."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError, UnknownNameError
from boundcheck.proofs.algebra.book import ProductStore
from boundcheck.proofs.chain.deciding.births import INDEPENDENT, SAMPLED, UNBIASED
from boundcheck.proofs.chain.deciding.prover import Prover
from boundcheck.proofs.chain.whole.pending import PENDING
from boundcheck.proofs.chain.whole.theorem import last_claim
from boundcheck.proofs.language.files import HERE, load, locate_error
from boundcheck.proofs.language.grammar import SOME, node_text
from boundcheck.proofs.language.source import FileError
from boundcheck.proofs.ledger.apart import require_proved

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from boundcheck.proofs.chain.deciding.decided import ClaimOutcome
    from boundcheck.proofs.language.claim import Claim
    from boundcheck.proofs.language.files import ClaimFile
    from boundcheck.proofs.language.setting import ProofSetting
    from boundcheck.workers.progress import Progress

FILES = (
    *(f"momentum_fl_theorem{number}.toml" for number in (11, 15, 19, 22)),
    *("gradma_lemma6.toml", "gradma_fedproxm.toml"),
    *(f"fedglomo_theorem{number}.toml" for number in (1, 2, 3)),
    *("fmgda_theorem1.toml", "fmgda_rate.toml"),
    *("fedlalr_theorem1.toml", "fedlalr_restart.toml"),
    "sgd.toml",
)
"""Claim files that end in registered bounds, and the example."""


def _ends(page: str) -> list[str]:
    """Return the bounds in which a file ends; where there are none its last claim."""
    heads = re.findall(r"^\[(theorem|claim)\.(.+)\]$", (HERE / page).read_text(encoding="utf-8"), re.MULTILINE)
    return [name for kind, name in heads if kind == "theorem"] or [heads[-1][1]]


PROOFS = {name: page for page in FILES for name in _ends(page)}
"""Bound, or example, to the claim file that proves it: every proof that is shipped."""
KINDS = ("assumption", "fact", "claim", "method", "start", "noise")
"""Kinds of leaves: assumptions, facts, claims of the ledger, the method's equations, start values, laws of noise."""
_NOISE = {
    UNBIASED: "noise has mean zero given all that is older",
    INDEPENDENT: "noise is independent over the clients",
    SAMPLED: "a sample is drawn uniformly without replacement, whatever is older",
}

BOUNDED = "bounded"
"""What the kernel takes as given where vectors are multiplied by coordinates: each is bounded, by some number."""


@dataclass(frozen=True)
class ProofTree:
    """A proof: its last claim and all below it, as decided."""

    name: str
    setting: ProofSetting
    found: dict[str, ClaimOutcome]
    starts: tuple[str, ...]
    method: str = ""

    @property
    def top(self) -> ClaimOutcome:
        """Return the last claim."""
        return self.found[self.name]

    def below(self, name: str) -> list[str]:
        """Return the claims that one stands on, itself last, each once."""
        listed: dict[str, None] = {}
        self._descend(name, listed)
        return list(listed)

    def _descend(self, name: str, listed: dict[str, None]) -> None:
        for step in self.steps(name):
            if step in self.found and step not in listed:
                self._descend(step, listed)
        listed[name] = None

    def steps(self, name: str) -> list[str]:
        """Return the ids of a claim's steps, claims, leaves and equations, each once."""
        claim = self.found[name].claim
        return list(dict.fromkeys(step.id for step in (*claim.base, *claim.steps)))

    @property
    def apart_from(self) -> list[str]:
        """Return what is missing: claims that are not proved, and hypotheses that nothing discharges."""
        return [*self._missing, *self.claims_of_ledger]

    @property
    def _missing(self) -> list[str]:
        missing = [name for name in self.below(self.name) if not self.found[name].proved]
        return missing + [node_text(node) for node in self.top.inherited]

    @property
    def claims_of_ledger(self) -> list[str]:
        """Return the ids of the claims of the ledger that are taken as they stand, each decided on its own."""
        return sorted({one for name in self.leaves.get("claim", []) for one in self.setting.leaves[name].ledger})

    @property
    def proved(self) -> bool:
        """Return whether the last claim follows from the leaves and its own conditions."""
        return not self.apart_from

    @property
    def leaves(self) -> dict[str, list[str]]:
        """Return the ids of what is taken as given, by kind."""
        used = set().union(*(self.found[name].leaves for name in self.below(self.name)))
        if UNBIASED in used:
            made = [one for one in self.setting.definitions.values() if one.right.name == SOME]
            used |= {one.id for one in made if one.kind != "definition"}
        found: dict[str, list[str]] = {kind: [] for kind in KINDS}
        for name in sorted(used):
            found[self._kind(name)].append(name)
        found["start"] += list(self.starts)
        return {kind: names for kind, names in found.items() if names}

    def _kind(self, name: str) -> str:
        if name == BOUNDED:
            return "fact"
        if name in _NOISE:
            return "noise"
        return self.setting.leaves[name].kind if name in self.setting.leaves else self.setting.definitions[name].kind

    @property
    def rules(self) -> list[str]:
        """Return the rules that the proof uses."""
        return sorted(set().union(*(self.found[name].rules for name in self.below(self.name))))

    @property
    def weakest(self) -> str:
        """Return the trust level of the weakest step."""
        if self._missing:
            return "not proved"
        if self.claims_of_ledger:
            return "claim of the ledger"
        return "rule" if self.rules else "exact arithmetic"

    def data(self) -> dict[str, Any]:
        """Return the summary as plain data."""
        return {
            "bound": self.name,
            "proved": self.proved,
            "steps": len(self.below(self.name)),
            "leaves": self.leaves,
            "rules": self.rules,
            "apart_from": self.apart_from,
            "weakest": self.weakest,
            "statement": self.top.statement,
            **_conditions(self.top),
            "claims": [{"id": name} | _conditions(self.found[name]) for name in self.below(self.name)],
        }

    def sentence(self) -> str:
        """Return in one sentence what is proved from what."""
        count = len(self.below(self.name))
        from_what = "; ".join(f"{kind}: {', '.join(names)}" for kind, names in self.leaves.items())
        if self.proved:
            return f"{self.name} is proved by {count} claims from {from_what}. It says: {self.top.statement}."
        if self._missing:
            return f"{self.name} is not proved: {', '.join(self._missing)} is missing."
        return (
            f"{self.name} is proved, apart from claims that the ledger decides one by one"
            f" ({', '.join(self.apart_from)}), by {count} claims from {from_what}. It says: {self.top.statement}."
        )

    def lines(self) -> list[str]:
        """Return the tree down to the leaves, one claim a line; what was shown above is not shown again."""
        lines: list[str] = []
        self._draw(self.name, "", set(), lines)
        return lines

    def _draw(self, name: str, indent: str, seen: set[str], lines: list[str]) -> None:
        if name not in self.found:
            lines.append(f"{indent}{name}: {self.leaf_text(name)}")
            return
        one = self.found[name]
        again = " (above)" if name in seen else ""
        lines.append(f"{indent}{name}: {one.word}: {one.statement}{again}")
        if again:
            return
        seen.add(name)
        for step in self.steps(name):
            if step in self.found or step in self.setting.leaves or self._is_method(step):
                self._draw(step, indent + "  ", seen, lines)

    def _is_method(self, step: str) -> bool:
        return step in self.setting.definitions and self.setting.definitions[step].kind != "definition"

    def leaf_text(self, name: str) -> str:
        """Return what a leaf says, with its kind."""
        if name in self.setting.leaves:
            leaf = self.setting.leaves[name]
            return f"{' '.join((leaf.kind, *leaf.ledger))}: {node_text(leaf.shows)}"
        if name in self.setting.definitions:
            one = self.setting.definitions[name]
            return f"{one.kind}: {node_text(one.left)} = {node_text(one.products or one.right)}"
        return _NOISE.get(name, "")


def _conditions(one: ClaimOutcome) -> dict[str, Any]:
    """Return what a claim says, for which indices, and all that it takes as given, as plain data."""
    return {
        "shows": node_text(one.claim.shows),
        "for": {letter: f"{low} .. {high}" for letter, (low, high) in one.claim.over.items()},
        "given": [node_text(node) for node in one.claim.given],
        "cases": [[node_text(node) for node in case] for case in one.claim.cases],
        "inherited": [node_text(node) for node in one.inherited],
    }


def unproved_summary(name: str) -> dict[str, Any]:
    """Return the summary of a bound without a proof: it is proved apart from itself."""
    return {
        "bound": name,
        "proved": False,
        "steps": 0,
        "leaves": {},
        "rules": [],
        "apart_from": [name],
        "why": PENDING.get(name, ""),
        "weakest": "not proved",
    }


@lru_cache(maxsize=256)
def claims_of(file: ClaimFile) -> tuple[Claim, ...]:
    """Return the claims of a file, those made from bounds last."""
    from boundcheck.bounds import BOUNDS

    made = [last_claim(BOUNDS[end.bound], file.setting, end) for end in file.theorems]
    return (*file.claims, *made)


def stored_products(path: Path) -> dict[str, Any]:
    """Return the sums of products that are stored beside a shipped proof."""
    beside = path.with_suffix(".json")
    return json.loads(beside.read_text(encoding="utf-8")) if path.parent == HERE and beside.exists() else {}


def decide_file(file: ClaimFile, illegal: dict[str, str] | None = None, progress: Progress | None = None) -> Prover:
    """Decide all claims of a file; those of a shipped proof from what is stored, and by search where that fails.

    Parameters
    ----------
    file : ClaimFile
    illegal : dict, optional
        Claims that are not legal, each with what is wrong: what `load` has found, to which others are added.  A claim
        that stands on one is not proved.  Without it the first such claim is an error.
    progress : callable, optional
        Called with (claims decided, claims in all, share of them) after each.

    Raises
    ------
    InputError
        If something is not legal, a leaf that the ledger does not prove included.
    """
    require_decided(file)
    claims = claims_of(file)
    if file.path.parent == HERE:
        prover = Prover(file.setting, book=ProductStore(stored_products(file.path), search=False))
        _decide(file, prover, claims, progress)
        if all(one.proved for one in prover.found.values()):
            return prover
    prover = Prover(file.setting, book=ProductStore(stored_products(file.path)), illegal=illegal)
    _decide(file, prover, claims, progress, assisted=True)
    return prover


def require_decided(file: ClaimFile) -> None:
    """Raise FileError unless the ledger proves every claim that a file takes from it."""
    for leaf in file.setting.leaves.values():
        for name in leaf.ledger:
            try:
                require_proved(name)
            except InputError as error:
                raise locate_error(file, leaf.id, error) from None


def _decide(
    file: ClaimFile,
    prover: Prover,
    claims: Sequence[Claim],
    progress: Progress | None = None,
    *,
    assisted: bool = False,
) -> None:
    from boundcheck.proofs.chain.whole.assisted import Assistant

    decide = Assistant(file, prover).decide if assisted else prover.decide
    for done, claim in enumerate(claims):
        if progress is not None and done:
            progress(done, len(claims), done / len(claims))
        try:
            decide(claim)
        except InputError as error:
            located = locate_error(file, claim.id, error)
            if prover.illegal is None:
                raise located from None
            prover.illegal[claim.id] = str(located)
            prover.found.pop(claim.id, None)
    try:
        prover.births.require_one_world()
    except InputError as error:
        raise FileError(f"{file.path}: {error}") from None


@cache
def load_shipped(page: str) -> ClaimFile:
    """Return a shipped claim file, read once in a process: what is decided of it speaks of its own setting."""
    return load(HERE / page)


@cache
def decide_shipped(page: str) -> tuple[ClaimFile, Prover]:
    """Return a shipped claim file with its claims decided, once in a process: several bounds end in one file."""
    file = load_shipped(page)
    return file, decide_file(file)


def shipped_for(name: str) -> tuple[ClaimFile, Prover]:
    """Return the file of a bound, or of an example, with its claims decided.

    Raises
    ------
    UnknownNameError
        If no proof of it is shipped.
    """
    if name not in PROOFS:
        raise UnknownNameError("proof", name, PROOFS)
    return decide_shipped(PROOFS[name])


def tree(name: str) -> ProofTree:
    """Return the proof of a registered bound, or of an example; errors as in `shipped_for`."""
    file, prover = shipped_for(name)
    last = name if name in prover.found else file.claims[-1].id
    return ProofTree(last, file.setting, prover.found, tuple(prover.births.starts()), file.method)


def write_stored() -> list[Path]:
    """Search for every sum of products that the shipped proofs use, and store them beside the claim files."""
    written_files = []
    for name in FILES:
        prover = Prover((file := load(HERE / name)).setting)
        prover.decide_all(claims_of(file))
        path = file.path.with_suffix(".json")
        path.write_text(json.dumps(prover.book.used, separators=(",", ":"), sort_keys=True) + "\n", encoding="utf-8")
        written_files.append(path)
    return written_files


if __name__ == "__main__":
    for made_file in write_stored():
        print(made_file)
