"""Time for linguists: a collection of known dates comes in as WARC, and a planted word is found to rise."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done
from support.dated_run import VISIT
from support.warc_answers import answer
from trasmallo.project.project import Project
from trasmallo.store.archive import Archive

Command = Callable[..., Done]
SAID = (
    "barco puerto marinero viento cielo noche mañana camino pueblo calle ventana libro carta mercado plaza playa arena roca "
    "isla faro vela cuerda ancla remo pescado sardina comida trabajo familia abuela hermano invierno verano lluvia tormenta"
)
WORDS = SAID.split()
SITES, MONTHS = 10, 10
BAD = {"future": "2099-01-01", "early": "1970-01-01", "never": "0001-01-01", "missing": ""}


def text(chance: random.Random, planted: int) -> str:
    """Sentences of words drawn by chance, with the planted word so many times and another about as often everywhere."""
    words = chance.choices(WORDS, k=110) + ["murmurómetro"] * planted + ["barcoteca"] * chance.randint(0, 3)
    words += chance.choices(WORDS, k=10 - planted)
    chance.shuffle(words)
    return ". ".join(" ".join(words[at : at + 8]).capitalize() for at in range(0, len(words), 8)) + "."


def page(day: str, content: str) -> bytes:
    dated = f'<meta property="article:published_time" content="{day}T08:00:00Z">' if day else ""
    return (
        f"<html lang=es><head><title>Nota</title>{dated}</head><body><article><p>{content}</p></article></body></html>".encode()
    )


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page a month of each site, visited in 2026-07, and pages whose dates cannot be."""
    chance = random.Random(7)
    pages = {
        f"http://s{site}.example/{month}": page(f"2025-{month + 1:02}-{site + 10}", text(chance, chance.randint(0, month // 2)))
        for site in range(SITES)
        for month in range(MONTHS)
    }
    pages |= {f"http://bad.example/{name}": page(day, text(chance, 0)) for name, day in BAD.items()}
    folder = tmp_path_factory.mktemp("dated")
    with Archive(folder, software="other/1") as archive:
        for number, (url, body) in enumerate(pages.items()):
            headers = (("Content-Type", "text/html; charset=utf-8"),)
            archive.append(answer(number, body, url=url, at=VISIT, headers=headers))
    (path,) = folder.glob("*.warc.gz")
    return path


@pytest.mark.slow
def test_a_planted_word_rises(dated: Path, tmp_path: Path, trasmallo: Command) -> None:
    folder = tmp_path / "corpus"
    done = trasmallo("import", dated, "--into", folder, "--json")
    assert (done.code, done.value()["state"]) == (0, "finished"), done.err
    project = Project.open(folder)

    first, *_ = trasmallo("list", folder, "trends", "--json", "--limit", "5").rows()
    assert (first["word"], first["q"] < 0.05, first["slope"] > 0) == ("murmurómetro", True, True)
    (flat,) = project.table("trends", where=["word=barcoteca"])
    assert flat["q"] is not None
    assert float(flat["q"]) > 0.1
    assert first["by_visit"] == 0

    origins = {
        row["url"].rpartition("/")[2]: row for row in trasmallo("list", folder, "dates", "--json", "--limit", "0").rows()
    }
    for name in BAD:
        assert (origins[name]["date"], origins[name]["date_origin"]) == ("2026-07-01", "first visit")
    assert [origins[name]["told"] for name in BAD] == ["2099-01-01", "1970-01-01", "", ""]
    assert sum(row["date_origin"] == "document" for row in project.table("dates")) == SITES * MONTHS

    curve = project.trend("murmurómetro")
    assert [period.period for period in curve.periods] == [*(f"2025-{n:02}" for n in range(1, MONTHS + 1)), "2026-07"]
    assert curve.periods[0].count == 0 < curve.periods[MONTHS - 1].count
    assert curve.p is not None
    assert curve.p == pytest.approx(first["p"])

    new = project.table("neologisms", where=["word=murmurómetro"])[0]
    assert (new["first_seen"], new["last_seen"]) == (curve.first_seen, curve.last_seen)
    hits = project.kwic("murmurómetro", sort="date", since="2025-09", limit=0).hits
    assert [hit.date for hit in hits] == sorted(hit.date for hit in hits)
    assert len(hits) == sum(period.count for period in curve.periods if period.period >= "2025-09")
