"""Advice: a client's holdings, the rebalance to the targets, the sending, and what was sent."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from pydantic import ValidationError
from sqlalchemy.orm import Session

from tarazu.advice import checks, kept_letters, package, queries, sealing, vouching
from tarazu.advice.adapters.contents import (
    Author,
    Contents,
    Disclosures,
    PriceNote,
    file_name_of,
    price_note,
    standard_rationale,
)
from tarazu.advice.adapters.letter import letter_of
from tarazu.advice.before_send import (
    Check,
    Level,
    Rationale,
    SealedCheck,
    checks_before_send,
    oldest_fit,
    sealed_checks,
)
from tarazu.advice.checks import Known, Sending, SentRow, investment_of
from tarazu.advice.errors import (
    AdviceNotFound,
    AllocationOver100,
    AlreadySent,
    ClientInactive,
    NoHoldingsFound,
    NotAsRebalanced,
    NothingToResend,
    RebalanceNotKnown,
    RebalanceOfAnother,
    SendBlocked,
    UnfitRequest,
    UnfitStock,
)
from tarazu.advice.options import AskedOptions, OptionsAsked, options_asked
from tarazu.advice.package import (
    OF_THE_SENDER,
    PRODUCT,
    UNPLANNED,
    Package,
    Position,
    PriceUsed,
    Restricted,
    Row,
    Stock,
    Target,
)
from tarazu.advice.queries import Period, SentHead, SentLine
from tarazu.advice.sealing import AtSending, SealedAdvice, SealedAs, Sender
from tarazu.advice.send_facts import Asked, Subject, facts_of
from tarazu.advice.shown import RebalanceRow, shown_rows
from tarazu.advice.storing import Ready, record_form, sealed_of, stored
from tarazu.advice.tables import Advice, Rebalance
from tarazu.advice.to_send import Acknowledged, AdviceToSend, sending_asked
from tarazu.advice.together import (
    Named,
    Refused,
    Said,
    ToSend,
    send_together,
    set_letters_due,
    worked_out,
)
from tarazu.domain import codes
from tarazu.domain.charges import ChargeRates, Charges, NoRates, Order, Side, Tariff, rates_for
from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees, rounded, to_units
from tarazu.domain.rebalancing.plan import MOST_ROWS, CannotPlan, Options, Plan, PlanRow
from tarazu.domain.rebalancing.planner import cheapest_share, plan_rebalance
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.instruments.errors import InstrumentNotFound
from tarazu.instruments.service import Listed
from tarazu.kit import audit_log, mail, signing
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import new_id
from tarazu.kit.errors import ApiError
from tarazu.kit.formatting import rupees
from tarazu.kit.mail import Delivery, DeliveryState
from tarazu.people import service as people
from tarazu.people.service import Client
from tarazu.people.tables import Status
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import HeldStock
from tarazu.prices import service as prices
from tarazu.prices.book import Quote
from tarazu.restrictions import service as restrictions

__all__ = [
    "PRODUCT",
    "UNPLANNED",
    "Acknowledged",
    "AdviceToSend",
    "Asked",
    "AskedOptions",
    "Check",
    "Level",
    "Named",
    "Options",
    "OptionsAsked",
    "Package",
    "Position",
    "PriceUsed",
    "Rationale",
    "RebalanceRow",
    "Refused",
    "Restricted",
    "Row",
    "Said",
    "SealedCheck",
    "Stock",
    "Subject",
    "Target",
    "ToSend",
    "options_asked",
    "price_in",
    "sealed_checks",
    "send_together",
    "sending_asked",
    "set_letters_due",
    "shown_rows",
    "worked_out",
]

CASH = "CASH"
"""The name of the row that says how much is to stay uninvested."""

USUAL_BROKER = "ZERODHA"
"""Whose charges are assumed while a client's broker is not known."""

COMPUTED_AT = "/home/advice"
"""Where one client's advice is computed."""

REBALANCES_KEPT = dt.timedelta(days=30)
PRICED_FOR = dt.timedelta(days=30)
"""Stocks of an advice are followed for so long, held or not."""
_LONGEST_CODE_SHOWN = 20


