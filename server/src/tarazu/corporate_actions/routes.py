"""Calls on corporate actions."""

import uuid
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Query, Response

from tarazu.corporate_actions import service
from tarazu.corporate_actions.queries import ActionFilter
from tarazu.corporate_actions.schemas import (
    ActionShown,
    ActionToEnter,
    ExpectedDividendRow,
    action_shown,
)
from tarazu.corporate_actions.service import KIND_NAMES, NewAction, ShownAction
from tarazu.corporate_actions.sheets import CORPORATE_ACTIONS
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, Staff, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import Exported, list_export, whole
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.schemas import Done, Page, Reply, done, page_of, reply
from tarazu.people import service as people

_ACTIONS = "/corporate-actions"

router = authorized_router("/admin")


@router.get(_ACTIONS)
def list_corporate_actions(
    session: OpenSession, _: Staff, filters: Annotated[ActionFilter, Query()]
) -> Page[ActionShown]:
    actions, total = service.list_actions(session, filters, clock.today())
    rows = [action_shown(action) for action in actions]
    return page_of(rows, filters.page, filters.limit, total)


@list_export(
    router, f"{_ACTIONS}/export", "Corporate actions", CORPORATE_ACTIONS, names_clients=False
)
def export_corporate_actions(
    session: OpenSession, _: Staff, filters: Annotated[ActionFilter, Query()]
) -> Exported[ShownAction]:
    actions, _total = service.list_actions(session, whole(filters), clock.today())
    return Exported(actions, filters)


@router.post(_ACTIONS, status_code=HTTPStatus.CREATED, response_model=Reply[ActionShown])
def enter_corporate_action(
    body: ActionToEnter, session: OpenSession, caller: Admin, once: OnceOnly
) -> Response:
    def act() -> Any:
        isin, symbol = service.share_of(session, body.isin, body.exchange, body.trading_symbol)
        new = NewAction(body.action_on(isin), symbol)
        action_id = service.enter_action(session, caller, clock.now(), new, body.replaces)
        shown = service.show_action(session, action_id, clock.today())
        return reply(action_shown(shown), "Corporate action saved.")

    return once.run(session, act, Reply[ActionShown], HTTPStatus.CREATED)


@router.get("/clients/client/{client_id}/dividends")
def list_expected_dividends(
    client_id: uuid.UUID, session: OpenSession, _: Staff
) -> Reply[list[ExpectedDividendRow]]:
    """Dividends of stocks that are past their ex-date and not paid yet."""
    people.client(session, client_id)
    expected = service.expected_dividends(session, client_id, clock.now())
    return reply(ExpectedDividendRow.rows(expected))


@router.delete(f"{_ACTIONS}/{{action_id}}")
def remove_corporate_action(action_id: uuid.UUID, session: OpenSession, caller: Admin) -> Done:
    removed = service.remove_action(session, caller, clock.now(), action_id)
    return done(f"{KIND_NAMES[removed.kind]} of {removed.ex_on:%d-%m-%Y} removed.")
