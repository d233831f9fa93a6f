"""Shapes of the brokers on the wire."""

import datetime as dt
import uuid
from typing import Annotated

from pydantic import BeforeValidator, Field

from tarazu.brokers.requests import Offered, empty_if_none
from tarazu.brokers.tables import BrokerStatus, Missing
from tarazu.kit.schemas import Schema

LONGEST_TOKEN = 8_192

Token = Annotated[
    str,
    Field(max_length=LONGEST_TOKEN),
    BeforeValidator(empty_if_none, json_schema_input_type=str | None),
]


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
