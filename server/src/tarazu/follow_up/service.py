"""The follow-up: what clients did with the advice they got, and what they answered."""

from tarazu.follow_up.board import (
    Board,
    BoardRow,
    DayOfAdvice,
    StockExecution,
    board,
    last_day,
    stocks,
)
from tarazu.follow_up.drafting import draft_due, has_drafts_due
from tarazu.follow_up.executions import Execution, RecordedResponse, ShortfallGap, execution
from tarazu.follow_up.matching import MatchingFailed, has_matching_due, match_due
from tarazu.follow_up.own_trades import OwnTrade, own_trades
from tarazu.follow_up.reminder_choice import ReminderChoice, reminders_of, set_reminders
from tarazu.follow_up.reminders import has_reminders_due, send_reminders
from tarazu.follow_up.residual import (
    FollowUpRuns,
    begin_runs,
    chosen,
    rebalance_left,
)
from tarazu.follow_up.responses import (
    NewResponse,
    Question,
    questions,
    record_response,
    reply_to,
    responses_of,
)
