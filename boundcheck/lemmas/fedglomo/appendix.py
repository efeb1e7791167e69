"""FedGLOMO, the quantiser of the experiments and Appendices A to C.

``levels`` is the number of levels of QSGD: with a = levels |x_j|/|x| = l + p, 0 <= p < 1, coordinate j becomes
|x| sign(x_j) (l + 1)/levels with probability p and |x| sign(x_j) l/levels otherwise.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

CLAIMS = (
    Claim(
        "fedglomo.appendix-a-rounds",
        "twice the rounds at omega = 1, up to 3 percent (1 part in 18 of the square), for S <= N/10",
        "Appendix A, l.396 and l.404",
        "4 M_1 <= M_2 <= 4 (19/18) M_1 with the terms kept there, M_1 = 800 s, M_2 = 1600 (1/N + 2 s)",
        stated(
            (
                "800*scale*2*2*(N - S)/(S*(N - 1)) = 4*800*scale*(N - S)/(S*(N - 1)) <= 1600*scale*(1/N + 2*(N - "
                "S)/(S*(N - 1))) <= 4*19/18*800*scale*(N - S)/(S*(N - 1))"
            ),
            given=(
                "S >= 1",
                "N >= 2",
                "10*S <= N",
            ),
            letters=("scale > 0",),
        ),
        ("S <= N/10", "alpha/N and 4/(K N) neglected"),
    ),
    Claim(
        "fedglomo.appendix-a",
        "saving when one quantised vector is charged to a client",
        "Appendix A, l.400-412 and Remark 3, l.225",
        "32 d/((2.8 d + 32) 2) >= 5",
        stated(
            "5 <= 32*d/((28/10*d + 32)*2)",
            given=("d >= 80",),
        ),
        ("d >= 80",),
        steps=("fedglomo.appendix-a-rounds",),
    ),
    Claim(
        "fedglomo.appendix-a-printed",
        "saving when the two quantised vectors of Algorithm 2 are charged, against the one of Appendix B",
        "Appendix A, l.412 and Remark 3, l.225, with Algorithm 2 and Appendix B, l.425",
        "32 d/(2 (2.8 d + 32) 2) >= 5",
        stated(
            "5 <= 32*d/(2*(28/10*d + 32)*2)",
            given=("d >= 80",),
        ),
        ("d >= 80",),
        repaired_by="fedglomo.appendix-a-two",
    ),
    Claim(
        "fedglomo.appendix-a-two",
        "saving when the two quantised vectors of Algorithm 2 are charged",
        "Appendix A, l.412",
        "5/2 <= 32 d/(2 (2.8 d + 32) 2) <= 20/7",
        stated(
            "5/2 <= 32*d/(2*(28/10*d + 32)*2) if d >= 80",
            "32*d/(2*(28/10*d + 32)*2) <= 20/7",
        ),
        ("d >= 80",),
        steps=("fedglomo.appendix-a-rounds",),
    ),
    Claim(
        "fedglomo.appendix-a-quarter",
        "saving with omega = 1/4, two quantised vectors: still below five, rounds grow by 1 + omega",
        "Appendix A, l.402-412",
        "9/2 <= 32 d/(2 (2.8 d + 32)(5/4)) <= 32/7",
        stated(
            "9/2 <= 32*d/(2*(28/10*d + 32)*5/4) if d >= 720",
            "32*d/(2*(28/10*d + 32)*5/4) <= 32/7",
        ),
        ("d >= 720 for the lower bound", "omega/N neglected"),
        steps=(),
    ),
    Claim(
        "fedglomo.appendix-b",
        "numbers sent in a round without quantisation, against Mime",
        "Appendix B, l.425",
        "(2 d + d)/(2 d + 2 d) = 3/4; d/(2 d) = 1/2",
        stated(
            "(2*d + d)/(2*d + 2*d) = 3/4",
            "d/(2*d) = 1/2",
        ),
        steps=(),
    ),
    Claim(
        "fedglomo.appendix-c",
        "PP-MARINA with one expected full round: order 1/eps^2",
        "Appendix C, l.431",
        "T >= (scale/eps) sqrt(load T) if and only if T >= load scale^2/eps^2",
        stated(
            "load*scale^2/eps^2 <= T if scale/eps*sqrt(load*T) <= T",
            "scale/eps*sqrt(load*T) <= T if load*scale^2/eps^2 <= T",
            letters=("load, scale > 0",),
        ),
        ("cited: its rounds are of order (scale/eps)(1 + sqrt(load/p)), with p = 1/T",),
    ),
)
