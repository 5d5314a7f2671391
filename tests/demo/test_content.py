"""The demo's sources: whole, of a decent length, and apart from their addresses the same wherever they are served."""

from __future__ import annotations

import re

from trasmallo.demo import content

HERE = {"faro": "http://a.test", "palabras": "http://b.test", "museo": "http://c.test"}
THERE = {"faro": "http://x.test:1", "palabras": "http://y.test:1", "museo": "http://z.test:1"}


def test_bodies_depend_on_the_origins_only() -> None:
    here, there = content.build(HERE), content.build(THERE)
    for host, answers in here.items():
        assert answers.keys() == there[host].keys()
        for path, answer in answers.items():
            body = there[host][path].body
            for name in HERE:
                body = body.replace(THERE[name].encode(), HERE[name].encode())
            assert body == answer.body, path


def test_articles_are_long_enough_to_study() -> None:
    for host in content.hosts():
        for source in content._articles(host.name):
            words = len(re.findall(r"\w+", source.text))
            assert 140 <= words <= 700, (source.path, words)
            assert source.summary, source.path


def test_no_placeholder_or_mark_is_left() -> None:
    for answers in content.build(HERE).values():
        for path, answer in answers.items():
            if answer.media.startswith("text/html"):
                text = re.sub(r"<(script|style).*?</\1>", "", answer.body.decode(answer.charset or "utf-8"), flags=re.DOTALL)
                assert not re.search(r"\$\w|\*\w|\]\(|\{\{", text), path


def test_addresses_with_a_host_name_are_located() -> None:
    assert content.locate("museo:/es/", HERE) == "http://c.test/es/"
    assert content.locate("/es/", HERE) == "/es/"
    assert content.locate("mailto:nadie@example.org", HERE) == "mailto:nadie@example.org"


def test_calendar_turns_the_year() -> None:
    assert b"/agenda/2026/12/" in content.calendar(2027, 1, HERE).body
    assert b"/agenda/2028/01/" in content.calendar(2027, 12, HERE).body


def test_neologisms_are_in_order_with_their_headword_first() -> None:
    words = [neologism.word for neologism in content.neologisms()]
    assert words == sorted(words)
    assert all(neologism.forms[0] == neologism.word and neologism.meaning for neologism in content.neologisms())