@dataclass(frozen=True, slots=True)
class ClientHoldings:
    """What the advice form begins with; `value` leaves out stocks that have no price."""

    client: Client
    stocks: Sequence[HeldStock]
    value: Rupees
    cash: Rupees


@dataclass(frozen=True, slots=True)
class AdviceFilter:
    """One row of a request, CASH or a stock; `target` is None where none was given."""

    symbol: str
    exchange: str
    instrument_token: int | None
    target: Percent | None


@dataclass(frozen=True, slots=True)
class Question:
    """A rebalance as it was asked for."""

    client_id: uuid.UUID
    investment: Rupees
    wanted: Sequence[AdviceFilter]
    options: OptionsAsked


@dataclass(frozen=True, slots=True)
class PastAdvice:
    """One advice of the history, how its mail stands, and its rows in order."""

    advice: SentHead
    delivery: DeliveryState | None
    stocks: Sequence[SentLine]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A letter that was set ahead, and what it says."""

    contents: Contents
    letter: bytes


def client_holdings(session: Session, now: dt.datetime, code: str) -> ClientHoldings:
    """The holdings and cash of the client with this code, by symbol.

    Raises:
        NoHoldingsFound: no client has the code, or this one has neither holdings nor cash.
    """
    shown = code[:_LONGEST_CODE_SHOWN]
    try:
        wanted = codes.client_code(codes.client_number(code))
    except codes.NotAClientCode as error:
        raise NoHoldingsFound(shown) from error
    client = people.client_by_code(session, wanted)
    if client is None:
        raise NoHoldingsFound(shown)
    stocks = portfolio.stocks_of(session, client.id, now)
    cash = portfolio.standing_of(session, client.id).funds.net
    if not stocks and cash == ZERO:
        raise NoHoldingsFound(shown)
    value = sum((one.quantity * (price_in(one.quote) or ZERO) for one in stocks), ZERO)
    return ClientHoldings(client, stocks, value, cash)


def price_in(quote: Quote | None) -> Rupees | None:
    """The price of a quote; None without one, or where it is nought."""
    return quote.price if quote is not None and quote.price > ZERO else None


def rebalance(session: Session, asked: Question, now: dt.datetime) -> Package:
    """Plan the trades that bring a client's holdings to the targets, at one reading of the prices.

    Rows stand as asked, then the holdings that are not in the target, by symbol.

    Raises:
        ClientNotFound: there is no such client.
        UnfitRequest: a figure or row that cannot be; the sentence says which.
        AllocationOver100: the targets pass 100 %.
    """
    client = people.client(session, asked.client_id)
    investment = investment_of("targetInvestmentValue", asked.investment)
    cash_target, wanted = _cash_apart(asked.wanted)
    targets = _targets(session, wanted, cash_target)
    standing = portfolio.standing_of(session, client.id)
    stocks = portfolio.stocks_of(session, client.id)
    positions = tuple(_position(one) for one in stocks)
    rows = package.rows_to_plan(targets, positions)
    quotes = _quotes(session, [target.stock for target in rows])
    rates, charged_on = rates_of(session, standing.broker, now)
    options = _options(session, asked.options)
    held = package.held_by_isin(positions)
    restricted = restrictions_of(session, client.id)
    barred = package.restrictions_by_isin(restricted)
    planned = [package.plan_row(target, held, quotes, barred) for target in rows]
    _refuse_buying_nothing(investment, cheapest_share(planned, rates, options))
    plan = _planned(
        planned,
        (investment, standing.funds.net, cash_target),
        rates,
        options,
    )
    return Package(
        investment=investment,
        cash=standing.funds.net,
        cash_target=cash_target,
        targets=tuple(targets),
        options=options,
        rates=rates,
        charged_on=charged_on,
        holdings_source=standing.holdings_source,
        synced_at=standing.synced_at,
        positions=positions,
        prices=tuple(quotes.values()),
        priced_at=now,
        rows=package.rows_of_plan(rows, positions, plan),
        summary=plan.summary,
        notices=(*plan.notices, *package.pledges_to_release(positions, plan)),
        restrictions=restricted,
    )


def restrictions_of(session: Session, client_id: uuid.UUID) -> tuple[Restricted, ...]:
    """What a client does not want traded, by symbol."""
    return tuple(
        Restricted(_stock(one.instrument), one.restriction, one.reason)
        for one in restrictions.restrictions_of(session, client_id).restrictions
    )


def keep_rebalance(
    session: Session, actor: Actor, client_id: uuid.UUID, computed: Package
) -> uuid.UUID:
    """Store a rebalance, so that a send can refer to it; its id."""
    row = Rebalance(
        id=new_id(),
        client_id=client_id,
        account_id=actor.account_id,
        priced_at=computed.priced_at,
        package=package.to_text(computed),
    )
    session.add(row)
    session.flush()
    changes = {"clientId": client_id, "rows": len(computed.rows)}
    at, about = computed.priced_at, ("rebalance", row.id)
    audit_log.record(session, actor, at, "rebalance_computed", about, changes)
    return row.id


def drop_old_rebalances(session: Session, now: dt.datetime) -> int:
    """Drop rebalances past their thirty days; how many."""
    return queries.delete_rebalances_before(session, now - REBALANCES_KEPT)


def sending_of(
    client_id: uuid.UUID,
    rebalance_id: uuid.UUID,
    computed: Package,
    rationale: str | None = None,
) -> Sending:
    """A stored rebalance as it is sent: its BUY and SELL rows, with the totals they come to."""
    traded = [row for row in computed.rows if row.quantity]
    return Sending(
        client_id=client_id,
        total_stocks=len(traded),
        invested_value=computed.investment,
        buy_value=checks.total_of(traded, Side.BUY),
        sell_value=checks.total_of(traded, Side.SELL),
        rows=tuple(checks.sent_row_of(row, PRODUCT) for row in traded),
        rebalance_id=rebalance_id,
        rationale=rationale,
        disclosures=Disclosures(),
    )


def before_sending(
    session: Session, sending: Sending, now: dt.datetime, *, has_mail_server: bool
) -> list[Check]:
    """The checks that stand before this send; nothing is sent.

    Raises:
        As `send`, but for SendBlocked.
    """
    found = _examined(session, sending, now, lock=False)
    return _checks(session, found, now, has_mail_server=has_mail_server)


def before_sending_many(
    session: Session,
    subjects: Sequence[Subject],
    used: Sequence[PriceUsed],
    asked: Asked,
    now: dt.datetime,
) -> list[Check]:
    """The checks that stand before a send to all of these."""
    return checks_before_send(facts_of(session, subjects, used, asked, now))


def refuse_blocked(checks: Sequence[Check]) -> None:
    """Refuse a send that a check blocks.

    Raises:
        SendBlocked: one does; all that do are named.
    """
    blocked = {one.id: one.text for one in checks if one.level is Level.BLOCK}
    if blocked:
        raise SendBlocked(blocked)


def oldest_holdings(session: Session, now: dt.datetime) -> dt.datetime:
    """Holdings read before then are too old to be advised on."""
    return oldest_fit(firm.send_terms(session).holdings_days, firm.holidays(session), now)


def prepared(
    session: Session,
    actor: Actor,
    sending: Sending,
    now: dt.datetime,
    *,
    has_mail_server: bool,
) -> Prepared | None:
    """The letter, set before the transaction of the sending begins, so that no writer waits for it.

    None where the sending would be refused: the transaction itself says why, or finds that the
    same call was answered before.
    """
    try:
        found = _examined(session, sending, now, lock=False)
        ready = _ready(session, actor, found, now, has_mail_server=has_mail_server)
    except ApiError:
        return None
    return Prepared(ready.contents, letter_of(ready.contents))


def send(
    session: Session,
    actor: Actor,
    sending: Sending,
    now: dt.datetime,
    set_before: Prepared | None = None,
    *,
    has_mail_server: bool,
) -> Advice:
    """Check, store, seal and mail one advice, all in the caller's transaction.

    Args:
        set_before: its letter, used if nothing of it changed since.
        has_mail_server: whether the letter is mailed, or only written to the outbox.

    Raises:
        ClientNotFound, ClientInactive: there is no such client, or it is not advised now.
        NothingToSend, UnfitStock, NotAsRebalanced, TotalsDiffer, UnfitRequest: what was sent
            does not hold; the sentence says what.
        RebalanceNotKnown, RebalanceOfAnother, AlreadySent: the rebalance cannot be sent.
        SendBlocked: a check before the send refuses it.
    """
    found = _examined(session, sending, now, lock=True)
    ready = _ready(session, actor, found, now, has_mail_server=has_mail_server)
    if set_before is not None:
        named = replace(ready.contents, advice_id=set_before.contents.advice_id)
        if named == set_before.contents:
            return stored(session, actor, replace(ready, contents=named), set_before.letter)
    return stored(session, actor, ready, letter_of(ready.contents))


def resend(
    session: Session,
    actor: Actor,
    advice_id: uuid.UUID,
    now: dt.datetime,
    *,
    has_mail_server: bool,
) -> DeliveryState:
    """Queue the mail of an advice once more that could not be delivered, or was only written.

    Raises:
        AdviceNotFound, ClientNotFound: there is no such advice, or its client was deleted.
        NothingToResend: its mail is on its way, or was sent; or nothing of it may be mailed.
    """
    advice, _ = recipient(session, advice_id)
    _refuse_unfit_resend(session, advice, has_mail_server=has_mail_server)
    if advice.mail_id is None or not mail.ask_again(session, advice.mail_id, now):
        raise NothingToResend
    about = ("advice", advice.id)
    audit_log.record(session, actor, now, "advice_resent", about, {"mailId": advice.mail_id})
    return DeliveryState(Delivery.QUEUED, now, None)


def _refuse_unfit_resend(session: Session, advice: Advice, *, has_mail_server: bool) -> None:
    states = mail.states_of(session, [advice.mail_id]) if advice.mail_id else {}
    if not any(one.status is Delivery.WRITTEN for one in states.values()):
        return
    if not has_mail_server:
        raise NothingToResend("No mail server is set up: the letter is in the outbox folder.")
    seal = queries.seal_of(session, advice.id)
    if seal is not None and sealing.contents_of(sealing.from_text(seal.package)).is_practice:
        raise NothingToResend("This advice was practice at simulated prices: it is not mailed.")


def seal_known(session: Session, now: dt.datetime) -> int:
    """Seal what an older version of the product sent, as far as it is known; how many."""
    return vouching.seal_known(session, now, _known_advice)


def history(
    session: Session, client_id: uuid.UUID, period: Period, skipped: int, limit: int
) -> tuple[list[PastAdvice], int]:
    """One page of what was sent to a client, newest first, and how much there is of it.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    found = queries.advices_of(session, client_id, period, skipped, limit)
    states = mail.states_of(session, [one.mail_id for one in found if one.mail_id])
    stocks: dict[uuid.UUID, list[SentLine]] = {one.id: [] for one in found}
    for stock in queries.lines_of(session, list(stocks)):
        stocks[stock.advice_id].append(stock)
    past = [
        PastAdvice(one, states.get(one.mail_id) if one.mail_id else None, stocks[one.id])
        for one in found
    ]
    return past, queries.count_advices_of(session, client_id, period)


