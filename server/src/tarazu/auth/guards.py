"""Who may pass: the token of a call, turned into its caller."""

from starlette.requests import HTTPConnection

from tarazu.auth import service
from tarazu.kit import clock
from tarazu.kit.access import NotAllowed, NotSignedIn, PasswordChangeRequired, Rule
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tarazu.kit.trail import Actor
from tarazu.people.tables import Role


def authenticate(request: HTTPConnection, rule: Rule) -> Actor:
    """The caller of `request`, read from the database; nothing of it comes from the client.

    Raises:
        NotSignedIn: no bearer token.
        SessionExpired: the token is dead.
        PasswordChangeRequired: the account must set a password first.
        NotAllowed: the role is too low for the rule.
    """
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise NotSignedIn
    caller, is_first_time = caller_of_token(
        request.app.state.database, request.app.state.settings, token.strip()
    )
    if is_first_time and rule is not Rule.SIGNED_IN:
        raise PasswordChangeRequired
    if rule is Rule.ADMIN and caller.role != Role.ADMIN:
        raise NotAllowed
    request_id = getattr(request.state, "request_id", "")
    return Actor(
        caller.account_id, caller.role, caller.name, caller.session_id, ip_of(request), request_id
    )


def caller_of_token(database: Database, settings: Settings, token: str) -> tuple[Actor, bool]:
    """The holder of a live token, and whether a password must be set first.

    Raises:
        SessionExpired: the token is dead.
    """
    now = clock.now()
    with database.reading() as session:
        bearer = service.bearer_of(session, settings, token, now)
    if bearer.is_seen_long_ago:
        with database.transaction() as session:
            service.mark_seen(session, bearer, now)
    who = Actor(bearer.account_id, bearer.role, bearer.name, bearer.session_id)
    return who, bearer.is_first_time


def ip_of(request: HTTPConnection) -> str:
    """The address of the socket's peer."""
    return request.client.host if request.client else ""


def visitor_of(request: HTTPConnection) -> service.Visitor:
    """Where a call comes from."""
    agent = request.headers.get("User-Agent", "")
    return service.Visitor(ip_of(request), agent, getattr(request.state, "request_id", ""))
