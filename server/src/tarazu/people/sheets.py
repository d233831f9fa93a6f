"""Columns of the export of staff accounts."""

from collections.abc import Sequence

from tarazu.kit.export import Column, Kind
from tarazu.people.tables import Person

USERS: Sequence[Column[Person]] = (
    Column("Name", Kind.TEXT, lambda row: row.name),
    Column("Country Code", Kind.TEXT, lambda row: row.country_code),
    Column("Contact", Kind.TEXT, lambda row: row.contact_number),
    Column("Role", Kind.TEXT, lambda row: row.role),
    Column("Email", Kind.TEXT, lambda row: row.email),
    Column("Status", Kind.TEXT, lambda row: row.status),
)
