"""Seeded mistakes: what is changed in the source of a method's straight-line reference, text by text.

The names of a method's own mistakes are those of `boundcheck.conform.mistakes`; the changes say nothing about how these
are made there.
"""

_ONE_SAMPLE = ("g(r, k, i)", "g(r, 0, i)")
_SIZES = "[g.size(i) for i in chosen]"
_FIRST_POINT = ("y = y - ", "at = y if k == 0 else at; y = y - "), ("g(r, k, i)(y)", "g(r, k, i)(at)")


def clip(bound, entries=False, call="g(r, k, i)(y)"):
    """Return the change that clips every gradient by norm, or entry by entry."""
    if entries:
        return [(call, f"np.clip({call}, -{bound}, {bound})")]
    return [(call, f"(lambda v: v * min(1.0, {bound} / np.linalg.norm(v)))({call})")]


_DISPLACEMENT = "_average([_sgd(x, g, r, i, K, eta) - x for i in chosen])"
_EACH = "_sgd(x, g, r, i, K, eta) - x for i in chosen"
_STEP = "gamma * m / (np.sqrt(v) + tau)"
_V0 = ("np.full_like(x0, tau**2)", "np.zeros_like(x0)")
_FRESH_M = "m = beta1 * m + (1 - beta1) * delta"
_BOTH = (_STEP, "gamma * m / (1 - beta1 ** (r + 1)) / (np.sqrt(v / (1 - beta2 ** (r + 1))) + tau)")
_BEGIN = "path, m, v = [x0]"

FEDOPT = {
    "over-N": [(_DISPLACEMENT, f"sum({_EACH}) / N")],
    "sum": [(_DISPLACEMENT, f"sum({_EACH})")],
    "shared": [
        (f"delta = {_DISPLACEMENT}", "ends = [x := _sgd(x, g, r, i, K, eta) for i in chosen]; delta = ends[-1] - x")
    ],
    "shared-copied": [
        (
            f"delta = {_DISPLACEMENT}",
            "ends = [x := _sgd(x, g, r, i, K, eta) for i in chosen]; delta = _average(ends) - x",
        )
    ],
    "not-loaded": [
        (_BEGIN, f"kept = {{}}; {_BEGIN}"),
        (
            f"delta = {_DISPLACEMENT}",
            (
                "kept.update({i: _sgd(kept.get(i, x0), g, r, i, K, eta) for i in chosen}); "
                "delta = _average([kept[i] - x for i in chosen])"
            ),
        ),
    ],
    "v-zero": [_V0],
    "tau-inside": [("(np.sqrt(v) + tau)", "np.sqrt(v + tau)")],
    "tau-squared-inside": [("(np.sqrt(v) + tau)", "np.sqrt(v + tau**2)")],
    "v-zero-tau-inside": [_V0, ("(np.sqrt(v) + tau)", "np.sqrt(v + tau)")],
    "no-tau": [("(np.sqrt(v) + tau)", "np.sqrt(v)")],
    "no-root": [("np.sqrt(v)", "v")],
    "sign": [("x + gamma", "x - gamma")],
    "old-v": [("for c in range", "old = v.copy()\n        for c in range"), ("np.sqrt(v)", "np.sqrt(old)")],
    "forgotten-v": [("x = path[-1]", "x = path[-1]; v = np.full_like(x0, tau**2)")],
    "of-gradients": [(_FRESH_M, f"delta = delta / (eta * K); {_FRESH_M}")],
}
_ADAGRAD_LAW = "v[c] = v[c] + square"
_ADAM_LAW = "v[c] = beta2 * v[c] + (1 - beta2) * square"
FEDADAGRAD = {
    **FEDOPT,
    "last-square": [(_ADAGRAD_LAW, "v[c] = square")],
    "sizes": [(_ADAGRAD_LAW, "v[c] = v[c] + abs(delta[c])")],
}
_MOMENTS = {
    **FEDOPT,
    "undamped": [("(1 - beta1) * delta", "delta")],
    "swapped": [(_BEGIN, f"beta1, beta2 = beta2, beta1; {_BEGIN}")],
    "bias": [_BOTH],
    "bias-first": [(_STEP, "gamma * m / (1 - beta1 ** (r + 1)) / (np.sqrt(v) + tau)")],
    "v-zero-bias": [_V0, _BOTH],
    "momentum-none": [(_FRESH_M, "m = delta")],
}
FEDADAM = {
    **_MOMENTS,
    "adagrad-law": [(_ADAM_LAW, _ADAGRAD_LAW)],
    "yogi-law": [(_ADAM_LAW, "v[c] = v[c] - (1 - beta2) * square * np.sign(v[c] - square)")],
}
FEDYOGI = {
    **_MOMENTS,
    "adagrad-law": [('if rule == "adagrad":', "if True:")],
    "adam-law": [('elif rule == "adam":', "elif True:")],
    "reversed": [("v[c] > square", "v[c] < square * (1 + 0)"), ("elif v[c] < square:", "elif v[c] > square:")],
}

