"""A command that takes long says that it is at work, and does so only where nothing else is said."""

import re
import signal
import time

import pytest
from cli_calls import called

from boundcheck.cli.commands import look
from boundcheck.cli.terminal import progress
from boundcheck.errors import InputError

ASKED = dict.fromkeys(("Delta", "Delta_mean", "distance", "G_0", "S", "pl", "assume", "maximise", "schedule", "mu"))
ASKED |= {"b": 1, "L": 1.0, "sigma": 0.0, "everywhere": False, "measure": "average"}


@pytest.fixture
def impatient(monkeypatch):
    """Make what is said after seconds be said after hundredths of one."""
    monkeypatch.setattr(progress, "_PATIENCE", (0.3, 0.3))


def slow(monkeypatch, work):
    monkeypatch.setattr(look, "print_card", lambda *_, **__: work())


@pytest.mark.usefixtures("impatient")
def test_a_silent_command_says_that_it_is_at_work(monkeypatch, capsys):
    """Ever more seldom: after 0.3 and 0.9 s."""
    slow(monkeypatch, lambda: time.sleep(1.2))
    code, out, err = called(capsys, "show", "ridge-ratio")
    assert (code, out) == (0, "")
    lines = err.splitlines()
    assert 1 <= len(lines) <= 3
    assert all(re.fullmatch(r"show: at work for \d s", line) for line in lines)


def test_a_quick_command_says_nothing(capsys):
    """The control, with the patience that it has."""
    code, _, err = called(capsys, "show", "ridge-ratio")
    assert (code, err) == (0, "")


@pytest.mark.usefixtures("impatient")
def test_an_error_ends_the_words(monkeypatch, capsys):
    slow(monkeypatch, lambda: [][0])
    code, _, err = called(capsys, "show", "ridge-ratio")
    time.sleep(0.2)
    assert code == 3
    assert capsys.readouterr().err == ""
    assert err.count("\n") == 1


@pytest.mark.usefixtures("impatient")
def test_progress_that_is_shown_is_enough(monkeypatch, capsys):
    """A line more often than that, as of replicates or claims."""
    monkeypatch.setattr(progress, "_EVERY", 0.0)

    def counted():
        with progress.work("claims") as tell:
            for k in range(40):
                time.sleep(0.02)
                tell(k, 40, k / 40)

    slow(monkeypatch, counted)
    assert "at work" not in called(capsys, "show", "ridge-ratio")[2]


@pytest.mark.usefixtures("impatient")
def test_a_bar_is_enough(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)

    def drawn():
        with progress.work("claims"):
            capsys.readouterr()
            time.sleep(0.7)

    slow(monkeypatch, drawn)
    assert "at work" not in called(capsys, "show", "ridge-ratio")[2]


def test_a_name_of_any_letters_is_spelled(capsys, monkeypatch):
    monkeypatch.setattr(progress, "_PATIENCE", (0.05, 0.05))
    with progress.waiting("\x1b[2J\n"):
        time.sleep(0.2)
    err = capsys.readouterr().err
    assert "\x1b" not in err
    assert "at work for" in err


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="masks of threads")
@pytest.mark.usefixtures("impatient")
def test_the_thread_that_speaks_hears_no_signal(monkeypatch, capsys):
    """One that it heard would interrupt the start of a worker, which holds signals in its own thread."""
    heard = []
    monkeypatch.setattr(
        progress, "print", lambda *_, **__: heard.append(signal.pthread_sigmask(signal.SIG_BLOCK, [])), raising=False
    )
    with progress.waiting("check"):
        time.sleep(0.6)
    assert heard
    assert heard[0] >= {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, []) & {signal.SIGINT, signal.SIGTERM}