def advised_at(
    session: Session, client_ids: Collection[uuid.UUID]
) -> Mapping[uuid.UUID, dt.datetime]:
    """By client, when the last advice was sent to those of these who got any."""
    return queries.newest_advice(session, client_ids)


def advised_instruments(session: Session, now: dt.datetime) -> set[uuid.UUID]:
    """Instruments of the advice of the last weeks: while it is carried out, their prices matter."""
    return instruments.bearers_of(session, queries.isins_advised(session, now - PRICED_FOR))


def recipient(session: Session, advice_id: uuid.UUID) -> tuple[Advice, Client]:
    """An advice and the client it went to.

    Raises:
        AdviceNotFound: there is no such advice.
        ClientNotFound: its client was deleted.
    """
    advice = queries.advice_by_id(session, advice_id)
    if advice is None:
        raise AdviceNotFound
    return advice, people.client(session, advice.client_id)


def letter(session: Session, advice_id: uuid.UUID) -> tuple[str, bytes, Client]:
    """File name and PDF of an advice's letter, as it was sent, and the client it went to.

    Raises:
        AdviceNotFound, ClientNotFound: as for `recipient`.
        LetterLost: the letter was removed from the database and does not come out as it was.
    """
    advice, client = recipient(session, advice_id)
    if not advice.letter:
        return *kept_letters.letter_of_sealed(session, advice), client
    return file_name_of(client.code, advice.created_at), advice.letter, client


