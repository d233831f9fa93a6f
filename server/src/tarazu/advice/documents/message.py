"""The mail that brings the letter: the same rows as plain text and as HTML."""

import datetime as dt
from collections.abc import Callable, Sequence
from html import escape

from tarazu.advice.documents import contents
from tarazu.advice.package import Row
from tarazu.advice.sealing import SealedAdvice
from tarazu.domain.charges import Side
from tarazu.kit import formatting
from tarazu.kit.mail import Draft

_VERBS = {Side.SELL: "Sell", Side.BUY: "Buy"}
_CELL = "padding:6px 10px;border-bottom:1px solid #c9d1d9;text-align:"
_COLUMNS: Sequence[tuple[str, str, Callable[[Row], str]]] = (
    ("Advice", "left", lambda row: f"{_VERBS[row.side]} {formatting.shares(row.quantity)}"),
    ("Stock", "left", lambda row: f"{row.stock.symbol} ({row.stock.exchange})"),
    ("Price", "right", lambda row: formatting.rupees(row.last_price)),
    ("Order value", "right", lambda row: formatting.rupees(contents.trade_value(row))),
    ("Target", "right", lambda row: formatting.percent(row.allocation)),
    ("Possible", "right", lambda row: formatting.percent(row.possible)),
)


def draft_of(advice: SealedAdvice, letter: bytes) -> Draft:
    """The mail to the client, with the letter attached."""
    return Draft(
        advice.delivery.recipient,
        subject_of(advice.sent_at),
        _text(advice),
        _html(advice),
        (advice.letter.file_name, letter),
    )


def subject_of(sent_at: dt.datetime) -> str:
    """The subject; it never contains text that people typed."""
    return f"Investment advice of {formatting.day_of(sent_at)}"


def _rows(advice: SealedAdvice) -> list[Row]:
    return [*contents.rows_of(advice, Side.SELL), *contents.rows_of(advice, Side.BUY)]


def _facts(advice: SealedAdvice) -> list[tuple[str, str]]:
    facts = [("Investment Value", formatting.rupees(advice.investment))]
    for side in (Side.SELL, Side.BUY):
        if contents.rows_of(advice, side):
            name = f"To {_VERBS[side].lower()} (order value)"
            facts.append((name, formatting.rupees(contents.order_value(advice, side))))
    if advice.model:
        facts.insert(0, ("Model portfolio", contents.model_line(advice)))
    facts.append(("Estimated charges", formatting.rupees(advice.charges.total)))
    return facts


def _opening(advice: SealedAdvice) -> list[str]:
    """The line that marks simulated prices, if any."""
    return [f"{formatting.PRACTICE}."] if contents.is_practice(advice) else []


def _closing(advice: SealedAdvice) -> list[str]:
    firm = advice.firm
    given = advice.disclosures
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
        contents.NO_ORDERS,
    ]


def _signature(advice: SealedAdvice) -> list[str]:
    firm, author = advice.firm, advice.sender
    return [
        f"{author.name}, {contents.role_of(author.role)}",
        firm.name,
        f"SEBI-registered Research Analyst, registration number {firm.registration_number}",
        firm.validity_line,
        f"{formatting.time_of(advice.sent_at)}, reference {advice.advice_id}",
        contents.seal_line(advice),
    ]


def _text(advice: SealedAdvice) -> str:
    rows = [
        f"{_VERBS[row.side].upper()} {formatting.shares(row.quantity)} {row.stock.symbol} "
        f"({row.stock.exchange}) at {formatting.rupees(row.last_price)}: "
        f"{formatting.rupees(contents.trade_value(row))}; target "
        f"{formatting.percent(row.allocation)}, possible {formatting.percent(row.possible)}. {row.message}"
        for row in _rows(advice)
    ]
    parts = [
        *([line] for line in _opening(advice)),
        [f"Dear {advice.client.name} ({advice.client.code}),"],
        ["Here is our advice for your portfolio. The letter is attached."],
        [f"{name}: {figure}" for name, figure in _facts(advice)],
        rows,
        [contents.price_line(advice)],
        ["Rationale", advice.rationale],
        [contents.quantities_note(advice)],
        _closing(advice),
        _signature(advice),
    ]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _html(advice: SealedAdvice) -> str:
    head = "".join(f'<th style="{_CELL}{side}">{name}</th>' for name, side, _ in _COLUMNS)
    body = "".join(_html_row(row) for row in _rows(advice))
    facts = "<br>".join(
        f"{escape(name)}: <strong>{escape(figure)}</strong>" for name, figure in _facts(advice)
    )
    closing = "".join(_paragraph(text) for text in _closing(advice))
    return (
        '<!doctype html><html lang="en"><body style="font-family:sans-serif;font-size:15px;'
        'line-height:1.5;color:#16202c">'
        + "".join(_paragraph(line) for line in _opening(advice))
        + _paragraph(f"Dear {advice.client.name} ({advice.client.code}),")
        + _paragraph("Here is our advice for your portfolio. The letter is attached.")
        + f"<p>{facts}</p>"
        + f'<table style="border-collapse:collapse;font-size:14px"><tr>{head}</tr>{body}</table>'
        + _paragraph(contents.price_line(advice))
        + f"<p><strong>Rationale</strong><br>{_lines(advice.rationale)}</p>"
        + _paragraph(contents.quantities_note(advice))
        + closing
        + f"<p>{'<br>'.join(escape(line) for line in _signature(advice))}</p></body></html>"
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
