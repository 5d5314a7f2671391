from __future__ import annotations

import math

from support.focused_graph import address, boat_model, mixed_links, page_of
from trasmallo.crawl.focus import Example, FocusModel, FocusSetup, SeenLink, SeenPage, Topic


def test_the_best_come_first_and_what_was_fetched_does_not_come() -> None:
    model = boat_model()
    found = list(model.promising(100))
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    urls = [url for url, _ in found]
    assert address("boats", 0) not in urls
    assert sum("boats" in url for url in urls[:10]) > sum("boats" in url for url in urls[-10:])


def test_the_same_pages_give_the_same_order_also_when_noted_again() -> None:
    model, setup = boat_model(), FocusSetup(topics=(Topic(name="topic", words=("vela", "barco")),))
    again = FocusModel(setup)
    for page in model.observed.pages:
        again.restore(page.note)
    again.fit()
    assert list(again.promising(200)) == list(model.promising(200))


def test_reasons_say_anchor_page_and_parts() -> None:
    model = boat_model()
    url = next(url for url, _ in model.promising(1))
    reason = model.explain(url)
    assert "anchor says *" in reason.why
    assert "its page is " in reason.why
    assert 0 <= reason.score <= 1
    assert "bias" in reason.parts
    assert "last fit" in model.explain("https://nowhere.example/").why


def test_a_mark_moves_what_waits() -> None:
    model = boat_model()
    before = model.score(address("banks", 12))
    model.mark({address("boats", 0): False, address("boats", 1): False, address("banks", 2): True, address("banks", 4): True})
    assert model.is_due
    model.fit()
    after = model.score(address("banks", 12))
    assert before is not None
    assert after is not None
    assert after > before


def test_documents_say_what_the_topic_is_and_topics_are_several() -> None:
    boats = Topic(name="boats", examples=(Example(source="x", title="vela", text=page_of("boats", 90, []).text),))
    banks = Topic(name="banks", examples=(Example(source="y", title="banco", text=page_of("banks", 90, []).text),))
    model = FocusModel(FocusSetup(topics=(boats, banks)))
    for number in range(20):
        model.observe(page_of("boats" if number % 2 else "banks", number, mixed_links(number)))
    model.observe(SeenPage("https://other.example/", "receta", "harina azucar leche huevo mantequilla horno " * 9))
    model.fit()
    other = model.topicality("https://other.example/")
    own = [model.topicality(address(kind, number)) or 0.0 for kind, number in (("boats", 3), ("banks", 4))]
    assert other is not None
    assert min(own) > other


def test_a_link_farm_full_of_the_words_does_not_stay_ahead() -> None:
    """What a farm's links led to is learned: pages of nothing."""
    model = boat_model()
    farm = [f"https://farm.example/{number}" for number in range(60)]
    trap = tuple(SeenLink(url, "vela barco vela barco") for url in farm)
    model.observe(SeenPage("https://farm.example/", "vela barco", "vela barco " * 50, trap))
    model.fit()
    first = model.score(farm[-1]) or 0.0
    for url in farm[:30]:
        model.observe(SeenPage(url, "oferta", "comprar barato oferta descuento casino apuesta premio " * 8))
    model.fit()
    assert (model.score(farm[-1]) or 0.0) < first


def test_a_hub_is_a_page_that_led_to_pages_on_topic() -> None:
    model = boat_model()
    for number in range(10, 15):
        model.observe(page_of("boats", number, []))
    model.fit()
    best = model.hubs(3)[0]
    assert best.followed > 0
    assert 0 <= best.share <= 1


def test_very_many_marks_are_bounded_and_quick() -> None:
    model = boat_model()
    model.mark({f"https://a.example/{number}": bool(number % 2) for number in range(100_000)})
    model.fit()
    assert len(model.observed.held) <= model.observed.most_held


def test_what_is_out_of_scope_takes_no_place_among_the_best() -> None:
    model = boat_model()
    best = [url for url, _ in model.promising(5)]
    outside = tuple(SeenLink(f"https://out.example/{number}", "vela barco", followed=False) for number in range(50))
    model.observe(SeenPage("https://boats.example/99", "vela", "vela barco " * 20, outside))
    model.fit()
    found = [url for url, _ in model.promising(1000)]
    assert set(best) <= set(found)
    assert not any("out.example" in url for url in found)
    assert not model.observed.is_in_scope("https://out.example/1")
    model.observe(SeenPage("https://boats.example/98", "vela", "vela", (SeenLink("https://out.example/1", "vela"),)))
    model.fit()
    assert "https://out.example/1" in [url for url, _ in model.promising(1000)], "another page of the crawl may follow it"


def test_contradictory_marks_lose_nothing_and_leave_an_order() -> None:
    model = boat_model()
    waiting = {url for url, _ in model.promising(1_000)}
    for number in range(20, 30):
        model.observe(page_of("boats", number, []))
    model.mark({address("boats", number): number % 2 == 0 for number in range(20, 30)})
    model.fit()
    scores = dict(model.promising(1_000))
    fetched = {address("boats", number) for number in range(20, 30)}
    assert set(scores) == waiting - fetched
    assert all(math.isfinite(score) for score in scores.values())
    boats = [score for url, score in scores.items() if "boats" in url]
    banks = [score for url, score in scores.items() if "banks" in url]
    assert sum(boats) / len(boats) > sum(banks) / len(banks)


def test_a_hub_that_is_a_trap_falls_behind() -> None:
    model = boat_model()
    endless = [SeenLink(f"https://trap.example/{day}", "vela barco regata") for day in range(200)]
    hub = page_of("boats", 60, [])
    model.observe(SeenPage("https://trap.example/", hub.title, hub.text, tuple(endless)))
    model.fit()
    assert next(url for url, _ in model.promising(1)).startswith("https://trap.example/")
    for day in range(60):
        model.observe(SeenPage(f"https://trap.example/{day}", "", "nada " * 40))
    model.fit()
    best = [url for url, _ in model.promising(10)]
    assert not any(url.startswith("https://trap.example/") for url in best)
    assert model.explain("https://trap.example/199").parts["led_to_little"] < 0
