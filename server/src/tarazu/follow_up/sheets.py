"""Columns of the exports of the follow-up."""

from collections.abc import Sequence
from typing import Final

from tarazu.follow_up.service import BoardRow, Question, StockExecution
from tarazu.kit.export import Column, Kind

BOARD: Final[Sequence[Column[BoardRow]]] = (
    Column("Sent (IST)", Kind.INSTANT, lambda row: row.sent_at),
    Column("Client ID", Kind.TEXT, lambda row: row.client_id),
    Column("Client Name", Kind.TEXT, lambda row: row.name),
    Column("Model", Kind.TEXT, lambda row: row.model_name),
    Column("State", Kind.TEXT, lambda row: row.state),
    Column("Window Ends", Kind.DAY, lambda row: row.window_ends_on),
    Column("Window Over", Kind.TEXT, lambda row: "yes" if row.is_over else "no"),
    Column("Read (IST)", Kind.INSTANT, lambda row: row.read_at),
    Column("Acknowledged (IST)", Kind.INSTANT, lambda row: row.acknowledged_at),
    Column("Followed %", Kind.PERCENT, lambda row: row.followed_percentage),
    Column("Advised Value", Kind.RUPEES, lambda row: row.advised_value, is_summed=True),
    Column("Filled Value", Kind.RUPEES, lambda row: row.filled_value, is_summed=True),
    Column("Shortfall", Kind.RUPEES, lambda row: row.shortfall and row.shortfall.amount),
    Column("Shortfall (bp)", Kind.NUMBER, lambda row: row.shortfall and row.shortfall.bps),
    Column("Of It Price", Kind.RUPEES, lambda row: row.shortfall and row.shortfall.price),
    Column("Of It Not Traded", Kind.RUPEES, lambda row: row.shortfall and row.shortfall.not_traded),
    Column("Of It Charges", Kind.RUPEES, lambda row: row.shortfall and row.shortfall.charges),
    Column("Minutes To First Fill", Kind.WHOLE, lambda row: row.minutes_to_first_fill),
    Column("Minutes To 90 %", Kind.WHOLE, lambda row: row.minutes_to_ninety),
    Column("Reminders", Kind.WHOLE, lambda row: row.reminders),
    Column("Open Questions", Kind.WHOLE, lambda row: row.open_questions),
    Column("Follow-up", Kind.TEXT, lambda row: row.follow_up.outcome if row.follow_up else ""),
    Column("Follow-up Reason", Kind.TEXT, lambda row: row.follow_up.text if row.follow_up else ""),
)

STOCKS: Final[Sequence[Column[StockExecution]]] = (
    Column("Symbol", Kind.TEXT, lambda row: row.symbol),
    Column("ISIN", Kind.TEXT, lambda row: row.isin),
    Column("Lines", Kind.WHOLE, lambda row: row.lines),
    Column("Acted", Kind.WHOLE, lambda row: row.acted),
    Column("Acted %", Kind.PERCENT, lambda row: row.acted_percentage),
    Column("Median Slippage (bp)", Kind.NUMBER, lambda row: row.median_slippage_bps),
    Column("90th Percentile Slippage (bp)", Kind.NUMBER, lambda row: row.p90_slippage_bps),
    Column("Advised Value", Kind.RUPEES, lambda row: row.advised_value, is_summed=True),
    Column("Filled Value", Kind.RUPEES, lambda row: row.filled_value, is_summed=True),
    Column("Days Of Volume", Kind.NUMBER, lambda row: row.days_of_volume),
)

QUESTIONS: Final[Sequence[Column[Question]]] = (
    Column("Asked (IST)", Kind.INSTANT, lambda row: row.at),
    Column("Client ID", Kind.TEXT, lambda row: row.client_id),
    Column("Client Name", Kind.TEXT, lambda row: row.name),
    Column("Advice Sent (IST)", Kind.INSTANT, lambda row: row.sent_at),
    Column("Question", Kind.TEXT, lambda row: row.text),
    Column("Answer", Kind.TEXT, lambda row: row.reply),
    Column("Answered (IST)", Kind.INSTANT, lambda row: row.replied_at),
    Column("Answered By", Kind.TEXT, lambda row: row.replied_by or ""),
)
