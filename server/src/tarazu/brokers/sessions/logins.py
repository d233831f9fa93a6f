"""Log-ins at a broker's own page: the address, and a state that comes back once with the tokens."""

import datetime as dt
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from sqlalchemy.orm import Session

from tarazu.brokers.broker_settings import app_of
from tarazu.brokers.sessions import login_queries
from tarazu.brokers.tables import BrokerName, LoginState
from tarazu.kit import security
from tarazu.kit.db import new_id
from tarazu.kit.settings import Settings

LOGIN_URLS = {
    BrokerName.ZERODHA: "https://kite.zerodha.com/connect/login",
    BrokerName.ANGEL_ONE: "https://smartapi.angelone.in/publisher-login",
}
LOGIN_MINUTES = 15
"""How long a log-in at a broker may take, from its beginning here to the return."""


@dataclass(frozen=True, slots=True)
class StartedLogin:
    """The address at which a log-in continues."""

    broker: BrokerName
    url: str


@dataclass(frozen=True, slots=True)
class LoginOwner:
    """Who logs in: the firm, by a session of staff, or a client, by a link."""

    account_id: UUID | None = None
    session_id: UUID | None = None
    client_id: UUID | None = None
    link_id: UUID | None = None


def begin(
    session: Session,
    settings: Settings,
    name: BrokerName,
    whose: LoginOwner,
    now: dt.datetime,
    prefix: str = "",
) -> StartedLogin:
    """Begin a log-in.

    Args:
        prefix: what the mark begins with, by which the return page knows whose log-in comes back.

    Raises:
        BrokerNotReady: the broker's record is missing, inactive or not complete.
    """
    app = app_of(session, name)
    state = prefix + security.new_token()
    login_queries.forget_old_logins(session, now)
    session.add(
        LoginState(
            id=new_id(),
            digest=security.token_digest(state),
            broker=name,
            account_id=whose.account_id,
            session_id=whose.session_id,
            client_id=whose.client_id,
            link_id=whose.link_id,
            made_at=now,
            expires_at=now + dt.timedelta(minutes=LOGIN_MINUTES),
            used_at=None,
        )
    )
    session.flush()
    # The broker's log-in page; Kite has no state of its own but gives extra fields back.
    if name == BrokerName.ZERODHA:
        base = settings.zerodha_login_url
        query = {"v": "3", "api_key": app.api_key, "redirect_params": urlencode({"state": state})}
    else:
        base = settings.angel_login_url
        query = {"api_key": app.api_key, "state": state}
    base = base or LOGIN_URLS[name]
    login_url = base + ("&" if "?" in base else "?") + urlencode(query)
    return StartedLogin(name, login_url)
