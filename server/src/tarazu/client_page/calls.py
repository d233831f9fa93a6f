"""Calls with the link of an advice; programs (`routes.py`) and people (`pages.py`) share them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Final

from fastapi import Depends
from sqlalchemy.orm import Session

from tarazu.advice.service import OpenAdviceLink
from tarazu.auth.guards import Visit, Visiting
from tarazu.client_page import service
from tarazu.client_page.errors import PageNotFound
from tarazu.client_page.service import OpenPage
from tarazu.follow_up.service import NewResponse
from tarazu.follow_up.tables import Answer
from tarazu.kit import security
from tarazu.kit.db import OpenSession, WriteSession
from tarazu.kit.rate_limit import Limit
from tarazu.kit.translation import Language
from tarazu.papers.service import PageVisit

WRONG_LINKS: Final = Limit(20, 15 * 60)
"""From one address; a link that works still does, because many phones may share the address."""
CALLS: Final = Limit(120, 60)
"""By one link."""


@dataclass(frozen=True)
class PageCall:
    """One call with the token of a link."""

    token: str
    session: Session
    visit: Visit

    @cached_property
    def link(self) -> OpenAdviceLink:
        """The link of the token, looked up once.

        Raises:
            PageNotFound: it is unknown, over or ended; counted against the caller's address.
            TooManyAttempts: the caller tried too many such links.
        """
        try:
            return service.link_of(self.session, self.token, self.visit.now)
        except PageNotFound:
            count_wrong_link(self.visit)
            raise

    def page(self, page_token: str, language: Language | None = None) -> OpenPage:
        """The page of the link, in `language` or the client's own.

        Raises:
            PageNotFound, TooManyAttempts: as `link` says.
            PageSessionOver: the session of `page_token` is over, or never was one of this link.
        """
        return service.open_page(self.session, self.link, page_token, language, self.visit.now)

    def response(
        self, answer: Answer, text: str, lines: list[int], language: Language
    ) -> NewResponse:
        """An answer with where it came from."""
        visit = self.visit
        agent = visit.user_agent[:300]
        return NewResponse(
            answer, text.strip(), tuple(lines), visit.ip, agent, language, visit.request_id
        )

    def from_page(self, language: Language) -> PageVisit:
        """Where a consent comes from."""
        visit = self.visit
        return PageVisit(visit.ip, visit.user_agent[:300], language, visit.request_id)


def count_wrong_link(visit: Visit) -> None:
    """Count a link that does not work against the address that tried it.

    Raises:
        TooManyAttempts: there were too many.
    """
    visit.limits.take(f"advice-link:{visit.place}", WRONG_LINKS)


async def _call(token: str, session: OpenSession, visit: Visiting) -> PageCall:
    return _limited(PageCall(token, session, visit))


async def _writing_call(token: str, session: WriteSession, visit: Visiting) -> PageCall:
    return _limited(PageCall(token, session, visit))


def _limited(call: PageCall) -> PageCall:
    digest = security.token_digest(call.token)
    call.visit.limits.take(f"advice-page:{digest}", CALLS)
    return call


Call = Annotated[PageCall, Depends(_call)]
# For what a GET writes.
WritingCall = Annotated[PageCall, Depends(_writing_call)]
