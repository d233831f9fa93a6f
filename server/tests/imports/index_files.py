"""Files of index values in each of the provider's formats; the values are made up."""

import datetime as dt
import json
from collections.abc import Sequence

Row = tuple[str, str]
"""A day as 2026-11-20 and a value."""


def named_day(text: str, between: str = "-") -> str:
    return dt.date.fromisoformat(text).strftime(f"%d{between}%b{between}%Y")


def quoted(lines: Sequence[Sequence[str]]) -> bytes:
    return "".join(",".join(f'"{cell}"' for cell in line) + "\r\n" for line in lines).encode()


def tri(*rows: Row, name: str = "NIFTY 50") -> bytes:
    """The history of total returns, as downloaded."""
    heading = ("IndexName", "Date", "Total Returns Index")
    return quoted([heading, *((name, named_day(day, " "), value) for day, value in rows)])


def tri_with_net(*rows: Row, name: str = "NIFTY 50") -> bytes:
    """The same with net total returns, under its other headings."""
    heading = ("Index Name", "Index Date", "Total Returns Index", "NTR Values")
    return quoted([heading, *((name, named_day(day), value, "-") for day, value in rows)])


def prices(*rows: Row, name: str = "NIFTY 50") -> bytes:
    """The history of prices."""
    heading = ("Index Name", "Date", "Open", "High", "Low", "Close")
    body = ((name, named_day(day, " "), "1.00", "2.00", "0.50", value) for day, value in rows)
    return quoted([heading, *body])


def daily(day: str, *values: tuple[str, str]) -> bytes:
    """The daily file of all indices."""
    heading = (
        "Index Name,Index Date,Open Index Value,High Index Value,Low Index Value,"
        "Closing Index Value,Points Change,Change(%),Volume,Turnover (Rs. Cr.),P/E,P/B,Div Yield"
    )
    on = dt.date.fromisoformat(day).strftime("%d-%m-%Y")
    lines = [f"{name},{on},1,2,0.5,{value},1,0.1,10,20,-,-,-" for name, value in values]
    return "\n".join([heading, *lines, ""]).encode()


def as_json(*rows: Row, name: str | None = None, is_wrapped: bool = False) -> bytes:
    """What the provider's site answers, plain or as a text within "d"."""
    named = {} if name is None else {"Index Name": name}
    objects = [
        {**named, "Date": named_day(day, " "), "TotalReturnsIndex": value, "NTR_Value": "-"}
        for day, value in rows
    ]
    text = json.dumps(objects)
    return json.dumps({"d": text}).encode() if is_wrapped else text.encode()