def test_a_long_check_says_beforehand_what_it_takes(monkeypatch, capsys):
    """In place of the check itself, which would take it."""
    from boundcheck.api import theorems

    def begun(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(theorems, "check", begun)
    words = ("check", "momentum-fl.theorem11", "ridge-ratio[sigma=1]", "--N", "4", "--K", "2", "--T")
    code, out, err = called(capsys, *words, "100000000")
    assert (code, out) == (130, "")
    said = r"check: the first 16 replicates take about [\d hmin]+, all 256 take about [\d hmin]+"
    assert re.fullmatch(said, err.splitlines()[0])
    assert called(capsys, *words, "100")[2] == "interrupted; finished cells are kept\n"


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("worst", "fedavg", "--set", "eta=0.02", "--zeta", "1", "--T", "15"), "worst_cases"),
        (("sharpen", "fedavg", "--set", "eta=0.02", "--mu", "0.1"), "sharpening"),
    ],
)
def test_a_long_worst_case_says_beforehand_what_it_takes(words, kind, monkeypatch, capsys):
    """At K = 39 from a run of a third of the steps, or of some more than 48, not made here; few steps say nothing."""
    from boundcheck.api import forecasts

    timed = []
    monkeypatch.setattr(forecasts, "_timed_run", lambda run, K, T: timed.append((K, T)) or (1.9, 10 * K * T))
    for where in ("worst_cases.WorstQuestion.cases", "sharpening._find_contraction"):
        monkeypatch.setattr(f"boundcheck.api.{where}", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    err = called(capsys, *words, "--K", "39")[2]
    # Which conditions are enough is told by two steps a round, what 585 of them take by 39 a round.
    runs = [(2, 25), (39, 4)] if kind == "worst_cases" else [(13, 1)]
    growth = (585 / 156) ** 1.5 if kind == "worst_cases" else 3**forecasts.GROWTH
    assert timed == [run for run in runs for _ in range(2)]
    seconds = 1.9 * growth
    assert err.splitlines()[0] == f"{words[0]}: takes {progress.duration(seconds)}"
    assert "takes" not in called(capsys, *words, "--K", "1")[2]


def test_the_run_that_is_timed_is_short_and_endless_work_is_refused(monkeypatch):
    """A third of a million local steps never ended, and nothing was said beforehand."""
    from boundcheck.api import forecasts

    timed = []
    monkeypatch.setattr(forecasts, "_timed_run", lambda run, K, T: timed.append((K, T)) or (3.0, None))
    for K, T in ((2, 1000), (1000, 3), (3000, 1), (1, 3000), (7, 20)):
        assert forecasts.forecast_from_shorter(lambda K, T: None, K, [T]).seconds > 500
    assert all(1 <= K * T <= 28 for K, T in timed)
    with pytest.raises(InputError, match=r"K T = 20001 is not legal: at most 20000 local steps"):
        forecasts.forecast_from_shorter(lambda K, T: None, 1, [5, 20_001])


@pytest.mark.parametrize(("seconds", "each", "kind"), [(0.1, 0.2, "sparse"), (3.0, 0.2, "slow"), (14.0, 1.1, "dense")])
def test_beyond_a_change_of_work_a_run_beyond_it_is_timed(seconds, each, kind, monkeypatch):
    """Which kind it is, is told by how many conditions there are, and not by seconds.

    A third of 60 steps, of the other kind, foretold 278 s for 0.2.  FedAvg of 49 steps took 0.14 s at K = 2, 3.2 s at
    K = 8, both with at most 0.2 conditions for a couple of points, and 14 s and 0.3 GB where all 1.1 of them count.
    """
    from boundcheck.api import forecasts

    timed = []

    def took(_, K, T):
        timed.append((K, T))
        return seconds, int(each * (K * T) ** 2)

    monkeypatch.setattr(forecasts, "_timed_run", took)
    monkeypatch.setattr(forecasts, "machine_megabytes", lambda: 8000.0)
    found = forecasts.forecast_from_shorter(lambda K, T: None, 1, [98], (48, 120))
    assert set(timed) == {(1, 49)}
    assert found.seconds == pytest.approx(seconds * 2 ** (1.5 if kind == "sparse" else 3.5))
    assert found.megabytes == (pytest.approx(16 * 288, rel=0.01) if kind == "dense" else 0.0)
    timed.clear()
    if kind == "dense":
        with pytest.raises(InputError, match=r"K T = 200 is not legal: at most 112 local steps .* 80 GB.* has 8"):
            forecasts.forecast_from_shorter(lambda K, T: None, 1, [200], (48, 120))
    else:
        assert forecasts.forecast_from_shorter(lambda K, T: None, 1, [200], (48, 120)).megabytes == 0.0
    assert set(timed) == {(1, 49), (1, 121)} if kind == "sparse" else {(1, 49)}


@pytest.mark.slow
def test_a_long_run_of_many_local_steps_is_not_refused():
    """FedAvg at K = 8, T = 30 takes 2 s; for 3 s of a run of 56 steps it was refused as 166 GB."""
    from boundcheck.api.worst_cases import read_question

    question = read_question("fedavg", {**ASKED, "K": 8, "T": 30, "N": 8, "zeta": 1.0, "set_": {"eta": 0.125}})
    found = question.forecast()
    assert found.megabytes == 0.0
    assert found.seconds < 60


def test_noise_doubles_the_points(monkeypatch, capsys):
    """FedAvg of 28 noisy steps took 369 MB, 56 points: nothing was said, and 31 MB foretold without noise."""
    from boundcheck.api import forecasts

    monkeypatch.setattr(forecasts, "_timed_run", lambda run, K, T: (1.0, None))
    monkeypatch.setattr(forecasts, "machine_megabytes", lambda: 8000.0)
    found = forecasts.forecast_from_shorter(lambda K, T: None, 2, [14], 48, noisy=True)
    assert 369 / 3 < found.megabytes < 3 * 369
    code, _, err = called(capsys, *["worst", "fedavg", "--set", "eta=0.1", "--K", "1", "--T", "60", "--sigma", "1"])
    assert code == 2
    assert "K T = 60 is not legal: at most 56 local steps" in err


def test_a_forecast_from_a_third_is_of_the_size_of_what_a_run_takes():
    """Four times as much or as little is what the page says; ten is what a busy machine leaves of it."""
    from boundcheck.api import forecasts
    from boundcheck.api.worst_cases import read_question

    question = read_question("fedavg", {**ASKED, "K": 2, "T": 8, "N": 2, "zeta": 1.0, "set_": {"eta": 0.02}})
    said = question.forecast().seconds
    took = forecasts._timed_run(lambda *_: len(list(question.cases())), 2, 8)[0]
    assert took / 10 < said < 10 * took


def interrupted_there(monkeypatch, capsys, where, *words):
    """Return what a command says before the work at `where`, which is not done."""

    def begun(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(where, begun)
        code, _, err = called(capsys, *words)
    assert code == 130
    return err.splitlines()[:-1]


def test_a_long_search_says_beforehand_what_it_takes(monkeypatch, capsys):
    """More than a minute of it, which is what it has where nothing is said."""
    words = ("boundcheck.evidence.search.refute._RefutationSearch.run", "refute", "fedlalr.theorem1", "--budget")
    said = "refute: the search and its confirmations take at most about 40 min"
    assert interrupted_there(monkeypatch, capsys, *words, "2400") == [said]
    assert interrupted_there(monkeypatch, capsys, *words, "60") == []


def test_a_long_attack_says_beforehand_what_it_takes(monkeypatch, capsys):
    """From attacks on 8 and on 104 clients, here of 1 s and of 2.92 s: 0.02 s a client."""
    from boundcheck.problems.certification import forecast

    monkeypatch.setattr(forecast, "_seconds", lambda name, clients, seed: 0.84 + 0.02 * clients)
    words = ("boundcheck.problems.certify_named", "certify", "ridge-ratio", "--N")
    assert interrupted_there(monkeypatch, capsys, *words, "2000") == ["certify: takes about 41 s"]
    assert interrupted_there(monkeypatch, capsys, *words, "100") == []


def test_a_long_comparison_says_beforehand_what_it_takes(monkeypatch, capsys):
    """Twice, for what is tuned decides what comes after it; seconds and memory are those of `sweep --dry-run`."""
    from boundcheck.sweep.compare import contend
    from boundcheck.sweep.run.estimate import Estimate

    monkeypatch.setattr(contend, "estimate_if_long", lambda *_: Estimate(4, 4, 125.0, 3100.0))
    words = (
        "boundcheck.sweep.compare.contend.run_sweep",
        "compare",
        "ridge-ratio",
        "--N",
        "2",
        "--K",
        "1",
        "--T",
        "20",
    )
    assert interrupted_there(monkeypatch, capsys, *words) == [
        "compare: tuning takes about 125 s, 3.1 GB in a process",
    ]


@pytest.mark.parametrize(
    "words",
    ["check momentum-fl.theorem11 ridge-ratio --N 2 --K 1 --T 99999999999999", "certify ridge-ratio --N 1000000000"],
)
def test_what_is_refused_is_not_foretold(words, capsys):
    """Went wrong: "takes about 4749 h 48 min", and then that so many clients are not legal."""
    code, _, err = called(capsys, *words.split())
    assert code == 2
    assert len(err.splitlines()) == 1


def test_a_long_ledger_says_beforehand_what_it_takes(monkeypatch, capsys):
    """From some claims of all papers, here 10 s for every tenth part; few claims are decided at once."""
    from boundcheck.cli.commands import prove
    from boundcheck.proofs import CLAIMS

    asked, clock = [], iter(range(0, 1000, 10))

    def decide(names, **_):
        asked.append(list(names))
        if len(asked) == 2:
            raise KeyboardInterrupt
        return []

    monkeypatch.setattr("boundcheck.proofs.prove", decide)
    monkeypatch.setattr(prove.time, "process_time", lambda: next(clock))
    code, _, err = called(capsys, "prove", "--no-cache", "--workers", "1")
    few, every = map(len, asked)
    assert (code, every) == (130, len(CLAIMS))
    assert 10 <= few <= 11
    assert len({CLAIMS[name].paper for name in asked[0]}) == 5
    assert err.splitlines()[0] == f"prove: takes {progress.duration(10 / few * every)}"
    assert "takes" not in called(capsys, "prove", "fmgda.lemma3-split", "--no-cache", "--workers", "1")[2]
