"""Forms and log-ins of a project."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.crawl.deep_web_report import DeepWebReport
from trasmallo.project.project import Project
from trasmallo.values.errors import UsageError


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return Project.new(tmp_path / "p", ["https://example.org/"])


def test_before_a_crawl_there_is_nothing_to_tell(project: Project) -> None:
    assert project.deep_web() == DeepWebReport()
    assert project.forms() == []
    assert project.logins() == []


def test_a_log_in_is_kept_shown_without_its_secret_and_forgotten(project: Project) -> None:
    kept = project.login("WWW.example.org", "basic", {"user": "ana", "secret": "s3cret"})
    assert (kept.host, kept.kind) == ("www.example.org", "basic")
    assert project.logins() == [kept]
    assert "s3cret" not in repr(project.logins())
    project.forget_login("www.example.org")
    assert project.logins() == []


def test_cookies_come_from_a_file(project: Project, tmp_path: Path) -> None:
    file = tmp_path / "cookies.txt"
    file.write_text("example.org\tFALSE\t/\tTRUE\t4000000000\tsid\tx\n")
    assert project.login("example.org", "cookies", {"file": str(file)}).until == 4_000_000_000


@pytest.mark.parametrize(
    ("host", "kind", "given", "said"),
    [
        ("", "basic", {}, "is no host"),
        ("https://a.example/", "basic", {}, "is no host"),
        ("a@b.example", "basic", {}, "is no host"),
        ("a.example:x", "basic", {}, "is no host"),
        ("a.example", "magic", {}, "is no kind"),
        ("a.example", "bearer", {}, "no password or token"),
        ("a.example", "cookies", {"file": "/nowhere"}, "cannot be read"),
        ("a.example", "form", {"page": "https://b.example/login"}, "is not at a.example"),
    ],
)
def test_bad_input_is_one_line(project: Project, host: str, kind: str, given: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        project.login(host, kind, given)
    with pytest.raises(UsageError, match="no log-in for"):
        project.forget_login("a.example")


@pytest.mark.parametrize("host", ["example.org:8080", "EXAMPLE.org", "[2001:DB8::1]:8080", "españa.example"])
def test_a_log_in_is_for_a_host_whatever_its_port(project: Project, host: str) -> None:
    shown = {
        "example.org:8080": "example.org",
        "[2001:DB8::1]:8080": "[2001:db8::1]",
        "españa.example": "xn--espaa-rta.example",
    }
    assert project.login(host, "bearer", {"secret": "x"}).host == shown.get(host, host.lower())
    project.forget_login(host)
    assert project.logins() == []


def test_forms_are_switched_by_host_or_address(project: Project) -> None:
    assert project.switch_forms(["Example.org", "https://b.example/s"]) == ("example.org", "https://b.example/s")
    assert project.switch_forms(["example.org"], remove=True) == ("https://b.example/s",)
    with pytest.raises(UsageError, match="no host and no address"):
        project.switch_forms(["a b"])
