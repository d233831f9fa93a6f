"""Certificates of staff: their register, their files, and the check before a send."""

import hashlib
from typing import Any

import pytest

from tests.advice.conftest import AdviceDesk
from tests.people_of import Desk, data_of, reply_of
from tests.registers.conftest import check_of

pytestmark = pytest.mark.on_both

PATH = "/admin/registers/certificates"
PDF = b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"


def body_of(own_id: str, **fields: Any) -> dict[str, Any]:
    return {
        "staffId": own_id,
        "series": "XV",
        "number": "NISM-201500187342",
        "validFrom": "2024-02-20",
        "validUntil": "2027-02-19",
    } | fields


def upload(desk: Desk, content: bytes = PDF, name: str = "nism.pdf") -> Any:
    return desk.upload("/admin/registers/files", name, content)


def test_a_certificate_is_listed_with_its_days(desk: Desk, own_id: str) -> None:
    row = data_of(desk.post(PATH, body_of(own_id)))

    assert (row["staffName"], row["state"], row["daysLeft"]) == ("Ananya Kulkarni", "EXPIRING", 86)
    assert row["warningDays"] == 90
    assert data_of(desk.get(PATH)) == [row]
    assert data_of(desk.get(PATH, query="ananya")) == [row]
    assert data_of(desk.get(PATH, query="farhan")) == []


@pytest.mark.parametrize(
    ("valid_until", "state", "warning"),
    [
        ("2027-02-24", "VALID", None),
        ("2027-02-23", "EXPIRING", 90),
        ("2026-12-25", "EXPIRING", 30),
        ("2026-11-25", "EXPIRING", 0),
        ("2026-11-24", "EXPIRED", 0),
    ],
)
def test_it_is_warned_of_ninety_thirty_and_no_days_before_its_end(
    desk: Desk, own_id: str, valid_until: str, state: str, warning: int | None
) -> None:
    row = data_of(desk.post(PATH, body_of(own_id, validUntil=valid_until)))

    assert (row["state"], row["warningDays"]) == (state, warning)


def test_a_renewal_takes_the_place_of_the_old_one(desk: Desk, own_id: str) -> None:
    desk.post(PATH, body_of(own_id, validUntil="2026-11-01"))
    desk.post(PATH, body_of(own_id, validFrom="2026-11-02", validUntil="2029-11-01"))

    states = [row["state"] for row in data_of(desk.get(PATH))]

    assert states == ["VALID", "RENEWED"]


def test_an_expired_certificate_is_not_renewed_in_the_past(desk: Desk, own_id: str) -> None:
    desk.post(PATH, body_of(own_id, validUntil="2025-11-01"))

    answer = desk.post(PATH, body_of(own_id, validFrom="2025-11-02", validUntil="2026-11-24"))

    assert reply_of(answer) == (
        422,
        (
            "The certificate until 1 Nov 2025 cannot be renewed with one that has expired itself, "
            "on 24 Nov 2026. Enter one that is valid today."
        ),
    )
    assert len(data_of(desk.get(PATH))) == 1


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"validUntil": "2024-02-20"}, "A certificate ends after the day on which it begins."),
        (
            {"validFrom": "2026-11-26"},
            "This day is in the future: enter the certificate once it is valid.",
        ),
        ({"series": "VIII"}, "Choose one of: XV, XXV-A."),
        ({"number": " "}, "Number is required"),
    ],
)
def test_unfit_certificates_are_refused(
    desk: Desk, own_id: str, fields: dict[str, str], sentence: str
) -> None:
    assert reply_of(desk.post(PATH, body_of(own_id, **fields))) == (422, sentence)
    assert data_of(desk.get(PATH)) == []


def test_the_same_certificate_is_entered_once_and_a_client_has_none(
    desk: Desk, own_id: str
) -> None:
    desk.post(PATH, body_of(own_id))

    assert reply_of(desk.post(PATH, body_of(own_id, number="other"))) == (
        422,
        "This certificate is in the register already.",
    )
    assert desk.post(PATH, body_of(desk.add_client())).status_code == 404


