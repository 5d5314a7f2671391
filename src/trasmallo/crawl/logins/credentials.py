"""What a user gave for the log-in of a host: cookies, a name and password, or a token.

They lie in the user's own folder (`$XDG_CONFIG_HOME/trasmallo/logins`), a file for each project that only its owner may read.
Nothing of them is in the project, so that it can be copied, shared and shown.
"""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

import msgspec

from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import StoreDamaged, UsageError

MOST_COOKIES = 100
"""Cookies of one host. Judgement: browsers keep 180, sites need a handful."""
_MOST_OCTETS = 8_192  # judgement: twice what browsers keep of one cookie
_HTTP_ONLY = "#HttpOnly_"


class Cookie(msgspec.Struct, frozen=True, kw_only=True):
    """A cookie: for a `domain` (with a point before it for all below it), a path, only over TLS if `secure`.

    It ends at `expires`, seconds since 1970, 0 with the session.
    """

    name: str
    value: str
    domain: str
    path: str = "/"
    secure: bool = False
    expires: float = 0.0


class Login(msgspec.Struct, frozen=True, kw_only=True):
    """What is sent to a host: `kind` is cookies, basic, digest or bearer. `since` is when it was given.

    `probe` is a page of the host that only who is logged in sees with `probe_text` in it; "" when the user named none.
    """

    host: str
    kind: str
    user: str = ""
    secret: str = ""
    cookies: tuple[Cookie, ...] = ()
    since: float = 0.0
    probe: str = ""
    probe_text: str = ""

    def __repr__(self) -> str:
        return f"Login({self.host!r}, {self.kind!r})"


def logins_file(project: Path) -> Path:
    """Where the log-ins of a project are."""
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    digest = hashlib.sha256(os.fsencode(project.resolve())).hexdigest()[:24]
    return home / "trasmallo" / "logins" / f"{digest}.json"


def read_logins(path: Path) -> dict[str, Login]:
    """The log-ins by their hosts; raises StoreDamaged for a file that is none, or that others may read."""
    try:
        if path.stat().st_mode & 0o077:
            raise StoreDamaged("others may read {path}", "change that with: chmod 600 {path}", path=path)
        found = msgspec.json.decode(path.read_bytes(), type=decodable(list[Login]))
    except FileNotFoundError:
        return {}
    except UNDECODABLE:
        raise StoreDamaged("{path} cannot be read", "remove it, and log in again", path=path) from None
    return {login.host: login for login in found}


def write_logins(path: Path, logins: dict[str, Login]) -> None:
    """Keep log-ins in a file that was never readable for others; without any the file goes."""
    if not logins:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_suffix(f".{os.getpid()}")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(msgspec.json.encode(list(logins.values())))
    draft.replace(path)


def read_cookie_file(text: str, host: str, now: float | None = None) -> tuple[Cookie, ...]:
    """The cookies for a host in a file of Netscape's form, as add-ons of browsers and curl write it; raises UsageError.

    Cookies of other hosts are left where they are; those that have ended are said to have.
    """
    now, found, ended = time.time() if now is None else now, list[Cookie](), 0
    for line in text.splitlines():
        fields = line.removeprefix(_HTTP_ONLY).split("\t")
        if len(fields) != 7 or (line.startswith("#") and not line.startswith(_HTTP_ONLY)):
            continue
        cookie = _cookie(fields)
        if cookie is None or not covers(cookie.domain, host):
            continue
        if cookie.expires and cookie.expires < now:
            ended += 1
        else:
            found.append(cookie)
    if ended and not found:
        raise UsageError("all cookies for {host} have ended", "log in with the browser again, and export them anew", host=host)
    if not found:
        raise UsageError("there is no cookie for {host}", "give a file in Netscape's form (cookies.txt)", host=host)
    return tuple(found[:MOST_COOKIES])


def _cookie(fields: list[str]) -> Cookie | None:
    domain, below, path, secure, expires, name, value = fields
    if not name or not _is_plain(name + value) or len(name) + len(value) > _MOST_OCTETS:
        return None
    try:
        until = float(expires or 0)
    except ValueError:
        return None
    bare = domain.lstrip(".").lower()
    place = f".{bare}" if below.upper() == "TRUE" else bare
    return Cookie(name=name, value=value, domain=place, path=path or "/", secure=secure.upper() == "TRUE", expires=until)


def _is_plain(text: str) -> bool:
    return all(("!" <= sign <= "~" and sign not in ";,") or sign == " " for sign in text)


def covers(domain: str, host: str) -> bool:
    """Whether a cookie's domain covers a host; one with a point before it covers all below it, too."""
    bare = domain.lstrip(".")
    return host == bare or (domain.startswith(".") and host.endswith("." + bare))
