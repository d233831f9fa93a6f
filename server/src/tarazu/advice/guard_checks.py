"""Checks before a send that follow the firm's registers; whether they block is a setting."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from tarazu.advice.check_results import Check, Fix, Level, named_few
from tarazu.firm.service import GuardLevel
from tarazu.kit.formatting import day_of
from tarazu.registers.service import SenderCertificate, StaffInterest

_REGISTER = "/home/compliance/certificates"


@dataclass(frozen=True, slots=True)
class SenderFacts:
    """Who sends, by name, and the certificate of that person."""

    name: str
    certificate: SenderCertificate


def certificate_check(sender: SenderFacts | None, guard: GuardLevel, today: dt.date) -> Check:
    """Whether the sender's certificate is valid; one that was never recorded only warns."""
    fix = Fix("Record the certificate", _REGISTER)
    if sender is None:
        return Check("certificate", Level.OK, "The certificate is checked for who sends.", fix)
    known = sender.certificate
    until = known.valid_until
    level, text = Level.WARN, f"No certificate of {sender.name} is recorded."
    if until is not None and until < today:
        level = Level(guard)
        text = (
            f"The certificate {known.series} of {sender.name} expired on {day_of(until)}. Renew it, "
            "or let somebody else send."
        )
    elif until is not None and known.warns_from is not None and today >= known.warns_from:
        days = (until - today).days
        left = "today is its last day" if days == 0 else f"{days} day{'s' if days > 1 else ''} left"
        text = (
            f"The certificate {known.series} of {sender.name} expires on {day_of(until)}: {left}."
        )
    elif until is not None:
        level = Level.OK
        text = f"The certificate {known.series} of {sender.name} is valid until {day_of(until)}."
    return Check("certificate", level, text, fix)


def restricted_check(
    interests: Sequence[StaffInterest],
    guard: GuardLevel,
    today: dt.date,
    place: str,
    *,
    says_holdings: bool,
) -> Check:
    """Whether staff traded an advised stock within the window, or hold it and nobody says so.

    Args:
        interests: of the advised stocks; the persons are not named.
        place: the screen where the sender states holdings.
        says_holdings: the sender states for this advice which of its stocks are held.
    """
    traded = [
        f"{interest.symbol} ({_days_ago(interest.traded_on, today)})"
        for interest in interests
        if interest.traded_on is not None
    ]
    held = [interest.symbol for interest in interests if interest.is_held]
    level, parts = Level.OK, []
    fix = Fix("Look at the orders", place)
    if traded:
        parts.append(
            f"Staff or their relatives traded within the restricted days: {named_few(traded)}."
        )
    if held and not says_holdings:
        parts.append(
            f"Staff or their relatives hold {named_few(held)}: state it under “Holdings of the "
            "analyst and relatives in these stocks”."
        )
        fix = Fix("Answer for this advice", place)
    if parts:
        level = Level(guard)
    elif held:
        parts.append(f"Holdings of staff or relatives are stated: {named_few(held)}.")
    text = " ".join(parts) or "No declared holding or trade of staff is in these stocks."
    return Check("restricted", level, text, fix)


def _days_ago(traded_on: dt.date, today: dt.date) -> str:
    days = (today - traded_on).days
    return "today" if days == 0 else f"{days} day{'s' if days > 1 else ''} ago"
