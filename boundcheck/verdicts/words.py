"""The words of all verdicts: for every kind of question its words, what each of them says, and its sign.

A word that several kinds of questions share has one sign and one colour (`SIGNS`), but a meaning in each table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

Tone = Literal["good", "bad", "open", "note", "none"]
"""What a reader's eye is to see: a success, a failure, a question, a remark, nothing; colours follow from it."""


class VerdictWord(NamedTuple):
    """A word of a verdict."""

    sign: str
    """One character, so that colour never stands alone."""
    tone: Tone
    meaning: str
    """What may be concluded from it."""


W = TypeVar("W", bound=str)


def meanings(words: Mapping[W, VerdictWord]) -> dict[W, str]:
    """Return word to meaning."""
    return {word: entry.meaning for word, entry in words.items()}


# A bound, measured at one setting

BoundWord = Literal["violated", "holds", "consistent", "vacuous", "undecided", "order only", "not applicable"]
BOUND_WORDS: dict[BoundWord, VerdictWord] = {
    "violated": VerdictWord(
        "✗",
        "bad",
        "the mean of the left-hand side is above the right-hand side: exactly, or wrong with probability at most alpha",
    ),
    "holds": VerdictWord(
        "✓",
        "good",
        "the mean of the left-hand side is at most the right-hand side, at this setting: exactly, or wrong with "
        "probability at most alpha",
    ),
    "consistent": VerdictWord(
        "≈",
        "good",
        "nothing contradicts the bound: an approximate upper limit of the mean is below the right-hand side, "
        "or rounding may have made what is above it",
    ),
    "vacuous": VerdictWord(
        "○",
        "note",
        "not contradicted, but the trivial bound, or a proved ceiling of every run on this problem, is no "
        "larger: the theorem says nothing here",
    ),
    "undecided": VerdictWord("?", "open", "neither is clear within the budget of replicates"),
    "order only": VerdictWord(
        "≲",
        "note",
        "the bound hides a constant, which no measurement refutes: a lower limit of the constant is given",
    ),
    "not applicable": VerdictWord(
        "–", "none", "a constant is missing or does not stand, or a condition fails; the reason names it"
    ),
}
"""The outcome of a comparison of what is measured with a right-hand side."""

How = Literal["exact", "enumerated", "betting", "ceiling", "approximate", ""]
MEANS: dict[How, str] = {
    "exact": "one run without randomness; compared up to rounding",
    "enumerated": "the expectation over all equally likely paths; compared up to rounding",
    "betting": "a betting test, valid for every law, whenever one stops: wrong with probability at most alpha",
    "ceiling": "a proved supremum of the left-hand side is at most the right-hand side",
    "approximate": "a t or BCa limit, whose error rate is nominal",
    "": "nothing was compared, or nothing is clear",
}
"""The means by which it was reached, and what each of them is worth."""

SILENCE = {
    "vacuous below T": "up to that horizon the trivial bound is no larger than the right-hand side, on any problem "
    "with these constants",
    "too weak for this problem": "it is below the trivial bound, but a proved ceiling of every run on this problem is "
    "lower still",
}
"""Two ways in which a true bound says nothing; the second is about the problem, never about the theorem."""

# A line of a proof

ProverWord = Literal["proved", "solver only", "refuted", "vacuous", "supported", "undecided"]
"""What comes out about one goal: of a claim, *proved* is the kernel's word alone."""
ClaimWord = Literal[ProverWord, "conditional", "does not follow", "not legal"]
CLAIM_WORDS: dict[ClaimWord, VerdictWord] = {
    "proved": VerdictWord(
        "✓", "good", "the kernel has checked that it holds for all values of its letters that its hypotheses allow"
    ),
    "solver only": VerdictWord(
        "~", "note", "a solver finds that it holds, which is no proof: there is no certificate for the kernel to check"
    ),
    "refuted": VerdictWord("✗", "bad", "values that meet all of its hypotheses, at which it fails"),
    "vacuous": VerdictWord("○", "note", "no values meet its hypotheses with both sides defined"),
    "supported": VerdictWord("≈", "note", "a search could not break it, which is no proof"),
    "undecided": VerdictWord("?", "open", "neither a proof nor values at which it fails were found"),
    "conditional": VerdictWord("?", "open", "it follows, with hypotheses of its steps that do not follow from its own"),
    "does not follow": VerdictWord(
        "?", "open", "its steps hold somewhere where it fails, so that it needs something else"
    ),
    "not legal": VerdictWord(
        "!", "bad", "its text, or a step of it, cannot be read; the others are decided all the same"
    ),
}
"""What is known of one claim; the last three are of the claims of a file, which have steps."""

