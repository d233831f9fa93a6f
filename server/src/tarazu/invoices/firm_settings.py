"""What the firm's invoices carry, and the state and GSTIN of each client."""

import datetime as dt
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy.orm import Session

from tarazu.domain.gst import LONGEST_NUMBER, fits_handle, is_valid_gstin, number_of
from tarazu.invoices import queries
from tarazu.invoices.errors import UnfitGstin, UnfitSettings
from tarazu.invoices.rules import rule_on
from tarazu.invoices.tables import ClientBilling, InvoiceSettings
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.errors import StaleVersion
from tarazu.people import service as people

MOST_SERIAL: Final = 99_999
"""Documents a year for which a prefix must leave room in the number."""


@dataclass(frozen=True, slots=True)
class Billing:
    """A client's state code and GSTIN, "" while not known; version 0 before the first entry."""

    state_code: str = ""
    gstin: str = ""
    version: int = 0


def invoice_settings(session: Session) -> InvoiceSettings:
    """What the firm's invoices carry."""
    return queries.settings(session)


def edit_invoice_settings(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    entered: Mapping[str, Any],
    version: int | None,
) -> InvoiceSettings:
    """Change settings by name; what is not given stays.

    Raises:
        StaleVersion: somebody changed them since `version`.
        UnfitSettings: they cannot be; the text says why.
    """
    settings = queries.settings(session, for_update=True)
    if version not in {None, settings.version}:
        raise StaleVersion
    changes, today = _changed(settings, entered), day_in_india(now)
    _check(settings, rule_on(session, today).upi_pattern)
    lacks_upi = settings.bank_line and not settings.upi_id
    settings.without_upi_since = (settings.without_upi_since or today) if lacks_upi else None
    settings.version += 1
    settings.updated_at = now
    session.flush()
    about = ("invoice_settings", settings.id)
    audit_log.record(session, actor, now, "invoice_settings_edited", about, changes)
    return settings


def _check(settings: InvoiceSettings, upi_pattern: str) -> None:
    if settings.gstin and not is_valid_gstin(settings.gstin):
        raise _unfit("gstin", UnfitGstin.message)
    if settings.upi_id and not fits_handle(settings.upi_id, upi_pattern):
        raise _unfit(
            "upiId",
            f"This is not a validated UPI ID. It has the shape {upi_pattern}, such as "
            "name.ra@validhdfc.",
        )
    prefixes = {"invoicePrefix": settings.invoice_prefix, "creditPrefix": settings.credit_prefix}
    for field, prefix in prefixes.items():
        longest = number_of(prefix, dt.date(2026, 4, 1), MOST_SERIAL)
        if len(longest) > LONGEST_NUMBER:
            raise _unfit(field, f"{longest} would be longer than {LONGEST_NUMBER} characters.")
    if settings.invoice_prefix == settings.credit_prefix:
        raise _unfit("creditPrefix", "Credit notes need a prefix of their own.")


def _unfit(field: str, message: str) -> UnfitSettings:
    return UnfitSettings(message, errors=[{"field": field, "message": message}])


def billing_of(session: Session, client_id: uuid.UUID) -> Billing:
    """A client's state and GSTIN.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    row = queries.billing_of(session, client_id)
    return Billing(row.state_code, row.gstin, row.version) if row else Billing()


def edit_billing(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    entered: Mapping[str, Any],
    version: int | None,
) -> Billing:
    """Set a client's state and GSTIN; a GSTIN decides the state.

    Raises:
        ClientNotFound: there is no such client.
        StaleVersion: somebody changed them since `version`.
        UnfitGstin: the GSTIN is not valid, or of another state.
    """
    people.client(session, client_id)
    row = queries.billing_of(session, client_id)
    if version not in {None, row.version if row else 0}:
        raise StaleVersion
    if row is None:
        row = ClientBilling(client_id=client_id, state_code="", gstin="", version=0)
        session.add(row)
    changes = _changed(row, entered)
    if row.gstin:
        _check_gstin(row)
    row.version += 1
    row.updated_at = now
    session.flush()
    audit_log.record(session, actor, now, "billing_edited", ("client", client_id), changes)
    return Billing(row.state_code, row.gstin, row.version)


def _check_gstin(row: ClientBilling) -> None:
    message = None
    if not is_valid_gstin(row.gstin):
        message = UnfitGstin.message
    elif row.state_code not in {"", row.gstin[:2]}:
        message = f"This GSTIN is of state {row.gstin[:2]}, not of {row.state_code}."
    if message:
        raise UnfitGstin(message, errors=[{"field": "gstin", "message": message}])
    row.state_code = row.gstin[:2]


def _changed(row: Any, entered: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Set columns by name; what they were and are, by the names that changed."""
    changes = {}
    for name, value in entered.items():
        before = getattr(row, name)
        if before != value:
            setattr(row, name, value)
            changes[name] = [before, value]
    return changes
