"""What is wrong with a field, in words for a person: the validator's own never leave the server."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

_REQUIRED: Final = "{label} is required"
_TEXT: Final = "{label} must be text."
_WHOLE: Final = "{label} must be a whole number."
_NUMBER: Final = "{label} must be a number, such as 1250 or 0.5."
_DATE: Final = "{label} must be a date, such as 2026-04-01."
_UNFIT: Final = "{label} is not valid."

_SENTENCES: Final[Mapping[str, str]] = {
    "missing": _REQUIRED,
    "string_type": _TEXT,
    "string_too_long": "{label} has at most {max_length} characters.",
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_from_float": _WHOLE,
    "int_parsing_size": "{label} is too large.",
    "decimal_type": _NUMBER,
    "decimal_parsing": _NUMBER,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": _NUMBER,
    "decimal_max_places": "{label} has at most {decimal_places} decimals.",
    "decimal_max_digits": "{label} has at most {max_digits} digits.",
    "decimal_whole_digits": "{label} has at most {whole_digits} digits before the point.",
    "greater_than": "{label} must be more than {gt}.",
    "greater_than_equal": "{label} must be at least {ge}.",
    "less_than": "{label} must be less than {lt}.",
    "less_than_equal": "{label} must be at most {le}.",
    "too_long": "{label} has at most {max_length} rows.",
    "list_type": "{label} must be a list.",
    "bool_type": "{label} must be true or false.",
    "bool_parsing": "{label} must be true or false.",
    "enum": "{label} must be {expected}.",
    "literal_error": "{label} must be {expected}.",
    "date_type": _DATE,
    "date_parsing": _DATE,
    "date_from_datetime_parsing": _DATE,
    "date_from_datetime_inexact": _DATE,
}


def sentence_of(fault: Mapping[str, Any]) -> str:
    """The sentence of one fault that a validator found; a sentence of our own stays as it is."""
    if fault["type"] == "value_error":
        return str(fault["msg"]).removeprefix("Value error, ")
    values = {"label": _label_of(fault["loc"])} | {
        name: _plain(value) for name, value in fault.get("ctx", {}).items()
    }
    is_empty = (
        fault["type"] in {"string_too_short", "too_short"} and values.get("min_length") == "1"
    )
    return (_REQUIRED if is_empty else _SENTENCES.get(fault["type"], _UNFIT)).format(**values)


def field_of(place: Sequence[str | int]) -> str:
    """The path of a field as the caller wrote it: `users.0.role`."""
    return ".".join(str(step) for step in place[1:] or place[:1])


def _label_of(place: Sequence[str | int]) -> str:
    """What a field is called in a sentence: "Starting date" of `startingDate`."""
    names = [step for step in place[1:] if isinstance(step, str)]
    if not names:
        return "The request"
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", names[-1]).replace("_", " ").lower()
    return words[:1].upper() + words[1:]


def _plain(value: object) -> str:
    return str(value).replace("'", "")
