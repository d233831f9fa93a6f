"""What a purge removes: each kind that docs/operations.md lists, the old of it and no more."""

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import insert, select, text

from tarazu import migrations
from tarazu.advice.tables import AdviceLetter, AdviceSeal
from tarazu.clients.tables import Remark
from tarazu.fees.tables import Fee, FeeStatus
from tarazu.follow_up import service as follow_up
from tarazu.follow_up.service import NewResponse
from tarazu.follow_up.tables import Answer
from tarazu.imports.tables import Import, ImportState
from tarazu.kit import clock
from tarazu.kit.db import Database, new_id
from tarazu.kit.mail import Delivery, Mail
from tarazu.kit.settings import Settings
from tarazu.orders.tables import Order, OrderSide, OrderStatus, Trade, TradeSource
from tarazu.portfolio.tables import CashFlow, FlowType
from tarazu.upkeep import purge
from tests.advice.conftest import AdviceDesk, advice
from tests.follow_up.conftest import FollowUpDesk
from tests.people_of import Desk, data_of, new_key
from tests.rows_of import scalar
from tests.tampering import drop_triggers

pytestmark = pytest.mark.on_both

__all__ = ["advice"]

OPERATIONS = Path(__file__).parents[3] / "docs" / "operations.md"
YEARS = dt.timedelta(days=5 * 366 + 2)
YOUNGER = dt.timedelta(days=5 * 365 - 2)


def _purged(database: Database) -> dict[str, int]:
    done = purge.purge(database, clock.now(), is_trial=False)
    return {one.what: one.count for one in done if one.count}


def _order(client_id: UUID, at: dt.datetime) -> tuple[Any, dict[str, Any]]:
    return Order, {
        "broker_order_id": str(new_id()), "ordered_at": at, "symbol": "INFY", "exchange": "NSE",
        "side": OrderSide.BUY, "quantity": 1, "filled_quantity": 1, "average_price": Decimal(1),
        "product": "CNC", "status": OrderStatus.COMPLETE, "raw_status": "COMPLETE",
    }  # fmt: skip


def _trade(client_id: UUID, at: dt.datetime) -> tuple[Any, dict[str, Any]]:
    return Trade, {
        "source": TradeSource.BROKER, "exchange": "NSE", "trade_id": str(new_id()), "order_id": "1",
        "day": at.date(), "traded_at": at, "after": None, "symbol": "INFY", "isin": "INE009A01021",
        "side": OrderSide.BUY, "quantity": 1, "price": Decimal(1), "product": "DELIVERY", "tag": "",
        "recorded_at": at,
    }  # fmt: skip


def _fee(client_id: UUID, at: dt.datetime) -> tuple[Any, dict[str, Any]]:
    return Fee, {
        "starting_on": at.date(), "starting_value": Decimal(1), "status": FeeStatus.DUE,
        "created_at": at, "version": 1, "deleted_at": at, "over_limit": Decimal(0),
    }  # fmt: skip


def _cash_flow(client_id: UUID, at: dt.datetime) -> tuple[Any, dict[str, Any]]:
    return CashFlow, {
        "date": at.date(), "amount": Decimal(1), "type": FlowType.FUNDS_ADDED, "created_at": at,
        "version": 1, "deleted_at": at,
    }  # fmt: skip


def _remark(client_id: UUID, at: dt.datetime) -> tuple[Any, dict[str, Any]]:
    return Remark, {"text": "Called.", "created_at": at, "version": 1}


@pytest.mark.parametrize(
    ("what", "made"),
    [
        ("orders", _order),
        ("trades", _trade),
        ("deleted fees", _fee),
        ("deleted cash flows", _cash_flow),
        ("remarks", _remark),
    ],
)
def test_what_is_past_five_years_goes_and_what_is_younger_stays(
    admin: Desk, database: Database, what: str, made: Any
) -> None:
    client_id = UUID(admin.add_client())
    old, young = new_id(), new_id()
    with database.transaction() as session:
        for key, age in ((old, YEARS), (young, YOUNGER)):
            table, values = made(client_id, clock.now() - age)
            session.execute(insert(table).values(id=key, client_id=client_id, **values))

    assert _purged(database) == {what: 1}

    with database.reading() as session:
        assert session.get(table, old) is None
        assert session.get(table, young) is not None


def test_what_still_counts_stays_however_old_it_is(admin: Desk, database: Database) -> None:
    client_id = UUID(admin.add_client())
    with database.transaction() as session:
        for made in (_fee, _cash_flow):
            table, values = made(client_id, clock.now() - 2 * YEARS)
            values["deleted_at"] = None
            session.execute(insert(table).values(id=new_id(), client_id=client_id, **values))

    assert _purged(database) == {}


