"""Pages of real frameworks beside their server-rendered twins: words, links, seconds, and what `auto` decides on both.

    python benchmarks/frameworks.py [FOLDER]

React, Vue, Svelte, Solid and Lit come from npm, by name, into FOLDER or a temporary one; the applications are those of
`tests/support/frameworks`: routes, hydration, data that come late, lists that grow on scrolling, shadow trees.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from support.framework_web import FrameworkWeb, build, likeness, render
from support.script_web import HOST, quick_pool
from trasmallo.crawl.browser.decision import decide


async def compare(web: FrameworkWeb) -> None:
    """A row for each page, then the worst."""
    pool, served, rows = quick_pool(seconds=20.0), web.serve(), []
    print(f"{'':<20}{'words':>8}{'own':>8}{'links':>8}{'steps':>7}{'s':>7}  auto")
    for page in web.pages:
        began = time.perf_counter()
        shown = await render(pool, served, page)
        like = likeness(shown.html, page.twin)
        led = not page.leads or HOST + page.leads in shown.routes
        decided = decide(page.sent.encode()).render
        rows.append((like, decided, led))
        print(
            f"{page.path:<20}{like.words:>8.3f}{like.own_words:>8.3f}{like.links:>8.3f}{shown.steps:>7}"
            f"{time.perf_counter() - began:>7.1f}  {'rendered' if decided else 'not'}"
            f"{'' if led else ', route not told'} {shown.cut}",
            flush=True,
        )
    await pool.close()
    words, links = min(like.words for like, _, _ in rows), min(like.links for like, _, _ in rows)
    rendered, led_all = sum(decided for _, decided, _ in rows), all(led for *_, led in rows)
    print(f"{len(rows)} pages: worst words {words:.3f}, links {links:.3f}; auto renders {rendered}; all routes told: {led_all}")


def main() -> None:
    """Build the web, and compare."""
    if len(sys.argv) > 1:
        folder = Path(sys.argv[1])
        folder.mkdir(parents=True, exist_ok=True)
        asyncio.run(compare(build(folder)))
        return
    with tempfile.TemporaryDirectory() as made:
        asyncio.run(compare(build(Path(made))))


if __name__ == "__main__":
    main()
