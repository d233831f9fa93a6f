"""Routes of inspection and audit packs, for ADMIN."""

import uuid
from http import HTTPStatus
from typing import Annotated

from fastapi import Query, Request, Response
from fastapi.responses import FileResponse

from tarazu.inspection import service
from tarazu.inspection.schemas import PackAsked, PackParams, PackRow
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, AdminStepUp, authorized_router
from tarazu.kit.db import OpenSession, WriteSession
from tarazu.kit.downloads import ZIP, approval_of, note_taken
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.schemas import Page, Reply, page_of, reply

router = authorized_router("/admin/inspection-pack")
FROM_THE_START = "bytes=0-"
"""The range of a download that begins; one that goes on is not noted again."""


@router.get("")
def list_inspection_packs(
    session: OpenSession, _: Admin, params: Annotated[PackParams, Query()]
) -> Page[PackRow]:
    packs, total = service.list_packs(session, params.skipped, params.limit)
    return page_of(PackRow.rows(packs), params.page, params.limit, total)


@router.post("", status_code=HTTPStatus.CREATED, response_model=Reply[PackRow])
def make_inspection_pack(
    body: PackAsked, session: OpenSession, caller: AdminStepUp, once: OnceOnly
) -> Response:
    def make() -> Reply[PackRow]:
        pack = service.ask_for_pack(session, caller, clock.now(), body.pack())
        return reply(PackRow.model_validate(pack))

    return once.run(session, make, Reply[PackRow], HTTPStatus.CREATED)


@router.get("/{pack_id}/file", response_class=Response, responses=ZIP)
def download_inspection_pack(
    pack_id: uuid.UUID,
    request: Request,
    session: OpenSession,
    trail_session: WriteSession,
    caller: AdminStepUp,
) -> Response:
    pack, path = service.pack_file(session, request.app.state.settings, pack_id)
    row, now = pack.row, clock.now()
    approval = {}
    if pack.client is None:
        approval = approval_of(request, trail_session, now, "inspection-pack", {})
    if request.headers.get("Range", FROM_THE_START).startswith(FROM_THE_START):
        about = {"what": "inspection-pack", "packId": pack_id, "sha256": row.sha256}
        note_taken(trail_session, caller, now, pack.client, about | approval)
    parts = (row.kind.lower(), pack.client_code, f"{row.first_on}-to-{row.last_on}")
    name = "-".join(part for part in parts if part)
    headers = {"ETag": f'"{row.sha256}"', "Cache-Control": "private, no-store"}
    return FileResponse(path, media_type="application/zip", filename=f"{name}.zip", headers=headers)