_SLOW = "u = beta * u + (x - _average([_sgd(x, g, r, i, K, eta) for i in chosen])) / eta"
_CHAIN = "ends = [x := _sgd(x, g, r, i, K, eta) for i in chosen]; u = beta * u"
SLOWMO = {
    "over-N": [(_SLOW, "u = beta * u + sum(x - _sgd(x, g, r, i, K, eta) for i in chosen) / N / eta")],
    "sum": [(_SLOW, "u = beta * u + sum(x - _sgd(x, g, r, i, K, eta) for i in chosen) / eta")],
    "shared": [(_SLOW, _CHAIN)],
    "shared-copied": [(_SLOW, f"{_CHAIN} + (x - _average(ends)) / eta")],
    "not-loaded": [
        ("path, u = [x0]", "kept = {}; path, u = [x0]"),
        (
            _SLOW,
            (
                "kept.update({i: _sgd(kept.get(i, x0), g, r, i, K, eta) for i in chosen}); "
                "u = beta * u + (x - _average([kept[i] for i in chosen])) / eta"
            ),
        ),
    ],
    "damped": [("+ (x -", "+ (1 - beta) * (x -")],
    "momentum-sign": [("u = beta * u", "u = -beta * u")],
    "no-eta": [(")) / eta", "))")],
    "no-eta-back": [("gamma * eta * u", "gamma * u")],
    "old-momentum": [("u = beta * u", "old, u = u, beta * u"), ("gamma * eta * u", "gamma * eta * old")],
}

_PAQ = "m = server_mu * m + mean([quantise(quantiser, v, g.coins) for v in D])"
_BUFFER = "buffer = mu * buffer + g(r, k, i)(y)"
LOCAL_HEAVY_BALL = {
    "over-N": [(_PAQ, "m = sum(D) / N")],
    "sum": [(_PAQ, "m = sum(D)")],
    "points-over-N": [(_PAQ, "m = x - sum(x - v for v in D) / N")],
    "kept": [
        ("path, m", "own = {}; path, m"),
        ("buffer = x, np.zeros_like(x0)", "buffer = x, own.get(i, np.zeros_like(x0))"),
        ("D.append(x - y)", "own[i] = buffer; D.append(x - y)"),
    ],
    "one-buffer": [
        ("path, m", "own = {}; path, m"),
        ("buffer = x, np.zeros_like(x0)", "buffer = x, own.get(0, np.zeros_like(x0))"),
        ("D.append(x - y)", "own[0] = buffer; D.append(x - y)"),
    ],
    "damped": [(_BUFFER, "buffer = mu * buffer + (1 - mu) * g(r, k, i)(y)")],
    "nesterov": [
        (_BUFFER, "grad = g(r, k, i)(y); buffer = mu * buffer + grad"),
        ("eta * buffer", "eta * (mu * buffer + grad)"),
    ],
    "momentum-sign": [("= mu * buffer", "= -mu * buffer")],
    "momentum-none": [(_BUFFER, "buffer = g(r, k, i)(y)")],
}

_START = "y, u = path[-1], 0 * common if restart else common"
PR_SGD_M = {
    "points-over-N": [("_average(ends)", "sum(ends) / N"), ("_average(buffers)", "sum(buffers) / N")],
    "kept": [
        ("path, common", "own = {}; path, common"),
        (_START, "y, u = path[-1], own.get(i, 0 * common)"),
        ("buffers.append(u)", "own[i] = u"),
        ("common = _average(buffers)", "pass"),
    ],
    "one-buffer": [("buffers.append(u)", "common = u"), ("common = _average(buffers)", "pass")],
    "damped": [("u = beta * u + grad", "u = beta * u + (1 - beta) * grad")],
    "nesterov": [("(beta * u + grad if nesterov else u)", "(beta * u + grad)")],
    "momentum-sign": [("u = beta * u", "u = -beta * u")],
    "restart": [(_START, "y, u = path[-1], 0 * common")],
    "momentum-none": [("u = beta * u + grad", "u = grad")],
}

