"""The sample client: made up, marked as such, and counted in no figure of the firm."""

import datetime as dt
from decimal import Decimal
from typing import Final

from sqlalchemy.orm import Session

from tarazu.domain.money import Rupees, rounded
from tarazu.instruments import service as instruments
from tarazu.instruments.errors import InstrumentNotFound
from tarazu.kit.audit_log import Actor
from tarazu.people import service as people
from tarazu.people.service import Client, NewPerson
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import NewHolding, Statement

_SAMPLE: Final = NewPerson("Sample Client", "sample.client@example.invalid")
_SOURCE: Final = "SAMPLE"
_CASH: Final = Rupees(85_000)
_COST: Final = Decimal("0.9")
"""What a share of the sample cost, as a part of the reference close that the product comes with."""
_SHARES: Final = {
    "RELIANCE": 240,
    "HDFCBANK": 130,
    "INFY": 90,
    "TCS": 30,
    "ITC": 400,
    "LT": 25,
    "SUNPHARMA": 60,
    "TITAN": 20,
}
"""A third of it in one stock, so that a rebalance has something to do."""
_PAISA: Final = 2


def load_sample_client(session: Session, actor: Actor, now: dt.datetime) -> Client:
    """Make the sample client with holdings and cash, or bring it back as it was removed.

    Raises:
        EmailTaken, EmailTakenMeanwhile: a client or member of staff has its e-mail address.
    """
    portfolio.lock_accounts(session)
    present = people.sample_client(session)
    if present is not None:
        return people.restore_client(session, actor, now, present.id)
    client = people.add_sample_client(session, actor, now, _SAMPLE)
    portfolio.open_accounts(session, now, [client.id], counted=False)
    holdings = {}
    for symbol, quantity in _SHARES.items():
        try:
            stock = instruments.by_symbol(session, "NSE", symbol)
        except InstrumentNotFound:
            # A stock that left the list of instruments is left out of the sample too.
            continue
        cost = rounded(stock.reference_close * _COST, _PAISA)
        holdings[stock.id] = NewHolding(quantity, cost)
    # The row of the new client says it all: that it is the sample.
    portfolio.take_statements(session, now, {client.id: Statement(holdings, _CASH)}, _SOURCE)
    return client
