"""Each rule of the matching, by an example."""

import uuid
from decimal import Decimal

import pytest

from tarazu.domain.execution.matching import match_lines, own_trades
from tarazu.domain.execution.values import LineStatus, OpenOrder, Trading
from tests.domain.execution.cases import BUY, HOLD, ISINS, SELL, at, fill, line, matched

LATER = uuid.UUID(int=2)


def test_a_fill_of_the_whole_quantity_is_done() -> None:
    (result,) = matched([line(100)], [fill(100, at(3))])

    assert (result.status, result.filled, result.beyond) == (LineStatus.DONE, 100, 0)


def test_a_fill_before_the_sending_never_counts() -> None:
    (result,) = matched([line(100)], [fill(100, at(2, "10:59"))])

    assert (result.status, result.matches) == (LineStatus.PENDING, ())


def test_a_fill_after_the_window_never_counts() -> None:
    (result,) = matched([line(100)], [fill(100, at(10))], now=at(11))

    assert (result.status, result.filled) == (LineStatus.MISSED, 0)


def test_fills_at_the_edges_of_the_window_count() -> None:
    fills = [fill(60, at(2, "11:00")), fill(40, at(9, "16:00"))]

    (result,) = matched([line(100)], fills, now=at(11))

    assert result.status is LineStatus.DONE


def test_what_is_more_than_the_line_is_beyond_and_the_line_is_over() -> None:
    (result,) = matched([line(100)], [fill(70, at(3)), fill(50, at(4))])

    assert (result.status, result.filled, result.beyond) == (LineStatus.OVER, 100, 20)


def test_the_tolerance_is_of_shares_both_ways() -> None:
    lines = [line(100), line(100, isin=ISINS[1], place=1), line(2, isin="INE003A01010", place=2)]
    fills = [fill(98, at(3)), fill(103, at(3), isin=ISINS[1])]

    results = matched(lines, fills, tolerance=2)

    statuses = [result.status for result in results]
    assert statuses == [LineStatus.DONE, LineStatus.OVER, LineStatus.PENDING]
    assert matched(lines[1:2], fills, tolerance=3)[0].status is LineStatus.DONE


def test_an_order_that_is_open_is_work_whatever_is_filled() -> None:
    order = OpenOrder(ISINS[0], BUY, at(3))

    nothing, part = (
        matched([line(100)], fills, orders=[order])[0] for fills in ([], [fill(5, at(3))])
    )

    assert (nothing.status, part.status) == (LineStatus.WORKING, LineStatus.WORKING)


def test_an_order_of_the_other_side_or_before_the_advice_is_not_for_the_line() -> None:
    orders = [OpenOrder(ISINS[0], SELL, at(3)), OpenOrder(ISINS[0], BUY, at(2, "10:00"))]

    (result,) = matched([line(100)], orders=orders)

    assert result.status is LineStatus.PENDING


def test_an_order_with_the_tag_of_other_advice_is_not_for_the_line() -> None:
    lines = [line(10, tag="ONE"), line(10, tag="TWO", advice=LATER)]

    one, two = matched(lines, orders=[OpenOrder(ISINS[0], BUY, at(3), tag="TWO")])

    assert (one.status, two.status) == (LineStatus.PENDING, LineStatus.WORKING)


def test_a_rejected_order_has_the_brokers_last_reason_until_the_window_ends() -> None:
    orders = [
        OpenOrder(ISINS[0], BUY, at(4), is_rejected=True, reason="Insufficient funds"),
        OpenOrder(ISINS[0], BUY, at(3), is_rejected=True, reason="Price outside the circuit"),
    ]

    (meanwhile,) = matched([line(100)], orders=orders[::-1])
    (after,) = matched([line(100)], orders=orders, now=at(11))

    assert (meanwhile.status, meanwhile.status_text) == (LineStatus.REJECTED, "Insufficient funds")
    assert (after.status, after.status_text) == (LineStatus.MISSED, "Insufficient funds")


def test_a_part_is_partial_in_the_window_and_short_after_it() -> None:
    fills = [fill(40, at(3))]

    statuses = [matched([line(100)], fills, now=now)[0].status for now in (at(5), at(10))]

    assert statuses == [LineStatus.PARTIAL, LineStatus.SHORT]


@pytest.mark.parametrize("read_at", [None, at(2, "11:00")])
def test_nothing_is_known_until_the_trades_after_the_sending_are_read(read_at) -> None:
    (result,) = match_lines([line(100)], Trading([], read_at=read_at), at(11))

    assert result.status is LineStatus.UNKNOWN


def test_a_window_is_not_missed_before_its_last_day_was_read() -> None:
    nothing = [
        matched([line(100)], now=at(11), read_at=read_at)[0].status
        for read_at in (at(6, "16:05"), at(9, "15:45"), at(9, "16:05"))
    ]
    part = matched([line(100)], [fill(4, at(3))], now=at(11), read_at=at(6))[0].status

    assert nothing == [LineStatus.UNKNOWN, LineStatus.UNKNOWN, LineStatus.MISSED]
    assert part is LineStatus.PARTIAL


