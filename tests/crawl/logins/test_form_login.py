# ruff: noqa: E501 - markup is one line
"""Log-in by a form: sent once, and judged."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from support.script_web import answer_with
from trasmallo.crawl.forms.web_forms import find_forms
from trasmallo.crawl.logins.form_login import fill, log_in
from trasmallo.values.errors import UsageError
from trasmallo.values.model import Response

PAGE = "https://a.example/login"
FORM = '<form method="post" action="/login"><input type=hidden name=token value=t1><input name=user><input type="password" name=pass></form>'


class Door:
    """Shows a page, and answers what is posted."""

    def __init__(self, page: str, answer: Response) -> None:
        self._page, self._answer = page, answer
        self.posted: list[bytes] = []

    async def get(self, url: str, *, method: str = "GET", headers: Mapping[str, str] = {}, body: bytes = b"") -> Response:
        if method == "GET":
            return answer_with(url, self._page)
        self.posted.append(body)
        return self._answer


def answered(status: int, *headers: tuple[str, str], text: str = "") -> Response:
    made = answer_with(PAGE, text, status=status)
    return Response(url=PAGE, at=0, status=status, reason="", headers=headers, body=made.body, content=made.content)


def test_the_form_is_sent_with_its_hidden_fields_and_the_cookies_are_kept() -> None:
    door = Door(FORM, answered(302, ("Location", "/home"), ("Set-Cookie", "sid=1; Secure; Path=/")))
    (cookie,) = asyncio.run(log_in(door, PAGE, {"user": "ana", "pass": "x y"}))  # type: ignore[arg-type]
    assert door.posted == [b"token=t1&user=ana&pass=x+y"]
    assert (cookie.name, cookie.domain, cookie.secure) == ("sid", "a.example", True)


@pytest.mark.parametrize(
    ("page", "answer", "said"),
    [
        (FORM, answered(200, text=FORM), "does not take"),
        (FORM, answered(200, text="<p>Error</p>" + FORM.replace('"password"', "password")), "does not take"),
        (FORM, answered(401), "does not take"),
        (FORM, answered(302, ("Location", "/login?error=1")), "does not take"),
        (FORM, answered(200, text="<p>Enter your two-factor code</p>"), "second factor"),
        (FORM, answered(200, text="<p>Hola</p>"), "gave no cookie"),
        (FORM + '<div class="g-recaptcha"></div>', answered(200), "captcha"),
        ("<p>nothing</p>", answered(200), "no log-in form"),
    ],
)
def test_what_goes_wrong_is_told_after_one_attempt_at_most(page: str, answer: Response, said: str) -> None:
    door = Door(page, answer)
    with pytest.raises(UsageError, match=said):
        asyncio.run(log_in(door, PAGE, {"user": "ana", "pass": "x"}))  # type: ignore[arg-type]
    assert len(door.posted) <= 1


def test_a_field_that_is_not_there_and_a_form_to_another_host_are_refused() -> None:
    with pytest.raises(UsageError, match="no field 'name'"):
        fill(find_forms(FORM.encode(), PAGE), {"name": "x"}, PAGE)
    elsewhere = FORM.replace('"/login"', '"https://evil.test/"')
    with pytest.raises(UsageError, match=r"another host, evil\.test"):
        fill(find_forms(elsewhere.encode(), PAGE), {"user": "x"}, PAGE)
