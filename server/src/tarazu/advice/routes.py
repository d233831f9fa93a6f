"""Calls on advice: a client's holdings, the rebalance, the sending, the history, the letter."""

import json
import uuid
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Query, Request, Response
from sqlalchemy.orm import Session

from tarazu.advice import daily_work, drafts, exporting, service, verification
from tarazu.advice.answers import RebalanceAnswer, rebalance_answer, summary_of
from tarazu.advice.documents.contents import file_name_of
from tarazu.advice.documents.sheets import ADVICE_HISTORY, AdvisedStock
from tarazu.advice.errors import TaxNotKnown
from tarazu.advice.package import Package
from tarazu.advice.requests import (
    AdviceToSend,
    AskedHistory,
    ChosenStop,
    ChosenTaxStop,
    DraftToSave,
    RebalanceRequest,
)
from tarazu.advice.rows import shown_rows, taxes_of_sells
from tarazu.advice.schemas import (
    AdviceRow,
    CheckOfAdvice,
    ClientHoldings,
    DeliveryOfAdvice,
    DraftRow,
    DraftShown,
    HoldingToAdvise,
    NamedClient,
    OrderStop,
    SavedDraft,
    SentAdvice,
    StockOfAdvice,
    TaxStop,
    TaxStops,
    UndeliveredAdvice,
    VerifiedAdvice,
)
from tarazu.advice.service import PastAdvice
from tarazu.advice.verification import Verification
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, Staff, StaffOfVisible, authorized_router
from tarazu.kit.db import OpenSession, ReadSession, WriteSession
from tarazu.kit.downloads import EVERY_ROW, PDF, ZIP, Exported, attachment, list_export, note_taken
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.mail import Delivery
from tarazu.kit.schemas import Done, ListParams, Page, Reply, done, page_of, reply, written_page
from tarazu.people import service as people
from tarazu.portfolio.service import HeldStock
from tarazu.tax import service as tax
from tarazu.tax.service import SalesTax
from tarazu.teams.service import visible_clients

router = authorized_router("/admin/advice")


@router.get("/clients/by-code/{code}/holdings")
def show_holdings_to_advise(code: str, session: OpenSession, _: Admin) -> Reply[ClientHoldings]:
    holdings = service.client_holdings(session, clock.now(), code)
    shape = ClientHoldings(
        holdings=[_holding(stock) for stock in holdings.stocks],
        total_current_value=holdings.value,
        cash=holdings.cash,
        user=NamedClient(id=holdings.client.id, name=holdings.client.name),
    )
    return reply(shape)


@router.post("/rebalance-portfolio")
def rebalance_portfolio(
    body: RebalanceRequest, reading: ReadSession, session: OpenSession, caller: Admin
) -> RebalanceAnswer:
    # Computed on a reading session, so that no writer waits for the solver; then stored.
    computed = service.rebalance(reading, body, clock.now())
    rebalance_id = service.keep_rebalance(session, caller, body.client_id, computed)
    return rebalance_answer(reading, body.client_id, computed, rebalance_id)


@router.get("/rebalances/{rebalance_id}/fewer-orders")
def show_fewer_orders(
    rebalance_id: uuid.UUID, session: OpenSession, _: Admin
) -> Reply[list[OrderStop]]:
    client_id, stops = service.stops_of(session, rebalance_id)
    taxes = taxes_of_sells(session, client_id, stops)
    return reply(
        [
            _order_stop(session, stop, computed, taxed)
            for stop, (computed, taxed) in enumerate(zip(stops, taxes, strict=True))
        ]
    )


@router.post("/rebalances/{rebalance_id}/fewer-orders")
def choose_fewer_orders(
    rebalance_id: uuid.UUID,
    body: ChosenStop,
    reading: ReadSession,
    session: OpenSession,
    caller: Admin,
) -> RebalanceAnswer:
    client_id, stops = service.stops_of(reading, rebalance_id)
    computed = stops[body.stop]
    chosen_id = service.keep_rebalance(session, caller, client_id, computed)
    return rebalance_answer(reading, client_id, computed, chosen_id)


