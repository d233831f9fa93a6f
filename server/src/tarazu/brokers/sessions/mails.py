"""The mail that asks a client to log in at the broker."""

import datetime as dt
from html import escape

from tarazu.firm.service import FirmRegistration
from tarazu.kit.clock import INDIA
from tarazu.kit.mail import Draft

_STYLE = "font-family:sans-serif;font-size:15px;line-height:1.5;color:#16202c"


def connect_link(
    firm: FirmRegistration, name: str, recipient: str, url: str, until: dt.datetime
) -> Draft:
    """The link with which a client lets the firm read the account at the broker for a day."""
    lines = [
        f"Dear {name},",
        (
            f"{firm.name} asks you to connect your broker, so that we can read your holdings, "
            "your available funds and today's orders. We cannot place orders, and we never see "
            "your password."
        ),
        f"Connect here, by {until.astimezone(INDIA):%d-%m-%Y, %H:%M} IST:",
        url,
        (
            "You log in on your broker's own page. The connection ends automatically, usually the "
            "next morning; the link works once."
        ),
        "If you did not expect this mail, do not use the link and let us know.",
        "\n".join(line for line in _signature(firm) if line),
    ]
    html = "".join(f"<p>{_linked(line)}</p>" for line in lines)
    whole = f'<!doctype html><html lang="en"><body style="{_STYLE}">{html}</body></html>'
    return Draft(recipient, "Connect your broker", "\n\n".join(lines) + "\n", whole, secret=url)


def _signature(firm: FirmRegistration) -> tuple[str, ...]:
    number = firm.registration_number
    return firm.name, f"SEBI registration number {number}" if number else "", firm.validity_line()


def _linked(line: str) -> str:
    safe = escape(line).replace("\n", "<br>")
    return f'<a href="{safe}">{safe}</a>' if line.startswith(("http:", "https:")) else safe