# ---- the rebalance -------------------------------------------------------------------------------


def _cash_apart(wanted: Sequence[AdviceFilter]) -> tuple[Percent, list[AdviceFilter]]:
    """The target of the CASH row, 0 without one, and the rows of stocks."""
    cash = [one.target for one in wanted if one.symbol == CASH]
    if len(cash) > 1:
        raise UnfitRequest("targetHoldings", f"{CASH} is in the list twice.")
    target = (cash[0] if cash else None) or ZERO
    _refuse_unfit_target("targetHoldings", CASH, target)
    return target, [one for one in wanted if one.symbol != CASH]


def _targets(
    session: Session, wanted: Sequence[AdviceFilter], cash_target: Percent
) -> list[Target]:
    """The stocks asked for, as our own list knows them."""
    if len(wanted) > MOST_ROWS:
        raise UnfitRequest(
            "targetHoldings", f"At most {MOST_ROWS} stocks can be rebalanced at once."
        )
    by_token = _by_token(session, [one.instrument_token for one in wanted])
    targets: list[Target] = []
    seen: set[str] = set()
    for place, one in enumerate(wanted):
        field = f"targetHoldings.{place}"
        listed = _listed(session, one, by_token, field)
        if listed.isin in seen:
            raise UnfitRequest(field, f"{listed.symbol} is in the list twice.")
        seen.add(listed.isin)
        if one.target is not None:
            _refuse_unfit_target(field, listed.symbol, one.target)
        targets.append(Target(_stock(listed), one.target))
    given = sum((one.allocation for one in targets if one.allocation is not None), ZERO)
    if given + cash_target > HUNDRED:
        raise AllocationOver100
    return targets


