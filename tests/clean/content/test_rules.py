from __future__ import annotations

import pytest

from support.article_pages import MENU, SENTENCE, furnished, main_of
from trasmallo.clean.content.rules import find_main

ARTICLE = f"<h1>Las redes</h1><p>{SENTENCE * 3}</p><p>{SENTENCE * 2}</p><ul><li>paño</li><li>plomo</li></ul>"


@pytest.mark.parametrize(
    "html",
    [
        *furnished(ARTICLE),
        f"<div>{ARTICLE}</div><div id=comments>{f'<p>{SENTENCE}</p>' * 3}</div>",
        f"<div>{ARTICLE}</div><aside><p>{SENTENCE}</p></aside>",
    ],
)
def test_the_article_and_nothing_else(html: str) -> None:
    assert main_of(find_main, html) == ["Las redes", (SENTENCE * 3).strip(), (SENTENCE * 2).strip(), "paño", "plomo"]


def test_a_page_of_comments_is_its_comments() -> None:
    assert len(main_of(find_main, f"<p>Hilo</p><div class=comments>{f'<p>{SENTENCE}</p>' * 9}</div>")) >= 9


def test_a_page_of_links_is_not_empty() -> None:
    assert main_of(find_main, MENU) != []
    assert main_of(find_main, f"<nav>{MENU}</nav>") != []


def test_no_text_no_blocks() -> None:
    assert main_of(find_main, "<div></div>") == []


def test_favour_goes_from_precision_to_recall() -> None:
    html = f"<div>{ARTICLE}</div><div><p>Corto.</p><p>{SENTENCE}</p></div><div class=comments><p>{SENTENCE * 2}</p></div>"

    sizes = [len(" ".join(main_of(find_main, html, favour / 4))) for favour in range(5)]

    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]
