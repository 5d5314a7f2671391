"""The judge of a crawl: when it probes, what it remembers, and the same in a crawl of a web in memory."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from support.answers import SHORT, answer, page
from support.fake_crawl import ROOT, Crawl, link
from support.fake_web import FakeWeb
from trasmallo.crawl.judgement import AnswerJudge, judge
from trasmallo.crawl.judgement.soft_404 import probe_of
from trasmallo.events import Warned
from trasmallo.values.model import Failure, Fetch, Outcome, Response, Target

MISSING = page("La cofradía", "<h1>Vaya</h1><p>La página que busca ya no está en este puerto.</p>")
SAYS_SO = page("Página no encontrada", "<p>La página que busca ya no está en este puerto.</p>")


def wanted(judges: AnswerJudge, given: Response, *, depth: int = 1, allowed: bool = True) -> str:
    return judges.probe_for(Target(given.url, depth), given, judge(given), lambda _url: allowed)


def test_a_host_is_probed_once(tmp_path: Path) -> None:
    given = answer(SAYS_SO, url=ROOT + "a")
    with AnswerJudge(tmp_path / "probes") as judges:
        assert wanted(judges, given) == probe_of(ROOT + "a")
        assert wanted(judges, given) == ""
        judges.learn(probe_of(ROOT + "a"), answer(SAYS_SO, url=probe_of(ROOT + "a")))
        assert judges.judge(Target(ROOT + "a", 1), given).outcome is Outcome.SOFT_404
    with AnswerJudge(tmp_path / "probes") as judges:
        assert wanted(judges, given) == ""
        assert judges.judge(Target(ROOT + "a", 1), given).outcome is Outcome.SOFT_404


def test_what_a_kill_has_torn_is_passed_over(tmp_path: Path) -> None:
    with AnswerJudge(tmp_path / "probes") as judges:
        judges.learn(probe_of(ROOT + "a"), answer(SAYS_SO, url=probe_of(ROOT + "a")))
    whole = (tmp_path / "probes").read_bytes()
    (tmp_path / "probes").write_bytes(whole + b'{"host": "http://b.te')
    for _ in range(2):
        with AnswerJudge(tmp_path / "probes") as judges:
            assert judges.judge(Target(ROOT + "a", 1), answer(SAYS_SO, url=ROOT + "a")).outcome is Outcome.SOFT_404
            judges.learn(probe_of("http://b.test/"), answer("", 404, url=probe_of("http://b.test/")))


def test_who_may_not_be_asked_is_not(tmp_path: Path) -> None:
    assert wanted(AnswerJudge(), answer(SAYS_SO), allowed=False) == ""
    assert wanted(AnswerJudge(probes=False), answer(SAYS_SO)) == ""
    assert wanted(AnswerJudge(), answer(SHORT)) == ""
    with AnswerJudge(tmp_path / "probes", probes=False):
        assert not (tmp_path / "probes").exists()


def test_the_root_is_tried_where_the_folder_may_not_be_asked() -> None:
    given = answer(SAYS_SO, url=ROOT + "private/a.html")
    found = AnswerJudge().probe_for(Target(given.url, 1), given, judge(given), lambda url: "/private/" not in url)
    assert found == probe_of(ROOT)


def test_start_addresses_and_roots_are_no_soft_404() -> None:
    judges = AnswerJudge()
    judges.learn(probe_of(ROOT), answer(SAYS_SO, url=probe_of(ROOT)))
    assert judges.judge(Target(ROOT, 3), answer(SAYS_SO, url=ROOT)).outcome is Outcome.FETCHED
    assert judges.judge(Target(ROOT + "es/", 0), answer(SAYS_SO, url=ROOT + "es/")).outcome is Outcome.FETCHED
    assert judges.judge(Target(ROOT + "x", 3), answer(SAYS_SO, url=ROOT + "x")).outcome is Outcome.SOFT_404


def test_a_failure_tells_nothing() -> None:
    judges = AnswerJudge()
    assert wanted(judges, answer(SAYS_SO))
    judges.learn(probe_of("https://a.test/x"), Failure("https://a.test/", 1.0, Outcome.TIMED_OUT, "x"))
    assert judges.judge(Target("https://a.test/x", 1), answer(SAYS_SO)).outcome is Outcome.FETCHED
    assert wanted(judges, answer(SAYS_SO)) == "", "once a session is enough"


def test_the_oldest_hosts_are_forgotten() -> None:
    judges = AnswerJudge(most=1)
    for host in ("http://a.test/", "http://b.test/"):
        judges.learn(probe_of(host), answer(SAYS_SO, url=probe_of(host)))
    assert judges.judge(Target("http://a.test/x", 1), answer(SAYS_SO, url="http://a.test/x")).outcome is Outcome.FETCHED
    assert judges.judge(Target("http://b.test/x", 1), answer(SAYS_SO, url="http://b.test/x")).outcome is Outcome.SOFT_404


@pytest.fixture
def soft() -> FakeWeb:
    """A host with three pages, three dead links and a page in its own words for what is not there."""
    web = FakeWeb()
    web.page(ROOT, page("Inicio", SHORT + link("/1", "/2", "/gone/1", "/gone/2", "/gone/3")))
    for number in (1, 2):
        web.page(f"{ROOT}{number}", page(f"Red {number}", SHORT + link("/")))
    for path in ("gone/1", "gone/2", "gone/3", *(probe_of(ROOT + each).removeprefix(ROOT) for each in ("gone/1", "1"))):
        web.page(ROOT + path, SAYS_SO)
    return web


def probes(web: FakeWeb) -> list[str]:
    name = probe_of(ROOT).removeprefix(ROOT)
    return [visit.url for visit in web.visits if name in visit.url]


def test_a_crawl_probes_before_it_believes(tmp_path: Path, soft: FakeWeb) -> None:
    crawl = Crawl(tmp_path, soft, delay=2.0, lines=3).go()
    assert probes(soft) == [probe_of(ROOT + "gone/1")]
    assert crawl.obtained == {ROOT, ROOT + "1", ROOT + "2"}
    assert {crawl.kept[f"{ROOT}gone/{number}"].outcome for number in (1, 2, 3)} == {Outcome.SOFT_404}
    assert not [url for url in crawl.kept if probe_of(ROOT).removeprefix(ROOT) in url], "a probe is no page of the crawl"
    visits = sorted(visit for visit in soft.visits if visit.url.startswith(ROOT))
    starts = sorted((visit.start, visit.end) for visit in visits)
    assert all(later[0] - earlier[1] >= 2.0 - 1e-6 for earlier, later in pairwise(starts))


def test_a_crawl_without_probes(tmp_path: Path, soft: FakeWeb) -> None:
    crawl = Crawl(tmp_path, soft, probe_missing=False).go()
    assert probes(soft) == []
    assert len(crawl.obtained) == 6


def test_robots_txt_has_a_say(tmp_path: Path, soft: FakeWeb) -> None:
    soft.page(ROOT + "robots.txt", "User-agent: *\nAllow: /gone/1$\nAllow: /gone/2$\nAllow: /1$\nAllow: /$\nDisallow: /")
    Crawl(tmp_path, soft).go()
    assert probes(soft) == []


def test_a_host_without_a_reason_is_not_probed(tmp_path: Path) -> None:
    web = FakeWeb()
    web.page(ROOT, link(*(f"/{number}" for number in range(40)), "/moved", "/gone"))
    for number in range(40):
        web.page(f"{ROOT}{number}", page(f"Red {number}", SHORT))
    web.redirect(ROOT + "moved", "/3")
    crawl = Crawl(tmp_path, web).go()
    assert len(crawl.obtained) == 41
    assert probes(web) == []


def test_redirects_to_the_root_are_soft_404(tmp_path: Path) -> None:
    web = FakeWeb()
    web.page(ROOT, link("/a", "/b", "/c", "/d") + SHORT)
    for path in ("a", "b", "c", probe_of(ROOT).removeprefix(ROOT)):
        web.redirect(ROOT + path, "/", status=302)
    web.page(ROOT + "d", page("Red", SHORT))
    crawl = Crawl(tmp_path, web, lines=1).go()
    assert probes(web) == [probe_of(ROOT)]
    assert crawl.obtained == {ROOT, ROOT + "d"}
    assert [crawl.kept[ROOT + path].outcome for path in "abc"] == [Outcome.REDIRECTED, Outcome.SOFT_404, Outcome.SOFT_404]


def test_a_host_of_challenges_rests_longer_each_time_and_is_left_alone(tmp_path: Path) -> None:
    web = FakeWeb()
    web.page(ROOT, SHORT + link(*(f"/{number}" for number in range(20))))
    for number in range(20):
        web.page(f"{ROOT}{number}", "<p>Espere.", status=403, headers={"cf-mitigated": "challenge"})
    web.page("http://b.test/", SHORT)
    crawl = Crawl(tmp_path, web, retries=0, retry_after=10.0, lines=3, seeds=(ROOT, "http://b.test/")).go()
    asked = [visit for visit in web.visits if visit.url.startswith(ROOT) and visit.url not in (ROOT, ROOT + "robots.txt")]
    rests = [later.start - earlier.end for earlier, later in pairwise(asked)]
    assert len(asked) == 5
    assert all(rest >= 10.0 * 2**number for number, rest in enumerate(rests))
    outcomes = [fetch.outcome for fetch in crawl.kept.values()]
    assert (outcomes.count(Outcome.CHALLENGE), outcomes.count(Outcome.LEFT_ALONE)) == (5, 15)
    assert crawl.obtained == {ROOT, "http://b.test/"}
    assert [event.message for event in crawl.heard(Warned)] == [
        "http://a.test: asks to be left alone, so it rests: a challenge (status 403): Cloudflare"
    ]


def test_who_lets_us_in_again_is_asked_on(tmp_path: Path) -> None:
    web = FakeWeb()
    web.page(ROOT, SHORT + link(*(f"/{number}" for number in range(20))))
    for number in range(20):
        web.page(
            f"{ROOT}{number}", SHORT if number % 3 else "<p>Espere.", headers={} if number % 3 else {"sg-captcha": "challenge"}
        )
    crawl = Crawl(tmp_path, web, retries=0, retry_after=10.0, lines=1).go()
    assert len(crawl.obtained) == 14
    assert Outcome.LEFT_ALONE not in {fetch.outcome for fetch in crawl.kept.values()}


def test_links_of_challenges_and_soft_404_are_not_followed_those_of_log_ins_are(tmp_path: Path) -> None:
    web = FakeWeb()
    web.page(ROOT, SHORT + link("/challenge", "/login"))
    web.page(ROOT + "challenge", link("/a") + "<p>Espere.", status=403, headers={"cf-mitigated": "challenge"})
    form = '<form><input name="u"><input type="password" name="p"></form>'
    web.page(ROOT + "login", page("Iniciar sesión", form + link("/b")))
    crawl = Crawl(tmp_path, web, retries=0).go()
    assert crawl.kept[ROOT + "login"].outcome is Outcome.LOGIN
    assert (crawl.asked(ROOT + "a"), crawl.asked(ROOT + "b")) == (0, 1)


def test_an_hour_of_404_ends_as_missing_and_judges_nothing_else(tmp_path: Path) -> None:
    web = FakeWeb()
    web.page(ROOT, SHORT + link("/a", "/b"))
    for path in "ab":
        web.page(ROOT + path, SAYS_SO, status=404)
    crawl = Crawl(tmp_path, web).go()
    assert {crawl.kept[ROOT + path].outcome for path in "ab"} == {Outcome.MISSING}
    assert probes(web) == []


def test_what_was_stored_before_a_kill_keeps_its_judgement(tmp_path: Path, web: FakeWeb) -> None:
    crawl = Crawl(tmp_path, web)
    stored = Response(ROOT + "b", 1.0, 200, "", (("Content-Type", "text/html"),), MISSING.encode(), MISSING.encode())
    row = Fetch(ROOT + "b", 1.0, Outcome.SOFT_404, 200, cause="as it was")
    crawl.recall = lambda url: (stored, row) if url == ROOT + "b" else None
    crawl.go()
    assert crawl.asked(ROOT + "b") == 0
    assert ROOT + "b" not in crawl.kept