# A statement, everything taken together

Status = Literal["proved", "false as printed", "false at other parameters", "not contradicted", "open"]
STATUS_WORDS: dict[Status, VerdictWord] = {
    "proved": VerdictWord(
        "✓",
        "good",
        "decided for all values of its letters, with all that it rests on; a bound from its assumptions to its "
        "last constant, by a claim that is the whole statement or by a certificate of it",
    ),
    "false as printed": VerdictWord(
        "✗",
        "bad",
        "a counterexample: a refuted claim, a proof that no constant serves, or a run that violates it",
    ),
    "false at other parameters": VerdictWord(
        "✗",
        "open",
        "a run violates it at parameters that it does not prescribe and no condition forbids; at those that it "
        "prescribes, nothing speaks against it",
    ),
    "not contradicted": VerdictWord(
        "≈", "note", "measured or searched, and nothing speaks against it; no proof from end to end"
    ),
    "open": VerdictWord(
        "?",
        "open",
        "nothing was measured or decided, its proof stands on a false line, or one reading of it is refuted",
    ),
}
"""What is known of a bound or a claim; `boundcheck.evidence.papers.status` joins it."""

# A worst case over a class

CaseWord = Literal["exact", "proved", "numerical", "infinite", "undecided"]
CASE_WORDS: dict[CaseWord, VerdictWord] = {
    "exact": VerdictWord("✓", "good", "proved from above over Q, and attained by an explicit function to 1e-6"),
    "proved": VerdictWord("✓", "good", "proved from above over Q; no function is known that comes to within 1e-6"),
    "numerical": VerdictWord("~", "note", "a solver's number, right to about its gap and residual; no proof was found"),
    "infinite": VerdictWord(
        "!", "open", "an explicit function has multiples in the class on which the left-hand side grows without limit"
    ),
    "undecided": VerdictWord("?", "open", "the solver found no number"),
}
"""What is known of a worst case, the strongest first."""

# What a paper asserts of its experiments

ExperimentWord = Literal[
    "reproduced",
    "contradicted",
    "no difference above the margin",
    "mixed",
    "undecided",
    "could not have told",
    "cannot be tested here",
]
EXPERIMENT_WORDS: dict[ExperimentWord, VerdictWord] = {
    "reproduced": VerdictWord(
        "✓", "good", "every question is answered by yes, by every readout, at every budget and start that was asked"
    ),
    "contradicted": VerdictWord(
        "✗",
        "bad",
        "every question is answered by the opposite, by every readout, at every budget and start that was asked",
    ),
    "no difference above the margin": VerdictWord("=", "none", "every difference is shown to lie within the margin"),
    "mixed": VerdictWord("≈", "open", "decided answers differ between questions or readouts: the map says where"),
    "undecided": VerdictWord(
        "?",
        "open",
        "some answer is open within the budget of runs, and no two decided ones differ; what it would take is said",
    ),
    "could not have told": VerdictWord("–", "none", "a control did not come out as it must"),
    "cannot be tested here": VerdictWord("–", "none", "why is said"),
}

# An exponent, and a printed rate

MARGIN = 0.05
"""Half-width of the band around the promised exponent that counts as equal to it, unless another is given."""

RateWord = Literal["as promised", "faster than printed", "slower", "transient", "undecided"]
RATE_WORDS: dict[RateWord, VerdictWord] = {
    "as promised": VerdictWord("✓", "good", "the interval of the exponent lies in the band around the printed one"),
    "faster than printed": VerdictWord("»", "good", "it lies wholly beyond the band; an upper bound allows that"),
    "slower": VerdictWord(
        "«",
        "none",
        "it lies wholly on the other side, with the first third of the grid and without it; an upper bound "
        "allows that while it lies above",
    ),
    "transient": VerdictWord(
        "~",
        "open",
        "a control whose rate is known to be slower falls as fast on this grid: the grid is too early to tell",
    ),
    "undecided": VerdictWord("?", "open", "the interval reaches beyond the band around the printed exponent"),
}
"""A measured exponent is judged against the printed one; the slope of the bound itself stands beside it."""

