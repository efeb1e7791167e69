"""What is known of exponentials, logarithms and powers with any exponent, each for all values at once.

A certificate that uses a fact names it and the values that it speaks of.  The conditions must be shown there; then
what it says of the values is known.  ``x`` is the argument of exp, ``y`` that of log, ``b^k`` a power, ``v`` the
value; the number after a letter says of which value.  0^k is 0 for k > 0, 1 for k = 0, and not defined for k < 0.
"""

FACTS: dict[str, tuple[tuple[str, ...], tuple[str, ...], str]] = {
    # e^x is convex and positive, with slope 1 at 0; e^(-x) >= 1 - x.
    "exp-positive": (("exp",), (), "v1 > 0"),
    "exp-tangent": (("exp",), (), "v1 >= 1 + x1"),
    "exp-inverse": (("exp",), (), "v1*(1 - x1) <= 1"),
    # The series: what follows x^2/2 is x^3/6 e^z, z between 0 and x: at most x^2/2 for x <= 1.
    "exp-square": (("exp",), ("x1 <= 1",), "v1 <= 1 + x1 + x1^2"),
    "exp-second": (("exp",), ("x1 >= 0",), "v1 >= 1 + x1 + x1^2/2"),
    "exp-second-below": (("exp",), ("x1 <= 0",), "v1 <= 1 + x1 + x1^2/2"),
    "exp-grows": (("exp", "exp"), ("x1 <= x2",), "v1 <= v2"),
    "exp-product": (("exp", "exp", "exp"), ("x3 = x1 + x2",), "v3 = v1*v2"),
    # log y <= y - 1; the same of 1/y and of y1/y2; log(1 + z) - z + z^2/2 has the derivative z^2/(1 + z).
    "log-tangent": (("log",), ("y1 > 0",), "v1 <= y1 - 1"),
    "log-inverse": (("log",), ("y1 > 0",), "v1*y1 >= y1 - 1"),
    "log-second": (("log",), ("y1 >= 1",), "v1 >= y1 - 1 - (y1 - 1)^2/2"),
    "log-chord": (("log", "log"), ("y1 > 0", "y2 > 0"), "(v1 - v2)*y2 <= y1 - y2"),
    # At y = e^(2t): t^2 <= sinh(t)^2.
    "log-mean": (("log",), ("y1 > 0",), "v1^2*y1 <= (y1 - 1)^2"),
    "log-grows": (("log", "log"), ("y1 > 0", "y1 <= y2"), "v1 <= v2"),
    "log-product": (("log", "log", "log"), ("y1 > 0", "y2 > 0", "y3 = y1*y2"), "v3 = v1 + v2"),
    # b^k = e^(k log b) for b > 0; b = 0 is seen by itself.
    "power-sign": (("power",), ("b1 >= 0",), "v1 >= 0"),
    "power-positive": (("power",), ("b1 > 0",), "v1 > 0"),
    "power-one": (("power",), ("k1 = 1",), "v1 = b1"),
    "power-share": (("power",), ("b1 >= 0", "b1 <= 1", "k1 >= 0"), "v1 <= 1"),
    "power-above": (("power",), ("b1 >= 1", "k1 >= 0"), "v1 >= 1"),
    "power-falls": (("power", "power"), ("b1 = b2", "b1 >= 0", "b1 <= 1", "k1 >= 0", "k1 <= k2"), "v2 <= v1"),
    "power-grows": (("power", "power"), ("b1 = b2", "b1 >= 1", "k1 <= k2"), "v1 <= v2"),
    "power-of-more": (("power", "power"), ("k1 = k2", "k1 >= 0", "b1 >= 0", "b1 <= b2"), "v1 <= v2"),
    "power-less": (("power",), ("b1 >= 0", "b1 <= 1", "k1 >= 1"), "v1 <= b1"),
    "power-more": (("power",), ("b1 >= 1", "k1 >= 1"), "v1 >= b1"),
    "power-product": (("power", "power", "power"), ("b2 = b1", "b3 = b1", "b1 > 0", "k3 = k1 + k2"), "v3 = v1*v2"),
    # Bernoulli: b^k is convex in b for k >= 1, concave for 0 <= k <= 1, with slope k at 1; then the same of 1/b.
    "bernoulli": (("power",), ("b1 >= 0", "k1 >= 1"), "v1 >= 1 + k1*(b1 - 1)"),
    "bernoulli-inverse": (("power",), ("b1 >= 0", "k1 >= 1"), "v1*(b1 + k1*(1 - b1)) <= b1"),
    "bernoulli-concave": (("power",), ("b1 >= 0", "k1 >= 0", "k1 <= 1"), "v1 <= 1 + k1*(b1 - 1)"),
    # log b <= b - 1.
    "power-below-exp": (("power", "exp"), ("b1 >= 0", "k1 >= 0", "k1*(b1 - 1) <= x2"), "v1 <= v2"),
}
"""By name: the kinds of the values that it speaks of, under which conditions, and what it says."""

ARGUMENTS = {"exp": ("x",), "log": ("y",), "power": ("b", "k")}
