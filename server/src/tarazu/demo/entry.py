"""What every start of the demo asks; `service`, which makes the firm, is loaded only for that."""

from sqlalchemy.orm import Session

from tarazu.firm import service as firm
from tarazu.kit.settings import Settings
from tarazu.portfolio import service as portfolio

ADMIN = ("Ananya Kulkarni", "admin@tarazu.example", "demo-admin-2026")
USER = ("Ravi Deshmukh", "user@tarazu.example", "demo-user-2026")


def sign_ins() -> list[str]:
    """The lines that tell how to sign in to the demo."""
    return [
        f"  ADMIN  {ADMIN[1]}  password {ADMIN[2]}",
        f"  USER   {USER[1]}  password {USER[2]}",
    ]


def where_mails_are(settings: Settings) -> str:
    """The line that says where the mails are, with them the code that opens a client's page."""
    return f"  Mails are files in {settings.outbox_dir}, also the code of a client's page."


def is_made(session: Session) -> bool:
    """Whether the demo firm is there already, whole: its daily closes come at the end."""
    return firm.registration(session).is_demo and portfolio.has_closes(session)
