"""The demo's model portfolios, who follows them, and what a few clients do not want traded."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence

from sqlalchemy.orm import Session

from tarazu.demo.market import Market
from tarazu.domain.money import Percent
from tarazu.domain.restrictions import Kind, Restriction
from tarazu.instruments.service import Listed
from tarazu.kit.audit_log import Actor
from tarazu.model_portfolios import service as models
from tarazu.model_portfolios.service import Constituent, Words
from tarazu.restrictions.service import ClientRestriction, set_restrictions

LAUNCHED = dt.timedelta(days=210)
REVISED = dt.timedelta(days=41)
LARGE_FOLLOWERS = 22
MID_FOLLOWERS = 14
LARGE = (12, 11, 10, 10, 9, 8, 8, 7, 7, 6, 5, 4)
LARGE_REVISED = (11, 11, 10, 9, 9, 9, 8, 8, 7, 6, 5, 4)
MID = (13, 12, 11, 11, 10, 10, 9, 8, 7, 5)
FIRST_MID = 16
"""Where the favourites end and the rest of the market begins."""

LARGE_WORDS = Words(
    "Twelve leaders of their trades, bought where they earn well above their cost of capital and "
    "held while they do.",
    "Nifty 50 TRI",
    "The hundred largest shares on NSE by market value, funds left out.",
    "Return on capital over five years, then price against earnings; reviewed every quarter.",
    "Twelve names carry all the money, so one of them can hurt. Large companies fall with the "
    "market, and the model holds almost no cash against that.",
)
LARGE_REVISED_WORDS = Words(
    "Quarterly results are in: weight goes from the two favourites, whose prices ran ahead, to "
    "the names whose orders grow.",
    *(
        getattr(LARGE_WORDS, name)
        for name in ("benchmark", "universe", "selection_method", "risks")
    ),
)
MID_WORDS = Words(
    "Ten companies that grow faster than their sector and borrow little, before the market has "
    "made up its mind about them.",
    "Nifty Midcap 150 TRI",
    "Shares on NSE from the hundredth to the three hundredth by market value.",
    "Growth of sales and cash over three years, debt below half of equity; reviewed every quarter.",
    "Mid-sized companies trade thinly and can lose half in a bad year. Ten names carry the money.",
)


def publish(
    session: Session, analyst: Actor, now: dt.datetime, market: Market, ids: Sequence[uuid.UUID]
) -> None:
    """Two models with their versions and followers, and restrictions of a few of these."""
    stocks = market.stocks
    large = models.add_model(
        session,
        analyst,
        now - LAUNCHED,
        "Large Cap Leaders",
        LARGE_WORDS,
        _constituents(stocks, LARGE),
    )
    models.add_version(
        session,
        analyst,
        now - REVISED,
        large.row.id,
        LARGE_REVISED_WORDS,
        _constituents(stocks, LARGE_REVISED),
    )
    mid = models.add_model(
        session, analyst, now - LAUNCHED, "Mid Cap Growth", MID_WORDS,
        _constituents(stocks[FIRST_MID:], MID),
    )  # fmt: skip
    groups: Mapping[uuid.UUID, Sequence[uuid.UUID]] = {
        large.row.id: ids[:LARGE_FOLLOWERS],
        mid.row.id: ids[LARGE_FOLLOWERS : LARGE_FOLLOWERS + MID_FOLLOWERS],
    }
    for model_id, clients in groups.items():
        added = dict.fromkeys(clients)
        models.change_subscribers(session, analyst, now - REVISED, model_id, added, ())
    _restrict(session, analyst, now - REVISED, stocks, ids)


def _constituents(stocks: Sequence[Listed], weights: Sequence[int]) -> list[Constituent]:
    return [
        Constituent(stock, Percent(weight)) for stock, weight in zip(stocks, weights, strict=False)
    ]


def _restrict(
    session: Session,
    analyst: Actor,
    now: dt.datetime,
    stocks: Sequence[Listed],
    ids: Sequence[uuid.UUID],
) -> None:
    """Of four clients: one each of what is inherited, refused, capped, and both at once."""
    locked = ClientRestriction(
        stocks[1], Restriction(Kind.LOCKED), "Inherited; stays in the family."
    )
    refused = ClientRestriction(stocks[7], Restriction(Kind.NEVER_BUY), "No tobacco.")
    capped = ClientRestriction(
        stocks[0],
        Restriction(Kind.RANGE, None, Percent(8)),
        "Works for the company's auditor.",
    )
    chosen = {ids[2]: (locked,), ids[5]: (refused,), ids[9]: (capped,), ids[14]: (refused, capped)}
    for client_id, rows in chosen.items():
        set_restrictions(session, analyst, now, client_id, rows, None)
