"""What staff enter about a broker."""

import uuid
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from tarazu.brokers.broker_settings import BrokerFields
from tarazu.brokers.tables import BrokerStatus
from tarazu.kit.fields import is_plain
from tarazu.kit.schemas import Flag, Schema, Version

LONGEST_DESCRIPTION = 2_000
LONGEST_ADDRESS = 2_048
LONGEST_SECRET = 512

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


def empty_if_none(given: Any) -> Any:
    return "" if given is None else given


Offered = Literal["ZERODHA", "ANGEL_ONE"]
Named = Annotated[Offered, BeforeValidator(_offered)]
Description = Annotated[
    str,
    AfterValidator(_description),
    BeforeValidator(empty_if_none, json_schema_input_type=str | None),
]
Logo = Annotated[
    str, AfterValidator(_logo), BeforeValidator(empty_if_none, json_schema_input_type=str | None)
]
Address = Annotated[
    str,
    Field(max_length=LONGEST_ADDRESS),
    BeforeValidator(empty_if_none, json_schema_input_type=str | None),
]
Secret = Annotated[
    str, AfterValidator(_secret), BeforeValidator(empty_if_none, json_schema_input_type=str | None)
]


class EnteredBroker(Schema):
    """The fields that a new record and an edited one have in common."""

    def fields(self) -> BrokerFields:
        """What was entered, and None for a field that was not sent."""
        return BrokerFields(**{name: getattr(self, name) for name in BrokerFields.__slots__})


class NewBroker(EnteredBroker):
    name: Named
    description: Description = ""
    logo: Logo = ""
    api_key: Secret = ""
    api_secret: Secret = ""
    api_url: Address = ""
    is_renew_session_allowed: Flag = False
    status: BrokerStatus = BrokerStatus.ACTIVE


class EditedBroker(EnteredBroker):
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
