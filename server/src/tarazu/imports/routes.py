"""Calls that bring in files of holdings."""

import uuid
from http import HTTPStatus
from typing import Annotated

from fastapi import Depends, File, Form, Request, Response, UploadFile

from tarazu.imports import price_files, running, service
from tarazu.imports.price_files import PriceChange, PriceReport, PriceRow
from tarazu.imports.running import Run
from tarazu.imports.schemas import (
    ImportReport,
    PriceChangeRow,
    PriceCounts,
    PriceImportReport,
    RefusedFileRow,
)
from tarazu.imports.service import Order, Step, Wish
from tarazu.imports.tables import ImportState
from tarazu.kit import clock
from tarazu.kit.audit_log import Actor
from tarazu.kit.auth_route import Staff, guarded_router
from tarazu.kit.db import Database
from tarazu.kit.schemas import Reply, reply
from tarazu.kit.sockets import Live, Progress, SocketHub

router = guarded_router("/admin")


async def _database(request: Request) -> Database:
    database: Database = request.app.state.database
    return database


async def _wish(
    dry_run: Annotated[bool, Form(alias="dryRun")] = True,
    leave_out_refused: Annotated[bool, Form(alias="leaveOutRefused")] = False,
) -> Wish:
    return Wish(dry_run, leave_out_refused)


# An import goes through several transactions, so these calls get the database, not a session.
WholeDatabase = Annotated[Database, Depends(_database)]


@router.post(
    "/clients/import", responses={HTTPStatus.ACCEPTED.value: {"model": Reply[ImportReport]}}
)
def import_holdings(
    file: Annotated[UploadFile, File()],
    wish: Annotated[Wish, Depends(_wish)],
    database: WholeDatabase,
    hub: Live,
    caller: Staff,
    response: Response,
    client_id: Annotated[uuid.UUID | None, Form(alias="clientId")] = None,
) -> Reply[ImportReport]:
    given = service.read_file(file.file.read(), file.filename or "")
    with database.reading() as session:
        order = service.order_import(session, given, client_id, wish)
    by = Run(database, caller, clock.now, _Reporter(hub, caller, order))
    if not order.is_large:
        report = ImportReport.model_validate(running.run(order, by))
        return reply(report, report.message)
    response.status_code = HTTPStatus.ACCEPTED
    return reply(ImportReport.model_validate(running.run_behind(order, by)))


@router.post("/imports/prices")
def import_prices(
    file: Annotated[UploadFile, File()],
    database: WholeDatabase,
    caller: Staff,
    dry_run: Annotated[bool, Form(alias="dryRun")] = True,
) -> Reply[PriceImportReport]:
    given = price_files.read_price_file(file.file.read(), file.filename or "")
    report = price_files.import_prices(database, caller, clock.now(), given, is_dry_run=dry_run)
    return reply(_prices(report), report.message)


@router.get("/imports/{import_id}")
def show_import(import_id: uuid.UUID, database: WholeDatabase, _: Staff) -> Reply[ImportReport]:
    return reply(ImportReport.model_validate(running.progress_of(database, import_id)))


def _prices(report: PriceReport) -> PriceImportReport:
    counts = PriceCounts(
        added=report.counts[PriceChange.ADDED],
        changed=report.counts[PriceChange.CHANGED],
        unchanged=report.counts[PriceChange.UNCHANGED],
        kept=report.counts[PriceChange.KEPT],
        unknown=report.unknown,
        other_series=report.other_series,
        refused=report.refused_count,
    )
    return PriceImportReport(
        file_name=report.file_name,
        source=report.source,
        day=report.day,
        is_dry_run=report.is_dry_run,
        can_apply=report.can_apply,
        message=report.message,
        counts=counts,
        price_rows=[_price_row(row) for row in report.rows],
        rows_left_out=report.rows_left_out,
        refused=RefusedFileRow.rows(report.refused),
    )


def _price_row(row: PriceRow) -> PriceChangeRow:
    before = row.before
    return PriceChangeRow(
        line=row.line,
        trading_symbol=row.listed.symbol,
        name=row.listed.name,
        isin=row.listed.isin,
        exchange=row.listed.exchange,
        series=row.series,
        change=row.change,
        price_before=before.price if before else None,
        priced_at_before=before.at if before else None,
        source_before=before.source if before else None,
        price=row.close,
        action_suspected=row.is_action_suspected,
    )


class _Reporter:
    """Tells the sockets of the person who imports; the hub sees to it that it is not too often."""

    def __init__(self, hub: SocketHub, caller: Actor, order: Order) -> None:
        self._hub, self._account_id, self._id = hub, caller.account_id, str(order.id)

    def __call__(self, step: Step, done: int, total: int, state: ImportState) -> None:
        if self._account_id is not None:
            progress = Progress(self._id, step, done, total, state)
            self._hub.publish_progress(self._account_id, progress)
