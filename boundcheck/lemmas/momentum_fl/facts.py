"""Momentum-FL: what the algorithms compute, and the instances behind the refuted rates.

``g`` is the server's estimate before a round, ``new_g`` after it; ``s`` = S/N.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

CLAIMS = (
    Claim(
        "momentum-fl.aggregate",
        "the server's estimate after a round of FedAvg-M, FedAvg-M-VR and SCAFFOLD-M, means over clients and steps",
        "eq. (1)-(3), l.155-165, l.197, l.225-239 and l.611-621",
        "new_g = beta mean F + (1 - beta) g; new_g = mean F - (1 - beta) mean F_old + (1 - beta) g;"
        " new_g = beta (mean_S (F - c_i) + c) + (1 - beta) g",
        stated(
            (
                "<1/(eta*K)*(x - (x - eta*K*mean(beta*fresh + (1 - beta)*g))), test> = <beta*mean(fresh) + (1 - "
                "beta)*g, test>"
            ),
            (
                "<1/(eta*K)*(x - (x - eta*K*mean(fresh + (1 - beta)*(g - old)))), test> = <mean(fresh) - (1 - "
                "beta)*mean(old) + (1 - beta)*g, test>"
            ),
            (
                "E(|sampled(beta*(fresh - control + mean(control)) + (1 - beta)*g, A) - (beta*(sampled(fresh - "
                "control, A) + mean(control)) + (1 - beta)*g)|^2) = 0"
            ),
            letters=(
                "vectors x, g, test",
                "families fresh, old, control",
                "draw A of S from N",
            ),
        ),
        ("c = mean c_i",),
    ),
    Claim(
        "momentum-fl.recovered-printed",
        "the estimate recovered from two server models",
        "l.153",
        "new_g = (x' - x)/gamma",
        stated(
            "<new_g, test> = <1/gamma*(x - gamma*new_g - x), test>",
            letters=("vectors x, new_g, test",),
        ),
        ("x' = x - gamma new_g",),
        repaired_by="momentum-fl.recovered",
    ),
    Claim(
        "momentum-fl.recovered",
        "the estimate recovered from two server models, with the sign that the update has",
        "l.153",
        "new_g = (x - x')/gamma",
        stated(
            "<new_g, test> = <1/gamma*(x - (x - gamma*new_g)), test>",
            letters=("vectors x, new_g, test",),
        ),
        ("x' = x - gamma new_g",),
    ),
    Claim(
        "momentum-fl.reparametrised",
        "the form without a weight on the fresh gradient: g = beta hat, eta and gamma times beta",
        "Appendix D.2, l.1079-1086",
        "beta F + (1 - beta) beta hat = beta (F + (1 - beta) hat); the local and the server step agree",
        stated(
            "<beta*fresh + (1 - beta)*beta*hat, test> = <beta*(fresh + (1 - beta)*hat), test>",
            ("<x - eta*(beta*fresh + (1 - beta)*beta*hat), test> = <x - beta*eta*(fresh + (1 - beta)*hat), test>"),
            "<x - gamma*beta*hat, test> = <x - beta*gamma*hat, test>",
            letters=("vectors x, fresh, hat, test",),
        ),
        ("hat^0 = g^0/beta; F - c_i + c in place of F for SCAFFOLD-M",),
    ),
    Claim(
        "momentum-fl.drift-definition-printed",
        "U_r with the square outside the expectation would have to bound the mean square; two values of |x_i^k - x|",
        "definition of U_r, l.404, as used at l.486",
        "(a^2 + b^2)/2 <= ((|a| + |b|)/2)^2",
        stated(
            "1/2*(a^2 + b^2) <= (1/2*(a + b))^2",
        ),
        repaired_by="momentum-fl.local-average",
    ),
    Claim(
        "momentum-fl.shrinks",
        "FedAvg-M-VR on f_i = L x^2/2: the estimate lags by lag = g - L x_(r-1); power = (1 - eta L)^k",
        "eq. (2), l.611-621: why eta K L must be of order beta",
        "new_g - L x = q (1 - beta) lag - (1 - q) L x with q = (1 - power)/(K eta L); at rest new_g = L x q beta"
        "/(1 - q (1 - beta))",
        stated(
            (
                "power*x - (1 - power)*(1 - beta)*lag/L - eta*(L*(power*x - (1 - power)*(1 - beta)*lag/L) + (1 - "
                "beta)*lag) = (1 - eta*L)*power*x - (1 - (1 - eta*L)*power)*(1 - beta)*lag/L"
            ),
            (
                "(x - (power*x - (1 - power)*(1 - beta)*lag/L))/(eta*K) - L*x = (1 - power)/(K*eta*L)*(1 - "
                "beta)*lag - (1 - (1 - power)/(K*eta*L))*L*x"
            ),
            (
                "1 - (1 - (1 - power)/(K*eta*L))/(1 - (1 - power)/(K*eta*L)*(1 - beta)) = (1 - "
                "power)/(K*eta*L)*beta/(1 - (1 - power)/(K*eta*L)*(1 - beta))"
            ),
            letters=("lag, power, x > 0",),
        ),
        ("no noise",),
    ),
    Claim(
        "momentum-fl.huber-path",
        "the instance behind the second rates: gradient descent with steps gamma stays where the slope is 1",
        "Theorems 15 and 22, l.746 and l.1025",
        "1 <= x_r = gamma T + 1 - gamma r for r <= T; Delta = gamma T + 1/2",
        stated(
            "1 <= gamma*T + 1 - gamma*r",
            "gamma*T + 1 - 1/2 = gamma*T + 1/2",
            given=("r <= T",),
            letters=("r >= 0",),
        ),
        ("f = |x| - 1/2 for |x| >= 1, x^2/2 below",),
    ),
    Claim(
        "momentum-fl.frozen-path",
        "the instance behind the rate with G_0 in beta: the iterate loses at most beta a round",
        "Theorem 19, l.881",
        "0 <= g, x <= 1: new_g = beta x + (1 - beta) g <= 1, x - beta <= x - beta new_g <= 1; G_0 = 1 + a^2",
        stated(
            "beta*x + (1 - beta)*g <= 1",
            "x - beta <= x - beta*(beta*x + (1 - beta)*g) <= 1",
            "1/2*((1 + a)^2 + (1 - a)^2) = 1 + a^2",
            given=(
                "beta <= 1",
                "x <= 1",
                "g <= 1",
            ),
            letters=("a, g, x >= 0",),
        ),
        ("f_i = x^2/2 +- a x, x_0 = 1, N = S = 2, K = 1, gamma = beta", "sigma = 0"),
    ),
)
