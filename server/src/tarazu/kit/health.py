"""Is the process alive, and can it serve."""

from fastapi import APIRouter, Request, Response
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from tarazu.kit.db import Database

router = APIRouter(prefix="/health", include_in_schema=False)


@router.get("/live")
def live() -> dict[str, bool]:
    return {"live": True}


@router.get("/ready")
def ready(request: Request, response: Response) -> dict[str, bool]:
    database: Database = request.app.state.database
    try:
        with database.reading() as session:
            session.execute(text("SELECT 1 FROM firm"))
    except SQLAlchemyError:
        # Answered, not raised: a load balancer asks until the database is back.
        response.status_code = 503
        return {"ready": False}
    return {"ready": True}