_REFRESH = "own[i] = own[i] - alpha * (y - x)"
FEDDYN = {
    "sign": [("- own[i] + alpha", "+ own[i] + alpha")],
    "frozen": [(_REFRESH, "pass")],
    "no-alpha": [(_REFRESH, "own[i] = own[i] - (y - x)")],
    "h-over-S": [("alpha / N", "alpha / len(chosen)")],
    "h-sign": [("h = h - alpha", "h = h + alpha")],
    "h-none": [(" - h / alpha", "")],
    "h-old": [("h = h - alpha", "old, h = h, h - alpha"), (" - h / alpha", " - old / alpha")],
}

_DELTA = "delta[i] = delta[i] + (sent[i] - P) / K"
FEDGATE = {
    "over-N": [("mean(sent.values())", "sum(sent.values()) / N")],
    "sum": [("mean(sent.values())", "sum(sent.values())")],
    "sign": [("(y) - delta[i]", "(y) + delta[i]")],
    "without-eta": [("y - eta * (g(r, k, i)(y) - delta[i])", "y - eta * g(r, k, i)(y) + delta[i]")],
    "no-K": [(_DELTA, "delta[i] = delta[i] + (sent[i] - P)")],
    "no-eta": [(_DELTA, "delta[i] = delta[i] + eta * (sent[i] - P) / K")],
    "frozen": [(_DELTA, "pass")],
}

_SQUARES = "v[i] = beta2 * v[i] + (1 - beta2) * grad**2"
_ADAM = "y = y - eta * m[i] / (np.sqrt(top[i]) + eps)"
LOCAL_ADAM = {
    "points-over-N": [("_average(ends)", "sum(ends) / N")],
    "bias": [
        ("m, v, top = (", "steps = [0] * N; m, v, top = ("),
        (
            _ADAM,
            (
                "steps[i] += 1; y = y - eta * (m[i] / (1 - beta1 ** steps[i]))"
                " / (np.sqrt(top[i] / (1 - beta2 ** steps[i])) + eps)"
            ),
        ),
    ],
    "reset": [("if reset", "if True")],
    "amsgrad": [("if amsgrad else v[i]", "")],
    "swapped": [("m, v, top = (", "beta1, beta2 = beta2, beta1; m, v, top = (")],
    "momentum-none": [("m[i] = beta1 * m[i] + (1 - beta1) * grad", "m[i] = grad")],
    "no-eps": [("+ eps", "")],
    "eps-inside": [("(np.sqrt(top[i]) + eps)", "np.sqrt(top[i] + eps)")],
    "no-root": [("np.sqrt(top[i])", "top[i]")],
    "adagrad-law": [(_SQUARES, "v[i] = v[i] + grad**2")],
    "undamped": [(_SQUARES, "v[i] = beta2 * v[i] + grad**2")],
    "averaged": [
        (
            "path.append(_average(ends))",
            (
                "path.append(_average(ends)); "
                "shared = _average([m[i] for i in chosen]), _average([v[i] for i in chosen]); "
                "[(m.__setitem__(i, shared[0]), v.__setitem__(i, shared[1])) for i in chosen]"
            ),
        )
    ],
}

_BLOCKS = "a - eta_x * gu, b + eta_y * gv"
LOCAL_SGDA = {
    "sum": [("sum(ths) / N, sum(ws) / N", "th + sum(a - th for a in ths), w + sum(b - w for b in ws)")],
    "descent": [(_BLOCKS, "a - eta_x * gu, b - eta_y * gv")],
    "swapped": [(_BLOCKS, "a - eta_y * gu, b + eta_x * gv")],
    "one-step": [(_BLOCKS, "a - eta_x * gu, b + eta_x * gv")],
    "frozen": [(_BLOCKS, "a - eta_x * gu, b")],
}

