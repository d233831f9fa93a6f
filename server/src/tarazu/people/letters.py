"""Mails about accounts: the invitation of new staff, and sign-ups to approve."""

import datetime as dt
from dataclasses import dataclass
from html import escape
from typing import Protocol

from tarazu.kit.clock import INDIA
from tarazu.kit.mail import Draft


class Addressed(Protocol):
    """Somebody with a name and an e-mail address."""

    @property
    def name(self) -> str: ...

    @property
    def email(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Access:
    """The login of a new account: address, temporary password, and until when it is valid."""

    firm_name: str
    public_url: str
    password: str
    until: dt.datetime


def invitation(whom: Addressed, access: Access) -> Draft:
    """The mail with a temporary password; its link is built from the settings only."""
    until = access.until.astimezone(INDIA).strftime("%d-%m-%Y, %H:%M IST")
    lines = [
        f"Dear {whom.name},",
        f"An account has been created for you at {access.firm_name}.",
        "\n".join(
            (
                f"Log in: {access.public_url or 'the address of your firm'}/auth/login",
                f"Email: {whom.email}",
                f"Temporary password: {access.password}",
            )
        ),
        f"It is valid until {until}. After logging in, choose your own password.",
    ]
    return _draft(whom.email, "Your Tarazu account", lines, access.password)


def approval_awaited(recipient: str, who: Addressed) -> Draft:
    """The mail to an administrator about a sign-up."""
    lines = [
        f"{who.name} ({who.email}) signed up and awaits approval.",
        "Approve or delete the account in Roles & Permission, Users.",
    ]
    return _draft(recipient, "An account awaits your approval", lines)


def _draft(recipient: str, subject: str, paragraphs: list[str], secret: str = "") -> Draft:
    html = "".join(f"<p>{escape(text).replace(chr(10), '<br>')}</p>" for text in paragraphs)
    return Draft(recipient, subject, "\n\n".join(paragraphs) + "\n", html, secret=secret)
