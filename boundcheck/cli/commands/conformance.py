"""The command that checks methods: identities of ours, and a user's implementation against ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from boundcheck.cli.terminal.options import Assign, Json, Laws, MethodName
from boundcheck.cli.terminal.output import MarkupText, note, number, print_json, print_table, say
from boundcheck.files.display import list_values
from boundcheck.verdicts.codes import BAD_INPUT, DONE, NOT_ASKED, REFUSED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from boundcheck.conform import Comparison, IdentityResult, Judgement

ByWeights = Annotated[Literal["equal", "sizes"], Parameter(name="--weights", negative="")]
EqualSizes = Annotated[bool, Parameter(name="--equal-sizes", negative="")]


def conform(
    *methods: MethodName,
    against: str | None = None,
    method: MethodName | None = None,
    set_: Assign = None,
    tolerance: float | None = None,
    equal_sizes: EqualSizes = False,
    weights: ByWeights = "equal",
    schedule: Laws = None,
    compressor: str | None = None,
    omega: float | None = None,
    sampler: str | None = None,
    json: Json = False,
) -> int:
    """Check that methods obey their identities, or an implementation of your own against ours; exit 1 if one fails.

    An implementation is compared with ours on the same samples, and asked the identities of its method.  Exit 5 if it
    agrees as far as asked, and nothing that distinguishes the method was; or if no identity is about a method.

    Parameters
    ----------
    methods
        Names of methods; all when left out.
    against
        Your implementation, module:function or file.py:function; needs --method.
    method
        The method that it implements.
    set_
        A hyperparameter of the comparison, name=value; may be repeated; only with --against.
    tolerance
        Agreement of the iterates relative to the largest one, with --against; 1e-9 when left out, 1e-4 suits single
        precision.
    equal_sizes
        Leave out clients of different sizes, for a code that weights by n_i/n on purpose; only with --against.
    weights
        Weights of our averages with --against: equal, or sizes for p_i = n_i/n.
    schedule
        How a hyperparameter of ours falls from round to round, with --against: eta=0.99^t; may be repeated.
    compressor
        A compressor of your own, module:function or file.py:function of (x, rng): tested for a bias, and for omega.
    omega
        The relative variance that the compressor is to have at most.
    sampler
        A sampler of your own, module:function or file.py:function of (N, S, t, rng): how often it takes whom is tested.
    """
    from boundcheck.errors import InputError, require

    require(omega is None or compressor is not None, "--omega", omega, "left out without --compressor")
    if compressor is not None or sampler is not None:
        alone = not methods and against is None and method is None and (compressor is None or sampler is None)
        require(alone, "conform", "a compressor or a sampler beside others", "--compressor or --sampler alone")
        return _check_part(compressor, omega, sampler, json=json)
    words = "a number in (0, 1)"
    require(tolerance is None or 0 < tolerance < 1, "--tolerance", tolerance, words)
    if against is not None or method is not None:
        if against is None or method is None or methods:
            msg = "conform compares one implementation with one method: --against module:function --method NAME"
            raise InputError(msg)
        from boundcheck.cli.terminal.settings import laws

        asked = {"weights": weights, "schedule": laws(schedule)}
        return _compare(against, method, set_, tolerance, equal_sizes=equal_sizes, asked=asked, json=json)
    require(not equal_sizes, "--equal-sizes", equal_sizes, "left out without --against: identities have equal sizes")
    words = "left out without --against: identities have numbers and tolerances of their own"
    require(not set_, "--set", set_, words)
    require(tolerance is None, "--tolerance", tolerance, words)
    return _identities(methods, json=json)


def _check_part(compressor: str | None, omega: float | None, sampler: str | None, *, json: bool) -> int:
    from boundcheck.conform import check_compressor, check_sampler

    found: Any
    if compressor is not None:
        found = check_compressor(_load_function(compressor, "--compressor"), omega=omega)
    else:
        assert sampler is not None
        found = check_sampler(_load_function(sampler, "--sampler"))
    if json:
        print_json({"ok": found.ok, "sentence": found.sentence, **vars(found)})
    else:
        say(f"{compressor or sampler}: {found.sentence}")
    return 0 if found.ok else 1


def _identities(methods: tuple[str, ...], *, json: bool) -> int:
    from boundcheck.conform import IDENTITIES, about, run

    known = {method: [identity.id for identity in about(method)] for method in methods}
    results = run(dict.fromkeys(one for found in known.values() for one in found) if methods else IDENTITIES)
    if json:
        print_json(results)
    else:
        _print_results(results)
    for method in (method for method, found in known.items() if not found):
        note(f"{method}: no identity is about it, nothing was asked; --against compares an implementation with it")
    if not all(r.ok for r in results):
        return REFUSED
    return DONE if all(known.values()) else NOT_ASKED


def _verdict(*, ok: bool, good: str, bad: str) -> MarkupText:
    return MarkupText(f"[green]✓ {good}[/]" if ok else f"[red]✗ {bad}[/]")


def _print_results(results: list[IdentityResult]) -> None:
    failed = sum(not r.ok for r in results)
    print_table(
        f"{len(results)} {'identity' if len(results) == 1 else 'identities'}, {failed} of them fail",
        ("identity", "verdict", "deviation", "tolerance", "statement"),
        [
            [
                r.id,
                _verdict(ok=r.ok, good="holds", bad="FAILS"),
                number(r.deviation),
                number(r.tolerance),
                r.statement,
            ]
            for r in results
        ],
    )


def _compare(
    against: str,
    method: str,
    set_: list[str] | None,
    tolerance: float | None,
    *,
    equal_sizes: bool,
    asked: dict[str, Any],
    json: bool,
) -> int:
    from boundcheck.cli.terminal.settings import assignments
    from boundcheck.conform import BATTERY, compare, judge
    from boundcheck.conform.identity import TOLERANCE

    function, allowed = _load_function(against), TOLERANCE if tolerance is None else tolerance
    settings = [one for one in BATTERY if not (equal_sizes and one.unequal)]
    comparison = compare(
        function, method=method, hyper=assignments(set_), settings=settings, tolerance=allowed, **asked
    )
    judgements = () if comparison.unreadable or asked["schedule"] else judge(function, method=method, tolerance=allowed)
    ok = comparison.ok and all(j.verdict != "fails" for j in judgements)
    if json:
        print_json({"ok": ok, "verdict": comparison.verdict, **vars(comparison), "identities": judgements})
    else:
        _print_comparison(against, comparison)
        _print_judgements(against, judgements, comparison)
    return _exit_code(comparison, judgements)


def _exit_code(comparison: Comparison, judgements: Sequence[Judgement]) -> int:
    if comparison.unreadable:
        return BAD_INPUT
    if not comparison.same or any(j.verdict == "fails" for j in judgements):
        return REFUSED
    return NOT_ASKED if comparison.unasked else DONE


def _print_judgements(against: str, judgements: Sequence[Judgement], comparison: Comparison) -> None:
    if not judgements:
        return
    shown = judgements if comparison.same else [j for j in judgements if j.id.startswith(f"{comparison.method}.")]
    texts = {"holds": "[green]✓ holds[/]", "fails": "[red]✗ FAILS[/]", "not asked": "[bright_black]– not asked[/]"}
    marks = {verdict: MarkupText(text) for verdict, text in texts.items()}
    counts = ", ".join(f"{sum(j.verdict == verdict for j in judgements)} {verdict}" for verdict in marks)
    print_table(
        f"identities with {against} in the method's place: {counts}",
        ("identity", "verdict", "deviation", "statement, and why it was not asked"),
        [
            [
                j.id,
                marks[j.verdict],
                number(j.deviation),
                f"{j.statement}  [{j.reason}]" if j.reason else j.statement,
            ]
            for j in shown
        ],
    )
    if hidden := len(judgements) - len(shown):
        say(f"{hidden} more identities compare {comparison.method} with other methods: --json has them")


def _print_comparison(against: str, comparison: Comparison) -> None:
    numbers = list_values(comparison.hyper)
    if comparison.unasked:
        say(f"agrees as far as asked: nothing that makes it {comparison.method} was (exit code {NOT_ASKED})")
    bad = "SINGLE PRECISION" if comparison.verdict == "single precision" else "DIFFERS"
    if comparison.checked:
        _print_settings(against, comparison, numbers, bad)
    for sentence in comparison.diagnosis:
        say(sentence)


def _print_settings(against: str, comparison: Comparison, numbers: str, bad: str) -> None:
    print_table(
        f"{against} against {comparison.method}: {numbers}",
        ("setting", "verdict", "deviation", "parts after round"),
        [
            [
                str(c.setting),
                _verdict(ok=c.parts is None, good="agrees", bad=bad),
                number(c.deviation),
                "" if c.parts is None else str(c.parts),
            ]
            for c in comparison.checked
        ],
    )


def _load_function(target: str, option: str = "--against") -> Callable[..., Any]:
    """Return the function that module:function or file.py:function names; modules of the current folder too."""
    import sys
    from pathlib import Path

    from boundcheck.errors import require
    from boundcheck.files.own import is_reference, load_reference

    require(is_reference(target), option, target, "module:function or file.py:function")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    found: Any = load_reference("function", target, callable)[0]
    return found  # type: ignore[no-any-return]
