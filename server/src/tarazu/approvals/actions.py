"""What each action checks when it is asked for, and does when it is approved."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.advice.service import AdviceToSend, Check, SealedApproval
from tarazu.approvals.errors import RunChanged
from tarazu.approvals.requests import (
    Asked,
    AskedAdvice,
    AskedBroker,
    AskedExport,
    AskedRun,
    AskedSetting,
)
from tarazu.book_runs import service as book_runs
from tarazu.brokers import service as brokers
from tarazu.brokers.service import BrokerView, EditedBroker, LiveBrokerSession
from tarazu.brokers.tables import BrokerName
from tarazu.firm import service as firm
from tarazu.kit.audit_log import Actor
from tarazu.kit.errors import ApiError
from tarazu.kit.settings import Settings
from tarazu.people import service as people

_LABELS = {
    "api_key": "API key",
    "api_secret": "API secret",
    "api_url": "API URL",
    "description": "Description",
    "logo": "Logo",
    "is_renew_session_allowed": "Renew session",
    "status": "Status",
}
_SECRET = {"api_key", "api_secret"}


@dataclass(frozen=True, slots=True)
class Effect:
    """What an approval brought about: an id, and sessions to be logged out once it is committed."""

    result: str = ""
    ended: Sequence[LiveBrokerSession] = ()


@dataclass(frozen=True, slots=True)
class Content:
    """What an administrator reads before deciding: facts, the orders of an advice, its checks now.

    `to` is the screen that shows more; "" for none. `fault` is why it could not be done now.
    """

    facts: Sequence[tuple[str, str]] = ()
    advice: AdviceToSend | None = None
    checks: Sequence[Check] = field(default_factory=tuple)
    to: str = ""
    fault: str = ""


def checked(
    session: Session, settings: Settings, actor: Actor, now: dt.datetime, asked: Asked
) -> tuple[Asked, str]:
    """The request as it is stored, and one sentence about it.

    Raises:
        ApiError: it could not be done even with an approval; the message says why.
    """
    has_mail = bool(settings.smtp_url)
    match asked:
        case AskedAdvice():
            checks = advice.before_sending(
                session, actor, asked.advice, now, has_mail_server=has_mail
            )
            advice.refuse_blocked(checks)
            client = people.client(session, asked.advice.user_id)
            number = len(asked.advice.stocks)
            orders = "1 order" if number == 1 else f"{number} orders"
            return asked, f"Advice to {client.name} ({client.code}), {orders}"
        case AskedRun():
            run, _ = book_runs.check_run_to_send(
                session, actor, now, asked.run_id, asked.run.request(), has_mail_server=has_mail
            )
            name = book_runs.view(session, run.id).model_name
            clients = asked.run.clients
            to_whom = "1 client" if clients == 1 else f"{clients} clients"
            return asked.model_copy(update={"version": run.version}), f"{name} to {to_whom}"
        case AskedBroker():
            with session.begin_nested() as attempt:
                broker = _enter_broker(session, settings, actor, now, asked)[0]
                attempt.rollback()
            is_edit = isinstance(asked.broker, EditedBroker)
            named = brokers.DISPLAY_NAMES[broker.name]
            return asked, f"{'Changes of the broker' if is_edit else 'New broker'} {named}"
        case AskedExport():
            return asked, f"Download of {asked.what.replace('-', ' ')}"
        case AskedSetting():
            return asked, "Fewer actions that need a second approval"


def perform(
    session: Session,
    settings: Settings,
    asker: Actor,
    now: dt.datetime,
    asked: Asked,
    approval: SealedApproval,
) -> Effect:
    """Do what was approved, as the one who asked for it, in the caller's transaction.

    Raises:
        ApiError: it cannot be done any more; the message says why.
    """
    has_mail = bool(settings.smtp_url)
    match asked:
        case AskedAdvice():
            sent = advice.send(
                session, asker, asked.advice, now, has_mail_server=has_mail, approval=approval
            )
            return Effect(str(sent.advice_id))
        case AskedRun():
            if book_runs.view(session, asked.run_id).run.version != asked.version:
                raise RunChanged
            book_runs.send(
                session,
                asker,
                now,
                asked.run_id,
                asked.run.request(),
                has_mail_server=has_mail,
                approval=approval,
            )
            return Effect(str(asked.run_id))
        case AskedBroker():
            broker, ended = _enter_broker(session, settings, asker, now, asked)
            return Effect(str(broker.id), ended)
        case AskedExport():
            return Effect()
        case AskedSetting():
            firm.choose_approved_actions(session, asker, now, set(asked.actions))
            return Effect()


def _enter_broker(
    session: Session, settings: Settings, asker: Actor, now: dt.datetime, asked: AskedBroker
) -> tuple[BrokerView, Sequence[LiveBrokerSession]]:
    entered = asked.broker
    if isinstance(entered, EditedBroker):
        return brokers.edit_broker(
            session,
            settings,
            asker,
            now,
            entered.id,
            entered.fields(),
            entered.version,
            is_approved=True,
        )
    name = BrokerName(entered.name)
    added = brokers.add_broker(
        session, settings, asker, now, name, entered.fields(), is_approved=True
    )
    return added, ()


def content_of(
    session: Session,
    settings: Settings,
    asker: Actor,
    now: dt.datetime,
    asked: Asked,
    *,
    is_waiting: bool,
) -> Content:
    """What was asked for, for the administrator who decides."""
    match asked:
        case AskedAdvice():
            checks: Sequence[Check] = ()
            fault = ""
            if is_waiting:
                try:
                    checks = advice.before_sending(
                        session,
                        asker,
                        asked.advice,
                        now,
                        has_mail_server=bool(settings.smtp_url),
                    )
                except ApiError as refusal:
                    fault = refusal.message
            facts = [("Rationale", asked.advice.rationale or "The firm's standard rationale")]
            return Content(facts, asked.advice, checks, fault=fault)
        case AskedRun():
            facts = [
                ("Clients", str(asked.run.clients)),
                ("Rationale", asked.run.rationale or "That of the model"),
            ]
            return Content(facts, to=f"/home/models/book/{asked.run_id}")
        case AskedBroker():
            given = asked.broker.model_dump(exclude_unset=True)
            facts = [
                (label, "A new one" if name in _SECRET else str(given[name]))
                for name, label in _LABELS.items()
                if given.get(name) not in {None, ""}
            ]
            return Content(facts)
        case AskedExport():
            return Content([(name, str(value)) for name, value in asked.filters.items()])
        case AskedSetting():
            titles = {choice.action: choice.title for choice in firm.CHOICES}
            now_on = firm.approved_actions(session)
            no_longer = [titles[action] for action in titles if action in now_on - {*asked.actions}]
            return Content([("No longer", "; ".join(no_longer) or "-")])
