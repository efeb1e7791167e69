"""What `show` computes from the terms of a bound or a row, and what a method's card says a round costs."""

from dataclasses import replace

import pytest
import sympy as sp
from cli_calls import called, parsed

from boundcheck.bounds import BOUNDS, RATES
from boundcheck.bounds.best import BestSteps
from boundcheck.cli.cards.analysis import floats, gradients, steps
from boundcheck.cli.cards.cardtext import entry
from boundcheck.cli.terminal.formulas import formula
from boundcheck.errors import NotApplicableError
from boundcheck.methods import METHODS
from boundcheck.notation import symbols

K, L, Delta, T, beta1, d = symbols("K L Delta T beta1 d")


def card_of(capsys, kind, name):
    """Return the card of one kind: a claim may have the name of a bound or a row."""
    cards = parsed(capsys, "show", name)
    cards = cards if isinstance(cards, list) else [cards]
    (card,) = (c for c in cards if c["heading"].startswith(f"{kind} {name}"))
    return card


def test_card_of_a_bound_says_what_its_terms_say(capsys):
    """FedAvg-M at ridge-ratio, N = 8: its caps end at T = 16 N K L Delta/sigma^2 = 8192, and smaller eta is better."""
    card = card_of(capsys, "bound", "momentum-fl.theorem11")
    assert card["example"] == "ridge-ratio, N = 8, K = 4, T = 10000"
    assert card["dominates there"][0] == "T = 1: descent"
    assert "speed-up N^(-1/2): from T = 8192" in card["leading part is all from T"]
    cost = card["cost of |grad| <= ε_acc"]
    assert cost["powers of 1/ε_acc"] == "rounds 4, gradients 4, floats 4"
    # One vector up and two down: 3 d N floats a round, and N K gradients.
    letters = {name: sp.Symbol(name) for name in ("N", "K", "d")}
    rounds, spent, sent = (
        sp.sympify(cost[k], locals=letters) for k in ("rounds", "gradients of all clients", "floats")
    )
    assert sp.simplify(spent / rounds - letters["N"] * letters["K"]) == 0
    assert sp.simplify(sent / rounds - 3 * letters["N"] * letters["d"]) == 0
    assert card["moves with a letter"]["G_0"].startswith("increasing")
    assert "the smaller the better" in card["best steps there"]["eta"]
    assert card["terms"]["noise"] == "39*beta*sigma**2/(2*K*N*b)"


def test_card_says_why_something_is_missing(capsys):
    """A weighted sum has no cost and no best step, and a contradiction no step at all."""
    card = card_of(capsys, "bound", "fmgda.theorem1")
    assert "there is a floor" in card["cost of |grad| <= ε_acc"]
    assert "weighted with the steps" in card["best steps there"]
    assert "no step found" in card_of(capsys, "bound", "momentum-fl.theorem19-proof")["best steps there"]


@pytest.mark.parametrize(("rhs", "warns"), [(-1e-6, True), (0.0, True), (1e-6, False)])
def test_card_warns_of_a_bound_below_zero(rhs, warns, monkeypatch):
    """Where the conditions allow it there is no best step to print: the numbers where the search ended are chance."""
    found = BestSteps({"eta": 262.6}, rhs, {"eta": 0.01}, 3.0, {})
    monkeypatch.setattr("boundcheck.bounds.best.best_steps", lambda *_: found)
    said = steps(BOUNDS["fedlalr.theorem1"], {})
    assert ("!" in said) is warns
    assert ("262.6" in str(said)) is not warns
    assert ("gain" in said) is not warns


def test_the_printed_theorem_1_of_fedlalr_allows_a_bound_near_zero(capsys):
    """It allows a floor above G_inf, at which its right-hand side is absurd; the prescribed one is 3."""
    best = card_of(capsys, "bound", "fedlalr.theorem1")["best steps there"]["right-hand side"]
    assert best.startswith("not positive") or float(best.split()[0]) < 1e-3


@pytest.mark.parametrize("name", ["momentum-fl.table1-stem", "fedlalr.remark4", "fmgda.text-coda"])
def test_card_of_a_row(name, capsys):
    """A row says what it needs and costs, and a row in words says its words."""
    card = card_of(capsys, "rate", name)
    assert card["says"] == RATES[name].words
    assert set(card["terms"]) == set(RATES[name].terms)
    code, out, err = called(capsys, "show", name)
    assert (code, err) == (0, "")
    assert RATES[name].title in " ".join(out.split())


def test_costs_of_every_method_can_be_read():
    """Gradients of every card parse to an expression in K and a number of full ones, floats to a number."""
    for name in METHODS:
        card = METHODS[name].card
        sampled, full = gradients(card)
        assert sampled.free_symbols <= {K}
        assert full >= 0
        assert sampled.subs(K, 5) + full > 0
        assert floats(card.up, {}) >= 0
        assert floats(card.down, {}) >= 0


@pytest.mark.parametrize(
    ("stated", "counts"),
    [
        ("2K full", (0, 2 * K)),
        ("d full", (0, d)),
        ("2(K-1) + 1 full", (2 * K - 2, 1)),
        ("K (2K with alternating)", (K, 0)),
    ],
)
def test_a_card_of_one_s_own_counts_full_gradients_by_letters(stated, counts):
    """The template of docs/own.md takes 2K of them."""
    assert gradients(replace(METHODS["sgd"].card, gradients=stated)) == counts


def test_gradients_in_words_are_no_count():
    with pytest.raises(NotApplicableError, match="in words, 'two a step'"):
        gradients(replace(METHODS["sgd"].card, gradients="two a step"))


@pytest.mark.parametrize(
    ("name", "sampled", "full"),
    [
        ("fedavg", K, 0),
        ("fedglomo", 4 * (K - 1), 2),
        ("mime", 2 * K, 1),
        ("ce-lsgd", 2 * K + 2 * (K - 1), 0),
        ("marina", 0, 1),
    ],
)
def test_gradients_of_a_round(name, sampled, full):
    """The cards of five methods, read by hand."""
    assert sp.expand(gradients(METHODS[name].card)[0] - sampled) == 0
    assert gradients(METHODS[name].card)[1] == full


def test_floats_follow_the_options_of_a_bound():
    """FedLALR sends three vectors, two with restart."""
    card = METHODS["fedlalr"].card
    assert (floats(card.up, {}), floats(card.up, {"restart": True}), floats(card.up, {"sync": "max"})) == (3, 2, 3)


def test_formulas_are_typeset():
    """A fraction has a bar, letters are those of the notation, numbers stay on their line."""
    assert formula(sp.Rational(9, 10)) == "9/10"
    lines = formula(L * Delta / T).splitlines()
    assert [line.strip() for line in lines] == ["L⋅Δ", "───", "T"]
    assert formula(sp.Le(beta1, 1)) == "β₁ ≤ 1"
    assert entry("gap", "1/T") == "gap: 1/T"
    assert entry("gap", "a\n-\nb") == "gap:\n    a\n    -\n    b"


@pytest.mark.parametrize("name", ["gradma.lemma6", "gradma.lemma6S"])
def test_a_horizon_that_divides_by_zero_is_said(name, capsys):
    """Where all clients take part a threshold over N - S is not defined; that was a ZeroDivisionError."""
    code, out, err = called(capsys, "show", name)
    assert (code, err) == (0, "")
    assert "not defined there (division by zero)" in out
