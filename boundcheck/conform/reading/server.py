"""What the server makes of the clients' ends, read off by least squares: weights, server step, momentum, entries.

For methods made of a local rule and a linear server rule.  The ends y_1, ..., y_S are those of our local steps from the
implementation's own iterates; where the local steps are wrong as well, no reading fits, and nothing is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.conform.reading.forced import displacements
from boundcheck.conform.reading.words import EXACT, fit, text, total

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from boundcheck.conform.runs.replay import RecordedRun
    from boundcheck.methods import Method
    from boundcheck.problems.base import Array


_VARIES = 1e-5
"""By how much weights differ that depend on the clients' results."""
_MANY = 2
"""So many clients have the same weights by many rules."""


class ServerRound(NamedTuple):
    """The next iterate as a sum: ``onto x_t + sum_i weights_i y_i + sum_j lags_j D_(t-j)``."""

    run: RecordedRun
    t: int
    onto: float
    weights: Array
    lags: Array
    """Of the displacements of one round earlier, two, ..."""
    entries: Array
    """For which entries of the model it holds, (d,)."""


def read_server(
    made: Method, probes: Sequence[tuple[RecordedRun, Array]], seen: Mapping[int, list[Array]] | None = None
) -> tuple[str, ...]:
    """Return what the server does in the place of its rule, in words; empty if it is no sum, or is as it should be.

    `seen` are the ends (S, d) of every round by the id of the run, where the local steps are other than ours and read.
    """
    theirs, ours = [], []
    for run, path in probes:
        if run.setting.steep or not np.isfinite(path).all():
            continue
        found = list(_rounds(made, run, path, None if seen is None else seen.get(id(run), [])))
        if len(found) < run.setting.T:
            return (_find_added_vector(made, probes) or _find_mask(made, probes)) if seen is None else ()
        theirs += found
        ours += list(_rounds(made, run, run.path))
    if not theirs or len(theirs) != len(ours):
        return ()
    paths = {id(run): path for run, path in probes}
    return _entries(theirs, paths, made) or (*_weights(theirs, ours), *_momentum(theirs, ours))


def _find_added_vector(made: Method, probes: Sequence[tuple[RecordedRun, Array]]) -> tuple[str, ...]:
    """Say that the server adds one vector a round to what it should have, whatever the clients send."""
    seen: dict[int, list[Array]] = {}
    for run, path in probes:
        given = displacements(made, run, path)
        if given is None or run.setting.steep or not np.isfinite(path).all():
            continue
        for t, D in enumerate(given.D):
            seen.setdefault(t, []).append(path[t + 1] - path[t] - getattr(made, "gamma", 1.0) * D)
    vectors = {t: np.array(rows) for t, rows in seen.items() if len(rows) > 1}
    if not vectors or max(np.ptp(rows, axis=0).max() for rows in vectors.values()) > EXACT:
        return ()
    size = float(np.mean([np.linalg.norm(rows[0]) for rows in vectors.values()]))
    if size < EXACT:
        return ()
    words = "the server adds one vector to its model in every round, the same in all runs"
    return (f"{words}, of norm {size:.3g} on average: noise with a seed of the round, or a constant",)


def _find_mask(made: Method, probes: Sequence[tuple[RecordedRun, Array]]) -> tuple[str, ...]:
    """Say that in every round some entries of the model move as they should and the others stay: a mask."""
    masks: list[tuple[int, Array]] = []
    factors: list[float] = []
    for run, path in probes:
        given = displacements(made, run, path)
        if given is None or run.setting.steep or not np.isfinite(path).all():
            continue
        for t, D in enumerate(given.D):
            moved = path[t + 1] - path[t]
            right = getattr(made, "gamma", 1.0) * D
            scale = EXACT * float(np.abs(path[t]).max())
            stays = np.abs(moved) <= scale
            ratios = moved[~stays] / right[~stays]
            if not len(ratios) or np.ptp(ratios) > 1e3 * EXACT * abs(ratios[0]):
                return ()
            factors.append(float(ratios[0]))
            masks.append((t, ~stays))
    if not masks or all(mask.all() for _, mask in masks):
        return ()
    of_round: dict[int, Array] = {}
    by_round = all((of_round.setdefault(t, mask) == mask).all() for t, mask in masks)
    share = float(np.mean([mask.mean() for _, mask in masks]))
    when = "by the number of the round" if by_round else "in every run anew, as by results or a random choice"
    first = [f"{', '.join(map(str, np.flatnonzero(mask)[:4]))}, ..." for _, mask in masks[:2]]
    words = f"a mask: of the entries of the model {share:.0%} are aggregated in a round and the others stay frozen"
    by = "" if max(abs(f - 1.0) for f in factors) < 1e3 * EXACT else f", multiplied by {text(factors[0])}"
    return (f"{words}{by}, others {when} (in the first round entries {first[0]} in the second {first[1]})",)


