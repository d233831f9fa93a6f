"""Shapes of the firm's record on the wire."""

import datetime as dt

from tarazu.kit.wire import Wire


class RegistrationNotice(Wire):
    name: str
    registration_number: str
    analyst_name: str
    registered_from: dt.date
    validity: str
    disclosures: str
    standard_warning: str
    no_assurance: str
    is_demo: bool
