"""What the advice form begins with."""

import datetime as dt

from tarazu.kit import clock
from tests.advice.conftest import AdviceDesk
from tests.people_of import reply_of


def _path(code: str) -> str:
    return f"/admin/advice/clients/by-code/{code}/holdings"


def test_holdings_come_with_prices_value_and_cash(advice: AdviceDesk) -> None:
    answer = advice.desk.get(_path("C0001"))

    data = answer.json()["data"]
    assert answer.status_code == 200
    assert [row["tradingSymbol"] for row in data["holdings"]] == ["INFY", "ITC"]
    priced_at = dt.datetime.fromisoformat(data["holdings"][1].pop("pricedAt"))
    assert clock.now() - priced_at < dt.timedelta(minutes=5)
    assert data["holdings"][1] == {
        "tradingSymbol": "ITC",
        "exchange": "NSE",
        "isin": "INE154A01025",
        "instrumentToken": 424961,
        "quantity": 10,
        "pledged": 0,
        "averagePrice": 100.0,
        "ltp": 410.35,
        "priceSource": "SIMULATED",
        "isPriceStale": False,
        "actionSuspected": False,
        "actionPending": False,
        "uncredited": 0,
        "currentValue": 4103.5,
        "product": "DELIVERY",
    }
    assert data["totalCurrentValue"] == 154103.5
    assert data["cash"] == 200000
    assert data["user"] == {"_id": advice.client_id, "name": "Kavya Menon"}


def test_an_unknown_or_malformed_code_is_not_found(advice: AdviceDesk) -> None:
    for code in ("C0002", "C1", "X0001", "C00001", "C0000", "nonsense"):
        answer = advice.desk.get(_path(code))

        assert reply_of(answer) == (404, f"No holdings found for {code}.")


def test_a_client_without_holdings_and_cash_is_not_found(advice: AdviceDesk) -> None:
    advice.hold({})

    answer = advice.desk.get(_path("C0001"))

    assert reply_of(answer) == (404, "No holdings found for C0001.")


def test_a_client_with_cash_alone_is_found(advice: AdviceDesk) -> None:
    advice.hold({}, cash="5000.50")

    data = advice.desk.get(_path("C0001")).json()["data"]

    assert (data["holdings"], data["totalCurrentValue"], data["cash"]) == ([], 0, 5000.5)
