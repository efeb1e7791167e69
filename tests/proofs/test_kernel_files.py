"""What a claim file or a step may not say is refused with a word, never read in another way."""

import pytest

from boundcheck.proofs.kernel import File, Kernel, Proof, Refused
from boundcheck.proofs.kernel.report import lines

HEAD = """
indices = "i = 1 .. N, t = 0 .. T - 1, k = 0 .. K - 1"
[letters]
"> 0" = "N, T, K, S, R, c"
">= 0" = "q, spread"
"real" = "z"
"""
BODY = """
[vectors]
"x[t]" = "server, t = 0 .. T"
"y[t, k]" = "client, k = 0 .. K"
"xi[t, k]" = "noise"
"A[t]" = "sample of S"
[numbers]
"s[t]" = "numbers"
"""


def _kernel(tmp_path, text, choices=None):
    page = tmp_path / "claims.toml"
    page.write_text(text, encoding="utf-8")
    file = File()
    file.read(page)
    return Kernel(file, Proof(choices or {}))


def test_the_head_alone_is_legal(tmp_path):
    assert _kernel(tmp_path, HEAD + BODY).check() == {}


@pytest.mark.parametrize(
    "text",
    [
        '[equations]\na = "x[t + 1] = x[t]"\nb = "x[t] = 0"',
        '[equations]\na = "x[t] = x[t]"',
        '[equations]\na = "x[t] = y[t, 0]"',
        '[equations]\na = "xi[t, k] = 0"',
        '[equations]\na = "y[t, k] = x[t + 1]"\nb = "x[t + 1] = mean(i, k) y[t, k]"',
        '[definitions]\na = "a[t] = a[t] + 1"',
        '[definitions]\na = "a[t] = b[t]"\nb = "b[t] = a[t]"',
        '[definitions]\na = "a[t] = s[t]/q"',
        '[definitions]\na = "a[t] = s[t]/(K - 1)"',
        '[definitions]\ns = "s[t] = 1"',
        '[leaf.a]\nsays = "s[t] <= 1 for t"\nsome = "thing"',
        '[leaf.a]\nsays = "s[t] <= 1 for t = 0 .. c"',
        '[leaf.a]\nsays = "s[t] < 1 for t"',
        '[leaf.a]\nsays = "s[t] <= 1 = c for t"',
        '[leaf.a]\nsays = "s[t] <= 1 for t, t"',
        '[leaf.a]\npoints = "u everybody"\nsays = "f(u) <= 1"',
        '[claim.a]\nshows = "c <= 1"\n[claim.a.b]\nshows = "c <= 1"\n[claim."a.b"]\nshows = "c <= 2"',
        '[claim.self]\nshows = "c <= 1"',
        '[claim.a]\nshows = "c <= 1"\nat = "N = 2"',
        '[claim.a]\nshows = "c <= 1"\nat = "c = q, q = c"',
        '[claim.a]\nshows = "c <= 1"\ninduction = "k"\nvanishing = "q"',
        '[claim.a]\nshows = "c <= 1"\nbase = "b"',
        '[claim.a]\nshows = "\\u0441 <= 1"',
        '[claim.a]\nshows = "c <= 1 \\u001b[31m"',
        '[claim.a]\nshows = "c\' <= 1"',
        "[theorem.a]\nsteps = 'b'",
    ],
)
def test_what_is_not_legal_is_refused(tmp_path, text):
    with pytest.raises((Refused, ValueError)):
        _kernel(tmp_path, HEAD + BODY + text)


@pytest.mark.parametrize("sign", ["real", "> 0", "< 0", "<= 0"])
def test_a_sequence_of_numbers_has_one_sign(tmp_path, sign):
    """It is >= 0, whatever its text says: one that reads as another sign is refused."""
    with pytest.raises(Refused, match="such a sequence is >= 0"):
        _kernel(tmp_path, HEAD + BODY.replace('"numbers"', f'"{sign}"'))


