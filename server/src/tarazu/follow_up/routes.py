"""Calls on the follow-up: what clients did with the advice they got, and what they answered."""

import uuid
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import BackgroundTasks, Query, Request, Response
from pydantic_core import to_json

from tarazu.advice import service as advice
from tarazu.follow_up import service
from tarazu.follow_up.queries import BoardFilter, StockFilter
from tarazu.follow_up.response_queries import QuestionFilter
from tarazu.follow_up.schemas import (
    AdviceExecutionShown,
    FollowUpDay,
    FollowUpPage,
    FollowUpRebalance,
    FollowUpRow,
    FollowUpRuns,
    FollowUpStockRow,
    FollowUpTile,
    QuestionReply,
    QuestionRow,
    RemindersChoice,
    RemindersShown,
    RunOfFollowUps,
)
from tarazu.follow_up.service import BoardRow, Question, StockExecution
from tarazu.follow_up.sheets import BOARD, QUESTIONS, STOCKS
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, Staff, StaffOfVisible, authorized_router
from tarazu.kit.db import OpenSession, ReadSession
from tarazu.kit.downloads import Exported, list_export, whole
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.schemas import JSON, Page, Reply, page_of, pagination_of, reply
from tarazu.teams.service import visible_clients

router = authorized_router("/admin")

_REMINDERS = "/clients/client/{client_id}/reminders"


@router.get("/advice/{advice_id}/execution")
def show_execution(
    advice_id: uuid.UUID, session: OpenSession, caller: StaffOfVisible
) -> Reply[AdviceExecutionShown]:
    advice.recipient(session, advice_id, visible_clients(session, caller))
    execution = service.execution(session, advice_id, caller.account_id)
    own_trades = service.own_trades(session, execution)
    return reply(AdviceExecutionShown.of(execution, own_trades=own_trades))


@router.post("/advice/{advice_id}/follow-up", response_model=FollowUpRebalance)
def rebalance_follow_up(
    advice_id: uuid.UUID,
    reading: ReadSession,
    session: OpenSession,
    caller: Admin,
    once: OnceOnly,
) -> Response:
    def act() -> Any:
        # Computed on a reading session, as every rebalance is; then stored.
        client_id, computed = service.rebalance_left(reading, advice_id, clock.now())
        rebalance_id = advice.keep_rebalance(session, caller, client_id, computed)
        return FollowUpRebalance.of(
            advice.rebalance_answer(reading, client_id, computed, rebalance_id),
            target_investment_value=computed.investment,
            cash_target_percentage=computed.cash_target,
        )

    return once.run(session, act, FollowUpRebalance)


@router.get("/follow-up", response_model=FollowUpPage)
def list_follow_up(
    session: OpenSession, caller: StaffOfVisible, filters: Annotated[BoardFilter, Query()]
) -> Response:
    board = service.board(session, filters, visible_clients(session, caller))
    return Response(
        to_json(
            {
                "success": True,
                "data": [_row(row) for row in board.rows],
                "pagination": pagination_of(filters.page, filters.limit, board.total),
                "tiles": FollowUpTile.rows(board.tiles),
                "models": board.models,
            },
            by_alias=True,
        ),
        media_type=JSON,
    )


@list_export(router, "/follow-up/export", "Follow-up", BOARD)
def export_follow_up(
    session: OpenSession, caller: StaffOfVisible, filters: Annotated[BoardFilter, Query()]
) -> Exported[BoardRow]:
    return Exported(
        service.board(session, whole(filters), visible_clients(session, caller)).rows, filters
    )


@router.get("/follow-up/stocks")
def list_follow_up_stocks(
    session: OpenSession, caller: StaffOfVisible, filters: Annotated[StockFilter, Query()]
) -> Page[FollowUpStockRow]:
    rows, total = service.stocks(session, filters, visible_clients(session, caller))
    return page_of(FollowUpStockRow.rows(rows), filters.page, filters.limit, total)


@list_export(router, "/follow-up/stocks/export", "Follow-up stocks", STOCKS)
def export_follow_up_stocks(
    session: OpenSession, caller: StaffOfVisible, filters: Annotated[StockFilter, Query()]
) -> Exported[StockExecution]:
    return Exported(
        service.stocks(session, whole(filters), visible_clients(session, caller))[0], filters
    )


@router.get("/follow-up/yesterday")
def show_last_day(session: OpenSession, caller: StaffOfVisible) -> Reply[FollowUpDay]:
    day = service.last_day(session, clock.now(), visible_clients(session, caller))
    return reply(FollowUpDay.model_validate(day))


@router.post("/follow-up/run", status_code=HTTPStatus.ACCEPTED, response_model=Reply[FollowUpRuns])
def begin_follow_up_run(
    body: RunOfFollowUps,
    session: OpenSession,
    request: Request,
    caller: Admin,
    once: OnceOnly,
    after: BackgroundTasks,
) -> Response:
    def act() -> Any:
        chosen = service.chosen(session, body.advice_ids, body.filter)
        runs = service.begin_runs(session, caller, chosen, clock.now())
        for run in runs.runs:
            # After the answer, and so after the commit: another thread reads the run.
            after.add_task(request.app.state.books.work_on, run.id)
        return reply(FollowUpRuns.model_validate(runs), "The follow-up is being computed.")

    return once.run(session, act, Reply[FollowUpRuns], HTTPStatus.ACCEPTED)


@router.get("/follow-up/questions")
def list_questions(
    session: OpenSession, caller: StaffOfVisible, filters: Annotated[QuestionFilter, Query()]
) -> Page[QuestionRow]:
    rows, total = service.questions(session, filters, visible_clients(session, caller))
    return page_of(QuestionRow.rows(rows), filters.page, filters.limit, total)


@list_export(router, "/follow-up/questions/export", "Questions", QUESTIONS)
def export_questions(
    session: OpenSession, caller: StaffOfVisible, filters: Annotated[QuestionFilter, Query()]
) -> Exported[Question]:
    return Exported(
        service.questions(session, whole(filters), visible_clients(session, caller))[0], filters
    )


@router.post("/follow-up/questions/{response_id}/reply", response_model=Reply[QuestionRow])
def reply_to_question(
    response_id: uuid.UUID,
    body: QuestionReply,
    session: OpenSession,
    caller: Admin,
    once: OnceOnly,
) -> Response:
    def act() -> Any:
        question = service.reply_to(session, caller, clock.now(), response_id, body.text)
        return reply(QuestionRow.model_validate(question), "The answer is being mailed.")

    return once.run(session, act, Reply[QuestionRow])


@router.get(_REMINDERS)
def show_reminders(client_id: uuid.UUID, session: OpenSession, _: Staff) -> Reply[RemindersShown]:
    return reply(RemindersShown.model_validate(service.reminders_of(session, client_id)))


@router.put(_REMINDERS)
def choose_reminders(
    client_id: uuid.UUID, body: RemindersChoice, session: OpenSession, caller: Staff
) -> Reply[RemindersShown]:
    choice = service.set_reminders(session, caller, clock.now(), client_id, is_enabled=body.enabled)
    return reply(RemindersShown.model_validate(choice), "Saved.")


def _row(row: BoardRow) -> FollowUpRow:
    return FollowUpRow.model_validate(row)