@router.get("/rebalances/{rebalance_id}/less-tax")
def show_less_tax(rebalance_id: uuid.UUID, session: OpenSession, _: Admin) -> Reply[TaxStops]:
    client_id, found = service.tax_stops_of(session, rebalance_id)
    taxes = taxes_of_sells(session, client_id, [computed for computed, _ in found.stops])
    shown = [
        TaxStop(
            stop=stop,
            orders=computed.summary.trades,
            tax=tax.in_paise(amount),
            summary=summary_of(computed, taxed),
            notices=list(computed.notices),
            data=shown_rows(session, computed, taxed),
        )
        for stop, ((computed, amount), taxed) in enumerate(zip(found.stops, taxes, strict=True))
    ]
    return reply(TaxStops(stops=shown, left_out=list(found.left_out), reason_text=found.reason))


@router.post("/rebalances/{rebalance_id}/less-tax")
def choose_less_tax(
    rebalance_id: uuid.UUID,
    body: ChosenTaxStop,
    reading: ReadSession,
    session: OpenSession,
    caller: Admin,
) -> RebalanceAnswer:
    client_id, found = service.tax_stops_of(reading, rebalance_id)
    if not found.stops:
        raise TaxNotKnown(found.reason)
    computed, _amount = found.stops[body.stop]
    chosen_id = service.keep_rebalance(session, caller, client_id, computed)
    return rebalance_answer(reading, client_id, computed, chosen_id)


@router.post("/create", status_code=HTTPStatus.CREATED, response_model=Reply[SentAdvice])
def send_advice(
    body: AdviceToSend,
    session: OpenSession,
    request: Request,
    caller: Admin,
    once: OnceOnly,
) -> Response:
    has_mail = bool(request.app.state.settings.smtp_url)

    def act() -> Any:
        sent = service.send(session, caller, body, clock.now(), has_mail_server=has_mail)
        row = SentAdvice(id=sent.advice_id, created_at=sent.sent_at, status=Delivery.QUEUED)
        return reply(row, "Advice created successfully")

    return once.run(session, act, Reply[SentAdvice], HTTPStatus.CREATED)


@router.get("/drafts")
def list_drafts(
    session: OpenSession, caller: Admin, filters: Annotated[ListParams, Query()]
) -> Page[DraftRow]:
    unsent, total = drafts.list_drafts(session, caller, filters.skipped, filters.limit)
    return page_of(DraftRow.rows(unsent), filters.page, filters.limit, total)


@router.get("/drafts/{client_id}")
def show_draft(
    client_id: uuid.UUID, session: OpenSession, caller: Admin
) -> Reply[DraftShown | None]:
    draft = drafts.draft_of(session, caller, client_id)
    if draft is None:
        return reply(None)
    return reply(DraftShown.of(draft, content=json.loads(draft.content)))


@router.put("/drafts/{client_id}")
def save_draft(
    client_id: uuid.UUID, body: DraftToSave, session: OpenSession, caller: Admin
) -> Reply[SavedDraft]:
    now = clock.now()
    version = drafts.save_draft(session, caller, now, client_id, body)
    return reply(SavedDraft(version=version, changed_at=now))


@router.delete("/drafts/{client_id}")
def drop_draft(client_id: uuid.UUID, session: OpenSession, caller: Admin) -> Done:
    drafts.drop_draft(session, caller, client_id)
    return done("Draft discarded.")


@router.get("/undelivered")
def list_undelivered(
    session: OpenSession, caller: StaffOfVisible, filters: Annotated[ListParams, Query()]
) -> Page[UndeliveredAdvice]:
    visible = visible_clients(session, caller)
    advices, total = daily_work.list_undelivered(session, filters.skipped, filters.limit, visible)
    return page_of(UndeliveredAdvice.rows(advices), filters.page, filters.limit, total)


@router.get("/clients/{client_id}", response_model=Page[AdviceRow])
def list_advice(
    client_id: uuid.UUID,
    session: OpenSession,
    _: Staff,
    filters: Annotated[AskedHistory, Query()],
) -> Response:
    past, total = service.history(
        session, client_id, filters.period, filters.skipped, filters.limit
    )
    return written_page([_advice(advice) for advice in past], filters.page, filters.limit, total)


@list_export(router, "/clients/{client_id}/export", "Advice History", ADVICE_HISTORY)
def export_advice(
    client_id: uuid.UUID, session: OpenSession, _: Staff, filters: Annotated[AskedHistory, Query()]
) -> Exported[AdvisedStock]:
    past, _total = service.history(session, client_id, filters.period, 0, EVERY_ROW)
    rows = [(advice, stock) for advice in past for stock in advice.stocks]
    return Exported(rows, filters, people.client(session, client_id))


