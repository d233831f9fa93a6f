"""The track record of a model, as the call answers it."""

import uuid
from decimal import Decimal
from itertools import pairwise

import pytest

from tarazu.benchmarks.tables import BenchmarkKind
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import NewFlow
from tarazu.portfolio.tables import FlowType
from tarazu.track_record import service as track_record
from tests.models_of import version_of
from tests.people_of import Desk, data_of, new_key
from tests.track_record.conftest import INDEX, Track

pytestmark = pytest.mark.on_both


def test_before_it_was_calculated_the_answer_says_so(track: Track) -> None:
    shown = track.shown()

    assert (shown["madeAt"], shown["isCurrent"], shown["series"]) == (None, False, [])
    assert shown["figures"] is None


def test_the_model_grows_from_100_beside_its_benchmark(track: Track) -> None:
    days = track.days(3)
    track.launch(days[0])
    # 30 of 100 in INFY, and 5 in cash.
    track.close(days, {"INFY": ["100", "110", "120"]})
    track.use_index(days, ["20000", "20200", "20400"])

    assert track.keep() == 1
    shown = track.shown()

    assert [(point["model"], point["benchmark"]) for point in shown["series"]] == [
        (100, 100),
        (103, 101),
        (106, 102),
    ]
    assert (shown["launchedOn"], shown["asOf"]) == (str(days[0]), str(days[-1]))
    assert shown["figures"]["percentage"] == 6
    assert shown["figures"]["yearlyPercentage"] is None
    assert shown["besideBenchmark"]["differencePercentagePoints"] == 4
    assert shown["benchmark"] == {"name": INDEX, "kind": "TRI"}
    assert shown["isCurrent"] is True
    assert shown["words"].startswith("For internal use")
    assert [(row["number"], row["on"]) for row in shown["versions"]] == [(1, str(days[0]))]


def test_a_day_without_a_close_has_no_value_and_names_the_stock(track: Track) -> None:
    days = track.days(3)
    track.launch(days[0])
    track.close(days, {"ITC": ["100", None, "100"]})
    track.keep()

    shown = track.shown()

    assert [point["model"] for point in shown["series"]] == [100, None, 100]
    assert shown["unknown"] == [
        {"from": str(days[1]), "to": str(days[1]), "days": 1, "symbols": ["ITC"]}
    ]


def test_a_split_and_a_dividend_are_followed(track: Track) -> None:
    days = track.days(3)
    track.launch(days[0])
    track.close(days, {"INFY": ["100", "50", "50"], "ITC": ["100", "100", "90"]})
    for body in (
        {"kind": "SPLIT", "exOn": str(days[1]), "factor": {"new": 2, "old": 1}, "tradingSymbol": "INFY"},
        {"kind": "DIVIDEND", "exOn": str(days[2]), "amount": 10, "tradingSymbol": "ITC"},
    ):  # fmt: skip
        body |= {"exchange": "NSE"}
        data_of(track.bench.desk.post("/admin/corporate-actions", body, **new_key()), 201)
    track.keep()

    assert [point["model"] for point in track.shown()["series"]] == [100, 100, 100]


def test_a_version_released_today_takes_effect_at_a_close_to_come(track: Track) -> None:
    days = track.days(2)
    track.launch(days[0])
    track.close(days, {})
    path = f"{track.path}/versions"
    data_of(track.bench.desk.post(path, version_of({"SBIN": 60}), **new_key()), 201)
    track.keep()

    versions = track.shown()["versions"]

    assert [(row["number"], row["on"]) for row in versions] == [(1, str(days[0])), (2, None)]


def test_followers_are_beside_the_model_as_executed(track: Track) -> None:
    days = track.days(3)
    track.launch(days[0])
    track.close(days, {"INFY": ["100", "110", "120"]})
    track.follower("Asha Rao", days, [100_000, 101_000, 102_000])
    track.follower("Ravi Iyer", days, [300_000, 300_000, 300_000])
    track.close_firm(days)
    track.keep()

    shown = track.shown()

    assert [point["followers"] for point in shown["series"]] == [100, 100.25, 100.5]
    assert shown["followers"]["line"]["percentage"] == 0.5
    assert shown["followersEqual"]["line"]["percentage"] == 1
    # What the model gave more than its followers had.
    assert shown["followers"]["differencePercentagePoints"] == 5.5
    assert (shown["subscribers"], shown["partial"]) == (2, 0)


def test_who_follows_with_a_part_is_counted_and_left_out(track: Track) -> None:
    days = track.days(3)
    track.launch(days[0])
    track.close(days, {})
    client_id = track.follower("Asha Rao", days, [100_000, 150_000, 200_000])
    track.bench.follow(client_id, amount=50_000)
    track.close_firm(days)
    track.keep()

    shown = track.shown()

    assert (shown["subscribers"], shown["partial"]) == (1, 1)
    # Until today the client followed with everything.
    assert shown["followers"] is not None


def test_a_client_who_leaves_stays_in_the_days_it_followed(track: Track) -> None:
    days = track.days(3)
    track.launch(days[0])
    track.close(days, {})
    client_id = track.follower("Asha Rao", days, [100_000, 110_000, 121_000])
    track.close_firm(days)
    body = {"add": [], "remove": [client_id]}
    data_of(track.bench.desk.put(f"{track.path}/subscribers", body))
    track.keep()

    shown = track.shown()

    assert shown["subscribers"] == 0
    assert [point["followers"] for point in shown["series"]] == [100, 110, 121]


def test_a_full_month_is_a_row_of_the_composite(track: Track) -> None:
    days = track.days(60)
    track.launch(days[0])
    track.close(days, {})
    values = [100_000 + place * 100 for place in range(60)]
    track.follower("Asha Rao", days, values)
    track.close_firm(days)
    track.keep()

    months = track.shown()["composite"]

    assert months
    assert all(row["accounts"] == 1 and row["dispersion"] is None for row in months)
    ends = [day for day, after in pairwise(days) if day.month != after.month]
    worth = dict(zip(days, values, strict=True))
    assert [row["value"] for row in months][: len(ends) - 1] == [worth[day] for day in ends[1:]]
    first = worth[ends[1]] / worth[ends[0]] * 100 - 100
    assert months[0]["assetGross"] == pytest.approx(first, abs=0.005)


def test_a_change_of_what_it_is_made_from_makes_it_old_until_the_next_time(track: Track) -> None:
    days = track.days(3)
    track.launch(days[0])
    track.close(days, {})
    client_id = track.follower("Asha Rao", days, [100_000, 150_000, 150_000])
    track.close_firm(days)
    track.keep()
    with track.bench.database.transaction() as session:
        new = NewFlow(days[1], Decimal(50_000), FlowType.FUNDS_ADDED)
        portfolio.record_cash_flow(session, SYSTEM, clock.now(), uuid.UUID(client_id), new)

    assert track.shown()["isCurrent"] is False
    # The job waits a while, because cash flows are entered one after another.
    assert track_record.keep_records(track.bench.database, clock.now()) == 0
    assert track.keep() == 1
    assert track.shown()["followers"]["line"]["percentage"] == 0
    assert track.keep() == 0


def test_a_price_index_is_named_as_such(track: Track) -> None:
    days = track.days(2)
    track.launch(days[0])
    track.close(days, {})
    track.use_index(days, ["100", "101"], BenchmarkKind.PRICE)
    track.keep()

    assert track.shown()["benchmark"]["kind"] == "PRICE"


def test_an_unknown_model_is_not_found(admin: Desk) -> None:
    answer = admin.get(f"/admin/models/{uuid.uuid4()}/track-record")

    assert answer.status_code == 404
