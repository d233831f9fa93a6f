"""Who may open a socket to the server."""

import uuid
from collections.abc import Collection

from tarazu.auth import guards
from tarazu.auth import service as auth
from tarazu.kit import clock
from tarazu.kit.audit_log import Actor
from tarazu.kit.auth_route import NotSignedIn
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tarazu.kit.sockets import Member
from tarazu.people import service as people
from tarazu.teams import service as teams


class SessionGuard:
    """Admits the holder of a live session, and says which sessions have ended."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database, self._settings = database, settings

    def admit(self, token: str) -> Member:
        """The holder of a live token.

        Raises:
            SessionExpired: the token is dead.
            PasswordChangeRequired, SecondFactorDue: something must be set up first.
        """
        caller = guards.caller_of_token(self._database, self._settings, token)
        if caller.account_id is None:
            raise NotSignedIn
        return Member(caller.account_id, caller.session_id, token)

    def ended(self, tokens: Collection[str]) -> set[str]:
        """Those of `tokens` whose session has ended. The check does not prolong a session."""
        now = clock.now()
        with self._database.reading() as session:
            ended = set(tokens) - auth.live_tokens(session, self._settings, tokens, now)
        if ended:
            with self._database.transaction() as session:
                auth.end_expired(session, self._settings, ended, now)
        return ended

    def seeing_all(self, accounts: Collection[uuid.UUID]) -> set[uuid.UUID]:
        """Those of these accounts who see every client: none of the USERs while teams decide."""
        with self._database.reading() as session:
            staff = [people.staff_by_id(session, account) for account in accounts]
            return {
                one.id
                for one in staff
                if one and teams.visible_clients(session, Actor(one.id, one.role)).is_all
            }
