"""Straight-line readings of the field's methods: loops over clients, steps and coordinates, nothing shared."""

import numpy as np


def mean(rows):
    return sum(rows) / len(rows)


def page(x0, g, active, K, *, N, eta, p):
    """Of arXiv 2008.10895, Algorithm 1; all clients' samples are the minibatch."""
    path = [x0]
    v = mean([g.full(i)(x0) for i in range(N)])
    for r, _ in enumerate(active):
        x = path[-1] - eta * v
        change = mean([g(r, 0, i)(x) - g(r, 0, i)(path[-1]) for i in range(N)])
        v = mean([g.full(i)(x) for i in range(N)]) if next(g.coins) < p else v + change
        path.append(x)
    return path


def compressed(v, k):
    out = np.zeros_like(v)
    for c in sorted(range(len(v)), key=lambda c: -abs(v[c]))[:k]:
        out[c] = v[c]
    return out


def ef21(x0, g, active, K, *, N, gamma, k):
    """Of arXiv 2106.05203, Algorithm 2."""
    path = [x0]
    target = [compressed(g.full(i)(x0), k) for i in range(N)]
    for _ in active:
        x = path[-1] - gamma * mean(target)
        target = [target[i] + compressed(g.full(i)(x) - target[i], k) for i in range(N)]
        path.append(x)
    return path


def dsgd(x0, g, active, K, *, N, eta, graph):
    """Local steps, then Metropolis averages, edge by edge; client 0 is the hub of the star, the only graph here."""
    assert graph == "star"
    path, x = [x0], [x0] * N
    for r, _ in enumerate(active):
        ends = list(x)
        for k in range(K):
            ends = [ends[i] - eta * g(r, k, i)(ends[i]) for i in range(N)]
        mixed = list(x)
        for leaf in range(1, N):
            # The hub has N - 1 neighbours, a leaf one.
            weight = 1 / (1 + max(N - 1, 1))
            mixed[0] = mixed[0] + weight * (x[leaf] - x[0])
            mixed[leaf] = mixed[leaf] + weight * (x[0] - x[leaf])
        x = [mixed[i] + ends[i] - x[i] for i in range(N)]
        path.append(mean(x))
    return path


def scaffnew(x0, g, active, K, *, N, eta, p):
    """Of arXiv 2202.09357, Algorithm 2: hat x, then the average of hat x - (eta/p) h where the coin says so."""
    path, x, h = [x0], [x0] * N, [0.0 * x0] * N
    for _ in active:
        hat = [x[i] - eta * (g.full(i)(x[i]) - h[i]) for i in range(N)]
        path.append(mean(hat))
        shared = mean([hat[j] - (eta / p) * h[j] for j in range(N)])
        x = [shared] * N if next(g.coins) < p else hat
        h = [h[i] + (p / eta) * (x[i] - hat[i]) for i in range(N)]
    return path


def diana(x0, g, active, K, *, N, eta, alpha, quantiser):
    """Of arXiv 1901.09269, Algorithm 1: exact local gradients, no momentum, no penalty; a coin drops whole messages."""
    kept = float(quantiser.removeprefix("dropout-"))
    path, h = [x0], [0.0 * x0] * N
    for _ in active:
        x = path[-1]
        m = [(g.full(i)(x) - h[i]) / kept if next(g.coins) < kept else 0.0 * x for i in range(N)]
        path.append(x - eta * mean([h[i] + m[i] for i in range(N)]))
        h = [h[i] + alpha * m[i] for i in range(N)]
    return path


def nearest(grad, v, step, bend=1.0):
    """Return argmin f(y) + |y - v|^2/(2 step) by plain descent, f'' at most `bend` and step * bend < 1/2."""
    y = v
    for _ in range(400):
        y = y - (grad(y) + (y - v) / step) / (bend + 1 / step)
    return y


