"""Which compressed forms of an answer its caller reads (RFC 9110, 12.5.3)."""

import re

_REFUSED = re.compile(r"\s*q\s*=\s*0(\.0{0,3})?\s*")


def accepted(header: str) -> set[str]:
    """The codings that an `Accept-Encoding` names, in small letters, without those of weight 0.

    A star names none: whoever wants an answer compressed says how.
    """
    parts = (part.partition(";") for part in header.lower().split(","))
    named = {name.strip() for name, _, weight in parts if not _REFUSED.fullmatch(weight)}
    return named - {"", "*"}