def test_a_file_is_stored_by_its_hash_and_given_back(desk: Desk, own_id: str) -> None:
    file = data_of(upload(desk))
    row = data_of(desk.post(PATH, body_of(own_id, file=file["sha256"])))

    answer = desk.get(f"{PATH}/{row['_id']}/file")

    assert file["sha256"] == hashlib.sha256(PDF).hexdigest()
    assert row["fileName"] == "nism.pdf"
    assert (answer.content, answer.headers["content-type"]) == (PDF, "application/pdf")
    assert "attachment" in answer.headers["content-disposition"]


@pytest.mark.parametrize(
    ("content", "status", "sentence"),
    [
        (
            b"<script>alert(1)</script>",
            422,
            "The file is not a PDF, PNG or JPEG. Choose one of these.",
        ),
        (b"", 422, "The file is not a PDF, PNG or JPEG. Choose one of these."),
        (PDF[:-8], 422, "The file is not a PDF, PNG or JPEG. Choose one of these."),
        (b"%PDF-1.7" + b" " * (2 << 20) + b"%%EOF", 413, "The file is larger than 2 MB."),
    ],
)
def test_files_of_a_wrong_kind_or_size_are_refused(
    desk: Desk, content: bytes, status: int, sentence: str
) -> None:
    assert reply_of(upload(desk, content)) == (status, sentence)


def test_a_certificate_without_its_file_or_with_an_unknown_one(desk: Desk, own_id: str) -> None:
    row = data_of(desk.post(PATH, body_of(own_id)))

    assert desk.get(f"{PATH}/{row['_id']}/file").status_code == 404
    assert desk.post(PATH, body_of(own_id, file="0" * 64)).status_code == 404


def test_without_a_certificate_a_sender_is_warned(advice: AdviceDesk) -> None:
    check = check_of(advice, "certificate")

    assert (check["level"], check["text"]) == (
        "WARN",
        "No certificate of Ananya Kulkarni is recorded.",
    )
    assert advice.sent()


def test_an_expired_certificate_refuses_the_send(advice: AdviceDesk, own_id: str) -> None:
    advice.desk.post(PATH, body_of(own_id, validUntil="2026-11-24"))
    body = advice.advice_of(advice.rebalanced(), rationale="Quality.")

    answer = advice.send(body)

    assert reply_of(answer) == (
        422,
        (
            "The certificate XV of Ananya Kulkarni expired on 24 Nov 2026. Renew it, or let "
            "somebody else send."
        ),
    )
    assert advice.history() == []


def test_the_firm_may_let_an_expired_certificate_only_warn(advice: AdviceDesk, own_id: str) -> None:
    advice.desk.post(PATH, body_of(own_id, validUntil="2026-11-24"))

    saved = data_of(
        advice.desk.put(
            "/admin/settings/guards", {"guards": [{"id": "certificate", "level": "WARN"}]}
        )
    )

    assert {row["id"]: row["level"] for row in saved}["certificate"] == "WARN"
    assert check_of(advice, "certificate")["level"] == "WARN"
    assert advice.sent()
    (row,) = [
        row
        for row in data_of(advice.desk.get("/admin/audit"))
        if row["action"] == "send_guards_edited"
    ]
    assert row["changes"] == [{"field": "certificate", "before": "BLOCK", "after": "WARN"}]


def test_a_valid_certificate_passes_and_one_near_its_end_warns(
    advice: AdviceDesk, own_id: str
) -> None:
    row = data_of(advice.desk.post(PATH, body_of(own_id, validUntil="2028-02-19")))
    assert check_of(advice, "certificate")["level"] == "OK"

    advice.desk.put(f"{PATH}/{row['_id']}", body_of(own_id, validUntil="2026-12-05"))

    check = check_of(advice, "certificate")
    assert (check["level"], check["text"]) == (
        "WARN",
        "The certificate XV of Ananya Kulkarni expires on 5 Dec 2026: 10 days left.",
    )


def test_unknown_guards_and_levels_are_refused(desk: Desk) -> None:
    before = data_of(desk.get("/admin/settings/guards"))

    for guard in ({"id": "certificate", "level": "OFF"}, {"id": "mail", "level": "WARN"}):
        assert desk.put("/admin/settings/guards", {"guards": [guard]}).status_code == 422
    assert data_of(desk.get("/admin/settings/guards")) == before
