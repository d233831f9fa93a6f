"""A run over the book: its tiles, a look into them, the choice, and what is sent."""

import datetime as dt
from typing import Any

import pytest
from sqlalchemy import update

from tarazu.advice import service as advice
from tarazu.book_runs.tables import BookRun
from tarazu.kit import clock
from tests.models_of import MODEL, Bench, version_of
from tests.people_of import reply_of


def _near_target(value: int) -> dict[str, int]:
    """Shares for so many rupees, as near the model as whole shares allow."""
    prices = {"INFY": 1500, "TCS": 3000, "RELIANCE": 1250.5, "ITC": 410.35}
    return {name: int(value * MODEL[name] / 100 / prices[name]) for name in MODEL}


@pytest.mark.on_both
def test_every_client_is_computed_at_one_snapshot_and_is_in_one_tile(
    unpriced: str, bench: Bench
) -> None:
    ready = bench.client("Asha Rao", {"INFY": 100}, "200000")
    close = bench.client("Binod Sen", _near_target(10_000_000), "500000")
    short = bench.client("Chitra Das", {"INFY": 300, "TCS": 100}, "-50000")
    stale = bench.client("Dev Anand", {"INFY": 100}, "200000")
    bench.synced(stale, clock.now() - dt.timedelta(days=30))
    bound = bench.client("Esha Nair", {"INFY": 400}, "200000")
    locked = {"tradingSymbol": "INFY", "kind": "LOCKED", "reason": "Inherited"}
    assert bench.restrict(bound, locked).status_code == 200
    missing = bench.client("Farid Khan", {"INFY": 100, unpriced: 5}, "200000")
    gone = bench.client("Gita Pal", {"INFY": 100}, "200000")
    bench.synced(gone, clock.now(), "ZERODHA")

    run = bench.begun()

    assert run["state"] == "REVIEW", run
    tiles = {row["_id"]: row["tile"] for row in bench.rows(run)}
    assert tiles == {
        ready: "READY",
        close: "INSIDE_TOLERANCE",
        short: "NEEDS_CASH",
        stale: "STALE_DATA",
        bound: "RESTRICTED",
        missing: "PRICE_MISSING",
        gone: "NO_SESSION",
    }
    ones = ("PRICE_MISSING", "STALE_DATA", "INSIDE_TOLERANCE", "NO_SESSION", "NEEDS_CASH", "RESTRICTED", "READY")  # fmt: skip
    none = ("FAULT", "ACTION_SUSPECTED", "ACTION_PENDING")
    counts = dict.fromkeys(none, 0) | dict.fromkeys(ones, 1)
    assert {tile["tile"]: tile["clients"] for tile in run["tiles"]} == counts
    assert run["totals"]["included"] == 1
    assert run["pricedAt"] is not None
    assert run["priceSources"] == ["SIMULATED"]
    assert unpriced in bench.row(run, missing)["reasons"][0]["message"]
    assert bench.row(run, missing)["buyValue"] is None


def test_a_look_into_a_client_shows_what_will_be_sent(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 100, "SBIN": 10}, "200000")
    run = bench.begun()

    shown = bench.legs(run, client)

    row = bench.row(run, client)
    traded = [leg for leg in shown["legs"] if leg["type"] != "HOLD"]
    assert len(traded) == row["trades"] == shown["summary"]["trades"]
    for figure, name in (("buyValue", "BUY"), ("sellValue", "SELL")):
        parts = [leg["quantity"] * leg["ltp"] for leg in traded if leg["type"] == name]
        assert row[figure] == pytest.approx(sum(parts), abs=0.01)
        assert shown["summary"][figure] == pytest.approx(row[figure], abs=0.01)
    assert shown["summary"]["estimatedCharges"] == row["estimatedCharges"]
    assert shown["summary"]["cashAfter"] == pytest.approx(row["cashAfter"], abs=0.01)
    assert shown["summary"]["trackingErrorBps"] == pytest.approx(row["trackingErrorBps"], abs=0.011)
    kept = next(leg for leg in shown["legs"] if leg["symbol"] == "SBIN")
    assert (kept["type"], kept["message"]) == ("HOLD", "No target set: not traded")


def test_what_is_held_besides_is_sold_where_the_run_says_so(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 100, "SBIN": 10}, "200000")

    run = bench.begun(outside="SELL")

    sold = next(leg for leg in bench.legs(run, client)["legs"] if leg["symbol"] == "SBIN")
    assert (sold["type"], sold["newQuantity"], sold["message"]) == (
        "SELL", 0, "Sell all 10: exit",
    )  # fmt: skip


