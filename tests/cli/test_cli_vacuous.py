"""What `check` says where a theorem says nothing: why, and from when on it does."""

import pytest
from cli_calls import called, parsed

SIZE = ("--N", 2, "--K", 2, "--replicates", 4, "--budget", 4)


@pytest.mark.parametrize(("T", "why"), [(5, "the trivial bound"), (400, "too weak for this problem")])
def test_a_vacuous_verdict_names_the_horizon(capsys, T, why):
    """The bound itself is below 2 L Delta from the horizon on, and not one round before."""
    code, out, _ = called(capsys, "check", "momentum-fl.theorem11", "ridge-ratio[d=4]", *SIZE, "--T", T)
    assert code == 0
    assert f"vacuous: {why}" in " ".join(out.split())
    first = int(out.partition("vacuous below T = ")[2].partition(";")[0].replace(",", ""))
    for rounds, empty in ((first - 1, True), (first, False)):
        found = parsed(capsys, "check", "momentum-fl.theorem11", "ridge-ratio[d=4]", *SIZE, "--T", rounds)
        assert (found["rhs"] >= found["vacuity"]) is empty


def test_what_says_something_names_no_horizon(capsys):
    """The control: far beyond the horizon there is no such line."""
    _, out, _ = called(capsys, "check", "momentum-fl.theorem11", "ridge-ratio[d=4]", *SIZE, "--T", 4000)
    assert "holds" in out
    assert "from when on" not in out
