"""What tests enter of the papers of clients: the firm's texts, KYC and consents."""

from typing import Any

from httpx2 import Response

from tarazu.kit import clock
from tests.people_of import Desk, data_of

PDF = b"%PDF-1.7\nSigned\n%%EOF\n"
KINDS = ("TERMS", "MITC", "DATA", "AI", "HOLDINGS")


def path_of(client_id: str, call: str) -> str:
    return f"/admin/clients/client/{client_id}/{call}"


def add_text(desk: Desk, kind: str = "TERMS", since: str = "", **more: str) -> Response:
    """A version of a text of the firm, in force from today unless `since` says another day."""
    body = {"kind": kind, "effectiveOn": since or str(clock.today()), "text": f"{kind} in English."}
    return desk.post("/settings/consent-texts", body | more)


def record(desk: Desk, client_id: str, file: bytes = PDF, **fields: Any) -> Response:
    """A consent on paper to the first version of the terms, given today."""
    sent = {"kind": "TERMS", "number": "1", "givenOn": str(clock.today())} | fields
    return desk.upload(path_of(client_id, "consents"), "signed.pdf", file, **sent)


def consents(desk: Desk, client_id: str) -> dict[str, Any]:
    """A client's consents by kind."""
    return {row["kind"]: row for row in data_of(desk.get(path_of(client_id, "consents")))}


def set_kyc(desk: Desk, client_id: str, **fields: Any) -> Response:
    """A validated KYC of today."""
    body = {"pan": "ABCPK1234F", "status": "VALIDATED", "statusOn": str(clock.today())}
    return desk.put(path_of(client_id, "kyc"), body | fields)
