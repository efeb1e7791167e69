"""Tables 1 and 2 of "Momentum Benefits Non-IID Federated Learning": rates up to numeric constants."""

from __future__ import annotations

from sympy import Expr, Integer, Rational, sqrt

from boundcheck.bounds import momentum_fl as own
from boundcheck.bounds import momentum_fl_vr as own_vr
from boundcheck.bounds.rate import row_of, table
from boundcheck.notation import symbols

N, S, K, T, L, sigma, zeta, Delta, G, Ls = symbols("N S K T L sigma zeta Delta G_norm L_sample")
ONE, TWO_THIRDS = Integer(1), Rational(2, 3)
BOUNDED, HETEROGENEITY, SMOOTH = "bounded gradients", "bounded heterogeneity", "smooth samples"
MINIBATCHES, STREAMING = "O(K) minibatches a client and round", "streaming clients"
UNPUBLISHED = "Not published in a peer-reviewed venue, says the paper."


def _with(noise: Expr, *, gap: Expr = L * Delta, loss: Expr = ONE, **more: Expr) -> dict[str, Expr]:
    """Return noise, whatever else, and the descent term ``loss * gap / T``."""
    return {"noise": noise, **more, "descent": loss * gap / T}


def _drift(travel: Expr) -> Expr:
    return (travel / T) ** TWO_THIRDS


def _statement_ids(theorem: str) -> tuple[str, str]:
    return f"momentum-fl.{theorem}-printed", f"momentum-fl.{theorem}-rate"


_speed_up = sqrt(L * Delta * sigma**2 / (N * K * T))
_speed_up_sampled = sqrt(L * Delta * sigma**2 / (S * K * T))
_fedcm = {
    "noise": sqrt(L * Delta * (sigma**2 + N * K * G**2) / (N * K * T)),
    "drift": _drift(L * Delta * (sigma / sqrt(K) + G)),
}
_led = _with(_speed_up, drift=_drift(L * Delta * sigma / sqrt(K)))
_bvr_l_sgd = _with((Ls * Delta * sigma / (N * K * T)) ** TWO_THIRDS, start=sigma**2 / (N * K * T), gap=Ls * Delta)
_stem = _with((Ls * Delta + sigma**2 + zeta**2) / (N * K * T) ** TWO_THIRDS, gap=Ls * Delta)
_mimelite_mvr = {
    "noise": _drift(Ls * Delta * (sigma + zeta)),
    "descent": (Ls * Delta + sigma**2 + zeta**2) / T,
}
_mb_storm = _with(
    (Ls * Delta * sigma / (S * sqrt(K) * T)) ** TWO_THIRDS,
    sampling=_drift(Ls * Delta * zeta / S),
    gap=Ls * Delta,
    **{"start, clients": zeta**2 / (S * T), "start, noise": sigma**2 / (S * K * T)},
)
_scaffold_m_vr_alt = {**own_vr.THEOREM_22_PRINTED.terms, "start": sigma**2 / (S * K * T)}

_table_1 = row_of("momentum-fl", "Table 1 [48-79]")
_text = row_of("momentum-fl")
_table_2 = row_of("momentum-fl", "Table 2 [97-117]", partial=True)