_IN_PLACE = [("y = x.copy()", "y = x"), ("y = y - eta * ", "y -= eta * ")]
_OPTION_II = ("seen / K", "own[i] - common + (x - y) / (K * eta)")
_MIXED = "beta * grad + (1 - beta) * server"
_CORRECTED = "grad - own[i] + common"
_OLD = "(1 - beta) * server"
_MEAN_OF_MODELS = "gamma / (eta * K) * ((len(chosen) * x - displacement) / N - x)"
OWN = {
    "fedavg": {
        "over-N": [("len(chosen)", "N")],
        "sum": [("len(chosen) * ", "")],
        "points-over-N": [("x = x - gamma * displacement / (eta * len(chosen) * K)", f"x = x + {_MEAN_OF_MODELS}")],
        "shared": _IN_PLACE,
        "shared-copied": [
            *_IN_PLACE,
            ("displacement = np.zeros_like(x)", "ends = []"),
            ("displacement += x - y", "ends.append(y.copy())"),
            ("gamma * displacement", "gamma * sum(x - end for end in ends)"),
        ],
        "not-loaded": [
            ("path = [", "own = {}; path = ["),
            ("y = x.copy()", "y = own.get(i, x0)"),
            ("displacement += x - y", "own[i] = y; displacement += x - y"),
        ],
        "no-server-step": [("x - gamma", "x - eta * K")],
    },
    "fedprox": {
        "over-N": [("_average(ends)", "path[-1] + sum(y - path[-1] for y in ends) / N")],
        "sum": [("_average(ends)", "path[-1] + sum(y - path[-1] for y in ends)")],
        "points-over-N": [("_average(ends)", "sum(ends) / N")],
        "prox-sign": [("+ rho", "- rho")],
        "prox-double": [("+ rho", "+ 2 * rho")],
        "prox-half": [("+ rho", "+ rho / 2")],
        "prox-none": [("+ rho", "+ 0 * rho")],
        "prox-without-eta": [("+ rho", "+ rho / eta")],
    },
    "fedavg-server-m": {
        "over-N": [("_average(moves)", "sum(moves) / N")],
        "sum": [("_average(moves)", "sum(moves)")],
        "shared": [("x = path[-1]", "x = path[-1].copy()"), ("y = y - eta * ", "y -= eta * ")],
        "shared-copied": [
            ("x = path[-1]", "x = path[-1].copy()"),
            ("y = y - eta * ", "y -= eta * "),
            ("moves.append(x - y)", "moves.append(y.copy())"),
            ("_average(moves)", "_average([x - end for end in moves])"),
        ],
        "not-loaded": [
            ("path, velocity", "own = {}; path, velocity"),
            ("y = x\n", "y = own.get(i, x0)\n"),
            ("moves.append(x - y)", "own[i] = y; moves.append(x - y)"),
        ],
        "damped": [("_average(moves)", "(1 - beta) * _average(moves)")],
        "momentum-sign": [("= beta * velocity", "= -beta * velocity")],
        "old-momentum": [("velocity = beta", "old, velocity = velocity, beta"), ("gamma * velocity", "gamma * old")],
        "nesterov": [("gamma * velocity", "gamma * (beta * velocity + _average(moves))")],
    },
    "fedavg-m": {
        "over-N": [("eta * len(chosen)", "eta * N")],
        "sum": [("eta * len(chosen)", "eta")],
        "shared": _IN_PLACE,
        "shared-copied": [
            *_IN_PLACE,
            ("total = np.zeros_like(x)", "ends = []"),
            ("total += x - y", "ends.append(y.copy())"),
            ("server = total", "server = sum(x - end for end in ends)"),
        ],
        "not-loaded": [
            ("server = np.zeros_like(x)", "own, server = {}, np.zeros_like(x)"),
            ("y = x.copy()", "y = own.get(i, x0)"),
            ("total += x - y", "own[i] = y; total += x - y"),
        ],
        "swapped": [(_MIXED, "(1 - beta) * grad + beta * server")],
        "extra-factor": [(_OLD, "(1 - beta) ** 2 * server")],
        "momentum-sign": [("+ " + _OLD, "- " + _OLD)],
        "old-momentum": [(_OLD, "(1 - beta) * directions[max(r - 1, 0)]")],
        "no-K": [("(eta * len(chosen) * K)", "(eta * len(chosen))")],
        "undamped-gradient": [("beta * grad", "grad")],
        "undamped-momentum": [(_OLD, "server")],
        "momentum-none": [(_OLD, "0 * server")],
    },
    "scaffold": {
        "over-N": [("mean(moved)", "sum(moved) / N")],
        "sum": [("mean(moved)", "sum(moved)")],
        "sign": [("- own[i] + common)", "+ own[i] - common)")],
        "c-over-S": [("sum(changed) / N", "mean(changed)")],
        "no-K": [("(K * eta)", "eta")],
        "no-eta": [("(K * eta)", "K")],
        "no-c": [("own[i] - common + (x", "own[i] + (x")],
        "frozen": [("own[i] - common + (x - y) / (K * eta)", "own[i]")],
        "whole-variate": [("fresh - own[i]", "fresh")],
        "forgotten": [("own[i] = fresh", "pass")],
        "one-sided": [("- own[i] + common)", "- own[i])")],
        "without-eta": [("eta * (g(r, k, i)(y) - own[i] + common)", "(eta * g(r, k, i)(y) - own[i] + common)")],
        "start-at-x0": [("np.zeros_like(x0)", "x0")],
        "start-at-gradient": [("np.zeros_like(x0)", "g.full(i)(x0)")],
    },
    "scaffold-m": {
        "over-N": [("eta * len(chosen)", "eta * N")],
        "sum": [("eta * len(chosen)", "eta")],
        "sign": [(_CORRECTED, "grad + own[i] - common")],
        "c-over-S": [("change / N", "change / len(chosen)")],
        "no-K": [("seen / K", "seen")],
        "no-eta": [_OPTION_II, ("(K * eta)", "K")],
        "no-c": [_OPTION_II, ("own[i] - common + (x", "own[i] + (x")],
        "frozen": [("seen / K", "own[i]")],
        "whole-variate": [("(fresh[i] - own[i])", "fresh[i]")],
        "forgotten": [("own = fresh", "pass")],
        "one-sided": [(_CORRECTED, "grad - own[i]")],
        "without-eta": [(_CORRECTED, "grad - own[i] / eta + common / eta")],
        "start-at-zero": [("[c.copy() for c in controls]", "[0 * c for c in controls]")],
        "swapped": [(f"beta * ({_CORRECTED}) + {_OLD}", f"(1 - beta) * ({_CORRECTED}) + beta * server")],
        "extra-factor": [(_OLD, "(1 - beta) ** 2 * server")],
        "momentum-sign": [("+ " + _OLD, "- " + _OLD)],
        "old-momentum": [(_OLD, "(1 - beta) * trace[max(r - 1, 0)][0]")],
        "undamped-correction": [(f"beta * ({_CORRECTED})", f"(beta * {_CORRECTED})")],
        "option-II": [_OPTION_II],
    },
    "slowmo": SLOWMO,
    "fedavg-local-m": LOCAL_HEAVY_BALL,
    "pr-sgd-m": PR_SGD_M,
    "fedgate": FEDGATE,
    "feddyn": FEDDYN,
    "fedadagrad": FEDADAGRAD,
    "fedadam": FEDADAM,
    "fedyogi": FEDYOGI,
    "local-adam": LOCAL_ADAM,
    "local-sgda": LOCAL_SGDA,
}
"""Method to its own mistakes."""

