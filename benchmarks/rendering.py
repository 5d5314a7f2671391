# ruff: noqa: E501 - rows of tables and made sentences are one line
"""Rendering pages made by scripts: pages a second and memory beside `chromium --dump-dom`, hostile pages, and `auto`.

    python benchmarks/rendering.py speed [--pages 20]
    python benchmarks/rendering.py hostile [--rounds 1]
    python benchmarks/rendering.py auto [FILE.jsonl.zst...]

`speed` and `hostile` take their pages from `tests/support/script_web.py`. `auto` decides on 200 made pages of each kind, and on
files of pages with gold texts (`html` and `gold_text` or `with_`): a page needs its scripts when most of the gold words are not in its HTML.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from support.script_web import BEHAVIOURS, HOST, HOSTILE, TWIN, ScriptWeb, quick_pool, shell, show, twin
from trasmallo.crawl.browser.decision import decide
from trasmallo.crawl.browser.launching import find_browser
from trasmallo.crawl.browser.tab import TabTrouble


async def speed(pages: int) -> None:
    """Seconds a page, one after the other, and the most memory of the browser."""
    pool, web = quick_pool(seconds=15.0), ScriptWeb()
    await show(pool, web, shell(BEHAVIOURS["at once"]))
    began = time.perf_counter()
    for _ in range(pages):
        shown, _ = await show(pool, web, shell(BEHAVIOURS["at once"]))
        assert "estación" in shown.html
    ours, memory = (time.perf_counter() - began) / pages, pool.largest / 1e6
    await pool.close()
    print(f"{'':<24}{'s a page':>10}{'pages a s':>11}{'MB':>7}")
    print(f"{Path(find_browser()).name:<24}{ours:>10.2f}{1 / ours:>11.2f}{memory:>7.0f}")
    print_dump_dom()


def print_dump_dom() -> None:
    """The same page by the browser's own command, a process each."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "page.html")
        file.write_text(shell(BEHAVIOURS["at once"]), encoding="utf-8")
        began = time.perf_counter()
        for _ in range(3):
            subprocess.run(
                [find_browser(), "--headless", "--no-sandbox", "--dump-dom", f"file://{file}"], capture_output=True, check=True
            )
        theirs = (time.perf_counter() - began) / 3
    print(f"{'--dump-dom':<24}{theirs:>10.2f}{1 / theirs:>11.2f}")


async def hostile(rounds: int) -> None:
    """Each hostile page to its end, within 30 s, with nothing outside reached."""
    pool, web, worst, ends = quick_pool(seconds=10.0), ScriptWeb(), 0.0, dict[str, int]()
    for number in range(rounds * len(HOSTILE)):
        name, script = list(HOSTILE.items())[number % len(HOSTILE)]
        began = time.perf_counter()
        try:
            shown, _ = await show(pool, web, shell(script))
            end = shown.cut or "shown"
        except TabTrouble as trouble:
            end = str(trouble)
        seconds = time.perf_counter() - began
        worst = max(worst, seconds)
        ends[end] = ends.get(end, 0) + 1
        print(f"{name:<22}{seconds:>6.1f} s  {end}", flush=True)
    shown, _ = await show(pool, web, shell(BEHAVIOURS["at once"]))
    outside = {url for _, url in web.asked if not url.startswith(HOST) and not url.endswith("/robots.txt")}
    posts = sum(method != "GET" for method, _ in web.asked)
    print(
        f"worst {worst:.1f} s, outside reached {len(outside)}, posts {posts}, launches {pool.launches}, pool sound {'estación' in shown.html}"
    )
    await pool.close()


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
    counts = {(needs, rendered): 0 for needs in (True, False) for rendered in (True, False)}
    for line in filter(None, lines):
        row = json.loads(line)
        html, gold = row.get("html", ""), set(re.findall(r"\w{4,}", row.get("gold_text") or " ".join(row.get("with_") or ())))
        if not html or len(gold) < 20:
            continue
        seen = set(re.findall(r"\w{4,}", re.sub(r"(?s)<script.*?</script>", " ", html)))
        counts[len(gold & seen) < len(gold) / 2, decide(html.encode()).render] += 1
    print(
        f"{Path(file).name:<28} need it: {counts[True, True]} rendered, {counts[True, False]} not; do not: {counts[False, True]} rendered, {counts[False, False]} not"
    )


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("speed", "hostile", "auto"))
    parser.add_argument("files", nargs="*")
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=1)
    asked = parser.parse_args()
    if asked.what == "auto":
        auto(asked.files)
    else:
        asyncio.run(speed(asked.pages) if asked.what == "speed" else hostile(asked.rounds))


if __name__ == "__main__":
    main()
