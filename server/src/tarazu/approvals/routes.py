"""Routes of approvals: asked for by staff, decided by a second administrator."""

import uuid
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import BackgroundTasks, Query, Request, Response
from sqlalchemy.orm import Session

from tarazu.approvals import service
from tarazu.approvals.requests import NewApproval
from tarazu.approvals.schemas import (
    Answer,
    ApprovalChoiceShown,
    ApprovalParams,
    ApprovalRow,
    ApprovalShown,
    CheckToRead,
    ChosenActions,
    FactShown,
    SecondApprovalShown,
    orders_of,
    value_of,
)
from tarazu.approvals.service import ListedApproval
from tarazu.brokers import service as brokers
from tarazu.domain.charges import Side
from tarazu.firm import service as firm
from tarazu.firm.service import ApprovedAction
from tarazu.kit import clock
from tarazu.kit.audit_log import Actor
from tarazu.kit.auth_route import Admin, AdminStepUp, StaffOfVisible, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.schemas import Page, Reply, page_of, reply
from tarazu.people import service as people

router = authorized_router("/admin")


@router.get("/approvals")
def list_approvals(
    session: OpenSession, caller: StaffOfVisible, params: Annotated[ApprovalParams, Query()]
) -> Page[ApprovalRow]:
    page = (params.skipped, params.limit)
    rows, total = service.list_approvals(session, caller, clock.now(), params.state, page)
    return page_of([_row(row, caller) for row in rows], params.page, params.limit, total)


@router.post("/approvals", status_code=HTTPStatus.CREATED, response_model=Reply[ApprovalRow])
def ask_for_approval(
    body: NewApproval,
    session: OpenSession,
    request: Request,
    caller: StaffOfVisible,
    once: OnceOnly,
) -> Response:
    def act() -> Any:
        settings = request.app.state.settings
        asked = service.ask(session, settings, caller, clock.now(), body.asked, body.note)
        return reply(_row(asked, caller), "The approval was asked for.")

    return once.run(session, act, Reply[ApprovalRow], HTTPStatus.CREATED)


@router.get("/approvals/{approval_id}")
def show_approval(
    approval_id: uuid.UUID, session: OpenSession, request: Request, caller: StaffOfVisible
) -> Reply[ApprovalShown]:
    now = clock.now()
    listed = service.listed_approval(session, caller, now, approval_id)
    content = service.content(session, request.app.state.settings, now, listed)
    orders = orders_of(content.advice.stocks) if content.advice else []
    shown = ApprovalShown(
        **_row(listed, caller).model_dump(),
        facts=[FactShown(label=label, text=text) for label, text in content.facts],
        orders=orders,
        buy_value=value_of(orders, Side.BUY),
        sell_value=value_of(orders, Side.SELL),
        checks=CheckToRead.rows(content.checks),
        to=content.to,
        fault=content.fault,
    )
    return reply(shown)


@router.post("/approvals/{approval_id}/approve")
def approve_request(
    approval_id: uuid.UUID,
    body: Answer,
    session: OpenSession,
    request: Request,
    caller: AdminStepUp,
    after: BackgroundTasks,
) -> Reply[ApprovalRow]:
    state = request.app.state
    listed, effect = service.approve(
        session, state.settings, caller, clock.now(), approval_id, body.answer
    )
    # After the answer, and so after the commit.
    if effect.ended:
        after.add_task(brokers.log_out_all_at_broker, state.broker_gateway, effect.ended)
    if listed.row.action is ApprovedAction.RUN:
        after.add_task(state.books.work_on, uuid.UUID(effect.result))
    return reply(_row(listed, caller), "Approved.")


@router.post("/approvals/{approval_id}/refuse")
def refuse_request(
    approval_id: uuid.UUID, body: Answer, session: OpenSession, request: Request, caller: Admin
) -> Reply[ApprovalRow]:
    settings = request.app.state.settings
    listed = service.refuse(session, settings, caller, clock.now(), approval_id, body.answer)
    return reply(_row(listed, caller), "Refused.")


@router.post("/approvals/{approval_id}/withdraw")
def withdraw_request(
    approval_id: uuid.UUID, session: OpenSession, caller: StaffOfVisible
) -> Reply[ApprovalRow]:
    listed = service.withdraw(session, caller, clock.now(), approval_id)
    return reply(_row(listed, caller), "Withdrawn.")


@router.get("/settings/second-approval")
def show_second_approval(session: OpenSession, _: Admin) -> Reply[SecondApprovalShown]:
    return reply(_choices(session))


@router.put("/settings/second-approval")
def edit_second_approval(
    body: ChosenActions, session: OpenSession, caller: AdminStepUp
) -> Reply[SecondApprovalShown]:
    service.choose_approved_actions(session, caller, clock.now(), set(body.actions))
    return reply(_choices(session), "Saved.")


def _row(listed: ListedApproval, caller: Actor) -> ApprovalRow:
    row = ApprovalRow.model_validate(listed)
    return row.model_copy(update={"is_own": listed.row.asked_by == caller.account_id})


def _choices(session: Session) -> SecondApprovalShown:
    on = firm.approved_actions(session)
    choices = [ApprovalChoiceShown.of(choice, is_on=choice.action in on) for choice in firm.CHOICES]
    administrators = len(people.administrators_emails(session))
    return SecondApprovalShown(choices=choices, administrators=administrators)
