"""Which compressed encodings a caller accepts (RFC 9110, 12.5.3)."""

import re

_REFUSED = re.compile(r"\s*q\s*=\s*0(\.0{0,3})?\s*")


def accepted(header: str) -> set[str]:
    """The encodings named in an `Accept-Encoding`, in lower case, without those of weight 0.

    A star counts as none.
    """
    parts = (part.partition(";") for part in header.lower().split(","))
    named = {name.strip() for name, _, weight in parts if not _REFUSED.fullmatch(weight)}
    return named - {"", "*"}
