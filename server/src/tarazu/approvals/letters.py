"""The mails about approvals. Subjects never contain user input."""

from html import escape
from typing import Final

from tarazu.approvals.tables import ApprovalState
from tarazu.kit.mail import Draft

_DECIDED: Final = {
    ApprovalState.APPROVED: "Your request was approved",
    ApprovalState.REFUSED: "Your request was refused",
}


def asked(recipient: str, about: str, asker: str, note: str, public_url: str) -> Draft:
    """To an administrator: something waits for a decision."""
    lines = [f"{asker} asks for your approval: {about}.", *([note] if note else [])]
    return _draft(recipient, "An approval is asked for", lines, public_url)


def decided(
    recipient: str, about: str, state: ApprovalState, decider: str, answer: str, public_url: str
) -> Draft:
    """To whoever asked: what was decided."""
    word = "approved" if state is ApprovalState.APPROVED else "refused"
    lines = [f"{decider} {word}: {about}.", *([answer] if answer else [])]
    return _draft(recipient, _DECIDED[state], lines, public_url)


def _draft(recipient: str, subject: str, lines: list[str], public_url: str) -> Draft:
    where = f"{public_url}/home/approvals" if public_url else "Approvals"
    lines = [*lines, f"See {where}"]
    html = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return Draft(recipient, subject, "\n\n".join(lines) + "\n", html)
