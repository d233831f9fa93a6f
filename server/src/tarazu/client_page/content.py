"""What the client's page shows of an advice, in a language."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlalchemy.orm import Session

from tarazu.advice import service as advising
from tarazu.advice.service import OpenAdviceLink, Orders, Parts, SealedAdvice, parts_of
from tarazu.domain.charges import Side
from tarazu.domain.execution.values import LineStatus
from tarazu.firm import service as firm
from tarazu.firm.service import FirmRegistration
from tarazu.follow_up import service as follow_up
from tarazu.follow_up.service import Execution, RecordedResponse
from tarazu.follow_up.tables import Answer
from tarazu.kit import formatting
from tarazu.kit.clock import day_in_india
from tarazu.kit.translation import Language


@dataclass(frozen=True, slots=True)
class Front:
    """What a link shows before the code."""

    firm: FirmRegistration
    sent_at: dt.datetime
    language: Language


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the client's answers and trades.

    Attributes:
        answers: in order of time.
        filled: by place, shares that were traded for a line.
        advised: by place, shares of a line, after a split inside the window; as `filled`.
        statuses: by place, what became of a line; empty where the trades were not matched yet.
        declined: the places of lines that the client will not carry out.
    """

    answers: Sequence[RecordedResponse]
    filled: Mapping[int, int]
    advised: Mapping[int, int]
    statuses: Mapping[int, LineStatus]
    declined: frozenset[int]

    @property
    def read_at(self) -> dt.datetime | None:
        """When the client answered that it was read."""
        times = (row.answered_at for row in self.answers if row.answer is Answer.READ)
        return next(times, None)

    def done_part(self, place: int) -> Fraction:
        """How much of a line was traded, 0 to 1."""
        advised = self.advised.get(place, 0)
        return Fraction(self.filled.get(place, 0), advised) if advised else Fraction(0)

    @property
    def questions(self) -> list[RecordedResponse]:
        """The client's questions, with replies."""
        return [row for row in self.answers if row.answer is Answer.QUESTION]


@dataclass(frozen=True, slots=True)
class PageContent:
    """An advice as the client's page shows it.

    Attributes:
        shown: the sealed advice, with the firm's texts in the language of the page.
        window_ends_on: the last day on which orders count.
        later_isins: stocks that a later advice names too.
    """

    link: OpenAdviceLink
    sealed: SealedAdvice
    package_hash: str
    shown: SealedAdvice
    parts: Parts
    window_ends_on: dt.date
    is_over: bool
    later_isins: frozenset[str]
    known: Known

    @property
    def language(self) -> Language:
        """The language of the page."""
        return self.shown.language

    @property
    def is_superseded(self) -> bool:
        """Whether every stock is named by later advice."""
        return all(row.stock.isin in self.later_isins for row in self.sealed.rows)

    @property
    def is_declined(self) -> bool:
        """Whether the client will carry out no line."""
        return len(self.known.declined) == len(self.sealed.rows)

    @property
    def is_practice(self) -> bool:
        """Whether the prices of the advice are simulated."""
        return bool(self.parts.practice)

    def places(self, orders: Orders) -> list[int]:
        """The places in the advice of the lines of one side."""
        return [
            place for place, row in enumerate(self.sealed.rows) if row.side is Side(orders.side)
        ]

    @property
    def holdings(self) -> list[tuple[str, str, str, str, str]]:
        """Stock, value before and after, share after and target, of every stock."""
        return [
            (
                row.stock.symbol,
                formatting.rupees(row.current_value),
                formatting.rupees(row.projected_value),
                formatting.percent(row.possible),
                formatting.percent(row.allocation),
            )
            for row in self.sealed.rebalance.rows
        ]


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A page whose session is open, in the language in which it is shown.

    `token` is that of the page's session.
    """

    session: Session
    link: OpenAdviceLink
    token: str
    language: Language
    now: dt.datetime

    def content(self) -> PageContent:
        """The advice as the page shows it now."""
        sealed, package_hash = advising.sealed_advice(self.session, self.link.advice_id)
        firm_shown = _firm_in(self.session, sealed, self.language)
        shown = replace(sealed, language=self.language, firm=firm_shown)
        execution = follow_up.execution(self.session, self.link.advice_id)
        return PageContent(
            self.link,
            sealed,
            package_hash,
            shown,
            parts_of(shown),
            execution.window_ends_on,
            day_in_india(self.now) > execution.window_ends_on,
            frozenset(advising.isins_advised_later(self.session, self.link.advice_id)),
            _known(execution, len(sealed.rows)),
        )


def front_of(session: Session, link: OpenAdviceLink, language: Language) -> Front:
    """The firm and the day of the advice: all that a link shows without a code."""
    sealed, _ = advising.sealed_advice(session, link.advice_id)
    return Front(sealed.firm, sealed.sent_at, language)


def _known(execution: Execution, rows: int) -> Known:
    places, declined = set(range(rows)), set[int]()
    for row in execution.responses:
        if row.answer is Answer.DECLINED:
            declined |= set(row.lines) or places
        elif row.answer is Answer.WITHDRAWN:
            declined -= set(row.lines) or places
    return Known(
        execution.responses,
        {line.place: line.filled_quantity for line in execution.lines},
        {line.place: line.advised_quantity for line in execution.lines},
        {line.place: line.status for line in execution.lines},
        frozenset(declined),
    )


def _firm_in(session: Session, sealed: SealedAdvice, language: Language) -> FirmRegistration:
    """The sealed firm with its standard texts in another language.

    A text that the firm has changed since the sealing stays as it was sealed: the page says what
    the letter says.
    """
    if language is sealed.language:
        return sealed.firm
    then, other = firm.registration(session, sealed.language), firm.registration(session, language)
    texts = {
        name: getattr(other, name)
        for name in ("disclosures", "standard_warning", "no_assurance", "ai_use")
        if getattr(then, name) == getattr(sealed.firm, name)
    }
    return replace(sealed.firm, **texts)
