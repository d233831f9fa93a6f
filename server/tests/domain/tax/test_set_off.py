"""Rates, set-off in both ways, the exemption and the surcharge."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.tax.gains import gain_of
from tarazu.domain.tax.rates import (
    SHIPPED,
    NoTaxRates,
    SurchargeClass,
    Term,
    lines_in_force,
    rates_on,
    read_lines,
    tax_year_of,
    text_of,
)
from tarazu.domain.tax.set_off import Way, YearGains, sum_of, tax_of_year, year_gains
from tests.domain.tax.cases import TODAY, bought, day, figures, ledger, rates, sold

LAKH = Fraction(100_000)
EXAMPLE = YearGains(2 * LAKH, 1 * LAKH, 3 * LAKH, LAKH / 2)
amounts = st.integers(0, 10**7).map(Fraction)


@pytest.mark.parametrize(
    ("income", "short", "long"),
    [
        (None, "20.8", "13"),
        (SurchargeClass.UP_TO_50_LAKH, "20.8", "13"),
        (SurchargeClass.UP_TO_1_CRORE, "22.88", "14.3"),
        (SurchargeClass.ABOVE_1_CRORE, "23.92", "14.95"),
    ],
)
def test_the_rates_with_surcharge_and_cess(income, short, long) -> None:
    assert rates().rate(Term.SHORT, income) * 100 == Fraction(short)
    assert rates().rate(Term.LONG, income) * 100 == Fraction(long)


def test_the_rates_of_a_day_are_the_newest_that_were_in_force() -> None:
    assert figures(
        rates_on(day("2024-07-22")).short_term, rates_on(day("2024-07-23")).short_term
    ) == (
        15,
        20,
    )
    assert rates_on(day("2024-03-31")).exemption == 100_000
    assert rates_on(day("2024-04-01")).exemption == 125_000
    assert rates().sections["long_term"] == "198 (112A)"
    assert rates_on(day("2026-03-31")).sections["short_term"] == "111A"
    with pytest.raises(NoTaxRates):
        rates_on(day("2018-03-31"))


def test_every_rate_names_its_source_and_survives_being_written() -> None:
    assert all(line.source for line in SHIPPED)
    assert read_lines(text_of(SHIPPED)) == SHIPPED
    items = [line.item for line in lines_in_force(SHIPPED, TODAY)]
    assert len(items) == len(set(items))


def test_a_tax_year_goes_from_april_to_march() -> None:
    year = tax_year_of(day("2027-03-31"))

    assert (year.name, year.first, year.last) == ("2026-27", day("2026-04-01"), day("2027-03-31"))
    assert day("2026-04-01") in year
    assert day("2027-04-01") not in year
    assert tax_year_of(day("2099-05-01")).name == "2099-00"


def test_both_ways_of_set_off_are_worked_out_and_the_better_is_named() -> None:
    year = tax_of_year(EXAMPLE, rates())

    assert year.short_first.tax == 37_050
    assert year.long_first.tax == 44_850
    assert year.better.way is Way.SHORT_FIRST
    assert figures(year.better.short, year.better.long) == (LAKH, 250_000)
    assert figures(year.better.taxed_long, year.better.exemption_left) == (125_000, 0)


def test_the_exemption_comes_after_set_off_and_the_rest_of_it_is_named() -> None:
    year = tax_of_year(YearGains(long_gain=2 * LAKH, long_loss=LAKH, short_loss=LAKH / 2), rates())

    assert figures(year.better.long, year.better.exemption_left) == (50_000, 75_000)
    assert year.better.tax == 0


def test_a_long_term_loss_is_never_set_off_against_a_short_term_gain() -> None:
    year = tax_of_year(YearGains(short_gain=LAKH, long_loss=LAKH), rates())

    assert year.better.tax == 20_800
    assert figures(year.better.short, year.better.long_loss) == (LAKH, LAKH)


def test_a_short_term_loss_is_set_off_against_long_term_gains() -> None:
    year = tax_of_year(YearGains(long_gain=4 * LAKH, short_loss=LAKH), rates())

    assert year.better.long == 3 * LAKH
    assert year.better.tax == Fraction("22750")


def test_what_is_left_of_losses_is_named() -> None:
    year = tax_of_year(YearGains(LAKH, 3 * LAKH, LAKH, 2 * LAKH), rates())

    assert figures(year.better.short_loss, year.better.long_loss, year.better.tax) == (
        2 * LAKH,
        LAKH,
        0,
    )


@given(amounts, amounts, amounts, amounts)
def test_nothing_is_lost_in_set_off(short, short_loss, long, long_loss) -> None:
    gains = YearGains(short, short_loss, long, long_loss)
    for way in tax_of_year(gains, rates()):
        net = short - short_loss + long - long_loss
        assert way.short + way.long - way.short_loss - way.long_loss == net
        assert min(way.short, way.short_loss) == min(way.long, way.long_loss) == 0
        assert min(way.long, way.short_loss) == 0
        assert way.taxed_long + Fraction(rates().exemption) - way.exemption_left == way.long


def test_unknown_gains_are_in_no_sum() -> None:
    result = ledger(
        sold("2026-04-06", 5, "1000"),
        bought("2026-04-07", 10, "100"),
        sold("2026-05-04", 10, "120"),
    )
    gains = [gain_of(part, rates(), None) for part in result.disposals]

    assert year_gains(gains) == YearGains(short_gain=Fraction(200))


def test_losses_are_summed_apart_from_gains() -> None:
    sums = sum_of(
        [(Term.SHORT, Fraction(5)), (Term.SHORT, Fraction(-3)), (Term.LONG, Fraction(-2))]
    )

    assert sums == YearGains(Fraction(5), Fraction(3), Fraction(0), Fraction(2))


def test_a_rate_of_the_firm_counts_from_its_day() -> None:
    lines = tuple(
        line._replace(effective_on=day("2027-04-01"), value="15")
        for line in SHIPPED
        if line.item == "long_term"
    )

    own = (*SHIPPED, lines[0])
    assert rates_on(day("2027-03-31"), own).long_term == Decimal("12.5")
    assert rates_on(day("2027-04-01"), own).long_term == 15