def admm(x0, g, active, K, *, N, rho):
    """Of Boyd et al. 2011, section 7.1, with the multipliers y_i = rho u_i, unscaled."""
    path, y = [x0], [0.0 * x0] * N
    for _ in active:
        x = [nearest(g.full(i), path[-1] - y[i] / rho, 1 / rho) for i in range(N)]
        path.append(mean([x[i] + y[i] / rho for i in range(N)]))
        y = [y[i] + rho * (x[i] - path[-1]) for i in range(N)]
    return path


def dynamic(x0, g, active, K, *, N, alpha):
    """Of arXiv 2111.04263, Algorithm 1, whose server's point is theta; the path is the mean of the active models."""
    path, theta, h, slope = [x0], x0, 0.0 * x0, [0.0 * x0] * N
    for chosen in active:
        chosen = range(N) if isinstance(chosen, int) else chosen
        ends = {}
        for i in chosen:
            ends[i] = nearest(g.full(i), theta + slope[i] / alpha, 1 / alpha)
            slope[i] = slope[i] - alpha * (ends[i] - theta)
        h = h - alpha / N * sum(ends[i] - theta for i in chosen)
        path.append(mean([ends[i] for i in chosen]))
        theta = path[-1] - h / alpha
    return path


def loopless(x0, g, active, K, *, N, eta, p):
    """Of arXiv 1901.08689, Algorithm 1; all clients' samples are the minibatch."""
    path, w = [x0], x0
    for r, _ in enumerate(active):
        x = path[-1]
        change = mean([g(r, 0, i)(x) - g(r, 0, i)(w) + g.full(i)(w) for i in range(N)])
        w = x if next(g.coins) < p else w
        path.append(x - eta * change)
    return path


def squares(x0, g, active, K, *, N, eta, eps, beta2=1.0):
    """Of arXiv 2003.02395, section 2.2: v_n = beta2 v_(n-1) + g^2, the step alpha_n, coordinate by coordinate."""
    path, v, n = [x0], np.zeros_like(x0), 0
    for r, _ in enumerate(active):
        x = path[-1].copy()
        for k in range(K):
            n += 1
            slope = mean([g(r, k, i)(x) for i in range(N)])
            length = eta * (1.0 if beta2 == 1.0 else sum(beta2**j for j in range(n)) ** 0.5)
            new = x.copy()
            for c in range(len(x)):
                v[c] = beta2 * v[c] + slope[c] ** 2
                new[c] = x[c] - length * slope[c] / (eps**2 + v[c]) ** 0.5
            x = new
        path.append(x)
    return path


def adabound(x0, g, active, K, *, N, eta, beta2, eta_end, rise, fall, D_inf):
    """Of arXiv 1902.09843, Algorithm 2 at beta1 = 0 with a speed for each bound, then the nearest point of the box."""
    x, v, path = x0, np.zeros_like(x0), [x0]
    for r, _ in enumerate(active):
        t = r + 1
        slope = mean([g(r, 0, i)(x) for i in range(N)])
        v = beta2 * v + (1 - beta2) * slope**2
        low, high = eta_end - eta_end / (rise * t + 1), eta_end + eta_end / (fall * t)
        steps = np.array([min(max(eta / z**0.5, low), high) for z in v]) / t**0.5
        x = np.array([min(max(z, -D_inf / 2), D_inf / 2) for z in x - steps * slope])
        path.append(x)
    return path


def adam(x0, g, active, K, *, N, eta, beta1, beta2, decay1, D_inf):
    """Of arXiv 1412.6980, Algorithm 1 with eta/sqrt(t) and beta1 decay1^(t-1), then the nearest point of the box."""
    x, m, v, path = x0, np.zeros_like(x0), np.zeros_like(x0), [x0]
    for r, _ in enumerate(active):
        t = r + 1
        slope = mean([g(r, 0, i)(x) for i in range(N)])
        weight = beta1 * decay1 ** (t - 1)
        m = weight * m + (1 - weight) * slope
        v = beta2 * v + (1 - beta2) * slope**2
        moved = x - eta / t**0.5 * (m / (1 - beta1**t)) / (v / (1 - beta2**t)) ** 0.5
        x = np.array([min(max(z, -D_inf / 2), D_inf / 2) for z in moved])
        path.append(x)
    return path


