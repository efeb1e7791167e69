"""The part of the ledger that every test run takes; the slow one takes all."""

from boundcheck.proofs import CLAIMS
from boundcheck.proofs.goals import goal_of
from boundcheck.proofs.language.stated import TextStatement

SHARE = 20
ALWAYS = ("fmgda.conditions-meet-2-1", "fmgda.lemma8-44", "momentum-fl.lemma9-unroll", "momentum-fl.lemma10-unroll")
PRINTED = [claim.id for claim in CLAIMS.values() if claim.repaired_by]


def part(claims, share=SHARE):
    """Return every twentieth claim in the order of the ledger, or another share."""
    return list(claims)[::share]


def quick():
    """Return a twentieth of all claims and of those refuted, with what repairs these, and some of the rarest prover."""
    names = [*part(CLAIMS), *part(PRINTED), *ALWAYS]
    return list(dict.fromkeys([*names, *(CLAIMS[name].repaired_by for name in names if CLAIMS[name].repaired_by)]))


def edited(name, old="", new=""):
    """Return the goal of a claim in whose statement one text is replaced by another."""
    found = CLAIMS[name].goal
    assert old in "\n".join((*found.shows, *found.given))
    return goal_of(
        TextStatement(
            *(tuple(line.replace(old, new) for line in lines) for lines in (found.shows, found.given)), found.letters
        )
    )
