"""Routes that import files: holdings, clients, funds, trades, prices, index values, actions."""

import uuid
from http import HTTPStatus
from typing import Annotated

from fastapi import Depends, File, Form, Request, Response, UploadFile

from tarazu.imports import (
    action_files,
    benchmark_files,
    high_files,
    price_files,
    running,
    service,
    uploads,
)
from tarazu.imports.benchmark_files import IndexOptions
from tarazu.imports.running import ImportContext
from tarazu.imports.schemas import (
    ActionImportReport,
    BenchmarkImportReport,
    HighImportReport,
    ImportReport,
    PriceImportReport,
)
from tarazu.imports.tables import ImportState
from tarazu.imports.uploads import ImportOptions, ImportRequest, Step
from tarazu.kit import clock
from tarazu.kit.audit_log import Actor
from tarazu.kit.auth_route import Admin, StaffOfVisible, StaffWithoutClients, authorized_router
from tarazu.kit.db import Database
from tarazu.kit.schemas import Reply, reply
from tarazu.kit.sockets import Live, Progress, SocketHub
from tarazu.teams.service import visible_clients

router = authorized_router("/admin")


async def _database(request: Request) -> Database:
    database: Database = request.app.state.database
    return database


async def _options(
    dry_run: Annotated[bool, Form(alias="dryRun")] = True,
    leave_out_refused: Annotated[bool, Form(alias="leaveOutRefused")] = False,
) -> ImportOptions:
    return ImportOptions(dry_run, leave_out_refused)


# An import uses several transactions, so these routes get the database, not a session.
WholeDatabase = Annotated[Database, Depends(_database)]


@router.post(
    "/clients/import", responses={HTTPStatus.ACCEPTED.value: {"model": Reply[ImportReport]}}
)
def import_holdings(
    file: Annotated[UploadFile, File()],
    options: Annotated[ImportOptions, Depends(_options)],
    database: WholeDatabase,
    hub: Live,
    caller: StaffOfVisible,
    response: Response,
    client_id: Annotated[uuid.UUID | None, Form(alias="clientId")] = None,
) -> Reply[ImportReport]:
    uploaded = uploads.read_file(file.file.read(), file.filename or "")
    with database.reading() as session:
        visible = visible_clients(session, caller)
        request = service.prepare_import(session, uploaded, client_id, options, visible)
    context = ImportContext(database, caller, clock.now, _Reporter(hub, caller, request))
    return _run(request, context, response)


@router.post(
    "/imports/tradebook", responses={HTTPStatus.ACCEPTED.value: {"model": Reply[ImportReport]}}
)
def import_tradebook(
    file: Annotated[UploadFile, File()],
    client_id: Annotated[uuid.UUID, Form(alias="clientId")],
    options: Annotated[ImportOptions, Depends(_options)],
    database: WholeDatabase,
    hub: Live,
    caller: StaffOfVisible,
    response: Response,
) -> Reply[ImportReport]:
    uploaded = uploads.read_tradebook(file.file.read(), file.filename or "")
    with database.reading() as session:
        visible = visible_clients(session, caller)
        request = service.prepare_import(session, uploaded, client_id, options, visible)
    context = ImportContext(database, caller, clock.now, _Reporter(hub, caller, request))
    return _run(request, context, response)


@router.post("/imports/prices")
def import_prices(
    file: Annotated[UploadFile, File()],
    database: WholeDatabase,
    caller: StaffWithoutClients,
    dry_run: Annotated[bool, Form(alias="dryRun")] = True,
) -> Reply[PriceImportReport]:
    prices = price_files.read_price_file(file.file.read(), file.filename or "")
    report = price_files.import_prices(database, caller, clock.now(), prices, is_dry_run=dry_run)
    return reply(PriceImportReport.model_validate(report), report.message)


async def _index_options(
    dry_run: Annotated[bool, Form(alias="dryRun")] = True,
    name: Annotated[str, Form(max_length=200)] = "",
    replaces: Annotated[bool, Form(alias="replaceChanged")] = False,
) -> IndexOptions:
    return IndexOptions(name, replaces, dry_run)


@router.post("/imports/benchmark")
def import_benchmark(
    file: Annotated[UploadFile, File()],
    options: Annotated[IndexOptions, Depends(_index_options)],
    database: WholeDatabase,
    caller: Admin,
) -> Reply[BenchmarkImportReport]:
    index = benchmark_files.read_index_file(file.file.read(), file.filename or "")
    report = benchmark_files.import_index(database, caller, clock.now(), index, options)
    return reply(BenchmarkImportReport.model_validate(report), report.message)


@router.post("/imports/corporate-actions")
def import_corporate_actions(
    file: Annotated[UploadFile, File()],
    database: WholeDatabase,
    caller: Admin,
    dry_run: Annotated[bool, Form(alias="dryRun")] = True,
) -> Reply[ActionImportReport]:
    actions = action_files.read_action_file(file.file.read(), file.filename or "")
    report = action_files.import_actions(database, caller, clock.now(), actions, is_dry_run=dry_run)
    return reply(ActionImportReport.model_validate(report), report.message)


@router.post("/imports/highs-of-2018")
def import_highs_of_2018(
    file: Annotated[UploadFile, File()],
    database: WholeDatabase,
    caller: StaffWithoutClients,
    dry_run: Annotated[bool, Form(alias="dryRun")] = True,
) -> Reply[HighImportReport]:
    highs = high_files.read_high_file(file.file.read(), file.filename or "")
    report = high_files.import_highs(database, caller, clock.now(), highs, is_dry_run=dry_run)
    return reply(HighImportReport.model_validate(report), report.message)


@router.get("/imports/{import_id}")
def show_import(
    import_id: uuid.UUID, database: WholeDatabase, caller: StaffOfVisible
) -> Reply[ImportReport]:
    with database.reading() as session:
        service.refuse_unseen(session, import_id, visible_clients(session, caller))
    return reply(ImportReport.model_validate(running.progress_of(database, import_id)))


def _run(request: ImportRequest, context: ImportContext, response: Response) -> Reply[ImportReport]:
    """Run an import now, or in the background if it is large."""
    if not request.is_large:
        report = ImportReport.model_validate(running.run(request, context))
        return reply(report, report.message)
    response.status_code = HTTPStatus.ACCEPTED
    return reply(ImportReport.model_validate(running.run_in_background(request, context)))


class _Reporter:
    """Sends progress to the sockets of the person who imports; the hub limits the rate."""

    def __init__(self, hub: SocketHub, caller: Actor, request: ImportRequest) -> None:
        self._hub, self._account_id, self._id = hub, caller.account_id, str(request.id)

    def __call__(self, step: Step, done: int, total: int, state: ImportState) -> None:
        if self._account_id is not None:
            progress = Progress(self._id, step, done, total, state)
            self._hub.publish_progress(self._account_id, progress)
