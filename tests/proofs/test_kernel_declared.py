"""What a file declares is a hypothesis of its claims: the kernel prints it below them."""

import pytest

from boundcheck.proofs.kernel import File
from boundcheck.proofs.kernel.report import declarations, lines, read

PAGE = """
indices = "i = 1 .. N, t = 0 .. T - 1, k = 0 .. K - 2"
[letters]
"> 0" = "N, T, K, S, L, d"
">= 0" = "q"
"real" = "a"
"> 0, t = 0 .. T" = "eta[t]"
"series k" = "s"
[vectors]
"x[t]" = "server, t = 0 .. T"
"c" = "client"
"xi[t, k]" = "noise"
"A[t]" = "sample of S"
"ones" = "ones of d"
[numbers]
"drift[t]" = "how far clients are apart"
[claim.it]
shows = "0 <= q"
"""
DECLARED = [
    "indices: i = 1 .. N, t = 0 .. T - 1, k = 0 .. K - 2",
    "numbers > 0: N, T, K, S, L, d, eta[t = 0 .. T]",
    "numbers >= 0: q, drift[t = 0 .. T - 1]",
    "numbers real: a",
    "series over k: s",
    "server: x[t = 0 .. T]",
    "client: c",
    "noise: xi[t = 0 .. T - 1, k = 0 .. K - 2]",
    "sample of S: A[t = 0 .. T - 1]",
    "ones of d: ones",
]


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "declared.toml"
    path.write_text(PAGE, encoding="utf-8")
    return path


def test_all_that_is_declared_is_printed(page):
    """Also of a file that another one uses."""
    found = lines(read(page, {}))
    assert sorted(found[found.index("declared:") + 1 :]) == sorted(f"    {line}" for line in DECLARED)
    user = page.with_name("user.toml")
    user.write_text(
        'uses = "declared.toml"\n[letters]\n"real" = "b"\n[claim.its]\nshows = "0 <= b^2"\n', encoding="utf-8"
    )
    assert "    numbers real: a, b" in lines(read(user, {}))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('S, L, d"', 'S, d"\n"series t" = "L"'),
        ('">= 0" = "q"\n"real" = "a"', '">= 0" = "q, a"'),
        ('"> 0, t = 0 .. T"', '"real, t = 0 .. T"'),
        ("server, t = 0 .. T", "client, t = 0 .. T"),
        ('"noise"', '"deviation"'),
        ("sample of S", "sample of 2"),
        ('"how far clients are apart"', '"how far they are, k"'),
        ("k = 0 .. K - 2", "k = 0 .. K - 1"),
    ],
)
def test_another_declaration_is_another_line(page, old, new):
    """Whoever alters what is assumed alters what is printed, but for the words of a meaning."""
    assert old in PAGE
    page.write_text(PAGE.replace(old, new), encoding="utf-8")
    file = File()
    file.read(page)
    assert (sorted(declarations(file)) != sorted(DECLARED)) == ("how" not in new)
