"""What hosts say of addresses that cannot exist, and which pages say the same."""

from __future__ import annotations

import msgspec
import pytest

from support.answers import PROSE, SHORT, answer, page
from trasmallo.crawl.judgement.soft_404 import ProbeAnswer, probe_of, read_probe

MISSING = page("La cofradía", "<h1>Vaya</h1><p>La página que busca ya no está en este puerto.</p>")
PROBE = probe_of("https://a.test/x")


def probed(body: str, **options: object) -> ProbeAnswer:
    found = read_probe(PROBE, answer(body, url=PROBE, **options))  # type: ignore[arg-type]
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("url", "beside"),
    [
        ("https://a.test/", "https://a.test/{}"),
        ("https://a.test/x", "https://a.test/{}"),
        ("https://a.test/blog/2024/una-red.html", "https://a.test/blog/2024/{}.html"),
        ("https://a.test/blog/una-red/", "https://a.test/blog/{}/"),
        ("https://a.test/index.php?id=3", "https://a.test/{}.php"),
    ],
)
def test_a_probe_stands_beside_the_address_that_is_suspected(url: str, beside: str) -> None:
    before, _, behind = beside.partition("{}")
    probe = probe_of(url)
    assert probe.startswith(before)
    assert probe.endswith(behind)
    name = probe.removeprefix(before).removesuffix(behind)
    assert name.isalpha()
    assert len(name) == 16


def test_a_host_is_probed_for_the_same_name_in_every_session() -> None:
    assert probe_of("https://a.test/x") == probe_of("https://a.test/y")
    assert probe_of("https://a.test/x")[-16:] != probe_of("https://b.test/x")[-16:]


def test_a_host_that_says_404_is_honest() -> None:
    assert not probed("no", status=404).is_soft
    assert not probed(MISSING, status=410).is_soft


def test_an_error_tells_nothing() -> None:
    assert read_probe(PROBE, answer("no", 503, url=PROBE)) is None


def test_the_same_page_elsewhere_is_a_soft_404() -> None:
    assert probed(MISSING).is_soft
    assert probed(MISSING).says_like(answer(MISSING, url="https://a.test/otra"))


def test_numbers_and_links_may_differ() -> None:
    one = MISSING.replace("</main>", "<p>12:05 <a href='/a'>Otra noticia del mar</a></p></main>")
    other = MISSING.replace("</main>", "<p>18:40 <a href='/b'>El faro se apaga</a></p></main>")
    assert probed(one).says_like(answer(other))


def test_pages_that_repeat_the_address_are_recognised() -> None:
    def told(url: str) -> str:
        return MISSING.replace("La página que busca", f"La página {url} que busca")

    assert probed(told(PROBE)).echoes
    url = "https://a.test/una-red-de-tres-panos-para-el-bonito"
    assert probed(told(PROBE)).says_like(answer(told(url), url=url))
    assert not probed(MISSING).says_like(answer(told(url), url=url)), "only where the host repeats addresses"


@pytest.mark.parametrize("text", [SHORT, "La lonja abre a las seis.", PROSE])
def test_a_sentence_of_its_own_makes_a_page_content(text: str) -> None:
    assert not probed(MISSING).says_like(answer(page("La cofradía", f"<h1>Vaya</h1><p>{text}</p>")))
    assert not probed(MISSING).says_like(answer(MISSING.replace("</main>", f"<p>{text}</p></main>")))


def test_a_page_with_nothing_but_the_frame_of_the_site_is_content() -> None:
    assert not probed(MISSING).says_like(answer(page("La cofradía", "<img src='/faro.jpg'>")))


def test_an_answer_that_says_nothing_cannot_be_compared() -> None:
    shell = "<html><body><div id='root'></div><script src='/app.js'></script></body></html>"
    assert not probed(shell).is_soft
    assert not probed(shell).says_like(answer(shell))


def test_redirects() -> None:
    home = probed("", status=302, location="/")
    assert home.is_soft
    assert home.redirects_like(answer("", 301, location="https://a.test/"))
    assert not home.redirects_like(answer("", 301, location="/b"))
    assert not probed("", status=301, location=PROBE + "/").is_soft, "the same address by another name"
    assert not probed("", status=301).is_soft


def test_an_answer_survives_its_file() -> None:
    for found in (probed(MISSING), probed("", status=302, location="/"), probed("", status=404)):
        assert msgspec.json.decode(msgspec.json.encode(found), type=ProbeAnswer) == found
