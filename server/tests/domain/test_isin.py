import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.isin import check_digit, is_isin

CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
bodies = st.from_regex(r"[A-Z]{2}[A-Z0-9]{9}", fullmatch=True)


# Apple and Treasury Corporation of Victoria: the worked examples of the ISIN article of
# Wikipedia; BAE Systems: the example of the London Stock Exchange's guide; the rest are NSE's.
@pytest.mark.parametrize(
    "isin",
    [
        "US0378331005",
        "AU0000XVGZA3",
        "GB0002634946",
        "INE002A01018",
        "INE009A01021",
        "INF204KB14I2",
    ],
)
def test_known_isins_are_right(isin: str) -> None:
    found = is_isin(isin)

    assert found


@pytest.mark.parametrize(
    "text",
    [
        "US0378331003",
        "INE002A01019",
        "ine002a01018",
        "INE002A0101",
        "INE002A010188",
        "INE002A0101X",
        "1NE002A01018",
        "INE002A0101٨",
        "",
    ],
)
def test_wrong_digits_and_shapes_are_refused(text: str) -> None:
    found = is_isin(text)

    assert not found


@given(body=bodies, digit=st.integers(0, 9))
def test_exactly_one_digit_completes_a_body(body: str, digit: int) -> None:
    found = is_isin(f"{body}{digit}")

    assert found == (digit == check_digit(body))


@given(body=bodies, place=st.integers(2, 10), digit=st.integers(0, 9), off=st.integers(1, 9))
def test_one_mistyped_digit_is_always_noticed(body: str, place: int, digit: int, off: int) -> None:
    before, after = body[:place], body[place + 1 :]
    right = check_digit(f"{before}{digit}{after}")

    assert not is_isin(f"{before}{(digit + off) % 10}{after}{right}")
