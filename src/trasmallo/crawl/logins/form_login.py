"""Log-in by a form: the page is asked for, its form filled with what the user gave, and sent once."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

import msgspec

from trasmallo.crawl.fetch import Fetcher
from trasmallo.crawl.forms.web_forms import WebForm, find_forms
from trasmallo.crawl.logins.credentials import Cookie
from trasmallo.crawl.outcomes import location_of
from trasmallo.values.errors import UsageError
from trasmallo.values.model import Failure, Response
from trasmallo.values.urls import host, host_key

_SECOND_FACTOR = (b"two-factor", b"two factor", b"2fa", b"one-time", b"otp", b"verification code", b"doble factor")
_CAPTCHA = (b"g-recaptcha", b"h-captcha", b"hcaptcha", b"cf-turnstile", b"captcha")


class FilledForm(msgspec.Struct, frozen=True, kw_only=True):
    """Where a log-in form leads, and what is sent."""

    action: str
    fields: dict[str, str]


async def log_in(fetcher: Fetcher, page: str, given: Mapping[str, str]) -> tuple[Cookie, ...]:
    """The cookies that a site gives to who logs in with these values; one attempt. Raises UsageError with what went wrong."""
    shown = await fetcher.get(page)
    if isinstance(shown, Failure):
        raise UsageError("{page} could not be had: {cause}", "check the address", page=page, cause=shown.cause)
    if any(sign in shown.content.lower() for sign in _CAPTCHA):
        raise UsageError("the log-in of {page} has a captcha", "log in with a browser, and give its cookies", page=page)
    form = fill(find_forms(shown.content, page), given, page)
    before = _cookies(shown)
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Referer": page}
    if before:
        headers["Cookie"] = "; ".join(f"{cookie.name}={cookie.value}" for cookie in before)
    answer = await fetcher.get(form.action, method="POST", headers=headers, body=urlencode(form.fields).encode())
    if isinstance(answer, Failure):
        raise UsageError("the log-in was not answered: {cause}", "try again later", cause=answer.cause)
    return _judged(answer, before, page)


def fill(forms: list[WebForm], given: Mapping[str, str], page: str) -> FilledForm:
    """The log-in form of a page with what the user gave; its hidden fields are sent as they are."""
    form = next((each for each in forms if each.kind == "log-in"), None)
    if form is None:
        raise UsageError("there is no log-in form on {page}", "give the address of the page with the form", page=page)
    names = [field.name for field in form.fields if field.name]
    if unknown := [name for name in given if name not in names]:
        raise UsageError("the form has no field {name!r}", "its fields are {names}", name=unknown[0], names=", ".join(names))
    if host_key(form.action) != host_key(page):
        raise UsageError(
            "the form sends to another host, {host}", "log in with a browser, and give its cookies", host=host(form.action)
        )
    sent = {field.name: field.value for field in form.fields if field.name and field.type in ("hidden", "submit", "select")}
    return FilledForm(action=form.action, fields={**sent, **given})


def _judged(answer: Response, before: tuple[Cookie, ...], page: str) -> tuple[Cookie, ...]:
    low = answer.content.lower()
    if any(sign in low for sign in _SECOND_FACTOR):
        raise UsageError("{page} asks for a second factor", "log in with a browser, and give its cookies", page=page)
    leads = location_of(answer) if 300 <= answer.status < 400 else ""
    shown_again = any(form.kind == "log-in" for form in find_forms(answer.content, page))
    if answer.status in (400, 401, 403, 422) or leads.partition("?")[0] == page.partition("?")[0] or shown_again:
        raise UsageError("{page} does not take this name and password", "check them; nothing is tried twice", page=page)
    kept = {cookie.name: cookie for cookie in (*before, *_cookies(answer))}
    if not kept:
        raise UsageError("{page} gave no cookie", "log in with a browser, and give its cookies", page=page)
    return tuple(kept.values())


def _cookies(answer: Response) -> tuple[Cookie, ...]:
    """What an answer asks us to keep, for its own host."""
    found = []
    for name, value in answer.headers:
        if name.lower() == "set-cookie":
            pair, *rest = value.split(";")
            key, mark, text = pair.partition("=")
            flags = {part.strip().partition("=")[0].lower() for part in rest}
            if mark and key.strip():
                secure = "secure" in flags
                found.append(Cookie(name=key.strip(), value=text.strip(), domain=host(answer.url), secure=secure))
    return tuple(found)
