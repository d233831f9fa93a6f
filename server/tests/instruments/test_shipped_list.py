import datetime as dt
from decimal import Decimal

import pytest

from tarazu.domain.isin import is_isin
from tarazu.domain.money import to_units
from tarazu.instruments.shipped import ShippedInstrument, shipped_instruments


@pytest.fixture(scope="module")
def instruments() -> list[ShippedInstrument]:
    return list(shipped_instruments())


def test_522_instruments_are_shipped(instruments: list[ShippedInstrument]) -> None:
    assert len(instruments) == 522
    assert sum(instrument.sector == "Exchange Traded Fund" for instrument in instruments) == 24


def test_a_known_share_has_its_known_numbers(instruments: list[ShippedInstrument]) -> None:
    reliance = next(instrument for instrument in instruments if instrument.symbol == "RELIANCE")

    assert reliance.isin == "INE002A01018"
    assert (reliance.exchange_token, reliance.zerodha_token) == (2885, 738561)
    assert reliance.angel_token == "2885"
    assert reliance.reference_date == dt.date(2026, 8, 21)


def test_every_isin_has_a_right_check_digit(instruments: list[ShippedInstrument]) -> None:
    wrong = [instrument.symbol for instrument in instruments if not is_isin(instrument.isin)]

    assert wrong == []


def test_zerodhas_token_follows_from_the_exchanges(instruments: list[ShippedInstrument]) -> None:
    wrong = [
        instrument.symbol
        for instrument in instruments
        if instrument.zerodha_token != instrument.exchange_token * 256 + 1
        or instrument.angel_token != str(instrument.exchange_token)
    ]

    assert wrong == []


@pytest.mark.parametrize("field", ["symbol", "isin", "exchange_token", "name"])
def test_no_two_instruments_share(instruments: list[ShippedInstrument], field: str) -> None:
    values = [getattr(instrument, field) for instrument in instruments]

    assert len(set(values)) == len(values)


def test_all_are_nse_shares_that_trade_in_the_normal_series(
    instruments: list[ShippedInstrument],
) -> None:
    places = {(instrument.exchange, instrument.series) for instrument in instruments}

    assert places == {("NSE", "EQ")}


def test_ticks_and_closes_are_above_zero_and_exact(
    instruments: list[ShippedInstrument],
) -> None:
    wrong = [
        instrument.symbol
        for instrument in instruments
        if instrument.tick_size <= 0
        or instrument.reference_close <= 0
        or to_units(instrument.reference_close) <= 0
    ]

    assert wrong == []


def test_ticks_are_those_of_the_exchanges_price_bands(
    instruments: list[ShippedInstrument],
) -> None:
    ticks = {instrument.tick_size for instrument in instruments}

    assert ticks <= {Decimal(tick) for tick in ("0.01", "0.05", "0.10", "0.50", "1", "5")}


def test_no_text_has_outer_blanks_or_is_missing(instruments: list[ShippedInstrument]) -> None:
    texts = [
        text
        for instrument in instruments
        for text in (instrument.symbol, instrument.name, instrument.sector)
    ]

    assert all(text and text == text.strip() for text in texts)
