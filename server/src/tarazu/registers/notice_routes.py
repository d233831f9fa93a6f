"""Routes of advertisements, AI tools, handles and incidents."""

import uuid
from typing import Annotated

from fastapi import Query

from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import Exported, list_export, whole
from tarazu.kit.schemas import Page, Reply, page_of, reply
from tarazu.registers import service
from tarazu.registers.schemas import (
    AdvertisementRow,
    AiSentenceShown,
    EnteredAdvertisement,
    EnteredHandle,
    EnteredIncident,
    EnteredTool,
    FlaggedWordRow,
    HandleRow,
    IncidentRow,
    RegisterParams,
    ReleasedAdvertisement,
    ReportedIncident,
    TextToScreen,
    ToolRow,
)
from tarazu.registers.service import IncidentOnClock, ScreenedAdvertisement
from tarazu.registers.sheets import ADVERTISEMENTS, HANDLES, INCIDENTS, TOOLS
from tarazu.registers.tables import AiTool, Handle

router = authorized_router("/admin/registers")

Filters = Annotated[RegisterParams, Query()]


@router.get("/advertisements")
def list_advertisements(session: OpenSession, _: Admin, params: Filters) -> Page[AdvertisementRow]:
    rows, total = service.list_advertisements(
        session, params, clock.today(), is_open=params.is_open
    )
    return page_of(AdvertisementRow.rows(rows), params.page, params.limit, total)


@list_export(
    router, "/advertisements/export", "Advertisements", ADVERTISEMENTS, names_clients=False
)
def export_advertisements(
    session: OpenSession, _: Admin, params: Filters
) -> Exported[ScreenedAdvertisement]:
    rows, _total = service.list_advertisements(
        session, whole(params), clock.today(), is_open=params.is_open
    )
    return Exported(rows, params)


@router.post("/advertisements/screen")
def screen_wording(
    body: TextToScreen, session: OpenSession, _: Admin
) -> Reply[list[FlaggedWordRow]]:
    words = service.screen_wording(session, body.text, clock.today())
    return reply(FlaggedWordRow.rows(words))


@router.post("/advertisements")
def add_advertisement(
    body: EnteredAdvertisement, session: OpenSession, caller: Admin
) -> Reply[AdvertisementRow]:
    added = service.add_advertisement(session, caller, clock.now(), body.fields())
    return reply(AdvertisementRow.model_validate(added), "Advertisement added")


@router.put("/advertisements/{entry_id}")
def edit_advertisement(
    entry_id: uuid.UUID, body: EnteredAdvertisement, session: OpenSession, caller: Admin
) -> Reply[AdvertisementRow]:
    edited = service.edit_advertisement(
        session, caller, clock.now(), entry_id, body.fields(), body.version
    )
    return reply(AdvertisementRow.model_validate(edited), "Advertisement saved")


@router.post("/advertisements/{entry_id}/release")
def release_advertisement(
    entry_id: uuid.UUID, body: ReleasedAdvertisement, session: OpenSession, caller: Admin
) -> Reply[AdvertisementRow]:
    released = service.release_advertisement(
        session, caller, clock.now(), entry_id, body.released_on, body.version
    )
    return reply(AdvertisementRow.model_validate(released), "Release recorded")


@router.get("/ai-tools")
def list_ai_tools(session: OpenSession, _: Admin, params: Filters) -> Page[ToolRow]:
    rows, total = service.list_tools(session, params, is_open=params.is_open)
    return page_of(ToolRow.rows(rows), params.page, params.limit, total)


@list_export(router, "/ai-tools/export", "AI Tools", TOOLS, names_clients=False)
def export_ai_tools(session: OpenSession, _: Admin, params: Filters) -> Exported[AiTool]:
    rows, _total = service.list_tools(session, whole(params), is_open=params.is_open)
    return Exported(rows, params)


