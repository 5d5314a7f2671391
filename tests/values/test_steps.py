"""Steps are told to whoever asked, and to nobody else."""

from __future__ import annotations

from trasmallo.values.steps import tell_step, told_to


def test_steps_are_told_to_who_asks() -> None:
    outer: list[tuple[int, int]] = []
    inner: list[tuple[int, int]] = []
    tell_step(0, 9)
    with told_to(lambda done, total: outer.append((done, total))):
        tell_step(1, 2)
        with told_to(lambda done, total: inner.append((done, total))):
            tell_step(3, 4)
        tell_step(2, 2)
    tell_step(9, 9)
    assert (outer, inner) == ([(1, 2), (2, 2)], [(3, 4)])
