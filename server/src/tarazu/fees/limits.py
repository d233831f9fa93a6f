"""The limits of the regulator: what a family may be charged in twelve months, and how far ahead."""

import datetime as dt
import uuid
from collections.abc import Collection

from sqlalchemy.orm import Session

from tarazu.domain.fee_limits import (
    YearOverLimit,
    fees_of_twelve_months,
    first_of_twelve_months,
    last_day_in_advance,
    years_over_limit,
)
from tarazu.domain.money import ZERO
from tarazu.fees import queries
from tarazu.fees.errors import FeeOverLimit, TooFarAhead
from tarazu.fees.figures import charge_of, charged_on
from tarazu.fees.overview import terms_by_id
from tarazu.fees.tables import Fee
from tarazu.invoices import service as invoices
from tarazu.invoices.service import FamilyYear
from tarazu.invoices.tables import CapBehaviour
from tarazu.kit.formatting import day_of, rupees
from tarazu.people import service as people
from tarazu.people.tables import ClientKind

_LIMITED = frozenset({ClientKind.INDIVIDUAL, ClientKind.HUF})
"""Kinds of clients whose fees the yearly limit counts, unless they are accredited investors."""


def renew_limits(session: Session, client_ids: Collection[uuid.UUID]) -> None:
    """Set which fees of the families of these clients are over the yearly limit."""
    session.flush()
    renewed: set[uuid.UUID] = set()
    for client_id in client_ids:
        if client_id in renewed:
            continue
        family = people.family_of(session, client_id)
        renewed |= family
        for fee, year in _years_of(session, family):
            fee.over_limit = year.excess if year else ZERO
            fee.limit_until = year.last_day if year else None
    session.flush()


def _years_of(
    session: Session, family: Collection[uuid.UUID]
) -> list[tuple[Fee, YearOverLimit | None]]:
    """Each charged fee of a family, with the twelve months in which it passes the limit."""
    terms = terms_by_id(session)
    charged = queries.charged_to(session, family)
    counted = _limited(session, charged)
    years = years_over_limit(charge_of(fee, terms.get(fee.schedule_id)) for fee in counted)
    by_id = dict(zip((fee.id for fee in counted), years, strict=True))
    return [(fee, by_id.get(fee.id)) for fee in charged]


def _limited(session: Session, charged: Collection[Fee]) -> list[Fee]:
    """Those of these fees that the yearly limit counts; an accreditation is that of the fee's day."""
    standings = people.standings_of(session, {fee.client_id for fee in charged})
    return [
        fee
        for fee in charged
        if standings[fee.client_id].kind in _LIMITED
        and not standings[fee.client_id].is_accredited_on(charged_on(fee))
    ]


def refuse_over_limit(session: Session, fee: Fee) -> None:
    """Refuse a fee over its family's yearly limit, where the firm has chosen that.

    Raises:
        FeeOverLimit: the text has the sum of twelve months, the fee, the limit and the excess.
    """
    if fee.over_limit <= ZERO:
        return
    if invoices.invoice_settings(session).cap_behaviour is not CapBehaviour.REFUSE:
        return
    family = people.family_of(session, fee.client_id)
    year = next(year for each, year in _years_of(session, family) if each.id == fee.id)
    if year is not None:
        raise FeeOverLimit(sentence_of(year))


def sentence_of(year: YearOverLimit) -> str:
    """The arithmetic of a fee over the yearly limit, and what to do."""
    first = day_of(first_of_twelve_months(year.last_day))
    return (
        f"Family fees from {first} to {day_of(year.last_day)}: {rupees(year.others)} + this fee "
        f"{rupees(year.fee)} = {rupees(year.total)}. The limit for twelve months is "
        f"{rupees(year.limit)}: {rupees(year.excess)} over. Charge less, or charge later."
    )


def refuse_too_far_ahead(
    session: Session, fee: Fee, today: dt.date, paid_on: dt.date | None = None
) -> None:
    """Refuse a fee that covers more in advance than the rules of today allow.

    The advance counts from the payment, or from today before it, or from a later start.

    Raises:
        TooFarAhead: the text names the last day that it may cover.
    """
    months, charged_on = invoices.rule_on(session, today).advance_months, paid_on or today
    if months is None or fee.final_on is None:
        return
    last_day = last_day_in_advance(charged_on, fee.starting_on, months)
    if fee.final_on > last_day:
        raise TooFarAhead(
            f"A fee may cover at most {months} months in advance: charged on {day_of(charged_on)}, "
            f"it may cover the days up to {day_of(last_day)}, not {day_of(fee.final_on)}. Choose an "
            "earlier final date."
        )


def family_year_of(session: Session, fee: Fee) -> FamilyYear:
    """What the family of a fee was charged in the twelve months that end with it."""
    last_day = charged_on(fee)
    terms = terms_by_id(session)
    family = people.family_of(session, fee.client_id)
    charged = queries.charged_to(session, family)
    limited = _limited(session, charged)
    is_limited = bool(_limited(session, [fee]))
    counted = limited if is_limited else charged
    charges = [charge_of(each, terms.get(each.schedule_id)) for each in counted]
    own = terms.get(fee.schedule_id)
    return FamilyYear(
        first_of_twelve_months(last_day),
        last_day,
        fees_of_twelve_months(charges, last_day),
        own.yearly_limit if own and is_limited else None,
    )
