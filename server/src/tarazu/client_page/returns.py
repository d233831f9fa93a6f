"""How a client comes back from Zerodha's basket page, and what came of it."""

import datetime as dt
import uuid
from dataclasses import dataclass
from enum import StrEnum

import structlog
from sqlalchemy.orm import Session

from tarazu.advice import service as advising
from tarazu.advice.service import OpenAdviceLink
from tarazu.brokers import service as brokers
from tarazu.brokers.errors import BrokerNotReady, LoginRefused, WrongBrokerId
from tarazu.brokers.service import BrokerFault, Gateway, Identity, LoginTokens
from tarazu.brokers.tables import BrokerName
from tarazu.client_page import queries
from tarazu.kit import security
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import Database
from tarazu.kit.errors import ApiError
from tarazu.kit.translation import Language
from tarazu.portfolio import service as portfolio
from tarazu.sync import service as syncing
from tarazu.sync.service import SyncContext

log = structlog.get_logger()


class Outcome(StrEnum):
    """What came of a return; only READ and CONNECTED changed anything.

    UNKNOWN: the mark is unknown, old or used. CANCELLED: the client cancelled at the broker.
    NO_LOGIN: the broker sent no log-in with the client. REFUSED: it does not take the log-in it
    sent, or does not answer. OTHER_PERSON: the log-in is of another id than the client's.
    CONNECTED: connected, but the account could not be read. READ: connected and read.
    """

    UNKNOWN = "UNKNOWN"
    CANCELLED = "CANCELLED"
    NO_LOGIN = "NO_LOGIN"
    REFUSED = "REFUSED"
    OTHER_PERSON = "OTHER_PERSON"
    CONNECTED = "CONNECTED"
    READ = "READ"


@dataclass(frozen=True, slots=True)
class BasketReturn:
    """What came of a return, and whose it is; None where the mark is not known."""

    outcome: Outcome
    link: OpenAdviceLink | None = None

    @property
    def language(self) -> Language:
        """Of the client, if that is known."""
        return self.link.client.language if self.link else Language.EN


def take_return(
    database: Database,
    gateway: Gateway,
    actor: Actor,
    state: str,
    status: str,
    request_token: str,
    now: dt.datetime,
) -> BasketReturn:
    """Take what the broker's page brings back, once, and read the client's account with it.

    For threads that may wait and hold no transaction open.
    """
    with database.transaction() as session:
        basket = queries.use_basket(session, security.token_digest(state), now)
        link = advising.open_link_by_id(session, basket.link_id, now) if basket else None
    if link is None:
        return BasketReturn(Outcome.UNKNOWN)
    if status == "cancelled":
        return BasketReturn(Outcome.CANCELLED, link)
    if not request_token:
        return BasketReturn(Outcome.NO_LOGIN, link)
    tokens = LoginTokens(request_token)
    try:
        brokers.finish_basket_login(
            database, gateway, actor, link.client.id, tokens, _identity_of, now
        )
    except WrongBrokerId:
        return BasketReturn(Outcome.OTHER_PERSON, link)
    except (BrokerNotReady, LoginRefused, BrokerFault):
        # Logged where it was noticed; the trades are read with the client's next connection.
        return BasketReturn(Outcome.REFUSED, link)
    try:
        syncing.sync_client(SyncContext(database, gateway, actor), link.client.id, now)
    except ApiError as refusal:
        # The reason is stored with the client, where staff see it.
        log.warning("basket_return_not_read", reason=refusal.stable_code)
        return BasketReturn(Outcome.CONNECTED, link)
    return BasketReturn(Outcome.READ, link)


def _identity_of(
    session: Session, client_id: uuid.UUID, name: BrokerName, broker_user_id: str
) -> Identity:
    """Whether an id at the broker is the one on the client's record."""
    account = portfolio.account_summary(session, client_id)
    is_same = bool(broker_user_id) and account.broker_user_id.upper() == broker_user_id.upper()
    return Identity.KNOWN if is_same and account.broker in {"", name} else Identity.OTHER