def _refuse_unfit_target(field: str, symbol: str, target: Percent) -> None:
    if not ZERO <= target <= HUNDRED or target != rounded(target):
        raise UnfitRequest(field, f"{symbol}: a target is 0 to 100 % in steps of 0.01.")


def _by_token(session: Session, tokens: Sequence[int | None]) -> dict[int, Listed]:
    wanted = {token for token in tokens if token is not None}
    return instruments.by_tokens(session, wanted) if wanted else {}


def _listed(
    session: Session, one: AdviceFilter | SentRow, by_token: Mapping[int, Listed], field: str
) -> Listed:
    symbol, exchange = one.symbol.upper(), one.exchange.upper()
    found = by_token.get(one.instrument_token) if one.instrument_token is not None else None
    if found is None or (found.symbol, found.exchange) != (symbol, exchange):
        # By its name then; a token of another stock is an error in what was asked.
        try:
            named = instruments.by_symbol(session, exchange, symbol)
        except InstrumentNotFound as error:
            raise UnfitRequest(field, error.message) from error
        if one.instrument_token is not None:
            raise UnfitRequest(field, f"{symbol}: the instrument token is of another stock.")
        return named
    return found


def _quotes(session: Session, stocks: Sequence[Stock]) -> dict[int, PriceUsed]:
    """The price of each stock that has one, by token, all read at one instant."""
    quotes = prices.last_prices(session, [one.instrument_token for one in stocks])
    return {
        one.instrument_token: PriceUsed(one, quote.price, quote.at, quote.source)
        for one in stocks
        if (quote := quotes.get(one.instrument_token)) is not None and price_in(quote) is not None
    }


