"""Is the process alive. Whether it can serve is told by `upkeep`, which knows what serving takes."""

from fastapi import APIRouter

router = APIRouter(prefix="/health", include_in_schema=False)


# On the event loop: while every thread waits for a database that is away, this still answers.
@router.get("/live")
async def live() -> dict[str, bool]:
    return {"live": True}