def test_no_money_lies_idle_because_a_target_was_rounded(bench: Bench) -> None:
    # Ten crore and 777 shares besides: the targets are no whole hundredths of a percent.
    client = bench.client("Asha Rao", {"INFY": 100, "SBIN": 777}, "100000000")

    run = bench.begun(outside="KEEP")

    besides = 777 * 800.0
    investment = 100 * 1500.0 + besides + 100_000_000
    row = bench.row(run, client)
    assert row["cashAfter"] == pytest.approx(0.05 * (investment - besides), abs=3_000)
    legs = {leg["symbol"]: leg for leg in bench.legs(run, client)["legs"]}
    # What is shown has two decimals.
    assert legs["INFY"]["allocationPercentage"] == round(
        30 * (investment - besides) / investment, 2
    )
    assert sum(abs(leg["drift"]) > 0 for leg in legs.values() if leg["symbol"] in MODEL) == 4
    bench.sent(run)
    advice_id = bench.history(client)[0]["_id"]
    checked = bench.desk.get(f"/admin/advice/{advice_id}/verify").json()["data"]
    assert checked["holds"], checked
    assert any("same quantities" in check["message"] for check in checked["checks"])


@pytest.mark.on_both
def test_each_client_gets_one_sealed_advice_that_names_the_model(bench: Bench) -> None:
    clients = [
        bench.client(f"Client {letter}", {"INFY": 50 + 10 * place}, "300000")
        for place, letter in enumerate("ABCDE")
    ]
    run = bench.begun()

    ended = bench.sent(run, disclosures={"holdings": "The analyst holds INFY."})

    assert ended["state"] == "DONE"
    assert ended["sending"] == {"total": 5, "queued": 0, "sent": 5, "changed": 0, "failed": 0}
    for client in clients:
        past = bench.history(client)
        assert len(past) == 1
        assert past[0]["rationale"] == run["rationale"] == bench.model["versions"][0]["rationale"]
        assert past[0]["_id"] == bench.row(ended, client)["adviceId"]
        planned = {
            leg["symbol"]: (leg["type"], leg["quantity"])
            for leg in bench.legs(run, client)["legs"]
            if leg["type"] != "HOLD"
        }
        assert {
            stock["symbol"]: (stock["type"], stock["quantity"]) for stock in past[0]["stocks"]
        } == planned
        checked = bench.desk.get(f"/admin/advice/{past[0]['_id']}/verify").json()["data"]
        failed = [check for check in checked["checks"] if check["holds"] is False]
        assert not failed, failed
        assert checked["holds"]
        assert any("same quantities" in check["message"] for check in checked["checks"])
    assert len(bench.trail("advice_sent")) == 5
    assert bench.desk.get("/admin/audit/verify").json()["data"]["fault"] is None


def test_letters_are_set_after_the_sending_and_signed(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 100}, "200000")
    bench.sent(bench.begun())
    advice_id = bench.history(client)[0]["_id"]
    early = bench.desk.get(f"/admin/advice/{advice_id}/letter.pdf")
    without = bench.desk.get(f"/admin/advice/{advice_id}/sealed.zip")

    assert advice.set_letters_due(bench.database, clock.now()) == 1

    late = bench.desk.get(f"/admin/advice/{advice_id}/letter.pdf")
    assert early.content == late.content
    assert late.content.startswith(b"%PDF")
    assert without.status_code == 200
    assert bench.desk.get(f"/admin/advice/{advice_id}/sealed.zip").status_code == 200
    checked = bench.desk.get(f"/admin/advice/{advice_id}/verify").json()["data"]
    letter = next(check for check in checked["checks"] if check["name"] == "Letter")
    assert letter["holds"] is True
    assert advice.set_letters_due(bench.database, clock.now()) == 0


@pytest.mark.on_both(suite="long")
def test_a_client_can_be_left_out_and_another_taken_in(bench: Bench) -> None:
    first = bench.client("Asha Rao", {"INFY": 100}, "200000")
    second = bench.client("Chitra Das", {"INFY": 300, "TCS": 100}, "-50000")
    run = bench.begun()
    path = f"/admin/book-runs/{run['_id']}/clients"

    left = bench.desk.put(f"{path}/{first}", {"isIncluded": False, "note": "Travelling"})
    taken = bench.desk.put(f"{path}/{second}", {"isIncluded": True, "note": "Agreed by phone"})

    assert left.status_code == taken.status_code == 200, taken.text
    run = bench.sent(bench.settled(run["_id"]))
    assert run["sending"]["sent"] == 1
    assert not bench.history(first)
    assert len(bench.history(second)) == 1
    again = bench.begun(after=run["_id"])
    row = bench.row(again, first)
    assert (row["isIncluded"], row["note"]) == (False, "Travelling")


