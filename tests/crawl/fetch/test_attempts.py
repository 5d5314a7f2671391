"""Which of several addresses is taken, on a clock that jumps."""

from __future__ import annotations

import asyncio
import ssl

import pytest

from support.fake_web import run
from trasmallo.crawl.fetch.attempts import first_open
from trasmallo.crawl.fetch.http import Connection, Pool
from trasmallo.crawl.fetch.request_limits import RequestLimits

NEVER = 1_000.0


class Addresses:
    """Addresses by the seconds they take, and what they raise then; who was tried when."""

    def __init__(self, **takes: float) -> None:
        self.takes = takes
        self.fails: dict[str, Exception] = {}
        self.tried: dict[str, float] = {}
        self.given_up: list[str] = []
        self.connections: list[Connection] = []

    async def open(self, address: str) -> Connection:
        self.tried[address] = asyncio.get_running_loop().time()
        try:
            await asyncio.sleep(self.takes[address])
        except asyncio.CancelledError:
            self.given_up.append(address)
            raise
        if address in self.fails:
            raise self.fails[address]
        return Connection(Pool(RequestLimits()), "key", address)

    def race(self) -> tuple[str, float]:
        async def go() -> tuple[str, float]:
            connection = await first_open(list(self.takes), self.open)
            assert len(asyncio.all_tasks()) == 1, "nothing is left behind"
            return connection.address, asyncio.get_running_loop().time()

        return run(go())


def test_the_first_address_is_enough() -> None:
    addresses = Addresses(a=0.1, b=0.0)
    assert addresses.race() == ("a", 0.1)
    assert addresses.tried == {"a": 0.0}


def test_a_silent_address_costs_a_quarter_of_a_second() -> None:
    addresses = Addresses(six=NEVER, four=0.1)
    assert addresses.race() == ("four", pytest.approx(0.35))
    assert addresses.given_up == ["six"]


def test_a_slow_address_may_still_win() -> None:
    addresses = Addresses(a=0.3, b=0.2)
    assert addresses.race() == ("a", pytest.approx(0.3))
    assert addresses.given_up == ["b"]


def test_a_refusal_costs_nothing() -> None:
    addresses = Addresses(a=0.0, b=0.0, c=0.1)
    addresses.fails = {"a": ConnectionRefusedError(), "b": OSError("no route")}
    assert addresses.race() == ("c", pytest.approx(0.1))


@pytest.mark.parametrize("number", [1, 2, 4])
def test_the_last_problem_is_told_when_nobody_answers(number: int) -> None:
    addresses = Addresses(**dict.fromkeys("abcd"[:number], 0.01))
    addresses.fails = {name: ConnectionRefusedError(name) for name in "abcd"}
    with pytest.raises(ConnectionRefusedError, match="abcd"[number - 1]):
        addresses.race()


@pytest.mark.parametrize("problem", [ssl.SSLError(1, "wrong"), ValueError("a mistake of ours")])
def test_what_a_server_says_about_tls_is_its_answer(problem: Exception) -> None:
    addresses = Addresses(a=0.0, b=0.0)
    addresses.fails = {"a": problem}
    with pytest.raises(type(problem)):
        addresses.race()
    assert addresses.tried == {"a": 0.0}


def test_two_at_once_leave_one_connection() -> None:
    addresses = Addresses(a=0.5, b=0.25)
    kept: list[Connection] = []

    class Counted(Connection):
        def drop(self) -> None:
            kept.remove(self)

    async def open_counted(address: str) -> Connection:
        await addresses.open(address)
        kept.append(Counted(Pool(RequestLimits()), "key", address))
        return kept[-1]

    async def go() -> Connection:
        return await first_open(["a", "b"], open_counted)

    assert kept == [run(go())]


def test_who_gives_up_gives_up_all() -> None:
    addresses = Addresses(a=NEVER, b=NEVER)

    async def go() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(10):
                await first_open(["a", "b"], addresses.open)
        assert len(asyncio.all_tasks()) == 1

    run(go())
    assert sorted(addresses.given_up) == ["a", "b"]