@router.post("/ai-tools")
def add_ai_tool(body: EnteredTool, session: OpenSession, caller: Admin) -> Reply[ToolRow]:
    tool = service.add_tool(session, caller, clock.now(), body.fields())
    return reply(ToolRow.model_validate(tool), "AI tool added")


@router.put("/ai-tools/{entry_id}")
def edit_ai_tool(
    entry_id: uuid.UUID, body: EnteredTool, session: OpenSession, caller: Admin
) -> Reply[ToolRow]:
    tool = service.edit_tool(session, caller, clock.now(), entry_id, body.fields(), body.version)
    return reply(ToolRow.model_validate(tool), "AI tool saved")


@router.get("/ai-sentence")
def show_ai_sentence(session: OpenSession, _: Admin) -> Reply[AiSentenceShown]:
    return reply(AiSentenceShown.model_validate(service.ai_sentence(session)))


@router.post("/ai-sentence")
def use_register_sentence(session: OpenSession, caller: Admin) -> Reply[AiSentenceShown]:
    sentence = service.use_register_sentence(session, caller, clock.now())
    return reply(AiSentenceShown.model_validate(sentence), "Letters carry the register's sentence.")


@router.get("/handles")
def list_handles(session: OpenSession, _: Admin, params: Filters) -> Page[HandleRow]:
    rows, total = service.list_handles(session, params, is_open=params.is_open)
    return page_of(HandleRow.rows(rows), params.page, params.limit, total)


@list_export(router, "/handles/export", "Handles", HANDLES, names_clients=False)
def export_handles(session: OpenSession, _: Admin, params: Filters) -> Exported[Handle]:
    rows, _total = service.list_handles(session, whole(params), is_open=params.is_open)
    return Exported(rows, params)


@router.post("/handles")
def add_handle(body: EnteredHandle, session: OpenSession, caller: Admin) -> Reply[HandleRow]:
    handle = service.add_handle(session, caller, clock.now(), body.fields())
    return reply(HandleRow.model_validate(handle), "Handle added")


@router.put("/handles/{entry_id}")
def edit_handle(
    entry_id: uuid.UUID, body: EnteredHandle, session: OpenSession, caller: Admin
) -> Reply[HandleRow]:
    handle = service.edit_handle(
        session, caller, clock.now(), entry_id, body.fields(), body.version
    )
    return reply(HandleRow.model_validate(handle), "Handle saved")


@router.get("/incidents")
def list_incidents(session: OpenSession, _: Admin, params: Filters) -> Page[IncidentRow]:
    rows, total = service.list_incidents(session, params, clock.now(), is_open=params.is_open)
    return page_of(IncidentRow.rows(rows), params.page, params.limit, total)


@list_export(router, "/incidents/export", "Incidents", INCIDENTS, names_clients=False)
def export_incidents(session: OpenSession, _: Admin, params: Filters) -> Exported[IncidentOnClock]:
    rows, _total = service.list_incidents(
        session, whole(params), clock.now(), is_open=params.is_open
    )
    return Exported(rows, params)


@router.post("/incidents")
def add_incident(body: EnteredIncident, session: OpenSession, caller: Admin) -> Reply[IncidentRow]:
    incident = service.add_incident(session, caller, clock.now(), body.fields())
    return reply(IncidentRow.model_validate(incident), "Incident added")


@router.put("/incidents/{entry_id}")
def edit_incident(
    entry_id: uuid.UUID, body: EnteredIncident, session: OpenSession, caller: Admin
) -> Reply[IncidentRow]:
    incident = service.edit_incident(
        session, caller, clock.now(), entry_id, body.fields(), body.version
    )
    return reply(IncidentRow.model_validate(incident), "Incident saved")


@router.post("/incidents/{entry_id}/report")
def report_incident(
    entry_id: uuid.UUID, body: ReportedIncident, session: OpenSession, caller: Admin
) -> Reply[IncidentRow]:
    incident = service.report_incident(
        session, caller, clock.now(), entry_id, body.reported_at, body.report, body.version
    )
    return reply(IncidentRow.model_validate(incident), "Report recorded")
