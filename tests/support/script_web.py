# ruff: noqa: E501 - scripts of pages are one line each
"""A web in memory of pages made by scripts, each with a twin as a server would have made it, and of hostile ones.

The scripts are small and by hand; they do what frameworks do: hydrate, ask for data late, route, add to a list on scrolling,
build components with shadow trees.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import time
from collections.abc import Mapping, Sequence

import pytest

from trasmallo.crawl.browser.launching import find_browser
from trasmallo.crawl.browser.pool import BrowserPool, PoolLimits
from trasmallo.crawl.browser.request_gate import BrowserRequest, PageRequests, Refusal, RequestGate
from trasmallo.crawl.browser.tab import Shown, page_requests
from trasmallo.crawl.robots_rules import RobotsRules
from trasmallo.values.model import Failure, Outcome, Response

HOST = "http://app.test"

needs_browser = pytest.mark.skipif(
    not find_browser(), reason="no Chromium here: on Debian install it with: apt-get install chromium"
)

SENTENCES = [
    f"La estación número {number} guarda {number * 7} relatos de viajeros que cruzaron el puerto nevado con sus {number + 2} mulas."
    for number in range(1, 31)
]


def twin(title: str, sentences: list[str], links: list[str]) -> str:
    """What a server would send."""
    body = "".join(f"<p>{sentence}</p>" for sentence in sentences)
    anchors = "".join(f'<a href="{link}">más</a>' for link in links)
    return f'<!doctype html><html lang="es"><title>{title}</title><body><h1>{title}</h1>{body}{anchors}</body></html>'


def shell(script: str) -> str:
    """What a site made by scripts sends for every address."""
    return (
        '<!doctype html><html lang="es"><title>Aplicación</title><link rel="stylesheet" href="/look.css"><body>'
        f'<div id="root"></div><script src="/start.js"></script><script>{script}</script></body></html>'
    )


_DATA = json.dumps({"title": "Título", "sentences": SENTENCES[:8], "links": ["/a", "/b"]})
_FILL = """
const fill = (data) => { root.innerHTML = '<h1>' + data.title + '</h1>' + data.sentences.map((s) => '<p>' + s + '</p>').join('')
  + data.links.map((l) => '<a href="' + l + '">más</a>').join(''); };