def rates_of(session: Session, broker: str, now: dt.datetime) -> tuple[ChargeRates, dt.date]:
    """A broker's charges in force, the usual broker's where it is not known; and of which day."""
    today = day_in_india(now)
    lines = firm.charge_lines_on(session, today)
    try:
        return rates_for(broker or USUAL_BROKER, today, lines), today
    except NoRates:
        # A broker named by a file, of whose charges our table knows nothing.
        return rates_for(USUAL_BROKER, today, lines), today


def options_of(session: Session, asked: OptionsAsked, now: dt.datetime) -> Options:
    """The firm's options, with those that are asked for in their place.

    Raises:
        UnfitRequest: nothing can be planned with them; the sentence says why.
    """
    options = _options(session, asked)
    # A plan of nothing looks at the options alone.
    _planned([], (Rupees(1), ZERO, ZERO), rates_of(session, "", now)[0], options)
    return options


def usual_options(session: Session) -> Options:
    """The firm's options."""
    usual = firm.advice_settings(session)
    return Options(
        usual.band,
        usual.minimum_trade,
        usual.trade_penalty,
        usual.include_charges,
        usual.allow_fresh_funds,
        usual.price_buffer,
    )


def _options(session: Session, asked: OptionsAsked) -> Options:
    """The firm's options, with those of the request in their place."""
    options = usual_options(session)
    given = {name: value for name, value in asdict(asked).items() if value is not None}
    return replace(options, **given)


def _refuse_buying_nothing(investment: Rupees, cheapest: Rupees | None) -> None:
    if cheapest is not None and investment < cheapest:
        raise UnfitRequest(
            "targetInvestmentValue",
            f"An Investment Value of {rupees(investment)} does not buy one share of any stock in "
            f"the target. Enter at least {rupees(cheapest)}, or choose a cheaper stock.",
        )


def _planned(
    rows: Sequence[PlanRow],
    money: tuple[Rupees, Rupees, Percent],
    rates: ChargeRates,
    options: Options,
) -> Plan:
    investment, cash, cash_target = money
    try:
        return plan_rebalance(rows, investment, cash, cash_target, rates, options)
    except CannotPlan as error:
        raise UnfitRequest("options", f"{error}.") from error


def _stock(listed: Listed) -> Stock:
    """What a row names."""
    return Stock(listed.symbol, listed.name, listed.exchange, listed.isin, listed.instrument_token)


# ---- the sending ---------------------------------------------------------------------------------


def _rebalance_to_send(session: Session, sending: Sending, *, lock: bool) -> Package | None:
    if sending.rebalance_id is None:
        return None
    row = queries.rebalance_to_send(session, sending.rebalance_id, lock=lock)
    if queries.is_sent(session, sending.rebalance_id):
        raise AlreadySent
    if row is None:
        raise RebalanceNotKnown
    if row.client_id != sending.client_id:
        raise RebalanceOfAnother
    try:
        return package.from_text(row.package)
    except ValidationError as error:
        # Written by an older version in another form: it must be computed again.
        raise RebalanceNotKnown from error


def _stocks_sent(session: Session, sending: Sending, positions: Sequence[Position]) -> list[Stock]:
    """The stocks of the rows, in their order; those sold with the exchange that a sale names."""
    exchanges = package.sold_on(positions)
    by_token = _by_token(session, [row.instrument_token for row in sending.rows])
    stocks: list[Stock] = []
    seen: set[str] = set()
    for place, row in enumerate(sending.rows):
        held = by_token.get(row.instrument_token or 0)
        is_tagged = held is not None and row.exchange.upper() == exchanges.get(held.isin)
        asked = replace(row, exchange=held.exchange) if held and is_tagged else row
        listed = _listed(session, asked, by_token, f"stocks.{place}")
        if listed.isin in seen:
            raise UnfitStock(place, listed.symbol, "is in the list twice.")
        seen.add(listed.isin)
        stocks.append(package.named(_stock(listed), Side(row.type), exchanges))
    return stocks


