"""The link in the mail of an advice."""

import re

import pytest
from sqlalchemy import select, update

from tarazu.advice.service import set_letters_due
from tarazu.advice.tables import AdviceLink
from tarazu.firm.tables import FollowUpSettings
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.mail import Delivery, Mail, text_of
from tarazu.people.tables import Person
from tests.advice.conftest import AdviceDesk
from tests.client_page.conftest import CLIENT
from tests.people_of import new_key
from tests.rows_of import run, scalars

pytestmark = pytest.mark.on_both

LINK = re.compile(r"https?://[\w.:]+/a/([\w-]{43})")
ADDRESS = "https://desk.example"


def _mail(database: Database) -> str:
    with database.reading() as session:
        mail = session.execute(select(Mail).where(Mail.recipient == CLIENT)).scalar_one()
        return text_of(session, mail)


def test_the_mail_has_a_link_where_the_firm_mails_links(advice: AdviceDesk) -> None:
    advice.sent()
    set_letters_due(advice.database, clock.now(), address=ADDRESS)

    assert LINK.search(_mail(advice.database))
    (link,) = scalars(advice.database, select(AdviceLink))
    assert (link.made_by, link.email) == (None, CLIENT)


@pytest.mark.parametrize(("mails_links", "address"), [(False, ADDRESS), (True, "")])
def test_it_has_none_where_the_firm_does_not_or_has_no_address(
    advice: AdviceDesk, mails_links: bool, address: str
) -> None:
    run(advice.database, update(FollowUpSettings).values(mails_links=mails_links))
    advice.sent()
    set_letters_due(advice.database, clock.now(), address=address)

    assert not LINK.search(_mail(advice.database))
    assert scalars(advice.database, select(AdviceLink)) == []


def test_a_hindi_mail_invites_in_hindi(advice: AdviceDesk) -> None:
    run(advice.database, update(Person).where(Person.client_code == "C0001").values(language="HI"))
    advice.sent()
    set_letters_due(advice.database, clock.now(), address=ADDRESS)

    assert "यह सलाह अपने पेज पर पढ़ें" in _mail(advice.database)


def test_a_mail_that_failed_is_sent_again_with_a_new_link(advice: AdviceDesk) -> None:
    advice_id = advice.sent()
    set_letters_due(advice.database, clock.now(), address=ADDRESS)
    first = LINK.search(_mail(advice.database))
    # After the last attempt the secret is deleted.
    values = {"status": Delivery.FAILED, "secret": None}
    run(advice.database, update(Mail).where(Mail.recipient == CLIENT).values(**values))

    answer = advice.desk.post(f"/admin/advice/{advice_id}/resend")
    second = LINK.search(_mail(advice.database))
    assert answer.status_code == 200, answer.text
    assert first
    assert second
    assert first[1] != second[1]


def test_the_link_of_a_mail_does_not_end_one_that_was_handed_over(advice: AdviceDesk) -> None:
    advice_id = advice.sent()
    made = advice.desk.post(f"/admin/advice/{advice_id}/link", **new_key()).json()["data"]["url"]
    set_letters_due(advice.database, clock.now(), address=ADDRESS)

    mailed = LINK.search(_mail(advice.database))
    assert mailed
    for token in (made.rpartition("/a/")[2], mailed[1]):
        assert advice.desk.web.get(f"/api/v1/public/advice/{token}").status_code == 200
