"""FedLALR, the descent step (17) to (19) and the terms A1, A2 and A4 of Theorem 1.

Products with theta act on each coordinate, so a vector may already carry the root of thetabar_(r-1) as a factor:
``grad_w``, ``a_w`` and ``b_w`` are grad f(Z_r), grad f_i(xbar_r) and grad f_i(X_(r,i)) with this factor.  The terms
that are linear in theta are sums over clients and coordinates, and a bound for one summand is a bound for the sum and
for its expectation.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

WEIGHT = "thetabar <= 1/eps in each coordinate"
SMOOTH = "f_i is L-smooth"
BOUNDED = "|grad f(Z)|, |grad f_i|, |G_i| <= G_inf in each coordinate"
ONE_SUMMAND = "one client and one coordinate"


_A12 = "-eta <grad f(Z), mean grad f_i (theta_i - thetabar)> <= (eta G_inf^2/(2 eps^3)) mean |vh_i - vt|_1"
_A13 = "-eta <grad f(Z), mean G_i (theta_new_i - theta_old_i)> <= (eta G_inf^2/(2 eps^3)) mean |vh_new_i - vh_old_i|_1"

CLAIMS = (
    Claim(
        "fedlalr.term-18",
        "the descent inequality with Lemma 1 inserted: A1, A2, A3 and A4",
        "Theorem 1, eq. (17)-(19), l.400-406, and (257)-(259), l.1347-1353",
        "<grad, step> + (L/2)|step|^2 = -eta <grad, direct> + s <grad, changed> + (L/2)|step|^2 + s <grad, apart>",
        stated(
            (
                "<grad, (eta*beta1/(1 - beta1))*changed - eta*direct + (eta*beta1/(1 - beta1))*apart> + "
                "L/2*|(eta*beta1/(1 - beta1))*changed - eta*direct + (eta*beta1/(1 - beta1))*apart|^2 = "
                "-eta*<grad, direct> + eta*beta1/(1 - beta1)*<grad, changed> + eta*beta1/(1 - beta1)*<grad, "
                "apart> + L/2*|(eta*beta1/(1 - beta1))*changed - eta*direct + (eta*beta1/(1 - beta1))*apart|^2"
            ),
            letters=("vectors grad, direct, changed, apart",),
        ),
        ("s = eta beta1/(1 - beta1)", "step = s changed - eta direct + s apart", "f is L-smooth"),
        steps=("fedlalr.lemma1",),
    ),
    Claim(
        "fedlalr.term-a1-46",
        "the conditional mean of the gradients, and thetabar inserted; the second `=` of (46) is a minus sign",
        "A1, eq. (43)-(46), l.512-518",
        "E mean G_i theta_old_i = mean grad f_i thetabar + mean grad f_i (theta_old_i - thetabar)",
        stated(
            "E(<F + error, theta_old>) = <F, thetabar> + <F, theta_old - thetabar>",
            letters=(
                "vectors thetabar",
                "families F, theta_old",
                "noise error over N",
            ),
        ),
        ("G_i = grad f_i + error_i, E error_i = 0", "theta_old and thetabar are known before the step"),
    ),
    Claim(
        "fedlalr.term-a1-52",
        "the gradient at Z against the one at the mean iterate",
        "A1.1.2, eq. (47)-(52), l.522-534",
        "-eta <change_w, mean_w> <= (eta lam2 L^2/(2 eps))|Z - xbar|^2 + (eta/(2 lam2))|mean_w|^2",
        stated(
            "-eta*<change_w, mean_w> <= eta*lam2*L^2/(2*eps)*|shift|^2 + eta/(2*lam2)*|mean_w|^2",
            given=(
                "0 <= |change|^2/eps - |change_w|^2 : eta*lam2/2",
                "0 <= L^2*|shift|^2 - |change|^2 : eta*lam2/(2*eps)",
            ),
            letters=(
                "lam2 > 0",
                "vectors change_w, change, mean_w, shift",
            ),
        ),
        ("lam2 > 0", WEIGHT, "f is L-smooth"),
        steps=("fedlalr.lemma9", "fedlalr.lemma8", "fedlalr.lemma5-upper"),
    ),
    Claim(
        "fedlalr.term-a1-59",
        "polarisation, Jensen and smoothness, for every number of clients",
        "A1.1.1, eq. (53)-(59), l.538-550",
        "-eta <mean a_w, mean b_w> <= -(eta/2)|mean a_w|^2 - (eta/2)|mean b_w|^2"
        " + (eta L^2/(2 eps)) mean |xbar - X_i|^2",
        stated(
            ("-eta*<mean(a_w), mean(b_w)> <= -eta/2*|mean(a_w)|^2 - eta/2*|mean(b_w)|^2 + eta*L^2/(2*eps)*|moved|^2"),
            given=(
                "0 <= |turned|^2/eps - |a_w - b_w|^2 : eta/2",
                "0 <= L^2*|moved|^2 - |turned|^2 : eta/(2*eps)",
            ),
            letters=("families a_w, b_w, turned, moved",),
        ),
        (WEIGHT, SMOOTH),
        steps=("fedlalr.lemma11", "fedlalr.lemma6", "fedlalr.lemma8", "fedlalr.lemma5-upper"),
    ),
    Claim(
        "fedlalr.term-a1-60",
        "the two parts together, from the gradients themselves",
        "A1.1, eq. (60), l.556",
        "-eta <grad_w, mean b_w> <= (eta lam2 L^2/(2 eps))|Z - xbar|^2 + (eta/(2 lam2) - eta/2)|mean b_w|^2"
        " - (eta/2)|mean a_w|^2 + (eta L^2/(2 eps)) mean |xbar - X_i|^2",
        stated(
            (
                "-eta*<grad_w, mean(b_w)> <= eta*lam2*L^2/(2*eps)*|shift|^2 + eta/(2*lam2)*|mean(b_w)|^2 - "
                "eta/2*|mean(a_w)|^2 - eta/2*|mean(b_w)|^2 + eta*L^2/(2*eps)*|moved|^2"
            ),
            given=(
                "0 <= |turned|^2/eps - |a_w - b_w|^2 : eta/2",
                "0 <= L^2*|moved|^2 - |turned|^2 : eta/(2*eps)",
                "0 <= |change|^2/eps - |grad_w - mean(a_w)|^2 : eta*lam2/2",
                "0 <= L^2*|shift|^2 - |change|^2 : eta*lam2/(2*eps)",
            ),
            letters=(
                "lam2 > 0",
                "vectors grad_w, change, shift",
                "families a_w, b_w, turned, moved",
            ),
        ),
        ("lam2 > 0", WEIGHT, SMOOTH),
        steps=("fedlalr.term-a1-52", "fedlalr.term-a1-59"),
    ),
    Claim(
        "fedlalr.term-a1-67",
        "the disagreement of the clients' steps",
        "A1.2, eq. (61)-(67), l.562-574",
        _A12,
        stated(
            "-change*grad*vector <= G_inf^2*abs(change) if abs(grad) <= G_inf, abs(vector) <= G_inf",
            "eta*G_inf^2*abs(change) <= distance*eta*G_inf^2/(2*eps^3) if abs(change) <= distance/(2*eps^3)",
            letters=(
                "distance > 0",
                "change, grad, vector real",
            ),
        ),
        (ONE_SUMMAND, BOUNDED, "|theta_i - thetabar| <= |vh_i - vt|/(2 eps^3)"),
        steps=("fedlalr.remark7",),
    ),
    Claim(
        "fedlalr.term-a1-74",
        "the change of the steps, which is not independent of the gradient",
        "A1.3, eq. (68)-(74), l.580-592",
        _A13,
        stated(
            "-change*grad*vector <= G_inf^2*abs(change) if abs(grad) <= G_inf, abs(vector) <= G_inf",
            "eta*G_inf^2*abs(change) <= distance*eta*G_inf^2/(2*eps^3) if abs(change) <= distance/(2*eps^3)",
            letters=(
                "distance > 0",
                "change, grad, vector real",
            ),
        ),
        (ONE_SUMMAND, BOUNDED, "|theta_new_i - theta_old_i| <= |vh_new_i - vh_old_i|/(2 eps^3)"),
        steps=("fedlalr.lemma12",),
    ),
    Claim(
        "fedlalr.term-a1-75",
        "the bound of A1 from its three parts; norms are means over clients, under expectation",
        "A1, eq. (20), (75), l.410, l.598",
        "A11 + A12 + A13 <= (eta lam2 L^2/(2 eps)) shift + (eta/(2 lam2) - eta/2) weighted - (eta/2) target"
        " + (eta L^2/(2 eps)) moved + (eta G_inf^2/(2 eps^3))(apart + jump)",
        stated(
            (
                "A11 + A12 + A13 <= eta*lam2*L^2/(2*eps)*shift + eta/(2*lam2)*weighted - eta/2*target - "
                "eta/2*weighted + eta*L^2/(2*eps)*moved + eta*G_inf^2/(2*eps^3)*(apart + jump)"
            ),
            given=(
                (
                    "eta*lam2*L^2/(2*eps)*shift + eta/(2*lam2)*weighted - eta/2*target - eta/2*weighted + "
                    "eta*L^2/(2*eps)*moved >= A11"
                ),
                "eta*G_inf^2/(2*eps^3)*apart >= A12",
                "eta*G_inf^2/(2*eps^3)*jump >= A13",
            ),
            letters=(
                "lam2 > 0",
                "apart, jump, moved, shift, target, weighted >= 0",
                "A11, A12, A13 real",
            ),
        ),
        ("(60), (67) and (74)",),
        steps=("fedlalr.term-a1-46", "fedlalr.term-a1-60", "fedlalr.term-a1-67", "fedlalr.term-a1-74"),
    ),
    Claim(
        "fedlalr.term-a2-82",
        "the momentum at changed steps",
        "A2, eq. (21), (76)-(82), l.414, l.602-614",
        "s <grad f(Z), mean M_i (theta_old_i - theta_new_i)> <= (s G_inf^2/(2 eps^3)) mean |vh_new_i - vh_old_i|_1",
        stated(
            "-change*grad*vector <= G_inf^2*abs(change) if abs(grad) <= G_inf, abs(vector) <= G_inf",
            (
                "eta*beta1/(1 - beta1)*G_inf^2*abs(change) <= eta*beta1/(1 - beta1)*G_inf^2*distance/(2*eps^3) "
                "if abs(change) <= distance/(2*eps^3), eta*beta1/(1 - beta1) > 0"
            ),
            letters=(
                "distance > 0",
                "change, grad, vector real",
            ),
        ),
        (ONE_SUMMAND, BOUNDED, "|M_i| <= G_inf", "s = eta beta1/(1 - beta1)"),
        steps=("fedlalr.lemma3", "fedlalr.lemma12"),
    ),
    Claim(
        "fedlalr.term-a4-118",
        "the momentum replaced at a synchronisation, apart from the common step",
        "A4, eq. (112)-(118), l.728-740",
        "s <grad f(Z), mean (M_i - m_i)(theta_new_i - e0)> <= (s G_inf^2/eps^3) mean |vh_new_i - floor|_1",
        stated(
            "-change*grad*vector <= 2*G_inf^2*abs(change) if abs(grad) <= G_inf, abs(vector) <= 2*G_inf",
            (
                "eta*beta1/(1 - beta1)*2*G_inf^2*abs(change) <= eta*beta1/(1 - "
                "beta1)*2*G_inf^2*distance/(2*eps^3) if abs(change) <= distance/(2*eps^3), eta*beta1/(1 - beta1) "
                "> 0"
            ),
            letters=(
                "distance > 0",
                "change, grad, vector real",
            ),
        ),
        (ONE_SUMMAND, BOUNDED, "|M_i - m_i| <= 2 G_inf", "s = eta beta1/(1 - beta1)", "e0 = floor^(-1/2)"),
        steps=("fedlalr.lemma3", "fedlalr.lemma12"),
    ),
    Claim(
        "fedlalr.term-a4-119",
        "the floor of a round is the averaged second moment before it",
        "A4, eq. (23), (119), l.422, l.742",
        "vh_new_i - floor <= vh_new_i - vt_old",
        stated(
            "new - floor <= new - average",
            given=(
                "new >= floor",
                "average >= floor",
                "average <= floor",
            ),
            letters=("average, floor, new > 0",),
        ),
        ("average synchronisation: floor = vt_old", "vh_new_i >= floor"),
        steps=("fedlalr.term-a4-118",),
    ),
    Claim(
        "fedlalr.term-a4-119-max",
        "the same for the maximum, which is above the average",
        "Corollary 3, l.1251-1253, with eq. (119), l.742",
        "vh_new_i - floor <= vh_new_i - vt_old",
        stated(
            "new - floor <= new - average",
            given=(
                "floor >= average",
                "new >= floor",
            ),
            letters=("average, floor, new > 0",),
        ),
        ("maximal synchronisation: floor >= vt_old", "vh_new_i >= floor"),
        steps=("fedlalr.term-a4-118",),
    ),
    Claim(
        "fedlalr.joint-bound",
        "the two momentum errors at a synchronisation together: no separate A4",
        "repair of eq. (22) and (23)",
        "grad (M (theta_old - e0) + mean M (e0 - theta_new))"
        " <= (G_inf^2/(2 eps^3))(|vh_old - floor| + |vh_new - floor|)",
        stated(
            (
                "grad*(M*old + mean*new) <= G_inf^2*(abs(new) + abs(old)) if abs(grad) <= G_inf, abs(M) <= "
                "G_inf, abs(mean) <= G_inf"
            ),
            (
                "G_inf^2*(abs(new) + abs(old)) <= G_inf^2/(2*eps^3)*(fallen + risen) if abs(old) <= "
                "fallen/(2*eps^3), abs(new) <= risen/(2*eps^3)"
            ),
            letters=(
                "fallen, risen > 0",
                "grad, M, mean, new, old real",
            ),
        ),
        (ONE_SUMMAND, BOUNDED, "|M|, |mean M| <= G_inf", "Lemma 12 for both differences"),
        steps=("fedlalr.joint-error", "fedlalr.lemma3", "fedlalr.lemma12"),
    ),
)