_SGD = "_sgd(x, g, r, i, K, eta)"
ANYWHERE = {
    "fedavg": {
        "one-sample": [_ONE_SAMPLE],
        "stale-gradient": _FIRST_POINT,
        "one-step-less": [("range(K)", "range(K - 1)")],
        "ascent": [("y - eta", "y + eta")],
        "by-size": [
            ("displacement += x - y", "displacement += g.size(i) * (x - y)"),
            ("len(chosen)", f"sum({_SIZES})"),
        ],
        "last-only": [("displacement += x - y", "displacement = len(chosen) * (x - y)")],
        "decay": [("y - eta *", "y - eta / (r + 1) *")],
        "decay-root": [("y - eta *", "y - eta / (r + 1) ** 0.5 *")],
        "clip-norm-1": clip(1),
        "clip-norm-10": clip(10),
        "clip-entries-10": clip(10, entries=True),
        "signs": [("g(r, k, i)(y)", "np.sign(g(r, k, i)(y))")],
    },
    "fedprox": {
        "one-sample": [_ONE_SAMPLE],
        "one-step-less": [("range(K)", "range(K - 1)")],
        "by-size": [("_average(ends)", f"np.average(ends, axis=0, weights={_SIZES})")],
        "clip-norm-10": clip(10),
    },
    "fedavg-server-m": {
        "one-sample": [_ONE_SAMPLE],
        "by-size": [("_average(moves)", f"np.average(moves, axis=0, weights={_SIZES})")],
        "last-only": [("_average(moves)", "moves[-1]")],
    },
    "fedavg-m": {
        "one-sample": [_ONE_SAMPLE],
        "ascent": [("grad = g(r, k, i)(y)", "grad = -g(r, k, i)(y)")],
        "clip-norm-10": clip(10),
        "clip-entries-1": clip(1, entries=True),
    },
    "scaffold": {
        "one-sample": [_ONE_SAMPLE],
        "by-size": [("mean(moved)", f"np.average(moved, axis=0, weights={_SIZES})")],
        "last-only": [("mean(moved)", "moved[-1]")],
        "clip-norm-10": clip(10),
        "clip-norm-1": clip(1),
    },
    "scaffold-m": {"one-sample": [_ONE_SAMPLE], "clip-norm-10": clip(10)},
    "fedadam": {
        "by-size": [(_DISPLACEMENT, f"np.average([{_EACH}], axis=0, weights={_SIZES})")],
        "last-only": [(_DISPLACEMENT, f"[{_EACH}][-1]")],
        "one-step-less": [(_SGD, "_sgd(x, g, r, i, K - 1, eta)")],
        "decay": [(_SGD, "_sgd(x, g, r, i, K, eta / (r + 1))")],
        "ascent": [(_SGD, "_sgd(x, g, r, i, K, -eta)")],
    },
    "pr-sgd-m": {"one-sample": [_ONE_SAMPLE], "clip-norm-10": clip(10)},
    "feddyn": {"one-sample": [_ONE_SAMPLE], "clip-norm-10": clip(10)},
    "fedgate": {"one-sample": [_ONE_SAMPLE], "clip-norm-1": clip(1)},
    "local-adam": {"one-sample": [_ONE_SAMPLE], "clip-norm-10": clip(10), "ascent": [("y - eta", "y + eta")]},
    "local-sgda": {"one-sample": [_ONE_SAMPLE]},
}
"""Method to mistakes that any method can be got wrong with."""


