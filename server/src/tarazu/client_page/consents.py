"""Consents on the client's page: the firm's texts to agree to, and those agreed to."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tarazu.client_page.content import OpenPage
from tarazu.kit.clock import day_in_india
from tarazu.kit.translation import N_, Language
from tarazu.papers import service as papers
from tarazu.papers.service import ConsentState, ConsentToText, PageVisit
from tarazu.papers.tables import ConsentKind, ConsentText

TITLES: Final[Mapping[ConsentKind, str]] = {
    ConsentKind.TERMS: N_("Terms of our service"),
    ConsentKind.MITC: N_("Most important terms and conditions (MITC)"),
    ConsentKind.DATA: N_("Use of your personal data"),
    ConsentKind.AI: N_("Our use of AI tools"),
    ConsentKind.HOLDINGS: N_("Reading your holdings"),
}


@dataclass(frozen=True, slots=True)
class PageConsent:
    """A text in force as the page shows it, and where the client's consent to it is.

    `language` is that of the text: English where the firm has none in Hindi.
    """

    title: str
    text: ConsentText
    paragraphs: str
    language: Language
    consent: ConsentToText

    @property
    def is_given(self) -> bool:
        """Whether the client agreed to this version."""
        return self.consent.state is ConsentState.GIVEN


def consents_on(page: OpenPage) -> list[PageConsent]:
    """The texts in force, in the order of the kinds."""
    today, shown = day_in_india(page.now), []
    for consent in papers.consents_of(page.session, page.link.client.id, today):
        text = consent.text.in_force
        if text is not None:
            written, language = papers.shown_text(text, page.language)
            shown.append(PageConsent(TITLES[consent.kind], text, written, language, consent))
    return shown


def agree(page: OpenPage, text_id: uuid.UUID, visit: PageVisit) -> None:
    """Record that the client agrees to a text; the same again changes nothing.

    Raises:
        ConsentChanged: it is no longer the version in force.
    """
    papers.give_on_page(page.session, page.link.client, page.now, text_id, visit)


def withdraw(page: OpenPage, kind: ConsentKind, visit: PageVisit) -> None:
    """Record that the client withdraws a consent; without one nothing changes.

    Raises:
        NotWithdrawable: it cannot be withdrawn.
    """
    papers.withdraw_on_page(page.session, page.link.client, page.now, kind, visit)
