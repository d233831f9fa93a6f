"""Advice: a client's holdings, the rebalance to the targets, the sending, and the history."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.advice import package, queries, sealing
from tarazu.advice.answers import RebalanceAnswer, rebalance_answer
from tarazu.advice.batch_sending import ClientRebalance, NotSent, send_batch
from tarazu.advice.call_record import (
    ChainedLine,
    call_sums,
    dispatches_between,
    record_of_calls,
)
from tarazu.advice.check_results import Check, Level, SealedCheck
from tarazu.advice.daily_work import blocking_checks, count_undelivered, has_advice
from tarazu.advice.documents.contents import is_practice
from tarazu.advice.documents.letter_store import letter_file, set_letters_due
from tarazu.advice.documents.parts import Orders, Parts, parts_of
from tarazu.advice.drafts import count_drafts, drop_draft
from tarazu.advice.errors import (
    AdviceNotFound,
    AdviceNotSealed,
    NoHoldingsFound,
    NothingToResend,
    SendBlocked,
)
from tarazu.advice.examination import Examined, examine
from tarazu.advice.exporting import SealedPart, WrittenAdvice, sealed_ids_of
from tarazu.advice.fewer_orders import stops_of
from tarazu.advice.follow_up_drafts import (
    add_follow_up_draft,
    has_draft,
    summary_without_orders,
    unfit_facts,
)
from tarazu.advice.less_tax import tax_stops_of
from tarazu.advice.links import (
    NewAdviceLink,
    OpenAdviceLink,
    isins_advised_later,
    lock_link,
    mail_links,
    make_link,
    note_handed_over,
    note_opened,
    open_link,
    open_link_by_id,
    revoke_link,
    window_end,
)
from tarazu.advice.own_trading import DeclaredBreach, own_trading_breaches
from tarazu.advice.package import (
    PRODUCT,
    UNPLANNED,
    Package,
    Position,
    PriceUsed,
    Restricted,
    Row,
    Stock,
    Target,
    computed,
)
from tarazu.advice.queries import Period, SentHead, SentLine
from tarazu.advice.rebalancing import (
    options_of,
    price_in,
    price_of_stocks,
    rates_of,
    rebalance,
    usual_options,
)
from tarazu.advice.requests import (
    CASH,
    Acknowledged,
    AdviceToSend,
    AskedOptions,
    DisclosuresToSend,
    Note,
    RebalanceRequest,
    StockToSend,
    TargetHolding,
)
from tarazu.advice.row_queries import CallSum, SealedRow, clients_advised_on
from tarazu.advice.rows import RebalanceRow, shown_rows, taxes_of_sells
from tarazu.advice.sealed_rows import (
    SentRows,
    model_names_of,
    opened_at,
    package_hash_of,
    sealed_rows,
    sent_rows,
)
from tarazu.advice.sealing import Disclosures, SealedAdvice, SealedApproval, SealedModel, Sender
from tarazu.advice.send_check_facts import SendOptions, Subject, facts_of
from tarazu.advice.send_checks import (
    Rationale,
    checks_before_send,
    oldest_fit,
    sealed_checks,
)
from tarazu.advice.sending import AdviceTerms, CheckedAdvice, seal_and_queue
from tarazu.advice.tables import Advice, Rebalance
from tarazu.domain import codes
from tarazu.domain.money import ZERO, Rupees
from tarazu.domain.rebalancing.plan import Options
from tarazu.firm import service as firm
from tarazu.firm.service import ApprovedAction
from tarazu.instruments import service as instruments
from tarazu.kit import audit_log, mail
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import new_id
from tarazu.kit.mail import Delivery, DeliveryState
from tarazu.kit.settings import Settings
from tarazu.people import service as people
from tarazu.people.service import Client
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import HeldStock
from tarazu.teams.service import ALL_CLIENTS, VisibleClients

COMPUTED_AT = "/home/advice"
"""The screen on which one client's advice is computed."""

REBALANCES_KEPT = dt.timedelta(days=30)
PRICED_FOR = dt.timedelta(days=30)
"""How long the stocks of an advice keep being priced, held or not."""
_LONGEST_CODE_SHOWN = 20


@dataclass(frozen=True, slots=True)
class HoldingsToAdvise:
    """What the advice form starts from; `value` leaves out stocks without a price."""

    client: Client
    stocks: Sequence[HeldStock]
    value: Rupees
    cash: Rupees


@dataclass(frozen=True, slots=True)
class PastAdvice:
    """One advice of the history, the state of its mail, and its rows in order."""

    advice: SentHead
    delivery: DeliveryState | None
    stocks: Sequence[SentLine]


