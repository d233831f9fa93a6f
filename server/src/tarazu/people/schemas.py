"""Shapes of the records of people on the wire."""

from tarazu.kit.wire import Wire
from tarazu.people.tables import Role


class Profile(Wire):
    name: str
    email: str
    role: Role
