# ruff: noqa: E501 - scripts of pages are one line each
"""Hostile pages by the thousand: kinds of harm, each written anew with other numbers, wrappings and delays by a seed.

`canary` is the address of a server on this machine that must never be asked.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import NamedTuple

from support.script_web import shell

KINDS: dict[str, tuple[str, ...]] = {
    "endless script": (
        "while (true) {{}}",
        "for (;;) {{ {n} ** {m}; }}",
        "let i = 0; do {{ i += {m}; }} while (i !== -1);",
        "/(a+)+$/.test('a'.repeat(3{m}) + 'b');",
    ),
    "endless timers": (
        "const go = () => setTimeout(go, 0); go();",
        "setInterval(() => {{ let x = 0; for (let i = 0; i < {n}000; i++) x += i; }}, 0);",
        "const f = () => Promise.resolve().then(f); f();",
        "const f = () => requestAnimationFrame(f); f();",
    ),
    "dialogs": (
        "for (let i = 0; i < {n}; i++) {{ alert(i); confirm(i); prompt(i); }}",
        "onbeforeunload = () => 'no'; location.href = '/x{n}';",
        "setInterval(() => window.alert({n}), {m});",
        "document.body.appendChild(Object.assign(document.createElement('dialog'), {{innerText: 'x'}})).showModal();",
    ),
    "heap": (
        "const a = []; while (true) a.push(new Array({n}0000).fill({{}}));",
        "let s = 'x'; while (true) s += s;",
        "const m = new Map(); for (let i = 0; ; i++) m.set(i, 'v'.repeat({n}0));",
    ),
    "buffers": (
        "const a = []; setInterval(() => {{ for (let i = 0; i < {m}; i++) a.push(new Uint8Array({n}00000).fill(7)); }}, 1);",
        "const a = []; while (a.length < 9000) a.push(new ArrayBuffer({n}00000));",
        "new WebAssembly.Memory({{initial: {n}00, maximum: 65536}}).grow(30000);",
    ),
    "tree": (
        "setInterval(() => {{ for (let i = 0; i < {n}00; i++) document.body.append(document.createElement('b')); }}, 1);",
        "let e = document.body; for (let i = 0; i < {n}000; i++) {{ const c = document.createElement('i'); e.append(c); e = c; }}",
        "document.body.innerHTML = '<table>'.repeat({n}000);",
    ),
    "private address": (
        "location.href = '{canary}/nav{n}';",
        "fetch('{canary}/fetch{n}', {{mode: 'no-cors'}});",
        "const x = new XMLHttpRequest(); x.open('GET', '{canary}/xhr{n}'); x.send();",
        "location.replace('http://169.254.169.254/latest/{n}');",
        "import('{canary}/module{n}.js');",
        "const s = document.createElement('script'); s.src = '{canary}/s{n}.js'; document.head.append(s);",
        "const i = new Image(); i.src = '{canary}/i{n}.png'; const f = document.createElement('iframe'); f.src = '{canary}/f{n}'; document.body.append(f);",
        "fetch('/redirect').then(() => fetch('http://[::1]:{port}/six{n}'));",
        "const o = document.createElement('object'); o.data = '{canary}/object{n}'; document.body.append(o);",
    ),
    "download": (
        "const a = document.createElement('a'); a.href = 'data:application/octet-stream,{n}'; a.download = 'x{n}.bin'; a.click();",
        "location.href = '/file{n}.bin';",
        "location.href = URL.createObjectURL(new Blob(['x'.repeat({n})], {{type: 'application/x-msdownload'}}));",
    ),
    "popups": (
        "for (let i = 0; i < {n}; i++) window.open('/p' + i);",
        "const a = document.createElement('a'); a.target = '_blank'; a.href = '{canary}/pop{n}'; document.body.append(a); for (let i = 0; i < 9; i++) a.click();",
        "document.documentElement.requestFullscreen?.(); window.open('{canary}/w{n}', '_blank', 'noopener');",
    ),
    "workers": (
        "navigator.serviceWorker?.register('/sw{n}.js');",
        "for (let i = 0; i < {m}; i++) new Worker(URL.createObjectURL(new Blob(['while(true){{}}'])));",
        "new Worker(URL.createObjectURL(new Blob([`fetch('{canary}/worker{n}')`])));",
        "new SharedWorker('/shared{n}.js');",
        "new Worker(URL.createObjectURL(new Blob([`new WebSocket('ws://{place}/ws{n}')`])));",
    ),
    "sockets": (
        "new WebSocket('ws://{place}/a{n}');",
        "new EventSource('{canary}/events{n}');",
        "new RTCPeerConnection({{iceServers: [{{urls: 'stun:{place}'}}, {{urls: 'turn:{place}?transport=tcp', username: 'a', credential: 'b'}}]}}).createDataChannel('x');",
        "new WebTransport('https://{place}/t{n}');",
        "const f = document.createElement('iframe'); document.body.append(f); new f.contentWindow.WebSocket('ws://{place}/inner{n}');",
        "const f = document.createElement('iframe'); document.body.append(f); const c = new f.contentWindow.RTCPeerConnection({{iceServers: [{{urls: 'stun:{place}'}}]}}); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o));",
    ),
    "prefetch": (
        "document.head.innerHTML += '<link rel=prefetch href={canary}/pre{n}><link rel=preconnect href={canary}><link rel=dns-prefetch href={canary}>';",
        "document.head.innerHTML += '<link rel=prerender href={canary}/ren{n}><link rel=modulepreload href={canary}/mod{n}.js>';",
        "const s = document.createElement('script'); s.type = 'speculationrules'; s.textContent = JSON.stringify({{prerender: [{{source: 'list', urls: ['{canary}/spec{n}']}}]}}); document.head.append(s);",
        "navigator.sendBeacon('{canary}/beacon{n}', 'x');",
    ),
    "refresh": (
        "document.head.innerHTML += '<meta http-equiv=refresh content=\"0;url={canary}/meta{n}\">';",
        "location.reload(); setInterval(() => location.reload(), {m});",
        "for (let i = 0; i < {n}0; i++) history.pushState({{}}, '', '/h' + i);",
        "location.hash = Math.random(); onhashchange = () => {{ location.hash = Math.random(); }};",
    ),
    "local files": (
        "location.href = 'file:///etc/passwd';",
        "fetch('file:///etc/hosts');",
        "const f = document.createElement('iframe'); f.src = 'file:///etc/passwd'; document.body.append(f);",
        "location.href = 'chrome://version'; location.href = 'view-source:file:///etc/passwd'; location.href = 'devtools://devtools/';",
    ),
    "post": (
        "fetch('/delete{n}', {{method: 'POST', body: 'all'}});",
        "const f = document.createElement('form'); f.method = 'POST'; f.action = '{canary}/post{n}'; document.body.append(f); f.submit();",
        "fetch('/x{n}', {{method: 'DELETE'}}); fetch('/y', {{method: 'PUT', body: '{n}'}});",
    ),
    "broken world": (
        "Object.defineProperty(document, 'documentElement', {{get() {{ throw 1; }}}});",
        "Element.prototype.getAttribute = () => {{ while (true); }}; Array.prototype.push = () => {{ throw {n}; }};",
        "document.open(); document.write('<p>' + 'x'.repeat({n}00)); document.documentElement.remove();",
        "throw new Error('{n}'); ",
        "window.Promise = null; window.JSON = null; String.prototype.replace = () => '';",
    ),
}
"""Kinds of harm and ways of doing it; numbers and addresses are set in."""
_WRAPS = ("{script}", "setTimeout(() => {{ {script} }}, {m}0);", "addEventListener('load', () => {{ {script} }});", "Promise.resolve().then(() => {{ {script} }});",
          "addEventListener('scroll', () => {{ {script} }}); document.body.style.height = '9000px';", "{script} ;{other}")  # fmt: skip


class HostilePage(NamedTuple):
    """A page and the kind of harm that it means."""

    kind: str
    html: str


def hostile_pages(count: int, seed: int, port: int) -> Iterator[HostilePage]:
    """So many hostile pages, the same for the same seed."""
    drawn, kinds = random.Random(seed), list(KINDS)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        script, other = _way(drawn, kind, port), _way(drawn, drawn.choice(kinds), port)
        wrapped = drawn.choice(_WRAPS).format(script=script, other=other, m=drawn.randint(1, 90))
        yield HostilePage(kind, shell(wrapped))


def _way(drawn: random.Random, kind: str, port: int) -> str:
    place = f"127.0.0.1:{port}"
    return drawn.choice(KINDS[kind]).format(
        n=drawn.randint(2, 60), m=drawn.randint(2, 9), canary=f"http://{place}", place=place, port=port
    )


class Canary:
    """A server that notes whoever connects."""

    def __init__(self) -> None:
        self.port = 0
        self.visitors: list[bytes] = []


@contextmanager
def canary() -> Iterator[Canary]:
    """A server on this machine that nobody should ask."""
    noted = Canary()

    class Note(BaseRequestHandler):
        def handle(self) -> None:
            self.request.settimeout(1)
            try:
                noted.visitors.append(self.request.recv(200))
            except OSError:
                noted.visitors.append(b"a connection without a word")

    with ThreadingTCPServer(("127.0.0.1", 0), Note) as server:
        server.daemon_threads = True
        noted.port = server.server_address[1]
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield noted
        finally:
            server.shutdown()
            thread.join()
