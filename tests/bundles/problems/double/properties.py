"""Inputs and properties of the lab `double`."""

from hypothesis import strategies as st

normal = st.fixed_dictionaries({"n": st.integers(0, 10**6)})

failure = st.one_of(
    st.tuples(st.fixed_dictionaries({"n": st.integers(-1000, -1)}), st.just("negative")),
    st.tuples(
        st.sampled_from([{}, [], {"n": "1"}, {"n": True}, {"n": 1.0}, "no JSON", ""]),
        st.just("malformed"),
    ),
)


def check_is_even(given, answer):
    """Twice a number is even.

    两倍的数是偶数。
    """
    assert answer["twice"] % 2 == 0, f"{answer['twice']} is odd"


def check_halves(given, answer):
    """Half of the answer is the number.

    答案的一半就是原数。
    """
    assert answer["twice"] == 2 * given["n"], f"{answer['twice']} is not 2 × {given['n']}"


def check_next(given, answer, run):
    """The next number's double is two more.

    下一个数的两倍大二。
    """
    other = run({"n": given["n"] + 1})
    assert other["twice"] == answer["twice"] + 2, f"{other['twice']} after {answer['twice']}"
