"""Periods of a client: none overlaps, each starts from the mark, and later flows are noticed."""

import csv
import io
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tarazu.kit import clock
from tests.fees.desks import add_fee, earnings, fees_path, period
from tests.people_of import Desk, data_of, reply_of

pytestmark = pytest.mark.on_both

YEAR = period(1_000_000, 1_150_000)


class Fees:
    """The fees and the accounting of one client, over HTTP."""

    def __init__(self, desk: Desk, client_id: str) -> None:
        self.desk, self.client_id = desk, client_id
        self.path = f"/admin/clients/client/{client_id}"

    def post(self, **change: Any) -> Any:
        return self.desk.post(fees_path(self.client_id), YEAR | change)

    def add(self, **change: Any) -> dict[str, Any]:
        return add_fee(self.desk, self.client_id, YEAR | change)

    def change(self, fee: dict[str, Any], **change: Any) -> Any:
        return self.desk.put(fees_path(self.client_id), {"feeId": fee["_id"]} | change)

    def rows(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.desk.get(fees_path(self.client_id)).json()["data"]
        return found

    def overview(self) -> dict[str, Any]:
        (found,) = self.desk.get("/fees").json()["data"]
        return dict(found)

    def add_flow(self, day: str, amount: float, kind: str = "FUNDS_ADDED") -> dict[str, Any]:
        body = {"date": day, "amount": amount, "type": kind}
        return dict(data_of(self.desk.post(f"{self.path}/accounting/transaction", body), 201))

    def starting_value(self, **asked: str) -> float:
        return float(self.desk.get(f"{self.path}/starting-value", **asked).json()["data"])


@pytest.fixture
def fees(admin: Desk) -> Fees:
    return Fees(admin, admin.add_client())


OVERLAPS = (
    "This period overlaps the fee from 01-04-2025 to 31-03-2026. "
    "Choose other dates, or delete that fee first."
)


@pytest.mark.parametrize(
    ("start", "final"),
    [
        ("2025-04-01", "2026-03-31"),
        ("2025-06-01", "2025-06-30"),
        ("2025-01-01", "2025-04-01"),
        ("2026-03-31", "2026-06-30"),
        ("2024-04-01", "2026-06-30"),
        ("2026-01-01", None),
        ("2024-01-01", None),
    ],
)
def test_a_period_that_overlaps_another_is_refused_and_names_it(
    fees: Fees, start: str, final: str | None
) -> None:
    fees.add()

    refused = fees.post(startingDate=start, finalDate=final)

    assert reply_of(refused) == (422, OVERLAPS)
    assert len(fees.rows()) == 1


def test_periods_that_touch_do_not_overlap_and_other_clients_do_not_matter(fees: Fees) -> None:
    fees.add()

    fees.add(startingDate="2026-04-01", finalDate="2026-06-30")
    fees.add(startingDate="2024-04-01", finalDate="2025-03-31")
    Fees(fees.desk, fees.desk.add_client("Rohan Rao", "rohan@home.example")).add()

    assert len(fees.rows()) == 3


def test_a_change_or_a_restored_fee_must_not_overlap_either(fees: Fees) -> None:
    gone = fees.add()
    fees.desk.post(f"{fees_path(fees.client_id)}/delete", {"feeId": gone["_id"]})
    fees.add()
    next_one = fees.add(startingDate="2026-04-01", finalDate="2026-06-30")
    earlier = fees.add(startingDate="2024-04-01", finalDate="2025-03-31")

    restored = fees.desk.post(f"/admin/fees/{gone['_id']}/restore")
    moved = fees.change(earlier, finalDate="2025-04-01")
    kept = fees.change(next_one, finalDate="2026-07-31")

    assert [(one.status_code, one.json()["message"]) for one in (restored, moved)] == [
        (422, OVERLAPS)
    ] * 2
    assert kept.status_code == 200
    assert [row["finalDate"] for row in fees.rows()] == ["2026-07-31", "2026-03-31", "2025-03-31"]


def test_of_many_overlapping_rows_at_once_one_is_kept(fees: Fees) -> None:
    def add(number: int) -> int:
        status: int = fees.post(finalValue=1_150_000 + number).status_code
        return status

    with ThreadPoolExecutor(6) as pool:
        codes = sorted(pool.map(add, range(6)))

    assert codes == [201] + [422] * 5
    assert len(fees.rows()) == 1


@pytest.mark.parametrize("value", [0, "0.00", -1])
def test_a_starting_value_of_zero_or_less_is_refused(fees: Fees, value: Any) -> None:
    refused = fees.post(startingValue=value)

    assert refused.status_code == 422
    assert fees.rows() == []
    if value != -1:
        assert refused.json()["message"] == "The starting value must be above zero."


def test_a_fee_is_not_paid_before_its_period_starts(fees: Fees) -> None:
    fee = fees.add()

    early = fees.change(fee, status="PAID", paidDate="2025-03-31")
    first_day = fees.change(fee, status="PAID", paidDate="2025-04-01")

    assert reply_of(early) == (422, "A fee cannot be paid before its period starts.")  # fmt: skip
    assert first_day.status_code == 200
    assert earnings(fees.desk) == 30_000


def test_the_starting_value_is_the_mark_carried_forward_to_the_first_day(fees: Fees) -> None:
    fees.desk.post(f"{fees.path}/starting-date", {"startingDate": "2024-04-01"})
    fees.desk.post(f"{fees.path}/starting-capital", {"amount": 1_200_000})
    fees.add(startingValue=1_200_000, finalValue=1_000_000)
    fees.add_flow("2025-08-01", 300_000)
    fees.add_flow("2026-04-10", 50_000, "FUNDS_WITHDRAWN")

    # The loss of the first period is not billed again; money that came and went is carried.
    assert fees.starting_value(startingDate="2026-04-01") == 1_500_000
    assert fees.starting_value(startingDate="2026-04-10") == 1_450_000
    assert fees.starting_value() == 1_450_000
    assert fees.starting_value(startingDate="2025-04-01") == 1_200_000
    assert fees.desk.get(f"{fees.path}/starting-value", startingDate="soon").status_code == 422


def test_a_flow_inside_a_billed_period_flags_the_fee_and_leaves_its_sums(fees: Fees) -> None:
    before = fees.add()

    flow = fees.add_flow("2025-08-01", 100_000)
    added = fees.rows()[0]
    body = {"date": "2025-08-01", "amount": 40_000, "type": "FUNDS_ADDED"}
    fees.desk.put(f"{fees.path}/accounting/transaction", body | {"transactionId": flow["_id"]})
    changed, overview = fees.rows()[0], fees.overview()
    stats = fees.desk.get("/fees/stats").json()["data"]
    fees.desk.post(f"{fees.path}/accounting/transaction/delete", {"transactionId": flow["_id"]})
    deleted = fees.rows()[0]

    assert before["flowsChanged"] is None
    assert added["flowsChanged"] == {
        "startingDate": "2025-04-01",
        "fees": 30_000,
        "netFundsAddedNow": 100_000,
        "netGainNow": 50_000,
        "feesNow": 10_000,
    }
    assert changed["flowsChanged"]["feesNow"] == 22_000
    assert overview["flowsChanged"] == [changed["flowsChanged"]]
    assert stats["totalFees"] == 30_000
    kept = ("netFundsAdded", "netGain", "fees", "netGainAfterFees", "version")
    for row in (added, changed):
        assert [row[name] for name in kept] == [before[name] for name in kept]
    assert deleted == before
    assert fees.overview()["flowsChanged"] == []


def test_flows_of_the_first_day_and_outside_the_period_flag_nothing(fees: Fees) -> None:
    fees.add()

    for day in ("2025-03-31", "2025-04-01", "2026-04-01"):
        fees.add_flow(day, 10_000)

    assert fees.rows()[0]["flowsChanged"] is None


def test_a_period_without_a_final_date_was_counted_to_the_day_of_recording(fees: Fees) -> None:
    fees.add(finalDate=None)

    unchanged = fees.rows()[0]["flowsChanged"]
    fees.add_flow(clock.today().isoformat(), 50_000)

    assert unchanged is None
    assert fees.rows()[0]["flowsChanged"]["feesNow"] == 20_000


def test_a_new_final_date_takes_the_flows_of_now_and_the_flag_goes(fees: Fees) -> None:
    fee = fees.add()
    fees.add_flow("2025-08-01", 100_000)

    row = fees.change(fee, finalDate="2026-04-30").json()["data"]

    assert (row["fees"], row["flowsChanged"]) == (10_000, None)


def test_the_exported_fees_have_the_flag(fees: Fees) -> None:
    fees.add()
    fees.add_flow("2025-08-01", 100_000)

    def first(path: str) -> dict[str, str]:
        text = fees.desk.get(path, format="csv").text.removeprefix("\ufeff")
        return next(csv.DictReader(io.StringIO(text)))

    row, line = first(f"{fees_path(fees.client_id)}/export"), first("/fees/export")
    assert (row["Cash Flow Changes"], row["Fees"], row["Fees Now"]) == (
        "Cash flows changed after this fee", "30000.00", "10000.00",
    )  # fmt: skip
    assert line["Cash Flow Changes"] == "Cash flows changed after this fee"
