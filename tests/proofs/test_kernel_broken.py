"""Each check of the kernel, broken once: then a false neighbour is proved, which the check refuses."""

import pytest
from kernel_worlds import Forms
from test_kernel_rules import FALSE, _file, _kernel, _worlds

from boundcheck.proofs.kernel import births, check, context, evaluate, rules, space, steps
from boundcheck.proofs.kernel.algebra import Rational, Refused


def _nothing(*_args, **_kwargs):
    return None


def _always(*_args, **_kwargs):
    return True


def _no_length(monkeypatch):
    monkeypatch.setattr(context.Context, "require_length", _nothing)


def _no_order_of_time(monkeypatch):
    monkeypatch.setattr(births.Births, "_before", _always)


def _one_for_each_client(monkeypatch):
    """Take what a sample takes, averaged over the clients, as if it were taken client by client."""
    plain = births.Births._chance

    def chance(self, term, here):
        return plain(self, term._replace(averaged=term.averaged - {"i"}), here)

    monkeypatch.setattr(births.Births, "_chance", chance)


def _any_minimum(monkeypatch):
    monkeypatch.setattr(steps.Steps, "_same_minimum", _always)


def _no_hypotheses(monkeypatch):
    monkeypatch.setattr(steps.Steps, "_require_given", _nothing)


def _no_ranges(monkeypatch):
    monkeypatch.setattr(context.Context, "require_within", _nothing)


def _no_signs(monkeypatch):
    monkeypatch.setattr(context.Context, "require_nonnegative", _nothing)


def _no_divisors(monkeypatch):
    monkeypatch.setattr(context.Context, "require_nonzero", _nothing)


def _no_ends(monkeypatch):
    """Take a sum over a part of a range for one over all of it."""
    plain = space.sum_form

    def sum_form(form, letter, over, declared):
        return plain(form, letter, declared, declared)

    monkeypatch.setattr(rules, "sum_form", sum_form)
    monkeypatch.setattr(evaluate, "sum_form", sum_form)


def _closed_forms_everywhere(monkeypatch):
    monkeypatch.setattr(evaluate, "require_defined", _nothing)
    monkeypatch.setattr(rules, "require_defined", _nothing)


def _everything_is_a_square(monkeypatch):
    monkeypatch.setattr(check, "nonnegative_term", _always)


def _indices_are_nonnegative(monkeypatch):
    plain = context.Context.sign_of

    def sign_of(self, letter):
        return 1 if letter.name in self.over and not letter.indices else plain(self, letter)

    monkeypatch.setattr(context.Context, "sign_of", sign_of)


def _all_places_apart(monkeypatch):
    monkeypatch.setattr(rules, "combinations", lambda *_: ())


def _horizons_from_two_on(monkeypatch):
    monkeypatch.setattr(context.Context, "_least", {"T": 2})


BREAKS = {
    _no_length: ("sum",),
    _no_order_of_time: ("law", "chance"),
    _one_for_each_client: ("chance",),
    _any_minimum: ("minimum",),
    _no_hypotheses: ("hypothesis", "growth"),
    _no_ranges: ("sum", "ranges"),
    _all_places_apart: ("paid",),
    _horizons_from_two_on: ("horizon",),
    _no_signs: ("multiplier", "projection", "paid", "growth"),
    _no_divisors: ("division",),
    _no_ends: ("sum",),
    _closed_forms_everywhere: ("empty",),
    _everything_is_a_square: ("projection", "growth"),
    _indices_are_nonnegative: ("ranges",),
}


@pytest.mark.parametrize("broken", BREAKS, ids=lambda one: one.__name__.strip("_"))
def test_without_a_check_a_false_claim_is_proved(broken, monkeypatch, tmp_path):
    bodies = [body for rule, _, body in FALSE if rule in BREAKS[broken]]
    assert not any(_kernel(*_file(tmp_path, body)).proved for body in bodies)
    broken(monkeypatch)
    assert any(_kernel(*_file(tmp_path, body)).proved for body in bodies)


def test_a_wrong_normal_form_is_seen(monkeypatch, tmp_path):
    """Leave out a projection where both sides vary: the value is another."""
    from boundcheck.proofs.kernel.evaluate import scalar
    from boundcheck.proofs.kernel.text import expression

    file, choices = _file(tmp_path, 'shows = "0 <= 1"')
    kernel = check.Kernel(file, check.Proof(choices))
    here = kernel.base.inside("t", file.indices["t"])
    tree = expression("<mean(k) y[t, k], mean(k) grad(y[t, k])>")
    right = scalar(tree, here)
    monkeypatch.setattr(space, "inner", lambda a, b, done: space.Inner(*sorted((a, b)), frozenset()))
    wrong = scalar(tree, here)
    world = next(world for world in _worlds(file, 1) if world.letters["K"] > 1)
    assert Forms(world).value(right, {"t": 0}) == world.number(tree, {"t": 0})
    assert Forms(world).value(wrong, {"t": 0}) != world.number(tree, {"t": 0})


def test_refused_is_what_refuses():
    with pytest.raises(Refused):
        Rational.of(0).inverse()
