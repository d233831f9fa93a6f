"""The demo's model portfolios, who follows them, and what a few clients do not want traded."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence

from sqlalchemy.orm import Session

from tarazu.demo.market import Market
from tarazu.domain.money import Percent
from tarazu.domain.restrictions import Kind, Restriction
from tarazu.firm import service as firm
from tarazu.instruments.service import Listed
from tarazu.kit import clock
from tarazu.kit.audit_log import Actor
from tarazu.model_portfolios import service as models
from tarazu.model_portfolios.service import Constituent, Words
from tarazu.restrictions.service import ClientRestriction, set_restrictions

ENROLLED = dt.timedelta(days=30)
"""Before the last day on which that was possible."""
LARGE_NAME, MID_NAME = "Large Cap Leaders", "Mid Cap Growth"
TOLERANCE = Percent("1.5")
LARGE_FOLLOWERS = 22
MID_FOLLOWERS = 14
LARGE = (9, 8, 8, 8, 7, 7, 7, 6, 6, 6, 5, 5, 4, 4, 4, 3)
LARGE_REVISED = (6, 6, 8, 8, 7, 7, 7, 6, 6, 6, 5, 5, 4, 7, 6, 3)
MID = (9, 8, 8, 8, 7, 7, 7, 7, 6, 6, 6, 5, 5, 5, 4)
FIRST_MID = 16
"""Where the favourites end and the rest of the market begins."""
OF_MODELS = FIRST_MID + len(MID)
"""So many stocks of the market are in a model."""

LARGE_WORDS = Words(
    "Sixteen leaders of their trades, bought where they earn well above their cost of capital and "
    "held while they do.",
    "Nifty 50 TRI",
    "The hundred largest shares on NSE by market value, funds left out.",
    "Return on capital over five years, then price against earnings; reviewed every quarter.",
    "Sixteen names carry all the money, so one of them can hurt. Large companies fall with the "
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
    "Fifteen companies that grow faster than their sector and borrow little, before the market has "
    "made up its mind about them.",
    "Nifty Midcap 150 TRI",
    "Shares on NSE from the hundredth to the three hundredth by market value.",
    "Growth of sales and cash over three years, debt below half of equity; reviewed every quarter.",
    "Mid-sized companies trade thinly and can lose half in a bad year. Fifteen names carry the money.",
)


def large_weights() -> dict[int, int]:
    """Percent by the stock's place: the first version of the large model."""
    return dict(enumerate(LARGE))


def mid_weights() -> dict[int, int]:
    """Percent by the stock's place: the mid model."""
    return dict(enumerate(MID, FIRST_MID))


def publish(session: Session, analyst: Actor, market: Market) -> tuple[uuid.UUID, uuid.UUID]:
    """The large and the mid model, published on the first day of the market, and the tolerance."""
    stocks = market.stocks
    at = _morning(market.days[0])
    models.set_limits(session, analyst, at, {"tolerance": TOLERANCE}, None)
    large, mid = (
        models.add_model(session, analyst, at, name, words, _constituents(chosen, weights))
        for name, words, chosen, weights in (
            (LARGE_NAME, LARGE_WORDS, stocks, LARGE),
            (MID_NAME, MID_WORDS, stocks[FIRST_MID:], MID),
        )
    )
    return large.row.id, mid.row.id


def certify(session: Session, analyst: Actor, now: dt.datetime, market: Market) -> None:
    """Enter what the firm has for past performance: an enrolment, and a certificate until then."""
    rules = firm.past_performance_settings(session)
    last = rules.verified_from - dt.timedelta(days=1)
    entered: dict[str, object] = {
        "enrolled_on": rules.enrol_until - ENROLLED,
        "enrolment": "Demo enrolment 0042",
    }
    if market.days[0] < last:
        entered |= {
            "certificate": "Demo certificate of a chartered accountant",
            "certified_first": market.days[0],
            "certified_last": last,
        }
    firm.edit_past_performance(session, analyst, now, entered, None)


def revise(
    session: Session, analyst: Actor, market: Market, model_id: uuid.UUID, on: dt.date
) -> None:
    """The second version of the large model."""
    parts = _constituents(market.stocks, LARGE_REVISED)
    models.add_version(session, analyst, _morning(on), model_id, LARGE_REVISED_WORDS, parts)


def subscribe(
    session: Session,
    analyst: Actor,
    model_id: uuid.UUID,
    started_on: Mapping[uuid.UUID, dt.date],
) -> None:
    """Let clients follow a model, each from the day they came."""
    for client_id, day in started_on.items():
        added = {client_id: None}
        models.change_subscribers(session, analyst, _morning(day), model_id, added, ())


def _morning(day: dt.date) -> dt.datetime:
    return dt.datetime.combine(day, dt.time(10, 30, tzinfo=clock.INDIA))


def _constituents(stocks: Sequence[Listed], weights: Sequence[int]) -> list[Constituent]:
    return [
        Constituent(stock, Percent(weight)) for stock, weight in zip(stocks, weights, strict=False)
    ]


def restrict(
    session: Session,
    analyst: Actor,
    now: dt.datetime,
    stocks: Sequence[Listed],
    ids: Sequence[uuid.UUID],
) -> None:
    """Of four clients, the 3rd, 6th, 10th and 15th: what is inherited, refused, capped, and both."""
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
