# ruff: noqa: E501 - rows of tables and made sentences are one line
"""Rendering pages made by scripts: pages a second and memory beside `chromium --dump-dom`, hostile pages, and `auto`.

    python benchmarks/rendering.py speed [--pages 20] [--crawlee PYTHON]    # of an environment with crawlee[playwright]
    python benchmarks/rendering.py hostile [--pages 1000] [--seed 1] [--seconds 10]
    python benchmarks/rendering.py auto [FILE.jsonl.zst...]

`speed` takes its page from `tests/support/script_web.py`, `hostile` its own from `hostile_pages.py` beside it. `auto` decides on 200 made pages of each kind, and on
files of pages with gold texts (`html` and `gold_text` or `with_`), by where the gold words are that a reader without scripts misses.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from html import unescape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from support.hostile_pages import canary, hostile_pages
from support.script_web import BEHAVIOURS, HOST, TWIN, ScriptWeb, quick_pool, shell, show, twin
from trasmallo.crawl.browser.decision import decide
from trasmallo.crawl.browser.launching import find_browser
from trasmallo.crawl.browser.pool import BrowserPool, PoolLimits
from trasmallo.crawl.browser.tab import TabTrouble


def speed(pages: int, crawlee: str, rounds: int = 2) -> None:
    """Seconds a page, one after the other, in turns with the peers, and the most memory of the browser."""
    print(f"{'':<36}{'s a page':>10}{'pages a s':>11}{'MB':>7}")
    for _ in range(rounds):
        for program in filter(None, map(shutil.which, ("chromium-headless-shell", "chromium"))):
            seconds, octets = asyncio.run(_ours(program, pages))
            _print_speed(Path(program).name, seconds, f"{octets / 1e6:.0f}")
        _print_speed("--dump-dom", _dump_dom())
        if crawlee:
            _print_speed("crawlee, PlaywrightCrawler", _crawlee(crawlee, pages))


def _print_speed(name: str, seconds: float, megabytes: str = "") -> None:
    print(f"{name:<36}{seconds:>10.2f}{1 / seconds:>11.2f}{megabytes:>7}", flush=True)


async def _ours(program: str, pages: int) -> tuple[float, int]:
    pool, web = BrowserPool("trasmallo/test", PoolLimits(), program), ScriptWeb()
    try:
        await show(pool, web, shell(BEHAVIOURS["at once"]))
        began = time.perf_counter()
        for _ in range(pages):
            shown, _ = await show(pool, web, shell(BEHAVIOURS["at once"]))
            assert "estación" in shown.html
        return (time.perf_counter() - began) / pages, pool.largest
    finally:
        await pool.close()


def _dump_dom() -> float:
    """The same page by the browser's own command, a process each."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "page.html")
        file.write_text(shell(BEHAVIOURS["at once"]), encoding="utf-8")
        began = time.perf_counter()
        for _ in range(3):
            subprocess.run(
                [find_browser(), "--headless", "--no-sandbox", "--dump-dom", f"file://{file}"], capture_output=True, check=True
            )
        return (time.perf_counter() - began) / 3


_CRAWLEE = """
import asyncio, sys, time
from crawlee import ConcurrencySettings
from crawlee.crawlers import PlaywrightCrawler
address, pages, browser = sys.argv[1], int(sys.argv[2]), sys.argv[3]
async def main():
    times = []
    crawler = PlaywrightCrawler(
        headless=True, concurrency_settings=ConcurrencySettings(max_concurrency=1, desired_concurrency=1, min_concurrency=1),
        browser_launch_options={"executable_path": browser, "args": ["--no-sandbox"]}, configure_logging=False,
    )
    @crawler.router.default_handler
    async def handle(context):
        await context.page.wait_for_load_state("networkidle")
        assert "estación" in await context.page.content()
        times.append(time.perf_counter())
    await crawler.run([f"{address}/{number}" for number in range(pages + 1)])
    print((times[-1] - times[0]) / (len(times) - 1))
asyncio.run(main())
"""