def normalised(x0, g, active, K, *, N, eta, beta):
    """Of arXiv 2002.03305, section 3: a step of length eta along the average, then a fresh gradient at its end."""
    x, path, m = x0, [x0], mean([g(0, -1, i)(x0) for i in range(N)])
    for r, _ in enumerate(active):
        for k in range(K):
            x = x - eta * m / np.linalg.norm(m)
            m = m + beta * (mean([g(r, k, i)(x) for i in range(N)]) - m)
        path.append(x)
    return path


def clipped(x0, g, active, K, *, N, eta, clip):
    """Of arXiv 1905.11881, section 3."""
    x, path = x0, [x0]
    for r, _ in enumerate(active):
        for k in range(K):
            slope = mean([g(r, k, i)(x) for i in range(N)])
            x = x - eta * min(1.0, clip / np.linalg.norm(slope)) * slope
        path.append(x)
    return path


def adagrad_norm(x0, g, active, K, *, N, eta, eps):
    """Of arXiv 1806.01811, Algorithm 1: b_j^2 = b_(j-1)^2 + |g|^2."""
    x, path, size = x0, [x0], eps
    for r, _ in enumerate(active):
        for k in range(K):
            slope = mean([g(r, k, i)(x) for i in range(N)])
            size = np.hypot(size, np.linalg.norm(slope))
            x = x - eta / size * slope
        path.append(x)
    return path


def signs(x0, g, active, K, *, N, eta):
    """Of arXiv 1802.04434, Algorithm 1."""
    x, path = x0, [x0]
    for r, _ in enumerate(active):
        for k in range(K):
            x = x - eta * np.sign(mean([g(r, k, i)(x) for i in range(N)]))
        path.append(x)
    return path


def majority(x0, g, active, K, *, N, eta):
    """Of arXiv 1802.04434, Algorithm 3: count who wants up and who wants down."""
    x, path = x0, [x0]
    for r, _ in enumerate(active):
        votes = [g(r, 0, i)(x) > 0 for i in range(N)]
        up, down = sum(votes), sum(~vote for vote in votes)
        x = np.array([z - eta if u > w else z + eta if u < w else z for z, u, w in zip(x, up, down, strict=True)])
        path.append(x)
    return path


def sgd(x0, g, active, K, *, N, eta):
    """Of Beck and Teboulle 2009, section 3, where h = 0."""
    x, path = x0, [x0]
    for r, _ in enumerate(active):
        for k in range(K):
            x = x - eta * mean([g(r, k, i)(x) for i in range(N)])
        path.append(x)
    return path


def nesterov(x0, g, active, K, *, N, eta):
    """Of Beck and Teboulle 2009, section 4, where h = 0: y_(k+1) = x_k + (t_k - 1)/t_(k+1) (x_k - x_(k-1))."""
    x, y, t, path = x0, x0, 1.0, [x0]
    for r, _ in enumerate(active):
        for k in range(K):
            before, x = x, y - eta * mean([g(r, k, i)(y) for i in range(N)])
            old, t = t, 0.5 + (0.25 + t**2) ** 0.5
            y = x + (old - 1) / t * (x - before)
        path.append(x)
    return path


def svrg(x0, g, active, K, *, N, eta, output="random"):
    """Of Johnson and Zhang 2013, figure 1: options II, its average, and I."""
    path = [x0]
    for r, _ in enumerate(active):
        snapshot, points = path[-1], [path[-1]]
        mu = mean([g.full(i)(snapshot) for i in range(N)])
        for k in range(K):
            change = mean([g(r, k, i)(points[-1]) - g(r, k, i)(snapshot) for i in range(N)])
            points.append(points[-1] - eta * (change + mu))
        if output == "random":
            path.append(points[int(next(g.coins) * K)])
        else:
            path.append(mean(points[:K]) if output == "average" else points[K])
    return path


