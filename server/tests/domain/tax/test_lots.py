"""Lots through trades and each corporate action, and what is not known of them."""

from decimal import Decimal
from fractions import Fraction

import pytest

from tarazu.domain.corporate_actions.values import ActionKind
from tarazu.domain.tax.lots import open_lots
from tarazu.domain.tax.values import Arrival, Departure, DisposalKind, LotSource
from tests.domain.tax.cases import (
    NEW,
    OLD,
    OTHER,
    TODAY,
    action,
    bought,
    day,
    disposals,
    figures,
    ledger,
    lots,
    sold,
)

BONUS, SPLIT, MERGER = ActionKind.BONUS, ActionKind.SPLIT, ActionKind.MERGER


def test_what_came_in_first_is_sold_first() -> None:
    result = ledger(
        bought("2025-04-01", 10, "100"),
        bought("2025-05-01", 10, "120"),
        sold("2025-06-01", 15, "150"),
    )

    assert lots(result) == [(5, "2025-05-01", 600)]
    assert disposals(result) == [
        (10, "2025-04-01", 1000, 1500),
        (5, "2025-05-01", 600, 750),
    ]


def test_each_demat_account_has_an_order_of_its_own() -> None:
    result = ledger(
        bought("2025-04-01", 10, "100", demat="ONE"),
        bought("2025-03-01", 10, "80", demat="TWO"),
        sold("2025-06-01", 4, "150", demat="ONE"),
    )

    assert [(lot.demat, lot.quantity) for lot in result.lots[OLD]] == [("ONE", 6), ("TWO", 10)]


def test_a_bonus_costs_nothing_and_is_held_from_its_allotment() -> None:
    """10 October 2025 is a Friday: the shares are deemed to be allotted on Monday."""
    result = ledger(bought("2025-04-01", 100, "100"), actions=[action(BONUS, "2025-10-10", 7, 4)])

    assert lots(result) == [(100, "2025-04-01", 10_000), (75, "2025-10-13", 0)]
    assert result.lots[OLD][1].source is LotSource.BONUS


def test_a_bonus_of_three_for_four_gives_whole_shares_and_keeps_the_cost() -> None:
    result = ledger(
        *(bought("2025-04-01", 1, "33.33", order=(str(place),)) for place in range(3)),
        actions=[action(BONUS, "2025-10-10", 7, 4), action(BONUS, "2025-12-10", 7, 4)],
    )

    # 3 shares get 2 (of 2.25), 5 get 3 (of 3.75).
    assert [(lot.quantity, lot.cost) for lot in result.lots[OLD]] == [
        *([(1, Fraction("33.33"))] * 3),
        (2, 0),
        (3, 0),
    ]


def test_a_share_bought_before_the_allotment_is_sold_before_the_bonus() -> None:
    result = ledger(
        bought("2025-04-01", 10, "100"),
        bought("2025-10-10", 4, "55"),
        sold("2025-11-03", 12, "60"),
        actions=[action(BONUS, "2025-10-10", 2, 1)],
    )

    assert lots(result) == [(2, "2025-10-10", 110), (10, "2025-10-13", 0)]


def test_a_split_divides_the_cost_and_keeps_the_date_under_the_new_isin() -> None:
    result = ledger(
        bought("2025-04-01", 10, "1000"),
        sold("2025-12-01", 25, "120", NEW),
        actions=[action(SPLIT, "2025-10-10", 10, 1, NEW)],
    )

    assert lots(result, NEW) == [(75, "2025-04-01", 7500)]
    assert disposals(result) == [(25, "2025-04-01", 2500, 3000)]
    assert OLD not in result.lots


@pytest.mark.parametrize("isin", [OLD, NEW])
def test_a_file_may_name_any_isin_of_the_chain(isin) -> None:
    result = ledger(
        bought("2025-04-01", 10, "1000", isin),
        sold("2025-12-01", 25, "120", isin),
        actions=[action(SPLIT, "2025-10-10", 10, 1, NEW)],
    )

    assert lots(result, NEW) == [(75, "2025-04-01", 7500)]


def test_a_consolidation_keeps_whole_shares_with_the_whole_cost() -> None:
    """27 shares become 2.7: two shares. The second has parts of both lots and is of the later one."""
    result = ledger(
        bought("2025-04-01", 15, "10"),
        bought("2025-05-01", 12, "20"),
        actions=[action(ActionKind.CONSOLIDATION, "2025-10-10", 1, 10, NEW)],
    )

    assert lots(result, NEW) == [(1, "2025-04-01", 100), (1, "2025-05-01", 290)]
    assert sum(lot.cost or 0 for lot in result.lots[NEW]) == 15 * 10 + 12 * 20


