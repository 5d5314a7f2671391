from __future__ import annotations

import pytest

from trasmallo.clean.content.outline import COMMENT, FLAGS, FORUM, Names, Outline, name_words
from trasmallo.clean.dom import see


def outline_of(html: str) -> Outline:
    return Outline(*see(html), Names(lambda word: float(len(word))))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("post-body main_text", ["post", "body", "main", "text"]),
        ("postBody entryTITLE", ["post", "body", "entry", "title"]),
        ("x" * 300, ["x" * 200]),
        ("123 --", []),
    ],
)
def test_words_of_a_name(name: str, words: list[str]) -> None:
    assert name_words(name) == words


def test_names_tell_their_least_and_greatest_word_and_their_subject() -> None:
    names = Names(lambda word: {"menu": -2.0, "article": 1.5}.get(word, 0.0))

    assert names("article-menu x") == (-2.0, 1.5, 0)
    assert names("user-comments") == (0.0, 0.0, COMMENT)
    assert names("forumThread") == (0.0, 0.0, FORUM)
    assert names("article-menu x") == (-2.0, 1.5, 0)


def test_each_element_knows_its_blocks() -> None:
    outline = outline_of("<body><div id=a><p>uno</p><p>dos</p></div><div class='b c' id=d><p>tres</p></div>")

    ranges = {name: (start, end) for name, start, end in zip(outline.name, outline.start, outline.end, strict=True) if name}

    assert outline.tag[:2] == ["html", "body"]
    assert ranges == {" a": (0, 2), "b c d": (2, 3)}
    assert [outline.tag[number] for number in outline.holder] == ["p", "p", "p"]


def test_the_wider_element_holds_more_blocks() -> None:
    outline = outline_of("<body><div><section><p>uno</p></section></div><p>dos</p>")

    assert outline.tag[outline.wider[outline.holder[0]]] == "body"


def test_the_leaf_is_the_innermost_element_of_the_first_text() -> None:
    outline = outline_of("<p><b>uno</b> y dos</p>")

    assert (outline.tag[outline.leaf[0]], outline.tag[outline.holder[0]]) == ("b", "p")


def test_flags_come_from_tags_roles_and_properties_and_from_above() -> None:
    outline = outline_of(
        "<body><nav><ul><li>uno</ul></nav><div role=main><p itemprop=articleBody>dos</p></div><p aria-hidden=true>tres</p>"
    )

    told = [{flag for bit, flag in enumerate(FLAGS) if outline.flags[leaf] >> bit & 1} for leaf in outline.leaf]

    assert told == [{"nav", "list"}, {"main", "body_property"}, {"veiled"}]


def test_a_page_nested_deep_is_read() -> None:
    outline = outline_of("<div>" * 400 + "fondo")

    assert len(outline) == 402
