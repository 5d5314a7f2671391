from __future__ import annotations

import asyncio

import pytest

from support.fake_web import EPOCH, FakeWeb, run
from trasmallo.values.model import Failure, Outcome, Response


def test_hours_pass_in_no_time_and_exactly() -> None:
    async def wait() -> tuple[float, float]:
        await asyncio.gather(asyncio.sleep(7200), asyncio.sleep(3600))
        return asyncio.get_running_loop().time(), FakeWeb.clock()

    assert run(wait()) == (7200.0, EPOCH + 7200)


def test_threads_are_waited_for_and_a_deadlock_is_told() -> None:
    async def ask_thread() -> int:
        return await asyncio.to_thread(lambda: 7)

    async def wait_forever() -> None:
        await asyncio.get_running_loop().create_future()

    assert run(ask_thread()) == 7
    with pytest.raises(RuntimeError, match="deadlock"):
        run(wait_forever())


def test_pages_redirects_failures_and_the_rest() -> None:
    web = FakeWeb()
    web.page("http://a.test/", "hola", headers={"ETag": '"1"'}, latency=3)
    web.redirect("http://a.test/old", "http://a.test/")
    web.failure("http://a.test/slow", Outcome.TIMED_OUT)

    async def ask() -> list[Response | Failure]:
        fresh = await web.get("http://a.test/", headers={"If-None-Match": '"1"'})
        head = await web.get("http://a.test/", method="HEAD")
        others = ("http://a.test/", "http://a.test/old", "http://a.test/slow", "http://a.test/x", "http://b.test/")
        return [fresh, head, *await asyncio.gather(*(web.get(url) for url in others))]

    fresh, head, page, moved, slow, missing, nobody = run(ask())
    assert [a.status for a in (fresh, head, page, moved, missing) if isinstance(a, Response)] == [304, 200, 200, 301, 404]
    assert isinstance(page, Response)
    assert isinstance(head, Response)
    assert (page.content, head.content) == (b"hola", b"")
    assert [a.outcome for a in (slow, nobody) if isinstance(a, Failure)] == [Outcome.TIMED_OUT, Outcome.NO_HOST]
    assert web.visits[0].end - web.visits[0].start == 3
    assert web.most_open == {"http://a.test": 4, "http://b.test": 1}
    assert set(web.open.values()) == {0}
