"""FedLALR, Theorem 1 as it is proved in print: equations (24) to (37), with the steps that do not hold.

``shift`` is E|Z_r - xbar_r|^2, ``moved`` is mean E|xbar_r - X_i|^2, ``target`` and ``root`` are the squares of grad
f(xbar) and of mean grad f_i(X_i), both times thetabar^(1/2); ``apart`` and ``jump`` are means over clients of
|vh_(r-1,i) - vt_(r-1)|_1 and |vh_(r,i) - vh_(r-1,i)|_1, ``apart2`` and ``jump2`` of their squares; ``D`` is G_inf^2 -
eps^2.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

CHOICE = "lambda^2 = mu = 4"


CLAIMS = (
    Claim(
        "fedlalr.term-24",
        "the bounds of A1, A2, A3 and A4 added up",
        "Theorem 1, eq. (24), l.426",
        "A1 + A2 + A3 + A4 = -(eta/2) target + (eta/(2 lam2) - eta/2 + (1 + 1/mu) 2 L eta^2/eps) root + distances"
        " + jumps + squares",
        stated(
            (
                "eta*L^2/2*(lam2*shift/eps + moved/eps) + eta*G_inf^2/2*(apart/eps^3 + jump/eps^3) + "
                "eta/(2*lam2)*root - eta/2*target - eta/2*root + eta*beta1/(1 - beta1)*G_inf^2/(2*eps^3)*jump + "
                "L/2*(1 + nu)*(eta*beta1/(1 - beta1))^2*G_inf^2/(4*eps^6)*jump2 + (1 + "
                "1/nu)*eta^2*L/2*(4/eps*root + G_inf^2/eps^6*apart2 + 2*d*sigma^2/(N*eps^2) + "
                "G_inf^2/eps^6/2*jump2) + eta*beta1/(1 - beta1)*G_inf^2/eps^3*apart_new = "
                "eta*L^2/2*(lam2*shift/eps + moved/eps) + eta*G_inf^2/2*(apart/eps^3 + jump/eps^3) - "
                "eta/2*target + (eta/(2*lam2) - eta/2 + (1 + 1/nu)*2*L*eta^2/eps)*root + eta*beta1/(1 - "
                "beta1)*G_inf^2/(2*eps^3)*jump + (1 + nu)*L/2*(eta*beta1/(1 - beta1))^2*G_inf^2/(4*eps^6)*jump2 "
                "+ (1 + 1/nu)*eta^2*L/2*(4/eps*root + G_inf^2/eps^6*apart2 + 2*d*sigma^2/(N*eps^2) + "
                "G_inf^2/eps^6/2*jump2 - 4/eps*root) + eta*beta1/(1 - beta1)*G_inf^2/eps^3*apart_new"
            ),
            letters=(
                "lam2, nu > 0",
                "apart, apart2, apart_new, jump, jump2, moved, root, shift, target >= 0",
            ),
        ),
        ("(20), (21), (22) and (23)",),
        steps=(
            "fedlalr.term-18",
            "fedlalr.term-a1-75",
            "fedlalr.term-a2-82",
            "fedlalr.term-a3-111",
            "fedlalr.term-a3-111-printed",
            "fedlalr.term-a4-119",
        ),
    ),
    Claim(
        "fedlalr.eps-25-moved-printed",
        "power of eps in the drift term when (24) becomes (25)",
        "Theorem 1, eq. (24)-(25), l.426-430",
        "(eta L^2/(2 eps)) moved <= (eta L^2/(2 eps^3)) moved",
        stated(
            "moved*eta*L^2/(2*eps) <= moved*eta*L^2/(2*eps^3)",
            letters=("moved >= 0",),
        ),
        (CHOICE,),
        repaired_by="fedlalr.term-24",
    ),
    Claim(
        "fedlalr.eps-25-jump-printed",
        "power of eps at the jumps when (24) becomes (25)",
        "Theorem 1, eq. (24)-(25), l.426-430",
        "(eta G_inf^2/(2 eps^3)) jump <= (eta G_inf^2/(2 eps^2)) jump",
        stated(
            "jump*eta*G_inf^2/(2*eps^3) <= jump*eta*G_inf^2/(2*eps^2)",
            letters=("jump >= 0",),
        ),
        (CHOICE,),
        repaired_by="fedlalr.term-24",
    ),
    Claim(
        "fedlalr.theta-25",
        "thetabar_r written for thetabar_(r-1): smaller, and so harmless on the left and beside a negative coefficient",
        "Theorem 1, eq. (25)-(28), l.430-440",
        "g^2/sqrt(v_new) <= g^2/sqrt(v_old)",
        stated(
            "g^2/sqrt(v_new) <= g^2/sqrt(v_old)",
            given=("v_new >= v_old",),
            letters=("g, v_new, v_old > 0",),
        ),
        ("v_new >= v_old",),
        steps=("fedlalr.lemma15",),
    ),
    Claim(
        "fedlalr.left-26",
        "the left side of (26), in one coordinate",
        "Theorem 1, before eq. (26), l.436",
        "g^2/G_inf <= g^2 thetabar",
        stated(
            "g^2/G_inf <= g^2/sqrt(v)",
            given=("v <= G_inf^2",),
            letters=("g, v > 0",),
        ),
        ("vt <= G_inf^2", "unstated: eps <= G_inf"),
        steps=("fedlalr.lemma5", "fedlalr.lemma4"),
    ),
    Claim(
        "fedlalr.merge-index-printed",
        "the second moments after the step replaced by those before it, in the term from A4, for two clients",
        "Theorem 1, eq. (25)-(26), l.430-436",
        "sum |vh_(r,i) - vt_(r-1)| <= sum |vh_(r-1,i) - vt_(r-1)|",
        stated(
            (
                "new_1 - (old_1 + old_2)/2 + new_2 - (old_1 + old_2)/2 <= abs(old_1 - (old_1 + old_2)/2) + "
                "abs(old_2 - (old_1 + old_2)/2)"
            ),
            given=(
                "new_1 >= (old_1 + old_2)/2",
                "new_2 >= (old_1 + old_2)/2",
            ),
            letters=("new_1, new_2, old_1, old_2 > 0",),
        ),
        ("r = tK + 1", "vh_(r,i) >= vt_(r-1)"),
        repaired_by="fedlalr.joint-bound",
    ),
    Claim(
        "fedlalr.term-b1-29",
        "the values of f add up, and end above the infimum",
        "Theorem 1, B1, eq. (27), (29), l.440, l.446, and (263), l.1376",
        "(f_1 - f_now) + (f_now - f_next) = f_1 - f_next; (f_1 - f_end)/(eta K T) <= Delta/(eta K T)",
        stated(
            "f_first - f_after = f_first - f_after",
            "(f_first - f_after)/(K*T*eta) <= Delta/(K*T*eta)",
            given=(
                "f_after >= f_lowest",
                "f_first - f_lowest <= Delta",
            ),
            letters=("f_after, f_first, f_lowest > 0",),
        ),
        ("f(Z_1) = f(x_0)", "unstated: xbar_0 = xbar_1", "unstated: f is bounded below"),
    ),
    Claim(
        "fedlalr.term-b5-33",
        "Lemma 20 inserted",
        "Theorem 1, B5, eq. (33), l.468, and (267), l.1401",
        "(3 N - 2)/N <= 3",
        stated(
            "(3*N - 2)/N <= 3",
            given=("N >= 1",),
        ),
        ("N >= 1",),
        steps=("fedlalr.lemma20",),
    ),
    Claim(
        "fedlalr.term-b7-34-middle-printed",
        "the middle member of (34): one client and one coordinate jump once, K = T = 1",
        "Theorem 1, B7, eq. (34), step (a), l.476, and (268), l.1409",
        "jump^2/N <= 2 (N - 1) D^2",
        stated(
            "jump^2/N <= 2*(N - 1)*D^2",
            given=(
                "jump <= D",
                "N >= 1",
            ),
            letters=("D, jump >= 0",),
        ),
        ("0 <= jump <= D", "N >= 1"),
        repaired_by="fedlalr.term-b7-34",
    ),
    Claim(
        "fedlalr.term-b8-35-printed",
        "Lemma 24 inserted with N - 1 in place of its square",
        "Theorem 1, B8, eq. (35), step (a), l.482",
        "4 (N - 1)^2/N <= 4 (N - 1)/N",
        stated(
            "4*(N - 1)^2/N <= 4*(N - 1)/N",
            given=("N >= 1",),
        ),
        ("N >= 1", "times K eta d^2 D^2/(K T)"),
        repaired_by="fedlalr.term-b8-35",
    ),
    Claim(
        "fedlalr.term-b8-35",
        "Lemma 24 inserted",
        "Theorem 1, B8, eq. (35), l.482, and (269), l.1415",
        "4 (N - 1)^2/N <= 4 N",
        stated(
            "4*(N - 1)^2/N <= 4*N",
            given=("N >= 1",),
        ),
        ("N >= 1", "times K eta d^2 D^2/(K T)"),
        steps=("fedlalr.lemma24",),
    ),
    Claim(
        "fedlalr.theorem1-37",
        "(28) with the bounds of B1 to B8 inserted as printed",
        "Theorem 1, eq. (28), (36), l.440, l.488",
        "B1 + B2 + B3 + B4 + B5 + B7 + B8 = Delta/(eta K T) + (5/4) L d sigma^2 eta/(eps^2 N) + a2 eta^2"
        " + c3/(K T) + c4 eta N/(K T)",
        stated(
            (
                "Delta/(eta*K*T) + 4*L^2/(2*eps^2)*eta^2*beta1^2*G_inf^2*d/((1 - beta1)^2*eps^2) + "
                "L^2/(2*eps^2)*2*K^2*G_inf^2*eta^2/eps^2*(1 + 4*K^2*(1 - beta1)^2*d) + (2 - beta1)*G_inf^2/(2*(1 "
                "- beta1)*eps^3)*2*K*d*(G_inf^2 - eps^2)/(K*T) + G_inf^2/(2*eps^3*(1 - beta1))*3*d*(G_inf^2 - "
                "eps^2)/(K*T) + (L/2*5*beta1^2/(1 - beta1)^2*G_inf^2/(4*eps^6) + "
                "5/4*L/2*G_inf^2/(2*eps^6))*2*eta*N*d*(G_inf^2 - eps^2)^2/(K*T) + "
                "5/4*L/2*(G_inf^2/eps^6*4*K*eta*N*d^2*(G_inf^2 - eps^2)^2/(K*T) + 2*d*eta*sigma^2/(N*eps^2)) = "
                "Delta/(eta*K*T) + 5/4*L*d*sigma^2*eta/(eps^2*N) + (2*L^2*beta1^2*G_inf^2*d/((1 - "
                "beta1)^2*eps^4) + K^2*L^2*G_inf^2/eps^4*(1 + 4*K^2*(1 - beta1)^2*d))*eta^2 + ((2 - "
                "beta1)*G_inf^2*K*d*(G_inf^2 - eps^2)/((1 - beta1)*eps^3) + 3*d*(G_inf^2 - "
                "eps^2)*G_inf^2/(2*eps^3*(1 - beta1)))/(K*T) + (5*L*G_inf^2*d*(G_inf^2 - eps^2)^2/(8*eps^6*(1 - "
                "beta1)^2)*(2*beta1^2 + (1 - beta1)^2) + 5*L*K*G_inf^2*d^2*(G_inf^2 - "
                "eps^2)^2/(2*eps^6))*eta*N/(K*T)"
            ),
        ),
        (CHOICE, "(29) to (35)"),
        steps=(
            "fedlalr.term-24",
            "fedlalr.eps-24-25-printed",
            "fedlalr.merge-25-26-printed",
            "fedlalr.merge-index-printed",
            "fedlalr.left-26",
            "fedlalr.term-b1-29",
            "fedlalr.lemma26",
            "fedlalr.term-b3-31-printed",
            "fedlalr.term-b4-32-printed",
            "fedlalr.term-b5",
            "fedlalr.term-b5-33",
            "fedlalr.term-b6",
            "fedlalr.term-b7-34-printed",
            "fedlalr.term-b8-35",
            "fedlalr.theorem1-36",
        ),
    ),
    Claim(
        "fedlalr.theorem1-stated",
        "from (37) to the statement of the theorem, which is looser by K",
        "Theorem 1, l.177 and l.396, from eq. (36), l.488",
        "2 G_inf (gap + c3/(K T) + c4 eta N/(K T)) <= 2 G_inf (gap + c3/T + c4 eta N/T)",
        stated(
            ("2*G_inf*(gap/(eta*K*T) + c3/(K*T) + c4*eta*N/(K*T)) <= 2*G_inf*(gap/(eta*K*T) + c3/T + c4*eta*N/T)"),
            given=("K >= 1",),
            letters=("c3, c4, gap, N >= 0",),
        ),
        ("K >= 1",),
        steps=("fedlalr.theorem1-37",),
    ),
)
