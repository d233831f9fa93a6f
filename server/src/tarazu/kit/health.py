"""`/health/live`: the process runs. `upkeep` has `/health/ready`."""

from fastapi import APIRouter

router = APIRouter(prefix="/health", include_in_schema=False)


# On the event loop: it answers even while every thread waits for the database.
@router.get("/live")
async def live() -> dict[str, bool]:
    return {"live": True}
