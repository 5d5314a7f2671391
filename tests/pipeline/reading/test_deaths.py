"""Deaths of reading processes, remembered with the run."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.pipeline.reading.deaths import Deaths
from trasmallo.store.parts import document_id

URL = "http://a.es/2"


def test_deaths_are_remembered_until_the_page_is_read(tmp_path: Path) -> None:
    path = tmp_path / "deaths.json"
    assert [Deaths(path).add(URL) for _ in range(3)] == [1, 2, 3]
    assert (Deaths(path).at(URL), Deaths(path).at("http://a.es/3")) == (3, 0)
    assert Deaths(path).documents == [document_id(URL)]
    Deaths(path).forget(URL)
    assert (Deaths(path).at(URL), Deaths(path).documents) == (0, [])


def test_without_a_file_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    deaths = Deaths()
    deaths.add(URL)
    assert (deaths.at(URL), list(tmp_path.iterdir())) == (1, [])


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[1]", b'{"a": "b"}', b'{"\' OR 1=1 --": 3}', b'{"00": 1}'])
def test_damage_costs_another_try_and_nothing_else(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "deaths.json"
    path.write_bytes(content)
    deaths = Deaths(path)
    assert (deaths.documents, deaths.add(URL)) == ([], 1)
    assert Deaths(path).at(URL) == 1
