"""FMGDA, Lemma 8 and Theorem 1 repaired: what the proof supports once its false steps are replaced.

``lemma8R``, ``theorem1R`` and ``corollary1R`` are these forms: schedule constant 8000, Lemma 5 for any scale of F,
squares of the steps kept, the first block and the drift into communication steps counted.  ``C`` = max(chat, c_dual),
``r`` is the largest eta_s/eta_t in a block, ``rho`` = C^2 (K1 (1 + (K - 1) r) + (78/400) kappa^2 (L_block/L_Phi)^2);
other letters as in `fmgda_dispersion` and `fmgda_rounds`.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.fmgda.assumptions import MEAN_SQUARE
from boundcheck.lemmas.stated import stated

CAPS = "max(chat, c_dual) <= 1/6"
SCHEDULE = "unstated: eta_t <= cap = 1/(20 L_Phi K), i.e. the constant 8000 in e_t"


CLAIMS = (
    Claim(
        "fmgda.lemma8R-communication",
        "dispersion after a communication: no Young's inequality, since the averaged estimators agree",
        "Lemma 8, eq. (40) repaired, at t = K, 2 K, ...",
        "|u'_i - mean u'|^2 <= 4 L_block^2 (eta^2 M + drift) + 2 beta^2 |centred old|^2",
        stated(
            (
                "|deviation(new + (1 - beta)*(mean(u) - old))|^2 <= 4*L_block^2*(eta^2*(chat^2*|mean(u)|^2 + "
                "c_dual^2*|mean(v)|^2) + |deviation(theta)|^2 + |deviation(w)|^2) + 2*beta^2*|deviation(old)|^2"
            ),
            given=(
                (
                    "0 <= 2*L_block^2*(|mean(theta) - chat*eta*mean(u) - theta|^2 + |mean(w) + c_dual*eta*mean(v) - "
                    "w|^2) - |new - old|^2 : 2"
                ),
            ),
            letters=("families u, v, new, old, theta, w",),
        ),
        (MEAN_SQUARE, "u_(t,i) = mean u_t, v_(t,i) = mean v_t"),
        steps=("fmgda.lemma8-524", "fmgda.theorem1-move-communication"),
    ),
    Claim(
        "fmgda.lemma8R-both",
        "both blocks after a communication; noise = sigma^2/b + 3 zeta_pair^2",
        "Lemma 8, eq. (43) repaired, at t = K, 2 K, ...",
        "D' <= (8 L_Phi eta/5) M + (2/(5 L_Phi)) 2 c1^2 eta^3 noise + (8 + 96 c1^2 eta^4) L_block^2 drift",
        stated(
            "after <= 8*L_Phi*eta/5*M + 2/(5*L_Phi)*2*c1^2*eta^3*noise + (8 + 96*c1^2*eta^4)*L_block^2*drift",
            given=(
                "K >= 1",
                "20*L_Phi*K*eta <= 1",
                "L_block <= L_Phi",
                "after <= 8*L_block^2*(eta^2*M + drift) + 2*(c1*eta^2)^2*(4*noise + 48*L_block^2*drift)",
            ),
            letters=("after, drift, M, noise >= 0",),
        ),
        ("20 L_Phi K eta <= 1", "L_block <= L_Phi"),
        steps=("fmgda.lemma8R-communication", "fmgda.lemma8-39"),
    ),
    Claim(
        "fmgda.lemma8R-block",
        "sum over a block that starts with any dispersion: n steps of at most 3 (start + plain) each",
        "Lemma 8, eq. (44)-(45) repaired",
        "sum eta D <= n eta each <= (3/(20 L_Phi))(start + plain)",
        stated(
            "n*eta*each <= 3/(20*L_Phi)*(start + plain)",
            given=(
                "n <= K",
                "20*L_Phi*K*eta <= 1",
                "each <= 3*(start + plain)",
            ),
            letters=("each, n, plain, start >= 0",),
        ),
        ("n <= K", SCHEDULE),
        steps=("fmgda.lemma8-44-unroll", "fmgda.lemma8-44", "fmgda.theorem1-eta"),
    ),
    Claim(
        "fmgda.lemma8R-feedback",
        "what a block feeds back to itself and into the next one",
        "Lemma 8, eq. (46) repaired",
        "288 L_block^2 c1^2 K^4 C^2 cap^6 + (3/(20 L_Phi))(8 + 96 c1^2 cap^4) L_block^2 (K - 1) C^2 cap <= 1/25",
        stated(
            (
                "288*L_block^2*c1^2*K^4*chat^2*(1/(20*L_Phi*K))^6 + 3/(20*L_Phi)*(8 + "
                "96*c1^2*(1/(20*L_Phi*K))^4)*L_block^2*(K - 1)*chat^2*1/(20*L_Phi*K) <= 1/25"
            ),
            given=(
                "K >= 1",
                "N >= 1",
                "b >= 1",
                "c1*b*N <= 90*L_Phi^2",
                "L_block <= L_Phi",
                "6*chat <= 1",
            ),
        ),
        ("c1 <= 90 L_Phi^2/(b N)", CAPS, "L_block <= L_Phi", "K, b, N >= 1"),
        steps=("fmgda.lemma8R-both", "fmgda.lemma8-43-recursion", "fmgda.lemma4", "fmgda.theorem1-weight"),
    ),
    Claim(
        "fmgda.lemma8R-blocks",
        "sum over the blocks, by induction: before is the sum so far, last its last block, new the next one",
        "Lemma 8, eq. (46) repaired",
        "before <= old_plain + inside before + across (before - last) and new <= plain + inside new + across last give"
        " the same for before + new, hence whole <= plain + (inside + across) whole",
        stated(
            (
                "before + new <= old_plain + plain + inside*(before + new) + across*before if before <= "
                "old_plain + inside*before + across*(before - last), new <= plain + inside*new + across*last"
            ),
            (
                "old_plain + plain + inside*(before + new) + across*before <= old_plain + plain + (inside + "
                "across)*(before + new)"
            ),
            letters=("across, before, inside, last, new, old_plain, plain >= 0",),
        ),
        steps=("fmgda.lemma8R-block",),
    ),
    Claim(
        "fmgda.lemma8R",
        "Lemma 8 summed over all blocks, with the dispersion `start` of the first estimators; whole = sum of eta D,"
        " together = sum of eta M, cubes = sum of eta^3",
        "Lemma 8, eq. (38) repaired",
        "(24/25) whole <= together/4 + (2 c1^2/L_Phi^2)(2 sigma^2/(25 b) + zeta_pair^2/5) cubes + (3/(20 L_Phi)) start",
        stated(
            (
                "24/25*whole <= together/4 + 2*c1^2/L_Phi^2*(2*sigma^2/(25*b) + zeta_pair^2/5)*cubes + "
                "3/(20*L_Phi)*start"
            ),
            given=(
                (
                    "whole <= 3/(20*L_Phi)*(start + 8*L_Phi/5*together + 2/(5*L_Phi)*2*c1^2*(sigma^2/b + "
                    "3*zeta_pair^2)*cubes) + feedback*whole"
                ),
                "25*feedback <= 1",
            ),
            letters=("cubes, feedback, start, together, whole >= 0",),
        ),
        (CAPS, "c1 <= 90 L_Phi^2/(b N)", SCHEDULE),
        steps=("fmgda.lemma8R-blocks", "fmgda.lemma8R-feedback", "fmgda.lemma8-44-constants"),
    ),
    Claim(
        "fmgda.first-block",
        "dispersion of the first estimators, both blocks together, as a sum over the clients",
        "Algorithm 1, line 2, l.81, against eq. (44), l.580",
        "E sum_i |centred G + n|^2 <= (N - 1)(sigma^2/B + zeta_pair^2/2)",
        stated(
            "N*E(|deviation(G + n)|^2) <= (N - 1)*(sigma^2/B + zeta_pair^2/2)",
            given=(
                "N >= 1",
                "0 <= (N - 1)/(2*N)*zeta_pair^2 - |deviation(G)|^2 : N",
            ),
            letters=(
                "families G",
                "noise n over N of sigma^2/B",
            ),
        ),
        ("first minibatches of B samples, independent over the clients", "|G_i - G_j| <= zeta_pair"),
        steps=("fmgda.lemma3-pairs", "fmgda.lemma8-39-sharp"),
    ),
    Claim(
        "fmgda.theorem1R-step",
        "one step of the potential with Lemma 5 for any scale of F: 9 c_dual L_block^2/(2 mu) becomes (3/4) kappa",
        "Theorem 1, l.651-665 repaired",
        "(53) and (54) before any budget, (3/4) kappa chat eta in the place of 9 chat c_dual eta L_block^2/(2 mu);"
        " 6 c_dual eta L_block <= 1",
        stated(
            (
                "-(chat*eta/2 - (chat*eta)^2*L_Phi/2)*ub2 + 3/2*chat*eta*eu - chat*eta/2*g2 + "
                "3*chat*eta*L_block^2*drift + 3/2*chat*eta*L_block^2*a2 + "
                "6*chat*L_block^2/(c_dual*mu)*(-c_dual*eta*mu/4*a2 - c_dual*eta/(8*L_block)*vb2 + "
                "5*(L_block/mu)^2/(c_dual*eta*mu)*(chat*eta)^2*ub2 + 25*c_dual*eta/(6*mu)*(3*L_block^2*drift + "
                "3*ev)) + chat*b*N/(40*L_Phi^2)*(-60*L_Phi^2/(b*N)*eta*eu + 8*L_block^2/(b*N)*(eta*apart + "
                "eta*(chat^2*ub2 + c_dual^2*vb2)) + 2*sigma^2*c1^2*eta^3/(b*N)) + "
                "chat*b*N/(40*L_Phi^2)*50*L_block^2/mu^2*(-60*L_Phi^2/(b*N)*eta*ev + "
                "8*L_block^2/(b*N)*(eta*apart + eta*(chat^2*ub2 + c_dual^2*vb2)) + 2*sigma^2*c1^2*eta^3/(b*N)) = "
                "-chat*eta/2*g2 - chat*eta*(1/2 - chat*eta*L_Phi/2 - 30*(L_block/mu)^4*chat^2/c_dual^2 - "
                "(L_block/L_Phi)^2*(1/5 + 10*(L_block/mu)^2)*chat^2)*ub2 - "
                "(6*chat*L_block^2/(c_dual*mu)*c_dual*eta/(8*L_block) - chat*eta*(L_block/L_Phi)^2*(1/5 + "
                "10*(L_block/mu)^2)*c_dual^2)*vb2 + (3 + 75*(L_block/mu)^2)*chat*eta*L_block^2*drift + "
                "chat*(L_block/L_Phi)^2*(1/5 + 10*(L_block/mu)^2)*eta*apart + chat*sigma^2*eta^3*c1^2*(1/20 + "
                "5/2*(L_block/mu)^2)/L_Phi^2"
            ),
            (
                "-(chat*eta/2 - (chat*eta)^2*L_Phi/2)*ub2 + 3/2*chat*eta*eu - chat*eta/2*g2 + "
                "3*chat*eta*L_block^2*drift + 3/2*chat*eta*L_block^2*a2 + "
                "6*chat*L_block^2/(c_dual*mu)*(-c_dual*eta*mu/4*a2 - c_dual*eta/(8*L_block)*vb2 + "
                "5*(L_block/mu)^2/(c_dual*eta*mu)*(chat*eta)^2*ub2 + 25*c_dual*eta/(6*mu)*(3*L_block^2*drift + "
                "3*ev)) + chat*b*N/(40*L_Phi^2)*(-60*L_Phi^2/(b*N)*eta*eu + 8*L_block^2/(b*N)*(drift/eta + "
                "eta*(chat^2*ub2 + c_dual^2*vb2)) + 2*sigma^2*c1^2*eta^3/(b*N)) + "
                "chat*b*N/(40*L_Phi^2)*50*L_block^2/mu^2*(-60*L_Phi^2/(b*N)*eta*ev + "
                "8*L_block^2/(b*N)*(drift/eta + eta*(chat^2*ub2 + c_dual^2*vb2)) + 2*sigma^2*c1^2*eta^3/(b*N)) = "
                "-chat*eta/2*g2 - chat*eta*(1/2 - chat*eta*L_Phi/2 - 30*(L_block/mu)^4*chat^2/c_dual^2 - "
                "(L_block/L_Phi)^2*(1/5 + 10*(L_block/mu)^2)*chat^2)*ub2 - "
                "(6*chat*L_block^2/(c_dual*mu)*c_dual*eta/(8*L_block) - chat*eta*(L_block/L_Phi)^2*(1/5 + "
                "10*(L_block/mu)^2)*c_dual^2)*vb2 + (3 + 75*(L_block/mu)^2)*chat*eta*L_block^2*drift + "
                "chat*(L_block/L_Phi)^2*(1/5 + 10*(L_block/mu)^2)*drift/eta + chat*sigma^2*eta^3*c1^2*(1/20 + "
                "5/2*(L_block/mu)^2)/L_Phi^2"
            ),
            "6*chat*L_block^2/(c_dual*mu)*c_dual*eta/(8*L_block) = 3/4*L_block/mu*chat*eta",
            "6*c_dual*eta*L_block <= 1",
            given=(
                "6*c_dual <= 1",
                "20*L_Phi*eta <= 1",
                "L_block <= L_Phi",
            ),
            letters=("a2, apart, drift, eu, ev, g2, ub2, vb2 >= 0",),
        ),
        ("6 c_dual <= 1", SCHEDULE, "L_block <= L_Phi"),
        steps=(
            "fmgda.lemma5-scale-free",
            "fmgda.lemma6-statement",
            "fmgda.theorem1-49-ordinary",
            "fmgda.theorem1-51",
            "fmgda.theorem1-655",
            "fmgda.theorem1-eta",
        ),
    ),
    Claim(
        "fmgda.theorem1R-drift",
        "all that the dispersion is charged for: in the block, by drift, and carried into the communication step",
        "Theorem 1, eq. (54)-(55) repaired",
        "chat (K1 apart + K1 inherited + 78 kappa^2 L_block^2 carried) <= chat rho X",
        stated(
            (
                "n*now*drift <= K*(K - 1)*cap^2*c_dual^2*X if n <= K, now <= cap, drift <= (K - "
                "1)*c_dual^2*squares, squares <= cap*X, K >= 1"
            ),
            (
                "78*kappa^2*L_block^2*carried <= 78/400*kappa^2*(L_block/L_Phi)^2*c_dual^2*X if apart <= "
                "c_dual^2*X, carried <= K*(K - 1)*cap^2*c_dual^2*X, inherited <= c_dual^2*(K - 1)*r*X, "
                "20*L_Phi*K*cap <= 1, K >= 1"
            ),
            (
                "chat*(K1*apart + K1*inherited + 78*kappa^2*L_block^2*carried) <= chat*c_dual^2*(K1*(1 + (K - "
                "1)*r) + 78/400*kappa^2*(L_block/L_Phi)^2)*X if apart <= c_dual^2*X, inherited <= c_dual^2*(K - "
                "1)*r*X, K >= 1, 78*kappa^2*L_block^2*carried <= 78/400*kappa^2*(L_block/L_Phi)^2*c_dual^2*X"
            ),
            letters=(
                "cap, K1, r > 0",
                "apart, carried, drift, inherited, n, now, squares, X >= 0",
            ),
        ),
        (
            "apart <= C^2 X",
            "carried = sum of eta drift <= K (K - 1) cap^2 C^2 X (first part), inherited <= C^2 (K - 1) r X (Lemma 4)",
            "X = sum of eta D over the run, a mean over the clients",
        ),
        steps=("fmgda.lemma4", "fmgda.theorem1-54-carried", "fmgda.theorem1-53", "fmgda.theorem1R-step"),
    ),
    Claim(
        "fmgda.theorem1R-sum",
        "the telescoped sum with Lemma 8 inserted; U, V, X, G are chat times sums of eta ub2, eta vb2, eta D, eta g2/2",
        "Theorem 1, l.673-681 repaired",
        "G <= gap + noise + (25/24) rho (spread + (3/(20 L_Phi)) start)",
        stated(
            "G <= gap + noise + 25/24*rho*(spread + 3/(20*L_Phi)*start)",
            given=(
                "G + (need_u - chat^2*K1)*U + (need_v - c_dual^2*K1)*V <= gap + rho*X + noise",
                "24/25*X <= (chat^2*U + c_dual^2*V)/4 + spread + 3/(20*L_Phi)*start",
                "chat^2*(K1 + 25/96*rho) <= need_u",
                "c_dual^2*(K1 + 25/96*rho) <= need_v",
            ),
            letters=("G, gap, K1, need_u, need_v, noise, rho, spread, start, U, V, X >= 0",),
        ),
        ("(A) chat^2 (K1 + (25/96) rho) <= need_u", "(B) c_dual^2 (K1 + (25/96) rho) <= need_v = (3/4) kappa"),
        steps=("fmgda.theorem1R-drift", "fmgda.lemma8R", "fmgda.theorem1R-conditions"),
    ),
    Claim(
        "fmgda.theorem1R-conditions",
        "condition (A) of the repaired theorem follows from the printed caps; (B) is theorem1-dual-condition",
        "Theorem 1, l.167 and l.681, repaired",
        "51/20 <= K1 <= 10; 30 kappa^4 chat^2/c_dual^2 <= 11/96; chat <= 1/90;"
        " chat eta L_Phi/2 + 30 kappa^4 chat^2/c_dual^2 + chat^2 (K1 + (25/96) rho) <= 1/8",
        stated(
            "51/20 <= (1/5 + 10*kappa^2)/(1 + kappa)^2 if kappa >= 1",
            "(1/5 + 10*kappa^2)/(1 + kappa)^2 <= 10",
            ("30*kappa^4*chat^2/c_dual^2 <= 11/96 if 6*c_dual <= 1, chat <= sqrt(11/2880)*c_dual/kappa^2, kappa >= 1"),
            "chat <= 1/90 if 6*c_dual <= 1, chat <= sqrt(11/2880)*c_dual/kappa^2, kappa >= 1",
            (
                "chat*eta*L_Phi/2 + ahead + chat^2*(K1 + 25/96*rho) <= 1/8 if K1 <= 10, 5*rho <= 3, 90*chat <= "
                "1, 96*ahead <= 11, 20*L_Phi*eta <= 1"
            ),
            letters=("ahead, K1, rho >= 0",),
        ),
        ("c_dual <= 1/6", "chat <= sqrt(11/2880) c_dual/kappa^2", "kappa >= 1", "rho <= 3/5", SCHEDULE),
        steps=("fmgda.theorem1-dual-condition",),
    ),
    Claim(
        "fmgda.theorem1R-assembly",
        "Theorem 1 repaired: the right side of the telescoped sum, written out; cubes = sum of eta^3",
        "Theorem 1, eq. (10) repaired",
        "G <= gap + 6 chat L_block^2/(c_dual mu) dual_start + (chat b/(40 L_Phi^2))(1 + 50 kappa^2) sigma^2/(B eta_0)"
        " + (chat/L_Phi^2)(sigma^2 c1^2 (1/20 + (5/2) kappa^2) + (25/12) rho c1^2 (2 sigma^2/(25 b) + zeta_pair^2/5))"
        " cubes + (5/32) rho chat start/(L_Phi N)",
        stated(
            (
                "gap + 6*chat*L_block^2/(c_dual*mu)*dual_start + (chat*b*N/(40*L_Phi^2) + "
                "chat*b*N/(40*L_Phi^2)*50*L_block^2/mu^2)*sigma^2/(N*B)/eta_0 + chat*sigma^2*c1^2*(1/20 + "
                "5/2*(L_block/mu)^2)/L_Phi^2*cubes + 25/24*rho*(chat*2*c1^2/L_Phi^2*(2*sigma^2/(25*b) + "
                "zeta_pair^2/5)*cubes + 3/(20*L_Phi)*chat*start/N) = gap + "
                "6*chat*L_block^2/(c_dual*mu)*dual_start + chat*b*N/(40*L_Phi^2)*(1 + "
                "50*kappa^2)*sigma^2/(N*B*eta_0) + chat*(sigma^2*(c1^2/20 + 5/2*kappa^2*c1^2) + "
                "25/24*rho*2*c1^2*(2*sigma^2/(25*b) + zeta_pair^2/5))/L_Phi^2*cubes + "
                "5*rho*chat*start/(32*L_Phi*N) if kappa = L_block/mu"
            ),
            letters=("cubes, dual_start, eta_0, gap, rho, start >= 0",),
        ),
        (CAPS, "b <= 600 K N", SCHEDULE),
        steps=("fmgda.theorem1R-sum", "fmgda.theorem1-start", "fmgda.theorem1-53-noise", "fmgda.first-block"),
    ),
)
