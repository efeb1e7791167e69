"""What is proved of descent on the tail: the squared gradient lies between two powers of the sum of the steps.

For x_(t+1) = x_t - s_t phi'(x_t) with phi(z) = (1+z^2)^(-p/2)/p, x_0 >= 1 and 0 < s_t <= 1, let s be the sum of the
steps so far and e = (2+2p)/(2+p).  Then

    M^(-e)/2 <= phi'(x_t)^2 <= m^(-e),
    M = (1+x_0^2)^(1+p/2) + (2+p) (3/2)^(1+p) s,    m = (1+x_0^2)^(1+p/2) + (1+p/2) s.

The page on attained rates has the proof.  As p goes to 0, e goes to 1, the power that theorems promise.
"""

from __future__ import annotations

from boundcheck.errors import require


def tail_exponent(p: float) -> float:
    """Return e = (2+2p)/(2+p): the squared gradient falls like the sum of the steps to the power -e."""
    return (2 + 2 * p) / (2 + p)


def tail_floor(p: float, start: float, steps: float) -> float:
    """Return what the squared gradient is at least, after steps that sum to `steps`, and at every point before.

    Parameters
    ----------
    p : float
        Power of the tail.
    start : float
        x_0, at least 1.
    steps : float
        Sum of the steps, each of them at most 1.

    Raises
    ------
    InputError
        If a number is not legal.
    """
    _require(p, start, steps)
    reach = (1 + start**2) ** (1 + p / 2) + (2 + p) * 1.5 ** (1 + p) * steps
    return float(reach ** -tail_exponent(p) / 2)


def tail_ceiling(p: float, start: float, steps: float) -> float:
    """Return what the squared gradient is at most, after steps that sum to `steps`; see `tail_floor`."""
    _require(p, start, steps)
    reach = (1 + start**2) ** (1 + p / 2) + (1 + p / 2) * steps
    return float(reach ** -tail_exponent(p))


def _require(p: float, start: float, steps: float) -> None:
    require(p > 0, "tail: p", p, "a number > 0")
    require(start >= 1, "tail: start", start, "a number >= 1")
    require(steps >= 0, "tail: steps", steps, "a number >= 0")