def test_a_window_until_midnight_is_known_when_the_exchange_has_closed() -> None:
    late = line(100, ends=at(9, "23:59"))

    (result,) = matched([late], now=at(10, "09:00"), read_at=at(9, "16:05"))

    assert result.status is LineStatus.MISSED


def test_the_other_side_of_a_line_that_is_not_carried_out_is_opposite() -> None:
    (result,) = matched([line(100)], [fill(30, at(3)), fill(10, at(4), side=SELL)])

    assert (result.status, result.filled, result.opposite) == (LineStatus.OPPOSITE, 30, 10)


def test_a_line_that_is_done_stays_done_and_notes_the_other_side() -> None:
    (result,) = matched([line(100)], [fill(100, at(3)), fill(10, at(4), side=SELL)])

    assert (result.status, result.opposite) == (LineStatus.DONE, 10)


def test_a_declined_line_is_declined_until_something_is_traded() -> None:
    declined = line(100, is_declined=True)

    results = [matched([declined], fills)[0] for fills in ([], [fill(1, at(3))])]

    assert [each.status for each in results] == [LineStatus.DECLINED, LineStatus.PARTIAL]


def test_a_declined_line_is_known_without_any_reading() -> None:
    (result,) = matched([line(100, is_declined=True)], read_at=at(1))

    assert result.status is LineStatus.DECLINED


def test_later_advice_of_the_share_ends_the_window() -> None:
    first = line(100)
    later = line(50, side=SELL, sent=at(4, "11:00"), ends=at(11), advice=LATER)

    older, newer = matched([first, later], [fill(40, at(3)), fill(60, at(4))])

    assert (older.status, older.filled, older.ends_at) == (
        LineStatus.SUPERSEDED,
        40,
        later.sent_at,
    )
    assert (newer.status, newer.opposite) == (LineStatus.OPPOSITE, 60)


def test_a_line_that_was_done_before_later_advice_stays_done() -> None:
    later = line(50, sent=at(4, "11:00"), ends=at(11), advice=LATER)

    older, newer = matched([line(100), later], [fill(120, at(3))])

    assert (older.status, older.beyond, newer.status) == (LineStatus.OVER, 20, LineStatus.PENDING)


def test_a_row_to_hold_ends_the_window_and_takes_no_trade() -> None:
    hold = line(0, side=HOLD, sent=at(4, "11:00"), ends=at(11), advice=LATER)
    sale = fill(10, at(5), side=SELL)
    trading = Trading([sale], read_at=at(5, "16:10"))

    results = matched([line(100), hold], [sale])

    assert [each.status for each in results] == [LineStatus.SUPERSEDED, LineStatus.DONE]
    assert results[1].opposite == 0
    assert own_trades(results, trading) == [sale]


def test_advice_at_the_last_instant_of_the_window_supersedes() -> None:
    later = line(50, sent=at(9, "16:00"), ends=at(17), advice=LATER)

    older, _ = matched([line(100), later], now=at(11))

    assert older.status is LineStatus.SUPERSEDED


def test_the_window_is_open_at_its_last_instant() -> None:
    (result,) = matched([line(100)], now=at(9, "16:00"))

    assert result.status is LineStatus.PENDING


def test_advice_after_the_window_does_not_supersede() -> None:
    later = line(50, sent=at(10, "11:00"), ends=at(17), advice=LATER)

    older, _ = matched([line(100), later], now=at(11))

    assert (older.status, older.ends_at) == (LineStatus.MISSED, older.line.window_ends_at)


def test_a_tagged_fill_goes_to_its_advice_before_the_oldest() -> None:
    # Two lines of the same moment, so that neither ends the other's window.
    lines = [line(10, tag="ONE"), line(10, tag="TWO", advice=LATER)]

    one, two = matched(lines, [fill(8, at(3)), fill(7, at(4), tag="TWO")])

    assert (one.filled, two.filled) == (8, 7)


def test_a_tag_comes_first_even_if_its_fill_is_later() -> None:
    lines = [line(10, tag="ONE")]

    (result,) = matched(lines, [fill(8, at(3), price="1"), fill(7, at(4), price="2", tag="ONE")])

    assert [(each.quantity, each.price) for each in result.matches] == [
        (3, Decimal(1)),
        (7, Decimal(2)),
    ]
    assert result.beyond == 5


def test_what_is_left_of_a_tagged_fill_goes_to_the_oldest_line() -> None:
    lines = [line(10, tag="ONE"), line(10, tag="TWO", advice=LATER)]

    one, two = matched(lines, [fill(25, at(4), tag="TWO")])

    assert (one.filled, two.filled, two.beyond) == (10, 10, 5)


def test_fills_of_one_instant_are_taken_by_number_and_numbers_by_length() -> None:
    fills = [
        fill(6, at(3), number="100", price="3"),
        fill(6, at(3), number="99", price="2"),
        fill(6, at(3), number="7", price="1"),
    ]

    (result,) = matched([line(14)], fills)

    assert [(each.quantity, each.price) for each in result.matches] == [
        (6, Decimal(1)),
        (6, Decimal(2)),
        (2, Decimal(3)),
    ]


