"""Coming back from Zerodha's basket page."""

import datetime as dt
import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import httpx
import pytest
from httpx2 import Response
from sqlalchemy import select, update

from tarazu.brokers.tables import ClientSession
from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tarazu.people.tables import Person
from tarazu.portfolio.tables import Account
from tarazu.prices import service as prices
from tests.advice.conftest import PRICES, AdviceDesk
from tests.brokers.conftest import running_simulator, simulator
from tests.brokers.firm_desk import FirmDesk, open_desk
from tests.brokers.simulator import Simulator
from tests.brokers.simulator.world import Fault
from tests.client_page.conftest import ClientsPage
from tests.rows_of import audit_rows, run, scalars

__all__ = ["running_simulator", "simulator"]


@dataclass
class Trip:
    """A client's page, and the simulated broker that a basket is taken to."""

    page: ClientsPage
    firm: FirmDesk
    url: str

    def go(self, user_id: str = "AB1234", decision: str = "place", step: int = 1) -> str:
        """Take a basket to the broker; the address at which the client comes back."""
        answer = self.page.submit("/basket", step=step)
        assert answer.status_code == 200, answer.text
        action = re.search(r'method="post" action="([^"]+)"', answer.text)
        assert action
        assert action[1] == f"{self.url}/connect/basket"
        fields = dict(
            re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', answer.text)
        )
        fields = {name: html.unescape(value) for name, value in fields.items()}
        taken = httpx.post(action[1], data=fields, headers={"Referer": "http://testserver/"})
        assert taken.status_code == 200, taken.text
        form = {
            "redirect_params": fields["redirect_params"],
            "user_id": user_id,
            "decision": decision,
        }
        back = httpx.post(f"{self.url}/connect/basket/done", data=form)
        assert back.status_code == 303
        return back.headers["location"].partition("/redirect")[2]

    def come_back(self, query: str) -> Response:
        return self.page.web.get(f"/redirect{query}")

    @property
    def sessions(self) -> list[Any]:
        statement = select(ClientSession).where(ClientSession.ended_at.is_(None))
        return scalars(self.page.database, statement)


@pytest.fixture
def trip(settings: Settings, database: Database, simulator: Simulator) -> Iterator[Trip]:
    there = settings.model_copy(update={"zerodha_basket_url": f"{simulator.url}/connect/basket"})
    firm = open_desk(there, database, simulator)

    def priced(by_symbol: dict[str, str]) -> None:
        with database.reading() as opened:
            tokens = {
                symbol: instruments.by_symbol(opened, "NSE", symbol).instrument_token
                for symbol in by_symbol
            }
            new = {tokens[symbol]: Decimal(price) for symbol, price in by_symbol.items()}
            prices.record_prices(opened, new, clock.now(), "ZERODHA")

    advice = AdviceDesk(firm.desk, database, priced)
    advice.client_id = firm.desk.add_client()
    priced(PRICES)
    advice.hold({"INFY": 100, "ITC": 10}, cash="200000")
    run(database, update(Account).values(broker="ZERODHA", broker_user_id="AB1234"))
    page = ClientsPage(advice, advice.sent())
    page.make_link()
    page.open_page()
    yield Trip(page, firm, simulator.url)
    firm.gateway.close()


@pytest.mark.on_both
def test_a_client_comes_back_connected_and_is_read_at_once(trip: Trip) -> None:
    answer = trip.come_back(trip.go())

    assert answer.status_code == 200
    assert "Thank you. Your account was read" in answer.text
    (stored,) = trip.sessions
    assert (stored.broker_user_id, stored.confirmed_at is not None) == ("AB1234", True)
    account = trip.firm.desk.get(f"/admin/clients/client/{trip.page.advice.client_id}/profile")
    assert account.json()["data"]["isConnected"] is True
    (synced,) = scalars(trip.page.database, select(Account.holdings_source))
    assert synced == "ZERODHA"
    assert answer.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.on_both
def test_a_return_works_once(trip: Trip) -> None:
    back = trip.go()
    trip.come_back(back)
    again = trip.come_back(back)

    assert "was used before" in again.text
    assert len(trip.sessions) == 1


def test_a_return_without_a_known_mark_changes_nothing(trip: Trip) -> None:
    back = re.sub(r"state=basket\.[^&]+", "state=basket.guessed", trip.go())

    assert "This return is not known" in trip.come_back(back).text
    assert trip.sessions == []


def test_an_old_mark_changes_nothing(trip: Trip, monkeypatch: pytest.MonkeyPatch) -> None:
    back, now = trip.go(), clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + dt.timedelta(hours=3))

    assert "This return is not known" in trip.come_back(back).text
    assert trip.sessions == []


def test_who_cancelled_is_told_so(trip: Trip) -> None:
    answer = trip.come_back(trip.go(decision="cancel"))

    assert "You cancelled at Zerodha. Nothing was changed." in answer.text
    assert trip.sessions == []


def test_a_return_without_a_log_in_is_said(trip: Trip) -> None:
    back = re.sub(r"request_token=[^&]+&", "", trip.go())

    assert "Zerodha sent no log-in back with you" in trip.come_back(back).text
    assert trip.sessions == []


def test_another_id_is_refused_and_logged_out(trip: Trip) -> None:
    answer = trip.come_back(trip.go("AB1235"))

    assert "another ID than the one we have" in answer.text
    assert trip.sessions == []
    assert len(audit_rows(trip.page.database, "broker_login_refused")) == 1
    assert trip.firm.world.logins == {}


def test_an_id_that_nobody_knows_yet_is_refused_too(trip: Trip) -> None:
    run(trip.page.database, update(Account).values(broker="", broker_user_id=""))

    assert "another ID than the one we have" in trip.come_back(trip.go()).text
    assert trip.sessions == []


def test_a_token_that_the_broker_refuses_changes_nothing(trip: Trip) -> None:
    back = re.sub(r"request_token=[^&]+", "request_token=nonsense", trip.go())

    assert "Zerodha did not confirm your log-in" in trip.come_back(back).text
    assert trip.sessions == []


def test_a_broker_that_answers_nonsense_leaves_the_client_connected(trip: Trip) -> None:
    back = trip.go()
    trip.firm.world.faults.append(Fault("GET /portfolio/holdings", "500"))

    answer = trip.come_back(back)
    assert "You are connected. Your orders could not be read" in answer.text
    assert len(trip.sessions) == 1


def test_the_return_of_a_client_with_hindi_is_in_hindi(trip: Trip) -> None:
    run(
        trip.page.database,
        update(Person).where(Person.client_code == "C0001").values(language="HI"),
    )
    back = trip.go()

    assert "धन्यवाद।" in trip.come_back(back).text


def test_other_returns_are_those_of_the_web_client(trip: Trip) -> None:
    for query in ("", "?request_token=x&status=success&state=client.abc", "?state=app.basket."):
        answer = trip.come_back(query)
        assert "Zerodha" not in answer.text