def test_less_than_one_share_is_paid_out_for_an_unknown_amount() -> None:
    result = ledger(
        bought("2025-04-01", 3, "10"),
        actions=[action(ActionKind.CONSOLIDATION, "2025-10-10", 1, 10, NEW)],
    )

    assert NEW not in result.lots
    (fraction,) = result.disposals
    assert (fraction.kind, fraction.quantity) == (DisposalKind.FRACTION, 0)
    assert figures(fraction.cost, fraction.proceeds) == (30, None)


def test_a_demerger_divides_the_cost_as_the_company_published_it_and_keeps_the_date() -> None:
    result = ledger(
        bought("2022-04-01", 100, "2500"),
        actions=[action(ActionKind.DEMERGER, "2023-07-20", 1, 1, NEW, cost_share=Decimal("4.68"))],
    )

    assert lots(result) == [(100, "2022-04-01", 238_300)]
    assert lots(result, NEW) == [(100, "2022-04-01", 11_700)]
    assert result.lots[NEW][0].source is LotSource.DEMERGER


def test_without_the_published_share_both_costs_are_unknown() -> None:
    result = ledger(
        bought("2022-04-01", 100, "2500"),
        actions=[action(ActionKind.DEMERGER, "2023-07-20", 1, 2, NEW)],
    )

    assert lots(result) == [(100, "2022-04-01", None)]
    assert lots(result, NEW) == [(50, "2022-04-01", None)]


def test_a_merger_carries_cost_and_date_over_to_the_new_share() -> None:
    """HDFC's 25 shares became 42 of HDFC Bank; own shares of the bank entered the account before."""
    result = ledger(
        bought("2020-04-01", 25, "2000"),
        bought("2022-04-01", 10, "1500", OTHER),
        sold("2024-04-01", 12, "1600", OTHER),
        actions=[action(MERGER, "2023-07-13", 42, 25, OTHER)],
    )

    assert lots(result, OTHER) == [(40, "2020-04-01", Fraction(50_000 * 40, 42))]
    assert disposals(result) == [
        (10, "2022-04-01", 15_000, 16_000),
        (2, "2020-04-01", Fraction(50_000 * 2, 42), 3_200),
    ]


def test_a_trade_under_the_old_isin_after_a_merger_is_of_the_new_share() -> None:
    result = ledger(
        bought("2020-04-01", 25, "2000"),
        sold("2024-04-01", 2, "1600", OLD),
        actions=[action(MERGER, "2023-07-13", 42, 25, OTHER)],
    )

    assert [lot.quantity for lot in result.lots[OTHER]] == [40]
    assert [part.isin for part in result.disposals] == [OTHER]


def test_rights_come_in_as_they_were_taken_up_at_the_price_paid_from_their_allotment() -> None:
    rights = Arrival(OLD, 2, day("2025-06-20"), Decimal("201.96"), day("2025-06-20"))
    result = ledger(
        bought("2025-04-01", 12, "150"),
        rights,
        actions=[action(ActionKind.RIGHTS, "2025-06-02", 1, 6, amount=Decimal("100.98"))],
    )

    assert lots(result) == [(12, "2025-04-01", 1800), (2, "2025-06-20", Fraction("201.96"))]


def test_shares_transferred_in_keep_their_date_but_are_sold_after_older_entries() -> None:
    result = ledger(
        bought("2025-04-01", 10, "100"),
        Arrival(OLD, 10, day("2015-01-05"), Decimal(400), day("2025-06-01")),
        sold("2025-08-01", 5, "150"),
    )

    assert lots(result) == [(5, "2025-04-01", 500), (10, "2015-01-05", 400)]


def test_shares_transferred_out_leave_without_a_gain() -> None:
    result = ledger(bought("2025-04-01", 10, "100"), Departure(OLD, 4, day("2025-05-02")))

    assert lots(result) == [(6, "2025-04-01", 600)]
    assert result.disposals == []


def test_intraday_trades_are_speculation_and_touch_no_lot() -> None:
    result = ledger(
        bought("2025-04-01", 10, "100"),
        bought("2025-06-02", 5, "110", order=("10:00",)),
        sold("2025-06-02", 5, "112", order=("11:00",)),
    )

    assert lots(result) == [(10, "2025-04-01", 1000)]
    assert result.disposals == []
    (speculation,) = result.speculations
    assert figures(speculation.quantity, speculation.gain) == (5, 10)


