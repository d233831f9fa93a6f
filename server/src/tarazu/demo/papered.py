"""The papers of the demo firm's clients: nearly all are there, as at a firm that works on it."""

import datetime as dt
import uuid
from collections.abc import Mapping
from typing import Final

from sqlalchemy.orm import Session

from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import INDIA, day_in_india
from tarazu.papers import service as papers
from tarazu.papers.service import Kyc, PageVisit
from tarazu.papers.tables import ConsentKind, ConsentText, KycStatus
from tarazu.people import service as people
from tarazu.people.service import Client

_HOUR: Final = dt.time(17, 30, tzinfo=INDIA)
_LATER: Final = dt.timedelta(days=45)
"""How long ago the second version of the terms came."""
_SAYS: Final = "Text of a demonstration firm. "
_TEXTS: Final[Mapping[ConsentKind, tuple[str, str]]] = {
    ConsentKind.TERMS: (
        (
            "We give research on listed stocks for a yearly fee, paid by bank or UPI and never in cash.\n"
            "You decide and trade on your own; we never place an order for you.\n"
            "Either side may end the service. The fee of the days not served is then paid back."
        ),
        "हम वार्षिक शुल्क पर सूचीबद्ध शेयरों पर शोध देते हैं। शुल्क बैंक या UPI से दिया जाता है, नकद कभी नहीं।",
    ),
    ConsentKind.MITC: (
        (
            "The most important terms and conditions that the regulator prescribes belong here, word for "
            "word."
        ),
        "",
    ),
    ConsentKind.DATA: (
        (
            "We keep your name, contact, PAN, holdings and our advice to serve you, and for as long as the "
            "law asks. You may withdraw this consent."
        ),
        "आपकी सेवा के लिए हम आपका नाम, संपर्क, PAN, होल्डिंग्स और अपनी सलाह रखते हैं। आप यह सहमति वापस ले सकते हैं।",
    ),
    ConsentKind.AI: (
        (
            "A language model summarises company filings for our analysts. It chooses no stock and is given "
            "no client data."
        ),
        "",
    ),
    ConsentKind.HOLDINGS: (
        "We read your holdings at your broker to compute our advice. You may withdraw this consent.",
        "",
    ),
}
_NEW_TERMS: Final = "\nInvoices are sent by mail on the day of payment."


def keep(
    session: Session, analyst: Actor, now: dt.datetime, joined_on: Mapping[uuid.UUID, dt.date]
) -> None:
    """Enter the firm's texts, and what each client gave on the day of joining and since.

    Of the new version of the terms some clients have not heard; a few lack KYC; one withdrew.
    """
    changed_at = dt.datetime.combine(day_in_india(now) - _LATER, _HOUR)
    first_day = min(*joined_on.values(), changed_at.date()) - dt.timedelta(days=30)
    texts = [_add(session, analyst, kind, first_day, "") for kind in ConsentKind]
    clients = people.clients_of(session, joined_on)
    new_terms = _add(session, analyst, ConsentKind.TERMS, changed_at.date(), _NEW_TERMS)
    for place, (client_id, day) in enumerate(joined_on.items(), start=1):
        client, at = clients[client_id], dt.datetime.combine(day, _HOUR)
        visit = PageVisit(f"203.0.113.{place}", "Demonstration", client.language, "")
        for text in texts:
            if text.kind is not ConsentKind.TERMS or at < changed_at:
                papers.give_on_page(session, client, at, text.id, visit)
        if at >= changed_at or place % 15 != 0:
            papers.give_on_page(session, client, max(at, changed_at), new_terms.id, visit)
        if place % 20 != 0:
            _enter_kyc(session, analyst, client, at, place)
        if place == len(joined_on) // 2:
            since = max(at, changed_at) + dt.timedelta(hours=1)
            papers.withdraw_on_page(session, client, since, ConsentKind.HOLDINGS, visit)


def _add(
    session: Session, analyst: Actor, kind: ConsentKind, day: dt.date, more: str
) -> ConsentText:
    english, hindi = _TEXTS[kind]
    at = dt.datetime.combine(day, dt.time(10), INDIA)
    return papers.add_text(session, analyst, at, kind, day, _SAYS + english + more, hindi)


def _enter_kyc(
    session: Session, analyst: Actor, client: Client, at: dt.datetime, place: int
) -> None:
    initial = client.name.rpartition(" ")[2][:1].upper()
    status = KycStatus.ON_HOLD if place % 33 == 0 else KycStatus.VALIDATED
    kyc = Kyc(f"DEMP{initial}{place:04d}A", status, at.date(), "")
    papers.set_kyc(session, analyst, at, client.id, kyc, None)
