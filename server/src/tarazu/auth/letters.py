"""The mails about accounts. Subjects never contain user input."""

from html import escape

from tarazu.kit.mail import Draft

_STYLE = "font-family:sans-serif;font-size:15px;line-height:1.5;color:#16202c"


def reset_link(recipient: str, link: str, minutes: int) -> Draft:
    """The mail with the password reset link."""
    return _draft(
        recipient,
        "Reset your password",
        [
            "Somebody, probably you, asked to reset the password of this account.",
            f"Set a new one here, within {minutes} minutes:",
            link,
            "If it was not you, there is nothing to do: the password stays as it is.",
        ],
        link,
    )


def one_time_code(recipient: str, code: str, minutes: int) -> Draft:
    """The mail with a one-time code."""
    return _draft(
        recipient,
        "Your one-time code",
        [
            "Somebody, probably you, asked for a one-time code to reset the password.",
            f"One-time code: {code}",
            f"It works for {minutes} minutes, once. Do not share it with anyone.",
        ],
        code,
    )


def password_changed(recipient: str, address: str) -> Draft:
    """The notice of a changed password."""
    return _draft(
        recipient,
        "Your password was changed",
        [
            "The password of this account was changed, and every session was ended.",
            "If it was not you, ask for a reset link at once and tell an administrator:",
            f"{address}/auth/forgot-password",
        ],
    )


def second_factor_changed(recipient: str, *, is_on: bool) -> Draft:
    """The notice that two-factor sign-in was turned on or off."""
    done = "turned on" if is_on else "turned off"
    return _draft(
        recipient,
        f"Two-factor sign-in was {done}",
        [
            f"Two-factor sign-in of this account was {done}.",
            "If it was not you, tell an administrator at once.",
        ],
    )


def passkey_changed(recipient: str, *, is_added: bool) -> Draft:
    """The notice that a passkey was added or removed."""
    done = "added to" if is_added else "removed from"
    return _draft(
        recipient,
        f"A passkey was {done} your account",
        [
            f"A passkey was {done} this account.",
            "If it was not you, tell an administrator at once.",
        ],
    )


def _draft(recipient: str, subject: str, lines: list[str], secret: str = "") -> Draft:
    html = "".join(f"<p>{_linked(line)}</p>" for line in lines)
    whole = f'<!doctype html><html lang="en"><body style="{_STYLE}">{html}</body></html>'
    return Draft(recipient, subject, "\n\n".join(lines) + "\n", whole, secret=secret)


def _linked(line: str) -> str:
    safe = escape(line)
    return f'<a href="{safe}">{safe}</a>' if line.startswith(("http:", "https:")) else safe
