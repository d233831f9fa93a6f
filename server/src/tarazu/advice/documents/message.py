"""The mail that brings the letter: the same rows as plain text and as HTML."""

import datetime as dt
from collections.abc import Callable, Sequence
from html import escape

from tarazu.advice.documents import contents as told
from tarazu.advice.documents.contents import Contents
from tarazu.advice.package import Row
from tarazu.domain.charges import Side
from tarazu.kit import formatting
from tarazu.kit.mail import Draft

_VERBS = {Side.SELL: "Sell", Side.BUY: "Buy"}
_CELL = "padding:6px 10px;border-bottom:1px solid #c9d1d9;text-align:"
_COLUMNS: Sequence[tuple[str, str, Callable[[Row], str]]] = (
    ("Advice", "left", lambda row: f"{_VERBS[row.side]} {formatting.shares(row.quantity)}"),
    ("Stock", "left", lambda row: f"{row.stock.symbol} ({row.stock.exchange})"),
    ("Price", "right", lambda row: formatting.rupees(row.last_price)),
    ("Order value", "right", lambda row: formatting.rupees(row.additional_value + row.freed_value)),
    ("Target", "right", lambda row: formatting.percent(row.allocation)),
    ("Possible", "right", lambda row: formatting.percent(row.possible)),
)


def draft_of(contents: Contents, recipient: str, letter: bytes) -> Draft:
    """The mail to the client, its letter attached."""
    return Draft(
        recipient,
        subject_of(contents.sent_at),
        _text(contents),
        _html(contents),
        (contents.file_name, letter),
    )


def subject_of(sent_at: dt.datetime) -> str:
    """No names here: a subject is not the place for text that people typed."""
    return f"Investment advice of {formatting.day_of(sent_at)}"


def _rows(contents: Contents) -> list[Row]:
    return [*contents.side(Side.SELL), *contents.side(Side.BUY)]


def _facts(contents: Contents) -> list[tuple[str, str]]:
    facts = [("Investment Value", formatting.rupees(contents.investment))]
    for side in (Side.SELL, Side.BUY):
        if contents.side(side):
            name = f"To {_VERBS[side].lower()} (order value)"
            facts.append((name, formatting.rupees(contents.order_value(side))))
    if contents.model:
        facts.insert(0, ("Model portfolio", contents.model))
    facts.append(("Estimated charges", formatting.rupees(contents.charges.total)))
    return facts


def _opening(contents: Contents) -> list[str]:
    """What comes before anything else: that it is practice, where it is."""
    return [f"{formatting.PRACTICE}."] if contents.is_practice else []


def _closing(contents: Contents) -> list[str]:
    firm = contents.firm
    given = contents.disclosures
    return [
        *(
            text
            for text in (
                given.holdings,
                given.conflicts,
                given.compensation,
                firm.disclosures,
            )
            if text
        ),
        firm.standard_warning,
        firm.no_assurance,
        told.NO_ORDERS,
    ]


def _signature(contents: Contents) -> list[str]:
    firm, author = contents.firm, contents.author
    return [
        f"{author.name}, {told.role_of(author.role)}",
        firm.name,
        f"SEBI-registered Research Analyst, registration number {firm.registration_number}",
        firm.validity_line,
        f"{formatting.time_of(contents.sent_at)}, reference {contents.advice_id}",
        *([contents.seal_line] if contents.seal_line else []),
    ]


def _text(contents: Contents) -> str:
    rows = [
        f"{_VERBS[row.side].upper()} {formatting.shares(row.quantity)} {row.stock.symbol} "
        f"({row.stock.exchange}) at {formatting.rupees(row.last_price)}: "
        f"{formatting.rupees(row.additional_value + row.freed_value)}; target "
        f"{formatting.percent(row.allocation)}, possible {formatting.percent(row.possible)}. {row.message}"
        for row in _rows(contents)
    ]
    parts = [
        *([line] for line in _opening(contents)),
        [f"Dear {contents.client_name} ({contents.client_code}),"],
        ["Here is our advice for your portfolio. The letter is attached."],
        [f"{name}: {figure}" for name, figure in _facts(contents)],
        rows,
        [contents.price_line],
        ["Rationale", contents.rationale],
        [contents.quantities_note],
        _closing(contents),
        _signature(contents),
    ]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _html(contents: Contents) -> str:
    head = "".join(f'<th style="{_CELL}{side}">{name}</th>' for name, side, _ in _COLUMNS)
    body = "".join(_html_row(row) for row in _rows(contents))
    facts = "<br>".join(
        f"{escape(name)}: <strong>{escape(figure)}</strong>" for name, figure in _facts(contents)
    )
    closing = "".join(_paragraph(text) for text in _closing(contents))
    return (
        '<!doctype html><html lang="en"><body style="font-family:sans-serif;font-size:15px;'
        'line-height:1.5;color:#16202c">'
        + "".join(_paragraph(line) for line in _opening(contents))
        + _paragraph(f"Dear {contents.client_name} ({contents.client_code}),")
        + _paragraph("Here is our advice for your portfolio. The letter is attached.")
        + f"<p>{facts}</p>"
        + f'<table style="border-collapse:collapse;font-size:14px"><tr>{head}</tr>{body}</table>'
        + _paragraph(contents.price_line)
        + f"<p><strong>Rationale</strong><br>{_lines(contents.rationale)}</p>"
        + _paragraph(contents.quantities_note)
        + closing
        + f"<p>{'<br>'.join(escape(line) for line in _signature(contents))}</p></body></html>"
    )


def _html_row(row: Row) -> str:
    cells = "".join(
        f'<td style="{_CELL}{side}">{escape(cell(row))}</td>' for _, side, cell in _COLUMNS
    )
    return f"<tr>{cells}</tr>"


def _paragraph(text: str) -> str:
    return f"<p>{_lines(text)}</p>"


def _lines(text: str) -> str:
    return escape(text).replace("\n", "<br>")
