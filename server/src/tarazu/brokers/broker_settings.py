"""The settings of the brokers, as staff enter them, and the app that calls are made with."""

import datetime as dt
import uuid
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.orm import Session

from tarazu.brokers import queries
from tarazu.brokers.errors import (
    BrokerAlreadyAdded,
    BrokerNotFound,
    BrokerNotReady,
    SecretWanted,
    UnfitAddress,
)
from tarazu.brokers.protocol.port import BrokerApp
from tarazu.brokers.sessions import queries as session_queries
from tarazu.brokers.tables import Broker, BrokerName, BrokerStatus, EndReason, Missing
from tarazu.firm import service as firm
from tarazu.firm.service import ApprovedAction
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import acquire_lock, new_id
from tarazu.kit.encryption import cipher_of
from tarazu.kit.errors import StaleVersion
from tarazu.kit.locks import AdvisoryLock
from tarazu.kit.settings import Settings
from tarazu.people.tables import Role

MASK = "********"
DISPLAY_NAMES = {BrokerName.ZERODHA: "Zerodha", BrokerName.ANGEL_ONE: "Angel One"}
API_URLS = {
    BrokerName.ZERODHA: "https://api.kite.trade",
    BrokerName.ANGEL_ONE: "https://apiconnect.angelone.in",
}

_SHOWN_OF_KEY = 4
APPROVED_FIELDS = frozenset({"apiKey", "apiSecret", "api_url"})
"""Changes of a record that a second administrator must approve, where the firm asks for that."""
_WORDS_OF = {Missing.API_KEY: "API key", Missing.API_SECRET: "API secret"}


@dataclass(frozen=True, slots=True)
class BrokerFields:
    """What staff enter about a broker; None and an empty secret leave it unchanged."""

    description: str | None = None
    logo: str | None = None
    api_key: str | None = field(default=None, repr=False)
    api_secret: str | None = field(default=None, repr=False)
    api_url: str | None = None
    is_renew_session_allowed: bool | None = None
    status: BrokerStatus | None = None


@dataclass(frozen=True, slots=True)
class BrokerView:
    """A broker's settings as a member of staff may see them: never the secret, the key in part."""

    id: uuid.UUID
    name: BrokerName
    description: str
    logo: str
    api_key: str
    api_secret: str
    api_secret_set: bool
    api_url: str
    is_renew_session_allowed: bool
    status: BrokerStatus
    missing: list[Missing]
    version: int


@dataclass(frozen=True, slots=True)
class BrokerSummary:
    """A broker in the list, and what its settings lack before it can be used."""

    id: uuid.UUID
    name: BrokerName
    description: str
    logo: str
    status: BrokerStatus
    missing: list[Missing]


def list_brokers(session: Session) -> list[BrokerSummary]:
    """The brokers that were added, by name."""
    return [
        BrokerSummary(
            broker.id,
            broker.name,
            broker.description,
            broker.logo,
            broker.status,
            missing_of(broker),
        )
        for broker in queries.brokers(session)
    ]


def missing_of(broker: Broker) -> list[Missing]:
    """What a record lacks before anybody can log in at the broker, worst first."""
    missing = []
    if not broker.api_key:
        missing.append(Missing.API_KEY)
    # Angel One returns its tokens directly: nothing is signed with its secret.
    if not broker.api_secret and broker.name == BrokerName.ZERODHA:
        missing.append(Missing.API_SECRET)
    return missing


def usable_brokers(session: Session) -> list[BrokerName]:
    """The brokers at which somebody can log in now, by name."""
    return [name for name in _active_names(session) if _is_usable(session, name)]


def only_broker(session: Session) -> BrokerName:
    """The one broker that is in use.

    Raises:
        BrokerNotReady: there is none, or more than one.
    """
    names = _active_names(session)
    if len(names) > 1:
        raise BrokerNotReady("Choose the broker to log in at.")
    if not names:
        raise BrokerNotReady
    return names[0]


def show_broker(
    session: Session, actor: Actor, broker_id: uuid.UUID, now: dt.datetime
) -> BrokerView:
    """One broker's settings; the audit log records that they were viewed.

    Raises:
        BrokerNotFound: there is no such broker.
    """
    broker = _broker(session, broker_id)
    audit_log.record(session, actor, now, "broker_viewed", ("broker", broker.id))
    return _view(session, actor, broker)


