"""A project on a site made by scripts, with a search and a private part: through the front door."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.command_line import Done, hurried
from support.script_site import ScriptSite, serving
from support.script_web import needs_browser
from trasmallo.crawl.logins.credentials import Login, logins_file, write_logins
from trasmallo.project.project import Project
from trasmallo.store.archive import ArchiveReader

Command = Callable[..., Done]


@pytest.fixture
def site() -> ScriptSite:
    return ScriptSite()


@pytest.fixture
def address(site: ScriptSite) -> Iterator[str]:
    with serving(site) as found:
        yield found


@needs_browser
def test_pages_of_scripts_are_read_stored_and_read_again_without_a_browser(
    trasmallo: Command, tmp_path: Path, site: ScriptSite, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = hurried(tmp_path / "p", [address + "/app"], lines=1)
    project.run()
    pages = {
        row["url"].removeprefix(address): row["words"] for row in trasmallo("list", project.folder, "pages", "--json").rows()
    }
    assert set(pages) == {"/app", "/app/1", "/app/2", "/app/3"}
    assert min(pages.values()) > 100
    told = trasmallo("incidents", project.folder, "--totals", "--json").value()
    assert told["rendered"] == {"the element that its scripts fill is empty": 4}
    with ArchiveReader(project.folder / "store" / "archive") as archive:
        records = [record for _, record in archive.records(verify=True)]
    kinds = [(record.kind, record.role) for record in records if record.url.startswith(address + "/app")]
    assert kinds.count(("conversion", "")) == kinds.count(("response", "source")) == 4
    parts = [record.url.removeprefix(address) for record in records if (record.kind, record.role) == ("response", "part")]
    assert sorted(parts) == ["/api/1", "/api/2", "/api/3", "/api/app", "/app.js"]
    monkeypatch.setenv("TRASMALLO_BROWSER", "/nowhere")
    asked = len(site.asked)
    Project.open(project.folder).clean()
    again = {
        row["url"].removeprefix(address): row["words"] for row in trasmallo("list", project.folder, "pages", "--json").rows()
    }
    assert again == pages
    assert len(site.asked) == asked


def test_a_search_is_asked_only_when_it_is_switched_on(
    trasmallo: Command, tmp_path: Path, site: ScriptSite, address: str
) -> None:
    project = hurried(tmp_path / "p", [address + "/"], lines=1, render="never")
    project.run()
    forms = trasmallo("forms", project.folder, "--json").rows()
    assert [(row["action"].removeprefix(address), row["may_be_asked"], row["on"]) for row in forms] == [
        ("/search", True, False),
        ("/delete", False, False),
    ]
    assert any(row["what"] == "form not asked" for row in trasmallo("incidents", project.folder, "--json").rows())
    assert not any("/search" in path for _, path in site.asked)
    refused = trasmallo("forms", project.folder, "--on", address + "/delete")
    assert (refused.code, "may not be asked" in refused.err) == (2, True)
    assert trasmallo("forms", project.folder, "--on", "127.0.0.1", "--quiet").code == 0
    Project.open(project.folder).run(new=True)
    (told,) = [row for row in trasmallo("forms", project.folder, "--json").rows() if row["on"]]
    assert told["found"] >= 57
    assert {path for _, path in site.asked if path.startswith("/p/")} >= {f"/p/{number}" for number in range(50)}
    assert not any("/delete" in path for _, path in site.asked)
    assert {method for method, _ in site.asked} == {"GET"}


def test_a_private_site_is_read_with_the_users_log_in_and_its_end_is_noticed(
    trasmallo: Command, tmp_path: Path, site: ScriptSite, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    project = hurried(tmp_path / "p", [address + "/private/1"], lines=1, render="never", retries=0)
    write_logins(logins_file(project.folder), {"127.0.0.1": Login(host="127.0.0.1", kind="basic", user="ana", secret="s3cret")})
    project.run()
    pages = [row["url"].removeprefix(address) for row in trasmallo("list", project.folder, "pages", "--json").rows()]
    assert sorted(pages) == ["/private/1", "/private/2"]
    assert not any("logout" in path for _, path in site.asked)
    kept = [path for path in project.folder.rglob("*") if path.is_file() and b"s3cret" in path.read_bytes()]
    assert kept == []
    with ArchiveReader(project.folder / "store" / "archive") as archive:
        assert not any(b"Authorization" in record.body for _, record in archive.records())
    site.open = False
    told = trasmallo("run", project.folder, "--new")
    assert "the log-in at 127.0.0.1 ended" in told.err + told.out