def test_mails_go_after_a_year_but_not_those_of_advice_or_still_to_be_sent(
    advice: AdviceDesk, database: Database
) -> None:
    advice.sent()
    long_ago = clock.now() - dt.timedelta(days=367)
    with database.transaction() as session:
        session.execute(text("UPDATE outbox SET status = 'SENT'"))
        session.query(Mail).update({"queued_at": long_ago})
        for status in (Delivery.SENT, Delivery.QUEUED):
            session.add(_mail(status, long_ago))
        session.add(_mail(Delivery.SENT, clock.now() - dt.timedelta(days=365)))

    assert _purged(database)["mails"] == 1

    assert advice.history()[0]["delivery"]["status"] == "SENT"


def _mail(status: Delivery, at: dt.datetime) -> Mail:
    return Mail(
        id=new_id(), recipient="kavya@home.example", subject="Hello", text="", html="",
        message_id=f"<{new_id()}@x>", status=status, attempts=0, queued_at=at,
    )  # fmt: skip


def test_reports_of_trial_imports_go_after_a_month(database: Database) -> None:
    rows = {True: dt.timedelta(days=31), False: dt.timedelta(days=29)}
    with database.transaction() as session:
        for is_dry_run, age in ((True, rows[True]), (True, rows[False]), (False, rows[True])):
            session.add(
                Import(
                    id=new_id(), file_name="a.csv", file_hash="", kind="HOLDINGS", step="",
                    is_dry_run=is_dry_run, state=ImportState.CHECKED, done=1, total=1, outcome="{}",
                    started_at=clock.now() - age,
                )
            )  # fmt: skip

    assert _purged(database) == {"reports of trial imports": 1}


@pytest.mark.parametrize("is_due", [False, True])
def test_old_advice_goes_with_a_letter_set_later_or_never(
    advice: AdviceDesk, database: Database, is_due: bool
) -> None:
    """A letter as young as can be does not keep the advice, nor does one that was never set."""
    advice_id = advice.sent()
    assert advice.desk.post(f"/admin/advice/{advice_id}/link").status_code == 200
    token = _link_token(advice, advice_id)
    assert advice.desk.web.post(f"/api/v1/public/advice/{token}/code").status_code == 202
    if not is_due:
        advice.set_letters()
    _make_old(database)

    counts = _purged(database)

    assert counts["advice"] == 1
    assert (counts["advice links"], counts["codes of advice links"]) == (2, 1)
    assert counts["letters to be set" if is_due else "letters of advice"] == 1
    with database.reading() as session:
        assert session.execute(select(AdviceLetter.advice_id)).all() == []
    # What follows goes on with the chain and its numbers.
    again = advice.sent()
    seal = scalar(database, select(AdviceSeal).where(AdviceSeal.advice_id == UUID(again)))
    assert (seal.seq, bool(seal.previous_hash)) == (2, True)
    assert advice.desk.get(f"/admin/advice/{again}/verify").json()["data"]["holds"] is True


def test_old_advice_goes_with_what_was_followed_of_it(
    advice: AdviceDesk, database: Database, settings: Settings
) -> None:
    desk, old = FollowUpDesk(advice), UUID(advice.sent())
    desk.carry_out(str(old), clock.now(), "TCS")
    desk.match()
    with database.transaction() as session:
        follow_up.record_response(session, old, NewResponse(Answer.READ), clock.now())
    tomorrow = clock.now() + dt.timedelta(days=1)
    assert follow_up.send_reminders(database, settings, tomorrow) == 1
    with database.transaction() as session:
        session.execute(text("UPDATE outbox SET status = 'SENT'"))
        session.query(Mail).update({"queued_at": clock.now() - dt.timedelta(days=367)})

    # A mail that a reminder names stays as long as the reminder.
    assert _purged(database) == {}
    _make_old(database)
    counts = _purged(database)

    assert counts["followed advice"] == counts["answers of clients"] == counts["reminders"] == 1
    assert counts["lines of followed advice"] == 3
    assert counts["trades of advice lines"] == 1
    assert counts["advice"] == 1


def _link_token(advice: AdviceDesk, advice_id: str) -> str:
    answer = advice.desk.post(f"/admin/advice/{advice_id}/link", **new_key())
    return str(data_of(answer)["url"]).rpartition("/")[2]


def _make_old(database: Database) -> None:
    long_ago = "2019-01-02 03:04:05"
    with database.transaction() as session:
        drop_triggers(session)
        session.execute(text(f"UPDATE advices SET created_at = '{long_ago}'"))
        session.execute(text(f"UPDATE advice_seals SET sealed_at = '{long_ago}'"))
    migrations.bring_up_to_date(database)


def test_the_documents_list_all_that_goes(database: Database) -> None:
    page = OPERATIONS.read_text()

    kinds = [one.what for one in purge.purge(database, clock.now(), is_trial=True)]

    assert [kind for kind in kinds if f"| {kind} |" not in page] == []
