"""The export of the readiness list."""

from collections.abc import Mapping, Sequence

from tarazu.kit.export import Column, Kind
from tarazu.sync.readiness import Problem, Readiness, SessionState
from tarazu.sync.tables import Outcome

PROBLEMS: Mapping[Problem, str] = {
    Problem.SESSION: "Not logged in",
    Problem.SYNC: "Not synced",
    Problem.LEFT_OUT: "Rows left out",
    Problem.UNMAPPED: "Unknown stocks",
    Problem.CHANGES: "Unexplained changes",
    Problem.ACTIONS: "Late credit of shares",
    Problem.MONEY: "Cash mismatch",
    Problem.PRICES: "Stale prices",
}
"""As the screen has them."""

_SESSIONS: Mapping[SessionState, str] = {
    SessionState.LIVE: "Logged in",
    SessionState.ENDING: "Ends soon",
    SessionState.UNCONFIRMED: "To confirm",
    SessionState.NONE: "Not logged in",
}

_OUTCOMES: Mapping[Outcome, str] = {
    Outcome.WAITING: "Waiting",
    Outcome.DONE: "Synced",
    Outcome.NO_SESSION: "Not logged in",
    Outcome.DEAD: "Session ended",
    Outcome.DOUBTED: "Not believed",
    Outcome.FAILED: "Failed",
}

_BROKERS = {"ZERODHA": "Zerodha", "ANGEL_ONE": "Angel One"}

READINESS: Sequence[Column[Readiness]] = (
    Column("Client ID", Kind.TEXT, lambda row: row.client_id),
    Column("Client Name", Kind.TEXT, lambda row: row.name),
    Column("Broker", Kind.TEXT, lambda row: _BROKERS.get(row.broker, row.broker)),
    Column("Log-in", Kind.TEXT, lambda row: _SESSIONS[row.session]),
    Column("Logged In Until (IST)", Kind.INSTANT, lambda row: row.session_until),
    Column("Link Sent (IST)", Kind.INSTANT, lambda row: row.linked_at),
    Column("Synced (IST)", Kind.INSTANT, lambda row: row.synced_at),
    Column("Last Try", Kind.TEXT, lambda row: _OUTCOMES[row.outcome] if row.outcome else ""),
    Column("Reason", Kind.TEXT, lambda row: row.reason),
    Column("Rows Left Out", Kind.TEXT, lambda row: " ".join(row.left_out)),
    Column("Oldest Price (IST)", Kind.INSTANT, lambda row: row.price_at),
    Column("Unexplained Changes", Kind.WHOLE, lambda row: row.unexplained),
    Column("Late Credit", Kind.TEXT, lambda row: " ".join(row.late_actions)),
    Column("Unknown", Kind.WHOLE, lambda row: row.unmapped),
    Column("Cash In Our Books", Kind.RUPEES, lambda row: row.money_by_books),
    Column("Cash At Broker", Kind.RUPEES, lambda row: row.money_at_broker),
    Column("Cash Mismatch", Kind.RUPEES, lambda row: row.money_difference),
    Column(
        "To Do",
        Kind.TEXT,
        lambda row: ", ".join(PROBLEMS[problem] for problem in row.problems) or "Ready",
    ),
)
