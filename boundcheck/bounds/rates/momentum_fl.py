"""Tables 1 and 2 of "Momentum Benefits Non-IID Federated Learning": rates up to numeric constants."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from sympy import Expr, Integer, Rational, sqrt

from boundcheck.bounds import momentum_fl, momentum_fl_vr
from boundcheck.bounds.rate import Rate
from boundcheck.notation import symbols

N, S, K, T, L, sigma, zeta, Delta, G = symbols("N S K T L sigma zeta Delta G_norm")
L_sample = symbols("L_sample")[0]
TWO_THIRDS = Rational(2, 3)
HETEROGENEITY = "bounded heterogeneity"
SAMPLE_SMOOTH = "smooth samples"
MINIBATCHES = "O(K) minibatches a client and round"
UNPUBLISHED = "Not published in a peer-reviewed venue, says the paper."


ONE = Integer(1)


def _with(noise: Expr, *, gap: Expr = L * Delta, loss: Expr = ONE, **more: Expr) -> dict[str, Expr]:
    """Return noise, whatever else, and the descent term ``loss * gap / T``."""
    return {"noise": noise, **more, "descent": loss * gap / T}


def _drift(travel: Expr) -> Expr:
    return (travel / T) ** TWO_THIRDS


_speed_up = sqrt(L * Delta * sigma**2 / (N * K * T))
_reduced = (L_sample * Delta * sigma / (N * K * T)) ** TWO_THIRDS
_reduced_sampled = (L_sample * Delta * sigma / (S * sqrt(K) * T)) ** TWO_THIRDS

_table_1 = partial(Rate, paper="momentum-fl", where="Table 1 [48-79]")
_table_2 = partial(Rate, paper="momentum-fl", where="Table 2 [97-117]", partial=True)

YU = _table_1(
    id="momentum-fl.table1-yu",
    title="FedAvg (Yu et al. 2019b)",
    method="fedavg",
    printed=_with(_speed_up, drift=_drift(L * Delta * G)),
    assumptions=("bounded gradients",),
)
KOLOSKOVA = _table_1(
    id="momentum-fl.table1-koloskova",
    title="FedAvg (Koloskova et al. 2020)",
    method="fedavg",
    printed=_with(sqrt(L * Delta * sigma**2 / (N * T)), drift=_drift(L * Delta * K * zeta), loss=K),
    assumptions=(HETEROGENEITY,),
    note="Counts every local step as a step: no speed-up in K.",
)
KARIMIREDDY = _table_1(
    id="momentum-fl.table1-karimireddy",
    title="FedAvg (Karimireddy et al. 2020b)",
    method="fedavg",
    printed=_with(_speed_up, drift=_drift(L * Delta * zeta)),
    assumptions=(HETEROGENEITY,),
)
YANG = _table_1(
    id="momentum-fl.table1-yang",
    title="FedAvg, two-sided steps (Yang et al. 2021)",
    method="fedavg",
    printed=_with(_speed_up),
    assumptions=(HETEROGENEITY,),
    note="Faulted for a local step that vanishes as zeta grows; so do those of Theorems 11 and 15 as G_0 grows.",
)
FEDCM = _table_1(
    id="momentum-fl.table1-fedcm",
    title="FedCM (Xu et al. 2021b)",
    method="fedavg-m",
    printed={
        "noise": sqrt(L * Delta * (sigma**2 + N * K * G**2) / (N * K * T)),
        "drift": _drift(L * Delta * (sigma / sqrt(K) + G)),
    },
    assumptions=("bounded gradients", HETEROGENEITY),
    note=f"{UNPUBLISHED} The same method as FedAvg-M, whose Theorem 11 needs neither assumption.",
)
LED = _table_1(
    id="momentum-fl.table1-led",
    title="LED (Alghunaim 2023)",
    method="led",
    printed=_with(_speed_up, drift=_drift(L * Delta * sigma / sqrt(K))),
)
VRL_SGD = replace(
    LED, id="momentum-fl.table1-vrl-sgd", title="VRL-SGD (Liang et al. 2019)", method="vrl-sgd", note=UNPUBLISHED
)
FEDAVG_M = _table_1(
    id="momentum-fl.table1-fedavg-m",
    title="FedAvg-M (Theorem 1)",
    method="fedavg-m",
    printed=momentum_fl.THEOREM_11_PRINTED.terms,
    bounds=("momentum-fl.theorem11-printed", "momentum-fl.theorem11-rate"),
)
BVR_L_SGD = _table_1(
    id="momentum-fl.table1-bvr-l-sgd",
    title="BVR-L-SGD (Murata and Suzuki 2021)",
    method="bvr-l-sgd",
    printed=_with(_reduced, start=sigma**2 / (N * K * T), gap=L_sample * Delta),
    assumptions=(SAMPLE_SMOOTH, MINIBATCHES),
)
CE_LSGD = replace(
    BVR_L_SGD, id="momentum-fl.table1-ce-lsgd", title="CE-LSGD (Patel et al. 2022), all clients", method="ce-lsgd"
)
STEM = _table_1(
    id="momentum-fl.table1-stem",
    title="STEM (Khanduri et al. 2021)",
    method="stem",
    printed=_with((L_sample * Delta + sigma**2 + zeta**2) / (N * K * T) ** TWO_THIRDS, gap=L_sample * Delta),
    assumptions=(SAMPLE_SMOOTH, HETEROGENEITY),
    note="The batch or the number of local steps must grow with T.",
)
FEDAVG_M_VR = _table_1(
    id="momentum-fl.table1-fedavg-m-vr",
    title="FedAvg-M-VR (Theorem 2)",
    method="fedavg-m-vr",
    printed=momentum_fl_vr.THEOREM_15_PRINTED.terms,
    assumptions=(SAMPLE_SMOOTH,),
    bounds=("momentum-fl.theorem15-printed", "momentum-fl.theorem15-rate"),
    note="False with the printed condition on eta (two are missing); the rate holds with the repaired one.",
)
FEDAVG_M_VR_ALT = _table_1(
    id="momentum-fl.table1-fedavg-m-vr-alt",
    title="FedAvg-M-VR (Theorem 15)",
    method="fedavg-m-vr",
    printed=momentum_fl_vr.THEOREM_15_ALT_PRINTED.terms,
    assumptions=(SAMPLE_SMOOTH,),
    bounds=("momentum-fl.theorem15-alt-printed", "momentum-fl.theorem15-alt-rate"),
    note="False with the printed beta (min for max); the rate holds with the repaired one.",
)

SCAFFOLD = _table_2(
    id="momentum-fl.table2-scaffold",
    title="SCAFFOLD (Karimireddy et al. 2020b)",
    method="scaffold",
    printed=_with(sqrt(L * Delta * sigma**2 / (S * K * T)), loss=(N / S) ** TWO_THIRDS),
)
SCAFFOLD_M = _table_2(
    id="momentum-fl.table2-scaffold-m",
    title="SCAFFOLD-M (Theorem 3)",
    method="scaffold-m",
    printed=momentum_fl.THEOREM_19_PRINTED.terms,
    bounds=("momentum-fl.theorem19-printed", "momentum-fl.theorem19-rate"),
    note="False with the printed beta (it contains G_0); the rate holds without that entry.",
)
MIMELITE_MVR = _table_2(
    id="momentum-fl.table2-mimelite-mvr",
    title="MimeLiteMVR (Karimireddy et al. 2020a)",
    method="mimelite-mvr",
    printed={
        "noise": _drift(L_sample * Delta * (sigma + zeta)),
        "descent": (L_sample * Delta + sigma**2 + zeta**2) / T,
    },
    assumptions=(SAMPLE_SMOOTH, "noiseless gradients", "streaming clients"),
    note="No speed-up in S or K.",
)
MB_STORM = _table_2(
    id="momentum-fl.table2-mb-storm",
    title="MB-STORM (Patel et al. 2022)",
    method="mb-storm",
    printed=_with(
        _reduced_sampled,
        sampling=_drift(L_sample * Delta * zeta / S),
        gap=L_sample * Delta,
        **{"start, clients": zeta**2 / (S * T), "start, noise": sigma**2 / (S * K * T)},
    ),
    assumptions=(SAMPLE_SMOOTH, HETEROGENEITY, MINIBATCHES),
)
CE_LSGD_SAMPLED = replace(
    MB_STORM,
    id="momentum-fl.table2-ce-lsgd",
    title="CE-LSGD (Patel et al. 2022)",
    method="ce-lsgd",
    assumptions=(*MB_STORM.assumptions, "streaming clients"),
)
SCAFFOLD_M_VR = _table_2(
    id="momentum-fl.table2-scaffold-m-vr",
    title="SCAFFOLD-M-VR (Theorem 4)",
    method="scaffold-m-vr",
    printed=momentum_fl_vr.THEOREM_22_PRINTED.terms,
    assumptions=(SAMPLE_SMOOTH,),
    bounds=("momentum-fl.theorem22-printed", "momentum-fl.theorem22-rate"),
    note="False with the printed condition on eta (eta K L <~ beta is missing); the rate holds with it.",
)
SCAFFOLD_M_VR_ALT = _table_2(
    id="momentum-fl.table2-scaffold-m-vr-alt",
    title="SCAFFOLD-M-VR (Theorem 22)",
    method="scaffold-m-vr",
    printed={**momentum_fl_vr.THEOREM_22_PRINTED.terms, "start": sigma**2 / (S * K * T)},
    assumptions=(SAMPLE_SMOOTH,),
    bounds=("momentum-fl.theorem22-alt-printed", "momentum-fl.theorem22-alt-rate"),
    note="The table adds sigma^2/(S K R), as the proof does; the theorem puts it into a bracket (units).",
)
