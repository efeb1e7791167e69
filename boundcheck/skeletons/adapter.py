"""My code, as it is asked whether it is the published method.

Try it: boundcheck conform --against FILE:my_code --method fedavg
"""

from typing import Any

import numpy as np


def my_code(clients: Any, x0: Any, *, K: int, T: int, active: list[list[int]], eta: float, gamma: float) -> list[Any]:
    """Run T rounds of what my library does and return the server's iterates x_0, ..., x_T.

    The arguments are asked for by name: take those that your method has (`boundcheck show METHOD` lists its
    hyperparameters), and S, b or B where you need them.

    clients
        ``clients[i].grad(y, k, t)`` is client i's gradient at y on the sample of step k of round t. Your code and the
        reference see the same samples, so that both have to agree to rounding.
    x0
        The start, an array of d numbers.
    K, T
        Local steps a round, and rounds.
    active
        ``active[t]`` lists the clients of round t.
    eta, gamma
        Local and server step of FedAvg.
    """
    x, iterates = x0, [x0]
    for t in range(T):
        ends = [local_steps(clients[i], x, K, t, eta) for i in active[t]]
        x = x + gamma * (np.mean(ends, axis=0) - x)
        iterates.append(x)
    return iterates  # or a dictionary a round, {"x": ..., "m": ...}: states are compared by the method's own names


def local_steps(client: Any, y: Any, K: int, t: int, eta: float) -> Any:
    """Replace this by a call of your library: set the model to y, train, return its weights as one array."""
    for k in range(K):
        y = y - eta * client.grad(y, k, t)
    return y
