"""The checks before every send, to one client and to a book.

They depend on facts alone and are enforced where advice is sent: a check that blocks refuses the
send, a check that warns is sealed with the advice, with whether the sender has read it.
"""

import datetime as dt
from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tarazu.advice.check_results import (
    Check,
    Fix,
    Level,
    SealedCheck,
    fix_in_settings,
    named_few,
)
from tarazu.advice.guard_checks import (
    RecipientPapers,
    SenderFacts,
    certificate_check,
    client_specific_check,
    holdings_consent_check,
    kyc_check,
    restricted_check,
    terms_check,
)
from tarazu.advice.package import PriceUsed
from tarazu.domain.calendar import is_business_day, previous_business_day
from tarazu.firm.service import DISCLOSURES_GOOD_FOR, SendTerms
from tarazu.kit.clock import day_in_india
from tarazu.kit.formatting import PRACTICE, day_of, source_of, time_of
from tarazu.papers.tables import ConsentKind
from tarazu.prices import service as prices
from tarazu.prices.service import CLOSE_AT, PriceSource
from tarazu.registers.service import StaffInterest

RENEWAL_NEAR: Final = dt.timedelta(days=90)
DEMO: Final = "DEMO"
"""The source of the demo's holdings, which never become too old."""


class Rationale(StrEnum):
    """Where the rationale of an advice comes from."""

    GIVEN = "GIVEN"
    MODEL = "MODEL"
    STANDARD = "STANDARD"
    EMPTY = "EMPTY"


@dataclass(frozen=True, slots=True)
class RecipientFacts:
    """What is known of one client who is to get advice.

    `traded_at` is the newest trade of today, if any. `is_repeated`: the same orders were sent
    within the last business day. `unsettled`, `pledged` and `oversold` name stocks to be sold: of
    the last more shares than are credited. `suspected` are stocks to be traded whose shares or price
    moved as in an unrecorded split, `pending` those with an action whose shares are not credited
    yet, `unknown` those where it is not known whether they are.
    """

    code: str
    has_holdings: bool
    holdings_source: str
    synced_at: dt.datetime | None
    traded_at: dt.datetime | None = None
    is_repeated: bool = False
    unsettled: tuple[str, ...] = ()
    pledged: tuple[str, ...] = ()
    suspected: tuple[str, ...] = ()
    oversold: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """The input of the checks; `prices` are those of the stocks that are to be traded."""

    terms: SendTerms
    has_mail_server: bool
    prices: Sequence[PriceUsed]
    recipients: Sequence[RecipientFacts]
    rationale: Rationale
    says_holdings: bool
    holidays: AbstractSet[dt.date]
    now: dt.datetime
    place: str
    """The screen on which the advice is computed."""
    sender: SenderFacts | None = None
    """None where nobody sends yet."""
    interests: Sequence[StaffInterest] = ()
    """What staff declared of the stocks that are to be traded."""
    papers: Sequence[RecipientPapers] = ()
    texts_in_force: Collection[ConsentKind] = frozenset(ConsentKind)
    """The kinds of consent of which the firm has a text; all where nothing is known of clients."""
    has_model: bool = True
    """Whether the advice is scaled from a model portfolio."""


def checks_before_send(facts: Facts) -> list[Check]:
    """Every check, in the order of the screen."""
    checks = (
        _registration,
        _mail,
        _price_age,
        _price_source,
        _holdings_age,
        _disclosures,
        _rationale,
        _possible_duplicate,
        _unsettled,
        _corporate_action,
        _certificate,
        _restricted,
        _kyc,
        _terms,
        _holdings_consent,
        _client_specific,
    )
    return [check(facts) for check in checks]


def sealed_checks(
    checks: Sequence[Check], acknowledged: Collection[str]
) -> tuple[SealedCheck, ...]:
    """The checks as they are sealed, with the warnings that the sender has read."""
    return tuple(
        SealedCheck(
            check.id,
            check.level,
            check.text,
            check.id in acknowledged if check.level is Level.WARN else None,
        )
        for check in checks
    )


def oldest_fit(days: int, holidays: AbstractSet[dt.date], now: dt.datetime) -> dt.datetime:
    """Holdings read before this time are older than so many business days.

    It is the close of a day: holdings read after it include the trades of the day.
    """
    day = today = day_in_india(now)
    if not is_business_day(today, holidays) or now < dt.datetime.combine(today, CLOSE_AT):
        day = previous_business_day(today, holidays)
    for _ in range(days - 1):
        day = previous_business_day(day, holidays)
    return dt.datetime.combine(day, CLOSE_AT)


