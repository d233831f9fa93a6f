"""A list of clients to be added: name, e-mail, country code, contact number, role, language."""

from typing import Any

from pydantic import TypeAdapter, ValidationError

from tarazu.imports.readers.cells import CellRefused
from tarazu.imports.readers.layouts import FileColumn, Layout, TableRow
from tarazu.imports.readers.parsed import FileKind, ParsedClient
from tarazu.kit.fields import ContactNumber, CountryCode, Email, Name
from tarazu.kit.translation import Language

CLIENTS_HEADER = "name,country_code,contact,email,role,language"

_NAME: TypeAdapter[str] = TypeAdapter(Name)
_EMAIL: TypeAdapter[str] = TypeAdapter(Email)
_COUNTRY: TypeAdapter[str] = TypeAdapter(CountryCode)
_CONTACT: TypeAdapter[str] = TypeAdapter(ContactNumber)
_LANGUAGES = {
    "": Language.EN,
    "en": Language.EN,
    "english": Language.EN,
    "hi": Language.HI,
    "hindi": Language.HI,
    "हिन्दी": Language.HI,
    "हिंदी": Language.HI,
}


def _read_row(row: TableRow) -> ParsedClient:
    role = row.text(FileColumn.ROLE)
    if role.casefold() not in {"", "client"}:
        raise CellRefused("The role is client; staff are invited in Roles & Permission.")
    language = _LANGUAGES.get(row.text(FileColumn.LANGUAGE).casefold())
    if language is None:
        raise CellRefused("The language is English (EN) or Hindi (HI).")
    country = row.text(FileColumn.COUNTRY_CODE)
    if country and not country.startswith("+"):
        country = f"+{country}"  # a spreadsheet takes +91 for the number 91
    contact = row.text(FileColumn.CONTACT).replace(" ", "").replace("-", "").removesuffix(".0")
    return ParsedClient(
        row.line,
        _checked(_NAME, row.text(FileColumn.NAME)),
        _checked(_EMAIL, row.text(FileColumn.EMAIL)),
        _checked(_COUNTRY, country.removesuffix(".0") or "+91"),
        _checked(_CONTACT, contact),
        language,
    )


def _checked(kind: TypeAdapter[str], text: Any) -> str:
    try:
        return kind.validate_python(text)
    except ValidationError as error:
        raise CellRefused(error.errors()[0]["msg"].removeprefix("Value error, ")) from error


CLIENTS = Layout(
    kind=FileKind.CLIENTS,
    headings={
        FileColumn.NAME: ("name", "client name", "full name"),
        FileColumn.EMAIL: ("email", "e mail", "email address", "email id"),
        FileColumn.COUNTRY_CODE: ("country code", "countrycode"),
        FileColumn.CONTACT: ("contact number", "contact", "contactnumber", "mobile", "phone"),
        FileColumn.ROLE: ("role",),
        FileColumn.LANGUAGE: ("language",),
    },
    required=frozenset({FileColumn.NAME, FileColumn.EMAIL}),
    read_row=_read_row,
    has_foot=False,
)