def _positions(session: Session, client_id: uuid.UUID) -> list[Position]:
    return [_position(one) for one in portfolio.stocks_of(session, client_id)]


def _position(held: HeldStock) -> Position:
    stock = replace(_stock(held.instrument), exchange=held.exchange)
    return Position(stock, held.quantity, held.pledged)


def _known(
    stocks: Sequence[Stock],
    positions: Sequence[Position],
    quotes: Mapping[int, PriceUsed],
    computed: Package | None,
) -> list[Known]:
    held = package.held_by_isin(positions)
    if computed is not None:
        _refuse_changed_holdings(computed, positions)
    known = []
    for stock in stocks:
        quote = quotes.get(stock.instrument_token)
        known.append(Known(stock, held.get(stock.isin, 0), quote.price if quote else None))
    return known


def _refuse_changed_holdings(computed: Package, positions: Sequence[Position]) -> None:
    then, now = package.held_by_isin(computed.positions), package.held_by_isin(positions)
    if then == now:
        return
    names = {one.stock.isin: one.stock.symbol for one in (*computed.positions, *positions)}
    changed = sorted(
        names[isin] for isin in then.keys() | now.keys() if then.get(isin) != now.get(isin)
    )
    raise NotAsRebalanced(
        f"The client's holdings changed since the rebalance: {', '.join(changed)}. Rebalance again."
    )


def _contents(
    session: Session,
    actor: Actor,
    client: Client,
    sending: Sending,
    rows: tuple[Row, ...],
    note: PriceNote,
    now: dt.datetime,
) -> Contents:
    rates, _ = rates_of(session, portfolio.standing_of(session, client.id).broker, now)
    return Contents(
        advice_id=new_id(),
        sent_at=now,
        firm=firm.registration(session),
        author=Author(actor.name, actor.role),
        client_name=client.name,
        client_code=client.code,
        investment=sending.invested_value,
        rows=rows,
        charges=_charges(rows, rates),
        broker=rates.broker,
        rationale=sending.rationale
        or standard_rationale(
            firm.standard_rationale(session), sending.invested_value, rows, has_model=False
        ),
        disclosures=sending.disclosures,
        prices=note,
        number=vouching.next_number(session),
        fingerprint=signing.signer_of(session).key_id,
    )


def _charges(rows: Sequence[Row], rates: ChargeRates) -> Charges:
    return Tariff(rates).estimate(
        Order(row.side, to_units(row.additional_value + row.freed_value), row.stock.exchange)
        for row in rows
    )


@dataclass(frozen=True, slots=True)
class _Examined:
    """What was sent, once it is known to hold."""

    client: Client
    sending: Sending
    computed: Package
    rows: tuple[Row, ...]
    note: PriceNote
    at_sending: AtSending


def _examined(session: Session, sending: Sending, now: dt.datetime, *, lock: bool) -> _Examined:
    if lock:
        # The letter names the number of its seal: nobody else seals until this one has.
        vouching.take_turn(session)
    client = people.client(session, sending.client_id)
    if client.status != Status.ACTIVE:
        raise ClientInactive
    checks.refuse_unfit_rows(sending)
    sending = replace(
        sending, invested_value=investment_of("totalInvestedValue", sending.invested_value)
    )
    computed = _rebalance_to_send(session, sending, lock=lock)
    positions = _positions(session, client.id)
    stocks = _stocks_sent(session, sending, positions)
    quotes = _quotes(session, stocks)
    rows = checks.checked_rows(
        sending,
        _known(stocks, positions, quotes, computed),
        firm.advice_settings(session).price_tolerance,
        computed,
    )
    used = computed.prices if computed else tuple(quotes.values())
    note = price_note(used, rows, computed.priced_at if computed else now)
    standing = portfolio.standing_of(session, client.id)
    computed = computed or _as_given(session, sending, rows, quotes, positions, now)
    seen = AtSending(
        standing.holdings_source,
        standing.synced_at,
        standing.funds.net,
        tuple(positions),
        tuple(quotes.values()),
    )
    return _Examined(client, sending, computed, rows, note, seen)


