"""The process reports that it is alive whatever its threads wait for."""

import anyio
import anyio.to_thread
import httpx
import pytest
from fastapi import FastAPI


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
async def test_a_process_whose_threads_all_wait_says_that_it_is_alive(app: FastAPI) -> None:
    threads = anyio.to_thread.current_default_thread_limiter()
    waiting = [object() for _ in range(int(threads.total_tokens))]
    for one in waiting:
        threads.acquire_on_behalf_of_nowait(one)
    transport = httpx.ASGITransport(app)

    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as web:
        with anyio.fail_after(2):
            answer = await web.get("/health/live")

    assert answer.status_code == 200
    for one in waiting:
        threads.release_on_behalf_of(one)