def _crawlee(python: str, pages: int) -> float:
    """The same page by crawlee in an environment of its own, one at a time, the first not counted."""
    body = shell(BEHAVIOURS["at once"]).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            media = "text/javascript" if self.path.endswith(".js") else "text/html; charset=utf-8"
            self.send_response(200)
            self.send_header("Content-Type", media)
            self.end_headers()
            self.wfile.write(b"window.started = true;" if self.path.endswith(".js") else body)

        def log_message(self, *_: object) -> None:
            """Nothing is printed."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server, tempfile.TemporaryDirectory() as folder:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}"
        command = [python, "-c", _CRAWLEE, address, str(pages), shutil.which("chromium") or find_browser()]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
        server.shutdown()
    if done.returncode:
        raise SystemExit(f"crawlee: {done.stderr[-600:]}")
    return float(done.stdout.split()[-1])


async def hostile(count: int, seed: int, seconds: float) -> None:
    """Hostile pages, two at a time, each to its end within 30 s, with nothing private reached; then a good page."""
    web, ends, longest = ScriptWeb(), dict[str, Counter[str]](), dict[str, float]()
    pool = quick_pool(seconds=seconds)
    with canary() as bird:
        waiting = iter(enumerate(hostile_pages(count, seed, bird.port)))

        async def take() -> None:
            for number, page in waiting:
                began = time.perf_counter()
                end = await _end_of(pool, web, page.html)
                took = time.perf_counter() - began
                longest[page.kind] = max(longest.get(page.kind, 0.0), took)
                ends.setdefault(page.kind, Counter())[end] += 1
                if number % 50 == 49 or took > 30:
                    print(f"{number + 1} pages; {page.kind}: {took:.1f} s, {end}", flush=True)

        await asyncio.gather(take(), take())
        shown, _ = await show(pool, web, shell(BEHAVIOURS["at once"]))
    for kind, found in ends.items():
        causes = "; ".join(f"{end} ({number})" for end, number in found.most_common(3))
        print(f"{kind:<18}{found.total():>5} pages, worst {longest[kind]:>5.1f} s: {causes}")
    outside = {url for _, url in web.asked if not url.startswith(HOST) and not url.endswith("/robots.txt")}
    unsafe = sum(method not in ("GET", "OPTIONS") for method, _ in web.asked)
    print(
        f"{count} pages, worst {max(longest.values()):.1f} s; connections to this machine {len(bird.visitors)}, asked outside {len(outside)}, unsafe requests {unsafe}, launches {pool.launches}, pool sound: {'estación' in shown.html}"
    )
    await pool.close()


async def _end_of(pool: BrowserPool, web: ScriptWeb, html: str) -> str:
    try:
        shown, _ = await show(pool, web, html)
    except TabTrouble as trouble:
        return str(trouble)
    return shown.cut or "shown"


def auto(files: list[str]) -> None:
    """How many pages of each kind are rendered."""
    scripts = list(BEHAVIOURS.values())
    needing = [shell(scripts[number % len(scripts)]) for number in range(200)]
    plain = [
        TWIN.replace("</body>", '<script src="/a.js"></script></body>').replace("Título", f"T{number}") for number in range(100)
    ]
    plain += [
        twin(
            f"Corto {number}",
            [f"Una nota breve, la número {number}, con pocas palabras pero suficientes para que se lea sin más y sin guiones."]
            * 2,
            ["/a"],
        )
        for number in range(100)
    ]
    for name, pages in (("made by scripts", needing), ("made by a server", plain)):
        print(f"{name:<20}{sum(decide(page.encode()).render for page in pages):>5} of {len(pages)} rendered")
    for file in files:
        _on_gold(file)


def _on_gold(file: str) -> None:
    import zstandard

    with Path(file).open("rb") as packed:
        lines = zstandard.ZstdDecompressor().stream_reader(packed).read().decode().split("\n")
    counts = Counter[tuple[str, bool]]()
    for line in filter(None, lines):
        row = json.loads(line)
        html, gold = row.get("html", ""), _long_words(row.get("gold_text") or " ".join(row.get("with_") or ()))
        if html and len(gold) >= 20:
            counts[_place_of(gold, html), decide(html.encode()).render] += 1
    for place in ("there", "in its data", "elsewhere"):
        print(f"{Path(file).name:<28}{place:<14}{counts[place, True]:>5} rendered{counts[place, False]:>6} not")


def _place_of(gold: set[str], html: str) -> str:
    """Where the gold words of a page are: there for a reader without scripts, in the data of scripts, or elsewhere."""
    body = re.sub(r"(?is)<(script|style)\b.*?</\1>", " ", html)
    body = body[max(0, body.lower().find("<body")) :]
    missing = gold - _long_words(re.sub(r"<[^>]*>", " ", body))
    if len(missing) < 0.4 * len(gold):
        return "there"
    return "in its data" if len(missing & _long_words(html)) > 0.8 * len(missing) else "elsewhere"


def _long_words(text: str) -> set[str]:
    return set(re.findall(r"\w{4,}", unescape(text).lower()))


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("speed", "hostile", "auto"))
    parser.add_argument("files", nargs="*")
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--crawlee", default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10.0)
    asked = parser.parse_args()
    if asked.what == "auto":
        auto(asked.files)
    elif asked.what == "speed":
        speed(asked.pages, asked.crawlee)
    else:
        asyncio.run(hostile(asked.pages, asked.seed, asked.seconds))


if __name__ == "__main__":
    main()