def test_whom_nothing_can_be_sent_to_cannot_be_taken_in(unpriced: str, bench: Bench) -> None:
    client = bench.client("Farid Khan", {"INFY": 100, unpriced: 5}, "200000")
    run = bench.begun()

    answer = bench.desk.put(
        f"/admin/book-runs/{run['_id']}/clients/{client}", {"isIncluded": True, "note": ""}
    )

    assert reply_of(answer) == (409, "Farid Khan (C0001) cannot be sent: No price: WIPRO.")


@pytest.mark.on_both
def test_what_changed_since_the_tiles_is_not_sent(bench: Bench) -> None:
    moved = bench.client("Asha Rao", {"INFY": 100}, "200000")
    poorer = bench.client("Binod Sen", {"INFY": 120}, "200000")
    bound = bench.client("Chitra Das", {"INFY": 130}, "200000")
    same = bench.client("Dev Anand", {"INFY": 140}, "200000")
    run = bench.begun()
    bench.hold(moved, {"INFY": 90}, "200000")
    bench.hold(poorer, {"INFY": 120}, "100000")
    bench.restrict(bound, {"tradingSymbol": "TCS", "kind": "NEVER_BUY"})

    ended = bench.sent(run)

    assert ended["sending"] == {"total": 4, "queued": 0, "sent": 1, "changed": 3, "failed": 0}
    words = {row["_id"]: (row["state"], row["error"]) for row in bench.rows(ended)}
    assert words[moved] == (
        "CHANGED", "The client's holdings changed since: INFY. Compute again.",
    )  # fmt: skip
    assert words[poorer][1] == "The client has less cash since. Compute again."
    assert words[bound][1] == "The client's restrictions changed since. Compute again."
    assert words[same][0] == "SENT"
    assert len(bench.history(same)) == 1


def test_who_stopped_following_the_model_since_the_tiles_is_left_out(bench: Bench) -> None:
    stopped = bench.client("Asha Rao", {"INFY": 100}, "200000")
    moved = bench.client("Binod Sen", {"INFY": 120}, "200000")
    same = bench.client("Dev Anand", {"INFY": 140}, "200000")
    run = bench.begun()
    path = f"/admin/models/{bench.model['_id']}/subscribers"
    assert bench.desk.put(path, {"add": [], "remove": [stopped, moved]}).status_code == 200
    other = bench.desk.post("/admin/models", {"name": "Another", **version_of()}).json()["data"]
    rows = [{"clientId": moved, "investmentValue": None}]
    bench.desk.put(f"/admin/models/{other['_id']}/subscribers", {"add": rows, "remove": []})

    ended = bench.sent(run)

    assert ended["sending"] == {"total": 3, "queued": 0, "sent": 1, "changed": 2, "failed": 0}
    words = {row["_id"]: (row["state"], row["error"]) for row in bench.rows(ended)}
    for client in (stopped, moved):
        assert words[client] == (
            "CHANGED", "The client no longer follows this model: nothing was sent.",
        )  # fmt: skip
        assert bench.history(client) == []
    assert words[same][0] == "SENT"


def test_a_price_that_moved_too_far_is_not_advised_at(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 100}, "200000")
    run = bench.begun()
    bench.priced({"TCS": "3200.00"})

    ended = bench.sent(run)

    row = bench.row(ended, client)
    assert row["state"] == "FAILED"
    assert row["error"].startswith("TCS: the price moved 6.67 %")
    assert not bench.history(client)


@pytest.mark.on_both(suite="long")
def test_old_prices_are_refused_with_an_offer_to_compute_again(bench: Bench) -> None:
    bench.client("Asha Rao", {"INFY": 100}, "200000")
    run = bench.begun()
    with bench.database.transaction() as session:
        read_at = clock.now() - dt.timedelta(minutes=42)
        session.execute(update(BookRun).values(priced_at=read_at))

    answer = bench.send(run)

    assert (answer.status_code, answer.json()["code"]) == (409, "prices_too_old")
    assert answer.json()["message"] == (
        "The prices of this run were read 42 minutes ago; at most 15 are allowed. Compute again."
    )


def test_the_sender_must_have_seen_who_is_included(bench: Bench) -> None:
    bench.client("Asha Rao", {"INFY": 100}, "200000")
    run = bench.begun()

    answer = bench.send(run, clients=2)

    assert (answer.status_code, answer.json()["code"]) == (409, "selection_changed")
    assert bench.settled(run["_id"])["state"] == "REVIEW"


@pytest.mark.on_both
def test_a_run_is_sent_once(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 100}, "200000")
    run = bench.begun()
    body = {"clients": 1}
    path = f"/admin/book-runs/{run['_id']}/send"

    answers = [bench.desk.post(path, body, **{"Idempotency-Key": "k1"}) for _ in range(2)]
    bench.settled(run["_id"])
    third = bench.desk.post(path, body)

    assert [answer.status_code for answer in answers] == [202, 202]
    assert third.status_code == 409
    assert len(bench.history(client)) == 1