AttainedWord = Literal[RateWord, "not attainable"]
ATTAINED_WORDS: dict[AttainedWord, VerdictWord] = {
    "as promised": VerdictWord(
        "✓", "good", f"the second half of the run falls by the printed power, up to {MARGIN:g}: the rate is attained"
    ),
    "faster than printed": VerdictWord(
        "»", "good", "both readouts fall faster than printed: this family does not attain the rate"
    ),
    "slower": VerdictWord(
        "«", "none", "both readouts fall more slowly than printed, and more slowly than the bound does on the same grid"
    ),
    "transient": VerdictWord(
        "~", "open", "what falls as printed is the start: so does the control, or the second half falls faster"
    ),
    "undecided": VerdictWord(
        "?",
        "open",
        "the grid or the control cannot tell, or local powers still change; the note says what it would take",
    ),
    "not attainable": VerdictWord(
        "–", "none", "no setting meets the conditions, or none is long enough; the note says why"
    ),
}
"""Whether a problem was found on which a run falls no faster than its theorem promises.

"faster" always means faster than *printed*, whatever the bound does on the grid.
"""

# A constant under attack

ConstantWord = Literal["stands", "not reached", "exceeded"]
CONSTANT_WORDS: dict[ConstantWord, VerdictWord] = {
    "stands": VerdictWord("✓", "good", "the search came as close as it should, and no further"),
    "not reached": VerdictWord("?", "open", "the search came nowhere near, so that it says nothing about the constant"),
    "exceeded": VerdictWord("✗", "bad", "a point was found at which it fails, or it is not a finite number"),
}

# A paper's assumption on a problem

AssumptionWord = Literal["yes", "on a ball", "no", "not known", "asks a run", "asks the quantiser"]
ASSUMPTION_WORDS: dict[AssumptionWord, VerdictWord] = {
    "yes": VerdictWord("✓", "good", "proved, or vouched for by whoever wrote the problem"),
    "on a ball": VerdictWord("✓", "good", "yes for |x| <= radius only"),
    "no": VerdictWord("✗", "bad", "proved, or vouched for by whoever wrote the problem"),
    "not known": VerdictWord("?", "open", "the problem does not know a letter that the assumption asks for"),
    "asks a run": VerdictWord("–", "none", "it is about the points of a run, which is measured on the way"),
    "asks the quantiser": VerdictWord("–", "none", "it is about the method's quantiser, not about the problem"),
}

# Somebody's code beside a registered method

ConformWord = Literal["agrees", "as far as asked", "single precision", "differs", "bad input"]
CONFORM_WORDS: dict[ConformWord, VerdictWord] = {
    "agrees": VerdictWord("✓", "good", "all iterates are those of the method, and what makes it the method was asked"),
    "as far as asked": VerdictWord("✓", "good", "all iterates agree, but nothing asked tells it from a simpler method"),
    "single precision": VerdictWord(
        "✗", "bad", "the iterates differ as those of a code that rounds to single precision"
    ),
    "differs": VerdictWord("✗", "bad", "some iterate is another one; the diagnosis says what would explain it"),
    "bad input": VerdictWord("!", "bad", "what was returned cannot be read as iterates"),
}
"""What a comparison of two codes ends with, from right to wrong."""

IdentityWord = Literal["holds", "fails", "not asked"]
IDENTITY_WORDS: dict[IdentityWord, VerdictWord] = {
    "holds": VerdictWord("✓", "good", "both sides of the identity are equal up to the tolerance"),
    "fails": VerdictWord("✗", "bad", "they differ by more than the tolerance"),
    "not asked": VerdictWord("–", "none", "it speaks of something that this code does not show"),
}

# Short answers in tables

ANSWER_WORDS: dict[str, VerdictWord] = {
    "yes": VerdictWord("✓", "good", "it is so"),
    "fit": VerdictWord("✓", "good", "the units of both sides are the same"),
    "no": VerdictWord("✗", "bad", "it is not so"),
    "NO": VerdictWord("✗", "bad", "it is not so, which is a mistake"),
    "never": VerdictWord("✗", "bad", "no setting meets the conditions"),
    "unknown": VerdictWord("?", "open", "nobody looked"),
}

FAMILIES: tuple[Mapping[Any, VerdictWord], ...] = (
    BOUND_WORDS,
    CLAIM_WORDS,
    STATUS_WORDS,
    CASE_WORDS,
    EXPERIMENT_WORDS,
    RATE_WORDS,
    ATTAINED_WORDS,
    CONSTANT_WORDS,
    ASSUMPTION_WORDS,
    CONFORM_WORDS,
    IDENTITY_WORDS,
    ANSWER_WORDS,
)
"""The tables above: one a kind of question."""

SIGNS: dict[str, tuple[str, Tone]] = {
    word: (entry.sign, entry.tone) for family in FAMILIES for word, entry in family.items()
}
"""Sign and tone of every word."""
