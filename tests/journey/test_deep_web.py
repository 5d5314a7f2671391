"""A project on a site made by scripts, with a search and a private part: through the front door."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.command_line import Done, hurried
from support.private_site import PrivateSite, private_site
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


@pytest.mark.parametrize(
    ("kind", "option"), [("basic", ("--basic", "ana")), ("digest", ("--digest", "ana")), ("bearer", ("--bearer",))]
)
def test_each_way_of_http_to_log_in_opens_its_part(
    trasmallo: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, option: tuple[str, ...]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with private_site(PrivateSite(pages=3)) as address:
        project = hurried(tmp_path / "p", [f"{address}/{kind}/1"], lines=1, render="never", retries=0)
        probe = ("--probe", f"{address}/{kind}/1", "--probe-text", "Página 1")
        monkeypatch.setattr("sys.stdin", io.StringIO("falsch\ns3cret\n"))
        wrong = trasmallo("login", project.folder, "127.0.0.1", *option, *probe)
        assert (wrong.code, "nothing is kept" in wrong.err) == (2, True)
        assert trasmallo("login", project.folder, "127.0.0.1", *option, *probe).code == 0
        project.run()
    pages = [row["url"].removeprefix(address) for row in trasmallo("list", project.folder, "pages", "--json").rows()]
    assert sorted(pages) == [f"/{kind}/{number}" for number in (1, 2, 3)]
    assert not [path for path in project.folder.rglob("*") if path.is_file() and b"s3cret" in path.read_bytes()]


def test_a_probe_that_robots_txt_forbids_is_refused_and_not_asked_for(
    trasmallo: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr("sys.stdin", io.StringIO("s3cret\n"))
    site = PrivateSite()
    site.rules = "User-agent: *\nDisallow: /basic/1\n"
    with private_site(site) as address:
        project = hurried(tmp_path / "p", [f"{address}/basic/2"])
        probe = ("--probe", f"{address}/basic/1", "--probe-text", "Página 1")
        told = trasmallo("login", project.folder, "127.0.0.1", "--basic", "ana", *probe)
    assert (told.code, "robots.txt line 2" in told.err) == (2, True)
    assert "/basic/1" not in site.asked


def test_who_is_logged_out_in_mid_crawl_keeps_what_came_and_goes_on_after_a_new_log_in(
    trasmallo: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    site = PrivateSite()
    site.closes_after = 3
    with private_site(site) as address:
        project = hurried(tmp_path / "p", [f"{address}/cookie/1"], lines=1, render="never", retries=0)
        probe = ("--probe", f"{address}/cookie/account", "--probe-text", "Hola, ana")
        log_in = ("login", project.folder, "127.0.0.1", "--cookies", tmp_path / "cookies.txt", *probe)
        cookies = "127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t{}\n"
        (tmp_path / "cookies.txt").write_text(cookies.format("sesion-1"), encoding="utf-8")
        assert trasmallo(*log_in).code == 0
        told = trasmallo("run", project.folder)
        assert "the log-in at 127.0.0.1 ended" in told.err + told.out

        def pages() -> list[str]:
            rows = trasmallo("list", project.folder, "pages", "--json").rows()
            return sorted(row["url"].removeprefix(address) for row in rows)

        assert pages() == [f"/cookie/{number}" for number in (1, 2, 3)], "no page that strangers see is kept"
        (tmp_path / "cookies.txt").write_text(cookies.format("sesion-2"), encoding="utf-8")
        (kept,) = trasmallo(*log_in, "--json").rows()
        assert (kept["waiting"], kept["probe"]) == (1, f"{address}/cookie/account")
        assert trasmallo("run", project.folder).code == 0
        assert pages() == [f"/cookie/{number}" for number in range(1, 7)]
    out = tmp_path / "out.warc.gz"
    assert trasmallo("export", project.folder, "--as", "warc", "-o", out).code == 0
    assert b"sesion-" not in gzip.decompress(out.read_bytes())
