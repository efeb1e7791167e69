import pytest
from together import together


def test_all_cases_that_fail_are_named():
    """By hand: of 1, 2 and 3 the last two are not below 2, and the rest is checked after a failure."""
    seen = []

    @together([1, 2, 3])
    def check(case):
        seen.append(case)
        assert case < 2

    with pytest.raises(AssertionError, match=r"2 of 3 fail\n2: AssertionError.*\n.*3: AssertionError"):
        check()
    assert seen == [1, 2, 3]


def test_several_parameters_come_from_a_tuple():
    @together([(1, 2), (2, 1)])
    def check(low, high):
        assert low < high

    with pytest.raises(AssertionError, match=r"1 of 2 fail\n\(2, 1\)"):
        check()


def test_no_case_is_no_test():
    with pytest.raises(AssertionError, match="no case"):
        together([])(lambda case: None)()


def test_a_case_that_skips_hides_no_failure():
    def check(case):
        if case == 1:
            pytest.skip("not here")
        assert case < 3

    with pytest.raises(AssertionError, match="1 of 3 fail"):
        together([1, 2, 3])(check)()
    with pytest.raises(pytest.skip.Exception, match="1 of 2 pass, left out: 1: not here"):
        together([1, 2])(check)()


def test_parts_share_all_cases_and_the_first_is_always_run():
    """By hand: of five cases in two parts the first has three; the other is slow."""
    seen = []
    check = together(range(5), parts=2)(lambda case: seen.append(case))
    (mark,) = check.pytestmark
    assert [(case.values, [m.name for m in case.marks]) for case in mark.args[1]] == [((0,), []), ((1,), ["slow"])]
    check(0)
    assert seen == [0, 2, 4]
    check(1)
    assert seen == [0, 2, 4, 1, 3]