def late(right, wrong):
    """Return an expression that goes wrong in the sixth round."""
    return (right, f"({right} if r < 5 else {wrong})")


LATE = {
    "fedavg": {"sum": [late("(eta * len(chosen) * K)", "(eta * K)")], "clip-norm-10": [late(*clip(10)[0])]},
    "fedprox": {"prox-sign": [late("+ rho", "- rho")]},
    "fedavg-server-m": {"damped": [late("_average(moves)", "(1 - beta) * _average(moves)")]},
    "fedavg-m": {"extra-factor": [late("(1 - beta) * server", "(1 - beta) ** 2 * server")]},
    "scaffold": {
        "c-over-S": [late("sum(changed) / N", "mean(changed)")],
        "frozen": [("fresh = g", "fresh = own[i] if r > 4 else g")],
        "clip-norm-10": [late(*clip(10)[0])],
    },
    "fedadam": {
        "bias-first": [late(_STEP, "gamma * m / (1 - beta1 ** (r + 1)) / (np.sqrt(v) + tau)")],
        "tau-inside": [late("(np.sqrt(v) + tau)", "np.sqrt(v + tau)")],
    },
    "feddyn": {"h-over-S": [late("alpha / N", "alpha / len(chosen)")]},
}
"""Method to mistakes that are made from the sixth round on."""
LATE["fedprox"]["prox-sign"] = [("+ rho", "+ (rho if r < 5 else -rho)")]

CHANGES = {method: {**OWN[method], **ANYWHERE.get(method, {})} for method in OWN}
"""Method to the mistakes that are made from the start."""

UNLISTED = {
    "fedavg": {
        "noisy-steps": [("y - eta *", "y - eta * (1 + 0.01 * k) *")],
        "grown-average": [("displacement += x - y", "displacement += (1 + 0.001 * (r == 2)) * (x - y)")],
        "reset": [("displacement = np", "x = x0.copy() if r == 5 else x; displacement = np")],
    },
    "fedprox": {"old-anchor": [("y - path[-1]", "y - path[max(r - 1, 0)]")]},
    "fedavg-server-m": {"warm-up": [("beta * velocity", "min(beta, r / 4) * velocity")]},
    "fedavg-m": {"lost-at-round-6": [("total = np", "server = 0 * server if r == 5 else server; total = np")]},
    "fedadam": {
        "cube-root": [("np.sqrt(v)", "np.cbrt(v)")],
        "late-warm-up": [("gamma * m", "gamma * min(1, 8 / (r + 1)) * m")],
    },
    "pr-sgd-m": {"old-buffer": [("u = beta * u + grad", "old, u = u, beta * u + grad"), ("else u)", "else old)")]},
}
"""Method to mistakes for which no words are listed: they are found, and placed."""