def client_holdings(session: Session, now: dt.datetime, code: str) -> HoldingsToAdvise:
    """The holdings and cash of the client with this code, by symbol.

    Raises:
        NoHoldingsFound: no client has the code, or this one has neither holdings nor cash.
    """
    shown = code[:_LONGEST_CODE_SHOWN]
    try:
        number = codes.client_number(code)
    except codes.NotAClientCode as error:
        raise NoHoldingsFound(shown) from error
    client = people.client_by_code(session, codes.client_code(number))
    if client is None:
        raise NoHoldingsFound(shown)
    stocks = portfolio.stocks_of(session, client.id, now)
    cash = portfolio.account_summary(session, client.id).funds.net
    if not stocks and cash == ZERO:
        raise NoHoldingsFound(shown)
    value = sum((stock.quantity * (price_in(stock.quote) or ZERO) for stock in stocks), ZERO)
    return HoldingsToAdvise(client, stocks, value, cash)


def keep_rebalance(
    session: Session, actor: Actor, client_id: uuid.UUID, computed_rebalance: Package
) -> uuid.UUID:
    """Store a rebalance, so that a send can refer to it; its id."""
    row = Rebalance(
        id=new_id(),
        client_id=client_id,
        account_id=actor.account_id,
        priced_at=computed_rebalance.priced_at,
        package=package.to_text(computed_rebalance),
    )
    session.add(row)
    session.flush()
    changes = {"clientId": client_id, "rows": len(computed_rebalance.rows)}
    at, about = computed_rebalance.priced_at, ("rebalance", row.id)
    audit_log.record(session, actor, at, "rebalance_computed", about, changes)
    return row.id


def drop_old_rebalances(session: Session, now: dt.datetime) -> int:
    """Drop rebalances older than thirty days; how many."""
    return queries.delete_rebalances_before(session, now - REBALANCES_KEPT)


def before_sending(
    session: Session,
    actor: Actor,
    order: AdviceToSend,
    now: dt.datetime,
    *,
    has_mail_server: bool,
) -> list[Check]:
    """The checks before this send; nothing is sent.

    Raises:
        As `send`, but for SendBlocked.
    """
    examined = examine(session, order, now, lock=False)
    return _checks(session, actor, examined, now, has_mail_server=has_mail_server)


def before_sending_many(
    session: Session,
    subjects: Sequence[Subject],
    used: Sequence[PriceUsed],
    options: SendOptions,
    now: dt.datetime,
) -> list[Check]:
    """The checks before a send to all of these."""
    return checks_before_send(facts_of(session, subjects, used, options, now))


def refuse_blocked(checks: Sequence[Check]) -> None:
    """Refuse a send that a check blocks.

    Raises:
        SendBlocked: one does; all that do are named.
    """
    blocked = {check.id: check.text for check in checks if check.level is Level.BLOCK}
    if blocked:
        raise SendBlocked(blocked)


def oldest_holdings(session: Session, now: dt.datetime) -> dt.datetime:
    """Holdings read before this time are too old to advise on."""
    return oldest_fit(firm.send_terms(session).holdings_days, firm.holidays(session), now)


def send(
    session: Session,
    actor: Actor,
    order: AdviceToSend,
    now: dt.datetime,
    *,
    has_mail_server: bool,
    approval: SealedApproval | None = None,
) -> SealedAdvice:
    """Check, seal, store and queue one advice in the caller's transaction: a batch of one.

    Args:
        has_mail_server: whether the letter is mailed, or only written to the outbox folder.
        approval: that of a second administrator, where the firm asks for one.

    Raises:
        ClientNotFound, ClientInactive: there is no such client, or it is not advised now.
        NothingToSend, UnfitStock, NotAsRebalanced, TotalsDiffer, UnfitRequest: what was sent is
            invalid; the message says why.
        RebalanceNotKnown, RebalanceOfAnother, AlreadySent: the rebalance cannot be sent.
        SendBlocked: a check before the send blocks it.
        ApprovalRequired: a second administrator must approve it, and did not.
    """
    examined = examine(session, order, now, lock=True)
    checks = _checks(session, actor, examined, now, has_mail_server=has_mail_server)
    refuse_blocked(checks)
    if approval is None:
        firm.refuse_alone(session, ApprovedAction.ADVICE)
    given = order.disclosures or DisclosuresToSend()
    terms = AdviceTerms(
        model=None,
        rationale=order.rationale or "",
        disclosures=Disclosures(given.holdings, given.conflicts, given.compensation),
        checks=sealed_checks(checks, order.acknowledged),
        approval=approval,
    )
    checked = CheckedAdvice(
        client=examined.client,
        rebalance=examined.rebalance,
        rows=examined.rows,
        products=tuple(row.product for row in order.stocks),
        prices=examined.prices,
        rates=examined.rates,
        at_sending=examined.at_sending,
        total_stocks=order.total_stocks,
        rebalance_id=order.rebalance_id,
    )
    (sealed,) = seal_and_queue(session, actor, [checked], terms, now)
    drop_draft(session, actor, examined.client.id)
    return sealed


