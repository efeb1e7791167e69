"""Every identity holds, speaks of registered methods, and fails when its method is wrong."""

import pytest
from mutation import mutants_of
from together import together
from turns import first_of_each

from boundcheck.conform import IDENTITIES, about, run
from boundcheck.errors import UnknownNameError
from boundcheck.methods import METHODS, qp
from boundcheck.methods.compressed import PPMARINA
from boundcheck.methods.fedavg import FedAvg, FedAvgM
from boundcheck.methods.scaffold import ScaffoldM, ScaffoldState

WITHOUT_ARITHMETIC = {"pp-marina.everyone", "gradma.projection-golden", "gradma.projection-kkt"}
"""Identities of what is not among the functions that mutants are made of."""


def holds(name):
    """Return whether an identity holds; a method that cannot run does not obey it."""
    try:
        return run([name])[0].ok
    except Exception:  # noqa: BLE001
        return False


@together(IDENTITIES)
def test_identity_holds(name):
    """The deviation is within rounding, or within the limit that the identity takes."""
    outcome = run([name])[0]
    assert outcome.ok, outcome
    assert 0 <= outcome.deviation <= outcome.tolerance <= 1e-5


@pytest.mark.parametrize(
    "name", first_of_each(lambda name: IDENTITIES[name].methods[0], sorted({*IDENTITIES} - WITHOUT_ARITHMETIC)[::-1])
)
def test_identity_fails_for_a_mutant_of_its_method(name):
    """One change in the source of the method of that identity breaks it."""
    killers = (m for m in mutants_of(IDENTITIES[name].methods[0]) if broken_by(m, name))
    assert next(killers, None) is not None
    assert holds(name)


def broken_by(mutant, name):
    with mutant.planted():
        return not holds(name)


def test_identity_of_a_method_without_arithmetic_of_its_own(monkeypatch):
    """PP-MARINA differs from MARINA in who sends."""
    monkeypatch.setattr(PPMARINA, "senders", lambda self, oracle, change: change[:, ::-1] * 1.1)
    assert not holds("pp-marina.everyone")


def test_identities_of_the_projection(monkeypatch):
    """A projection that goes too far, or drops its multipliers' sign, is no projection."""
    right = qp.projection
    monkeypatch.setattr(qp, "projection", lambda g, rows: (1.1 * right(g, rows)[0], -right(g, rows)[1]))
    assert not holds("gradma.projection-golden")
    assert not holds("gradma.projection-kkt")


def test_the_well_known_mistakes_break_identities(monkeypatch):
    """Dividing by S breaks I2 of SCAFFOLD-M, an extra factor I1 of FedAvg-M, a forgotten gamma the step of FedAvg."""

    def over_sampled(self, oracle, state, right=ScaffoldM.round):
        after = right(self, oracle, state)
        return ScaffoldState(after.x, after.g, after.c_i, state.c + (oracle.N / oracle.S) * (after.c - state.c))

    def damped(self, oracle, state, right=FedAvgM.round):
        return right(self, oracle, state._replace(g=(1.0 - self.beta) * state.g))

    def rash(self, oracle, state, right=FedAvg.round):
        return right(FedAvg(eta=self.eta), oracle, state)

    for cls, wrong, name in (
        (ScaffoldM, over_sampled, "scaffold-m.I2"),
        (FedAvgM, damped, "fedavg-m.I1"),
        (FedAvg, rash, "fedavg.step"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(cls, "round", wrong)
            assert not holds(name)


def test_every_method_has_an_identity():
    """Identities are named after a method they speak of, and no registered method is without one."""
    spoken = {m for identity in IDENTITIES.values() for m in identity.methods}
    assert spoken == {*METHODS, *METHODS.further}
    for name, identity in IDENTITIES.items():
        assert name.partition(".")[0] == identity.methods[0]
        assert identity.statement.isprintable()
        assert len(identity.statement) <= 120
    assert len(IDENTITIES) >= 40


def test_a_failing_identity_is_an_outcome(monkeypatch):
    """A wrong method gives ok = False, also where the iterates are not finite."""
    monkeypatch.setattr(FedAvg, "round", lambda self, oracle, state: state._replace(x=state.x * float("nan")))
    assert [o.ok for o in run(["fedavg.step", "scaffold.I2"])] == [False, True]


def test_names_are_checked():
    """Unknown names are refused with what is close."""
    with pytest.raises(UnknownNameError, match=r"unknown identity 'scaffold-m\.I10'; did you mean scaffold-m"):
        run(["scaffold-m.I10"])
    with pytest.raises(UnknownNameError, match="unknown method 'scafold'; did you mean scaffold"):
        about("scafold")
