"""What the grader draws for each group, and what must hold of the answers.

A plain module: the standard library and Hypothesis, nothing of the grader. A strategy is named
after its group; in every drawn group but `failure` all checks apply that GROUPS does not place.
"""

from hypothesis import strategies as st

GROUPS = {
    "check_exact_budget": ("normal", "edge"),  # a further run for every input: not everywhere
}

# ---- Drawing ----------------------------------------------------------------
# Every choice is a draw of its own, so that it shrinks by itself; the simplest stands first.

normal = st.fixed_dictionaries(
    {"budget": st.integers(0, 25), "requests": st.lists(st.integers(1, 9), min_size=1, max_size=6)}
)

minimal = st.fixed_dictionaries(
    {"budget": st.integers(0, 2), "requests": st.lists(st.integers(1, 2), min_size=1, max_size=1)}
)


@st.composite
def around_a_border(draw):
    """Boundaries are constructed: drawn at random, a budget hardly ever equals a sum."""
    requests = draw(st.lists(st.integers(1, 9), min_size=1, max_size=5))
    admitted = draw(st.integers(0, len(requests)))
    budget = sum(requests[:admitted]) + draw(st.sampled_from((0, -1, 1)))
    return {"budget": max(0, budget), "requests": requests}


edge = around_a_border()

LEGAL = {"budget": 3, "requests": [2, 1]}
FAULTS = {
    "malformed": [
        *({"budget": value} for value in (None, True, 1.0, "1", [1])),
        *({"requests": value} for value in (None, True, 1, "1", {})),
        *({"requests": [0, value]} for value in (None, True, 1.0, "1", [1])),
        {"note": 1},
    ],
    "negative_budget": [{"budget": -1}, {"budget": -(10**9)}],
    "no_requests": [{"requests": []}],
    "empty_request": [{"requests": [0]}, {"requests": [2, -1]}, {"requests": [0, 1]}],
}
TEXTS = [
    *("", "no JSON", "[]", "null", "{}", '{"budget": 1}', '{"requests": [1]}'),
    *('{"budget": %s, "requests": [1]}' % number for number in ("1e3", "NaN", "1.5", "01")),
]
CODES = list(FAULTS)


@st.composite
def refused(draw):
    """(input, the code that is due): a fault, and often one whose code stands further down."""
    code = draw(st.sampled_from(CODES))
    later = draw(st.sampled_from([{}, *(f for c in CODES[CODES.index(code) :] for f in FAULTS[c])]))
    if code == "malformed" and draw(st.booleans()):
        return draw(st.sampled_from(TEXTS)), code
    return LEGAL | later | draw(st.sampled_from(FAULTS[code])), code


failure = refused()

# ---- Checking ---------------------------------------------------------------
# An assertion is the student's fault, any other exception yours: the output schema has passed the
# answer, but the answer may still be nonsense. Verify an answer; never compute it here.


def admitted_requests(given, answer):
    """The requests that the answer admits; stops an answer that does not fit the input at all."""
    requests, admitted = given["requests"], answer["admitted"]
    assert admitted <= len(requests), f"admitted is {admitted}, of {len(requests)} requests"
    fits = requests[0] <= given["budget"]
    assert admitted or not fits, f"admitted is 0, but the first request fits: {requests[0]} tokens"
    return requests[:admitted]


def check_tokens_add_up(given, answer):
    """`tokens` is the sum of the first `admitted` requests.

    `tokens` 等于前 `admitted` 个请求的 token 总数。"""
    total = sum(admitted_requests(given, answer))
    assert answer["tokens"] == total, f"tokens is {answer['tokens']}, the requests sum to {total}"


def check_within_budget(given, answer):
    """What is admitted stays within the budget.

    接纳的请求不超出预算。"""
    total = sum(admitted_requests(given, answer))
    assert total <= given["budget"], f"{total} tokens admitted, the budget is {given['budget']}"


def check_next_does_not_fit(given, answer):
    """The request after the last one admitted does not fit.

    最后一个被接纳的请求之后，下一个请求放不下。"""
    admitted = admitted_requests(given, answer)
    following = given["requests"][len(admitted) : len(admitted) + 1]
    total = sum(admitted) + sum(following)
    assert not following or total > given["budget"], (
        f"request {len(admitted)} is not admitted, but with it there are {total} tokens,"
        f" and the budget is {given['budget']}"
    )


def check_exact_budget(given, answer, run):
    """With a budget of exactly `tokens` the answer stays the same.

    把预算改成恰好等于 `tokens`，答案不变。"""
    admitted_requests(given, answer)
    found = run(given | {"budget": answer["tokens"]})
    assert found == answer, f"with budget {answer['tokens']}: {found['admitted']} are admitted"