def test_a_sale_and_rebuy_on_one_day_is_speculation_as_far_as_it_goes() -> None:
    """12 sold and 10 bought back: ten are speculation, two leave the account."""
    result = ledger(
        bought("2025-04-01", 20, "100"),
        sold("2025-06-02", 8, "150", order=("10:00",)),
        sold("2025-06-02", 4, "152", order=("10:30",)),
        bought("2025-06-02", 10, "149", order=("11:00",)),
    )

    assert lots(result) == [(18, "2025-04-01", 1800)]
    assert disposals(result) == [(2, "2025-04-01", 200, 304)]
    assert result.speculations[0].gain == 8 * 1 + 2 * 3


def test_the_same_day_in_another_account_is_no_speculation() -> None:
    result = ledger(
        bought("2025-04-01", 5, "100", demat="ONE"),
        sold("2025-06-02", 5, "150", demat="ONE"),
        bought("2025-06-02", 5, "149", demat="TWO"),
    )

    assert result.speculations == []
    assert len(result.disposals) == 1


def test_a_sale_before_the_first_known_purchase_has_an_unknown_basis() -> None:
    result = ledger(
        sold("2025-03-03", 5, "150"),
        bought("2025-04-01", 10, "100"),
        sold("2025-05-02", 4, "160"),
    )

    assert disposals(result) == [
        (5, None, None, 750),
        (4, "2025-04-01", 400, 640),
    ]
    assert lots(result) == [(6, "2025-04-01", 600)]


def test_the_part_of_a_sale_beyond_the_lots_is_unknown() -> None:
    result = ledger(bought("2025-04-01", 10, "100"), sold("2025-05-02", 15, "160"))

    assert disposals(result) == [(10, "2025-04-01", 1000, 1600), (5, None, None, 800)]


def test_which_lots_went_earlier_is_unknown_once_shares_are_missing() -> None:
    """The five shares without a purchase may have been sold in May already."""
    result = ledger(
        bought("2025-04-01", 10, "100"),
        sold("2025-05-02", 8, "160"),
        sold("2025-06-02", 7, "170"),
        bought("2025-07-01", 3, "180"),
        sold("2025-08-01", 3, "190"),
    )

    assert disposals(result) == [
        (8, None, None, 1280),
        (2, None, None, 340),
        (5, None, None, 850),
        (3, "2025-07-01", 540, 570),
    ]


def test_a_transfer_of_shares_that_are_not_there_leaves_earlier_sales_unknown() -> None:
    result = ledger(
        bought("2025-04-01", 10, "100"),
        sold("2025-05-02", 8, "160"),
        Departure(OLD, 5, day("2025-06-02")),
    )

    assert disposals(result) == [(8, None, None, 1280)]


def test_a_purchase_without_a_price_is_a_lot_of_unknown_cost() -> None:
    result = ledger(bought("2025-04-01", 10, None), sold("2025-05-02", 4, "160"))

    assert lots(result) == [(6, "2025-04-01", None)]
    assert not result.lots[OLD][0].is_known
    assert disposals(result) == [(4, "2025-04-01", None, 640)]


def test_an_inferred_purchase_is_marked_and_never_set_against_a_sale_of_its_day() -> None:
    result = ledger(bought("2025-04-01", 10, "100", is_inferred=True), sold("2025-04-01", 4, "160"))

    assert result.speculations == []
    assert lots(result) == [(6, "2025-04-01", 600)]
    assert result.lots[OLD][0].source is LotSource.INFERRED


def test_a_buyback_takes_the_first_lots() -> None:
    result = ledger(
        bought("2025-04-01", 10, "100"),
        Departure(OLD, 4, day("2026-05-04"), Decimal(720), is_buyback=True),
    )

    (part,) = result.disposals
    assert figures(part.kind, part.quantity, part.cost, part.proceeds) == (
        DisposalKind.BUYBACK, 4, 400, 720,
    )  # fmt: skip


def test_nothing_after_the_day_counts() -> None:
    trades = [bought("2025-04-01", 10, "100"), sold("2025-06-02", 10, "150")]

    assert lots(ledger(*trades, on=day("2025-06-01"))) == [(10, "2025-04-01", 1000)]
    assert open_lots(trades, [], TODAY) == {}


def test_an_action_recorded_twice_counts_once() -> None:
    split = action(SPLIT, "2025-10-10", 10, 1, NEW)
    result = ledger(bought("2025-04-01", 10, "1000"), actions=[split, split])

    assert lots(result, NEW) == [(100, "2025-04-01", 10_000)]


def test_a_split_and_a_bonus_of_one_day_multiply() -> None:
    actions = [action(SPLIT, "2025-10-10", 2, 1, NEW), action(BONUS, "2025-10-10", 2, 1)]

    result = ledger(bought("2025-04-01", 10, "100"), actions=actions)

    assert lots(result, NEW) == [(20, "2025-04-01", 1000), (20, "2025-10-13", 0)]
