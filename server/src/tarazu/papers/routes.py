"""Routes of the papers of clients: KYC, consents, and the firm's texts."""

import uuid
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import File, Form, Response, UploadFile
from sqlalchemy.orm import Session

from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, Staff, authorized_router
from tarazu.kit.db import OpenSession, WriteSession
from tarazu.kit.downloads import attachment, note_taken
from tarazu.kit.fields import Day
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.schemas import Reply, Whole, reply
from tarazu.kit.translation import Language
from tarazu.papers import service
from tarazu.papers.schemas import (
    ConsentsToText,
    EnteredKyc,
    EnteredText,
    KycShown,
    VersionedTextShown,
)
from tarazu.papers.service import Kyc, PaperConsent
from tarazu.papers.tables import ConsentKind
from tarazu.people import service as people

router = authorized_router("")

_CLIENT = "/admin/clients/client/{client_id}"
_TEXTS = "/settings/consent-texts"


@router.get(f"{_CLIENT}/kyc")
def show_kyc(client_id: uuid.UUID, session: OpenSession, _: Staff) -> Reply[KycShown]:
    return reply(_kyc(session, client_id, service.kyc_of(session, client_id)))


@router.put(f"{_CLIENT}/kyc")
def set_kyc(
    client_id: uuid.UUID, body: EnteredKyc, session: OpenSession, caller: Staff
) -> Reply[KycShown]:
    entered = Kyc(body.pan, body.status, body.status_on, body.note)
    saved = service.set_kyc(session, caller, clock.now(), client_id, entered, body.version)
    return reply(_kyc(session, client_id, saved), "Saved.")


def _kyc(session: Session, client_id: uuid.UUID, kyc: Kyc) -> KycShown:
    client = people.client(session, client_id)
    return KycShown.of(kyc, kind=client.kind, family=client.family)


@router.get(f"{_CLIENT}/consents")
def list_consents(
    client_id: uuid.UUID, session: OpenSession, _: Staff
) -> Reply[list[ConsentsToText]]:
    return reply(ConsentsToText.rows(service.consents_of(session, client_id, clock.today())))


@router.post(f"{_CLIENT}/consents", status_code=HTTPStatus.CREATED)
def record_consent(
    client_id: uuid.UUID,
    session: OpenSession,
    caller: Staff,
    kind: Annotated[ConsentKind, Form()],
    number: Annotated[Whole, Form()],
    given_on: Annotated[Day, Form(alias="givenOn")],
    file: Annotated[UploadFile, File()],
    language: Annotated[Language, Form()] = Language.EN,
) -> Reply[list[ConsentsToText]]:
    now = clock.now()
    content = file.file.read()
    paper = PaperConsent(kind, number, language, given_on, file.filename or "", content)
    service.record_on_paper(session, caller, now, client_id, paper)
    rows = service.consents_of(session, client_id, clock.day_in_india(now))
    return reply(ConsentsToText.rows(rows), "Consent recorded")


@router.post(f"{_CLIENT}/consents/{{consent_id}}/withdraw")
def withdraw_consent(
    client_id: uuid.UUID, consent_id: uuid.UUID, session: OpenSession, caller: Staff
) -> Reply[list[ConsentsToText]]:
    now = clock.now()
    service.withdraw(session, caller, now, client_id, consent_id)
    rows = service.consents_of(session, client_id, clock.day_in_india(now))
    return reply(ConsentsToText.rows(rows), "Withdrawal recorded")


@router.get(f"{_CLIENT}/consents/{{consent_id}}/file", response_class=Response)
def download_consent(
    client_id: uuid.UUID,
    consent_id: uuid.UUID,
    session: OpenSession,
    trail_session: WriteSession,
    caller: Staff,
) -> Response:
    client = people.client(session, client_id)
    file = service.consent_file(session, client_id, consent_id)
    changes = {"what": "consent", "consentId": consent_id, "file": file.sha256}
    note_taken(trail_session, caller, clock.now(), client, changes)
    return attachment(
        file.content, f"consent-{client.code}-{file.sha256[:12]}.{file.extension}", file.media_type
    )


@router.get(_TEXTS)
def list_consent_texts(session: OpenSession, _: Admin) -> Reply[list[VersionedTextShown]]:
    return reply(VersionedTextShown.rows(service.texts_on(session, clock.today())))


@router.post(_TEXTS, status_code=HTTPStatus.CREATED, response_model=Reply[list[VersionedTextShown]])
def add_consent_text(
    body: EnteredText, session: OpenSession, caller: Admin, once: OnceOnly
) -> Response:
    now = clock.now()

    def act() -> Any:
        service.add_text(
            session, caller, now, body.kind, body.effective_on, body.text, body.text_hi
        )
        texts = service.texts_on(session, clock.day_in_india(now))
        return reply(VersionedTextShown.rows(texts), "Version saved")

    return once.run(session, act, Reply[list[VersionedTextShown]], HTTPStatus.CREATED)