def _checks(
    session: Session, found: _Examined, now: dt.datetime, *, has_mail_server: bool
) -> list[Check]:
    sending, seen = found.sending, found.at_sending
    rationale = Rationale.GIVEN if sending.rationale else Rationale.EMPTY
    asked = Asked(
        Rationale.STANDARD if sending.rationale is None else rationale,
        bool(sending.disclosures.holdings),
        has_mail_server,
        COMPUTED_AT,
    )
    subject = Subject(
        found.client.id,
        found.client.code,
        seen.cash,
        bool(seen.positions),
        seen.holdings_source,
        seen.synced_at,
        lambda: found.rows,
    )
    return before_sending_many(session, [subject], found.note.used, asked, now)


def _ready(
    session: Session,
    actor: Actor,
    found: _Examined,
    now: dt.datetime,
    *,
    has_mail_server: bool,
) -> Ready:
    made = _checks(session, found, now, has_mail_server=has_mail_server)
    refuse_blocked(made)
    client, sending = found.client, found.sending
    contents = _contents(session, actor, client, sending, found.rows, found.note, now)
    return Ready(
        client,
        contents,
        sending,
        found.computed,
        found.at_sending,
        sealed_checks(made, sending.acknowledged),
    )


def _as_given(
    session: Session,
    sending: Sending,
    rows: Sequence[Row],
    quotes: Mapping[int, PriceUsed],
    positions: Sequence[Position],
    now: dt.datetime,
) -> Package:
    """A rebalance of rows that were sent without one of ours: what their shares come to.

    It is made with the prices of the rows; the cash target is not known and taken as 0.

    Raises:
        UnfitRequest: a figure is beyond what can be computed exactly.
    """
    standing = portfolio.standing_of(session, sending.client_id)
    rates, charged_on = rates_of(session, standing.broker, now)
    targets = tuple(Target(row.stock, row.allocation) for row in rows)
    planned = package.rows_to_plan(targets, positions)
    besides = [one.stock for one in planned[len(targets) :]]
    held = package.held_by_isin(positions)
    asked = Package(
        investment=sending.invested_value,
        cash=standing.funds.net,
        cash_target=ZERO,
        targets=targets,
        options=usual_options(session),
        rates=rates,
        charged_on=charged_on,
        holdings_source=standing.holdings_source,
        synced_at=standing.synced_at,
        positions=tuple(positions),
        prices=(
            *(_price_of(row, quotes[row.stock.instrument_token], now) for row in rows),
            *_quotes(session, besides).values(),
        ),
        priced_at=now,
        rows=(),
        summary=UNPLANNED,
        notices=(),
        restrictions=restrictions_of(session, sending.client_id),
        given=(
            *(row.new_quantity for row in rows),
            *(held[stock.isin] for stock in besides),
        ),
    )
    try:
        return worked_out(asked, (), 0.0, 0.0)
    except CannotPlan as error:
        raise UnfitRequest("stocks", f"{error}.") from error


def _price_of(row: Row, quote: PriceUsed, now: dt.datetime) -> PriceUsed:
    """The price of a row: ours where it is the same, otherwise the sender's own."""
    if row.last_price in {None, quote.price}:
        return quote
    return PriceUsed(row.stock, row.last_price or ZERO, now, OF_THE_SENDER)


def _known_advice(session: Session, advice: Advice) -> SealedAdvice:
    """What is known of an advice that was sent before advice was sealed."""
    record = record_form().validate_json(advice.package)
    author = record.contents.author
    origin = vouching.origin_of(session, advice.id)
    sender = Sender(
        advice.account_id,
        author.name,
        author.role,
        origin.ip if origin else "",
        origin.session_id if origin else None,
        origin.request_id if origin else "",
    )
    return sealed_of(session, advice, record, sender, SealedAs.KNOWN, None)
