"""Cases of the variance-reduced, drift-corrected and compressed methods; see `method_table`."""

import straightline_glomo as quantised
import straightline_variance as plain
from method_case import Case

_GLOMO = {"eta": 0.1, "beta": 0.3}
_MOMENTUM = {"eta": 0.1, "gamma": 0.4, "beta": 0.3}

CASES = [
    Case("fedavg-m-vr", _MOMENTUM, {"B": 1}, plain.fedavg_m_vr),
    Case("scaffold-m-vr", _MOMENTUM, {"B": 2}, plain.scaffold_m_vr),
    Case("scaffold", {"eta": 0.1}, reference=plain.scaffold),
    Case("scaffold", {"eta": 0.1, "gamma": 1.4}, {"B": 1}, plain.scaffold),
    Case("scaffold", {"eta": 0.1}, {"option": "I"}, plain.scaffold, gradients="K + 1 full"),
    Case("fedgate", {"eta": 0.1, "gamma": 1.4}, reference=plain.fedgate),
    Case("vrl-sgd", {"eta": 0.1}, reference=plain.vrl_sgd, partial=False),
    Case("led", {"eta": 0.1, "beta": 0.2}, reference=plain.led, partial=False),
    *(
        Case("fedglomo", numbers, options, quantised.fedglomo, warm=1)
        for numbers, options in [
            (_GLOMO, {}),
            (_GLOMO, {"quantiser": "qsgd-2"}),
            (_GLOMO, {"quantiser": "dropout-0.6", "exact_start": False}),
            (_GLOMO, {"quantiser": "qsgd-2", "quantised_start": True}),
            (_GLOMO, {"quantiser": "qsgd-3", "message": "one"}),
            (_GLOMO, {"quantiser": "qsgd-2", "message": "naive"}),
            ({**_GLOMO, "damping": 0.8}, {"batch": 3, "exact_start": False}),
        ]
    ),
    Case("fedlomo", {"eta": 0.1}, {"quantiser": "qsgd-2"}, quantised.fedlomo),
    Case("fedavg-local-m", {"eta": 0.05, "mu": 0.8}, reference=quantised.fedpaq_family),
    Case("fedpaq", {"eta": 0.1}, {"quantiser": "qsgd-1"}, quantised.fedpaq_family),
    Case("fedpaq-m", {"eta": 0.05, "mu": 0.8}, {"quantiser": "dropout-0.7"}, quantised.fedpaq_family),
    Case("fedpaq-scm", {"eta": 0.05, "mu": 0.8, "server_mu": 0.5}, {"quantiser": "qsgd-2"}, quantised.fedpaq_family),
    Case("stem", {"kappa": 0.2, "w": 2.0, "growth": 0.7, "c": 9.0}, {"B": 2}, plain.stem, partial=False),
    Case("bvr-l-sgd", {"eta": 0.1}, reference=plain.bvr_l_sgd, partial=False),
    Case("bvr-l-sgd", {"eta": 0.1}, {"batch": 2}, plain.bvr_l_sgd, partial=False),
    Case("mb-storm", {"gamma": 0.2, "a": 0.3}, {"B": 1}, plain.mb_storm),
    Case("ce-lsgd", {"eta": 0.1, "a": 0.3}, {"B": 1}, plain.ce_lsgd),
    Case("ce-lsgd", {"eta": 0.1, "a": 0.3}, {"B": 2, "server": "mean"}, plain.ce_lsgd),
    Case("mime", {"eta": 0.1, "beta": 0.6}, reference=plain.mime),
    Case("mimelite", {"eta": 0.1, "beta": 0.6, "gamma": 1.3}, reference=plain.mimelite),
    Case("mime-mvr", {"eta": 0.1, "a": 0.3, "gamma": 1.3}, reference=plain.mime_mvr),
    Case("mimelite-mvr", {"eta": 0.1, "a": 0.3}, reference=plain.mimelite_mvr),
    Case("fedcomgate", {"eta": 0.1, "gamma": 0.7}, {"quantiser": "qsgd-2"}, quantised.fedcomgate),
    Case("fedcomgate", {"eta": 0.1}, {"quantiser": "dropout-0.7", "tracking": "raw"}, quantised.fedcomgate),
    Case("marina", {"gamma": 0.2, "p": 0.4}, {"quantiser": "qsgd-1"}, quantised.marina, partial=False),
    Case("pp-marina", {"gamma": 0.2, "p": 0.4}, {"quantiser": "dropout-0.5"}, quantised.pp_marina, gradients="drawn"),
    Case("pp-marina", {"gamma": 0.2, "p": 0.4}, {"replacement": True}, quantised.pp_marina, gradients="drawn"),
    Case("sgd", {"eta": 0.1}, reference=plain.sgd, partial=False),
    Case("sarah", {"eta": 0.1}, reference=plain.sarah, partial=False),
    Case("spider", {"eta": 0.3, "length": 0.2}, {"batch": 2}, plain.spider, partial=False),
    Case("snvrg", {"eta": 0.1}, reference=plain.snvrg, partial=False),
    Case("snvrg", {"eta": 0.1}, {"depth": 3, "base": 1}, plain.snvrg, partial=False),
    Case("snvrg", {"eta": 0.1}, {"depth": 1, "batch": 2}, plain.snvrg, partial=False),
    Case("storm", {"eta": 0.1, "a": 0.3}, {"B": 1}, plain.storm, partial=False),
    Case("storm-adaptive", {"k": 0.3, "w": 2.0, "c": 4.0}, {"B": 1}, plain.storm_adaptive, partial=False),
]
