"""What one side packs the other side unpacks."""

from hypothesis import given
from hypothesis import strategies as st

from grader.sandbox.protocol import HOW, TALE_BYTES, Order, Tale

_INT64 = st.integers(-(2**63), 2**63 - 1)
_FLOAT = st.floats(allow_nan=False)
_BYTE = st.integers(0, 255)
_TEXT = st.text(max_size=40)
_TALES = st.builds(
    Tale,
    st.sampled_from(HOW),
    _BYTE,
    st.integers(-(2**31), 2**31 - 1),
    _FLOAT,
    _FLOAT,
    _INT64,
    _FLOAT,
    _TEXT,
)


@given(st.builds(Order, _FLOAT, _FLOAT, _INT64, _INT64))
def test_an_order_arrives_as_it_was_sent(order: Order) -> None:
    assert Order.unpack(order.pack()) == order


@given(_TALES)
def test_a_tale_arrives_as_it_was_sent_but_for_a_long_trouble(tale: Tale) -> None:
    arrived = Tale.unpack(tale.pack())
    assert arrived[:-1] == tale[:-1]
    if len(tale.trouble.encode()) < TALE_BYTES // 2:
        assert arrived.trouble == tale.trouble


@given(_TALES.map(lambda tale: tale._replace(trouble=tale.trouble * 1000)))
def test_a_tale_always_fits_into_its_packet(tale: Tale) -> None:
    assert len(tale.pack()) <= TALE_BYTES
