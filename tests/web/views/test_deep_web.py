"""The deep web of a project through the app."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from trasmallo.project.project import Project
from web.conftest import Client


def test_forms_are_switched_and_log_ins_shown_without_secrets(
    enter: Callable[..., Client], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    project = Project.new(tmp_path / "velas", ["https://example.org/"])
    project.login("example.org", "bearer", {"secret": "s3cret"})
    client = enter(tmp_path)
    page = client.page("/p/velas/deep-web")
    assert "example.org · bearer" in page
    assert "s3cret" not in page
    client.send("/p/velas/deep-web/form", action="https://example.org/search", answer="on")
    assert Project.open(project.folder).config.crawl.forms == ("https://example.org/search",)
    client.send("/p/velas/deep-web/form", action="https://example.org/search", answer="off")
    assert client.json("/p/velas/deep-web")["report"]["rendered"] == 0