def _rounds(made: Method, run: RecordedRun, path: Array, seen: list[Array] | None = None) -> Iterator[ServerRound]:
    """Yield what every round makes of its ends, as long as it is a sum of them for some entries."""
    given = displacements(made, run, path)
    ends = seen if seen is not None or given is None else given.ends
    if ends is None or given is None:
        return
    S = run.setting.S
    D = [rows.mean(axis=0) - path[t] for t, rows in enumerate(ends)]
    for t in range(min(run.setting.T, len(ends))):
        columns = [path[t], *ends[t], *D[:t][::-1]]
        parts = _fit_entries(columns, path[t + 1])
        if parts is None:
            return
        found, entries = parts
        yield ServerRound(run, t, float(found[0]), found[1 : S + 1], found[S + 1 :], entries)


def _fit_entries(columns: Sequence[Array], target: Array) -> tuple[Array, Array] | None:
    """Return the coefficients and the entries that they hold for: all, or all but a few at one of the ends."""
    d = len(target)
    for part in (slice(0, d), slice(1, d), slice(0, d - 1), slice(3, d), slice(0, d - 2), slice(d // 2, d)):
        found, fits = fit([column[part] for column in columns], target[part])
        if fits:
            made = np.stack(columns, axis=1) @ found
            return found, np.abs(made - target) <= EXACT * np.abs(target).max()
    return None


def _entries(rounds: Sequence[ServerRound], paths: Mapping[int, Array], made: Method) -> tuple[str, ...]:
    """Say which entries of the model the rule does not hold for, and what they are instead."""
    held = np.all([r.entries for r in rounds], axis=0)
    if held.all():
        return ()
    which = np.flatnonzero(~held)
    where = f"entry {which[0]}" if len(which) == 1 else f"entries {which[0]} to {which[-1]}"
    seen = [(paths[id(r.run)][r.t], r, paths[id(r.run)][r.t + 1]) for r in rounds]
    ends = {
        id(r.run): given.ends for r in rounds if (given := displacements(made, r.run, paths[id(r.run)])) is not None
    }
    tries: dict[str, Any] = {
        "frozen, not aggregated": lambda x, r: x,
        "those of the first client, not averaged": lambda x, r: ends[id(r.run)][r.t][0],
        "those of the last client, not averaged": lambda x, r: ends[id(r.run)][r.t][-1],
        "added up over the clients, not averaged": lambda x, r: ends[id(r.run)][r.t].sum(axis=0),
        "set to 0, or cut to a whole number, which is 0 here": lambda x, r: 0.0 * x,
        "cut to a whole number": lambda x, r: np.trunc(ends[id(r.run)][r.t].mean(axis=0)),
        "rounded to a whole number": lambda x, r: np.round(ends[id(r.run)][r.t].mean(axis=0)),
        "averaged, where the others are not": lambda x, r: ends[id(r.run)][r.t].mean(axis=0),
    }
    does = "treated otherwise than the rest"
    for words, rule in tries.items():
        if all(np.allclose(rule(x, r)[which], after[which], rtol=EXACT, atol=EXACT) for x, r, after in seen):
            does = words
            break
    return (f"{where} of the model (of {len(held)}, counted from 0): {does}",)


def _weights(theirs: Sequence[ServerRound], ours: Sequence[ServerRound]) -> tuple[str, ...]:
    """Say what the weights of x and of the ends are, where they are others than ours."""
    off = [
        (a, b)
        for a, b in zip(theirs, ours, strict=True)
        if not np.allclose([a.onto, *a.weights], [b.onto, *b.weights], atol=EXACT * 10)
    ]
    if not off:
        return ()
    a, b = max(off, key=lambda pair: (pair[0].run.setting.S, -pair[0].t))
    said, should = (total([(r.onto, "x"), *((w, f"y_{i + 1}") for i, w in enumerate(r.weights))]) for r in (a, b))
    told = f"the weights of the average, read off the iterates: x+ = {said}, where the method has x+ = {should}"
    more = [_sum(a, b), _step(theirs, ours) or _varying(theirs), _where(off, theirs)]
    return (told + "".join(f"; {one}" for one in more if one),)


def _sum(a: ServerRound, b: ServerRound) -> str:
    """Say what the weights add up to, where ours add up to 1: iterates shrink by what is missing."""
    said, should = (float(r.onto + r.weights.sum()) for r in (a, b))
    if abs(should - 1.0) > EXACT or abs(said - 1.0) < 10 * EXACT:
        return ""
    does = "shrink, as with a weight decay at the server" if 0.0 < said < 1.0 else "grow or change their sign"
    return f"they add up to {text(said)} and not to 1: the models {does}"


def _step(theirs: Sequence[ServerRound], ours: Sequence[ServerRound]) -> str:
    """Say what the sum of the weights is by formula, or how it changes from round to round."""
    sums = [float(r.weights.sum()) for r in theirs]
    ratios = [a / float(b.weights.sum()) for a, b in zip(sums, ours, strict=True)]
    by_round: dict[int, set[float]] = {}
    for r, ratio in zip(theirs, ratios, strict=True):
        by_round.setdefault(r.t, set()).add(round(ratio, 7))
    if all(len(found) == 1 for found in by_round.values()) and len({min(f) for f in by_round.values()}) > 1:
        listed = ", ".join(text(min(by_round[t])) for t in sorted(by_round))
        return f"the server step changes from round to round by factors {listed}"
    return ""


def _varying(rounds: Sequence[ServerRound]) -> str:
    """Say that the weights are others in every round of a run, with the same sum or not."""
    runs: dict[int, list[ServerRound]] = {}
    for r in rounds:
        runs.setdefault(id(r.run), []).append(r)
    # Of three clients or more: many rules give two of them a half each.
    seen = [np.array([r.weights for r in found]) for found in runs.values() if len(found[0].weights) > _MANY]
    if not seen or not all(_all_differ(weights) for weights in seen):
        return ""
    if max(np.ptp(weights.sum(axis=1)) for weights in seen) < 10 * EXACT:
        return "they are others in every round, with one sum, as where they depend on results: losses, norms, a median"
    return "they and their sum are others in every round, as where updates are clipped, normalised or weighted by norms"


def _all_differ(weights: Array) -> bool:
    """Whether no two rounds have the same weights."""
    apart = np.abs(weights[:, None] - weights).max(axis=2)
    return bool((apart + np.eye(len(weights)) > _VARIES).all())


def _where(off: Sequence[tuple[ServerRound, ServerRound]], theirs: Sequence[ServerRound]) -> str:
    """Say which settings or rounds have other weights, if not all."""
    if len(off) == len(theirs):
        return ""
    wrong = {id(a) for a, _ in off}
    good = [r for r in theirs if id(r) not in wrong]
    bad = [a for a, _ in off]
    if all(r.run.setting.unequal for r in bad):
        return "where the clients have different sizes"
    if all(r.run.setting.S < r.run.setting.N for r in bad):
        return "where not all clients are active"
    if {r.t for r in bad}.isdisjoint({r.t for r in good}):
        rounds = sorted({r.t + 1 for r in bad})
        return f"in round {', '.join(map(str, rounds))}"
    return ""


def _momentum(theirs: Sequence[ServerRound], ours: Sequence[ServerRound]) -> tuple[str, ...]:
    """Say with which weights the displacements of earlier rounds enter, where these are others than ours."""
    for a, b in zip(theirs, ours, strict=True):
        if len(a.lags) and not np.allclose(a.lags, b.lags, atol=EXACT * 10):
            names = [f"D_{a.t - j}" for j in range(len(a.lags))]
            said, should = (total(zip(r.lags, names, strict=True)) for r in (a, b))
            where = f"to x_{a.t + 1} the displacements D of earlier rounds add"
            return (f"the momentum of the server, read off: {where} {said}, where the method has {should}",)
    return ()
