"""The record of calls, as the calls answer it, and its export."""

import csv
import datetime as dt
import io
import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import text

from tarazu.advice.sealing import digest_of, link_of
from tarazu.benchmarks import service as benchmarks
from tarazu.benchmarks.tables import BenchmarkKind
from tarazu.domain.calendar import next_business_day
from tarazu.domain.track_record.calls import CallPrice, PriceKind, next_opening
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.migrations.triggers import drop_triggers
from tarazu.prices import service as prices
from tarazu.track_record import service as track_record
from tarazu.track_record.service import CallsRecord
from tests.advice.conftest import AdviceDesk
from tests.people_of import Desk, data_of, new_key
from tests.rows_of import audit_rows

pytestmark = pytest.mark.on_both

PATH = "/admin/calls/record"
MINUTE = dt.timedelta(minutes=1)


def price(advice: AdviceDesk, symbol: str, value: str, at: dt.datetime) -> None:
    """A price of the feed at an instant."""
    with advice.database.transaction() as session:
        token = instruments.by_symbol(session, "NSE", symbol).instrument_token
        prices.record_prices(session, {token: Decimal(value)}, at, "ZERODHA")


def close(
    advice: AdviceDesk, day: dt.date, opens: Mapping[str, str] | None = None, **values: str
) -> None:
    with advice.database.transaction() as session:

        def by_token(known: Mapping[str, str]) -> dict[int, Decimal]:
            return {
                instruments.by_symbol(session, "NSE", symbol).instrument_token: Decimal(value)
                for symbol, value in known.items()
            }

        prices.record_day_closes(session, day, by_token(values), opens=by_token(opens or {}))


def use_index(advice: AdviceDesk, levels: dict[dt.date, str]) -> None:
    with advice.database.transaction() as session:
        about = ("Nifty 50 TRI", BenchmarkKind.TRI, "test")
        values = {day: Decimal(value) for day, value in levels.items()}
        benchmarks.store_values(session, clock.now(), about, values)
        benchmarks.choose_benchmark(session, SYSTEM, clock.now(), "Nifty 50 TRI", None)


def record(advice: AdviceDesk, now: dt.datetime) -> CallsRecord:
    with advice.database.reading() as session:
        return track_record.calls_record(session, now)


def next_day(advice: AdviceDesk) -> dt.date:
    return clock.today() + dt.timedelta(days=1)


def test_a_firm_without_advice_has_no_calls(admin: Desk) -> None:
    shown = data_of(admin.get(PATH))

    assert (shown["total"], shown["calls"]) == (0, [])
    assert shown["hits"] == {"hits": 0, "count": 0, "percentage": None, "low": None, "high": None}
    assert "No benchmark is chosen" in shown["whyNoBenchmark"]


def test_a_call_begins_with_the_first_price_a_minute_after_the_dispatch(advice: AdviceDesk) -> None:
    advice.sent()
    sent_at = clock.now()
    price(advice, "TCS", "3010", sent_at + MINUTE / 2)
    assert track_record.note_prices(advice.database, sent_at + MINUTE) == 0
    price(advice, "TCS", "3020", sent_at + 2 * MINUTE)
    assert track_record.note_prices(advice.database, sent_at + 2 * MINUTE) == 1
    price(advice, "TCS", "3090", sent_at + 3 * MINUTE)
    assert track_record.note_prices(advice.database, sent_at + 3 * MINUTE) == 0
    close(advice, clock.today(), RELIANCE="1260", TCS="3030")

    calls = {row["tradingSymbol"]: row for row in data_of(advice.desk.get(PATH))["calls"]}

    assert len({row["_id"] for row in calls.values()}) == len(calls)
    assert set(calls) == {"TCS", "RELIANCE"}
    assert (calls["TCS"]["entry"]["price"], calls["TCS"]["entry"]["kind"]) == (3020, "PRICE")
    # No price of the other stock came: its first close counts, and says that it is one.
    assert (calls["RELIANCE"]["entry"]["price"], calls["RELIANCE"]["entry"]["kind"]) == (
        1260,
        "CLOSE",
    )
    assert calls["TCS"]["state"] == "OPEN"
    assert calls["TCS"]["whyUnknown"] == "No close is known since the entry."


def test_without_a_price_a_call_begins_with_the_next_opening(advice: AdviceDesk) -> None:
    with advice.database.reading() as session:
        holidays = firm.holidays(session)
    advice.sent()
    opens_on = next_opening(clock.now(), holidays)
    later = next_business_day(opens_on, holidays)
    close(advice, clock.today(), TCS="3000", RELIANCE="1250")
    close(advice, opens_on, TCS="3100", RELIANCE="1260", opens={"TCS": "3050"})
    close(advice, later, TCS="3202.5", RELIANCE="1270", opens={"TCS": "1", "RELIANCE": "2"})

    found = record(advice, dt.datetime.combine(later, dt.time(18), clock.INDIA))

    by_symbol = {row.symbol: row for row in found.calls}
    tcs, reliance = by_symbol["TCS"], by_symbol["RELIANCE"]
    assert tcs.entry == CallPrice(Decimal(3050), opens_on, PriceKind.OPEN)
    assert tcs.result.gross == 5
    # Its next opening is not known, and that of a later day is no price of this dispatch.
    assert reliance.entry is not None
    assert reliance.entry.kind is PriceKind.CLOSE


