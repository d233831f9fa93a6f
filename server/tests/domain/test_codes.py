import hashlib
import re
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.codes import (
    SAMPLE_NUMBER,
    ClientCodesExhausted,
    NotAClientCode,
    client_code,
    client_number,
    order_tag,
)


def test_codes_are_c_and_four_digits() -> None:
    codes = [client_code(number) for number in (1, 42, 1042, 9999)]

    assert codes == ["C0001", "C0042", "C1042", "C9999"]


@given(number=st.integers(1, 9999))
def test_a_code_gives_back_its_number(number: int) -> None:
    code = client_code(number)

    assert client_number(code) == number


def test_blanks_and_small_letters_do_not_matter_when_a_code_is_read() -> None:
    number = client_number(" c0042 ")

    assert number == 42


def test_zero_is_the_number_of_the_sample_client() -> None:
    assert (client_code(SAMPLE_NUMBER), client_number("C0000")) == ("C0000", SAMPLE_NUMBER)


def test_no_number_is_below_zero() -> None:
    with pytest.raises(ValueError, match="-1"):
        client_code(-1)


def test_no_code_is_left_after_c9999() -> None:
    with pytest.raises(ClientCodesExhausted, match="C9999"):
        client_code(10_000)


@pytest.mark.parametrize("text", ["", "C001", "C00001", "D0001", "0001", "C12٣4", "C-001"])
def test_other_texts_are_not_client_codes(text: str) -> None:
    with pytest.raises(NotAClientCode):
        client_number(text)


def test_the_tag_of_an_order_is_always_the_same_and_of_letters_and_digits() -> None:
    advice_id = uuid.UUID("018f4e2a-0000-7000-8000-000000000001")

    tag = order_tag(advice_id)

    digest = hashlib.sha256(advice_id.bytes).digest()
    number = int.from_bytes(digest[:5], "big")
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    assert tag == "".join(letters[number >> 5 * place & 31] for place in range(7, -1, -1))
    assert order_tag(uuid.UUID(str(advice_id))) == tag


@given(st.uuids())
def test_a_tag_fits_the_broker(advice_id: uuid.UUID) -> None:
    assert re.fullmatch("[A-Z0-9]{8}", order_tag(advice_id))
