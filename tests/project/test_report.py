"""The report of a corpus."""

from __future__ import annotations

import html
import re
import shlex
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from support.command_line import call
from support.script_web import needs_browser
from trasmallo.project.project import Project
from trasmallo.values.errors import UsageError


class Tags(HTMLParser):
    """The tags that were opened, and those that were not closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)
        if tag not in ("meta", "path", "circle", "rect", "line", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            assert self.open.pop() == tag


def test_a_report_tells_the_corpus_queries_and_words(finished: Project) -> None:
    text = finished.report(queries=['[lemma="hacer"]'], words=["red"], lines=5)
    tags = Tags(text)
    assert not tags.open
    assert "script" not in tags.seen
    assert not re.search(r'(src|href)="http', text), "it needs nothing else"
    cited = finished.cite()
    assert cited.digest in text
    assert html.escape(cited.bibtex) in text
    total = finished.kwic('[lemma="hacer"]').total
    assert f"{total} hits in" in text
    assert text.count('<td class="l">') == 5
    assert "DP (Gries)" in text
    assert "<svg" in text
    assert finished.config.crawl.seeds[0] not in text, "start addresses are nobody's business"
    assert str(finished.folder.parent) not in text


def test_each_part_names_a_command_that_runs(finished: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shutil.copytree(finished.folder, tmp_path / finished.folder.name)
    monkeypatch.chdir(tmp_path)
    text = finished.report(queries=["red"], words=["red"], lines=3)
    commands = [shlex.split(html.unescape(told)) for told in re.findall(r"<p><code>(trasmallo .*?)</code></p>", text)]
    assert [words[1] for words in commands] == ["cite", "kwic", "word", "list", "laws"]
    for words in commands:
        assert call(*words[1:]).code == 0, words


def test_what_strangers_wrote_is_no_markup(finished: Project) -> None:
    text = finished.report(queries=['"<b>"'])
    assert "<h2>Query: &quot;&lt;b&gt;&quot;</h2>" in text
    with pytest.raises(UsageError, match="no word"):
        finished.report(words=["<script>x"])
    with pytest.raises(UsageError, match="no folder"):
        finished.report("/nowhere/at/all.html")


def test_a_report_of_a_scope(finished: Project, tmp_path: Path) -> None:
    scoped = finished.subcorpus("language=en")
    text = scoped.report(tmp_path / "r.html")
    assert (tmp_path / "r.html").read_text("utf-8") == text
    assert "--scope language=en" in text
    assert f"{scoped.cite().words:,}" in text


def test_a_report_in_spanish(finished: Project) -> None:
    text = finished.report(queries=["red"], words=["red"], lines=3, language="es")
    assert '<html lang="es">' in text
    assert "<h2>Palabras frecuentes</h2>" in text
    assert finished.cite().text("es") in html.unescape(text)
    english = ("hits in", "Frequent words", "documents", "occurrences", "per million", "Laws", "the words")
    told = re.sub(r"<style>.*?</style>|<pre>.*?</pre>|<code>.*?</code>", "", text, flags=re.DOTALL)
    assert [words for words in english if words in told] == []
    with pytest.raises(UsageError, match="language"):
        finished.report(language="fr")


@needs_browser
def test_a_report_as_pdf(finished: Project, tmp_path: Path) -> None:
    finished.report(tmp_path / "r.pdf", language="es")
    assert (tmp_path / "r.pdf").read_bytes().startswith(b"%PDF-")