def error_feedback(x0, g, active, K, *, N, eta, k):
    """Of arXiv 1901.09847, Algorithm 2, a worker at a time."""
    path, e = [x0], [0.0 * x0] * N
    for r, _ in enumerate(active):
        wanted = [eta * g(r, 0, i)(path[-1]) + e[i] for i in range(N)]
        sent = [compressed(p, k) for p in wanted]
        e = [p - s for p, s in zip(wanted, sent, strict=True)]
        path.append(path[-1] - mean(sent))
    return path


def delayed(x0, g, active, K, *, N, eta, delay):
    """Of arXiv 1506.08272 with one fixed delay."""
    path = [x0]
    for r, _ in enumerate(active):
        old = path[max(r - delay, 0)]
        path.append(path[-1] - eta * mean([g(r, 0, i)(old) for i in range(N)]))
    return path


def buffered(x0, g, active, K, *, N, eta, gamma):
    """Of arXiv 2106.06639, Algorithm 1: every client works on the model that it got when its last update arrived."""
    path, has = [x0], dict.fromkeys(range(N), x0)
    for r, arrived in enumerate(active):
        updates = []
        arrivals = range(N) if isinstance(arrived, int) else arrived
        for i in arrivals:
            y = has[i]
            for k in range(K):
                y = y - eta * g(r, k, i)(y)
            updates.append(y - has[i])
        path.append(path[-1] + gamma * mean(updates))
        has |= dict.fromkeys(arrivals, path[-1])
    return path


def star(v):
    """Metropolis averages on a star around client 0, edge by edge."""
    N, mixed = len(v), list(v)
    for leaf in range(1, N):
        weight = 1 / (1 + max(N - 1, 1))
        mixed[0] = mixed[0] + weight * (v[leaf] - v[0])
        mixed[leaf] = mixed[leaf] + weight * (v[0] - v[leaf])
    return mixed


def tracking(x0, g, active, K, *, N, eta, graph):
    """Of arXiv 1607.03218, Algorithm 1; the gradients at x_0 are the first minibatch."""
    path, x = [x0], [x0] * N
    last = [g(0, -1, i)(x0) for i in range(N)]
    y = list(last)
    for r, _ in enumerate(active):
        x = [m - eta * t for m, t in zip(star(x), y, strict=True)]
        fresh = [g(r, 0, i)(x[i]) for i in range(N)]
        y = [m + fresh[i] - last[i] for i, m in enumerate(star(y))]
        last = fresh
        path.append(mean(x))
    return path


def diffusion(x0, g, active, K, *, N, eta, graph):
    """Of arXiv 1702.05122, Algorithm 1: adapt, correct, combine with (I + W)/2."""
    path, x, psi = [x0], [x0] * N, [x0] * N
    for r, _ in enumerate(active):
        new = [x[i] - eta * g(r, 0, i)(x[i]) for i in range(N)]
        phi = [new[i] + x[i] - psi[i] for i in range(N)]
        x = [(p + m) / 2 for p, m in zip(phi, star(phi), strict=True)]
        psi = new
        path.append(mean(x))
    return path


def private(x0, g, active, K, *, N, eta, clip, z, gamma):
    """Of arXiv 1710.06963, Algorithm 1: clipped updates, and a Gaussian in every coordinate by Box and Muller."""
    path = [x0]
    for r, _ in enumerate(active):
        updates = []
        for i in range(N):
            y = path[-1]
            for k in range(K):
                y = y - eta * g(r, k, i)(y)
            moved = y - path[-1]
            updates.append(moved * min(1.0, clip / np.linalg.norm(moved)))
        first, second = ([next(g.coins) for _ in x0] for _ in range(2))
        lengths = np.sqrt(-2 * np.log(1 - np.array(first)))
        noise = lengths * np.cos(2 * np.pi * np.array(second))
        path.append(path[-1] + gamma * (mean(updates) + z * clip / N * noise))
    return path


