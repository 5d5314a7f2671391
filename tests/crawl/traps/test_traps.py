"""Traps are caught after a bounded number of addresses; real sites are not."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from itertools import islice, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import strategies
from support.effort import effort
from trasmallo.crawl.traps import traps as module
from trasmallo.crawl.traps.shapes import shape_of
from trasmallo.crawl.traps.traps import TrapReport, Traps, TrapSettings
from trasmallo.values.errors import StoreDamaged, UrlError
from trasmallo.values.urls import canonical

TODAY = date(2026, 11, 20)
SITE = "https://www.example.es"
Step = tuple[str, str, int]
"""An address, the page it was found on, and its depth."""


def fresh(**changes: object) -> Traps:
    return Traps(TrapSettings(today=TODAY, **changes))  # type: ignore[arg-type]


def let_through(traps: Traps, steps: Iterable[Step]) -> int:
    return sum(not traps.catches(*step) for step in steps)


def chain(paths: Iterable[str]) -> Iterator[Step]:
    """Pages of which each leads to the next."""
    via = SITE + "/"
    for depth, path in enumerate(paths, 1):
        yield SITE + path, via, depth
        via = SITE + path


def listed(paths: Iterable[str], lister: str = "/archive/?page={}") -> Iterator[Step]:
    """Pages found on a long list, twenty a page, and again on one another."""
    before = SITE + "/"
    for place, path in enumerate(paths):
        yield SITE + path, SITE + lister.format(place // 20 + 1), 5 + place // 20 % 20
        yield SITE + path, before, 6
        before = SITE + path


@pytest.mark.parametrize(
    ("path", "cause"),
    [
        ("/a/b/c", ""),
        ("/img/x/img/x/img/x/", "path repeats /img/x/ 3 times"),
        ("/up/up/up/page.html", "path repeats /up/ 3 times"),
        ("/ab/1/ab/2/ab/3/ab/4", "path repeats /ab/ 4 times"),
        ("/" + "/".join(f"d{place}" for place in range(26)), "path deeper than 25"),
        ("/" + "/".join(f"d{place}" for place in range(25)) + "/", ""),
        ("/" + "x" * 2_000, "address longer than 2,000 characters"),
        ("/f?" + "&".join(f"a{place}={place}" for place in range(26)), "too many parameters: 26"),
        ("/cal/2041-05/", "calendar far from today: 2041-05"),
        ("/cal/2041/05/17", "calendar far from today: 2041-05-17"),
        ("/cal?year=2041&month=5", "calendar far from today: 2041-05"),
        ("/cal?tribe-bar-date=2041-05-17", "calendar far from today: 2041-05-17"),
        ("/cal/mayo/2041/", "calendar far from today: 2041-05"),
        ("/cal/2028-11-01", ""),
        ("/agenda-2030/horizonte-2050/objetivo-2041", ""),
        ("/productos/2041/05", ""),
    ],
)
def test_one_address_alone(path: str, cause: str) -> None:
    assert fresh().catches(SITE + path) == cause


def newspaper() -> Iterator[str]:
    day = date(1990, 1, 1)
    while day <= TODAY:
        yield f"/{day:%Y/%m/%d}/"
        yield f"/{day:%Y/%m/%d}/politica/el-titular-de-la-noticia-de-{day:%j}.html"
        day += timedelta(days=2)


def shop() -> Iterator[str]:
    yield from (f"/producto/{number}" for number in range(1, 12_000))
    yield from (f"/c/{category}/{number}" for category in range(2000, 2060) for number in range(1, 40))
    yield from (f"/c/{category}?color={color}&page={page}" for category, color, page in product(range(20), "rgb", range(30)))


def forum() -> Iterator[str]:
    for topic in range(1, 3_000):
        yield f"/viewtopic.php?f={topic % 30}&t={topic}"
        yield from (f"/viewtopic.php?f={topic % 30}&t={topic}&start={start}" for start in range(20, topic % 7 * 20, 20))
    yield from (f"/viewtopic.php?f=3&t={topic}&start={start}" for topic in range(20) for start in range(20, 3_000, 20))


def wiki() -> Iterator[str]:
    words = ["Historia", "Batalla", "Provincia", "España", "2030", "Rey", "III", "(desambiguación)", "de_la", "Siglo_XIX"]
    yield from (f"/wiki/{'_'.join(title)}" for title in permutations(words, 4))
    yield from (f"/w/index.php?title=P{number}&oldid={1000 + number}&action=history" for number in range(3_000))


def official_journal() -> Iterator[str]:
    day = date(1961, 1, 1)
    while day <= TODAY:
        yield f"/boe/dias/{day:%Y/%m/%d}/"
        yield f"/diario_boe/txt.php?id=BOE-A-{day:%Y}-{day:%j}"
        yield f"/buscar/doc.php?id=BOE-A-{day:%Y}-{day:%j}&lang=es&p={day:%Y%m%d}&tn=1"
        day += timedelta(days=7)


def lists() -> Iterator[str]:
    yield from (f"/noticias?page={number}" for number in range(1, 901))
    yield from (f"/blog/page/{number}/" for number in range(1, 901))
    yield from (f"/municipios?lang=es&prov={prov}&mun={mun}" for prov, mun in product(range(52), range(150)))
    yield from (f"/articulo/{random.Random(number).randbytes(16).hex()}" for number in range(10_000))


def oddities() -> Iterator[str]:
    yield from ["/es/es/", "/es/es/productos/", "/2011/11/11/11/", "/tiles/0/0/0.png", "/web/2019/http://www.x.es/a//b"]
    yield from ["/docs/api/docs/api/index.html", "/org/apache/maven/maven/3/maven.html", "/story?sid=1234", "/a?s=madrid"]
    yield from [
        "/films/blade-runner-2049",
        "/plan/2050/",
        "/calle/2101/3",
        "/a;b=c/d",
        "/wiki/Foo_(S)",
        "/efemerides/1492-10-12",
    ]
    yield from ["/agenda/2027-12-24", "/ley?desde=2020-01-01&hasta=2099-12-31", "/item/20410512", "/noticia/204105"]


@pytest.mark.parametrize("site", [newspaper, shop, forum, wiki, official_journal, lists, oddities])
def test_real_sites_are_let_through(site: Callable[[], Iterator[str]]) -> None:
    traps = fresh()
    steps = [(canonical(url), canonical(via), depth) for url, via, depth in listed(site())]
    assert [(step, cause) for step in steps if (cause := traps.catches(*step))] == []
    assert traps.report() == []


def test_an_archive_followed_backwards_is_real() -> None:
    days = (TODAY - timedelta(days=back) for back in range(12_000))
    assert let_through(fresh(), chain(f"/{day:%Y/%m/%d}/" for day in days)) == 12_000


def months(form: str) -> Iterator[str]:
    for number in range(2026 * 12 + 10, 9_000 * 12):
        yield form.format(number // 12, number % 12 + 1)


@pytest.mark.parametrize(
    "form", ["/cal/{}/{:02}/", "/cal/{}-{:02}.html", "/cal?y={}&m={}", "/cal?month={}{:02}", "/cal?month={}-{:02}"]
)
def test_an_endless_calendar_of_months(form: str) -> None:
    assert let_through(fresh(), chain(islice(months(form), 5_000))) <= 24 + 36 + 1


@pytest.mark.parametrize(
    "form", ["/cal/{:%Y/%m/%d}/", "/cal/{:%Y%m%d}", "/cal?day={:%d-%m-%Y}", "/cal?ts={:%s}", "/cal/{:%Y-W%V}"]
)
def test_an_endless_calendar_of_days(form: str) -> None:
    days = (TODAY + timedelta(days=ahead) for ahead in range(9_000))
    assert let_through(fresh(), chain(form.format(day) for day in days)) <= 732 + 36


def test_an_endless_calendar_backwards() -> None:
    numbers = range(2026 * 12, 1_100 * 12, -1)
    passed = let_through(fresh(), chain(f"/cal/{number // 12}/{number % 12 + 1:02}" for number in numbers))
    assert passed <= (2026 - 1649) * 12 + 36
    days = (TODAY - timedelta(days=back) for back in range(40_000))
    assert let_through(fresh(), chain(f"/cal/{day:%Y/%m/%d}" for day in days)) <= 23_000


def test_paths_that_grow_by_relative_links() -> None:
    assert let_through(fresh(), chain("/" + "ab/cd/" * times for times in range(1, 300))) == 2
    assert let_through(fresh(), chain("/" + "".join(f"{place}/" for place in range(times)) for times in range(1, 300))) == 25


def test_sessions_of_known_names_show_each_page_once() -> None:
    steps = [
        (f"{SITE}/page{number}.php?id=7&PHPSESSID={session:032x}", SITE + "/", 4)
        for session in range(1, 60)
        for number in range(100)
    ]
    traps = fresh()
    assert let_through(traps, steps) == 100
    assert traps.catches(*steps[-1]) == "session id in the address"
    assert traps.catches(*steps[0]) == ""
    traps = fresh()
    assert let_through(traps, [(f"{SITE}/a.jsp;jsessionid={number:024X}?x=1", "", 4) for number in range(100)]) == 1
    assert let_through(traps, [(f"{SITE}/(S(lit3py55t21z5v55vl{number:05}))/a.aspx", "", 4) for number in range(100)]) == 1


def test_a_host_may_have_only_so_many_pages_with_sessions() -> None:
    traps = fresh(sessions=50)
    assert let_through(traps, [(f"{SITE}/{number}?sid={number:032x}a", "", 3) for number in range(500)]) <= 52
    assert let_through(fresh(sessions=50), [(f"{SITE}/{number}?sid={number}", "", 3) for number in range(500)]) == 500


def test_a_host_s_own_name_for_sessions_is_learned() -> None:
    draw = random.Random(5)
    tokens = [draw.randbytes(12).hex() for _ in range(100)]
    steps = [(f"{SITE}/page{number}?wtk={token}", SITE + "/", 4) for token in tokens for number in range(20)]
    assert let_through(fresh(), steps) <= 4 * 20 + 20
    documents = [(f"{SITE}/{verb}?doc={token}", SITE + "/", 4) for token in tokens for verb in ("see", "cite", "print", "pdf")]
    assert let_through(fresh(), documents) == 400


def test_parameters_in_every_order_are_one_page() -> None:
    orders = [f"{SITE}/list?" + "&".join(order) for order in permutations(["a=1", "b=2", "c=3", "d=4"])]
    traps = fresh()
    assert let_through(traps, [(url, "", 1) for url in orders]) == 1
    assert traps.catches(orders[5]) == "the same parameters in another order"
    assert traps.catches(f"{SITE}/list?b=2&a=2") == ""
    assert traps.catches(f"{SITE}/list?x=1&x=2") == traps.catches(f"{SITE}/list?x=2&x=1") == ""


def facets(form: str) -> list[Step]:
    every = list(product(range(8), range(9), range(10), range(6), range(3)))
    random.Random(3).shuffle(every)
    return [(SITE + form.format(*values), SITE + "/shop", 3) for values in every]


@pytest.mark.parametrize(
    "form",
    [
        "/shop?c=c{}&s=s{}&b=b{}&o=o{}&page={}",
        "/shop?f=c{},s{},b{},o{}&page={}",
        "/shop?f[0]=c{}&f[1]=s{}&f[2]=b{}&x={}&page={}",
    ],
)
def test_facets_without_end(form: str) -> None:
    traps = fresh()
    assert let_through(traps, facets(form)) <= 1.2 * 500 * 3
    assert traps.catches(f"{SITE}/shop?c=c1") == ""
    assert traps.report()[0].rule == "combinations"


def test_facets_on_hundreds_of_paths() -> None:
    draw = random.Random(4)
    picks = [[draw.randrange(9) for _ in range(4)] for _ in range(20_000)]
    steps = [(f"{SITE}/cat{n % 300}/?c=c{a}&s=s{b}&b=b{c}&o=o{d}", SITE + "/", 3) for n, (a, b, c, d) in enumerate(picks)]
    assert let_through(fresh(), steps) < 64 * 70 + 4 * 900


def slugs(prefix: str, alphabet: str) -> Iterator[str]:
    draw = random.Random(7)
    while True:
        yield prefix + "".join(draw.choices(alphabet, k=20))


def test_random_texts_are_a_crowd() -> None:
    steps = list(islice(chain(slugs("/p/", "abc123def456")), 30_000))
    passed = let_through(fresh(), [(url, via, 4) for url, via, _ in steps])
    assert 0.8 * 20_000 < passed < 1.2 * 20_000
    assert let_through(fresh(), [(url, SITE + "/sitemap.xml", 1) for url, _, _ in steps]) == 30_000
    assert let_through(fresh(), [(url, SITE + "/list.html", 4) for url, _, _ in steps]) == 30_000


def test_a_long_chain_of_titles_is_a_crowd_and_a_bushy_one_later() -> None:
    steps = list(islice(chain(slugs("/p/", "abcdefgh")), 15_000))
    assert 0.8 * 1_000 < let_through(fresh(alike=1_000), steps) < 1.2 * 1_000
    bushy = [(url, via, 4) for url, via, _ in steps]
    assert 0.8 * 10_000 < let_through(fresh(alike=1_000), bushy) < 1.2 * 10_000


def test_folders_and_shapes_that_change_do_not_hide_a_crowd() -> None:
    folders = (f"{first}/{second[1:]}/" for first, second in zip(slugs("/", "abcd"), slugs("/", "efgh"), strict=False))
    assert let_through(fresh(alike=500), islice(chain(folders), 10_000)) < 500 * 1.2 + 30 + 500
    turns = (f"/{'ab'[number % 2]}{path}" for number, path in enumerate(slugs("/", "abc123")))
    assert let_through(fresh(alike=500), islice(chain(turns), 10_000)) < 2 * 500 * 1.2


def test_a_rule_is_lifted() -> None:
    url = SITE + "/cal/2041-05/17"
    traps = fresh()
    assert traps.catches(url)
    assert traps.report() == [TrapReport(SITE, "calendar", url, 1)]
    assert fresh(lifted=("calendar",)).catches(url) == ""
    deep = "/x/y" * 30
    assert fresh(lifted=("depth",)).catches(SITE + deep) == "path repeats /x/y/ 30 times"
    assert fresh(lifted=("depth", "repeats")).catches(SITE + deep) == ""


@pytest.mark.parametrize("rule", ["session", "order", "combinations", "alike", "length", "parameters"])
def test_lifted_rules_catch_nothing(rule: module.Rule) -> None:
    steps = [
        *islice(chain(slugs("/p/", "abc123")), 900),
        *facets("/shop?c=c{}&s=s{}&b=b{}&o=o{}&page={}")[:3_000],
        *((f"{SITE}/p?PHPSESSID={number}", "", 1) for number in range(9)),
        (f"{SITE}/p?b=1&a=1", "", 1),
        (f"{SITE}/p?a=1&b=1", "", 1),
        (f"{SITE}/{'x' * 2_000}", "", 1),
        (f"{SITE}/p?{'&'.join(f'a{place}' for place in range(40))}", "", 1),
    ]
    everything = fresh(alike=100)
    let_through(everything, steps)
    assert rule in {row.rule for row in everything.report()}
    without = fresh(alike=100, lifted=(rule,))
    let_through(without, steps)
    assert rule not in {row.rule for row in without.report()}


def test_reports_count_by_host_and_rule() -> None:
    traps = fresh()
    for number in range(3):
        traps.catches(f"http://a.es/{number}/2041-01-01")
    traps.catches("http://b.es/xx/xx/xx")
    assert [(row.host, row.rule, row.count, row.example) for row in traps.report()] == [
        ("http://a.es", "calendar", 3, "http://a.es/0/2041-01-01"),
        ("http://b.es", "repeats", 1, "http://b.es/xx/xx/xx"),
    ]


def test_what_is_remembered_is_bounded() -> None:
    bounds = {"most_hosts": 20, "most_bytes": 200_000, "most_pages": 100, "most_reports": 30}
    draw = random.Random(1)
    traps, sizes = fresh(alike=10, combinations=20, **bounds), []
    for number in range(5_000):
        host = f"http://h{number % 300}.es"
        word = draw.randbytes(6).hex()
        traps.catches(f"{host}/{word}/{number}/x?{word}={number}&b={word}&c={number}&d={word}{word}", f"{host}/{word}/", 5)
        traps.catches(f"{host}/{word}/{number}/2041-01-01")
        sizes.append(len(traps.state()) if number % 1_000 == 999 else 0)
    assert max(sizes) < 60_000
    assert sizes[-1] < 1.5 * sizes[1_999]
    assert len(traps.report()) == 30


def test_going_on_from_a_state_gives_the_same_verdicts() -> None:
    steps = [*islice(chain(slugs("/p/", "abc123")), 2_000), *facets("/shop?c=c{}&s=s{}&b=b{}&o=o{}&page={}")[:3_000]]
    steps += list(chain(islice(months("/cal/{}/{:02}/"), 200)))
    random.Random(2).shuffle(steps)
    quiet, stopped = fresh(alike=300), fresh(alike=300)
    for place, step in enumerate(steps):
        if place % 500 == 0:
            stopped = Traps.restore(stopped.state())
        assert stopped.catches(*step) == quiet.catches(*step)
    assert stopped.report() == quiet.report() != []
    assert stopped.state() == quiet.state()


def test_a_state_goes_on_with_other_settings() -> None:
    state = fresh().state()
    url = SITE + "/a/b/c/d"
    assert Traps.restore(state, TrapSettings(depth=3)).catches(url) == "path deeper than 3"
    assert Traps.restore(state, TrapSettings(depth=3)).catches(SITE + "/2029-11-21") == "calendar far from today: 2029-11-21"


def test_another_limit_counts_its_crowds_anew() -> None:
    steps = [(url, via, 4) for url, via, _ in islice(chain(slugs("/p/", "abc123")), 600)]
    traps = fresh(alike=300)
    assert let_through(traps, steps) < 400
    wider = Traps.restore(traps.state(), TrapSettings(alike=5_000))
    assert let_through(wider, steps) == 600


GREEDY = b"\x28\xb5\x2f\xfd\xe0" + (1 << 62).to_bytes(8, "little") + bytes(40)
"""A zstd frame that says to be larger than any memory."""


@pytest.mark.parametrize("damage", [b"", b"junk", fresh().state()[:-3], fresh().state()[::-1], GREEDY])
def test_a_damaged_state_is_refused(damage: bytes) -> None:
    with pytest.raises(StoreDamaged, match="trasmallo repair"):
        Traps.restore(damage)


words = st.sampled_from(
    ["a", "cal", "2041", "05", "17", "", "1500-01", "es", "x;jsessionid=9", "(S(aaaaaaaaaaaa1))", "deadbeef01deadbeef", "mayo"]
)
values = st.sampled_from(
    ["", "1", "2041-05", "9" * 10, "9" * 5_000, "0" * 4, "a,b", "deadbeef01deadbeef", "%2C%", "2041%2F13%2F99", "²"]
)
names = st.sampled_from(["year", "month", "date", "PHPSESSID", "sid", "a", "b", "[]", "", "f[0]", "page", "day"])
queries = st.lists(st.tuples(names, values), max_size=6).map(lambda pairs: "&".join(f"{name}={value}" for name, value in pairs))
made = st.builds(lambda path, query: f"http://h.es/{'/'.join(path)}?{query}", st.lists(words, max_size=9), queries)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.one_of(made, strategies.urls), st.integers(0, 50)), max_size=30), st.integers(0, 30))
def test_any_addresses_get_a_verdict_and_a_state_keeps_them(found: list[tuple[str, int]], cut: int) -> None:
    traps, other, via = fresh(alike=2, combinations=2, steps=1), fresh(alike=2, combinations=2, steps=1), ""
    for place, (text, depth) in enumerate(found):
        try:
            url = canonical(text)
        except UrlError:
            continue
        if place == cut:
            other = Traps.restore(other.state())
        assert traps.catches(url, via, depth) == other.catches(url, via, depth)
        assert shape_of(url)
        via = url
    assert traps.state() == other.state()


def test_a_hostile_address_takes_no_time() -> None:
    traps = fresh(lifted=("depth", "length", "parameters"))
    hostile = [
        "/" + "a/" * 4_000,
        "/" + "ab/cd/ef/" * 900,
        "/x?" + "a=1&" * 2_000,
        "/x?" + "&".join(f"f{n}=a,b,c" for n in range(700)),
        "/" + "1" * 8_000,
        "/" + "a1" * 4_000,
        "/x;" + "a=b;" * 2_000,
        "/(" + "S(aaaaaaaaaaaa)" * 500,
        "/x?date=" + "2041-05-" * 900,
        "/2041/05" * 1_000,
    ]
    assert effort(lambda: [traps.catches(SITE + path, SITE + path, 40) for path in hostile], 2) < 2
