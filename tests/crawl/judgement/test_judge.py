"""The judgement on a matrix of answers: what is content, what is not, and in which words."""

from __future__ import annotations

import pytest

from support.answers import LOGIN_FORM, PROSE, SHORT, answer, page
from trasmallo.crawl.judgement import judge
from trasmallo.crawl.judgement.soft_404 import probe_of, read_probe
from trasmallo.values.model import Failure, Outcome, Response

ARTICLE = page("La lonja", f"<h1>La lonja</h1><p>{SHORT}</p>")
CLOUDFLARE = page("Just a moment...", "<script>window._cf_chl_opt={cType:'managed'}</script>")


@pytest.mark.parametrize(
    ("given", "outcome", "cause"),
    [
        (answer(ARTICLE), Outcome.FETCHED, ""),
        (answer(b"", 304), Outcome.UNCHANGED, "not modified (status 304)"),
        (answer("x", 301, location="/y"), Outcome.REDIRECTED, ""),
        (answer("no", 401), Outcome.LOGIN, "the server asks for a log-in (status 401)"),
        (answer("no", 403), Outcome.BLOCKED, "forbidden (status 403)"),
        (answer("no", 407), Outcome.LOGIN, "the proxy asks for a log-in (status 407)"),
        (answer("no", 429), Outcome.BLOCKED, "too many requests (status 429)"),
        (answer("no", 451), Outcome.BLOCKED, "unavailable for legal reasons (status 451)"),
        (answer("no", 404), Outcome.MISSING, "not found (status 404)"),
        (answer("no", 410), Outcome.MISSING, "gone (status 410)"),
        (answer("no", 500), Outcome.HTTP_ERROR, "the server failed (status 500)"),
        (answer("no", 503, retry_after="60"), Outcome.HTTP_ERROR, "the server failed (status 503)"),
        (answer(CLOUDFLARE, 403), Outcome.CHALLENGE, "a challenge (status 403): Cloudflare"),
        (answer(CLOUDFLARE, 503), Outcome.CHALLENGE, "a challenge (status 503): Cloudflare"),
        (answer(CLOUDFLARE, 200), Outcome.CHALLENGE, "a challenge (status 200): Cloudflare"),
        (answer("", 202, x_amzn_waf_action="challenge"), Outcome.CHALLENGE, "a challenge (status 202): AWS WAF"),
        (answer("", 405, x_amzn_waf_action="captcha"), Outcome.CHALLENGE, "a challenge (status 405): AWS WAF"),
        (answer(CLOUDFLARE, 404), Outcome.MISSING, "not found (status 404)"),
        (answer(page("Entrar", LOGIN_FORM)), Outcome.LOGIN, "a page that asks for a log-in"),
        (
            answer("x", 302, location="/login?next=/x"),
            Outcome.LOGIN,
            "leads to a log-in: https://a.test/login?next=/x",
        ),
        (answer(b""), Outcome.EMPTY, "there is nothing in it (status 200)"),
        (answer(b" \r\n", 200, media="text/plain"), Outcome.EMPTY, "there is nothing in it (status 200)"),
        (answer(b"", 204), Outcome.EMPTY, "there is nothing in it (status 204)"),
        (answer("<html><body></body></html>"), Outcome.EMPTY, "there is nothing in it (status 200)"),
    ],
)
def test_what_answers_are(given: Response, outcome: Outcome, cause: str) -> None:
    assert judge(given) == (outcome, cause)


@pytest.mark.parametrize(
    "given",
    [
        answer(ARTICLE),
        answer(page("404 Not Found: historia de un error", f"<p>{SHORT}</p>")),
        answer(page("Qué es un captcha", f"<p>Un captcha pregunta si eres un robot. {SHORT}</p>")),
        answer(page("Just a moment", f"<p>{PROSE} {PROSE} {PROSE}</p><pre>window._cf_chl_opt</pre>")),
        answer(page("La lonja", f"<header>{LOGIN_FORM}</header><p>{SHORT}</p>")),
        answer(page("Foro", f"<p>{SHORT}</p><form action='/responder'><textarea></textarea><button>Enviar</button></form>")),
        answer('<html><head><script src="/app.js"></script></head><body><div id="root"></div></body></html>'),
        answer("<frameset><frame src='a.html'></frameset>"),
        answer("<urlset></urlset>", media="application/xml"),
        answer("{}", media="application/json"),
        answer(b"%PDF-1.4 ", media="application/pdf"),
    ],
)
def test_content_stays_content(given: Response) -> None:
    assert judge(given).outcome is Outcome.FETCHED


def test_a_failure_is_what_it_says() -> None:
    assert judge(Failure("http://a.es/", 1.0, Outcome.TLS, "expired")) == (Outcome.TLS, "expired")


def test_a_page_that_says_what_the_probe_was_told_is_a_soft_404() -> None:
    missing = page("La cofradía", "<p>Aquí no hay nada que ver, marinero.</p>")
    url = probe_of("https://a.test/x")
    probe = read_probe(url, answer(missing, url=url))
    assert judge(answer(missing), probe) == (
        Outcome.SOFT_404,
        f"says what its host says of addresses that do not exist: {url}",
    )
    assert judge(answer(missing)).outcome is Outcome.FETCHED
    assert judge(answer(ARTICLE), probe).outcome is Outcome.FETCHED


def test_a_redirect_that_the_probe_was_given_is_a_soft_404() -> None:
    url = probe_of("https://a.test/x")
    probe = read_probe(url, answer("", 302, url=url, location="/"))
    assert judge(answer("", 302, location="/"), probe) == (
        Outcome.SOFT_404,
        "leads where addresses that do not exist lead: https://a.test/",
    )
    assert judge(answer("", 302, location="/otra"), probe).outcome is Outcome.REDIRECTED
