"""The mail that brings an advice to its client."""

import email
import email.policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlalchemy import select, update

from tarazu.firm.service import NO_ASSURANCE, STANDARD_WARNING
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.mail import Delivery, Mail, MailSender
from tests.advice.conftest import AdviceDesk
from tests.mail_of import Inbox, inbox
from tests.people_of import Desk, reply_of
from tests.rows_of import run, scalar

__all__ = ["inbox"]

HOSTILE = "<script>alert(1)</script> & <b>bold</b>"


def _read(message: bytes) -> EmailMessage:
    return email.message_from_bytes(message, policy=email.policy.default)


def _parts(message: EmailMessage) -> tuple[str, str]:
    text, html = message.get_body(("plain",)), message.get_body(("html",))
    assert text is not None
    assert html is not None
    return text.get_content(), html.get_content()


def _written(advice: AdviceDesk, folder: Path) -> EmailMessage:
    advice.set_letters()
    assert MailSender("", "desk@firm.example", folder).send_due(advice.database, clock.now()) == 1
    (path,) = folder.glob("*.eml")
    return _read(path.read_bytes())


def test_the_client_gets_rows_and_letter_by_smtp(
    advice: AdviceDesk, inbox: tuple[Inbox, str], tmp_path: Path
) -> None:
    received, url = inbox
    advice_id = advice.sent()
    advice.set_letters()

    MailSender(url, "desk@firm.example", tmp_path).send_due(advice.database, clock.now())

    (raw,) = received.messages
    message = _read(bytes(raw))
    (letter,) = message.iter_attachments()
    assert message["To"] == "kavya@home.example"
    assert letter.get_content_type() == "application/pdf"
    assert letter.get_filename() == f"advice-C0001-{clock.today().isoformat()}.pdf"
    stored = advice.desk.get(f"/admin/advice/{advice_id}/letter.pdf").content
    assert letter.get_content() == stored
    assert advice.history()[0]["delivery"]["status"] == "SENT"


def test_a_mail_waits_for_its_letter(advice: AdviceDesk, tmp_path: Path) -> None:
    advice.sent()

    assert MailSender("", "desk@firm.example", tmp_path).send_due(advice.database, clock.now()) == 0
    assert advice.history()[0]["delivery"]["status"] == "QUEUED"


def test_without_a_mail_server_the_mail_is_a_file(advice: AdviceDesk, tmp_path: Path) -> None:
    advice.sent(rationale="Quality at a fair price.")

    message = _written(advice, tmp_path / "outbox")

    text, html = _parts(message)
    for words in (
        "- Sell 34 INFY (NSE), ₹1,500.00: ₹51,000.00",
        "- Buy 66 TCS (NSE), ₹3,000.00: ₹1,98,000.00",
        "Quality at a fair price.",
        "registration number INH000012345",
        "Analyst's registration: valid from 14 Feb 2024",
        "Ananya Kulkarni, Administrator",
        STANDARD_WARNING,
        NO_ASSURANCE,
    ):
        assert words in " ".join(text.split())
    assert text.index("Sell 34") < text.index("Buy 66")
    assert "<table" not in html
    assert "Sell 34 INFY</strong> · NSE" in html


def test_a_letter_that_was_only_written_is_not_called_sent(
    advice: AdviceDesk, tmp_path: Path
) -> None:
    advice.sent()
    _written(advice, tmp_path / "outbox")

    delivery = advice.history()[0]["delivery"]
    again = advice.desk.post(f"/admin/advice/{advice.history()[0]['_id']}/resend")

    assert (delivery["status"], delivery["error"]) == ("WRITTEN", None)
    assert reply_of(again) == (409, "No mail server is set up: the letter is in the outbox folder.")


def test_practice_that_was_written_is_never_mailed_later(
    advice: AdviceDesk, tmp_path: Path
) -> None:
    advice_id = advice.sent()
    _written(advice, tmp_path / "outbox")
    state = advice.desk.web.app.state  # type: ignore[attr-defined]
    state.settings = state.settings.model_copy(update={"smtp_url": "smtp://127.0.0.1:9"})

    again = advice.desk.post(f"/admin/advice/{advice_id}/resend")

    assert again.status_code == 409
    assert again.json()["message"] == (
        "This advice was practice at simulated prices: it is not mailed."
    )


def test_mails_at_simulated_prices_say_first_that_they_are_practice(
    advice: AdviceDesk, tmp_path: Path
) -> None:
    advice.sent()

    text, html = _parts(_written(advice, tmp_path / "outbox"))

    assert text.startswith("Practice: simulated prices, not investment advice.\n")
    assert html.index("Practice: simulated prices") < html.index("Dear")


def test_advice_for_one_client_is_not_called_a_models(advice: AdviceDesk, tmp_path: Path) -> None:
    advice.sent()

    message = _written(advice, tmp_path / "outbox")

    for part in _parts(message):
        assert "model" not in part.replace("does not follow a model portfolio", "")


def test_texts_of_people_are_escaped_and_stay_out_of_the_subject(
    advice: AdviceDesk, tmp_path: Path
) -> None:
    advice.client_id = advice.desk.add_client(f"Kavya {HOSTILE}", "other@home.example")
    advice.hold({"INFY": 100, "ITC": 10}, cash="200000")
    advice.sent(rationale=HOSTILE, disclosures={"conflicts": HOSTILE})

    message = _written(advice, tmp_path / "outbox")

    text, html = _parts(message)
    assert text.count(HOSTILE) == 3
    assert "<script>" not in html
    assert html.count("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;b&gt;bold&lt;/b&gt;") == 3
    assert "Kavya" not in message["Subject"]


def _fail_delivery(database: Database) -> None:
    run(
        database,
        update(Mail).values(
            status=Delivery.FAILED, attempts=9, error="The mail server refused the address."
        ),
    )


@pytest.mark.on_both(suite="long")
def test_a_failed_mail_is_sent_again_once(
    advice: AdviceDesk, user: Desk, database: Database
) -> None:
    advice_id = advice.sent()
    path = f"/admin/advice/{advice_id}/resend"
    assert advice.desk.post(path).json()["message"] == (
        "The mail of this advice is queued or was sent."
    )
    _fail_delivery(database)

    refused = user.post(path)
    again = [advice.desk.post(path, **{"Idempotency-Key": "once"}) for _ in range(2)]
    third = advice.desk.post(path)

    assert refused.status_code == 403
    assert [one.status_code for one in again] == [200, 200]
    assert again[1].headers["Idempotent-Replayed"] == "true"
    assert third.status_code == 409
    assert advice.history()[0]["delivery"]["status"] == "QUEUED"
    mail = scalar(database, select(Mail))
    assert (mail.attempts, mail.error) == (0, None)