def add_broker(
    session: Session,
    settings: Settings,
    actor: Actor,
    now: dt.datetime,
    name: BrokerName,
    entered: BrokerFields,
    *,
    is_approved: bool = False,
) -> BrokerView:
    """Add one of the brokers on offer.

    Raises:
        BrokerAlreadyAdded: it is there.
        UnfitAddress: the API URL may not be called.
        ApprovalRequired: a second administrator must approve it, and did not.
    """
    acquire_lock(session, AdvisoryLock.SETTINGS)
    if queries.broker_named(session, name) is not None:
        raise BrokerAlreadyAdded
    if not is_approved:
        firm.refuse_alone(session, ApprovedAction.BROKER_KEY)
    broker = Broker(
        id=new_id(),
        name=name,
        description=entered.description or "",
        logo=entered.logo or "",
        api_url=_checked_url(settings, entered.api_url or API_URLS[name]),
        is_renew_session_allowed=bool(entered.is_renew_session_allowed),
        status=entered.status or BrokerStatus.ACTIVE,
        created_at=now,
        updated_at=now,
        version=1,
    )
    _keep_key(session, broker, entered.api_key or "")
    _keep_secret(session, broker, "" if entered.api_secret == MASK else entered.api_secret or "")
    session.add(broker)
    session.flush()
    changes = {"name": name, "apiUrl": broker.api_url, "status": broker.status} | {
        field_name: "changed"
        for field_name, sealed in (("apiKey", broker.api_key), ("apiSecret", broker.api_secret))
        if sealed
    }
    audit_log.record(session, actor, now, "broker_added", ("broker", broker.id), changes)
    return _view(session, actor, broker)


def edit_broker(
    session: Session,
    settings: Settings,
    actor: Actor,
    now: dt.datetime,
    broker_id: uuid.UUID,
    entered: BrokerFields,
    version: int | None,
    *,
    is_approved: bool = False,
) -> BrokerView:
    """Change a broker's record; what is not given stays.

    Raises:
        BrokerNotFound: there is no such broker.
        StaleVersion: somebody changed it since `version`.
        UnfitAddress: the API URL may not be called.
        SecretWanted: the secret would go to another host than the one it was entered for.
        ApprovalRequired: a second administrator must approve it, and did not.
    """
    broker = _broker(session, broker_id, for_update=True)
    if version not in {None, broker.version}:
        raise StaleVersion
    changes = _take_over(session, settings, broker, entered)
    if not is_approved and APPROVED_FIELDS & changes.keys():
        firm.refuse_alone(session, ApprovedAction.BROKER_KEY)
    if broker.status == BrokerStatus.INACTIVE:
        session_queries.end_sessions_at(session, broker.name, now, EndReason.BROKER_INACTIVE)
    broker.version += 1
    broker.updated_at = now
    session.flush()
    audit_log.record(session, actor, now, "broker_edited", ("broker", broker.id), changes)
    return _view(session, actor, broker)


def api_key_of(session: Session, broker_id: uuid.UUID) -> str:
    """The whole API key, for staff who may edit it.

    Raises:
        BrokerNotFound: there is no such broker.
    """
    return _api_key(session, _broker(session, broker_id))


def app_of(session: Session, name: BrokerName) -> BrokerApp:
    """The app with which a broker is called, its secrets readable.

    Raises:
        BrokerNotReady: the record is missing, inactive or not complete; the sentence says which.
    """
    shown = DISPLAY_NAMES[name]
    broker = queries.broker_named(session, name)
    if broker is None:
        raise BrokerNotReady(f"Add {shown} in Broker & Exchange first.")
    if broker.status != BrokerStatus.ACTIVE:
        raise BrokerNotReady(f"{shown} is inactive. Set it active in Broker & Exchange first.")
    for lacking in missing_of(broker):
        label = _WORDS_OF[lacking]
        raise BrokerNotReady(f"Enter the {label} of {shown} in Broker & Exchange first.")
    key, secret = _api_key(session, broker), _api_secret(session, broker)
    return BrokerApp(key, secret, broker.api_url, broker.is_renew_session_allowed)


def basket_key(session: Session) -> str:
    """The key of the firm's app at Zerodha, by which a client's basket names the firm.

    Raises:
        BrokerNotReady: as for `app_of`.
    """
    return app_of(session, BrokerName.ZERODHA).api_key