def test_open_calls_are_at_the_last_close_beside_the_index(advice: AdviceDesk) -> None:
    today, tomorrow = clock.today(), next_day(advice)
    advice.sent()
    close(advice, today, TCS="3000", RELIANCE="1250")
    close(advice, tomorrow, TCS="3300", RELIANCE="1240")
    use_index(advice, {today: "100", tomorrow: "101"})

    found = record(advice, clock.now() + dt.timedelta(days=1))

    by_symbol = {row.symbol: row for row in found.calls}
    tcs, reliance = by_symbol["TCS"].result, by_symbol["RELIANCE"].result
    assert (tcs.gross, tcs.benchmark, tcs.is_hit) == (Decimal(10), Decimal(1), True)
    assert (reliance.gross, reliance.is_hit) == (Decimal("-0.8"), False)
    assert (found.hits.hits, found.hits.count, found.gains.hits) == (1, 2, 1)
    assert (found.open, found.unknown) == (2, 0)


def test_an_advised_sale_ends_the_call(advice: AdviceDesk) -> None:
    today = clock.today()
    advice.sent()
    advice.hold({"INFY": 60, "TCS": 60, "RELIANCE": 100}, cash="50000")
    targets = {"INFY": 20, "TCS": 0, "RELIANCE": 30, "CASH": 50}
    rebalance = advice.rebalanced(targets=targets)
    data_of(advice.send(advice.advice_of(rebalance), **new_key()), 201)
    close(advice, today, TCS="3000", RELIANCE="1250", INFY="1500")

    found = record(advice, clock.now())

    by_symbol = {row.symbol: row for row in found.calls}
    assert by_symbol["TCS"].ended_at is not None
    assert by_symbol["RELIANCE"].state == "OPEN"


def test_a_sale_of_what_was_never_called_is_counted_apart(advice: AdviceDesk) -> None:
    advice.sent()

    # 10 ITC are sold: nobody was advised to buy them.
    assert record(advice, clock.now()).exits >= 1


def test_filters_choose_rows_and_never_the_metrics(advice: AdviceDesk) -> None:
    advice.sent()
    close(advice, clock.today(), TCS="3000", RELIANCE="1250")

    shown = data_of(advice.desk.get(PATH, query="tcs", state="OPEN", sort="-sentAt"))

    assert [row["tradingSymbol"] for row in shown["calls"]] == ["TCS"]
    assert shown["pagination"]["totalUsers"] == 1
    assert shown["total"] == 2


def test_others_see_the_record_only_through_the_gate(advice: AdviceDesk) -> None:
    advice.sent()

    answer = advice.desk.get(PATH, audience="PUBLIC")

    assert answer.status_code == 422
    assert "to the public only as" in answer.json()["message"]
    (row,) = audit_rows(advice.database, "performance_refused")
    changes = json.loads(row.changes)
    assert (row.record_id, changes["audience"]) == ("calls", "PUBLIC")
    assert changes["reason"] == answer.json()["message"]


def exported(advice: AdviceDesk, **asked: str) -> list[dict[str, str]]:
    answer = advice.desk.get(f"{PATH}/export", format="csv", **asked)
    assert answer.status_code == 200, answer.text
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_the_export_has_every_row_chained_to_its_seal(advice: AdviceDesk) -> None:
    advice.sent()

    rows = exported(advice)

    assert {row["Side"] for row in rows} <= {"BUY", "SELL"}
    assert rows[0]["Previous Hash"] == ""
    assert [row["Previous Hash"] for row in rows[1:]] == [row["Hash"] for row in rows[:-1]]
    first = rows[0]
    sent_at = dt.datetime.fromisoformat(first["Sent (IST)"]).replace(tzinfo=clock.INDIA)
    assert abs(sent_at - clock.now()) < MINUTE
    assert len(first["Seal Hash"]) == 64
    assert first["Valid Until"] > clock.today().isoformat()


def test_a_verifier_can_calculate_the_chain_from_the_rows(advice: AdviceDesk) -> None:
    advice.sent()

    with advice.database.reading() as session:
        chained = track_record.raw_record(session, _all())

    previous = ""
    for one in chained:
        line = one.line
        fields: dict[str, Any] = {
            "seal": line.seal,
            "sealHash": line.seal_hash,
            "place": line.place,
            "sentAt": line.sent_at.astimezone(dt.UTC).isoformat().replace("+00:00", "Z"),
            "isin": line.isin,
            "exchange": line.exchange,
            "symbol": line.symbol,
            "side": line.side,
            "weight": f"{line.weight.normalize():f}",
            "price": f"{line.price.normalize():f}",
            "validUntil": str(line.valid_until),
            "model": "",
            "modelVersion": None,
        }
        if not line.weight:
            fields["weight"] = "0"
        canonical = json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        assert one.hash == link_of(previous, digest_of(canonical.encode()))
        previous = one.hash


def _all() -> Any:
    from tarazu.kit.fields import DayRange  # noqa: PLC0415

    return DayRange()


def test_a_later_change_shows_in_every_hash_after_it(advice: AdviceDesk) -> None:
    advice.sent()
    before = exported(advice)
    with advice.database.transaction() as session:
        drop_triggers(session.connection())
        session.execute(
            text("UPDATE advice_stocks SET last_price = last_price + 1 WHERE place = 1")
        )

    after = exported(advice)

    assert before[0]["Hash"] == after[0]["Hash"]
    assert before[-1]["Hash"] != after[-1]["Hash"]


def test_what_is_exported_for_others_passes_the_gate_too(advice: AdviceDesk) -> None:
    advice.sent()

    answer = advice.desk.get(f"{PATH}/export", audience="PROSPECT", askedBy="Vidya Mehta")

    assert answer.status_code == 422
    assert audit_rows(advice.database, "performance_refused")
