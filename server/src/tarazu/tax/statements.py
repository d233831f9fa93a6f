"""The statement of a client's realised gains as a PDF."""

import datetime as dt
import uuid

from sqlalchemy.orm import Session

from tarazu.firm import service as firm
from tarazu.people.service import Client
from tarazu.tax.adapters.statement import StatementContents, statement_of
from tarazu.tax.years import year_of


def gains_statement(
    session: Session, client_id: uuid.UUID, year: str | None, author: str, now: dt.datetime
) -> tuple[Client, str, bytes]:
    """The client, and the statement's file name and PDF.

    Raises:
        ClientNotFound: there is no such client.
        UnknownTaxYear: see `years.tax_year_named`.
    """
    shown = year_of(session, client_id, year, now)
    contents = StatementContents(
        firm=firm.registration(session),
        author=author,
        made_at=now,
        client=shown.client,
        year=shown.year,
        rates=shown.rates,
        income=shown.income.income,
        gains=shown.gains,
        schedule=shown.schedule,
        realised=shown.realised,
        tax=shown.tax,
        dividends=shown.dividends,
        speculations=shown.speculations,
        left_out=shown.left_out,
        lines=shown.lines,
    )
    return shown.client, contents.file_name, statement_of(contents)
