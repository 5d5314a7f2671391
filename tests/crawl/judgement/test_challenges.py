"""Challenges and refusals of services in front of sites, and pages that only look so."""

from __future__ import annotations

import pytest

from support.answers import PROSE, SHORT, answer, page
from trasmallo.crawl.judgement.challenges import SMALL_PAGE, services, shown_by_error, shown_by_headers, shown_by_page
from trasmallo.values.model import Outcome

WIDGET = '<div class="g-recaptcha" data-sitekey="x"></div><script src="https://www.google.com/recaptcha/api.js"></script>'


def test_the_services_are_sound() -> None:
    assert {service.outcome for service in services()} == {Outcome.CHALLENGE, Outcome.BLOCKED}
    assert all(service.headers or service.markup for service in services())
    assert all(": " in header and header == header.lower() for service in services() for header in service.headers)


@pytest.mark.parametrize("service", services(), ids=lambda service: f"{service.name}-{service.outcome}")
def test_each_sign_of_each_service_is_recognised(service) -> None:  # type: ignore[no-untyped-def]
    for header in service.headers:
        name, _, value = header.partition(": ")
        found = shown_by_headers(answer(PROSE, 403, **{name.title().replace("-", "_"): value or "x"}))
        assert found == service.judgement(403)
    for text in service.markup:
        for status, shown in ((200, shown_by_page), (403, shown_by_error)):
            found = shown(answer(page("Un momento", f"<p>Espere.</p>{text}"), status))
            assert found is not None
            assert (found.outcome, found.cause.rpartition(": ")[2]) == (service.outcome, service.name)


@pytest.mark.parametrize("service", [each for each in services() if each.markup and each.words], ids=lambda each: each.name)
def test_an_article_about_a_service_is_content(service) -> None:  # type: ignore[no-untyped-def]
    text = f"<p>{PROSE} {PROSE} {PROSE} {PROSE}</p><pre>{service.markup[0]}</pre>"
    assert shown_by_page(answer(page("Cómo funciona", text))) is None


def test_a_header_that_comes_with_every_page_says_nothing() -> None:
    for header in ({"cf_ray": "x"}, {"server": "cloudflare"}, {"x_datadome": "protected"}, {"x_iinfo": "1"}):
        assert shown_by_headers(answer(PROSE, **header)) is None
    policy = "script-src https://www.google.com/recaptcha/ https://cdnjs.cloudflare.com"
    assert shown_by_headers(answer(PROSE, content_security_policy=policy)) is None


def test_markup_in_a_large_page_says_nothing() -> None:
    large = page("Mar", PROSE + "<!--" + "x" * SMALL_PAGE + "--><script>window._cf_chl_opt={}</script>")
    assert shown_by_page(answer(large)) is None


@pytest.mark.parametrize(
    "text",
    ["Please confirm that you are not a robot.", "Demuestra que no eres un robot.", "Security check", "Hay tráfico inusual."],
)
def test_a_captcha_that_is_all_a_page_has(text: str) -> None:
    found = shown_by_page(answer(page("Espere", f"<p>{text}</p><form>{WIDGET}</form>")))
    assert found is not None
    assert found.outcome is Outcome.CHALLENGE


@pytest.mark.parametrize(
    "body",
    [
        f"<h1>Contacto</h1><p>Escríbanos.</p><form><input name='a'>{WIDGET}</form>",
        f"<h1>Qué es un captcha</h1><p>Pide probar que no eres un robot. {SHORT}</p>",
        f"<p>{PROSE} {PROSE}</p><p>Comente, si no es un robot.</p><form><textarea></textarea>{WIDGET}</form>",
    ],
)
def test_pages_with_a_captcha_beside_something_else_are_content(body: str) -> None:
    assert shown_by_page(answer(page("Puerto", body))) is None