@pytest.mark.parametrize(
    "claim",
    [
        'shows = "mean(t) s[t] <= mean(t) (s[t] + s[t]) for t"',
        'shows = "0 <= x[t] for t"',
        'shows = "f(y[t, k]) <= f(y[t, k]) for t, k"',
        'shows = "s[t] s[t] = s[t] s[t] for t"',
        'shows = "mean(i) s[t] = s[t] for t"',
        'shows = "s[T] = s[T]"',
        'shows = "t <= T"',
        'shows = "teapot <= teapot"',
        'shows = "c = min(c, 1)"',
        'shows = "c/0 = c/0"',
        'shows = "1/(1/0) = 0"',
        'shows = "z/z = 1"',
        'steps = "it"\nshows = "c <= 1"',
        'steps = "later"\nshows = "c <= 1"',
        'at = "c = -1"\nshows = "c <= 0"',
        'at = "c = 0"\nshows = "c <= 0"',
        'at = "q = z"\nshows = "0 <= q"',
        'at = "S = 1"\nshows = "S <= 1"',
        'vanishing = "c"\nshows = "c <= c"',
        'induction = "t"\nbase = "no"\nsteps = "self"\nshows = "s[t] <= 1 for t"',
        'shows = "discounted(t, z) s[t] = discounted(t, z) s[t]"',
        'shows = "sum(k = 0 .. K - 3) 1 = K - 2"',
    ],
)
def test_what_says_nothing_is_not_proved(tmp_path, claim):
    text = f'{HEAD}{BODY}[claim.it]\n{claim}\n[claim.later]\nshows = "c <= c"\n'
    verdicts = _kernel(tmp_path, text).check()
    assert not verdicts["it"].proved
    assert "not understood" not in verdicts["it"].why
    assert verdicts["later"].proved


@pytest.mark.parametrize("claim", ["x)\\nbig.theorem: proved", "x: y", "x y"])
def test_a_claim_of_the_ledger_is_named_by_its_id(tmp_path, claim):
    """Whatever stood there was printed, in lines of its own."""
    with pytest.raises(Refused, match="is no id"):
        _kernel(tmp_path, f'{HEAD}{BODY}[leaf.a]\nsays = "c <= 1"\nclaim = "{claim}"\n')


def test_no_text_of_a_file_is_printed_as_another_line(tmp_path):
    """A terminal would write over the line that says what is not proved."""
    escape = "\\u001b[2K"
    kernel = _kernel(
        tmp_path, f'{HEAD}{BODY}[claim.it]\nsteps = "telescope(u -> x[t]) [sum {escape}]"\nshows = "c <= 1"\n'
    )
    kernel.check()
    assert "\x1b" in kernel.verdicts["it"].why
    printed = lines(kernel)
    assert all(line.isprintable() for line in printed)
    assert "NOT PROVED" in printed[0]


def test_two_sizes_of_samples_have_no_letter_for_their_variance(tmp_path):
    """`spread` belongs to one size; with two, 1/S is all that is known."""
    two = BODY.replace('"A[t]" = "sample of S"', '"A[t]" = "sample of S"\n"B[t]" = "sample of R"')
    claim = '[claim.it]\nshows = "spread <= 1"\n'
    assert _kernel(tmp_path, HEAD + BODY + claim).check()["it"].proved
    assert not _kernel(tmp_path, HEAD + two + claim).check()["it"].proved


def test_noise_beyond_the_last_step_of_a_round_has_no_law(tmp_path):
    """A deviation is known at the round's end; noise that is drawn later in no round is not orthogonal to it."""
    claim = '[claim.it]\nshows = "<mean(i) xi[t, K - 1], x[t]> = 0 for t"\n'
    equation = '[equations]\ngo = "x[t + 1] = x[t] - mean(i, k) xi[t, k]"\n'
    longer = BODY.replace('"xi[t, k]" = "noise"', '"xi[t, k]" = "noise, k = 0 .. K"')
    choices = {"births": {"x": 0}}
    assert _kernel(tmp_path, HEAD + BODY + equation + claim, choices).check()["it"].proved
    with pytest.raises(Refused, match="may be younger"):
        _kernel(tmp_path, HEAD + longer + equation + claim, choices)
    assert not _kernel(tmp_path, HEAD + longer + equation + claim).check()["it"].proved


def test_a_deviation_of_a_single_step_has_no_law(tmp_path):
    """Where a round is one step, a deviation would be known before it is drawn."""
    text = HEAD + '[vectors]\n"x[t]" = "server"\n"xi[t]" = "noise"\n"n[t]" = "deviation"\n[claim.it]\n'
    assert not _kernel(tmp_path, text + 'shows = "|n[t]|^2 = 0 for t"\n').check()["it"].proved


@pytest.mark.parametrize(
    ("uses", "words"),
    [
        ("claims.toml", "used twice, or by itself"),
        ("../claims.toml", "no name of a file"),
        ("/dev/zero", "no name of a"),
    ],
)
def test_a_file_uses_no_file_twice_and_none_elsewhere(tmp_path, uses, words):
    """By itself it did not end, and any path was opened."""
    with pytest.raises(Refused, match=words):
        _kernel(tmp_path, f'uses = "{uses}"\n{HEAD}{BODY}')


def test_a_file_without_end_is_not_read(tmp_path):
    (tmp_path / "endless.toml").symlink_to("/dev/zero")
    with pytest.raises(Refused, match="no plain file"):
        _kernel(tmp_path, f'uses = "endless.toml"\n{HEAD}{BODY}')
