"""Checks before a send that follow registers and papers; whether they block is a setting."""

import datetime as dt
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from tarazu.advice.check_results import Check, Fix, Level, fix_in_settings, named_few
from tarazu.firm.service import GuardLevel
from tarazu.kit.formatting import day_of
from tarazu.papers.service import BEFORE_SERVICE
from tarazu.papers.tables import ConsentKind
from tarazu.registers.service import SenderCertificate, StaffInterest

_REGISTER = "/home/compliance/certificates"
_OFF = "Not checked: it is switched off in Settings."


@dataclass(frozen=True, slots=True)
class SenderFacts:
    """Who sends, by name, and the certificate of that person."""

    name: str
    certificate: SenderCertificate


@dataclass(frozen=True, slots=True)
class RecipientPapers:
    """The papers of one client who is to get advice."""

    client_id: uuid.UUID
    code: str
    has_kyc: bool
    has_terms: bool
    has_holdings_consent: bool


def certificate_check(sender: SenderFacts | None, guard: GuardLevel, today: dt.date) -> Check:
    """Whether the sender's certificate is valid; one that was never recorded only warns."""
    fix = Fix("Record the certificate", _REGISTER)
    if sender is None:
        return Check("certificate", Level.OK, "The certificate is checked for who sends.", fix)
    known = sender.certificate
    until = known.valid_until
    level, text = Level.WARN, f"No certificate of {sender.name} is recorded."
    if until is not None and until < today:
        level = _level_of(guard)
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
        level = _level_of(guard)
    elif held:
        parts.append(f"Holdings of staff or relatives are stated: {named_few(held)}.")
    text = " ".join(parts) or "No declared holding or trade of staff is in these stocks."
    return Check("restricted", level, text, fix)


def kyc_check(recipients: Sequence[RecipientPapers], guard: GuardLevel) -> Check:
    """Whether the KYC of every recipient is done."""
    lacking = [one for one in recipients if not one.has_kyc]
    text = f"{_codes(lacking)}: the PAN, or a KRA status of Registered or Validated, is missing."
    return _papers_check("kyc", lacking, guard, text, "KYC is done.")


def terms_check(
    recipients: Sequence[RecipientPapers], guard: GuardLevel, in_force: Collection[ConsentKind]
) -> Check:
    """Whether every recipient agreed to the terms and the MITC in force."""
    if missing := [kind for kind in BEFORE_SERVICE if kind not in in_force]:
        return _no_text("terms", guard, " and ".join(_NAMES[kind] for kind in missing))
    lacking = [one for one in recipients if not one.has_terms]
    text = f"{_codes(lacking)}: no consent to the terms and the MITC in force."
    return _papers_check("terms", lacking, guard, text, "The terms and the MITC are agreed to.")


def holdings_consent_check(
    recipients: Sequence[RecipientPapers], guard: GuardLevel, in_force: Collection[ConsentKind]
) -> Check:
    """Whether every recipient agreed, and still agrees, that the firm reads the holdings."""
    if ConsentKind.HOLDINGS not in in_force:
        return _no_text("holdings_consent", guard, _NAMES[ConsentKind.HOLDINGS])
    lacking = [one for one in recipients if not one.has_holdings_consent]
    text = f"{_codes(lacking)}: no consent to read the holdings."
    good = "Reading the holdings is agreed to."
    return _papers_check("holdings_consent", lacking, guard, text, good)


def client_specific_check(guard: GuardLevel, place: str, *, has_model: bool) -> Check:
    """Whether the advice is scaled from a model; one that is not is marked, whatever the setting."""
    level, text = Level.OK, "The advice is scaled from a model portfolio."
    if not has_model:
        level = _level_of(guard)
        text = "This advice is for one client alone; it is not scaled from a model portfolio."
    return Check("client_specific", level, text, Fix("Advise by a model", place))


_NAMES: Final = {
    ConsentKind.TERMS: "the terms",
    ConsentKind.MITC: "the MITC",
    ConsentKind.HOLDINGS: "the consent to read holdings",
}


def _papers_check(
    name: str, lacking: Sequence[RecipientPapers], guard: GuardLevel, text: str, good: str
) -> Check:
    """A check of papers; its fix opens those of the first client that lacks them."""
    first = f"?clientId={lacking[0].client_id}&code={lacking[0].code}" if lacking else ""
    fix = Fix("Open Papers", f"/home/client/papers{first}")
    if guard is GuardLevel.OFF:
        return Check(name, Level.OK, _OFF, fix)
    return Check(name, Level(guard) if lacking else Level.OK, text if lacking else good, fix)


def _no_text(name: str, guard: GuardLevel, missing: str) -> Check:
    text = _OFF
    if guard is not GuardLevel.OFF:
        text = f"The firm has entered no text of {missing}: nobody can agree."
    return Check(name, _level_of(guard), text, fix_in_settings("Enter the text", "consents"))


def _level_of(guard: GuardLevel) -> Level:
    return Level.OK if guard is GuardLevel.OFF else Level(guard)


def _codes(recipients: Sequence[RecipientPapers]) -> str:
    return named_few(one.code for one in recipients)


def _days_ago(traded_on: dt.date, today: dt.date) -> str:
    days = (today - traded_on).days
    return "today" if days == 0 else f"{days} day{'s' if days > 1 else ''} ago"
