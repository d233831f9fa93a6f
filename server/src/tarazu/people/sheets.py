"""The accounts of staff as they are taken away."""

from collections.abc import Sequence

from tarazu.kit.export import Column, Kind, Sheet
from tarazu.people.tables import Person

_USERS: Sequence[Column[Person]] = (
    Column("Name", Kind.TEXT, lambda row: row.name),
    Column("Country Code", Kind.TEXT, lambda row: row.country_code),
    Column("Contact", Kind.TEXT, lambda row: row.contact_number),
    Column("Role", Kind.TEXT, lambda row: row.role),
    Column("Email", Kind.TEXT, lambda row: row.email),
    Column("Status", Kind.TEXT, lambda row: row.status),
)


def user_sheet(rows: Sequence[Person]) -> Sheet[Person]:
    """Those who may sign in."""
    return Sheet("Users", _USERS, rows)
