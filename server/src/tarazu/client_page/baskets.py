"""Orders handed over to a broker: Kite's basket page, its basket file, and a plain list.

Nothing is ordered here. The client's browser takes the rows to the broker's own page, and the client
places them there.
"""

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from sqlalchemy.orm import Session

from tarazu.advice.service import OpenAdviceLink
from tarazu.brokers import service as brokers
from tarazu.brokers.errors import BrokerNotReady
from tarazu.client_page.content import OpenPage, PageContent
from tarazu.client_page.errors import NothingToHandOver
from tarazu.client_page.orders import OpenOrder, open_orders, steps_of
from tarazu.client_page.tables import BasketState
from tarazu.domain.charges import Side
from tarazu.domain.codes import order_tag
from tarazu.firm import service as firm
from tarazu.kit import security
from tarazu.kit.db import new_id
from tarazu.kit.export import Column, Kind, Sheet, csv_of
from tarazu.kit.settings import Settings
from tarazu.kit.translation import N_
from tarazu.people.tables import Status
from tarazu.portfolio import service as portfolio
from tarazu.prices.service import is_market_open

KITE_BASKET: Final = "https://kite.zerodha.com/connect/basket"
ZERODHA: Final = "ZERODHA"
MARK: Final = "basket."
"""The start of a basket's state, by which the return page knows it."""
BASKET_LASTS: Final = dt.timedelta(hours=2)
FILE_ROWS: Final = 20
"""Rows of one basket file of Kite."""

OVER: Final = N_("The time to act on this advice is over. Ask us before you trade.")
SUPERSEDED: Final = N_("A later advice names these stocks. Follow the later one.")
DECLINED: Final = N_("You told us that you will not act on this advice.")
DONE: Final = N_("Nothing is left to order.")
NOT_CREDITED: Final = N_(
    "The shares to sell are not credited yet. Try again once your broker shows them."
)
PRACTICE: Final = N_("This is practice with simulated prices: there is nothing to order.")
INACTIVE: Final = N_("Your account with us is not active. Ask us before you trade.")
CLOSED: Final = N_(
    "The market is closed. Baskets are offered on trading days from 09:00 to 15:30, at live prices."
)
NO_PRICES: Final = N_("There are no live prices now, so no limits can be set. Try again later.")
NO_ZERODHA: Final = N_("Your Research Analyst has not set up Zerodha.")


@dataclass(frozen=True, slots=True)
class HandOver:
    """The orders that a client can take to a broker now.

    Attributes:
        orders: all that can be placed, also those without a live price.
        waiting: by place of the line, shares to be sold that are not credited yet.
        steps: baskets for Zerodha, sales first; empty where none can be offered.
        refusal: why there are no steps, as a text of the catalogues; "" where there are.
    """

    orders: list[OpenOrder]
    steps: list[list[OpenOrder]]
    refusal: str = ""
    waiting: Mapping[int, int] = field(default_factory=dict)

    @property
    def without_price(self) -> list[str]:
        """The symbols that are in no basket because they have no live price."""
        if self.refusal:
            return []
        return [order.symbol for order in self.orders if order.limit is None]


@dataclass(frozen=True, slots=True)
class KiteForm:
    """The form that the client's browser posts to Kite."""

    action: str
    fields: dict[str, str]
    rows: list[OpenOrder]
    step: int
    steps: int

    @property
    def side(self) -> Side:
        """Of all its rows."""
        return self.rows[0].side

    @property
    def origin(self) -> str:
        """The one origin to which the page with this form may post."""
        address = urlsplit(self.action)
        return f"{address.scheme}://{address.netloc}"


def hand_over_of(page: OpenPage, content: PageContent) -> HandOver:
    """What is left to order, and the baskets in which it can be taken to Zerodha."""
    session, known = page.session, content.known
    left = open_orders(session, content.sealed, _closed(content), known.done_part, page.now)
    waiting = {order.place: order.uncredited for order in left if order.uncredited}
    orders = [order for order in left if order.quantity]
    refusal = _refusal(session, content, orders, page.now, is_waiting=bool(waiting))
    if refusal:
        return HandOver(orders, [], refusal, waiting)
    priced = [order for order in orders if order.limit is not None]
    steps = steps_of(priced, firm.follow_up_settings(session).basket_rows)
    return HandOver(orders, steps, waiting=waiting)


def is_at_zerodha(session: Session, link: OpenAdviceLink) -> bool:
    """Whether a basket for Zerodha is of use to the client, as far as is known."""
    account = portfolio.account_summary(session, link.client.id)
    return account.broker in {"", ZERODHA}


