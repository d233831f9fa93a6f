"""Makes NSE's lists of corporate actions, as its site gives them."""

import json

HEADING = (
    '"SYMBOL","COMPANY NAME","SERIES","PURPOSE","FACE VALUE","EX-DATE","RECORD DATE",'
    '"BOOK CLOSURE START DATE","BOOK CLOSURE END DATE"'
)
Row = tuple[str, str, str, str, str]
"""Symbol, series, purpose, ex-date, record date."""


def nse_csv(*rows: Row) -> bytes:
    lines = [
        f'"{symbol}","A Company Limited","{series}","{purpose}","10","{ex_on}","{record_on}","-","-"'
        for symbol, series, purpose, ex_on, record_on in rows
    ]
    return "\n".join(["\ufeff" + HEADING, *lines, ""]).encode()


def nse_json(*rows: tuple[Row, str]) -> bytes:
    """Each row with the ISIN that the list gives."""
    return json.dumps(
        [
            {
                "symbol": symbol,
                "series": series,
                "ind": "-",
                "faceVal": "10",
                "subject": purpose,
                "exDate": ex_on,
                "recDate": record_on,
                "bcStartDate": "-",
                "bcEndDate": "-",
                "caBroadcastDate": None,
                "comp": "A Company Limited",
                "isin": isin,
            }
            for (symbol, series, purpose, ex_on, record_on), isin in rows
        ]
    ).encode()