const root = document.getElementById('root');
"""
BEHAVIOURS: dict[str, str] = {
    "at once": f"{_FILL} fill({_DATA});",
    "late data": f"{_FILL} setTimeout(() => fetch('/data.json').then((r) => r.json()).then(fill), 3000);",
    "hydration": f"{_FILL} const data = {_DATA}; requestAnimationFrame(() => Promise.resolve().then(() => fill(data)));",
    "shadow": f"""const data = {_DATA};
        customElements.define('x-story', class extends HTMLElement {{ connectedCallback() {{
          const inside = this.attachShadow({{ mode: 'closed' }});
          inside.innerHTML = '<h1>' + data.title + '</h1><slot></slot>'; }} }});
        const story = document.createElement('x-story');
        story.innerHTML = data.sentences.map((s) => '<p>' + s + '</p>').join('') + data.links.map((l) => '<a href="' + l + '">más</a>').join('');
        document.getElementById('root').append(story);""",
    "module": f"import('/more.js').then((m) => m.show(document.getElementById('root'), {_DATA}));",
}
"""Scripts whose page must have the text and links of one twin."""

TWIN = twin("Título", SENTENCES[:8], ["/a", "/b"])

ENDLESS_LIST = f"""
const all = {json.dumps(SENTENCES)}; const root = document.getElementById('root'); let shown = 0;
const more = () => {{ for (const s of all.slice(shown, shown + 6)) {{ const p = document.createElement('p'); p.style.height = '900px'; p.textContent = s; root.append(p); }} shown += 6; }};
more(); addEventListener('scroll', () => {{ if (scrollY + innerHeight > document.documentElement.scrollHeight - 50) setTimeout(more, 100); }});
"""

WATCHED_LIST = f"""
const all = {json.dumps(SENTENCES)}; const root = document.getElementById('root'), end = document.createElement('hr'); let shown = 0; root.after(end);
const more = () => {{ for (const s of all.slice(shown, shown + 6)) {{ const p = document.createElement('p'); p.style.height = '900px'; p.textContent = s; root.append(p); }} shown += 6; look(); }};
const look = () => {{ const watch = new IntersectionObserver((seen) => {{ if (seen.some((e) => e.isIntersecting)) {{ watch.disconnect(); setTimeout(more, 100); }} }}); watch.observe(end); }};
more();
"""
"""A list that grows when its end comes into sight."""

FRAMES = """
const written = document.createElement('iframe'); document.body.append(written); written.contentDocument.body.innerHTML = '<p>escrito en un marco</p>';
const given = document.createElement('iframe'); given.srcdoc = '<p>dado en un marco</p>'; document.body.append(given);
const other = document.createElement('iframe'); other.src = '/other'; document.body.append(other);
"""

HOSTILE: dict[str, str] = {
    "an endless loop": "while (true) {}",
    "timers without end": "const go = () => { setTimeout(go, 0); }; go();",
    "dialogs": "for (let i = 0; i < 50; i++) alert(i); confirm('?'); prompt('?'); onbeforeunload = () => 'stay';",
    "a heap without end": "const a = []; while (true) a.push(new Array(100000).fill({}));",
    "buffers without end": "const a = []; setInterval(() => { for (let i = 0; i < 20; i++) a.push(new Uint8Array(10000000).fill(7)); }, 1);",
    "a private address": "location.href = 'http://127.0.0.1:7470/'; fetch('http://127.0.0.1:7470/x'); fetch('http://169.254.169.254/latest/');",
    "a download": "const a = document.createElement('a'); a.href = 'data:application/octet-stream,xx'; a.download = 'x.bin'; a.click(); location.href = '/file.bin';",
    "popups": "for (let i = 0; i < 30; i++) window.open('/popup' + i);",
    "a service worker": "navigator.serviceWorker.register('/worker.js');",
    "sockets": "new WebSocket('ws://127.0.0.1:7470/'); new EventSource('http://127.0.0.1:7470/');",
    "local files": "location.href = 'file:///etc/passwd'; fetch('file:///etc/passwd'); const f = document.createElement('iframe'); f.src = 'file:///etc/passwd'; document.body.append(f);",
    "reloading": "location.reload(); setInterval(() => location.reload(), 1);",
    "a post": "fetch('/delete', { method: 'POST', body: 'all' }); const f = document.createElement('form'); f.method = 'POST'; f.action = '/delete'; document.body.append(f); f.submit();",
    "a tree without end": "setInterval(() => { for (let i = 0; i < 5000; i++) document.body.append(document.createElement('b')); }, 1);",
    "workers": "for (let i = 0; i < 4; i++) new Worker(URL.createObjectURL(new Blob(['while(true){}'])));",
}


class ScriptWeb:
    """Answers from memory; `asked` are the requests that reached it. What is not there is a 404, what is private a failure."""

    def __init__(self, pages: Mapping[str, tuple[str, str]] | None = None) -> None:
        self.pages = dict(pages or {})
        self.pages |= {
            HOST + "/start.js": ("text/javascript", "window.started = true;"),
            HOST + "/more.js": (
                "text/javascript",
                f"export const show = (root, data) => {{ {_FILL.split('const root')[0]} fill(data); }};",
            ),
            HOST + "/data.json": ("application/json", _DATA),
            HOST + "/robots.txt": ("text/plain", "User-agent: *\nDisallow: /secret\n"),
        }
        self.asked: list[tuple[str, str]] = []

    async def get(self, url: str, *, method: str = "GET", from_public: bool = False, **_: object) -> Response | Failure:
        """One answer."""
        self.asked.append((method, url))
        await asyncio.sleep(0)
        if not url.startswith(HOST):
            return Failure(url, time.time(), Outcome.PRIVATE, "a private address")
        media, text = self.pages.get(url, ("", ""))
        return answer_with(url, text, media or "text/html", 200 if media else 404)


def answer_with(url: str, text: str, media: str = "text/html; charset=utf-8", status: int = 200) -> Response:
    """An answer from a public address."""
    body = text.encode()
    return Response(
        url=url, at=time.time(), status=status, reason="", headers=(("Content-Type", media),), body=body, content=body,
        address="203.0.113.5",
    )  # fmt: skip


async def show(
    pool: BrowserPool, web: ScriptWeb, html: str, url: str = HOST + "/page", decline: Sequence[str] = ()
) -> tuple[Shown, PageRequests]:
    """A page in the pool's browser, and what it asked for."""
    page = page_requests(public=True)
    gate = RequestGate(web, RobotsRules(web, "trasmallo"))

    async def ask(request: BrowserRequest) -> Response | Refusal:
        return await gate.answer(request, page)

    return await pool.show(HOST, answer_with(url, html), ask, decline), page


def quick_pool(**limits: float) -> BrowserPool:
    """A pool whose patience is a test's."""
    return BrowserPool(
        "trasmallo/test",
        PoolLimits(**{"seconds": 6.0, "megabytes": 900, "tabs": 2, **limits}),  # type: ignore[arg-type]
        shutil.which(find_browser()) or "",
    )
