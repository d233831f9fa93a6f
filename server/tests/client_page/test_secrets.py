"""Links, page tokens, codes and marks stay where they belong, also when something breaks."""

import re
from collections.abc import Iterator
from email import message_from_bytes

import pytest
from sqlalchemy import text

from tarazu.advice.service import set_letters_due
from tarazu.kit import clock
from tarazu.kit.logging import set_up_logging
from tarazu.kit.mail import MailSender
from tarazu.kit.settings import Settings
from tests.brokers.firm_desk import everything_in
from tests.client_page.conftest import CLIENT, ClientsPage
from tests.people_of import data_of
from tests.security.canaries import Canaries
from tests.security.figures import tell
from tests.security.postbox import Mood, Postbox

pytestmark = pytest.mark.on_both

LINK = re.compile(r"https://desk\.example/a/([\w-]{43})")
ADDRESS = "https://desk.example"


def _parts(mails: list[bytes], kind: str) -> list[str]:
    """The parts of the mails to the client that are of a kind."""
    found = []
    for mail in mails:
        message = message_from_bytes(mail)
        if message["To"] == CLIENT:
            part = next(part for part in message.walk() if part.get_content_type() == kind)
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            found.append(content.decode())
    return found


@pytest.fixture
def postbox() -> Iterator[Postbox]:
    opened = Postbox()
    opened.turn(Mood.UP)
    yield opened
    opened.turn(Mood.DOWN)


def test_the_secrets_of_the_page_are_in_no_log_no_row_and_no_audit(
    page: ClientsPage,
    settings: Settings,
    postbox: Postbox,
    capfd: pytest.CaptureFixture[str],
) -> None:
    canaries, postman = Canaries(), MailSender(postbox.url, settings.mail_from, settings.outbox_dir)
    set_up_logging("debug")
    canaries.learn("advice link", page.token)
    code = page.code()
    for guess in (code, "123456", code):
        page.post("/open", {"code": guess})
    page.submit("/open", code="999999")
    page.open_page()
    canaries.learn("page token", page.page_token)
    for path in ("/content", "/letter.pdf", "/list.csv", "/reminder.ics", "/basket"):
        page.get(path)
        page.submit(path)
    page.post("/respond", {"answer": "READ"})
    wrong, right = canaries.make("wrong link"), page.token
    page.token = wrong
    page.page(), page.get(), page.post("/code")
    page.token = right
    page.web.get(f"/redirect?state=basket.{canaries.make('mark')}&request_token=x")
    # A fault of ours, with the tokens in the address and in the body.
    with page.database.transaction() as session:
        session.execute(text("ALTER TABLE page_sessions RENAME TO page_sessions_away"))
    broken = [page.get("/content").status_code, page.submit("/view").status_code]
    with page.database.transaction() as session:
        session.execute(text("ALTER TABLE page_sessions_away RENAME TO page_sessions"))
    assert set(broken) <= {500, 503}
    # The mail of the advice with its link, and the one with the code.
    set_letters_due(page.database, clock.now(), address=ADDRESS)
    while postman.send_due(page.database, clock.now()):
        pass
    mailed = [
        match[1] for one in _parts(postbox.mails, "text/plain") if (match := LINK.search(one))
    ]
    assert len(mailed) == 1
    page.token = canaries.learn("mailed link", mailed[0])
    assert data_of(page.get())["codeRequired"] is True

    metrics = page.web.get("/metrics").content
    audit = page.advice.desk.get("/admin/audit", limit=200).content
    logs = capfd.readouterr()
    rows = everything_in(page.database)
    hits = canaries.hits_in("log", f"{logs.out}{logs.err}".encode())
    hits += canaries.hits_in("metrics", metrics)
    hits += canaries.hits_in("audit", audit)
    hits += canaries.hits_in("rows", rows.encode())
    tell("S3", f"{len(canaries.known)} secrets of the client's page", f"{len(hits)} hits", "0")
    assert '"event": "call"' in logs.err
    assert "/public/advice/{token}" in logs.err
    assert hits == []
    # A code is too short for the search: it is looked for as a word.
    assert not re.search(rf"(?<!\d){code}(?!\d)", f"{logs.out}{logs.err}")


def test_the_mail_has_the_link_and_the_outbox_has_not(
    page: ClientsPage, settings: Settings, postbox: Postbox
) -> None:
    set_letters_due(page.database, clock.now(), address=ADDRESS)
    waiting = everything_in(page.database)
    MailSender(postbox.url, settings.mail_from, settings.outbox_dir).send_due(
        page.database, clock.now()
    )
    sent = everything_in(page.database)

    (mail,) = _parts(postbox.mails, "text/plain")
    match = LINK.search(mail)
    assert match
    assert "Read this advice on your own page" in mail
    assert match[1] not in waiting
    assert match[1] not in sent
    (html,) = _parts(postbox.mails, "text/html")
    assert f'href="{ADDRESS}/a/{match[1]}"' in html
