"""The deep web of a project: pages behind scripts, forms and log-ins; what was found there, and what may still be asked."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import msgspec
from msgspec.structs import replace

from trasmallo.crawl.deep_web_report import DeepWebReport, add_deep_webs, read_deep_web
from trasmallo.crawl.fetch import Fetcher
from trasmallo.crawl.forms.web_forms import is_named
from trasmallo.crawl.local_crawl import AGENT, find_private, user_agent
from trasmallo.crawl.logins.browser_login import has_display, log_in_by_browser
from trasmallo.crawl.logins.credentials import Cookie, Login, logins_file, read_cookie_file, read_logins, write_logins
from trasmallo.crawl.logins.form_login import log_in
from trasmallo.crawl.logins.session import Session, shows_probe
from trasmallo.crawl.retries import request_retries
from trasmallo.crawl.robots_rules import RobotsRules
from trasmallo.results.incidents import failures
from trasmallo.store import run_folders
from trasmallo.values.errors import UrlError, UsageError
from trasmallo.values.model import Outcome, Response
from trasmallo.values.software import SOFTWARE
from trasmallo.values.urls import canonical
from trasmallo.values.urls import host as host_of

if TYPE_CHECKING:
    from trasmallo.project.queries import Queries

KINDS = ("cookies", "basic", "digest", "bearer", "form", "browser")


class FormShown(msgspec.Struct, frozen=True, kw_only=True):
    """A form that the latest crawl met: may it be asked, is it switched on, and what asking it has brought.

    `found` documents of about `estimate` were listed by its answers to `requests`; all 0 before it was asked.
    """

    action: str
    kind: str
    method: str
    fields: tuple[str, ...]
    page: str
    pages: int
    may_be_asked: bool
    why_not: str
    on: bool
    requests: int = 0
    found: int = 0
    estimate: float = 0.0
    ended: str = ""


class LoginShown(msgspec.Struct, frozen=True, kw_only=True):
    """A log-in that is kept: for which host, of which kind, since when and until when (0: nobody says); never its secrets.

    `probe` is the page by which it is seen whether the log-in holds. For one that was just given, `waiting` pages of the latest
    run had asked for a log-in and are asked for again when that run goes on.
    """

    host: str
    kind: str
    since: float
    until: float = 0.0
    probe: str = ""
    waiting: int = 0


def report(project: Queries) -> DeepWebReport:
    """What the latest crawl found behind scripts and forms."""
    crawls = [run for run in run_folders.find(project.runs) if run.manifest.kind in run_folders.QUEUED]
    return add_deep_webs([read_deep_web(folder) for folder in crawls[-1].frontiers] if crawls else [])


def forms(project: Queries) -> list[FormShown]:
    """Every form that the latest crawl met, those that may be asked first."""
    found = report(project)
    asked = {each.action: each for each in found.coverage}
    shown = []
    for form in found.forms:
        coverage = asked.get(form.action)
        shown.append(
            FormShown(
                action=form.action,
                kind=form.kind,
                method=form.method,
                fields=tuple(field.name for field in form.fields if field.name),
                page=form.page,
                pages=form.pages,
                may_be_asked=not form.why_not,
                why_not=form.why_not,
                on=not form.why_not and is_named(form.action, project.config.crawl.forms),
                requests=coverage.requests if coverage else 0,
                found=coverage.found if coverage else 0,
                estimate=coverage.estimate if coverage else 0.0,
                ended=coverage.ended if coverage else "",
            )
        )
    return sorted(shown, key=lambda each: (not each.may_be_asked, each.action))


def check_form(found: list[FormShown], wanted: str) -> str:
    """The host or address by which a form is switched on; raises UsageError for one that may not be asked."""
    name = canonical(wanted) if "//" in wanted else wanted.strip().lower()
    meant = [form for form in found if is_named(form.action, [name])]
    if meant and not any(form.may_be_asked for form in meant):
        raise UsageError(
            "{wanted} may not be asked: {why}", "only searches that send by GET may", wanted=wanted[:200], why=meant[0].why_not
        )
    if not name or " " in name:
        raise UsageError("{wanted!r} is no host and no address", "write it as `trasmallo forms` shows it", wanted=wanted[:200])
    return name


def keep_login(
    project: Queries, host: str, kind: str, given: Mapping[str, str], done: Callable[[], None] | None = None
) -> LoginShown:
    """Keep a log-in for a host; `given` has what the kind needs: file, user and secret, secret, or page and fields.

    With `probe` and `probe_text` it is tried at once. `done` waits until the user has logged in with the browser.
    """
    name = _host(host)
    if kind not in KINDS:
        raise UsageError("{kind!r} is no kind of log-in", "choose one of {kinds}", kind=kind, kinds=", ".join(KINDS))
    probe, text = _probe(name, given)
    if kind in ("basic", "digest", "bearer") and not given.get("secret", ""):
        raise UsageError("there is no password or token", "type it when asked, or give it by standard input")
    blank = Login(host=name, kind="cookies", since=time.time(), probe=probe, probe_text=text)
    if kind in ("basic", "digest", "bearer"):
        login = replace(blank, kind=kind, user=given.get("user", ""), secret=given["secret"])
    else:
        login = replace(blank, cookies=_cookies(project, blank, kind, given, done), since=time.time())
    if probe and not asyncio.run(_holds(project, login)):
        problem = "{probe} does not show {text!r} with this log-in"
        raise UsageError(problem, "check both; nothing is kept", probe=probe, text=text)
    path = logins_file(project.folder)
    write_logins(path, {**read_logins(path), name: login})
    return replace(_shown(login), waiting=_ask_again(project, name))


def _host(given: str) -> str:
    """The host that a log-in is for; cookies and passwords are its own, whatever the port."""
    name = given.strip().lower()
    try:
        return host_of(canonical(f"http://{name}/")) if name and not set(name) & set("/ @?#") else _no_host(given)
    except UrlError:
        return _no_host(given)


def _no_host(given: str) -> NoReturn:
    raise UsageError("{host!r} is no host", "write it as in an address, such as www.example.org", host=given[:200])


def _probe(host: str, given: Mapping[str, str]) -> tuple[str, str]:
    """The page and text by which a log-in is tried, ("", "") for none."""
    probe, text = given.get("probe", ""), given.get("probe_text", "")
    if bool(probe) != bool(text):
        raise UsageError("a probe is a page and a text in it", "give both --probe and --probe-text")
    address = canonical(probe) if probe else ""
    if address and host_of(address) != host:
        raise UsageError("{probe} is not at {host}", "name a page of that host", probe=address[:200], host=host)
    return address, text


def _ask_again(project: Queries, host: str) -> int:
    """Have the pages of a host asked for again that wanted a log-in in the latest run; how many they are."""
    runs = [run for run in run_folders.find(project.runs) if run.manifest.kind in run_folders.QUEUED]
    failed = failures(runs[-1], project.store) if runs else ()
    found = [fetch for fetch in failed if fetch.outcome is Outcome.LOGIN and host_of(fetch.url) == host]
    if found:
        request_retries(runs[-1].retry_folders, found)
    return len(found)


def forget_login(project: Queries, host: str) -> None:
    """Forget the log-in for a host; raises UsageError when there is none."""
    path = logins_file(project.folder)
    known = read_logins(path)
    if known.pop(_host(host), None) is None:
        raise UsageError("there is no log-in for {host}", "see them with: trasmallo login DIR", host=host[:200])
    write_logins(path, known)


def logins(project: Queries) -> list[LoginShown]:
    """The log-ins that are kept, without their secrets."""
    return [_shown(login) for login in read_logins(logins_file(project.folder)).values()]


def _shown(login: Login) -> LoginShown:
    until = min((cookie.expires for cookie in login.cookies if cookie.expires), default=0.0)
    return LoginShown(host=login.host, kind=login.kind, since=login.since, until=until, probe=login.probe)


def _cookies(
    project: Queries, login: Login, kind: str, given: Mapping[str, str], done: Callable[[], None] | None
) -> tuple[Cookie, ...]:
    if kind == "cookies":
        return read_cookie_file(_text(given.get("file", "")), login.host)
    page = canonical(given.get("page", "") or f"https://{login.host}/")
    if host_of(page) != login.host:
        raise UsageError(
            "{page} is not at {host}", "give the page of that host with the log-in form", page=page, host=login.host
        )
    if kind == "browser":
        return asyncio.run(_by_browser(project, login, page, done))
    fields = {name.removeprefix("field:"): value for name, value in given.items() if name.startswith("field:")}
    return asyncio.run(_by_form(project, page, fields))


async def _by_browser(project: Queries, login: Login, page: str, done: Callable[[], None] | None) -> tuple[Cookie, ...]:
    if not has_display(os.environ, sys.platform):
        raise UsageError(
            "there is no display to open a browser on", "log in elsewhere, and give the cookies of that browser with --cookies"
        )

    async def holds(cookies: tuple[Cookie, ...]) -> bool:
        return await _holds(project, replace(login, cookies=cookies))

    return await log_in_by_browser(page, login.host, holds=holds if login.probe else None, done=done)


async def _holds(project: Queries, login: Login) -> bool:
    """Whether the probe of a log-in shows what it must; raises UsageError where robots.txt forbids to ask for it."""
    async with _fetching(project) as fetcher:
        verdict = await RobotsRules(fetcher, AGENT).verdict(login.probe)
        if not verdict.allowed:
            problem, repair = "{probe} may not be asked for ({cause})", "name another page of the host with --probe"
            raise UsageError(problem, repair, probe=login.probe, cause=verdict.cause)
        session = Session(fetcher, {login.host: replace(login, probe="")}, lambda _: None)
        answer = await session.get(login.probe)
    return isinstance(answer, Response) and shows_probe(login, answer)


async def _by_form(project: Queries, page: str, fields: Mapping[str, str]) -> tuple[Cookie, ...]:
    async with _fetching(project) as fetcher:
        return await log_in(fetcher, page, fields)


@asynccontextmanager
async def _fetching(project: Queries) -> AsyncIterator[Fetcher]:
    crawl = project.config.crawl
    fetcher = Fetcher(user_agent(crawl.contact, SOFTWARE), private=await find_private(crawl))
    try:
        yield fetcher
    finally:
        await fetcher.close()


def _text(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise UsageError("{file!r} cannot be read", "give a file of cookies in Netscape's form", file=file[:200]) from None