@router.get("/{advice_id}/letter.pdf", response_class=Response, responses=PDF)
def download_letter(
    advice_id: uuid.UUID, session: OpenSession, trail_session: WriteSession, caller: StaffOfVisible
) -> Response:
    service.recipient(session, advice_id, visible_clients(session, caller))
    name, pdf, client = service.letter(session, advice_id)
    about = {"what": "advice-letter", "format": "pdf", "adviceId": advice_id}
    note_taken(trail_session, caller, clock.now(), client, about)
    return attachment(pdf, name, "application/pdf")


@router.get("/{advice_id}/verify")
def verify_advice(
    advice_id: uuid.UUID, session: OpenSession, caller: StaffOfVisible
) -> Reply[VerifiedAdvice]:
    service.recipient(session, advice_id, visible_clients(session, caller))
    return reply(_verified(verification.verify(session, advice_id)))


@router.get("/{advice_id}/sealed.zip", response_class=Response, responses=ZIP)
def download_sealed_advice(
    advice_id: uuid.UUID, session: OpenSession, trail_session: WriteSession, caller: Admin
) -> Response:
    now = clock.now()
    advice, client = service.recipient(session, advice_id)
    archive = exporting.archive(session, [advice_id], now, {"advice": str(advice_id)})
    about = {"what": "sealed-advice", "adviceId": advice_id}
    note_taken(trail_session, caller, now, client, about)
    name = file_name_of(client.code, advice.created_at).replace(".pdf", ".zip")
    return attachment(archive.content, name, "application/zip")


@router.post("/{advice_id}/resend", response_model=Reply[DeliveryOfAdvice])
def resend_advice(
    advice_id: uuid.UUID,
    session: OpenSession,
    request: Request,
    caller: Admin,
    once: OnceOnly,
) -> Response:
    settings = request.app.state.settings

    def act() -> Any:
        state = service.resend(session, settings, caller, advice_id, clock.now())
        return reply(DeliveryOfAdvice.model_validate(state), "The mail is sent again.")

    return once.run(session, act, Reply[DeliveryOfAdvice])


def _holding(stock: HeldStock) -> HoldingToAdvise:
    price = service.price_in(stock.quote)
    return HoldingToAdvise.of(
        stock,
        trading_symbol=stock.instrument.symbol,
        exchange=stock.instrument.exchange,
        isin=stock.instrument.isin,
        instrument_token=stock.instrument.instrument_token,
        ltp=price,
        priced_at=stock.quote.at if stock.quote else None,
        price_source=stock.quote.source if stock.quote else None,
        action_suspected=stock.is_action_suspected,
        action_pending=stock.is_action_pending,
        current_value=None if price is None else stock.quantity * price,
        product=service.PRODUCT,
    )


def _order_stop(session: Session, stop: int, computed: Package, taxed: SalesTax) -> OrderStop:
    return OrderStop(
        stop=stop,
        orders=computed.summary.trades,
        order_drift_percentage=computed.options.order_drift,
        summary=summary_of(computed, taxed),
        notices=list(computed.notices),
        data=shown_rows(session, computed, taxed),
    )


def _verified(result: Verification) -> VerifiedAdvice:
    return VerifiedAdvice.of(
        result.seal,
        id=result.advice_id,
        holds=result.holds,
        sealed_as=result.sealed.sealed_as if result.sealed else None,
        fingerprint=result.seal.key_id,
        engine=result.sealed.engine if result.sealed else None,
        checks=CheckOfAdvice.rows(result.checks),
    )


def _advice(past: PastAdvice) -> dict[str, Any]:
    advice, delivery = past.advice, past.delivery
    return AdviceRow.plain(
        id=advice.id,
        created_at=advice.created_at,
        total_stocks=advice.total_stocks,
        total_invested_value=advice.total_invested_value,
        total_buy_value=advice.total_buy_value,
        total_sell_value=advice.total_sell_value,
        buy_value=sum(line.additional_value for line in past.stocks),
        sell_value=sum(line.freed_value for line in past.stocks),
        rationale=advice.rationale,
        delivery=DeliveryOfAdvice.model_validate(delivery) if delivery else None,
        stocks=[StockOfAdvice.plain_in_order(line.shown) for line in past.stocks],
    )
