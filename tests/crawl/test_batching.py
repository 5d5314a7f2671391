"""Things that came together are worked on together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from trasmallo.crawl.batching import Batcher, all_made


class Worker:
    def __init__(self) -> None:
        self.batches: list[list[int]] = []

    def __call__(self, numbers: Sequence[int]) -> list[int]:
        self.batches.append(list(numbers))
        return [10 * number for number in numbers]


def test_everybody_gets_their_own_result() -> None:
    worker = Worker()

    async def bring_many() -> list[int]:
        desk = Batcher(worker, most=3)
        return list(await asyncio.gather(*(desk.bring(number) for number in range(7))))

    assert asyncio.run(bring_many()) == [0, 10, 20, 30, 40, 50, 60]
    assert worker.batches == [[0, 1, 2], [3, 4, 5], [6]]


def test_an_error_is_everybodys_who_waited_for_it() -> None:
    def fail(numbers: Sequence[int]) -> list[int]:
        raise OSError(len(numbers))

    async def bring_two() -> list[BaseException | int]:
        desk = Batcher(fail, most=8)
        return await asyncio.gather(desk.bring(1), desk.bring(2), return_exceptions=True)

    assert [str(error) for error in asyncio.run(bring_two())] == ["2", "2"]


def test_who_left_is_no_trouble_to_the_others() -> None:
    worker = Worker()

    async def leave() -> int:
        desk = Batcher(worker, most=8)
        first, second = asyncio.create_task(desk.bring(1)), asyncio.create_task(desk.bring(2))
        await asyncio.sleep(0)
        first.cancel()
        return await second

    assert asyncio.run(leave()) == 20
    assert worker.batches == [[1, 2]]


def test_what_is_handed_in_waits_for_the_next_that_is_brought() -> None:
    worker = Worker()

    async def hand_in() -> list[int]:
        desk = Batcher(worker, most=3)
        first = desk.hand_in(1)
        await asyncio.sleep(0)
        assert not first.done()
        return [await desk.bring(2), first.result()]

    assert asyncio.run(hand_in()) == [20, 10]
    assert worker.batches == [[1, 2]]


def test_what_is_handed_in_is_worked_on_when_somebody_waits_for_it_or_there_is_enough() -> None:
    worker = Worker()

    async def hand_in() -> list[bool]:
        desk = Batcher(worker, most=3)
        made = [desk.hand_in(number) for number in range(2)]
        assert await desk.work_soon(made[0]) == 0
        waited_for = [each.done() for each in made]
        many = [desk.hand_in(number) for number in range(3)]
        await asyncio.sleep(0)
        return [*waited_for, *(each.done() for each in many)]

    assert asyncio.run(hand_in()) == [True] * 5
    assert worker.batches == [[0, 1], [0, 1, 2]]


def test_who_waits_at_the_same_time_is_served_together() -> None:
    worker = Worker()

    async def wait(desk: Batcher[int, int], number: int) -> int:
        return await desk.work_soon(desk.hand_in(number))

    async def wait_for_all() -> list[int]:
        desk = Batcher(worker, most=8)
        return await asyncio.gather(*(wait(desk, number) for number in range(5)))

    assert asyncio.run(wait_for_all()) == [0, 10, 20, 30, 40]
    assert worker.batches == [[0, 1, 2, 3, 4]]


def test_nothing_is_worked_on_after_it_is_closed() -> None:
    worker = Worker()

    async def close() -> None:
        desk = Batcher(worker, most=8)
        waiting = asyncio.create_task(desk.bring(1))
        await asyncio.sleep(0)
        desk.close()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await asyncio.sleep(0)

    asyncio.run(close())
    assert worker.batches == []


def test_of_what_was_made_or_handed_in_all_that_is_there() -> None:
    async def give() -> list[int]:
        loop = asyncio.get_running_loop()
        done, failed, given_up, open_yet = (loop.create_future() for _ in range(4))
        done.set_result(2)
        failed.set_exception(OSError())
        given_up.cancel()
        return all_made([1, done, failed, given_up, open_yet, 3])

    assert asyncio.run(give()) == [1, 2, 3]
