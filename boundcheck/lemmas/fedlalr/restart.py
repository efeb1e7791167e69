"""FedLALR, Corollary 2: restarted momentum, as printed and repaired over whole rounds.

``w_k`` is 1 - beta1^(K-k+1), the weight with which the gradient of step k moves the server; W is their sum.
``floor`` is the second moment that the round starts from, ``e0`` is floor^(-1/2).  ``target`` and ``root_k`` are the
squares of grad f(x_t) and of mean grad f_i(x_(k,i)), both times e0^(1/2); ``weighted`` is sum w_k root_k.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

REPAIR = "repair of Corollary 2"
STEP = "eta <= eps/(4 L W)"


CLAIMS = (
    Claim(
        "fedlalr.corollary2-224",
        "(37) with Lemma 28 in the place of Lemma 27, all other steps being kept",
        "Corollary 2, eq. (224), l.1202",
        "(37) loses K^2 L^2 G_inf^2 eta^2/eps^4; what is left of B3 is 4 K^4 L^2 G_inf^2 (1 - beta1)^2 d eta^2/eps^4",
        stated(
            (
                "Delta/(eta*K*T) + 4*L^2/(2*eps^2)*eta^2*beta1^2*G_inf^2*d/((1 - beta1)^2*eps^2) + "
                "L^2/(2*eps^2)*2*K^2*G_inf^2*eta^2/eps^2*(1 + 4*K^2*(1 - beta1)^2*d) + (2 - beta1)*G_inf^2/(2*(1 "
                "- beta1)*eps^3)*2*K*d*(G_inf^2 - eps^2)/(K*T) + G_inf^2/(2*eps^3*(1 - beta1))*3*d*(G_inf^2 - "
                "eps^2)/(K*T) + (L/2*5*beta1^2/(1 - beta1)^2*G_inf^2/(4*eps^6) + "
                "5/4*L/2*G_inf^2/(2*eps^6))*2*eta*N*d*(G_inf^2 - eps^2)^2/(K*T) + "
                "5/4*L/2*(G_inf^2/eps^6*4*K*eta*N*d^2*(G_inf^2 - eps^2)^2/(K*T) + 2*d*eta*sigma^2/(N*eps^2)) - "
                "L^2/(2*eps^2)*2*K^2*G_inf^2*eta^2/eps^2 = Delta/(eta*K*T) + 5/4*L*d*sigma^2*eta/(eps^2*N) + "
                "(2*L^2*beta1^2*G_inf^2*d/((1 - beta1)^2*eps^4) + K^2*L^2*G_inf^2/eps^4*(1 + 4*K^2*(1 - "
                "beta1)^2*d))*eta^2 + ((2 - beta1)*G_inf^2*K*d*(G_inf^2 - eps^2)/((1 - beta1)*eps^3) + "
                "3*d*(G_inf^2 - eps^2)*G_inf^2/(2*eps^3*(1 - beta1)))/(K*T) + (5*L*G_inf^2*d*(G_inf^2 - "
                "eps^2)^2/(8*eps^6*(1 - beta1)^2)*(2*beta1^2 + (1 - beta1)^2) + 5*L*K*G_inf^2*d^2*(G_inf^2 - "
                "eps^2)^2/(2*eps^6))*eta*N/(K*T) - K^2*L^2*G_inf^2/eps^4*eta^2"
            ),
            ("L^2/(2*eps^2)*8*eta^2*K^4*(1 - beta1)^2*d*G_inf^2/eps^2 = 4*K^4*L^2*G_inf^2*(1 - beta1)^2*d*eta^2/eps^4"),
        ),
        ("lambda^2 = mu = 4", "Lemma 1 is taken over"),
        steps=("fedlalr.theorem1-37", "fedlalr.lemma28", "fedlalr.lemma1-restart-printed"),
    ),
    Claim(
        "fedlalr.corollary2-leading-printed",
        "the restart does not influence the leading term: W steps' worth of movement against K",
        "Corollary 2, l.194, eq. (224), l.1202",
        "Delta/(eta T W) <= Delta/(eta K T)",
        stated(
            "Delta/(eta*T*W) <= Delta/(eta*K*T)",
            given=(
                "W > 0",
                "W <= K",
            ),
            letters=("W >= 0",),
        ),
        ("0 < W <= K",),
        repaired_by="fedlalr.corollary2R",
    ),
    Claim(
        "fedlalr.corollary2R-weights",
        "weights of the gradients in a round of restarted momentum, by induction; power is beta1^n",
        REPAIR,
        "(1 - beta1) sum_(j<n) beta1^j = 1 - beta1^n; W(n) = n - (beta1/(1 - beta1))(1 - beta1^n)",
        stated(
            "1 - power + (1 - beta1)*power = 1 - beta1*power",
            (
                "count - beta1/(1 - beta1)*(1 - power) + 1 - beta1*power = count + 1 - beta1/(1 - beta1)*(1 - "
                "beta1*power)"
            ),
            letters=("count, power > 0",),
        ),
    ),
    Claim(
        "fedlalr.corollary2R-momenta",
        "sum of the momenta of a round, by induction",
        REPAIR,
        "sum_(k<=n) m_k = sum_(k<=n) g_k - (beta1/(1 - beta1)) m_n = sum_(k<=n) (1 - beta1^(n-k+1)) g_k",
        stated(
            (
                "gradients - beta1/(1 - beta1)*m + beta1*m + (1 - beta1)*g = gradients + g - beta1/(1 - "
                "beta1)*(beta1*m + (1 - beta1)*g)"
            ),
            letters=("g, gradients, m > 0",),
        ),
        ("m_0 = 0",),
        steps=("fedlalr.corollary2R-weights", "fedlalr.lemma27-204"),
    ),
    Claim(
        "fedlalr.corollary2R-error",
        "the steps of a round against e0, in one coordinate; q = sum_k mean |vh_(k,i) - floor|",
        REPAIR,
        "|m (theta - e0)| <= (G_inf/(2 eps^3))|vh - floor|; the sum of q over rounds is at most K D, and so is each q",
        stated(
            ("abs(change*m) <= G_inf*1/(2*eps^3)*distance if abs(m) <= G_inf, abs(change) <= 1/(2*eps^3)*distance"),
            (
                "total + q <= K*(end - eps^2) if total <= K*(start - eps^2), q <= K*(end - start), end <= "
                "G_inf^2, start >= eps^2, K >= 1"
            ),
            (
                "q <= K*(G_inf^2 - eps^2) if total <= K*(start - eps^2), q <= K*(end - start), end <= G_inf^2, "
                "start >= eps^2, K >= 1"
            ),
            letters=(
                "distance, end, start > 0",
                "q, total >= 0",
                "change, m real",
            ),
        ),
        ("|m| <= G_inf", "Lemma 12", "q <= K (end - start)", "D = G_inf^2 - eps^2", "unstated: eps <= G_inf"),
        steps=("fedlalr.lemma3", "fedlalr.lemma12", "fedlalr.lemma14", "fedlalr.lemma15"),
    ),
    Claim(
        "fedlalr.corollary2R-error-square",
        "the same, squared",
        REPAIR,
        "error^2 <= (G_inf^2/(4 eps^6)) K D q",
        stated(
            "error^2 <= G_inf^2/(4*eps^6)*K*D*q",
            given=(
                "error <= G_inf/(2*eps^3)*q",
                "q <= K*D",
            ),
            letters=("D, error, q >= 0",),
        ),
        ("error <= (G_inf/(2 eps^3)) q", "q <= K D"),
        steps=("fedlalr.corollary2R-error",),
    ),
    Claim(
        "fedlalr.corollary2R-noise",
        "the noise of a round: martingale differences over steps, independent over clients; one more step",
        REPAIR,
        "total + w^2 size/N <= sigma^2 (squares + w^2)/(N eps^2)",
        stated(
            "total + w^2*size/N <= sigma^2*(squares + w^2)/(N*eps^2)",
            given=(
                "total <= sigma^2*squares/(N*eps^2)",
                "size <= sigma^2/eps^2",
            ),
            letters=("size, squares, total, w >= 0",),
        ),
        ("size = mean E |noise_i e0|^2 <= sigma^2/eps^2", "unstated: the noises of the clients are independent"),
        steps=("fedlalr.lemma7", "fedlalr.lemma2-98", "fedlalr.lemma8"),
    ),
    Claim(
        "fedlalr.corollary2R-convex",
        "square of a weighted sum, one more term",
        REPAIR,
        "|total + w new|^2 <= (W + w)(Q + w |new|^2)",
        stated(
            "|total + w*new|^2 <= (W + w)*(Q + w*|new|^2)",
            given=("0 <= W*Q - |total|^2 : (W + w)/W",),
            letters=(
                "Q, w > 0",
                "vectors total, new",
            ),
        ),
        ("|total|^2 <= W Q", "W, w > 0"),
    ),
    Claim(
        "fedlalr.corollary2R-smooth",
        "the drift of step k, with n = k - 1, in the polarisation of step k",
        REPAIR,
        "(eta w/2) |(grad f(x_t) - mean grad f_i(x_(k,i))) e0^(1/2)|^2 <= eta^3 (L^2 d G_inf^2/(2 eps^3)) w n^2",
        stated(
            "eta*w/2*turned <= eta^3*L^2*d*G_inf^2/(2*eps^3)*w*n^2",
            given=(
                "turned <= L^2/eps*moved",
                "moved <= eta^2*n^2*d*G_inf^2/eps^2",
            ),
            letters=("moved, n, turned, w >= 0",),
        ),
        ("e0 <= 1/eps", "f_i is L-smooth"),
        steps=("fedlalr.term-a1-59", "fedlalr.drift-direct"),
    ),
    Claim(
        "fedlalr.corollary2R-squares",
        "square of the move of the server: known part, noise and error of the steps",
        REPAIR,
        "(L/2) eta^2 |known + noise + error|^2 <= L eta^2 (2 |known|^2 + 2 |noise|^2 + |error|^2)",
        stated(
            "L/2*eta^2*|known + noise + error|^2 <= L*eta^2*(|error|^2 + 2*|known|^2 + 2*|noise|^2)",
            letters=("vectors known, noise, error",),
        ),
        steps=("fedlalr.lemma6",),
    ),
    Claim(
        "fedlalr.corollary2R-round",
        "one round: the weighted squares absorb the known part",
        REPAIR,
        "(eta W/(2 G_inf))|grad f(x_t)|^2 <= f(x_t) - f(x_(t+1)) + turned + linear + L eta^2 (2 noise + error)",
        stated(
            "eta*W/(2*G_inf)*grad2 <= drop + turned + linear + L*eta^2*(2*noise2 + error2)",
            given=(
                "-drop <= -eta/2*(W*target + weighted) + turned + linear + L*eta^2*(2*known2 + 2*noise2 + error2)",
                "known2 <= W*weighted/eps",
                "grad2 <= G_inf*target",
                "4*L*W*eta <= eps",
            ),
            letters=(
                "error2, grad2, known2, linear, noise2, target, turned, weighted >= 0",
                "drop real",
            ),
        ),
        (STEP, "|known|^2 <= W weighted/eps", "unstated: eps <= G_inf"),
        steps=(
            "fedlalr.corollary2R-momenta",
            "fedlalr.corollary2R-convex",
            "fedlalr.corollary2R-smooth",
            "fedlalr.corollary2R-squares",
            "fedlalr.left-26",
        ),
    ),
    Claim(
        "fedlalr.corollary2R-collect",
        "all rounds: the constants",
        REPAIR,
        "(2 G_inf/(eta W T)) (Delta + sums) = 2 G_inf (Delta/(eta T W)"
        " + (eta^2 L^2 d G_inf^2/(2 eps^3)) sum w_k (k - 1)^2/W + G_inf^2 K d D/(2 eps^3 T W)"
        " + 2 L eta sigma^2 sum w_k^2/(N eps^2 W) + L eta G_inf^2 K^2 d D^2/(4 eps^6 T W))",
        stated(
            (
                "2*G_inf/(eta*W*T)*(Delta + T*eta^3*L^2*d*G_inf^2/(2*eps^3)*sum_w_steps2 + "
                "eta*G_inf^2/(2*eps^3)*K*d*D + T*L*eta^2*2*sigma^2*sum_w2/(N*eps^2) + "
                "L*eta^2*G_inf^2/(4*eps^6)*K*D*K*d*D) = 2*G_inf*(Delta/(eta*T*W) + "
                "eta^2*L^2*d*G_inf^2/(2*eps^3)*sum_w_steps2/W + G_inf^2*K*d*D/(2*eps^3*T*W) + "
                "2*L*eta*sigma^2*sum_w2/(N*eps^2*W) + L*eta*G_inf^2*K^2*d*D^2/(4*eps^6*T*W))"
            ),
            letters=("D, sum_w2, sum_w_steps2 >= 0",),
        ),
        ("D = G_inf^2 - eps^2",),
        steps=(
            "fedlalr.corollary2R-error",
            "fedlalr.corollary2R-error-square",
            "fedlalr.corollary2R-noise",
            "fedlalr.corollary2R-smooth",
        ),
    ),
    Claim(
        "fedlalr.corollary2R",
        "Corollary 2 repaired: server models, and K replaced by W in the leading term",
        "Corollary 2, l.185-194, repaired",
        "average |grad f(x_t)|^2 <= (2 G_inf/(eta W T))(Delta + terms)",
        stated(
            "average <= 2*G_inf/(eta*W*T)*(Delta + terms)",
            given=(
                "eta*W*T*average <= 2*G_inf*(drop + terms)",
                "drop <= Delta",
            ),
            letters=("average, drop, terms >= 0",),
        ),
        (STEP, "unstated: eps <= G_inf", "unstated: the noises of the clients are independent"),
        steps=("fedlalr.corollary2R-round", "fedlalr.corollary2R-collect", "fedlalr.term-b1-29"),
    ),
)
