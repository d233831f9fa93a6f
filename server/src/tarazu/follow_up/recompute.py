"""Computes what became of clients' advice, and writes what changed.

What nothing changed of is not computed again (`inputs.fingerprint_of`). The sealed advice is never
touched, and each change of a status is one event in the audit trail. The same input again changes
nothing.
"""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.domain.execution.values import AdviceState, LineStatus
from tarazu.follow_up import matching_queries as queries
from tarazu.follow_up.computing import ComputedAdvice, computed_advice
from tarazu.follow_up.inputs import Tables, followed_advice, read_inputs
from tarazu.follow_up.matching_queries import KnownExecution
from tarazu.kit import audit_log
from tarazu.kit.audit_log import SYSTEM

CHANGED: Final = "advice_execution_changed"

_QUIET: Final = frozenset({LineStatus.UNKNOWN, LineStatus.PENDING})
"""The first status of a line needs no event where it is one of these."""


def recompute(
    session: Session, client_ids: Collection[uuid.UUID], now: dt.datetime, tables: Tables
) -> int:
    """Compute the advice of these clients again; how many advices changed."""
    tables.session = session
    known = queries.known_executions(session, client_ids)
    followed = followed_advice(session, client_ids, known, tables)
    inputs = read_inputs(session, followed, known, tables)
    matched = queries.matched_inputs(session, followed)
    fingerprints = {client_id: inputs.fingerprint_of(client_id) for client_id in followed}
    changed = [key for key, print_ in fingerprints.items() if matched.get(key) != print_]
    sent = [one.id for client_id in changed for one in followed[client_id]]
    models = advice.model_names_of(session, [key for key in sent if key not in known])
    models |= {key: known[key].model_name for key in sent if key in known}
    computed: list[ComputedAdvice] = []
    for client_id in changed:
        computed += computed_advice(inputs.client_of(client_id, models), tables.terms)
    written = _write(session, computed, known, now)
    queries.keep_matched_inputs(session, {key: fingerprints[key] for key in changed})
    return written


def _write(
    session: Session,
    computed: Sequence[ComputedAdvice],
    known: Mapping[uuid.UUID, KnownExecution],
    now: dt.datetime,
) -> int:
    """Write what changed, with an event for each advice whose statuses changed."""
    new: list[dict[str, Any]] = []
    changed: list[dict[str, Any]] = []
    written: list[ComputedAdvice] = []
    for one in computed:
        before, fingerprint = known.get(one.advice_id), one.fingerprint
        if before is not None and before.fingerprint == fingerprint:
            continue
        stored = one.row | {"computed_at": now, "fingerprint": fingerprint}
        (new if before is None else changed).append(stored)
        written.append(one)
    if not written:
        return 0
    statuses = queries.statuses_of(session, [row["advice_id"] for row in changed])
    queries.write_executions(session, new, changed)
    queries.write_lines(
        session,
        [line for one in written if one.advice_id not in known for line in one.lines],
        [line for one in written if one.advice_id in known for line in one.lines],
    )
    fills = [fill for one in written for fill in one.fills]
    queries.replace_fills(session, [row["advice_id"] for row in changed], fills)
    events = [event for one in written if (event := _event_of(one, known, statuses))]
    audit_log.record_many(session, SYSTEM, now, CHANGED, events)
    return len(written)


def _event_of(
    one: ComputedAdvice,
    known: Mapping[uuid.UUID, KnownExecution],
    statuses: Mapping[uuid.UUID, Mapping[int, str]],
) -> tuple[tuple[str, object], dict[str, Any]] | None:
    """The event of an advice whose state or lines have another status; None for none."""
    before = known.get(one.advice_id)
    earlier = statuses.get(one.advice_id, {})
    lines: dict[str, list[str | None]] = {
        str(line.place): [earlier.get(line.place), line.status]
        for line in one.lines
        if earlier.get(line.place) != line.status
    }
    if before is None:
        lines = {place: pair for place, pair in lines.items() if pair[1] not in _QUIET}
    state: AdviceState = one.row["state"]
    is_state_changed = before is not None and before.state is not state
    if not lines and not is_state_changed:
        return None
    details: dict[str, Any] = {
        "clientId": one.row["client_id"],
        "state": [before.state if before else None, state],
        "lines": lines,
    }
    return ("advice", one.advice_id), details
