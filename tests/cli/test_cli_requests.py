"""What a request of a program may not be is named; mutated requests are in `test_cli_fuzzed`."""

import pytest

from boundcheck.agents.tools import call


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("refute", {"bound": 0}, "bound = 0 is not legal: a text"),
        ("worst", {"name": "sgd", "K": 1, "T": 1, "set": "eta"}, "set = 'eta' is not legal: an object"),
        ("explain", {"word": "zeta", "problem": [[1]]}, "is not legal: a text or null"),
        ("decide", {"shows": "u = u", "letters": "\ud800"}, "is not legal: a text"),
        ("decide", {"shows": "|u|^2 >= 0", "letters": "vectors , u"}, "letters = 'vectors , u' is not legal"),
        ("decide", {"shows": "|u|^2 >= 0", "letters": "vectors u,\nvectors v"}, "is not legal"),
        (
            "check",
            {"bound": "momentum-fl.theorem11", "problem": "ridge-ratio", "N": 2, "K": 10**30, "T": 4},
            "K = 1000000000000000000000000000000 is not legal: at most 1e+09",
        ),
        (
            "check",
            {"bound": "momentum-fl.theorem11", "problem": "ridge-ratio", "N": 2, "K": 10**9, "T": 10**4},
            "K T = 10000000000000 is not legal: at most 1e+12 local steps",
        ),
    ],
)
def test_what_a_request_may_not_be_is_named(tool, arguments, words):
    """Each was an internal error, or did not end."""
    error = call(tool, arguments)["error"]
    assert error["code"] == 2
    assert words in error["message"]
