"""The soak, in a minute instead of an hour."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from support.benchmark_scripts import load


@pytest.mark.skipif(not os.environ.get("TRASMALLO_SOAK"), reason="kills at random moments; set TRASMALLO_SOAK, or: go.py soak")
def test_a_short_soak_finds_nothing_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    soak = load("soak")
    found = soak.Soak(tmp_path, seconds=0.0, pages=24).run()
    assert found.wrong == []
    assert (found.rounds, found.compared) == (1, 1)
    assert found.samples
    assert found.answers[200]
    assert found.is_well
    soak.show(found)
    out = capsys.readouterr().out
    assert "growth of the app's memory" in out
    assert "errors: 0" in out


def test_growth_is_measured_after_the_warm_up() -> None:
    soak = load("soak")
    samples = [
        soak.Sample(at=60.0 * minute, app=100.0 + max(0, 20 - minute) * 10 + minute / 60, session=0.0) for minute in range(61)
    ]
    found = soak.Soaked(samples=samples)
    assert found.growth == pytest.approx(1.0)
    assert found.is_well
    found.samples = [soak.Sample(one.at, one.app + one.at / 3_600, 0.0) for one in samples]
    assert found.growth == pytest.approx(2.0)
    assert found.interval == pytest.approx((2.0, 2.0))
    assert not found.is_well
    assert soak.slope([]) == soak.slope([(1.0, 5.0)]) == 0.0
    assert soak.slope_interval([(0.0, 1.0), (1.0, 2.0)]) == (1.0, 1.0)


def test_one_step_is_no_growth() -> None:
    """Least squares would say 4.5 MB an hour."""
    soak = load("soak")
    points = [(60.0 * minute, 200.0 + 3.0 * (minute == 38)) for minute in range(40)]
    assert soak.slope(points) == 0.0


@pytest.mark.parametrize(("grows", "is_well"), [(0.0, True), (1.0, True), (12.0, False)])
def test_the_interval_holds_the_growth(grows: float, is_well: bool) -> None:
    """Memory that wanders: what a minute has too much, the next has mostly too."""
    soak = load("soak")
    chance, samples, off = random.Random(3), [], 0.0
    for minute in range(61):
        off = 0.6 * off + chance.gauss(0, 0.5)
        samples.append(soak.Sample(at=60.0 * minute, app=200.0 + grows * minute / 60 + off, session=0.0))
    found = soak.Soaked(samples=samples)
    low, high = found.interval
    assert low < grows < high
    assert 0.5 < high - low < 6
    assert found.is_well == is_well


def test_what_an_answer_needs_for_a_moment_is_no_growth() -> None:
    soak = load("soak")
    samples = [
        soak.Sample(at=float(second), app=200.0 + (second % 50 > 1) * second / 90, session=0.0) for second in range(3_600)
    ]
    assert soak.Soaked(samples=samples).growth == pytest.approx(0.0)
    assert soak.kept([(1.0, 9.0), (2.0, 7.0), (61.0, 8.0)]) == [(2.0, 7.0), (61.0, 8.0)]


def test_what_goes_wrong_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    soak = load("soak")
    found = soak.Soaked(wrong=["a page answered 500"])
    assert not found.is_well
    soak.show(found)
    assert "a page answered 500" in capsys.readouterr().out
