"""Shapes of the brokers on the wire."""

import datetime as dt
import uuid
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from tarazu.brokers.tables import BrokerStatus, Missing
from tarazu.kit.fields import is_plain
from tarazu.kit.schemas import Flag, Schema, Version

LONGEST_DESCRIPTION = 2_000
LONGEST_ADDRESS = 2_048
LONGEST_SECRET = 512
LONGEST_TOKEN = 8_192

_NAMES = {"zerodha": "ZERODHA", "angelone": "ANGEL_ONE"}


def _offered(given: Any) -> str:
    """The value of a broker's display name ("Angel One"), or the value itself."""
    plain = str(given).lower().replace("_", "").replace(" ", "")
    if plain not in _NAMES:
        raise ValueError("Choose Zerodha or Angel One.")
    return _NAMES[plain]


def _description(text: str) -> str:
    plain = text.replace("\r\n", "\n").strip()
    if len(plain) > LONGEST_DESCRIPTION or not is_plain(plain, lines=True):
        raise ValueError("A description has at most 2,000 characters, without control characters.")
    return plain


def _logo(text: str) -> str:
    logo = text.strip()
    is_path = logo.startswith("/") and not logo.startswith(("//", "/\\"))
    if logo and not is_path and not logo.lower().startswith(("https://", "http://")):
        raise ValueError("A logo URL begins with https://, http:// or /.")
    if not is_path and "@" in logo.partition("//")[2].partition("/")[0]:
        raise ValueError("A logo URL has no user name and no password in it.")
    if len(logo) > LONGEST_ADDRESS or not is_plain(logo) or " " in logo:
        raise ValueError("A logo URL has at most 2,048 characters, without spaces.")
    return logo


def _secret(text: str) -> str:
    secret = text.strip()
    if len(secret) > LONGEST_SECRET or not secret.isascii() or not is_plain(secret):
        raise ValueError("Keys and secrets have at most 512 plain characters.")
    return secret


def _empty_if_none(given: Any) -> Any:
    return "" if given is None else given


Offered = Literal["ZERODHA", "ANGEL_ONE"]
Named = Annotated[Offered, BeforeValidator(_offered)]
Description = Annotated[
    str,
    AfterValidator(_description),
    BeforeValidator(_empty_if_none, json_schema_input_type=str | None),
]
Logo = Annotated[
    str, AfterValidator(_logo), BeforeValidator(_empty_if_none, json_schema_input_type=str | None)
]
Address = Annotated[
    str,
    Field(max_length=LONGEST_ADDRESS),
    BeforeValidator(_empty_if_none, json_schema_input_type=str | None),
]
Secret = Annotated[
    str, AfterValidator(_secret), BeforeValidator(_empty_if_none, json_schema_input_type=str | None)
]
Token = Annotated[
    str,
    Field(max_length=LONGEST_TOKEN),
    BeforeValidator(_empty_if_none, json_schema_input_type=str | None),
]


class NewBroker(Schema):
    name: Named
    description: Description = ""
    logo: Logo = ""
    api_key: Secret = ""
    api_secret: Secret = ""
    api_url: Address = ""
    is_renew_session_allowed: Flag = False
    status: BrokerStatus = BrokerStatus.ACTIVE


class EditedBroker(Schema):
    """A field that is not sent stays as it is."""

    id: uuid.UUID
    description: Annotated[str, AfterValidator(_description)] | None = None
    logo: Annotated[str, AfterValidator(_logo)] | None = None
    api_key: Annotated[str, AfterValidator(_secret)] | None = None
    api_secret: Annotated[str, AfterValidator(_secret)] | None = None
    api_url: Annotated[str, Field(max_length=LONGEST_ADDRESS)] | None = None
    is_renew_session_allowed: Flag | None = None
    status: BrokerStatus | None = None
    version: Version | None = None


class ListedBroker(Schema):
    id: uuid.UUID = Field(alias="_id")
    name: Offered
    description: str
    logo: str
    status: BrokerStatus
    missing: list[Missing]
    """What the record lacks before anybody can log in at the broker."""


class ShownBroker(ListedBroker):
    api_key: str
    api_secret: str
    api_secret_set: bool
    api_url: str
    is_renew_session_allowed: bool
    version: int


class Connection(Schema):
    is_connected: bool
    broker: Offered | None
    connected_until: dt.datetime | None


class LoginAddress(Schema):
    broker: Offered
    url: str


class Handover(Schema):
    request_token: Annotated[str, Field(min_length=1, max_length=LONGEST_TOKEN)]
    state: Token = ""
    refresh_token: Token = ""
    feed_token: Token = ""
