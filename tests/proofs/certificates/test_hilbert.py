"""Certificates about vectors as Coq, which accepts them."""

import copy
import shutil
import subprocess

import pytest

from boundcheck.errors import InputError
from boundcheck.methods.fedavg import FedAvg
from boundcheck.proofs.certificates.hilbert_coq import coq
from boundcheck.proofs.kernel import certificates as verify
from boundcheck.worst import certificates, proved_upper, sharpen

VARIANCE = {
    "id": "variance",
    "letters": {"c": "family", "v": "family", "s": ">=0", "t": ""},
    "given": ["|c - mean(v)|^2 <= t", "t = s/2"],
    "shows": "|v - mean(v)|^2 <= 2*<v - mean(v), v> - |v - mean(v)|^2 + 3*s/2 - |mean(v) - c|^2",
    "by": [["1", 0], ["-1", 1], ["1", "s"]],
}
"""Multiplied out by hand: the products of v cancel, and what is left is (t - |c - mean(v)|^2) - (t - s/2) + s."""
needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")


def accepted(certificate, folder):
    (folder / "some.v").write_text(coq(certificate))
    return subprocess.run(["coqc", "-q", "some.v"], cwd=folder, capture_output=True, check=False).returncode == 0


def worst_case(which):
    if which == "noise-free":
        return [proved_upper(FedAvg(eta=0.5), K=2, T=2, zeta=1.0).certificate]
    if which == "noise":
        return [proved_upper(FedAvg(eta=0.5), K=1, T=2, zeta=1.0, sigma=1.0, N=3).certificate]
    return certificates(sharpen(FedAvg(eta=0.25), K=2, T=10, zeta=1.0))


@needs_coq
def test_coq_accepts_and_rejects(tmp_path):
    """A small one, and the same with another multiplier, sign or conclusion."""
    assert verify.check(VARIANCE, {})
    assert accepted(VARIANCE, tmp_path)
    for key, value in (("by", [["1", 0], ["-1", 1], ["2", "s"]]), ("shows", VARIANCE["shows"].replace("3*s", "2*s"))):
        assert not accepted(copy.deepcopy(VARIANCE) | {key: value}, tmp_path)


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("which", ["noise-free", "noise", "sharpened"])
def test_coq_accepts_worst_cases_and_sharpened_theorems(which, tmp_path):
    """In an abstract inner product space, with the certificate's own multipliers."""
    for certificate in worst_case(which):
        assert accepted(certificate, tmp_path)


def test_the_texts():
    """Letters, signs and hints; a family is a vector, a mean a map."""
    text = coq(VARIANCE)
    assert "(c v : V) (s t : R) (sign_s : 0 <= s)" in text
    assert "nra" not in text
    assert "(scal (-1) (mean v))" in text


def test_what_has_no_text_is_refused():
    """Products of hypotheses, steps, and vectors that letters multiply."""
    for change in ({"by": [["1", 0, "s"]]}, {"steps": []}, {"shows": "0 <= |s*v|^2", "by": [["1", ["s*v"]]]}):
        with pytest.raises(InputError, match="is not legal"):
            coq(VARIANCE | change)