def resend(
    session: Session, settings: Settings, actor: Actor, advice_id: uuid.UUID, now: dt.datetime
) -> DeliveryState:
    """Queue the mail of an advice again that could not be delivered, or was only written.

    The link in it, which was deleted after the last attempt, is replaced by a new one.

    Raises:
        AdviceNotFound, ClientNotFound: there is no such advice, or its client was deleted.
        NothingToResend: its mail is queued or sent, or may not be mailed.
    """
    advice, _ = recipient(session, advice_id)
    _refuse_unfit_resend(session, advice, has_mail_server=bool(settings.smtp_url))
    if advice.mail_id is None or not mail.ask_again(session, advice.mail_id, now):
        raise NothingToResend
    if mail.needs_secret(session, advice.mail_id):
        new = make_link(session, settings, None, advice.id, now)
        mail.renew_secret(session, advice.mail_id, new.url)
    about = ("advice", advice.id)
    audit_log.record(session, actor, now, "advice_resent", about, {"mailId": advice.mail_id})
    return DeliveryState(Delivery.QUEUED, now, None)


def history(
    session: Session, client_id: uuid.UUID, period: Period, skipped: int, limit: int
) -> tuple[list[PastAdvice], int]:
    """One page of what was sent to a client, newest first, and the number of all advices.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    heads = queries.advices_of(session, client_id, period, skipped, limit)
    states = mail.states_of(session, [head.mail_id for head in heads if head.mail_id])
    stocks: dict[uuid.UUID, list[SentLine]] = {head.id: [] for head in heads}
    for line in queries.lines_of(session, list(stocks)):
        stocks[line.advice_id].append(line)
    past = [
        PastAdvice(head, states.get(head.mail_id) if head.mail_id else None, stocks[head.id])
        for head in heads
    ]
    return past, queries.count_advices_of(session, client_id, period)


def advised_at(
    session: Session, client_ids: Collection[uuid.UUID]
) -> Mapping[uuid.UUID, dt.datetime]:
    """By client, when the last advice was sent; clients without advice are left out."""
    return queries.newest_advice(session, client_ids)


def advised_instruments(
    session: Session, now: dt.datetime, visible: VisibleClients = ALL_CLIENTS
) -> set[uuid.UUID]:
    """Instruments of the advice of the last weeks: clients trade them, so their prices matter."""
    isins = queries.isins_advised(session, now - PRICED_FOR, visible)
    return instruments.bearers_of(session, isins)


def recipient(
    session: Session, advice_id: uuid.UUID, visible: VisibleClients = ALL_CLIENTS
) -> tuple[Advice, Client]:
    """An advice and its client.

    Raises:
        AdviceNotFound: there is no such advice, or it is of a client that the caller may not see.
        ClientNotFound: its client was deleted.
    """
    advice = queries.advice_by_id(session, advice_id)
    if advice is None or not visible.includes(advice.client_id):
        raise AdviceNotFound
    return advice, people.client(session, advice.client_id)


def sealed_advice(session: Session, advice_id: uuid.UUID) -> tuple[SealedAdvice, str]:
    """What was sealed of an advice, and the hash of the sealed text.

    Raises:
        AdviceNotSealed: the advice has no seal.
    """
    seal = queries.seal_of(session, advice_id)
    if seal is None:
        raise AdviceNotSealed
    return sealing.from_text(seal.package), seal.package_hash


def letter(session: Session, advice_id: uuid.UUID) -> tuple[str, bytes, Client]:
    """File name and PDF of an advice's letter, and its client.

    Raises:
        AdviceNotFound, ClientNotFound: as for `recipient`.
        LetterLost: the letter was removed from the database and cannot be set again as it was.
    """
    _, client = recipient(session, advice_id)
    return *letter_file(session, advice_id), client


def _refuse_unfit_resend(session: Session, advice: Advice, *, has_mail_server: bool) -> None:
    states = mail.states_of(session, [advice.mail_id]) if advice.mail_id else {}
    if not any(state.status is Delivery.WRITTEN for state in states.values()):
        return
    if not has_mail_server:
        raise NothingToResend("No mail server is set up: the letter is in the outbox folder.")
    seal = queries.seal_of(session, advice.id)
    if seal is not None and is_practice(sealing.from_text(seal.package)):
        raise NothingToResend("This advice was practice at simulated prices: it is not mailed.")


def _checks(
    session: Session,
    actor: Actor,
    examined: Examined,
    now: dt.datetime,
    *,
    has_mail_server: bool,
) -> list[Check]:
    order, seen = examined.order, examined.at_sending
    rationale = Rationale.GIVEN if order.rationale else Rationale.EMPTY
    options = SendOptions(
        Rationale.STANDARD if order.rationale is None else rationale,
        bool(order.disclosures and order.disclosures.holdings),
        has_mail_server,
        COMPUTED_AT,
        actor.account_id,
    )
    subject = Subject(
        examined.client.id,
        examined.client.code,
        seen.cash,
        bool(seen.positions),
        seen.holdings_source,
        seen.synced_at,
        lambda: examined.rows,
    )
    return before_sending_many(session, [subject], examined.prices.used, options, now)