def asynchronous(x0, g, active, K, *, N, eta, alpha, decay, rho):
    """Of arXiv 1903.03934, Algorithm 1: x <- (1 - a) x + a y with a = alpha (1 + age)^(-decay), the mean if several."""
    path, has, since = [x0], [x0] * N, [0] * N
    for r, arrived in enumerate(active):
        arrivals = range(N) if isinstance(arrived, int) else arrived
        mixed = []
        for i in arrivals:
            y = has[i]
            for k in range(K):
                y = y - eta * (g(r, k, i)(y) + rho * (y - has[i]))
            a = alpha * (1 + r - since[i]) ** -decay
            mixed.append((1 - a) * path[-1] + a * y)
        path.append(mean(mixed))
        for i in arrivals:
            has[i], since[i] = path[-1], r + 1
    return path


def changing(x0, g, active, K, *, N, eta, graph):
    """Pairs of neighbours on a ring average, even ones first, then odd ones; then everybody moves by its own steps."""
    assert graph == "even+odd"
    path, x = [x0], [x0] * N
    for r, _ in enumerate(active):
        ends = list(x)
        for k in range(K):
            ends = [ends[i] - eta * g(r, k, i)(ends[i]) for i in range(N)]
        mixed = list(x)
        for i in range(r % 2, N, 2):
            j = (i + 1) % N
            if j != i and (j > i or N % 2 == 0):
                mixed[i] = mixed[j] = (x[i] + x[j]) / 2
        x = [mixed[i] + ends[i] - x[i] for i in range(N)]
        path.append(mean(x))
    return path


def drawn(x0, g, active, K, *, N, eta, drawn, scheme, weights=None):
    """Of arXiv 1907.02189, scheme I: the sum over those that were drawn, one after the other, over their number."""
    path, turn = [x0], 0
    p = [1 / N] * N if weights is None or scheme != "weights" else weights
    for r, _ in enumerate(active):
        chosen = []
        for _ in range(drawn):
            if scheme == "order":
                chosen.append(turn % N)
                turn += 1
                continue
            coin, i = next(g.coins), 0
            while i < N - 1 and coin >= sum(p[: i + 1]):
                i += 1
            chosen.append(i)
        ends = []
        for i in chosen:
            y = path[-1]
            for k in range(K):
                y = y - eta * g(r, k, i)(y)
            ends.append(y)
        path.append(mean(ends))
    return path


def averaged_targets(x0, g, active, K, *, N, gamma, beta, k):
    """Of arXiv 2305.15155, Algorithm 1, the first minibatch being that before the first round."""
    path = [x0]
    v = [g(0, -1, i)(x0) for i in range(N)]
    target = list(v)
    for r, _ in enumerate(active):
        x = path[-1] - gamma * mean(target)
        v = [(1 - beta) * v[i] + beta * g(r, 0, i)(x) for i in range(N)]
        target = [target[i] + compressed(v[i] - target[i], k) for i in range(N)]
        path.append(x)
    return path


def choco(x0, g, active, K, *, N, eta, gamma, k, graph):
    """Of arXiv 1902.00340, Algorithm 2, on a star, the exchange before what is sent."""
    path, x, known = [x0], [x0] * N, [x0] * N
    for r, _ in enumerate(active):
        mixed = star(known)
        x = [x[i] + gamma * (mixed[i] - known[i]) - eta * g(r, 0, i)(x[i]) for i in range(N)]
        known = [known[i] + compressed(x[i] - known[i], k) for i in range(N)]
        path.append(mean(x))
    return path