def _registration(facts: Facts) -> Check:
    terms, today = facts.terms, day_in_india(facts.now)
    missing = [
        name
        for name, value in (
            ("name", terms.name),
            ("registration number", terms.registration_number),
        )
        if not value
    ]
    level, text = Level.OK, f"{terms.name}, {terms.registration_number}."
    if missing:
        level = Level.BLOCK
        text = f"The firm's {' and '.join(missing)} must be entered before advice is sent."
    elif terms.renewal_on is not None and terms.renewal_on < today:
        level, text = (
            Level.WARN,
            f"The registration was to be renewed by {day_of(terms.renewal_on)}.",
        )
    elif terms.renewal_on is not None and terms.renewal_on - today <= RENEWAL_NEAR:
        level = Level.WARN
        text = f"The registration must be renewed by {day_of(terms.renewal_on)}."
    return Check("registration", level, text, fix_in_settings("Enter firm details", "firm"))


def _mail(facts: Facts) -> Check:
    level, text = Level.OK, "A mail server is set up."
    if not facts.has_mail_server:
        level = Level.WARN
        text = "No mail server is set up: the letter is only written to the outbox folder."
    return Check("mail", level, text, fix_in_settings("Set up mail", "mail"))


def _price_age(facts: Facts) -> Check:
    age = facts.terms.price_age
    stale = [
        price for price in facts.prices if prices.is_stale(price, facts.now, facts.holidays, age)
    ]
    filed = [price for price in facts.prices if price.source in prices.FILES]
    level, text = Level.OK, "All prices are current."
    if stale:
        oldest = min(stale, key=lambda price: price.at)
        minutes = int(age.total_seconds() // 60)
        level = Level.BLOCK
        text = (
            f"{named_few(sorted(price.stock.symbol for price in stale))}: the price is too old; the oldest is of "
            f"{time_of(oldest.at)}. While the market is open at most {minutes} minutes are "
            "allowed, otherwise the last close. Rebalance again."
        )
    elif filed:
        level = Level.WARN
        text = f"{named_few(sorted(price.stock.symbol for price in filed))}: the price comes from a file."
    return Check("price_age", level, text, Fix("Rebalance again", facts.place))


def _price_source(facts: Facts) -> Check:
    sources = sorted({price.source for price in facts.prices})
    level, text = Level.OK, f"Prices: {source_of(sources)}."
    if PriceSource.SIMULATED in sources:
        level, text = Level.WARN, f"{PRACTICE}."
        if facts.has_mail_server:
            level = Level.BLOCK
            text = "The prices are simulated and a mail server is set up: nothing can be sent."
    return Check("price_source", level, text, Fix("Connect a broker", "/home/broker-details"))


def _holdings_age(facts: Facts) -> Check:
    days = facts.terms.holdings_days
    least = oldest_fit(days, facts.holidays, facts.now)
    today = day_in_india(facts.now)
    real = [client for client in facts.recipients if client.holdings_source != DEMO]
    never = [client.code for client in real if client.synced_at is None and client.has_holdings]
    stale = [
        client.code
        for client in real
        if client.synced_at is not None
        and client.synced_at < least
        # Holdings read today before the close only warn.
        and day_in_india(client.synced_at) != today
    ]
    behind = [
        client.code
        for client in real
        if client.synced_at is not None
        and client.traded_at is not None
        and client.synced_at < client.traded_at
    ]
    level, text = Level.OK, "Holdings are current."
    if stale or never:
        level = Level.BLOCK
        limit = f"{days} business day{'s' if days > 1 else ''}"
        text = f"{named_few([*stale, *never])}: holdings are older than {limit}. Update them."
    elif behind:
        level = Level.WARN
        text = f"{named_few(behind)}: orders were placed today after the holdings were read."
    return Check("holdings_age", level, text, Fix("See Readiness", "/home/readiness"))


def _disclosures(facts: Facts) -> Check:
    confirmed_on = facts.terms.confirmed_on
    fix = fix_in_settings("Answer the questions", "disclosures")
    level, text = Level.BLOCK, ""
    if confirmed_on is None:
        text = "The firm's disclosure questions were never answered."
    elif day_in_india(facts.now) - confirmed_on > DISCLOSURES_GOOD_FOR:
        text = (
            f"The firm's disclosures were confirmed on {day_of(confirmed_on)}, more than "
            f"{DISCLOSURES_GOOD_FOR.days} days ago. Confirm them again."
        )
    elif facts.terms.do_staff_hold and not facts.says_holdings:
        text = (
            "Somebody in the firm holds stocks that it advises on: state under “Holdings of the "
            "analyst and relatives in these stocks” which of these are held, or that none are."
        )
        fix = Fix("Answer for this advice", facts.place)
    else:
        level, text = Level.OK, f"Disclosures were confirmed on {day_of(confirmed_on)}."
    return Check("disclosures", level, text, fix)


def _rationale(facts: Facts) -> Check:
    level, text = Level.OK, "A rationale is given."
    if facts.rationale is Rationale.EMPTY and facts.terms.rationale_required:
        level, text = Level.BLOCK, "A rationale is required to send advice."
    elif facts.rationale is Rationale.MODEL:
        text = "The model's rationale is used."
    elif facts.rationale is not Rationale.GIVEN:
        level, text = Level.WARN, "No rationale is given: the firm's standard rationale is used."
    return Check("rationale", level, text, Fix("Write a rationale", facts.place))


def _possible_duplicate(facts: Facts) -> Check:
    again = [client.code for client in facts.recipients if client.is_repeated]
    level, text = Level.OK, "Nothing of this was sent within the last business day."
    if again:
        level = Level.WARN
        text = f"{named_few(again)}: the same orders were sent within the last business day."
    return Check(
        "possible_duplicate", level, text, Fix("See Advice History", "/home/client/advice-history")
    )


def _unsettled(facts: Facts) -> Check:
    parts = []
    if pledged := _clients_with(facts, "pledged"):
        parts.append(f"{pledged}: pledged shares are sold; they must be released first.")
    if unsettled := _clients_with(facts, "unsettled"):
        parts.append(f"{unsettled}: a purchase needs money from shares not settled yet.")
    level = Level.WARN if parts else Level.OK
    text = " ".join(parts) or "Nothing is sold that is pledged or not settled."
    return Check("unsettled", level, text, Fix("Look at the orders", facts.place))


def _corporate_action(facts: Facts) -> Check:
    oversold = _clients_with(facts, "oversold")
    unknown = _clients_with(facts, "unknown")
    suspected = _clients_with(facts, "suspected")
    pending = _clients_with(facts, "pending")
    level, text = Level.OK, "No corporate action is pending or suspected in what is traded."
    if oversold:
        level = Level.BLOCK
        text = (
            f"{oversold}: more shares are sold than the broker has credited after a corporate "
            "action. Rebalance again."
        )
    elif unknown:
        level = Level.BLOCK
        text = (
            f"{unknown}: it is not known whether the broker has credited the shares of a corporate "
            "action. Update the holdings once they are credited."
        )
    elif suspected:
        level = Level.WARN
        text = (
            f"{suspected}: shares or price moved as in a split or bonus. Compare the "
            "holdings with the broker before you send."
        )
    elif pending:
        text = f"{pending}: a corporate action is pending; only credited shares are sold."
    return Check("corporate_action", level, text, Fix("See the holdings", "/home/client/details"))


def _clients_with(facts: Facts, field: str) -> str:
    """The clients with stocks of this field, each with its stocks; "" without any."""
    return named_few(
        f"{client.code} ({named_few(symbols)})"
        for client in facts.recipients
        if (symbols := getattr(client, field))
    )


def _certificate(facts: Facts) -> Check:
    level = facts.terms.guards["certificate"]
    return certificate_check(facts.sender, level, day_in_india(facts.now))


def _restricted(facts: Facts) -> Check:
    level = facts.terms.guards["restricted"]
    today = day_in_india(facts.now)
    return restricted_check(
        facts.interests, level, today, facts.place, says_holdings=facts.says_holdings
    )


def _kyc(facts: Facts) -> Check:
    return kyc_check(facts.papers, facts.terms.guards["kyc"])


def _terms(facts: Facts) -> Check:
    return terms_check(facts.papers, facts.terms.guards["terms"], facts.texts_in_force)


def _holdings_consent(facts: Facts) -> Check:
    level = facts.terms.guards["holdings_consent"]
    return holdings_consent_check(facts.papers, level, facts.texts_in_force)


def _client_specific(facts: Facts) -> Check:
    level = facts.terms.guards["client_specific"]
    return client_specific_check(level, "/home/models", has_model=facts.has_model)