def test_an_inferred_fill_counts_if_its_readings_overlap_the_window() -> None:
    before = fill(5, at(2, "10:00"), after=at(1))
    into = fill(5, at(3), after=at(1))
    out_of = fill(5, at(12), after=at(9, "15:00"))
    beyond_it = fill(5, at(13), after=at(12))

    (result,) = matched([line(100)], [before, into, out_of, beyond_it], now=at(14))

    assert [each.fill for each in result.matches] == [into, out_of]


def test_an_inferred_fill_over_two_windows_is_divided_the_oldest_line_first() -> None:
    later = line(50, sent=at(4, "11:00"), ends=at(11), advice=LATER)

    older, newer = matched([line(30), later], [fill(40, at(5), after=at(3))])

    assert (older.status, older.filled) == (LineStatus.DONE, 30)
    assert (newer.status, newer.filled) == (LineStatus.PARTIAL, 10)


def test_margin_counts_and_intraday_or_any_other_product_does_not() -> None:
    fills = [
        fill(1, at(3), product="MARGIN"),
        fill(10, at(3), product="INTRADAY"),
        fill(20, at(3), product="CARRYFORWARD"),
    ]

    (result,) = matched([line(100)], fills)

    assert result.filled == 1


def test_a_round_trip_of_a_day_is_not_traded() -> None:
    fills = [fill(25, at(3, "10:00")), fill(25, at(3, "14:00"), side=SELL)]

    (result,) = matched([line(100)], fills)

    assert (result.status, result.filled, result.opposite) == (LineStatus.PENDING, 0, 0)


def test_a_round_trip_takes_the_latest_fills_without_the_tag() -> None:
    fills = [
        fill(100, at(3, "10:00"), price="1", tag="ONE"),
        fill(50, at(3, "11:00"), price="2"),
        fill(70, at(3, "14:00"), side=SELL),
    ]

    (result,) = matched([line(100, tag="ONE")], fills)

    assert [(each.quantity, each.price) for each in result.matches] == [(80, Decimal(1))]
    assert result.status is LineStatus.PARTIAL


def test_of_fills_without_the_tag_a_round_trip_takes_the_latest() -> None:
    fills = [
        fill(10, at(3, "10:00"), price="1"),
        fill(10, at(3, "11:00"), price="2"),
        fill(12, at(3, "14:00"), side=SELL),
    ]

    (result,) = matched([line(100)], fills)

    assert [(each.quantity, each.price) for each in result.matches] == [(8, Decimal(1))]


def test_a_round_trip_leaves_the_tag_even_if_its_fill_is_later() -> None:
    fills = [
        fill(10, at(3, "10:00"), price="1"),
        fill(10, at(3, "11:00"), price="2", tag="ONE"),
        fill(10, at(3, "14:00"), side=SELL),
    ]

    (result,) = matched([line(100, tag="ONE")], fills)

    assert [(each.quantity, each.price) for each in result.matches] == [(10, Decimal(2))]


def test_an_inferred_fill_is_not_netted_with_a_trade_of_the_later_day() -> None:
    fills = [fill(30, at(4, "15:45"), after=at(2, "16:00")), fill(10, at(4), side=SELL)]

    (result,) = matched([line(100)], fills)

    assert (result.filled, result.opposite) == (30, 10)


def test_shares_bought_one_day_and_sold_the_next_are_two_trades() -> None:
    fills = [fill(25, at(3)), fill(25, at(4), side=SELL)]

    (result,) = matched([line(100)], fills)

    assert (result.filled, result.opposite) == (25, 25)


def test_a_sale_before_the_advice_takes_nothing_from_a_purchase_after_it() -> None:
    fills = [fill(100, at(2, "09:30"), side=SELL), fill(100, at(2, "12:00"))]

    (result,) = matched([line(100)], fills)

    assert result.status is LineStatus.DONE


def test_own_trades_are_those_that_nobody_advised_at_that_time() -> None:
    early, late = fill(1, at(2, "10:00")), fill(2, at(12))
    other = fill(3, at(4), isin=ISINS[1])
    unknown = [fill(4, at(4), isin=""), fill(5, at(4), isin="", side=SELL)]
    round_trip = [fill(9, at(5), isin=ISINS[1]), fill(6, at(5), isin=ISINS[1], side=SELL)]
    advised = [fill(7, at(4)), fill(8, at(5), side=SELL)]
    fills = [late, other, *unknown, *round_trip, *advised, early]

    results = matched([line(100)], fills, now=at(14))
    own = own_trades(results, Trading(fills))

    assert [each.quantity for each in own] == [1, 3, 4, 5, 3, 2]
    assert own[0] == early


def test_the_average_price_is_weighted_and_unknown_where_a_price_is() -> None:
    priced = [fill(60, at(3), price="251.50"), fill(20, at(4), price="252")]

    (known,) = matched([line(100)], priced)
    (unknown,) = matched([line(100)], [*priced, fill(1, at(5), price=None, after=at(4))])
    (nothing,) = matched([line(100)])

    assert known.average_price == Decimal("251.625")
    assert unknown.average_price is None
    assert nothing.average_price is None
