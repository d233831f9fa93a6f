"""Makes the exchanges' daily files of closing prices, as they publish them."""

import datetime as dt
import io
import zipfile
from collections.abc import Sequence

UDIFF_HEADER = (
    "TradDt,BizDt,Sgmt,Src,FinInstrmTp,FinInstrmId,ISIN,TckrSymb,SctySrs,XpryDt,FininstrmActlXpryDt,"
    "StrkPric,OptnTp,FinInstrmNm,OpnPric,HghPric,LwPric,ClsPric,LastPric,PrvsClsgPric,UndrlygPric,"
    "SttlmPric,OpnIntrst,ChngInOpnIntrst,TtlTradgVol,TtlTrfVal,TtlNbOfTxsExctd,SsnId,NewBrdLotQty,"
    "Rmks,Rsvd1,Rsvd2,Rsvd3,Rsvd4"
)
OLDER_HEADER = (
    "SYMBOL,SERIES,OPEN,HIGH,LOW,CLOSE,LAST,PREVCLOSE,TOTTRDQTY,TOTTRDVAL,TIMESTAMP,TOTALTRADES,"
    "ISIN,"
)
FRIDAY = dt.date(2026, 11, 20)
Row = tuple[str, str, str, object]
"""Symbol, series, ISIN, close."""


def udiff(
    *rows: Row,
    day: object = FRIDAY,
    source: str = "NSE",
    segment: str = "CM",
    volume: object = 1000,
    opening: object = "100.00",
) -> bytes:
    """The common format of NSE and BSE."""
    lines = [UDIFF_HEADER, *(udiff_row(row, day, source, segment, volume, opening) for row in rows)]
    return ("\n".join(lines) + "\n").encode()


def udiff_row(
    row: Row,
    day: object,
    source: str = "NSE",
    segment: str = "CM",
    volume: object = 1000,
    opening: object = "100.00",
) -> str:
    symbol, series, isin, close = row
    return (
        f"{day},{day},{segment},{source},STK,1594,{isin},{symbol},{series},,,,,A COMPANY,"
        f"{opening},100.00,100.00,{close},{close},99.00,,{close},,,{volume},100000.00,50,F1,1,,,,,"
    )


def older(
    *rows: Row, day: str = "20-NOV-2026", volume: object = 1000, opening: object = 100
) -> bytes:
    """NSE's format before July 2024."""
    lines = [OLDER_HEADER]
    lines += [
        f"{symbol},{series},{opening},100,100,{close},{close},99,{volume},100000,{day},50,{isin},"
        for symbol, series, isin, close in rows
    ]
    return ("\n".join(lines) + "\n").encode()


def zipped(content: bytes, *more: Sequence[str], name: str = "BhavCopy_NSE_CM.csv") -> bytes:
    """The zip in which an exchange publishes a file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
        for other, text in more:
            archive.writestr(other, text)
    return out.getvalue()
