"""Judging of answers: how many pages that are content are judged otherwise, and what it costs beside reading the status.

    python benchmarks/judgement.py

Takes every page of the five public sets in the folder that TRASMALLO_SHARED names (by default `shared` beside the checkout) as
an answer with status 200. People chose these pages for their content, so one that is judged otherwise is a false alarm, or a
page that should not be in the set: each is listed, to be looked at. The peer is the status alone, which believes everything.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from extraction import SETS, data_folder, lines, page_in

from trasmallo.crawl.judgement import AnswerJudge, judge
from trasmallo.crawl.outcomes import outcome_of
from trasmallo.values.model import Response, Target

HEADERS = (("Server", "nginx"), ("Date", "Tue, 17 Nov 2026 10:00:00 GMT"), ("Content-Type", "text/html"), ("Vary", "Cookie"))
ROUNDS = 5


def answers() -> dict[str, list[Response]]:
    """The pages of each set as a server would send them."""
    found: dict[str, list[Response]] = {}
    for name in SETS:
        for page in map(page_in, lines(data_folder() / f"{name}.jsonl.zst")):
            content = page["html"].encode("utf-8", "surrogatepass")
            found.setdefault(name, []).append(
                Response(page["url"] or f"https://{name}.test/", 1.0, 200, "", HEADERS, content, content)
            )
    return found


def judge_all(pages: list[Response]) -> None:
    """What a crawl does with each answer, looking for a reason to probe included."""
    judges = AnswerJudge()
    for page in pages:
        target = Target(page.url, 1)
        judges.probe_for(target, page, judges.judge(target, page), lambda _url: True)


def read_status(pages: list[Response]) -> None:
    """What a crawl did before."""
    for page in pages:
        outcome_of(page)


def cpu(work: Callable[[list[Response]], None], pages: list[Response]) -> float:
    """CPU seconds for a thousand pages, the best of some rounds."""
    rounds = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work(pages)
        rounds.append(time.process_time() - began)
    return 1_000 * min(rounds) / len(pages)


def main() -> None:
    """Print the table, then every page that is judged to be no content."""
    print(f"{'set':<16} {'pages':>6} {'kB a page':>9} {'no content':>10} {'s/1,000':>8} {'status alone':>12}")
    odd: list[str] = []
    for name, pages in answers().items():
        judged = [(page.url, judge(page)) for page in pages]
        others = [f"{name}: {url}: {found.outcome} ({found.cause})" for url, found in judged if not found.outcome.obtained]
        size = sum(len(page.content) for page in pages) / len(pages) / 1_000
        figures = f"{len(pages):>6} {size:>9.0f} {len(others):>10}"
        print(f"{name:<16} {figures} {cpu(judge_all, pages):>8.3f} {cpu(read_status, pages):>12.4f}")
        odd += others
    print("\n".join(odd))


if __name__ == "__main__":
    main()
