"""When something is due."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.project.timetable.times import TimeRule, next_after, parse, parse_at, parse_every, zone_of
from trasmallo.values.errors import UsageError

MADRID = ZoneInfo("Europe/Madrid")


def at(text: str, zone: ZoneInfo = MADRID) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=zone).timestamp()


def utc(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("03:00", "03:00"),
        ("daily 3:00", "03:00"),
        (" Mon,THU  04:30", "mon,thu 04:30"),
        ("mon-fri 22.15", "mon,tue,wed,thu,fri 22:15"),
        ("sat-mon 1:05", "mon,sat,sun 01:05"),
        ("lun,mié 08:00", "mon,wed 08:00"),
        ("2026-12-24 18:00", "2026-12-24 18:00"),
        ("every 90m", "every 1h30m"),
        ("every 1d 12h", "every 1d12h"),
        ("every 14d", "every 2w"),
    ],
)
def test_times_as_people_write_them(text: str, canonical: str) -> None:
    assert str(parse(text)) == canonical
    assert parse(canonical) == parse(text)


@pytest.mark.parametrize("text", ["", "24:00", "3", "03:60", "foo 03:00", "mon- 03:00", "2026-02-30 10:00", "3:00 pm", "٣:00x"])
def test_what_is_no_time_is_shown_how_to_write_one(text: str) -> None:
    with pytest.raises(UsageError, match=r"mon"):
        parse_at(text)


@pytest.mark.parametrize("text", ["", "6", "0h", "-1h", "30s", "9999w", "1h1d", "h"])
def test_what_is_no_period(text: str) -> None:
    with pytest.raises(UsageError, match=r"write it like 30m, 6h, 1d12h or 2w"):
        parse_every(text)


def test_days_of_the_week() -> None:
    rule = parse_at("mon,thu 04:30")
    times = [at("2026-11-16 04:30"), at("2026-11-19 04:30"), at("2026-11-23 04:30")]
    assert next_after(rule, at("2026-11-15 12:00"), 0.0, MADRID) == times[0]
    assert next_after(rule, times[0], 0.0, MADRID) == times[1]
    assert next_after(rule, times[1] - 1, 0.0, MADRID) == times[1]
    assert next_after(rule, times[1], 0.0, MADRID) == times[2]


def test_daylight_saving_skips_no_run_and_repeats_none() -> None:
    rule = parse_at("02:30")
    spring = next_after(rule, at("2026-03-28 12:00"), 0.0, MADRID)
    assert spring == utc("2026-03-29 01:30"), "02:30 does not exist; the clock shows 03:30"
    assert next_after(rule, spring, 0.0, MADRID) == at("2026-03-30 02:30")
    autumn = next_after(rule, at("2026-10-24 12:00"), 0.0, MADRID)
    assert autumn == utc("2026-10-25 00:30"), "the first of two"
    assert next_after(rule, autumn, 0.0, MADRID) == at("2026-10-26 02:30")


def test_once_is_once() -> None:
    rule = parse_at("2026-12-24 18:00")
    assert next_after(rule, at("2026-12-01 00:00"), 0.0, MADRID) == at("2026-12-24 18:00")
    assert next_after(rule, at("2026-12-24 18:00"), 0.0, MADRID) is None


@given(st.integers(60, 366 * 86_400), st.floats(0, 4e9), st.floats(-1e6, 1e9))
def test_periods_never_drift(every: int, since: float, later: float) -> None:
    found = next_after(TimeRule(every=every), since + later, since, MADRID)
    assert found is not None
    assert found > since + later
    assert found - every <= max(since + later, since) + 1e-6
    assert (found - since) % every == pytest.approx(0, abs=1e-5) or (found - since) % every == pytest.approx(every, abs=1e-5)


zones = st.sampled_from(["Europe/Madrid", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"]).map(ZoneInfo)


@given(st.integers(0, 1439), st.sets(st.integers(0, 6), min_size=1), st.floats(1e9, 3e9), zones)
def test_the_next_time_is_later_and_on_a_wanted_day(minute: int, days: set[int], after: float, zone: ZoneInfo) -> None:
    rule = TimeRule(minute=minute, days=tuple(sorted(days)))
    found = next_after(rule, after, 0.0, zone)
    assert found is not None
    assert after < found < after + 8.1 * 86_400
    wall = datetime.fromtimestamp(found, zone)
    assert wall.weekday() in days or minute >= 1380 or minute < 60
    off = (wall.hour * 60 + wall.minute - minute) % 1440
    assert off in (0, 30, 60), "as much later as the clock was put forward"
    assert next_after(rule, found, 0.0, zone) > found  # type: ignore[operator]


def test_zones(monkeypatch: pytest.MonkeyPatch) -> None:
    assert zone_of("Europe/Madrid") == MADRID
    for name in ("Mars/Olympus", "../../etc/passwd", "\0"):
        with pytest.raises(UsageError, match="give a name such as Europe/Madrid"):
            zone_of(name)
    monkeypatch.setenv("TZ", "America/New_York")
    assert zone_of("") == ZoneInfo("America/New_York")
    monkeypatch.setenv("TZ", "nonsense/zone")
    assert zone_of("") is not None