def test_advice_of_a_run_makes_the_next_run_wait_for_new_holdings(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 100}, "200000")
    bench.sent(bench.begun())

    second = bench.begun()

    row = bench.row(second, client)
    assert (row["tile"], row["canBeIncluded"]) == ("STALE_DATA", False)
    assert "holdings have not been updated since" in row["reasons"][0]["message"]


def test_another_advice_in_between_is_a_change(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 100}, "200000")
    first, second = bench.begun(), bench.begun()
    bench.sent(first)

    ended = bench.sent(second)

    row = bench.row(ended, client)
    assert row["state"] == "CHANGED"
    assert row["error"] == "Another advice was sent to the client since. Compute again."
    assert len(bench.history(client)) == 1


def test_a_cancelled_run_sends_nothing(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 100}, "200000")
    run = bench.begun()

    answer = bench.desk.post(f"/admin/book-runs/{run['_id']}/cancel")

    assert answer.json()["data"]["state"] == "CANCELLED"
    assert bench.send(run).status_code == 409
    assert not bench.history(client)
    assert bench.desk.post(f"/admin/book-runs/{run['_id']}/cancel").status_code == 409


def test_an_entered_amount_may_ask_for_funds(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 100}, "200000")
    bench.follow(client, amount=500000)

    run = bench.begun()

    row = bench.row(run, client)
    assert (row["tile"], row["fundsToAdd"], row["investmentValue"]) == (
        "NEEDS_CASH", 150000, 500000,
    )  # fmt: skip
    assert row["canBeIncluded"] is True
    assert row["isIncluded"] is False


def test_the_whole_tile_can_be_taken_in(bench: Bench) -> None:
    for name in ("Asha Rao", "Binod Sen"):
        bench.follow(bench.client(name, {"INFY": 100}, "200000"), amount=500000)
    run = bench.begun()

    answer = bench.desk.put(
        f"/admin/book-runs/{run['_id']}/tiles/NEEDS_CASH", {"isIncluded": True, "note": "SIP"}
    )

    assert answer.json()["data"]["totals"]["included"] == 2
    assert bench.sent(answer.json()["data"])["sending"]["sent"] == 2


@pytest.mark.on_both
def test_lists_filter_sort_and_export(bench: Bench) -> None:
    small = bench.client("Asha Rao", {"INFY": 10}, "20000")
    large = bench.client("Binod Sen", {"INFY": 500}, "900000")
    run = bench.begun()

    def ids(**params: Any) -> list[str]:
        return [row["_id"] for row in bench.rows(run, **params)]

    assert ids(sort="-buyValue") == [large, small]
    assert ids(sort="buyValue") == [small, large]
    assert ids(query="binod") == [large]
    assert ids(query="%") == []
    assert ids(tile="RESTRICTED") == []
    assert ids(included=True) == [small, large]
    export = bench.desk.get(f"/admin/book-runs/{run['_id']}/export", format="csv")
    assert export.status_code == 200
    assert len(export.text.splitlines()) == 3
    assert "Binod Sen" in export.text
    assert bench.trail("taken_away")


def test_an_older_version_can_be_chosen(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 100}, "200000")
    path = f"/admin/models/{bench.model['_id']}/versions"
    body = version_of({"SBIN": 90}, rationale="Banks now.")
    newest = bench.desk.post(path, body).json()["data"]["latest"]["_id"]
    oldest = bench.model["versions"][0]["_id"]

    first, second = bench.begun(versionId=oldest), bench.begun()

    assert (first["versionNumber"], second["versionNumber"]) == (1, 2)
    assert second["versionId"] == newest
    assert "SBIN" in {leg["symbol"] for leg in bench.legs(second, client)["legs"]}
    assert second["rationale"] == "Banks now."


def test_a_sale_of_a_run_names_the_exchange_on_which_the_broker_has_the_shares(
    bench: Bench,
) -> None:
    client_id = bench.client("Kavya Menon", {"INFY": 100, "ITC": 40}, "1000")
    bench.hold(client_id, {"INFY": 100, "ITC": 40}, "1000", on="BSE")
    run = bench.begun(outside="SELL")

    legs = {leg["symbol"]: leg["exchange"] for leg in bench.legs(run, client_id)["legs"]}
    bench.sent(run)

    (advice,) = bench.history(client_id)
    named = {(row["type"], row["exchange"]) for row in advice["stocks"]}
    assert named == {("SELL", "BSE"), ("BUY", "NSE")}
    assert all(legs[row["symbol"]] == row["exchange"] for row in advice["stocks"])
    checked = bench.desk.get(f"/admin/advice/{advice['_id']}/verify").json()["data"]
    assert checked["holds"], checked
