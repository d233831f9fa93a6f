"""A list of clients to be added: name, e-mail, country code, contact number, role."""

from typing import Any

from pydantic import TypeAdapter, ValidationError

from tarazu.imports.adapters.cells import CellRefused
from tarazu.imports.adapters.layouts import Column, Layout, TableRow
from tarazu.imports.adapters.parsed import FileKind, ParsedClient
from tarazu.kit.fields import ContactNumber, CountryCode, Email, Name

CLIENTS_HEADER = "name,country_code,contact,email,role"

_NAME: TypeAdapter[str] = TypeAdapter(Name)
_EMAIL: TypeAdapter[str] = TypeAdapter(Email)
_COUNTRY: TypeAdapter[str] = TypeAdapter(CountryCode)
_CONTACT: TypeAdapter[str] = TypeAdapter(ContactNumber)


def _read_row(row: TableRow) -> ParsedClient:
    role = row.text(Column.ROLE)
    if role.casefold() not in {"", "client"}:
        raise CellRefused("The role is client; staff are invited in Roles & Permission.")
    country = row.text(Column.COUNTRY_CODE)
    if country and not country.startswith("+"):
        country = f"+{country}"  # a spreadsheet takes +91 for the number 91
    contact = row.text(Column.CONTACT).replace(" ", "").replace("-", "").removesuffix(".0")
    return ParsedClient(
        row.line,
        _checked(_NAME, row.text(Column.NAME)),
        _checked(_EMAIL, row.text(Column.EMAIL)),
        _checked(_COUNTRY, country.removesuffix(".0") or "+91"),
        _checked(_CONTACT, contact),
    )


def _checked(kind: TypeAdapter[str], text: Any) -> str:
    try:
        return kind.validate_python(text)
    except ValidationError as error:
        raise CellRefused(error.errors()[0]["msg"].removeprefix("Value error, ")) from error


CLIENTS = Layout(
    kind=FileKind.CLIENTS,
    headings={
        Column.NAME: ("name", "client name", "full name"),
        Column.EMAIL: ("email", "e mail", "email address", "email id"),
        Column.COUNTRY_CODE: ("country code", "countrycode"),
        Column.CONTACT: ("contact number", "contact", "contactnumber", "mobile", "phone"),
        Column.ROLE: ("role",),
    },
    required=frozenset({Column.NAME, Column.EMAIL}),
    read_row=_read_row,
    has_foot=False,
)
