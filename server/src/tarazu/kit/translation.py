"""Texts for clients in their language: gettext catalogues, and dates as Babel writes them.

English texts are the keys. A text that a catalogue lacks comes out in English, and
`tests/kit/test_translation.py` fails. Figures are alike in all languages: Indian grouping, Latin
digits (`kit/formatting.py`).
"""

import datetime as dt
import gettext
import io
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

from tarazu.kit.clock import INDIA

CATALOGUES: Final = Path(__file__).parent / "catalogues"


class Language(StrEnum):
    """The language of what a client gets; its value in small letters is that of the locale."""

    EN = "EN"
    HI = "HI"


# CLDR's short months of Hindi end in a sign that reads as a zero.
_DAYS: Final = {Language.EN: "d MMM y", Language.HI: "d MMMM y"}


def N_(text: str) -> str:  # noqa: N802 - gettext's name for it
    """The text itself, marked for the catalogues; translated where it is shown."""
    return text


@dataclass(frozen=True, slots=True)
class Translation:
    """The texts of one language; `{name}` in a text is replaced by the value of that name."""

    language: Language
    texts: gettext.NullTranslations

    def gettext(self, text: str, /, **values: object) -> str:
        """The text in this language."""
        translated = self.texts.gettext(text) if text else ""
        return translated.format(**values) if values else translated

    def ngettext(self, singular: str, plural: str, count: int, /, **values: object) -> str:
        """The text for this many; `{count}` in it is the count as `values` gives it."""
        return self.texts.ngettext(singular, plural, count).format(**{"count": count, **values})

    def day(self, at: dt.datetime | dt.date) -> str:
        """A day in India: "14 Feb 2024", "14 फ़रवरी 2024"."""
        from babel.dates import format_date  # noqa: PLC0415 - a start without letters is quicker

        day = at.astimezone(INDIA).date() if isinstance(at, dt.datetime) else at
        return format_date(day, _DAYS[self.language], locale=self.language.lower())

    def time(self, at: dt.datetime) -> str:
        """An instant in India: "21 Nov 2026, 09:15 IST"."""
        return f"{self.day(at)}, {at.astimezone(INDIA):%H:%M} IST"


@cache
def translation_of(language: Language) -> Translation:
    """The texts of a language, read once."""
    if language is Language.EN:
        return Translation(language, gettext.NullTranslations())
    return Translation(language, _texts_of(CATALOGUES / f"{language.lower()}.po"))


def _texts_of(path: Path) -> gettext.GNUTranslations:
    from babel.messages.mofile import write_mo  # noqa: PLC0415 - as above
    from babel.messages.pofile import read_po  # noqa: PLC0415

    compiled = io.BytesIO()
    with path.open("rb") as file:
        write_mo(compiled, read_po(file))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
