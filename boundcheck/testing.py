"""An assertion for the test suites of others: an implementation is the method that it is named after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boundcheck.conform import BatterySetting, Comparison, Judgement


class NotConformingError(AssertionError):
    """An implementation is not the method; the message says what is wrong with it."""


def assert_conforms(
    implementation: Callable[..., Any],
    method: str,
    *,
    hyper: Mapping[str, Any] | None = None,
    settings: Sequence[BatterySetting] | None = None,
    tolerance: float | None = None,
    identities: bool = True,
    weights: str = "equal",
    schedule: Mapping[str, str] | None = None,
) -> Comparison:
    """Compare an implementation with a registered method on the same samples, and ask it the method's identities.

    Parameters
    ----------
    implementation : callable
        ``implementation(clients, x0, *, K, T, active, **hyper)`` returns the server iterates x_0..x_T, as for
        `boundcheck.conform.compare`; `boundcheck.adapters.torch` makes one of a torch client.
    method : str
        Name of the registered method.
    hyper : mapping, optional
        Hyperparameters; those left out are the defaults of `boundcheck.conform.compare`.
    settings : sequence of BatterySetting, optional
        Runs; the whole battery by default.
    tolerance : float, optional
        Agreement relative to the largest iterate, 1e-9 by default; 1e-4 suits an implementation in single precision.
    identities : bool
        Whether to ask the identities too; they have equal weights and no schedule, so that neither goes with them.
    weights, schedule
        As for `boundcheck.conform.compare`.

    Returns
    -------
    Comparison
        What agreed, and how well.

    Raises
    ------
    NotConformingError
        If the iterates differ, an identity fails, or nothing that distinguishes the method was asked; an
        AssertionError, whose message has the diagnosis.
    InputError
        If there is no such method, or the implementation does not fit it.
    """
    __tracebackhide__ = True
    from boundcheck.conform import compare, judge
    from boundcheck.conform.identity import TOLERANCE
    from boundcheck.errors import InputError

    allowed = TOLERANCE if tolerance is None else tolerance
    asked: dict[str, Any] = {"hyper": hyper, "settings": settings, "weights": weights, "schedule": schedule}
    comparison = compare(implementation, method=method, tolerance=allowed, **asked)
    if comparison.unreadable:
        raise InputError(comparison.diagnosis[0])
    judgements = judge(implementation, method=method, tolerance=allowed) if identities and not schedule else ()
    failed = [judgement for judgement in judgements if judgement.verdict == "fails"]
    if not comparison.ok or failed:
        raise NotConformingError(_message(implementation, comparison, failed))
    return comparison


def _message(implementation: Callable[..., Any], comparison: Comparison, failed: Sequence[Judgement]) -> str:
    name = getattr(implementation, "__qualname__", type(implementation).__qualname__)
    rounding = comparison.verdict == "single precision" and not failed
    lines = [f"{name}: single precision" if rounding else f"{name} is not {comparison.method}"]
    if comparison.unasked and not failed:
        lines = [f"{name} agrees as far as asked, and nothing that makes it {comparison.method} was"]
    wrong = [checked for checked in comparison.checked if checked.parts is not None]
    if wrong:
        lines[0] += f": {len(wrong)} of {len(comparison.checked)} settings differ"
        lines.append(f"  first at {wrong[0].setting}: after round {wrong[0].parts}, deviation {wrong[0].deviation:.2g}")
    lines[1:1] = [f"  {sentence}" for sentence in comparison.diagnosis]
    own = [j for j in failed if j.id.startswith(f"{comparison.method}.")]
    shown = failed if comparison.same or not own else own
    lines += [f"  {judgement.id} fails: {judgement.statement}" for judgement in shown]
    if hidden := len(failed) - len(shown):
        lines.append(f"  and {hidden} identities that compare it with other methods")
    return "\n".join(lines)
