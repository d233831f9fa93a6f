"""The mail with the code that opens a client's page."""

from html import escape

from tarazu.firm.service import FirmRegistration
from tarazu.kit.mail import Draft
from tarazu.kit.translation import Language, translation_of

_STYLE = "font-family:sans-serif;font-size:16px;line-height:1.5"
_CODE = "font-size:28px;font-weight:600;letter-spacing:4px"


def code_mail(
    firm: FirmRegistration, language: Language, recipient: str, code: str, minutes: int
) -> Draft:
    """The code, without a word of the advice: mailboxes are read over shoulders."""
    t = translation_of(language)
    lines = [
        t.gettext("Your code to read the advice of {firm}:", firm=firm.name),
        code,
        t.gettext(
            "It works for {minutes} minutes, once. Nobody from {firm} will ask you for it.",
            minutes=minutes,
            firm=firm.name,
        ),
        t.gettext("If you did not ask for a code, there is nothing to do."),
        "\n".join(
            line
            for line in (
                firm.name,
                t.gettext("SEBI registration number {number}", number=firm.registration_number)
                if firm.registration_number
                else "",
            )
            if line
        ),
    ]
    html = "".join(
        f'<p style="{_CODE}">{code}</p>'
        if line == code
        else f"<p>{escape(line).replace(chr(10), '<br>')}</p>"
        for line in lines
    )
    whole = f'<!doctype html><html lang="{language.lower()}"><body style="{_STYLE}">{html}</body></html>'
    subject = t.gettext("Your code")
    return Draft(recipient, subject, "\n\n".join(lines) + "\n", whole, secret=code)
