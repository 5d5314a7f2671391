"""Families of pages that bring nothing new end; those that bring something do not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, permutations

import msgspec

from support.made_prose import prose
from trasmallo.crawl.traps.families import Families

MOST = 56
"""Pages without anything new after which a family has ended, under all circumstances."""
SITE = "https://a.es"
SAME = b"<p>No hay nada que ver en este sitio, vuelva usted otro dia por favor.</p>"


def text(seed: int) -> bytes:
    return " ".join(prose(seed, 40)).encode()


def crawled(families: Families, urls: Iterator[str], page: bytes | None = None, found: str = "") -> int:
    """Pages of which each leads to the next one, until that is refused; at most 1,000 are asked for."""
    before = next(urls)
    for count, url in zip(range(1, 1_000), urls, strict=False):
        families.observe(before, text(count) if page is None else page, [url, *([found.format(count)] if found else [])])
        if families.ends(url, before):
            return count
        before = url
    return 1_000


def numbered(path: str) -> Iterator[str]:
    return (SITE + path.format(number) for number in range(10_000))


def test_pages_that_say_the_same_end_and_others_do_not() -> None:
    assert crawled(Families(), numbered("/agenda/{}"), SAME) <= MOST
    assert crawled(Families(), numbered("/ver?x={}"), SAME) <= MOST
    assert crawled(Families(), numbered("/articulo/{}")) == 1_000


def test_numbered_pages_at_the_root_end_and_others_there_do_not() -> None:
    families = Families()
    assert crawled(families, numbered("/d{}"), SAME) <= MOST
    named = (f"{SITE}/{'-'.join(prose(number, 3))}" for number in range(10_000))
    assert crawled(families, named, SAME) == 1_000, "they may be all that there is of an honest site"
    assert crawled(Families(), numbered("/nota{}")) == 1_000


def test_pages_that_stop_saying_anything_end() -> None:
    families = Families()
    urls = numbered("/lista?p={}")
    for count, url in zip(range(100), urls, strict=False):
        families.observe(url, text(count), [])
    assert crawled(families, urls, SAME) <= MOST


def framed(number: int, around: str) -> bytes:
    """A long page whose own words stand at its beginning, and whose middle is that of all."""
    return f"<h1>{' '.join(prose(number, 40))}</h1>{around}".encode()


def test_long_pages_that_say_the_same_end() -> None:
    long = b"<p>" + text(0) * 100 + b"</p>"
    assert crawled(Families(), numbered("/agenda/{}"), long) <= MOST
    assert crawled(Families(), numbered("/ver?x={}"), long) <= MOST


def test_pages_are_new_outside_of_their_middles_too() -> None:
    families, around = Families(), "<p>" + " ".join(prose(0, 4_000)) + "</p>"
    for number in range(300):
        url = f"{SITE}/ficha/{number}"
        families.observe(url, framed(number, around), [f"{SITE}/ficha/{number + 1}"])
        assert not families.ends(f"{SITE}/ficha/{number + 1}", url), number
    assert crawled(families, (f"{SITE}/ficha/{number}" for number in range(300, 1_000)), framed(299, around)) <= MOST


def test_lists_that_lead_elsewhere_go_on() -> None:
    families = Families()
    assert crawled(families, numbered("/archivo?p={}"), SAME, SITE + "/nota/{}") == 1_000
    assert crawled(families, numbered("/enlaces?p={}"), SAME, "https://b{}.es/") == 1_000
    assert crawled(families, numbered("/trampa?p={}"), SAME, "https://b.es/share?url=a{}") <= MOST


def test_lists_that_only_name_each_other_end() -> None:
    families, asked = Families(), 0
    queue = [(f"{SITE}/uno/{0}", "")]
    for number in range(1_000):
        if not queue:
            break
        url, via = queue.pop(0)
        if families.ends(url, via):
            continue
        asked += 1
        other = "dos" if "/uno/" in url else "uno"
        found = [f"{SITE}/{other}/{number}a{chr(97 + step)}" for step in range(2)]
        families.observe(url, SAME, found)
        queue += [(link, url) for link in found]
    assert not queue
    assert asked <= 120


def test_what_other_pages_lead_to_is_asked_for() -> None:
    families = Families()
    crawled(families, numbered("/agenda/{}"), SAME)
    assert families.ends(f"{SITE}/agenda/5000", f"{SITE}/agenda/7")
    assert not families.ends(f"{SITE}/agenda/5000", f"{SITE}/")
    assert not families.ends(f"{SITE}/agenda/5000", "")
    assert not families.ends(f"{SITE}/acto/1", f"{SITE}/agenda/7")
    assert not families.ends("https://b.es/agenda/5000", "https://b.es/agenda/7")


def test_folders_without_end_are_one_family() -> None:
    families = Families()
    urls = (f"{SITE}/{''.join(folder)}/otros/p" for folder in permutations("abcdefghij", 3))
    assert crawled(families, urls, SAME) <= MOST
    honest = f"{SITE}/seccion/hoja"
    families.observe(honest, text(1), [])
    assert not families.ends(f"{SITE}/otra/hoja", honest), "an honest page may lead where it likes"


def test_what_was_learned_can_be_kept_and_is_bounded() -> None:
    families = Families()
    for host in range(3_000):
        for number in range(12):
            families.observe(f"https://h{host}.es/x/{number}", text(number), [])
    assert families.weight <= 8_100_000
    assert families.weight == sum(host.weight for host in families.hosts.values())
    for folder in islice(map("".join, permutations("abcdefghij", 3)), 300):
        families.observe(f"{SITE}/{folder}/p", SAME, [])
    assert len(families.hosts[SITE].families) <= 64
    kept = msgspec.msgpack.decode(msgspec.msgpack.encode(families), type=Families)
    assert kept == families
