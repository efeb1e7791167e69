"""The cells on which both sides of worst cases are compared: every linear method, short runs, two steps each."""

from worst_methods import LINEAR, method

_OTHERS = {"gamma": ("fedavg-m", "fedavg-m-vr", "scaffold-m", "scaffold-m-vr")}


def steps(name, K, share):
    """Return the step hyperparameters of a method at eta = share/(L K), the others at their usual ratio to it."""
    eta = share / K
    if name == "stem":
        return {"kappa": eta, "growth": 0.0}
    if name == "mb-storm":
        return {"gamma": share}
    found = {"eta": eta}
    if name in _OTHERS["gamma"]:
        found["gamma"] = share
    if name in ("feddyn", "fedpd"):
        found.update({"alpha": 0.5 / eta} if name == "feddyn" else {"eta_pd": 2 * eta})
    if name in ("fedprox", "fedprox-m"):
        found["rho"] = 0.1 / eta
    if name in ("fedavg", "scaffold"):
        found["gamma"] = 1.0
    if name in (
        "fedavg-server-m",
        "slowmo",
        "pr-sgd-m",
        "mifam",
        "fedprox-m",
        "fedpaq-scm",
        "fedavg-local-m",
        "fedpaq-m",
    ):
        found["eta"] = eta / 4
        found.update({"rho": 0.1 / found["eta"]} if name == "fedprox-m" else {})
    return found


CELLS = [(name, K, T, share) for name in LINEAR for K in (1, 2, 3, 4) for T in (2, 3) for share in (1.0, 0.5)]
"""Method, K, T and eta L K."""


def made(name, K, share):
    """Return the method of a cell."""
    return method(name, **steps(name, K, share))
