"""Log-ins on disk, and cookies from browsers."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.crawl.logins.credentials import Login, covers, logins_file, read_cookie_file, read_logins, write_logins
from trasmallo.values.errors import StoreDamaged, UsageError

COOKIES = """# Netscape HTTP Cookie File
#HttpOnly_.example.org\tTRUE\t/\tTRUE\t4000000000\tsid\tabc
www.example.org\tFALSE\t/app\tFALSE\t0\ttheme\tdark
.other.example\tTRUE\t/\tFALSE\t0\tx\ty
.example.org\tTRUE\t/\tFALSE\t100\told\tz
broken line
.example.org\tTRUE\t/\tFALSE\t0\tbad\ta;b
"""


def test_only_the_cookies_of_the_host_that_last_are_taken() -> None:
    found = read_cookie_file(COOKIES, "www.example.org", now=1_000)
    assert [(cookie.name, cookie.domain, cookie.secure) for cookie in found] == [
        ("sid", ".example.org", True),
        ("theme", "www.example.org", False),
    ]


@pytest.mark.parametrize(("text", "said"), [("", "no cookie"), (".a.example\tTRUE\t/\tFALSE\t5\tk\tv", "have ended")])
def test_a_file_without_use_is_said_to_be(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_cookie_file(text, "a.example", now=1_000)


def test_domains_cover_what_browsers_say() -> None:
    assert covers(".a.example", "b.a.example")
    assert covers("a.example", "a.example")
    assert not covers("a.example", "b.a.example")
    assert not covers(".a.example", "nota.example")


def test_the_file_is_outside_of_the_project_and_for_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    project = tmp_path / "project"
    path = logins_file(project)
    assert project not in path.parents
    assert read_logins(path) == {}
    login = Login(host="a.example", kind="basic", user="ana", secret="s3cret")
    write_logins(path, {"a.example": login})
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_logins(path) == {"a.example": login}
    assert "s3cret" not in repr(login)
    path.chmod(0o644)
    with pytest.raises(StoreDamaged, match="chmod 600"):
        read_logins(path)
    path.chmod(0o600)
    path.write_text("{")
    with pytest.raises(StoreDamaged, match="log in again"):
        read_logins(path)
    write_logins(path, {})
    assert not path.exists()