# fmt: off
ROWS = table(
    _table_1("table1-yu", "FedAvg (Yu et al. 2019b)", "fedavg", _with(_speed_up, drift=_drift(L * Delta * G)),
        (BOUNDED,)),
    _table_1("table1-koloskova", "FedAvg (Koloskova et al. 2020)", "fedavg",
        _with(sqrt(L * Delta * sigma**2 / (N * T)), drift=_drift(L * Delta * K * zeta), loss=K), (HETEROGENEITY,),
        note="Counts every local step as a step: no speed-up in K."),
    _table_1("table1-karimireddy", "FedAvg (Karimireddy et al. 2020b)", "fedavg",
        _with(_speed_up, drift=_drift(L * Delta * zeta)), (HETEROGENEITY,)),
    _table_1("table1-yang", "FedAvg, two-sided steps (Yang et al. 2021)", "fedavg", _with(_speed_up), (HETEROGENEITY,),
        note="Faulted for a local step that vanishes as zeta grows; so do those of Theorems 11 and 15 as G_0 grows."),
    _table_1("table1-fedcm", "FedCM (Xu et al. 2021b)", "fedavg-m", _fedcm, (BOUNDED, HETEROGENEITY),
        note=f"{UNPUBLISHED} The same method as FedAvg-M, whose Theorem 11 needs neither assumption."),
    _table_1("table1-led", "LED (Alghunaim 2023)", "led", _led),
    _table_1("table1-vrl-sgd", "VRL-SGD (Liang et al. 2019)", "vrl-sgd", _led, note=UNPUBLISHED),
    _table_1("table1-fedavg-m", "FedAvg-M (Theorem 1)", "fedavg-m", own.THEOREM_11_PRINTED.terms,
        bounds=_statement_ids("theorem11")),
    _table_1("table1-bvr-l-sgd", "BVR-L-SGD (Murata and Suzuki 2021)", "bvr-l-sgd", _bvr_l_sgd, (SMOOTH, MINIBATCHES)),
    _table_1("table1-ce-lsgd", "CE-LSGD (Patel et al. 2022), all clients", "ce-lsgd", _bvr_l_sgd,
        (SMOOTH, MINIBATCHES)),
    _table_1("table1-stem", "STEM (Khanduri et al. 2021)", "stem", _stem, (SMOOTH, HETEROGENEITY),
        note="The batch or the number of local steps must grow with T."),
    _table_1("table1-fedavg-m-vr", "FedAvg-M-VR (Theorem 2)", "fedavg-m-vr", own_vr.THEOREM_15_PRINTED.terms, (SMOOTH,),
        bounds=_statement_ids("theorem15"),
        note="False with the printed condition on eta (two are missing); the rate holds with the repaired one."),
    _table_1("table1-fedavg-m-vr-alt", "FedAvg-M-VR (Theorem 15)", "fedavg-m-vr", own_vr.THEOREM_15_ALT_PRINTED.terms,
        (SMOOTH,), bounds=_statement_ids("theorem15-alt"),
        note="False with the printed beta (min for max); the rate holds with the repaired one."),
    _table_2("table2-scaffold", "SCAFFOLD (Karimireddy et al. 2020b)", "scaffold",
        _with(_speed_up_sampled, loss=(N / S) ** TWO_THIRDS)),
    _table_2("table2-scaffold-m", "SCAFFOLD-M (Theorem 3)", "scaffold-m", own.THEOREM_19_PRINTED.terms,
        bounds=_statement_ids("theorem19"),
        note="False with the printed beta (it contains G_0); the rate holds without that entry."),
    _table_2("table2-mimelite-mvr", "MimeLiteMVR (Karimireddy et al. 2020a)", "mimelite-mvr", _mimelite_mvr,
        (SMOOTH, "noiseless gradients", STREAMING), note="No speed-up in S or K."),
    _table_2("table2-mb-storm", "MB-STORM (Patel et al. 2022)", "mb-storm", _mb_storm,
        (SMOOTH, HETEROGENEITY, MINIBATCHES)),
    _table_2("table2-ce-lsgd", "CE-LSGD (Patel et al. 2022)", "ce-lsgd", _mb_storm,
        (SMOOTH, HETEROGENEITY, MINIBATCHES, STREAMING)),
    _table_2("table2-scaffold-m-vr", "SCAFFOLD-M-VR (Theorem 4)", "scaffold-m-vr", own_vr.THEOREM_22_PRINTED.terms,
        (SMOOTH,), bounds=_statement_ids("theorem22"),
        note="False with the printed condition on eta (eta K L <~ beta is missing); the rate holds with it."),
    _table_2("table2-scaffold-m-vr-alt", "SCAFFOLD-M-VR (Theorem 22)", "scaffold-m-vr", _scaffold_m_vr_alt, (SMOOTH,),
        bounds=_statement_ids("theorem22-alt"),
        note="The table adds sigma^2/(S K R), as the proof does; the theorem puts it into a bracket (units)."),
    _text("text-lower-bound", "Lower bound for stochastic first-order methods (Arjevani et al. 2019)", "",
        {"noise": _speed_up, "descent": L * Delta / (N * K * T)}, where="[185]",
        note="A lower bound, of every method that takes N K T samples. Theorem 1 matches its noise term; its own "
        "descent term L Delta/T is N K times as large."),
)
# fmt: on
