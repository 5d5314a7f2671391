"""The web of `pipeline`: Spanish pages as of a magazine, made anew in memory from a fixed seed, and served on loopback.

`python benchmarks/pipeline_web.py HOSTS PAGES WORDS` prints its seeds, then answers until it is ended. A page has about so many
words: the frequent ones are those of the demo's texts, the others listed forms in an order drawn by chance, their frequencies
as in a text (Zipf, Mandelbrot's form), some names, and a few words that nobody lists. Around the text stand menus, a list of
other articles, tags, scripts and a foot; some seventy links lead to other pages of the host.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import sys
from collections import Counter
from itertools import accumulate
from pathlib import Path
from urllib.parse import quote

from trasmallo.study.morphology.lexicon_files import find

TEXTS = Path(__file__).resolve().parent.parent / "src" / "trasmallo" / "demo" / "pages"
PORT = 8472
SECTIONS = ("noticias", "cultura", "deportes", "economia", "ciencia", "opinion", "viajes", "tecnologia")
_FREQUENT = 3_000
_LISTED = 17_000
_SYLLABLES = "ba ce di fo gu la me ni po ru sa te vi xo yu zar que ción mento dor"
_NAMES = [
    "Ana",
    "Luis",
    "Marta",
    "Pedro",
    "Elena",
    "Jorge",
    "Lucía",
    "Soria",
    "Burgos",
    "Cádiz",
    "Lugo",
    "Ávila",
    "García",
    "Pérez",
    "Ramos",
    "Ortega",
    "Vidal",
    "Sanz",
]
_NOTHING = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


class Words:
    """Draws words as often as a text has them."""

    def __init__(self, chance: random.Random) -> None:
        texts = (path.read_text(encoding="utf-8").lower() for path in sorted(TEXTS.rglob("*.md")))
        counts = Counter(word for text in texts for word in re.findall(r"[a-záéíóúüñ]+", text))
        frequent = [word for word, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))][:_FREQUENT]
        self._words = frequent + _listed(set(frequent), chance)
        self._weights = list(accumulate(1 / (rank + 2.7) ** 1.02 for rank in range(len(self._words))))
        self._chance = chance

    def draw(self, number: int) -> list[str]:
        """So many words; one of a hundred is a name, one of three hundred is made up."""
        words = self._chance.choices(self._words, cum_weights=self._weights, k=number)
        for place in range(number):
            dice = self._chance.random()
            if dice < 0.01:
                words[place] = self._chance.choice(_NAMES)
            elif dice < 0.0133:
                words[place] = "".join(self._chance.choices(_SYLLABLES.split(), k=3))
        return words

    def sentence(self) -> str:
        """A sentence of 6 to 26 words."""
        words = self.draw(self._chance.randint(6, 26))
        if len(words) > 12:
            words[len(words) // 2] += ","
        return " ".join(words).capitalize() + "."

    def title(self) -> str:
        """A title of 4 to 9 words."""
        return " ".join(self.draw(self._chance.randint(4, 9))).capitalize()


def _listed(but: set[str], chance: random.Random) -> list[str]:
    """Forms of the lexicon in an order drawn by chance."""
    source = find("es")
    assert source is not None, "the lexicon of Spanish is installed with trasmallo"
    forms = sorted({form for rows, _ in source.rows() for form, _, _ in rows if form.isalpha() and form.islower()} - but)
    return chance.sample(forms, _LISTED)


def _page(words: Words, chance: random.Random, number: int, pages: int, size: int) -> str:
    """One page; the first of a host leads to all others."""
    paths = [_path(each) for each in (range(pages) if number == 0 else chance.choices(range(pages), k=62))]
    links = [f'<a href="{path}">{words.title()}</a>' for path in paths]
    menu = "".join(f'<li class="menu-item"><a href="/{name}/">{name.capitalize()}</a></li>' for name in SECTIONS)
    styles = "".join(
        f".c{one}{{margin:{chance.randint(0, 40)}px;color:#{chance.randrange(1 << 24):06x}}}\n" for one in range(60)
    )
    config = ",".join(f'"k{one}":"{chance.getrandbits(64):016x}"' for one in range(90))
    title = words.title()
    return (
        f'<!DOCTYPE html>\n<html lang="es"><head><meta charset="utf-8"><title>{title} | Revista</title>'
        f'<meta name="description" content="{words.sentence()}"><meta property="og:type" content="article">'
        f"<style>{styles}</style><script>var cfg={{{config}}};</script></head>\n"
        f'<body class="page"><header class="site-header"><a class="logo" href="/"><img src="/logo.png" alt="Revista"></a>'
        f'<nav class="main-nav"><ul class="menu">{menu}</ul></nav></header>\n<div class="container"><main id="content">'
        f'<article class="post"><h1 class="entry-title">{title}</h1><div class="meta">Por <span class="author">'
        f'{" ".join(chance.sample(_NAMES, 2))}</span> <time datetime="2025-0{chance.randint(1, 9)}-11">2025</time></div>'
        f'<div class="entry-content">\n{_text(words, chance, size, paths)}</div></article>\n'
        f'<aside class="sidebar"><h3>Lo más leído</h3><ul>{"".join(f"<li>{link}</li>" for link in links[:15])}</ul></aside>'
        f'<section class="related"><h3>Artículos relacionados</h3>{"".join(f"<div>{link}</div>" for link in links[15:])}'
        f'</section></main></div><footer class="site-footer"><p>© Revista. Todos los derechos reservados.</p>'
        f'<a href="/aviso.html" rel="nofollow">Aviso legal</a> <a href="/privacidad.html">Política de privacidad</a>'
        f"</footer></body></html>"
    )


def _text(words: Words, chance: random.Random, size: int, paths: list[str]) -> str:
    """Paragraphs of so many words together, with a heading, a picture and a link now and then."""
    parts, left = [], size
    while left > 0:
        sentences = [words.sentence() for _ in range(chance.randint(3, 7))]
        left -= sum(sentence.count(" ") + 1 for sentence in sentences)
        if chance.random() < 0.4:
            first, _, more = sentences[0].partition(" ")
            sentences[0] = f'<a href="{chance.choice(paths)}">{first}</a> {more}'
        parts.append(f"<p>{' '.join(sentences)}</p>\n")
        if len(parts) % 7 == 3:
            parts.append(f"<h2>{words.title()}</h2>\n")
        if len(parts) % 9 == 5:
            picture = f'<img src="/img/{chance.randint(1, 40)}.jpg" alt="">'
            parts.append(f"<figure>{picture}<figcaption>{words.title()}</figcaption></figure>\n")
    return "".join(parts)


def _path(number: int) -> str:
    return "/" if number == 0 else f"/{SECTIONS[number % 8]}/2025/art-{number}.html"


def _answers(hosts: list[str], pages: int, size: int) -> dict[str, bytes]:
    """All answers by host and path; every host has its share of the pages."""
    chance = random.Random(20261118)
    words = Words(chance)
    found = {}
    for place, host in enumerate(hosts):
        share = pages // len(hosts) + (place < pages % len(hosts))
        for number in range(share):
            body = _page(words, chance, number, share, size).encode()
            head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n"
            found[host + quote(_path(number))] = head.encode() + body
    return found


async def _serve(hosts: list[str], answers: dict[str, bytes]) -> None:
    """Answer for all hosts until the end."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := (await reader.readuntil(b"\r\n\r\n")).decode("latin-1"):
                host = re.search(r"(?i)\r\nhost: ([^:\r]+)", head)
                writer.write(answers.get((host[1] if host else "") + head.split(" ", 2)[1], _NOTHING))
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    await asyncio.start_server(answer, hosts, PORT, backlog=1000)
    print(json.dumps([f"http://{host}:{PORT}/" for host in hosts]), flush=True)
    await asyncio.Event().wait()


def main() -> None:
    """Make and serve it."""
    if len(sys.argv) != 4:
        raise SystemExit(print(__doc__))
    number, pages, size = map(int, sys.argv[1:])
    hosts = [f"127.9.{place // 250}.{1 + place % 250}" for place in range(number)]
    asyncio.run(_serve(hosts, _answers(hosts, pages, size)))


if __name__ == "__main__":
    main()
