"""Shapes of the firm's record on the wire."""

import datetime as dt

from tarazu.kit.wire import Wire


class RegistrationNotice(Wire):
    name: str
    registration_number: str
    analyst_name: str
    registered_from: dt.date
    validity: str
    is_demo: bool
