"""Whether the files of a project are sound, as a page, and their repair."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from trasmallo.project.project import Project
from web.conftest import Client


@pytest.fixture
def own(enter: Callable[..., Client], played: Path, tmp_path: Path) -> tuple[Client, Project]:
    """A copy of the demo's project that a test may change."""
    folder = tmp_path / "own"
    shutil.copytree(played, folder)
    return enter(folder), Project.open(folder)


def test_nothing_is_read_before_somebody_asks(own: tuple[Client, Project]) -> None:
    client, _ = own
    assert client.json("/p/own/check")["checked"] is False
    sound = client.json("/p/own/check?now=true")
    assert (sound["checked"], sound["findings"], sound["lossy"]) == (True, [], False)
    assert "Todo está como se escribió." in client.page("/p/own/check?now=true", headers={"Accept-Language": "es"})


def test_damage_is_told_and_repaired(own: tuple[Client, Project]) -> None:
    client, project = own
    (state,) = project.runs.glob("*/frontier/state")
    state.write_bytes(b"")
    (finding,) = client.json("/p/own/check?now=true")["findings"]
    assert finding["kind"] == "frontier"
    assert "trasmallo repair" in client.page("/p/own/check?now=true", headers={"Accept-Language": "en"})
    assert client.send("/p/own/repair").status_code < 400
    project.wait()
    assert client.json("/p/own/check?now=true")["findings"] == []
