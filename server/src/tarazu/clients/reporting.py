"""A client's portfolio report as a PDF, at one reading of the prices."""

import datetime as dt
import uuid

from sqlalchemy.orm import Session

from tarazu.clients import benchmarking, portfolios, returns
from tarazu.clients.adapters.report import ReportContents, report_of
from tarazu.clients.showing import own_account_words
from tarazu.fees import service as fees
from tarazu.firm import service as firm
from tarazu.kit.fields import DayRange
from tarazu.people import service as people
from tarazu.people.service import Client
from tarazu.portfolio import service as portfolio


def contents_of(
    session: Session, client_id: uuid.UUID, author: str, now: dt.datetime
) -> ReportContents:
    """The contents of a client's report at `now`.

    Raises:
        ClientNotFound: there is no such client.
    """
    client = people.client(session, client_id)
    view = portfolios.portfolio_of(session, client_id, now)
    stocks, valued = portfolios.holdings(session, client_id, now)
    since = view.account.started_on
    performed = benchmarking.performance(session, client_id, now, DayRange())
    flows = [
        flow
        for flow in portfolio.cash_flows_of(session, client_id)
        if since is None or flow.date >= since
    ]
    return ReportContents(
        firm=firm.registration(session),
        client=client,
        author=author,
        made_at=now,
        view=view,
        stocks=tuple(zip(stocks, valued.rows, strict=True)),
        totals=valued.totals,
        flows=tuple(flows),
        fees=tuple(fees.list_fees(session, client_id)),
        returned=returns.returns_of(session, client_id, now),
        days=performed.days,
        benchmark=performed.benchmark,
        series=performed.series,
        words=own_account_words(session, now),
    )


def report(
    session: Session, client_id: uuid.UUID, author: str, now: dt.datetime
) -> tuple[Client, str, bytes]:
    """The client, and the report's file name and PDF.

    Raises:
        ClientNotFound: there is no such client.
    """
    contents = contents_of(session, client_id, author, now)
    return contents.client, contents.file_name, report_of(contents)