def _active_names(session: Session) -> list[BrokerName]:
    return [
        broker.name for broker in queries.brokers(session) if broker.status == BrokerStatus.ACTIVE
    ]


def _is_usable(session: Session, name: BrokerName) -> bool:
    try:
        app_of(session, name)
    except BrokerNotReady:
        return False
    return True


def _take_over(
    session: Session, settings: Settings, broker: Broker, entered: BrokerFields
) -> dict[str, Any]:
    """Apply what was entered; returns the changes for the audit log."""
    secret = "" if entered.api_secret in {None, MASK} else str(entered.api_secret)
    changes: dict[str, Any] = {}
    if entered.api_url is not None:
        url = _checked_url(settings, entered.api_url or API_URLS[broker.name])
        if broker.api_secret and not secret and _host(url) != _host(broker.api_url):
            raise SecretWanted(errors=[{"field": "apiSecret", "message": SecretWanted.message}])
        _change(broker, "api_url", url, changes)
    for name in ("description", "logo", "is_renew_session_allowed", "status"):
        value = getattr(entered, name)
        if value is not None:
            _change(broker, name, value, changes)
    if entered.api_key is not None and entered.api_key != _api_key(session, broker):
        _keep_key(session, broker, entered.api_key)
        changes["apiKey"] = "changed"
    if secret:
        _keep_secret(session, broker, secret)
        changes["apiSecret"] = "changed"
    return changes


def _broker(session: Session, broker_id: uuid.UUID, *, for_update: bool = False) -> Broker:
    broker = queries.broker(session, broker_id, for_update=for_update)
    if broker is None:
        raise BrokerNotFound
    return broker


def _view(session: Session, actor: Actor, broker: Broker) -> BrokerView:
    key = _api_key(session, broker)
    if actor.role != Role.ADMIN and key:
        key = "****" + (key[-_SHOWN_OF_KEY:] if len(key) > 2 * _SHOWN_OF_KEY else "")
    return BrokerView(
        id=broker.id,
        name=broker.name,
        description=broker.description,
        logo=broker.logo,
        api_key=key,
        api_secret=MASK if broker.api_secret else "",
        api_secret_set=bool(broker.api_secret),
        api_url=broker.api_url,
        is_renew_session_allowed=broker.is_renew_session_allowed,
        status=broker.status,
        missing=missing_of(broker),
        version=broker.version,
    )


def _change(broker: Broker, name: str, value: Any, changes: dict[str, Any]) -> None:
    before = getattr(broker, name)
    if before != value:
        setattr(broker, name, value)
        changes[name] = [before, value]


def _api_key(session: Session, broker: Broker) -> str:
    sealed = broker.api_key
    return cipher_of(session).unseal(sealed, Broker.api_key, broker.id) if sealed else ""


def _api_secret(session: Session, broker: Broker) -> str:
    sealed = broker.api_secret
    return cipher_of(session).unseal(sealed, Broker.api_secret, broker.id) if sealed else ""


def _keep_key(session: Session, broker: Broker, key: str) -> None:
    broker.api_key = cipher_of(session).seal(key, Broker.api_key, broker.id) if key else ""


def _keep_secret(session: Session, broker: Broker, secret: str) -> None:
    sealed = cipher_of(session).seal(secret, Broker.api_secret, broker.id) if secret else ""
    broker.api_secret = sealed


def _checked_url(settings: Settings, given: str) -> str:
    """The address without its last slash, if calls may go there."""
    from tarazu.brokers.host_rules import CallRefused, HostRules  # noqa: PLC0415 - costs the start 0.1 s

    url = given.strip().rstrip("/")
    try:
        scheme = HostRules.of(settings).url_of(url).scheme
    except CallRefused as refused:
        raise _unfit(str(refused)) from refused
    if scheme not in {"https", "http"}:
        raise _unfit("the address is not https")
    if "?" in url or "#" in url:
        raise _unfit("the address has a query")
    return url


def _unfit(reason: str) -> UnfitAddress:
    sentence = f"The API URL cannot be used: {reason}."
    return UnfitAddress(sentence, errors=[{"field": "apiUrl", "message": sentence}])


def _host(url: str) -> str:
    """Scheme, host and port: where a secret that is sent to `url` would go."""
    return "/".join(url.lower().split("/", 3)[:3])
