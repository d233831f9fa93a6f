"""The registers of the demo firm: complaints, certificates, declarations, advertisements, handles."""

import datetime as dt
import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from tarazu.domain.charges import Side
from tarazu.instruments import service as instruments
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.registers import service as registers
from tarazu.registers.tables import Holder, InterestKind

_RESOLVED = "We explained it by mail and by phone; the client agreed."
# Days before today of receipt and resolution, and what it was about.
_COMPLAINTS = (
    (96, 88, "Directly from investors", "", "Letter came a day late", "Service"),
    (41, 29, "SEBI (SCORES)", "SCORES/24118", "Fee of the second quarter not understood", "Fees"),
)
# Of the first and the second member of staff: days since the certificate began and until it ends.
_CERTIFICATES = ((640, 455, "NISM-201500187342"), (1_072, 24, "NISM-202100094417"))
_TOOL = {
    "name": "Filing summaries",
    "extent": "A language model summarises company filings for our analysts. It chooses no stock, "
    "sets no weight and is given no client data.",
    "extent_hi": "",
}
_HANDLES = (("Website", "sahyadri.example"), ("X", "@sahyadri_demo"), ("Telegram", "t.me/sahyadri"))


def keep(
    session: Session, staff: Sequence[Actor], now: dt.datetime, client_ids: Sequence[uuid.UUID]
) -> None:
    """Fill the registers as a careful firm has them: nothing overdue, one certificate near its end.

    Args:
        staff: the analyst first.
        client_ids: those who complained, as many as there are complaints, or more.
    """
    analyst, today = staff[0], day_in_india(now)
    for client_id, (came, resolved, *texts) in zip(client_ids, _COMPLAINTS, strict=False):
        _complain(session, analyst, now, client_id, (came, resolved), texts)
    for person, (begun, left, number) in zip(staff, _CERTIFICATES, strict=True):
        fields = {
            "staff_id": person.account_id,
            "series": "XV",
            "number": number,
            "valid_from": today - dt.timedelta(days=begun),
            "valid_until": today + dt.timedelta(days=left),
            "file": None,
        }
        registers.add_certificate(session, analyst, now, fields)
    _declare(session, staff, now)
    since = today - dt.timedelta(days=200)
    registers.add_tool(session, analyst, now, {**_TOOL, "since": since, "until": None})
    for platform, handle in _HANDLES:
        fields = {"platform": platform, "handle": handle, "since": since, "until": None}
        registers.add_handle(session, analyst, now, fields)
    _advertise(session, analyst, now)


def _complain(
    session: Session,
    analyst: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    days: tuple[int, int],
    texts: Sequence[str],
) -> None:
    channel, reference, subject, nature = texts
    received_on, resolved_on = (day_in_india(now) - dt.timedelta(days=ago) for ago in days)
    fields: dict[str, Any] = {
        "received_on": received_on,
        "client_id": client_id,
        "complainant": "",
        "channel": channel,
        "reference": reference,
        "subject": subject,
        "nature": nature,
        "resolved_on": resolved_on,
        "resolution": _RESOLVED,
    }
    registers.add_complaint(session, analyst, now, fields)


def _declare(session: Session, staff: Sequence[Actor], now: dt.datetime) -> None:
    """A holding of the analyst's father, and a trade of the other member of staff."""
    today = day_in_india(now)
    declared = (
        (staff[0], "MRF", InterestKind.HOLDING, Holder.RELATIVE, "Father", None, 3, 820),
        (staff[1], "PAGEIND", InterestKind.TRADE, Holder.SELF, "", Side.BUY, 2, 63),
    )
    for person, symbol, kind, holder, relative, side, quantity, days_ago in declared:
        fields = {
            "staff_id": None,
            "kind": kind,
            "holder": holder,
            "relative": relative,
            "side": side,
            "quantity": quantity,
            "dated_on": today - dt.timedelta(days=days_ago),
        }
        stock = instruments.by_symbol(session, "NSE", symbol)
        registers.add_declaration(session, person, now, fields, stock)


def _advertise(session: Session, analyst: Actor, now: dt.datetime) -> None:
    today = day_in_india(now)
    released = {
        "title": "Model portfolios page",
        "medium": "Website",
        "text": "Two model portfolios with their rationale, published and reviewed by a "
        "SEBI-registered Research Analyst. Read the risks before you subscribe.",
        "approval_number": "RAASB/AD/2026/0417",
        "approved_on": today - dt.timedelta(days=70),
    }
    entry = registers.add_advertisement(session, analyst, now, released).entry
    registers.release_advertisement(
        session, analyst, now, entry.id, today - dt.timedelta(days=66), None
    )
    draft = {
        "title": "Festival post",
        "medium": "X",
        "text": "Light up your portfolio with the best research in town.",
        "approval_number": "",
        "approved_on": None,
    }
    registers.add_advertisement(session, analyst, now, draft)