def kite_form(page: OpenPage, settings: Settings, step: int, shown: int = 0) -> KiteForm:
    """The form of one basket, with a mark by which the return finds the advice, once.

    Args:
        shown: how many baskets there were when `step` was chosen, 0 if that is not known. Those
            that were placed since then are not there any more.

    Raises:
        NothingToHandOver: there is no such basket now.
        BrokerNotReady: the firm has no app at Zerodha.
    """
    hand_over = hand_over_of(page, page.content())
    if shown:
        # Baskets are placed from the first on, so the distance to the last one stays.
        step -= shown - len(hand_over.steps)
    if not 1 <= step <= len(hand_over.steps):
        raise NothingToHandOver(hand_over.refusal or DONE)
    rows, tag = hand_over.steps[step - 1], order_tag(page.link.advice_id)
    state = MARK + security.new_token()
    page.session.add(
        BasketState(
            id=new_id(),
            digest=security.token_digest(state),
            link_id=page.link.id,
            step=step,
            made_at=page.now,
            expires_at=page.now + BASKET_LASTS,
            used_at=None,
        )
    )
    page.session.flush()
    fields = {
        "api_key": brokers.basket_key(page.session),
        "data": json.dumps([_kite_row(order, tag) for order in rows], separators=(",", ":")),
        "redirect_params": urlencode({"state": state}),
    }
    action = settings.zerodha_basket_url or KITE_BASKET
    return KiteForm(action, fields, rows, step, len(hand_over.steps))


def kite_file(hand_over: HandOver, part: int) -> bytes:
    """Kite's own basket file of one part: at most twenty rows of one side.

    Raises:
        NothingToHandOver: there is no such part now.
    """
    parts = file_parts(hand_over)
    if not 1 <= part <= len(parts):
        raise NothingToHandOver(hand_over.refusal or DONE)
    rows = [_file_row(order, place) for place, order in enumerate(parts[part - 1])]
    return json.dumps(rows, indent=2).encode()


def file_parts(hand_over: HandOver) -> list[list[OpenOrder]]:
    """The parts of Kite's basket file; a row is left out if its instrument there is not known."""
    rows = [order for step in hand_over.steps for order in step]
    known = [row for row in rows if row.listed and row.listed.exchange == row.exchange]
    return steps_of(known, FILE_ROWS)


def orders_csv(orders: Sequence[OpenOrder]) -> bytes:
    """Symbol, exchange, side, quantity and limit of each order; no limit without a live price."""
    return csv_of(Sheet("Orders", _COLUMNS, orders))


_COLUMNS: Final[tuple[Column[OpenOrder], ...]] = (
    Column("Symbol", Kind.TEXT, lambda order: order.symbol),
    Column("Exchange", Kind.TEXT, lambda order: order.exchange),
    Column("Side", Kind.TEXT, lambda order: order.side.value),
    Column("Quantity", Kind.WHOLE, lambda order: order.quantity),
    Column("Limit price", Kind.PRICE, lambda order: order.limit),
)


def _closed(content: PageContent) -> set[str]:
    """The stocks that are not to be traded any more: in later advice, or declined."""
    declined = {content.sealed.rows[place].stock.isin for place in content.known.declined}
    return set(content.later_isins) | declined


def _refusal(
    session: Session,
    content: PageContent,
    orders: Sequence[OpenOrder],
    now: dt.datetime,
    *,
    is_waiting: bool,
) -> str:
    reasons = {
        PRACTICE: content.is_practice,
        OVER: content.is_over,
        SUPERSEDED: content.is_superseded,
        DECLINED: content.is_declined,
        INACTIVE: content.link.client.status != Status.ACTIVE,
        NOT_CREDITED: is_waiting and not orders,
        DONE: not orders,
        CLOSED: not is_market_open(now, firm.holidays(session)),
        NO_PRICES: all(order.limit is None for order in orders),
        NO_ZERODHA: not _has_zerodha(session),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _has_zerodha(session: Session) -> bool:
    try:
        brokers.basket_key(session)
    except BrokerNotReady:
        return False
    return True


def _kite_row(order: OpenOrder, tag: str) -> dict[str, Any]:
    assert order.limit is not None  # noqa: S101 - only orders with a limit are in a basket
    return {
        "variety": "regular",
        "tradingsymbol": order.symbol,
        "exchange": order.exchange,
        "transaction_type": order.side.value,
        "order_type": "LIMIT",
        "quantity": order.quantity,
        "product": "CNC",
        "price": float(order.limit),
        "validity": "DAY",
        "readonly": False,
        "tag": tag,
    }


def _file_row(order: OpenOrder, place: int) -> dict[str, Any]:
    listed, limit, last = order.listed, order.limit, order.last_price
    assert listed is not None and limit is not None and last is not None  # noqa: S101, PT018 - as above
    instrument = {
        "tradingsymbol": order.symbol,
        "exchange": order.exchange,
        "segment": order.exchange,
        "instrumentToken": listed.instrument_token,
        # The exchange's own number is the upper part of Zerodha's token.
        "exchangeToken": listed.instrument_token >> 8,
        "tickSize": float(listed.tick_size),
        "lotSize": listed.lot_size,
        "type": "EQ",
        "isEquity": True,
    }
    params: dict[str, Any] = {
        "transactionType": order.side.value,
        "product": "CNC",
        "orderType": "LIMIT",
        "validity": "DAY",
        "validityTTL": 1,
        "quantity": order.quantity,
        "price": float(limit),
        "triggerPrice": 0,
        "disclosedQuantity": 0,
        "lastPrice": float(last),
        "variety": "regular",
        "tags": [],
    }
    return {"id": 0, "instrument": instrument, "weight": place, "params": params}
