"""The catalogues hold every text, and Hindi reads as Babel writes it."""

import datetime as dt
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po
from babel.numbers import format_currency, format_decimal
from hypothesis import given
from hypothesis import strategies as st

import tarazu
from tarazu.kit import formatting
from tarazu.kit.translation import CATALOGUES, Language, translation_of

SOURCES = Path(tarazu.__file__).parent
KEYWORDS = {"gettext": None, "ngettext": (1, 2), "N_": None}
CATALOGUE_FILES = sorted(CATALOGUES.glob("*.po"))


@pytest.fixture(scope="module")
def texts() -> set[str | tuple[str, ...]]:
    """Every text of the sources that is marked for the catalogues."""
    found = extract_from_dir(
        SOURCES, [("**.py", "python"), ("**.html", "jinja2")], keywords=KEYWORDS
    )
    return {message for _, _, message, _, _ in found if message}


def _messages(path: Path) -> Iterator[Message]:
    with path.open("rb") as file:
        yield from (message for message in read_po(file) if message.id)


def _names(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def test_each_language_has_a_catalogue_but_english() -> None:
    languages = {path.stem.upper() for path in CATALOGUE_FILES}

    assert languages == set(Language) - {Language.EN}


@pytest.mark.parametrize("path", CATALOGUE_FILES, ids=lambda path: path.stem)
def test_a_catalogue_has_every_text_and_no_other(path: Path, texts: set[str]) -> None:
    translated = {
        message.id for message in _messages(path) if not message.fuzzy and all(_strings(message))
    }

    assert translated == texts


@pytest.mark.parametrize("path", CATALOGUE_FILES, ids=lambda path: path.stem)
def test_a_translation_has_the_values_of_its_text(path: Path) -> None:
    for message in _messages(path):
        plural = message.id if isinstance(message.id, str) else message.id[1]
        for text in _strings(message):
            assert _names(text) == _names(plural), plural


def _strings(message: Message) -> tuple[str, ...]:
    """The text of a message, or its singular and plural."""
    string = message.string or ""
    return (string,) if isinstance(string, str) else tuple(string)


def test_a_text_that_a_catalogue_lacks_is_shown_in_english() -> None:
    hindi = translation_of(Language.HI)

    assert hindi.gettext("Nobody translated {count}", count=3) == "Nobody translated 3"


def test_days_and_times_are_in_the_language() -> None:
    at = dt.datetime(2026, 9, 21, 3, 45, tzinfo=dt.UTC)

    assert translation_of(Language.EN).time(at) == "21 Sep 2026, 09:15 IST"
    assert translation_of(Language.HI).time(at) == "21 सितंबर 2026, 09:15 IST"


@given(day=st.dates(dt.date(2000, 1, 1), dt.date(2099, 12, 31)))
def test_english_days_are_those_of_the_screens(day: dt.date) -> None:
    assert translation_of(Language.EN).day(day) == formatting.day_of(day)


@given(paise=st.integers(-(10**13), 10**13), count=st.integers(0, 10**10))
@pytest.mark.parametrize("locale", ["en_IN", "hi_IN"])
def test_figures_are_alike_in_both_languages(locale: str, paise: int, count: int) -> None:
    amount = Decimal(paise) / 100

    assert formatting.rupees(amount) == format_currency(amount, "INR", locale=locale)
    assert formatting.shares(count) == format_decimal(count, locale=locale)
